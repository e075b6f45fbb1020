//! One file per format.

mod aida_conll;
mod cne_release;
mod conll_coref;
mod hipe;
mod karat_jsonl;
mod neleval;
mod ranked;
mod tac;
mod tac15;
mod token_rows;
mod zelda;

use crate::format::Format;

/// All formats of this crate. Where a file name suits several, the first is written.
pub const FORMATS: &[&dyn Format] = &[
    &neleval::Neleval,
    &karat_jsonl::KaratJsonl,
    &aida_conll::AidaConll,
    &cne_release::CneRelease,
    &conll_coref::ConllCoref,
    &hipe::Hipe,
    &tac::Tac,
    &tac15::Tac15,
    &zelda::Zelda,
];
