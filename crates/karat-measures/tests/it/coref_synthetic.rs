//! A large component: 40 000 mentions whose entities follow Zipf's law, of which
//! most clusters hang together. The totals were found with a dense solver (scipy's
//! `linear_sum_assignment`) for each component.
//!
//! The files are those of `synthetic.py 10000 20 50000 synth200k` (seed 42), in the
//! folder `synthetic` of the data.

use crate::clusterings::{count, mentions, rounded, table};
use crate::data;
use std::collections::HashSet;

#[test]
fn forty_thousand_mentions() {
    let Some(gold) = data::file("synthetic/synth200k.gold.tsv") else { return };
    let Some(system) = data::file("synthetic/synth200k.sysA.tsv") else { return };
    let mut gold = mentions(&gold);
    gold.truncate(40_000);
    let documents: HashSet<String> = gold.iter().map(|(span, _)| span[0].clone()).collect();
    let mut system = mentions(&system);
    system.retain(|(span, _)| documents.contains(&span[0]));
    let table = table(gold, system);
    assert_eq!((table.gold_sizes().len(), table.system_sizes().len()), (12_783, 13_563));
    assert_eq!(count("mention_ceaf", &table).rtp, 27_753.0);
    assert_eq!(rounded(count("entity_ceaf", &table).rtp), 8_911.417);
}
