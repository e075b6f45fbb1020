//! What went wrong, under karat's own taxonomy and on trees that no benchmark has.

use crate::data;
use crate::elevant_results::{base, corpora};
use karat::errors::{ErrorCase, Hits, Inspection, ModeCounts, differences, suspects};
use karat::facets::Finding;
use karat::facets::taxonomy::Category;
use karat::formats::{ReadOptions, Source};
use karat::inputs::Run;
use karat::kb::{Builder, Identity, KnowledgeBase, Words};
use karat::matching::Unknowns;
use karat::measures::{Convention, Preset};
use karat::model::Corpus;
use karat::scoring::Scoring;

fn convention(preset: &str) -> Convention {
    (Preset::named(preset).unwrap().convention)()
}

fn read(lines: &str) -> Corpus {
    let input = Source::memory("a.jsonl", lines).into();
    karat::registry().read(&input, Some("elevant"), &ReadOptions::default()).unwrap().corpus
}

/// The counts of a run under a preset.
fn counts(
    preset: &str,
    gold: &Corpus,
    output: &Corpus,
    base: Option<&KnowledgeBase>,
) -> [ModeCounts; 2] {
    let convention = convention(preset);
    let identity = Identity::new();
    let (settings, taxonomy) = (&convention.settings, convention.taxonomy);
    let inspection = Inspection { settings, taxonomy, identity: &identity, base, watch: None };
    inspection.counts("b", gold, output).modes
}

/// The runs of ELEVANT: benchmark, system, gold and output. The facts about those on AIDA are not all known.
fn runs() -> Vec<(String, String, Corpus, Corpus)> {
    let Some(folder) = data::folder("elevant") else { return Vec::new() };
    let outputs = data::files(&folder.join("linked"), ".linked_articles.jsonl");
    let run = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let name = name.trim_end_matches(".linked_articles.jsonl");
        let (system, benchmark) = name.rsplit_once('.').unwrap();
        let (gold, output) = corpora(&folder, system, benchmark);
        (benchmark.to_owned(), system.to_owned(), gold, output)
    };
    outputs.iter().map(run).collect()
}

/// Categories that exclude each other; each error is missed, extra, or both.
const DISAMBIGUATION: [Category; 5] = [
    Category::Demonym,
    Category::Metonymy,
    Category::PartialName,
    Category::Rare,
    Category::DisambiguationOther,
];
const COREFERENCE: [Category; 3] =
    [Category::CoreferenceWrongMention, Category::CoreferenceWrongLink, Category::CoreferenceOther];
const MISSED: [Category; 5] = [
    Category::MissedLowercased,
    Category::MissedPartiallyIncluded,
    Category::MissedPartialOverlap,
    Category::MissedOther,
    Category::CoreferenceUndetected,
];
const EXTRA: [Category; 6] = [
    Category::ExtraLowercased,
    Category::ExtraGroundtruthUnknown,
    Category::ExtraOther,
    Category::CoreferenceFalseDetection,
    Category::OptionalMention,
    Category::AlternativePart,
];

/// `None` if one of them is not known.
fn sum(counts: &ModeCounts, categories: &[Category]) -> Option<u64> {
    categories.iter().map(|&category| counts.errors(category)).sum()
}

/// Checks that no error is made more often than it could be.
pub(crate) fn check_rates(mode: &ModeCounts, run: &str) {
    for category in Category::all() {
        let (errors, total) = (mode.errors(category), mode.total(category, None, true));
        if let Some((errors, total)) = errors.zip(total) {
            assert!(errors <= total, "{run}: {} {errors} of {total}", category.name());
        }
    }
}

/// Checks that every error is in one category.
pub(crate) fn check_sums(mode: &ModeCounts, run: &str) {
    let both = mode.errors(Category::Disambiguation).zip(sum(mode, &COREFERENCE));
    let both = both.map(|(disambiguation, coreference)| disambiguation + coreference);
    let Hits { extra, missed, .. } = mode.all();
    let add = |one: Option<u64>| one.zip(both).map(|(one, both)| one + both);
    assert_eq!(add(sum(mode, &MISSED)), Some(missed), "{run}");
    assert_eq!(add(sum(mode, &EXTRA)), Some(extra), "{run}");
    if let Some(reasons) = sum(mode, &DISAMBIGUATION) {
        assert_eq!(Some(reasons), mode.errors(Category::Disambiguation), "{run}");
    } else {
        assert!(run.contains("aida"), "{run}");
    }
}

#[test]
fn under_karat_every_error_is_in_one_category() {
    let Some(folder) = data::folder("elevant") else { return };
    let base = base(&folder.join("facts"));
    let scoring = Scoring::named("karat", &["link", "all"]).unwrap();
    for (benchmark, system, gold, output) in runs() {
        let run = format!("{system} on {benchmark}");
        let modes = counts("karat", &gold, &output, Some(&base));
        modes.iter().for_each(|mode| check_sums(mode, &run));
        let board = scoring.score(&benchmark, &gold, &[Run::new(system.as_str(), output)]);
        for (mode, result) in modes.iter().zip(&board.systems[0].evaluation.results) {
            let Hits { hits, extra, missed } = mode.all();
            let scored = [0, 1, 3].map(|at| result.counts[at] as u64);
            assert_eq!([hits, extra, missed], scored, "{run}");
        }
    }
}

#[test]
fn under_karat_denominators_are_the_same_for_every_system() {
    let Some(folder) = data::folder("elevant") else { return };
    let base = base(&folder.join("facts"));
    let mut totals = std::collections::BTreeMap::new();
    for (benchmark, system, gold, output) in runs() {
        let modes = counts("karat", &gold, &output, Some(&base));
        let words = Words { all: 100, lowercased: 50 };
        let of_mode = |mode: &ModeCounts| -> Vec<Option<u64>> {
            Category::all().map(|category| mode.total(category, Some(words), true)).collect()
        };
        let found = [of_mode(&modes[0]), of_mode(&modes[1])];
        let run = format!("{system} on {benchmark}");
        let first = totals.entry(benchmark).or_insert_with(|| found.clone());
        assert_eq!(*first, found, "{run}");
        modes.iter().for_each(|mode| check_rates(mode, &run));
    }
}

/// One article with these labels and mentions.
fn article(labels: &str, mentions: &str) -> Corpus {
    read(&format!(
        r#"{{"id": 1, "title": "t", "text": "The New York Times of New York, USA.", "evaluation_span": [0, 36], "labels": [{}], "entity_mentions": [{mentions}]}}"#,
        labels.replace('\n', " ")
    ))
}

const PAPER: &str = r#"{"id": 0, "span": [4, 18], "entity_id": "Q9684", "name": "The New York Times", "type": "Q43229", "children": [1, 2]},
    {"id": 1, "span": [4, 12], "entity_id": "Q60", "name": "New York City", "type": "Q27096213", "parent": 0},
    {"id": 2, "span": [13, 18], "entity_id": "Q123", "name": "Times", "type": "OTHER", "parent": 0}"#;

fn mention(start: u32, end: u32, id: &str) -> String {
    format!(
        r#"{{"span": [{start}, {end}], "id": "{id}", "recognized_by": "x", "linked_by": "x", "candidates": []}}"#
    )
}

/// What the whole is counted as under ELEVANT: right, extra, missed.
fn judged(mentions: &[String]) -> [u64; 3] {
    let corpus = article(PAPER, &mentions.join(","));
    let [ignored, _] = counts("elevant", &corpus, &corpus, None);
    let Hits { hits, extra, missed } = ignored.all();
    [hits, extra, missed]
}

#[test]
fn a_mention_with_parts_is_judged_by_them_once_one_is_found() {
    assert_eq!(judged(&[mention(4, 18, "Q9684")]), [1, 0, 0]);
    assert_eq!(judged(&[mention(4, 12, "Q60"), mention(13, 18, "Q123")]), [1, 0, 0]);
    // One part is missing, or wrong: one missed mention; what is wrong is extra as well.
    assert_eq!(judged(&[mention(4, 12, "Q60")]), [0, 0, 1]);
    assert_eq!(judged(&[mention(4, 12, "Q60"), mention(13, 18, "Q1")]), [0, 1, 1]);
    assert_eq!(judged(&[mention(4, 12, "Q1")]), [0, 1, 1]);
    assert_eq!(judged(&[]), [0, 0, 1]);
    // The last of a span wins.
    assert_eq!(judged(&[mention(4, 18, "Q1"), mention(4, 18, "Q9684")]), [1, 0, 0]);
}

#[test]
fn under_karat_a_wrong_span_counts_once_for_a_mention_and_hyperlinks_where_there_is_one() {
    let labels =
        r#"{"id": 0, "span": [4, 18], "entity_id": "Q9684", "name": "n", "type": "OTHER"}"#;
    let repeated = [mention(4, 7, "Q9684"), mention(4, 12, "Q9684"), mention(8, 12, "Q9684")];
    let corpus = article(labels, &repeated.join(","));
    for mode in &counts("karat", &corpus, &corpus, None) {
        let of = |category| (mode.errors(category), mode.total(category, None, true));
        assert_eq!(of(Category::WrongSpan), (Some(1), Some(1)));
        assert_eq!(of(Category::WrongSpanOther), (Some(2), None));
        check_sums(mode, "no base, as on aida");
    }
    // One prediction near two mentions is one error.
    let twice =
        format!("{labels}, {}", labels.replace("\"id\": 0", "\"id\": 1").replace("18]", "12]"));
    let corpus = article(&twice, &mention(0, 18, "Q9684"));
    let [ignored, _] = counts("karat", &corpus, &corpus, None);
    assert_eq!(ignored.errors(Category::WrongSpan), Some(1));
    let linked = |labels: &str, mentions: &str| {
        read(&format!(
            r#"{{"id": 1, "title": "t", "text": "The New York Times of New York, USA.", "hyperlinks": [[[4, 18], "a"], [[22, 30], "b"]], "labels": [{labels}], "entity_mentions": [{mentions}]}}"#
        ))
    };
    let mentions = [mention(4, 18, "Q1"), mention(22, 30, "Q60"), mention(22, 30, "Q61")];
    let corpus = linked(labels, &mentions.join(","));
    for mode in &counts("karat", &corpus, &corpus, None) {
        let of = |category| (mode.errors(category), mode.total(category, None, true));
        assert_eq!(of(Category::Hyperlink), (Some(1), Some(1)));
        assert_eq!(of(Category::HyperlinkOther), (Some(2), None));
    }
}

/// What is extra and missed under karat's own preset, for each label of a facet, where unknown entities
/// are required.
fn slices(corpus: &Corpus, facet: &str) -> Vec<(String, [f64; 2])> {
    slices_of(Unknowns::Required, corpus, facet)
}

fn slices_of(unknowns: Unknowns, corpus: &Corpus, facet: &str) -> Vec<(String, [f64; 2])> {
    let convention = convention("karat");
    let facet = karat::facets::facet(facet, &convention.facet_context(unknowns, None));
    let scoring = Scoring {
        facets: vec![vec![facet.unwrap()]],
        ..Scoring::named("karat", &["all"]).unwrap()
    };
    let board = scoring.score("b", corpus, &[Run::new("s", corpus.clone())]);
    let slices = &board.systems[0].evaluation.slices;
    let counts = |counts: &[f64]| [counts[1], counts[3]];
    slices.iter().map(|slice| (slice.label.clone(), counts(&slice.results[0].counts))).collect()
}

#[test]
fn the_answer_to_the_whole_on_a_part_is_wrong_wherever_it_is_counted() {
    let corpus = |whole: &str| {
        let labels = format!(
            r#"{{"id": 0, "span": [4, 18], "entity_id": "{whole}", "name": "n", "type": "OTHER", "children": [1]}},
            {{"id": 1, "span": [4, 12], "entity_id": "Q60", "name": "New York City", "type": "OTHER", "parent": 0}}"#
        );
        article(&labels, &mention(4, 12, whole))
    };
    let wrong = Hits { hits: 0, extra: 1, missed: 1 };
    let named = corpus("Q9684");
    let modes = counts("karat", &named, &named, None);
    for mode in &modes {
        assert_eq!(mode.all(), wrong);
        assert_eq!(mode.errors(Category::Disambiguation), Some(1));
    }
    assert_eq!(slices(&named, "error"), [("wrong-link".to_owned(), [1.0, 1.0])]);
    let label = |label: &str| vec![(label.to_owned(), [1.0, 1.0])];
    assert_eq!(slices(&named, "category"), label("unknown"));
    let convention = convention("karat");
    let identity = Identity::new();
    let mut found = Vec::new();
    Inspection::new(&convention, &identity)
        .each_finding(&named, &named, false, |one| found.push(one.finding));
    assert_eq!(found, [Finding::WrongLink]);
    // NIL is no answer to the whole either.
    let nil = corpus("<NIL>");
    let [ignored, required] = counts("karat", &nil, &nil, None);
    assert_eq!((ignored.all(), required.all()), (Hits::default(), wrong));
    let (extra, missing) = (("extra".to_owned(), [1.0, 0.0]), ("missing".to_owned(), [0.0, 1.0]));
    assert_eq!(slices(&nil, "error"), [extra, missing]);
}

/// Measures of NIL count what the categories ignore.
#[test]
fn nothing_that_is_wrong_is_called_correct() {
    let nil = r#"{"id": 0, "span": [4, 12], "entity_id": "<NIL>", "name": "Unknown", "type": "OTHER"},
        {"id": 1, "span": [22, 30], "entity_id": "Q60", "name": "New York City", "type": "OTHER"}"#;
    let mentions = [mention(0, 3, "<NIL>"), mention(22, 30, "Q60")].join(",");
    let corpus = article(nil, &mentions);
    let found = slices_of(Unknowns::Ignored, &corpus, "category");
    let expected = [("correct", [0.0, 0.0]), ("ignored", [1.0, 1.0])];
    assert_eq!(found, expected.map(|(label, counts)| (label.to_owned(), counts)));
}

#[test]
fn labels_that_are_each_others_parents_are_no_roots_and_do_no_harm() {
    let circle = r#"{"id": 0, "span": [4, 12], "entity_id": "Q60", "name": "n", "type": "OTHER", "parent": 1, "children": [1]},
        {"id": 1, "span": [4, 12], "entity_id": "Q1384", "name": "n", "type": "OTHER", "parent": 0, "children": [0]}"#;
    let corpus = article(circle, &mention(4, 12, "Q60"));
    let [ignored, required] = counts("elevant", &corpus, &corpus, None);
    assert_eq!((ignored.all(), required.all()), (Hits::default(), Hits::default()));
}

/// ELEVANT's evaluation of this article, fed to its own case generator: the label below a missing one, and
/// what is below that, are neither found nor missed, and what is predicted on them is no mistake.
#[test]
fn labels_below_one_that_is_not_there_count_nowhere() {
    let dangling = r#"{"id": 0, "span": [4, 12], "entity_id": "Q60", "name": "n", "type": "OTHER", "parent": 9, "children": [1]},
        {"id": 1, "span": [4, 8], "entity_id": "Q1384", "name": "n", "type": "OTHER", "parent": 0},
        {"id": 2, "span": [22, 30], "entity_id": "Q60", "name": "n", "type": "OTHER"}"#;
    for mentions in [
        vec![mention(4, 12, "Q60"), mention(22, 30, "Q60")],
        vec![mention(4, 12, "Q1"), mention(4, 8, "Q2"), mention(22, 30, "Q60")],
    ] {
        let corpus = article(dangling, &mentions.join(","));
        let [ignored, required] = counts("elevant", &corpus, &corpus, None);
        for found in [ignored.all(), required.all()] {
            assert_eq!((found.hits, found.extra, found.missed), (1, 0, 0), "{mentions:?}");
        }
    }
}

#[test]
fn deep_trees_and_empty_articles_do_no_harm() {
    let label = |id: usize| {
        let parent =
            id.checked_sub(1).map_or(String::new(), |parent| format!(r#", "parent": {parent}"#));
        format!(
            r#"{{"id": {id}, "span": [4, 12], "entity_id": "Q{id}", "name": "n", "type": "OTHER", "children": [{}]{parent}}}"#,
            (id + 1) % 3000
        )
    };
    let labels: Vec<String> = (0..3000).map(label).collect();
    let corpus = article(&labels.join(","), &mention(4, 12, "Q7"));
    for preset in ["elevant", "elevant-2023", "karat"] {
        let [ignored, _] = counts(preset, &corpus, &corpus, None);
        assert_eq!(ignored.all().gold(), 1, "{preset}");
        let empty = read(r#"{"id": 1, "title": "", "text": "", "labels": []}"#);
        assert_eq!(counts(preset, &empty, &empty, None)[0].all(), Hits::default());
    }
}

#[test]
fn without_a_knowledge_base_categories_that_need_one_are_unknown() {
    let corpus = article(PAPER, &mention(4, 18, "Q1"));
    let [ignored, _] = counts("elevant", &corpus, &corpus, None);
    assert_eq!(ignored.errors(Category::Disambiguation), Some(1));
    assert_eq!(ignored.errors(Category::Metonymy), None);
    assert_eq!(ignored.errors(Category::PartialName), None);
    // An organisation has no demonym, and what is called by a part of its name is not rare.
    assert_eq!(ignored.errors(Category::Demonym), Some(0));
    assert_eq!(ignored.errors(Category::Rare), Some(0));
    let empty = Builder::in_memory().finish().unwrap();
    let [ignored, _] = counts("elevant", &corpus, &corpus, Some(&empty));
    assert_eq!(ignored.errors(Category::Metonymy), None);
}

/// The cases of a system that says this, under karat's own preset.
fn cases_of(gold: &str, mentions: &[String]) -> Vec<ErrorCase> {
    let (convention, identity) = (convention("karat"), Identity::new());
    let (settings, taxonomy) = (&convention.settings, convention.taxonomy);
    let inspection =
        Inspection { settings, taxonomy, identity: &identity, base: None, watch: None };
    let corpus = article(gold, &mentions.join(","));
    inspection.cases(&corpus, &corpus, Unknowns::Ignored, &[])
}

#[test]
fn systems_are_set_side_by_side_and_where_they_agree_gold_is_suspect() {
    let gold = r#"{"id": 0, "span": [22, 30], "entity_id": "Q60", "name": "New York City", "type": "OTHER"},
        {"id": 1, "span": [32, 35], "entity_id": "Q30", "name": "United States", "type": "OTHER"}"#;
    let identity = Identity::new();
    let cases = |mentions: &[String]| cases_of(gold, mentions);
    let right = cases(&[mention(22, 30, "Q60"), mention(32, 35, "Q30")]);
    let state = cases(&[mention(22, 30, "Q1384"), mention(32, 35, "Q30")]);
    let other = cases(&[mention(22, 30, "Q1384")]);
    let groups: Vec<String> =
        differences(&right, &other).iter().map(|found| format!("{:?}", found.group)).collect();
    assert_eq!(groups, ["OnlyFirst", "OnlyFirst"]);
    let found = suspects(&[("right", right), ("state", state), ("other", other)], 2, &identity);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].proposed.entity.as_deref(), Some("Q1384"));
    assert_eq!(
        (found[0].systems.len(), found[0].dissenting.as_slice()),
        (2, ["right".to_owned()].as_slice())
    );
}

#[test]
fn a_right_answer_on_a_part_of_an_alternative_makes_no_suspect() {
    let gold = r#"{"id": 0, "span": [22, 35], "entity_id": "Q1", "name": "New York, USA", "parent": null, "children": [1, 2], "type": "OTHER"},
        {"id": 1, "span": [22, 30], "entity_id": "Q60", "name": "New York City", "parent": 0, "children": [], "type": "OTHER"},
        {"id": 2, "span": [32, 35], "entity_id": "Q30", "name": "United States", "parent": 0, "children": [], "type": "OTHER"}"#;
    let identity = Identity::new();
    let cases = |mentions: &[String]| cases_of(gold, mentions);
    let found = |first: &str, second: &str| {
        let systems =
            [("a", cases(&[mention(32, 35, first)])), ("b", cases(&[mention(32, 35, second)]))];
        suspects(&systems, 2, &identity).len()
    };
    assert_eq!(found("Q30", "Q30"), 0, "half of the alternative, and right");
    assert_eq!(found("Q31", "Q31"), 1, "another entity than gold has there");
}
