//! Two clusterings as tests write them, and their measures by name.

use karat_measures::clustering::*;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::path::Path;

type Measure = fn(&Contingency) -> Credit;

pub(crate) const COUNTED: [(&str, Measure); 10] = [
    ("muc", muc::count),
    ("b_cubed", b_cubed::count),
    ("mention_ceaf", mention_ceaf::count),
    ("entity_ceaf", entity_ceaf::count),
    ("pairwise", pairwise::count),
    ("pairwise_negative", pairwise_negative::count),
    ("lea", lea::count),
    ("cs_b_cubed", cs_b_cubed::count),
    ("mention_cs_ceaf", mention_cs_ceaf::count),
    ("entity_cs_ceaf", entity_cs_ceaf::count),
];

pub(crate) fn count(name: &str, table: &Contingency) -> Credit {
    let found = COUNTED.iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("no measure {name}")).1(table)
}

pub(crate) fn score(name: &str, table: &Contingency) -> ClusterScores {
    match name {
        "blanc" => blanc::score(table),
        _ => count(name, table).scores(),
    }
}

/// The table of clusterings written as `abc de`: a letter is an item, a word a cluster.
pub(crate) fn letters(gold: &str, system: &str) -> Contingency {
    let items = |side: &str| -> Vec<(char, u32)> {
        let words = side.split_whitespace().zip(0..);
        words.flat_map(|(word, cluster)| word.chars().map(move |item| (item, cluster))).collect()
    };
    table(items(gold), items(system))
}

/// The table of items with their clusters; an item is once on each side.
pub(crate) fn table<I: Hash + Eq + Ord, C: Hash + Eq>(
    gold: impl IntoIterator<Item = (I, C)>,
    system: impl IntoIterator<Item = (I, C)>,
) -> Contingency {
    let mut items: BTreeMap<I, (Option<u32>, Option<u32>)> = BTreeMap::new();
    let mut gold_ids = HashMap::new();
    for (item, cluster) in gold {
        let next = gold_ids.len() as u32;
        items.entry(item).or_default().0 = Some(*gold_ids.entry(cluster).or_insert(next));
    }
    let mut system_ids = HashMap::new();
    for (item, cluster) in system {
        let next = system_ids.len() as u32;
        items.entry(item).or_default().1 = Some(*system_ids.entry(cluster).or_insert(next));
    }
    Contingency::new(items.into_values())
}

/// Rounded as printed in papers.
pub(crate) fn rounded(score: f64) -> f64 {
    (score * 1000.0).round() / 1000.0
}

/// Spans with their entities, from neleval's columns.
pub(crate) fn mentions(path: &Path) -> Vec<([String; 3], String)> {
    let text = std::fs::read_to_string(path).unwrap();
    let line = |line: &str| {
        let mut fields = line.split('\t').map(str::to_owned);
        let mut next = || fields.next().unwrap_or_default();
        ([next(), next(), next()], next())
    };
    text.lines().map(line).collect()
}
