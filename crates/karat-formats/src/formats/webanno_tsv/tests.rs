use super::*;
use crate::{ReadOptions, ReadOutcome, testing};
use karat_model::{CorpusBuilder, Link, Span};

const INCEPTION: &str = "#FORMAT=WebAnno TSV 3.3\n#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue|coarseValue\n#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value\n#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType\n\n\n#Text=😀 Ms. Haag 𝄞plays\\tin New York.\n1-1\t0-2\t😀\tSYM\tX\t_\t_\t_\t_\t\n1-2\t3-6\tMs.\tNE\tPROPN\t_\tPER[1]\t*->1-1\t*\t\n1-3\t7-11\tHaag\tNE\tPROPN\thttp://www.wikidata.org/entity/Q1\\_x|*[2]\tPER[1]|LOC[2]\t_\t_\t\n1-4\t12-19\t𝄞plays\tVBZ\tV\t_\t_\t_\t_\t\n1-4.1\t14-16\tpl\t_\t_\tNIL\t*\t_\t_\t\n1-5\t20-22\tin\tIN\tP\t_\t_\t_\t_\t\n1-6\t23-26\tNew\tNE\tPROPN\tQ60[3]\tLOC[3]\t_\t_\t\n1-7\t27-31\tYork\tNE\tPROPN\tQ60[3]\tLOC[3]\t_\t_\t\n1-8\t31-32\t.\t.\t.\t_\t_\t_\t_\t\n\n#Text=e\u{301}!\n2-1\t34-37\te\u{301}!\t_\t_\t_\t_\t_\t_\t\n";

fn read(content: &str, options: &ReadOptions) -> Result<ReadOutcome, Problem> {
    testing::read(&WebAnnoTsv, &[("a/GUM_x.tsv", content)], options)
}

fn facts(outcome: &ReadOutcome) -> Vec<String> {
    let mentions = outcome.corpus.documents().flat_map(|d| d.mentions().collect::<Vec<_>>());
    let fact = |m: karat_model::Mention<'_>| {
        let link = m.entity().unwrap_or(if m.link().is_nil() { "NIL" } else { "-" });
        format!("{}|{link}|{}", m.surface().unwrap(), m.types().next().unwrap_or("-"))
    };
    mentions.map(fact).collect()
}

#[test]
fn the_layer_of_inception() {
    let outcome = read(INCEPTION, &ReadOptions::default()).unwrap();
    let document = outcome.corpus.document("GUM_x").unwrap();
    assert_eq!(document.text(), Some("😀 Ms. Haag 𝄞plays\tin New York.\n e\u{301}!"));
    assert_eq!(
        facts(&outcome),
        [
            "Ms. Haag|-|PER",
            "Haag|http://www.wikidata.org/entity/Q1_x|-",
            "Haag|-|LOC",
            "pl|NIL|-",
            "New York|Q60|LOC",
        ]
    );
    assert_eq!(outcome.findings.passed_over_count(), 2, "parts of speech and coreference");
}

#[test]
fn the_layers_of_gum() {
    let content = "#FORMAT=WebAnno TSV 3.2\n#T_SP=webanno.custom.Referent|entity|infstat|identity\n#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent\n\n\n#Text=Byron at Harrow School\n1-1\t0-5\tByron\tperson[3]\tnew[3]\tLord_Byron[3]\tcoref\t2-3\t\n1-2\t6-8\tat\t_\t_\t_\t_\t_\t\n1-3\t9-15\tHarrow\torganization[6]|place[7]\tnew[6]|new[7]\tHarrow_School[6]\tbridge\t4-12[0_6]\t\n1-4\t16-22\tSchool\torganization[6]\tnew[6]\tHarrow_School[6]\t_\t_\t\n";
    let outcome = read(content, &ReadOptions::default()).unwrap();
    assert_eq!(
        facts(&outcome),
        ["Byron|Lord_Byron|person", "Harrow School|Harrow_School|organization", "Harrow|-|place"]
    );
}

#[test]
fn what_is_written_is_read_again() {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("a/b.c").unwrap();
    builder.set_text("\n 😀New York-based,\\[x] \n\n\tAnn_|*\u{2028}e\u{301} ");
    let entity = Link::to(builder.intern("Q_1|[2]*;->\\"));
    for (start, end, link, kind) in [
        (3, 11, entity, Some("LOC")),
        (3, 6, Link::NONE, None),
        (3, 6, Link::NIL, Some("*")),
        (5, 17, entity, Some("_")),
        (26, 31, Link::NIL, Some("x|y")),
        (18, 27, Link::NIL, None),
        (20, 24, entity, Some("A")),
    ] {
        builder.annotate(Span::new(start, end), link).types(kind);
    }
    builder.begin_document("empty").unwrap();
    builder.set_text("");
    let corpus = builder.finish();
    assert_eq!(corpus.difference(&testing::again(&WebAnnoTsv, &corpus)), None);
    let written = testing::write(&WebAnnoTsv, &corpus).unwrap();
    let beginning =
        "#Text=\\n 😀New York-based,\\\\[x] \\n\\n\\t\n1-1\t2-7\t😀New\t_\t_\t\n1-1.1\t4-7\tNew\t";
    assert!(written[0].contains(beginning), "{}", written[0]);
}

#[test]
fn what_has_no_form_is_refused() {
    for (start, end, entity) in [(0, 2, "Q1"), (1, 2, "NIL")] {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("d").unwrap();
        builder.set_text(" a b");
        let link = Link::to(builder.intern(entity));
        builder.annotate(Span::new(start, end), link);
        assert!(testing::write(&WebAnnoTsv, &builder.finish()).is_err());
    }
}

#[test]
fn bad_rows_are_located() {
    for (row, message, column) in [
        ("2-2\t38-39\n", "expected at least 3 columns, found 2", 1),
        ("2-2\tx\ta\n", "expected `begin-end`, found `x`", 5),
        ("2-2\t9-4\ta\n", "expected `begin-end`, found `9-4`", 5),
        ("2-2\t34-35\ta\n", "the mention is “a” but the text at 32..33 is “e”", 1),
        ("2-2\t40-41\ta\n", "offset 40..41 lies outside the text, which has 37 UTF-16 units", 1),
    ] {
        let content = format!("{INCEPTION}{row}");
        let problem = read(&content, &ReadOptions::default()).unwrap_err();
        let place = problem.place.unwrap();
        assert_eq!((problem.message.as_str(), place.line, place.column), (message, 20, column));
        assert!(problem.hint.is_some());
        assert_eq!(read(&content, &testing::lenient()).unwrap().findings.skipped().len(), 1);
    }
    let content = format!("{INCEPTION}\n#Text=a\n3-1\t4000000000-4000000001\ta\n");
    let problem = read(&content, &ReadOptions::default()).unwrap_err();
    assert!(problem.message.starts_with("the sentence cannot begin at 4000000000"));
}
