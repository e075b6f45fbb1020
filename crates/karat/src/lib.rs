//! The whole road of karat as one library.
//!
//! ```
//! let registry = karat::registry();
//! let input = karat::formats::Source::memory("a.tsv", "d1\t0\t5\tQ64\n").into();
//! let outcome = registry.read(&input, None, &karat::formats::ReadOptions::default())?;
//! assert_eq!(outcome.corpus.statistics().linked, 1);
//! # Ok::<(), karat::formats::Problem>(())
//! ```

pub use karat_checks as checks;
pub use karat_facets as facets;
pub use karat_formats as formats;
pub use karat_harvest as harvest;
pub use karat_kb as kb;
pub use karat_match as matching;
pub use karat_measures as measures;
pub use karat_model as model;
pub use karat_report as report;
#[cfg(feature = "search")]
pub use karat_search as search;
pub use karat_stats as stats;
pub use karat_tagger as tagger;

pub mod collection;
pub mod comparison;
pub mod convention;
pub mod curves;
pub mod elevant;
pub mod error;
pub mod errors;
pub mod inputs;
pub mod knowledge;
pub mod notices;
pub mod reproduce;
pub mod request;
pub mod sample;
pub mod scoring;
pub mod sentences;
pub mod tagging;
pub mod work;

/// All formats karat knows.
pub fn registry() -> formats::Registry {
    formats::Registry::new(formats::FORMATS).with(karat_columns::FORMATS)
}

/// Whether a panic on this thread is caught and becomes an error of a damaged file, so that a
/// program's panic hook need not speak of it.
pub fn is_guarded() -> bool {
    #[cfg(feature = "search")]
    let of_search = karat_search::is_guarded();
    #[cfg(not(feature = "search"))]
    let of_search = false;
    karat_columns::is_guarded() || of_search
}
