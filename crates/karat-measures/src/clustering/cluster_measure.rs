//! Clusters as a measure of a corpus.

use super::Contingency;
use crate::asked::counted;
use crate::measure::{Compute, CorpusMeasure, Gathered, Scores, credit_scores};
use crate::score::{Credit, Zero};
use karat_match::{Agreement, Criteria, Keep, Link, Matcher, Scene, Settings, Side};
use std::sync::Arc;

/// What counts a table.
pub(crate) type Count = fn(&Contingency) -> Credit;

/// A measure of clusters: mentions with the same entity, or the same NIL cluster,
/// belong together, over all documents.
#[derive(Debug)]
pub(crate) struct Clusters {
    criteria: Criteria,
    count: Count,
}

/// A measure that counts clusters of all items, with this agreement.
pub(super) fn clusters(agree: Agreement, count: Count) -> Compute {
    Compute::Corpus(Arc::new(Clusters::new(Criteria::new(Keep::All, agree), count)))
}

impl Clusters {
    pub(crate) fn new(criteria: Criteria, count: Count) -> Clusters {
        Clusters { criteria, count }
    }
}

impl CorpusMeasure for Clusters {
    fn purpose(&self) -> String {
        format!("clusters of {:?}", self.criteria)
    }

    fn gather(&self, settings: &Settings, scene: &Scene<'_>, gathered: &mut Gathered) {
        let part = counted(scene);
        let scene = part.as_ref().unwrap_or(scene);
        let matcher = Matcher::new(settings, self.criteria);
        let of = |side: &Side<'_>| -> Vec<(u128, u32)> {
            let cluster = |at: u32| cluster(side.items[at as usize].link, settings);
            matcher.keys(side).into_iter().map(|(key, at)| (key, cluster(at))).collect()
        };
        let (gold, mut system) = (of(&scene.gold), of(&scene.system));
        let forgiven = matcher.optional_keys(&scene.gold);
        if !forgiven.is_empty() {
            let is_asked = |key: &u128| gold.binary_search_by_key(key, |&(key, _)| key).is_ok();
            system.retain(|(key, _)| forgiven.binary_search(key).is_err() || is_asked(key));
        }
        let (mut gold, mut system) = (gold.iter().peekable(), system.iter().peekable());
        loop {
            let row = match (gold.peek(), system.peek()) {
                (None, None) => return,
                (Some(&&(left, cluster)), Some(&&(right, other))) if left == right => {
                    gold.next();
                    system.next();
                    [cluster, other]
                }
                (Some(&&(left, cluster)), right)
                    if right.is_none_or(|(right, _)| left < *right) =>
                {
                    gold.next();
                    [cluster, Gathered::ABSENT]
                }
                (_, other) => {
                    let cluster = other.map_or(Gathered::ABSENT, |(_, cluster)| *cluster);
                    system.next();
                    [Gathered::ABSENT, cluster]
                }
            };
            gathered.clusters.push(row);
        }
    }

    fn columns(&self) -> &'static [&'static str] {
        &Credit::COLUMNS
    }

    fn total(&self, gathered: &Gathered) -> Vec<f64> {
        <[f64; 4]>::from((self.count)(gathered.contingency())).to_vec()
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        credit_scores(counts, zero)
    }
}

/// The number of the cluster that a link names.
fn cluster(link: Link, settings: &Settings) -> u32 {
    match (link.entity(), link.cluster()) {
        (None, None) if settings.one_nil_cluster => Link::NIL.code(),
        (None, None) => Gathered::ALONE,
        _ => link.code(),
    }
}
