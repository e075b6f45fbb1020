//! One file per format.

mod csv;
mod jsonl;
mod karat_jsonl;
mod neleval;
mod tsv;

use crate::format::Format;

/// All formats of this crate. Where a file name suits several, the first is written.
pub const FORMATS: &[&dyn Format] =
    &[&neleval::Neleval, &karat_jsonl::KaratJsonl, &csv::Csv, &tsv::Tsv, &jsonl::Jsonl];
