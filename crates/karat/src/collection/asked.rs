//! Queries that systems were asked, from the inputs of a request.

use super::queries::Queries;
use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::inputs::{Experiment, Inputs, Repeats, Run, counted, signed_gold};
use crate::notices;
use crate::scoring::MOST_TRIALS;
use crate::work::Work;
use karat_measures::{Convention, Signature};
use karat_model::{Corpus, Hint, Notice};

/// What systems answered to the queries of a test set.
pub(super) struct AskedQueries {
    /// The name of the test set.
    pub(super) benchmark: String,
    /// The names of the systems, in the order of the answers.
    pub(super) systems: Vec<String>,
    /// The answers.
    pub(super) queries: Queries,
    /// What they depend on.
    pub(super) signature: Signature,
}

/// The convention of queries: that of Mertens et al. (2014).
pub(super) fn convention_of_queries(redirects: Option<&String>) -> ConventionRequest {
    ConventionRequest {
        preset: "mertens-2014".to_owned(),
        redirects: redirects.cloned(),
        ..ConventionRequest::default()
    }
}

impl AskedQueries {
    /// Reads a test set and systems, and asks them.
    pub(super) fn read(
        inputs: &Inputs,
        redirects: Option<&String>,
        work: &Work,
        told: &mut Vec<Notice>,
    ) -> Result<AskedQueries, Error> {
        let request = convention_of_queries(redirects);
        let convention: Convention = request.convention()?;
        let identity = request.identity(&convention, told)?;
        let mut experiments = inputs.read(Repeats::Refused, work, told)?;
        let Some(experiment) = experiments.pop() else { return Err(no_queries()) };
        if !experiments.is_empty() {
            return Err(Error::bad_request(
                "there is more than one test set",
                Hint::template("one grows at a time: give one {gold}"),
            ));
        }
        told.extend(experiment.runs.iter().flat_map(|run| coverage(&experiment, run)));
        let Experiment { benchmark, runs } = &experiment;
        let outputs: Vec<&Corpus> = runs.iter().map(|run| run.corpus.as_ref()).collect();
        // Gold is asked as well: it says which queries there are.
        work.begin("scoring", (benchmark.corpus.len() * (1 + runs.len())) as u64)?;
        let (gold, settings) = (&benchmark.corpus, &convention.settings);
        let queries =
            work.run(|| Queries::new(gold, &outputs, &identity, settings, &work.watch()))?;
        let mut signature = Signature::new(&convention);
        if let Some(kb) = identity.signature() {
            signature.push("kb", &kb);
        }
        let gold = signed_gold(&benchmark.name, benchmark.corpus.digest());
        signature.push("gold", &gold);
        for (name, value) in inputs.provenance()? {
            signature.push(name, &value);
        }
        Ok(AskedQueries {
            benchmark: benchmark.name.clone(),
            systems: runs.iter().map(|run| run.name.clone()).collect(),
            queries,
            signature,
        })
    }
}

/// Without a test set there is nothing to ask.
pub(super) fn no_queries() -> Error {
    Error::bad_request(
        "there are no queries",
        Hint::template(
            "give the counts with {cells=L,S,T,M,C}, or a gold standard and a system with {gold} and {system}",
        ),
    )
}

/// Refuses to draw more often than memory allows.
pub(super) fn check_draws(draws: usize) -> Result<(), Error> {
    match draws > MOST_TRIALS {
        true => Err(Error::bad_request(
            format!("{draws} draws would not fit into memory"),
            format!("ask for at most {MOST_TRIALS}"),
        )),
        false => Ok(()),
    }
}

/// Which documents a system does not speak of, and which the test set does not have. A query without an
/// answer is not empty, as a mention would be: it is answered NIL.
fn coverage(experiment: &Experiment, run: &Run) -> Vec<Notice> {
    let found = experiment.coverage(run);
    let name = &run.name;
    let mut told = Vec::new();
    if found.silent * 10 > found.documents {
        told.push(notices::SILENT_DOCUMENTS.notice(format!(
            "`{name}` says nothing about {} of {}; all queries there count as answered NIL",
            found.silent,
            counted(found.documents, "document"),
        )));
    }
    if let Some(first) = found.unknown.first() {
        told.push(notices::UNKNOWN_DOCUMENTS.notice(format!(
            "`{name}` has {} that `{}` does not know, as `{first}`; there are no queries there",
            counted(found.unknown.len(), "document"),
            experiment.benchmark.name,
        )));
    }
    told.into_iter().map(|notice| notice.about(name)).collect()
}
