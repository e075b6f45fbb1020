//! The formats: one file each, or one folder for a family that shares its customs.

mod aida_conll;
mod belb;
mod bioc;
mod blink;
mod brat;
mod clean_conll;
mod cne_release;
mod conel;
mod conll_coref;
mod conllu;
mod csv;
mod duel;
mod elevant;
mod elevant_markup;
mod erd;
mod geo_xml;
mod gerdaq;
mod hipe;
mod jsonl;
mod karat_jsonl;
mod kilt;
mod label_studio;
mod llm;
mod mewsli;
mod mewsli_x;
mod mhercl;
mod n3_xml;
mod neleval;
mod nested_jsonl;
mod nif;
mod prodigy;
mod pubannotation;
mod pubtator;
mod refined;
mod rel;
mod simple_jsonl;
mod spacy;
mod tac;
mod tsv;
mod web_annotation;
mod webanno_tsv;
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
    &webanno_tsv::WebAnnoTsv,
    &conllu::Conllu,
    &clean_conll::CleanConll,
    &pubannotation::PubAnnotation,
    &prodigy::Prodigy,
    &mewsli_x::MewsliX,
    &n3_xml::N3Xml,
    &gerdaq::Gerdaq,
    &erd::Erd,
    &conel::Conel,
    &duel::Duel,
    &geo_xml::GeoXml,
    &mhercl::Mhercl,
    &csv::Csv,
    &tsv::Tsv,
    &jsonl::Jsonl,
    &nested_jsonl::NestedJsonl,
];
