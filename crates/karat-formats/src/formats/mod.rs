//! One file per format.

mod karat_jsonl;
mod label_studio;
mod neleval;
mod web_annotation;

use crate::format::Format;

/// All formats of this crate. Where a file name suits several, the first is written.
pub const FORMATS: &[&dyn Format] = &[
    &neleval::Neleval,
    &karat_jsonl::KaratJsonl,
    &label_studio::LabelStudio,
    &web_annotation::WebAnnotation,
];
