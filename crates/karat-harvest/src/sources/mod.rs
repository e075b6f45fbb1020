//! The sources, one file each.

mod csv;
mod json_lines;
mod named_table;
#[cfg(feature = "columns")]
mod parquet;
mod redirect_map;
mod tsv;
mod wikidata;
mod wikipedia_items;
mod wikipedia_pages;
mod wikipedia_redirects;

use crate::source::KbSource;

/// All sources of this crate.
pub const SOURCES: &[&dyn KbSource] = &[
    &tsv::Tsv,
    &csv::Csv,
    &json_lines::JsonLines,
    #[cfg(feature = "columns")]
    &parquet::Parquet,
    &wikidata::Wikidata,
    &wikipedia_pages::WikipediaPages,
    &wikipedia_redirects::WikipediaRedirects,
    &wikipedia_items::WikipediaItems,
    &named_table::ENTITIES,
    &named_table::POPULAR,
    &named_table::DEMONYMS,
    &named_table::WORDS,
    &named_table::WHITELIST,
    &named_table::SAME_AS,
    &named_table::TITLES,
    &named_table::ALIASES,
    &named_table::TYPES,
    &named_table::QUANTITIES,
    &named_table::DATE_TIMES,
    &redirect_map::RedirectMap,
];
