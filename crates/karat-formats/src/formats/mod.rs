//! One file per format.

mod aida_conll;
mod belb;
mod bioc;
mod bioc_json;
mod bioc_xml;
mod blink;
mod borrowed;
mod brat;
mod cne_release;
mod conll_coref;
mod csv;
mod elevant;
mod elevant_markup;
mod fragments;
mod given_documents;
mod hipe;
mod in_context;
mod json_records;
mod jsonl;
mod karat_jsonl;
mod kilt;
mod label_studio;
mod llm_json;
mod llm_markup;
mod mewsli;
mod model_answers;
mod neleval;
mod nif;
mod pubtator;
mod ranked;
mod refined;
mod rel;
mod simple_jsonl;
mod spacy;
mod tac;
mod tac15;
mod text_folder;
mod token_rows;
mod tsv;
mod web_annotation;
mod wned;
mod xml_tree;
mod zelda;

use crate::format::Format;

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
    &tac15::Tac15,
    &conll_coref::ConllCoref,
    &wned::Wned,
    &hipe::Hipe,
    &pubtator::PubTator,
    &bioc_xml::BiocXml,
    &bioc_json::BiocJson,
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
    &llm_markup::LlmMarkup,
    &llm_json::LlmJson,
    &csv::Csv,
    &tsv::Tsv,
    &jsonl::Jsonl,
];
