//! Hostile input: whatever the bytes, a reader gives a corpus or a problem and
//! never panics. The fuzz targets in `fuzz/` do the same for longer.

use crate::generate;
use crate::recognised_files::FILES;
use karat::formats::{Format, Input, Kind, Output, ReadOptions, Registry, Source};
use karat::model::OffsetUnit;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Characters that mean something to one format or another.
const ALPHABET: &[u8] =
    b"{}[]()\"'<>/=:;,.\\\t\n\r |#@^&%_-+*$?!0123456789aeintxzABEGILNOQS\xc3\xa9\xf0\x9f";
/// Pieces that lead deeper into the parsers than single characters do.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "NIL", "Q64", "null", "true", "\"text\":", "\"start\":", "\"end\":", "\"id\":", "\"span\":",
    "[0,6]", "-1", "1e999", "99999999999999999999", "4294967295", "4294967296",
    "18446744073709551615", "NaN", "\\u", "\\ud83d", "&#x;", "&lt;", "<![CDATA[", "<?xml",
    "<!DOCTYPE", "]]>", "-DOCSTART-", "\u{feff}", "\u{2028}", "\0", "😀", "e\u{301}", "[[[[[[[[",
    "{\"a\":", "<a><a><a>", "@prefix", "\"\"\"", "|t|", "|a|", "T1\t", "B-LOC", "<NIL>",
    "#char=0,6", "\r\n", "\n\n", "-DOCSTART- (d)\n", "B", "I-1", "# document_id = x\n",
    "TOKEN\tNE-COARSE-LIT\tNEL-LIT\tMISC\n", "x\tB-a\tQ1|Q2\tPartial-0:1\n", "Partial-1:4294967295",
    "EndOfSentence|NoSpaceAfter", "<kbpentlink>", "<query id=\"a\">", "<docid>d</docid>",
    "<beg>0</beg>", "<end>4294967295</end>", "</query>", "&amp;", "&bad;", "D:1-2",
    "D:0-4294967295", "--NME--", "http://x", "#begin document (d); part 000\n", "d 0 0 x (1|(2)\n",
    "#end document\n", "_", "1.5",
    "{\"id\": 1, \"text\": \"é\", \"index\": [[0, 1]], \"wikipedia_titles\": [\"t\"]}\n",
];
/// How many inputs each format is given.
const ROUNDS: usize = 300;
/// The unit of the format, and what the user may say instead.
const UNITS: [Option<OffsetUnit>; 3] = [None, Some(OffsetUnit::Bytes), Some(OffsetUnit::Utf16)];
/// Formats whose files are containers: one that does not decode tells nothing about where its
/// next record begins, and a record is in pieces all over the file, column by column (the
/// tokens of all documents together, in spaCy's). All others stop a lenient reading only
/// at bytes that are no text.
const ALL_OR_NOTHING: [&str; 3] = ["arrow", "parquet", "spacy"];

/// A file by its name and content.
type File = (String, Vec<u8>);

#[test]
fn no_bytes_make_a_reader_panic() {
    let registry = karat::registry();
    let formats: Vec<_> = registry.formats().collect();
    for format in &formats {
        let mut runner = runner();
        let seeds = seeds(&registry, *format, &mut runner);
        let name = format!("hostile.{}", format.info().extensions.first().unwrap_or(&"txt"));
        for round in 0..ROUNDS {
            let rng = runner.rng();
            let files = match (round % 4, seeds.is_empty()) {
                (0, _) => vec![(name.clone(), random_bytes(rng))],
                (1, _) | (_, true) => vec![(name.clone(), random_pieces(rng))],
                _ => {
                    let mut files = seeds[rng.random_range(0..seeds.len())].clone();
                    let hit = rng.random_range(0..files.len());
                    files[hit].1 = damaged(&files[hit].1, rng);
                    files
                }
            };
            survives(&registry, *format, files, UNITS[round % UNITS.len()]);
        }
    }
}

/// Found by fuzzing: each of the names that a column may have was compared with the plain form of
/// each column, made anew every time, for every delimiter and format that could be meant.
#[test]
fn a_header_of_very_many_columns_is_looked_at_once() {
    let registry = karat::registry();
    for (name, delimiter) in [("csv", ","), ("csv", ";"), ("tsv", "\t")] {
        let header = format!("A b{delimiter}").repeat(20_000) + "doc" + delimiter + "start\n";
        let source = Source::memory("wide.txt", header);
        let _ = registry.detect(&source);
        let outcome = registry.read(&source.into(), Some(name), &ReadOptions::default());
        assert!(outcome.is_err_and(|problem| problem.kind == Kind::Format), "{name}");
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

/// Valid files of a format, as go together: generated corpora and the sample as its
/// writer writes them, or small files where it has none.
fn seeds(
    registry: &Registry,
    format: &'static dyn Format,
    runner: &mut TestRunner,
) -> Vec<Vec<File>> {
    let own = FILES.iter().filter(|(name, _)| *name == format.info().name);
    let mut own: Vec<Vec<File>> =
        own.map(|(_, content)| vec![("file".to_owned(), content.as_bytes().to_vec())]).collect();
    let Some(layout) = format.info().writes else { return own };
    let plans = generate::plans();
    let mut corpora: Vec<_> = (0..8)
        .map(|number| {
            let plan = plans.new_tree(runner).unwrap().current();
            let make = if number < 4 { generate::corpus } else { generate::token_corpus };
            make(&plan, number % 2 == 1)
        })
        .collect();
    let sample = karat::sample::gold().into();
    corpora.push(registry.read(&sample, None, &ReadOptions::default()).unwrap().corpus);
    let written = corpora.iter().filter_map(|corpus| {
        let mut output = Output::memory(layout);
        registry.write(corpus, format, &mut output).ok()?;
        let files = output.into_sources();
        Some(files.iter().map(|f| (f.name().to_owned(), f.bytes(None).unwrap().to_vec())).collect())
    });
    own.extend(written.filter(|files: &Vec<File>| !files.is_empty()));
    own
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

/// Reads strictly and leniently; what is wrong is said with advice.
fn survives(
    registry: &Registry,
    format: &'static dyn Format,
    files: Vec<File>,
    unit: Option<OffsetUnit>,
) {
    let name = format.info().name;
    let attempt = || {
        let sources = files.iter().map(|(name, bytes)| Source::memory(name, bytes.clone()));
        let input: Input = sources.collect();
        for source in input.sources() {
            let _ = registry.detect(source);
        }
        for lenient in [false, true] {
            let options = ReadOptions { lenient, unit, threads: 1, ..ReadOptions::default() };
            if let Err(problem) = registry.read(&input, Some(name), &options) {
                assert!(problem.hint.is_some(), "{name}: {problem}");
                let may_stop = matches!(problem.kind, Kind::Encoding | Kind::Format)
                    || ALL_OR_NOTHING.contains(&name);
                assert!(!lenient || may_stop, "{name} stops a lenient reading: {problem}");
            }
        }
    };
    if std::panic::catch_unwind(std::panic::AssertUnwindSafe(attempt)).is_err() {
        let shown = files.iter().map(|(name, bytes)| (name, String::from_utf8_lossy(bytes)));
        panic!("{name} fails on {:?}", shown.collect::<Vec<_>>());
    }
}
