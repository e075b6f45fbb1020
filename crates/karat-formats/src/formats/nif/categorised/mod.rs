//! The NIF dialect of the categorised datasets (fine-grained entity linking).

mod assemble;
mod entity_types;
mod records;
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
use entity_types::EntityTypes;
use karat_model::{Corpus, CorpusBuilder, Features, Restriction, attribute};
use records::Records;

/// The format.
#[derive(Debug)]
pub(crate) struct CategorisedNif;

static INFO: Info = Info {
    name: "nif-categorised",
    title: "NIF of the categorised datasets",
    about: "Turtle-like statements for documents, sentences and mentions, in which mentions count from the start of their \
            sentence and carry category tags such as `el:Mnt-Full`. It is not valid Turtle: `el:` and `mnt:` are never declared, \
            system files declare nothing, strings hold bare quotes, and one IRI may name several mentions, so statements are never \
            merged. Alternatives are mentions of the same span, numbered `;1`, `;2`. System files hold no text of documents; it is \
            put together from the sentences.",
    reference: "Rosales-Méndez, Hogan and Poblete 2019, Fine-Grained Evaluation for Entity Linking (EMNLP)",
    extensions: &["categorised.ttl", "ttl"],
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
            .union(Features::TYPE)
            .union(Features::TYPES)
            .union(Features::TAGS)
            .union(Features::ALTERNATIVES)
            .union(Features::OVERLAPS)
            .union(Features::EMPTY_SPANS),
        document_attributes: &[],
        annotation_attributes: &[attribute::COMMENT, attribute::DERIVED],
    },
};

/// Damaged links of published files hold `\u` as it stands; what it means is not
/// for the reader to decide.
const SETTINGS: Settings = Settings { unescape_iris: false };

impl Format for CategorisedNif {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        if looks_like_nif(sample) && looks_categorised(sample) { 95 } else { 0 }
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
    let types = EntityTypes::default();
    let corpus = stretches::read(file, SETTINGS, options, |text, turtle, claims, reading| {
        let mut records = Records::read(turtle);
        types.put_aside(text.lines_before(), &mut records, claims);
        assemble::assemble(text, vec![records], offsets, claims, reading)
    });
    corpus.map(|corpus| types.given_to(corpus))
}

fn as_a_whole(file: &Source, reading: &mut Reading<'_>) -> Result<(), Problem> {
    reading.corpus.begin_source(file.name());
    let text = file.text()?;
    let threads = reading.options.thread_count();
    let parts = in_parallel(text.as_str(), SETTINGS, threads, Records::read);
    let offsets = reading.offsets(INFO.offsets);
    assemble::assemble(&text, parts, offsets, &mut Claims::default(), reading)
}
