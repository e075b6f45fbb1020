//! WebAnno TSV 3, the format of WebAnno and INCEpTION: named entities with identifiers.

mod cells;
mod layers;
mod read;
#[cfg(test)]
mod tests;
mod write;

use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::problem::Problem;
use crate::reading::Reading;
use crate::source::Source;
use karat_model::{Corpus, Features, OffsetUnit, Restriction};

/// The format.
#[derive(Debug)]
pub(crate) struct WebAnnoTsv;

const HINT: &str = "a file begins with `#FORMAT=WebAnno TSV 3.x` and its layers; a row is `sentence-token`, `begin-end`, the token, and the columns of the layers";
const FORMAT: &str = "#FORMAT=WebAnno TSV 3";
const TEXT: &str = "#Text=";

static INFO: Info = Info {
    name: "webanno-tsv",
    title: "WebAnno TSV 3 (INCEpTION)",
    about: "One file per document, named after it: `#FORMAT=WebAnno TSV 3.x`, the layers (`#T_SP=...NamedEntity|identifier|value`), and per token `1-1  0-5  Token  \
            identifier[1]  PER[1]`. Of the span layers those with a feature for entities are read (`identifier`, `identity`, `wikidata`, `link`, ...), else those of named entities; `value` (or \
            `entity`, `type`, `label`) is the type. Other layers, chains and relations are left out and counted. Offsets count UTF-16 units. The text is that of the \
            `#Text=` lines; what lies between sentences is a line break, and spaces where it is longer. karat writes the layer of INCEpTION, with parts of tokens where a \
            mention begins or ends within one; NIL is the identifier `NIL`.",
    reference: "WebAnno user guide, appendix A; inception-project.github.io",
    extensions: &["tsv"],
    offsets: Offsets { unit: OffsetUnit::Utf16, ..Offsets::CODE_POINTS },
    writes: Some(Layout::Directory),
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::TYPE)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS),
        document_attributes: &[],
        annotation_attributes: &[],
    },
};

impl Format for WebAnnoTsv {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        if sample.first_line().starts_with(FORMAT) { 98 } else { 0 }
    }

    fn files_stand_alone(&self) -> bool {
        true
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for file in files {
            read::file(file, reading)?;
        }
        Ok(())
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        corpus.documents().try_for_each(|document| write::document(output, &document))
    }
}
