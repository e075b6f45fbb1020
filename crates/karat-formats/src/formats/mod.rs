//! One file per format.

mod bioc;
mod bioc_json;
mod bioc_xml;
mod brat;
mod fragments;
mod karat_jsonl;
mod neleval;
mod pubtator;
mod text_folder;
mod wned;
mod xml_tree;

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
];
