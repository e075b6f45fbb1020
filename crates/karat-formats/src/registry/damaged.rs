//! Compressed files that were damaged or cut off, in several formats: the file is to blame, and
//! not what was unpacked from it.

use crate::{Detection, FORMATS, Input, Kind, Output, Problem, ReadOptions, Registry, Source};
use karat_model::{Corpus, CorpusBuilder, Link, Span};
use std::io::Write;

/// Enough documents for several blocks, with ids that do not pack well.
fn corpus() -> Corpus {
    let mut builder = CorpusBuilder::new();
    for number in 0..6_000_u64 {
        let id = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        builder.begin_document(&format!("{id}")).unwrap();
        builder.set_text(&format!("In Berlin stood {id:x} houses ."));
        let link = Link::to(builder.intern(&format!("Q{}", id >> 40)));
        builder.annotate(Span::new(3, 9), link);
    }
    builder.finish()
}

/// The bytes as gzip, zstd and bzip2.
fn packed(bytes: &[u8]) -> [Vec<u8>; 3] {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(bytes).unwrap();
    let mut zst = zstd::Encoder::new(Vec::new(), 1).unwrap();
    // As its command line does.
    zst.include_checksum(true).unwrap();
    zst.write_all(bytes).unwrap();
    let mut bz = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bz.write_all(bytes).unwrap();
    [gz.finish().unwrap(), zst.finish().unwrap(), bz.finish().unwrap()]
}

fn problem(bytes: &[u8], from: Option<&str>, options: &ReadOptions) -> Problem {
    let input: Input = Source::memory("x", bytes).into();
    Registry::new(FORMATS).read(&input, from, options).unwrap_err()
}

#[test]
fn the_compression_is_to_blame_whatever_was_unpacked() {
    let registry = Registry::new(FORMATS);
    let corpus = corpus();
    for name in ["neleval", "elevant", "nif", "aida-conll", "karat-jsonl"] {
        let format = registry.find(name).unwrap();
        let mut output = Output::memory(format.info().writes.unwrap());
        registry.write(&corpus, format, &mut output).unwrap();
        let written = output.into_sources().remove(0).bytes(None).unwrap().into_vec();
        for packed in packed(&written) {
            let half = packed.len() / 2;
            let cut = &packed[..half];
            let mut changed = packed.clone();
            for byte in &mut changed[half..half + 8] {
                *byte = byte.wrapping_add(77);
            }
            let mut near_the_beginning = packed.clone();
            near_the_beginning[packed.len() / 50] ^= 0x10;
            for (threads, lenient) in [(1, false), (3, false), (1, true), (3, true)] {
                let options = ReadOptions { threads, lenient, ..ReadOptions::default() };
                for from in [None, Some(name)] {
                    let of = format!("{name}, {threads} threads, magic {:x?}", &packed[..2]);
                    let found = problem(cut, from, &options);
                    assert_eq!(found.kind, Kind::Truncated, "{of}: {found}");
                    let message = "the compressed file is cut off after ";
                    assert!(found.message.starts_with(message), "{of}: {found}");
                    for damaged in [&changed, &near_the_beginning] {
                        let found = problem(damaged, from, &options);
                        let message = "the compressed file is damaged, after ";
                        assert!(found.message.starts_with(message), "{of}: {found}");
                        assert!(found.hint.is_some() && found.source_name == "x", "{of}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_whole_file_with_a_bad_line_is_not_damaged() {
    for packed in packed(b"d1\t0\t5\tQ64\nd1\tzero\t5\tQ64\n") {
        let found = problem(&packed, None, &ReadOptions::default());
        assert_eq!(found.kind, Kind::Malformed, "{found}");
        assert_eq!(found.place.unwrap().line, 2);
    }
}

#[test]
fn the_lines_that_can_be_unpacked_are_counted() {
    let lines: Vec<String> = (0..100).map(|line| format!("d{line}\t0\t5\tQ64")).collect();
    let [gz, ..] = packed(lines.join("\n").as_bytes());
    let found = problem(&gz[..gz.len() - 4], None, &ReadOptions::default());
    assert_eq!(found.message, "the compressed file is cut off after 99 lines");
}

/// Lines of no format, so many that their end is not looked at to recognise it.
fn of_no_format() -> Vec<u8> {
    (0..60_000_u64).flat_map(|line| format!("{line:x} of no format\n").into_bytes()).collect()
}

#[test]
fn a_file_is_recognised_by_its_beginning_alone() {
    for packed in packed(&of_no_format()) {
        let cut = Source::memory("x", &packed[..packed.len() - 4]);
        match Registry::new(FORMATS).detect(&cut).unwrap() {
            Detection::Unknown(problem) => assert_eq!(problem.message, super::UNKNOWN),
            _ => panic!("it is of no format"),
        }
        // It is only unpacked to its end to say what is wrong with it.
        let found = problem(&packed[..packed.len() - 4], None, &ReadOptions::default());
        assert_eq!(found.kind, Kind::Truncated, "{found}");
    }
}

#[test]
fn only_the_file_that_is_named_is_looked_at() {
    let registry = Registry::new(FORMATS);
    let format = registry.find("elevant").unwrap();
    let mut output = Output::memory(format.info().writes.unwrap());
    registry.write(&corpus(), format, &mut output).unwrap();
    let written = output.into_sources().remove(0).bytes(None).unwrap().into_vec();
    let [gz, ..] = packed(&written);
    let line = written.split_inclusive(|&byte| byte == b'\n').next().unwrap();
    let bad = Source::memory("a", [line, b"{\n"].concat());
    let input: Input = [bad, Source::memory("b", &gz[..gz.len() / 2])].into_iter().collect();
    let found = registry.read(&input, None, &ReadOptions::default()).unwrap_err();
    assert_eq!(found.source_name, "a", "{found}");
    assert_eq!(found.place.unwrap().line, 2);
}

#[test]
fn what_is_about_the_whole_file_is_believed() {
    let [gz, ..] = packed(b"some text");
    let source = Source::memory("x", &gz[..gz.len() - 4]);
    let bomb = Problem::new(Kind::Bomb, "x", "expands");
    assert_eq!(source.behind(bomb.clone()), bomb);
    let damage = source.damage().unwrap();
    assert_eq!(damage.message, "the compressed file is cut off after 0 lines");
    assert_eq!(source.behind(damage.clone()), damage);
    assert_eq!(source.behind(Problem::new(Kind::Malformed, "x", "bad")), damage);
}
