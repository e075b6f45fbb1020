//! Several benchmarks as one.

use super::experiment::{Benchmark, Experiment, Run};
use crate::error::Error;
use karat_model::Corpus;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// What all benchmarks together are called.
const NAME: &str = "unified";

/// All benchmarks as one, with all outputs of a system as its output. Documents whose names several
/// benchmarks have get the name of theirs before it.
pub(super) fn unified<'c>(experiments: &'c [Experiment]) -> Result<Experiment, Error> {
    if experiments.iter().any(|experiment| experiment.benchmark.name == NAME) {
        return Err(Error::bad_request(
            format!("a benchmark is called `{NAME}`, as all of them together are"),
            "give it another name: NAME=INPUT",
        ));
    }
    let shared = shared_names(experiments);
    let called = |at: usize, document: &'c str| match shared.contains(document) {
        true => Cow::Owned(with_benchmark(&experiments[at], document)),
        false => Cow::Borrowed(document),
    };
    let joined = |parts: &[(usize, &'c Corpus)]| {
        let corpora = parts.iter().map(|(_, corpus)| *corpus);
        Corpus::joined(corpora, |part, document| called(parts[part].0, document))
            .map_err(|duplicate| two_of_one_name(&duplicate.name))
    };
    let gold: Vec<(usize, &Corpus)> = experiments
        .iter()
        .enumerate()
        .map(|(at, experiment)| (at, experiment.benchmark.corpus.as_ref()))
        .collect();
    let runs = runs(experiments).into_iter().map(|(name, outputs)| {
        let mut sources: Vec<&str> = Vec::new();
        for (_, output) in &outputs {
            // One file may answer for several benchmarks and should be named once.
            if !sources.contains(&output.source.as_str()) {
                sources.push(&output.source);
            }
        }
        let parts: Vec<(usize, &Corpus)> =
            outputs.iter().map(|(at, output)| (*at, output.corpus.as_ref())).collect();
        Ok(Run { source: sources.join(","), ..Run::new(name, joined(&parts)?) })
    });
    let runs = runs.collect::<Result<_, Error>>()?;
    let benchmark =
        Benchmark { name: NAME.to_owned(), corpus: Arc::new(joined(&gold)?), counting: None };
    Ok(Experiment { benchmark, runs })
}

/// The name of a document with that of its benchmark before it.
fn with_benchmark(experiment: &Experiment, document: &str) -> String {
    format!("{}/{document}", experiment.benchmark.name)
}

/// The names of documents with the places of the benchmarks that have them, in gold or in an output.
fn names_of_documents(experiments: &[Experiment]) -> BTreeMap<&str, BTreeSet<usize>> {
    let mut names: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (at, experiment) in experiments.iter().enumerate() {
        for document in experiment.corpora().flat_map(Corpus::documents) {
            names.entry(document.name()).or_default().insert(at);
        }
    }
    names
}

/// The names that several benchmarks have, and those that a document would have in common with
/// one of them that got the name of its benchmark.
fn shared_names(experiments: &[Experiment]) -> HashSet<&str> {
    let names = names_of_documents(experiments);
    let mut waiting: Vec<&str> =
        names.iter().filter(|(_, places)| places.len() > 1).map(|(name, _)| *name).collect();
    let mut shared: HashSet<&str> = waiting.iter().copied().collect();
    // Until nothing changes: a name that was made may be taken, and what took it must be renamed as
    // well.
    while let Some(name) = waiting.pop() {
        for &at in &names[name] {
            let made = with_benchmark(&experiments[at], name);
            if let Some((&taken, _)) = names.get_key_value(made.as_str())
                && shared.insert(taken)
            {
                waiting.push(taken);
            }
        }
    }
    shared
}

fn two_of_one_name(document: &str) -> Error {
    Error::bad_request(
        format!("with all benchmarks together two documents would be called `{document}`"),
        "give one of the benchmarks another name: NAME=INPUT",
    )
}

/// Outputs of one system, with the place of their benchmark.
type Outputs<'c> = Vec<(usize, &'c Run)>;

/// The outputs of each system. The first run of a system on one
/// benchmark belongs to its first run on another.
fn runs(experiments: &[Experiment]) -> Vec<(&str, Outputs<'_>)> {
    let mut runs: Vec<(&str, usize, Outputs<'_>)> = Vec::new();
    for (at, experiment) in experiments.iter().enumerate() {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for system in &experiment.runs {
            // Runs of one system are told apart by their order: the second on one benchmark belongs
            // to the second on another.
            let run = seen.entry(&system.name).or_default();
            match runs.iter_mut().find(|(name, number, _)| (*name, *number) == (&system.name, *run))
            {
                Some((_, _, outputs)) => outputs.push((at, system)),
                None => runs.push((&system.name, *run, vec![(at, system)])),
            }
            *run += 1;
        }
    }
    runs.into_iter().map(|(name, _, outputs)| (name, outputs)).collect()
}
