//! Several benchmarks as one.

use super::Contest;
use crate::failure::Failure;
use karat::model::Corpus;
use karat::scoring::System;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// What all benchmarks together are called.
const NAME: &str = "unified";

/// All benchmarks as one, with all outputs of a system as its output. Documents whose names several
/// benchmarks have get the name of theirs before it.
pub(super) fn unified(contests: &[Contest]) -> Result<Contest, Failure> {
    if contests.iter().any(|contest| contest.name == NAME) {
        return Err(Failure::usage(
            format!("a benchmark is called `{NAME}`, as all of them together are"),
            "give it another name: NAME=INPUT",
        ));
    }
    let shared = shared_names(contests);
    let joined = |parts: &[(usize, &Corpus)]| {
        Corpus::joined(parts.iter().map(|(_, corpus)| *corpus), |part, document| {
            match shared.contains(document) {
                true => Cow::Owned(format!("{}/{document}", contests[parts[part].0].name)),
                false => Cow::Borrowed(document),
            }
        })
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
        System { source: sources.join(","), ..System::new(name, joined(&parts)) }
    });
    let systems = systems.collect();
    Ok(Contest { name: NAME.to_owned(), gold: joined(&gold), systems, counting: None })
}

/// The names of documents that several benchmarks have, in gold or in an output.
fn shared_names(contests: &[Contest]) -> HashSet<&str> {
    let mut first_seen: HashMap<&str, usize> = HashMap::new();
    let mut shared = HashSet::new();
    for (at, contest) in contests.iter().enumerate() {
        let outputs = contest.systems.iter().map(|system| &system.corpus);
        for document in std::iter::once(&contest.gold).chain(outputs).flat_map(Corpus::documents) {
            if *first_seen.entry(document.name()).or_insert(at) != at {
                shared.insert(document.name());
            }
        }
    }
    shared
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
