//! What has to be known of whole corpora before one of their documents can be judged.

use super::{Experiment, Shelf, Spellings};
use karat_kb::Identity;
use karat_measures::{Convention, Signature};
use karat_model::Notice;
use std::collections::HashSet;
use std::sync::Arc;

/// What was found out about experiments under a convention.
///
/// It takes a look at all annotations, and a request about one document must not take that long each time. What is
/// on the shelf never changes, so it is found out once for each convention.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    spellings: Spellings,
    /// The names of documents that gold does not have, in the order of the runs.
    pub(crate) strangers: Arc<Vec<String>>,
}

impl Settled {
    /// What is known, or is found out now. A shelf is given where the experiments are on it.
    pub(crate) fn of(
        experiments: &[Experiment],
        convention: &Convention,
        identity: &Identity,
        shelf: Option<&Shelf>,
    ) -> Arc<Settled> {
        let find = || Settled {
            spellings: Spellings::under(experiments, convention, identity),
            strangers: Arc::new(strangers(experiments)),
        };
        match shelf {
            Some(shelf) => shelf.settled(key(experiments, convention, identity), find),
            None => Arc::new(find()),
        }
    }

    /// Compares ids by what they name where the convention does so, and tells of it.
    pub(crate) fn apply(
        &self,
        convention: &mut Convention,
        identity: &mut Identity,
        told: &mut Vec<Notice>,
    ) {
        self.spellings.apply(convention, identity, told);
    }
}

fn strangers(experiments: &[Experiment]) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut names = Vec::new();
    for Experiment { benchmark, runs } in experiments {
        for document in runs.iter().flat_map(|run| run.corpus.documents()) {
            let name = document.name();
            if benchmark.corpus.document(name).is_none() && seen.insert(name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// Everything that decides what is found out about experiments of one shelf.
fn key(experiments: &[Experiment], convention: &Convention, identity: &Identity) -> String {
    let mut key = Signature::new(convention).to_string();
    key += &identity.signature().unwrap_or_default();
    // Names are quoted, so that no name can contain what separates two of them.
    for Experiment { benchmark, runs } in experiments {
        key += &format!("\n{:?}", benchmark.name);
        for run in runs {
            key += &format!(" {:?}", run.name);
        }
    }
    key
}
