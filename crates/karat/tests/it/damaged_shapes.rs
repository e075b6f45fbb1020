//! The files of the table of recognition with something wrong in them, as happens to files by hand, by scripts and on the
//! way: lines and columns that are lost, doubled or swapped, numbers out of range, another format in the middle.
//! Whatever comes of it, a reader gives a corpus or a located problem, and what it read survives being written. The number
//! of cases is fixed, and so are the cases; the fuzz targets in `fuzz/` go on from here.

use crate::recognised_files::FILES;
use crate::round_trip_rule::obeys;
use karat::formats::{Format, Input, ReadOptions, Registry, Source};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// How many damaged files are made of each row.
const CASES: usize = 60;

/// What stands where a number was.
const NUMBERS: [&str; 10] =
    ["0", "-1", "1", "7.5", "1e3", "4294967295", "4294967296", "18446744073709551616", "", "x"];

/// What stands where a word was.
const WORDS: [&str; 12] =
    ["", "_", "-", "*", "NIL", "null", "O", "B-X", "\u{feff}", "é😀", "a|b[1]", "(1)"];

#[test]
fn damaged_files_are_read_or_refused() {
    let registry = karat::registry();
    let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[11; 32]);
    for (name, content) in FILES {
        let format = registry.find(name).unwrap();
        for _ in 0..CASES {
            let mut damaged = (*content).to_owned();
            for _ in 0..rng.random_range(1..4) {
                damaged = damage(&damaged, &mut rng);
            }
            survives(&registry, format, &damaged);
        }
    }
}

/// One thing goes wrong.
fn damage(content: &str, rng: &mut TestRng) -> String {
    let mut lines: Vec<String> = content.split('\n').map(str::to_owned).collect();
    let at = rng.random_range(0..lines.len());
    let other = rng.random_range(0..lines.len());
    match rng.random_range(0..13) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(other, lines[at].clone()),
        2 => lines.swap(at, other),
        3 | 4 => lines[at] = fields(&lines[at], rng),
        5 | 6 => lines[at] = with_number(&lines[at], rng),
        7 | 8 => lines[at] = with_word(&lines[at], rng),
        9 => {
            let cut = boundary(content, rng);
            return content[..cut].to_owned();
        }
        10 => {
            let from = boundary(content, rng);
            let to =
                content[from..].char_indices().nth(1).map_or(content.len(), |(at, _)| from + at);
            return [&content[..from], &content[to..]].concat();
        }
        11 => {
            let (_, stranger) = FILES[rng.random_range(0..FILES.len())];
            lines.insert(at, stranger.lines().next().unwrap_or_default().to_owned());
        }
        _ => return content.to_owned() + content,
    }
    lines.join("\n")
}

fn boundary(content: &str, rng: &mut TestRng) -> usize {
    let mut at = rng.random_range(0..=content.len());
    while !content.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A column is lost, doubled or swapped.
fn fields(line: &str, rng: &mut TestRng) -> String {
    let mut fields: Vec<&str> = line.split('\t').collect();
    let (at, other) = (rng.random_range(0..fields.len()), rng.random_range(0..fields.len()));
    match rng.random_range(0..3) {
        0 => drop(fields.remove(at)),
        1 => fields.insert(at, fields[other]),
        _ => fields.swap(at, other),
    }
    fields.join("\t")
}

/// A number is another one.
fn with_number(line: &str, rng: &mut TestRng) -> String {
    let number = NUMBERS[rng.random_range(0..NUMBERS.len())];
    replaced(line, number, |c| c.is_ascii_digit(), rng)
}

/// A word is another one.
fn with_word(line: &str, rng: &mut TestRng) -> String {
    let word = WORDS[rng.random_range(0..WORDS.len())];
    replaced(line, word, char::is_alphanumeric, rng)
}

fn replaced(line: &str, by: &str, is_part: impl Fn(char) -> bool, rng: &mut TestRng) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, character) in line.char_indices().filter(|(_, character)| is_part(*character)) {
        let end = at + character.len_utf8();
        match runs.last_mut() {
            Some((_, last)) if *last == at => *last = end,
            _ => runs.push((at, end)),
        }
    }
    if runs.is_empty() {
        return line.to_owned();
    }
    let (from, to) = runs[rng.random_range(0..runs.len())];
    [&line[..from], by, &line[to..]].concat()
}

fn survives(registry: &Registry, format: &'static dyn Format, content: &str) {
    let name = format.info().name;
    let attempt = || {
        let input = Input::from(Source::memory("file", content));
        for from in [None, Some(name)] {
            for lenient in [false, true] {
                let options = ReadOptions { lenient, threads: 1, ..ReadOptions::default() };
                match registry.read(&input, from, &options) {
                    Err(problem) => assert!(problem.hint.is_some(), "{name}: {problem}"),
                    Ok(outcome) if from.is_some() => obeys(registry, format, &outcome.corpus),
                    Ok(_) => {}
                }
            }
        }
    };
    if std::panic::catch_unwind(std::panic::AssertUnwindSafe(attempt)).is_err() {
        panic!("{name} fails on {content:?}");
    }
}
