//! How fast files become a corpus, beside a plain read of the same bytes.
//!
//! ```text
//! cargo bench -p karat-formats                     everything with a target
//! cargo bench -p karat-formats -- elevant nif      some of it
//! cargo bench -p karat-formats -- make elevant x   writes an input to a file, for a profiler
//! ```
//!
//! The inputs are made up here and written by karat's own writers into a
//! temporary folder. Each measurement runs in a process of its own, so that peak memory
//! is that of one reading. Rates are the best of several turns, memory is the most.
#![allow(clippy::print_stdout, clippy::expect_used, missing_docs)]

use karat_formats::{FORMATS, Input, Layout, Output, ReadOptions, Registry};
use karat_model::{Corpus, CorpusBuilder, Features, Flags, Link, Span};
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// What is read, and what a core should read of it per second.
struct Target {
    name: &'static str,
    format: &'static str,
    megabytes_per_second: f64,
    documents: usize,
    /// What entity ids begin with, as files of this format usually spell them.
    ids: &'static str,
    /// Up to how many candidates a mention has.
    candidates: u64,
}

#[rustfmt::skip]
const TARGETS: [Target; 6] = [
    Target { name: "neleval", format: "neleval", megabytes_per_second: 400.0, documents: 100_000, ids: "Q", candidates: 0 },
    Target { name: "neleval-ranked", format: "neleval", megabytes_per_second: 200.0, documents: 30_000, ids: "Q", candidates: 8 },
    Target { name: "neleval-long-ids", format: "neleval", megabytes_per_second: 400.0, documents: 50_000, ids: WIKIDATA, candidates: 0 },
    Target { name: "elevant", format: "elevant", megabytes_per_second: 200.0, documents: 20_000, ids: "Q", candidates: 8 },
    Target { name: "nif", format: "nif", megabytes_per_second: 50.0, documents: 8_000, ids: WIKIDATA, candidates: 0 },
    Target { name: "nif-categorised", format: "nif-categorised", megabytes_per_second: 150.0, documents: 8_000, ids: WIKIDATA, candidates: 0 },
];

const WIKIDATA: &str = "http://www.wikidata.org/entity/Q";

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    if let [verb, path, how] = arguments.as_slice()
        && verb == "measure"
    {
        return measure(path, how);
    }
    if let [verb, name, path] = arguments.as_slice()
        && verb == "make"
    {
        let target = TARGETS.iter().find(|target| target.name == name).expect("a target");
        return make(target, Path::new(path));
    }
    let folder = std::env::temp_dir().join(format!("karat-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    println!("                           MB/s, best of {TURNS}");
    println!(
        "input               MB   plain read    split   1 thread   target   2 threads   gain   peak/input"
    );
    for target in TARGETS {
        let name = target.name;
        if !arguments.is_empty() && !arguments.iter().any(|wanted| wanted == name) {
            continue;
        }
        let path = folder.join(name);
        make(&target, &path);
        report(name, target.megabytes_per_second, &path);
        std::fs::remove_file(&path).expect("the input was just written");
    }
    std::fs::remove_dir_all(&folder).expect("the folder was just made");
}

fn report(name: &str, target: f64, path: &Path) {
    let size = path.metadata().expect("the input was just written").len() as f64 / 1e6;
    // Readings take turns, so that all of them see the same machine.
    let turns: Vec<[Measured; 4]> =
        (0..TURNS).map(|_| ["read", "split", "1", "2"].map(|how| child(path, how))).collect();
    let quickest =
        |at: usize| turns.iter().map(|turn| turn[at].seconds).fold(f64::INFINITY, f64::min);
    let most = |at: usize| turns.iter().map(|turn| turn[at].peak).fold(0.0, f64::max);
    println!(
        "{name:<16} {size:>5.0} {:>12.0} {:>8.0} {:>10.0} {target:>8.0} {:>11.0} {:>6.2} {:>12.2}",
        size / quickest(0),
        size / quickest(1),
        size / quickest(2),
        size / quickest(3),
        quickest(2) / quickest(3),
        (most(2).max(most(3)) - most(0)) / size
    );
}

/// How often each reading is measured.
const TURNS: usize = 15;

struct Measured {
    seconds: f64,
    /// Peak memory in MB.
    peak: f64,
}

/// One reading, in a process of its own.
fn child(path: &Path, how: &str) -> Measured {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(&program)
        .args(["measure", path.to_str().expect("a UTF-8 path"), how])
        .output()
        .expect("this program runs");
    let text = String::from_utf8(output.stdout).expect("numbers");
    let mut numbers = text.split_whitespace().map(|n| n.parse::<f64>().expect("a number"));
    Measured { seconds: numbers.next().expect("seconds"), peak: numbers.next().expect("memory") }
}

/// Reads the bytes only, splits them only, or reads them with so many threads.
fn measure(path: &str, how: &str) {
    let start = Instant::now();
    match how {
        "read" | "split" => {
            let mut file = std::fs::File::open(path).expect("the input");
            let mut buffer = vec![0; 1 << 20];
            let mut separators = 0;
            loop {
                let count = file.read(&mut buffer).expect("the input");
                if count == 0 {
                    break;
                }
                if how == "split" {
                    let found = memchr::memchr3_iter(b'\t', b'\n', b'"', &buffer[..count]);
                    separators += found.fold(0, |sum, at| sum ^ at);
                }
            }
            std::hint::black_box(separators);
        }
        threads => {
            let threads = threads.parse().expect("a number");
            let options = ReadOptions { threads, ..ReadOptions::default() };
            let input = Input::open(path).expect("the input");
            let outcome = Registry::new(FORMATS).read(&input, None, &options);
            let corpus = outcome.expect("a valid input").corpus;
            println!("{} {}", start.elapsed().as_secs_f64(), peak_memory());
            assert!(!corpus.is_empty());
            return;
        }
    }
    println!("{} {}", start.elapsed().as_secs_f64(), peak_memory());
}

/// Peak resident memory of this process in MB.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    kilobytes.unwrap_or(f64::NAN) * 1024.0 / 1e6
}

/// Writes the input of a target.
fn make(target: &Target, path: &Path) {
    let registry = Registry::new(FORMATS);
    let format = registry.find(target.format).expect("a format of the registry");
    let corpus = corpus(target, format.info().keeps.features);
    let path = path.to_str().expect("a UTF-8 path");
    let mut output = Output::create(path, Layout::File).expect("a writable folder");
    registry.write(&corpus, format, &mut output).expect("a writable corpus");
    output.commit().expect("a writable folder");
}

/// A small generator with fixed steps, so that every run reads the same bytes.
struct Steps(u64);

impl Steps {
    fn next(&mut self, below: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

const WORDS: [&str; 16] = [
    "the",
    "city",
    "of",
    "Zürich",
    "and",
    "its",
    "lake",
    "were",
    "seen",
    "from",
    "a",
    "train",
    "by",
    "Johnson",
    "yesterday",
    "evening",
];

fn corpus(target: &Target, features: Features) -> Corpus {
    let mut steps = Steps(42);
    let mut builder = CorpusBuilder::new();
    for number in 0..target.documents {
        builder.begin_document(&format!("doc{number:07}")).expect("a new name");
        let words: Vec<&str> = (0..200).map(|_| WORDS[steps.next(16) as usize]).collect();
        if features.contains(Features::TEXT) {
            builder.set_text(&words.join(" "));
        }
        let mut start = 0;
        for (index, word) in words.iter().enumerate() {
            let length = word.chars().count() as u32;
            if index % 10 == 3 {
                annotate(&mut builder, Span::new(start, start + length), target, &mut steps);
            }
            start += length + 1;
        }
    }
    builder.finish()
}

fn annotate(builder: &mut CorpusBuilder, span: Span, target: &Target, steps: &mut Steps) {
    // Squaring makes small numbers frequent, as popular entities are.
    let entity = |steps: &mut Steps| steps.next(450) * steps.next(450);
    let link = match steps.next(5) {
        0 => Link::nil_cluster(builder.intern(&format!("{:05}", steps.next(40_000)))),
        _ => Link::to(builder.intern(&format!("{}{}", target.ids, entity(steps)))),
    };
    let kind = ["PER", "ORG", "LOC", "MISC"][steps.next(4) as usize];
    let others: Vec<Link> = (0..steps.next(target.candidates + 1))
        .map(|_| Link::to(builder.intern(&format!("Q{}", entity(steps)))))
        .collect();
    let types = builder.intern(kind);
    let confidence = steps.next(1000) as f64 / 1000.0;
    let mut annotation = builder
        .annotate(span, link)
        .types_id(types)
        .confidence(confidence)
        .flags(Flags::PREDICTED)
        .tags(["el:Mnt-Full", "el:PoS-NounSingular", "el:Olp-None", "el:Ref-Direct"]);
    for other in others {
        let score = confidence * steps.next(100) as f64 / 100.0;
        annotation = annotation.candidate_with_types(other, score, types);
    }
}
