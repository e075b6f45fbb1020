//! Comparing systems on parts of the corpus.

use crate::data;
use crate::shared_data::read;
use karat::comparison::{
    Across, Comparing, Comparison, ComparisonAnswer, ScoreComparison, remarks, rows, tables,
};
use karat::facets::{FacetContext, facet};
use karat::formats::{ReadOptions, Source};
use karat::inputs::Run;
use karat::model::Corpus;
use karat::report::{LATEX, MARKDOWN, TSV};
use karat::scoring::Scoring;
use karat::stats::Bootstrap;

const TYPES: [&str; 3] = ["PER", "LOC", "ORG"];

/// Mentions of three types in turn, and which of them are right.
fn typed(documents: u32, right: impl Fn(u32, &str) -> bool) -> Corpus {
    let line = |at: u32, place: usize| {
        let (start, kind) = (10 * place, TYPES[place]);
        let entity = if right(at, kind) { 1 } else { 2 };
        format!("d{at}\t{start}\t{}\tQ{entity}\t1.0\t{kind}\n", start + 5)
    };
    let lines = (0..documents).flat_map(|at| (0..3).map(move |place| line(at, place)));
    rows_of(&lines.collect::<String>())
}

fn rows_of(text: &str) -> Corpus {
    let input = Source::memory("a.tsv", text).into();
    karat::registry().read(&input, Some("neleval"), &ReadOptions::default()).expect("rows").corpus
}

fn scoring(measures: &[&str], facets: &[&str]) -> Scoring {
    scoring_by("karat", measures, facets)
}

fn scoring_by(preset: &str, measures: &[&str], facets: &[&str]) -> Scoring {
    let joined = |names: &&str| {
        names
            .split('+')
            .map(|name| facet(name, &FacetContext::default()).expect("a facet"))
            .collect()
    };
    let mut scoring = Scoring::named(preset, measures).expect("known measures");
    scoring.facets = facets.iter().map(joined).collect();
    scoring
}

fn comparing(measures: &[&str], facets: &[&str]) -> Comparing {
    let bootstrap = Bootstrap { trials: 500, ..Bootstrap::default() };
    Comparing { bootstrap, ..Comparing::new(scoring(measures, facets)) }
}

fn part<'c>(comparison: &'c Comparison, title: &str) -> &'c ScoreComparison {
    let found = comparison.scores.iter().find(|score| score.title() == title);
    found.unwrap_or_else(|| panic!("no {title} among {:?}", titles(comparison)))
}

fn titles(comparison: &Comparison) -> Vec<String> {
    comparison.scores.iter().map(ScoreComparison::title).collect()
}

fn two_systems() -> [Run; 2] {
    [
        Run::new("persons", typed(40, |at, kind| kind == "PER" || at % 3 == 0)),
        Run::new("places", typed(40, |at, kind| kind == "LOC" || at % 3 == 0)),
    ]
}

#[test]
fn the_whole_comes_first_and_parts_have_verdicts_of_their_own() {
    let gold = typed(40, |_, _| true);
    let found = comparing(&["link", "mention"], &["type"]).compare("gold", &gold, &two_systems());
    let expected = [
        "link.f1",
        "mention.f1",
        "link.f1 type=LOC",
        "mention.f1 type=LOC",
        "link.f1 type=ORG",
        "mention.f1 type=ORG",
        "link.f1 type=PER",
        "mention.f1 type=PER",
    ];
    assert_eq!(titles(&found), expected);
    assert_eq!(part(&found, "link.f1").groups, [[0, 1]]);
    assert_eq!(part(&found, "link.f1 type=PER").systems[0].beats, [1]);
    assert_eq!(part(&found, "link.f1 type=LOC").systems[1].beats, [0]);
    assert_eq!(part(&found, "link.f1 type=ORG").groups, [[0, 1]]);
    let said = remarks(&found).join("\n");
    assert!(!said.contains("type="), "{said}");
}

#[test]
fn the_scores_of_a_part_are_those_of_an_evaluation() {
    let Some(folder) = data::folder("aida-testb") else { return };
    let corpus = |name: &str| read(&folder.join(format!("{name}.tsv"))).corpus;
    let gold = corpus("gold");
    let systems =
        ["schwa", "tagme_289", "aida-goldmentions"].map(|name| Run::new(name, corpus(name)));
    let (measures, facets) =
        (["link", "mention.recall", "link.f1@macro"], ["type", "link", "type+link"]);
    let comparison = comparing(&measures, &facets).compare("testb", &gold, &systems);
    let board = scoring(&measures, &facets).score("testb", &gold, &systems);
    let mut compared = 0;
    for (at, system) in board.systems.iter().enumerate() {
        for slice in &system.evaluation.slices {
            for wanted in &board.selection.wanted {
                let expected = slice.results[wanted.measure].wanted(wanted);
                let is_it = |score: &&ScoreComparison| {
                    let name = &board.selection.measures[wanted.measure].name;
                    let is_macro = wanted.average == karat::measures::Average::Macro;
                    score.measure == *name
                        && score.name.ends_with("@macro") == is_macro
                        && score.part.as_ref().is_some_and(|part| {
                            (&part.facet, &part.label) == (&slice.facet, &slice.label)
                        })
                };
                let found = comparison.scores.iter().find(is_it).expect("the same part");
                let (Some(found), Some(expected)) = (found.systems[at].score, expected) else {
                    assert_eq!(found.systems[at].score, expected);
                    continue;
                };
                // Means over documents are rounded to multiples of 2^-32 in one and summed otherwise in the other.
                assert!((found - expected).abs() < 1e-8, "{found} {expected}");
                compared += 1;
            }
        }
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn a_part_that_a_system_has_nothing_of_has_no_score() {
    let gold = rows_of("d1\t0\t5\tQ1\t1.0\tPER\nd2\t0\t5\tQ1\t1.0\tPER\n");
    let strange =
        rows_of("d1\t0\t5\tQ1\t1.0\tPER\nd2\t0\t5\tQ1\t1.0\tPER\nd2\t10\t15\tQ3\t1.0\tZOO\n");
    let systems = [Run::new("plain", gold.clone()), Run::new("strange", strange)];
    let found = comparing(&["link.precision"], &["type"]).compare("gold", &gold, &systems);
    let zoo = part(&found, "link.precision type=ZOO");
    assert_eq!(zoo.systems[0].score, None);
    assert_eq!(zoo.systems[1].score, Some(0.0));
    assert!(zoo.pairs[0].difference.is_none() && zoo.pairs[0].p.is_none());
}

#[test]
fn facets_come_in_the_order_asked_for_and_joined_ones_are_one() {
    let gold = typed(6, |_, _| true);
    let found = comparing(&["link"], &["link+type", "type"]).compare("gold", &gold, &two_systems());
    let facets: Vec<&str> = found
        .scores
        .iter()
        .filter_map(|score| score.part.as_ref().map(|part| part.facet.as_str()))
        .collect();
    assert_eq!(facets[0], "link+type");
    assert_eq!(facets.last(), Some(&"type"));
    assert!(facets.is_sorted(), "{facets:?}");
}

#[test]
fn parts_in_every_form() {
    let gold = typed(12, |_, _| true);
    let found = [comparing(&["link"], &["type"]).compare("gold", &gold, &two_systems())];
    let answer = ComparisonAnswer::of(&found);
    let json = serde_json::to_value(&answer).unwrap();
    let scores = json["benchmarks"][0]["scores"].as_array().expect("scores");
    let keys: Vec<_> = scores.iter().map(|score| (&score["facet"], &score["label"])).collect();
    assert!(keys[0].0.is_null() && keys[0].1.is_null());
    assert_eq!((keys[3].0.as_str(), keys[3].1.as_str()), (Some("type"), Some("PER")));
    let tsv = rows::standings(&answer).render(TSV, None);
    let header = tsv.lines().next().expect("a header");
    assert!(header.ends_with("group\tfacet\tlabel"), "{header}");
    assert_eq!(tsv.lines().filter(|line| line.ends_with("\ttype\tPER")).count(), 2, "{tsv}");
    let pairs = rows::pairs(&answer).render(TSV, None);
    assert_eq!(pairs.lines().filter(|line| line.ends_with("\ttype\tLOC")).count(), 1, "{pairs}");
    for form in [LATEX, MARKDOWN] {
        let paper = tables::paper(&answer, &answer.benchmarks[0]).render(form, None);
        assert!(paper.contains("part") && paper.contains("all"), "{paper}");
        assert!(paper.contains("type=PER"), "{paper}");
    }
}

#[test]
fn a_part_that_one_benchmark_lacks_is_not_ranked_over_all() {
    let gold = typed(12, |_, _| true);
    let other = rows_of("d0\t0\t5\tQ1\t1.0\tPER\n");
    let comparing = comparing(&["link"], &["type"]);
    let systems = |gold: &Corpus| [Run::new("a", gold.clone()), Run::new("b", gold.clone())];
    let comparisons = [
        comparing.compare("large", &gold, &systems(&gold)),
        comparing.compare("small", &other, &systems(&other)),
    ];
    let ranked: Vec<String> =
        Across::of(&comparisons).iter().flatten().map(Across::title).collect();
    assert_eq!(ranked, ["link.f1", "link.f1 type=PER"]);
}

/// Twelve documents of persons; the first ones also have so many places, each found by one of two systems.
fn few_places(places: u32) -> (Corpus, [Run; 2]) {
    let corpus = |right: &dyn Fn(u32) -> bool| {
        let lines = (0..12).map(|at| {
            let place = match at < places {
                true => {
                    format!("d{at}\t10\t15\tQ{}\t1.0\tLOC\n", if right(at) { 1 } else { 2 })
                }
                false => String::new(),
            };
            format!("d{at}\t0\t5\tQ1\t1.0\tPER\n{place}")
        });
        rows_of(&lines.collect::<String>())
    };
    let systems =
        [Run::new("even", corpus(&|at| at % 2 == 0)), Run::new("odd", corpus(&|at| at % 2 == 1))];
    (corpus(&|_| true), systems)
}

#[test]
fn a_part_has_the_intervals_of_an_evaluation() {
    for preset in ["karat", "neleval"] {
        for places in [1, 7] {
            let (gold, systems) = few_places(places);
            let bootstrap = Bootstrap { trials: 500, ..Bootstrap::default() };
            let mut scoring = scoring_by(preset, &["mention.f1", "link.f1"], &["type"]);
            scoring.bootstrap = Some(bootstrap);
            let comparison = Comparing::new(scoring.clone()).compare("gold", &gold, &systems);
            let board = scoring.score("gold", &gold, &systems);
            let mut compared = 0;
            for (at, system) in board.systems.iter().enumerate() {
                let slices = system.evaluation.slices.iter().zip(&system.slice_intervals);
                for (slice, intervals) in slices {
                    for wanted in &board.selection.wanted {
                        let name = &board.selection.measures[wanted.measure].name;
                        let title = format!("{name}.f1 {}={}", slice.facet, slice.label);
                        let found = part(&comparison, &title).systems[at].interval;
                        let expected = intervals[wanted.measure].get("f1", wanted.average);
                        // What some trials leave undefined has no interval in an evaluation.
                        if expected.is_some() || slice.documents.len() == 1 {
                            assert_eq!(found, expected, "{preset} {places} {title}");
                            compared += 1;
                        }
                    }
                }
            }
            assert!(compared >= 6, "{preset} {places} {compared}");
        }
    }
}

#[test]
fn documents_without_anything_of_a_part_say_nothing_about_it() {
    for preset in ["karat", "neleval"] {
        let compare = |places: u32| {
            let (gold, systems) = few_places(places);
            Comparing::new(scoring_by(preset, &["link.f1"], &["type"]))
                .compare("gold", &gold, &systems)
        };
        let some = [compare(7)];
        let places = part(&some[0], "link.f1 type=LOC");
        let outcomes = places.pairs[0].documents;
        assert_eq!((outcomes.wins, outcomes.ties, outcomes.losses), (4, 0, 3), "{preset}");
        assert_eq!(places.documents.len(), 7);
        let ranked = Across::of(&some);
        let blocks = ranked.iter().flatten().find(|ranks| ranks.part == places.part);
        assert_eq!(blocks.map(|ranks| ranks.friedman.benchmarks), Some(7), "{preset}");
        let one = compare(1);
        let pair = &part(&one, "link.f1 type=LOC").pairs[0];
        assert_eq!(pair.difference.map(|difference| difference.value), Some(1.0));
        assert!(pair.difference.is_some_and(|difference| difference.drawn.is_none()), "{preset}");
        assert_eq!((pair.p, pair.adjusted), (None, None), "{preset}");
    }
}

#[test]
fn labels_that_look_alike_when_joined_are_parts_of_their_own() {
    let mention = |start: u32, kind: &str, group: &str| {
        let end = start + 5;
        format!(
            r#"{{"span":[{start},{end}],"link":"Q1","types":["{kind}"],"attributes":{{"k":"{group}"}}}}"#
        )
    };
    let line = format!(
        r#"{{"document":"d","annotations":[{},{}]}}"#,
        mention(0, "A+B", "C"),
        mention(10, "A", "B+C")
    );
    let input = Source::memory("a.jsonl", line.as_str()).into();
    let gold = karat::registry().read(&input, Some("karat-jsonl"), &ReadOptions::default());
    let gold = gold.expect("a corpus").corpus;
    let systems = [Run::new("a", gold.clone()), Run::new("b", gold.clone())];
    let found = comparing(&["link"], &["type+attribute:k"]).compare("gold", &gold, &systems);
    let parts: Vec<_> = found.scores.iter().filter_map(|score| score.part.as_ref()).collect();
    assert_eq!(parts.len(), 2, "{parts:?}");
    let labels: Vec<&str> = parts.iter().map(|part| part.label.as_str()).collect();
    assert_eq!(labels, [r#"A+"B+C""#, r#""A+B"+C"#], "in tables, too");
}

#[test]
fn what_has_no_label_is_said_as_in_an_evaluation() {
    let gold = rows_of("d1\t0\t5\tQ1\t1.0\tPER\nd2\t0\t5\tQ1\t1.0\tLOC\n");
    let untyped = rows_of("d1\t0\t5\tQ1\nd2\t0\t5\tQ1\nd2\t10\t15\tQ3\n");
    // Two runs of one system are said once.
    let systems = [
        Run::new("typed", gold.clone()),
        Run::new("untyped", untyped.clone()),
        Run::new("untyped", untyped),
    ];
    let wordings = [
        ("karat", "the precision of the other parts leaves them out"),
        ("neleval", "the precision and the recall of the other parts leave them out"),
    ];
    for (preset, left_out) in wordings {
        let scoring = scoring_by(preset, &["link"], &["type", "attribute:foo"]);
        let said = [
            "no mention has an `attribute:foo`".to_owned(),
            format!(
                "predictions of `untyped` for which no type is known are under `-`; {left_out}"
            ),
        ];
        let board = scoring.score("gold", &gold, &systems);
        let slices = board.systems.iter();
        let slices = slices.map(|system| (system.name.as_str(), &system.evaluation.slices[..]));
        assert_eq!(scoring.notes_on_parts(slices), said);
        let comparison = Comparing::new(scoring).compare("gold", &gold, &systems);
        assert_eq!(comparison.notes_on_parts, said);
    }
}
