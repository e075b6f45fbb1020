//! ELEVANT's articles: one JSON object per document, gold labels and the
//! mentions of a system side by side.

mod add;
mod article;
mod family;
mod read;
pub(crate) mod reference;
#[cfg(test)]
mod tests;
mod usual;
mod write;

pub use write::labels;

use crate::block::{at_line_ends, in_blocks};
use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::problem::Problem;
use crate::reading::Reading;
use crate::source::Source;
use crate::syntax::nil::NilWords;
use karat_model::{Corpus, Features, Flags, Repeated, Restriction, attribute};

/// The format.
#[derive(Debug)]
pub(crate) struct Elevant;

/// Why a mention is NIL, where the file says; `no mapping` for `<NO_MAPPING>`.
const NIL_REASON: &str = attribute::NIL_REASON;
const NO_MAPPING: &str = attribute::NO_MAPPING;
const NO_MAPPING_CANDIDATES: &str = attribute::NO_MAPPING_CANDIDATES;
/// The ids below a label, where the file lists others than its parts.
const CHILDREN: &str = "children";
/// The span of the mention that a coreference refers to, as `start end`.
const REFERENCED_SPAN: &str = "referenced_span";
/// Whether a system found the mention contained in another.
const CONTAINED: &str = "contained";

static INFO: Info = Info {
    name: "elevant",
    title: "ELEVANT article JSONL",
    about: "One JSON object per document: text, gold `labels` with types, alternatives (`parent` and `children`), \
            `optional`, `desc` and `coref`, and the `entity_mentions` of a system with candidates; labels become gold and \
            mentions predicted annotations of one corpus. `<NIL>`, `<NO_MAPPING>`, `Unknown` and a mention without an id \
            are NIL, `Unknown3` is a NIL cluster; `QUANTITY` and `DATETIME` are types of mentions that are linked to nothing. \
            A label whose `parent` is not there has no root and counts nowhere, as in ELEVANT. \
            Documents are named by their id; where that is negative by their title, and without a title by their position. \
            The files of 2023 are read too; the current form is written.",
    reference: "github.com/ad-freiburg/elevant, docs and src/elevant/models",
    extensions: &["benchmark.jsonl", "linked_articles.jsonl"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::File),
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::EVALUATION_SPAN)
            .union(Features::HYPERLINKS)
            .union(Features::TITLE_SYNONYMS)
            .union(Features::SECTIONS)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::NIL_CLUSTERS)
            .union(Features::CONFIDENCE)
            .union(Features::CANDIDATES)
            .union(Features::UNRANKED_CANDIDATES)
            .union(Features::TYPE)
            .union(Features::TYPES)
            .union(Features::OPTIONAL)
            .union(Features::COREFERENCE)
            .union(Features::DESCRIPTIVE)
            .union(Features::SIDES)
            .union(Features::PARTS)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS)
            .union(Features::EMPTY_SPANS),
        document_attributes: &[attribute::TITLE, attribute::URL],
        annotation_attributes: &[
            attribute::ID,
            attribute::NAME,
            attribute::RECOGNIZED_BY,
            attribute::LINKED_BY,
            NIL_REASON,
            NO_MAPPING_CANDIDATES,
            CHILDREN,
            attribute::MISSING_PARENT,
            REFERENCED_SPAN,
            CONTAINED,
        ],
    },
};

/// What one annotation is, in the order of the document. ELEVANT has gold labels
/// and predicted mentions only; for a document with anything else karat adds a
/// key `sides` with one letter per annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    /// `g`: a label.
    Gold,
    /// `p`: a mention.
    Predicted,
    /// `P`: a predicted annotation that stands among the labels, being part of a tree.
    PredictedLabel,
    /// `b`: a label that is both gold and predicted.
    Both,
    /// `-`: a label that is neither.
    Neither,
}

impl Side {
    const ALL: [(char, Side, Flags); 5] = [
        ('g', Side::Gold, Flags::GOLD),
        ('p', Side::Predicted, Flags::PREDICTED),
        ('P', Side::PredictedLabel, Flags::PREDICTED),
        ('b', Side::Both, Flags::GOLD.union(Flags::PREDICTED)),
        ('-', Side::Neither, Flags::empty()),
    ];

    fn flags(self) -> Flags {
        Side::ALL.iter().find(|(_, side, _)| *side == self).map_or(Flags::empty(), |side| side.2)
    }

    fn letter(self) -> char {
        Side::ALL.iter().find(|(_, side, _)| *side == self).map_or('-', |side| side.0)
    }
}

impl Format for Elevant {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn nil_words(&self) -> NilWords {
        // What else is NIL is ELEVANT's rule.
        NilWords::NoTitles
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let line = sample.first_line().trim_start();
        if !line.starts_with('{') {
            return 0;
        }
        let has = |key: &str| line.contains(key);
        // The first line may be longer than the sample, so not every key need be seen.
        let articles = has("\"text\":") && has("\"title\":") && line.starts_with("{\"id\":");
        let annotated = has("\"evaluation_span\":")
            || (has("\"entity_mentions\":") && has("\"recognized_by\":"))
            || (has("\"labels\":") && has("\"entity_id\":"));
        let named = INFO.extensions.iter().any(|extension| sample.has_extension(extension));
        match (articles, annotated) {
            (true, true) => 90,
            (true, false) => 40 + u8::from(named) * 5,
            (false, true)
                if has("\"text\":") && (has("\"labels\":") || has("\"entity_mentions\":")) =>
            {
                60
            }
            _ => 0,
        }
    }

    fn lines_are_records(&self) -> bool {
        true
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for file in files {
            in_blocks(file, at_line_ends, Repeated::Refuse, reading, read::read_block)?;
        }
        Ok(())
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        output.single(|out| {
            for document in corpus.documents() {
                write::article(out, &document)?;
            }
            Ok(())
        })
    }
}
