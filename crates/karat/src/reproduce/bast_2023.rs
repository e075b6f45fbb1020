//! Bast, Hertel and Prange (2023), A Fair and In-Depth Evaluation of Existing End-to-End Entity
//! Linking Systems. EMNLP.
//!
//! Computed from the linked articles that the authors published. Each number is compared with the
//! results that they published beside them, in the manner in which the paper prints it.

use super::{Data, Paper, Row, Section, Verdict};
use crate::elevant;
use crate::errors::Inspection;
use karat_formats::{Problem, ReadOptions, Source};
use karat_kb::{Builder, FactCoverage, Identity, KnowledgeBase};
use karat_measures::Convention;
use karat_measures::presets::ELEVANT_2023;
use karat_model::Corpus;
use rayon::prelude::*;
use serde_json::Value;

pub(super) static PAPER: Paper = Paper {
    name: "bast-2023",
    title: "Bast, Hertel and Prange (2023): A Fair and In-Depth Evaluation of Existing End-to-End Entity Linking Systems",
    needs: "elevant: paper/ and facts/, and the full texts of aida-conll-test in linked/",
    run,
};

const SYSTEMS: [(&str, &str); 9] = [
    ("ReFinED", "refined.aida"),
    ("REL", "rel.2014"),
    ("GENRE", "genre.yago"),
    ("Ambiverse", "ambiverse"),
    ("Neural EL", "neural_el"),
    ("Baseline", "baseline"),
    ("TagMe", "tagme"),
    ("DBpedia Spotlight", "dbpedia_spotlight"),
    ("EfficientEL", "efficient-el"),
];

const BENCHMARKS: [(&str, &str); 5] = [
    ("AIDA-CoNLL", AIDA),
    ("KORE50", "kore50"),
    ("MSNBC", "msnbc-updated"),
    ("News-Fair", "news-fair-no-coref"),
    ("Wiki-Fair", "wiki-fair-no-coref"),
];

const AIDA: &str = "aida-conll-test";

/// Numbers that the paper is known to print in another way than the published results round to.
const PRINTED: [([&str; 2], &str); 2] =
    [(["ReFinED", "ER F1"], "82.7"), (["ReFinED", "disambiguation"], "89.2")];

/// The categories that facts decide, which were published for later results than those of the paper.
const OF_FACTS: [&str; 3] = ["metonym", "partial name", "rare"];

/// Why these differ.
const OF_ANOTHER_YEAR: &str = "are of another year than the paper";

/// How far they move such a number, in points of percent. What moves further has another reason.
const FURTHEST: f64 = 3.0;

/// How many runs agree where nothing depends on facts.
const ALL_RUNS: &str = "45 of 45";

/// What stands in the column of printed numbers.
const PUBLISHED: &str = "`printed` is what the results give that the authors published with the paper, rounded as the paper \
                         does; the tables of the paper are not part of the data.";

/// The categories of Table 4, and the benchmarks whose mean is printed.
const CATEGORIES: [(&str, &str, &[&str]); 12] = [
    ("ER FN lowercased", "ner_fn/lowercased", ALL),
    ("ER FN partially included", "ner_fn/partially_included", ALL),
    ("ER FN partial overlap", "ner_fn/partial_overlap", ALL),
    ("ER FN other", "ner_fn/other", ALL),
    ("ER FP lowercased", "ner_fp/lowercased", ALL),
    ("ER FP ground truth NIL", "ner_fp/groundtruth_unknown", ALL),
    ("ER FP other", "ner_fp/other", ALL),
    ("ER FP wrong span", "ner_fp/wrong_span", ALL),
    ("demonym", "wrong_disambiguation/demonym", &[AIDA, "wiki-fair-no-coref"]),
    (
        "metonym",
        "wrong_disambiguation/metonymy",
        &[AIDA, "kore50", "msnbc-updated", "news-fair-no-coref"],
    ),
    ("partial name", "wrong_disambiguation/partial_name", ALL),
    ("rare", "wrong_disambiguation/rare", ALL),
];

const ALL: &[&str] = &[AIDA, "kore50", "msnbc-updated", "news-fair-no-coref", "wiki-fair-no-coref"];

fn run(data: &Data) -> Result<Vec<Section>, Problem> {
    let study = Study::read(data)?;
    Ok(vec![study.table_1(), study.table_3(), study.table_4(), study.counts()])
}

/// What is published and what comes out, for each system and benchmark.
struct Study {
    runs: Vec<Run>,
}

struct Run {
    system: &'static str,
    benchmark: &'static str,
    published: Value,
    computed: Value,
}

impl Study {
    fn read(data: &Data) -> Result<Study, Problem> {
        let base = facts(data)?;
        let convention = (ELEVANT_2023.convention)();
        let mut runs = Vec::new();
        for (_, benchmark) in BENCHMARKS {
            let gold =
                data.corpus(&format!("elevant/paper/benchmarks/{benchmark}.benchmark.jsonl"))?;
            let of_benchmark: Result<Vec<Run>, Problem> = SYSTEMS
                .par_iter()
                .map(|&(_, system)| run_of(data, &base, &convention, &gold, (system, benchmark)))
                .collect();
            runs.extend(of_benchmark?);
        }
        Ok(Study { runs })
    }

    fn runs_of<'s>(&'s self, system: &'s str, on: &'s [&str]) -> impl Iterator<Item = &'s Run> {
        self.runs.iter().filter(move |run| run.system == system && on.contains(&run.benchmark))
    }

    /// Means over the five benchmarks.
    fn table_1(&self) -> Section {
        let mut rows = Vec::new();
        for (name, system) in SYSTEMS {
            for (measure, score) in SCORES {
                let mean = |of: fn(&Run) -> &Value| {
                    let scores = self.runs_of(system, ALL).map(|run| score(of(run)));
                    mean(scores).map(percent).unwrap_or_default()
                };
                let published = mean(|run| &run.published);
                let computed = mean(|run| &run.computed);
                let printed = PRINTED.iter().find(|(cell, _)| *cell == [name, measure]);
                let row = Row::new(&[name, measure], &published, computed);
                rows.push(match printed {
                    Some((_, printed)) if row.verdict == Verdict::Same => {
                        let note = format!("the published results give {published}: rounded twice");
                        Row::new(&[name, measure], printed, row.computed)
                            .judged(Verdict::Slip)
                            .note(&note)
                    }
                    _ => row,
                });
            }
        }
        section(
            "Table 1: means over the five benchmarks",
            &["system", "measure"],
            rows,
            &[
                "Two numbers of ReFinED, 82.65 and 89.15 to two decimals, are printed as 82.7 and 89.2; both are below \
               the half.",
            ],
        )
    }

    /// Each benchmark by itself.
    fn table_3(&self) -> Section {
        let mut rows = Vec::new();
        for (benchmark, file) in BENCHMARKS {
            for (name, system) in SYSTEMS {
                for run in self.runs_of(system, &[file]) {
                    for (measure, score) in
                        SCORES.into_iter().filter(|(name, _)| PER_BENCHMARK.contains(name))
                    {
                        let shown = |of: &Value| score(of).map(percent).unwrap_or_default();
                        let labels = [name, benchmark, measure];
                        rows.push(Row::new(&labels, &shown(&run.published), shown(&run.computed)));
                    }
                }
            }
        }
        section("Table 3: each benchmark by itself", &["system", "benchmark", "measure"], rows, &[])
    }

    /// Error rates, in percent, and numbers of extra mentions.
    fn table_4(&self) -> Section {
        let mut rows = Vec::new();
        for (name, system) in SYSTEMS {
            for (category, path, on) in CATEGORIES {
                let of = |of: fn(&Run) -> &Value| {
                    mean_of_defined(self.runs_of(system, on).map(|run| rate(of(run), path)))
                };
                let shown = |mean: Option<f64>| mean.map(|mean| format!("{mean:.1}"));
                let published = shown(of(|run| &run.published)).unwrap_or_default();
                let computed = shown(of(|run| &run.computed)).unwrap_or_default();
                let row = Row::new(&[name, category], &published, computed);
                rows.push(match row.verdict {
                    Verdict::Differs if is_due_to_facts(category, &row) => row
                        .judged(Verdict::OtherFacts)
                        .note(&format!("the facts {OF_ANOTHER_YEAR}")),
                    Verdict::Open => row.note("some facts are not published"),
                    _ => row,
                });
            }
        }
        section(
            "Table 4: errors by category",
            &["system", "category"],
            rows,
            &[
                "Means over benchmarks: of the share of errors in percent, and for extra mentions of their number. \
               Demonyms over AIDA-CoNLL and Wiki-Fair, metonyms over all but Wiki-Fair, as in the paper.",
                "What makes a mention hard is decided by a knowledge base. The facts here were taken from results that \
               ELEVANT published later, so that a few decisions differ and some are unknown.",
            ],
        )
    }

    /// How many of the 45 runs agree in every count.
    fn counts(&self) -> Section {
        let paths: [(&str, &[&str]); 11] = [
            ("entity linking", &["mention_types/all"]),
            ("entity recognition", &["error_categories/ner"]),
            ("ER FN", &["error_categories/ner_fn"]),
            ("ER FP", &["error_categories/ner_fp"]),
            ("disambiguation", &["error_categories/wrong_disambiguation/all"]),
            ("demonym", &["error_categories/wrong_disambiguation/demonym"]),
            ("metonym", &["error_categories/wrong_disambiguation/metonymy"]),
            ("partial name", &["error_categories/wrong_disambiguation/partial_name"]),
            ("rare", &["error_categories/wrong_disambiguation/rare"]),
            (
                "candidates",
                &[
                    "error_categories/wrong_disambiguation/wrong_candidates",
                    "error_categories/wrong_disambiguation/multiple_candidates",
                ],
            ),
            (
                "hyperlinks and coreferences",
                &["error_categories/other_errors", "error_categories/wrong_coreference"],
            ),
        ];
        let row = |(name, paths): &(&str, &[&str])| {
            let (mut same, mut unknown) = (0, 0);
            for run in &self.runs {
                let verdicts: Vec<Option<bool>> = ["IGNORED", "REQUIRED"]
                    .iter()
                    .flat_map(|mode| paths.iter().map(move |path| format!("/{mode}/{path}")))
                    .map(|path| agree(run.published.pointer(&path), run.computed.pointer(&path)))
                    .collect();
                match verdicts {
                    all if all.contains(&Some(false)) => {}
                    all if all.contains(&None) => unknown += 1,
                    _ => same += 1,
                }
            }
            let of = self.runs.len();
            let expected = if OF_FACTS.contains(name) { "" } else { ALL_RUNS };
            let row = Row::new(&[name], expected, format!("{same} of {of}"));
            let differ = of - same - unknown;
            match (same == of, OF_FACTS.contains(name)) {
                (true, _) => row,
                (false, true) => {
                    let reason = "some facts are not published, and others";
                    row.note(&format!(
                        "{unknown} unknown, {differ} differ: {reason} {OF_ANOTHER_YEAR}"
                    ))
                }
                (false, false) => row.note(&format!("{unknown} unknown, {differ} differ")),
            }
        };
        section(
            "Runs in which every count of a family agrees, unknown entities ignored and required",
            &["counts"],
            paths.iter().map(row).collect(),
            &[
                "Nine systems on five benchmarks are 45 runs. What texts mostly mean decides metonyms and rare entities, and \
               with them partial names; it was counted again for the results from which the facts were taken.",
            ],
        )
    }
}

/// Whether the facts are reason enough for a number to be another.
fn is_due_to_facts(category: &str, row: &Row) -> bool {
    let numbers = row.printed.parse::<f64>().ok().zip(row.computed.parse::<f64>().ok());
    OF_FACTS.contains(&category) && numbers.is_some_and(|(a, b)| (a - b).abs() <= FURTHEST)
}

/// Whether two numbers, or all numbers of two families, are the same; `None` if some are unknown.
fn agree(published: Option<&Value>, computed: Option<&Value>) -> Option<bool> {
    match (published, computed) {
        (Some(Value::Object(left)), Some(Value::Object(right))) => {
            let mut all = Some(true);
            for (key, value) in left {
                match agree(Some(value), right.get(key)) {
                    Some(true) => {}
                    Some(false) => return Some(false),
                    None => all = None,
                }
            }
            all
        }
        (Some(Value::Null), Some(Value::Null)) => Some(true),
        (_, Some(Value::Null) | None) => None,
        (left, right) => Some(left == right),
    }
}

/// A score of a file of results, from 0 to 1.
type Score = fn(&Value) -> Option<f64>;

const SCORES: [(&str, Score); 7] = [
    ("EL P", |of| number(of, "mention_types/all/precision")),
    ("EL R", |of| number(of, "mention_types/all/recall")),
    ("EL F1", |of| number(of, "mention_types/all/f1")),
    ("ER P", |of| number(of, "error_categories/ner/precision")),
    ("ER R", |of| number(of, "error_categories/ner/recall")),
    ("ER F1", |of| number(of, "error_categories/ner/f1")),
    ("disambiguation", |of| {
        let errors = number(of, "error_categories/wrong_disambiguation/all/errors")?;
        Some(1.0 - errors / number(of, "error_categories/wrong_disambiguation/all/total")?)
    }),
];

const PER_BENCHMARK: [&str; 3] = ["EL F1", "ER F1", "disambiguation"];

fn number(of: &Value, path: &str) -> Option<f64> {
    of.pointer(&format!("/IGNORED/{path}"))?.as_f64()
}

/// The share of errors of a category in percent, or their number where there is no denominator;
/// `Some(None)` where nothing could go wrong.
fn rate(of: &Value, path: &str) -> Option<Option<f64>> {
    let path = format!("error_categories/{path}");
    if let Some(plain) = number(of, &path) {
        return Some(Some(plain));
    }
    let total = number(of, &format!("{path}/total"))?;
    let errors = number(of, &format!("{path}/errors"))?;
    Some((total > 0.0).then(|| errors * 100.0 / total))
}

/// The mean of what is defined; `None` if something is not known, or nothing is defined.
fn mean_of_defined(all: impl Iterator<Item = Option<Option<f64>>>) -> Option<f64> {
    let all: Option<Vec<Option<f64>>> = all.collect();
    mean(all?.into_iter().flatten().map(Some))
}

fn mean(all: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let all: Option<Vec<f64>> = all.collect();
    all.filter(|all| !all.is_empty()).map(|all| all.iter().sum::<f64>() / all.len() as f64)
}

fn percent(score: f64) -> String {
    format!("{:.1}", score * 100.0)
}

fn section(
    title: &str,
    headings: &'static [&'static str],
    rows: Vec<Row>,
    remarks: &[&str],
) -> Section {
    let remarks: Vec<&str> = [PUBLISHED].iter().chain(remarks).copied().collect();
    Section::new(title, headings, rows, &remarks)
}

fn run_of(
    data: &Data,
    base: &KnowledgeBase,
    convention: &Convention,
    gold: &Corpus,
    (system, benchmark): (&'static str, &'static str),
) -> Result<Run, Problem> {
    let name = format!("elevant/paper/linked/{system}.{benchmark}.linked_articles.jsonl");
    let output = match benchmark {
        AIDA => with_full_texts(data, &name)?,
        _ => data.corpus(&name)?,
    };
    let published = format!("elevant/paper/expected/{system}.{benchmark}.eval_results.json");
    let published = json(data, &published, &data.text(&published)?)?;
    let identity = Identity::new();
    let (settings, taxonomy) = (&convention.settings, convention.taxonomy);
    let inspection =
        Inspection { settings, taxonomy, identity: &identity, base: Some(base), watch: None };
    let counts = inspection.counts(benchmark, gold, &output);
    let computed = elevant::results(&counts, taxonomy);
    Ok(Run { system, benchmark, published, computed })
}

/// The articles of AIDA-CoNLL, published with stars for most words, with the words that ELEVANT
/// published later.
fn with_full_texts(data: &Data, name: &str) -> Result<Corpus, Problem> {
    let full = format!("elevant/linked/oracle.{AIDA}.linked_articles.jsonl");
    let lines = with_texts(data, (name, &data.text(name)?), (&full, &data.text(&full)?))?;
    let source = Source::memory(name, lines);
    Ok(crate::registry().read(&source.into(), None, &ReadOptions::default())?.corpus)
}

/// Articles, one on each line, with the texts of others; name and content of both are given.
fn with_texts(
    data: &Data,
    (name, articles): (&str, &str),
    (full_name, full): (&str, &str),
) -> Result<String, Problem> {
    let counts = [articles, full].map(|text| text.lines().count());
    if counts[0] != counts[1] {
        let message = format!("{} articles, and {} in `{full_name}`", counts[0], counts[1]);
        return Err(data.problem(name, message));
    }
    let mut lines = String::new();
    for (line, full) in articles.lines().zip(full.lines()) {
        let (mut article, mut full) = (json(data, name, line)?, json(data, full_name, full)?);
        let (Value::Object(article), Value::Object(full)) = (&mut article, &mut full) else {
            return Err(data.problem(name, "an article is no JSON object".to_owned()));
        };
        if let Some(text) = full.remove("text") {
            article.insert("text".to_owned(), text);
        }
        lines.push_str(&serde_json::to_string(article).unwrap_or_default());
        lines.push('\n');
    }
    Ok(lines)
}

fn json(data: &Data, name: &str, text: &str) -> Result<Value, Problem> {
    serde_json::from_str(text).map_err(|error| data.problem(name, format!("no JSON: {error}")))
}

fn facts(data: &Data) -> Result<KnowledgeBase, Problem> {
    let input = data.input("elevant/facts")?;
    let mut builder = Builder::in_memory();
    let failed = |error: karat_harvest::HarvestError| match error {
        karat_harvest::HarvestError::Input(problem) => *problem,
        error => data.problem("elevant/facts", error.to_string()),
    };
    karat_harvest::harvest(&[input], &mut builder, &karat_harvest::Options::default())
        .map_err(failed)?;
    // The facts were taken from these very benchmarks: what is no demonym there is none here, and no
    // date or quantity.
    builder.covers(FactCoverage::Demonyms);
    builder.covers(FactCoverage::Kinds);
    builder.finish().map_err(|error| data.problem("elevant/facts", error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(articles: &str, full: &str, expected: Result<&str, &str>) {
        let found = with_texts(&Data::new("."), ("a", articles), ("b", full));
        match (found, expected) {
            (Ok(lines), Ok(expected)) => assert_eq!(lines, expected),
            (Err(problem), Err(expected)) => {
                assert!(problem.message.contains(expected), "{}", problem.message);
            }
            (found, expected) => panic!("{found:?} instead of {expected:?}"),
        }
    }

    #[test]
    fn articles_get_other_texts_and_what_is_no_article_is_a_problem() {
        check("{\"text\":\"*\"}", "{\"text\":\"full\"}", Ok("{\"text\":\"full\"}\n"));
        check("[1]", "{\"text\":\"full\"}", Err("no JSON object"));
        check("{}", "7", Err("no JSON object"));
        check("{", "{}", Err("no JSON:"));
        check("{}\n{}", "{}", Err("2 articles, and 1 in `b`"));
    }
}
