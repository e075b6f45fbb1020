//! One file per format.

mod karat_jsonl;
mod neleval;
mod nif;

use crate::format::Format;

/// All formats of this crate. Where a file name suits several, the first is written.
pub const FORMATS: &[&dyn Format] =
    &[&neleval::Neleval, &karat_jsonl::KaratJsonl, &nif::Nif, &nif::CategorisedNif];
