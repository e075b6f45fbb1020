//! Several benchmarks as one.

use super::Contest;
use crate::failure::Failure;
use karat::model::Corpus;
use karat::scoring::System;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// What all benchmarks together are called.
const NAME: &str = "unified";

/// All benchmarks as one, with all outputs of a system as its output. Documents whose names several
/// benchmarks have get the name of theirs before it.
pub(super) fn unified<'c>(contests: &'c [Contest]) -> Result<Contest, Failure> {
    if contests.iter().any(|contest| contest.name == NAME) {
        return Err(Failure::usage(
            format!("a benchmark is called `{NAME}`, as all of them together are"),
            "give it another name: NAME=INPUT",
        ));
    }
    let shared = shared_names(contests);
    let called = |at: usize, document: &'c str| match shared.contains(document) {
        true => Cow::Owned(with_benchmark(&contests[at], document)),
        false => Cow::Borrowed(document),
    };
    let joined = |parts: &[(usize, &'c Corpus)]| {
        let corpora = parts.iter().map(|(_, corpus)| *corpus);
        Corpus::joined(corpora, |part, document| called(parts[part].0, document))
            .map_err(|duplicate| two_of_one_name(&duplicate.name))
    };
    let gold: Vec<(usize, &Corpus)> =
        contests.iter().enumerate().map(|(at, contest)| (at, &contest.gold)).collect();
    let systems = runs(contests).into_iter().map(|(name, outputs)| {
        let mut sources: Vec<&str> = Vec::new();
        for (_, output) in &outputs {
            if !sources.contains(&output.source.as_str()) {
                sources.push(&output.source);
            }
        }
        let parts: Vec<(usize, &Corpus)> =
            outputs.iter().map(|(at, output)| (*at, &output.corpus)).collect();
        Ok(System { source: sources.join(","), ..System::new(name, joined(&parts)?) })
    });
    let systems = systems.collect::<Result<_, Failure>>()?;
    Ok(Contest { name: NAME.to_owned(), gold: joined(&gold)?, systems, counting: None })
}

/// The name of a document with that of its benchmark before it.
fn with_benchmark(contest: &Contest, document: &str) -> String {
    format!("{}/{document}", contest.name)
}

/// The names of documents with the places of the benchmarks that have them, in gold or in an output.
fn names_of_documents(contests: &[Contest]) -> BTreeMap<&str, BTreeSet<usize>> {
    let mut names: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (at, contest) in contests.iter().enumerate() {
        let outputs = contest.systems.iter().map(|system| &system.corpus);
        for document in std::iter::once(&contest.gold).chain(outputs).flat_map(Corpus::documents) {
            names.entry(document.name()).or_default().insert(at);
        }
    }
    names
}

/// The names that several benchmarks have, and those that a document would have in common with
/// one of them that got the name of its benchmark.
fn shared_names(contests: &[Contest]) -> HashSet<&str> {
    let names = names_of_documents(contests);
    let mut waiting: Vec<&str> =
        names.iter().filter(|(_, places)| places.len() > 1).map(|(name, _)| *name).collect();
    let mut shared: HashSet<&str> = waiting.iter().copied().collect();
    while let Some(name) = waiting.pop() {
        for &at in &names[name] {
            let made = with_benchmark(&contests[at], name);
            if let Some((&taken, _)) = names.get_key_value(made.as_str())
                && shared.insert(taken)
            {
                waiting.push(taken);
            }
        }
    }
    shared
}

fn two_of_one_name(document: &str) -> Failure {
    Failure::usage(
        format!("with all benchmarks together two documents would be called `{document}`"),
        "give one of the benchmarks another name: NAME=INPUT",
    )
}

/// Outputs of one system, with the place of their benchmark.
type Outputs<'c> = Vec<(usize, &'c System)>;

/// The outputs of each system. The first run of a system on one
/// benchmark belongs to its first run on another.
fn runs(contests: &[Contest]) -> Vec<(&str, Outputs<'_>)> {
    let mut runs: Vec<(&str, usize, Outputs<'_>)> = Vec::new();
    for (at, contest) in contests.iter().enumerate() {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for system in &contest.systems {
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
