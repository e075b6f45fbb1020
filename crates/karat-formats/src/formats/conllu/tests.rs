use super::*;
use crate::{ReadOptions, ReadOutcome, testing};

/// Rows from words and their last columns, numbered.
fn rows(words: &[(&str, &str)]) -> String {
    let row = |(at, (form, misc)): (usize, &(&str, &str))| {
        format!("{}\t{form}\t_\tNOUN\t_\t_\t0\troot\t_\t{misc}\n", at + 1)
    };
    words.iter().enumerate().map(row).collect::<String>() + "\n"
}

fn read(content: &str, options: &ReadOptions) -> Result<ReadOutcome, Problem> {
    testing::read(&Conllu, &[("GUM_x.conllu", content)], options)
}

/// Words, link, type and group of each mention.
fn facts(outcome: &ReadOutcome) -> Vec<String> {
    let mentions = outcome.corpus.documents().flat_map(|d| d.mentions().collect::<Vec<_>>());
    let fact = |m: karat_model::Mention<'_>| {
        let kind = m.types().next().unwrap_or("-");
        let fragments = m.attribute(FRAGMENTS).unwrap_or_default();
        let group = m.attribute("group").unwrap_or("-");
        format!("{}|{}|{kind}|{group}|{fragments}", m.surface().unwrap(), m.entity().unwrap_or("-"))
    };
    mentions.map(fact).collect()
}

#[test]
fn brackets_of_gum() {
    let head = "# global.Entity = GRP-etype-infstat-centering-minspan-link-identity\n# newdoc id = GUM_bio_x\n# sent_id = 1\n";
    let sentence = rows(&[
        ("😀", "_"),
        ("Byron", "Discourse=a:1->2|Entity=(1-person-new-cf1-1-sgl-Lord_Byron)|SpaceAfter=No"),
        (",", "_"),
        ("his", "Entity=(4-abstract-giv-cf3-2-sgl(1-person-giv-cf1-1-ana-Lord_Byron)"),
        ("e\u{301}𝄞", "_"),
        ("Grammar", "Entity=(5-organization-new-cf2-1,2-sgl-Jean%2DPaul_%28x%29"),
        ("School", "Entity=5)4)"),
    ]);
    let outcome = read(&format!("{head}{sentence}"), &ReadOptions::default()).unwrap();
    let document = outcome.corpus.document("GUM_bio_x").unwrap();
    assert_eq!(document.text(), Some("😀 Byron, his e\u{301}𝄞 Grammar School"));
    assert_eq!(
        facts(&outcome),
        [
            "Byron|Lord_Byron|person|1|",
            "his e\u{301}𝄞 Grammar School|-|abstract|4|",
            "his|Lord_Byron|person|1|",
            "Grammar School|Jean-Paul_(x)|organization|5|",
        ]
    );
}

#[test]
fn brackets_of_the_first_releases_repeat_themselves() {
    let sentence = rows(&[
        ("In", "Entity=(abstract-1"),
        ("Aberdeen", "Entity=(organization-4-Aberdeen_Grammar_School(place-5-Aberdeen)"),
        ("School", "Entity=abstract-1)organization-4-Aberdeen_Grammar_School)"),
    ]);
    let outcome = read(&sentence, &ReadOptions::default()).unwrap();
    assert!(outcome.corpus.document("GUM_x").is_some(), "named by the file");
    assert_eq!(
        facts(&outcome),
        [
            "In Aberdeen School|-|abstract|1|",
            "Aberdeen School|Aberdeen_Grammar_School|organization|4|",
            "Aberdeen|Aberdeen|place|5|",
        ]
    );
}

#[test]
fn parts_words_of_one_form_and_empty_nodes() {
    let head = "# global.Entity = eid-etype-head-other\n# newdoc id = c\n";
    let mut content = head.to_owned();
    content += "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n";
    content += "1\tde\t_\tADP\t_\t_\t0\troot\t_\tEntity=(e2[1/2]-place-1-)\n";
    content += "2\tle\t_\tDET\t_\t_\t1\tdet\t_\t_\n";
    content += "2.1\t_\t_\t_\t_\t_\t_\t_\t_\tEntity=(e9-person-1-)\n";
    content += "3\tx\t_\tX\t_\t_\t1\tdep\t_\t_\n";
    content += "4\tRhin\t_\tX\t_\t_\t1\tdep\t_\tEntity=(e2[2/2]-place-1-)\n\n";
    let outcome = read(&content, &ReadOptions::default()).unwrap();
    assert_eq!(outcome.corpus.document("c").unwrap().text(), Some("dux Rhin"));
    assert_eq!(facts(&outcome), ["dux Rhin|-|place|e2|0 2;4 8"]);
}

#[test]
fn links_on_words() {
    let first = rows(&[
        ("New", "NER=B-LOC|Wikidata=Q60"),
        ("York", "NER=I-LOC|Wikidata=Q60"),
        ("Oslo", "NER=B-LOC"),
        ("is", "NER=O"),
        ("Rome", "Wikidata=Q220"),
        ("City", "Wikidata=Q220"),
    ]);
    let second = rows(&[("Rome", "Wikidata=Q220")]);
    let outcome = read(&format!("{first}{second}"), &ReadOptions::default()).unwrap();
    assert_eq!(
        facts(&outcome),
        ["New York|Q60|LOC|-|", "Oslo|-|LOC|-|", "Rome City|Q220|-|-|", "Rome|Q220|-|-|"]
    );
}

#[test]
fn bad_rows_are_located() {
    let good = rows(&[("a", "_")]);
    for (row, message, column) in [
        ("2\tx\n", "expected 10 columns, found 2", 1),
        ("x\ta\t_\t_\t_\t_\t_\t_\t_\t_\n", "expected the number of a word, found `x`", 1),
        ("1\ta\t_\t_\t_\t_\t_\t_\t_\tEntity=5)\n", "no mention `5` is open here", 26),
        ("1\ta\t_\t_\t_\t_\t_\t_\t_\tEntity=(p-5\n", "the mention `p-5` is never closed", 27),
        (
            "1\ta\t_\t_\t_\t_\t_\t_\t_\tEntity=x\n",
            "expected `(id-...`, `id)` or `(id-...)`, found `x`",
            26,
        ),
    ] {
        let content = format!("{good}{row}");
        let files = [("d.conllu", content.as_str())];
        let problem = testing::read_as(&Conllu, &files, &ReadOptions::default()).unwrap_err();
        let place = problem.place.unwrap();
        assert_eq!((problem.message.as_str(), place.line, place.column), (message, 3, column));
        assert!(problem.hint.is_some());
        let lenient = testing::read_as(&Conllu, &files, &testing::lenient()).unwrap();
        assert_eq!(lenient.findings.skipped().len(), 1);
    }
}
