//! The one body of all fuzz targets.
//!
//! Whatever the bytes are, a reader gives a corpus or a located problem and never
//! panics; and a corpus that was read can be written and read again without
//! change, or the writer refuses and says why.

pub mod knowledge;
#[path = "../../crates/karat/tests/it/round_trip_rule.rs"]
mod round_trip_rule;
pub mod tags;

pub use libfuzzer_sys;

use karat::formats::{Format, Input, ReadOptions, Source};
use round_trip_rule::obeys;
use std::sync::Once;

/// The fuzz target of a format, by its name in the registry.
#[macro_export]
macro_rules! reader {
    ($name:literal) => {
        $crate::libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::check($name, data));
    };
}

/// Reads bytes as a format, strictly and leniently, and checks the round-trip rule of formats.
///
/// The decoders of Parquet and Arrow panic on some damaged files, which the reader
/// catches. So the hook of the fuzzer, which ends the program at every panic, is
/// taken away, and only a panic that comes as far as here ends it.
pub fn check(name: &str, data: &[u8]) {
    static SILENT: Once = Once::new();
    SILENT.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !karat::is_guarded() {
                hook(panic);
            }
        }));
    });
    read_and_write(name, data);
}

fn read_and_write(name: &str, data: &[u8]) {
    let registry = karat::registry();
    let format = registry.find(name).unwrap_or_else(|| panic!("no format is called `{name}`"));
    let source = Source::memory(file_name(format), data);
    let _ = registry.detect(&source);
    let input = Input::from(source);
    let lenient = ReadOptions { lenient: true, threads: 1, ..ReadOptions::default() };
    let _ = registry.read(&input, Some(name), &lenient);
    let strict = ReadOptions { threads: 1, ..ReadOptions::default() };
    if let Ok(outcome) = registry.read(&input, Some(name), &strict) {
        obeys(&registry, format, &outcome.corpus);
    }
}

fn file_name(format: &dyn Format) -> String {
    format!("fuzz.{}", format.info().extensions.first().unwrap_or(&"txt"))
}

/// Weights of mentions that can be read lie between 0 and 1, however tags are put together.
pub fn membership(data: &[u8]) {
    use karat::measures::Membership;
    let Ok(text) = std::str::from_utf8(data) else { return };
    for read in [Membership::parse(text, &Membership::default()), Membership::of_survey(text)]
        .into_iter()
        .flatten()
    {
        for category in karat::model::DimensionCategory::ALL {
            let tags = ["el:Mnt-Full".to_owned(), category.tag(karat::model::Vocabulary::El)];
            let weight = read.of_tags(tags.iter().map(String::as_str), 0.5);
            assert!((0.0..=1.0).contains(&weight), "{weight}");
        }
    }
}

/// Reads bytes as the declaration of a platform. Whatever is read leads to the web and nowhere else, and what is
/// wrong is inside the text.
pub fn platform(data: &[u8]) {
    use karat::campaigns::life::Ending;
    use karat::campaigns::platform::{Arrival, Leaving, LeavingFacts, Platform};
    let text = String::from_utf8_lossy(data);
    match Platform::read("fuzzed", &text) {
        Ok(platform) => {
            let arrived = match platform.arrival(|name| Some(format!("https://{name}/{text}"))) {
                Ok(Arrival::Person(arrived)) => arrived,
                _ => return,
            };
            let code = Some("C".to_owned());
            let facts = LeavingFacts { code, arrived, ..LeavingFacts::default() };
            match platform.leaving(Ending::Finished, &facts) {
                Ok(Leaving::Redirect { address } | Leaving::Post { address, .. }) => {
                    assert!(address.starts_with("https://"), "{address}");
                }
                _ => {}
            }
        }
        Err(problem) => assert!(text.get(problem.at.clone()).is_some(), "{problem:?}"),
    }
}

/// Reads bytes as conditions. What can be read is printed in one spelling, which reads back as the same; what cannot
/// is refused at a place within the text.
pub fn conditions(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match karat::conditions::Where::parse(&text) {
        Ok(asked) => {
            let printed = asked.to_string();
            // Quotes may make a text longer than what is read.
            match karat::conditions::Where::parse(&printed) {
                Ok(again) => assert_eq!(again, asked),
                Err(error) => assert!(printed.len() > text.len(), "{error}"),
            }
        }
        Err(error) => {
            assert!(text.get(error.place.clone()).is_some());
            let _ = karat::error::Error::from(error).notice();
        }
    }
}

/// Reads bytes as a gold patch. What can be read is written in one way, which reads back as the same, and is applied,
/// undone and moved without a panic; what cannot is refused at a place within the text.
pub fn gold_patch(data: &[u8]) {
    use karat::verify::patch;
    let text = String::from_utf8_lossy(data);
    match patch::read(&text) {
        Ok(read) => {
            let again = patch::read(&read.to_string()).expect("what is written can be read");
            assert_eq!(again, read);
            let Ok(experiment) = karat::sample::experiment() else { return };
            let gold = experiment.benchmark.corpus;
            let once = read.applied_to(&gold).corpus;
            assert_eq!(read.applied_to(&once).corpus.digest(), once.digest());
            read.reverted().applied_to(&once);
            read.rebased_to(&gold, karat::model::OffsetUnit::CodePoints);
            let _ = read.merged(&read.reverted());
        }
        Err(problem) => assert!(text.get(problem.at.clone()).is_some()),
    }
}
