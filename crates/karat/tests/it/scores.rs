//! Scores of the published runs on AIDA-CoNLL testb: every count that neleval and
//! the authors of the 2014 paper published.

use crate::data;
use crate::shared_data::read;
use karat::errors::Inspection;
use karat::facets::FacetContext;
use karat::inputs::Run;
use karat::kb::{Identity, Redirects};
use karat::model::Corpus;
use karat::reproduce::{Data, PAPERS, Verdict};
use karat::scoring::{Board, Scoring};
use karat::sentences::Sentences;
use std::fs;
use std::path::Path;

/// Runs and the gold they are scored against.
const RUNS: [(&str, &str); 9] = [
    ("aida-goldmentions", "gold.linkable"),
    ("houlsby", "gold"),
    ("schwa-goldmentions", "gold"),
    ("schwa-goldmentions.linkable", "gold.linkable"),
    ("schwa", "gold"),
    ("tagme_289", "gold"),
    ("tagme_289.untruncated", "gold"),
    ("tagme_336", "gold"),
    ("tagme_336.untruncated", "gold"),
];

fn corpus(folder: &Path, name: &str) -> Corpus {
    read(&folder.join(format!("{name}.tsv"))).corpus
}

fn neleval(measures: &[&str]) -> Scoring {
    Scoring::named("neleval", measures).unwrap()
}

fn board(scoring: &Scoring, gold: &Corpus, system: Corpus) -> Board {
    scoring.score("gold", gold, &[Run::new("system", system)])
}

#[test]
fn every_run_prints_what_neleval_prints() {
    let Some(folder) = data::folder("aida-testb") else { return };
    let scoring = neleval(&["hachey"]);
    for (run, gold) in RUNS {
        let (gold, system) = (corpus(&folder, gold), corpus(&folder, run));
        let expected = |kind: &str| {
            fs::read_to_string(folder.join(format!("neleval-out/neleval-{run}.{kind}"))).unwrap()
        };
        let identity = Identity::new();
        let inspection = Inspection::new(&scoring.convention, &identity);
        let counts = inspection.kind_counts(&gold, &system, false);
        assert_eq!(counts.neleval(), expected("analysis"), "{run}");
        assert_eq!(board(&scoring, &gold, system).neleval(), expected("eval"), "{run}");
    }
}

/// The authors' own outputs, from the released files with redirects followed by karat.
#[test]
fn the_released_outputs_score_as_their_authors_published() {
    let Some(folder) = data::folder("aida-testb") else { return };
    let map = fs::read_to_string(folder.join("map-testb-fromapi-20140227.tsv")).unwrap();
    let redirects = Redirects::parse(&map);
    let identity = Identity::new().with_wikipedia_titles().with_redirects(redirects);
    let gold = corpus(&folder, "gold-unmapped.release");
    // The authors' scripts cut mentions at the ends of sentences; only TagMe has such mentions.
    let sentences = Sentences::of(&corpus(&folder, "AIDA-YAGO2-testb.notext"));
    for (run, published, linkable) in [
        ("houlsby_ECIR14", "houlsby_ECIR14-api20140227.testb", false),
        ("tagme_289", "tagme_289", false),
        ("tagme_336", "tagme_336", false),
        ("schwa-unsup", "schwa", false),
        ("schwa-unsup-gold-mentions", "schwa.linkable", true),
        ("aida-gold-mentions", "aida.linkable", true),
    ] {
        let system = read(&folder.join(format!("unmapped/{run}-unmapped.testb.txt"))).corpus;
        let system = sentences.cut(&system);
        let mut scoring = neleval(&[]);
        scoring.convention.settings.linkable = linkable;
        let names = [
            "strong_mention_match",
            "strong_linked_mention_match",
            "strong_link_match",
            "entity_match",
        ];
        scoring = Scoring {
            identity: identity.clone(),
            ..Scoring::new(scoring.convention, &names).unwrap()
        };
        let inspection = Inspection::new(&scoring.convention, &identity);
        let counts = inspection.kind_counts(&gold, &system, false);
        let board = board(&scoring, &gold, system);
        let results = names.iter().zip(&board.systems[0].evaluation.results);
        let mut text = String::from("tp\tfp\tfn\tprecis\trecall\tfscore\tmatch\n");
        for (name, result) in results {
            let score = |name: &str| format!("{:.3}", result.micro.get(name).flatten().unwrap());
            let (tp, fp, fn_) = (result.counts[0], result.counts[1], result.counts[3]);
            let scores = ["precision", "recall", "f1"].map(score).join("\t");
            text += &format!("{tp}\t{fp}\t{fn_}\t{scores}\t{name}\n");
        }
        let expected = |kind: &str| {
            fs::read_to_string(folder.join(format!("expected/{published}.{kind}"))).unwrap()
        };
        assert_eq!(text, expected("eval"), "{run}");
        // The authors published what is wrong.
        let printed = counts.neleval();
        let wrong = printed.lines().filter(|line| !line.contains("\tcorrect "));
        let wrong: String = wrong.map(|line| format!("{line}\n")).collect();
        assert_eq!(wrong, expected("analysis"), "{run}");
    }
}

/// What neleval 3.1.1 gives for all its measures and a few more, schwa against gold.
#[test]
fn all_measures_of_schwa() {
    let Some(folder) = data::folder("aida-testb") else { return };
    let (gold, system) = (corpus(&folder, "gold"), corpus(&folder, "schwa"));
    let expected = "\
3730.564\t1231.436\t3777.309\t1838.691\t0.752\t0.673\t0.710\tb_cubed
3049.872\t1912.128\t2946.993\t2669.007\t0.615\t0.525\t0.566\tb_cubed_plus
1675.818\t693.182\t1675.818\t992.182\t0.707\t0.628\t0.665\tentity_ceaf
3730\t1232\t3730\t1886\t0.752\t0.664\t0.705\tmention_ceaf
3257\t1705\t3257\t2359\t0.656\t0.580\t0.616\tmention_ceaf_plus
2073\t520\t2073\t875\t0.799\t0.703\t0.748\tmuc
14882\t5747\t14882\t8890\t0.721\t0.626\t0.670\tpairwise
9264546\t3023066\t9264546\t6478602\t0.754\t0.588\t0.661\tpairwise_negative
2554\t762\t2554\t1312\t0.770\t0.661\t0.711\tsets:is_first:span
3257\t1705\t3257\t2359\t0.656\t0.580\t0.616\tstrong_all_match
519\t392\t519\t612\t0.570\t0.459\t0.508\tstrong_nil_match
";
    let names: Vec<&str> = expected.lines().map(|line| line.rsplit('\t').next().unwrap()).collect();
    let text = board(&neleval(&names), &gold, system).neleval();
    assert_eq!(text.split_once('\n').unwrap().1, expected);
}

#[test]
fn scores_of_schwa_that_neleval_gives_to_three_digits() {
    let Some(folder) = data::folder("aida-testb") else { return };
    let gold = corpus(&folder, "gold");
    let scores = |result: &karat::measures::Scores| {
        ["precision", "recall", "f1"]
            .map(|name| format!("{:.3}", result.get(name).flatten().unwrap()))
    };
    for (name, expected) in [
        ("cs_b_cubed", ["0.869", "0.794", "0.830"]),
        ("mention_cs_ceaf", ["0.746", "0.770", "0.758"]),
        ("entity_cs_ceaf", ["0.685", "0.835", "0.753"]),
        ("b_cubed:is_first:span", ["0.702", "0.602", "0.649"]),
    ] {
        let board = board(&neleval(&[name]), &gold, corpus(&folder, "schwa"));
        assert_eq!(scores(&board.systems[0].evaluation.results[0].micro), expected, "{name}");
    }
    for (name, expected) in [
        ("mention", ["0.812", "0.725", "0.758"]),
        ("linked-mention", ["0.772", "0.711", "0.725"]),
        ("link", ["0.630", "0.587", "0.597"]),
        ("tag", ["0.688", "0.659", "0.660"]),
    ] {
        let board = board(&neleval(&[name]), &gold, corpus(&folder, "schwa"));
        let result = &board.systems[0].evaluation.results[0];
        assert_eq!(scores(&result.macro_.as_ref().unwrap().scores), expected, "{name}");
    }
}

#[test]
fn hachey_2014() {
    let Some(folder) = data::folder("aida-testb") else { return };
    let paper = PAPERS.iter().find(|paper| paper.name == "hachey-2014").unwrap();
    let sections = (paper.run)(&Data::new(folder.parent().unwrap())).unwrap();
    let rows = || sections.iter().flat_map(|section| &section.rows);
    let count = |verdict| rows().filter(|row| row.verdict == verdict).count();
    assert_eq!((count(Verdict::Same), count(Verdict::Differs)), (56, 0));
    // neleval.md 3.5: .129 for TagMe and Schwa by entity tags; 10,000 trials, so 4 standard errors are .0134.
    let row = rows().find(|row| row.labels == ["Table 3", "Schwa, TagMe", "f_T"]).unwrap();
    let p: f64 = row.note.trim_start_matches("p = ").parse().unwrap();
    assert!((p - 0.129).abs() < 0.0134, "{p}");
    // Figure 1, whose numbers the paper does not print, beside independent counts.
    let independent = fs::read_to_string(folder.join("figure1-by-netype.txt")).unwrap();
    let mut compared = 0;
    for line in independent.lines().filter(|line| line.contains(" schwa ")) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let row = rows().find(|row| row.labels == ["Schwa", fields[2], fields[0]]).unwrap();
        assert_eq!(row.note, format!("tp {}, fp {}, fn {}", fields[3], fields[4], fields[5]));
        compared += 1;
    }
    assert_eq!(compared, 8);
}

/// Two ids on one span: an item is in one cluster, that of the last. neleval makes a
/// table of the wrong shape and counts one hit of two items, and three extra.
#[test]
fn a_span_with_two_ids_does_not_upset_ceaf() {
    let corpus = |text: &str| {
        let input = karat::formats::Source::memory("a.tsv", text).into();
        karat::registry().read(&input, Some("neleval"), &Default::default()).unwrap().corpus
    };
    let gold = corpus("d\t0\t5\tQ1\nd\t10\t15\tQ2\n");
    let system = corpus("d\t0\t5\tQ1\nd\t0\t5\tQ9\nd\t10\t15\tQ2\n");
    let board = board(&neleval(&["mention_ceaf", "entity_ceaf", "b_cubed"]), &gold, system);
    for result in &board.systems[0].evaluation.results {
        assert_eq!(result.counts, [2.0, 0.0, 2.0, 0.0]);
    }
}

/// A mention without any candidate is NIL, which neleval, in error, leaves out.
#[test]
fn a_mention_without_an_answer_is_nil() {
    let corpus = |text: &str| {
        let input = karat::formats::Source::memory("a.tsv", text).into();
        karat::registry().read(&input, Some("neleval"), &Default::default()).unwrap().corpus
    };
    let (gold, system) = (corpus("d\t0\t5\tNIL1\n"), corpus("d\t0\t5\n"));
    let board = board(&neleval(&["strong_nil_match"]), &gold, system);
    assert_eq!(board.systems[0].evaluation.results[0].counts, [1.0, 0.0, 1.0, 0.0]);
}

/// A document that only the system has counts, also by document; neleval drops it there.
#[test]
fn a_document_without_gold_is_not_lost_by_document() {
    let corpus = |text: &str| {
        let input = karat::formats::Source::memory("a.tsv", text).into();
        karat::registry().read(&input, Some("neleval"), &Default::default()).unwrap().corpus
    };
    let gold = corpus("a\t0\t5\tQ1\nb\t0\t5\tQ1\n");
    let system = corpus("a\t0\t5\tQ1\nb\t0\t5\tQ1\nc\t0\t5\tQ1\n");
    let mut scoring = neleval(&["link"]);
    scoring.facets = vec![vec![karat::facets::facet("doc", &FacetContext::default()).unwrap()]];
    let board = board(&scoring, &gold, system);
    let scores = &board.systems[0];
    assert_eq!(scores.evaluation.results[0].counts, [2.0, 1.0, 2.0, 0.0]);
    let by_document: f64 = scores.evaluation.slices.iter().map(|s| s.results[0].counts[1]).sum();
    assert_eq!(by_document, 1.0);
    assert_eq!(scores.unknown_documents, ["c"]);
}
