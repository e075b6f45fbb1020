//! How long the table of two clusterings and each of its measures take.
//!
//! ```text
//! cargo bench -p karat-measures                             clusterings made up here
//! cargo bench -p karat-measures -- GOLD.tsv SYSTEM.tsv      two files in neleval's format
//! ```
//!
//! Clusters are the mentions of an entity over all documents. One thread; reading is
//! not timed. The best of three is printed.
#![allow(clippy::print_stdout, clippy::expect_used, missing_docs)]

use karat_measures::clustering::*;
use std::collections::HashMap;
use std::time::{Duration, Instant};

type Items = Vec<(Option<u32>, Option<u32>)>;

type Measure = fn(&Contingency) -> ClusterScores;

const MEASURES: [(&str, Measure); 11] = [
    ("muc", |table| muc::count(table).scores()),
    ("b_cubed", |table| b_cubed::count(table).scores()),
    ("mention_ceaf", |table| mention_ceaf::count(table).scores()),
    ("entity_ceaf", |table| entity_ceaf::count(table).scores()),
    ("pairwise", |table| pairwise::count(table).scores()),
    ("pairwise_negative", |table| pairwise_negative::count(table).scores()),
    ("blanc", blanc::score),
    ("lea", |table| lea::count(table).scores()),
    ("cs_b_cubed", |table| cs_b_cubed::count(table).scores()),
    ("mention_cs_ceaf", |table| mention_cs_ceaf::count(table).scores()),
    ("entity_cs_ceaf", |table| entity_cs_ceaf::count(table).scores()),
];

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let items = match &files[..] {
        [gold, system] => read(gold, system),
        _ => made_up(2_000_000, 500_000),
    };
    let (table, mut total) = timed(|| Contingency::new(items.iter().copied()));
    println!("{} gold items, {} system items", table.gold_items(), table.system_items());
    let clusters = (table.gold_sizes().len(), table.system_sizes().len());
    println!("{} gold clusters, {} system clusters", clusters.0, clusters.1);
    println!("{} pairs of clusters meet", table.cells().len());
    println!("{:<18} {:>7.1} ms", "table", milliseconds(total));
    for (name, score) in MEASURES {
        let (scores, time) = timed(|| score(&table));
        total += time;
        let ClusterScores { precision, recall, f1 } = scores;
        let time = milliseconds(time);
        println!("{name:<18} {time:>7.1} ms   {precision:.6} {recall:.6} {f1:.6}");
    }
    println!("{:<18} {:>7.1} ms", "together", milliseconds(total));
}

fn timed<T>(run: impl Fn() -> T) -> (T, Duration) {
    let once = || {
        let start = Instant::now();
        (run(), start.elapsed())
    };
    (0..2).map(|_| once()).fold(once(), |best, next| if next.1 < best.1 { next } else { best })
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn read(gold: &str, system: &str) -> Items {
    let gold = std::fs::read_to_string(gold).expect("the gold file can be read");
    let system = std::fs::read_to_string(system).expect("the system file can be read");
    let mut places = HashMap::new();
    let mut items = Items::new();
    let mut entities = HashMap::new();
    for (side, text) in [&gold, &system].into_iter().enumerate() {
        for line in text.lines() {
            let (span, entity) = span_and_entity(line);
            let next = entities.len() as u32;
            let entity = *entities.entry(entity).or_insert(next);
            let place = *places.entry(span).or_insert(items.len());
            if place == items.len() {
                items.push((None, None));
            }
            let item = &mut items[place];
            *(if side == 0 { &mut item.0 } else { &mut item.1 }) = Some(entity);
        }
    }
    items
}

fn span_and_entity(line: &str) -> (&str, &str) {
    let third_tab = line.match_indices('\t').nth(2).map_or(line.len(), |(at, _)| at);
    let (span, rest) = line.split_at(third_tab);
    (span, rest.trim_start_matches('\t').split('\t').next().unwrap_or_default())
}

/// Items whose clusters have sizes after Zipf's law. Of ten, seven are clustered alike
/// on both sides, two differently, and one is missing on one side.
fn made_up(items: usize, clusters: u32) -> Items {
    let mut state = 42_u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut cluster = move || f64::from(clusters).powf(random()) as u32;
    let item = |index: usize| {
        let (gold, other) = (cluster(), cluster());
        match index % 20 {
            0..14 => (Some(gold), Some(gold)),
            14..18 => (Some(gold), Some(other)),
            18 => (Some(gold), None),
            _ => (None, Some(other)),
        }
    };
    (0..items).map(item).collect()
}
