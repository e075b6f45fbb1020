//! Hostile input: whatever the bytes, a reader gives a corpus or a problem and
//! never panics. The fuzz targets in `fuzz/` do the same for longer.

use crate::generate;
use karat::formats::{Format, Input, Output, ReadOptions, Registry, Source};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::time::{Duration, Instant};

/// Characters that mean something to one format or another.
const ALPHABET: &[u8] =
    b"{}[]()\"'<>/=:;,.\\\t\n\r |#@^&%_-+*$?!0123456789aeintxzABEGILNOQS\xc3\xa9\xf0\x9f";
/// Pieces that lead deeper into the parsers than single characters do.
const PIECES: &[&str] = &[
    "NIL",
    "Q64",
    "null",
    "true",
    "\"text\":",
    "\"start\":",
    "\"end\":",
    "\"id\":",
    "\"span\":",
    "[0,6]",
    "-1",
    "1e999",
    "99999999999999999999",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "NaN",
    "\\u",
    "\\ud83d",
    "&#x;",
    "&lt;",
    "<![CDATA[",
    "<?xml",
    "<!DOCTYPE",
    "]]>",
    "-DOCSTART-",
    "\u{feff}",
    "\u{2028}",
    "\0",
    "😀",
    "e\u{301}",
    "[[[[[[[[",
    "{\"a\":",
    "<a><a><a>",
    "@prefix",
    "\"\"\"",
    "|t|",
    "|a|",
    "T1\t",
    "B-LOC",
    "<NIL>",
    "#char=0,6",
    "\r\n",
    "\n\n",
];
/// How long all formats together may take; slower machines try fewer inputs.
const TIME: Duration = Duration::from_secs(8);
const ROUNDS: usize = 3000;

#[test]
fn no_bytes_make_a_reader_panic() {
    let registry = karat::registry();
    let formats: Vec<_> = registry.formats().collect();
    let mut runner = runner();
    for format in &formats {
        let seeds = seeds(&registry, *format, &mut runner);
        let deadline = Instant::now() + TIME / formats.len() as u32;
        for round in 0..ROUNDS {
            if Instant::now() > deadline {
                break;
            }
            let rng = runner.rng();
            let bytes = match (round % 4, seeds.is_empty()) {
                (0, _) => random_bytes(rng),
                (1, _) | (_, true) => random_pieces(rng),
                _ => damaged(&seeds[rng.random_range(0..seeds.len())], rng),
            };
            survives(&registry, *format, bytes);
        }
    }
}

#[test]
fn every_format_has_a_fuzz_target() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz");
    let manifest = std::fs::read_to_string(format!("{folder}/Cargo.toml")).unwrap();
    for format in karat::registry().formats() {
        let name = format.info().name;
        let target = std::fs::read_to_string(format!("{folder}/fuzz_targets/{name}.rs"));
        assert!(target.is_ok_and(|t| t.contains(&format!("reader!(\"{name}\")"))), "{name}");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
}

/// The same numbers in every run, so that a failure comes back.
fn runner() -> TestRunner {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    TestRunner::new_with_rng(Config::default(), rng)
}

/// Valid files of a format: generated corpora and the sample, as its writer writes them.
fn seeds(
    registry: &Registry,
    format: &'static dyn Format,
    runner: &mut TestRunner,
) -> Vec<Vec<u8>> {
    let Some(layout) = format.info().writes else { return Vec::new() };
    let plans = generate::plans();
    let mut corpora: Vec<_> = (0..8)
        .map(|number| {
            let plan = plans.new_tree(runner).unwrap().current();
            generate::corpus(&plan, number % 2 == 1)
        })
        .collect();
    let sample = karat::sample::gold().into();
    corpora.push(registry.read(&sample, None, &ReadOptions::default()).unwrap().corpus);
    let mut files = Vec::new();
    for corpus in corpora {
        let mut output = Output::memory(layout);
        if registry.write(&corpus, format, &mut output).is_ok() {
            files.extend(
                output.into_sources().iter().map(|file| file.bytes(None).unwrap().to_vec()),
            );
        }
    }
    files
}

fn random_bytes(rng: &mut TestRng) -> Vec<u8> {
    let length = rng.random_range(0..200);
    (0..length).map(|_| rng.random()).collect()
}

fn random_pieces(rng: &mut TestRng) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..rng.random_range(0..80) {
        if rng.random_range(0..4) == 0 {
            bytes.extend_from_slice(PIECES[rng.random_range(0..PIECES.len())].as_bytes());
        } else {
            bytes.push(ALPHABET[rng.random_range(0..ALPHABET.len())]);
        }
    }
    bytes
}

/// A valid file with one to four things wrong with it.
fn damaged(seed: &[u8], rng: &mut TestRng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..rng.random_range(1..5) {
        let at = rng.random_range(0..bytes.len() + 1);
        let to = (at + rng.random_range(0..40)).min(bytes.len());
        match rng.random_range(0..6) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] ^= 1 << rng.random_range(0..8),
            2 => drop(bytes.splice(to..to, bytes[at..to].to_vec())),
            3 => drop(bytes.drain(at..to)),
            4 => drop(bytes.splice(at..at, PIECES[rng.random_range(0..PIECES.len())].bytes())),
            _ => drop(bytes.splice(at..to, random_pieces(rng))),
        }
    }
    bytes
}

fn survives(registry: &Registry, format: &'static dyn Format, bytes: Vec<u8>) {
    let info = format.info();
    let name = format!("hostile.{}", info.extensions.first().unwrap_or(&"txt"));
    let attempt = || {
        let source = Source::memory(&name, bytes.clone());
        let _ = registry.detect(&source);
        let input = Input::from(source);
        for lenient in [false, true] {
            let options = ReadOptions { lenient, threads: 1, ..ReadOptions::default() };
            let _ = registry.read(&input, Some(info.name), &options);
        }
    };
    if std::panic::catch_unwind(std::panic::AssertUnwindSafe(attempt)).is_err() {
        panic!("{} panics on {:?}", info.name, String::from_utf8_lossy(&bytes));
    }
}
