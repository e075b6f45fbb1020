//! PubTator, BioC, brat and WNED: detection among all formats, on disk, and damaged.

use karat::formats::{Format, Input, Kind, Output, ReadOptions, Source};
use karat::model::{Corpus, CorpusBuilder, Link, OffsetUnit, Span};

const NAMES: [&str; 5] = ["wned", "pubtator", "bioc-xml", "bioc-json", "brat"];

fn format(name: &str) -> &'static dyn Format {
    karat::registry().find(name).unwrap()
}

fn corpus() -> Corpus {
    let mut builder = CorpusBuilder::new();
    for name in ["10", "a&b"] {
        builder.begin_document(name).unwrap();
        builder.set_text("😀 Zürich & <Bern>\ne\u{301}t𝔄 \"x\"");
        let city = Link::to(builder.intern("Q72"));
        builder.annotate(Span::new(2, 8), city).types(["City"]);
        builder.annotate(Span::new(11, 17), Link::NIL).types(["City"]);
        builder.annotate(Span::new(18, 22), city);
    }
    builder.finish()
}

fn written(name: &str) -> Vec<Source> {
    let format = format(name);
    let mut output = Output::memory(format.info().writes.unwrap());
    karat::registry().write(&corpus(), format, &mut output).unwrap();
    output.into_sources()
}

#[test]
fn each_is_recognised_among_all() {
    for name in NAMES {
        let input: Input = written(name).into_iter().collect();
        let outcome = karat::registry().read(&input, None, &ReadOptions::default()).unwrap();
        assert_eq!(outcome.formats, [name]);
        assert_eq!(outcome.ignored, [""; 0], "{name}: texts that belong to a file are used");
        assert_eq!(outcome.corpus.annotations().len(), 6, "{name}");
    }
}

#[test]
fn each_is_read_from_disk() {
    for name in NAMES {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out").display().to_string();
        karat::registry().write_to(&corpus(), format(name), &path).unwrap();
        let input = Input::open(&path).unwrap();
        let found = karat::registry().read(&input, None, &ReadOptions::default()).unwrap();
        let (expected, _) = corpus().restrict(&format(name).info().keeps);
        assert_eq!(expected.difference(&found.corpus), None, "{name}");
    }
}

#[test]
fn a_file_name_does_not_ask_for_a_directory() {
    let registry = karat::registry();
    let suggested = |path: &str| registry.for_output(path).map(|format| format.info().name);
    assert_eq!(suggested("x.bioc.xml"), Some("bioc-xml"));
    assert_eq!(suggested("x.pubtator"), Some("pubtator"));
    assert_eq!(suggested("x.ann"), None);
}

/// A small generator of numbers; the same damage in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides.max(1)
    }
}

fn damaged(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    const BITS: [&[u8]; 14] = [
        b"<",
        b">",
        b"&",
        b"\"",
        b"\t",
        b"\n",
        b"|",
        b"99999999999999999999",
        b"-1",
        b"{",
        b"]",
        b" ",
        b"\xf0",
        "\u{1F600}".as_bytes(),
    ];
    let mut bytes = bytes.to_vec();
    for _ in 0..=dice.roll(3) {
        let at = dice.roll(bytes.len());
        match dice.roll(4) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..(at + 1 + dice.roll(8)).min(bytes.len()))),
            2 => drop(bytes.splice(at..at, BITS[dice.roll(BITS.len())].iter().copied())),
            _ => drop(bytes.splice(
                at..(at + 1).min(bytes.len()),
                BITS[dice.roll(BITS.len())].iter().copied(),
            )),
        }
    }
    bytes
}

#[test]
fn no_damage_is_too_much() {
    let mut dice = Dice(7);
    for name in NAMES {
        let whole = written(name);
        for round in 0..400 {
            let hit = dice.roll(whole.len());
            let files: Vec<Source> = whole
                .iter()
                .enumerate()
                .map(|(number, file)| {
                    let bytes = file.bytes(None).unwrap();
                    let bytes =
                        if number == hit { damaged(&bytes, &mut dice) } else { bytes.to_vec() };
                    Source::memory(file.name(), bytes)
                })
                .collect();
            let input: Input = files.into_iter().collect();
            let unit = [None, Some(OffsetUnit::Bytes), Some(OffsetUnit::Utf16)][round % 3];
            for lenient in [false, true] {
                let options = ReadOptions { lenient, unit, ..ReadOptions::default() };
                let result = karat::registry().read(&input, Some(name), &options);
                if let Err(problem) = result {
                    assert!(!lenient || problem.kind == Kind::Encoding, "{name}: {problem}");
                    assert!(problem.hint.is_some(), "{name}: {problem}");
                }
            }
        }
    }
}
