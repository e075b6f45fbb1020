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
mod elevant;
mod elevant_markup;
mod fragments;
mod given_documents;
mod hipe;
mod in_context;
mod json_records;
mod karat_jsonl;
mod kilt;
mod llm_json;
mod llm_markup;
mod mewsli;
mod model_answers;
mod neleval;
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
mod wned;
mod xml_tree;
mod zelda;
mod label_studio;
mod neleval;
mod web_annotation;
mod nif;

use crate::format::Format;

/// All formats of this crate. Where a file name suits several, the first is written.
pub const FORMATS: &[&dyn Format] = &[
    &neleval::Neleval,
    &karat_jsonl::KaratJsonl,
    &wned::Wned,
    &pubtator::PubTator,
    &bioc_xml::BiocXml,
    &bioc_json::BiocJson,
    &brat::Brat,
    &kilt::Kilt,
    &blink::Blink,
    &refined::Refined,
    &rel::Rel,
    &mewsli::Mewsli,
    &belb::Belb,
    &spacy::Spacy,
    &llm_markup::LlmMarkup,
    &llm_json::LlmJson,
    &elevant::Elevant,
    &elevant_markup::ElevantMarkup,
    &simple_jsonl::SimpleJsonl,
    &aida_conll::AidaConll,
    &cne_release::CneRelease,
    &conll_coref::ConllCoref,
    &hipe::Hipe,
    &tac::Tac,
    &tac15::Tac15,
    &zelda::Zelda,
    &label_studio::LabelStudio,
    &web_annotation::WebAnnotation,
];
pub const FORMATS: &[&dyn Format] =
    &[&neleval::Neleval, &karat_jsonl::KaratJsonl, &nif::Nif, &nif::CategorisedNif];
