//! Times look-ups in a knowledge base: `lookups FILE`.

#![allow(clippy::print_stdout)]

use karat_kb::{KbError, KnowledgeBase};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

/// How many keys are asked for, again and again.
const KEYS: usize = 1_000_000;

fn main() -> Result<(), KbError> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let start = Instant::now();
    let base = KnowledgeBase::open(Path::new(&path))?;
    println!("open: {:.3} ms", start.elapsed().as_secs_f64() * 1e3);
    let step = (base.sizes().entities as usize / KEYS).max(1);
    let mut ids: Vec<String> =
        base.entities().step_by(step).map(|entity| entity.id().to_owned()).collect();
    let step = (base.sizes().mentions as usize / KEYS).max(1);
    let mut texts: Vec<String> =
        base.mentions().step_by(step).map(|(text, _)| text.to_owned()).collect();
    // In no order of the file: what is asked for next is seldom near.
    ids.sort_by_key(|id| id.bytes().rev().collect::<Vec<u8>>());
    texts.sort_by_key(|text| text.bytes().rev().collect::<Vec<u8>>());
    time("entity", &ids, |id| base.entity(id).is_some());
    time("entity, name read", &ids, |id| base.entity(id).and_then(|e| e.name()).is_some());
    time("resolve", &ids, |id| !base.resolve(id).is_empty());
    time("candidates", &texts, |text| base.candidates(text).known().is_some());
    base.check()
}

fn time(what: &str, keys: &[String], ask: impl Fn(&str) -> bool) {
    // The first round warms up.
    for round in ["cold", "warm"] {
        let (start, cpu) = (Instant::now(), cpu_seconds());
        let found = keys.iter().filter(|key| black_box(ask(key))).count();
        let each = |seconds: f64| seconds * 1e6 / keys.len().max(1) as f64;
        let (wall, cpu) = (each(start.elapsed().as_secs_f64()), each(cpu_seconds() - cpu));
        println!(
            "{what}, {round}: {wall:.2} us, CPU {cpu:.2} us ({found} of {} found)",
            keys.len()
        );
    }
}

/// What this process took of the processor so far; on a busy machine the clock says little.
/// Zero where Linux does not tell.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}
