//! Clusters as a measure of a corpus.

use super::Contingency;
use crate::asked::counted;
use crate::fields::Fields;
use crate::measure::{Compute, CorpusMeasure, Gathered, Numbers, Scores, credit_scores};
use crate::score::{Credit, Zero};
use karat_match::{Agreement, Criteria, Keep, Link, Matcher, Scene, Settings, Side};
use std::sync::Arc;

/// How a table is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counting {
    /// What counts it.
    pub(crate) count: fn(&Contingency) -> Credit,
    /// What kind of numbers it gives.
    pub(crate) numbers: Numbers,
}

/// A measure of clusters: mentions with the same entity, or the same NIL cluster,
/// belong together, over all documents.
#[derive(Debug)]
pub(crate) struct Clusters {
    items: Items,
    counting: Counting,
}

/// What is in clusters.
#[derive(Debug)]
enum Items {
    /// Mentions by their numbers.
    Matched(Criteria),
    /// Mentions by anything that they say.
    Said(Fields),
}

impl Items {
    /// The keys of a side, each with the item that has it.
    fn keys(&self, side: &Side<'_>, settings: &Settings) -> Vec<(u128, u32)> {
        match self {
            Items::Matched(criteria) => Matcher::new(settings, *criteria).keys(side),
            Items::Said(fields) => fields.meant_items(side, settings),
        }
    }

    /// The keys of optional gold.
    fn optional_keys(&self, gold: &Side<'_>, settings: &Settings) -> Vec<u128> {
        match self {
            Items::Matched(criteria) => Matcher::new(settings, *criteria).optional_keys(gold),
            Items::Said(fields) => fields.set(gold, true),
        }
    }
}

/// A measure that counts clusters of all items, with this agreement.
pub(super) fn clusters(agree: Agreement, counting: Counting) -> Compute {
    Compute::Corpus(Arc::new(Clusters::new(Criteria::new(Keep::All, agree), counting)))
}

impl Clusters {
    pub(crate) fn new(criteria: Criteria, counting: Counting) -> Clusters {
        Clusters { items: Items::Matched(criteria), counting }
    }

    /// The same for items that are told apart by these fields.
    pub(crate) fn of_fields(fields: Fields, counting: Counting) -> Clusters {
        Clusters { items: Items::Said(fields), counting }
    }
}

impl CorpusMeasure for Clusters {
    fn attributes(&self) -> Vec<&str> {
        match &self.items {
            Items::Matched(_) => Vec::new(),
            Items::Said(fields) => fields.attributes(),
        }
    }

    fn purpose(&self) -> String {
        format!("clusters of {:?}", self.items)
    }

    fn gather(&self, settings: &Settings, scene: &Scene<'_>, gathered: &mut Gathered) {
        let part = counted(scene);
        let scene = part.as_ref().unwrap_or(scene);
        let of = |side: &Side<'_>| -> Vec<(u128, u32)> {
            let cluster = |at: u32| cluster(side.items[at as usize].link, settings);
            let keys = self.items.keys(side, settings).into_iter();
            keys.map(|(key, at)| (key, cluster(at))).collect()
        };
        let (gold, mut system) = (of(&scene.gold), of(&scene.system));
        let forgiven = self.items.optional_keys(&scene.gold, settings);
        if !forgiven.is_empty() {
            // Keys come in order from both sides, so every lookup is a search and the loop below is
            // a merge.
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
        <[f64; 4]>::from((self.counting.count)(gathered.contingency())).to_vec()
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        credit_scores(counts, zero)
    }

    fn numbers(&self) -> Numbers {
        self.counting.numbers
    }

    fn takes_one_of_a_span(&self) -> bool {
        true
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
