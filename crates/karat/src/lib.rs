//! All of karat as one library: reading, scoring, comparing and reporting.
//!
//! Two features, both on by default, bring what is heavy to build and to carry: `columns` reads and writes
//! Parquet and Arrow, `search` finds entities by their names. Without them the formats are not in the
//! [`registry`], and there is no `search` module; nothing else changes.
//!
//! ```
//! let registry = karat::registry();
//! let input = karat::formats::Source::memory("a.tsv", "d1\t0\t5\tQ64\n").into();
//! let outcome = registry.read(&input, None, &karat::formats::ReadOptions::default())?;
//! assert_eq!(outcome.corpus.statistics().linked, 1);
//! # Ok::<(), karat::formats::Problem>(())
//! ```

pub use karat_checks as checks;
#[cfg(feature = "columns")]
pub use karat_columns as columns;
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
pub use karat_verify as campaigns;

pub mod board;
pub mod collection;
pub mod command;
pub mod comparison;
pub mod conditions;
pub mod convention;
pub mod conventions;
pub mod conversion;
pub mod curves;
pub mod demo;
pub mod documents;
pub mod editions;
pub mod elevant;
pub mod error;
pub mod errors;
pub mod gold;
pub mod inputs;
pub mod knowledge;
pub mod linking;
pub mod listings;
pub mod notices;
pub mod number;
pub mod outputs;
mod pattern;
pub mod reproduce;
pub mod request;
pub mod sample;
pub mod scoring;
pub mod searching;
pub mod sentences;
pub mod shared;
pub mod tagging;
pub mod validation;
pub mod verify;
pub mod work;
mod written;

pub use scoring::counts;

/// All formats karat knows.
pub fn registry() -> formats::Registry {
    let registry = formats::Registry::new(formats::FORMATS);
    #[cfg(feature = "columns")]
    let registry = registry.with(karat_columns::FORMATS);
    registry
}

/// Whether a panic on this thread is caught and becomes an error of a damaged file, so that a
/// program's panic hook need not speak of it.
pub fn is_guarded() -> bool {
    #[cfg(feature = "columns")]
    if karat_columns::is_guarded() {
        return true;
    }
    #[cfg(feature = "search")]
    if karat_search::is_guarded() {
        return true;
    }
    false
}
