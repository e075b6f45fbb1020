//! The tests of pairs of systems.

use crate::answers::locked;
use crate::workspace::Workspace;
use karat::comparison::{PairKeeper, PairKey, TestedPair};
use karat_store::{ComparisonRow, sha256};
use std::collections::HashMap;
use std::sync::Mutex;

/// So many tests stay in memory, some hundred bytes each; then all are forgotten, and those that are asked for come back
/// from the store or are made again.
const MOST: usize = 50_000;

/// Keeps tests in memory and, where there is a store, in it. Keys name everything that a test depends on, so nothing is
/// ever invalidated.
#[derive(Debug, Default)]
pub(super) struct PairTests {
    kept: Mutex<HashMap<String, TestedPair>>,
    workspace: Option<Workspace>,
}

impl PairTests {
    /// One that also keeps in a store.
    pub(super) fn of(workspace: &Workspace) -> PairTests {
        PairTests { workspace: Some(workspace.clone()), ..PairTests::default() }
    }

    fn remember(&self, tests: impl IntoIterator<Item = (String, TestedPair)>) {
        let mut kept = locked(&self.kept);
        if kept.len() > MOST {
            kept.clear();
        }
        kept.extend(tests);
    }

    /// Looks in the store for those that are not in memory.
    fn look_up(&self, keys: &[String], found: &mut [Option<TestedPair>]) {
        let Some(workspace) = &self.workspace else { return };
        let places: Vec<usize> = (0..keys.len()).filter(|&at| found[at].is_none()).collect();
        if places.is_empty() {
            return;
        }
        let missing: Vec<String> = places.iter().map(|&at| keys[at].clone()).collect();
        // What cannot be read is tested again.
        let Ok(stored) = workspace.wait(workspace.store().comparisons(&missing)) else { return };
        for (&at, body) in places.iter().zip(stored) {
            found[at] = body.and_then(|body| serde_json::from_str(&body).ok());
        }
        let known = places.iter().filter_map(|&at| Some((keys[at].clone(), found[at].clone()?)));
        self.remember(known);
    }
}

/// Everything that a test depends on; another program may test otherwise.
fn digest(key: &PairKey) -> String {
    let parts = [crate::engine::engine(), &key.first, &key.second, &key.test];
    let text: Vec<String> = parts.iter().map(|part| format!("{}:{part}", part.len())).collect();
    sha256(text.concat().as_bytes())
}

fn row(digest: String, key: &PairKey, tested: &TestedPair) -> Option<ComparisonRow> {
    Some(ComparisonRow {
        key: digest,
        evaluations: serde_json::to_string(&[&key.first, &key.second]).ok()?,
        settings: key.test.split(' ').next().unwrap_or_default().to_owned(),
        body: serde_json::to_string(tested).ok()?,
    })
}

impl PairKeeper for PairTests {
    fn kept(&self, keys: &[PairKey]) -> Vec<Option<TestedPair>> {
        let keys: Vec<String> = keys.iter().map(digest).collect();
        let mut found: Vec<Option<TestedPair>> = {
            let kept = locked(&self.kept);
            keys.iter().map(|key| kept.get(key).cloned()).collect()
        };
        self.look_up(&keys, &mut found);
        found
    }

    fn keep(&self, tested: &[(&PairKey, &TestedPair)]) {
        if tested.is_empty() {
            return;
        }
        let digests: Vec<String> = tested.iter().map(|(key, _)| digest(key)).collect();
        let rows = digests.iter().zip(tested);
        let rows = rows.filter_map(|(digest, (key, tested))| row(digest.clone(), key, tested));
        let rows: Vec<ComparisonRow> = rows.collect();
        self.remember(digests.into_iter().zip(tested.iter().map(|(_, tested)| (*tested).clone())));
        if let Some(workspace) = &self.workspace {
            let store = workspace.store().clone();
            workspace.later(async move {
                // Without it they are made again after a restart, and nothing else is lost.
                let _ = store.keep_comparisons(&rows).await;
            });
        }
    }
}
