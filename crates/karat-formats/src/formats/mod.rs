//! One file per format.

mod borrowed;
mod elevant;
mod elevant_markup;
mod karat_jsonl;
mod neleval;
mod simple_jsonl;

use crate::format::Format;

/// All formats of this crate. Where a file name suits several, the first is written.
pub const FORMATS: &[&dyn Format] = &[
    &neleval::Neleval,
    &karat_jsonl::KaratJsonl,
    &elevant::Elevant,
    &elevant_markup::ElevantMarkup,
    &simple_jsonl::SimpleJsonl,
];
