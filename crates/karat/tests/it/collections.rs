//! Test collections: published figures, independent counts, and samples of streams.

use crate::data;
use crate::elevant_results::base;
use crate::shared_data::read;
use karat::collection::{
    Amount, AnnotationTask, Dictionary, Evolution, Profile, Queries, SampleBy, SampleDesign,
    SizeUnit,
};
use karat::error::Error;
use karat::formats::{Input, ReadOptions, Source};
use karat::inputs::{Described, InputRequest, ReadingRequest};
use karat::measures::{Compute, Convention, Preset, QUERY, Zero};
use karat::model::{Corpus, Watch};
use karat::reproduce::{Data, PAPERS, Section, Verdict};
use karat::scoring::StreamInput;
use karat::stats::collection::{Answers, Cells, CollectionResampling, Unit};
use karat::stats::{Tolerance, unwatched};
use karat::work::Work;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn mertens(data: &Path) -> Vec<Section> {
    let paper = PAPERS.iter().find(|paper| paper.name == "mertens-2014").unwrap();
    (paper.run)(&Data::new(data)).unwrap()
}

fn count(sections: &[Section], verdict: Verdict) -> usize {
    sections.iter().flat_map(|section| &section.rows).filter(|row| row.verdict == verdict).count()
}

#[test]
fn mertens_2014_needs_no_data() {
    let sections = mertens(Path::new("nowhere"));
    assert_eq!(sections.len(), 3);
    // Table 2: three recalls and one precision; Table 3: six means and six deviations, and F1 of Set 1.
    assert_eq!(count(&sections, Verdict::Same), 17);
    // Twelve extremes of Table 3, six comparisons of Figure 3.
    assert_eq!(count(&sections, Verdict::Agrees), 18);
    assert_eq!((count(&sections, Verdict::Slip), count(&sections, Verdict::Differs)), (4, 0));
}

#[test]
fn the_figures_of_mertens_2014_are_drawn() {
    let files = |sections: &[Section]| -> Vec<String> {
        let files = sections.iter().flat_map(|section| &section.files);
        let is_good = |text: &str| text.starts_with("<svg") || text.lines().count() > 5;
        files
            .map(|file| {
                assert!(is_good(&file.text), "{}", file.name);
                file.name.clone()
            })
            .collect()
    };
    let sets = ["manual", "rd", "rm"].iter().flat_map(|set| ["q5", "q20"].map(|q| (set, q)));
    let mut expected: Vec<String> =
        sets.map(|(set, q)| format!("figure-3-{set}-{q}.svg")).collect();
    expected.push("figure-3.tsv".to_owned());
    assert_eq!(files(&mertens(Path::new("nowhere"))), expected);
    let Some(folder) = data::folder("aida-testb") else { return };
    let sections = mertens(folder.parent().unwrap());
    if sections.len() > 3 {
        let figures = ["1", "4"].iter().flat_map(|at| ["svg", "tsv"].map(|form| (at, form)));
        expected.extend(figures.map(|(at, form)| format!("figure-{at}-aida-testb.{form}")));
        assert_eq!(files(&sections), expected);
    }
}

#[test]
fn a_system_has_one_colour_in_both_orders() {
    let mut answers = Answers::new(2);
    for query in 0..20 {
        answers.push(query, &[0, u8::from(query % 3 == 0)]);
    }
    let resampling = CollectionResampling { trials: 20, seed: 1, level: 95.0 };
    let names = ["good", "fair"];
    let evolution =
        Evolution::new(&names, &answers, SizeUnit::Query, &[5, 20], 3, &resampling, &unwatched);
    let looks: Vec<(String, Option<usize>)> = evolution
        .unwrap()
        .f1_plot()
        .series
        .into_iter()
        .map(|series| (series.name, series.like))
        .collect();
    let expected = [
        ("good", None),
        ("fair", None),
        ("good, order given", Some(0)),
        ("fair, order given", Some(1)),
    ];
    assert_eq!(looks, expected.map(|(name, like)| (name.to_owned(), like)));
}

#[test]
fn both_schemes_on_aida() {
    let Some(folder) = data::folder("aida-testb") else { return };
    let sections = mertens(folder.parent().unwrap());
    let Some(schemes) = sections.get(3) else { return };
    let computed = |labels: [&str; 3]| {
        let row = schemes.rows.iter().find(|row| row.labels == labels);
        row.map_or(String::new(), |row| row.computed.clone())
    };
    assert!(schemes.remarks[0].contains("4026 queries of 231 documents with 2606 forms"));
    // Counted independently in Python from the same files.
    for (scheme, links, schwa, houlsby) in [
        ("uniform", "0.779", "0.695", "0.887"),
        ("RD", "0.761", "0.737", "0.879"),
        ("RM", "0.700", "0.682", "0.905"),
    ] {
        assert_eq!(computed([scheme, "gold", "links"]), links);
        assert_eq!(computed([scheme, "schwa-goldmentions", "F1"]), schwa);
        assert_eq!(computed([scheme, "houlsby", "F1"]), houlsby);
    }
}

/// Answers of Houlsby, AIDA, Schwa, and TagMe with two thresholds, to the mentions of AIDA testb.
fn aida(folder: &Path) -> Queries {
    let corpus = |name: &str| read(&folder.join(format!("{name}.tsv"))).corpus;
    let names =
        ["houlsby", "aida-goldmentions", "schwa", "schwa-goldmentions", "tagme_289", "tagme_336"];
    let systems: Vec<Corpus> = names.iter().map(|name| corpus(name)).collect();
    let systems: Vec<&Corpus> = systems.iter().collect();
    let settings = (Preset::named("mertens-2014").unwrap().convention)().settings;
    Queries::new(
        &corpus("gold"),
        &systems,
        &karat::kb::Identity::new(),
        &settings,
        &Watch::default(),
    )
}

#[test]
fn systems_that_can_be_told_apart_on_aida() {
    let Some(folder) = data::folder("aida-testb") else { return };
    let queries = aida(&folder);
    // Counted independently in Python.
    assert_eq!(queries.cells(0).counts(), [3788, 695, 2, 1131, 0]);
    assert_eq!(queries.cells(3).counts(), [3510, 896, 79, 340, 791]);
    assert_eq!(queries.cells(4).counts(), [2277, 433, 1775, 947, 184]);
    let growth = queries.answers.growth(Unit::Query);
    assert_eq!(growth.best(), Some(0));
    let resampling = CollectionResampling { trials: 4000, seed: 1, level: 95.0 };
    let sizes = [5, 50, 100, 200, 400, 800, 1500, 3000, 5616];
    // For AIDA's own output, p with 4000 samples of numpy 2.4.6 (default_rng(1).integers), and, from 400
    // queries on, with 1000 samples of another program.
    let expected = [
        (5, 1.0, None),
        (4, 0.264, None),
        (2, 0.004, None),
        (0, 0.0, None),
        (0, 0.012, Some(0.014)),
        (1, 0.153, Some(0.161)),
        (0, 0.017, Some(0.011)),
        (1, 0.090, Some(0.068)),
        (0, 0.030, Some(0.027)),
    ];
    let found = growth.in_order(&sizes, 0, &resampling);
    for (size, (left, numpy, other)) in found.iter().zip(expected) {
        assert_eq!(size.not_separable(0, 0.05), left, "{}", size.units);
        let p = size.systems[1].sampled.expect("samples").p;
        // Four standard errors of the difference of two shares.
        let near = |expected: f64, samples: f64| {
            let share: f64 = (p + expected) / 2.0;
            let error = (share * (1.0 - share) * (1.0 / samples + 1.0 / 4000.0)).sqrt();
            (p - expected).abs() <= 4.0 * error + 1e-12
        };
        assert!(near(numpy, 4000.0), "{}: {p} {numpy}", size.units);
        assert!(other.is_none_or(|other| near(other, 1000.0)), "{}: {p} {other:?}", size.units);
    }
}

fn profile(corpus: &Corpus) -> Profile {
    Profile::new("benchmark", corpus, &Dictionary::default())
}

#[test]
fn elevant_counts_the_same() {
    let Some(folder) = data::folder("elevant") else { return };
    for name in ["kore50", "wiki-fair-no-coref"] {
        let corpus = read(&folder.join(format!("benchmarks/{name}.benchmark.jsonl"))).corpus;
        let base = base(&folder.join("facts"));
        let profile = Profile::with_base(
            name,
            &corpus,
            &Dictionary::default(),
            Some(&base),
            &Watch::default(),
        );
        let statistics = folder.join(format!("expected/{name}.benchmark_statistics.jsonl"));
        let statistics = std::fs::read_to_string(statistics).unwrap();
        let expected: serde_json::Value =
            serde_json::from_str(statistics.lines().next().unwrap()).unwrap();
        let number = |group: &str, key: &str| expected[group][key].as_u64();
        let figure = |name: &str| match profile.figure(name) {
            Some(Amount::Count(count)) => Some(count),
            _ => None,
        };
        assert_eq!(figure("documents"), number("text_statistics", "articles"));
        assert_eq!(
            figure("annotations with parts of alternatives"),
            number("text_statistics", "labels")
        );
        assert_eq!(figure("mentions"), number("tags", "root"));
        let shares = |property: &str| -> BTreeMap<String, u64> {
            let shares = profile.shares.iter().find(|shares| shares.property == property).unwrap();
            shares.counts.iter().cloned().collect()
        };
        let listed = |group: &str| -> BTreeMap<String, u64> {
            let object = expected[group].as_object().unwrap();
            object.iter().map(|(key, count)| (key.clone(), count.as_u64().unwrap())).collect()
        };
        assert_eq!(shares("type"), listed("types"));
        assert_eq!(shares("words"), listed("multi_word_statistics"));
        let case = |label: &str| Some(shares("case").get(label).copied().unwrap_or_default());
        assert_eq!(case("upper case"), number("tags", "capitalized"));
        assert_eq!(case("lower case"), number("tags", "lowercased"));
        assert_eq!(case("no letter first"), number("tags", "non_alpha"));
        assert_eq!(case("lower case and not named"), number("tags", "lowercased_non_named"));
        // Tokens of spaCy without punctuation: the base has them counted, nobody else can.
        assert_eq!(figure("words that are no punctuation"), number("text_statistics", "words"));
        assert_eq!(figure("sentences"), None);
        assert_eq!(shares("mention type"), listed("mention_types"));
        let of = |property: &str, label: &str| {
            Some(shares(property).get(label).copied().unwrap_or_default())
        };
        for (property, label, key) in [
            ("level", "root", "root"),
            ("level", "child", "child"),
            ("optional", "optional", "optional"),
            ("unknown", "NIL", "unknown_nil"),
            ("unknown", "no mapping", "unknown_no_mapping"),
            ("difficulty", "demonym", "demonym"),
            ("difficulty", "metonymy", "metonym"),
            ("difficulty", "partial_name", "partial_name"),
            ("difficulty", "rare", "rare"),
        ] {
            assert_eq!(of(property, label), number("tags", key), "{name} {key}");
        }
    }
}

#[test]
fn the_difficulties_of_aida_are_those_of_its_oracle() {
    // elevant.md, section B: the totals of ELEVANT's results for the oracle on the test part.
    let Some(folder) = data::folder("elevant") else { return };
    let corpus = read(&folder.join("benchmarks/aida-conll-test.benchmark.jsonl")).corpus;
    let base = base(&folder.join("facts"));
    let profile = Profile::with_base(
        "aida-conll-test",
        &corpus,
        &Dictionary::default(),
        Some(&base),
        &Watch::default(),
    );
    let shares = profile.shares.iter().find(|shares| shares.property == "difficulty").unwrap();
    let expected = [("demonym", 325), ("metonymy", 530), ("partial_name", 834), ("rare", 203)];
    assert_eq!(shares.counts[..4], expected.map(|(label, count)| (label.to_owned(), count)));
}

#[test]
fn sentences_are_counted_where_a_file_marks_them() {
    let text = "-DOCSTART- (1 A)\nAnn\tB\tAnn\tAnn_Lee\nsleeps\n.\n\nShe\nwakes\n.\n\n";
    let input = Source::memory("a.tsv", text).into();
    let read = karat::registry().read(&input, Some("aida-conll"), &ReadOptions::default()).unwrap();
    assert_eq!(profile(&read.corpus).figure("sentences"), Some(Amount::Count(2)));
}

#[test]
fn the_figures_of_aida_were_counted_independently() {
    let Some(folder) = data::folder("elevant/benchmarks") else { return };
    let corpus = read(&folder.join("aida-conll-test.benchmark.jsonl")).corpus;
    let profile = profile(&corpus);
    // Counted in Python with dictionaries and counters.
    for (name, expected) in [
        ("words", 46435.0),
        ("forms", 2441.0),
        ("entities", 1536.0),
        ("mentions per 100 words", 12.09432540109831),
        ("mentions per 100 words, mean over documents", 13.17100045505),
        ("entities per form, mean over forms", 1.0795724465558194),
        ("entities per form, mean over mentions", 1.326271186440678),
        ("entities per form, mean over documents", 1.3287447996852304),
        ("share of forms with several entities", 0.060570071258907364),
        ("forms per entity, mean over entities", 1.18359375),
        ("forms per entity, mean over mentions", 1.6373773416592328),
        ("forms per entity, mean over documents", 1.6295337922807702),
        ("share of mentions with the form's most frequent entity", 0.9344335414808207),
        ("share of mentions with the entity's most frequent form", 0.8659678858162355),
        ("share of forms repeated in the document", 0.3148148148148148),
        ("share of entities repeated in the document", 0.3902765388046387),
    ] {
        let found = match profile.figure(name) {
            Some(Amount::Count(count)) => count as f64,
            Some(Amount::Number(number)) => number,
            None => f64::NAN,
        };
        assert!((found - expected).abs() < 1e-9 * expected, "{name}: {found} {expected}");
    }
    let popularity = profile.shares.last().unwrap();
    let counts: Vec<u64> = popularity.counts.iter().map(|(_, count)| *count).collect();
    assert_eq!(counts, [1988, 1165, 640, 345, 346]);
}

proptest! {
    /// The formula stands in two crates, which must not know each other.
    #[test]
    fn the_measure_and_the_model_agree(counts in prop::array::uniform5(0u64..50)) {
        let Compute::Documents(measure) = QUERY.plain(&Convention::default()) else {
            unreachable!()
        };
        let measured = measure.scores(&counts.map(|count| count as f64), Zero::Undefined);
        let modelled = Cells::from_counts(counts).scores();
        prop_assert_eq!(measured.get("precision").flatten(), modelled.precision);
        prop_assert_eq!(measured.get("recall").flatten(), modelled.recall);
        // The measure divides once, the model takes the mean of rounded shares.
        let both = measured.get("f1").flatten().zip(modelled.f1);
        prop_assert!(both.is_none_or(|(one, other)| Tolerance::ROUNDING.is_same(one, other)));
        prop_assert_eq!(measured.get("f1").flatten().is_some(), modelled.f1.is_some());
    }
}

/// Three documents: `a` twice and `b`; `a`; `c`.
const CORPUS: &str = r#"{"document":"d1","text":"a b a","annotations":[{"span":[0,1]},{"span":[2,3]},{"span":[4,5]}]}
{"document":"d2","text":"a","annotations":[{"span":[0,1]}]}
{"document":"d3","text":"c","annotations":[{"span":[0,1]}]}
"#;

fn draw(corpus: &str, by: SampleBy, size: usize, seed: u64) -> Vec<AnnotationTask> {
    let input = Source::memory("corpus.karat.jsonl", corpus).into();
    draw_from(&input, "karat-jsonl", by, size, seed).unwrap()
}

fn draw_from(
    input: &Input,
    format: &str,
    by: SampleBy,
    size: usize,
    seed: u64,
) -> Result<Vec<AnnotationTask>, Error> {
    let design = SampleDesign { by, size, sizes: BTreeMap::new(), strata: Vec::new(), seed };
    let reading = ReadingRequest::default();
    let described = Described {
        from: Some(format.to_owned()),
        ..reading.described(&InputRequest::default(), &Work::default())?
    };
    let stream = StreamInput { name: "corpus", input, described: &described };
    Ok(design.draw(&stream, &Work::default())?.0)
}

fn name(task: &AnnotationTask) -> String {
    task.task.clone()
}

#[test]
fn one_draw_has_the_chances_of_its_scheme() {
    // 1 / (3 documents * forms of the document); 1 / (3 forms * documents of the form).
    let expected = [
        (SampleBy::Document, [("d1:0-1", 1.0 / 6.0), ("d1:2-3", 1.0 / 6.0), ("d2:0-1", 1.0 / 3.0)]),
        (SampleBy::Mention, [("d1:0-1", 1.0 / 6.0), ("d1:2-3", 1.0 / 3.0), ("d2:0-1", 1.0 / 6.0)]),
    ];
    let seeds = 3000;
    for (by, expected) in expected {
        let mut seen: BTreeMap<String, f64> = BTreeMap::new();
        let mut queries = 0.0;
        for seed in 0..seeds {
            for task in draw(CORPUS, by, 1, seed) {
                let probability = task.probability.max(1e-3);
                *seen.entry(task.task).or_default() += 1.0 / seeds as f64;
                // One over its chance, on average, is how many queries there are.
                queries += 1.0 / probability / seeds as f64;
            }
        }
        for (task, expected) in expected {
            let found = seen.get(task).copied().unwrap_or_default();
            // Four standard errors.
            assert!(
                (found - expected).abs() < 4.0 * 0.5 / (seeds as f64).sqrt(),
                "{by:?} {task} {found}"
            );
        }
        assert!(seen.keys().all(|task| task != "d1:4-5"), "a form stands for its first place");
        assert!((2.0..7.0).contains(&queries), "{by:?}: {queries}");
    }
}

#[test]
fn nothing_is_drawn_twice_and_everything_can_be() {
    for by in [SampleBy::Document, SampleBy::Mention] {
        let tasks = draw(CORPUS, by, 100, 1);
        let names: BTreeSet<String> = tasks.iter().map(name).collect();
        assert_eq!(names.len(), tasks.len());
        // Four queries; three forms.
        assert_eq!(tasks.len(), if by == SampleBy::Document { 4 } else { 3 });
        let probability =
            |name: &str| tasks.iter().find(|task| task.task == name).map(|t| t.probability);
        assert_eq!(probability("d3:0-1"), Some(1.0));
        if by == SampleBy::Mention {
            let of_a = probability("d1:0-1").or(probability("d2:0-1"));
            assert_eq!(of_a, Some(0.5), "one of two documents");
        }
    }
}

/// Enough documents for several parts.
fn long_corpus(documents: impl Iterator<Item = usize>) -> String {
    let line = |document: usize| {
        let words: Vec<String> =
            (0..20).map(|word| format!("w{:03}", (document * 7 + word) % 900)).collect();
        let span = |at: usize| format!("{{\"span\":[{},{}]}}", at * 5, at * 5 + 4);
        let spans: Vec<String> = (0..20).map(span).collect();
        let text = words.join(" ");
        format!(
            "{{\"document\":\"d{document}\",\"text\":\"{text}\",\"annotations\":[{}]}}\n",
            spans.join(",")
        )
    };
    documents.map(line).collect()
}

#[test]
fn parts_and_order_of_a_stream_do_not_matter() {
    let (forward, backward) = (long_corpus(0..6000), long_corpus((0..6000).rev()));
    for by in [SampleBy::Document, SampleBy::Mention] {
        let tasks = draw(&forward, by, 50, 3);
        assert_eq!(tasks, draw(&backward, by, 50, 3), "{by:?}");
        assert_eq!(
            tasks[..20].iter().map(name).collect::<Vec<_>>(),
            draw(&forward, by, 20, 3).iter().map(name).collect::<Vec<_>>()
        );
    }
}

#[test]
fn a_document_that_comes_again_is_refused() {
    let mut text = String::new();
    for document in (0..100_000).chain([3]) {
        text += &format!("doc{document}\t0\t4\tQ1\t0.5\ndoc{document}\t10\t14\tQ1\t0.5\n");
    }
    let input: Input = Source::memory("corpus.tsv", text).into();
    let refused = draw_from(&input, "neleval", SampleBy::Document, 5, 1).unwrap_err().notice();
    assert_eq!(refused.message, "the document `doc3` comes again after others");
}
