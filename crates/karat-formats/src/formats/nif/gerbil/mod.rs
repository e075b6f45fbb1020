//! NIF 2.0 in Turtle, as GERBIL and its annotators speak it.

mod assemble;
mod described;
mod node;
mod spelling;
#[cfg(test)]
mod tests;
mod write;

use super::stretches::{self, Claims};
use super::{looks_categorised, looks_like_nif};
use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::problem::Problem;
use crate::reading::{ReadOptions, Reading};
use crate::repeated::absorb;
use crate::source::Source;
use crate::syntax::turtle::{Settings, in_parallel};
use karat_model::{Corpus, CorpusBuilder, Features, Restriction, attribute};

/// The format.
#[derive(Debug)]
pub(crate) struct Nif;

static INFO: Info = Info {
    name: "nif",
    title: "NIF 2.0 (GERBIL)",
    about: "RDF in Turtle: a `nif:Context` with its text is a document, and a `nif:Phrase` that refers to it is a mention with \
            `itsrdf:taIdentRef` for its link, in code points with exclusive end. The first link is the answer and further ones are \
            just as right; no link is no answer, and an IRI with `/notInWiki/` or `/unknown_entity/` is NIL. Statements may come \
            in any order and in several pieces; offsets may stand in the IRI only (`#char=0,6`, `#offset_0_6`). A bare id such as \
            `Q64` is written as `urn:karat:id:Q64`.",
    reference: "NIF 2.0 core ontology; GERBIL, Usbeck et al. 2015",
    extensions: &["ttl", "nif"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::File),
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::SENTENCES)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::NIL_CLUSTERS)
            .union(Features::CONFIDENCE)
            .union(Features::EQUIVALENTS)
            .union(Features::TYPE)
            .union(Features::TYPES)
            .union(Features::TAGS)
            .union(Features::OVERLAPS)
            .union(Features::EMPTY_SPANS),
        document_attributes: &[],
        annotation_attributes: &[attribute::COMMENT, attribute::DERIVED],
    },
};

const SETTINGS: Settings = Settings { unescape_iris: true };

impl Format for Nif {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        if looks_like_nif(sample) && !looks_categorised(sample) { 90 } else { 0 }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let offsets = reading.offsets(INFO.offsets);
        for file in files {
            match in_stretches(file, offsets, reading.options) {
                Some(corpus) => {
                    let again = |reading: &mut Reading<'_>| as_a_whole(file, reading);
                    absorb(file, reading, corpus.finish(), again)?;
                }
                None => as_a_whole(file, reading)?,
            }
        }
        Ok(())
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        let vocabulary = output.vocabulary();
        output.single(|out| write::write(corpus, vocabulary, out))
    }

    fn spells_tags(&self) -> bool {
        true
    }
}

fn in_stretches(file: &Source, offsets: Offsets, options: &ReadOptions) -> Option<CorpusBuilder> {
    stretches::read(file, SETTINGS, options, |text, turtle, claims, reading| {
        assemble::assemble(text, vec![node::read(turtle)], offsets, claims, reading)
    })
}

fn as_a_whole(file: &Source, reading: &mut Reading<'_>) -> Result<(), Problem> {
    reading.corpus.begin_source(file.name());
    let text = file.text()?;
    let threads = reading.options.thread_count();
    let parts = in_parallel(text.as_str(), SETTINGS, threads, node::read);
    let offsets = reading.offsets(INFO.offsets);
    assemble::assemble(&text, parts, offsets, &mut Claims::default(), reading)
}
