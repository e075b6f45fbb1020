//! The formats: one file each, or one folder for a family that shares its customs.

mod aida_conll;
mod belb;
mod bioc;
mod blink;
mod brat;
mod cne_release;
mod conll_coref;
mod csv;
mod elevant;
mod elevant_markup;
mod hipe;
mod jsonl;
mod karat_jsonl;
mod kilt;
mod label_studio;
mod llm;
mod mewsli;
mod neleval;
mod nested_jsonl;
mod nif;
mod pubtator;
mod refined;
mod rel;
mod simple_jsonl;
mod spacy;
mod tac;
mod tsv;
mod web_annotation;
mod wned;
mod zelda;

use crate::format::Format;

pub use elevant::labels as elevant_labels;

/// All formats of this crate. Where a file name suits several, the first is written.
pub const FORMATS: &[&dyn Format] = &[
    &neleval::Neleval,
    &karat_jsonl::KaratJsonl,
    &elevant::Elevant,
    &simple_jsonl::SimpleJsonl,
    &elevant_markup::ElevantMarkup,
    &nif::Nif,
    &nif::CategorisedNif,
    &aida_conll::AidaConll,
    &cne_release::CneRelease,
    &tac::Tac,
    &tac::Tac15,
    &conll_coref::ConllCoref,
    &wned::Wned,
    &hipe::Hipe,
    &pubtator::PubTator,
    &bioc::BiocXml,
    &bioc::BiocJson,
    &brat::Brat,
    &label_studio::LabelStudio,
    &web_annotation::WebAnnotation,
    &zelda::Zelda,
    &kilt::Kilt,
    &blink::Blink,
    &refined::Refined,
    &rel::Rel,
    &mewsli::Mewsli,
    &belb::Belb,
    &spacy::Spacy,
    &llm::LlmMarkup,
    &llm::LlmJson,
    &csv::Csv,
    &tsv::Tsv,
    &jsonl::Jsonl,
    &nested_jsonl::NestedJsonl,
];
