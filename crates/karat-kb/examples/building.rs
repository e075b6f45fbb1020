//! Builds a knowledge base of made-up entities, without reading any input: `building FILE ENTITIES MIB`.

#![allow(clippy::print_stdout)]

use karat_kb::{Builder, FactCoverage, Facts, KbError};
use std::path::Path;
use std::time::Instant;

const SYLLABLES: [&str; 8] = ["ba", "de", "ki", "lo", "mu", "na", "re", "si"];

fn main() -> Result<(), KbError> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_default();
    let number =
        |text: Option<String>, default| text.and_then(|n| n.parse().ok()).unwrap_or(default);
    let entities: u64 = number(arguments.next(), 1_000_000);
    let memory = number(arguments.next(), 512) as usize;
    let start = Instant::now();
    let mut builder = Builder::bounded(Path::new(&path), memory << 20)?;
    builder.covers(FactCoverage::Mentions);
    let mut state = 7;
    for count in 0..entities {
        // Seven thousand and some is prime to every round number: ids come in no order.
        let id = format!("Q{}", count.wrapping_mul(7_919) % entities);
        let names = [name(&mut state), name(&mut state), name(&mut state)];
        let facts = Facts {
            name: Some(&names[0]),
            description: Some("a made-up thing"),
            popularity: Some(next(&mut state) % 400),
            types: Some(vec!["Q515"]),
            aliases: vec![&names[1], &names[2]],
            ..Facts::default()
        };
        builder.entity(&id, &facts)?;
        for text in &names {
            builder.mention(text, &id, None)?;
        }
        builder.redirect(&format!("Old_{id}"), &format!("Title_{id}"))?;
        builder.title(&format!("Title {id}"), &id)?;
    }
    println!("said after {:.1} s", start.elapsed().as_secs_f64());
    let base = builder.finish()?;
    println!("built after {:.1} s: {:?}", start.elapsed().as_secs_f64(), base.sizes());
    Ok(())
}

/// One to three words of two to four syllables.
fn name(state: &mut u64) -> String {
    let mut name = String::new();
    for word in 0..next(state) % 3 + 1 {
        if word > 0 {
            name.push(' ');
        }
        for _ in 0..next(state) % 3 + 2 {
            name.push_str(SYLLABLES[(next(state) % 8) as usize]);
        }
    }
    name
}

/// SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
