//! The one place where tests touch the API.

use karat_formats::{Input, ReadOptions, Registry, Source};
use karat_kb::Identity;
use karat_match::Pairing;
use karat_measures::{Convention, Evaluation, NameError, Plan, Preset, Selection, evaluate};
use karat_model::Corpus;

/// A corpus in neleval's format (ends inclusive); blanks stand for tabs.
pub(crate) fn corpus(lines: &str) -> Corpus {
    let lines: Vec<String> = lines
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join("\t"))
        .filter(|line| !line.is_empty())
        .collect();
    if lines.is_empty() {
        return karat_model::CorpusBuilder::new().finish();
    }
    let source = Source::memory("corpus.tsv", format!("{}\n", lines.join("\n")));
    let registry = Registry::new(karat_formats::FORMATS);
    let options = ReadOptions::default();
    registry.read(&Input::from(source), Some("neleval"), &options).expect("neleval lines").corpus
}

/// The convention of a preset.
pub(crate) fn convention(preset: &str) -> Convention {
    (Preset::named(preset).expect("a preset").convention)()
}

/// How a system does on these measures.
pub(crate) fn evaluation(
    gold: &Corpus,
    system: &Corpus,
    preset: &str,
    measures: &[&str],
) -> Result<Evaluation, NameError> {
    let convention = convention(preset);
    let selection = Selection::parse(measures.iter().copied(), &convention)?;
    let plan = Plan::new(convention, selection);
    Ok(evaluate(&Pairing::new(gold, system, &Identity::new()), &plan))
}

/// The counts of one measure.
pub(crate) fn counts(gold: &Corpus, system: &Corpus, preset: &str, measure: &str) -> Vec<f64> {
    evaluation(gold, system, preset, &[measure]).expect("a measure").results[0].counts.clone()
}

/// One score of one measure.
pub(crate) fn score(
    gold: &Corpus,
    system: &Corpus,
    preset: &str,
    measure: &str,
    score: &str,
) -> Option<f64> {
    let evaluation = evaluation(gold, system, preset, &[measure]).expect("a measure");
    evaluation.results[0].micro.get(score).expect("a score")
}

/// Asserts that a score is what another tool prints, up to the rounding of its sums.
#[track_caller]
pub(crate) fn assert_near(found: Option<f64>, expected: f64, tolerance: f64) {
    let near = found.is_some_and(|found| (found - expected).abs() <= tolerance);
    assert!(near, "{found:?} is not {expected}");
}
