//! Times searches in a knowledge base that has an index, by the kind of what is asked:
//! `searches FILE`.

#![allow(clippy::print_stdout)]

use karat_kb::KnowledgeBase;
use karat_search::{SearchIndex, folder_of};
use std::path::Path;
use std::time::Instant;

/// So many texts of the base are asked for, in every way.
const TEXTS: usize = 200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let base = KnowledgeBase::open(Path::new(&path))?;
    let start = Instant::now();
    let index = SearchIndex::open(&base, &folder_of(Path::new(&path)))?;
    println!("{} texts, opened in {:.2} ms", index.len(), milliseconds(start));
    let step = (base.sizes().mentions as usize / TEXTS).max(1);
    let texts: Vec<&str> = base.mentions().step_by(step).map(|(text, _)| text).collect();
    let several = || texts.iter().copied().filter(|text| text.contains(' '));
    let time = |what: &str, asked: Vec<String>| time(what, &asked, &index, &base);
    for letters in [1, 2, 3, 4, 5, 8] {
        let what = if letters == 1 { "1 letter" } else { &format!("{letters} letters") };
        time(what, texts.iter().map(|text| cut(text, letters)).collect())?;
    }
    time("a first word", texts.iter().map(|text| first_word(text).to_owned()).collect())?;
    time("whole texts", texts.iter().map(|&text| text.to_owned()).collect())?;
    time("several words", several().map(str::to_owned).collect())?;
    for letters in [1, 2, 3] {
        let what = format!("a word and {letters} of the next");
        time(
            &what,
            several()
                .map(|text| cut(text, first_word(text).chars().count() + 1 + letters))
                .collect(),
        )?;
    }
    time("misspelled", texts.iter().map(|text| misspelled(text)).collect())?;
    time("misspelled and cut", texts.iter().map(|text| cut(&misspelled(text), 6)).collect())
}

fn cut(text: &str, letters: usize) -> String {
    text.chars().take(letters).collect()
}

fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or(text)
}

/// With the second and the third letter exchanged.
fn misspelled(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    if letters.len() > 3 {
        letters.swap(1, 2);
    }
    letters.into_iter().collect()
}

fn time(
    what: &str,
    texts: &[String],
    index: &SearchIndex,
    base: &KnowledgeBase,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut times = Vec::new();
    let mut found = 0;
    for text in texts {
        let start = Instant::now();
        found += usize::from(!index.search(base, text, 10)?.is_empty());
        times.push(milliseconds(start));
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

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}
