//! Times searches in a knowledge base that has an index: `searches FILE`.

#![allow(clippy::print_stdout)]

use karat_kb::KnowledgeBase;
use karat_search::{SearchIndex, folder_of};
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let base = KnowledgeBase::open(Path::new(&path))?;
    let index = SearchIndex::open(&base, &folder_of(Path::new(&path)))?;
    println!("{} texts", index.len());
    let step = (base.sizes().mentions as usize / 200).max(1);
    let texts: Vec<&str> = base.mentions().step_by(step).map(|(text, _)| text).collect();
    let cut = |text: &str, letters: usize| text.chars().take(letters).collect::<String>();
    let misspelled = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        if letters.len() > 3 {
            letters.swap(1, 2);
        }
        letters.into_iter().collect::<String>()
    };
    time("whole texts", texts.iter().map(|text| (*text).to_owned()), &index, &base)?;
    time("misspelled", texts.iter().map(|text| misspelled(text)), &index, &base)?;
    for letters in [2, 3, 5, 8] {
        let begun = texts.iter().map(|text| cut(text, letters));
        time(&format!("{letters} letters"), begun, &index, &base)?;
    }
    Ok(())
}

fn time(
    what: &str,
    texts: impl Iterator<Item = String>,
    index: &SearchIndex,
    base: &KnowledgeBase,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut times = Vec::new();
    let mut found = 0;
    for text in texts {
        let start = Instant::now();
        found += usize::from(!index.search(base, &text, 10)?.is_empty());
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or(0.0);
    println!(
        "{what}: median {:.2} ms, 95% below {:.2} ms, slowest {:.2} ms ({found} of {} found)",
        at(0.5),
        at(0.95),
        times.last().copied().unwrap_or(0.0),
        times.len()
    );
    Ok(())
}
