//! Scoring corpora that need not fit into memory.

use super::{Board, OtherTexts, Scoring, SystemScores};
use crate::error::Error;
use crate::inputs::{Described, Spellings, corpus_moved};
use crate::notices;
use crate::registry;
use karat_formats::{Input, Problem, ReadOptions, ReadOutcome};
use karat_match::Pairing;
use karat_measures::{Accumulator, Compute, NameError, Plan};
use karat_model::{
    Corpus, CorpusBuilder, Digest, DocumentDigests, Hint, Notice, OffsetUnit, Repeated, Statistics,
    hash_of,
};
use std::collections::HashSet;
use std::sync::mpsc::{Receiver, sync_channel};

/// Why a stream could not be scored.
#[derive(Debug)]
pub enum StreamError {
    /// An input could not be read.
    Input(Box<Problem>),
    /// Offsets of the gold standard and of the system count different things, and there are
    /// texts by which one could be translated, which a stream does not.
    Units(OffsetUnit, OffsetUnit),
    /// This document comes again after others.
    Scattered(String),
    /// This measure needs all documents at once.
    NotAdditive(String),
    /// A threshold that is chosen on the data itself needs all documents at once.
    Oracle,
    /// A measure asks about an attribute that no mention has.
    Attribute(NameError),
}

impl From<StreamError> for Error {
    fn from(error: StreamError) -> Error {
        let refused = |message: String, hint: &'static str| {
            Error::refused(&notices::NOT_IN_A_STREAM, message, Hint::template(hint))
        };
        match error {
            StreamError::Input(problem) => Error::Input(problem),
            StreamError::Units(gold, system) => refused(
                format!(
                    "the offsets of the gold standard count {gold}, those of the system {system}"
                ),
                "leave out {stream}, so that they can be translated by the texts",
            ),
            StreamError::Scattered(document) => refused(
                format!("the document `{document}` comes again after others"),
                "in a stream the lines of a document must stand together: sort the file, or leave out {stream}",
            ),
            StreamError::Oracle => refused(
                "a threshold that is chosen on the data itself needs all documents at once"
                    .to_owned(),
                "leave out {stream}, or say {threshold=none}",
            ),
            StreamError::Attribute(error) => error.into(),
            StreamError::NotAdditive(measure) => refused(
                format!("`{measure}` needs all documents at once"),
                "leave out {stream}, or ask for measures that add up over documents",
            ),
        }
    }
}

impl From<Problem> for StreamError {
    fn from(problem: Problem) -> StreamError {
        StreamError::Input(Box::new(problem))
    }
}

/// An input of a stream.
#[derive(Debug, Clone)]
pub struct StreamInput<'i> {
    /// What it is called.
    pub name: &'i str,
    /// Its files.
    pub input: &'i Input,
    /// How it is read.
    pub described: &'i Described,
}

/// What came of a stream.
#[derive(Debug)]
pub struct Streamed {
    /// The scores.
    pub board: Board,
    /// Where the system has other texts than gold.
    pub other_texts: OtherTexts,
    /// What to say where the system spells ids otherwise than gold.
    pub spellings: Option<Notice>,
    /// What is known of gold once all of it was read, without its documents.
    pub gold: ReadOutcome,
    /// The same of the system.
    pub system: ReadOutcome,
}

impl Scoring {
    /// Scores one system on a benchmark, both read side by side. A document waits in memory until
    /// the other side has it too, so memory is small where both have the same order.
    pub fn score_stream(
        &self,
        gold: &StreamInput<'_>,
        system: &StreamInput<'_>,
    ) -> Result<Streamed, StreamError> {
        let whole =
            |measure: &&karat_measures::Measure| matches!(measure.compute, Compute::Corpus(_));
        if let Some(measure) = self.selection.measures.iter().find(whole) {
            return Err(StreamError::NotAdditive(measure.name.clone()));
        }
        if self.convention.oracle {
            return Err(StreamError::Oracle);
        }
        let plan = self.plan();
        let scored = std::thread::scope(|scope| {
            let gold_parts = Parts::start(scope, gold);
            let system_parts = Parts::start(scope, system);
            Stream::new(self, &plan, [gold.name, system.name]).run(gold_parts, system_parts)
        })?;
        let mut signature = self.signature_of(gold.name, scored.digest);
        signature.push("stream", "yes");
        let board = Board {
            benchmark: gold.name.to_owned(),
            signature,
            gold: scored.gold,
            digest: scored.digest,
            selection: self.selection.clone(),
            level: self.bootstrap.map(|bootstrap| bootstrap.level),
            systems: vec![SystemScores { name: system.name.to_owned(), ..scored.system }],
            similarities: Vec::new(),
        };
        let StreamScores { other_texts, spellings, gold_read, system_read, .. } = scored;
        Ok(Streamed { board, other_texts, spellings, gold: gold_read, system: system_read })
    }
}

/// The parts of an input, read by a thread of their own.
pub(crate) struct Parts<'s> {
    parts: Receiver<Corpus>,
    reader: std::thread::ScopedJoinHandle<'s, Result<ReadOutcome, Problem>>,
    /// What the input is called.
    name: &'s str,
    /// How far all offsets are moved.
    shift: Option<i64>,
}

impl<'s> Parts<'s> {
    /// Starts to read.
    pub(crate) fn start<'e>(
        scope: &'s std::thread::Scope<'s, 'e>,
        input: &'e StreamInput<'e>,
    ) -> Parts<'s> {
        // One part waits while the next is read.
        // A channel of one: a reader that is ahead blocks here, so that memory stays bounded by
        // what waits and not by the file.
        let (send, parts) = sync_channel(1);
        let reader = scope.spawn(move || {
            let Described { from, options, .. } = input.described;
            let options = ReadOptions { parts: Some(send), ..options.clone() };
            registry().read(input.input, from.as_deref(), &options)
        });
        Parts { parts, reader, name: input.name, shift: input.described.shift }
    }

    /// The next part; the last one, and with it whatever went wrong, after all others.
    pub(crate) fn next(self) -> Result<Next<'s>, Problem> {
        let (shift, name) = (self.shift, self.name);
        match self.parts.recv() {
            Ok(part) => {
                let part = corpus_moved(part, shift, name)?;
                Ok(Next { part, rest: Rest::Parts(self) })
            }
            // The channel is closed: the reader has returned, and only now it is known whether it
            // failed.
            Err(_) => match self.reader.join() {
                Ok(read) => {
                    let mut read = read?;
                    let part = corpus_moved(std::mem::take(&mut read.corpus), shift, name)?;
                    Ok(Next { part, rest: Rest::End(Box::new(read)) })
                }
                Err(panic) => std::panic::resume_unwind(panic),
            },
        }
    }
}

/// A part, and what comes after it.
pub(crate) struct Next<'s> {
    /// The documents.
    pub(crate) part: Corpus,
    /// What is left.
    pub(crate) rest: Rest<'s>,
}

/// What is left of an input after a part.
pub(crate) enum Rest<'s> {
    /// More parts.
    Parts(Parts<'s>),
    /// Nothing: what is known once all was read, without the documents.
    End(Box<ReadOutcome>),
}

/// What has been scored, and what waits for the other side.
struct Stream<'p> {
    scoring: &'p Scoring,
    /// What gold and the system are called.
    names: [&'p str; 2],
    accumulator: Accumulator<'p>,
    gold: Waiting,
    system: Waiting,
    counts: Statistics,
    silent: usize,
    unknown: Vec<String>,
    other_texts: OtherTexts,
    spellings: Option<Notice>,
    /// Attributes that measures ask about and that no mention had yet.
    wanted: Vec<String>,
}

/// The documents of one side that the other side does not have yet.
#[derive(Default)]
struct Waiting {
    parts: Vec<Part>,
    /// The names of all that wait.
    names: HashSet<u64>,
    /// The names of all that ever came.
    seen: HashSet<u64>,
    /// Whether any document that came had its text.
    has_texts: bool,
    /// What is known once all was read.
    read: ReadOutcome,
    /// Whether there is to be a digest of what came.
    is_digested: bool,
    /// The digests of all documents that came.
    digests: DocumentDigests,
}

/// Documents, and their names by hash: a corpus that does not fit into memory has many.
struct Part {
    corpus: Corpus,
    names: Vec<u64>,
}

/// What came out of a stream.
struct StreamScores {
    gold: Statistics,
    digest: Digest,
    system: SystemScores,
    other_texts: OtherTexts,
    spellings: Option<Notice>,
    gold_read: ReadOutcome,
    system_read: ReadOutcome,
}

impl<'p> Stream<'p> {
    fn new(scoring: &'p Scoring, plan: &'p Plan, names: [&'p str; 2]) -> Stream<'p> {
        Stream {
            scoring,
            names,
            accumulator: Accumulator::new(plan),
            gold: Waiting { is_digested: true, ..Waiting::default() },
            system: Waiting { is_digested: scoring.digest_systems, ..Waiting::default() },
            counts: Statistics::default(),
            silent: 0,
            unknown: Vec::new(),
            other_texts: OtherTexts::default(),
            spellings: None,
            wanted: scoring.selection.attributes().map(|(_, name)| name.to_owned()).collect(),
        }
    }

    fn run<'s>(mut self, gold: Parts<'s>, system: Parts<'s>) -> Result<StreamScores, StreamError> {
        let (mut gold, mut system) = (Some(gold), Some(system));
        while gold.is_some() || system.is_some() {
            // The side that is behind goes on, so that neither waits for long.
            // By the number of documents that wait: those of the side that is ahead are what fills
            // the memory.
            let gold_is_behind = self.gold.names.len() <= self.system.names.len();
            match (gold.take(), system.take()) {
                (Some(parts), others) if gold_is_behind || others.is_none() => {
                    let next = parts.next()?;
                    self.count(&next.part);
                    self.look_for_attributes(&next.part);
                    gold = self.gold.take_in(next)?;
                    system = others;
                }
                (others, Some(parts)) => {
                    let next = parts.next()?;
                    self.look_for_attributes(&next.part);
                    system = self.system.take_in(next)?;
                    gold = others;
                }
                (others, None) => gold = others,
            }
            self.score_what_met();
        }
        self.check_units()?;
        let is_known = |name: &str| !self.wanted.iter().any(|wanted| wanted == name);
        self.scoring.selection.check_attributes(is_known).map_err(StreamError::Attribute)?;
        Ok(self.finish())
    }

    /// Offsets that count something else than those of the other side's texts were no match for them.
    fn check_units(&self) -> Result<(), StreamError> {
        let comparable = |bare: &Waiting, other: &Waiting| {
            bare.read.unit() == OffsetUnit::CodePoints || !other.has_texts
        };
        match comparable(&self.gold, &self.system) && comparable(&self.system, &self.gold) {
            true => Ok(()),
            false => Err(StreamError::Units(self.gold.read.unit(), self.system.read.unit())),
        }
    }

    fn look_for_attributes(&mut self, part: &Corpus) {
        self.wanted.retain(|name| {
            let mut mentions = part.documents().flat_map(|document| document.mentions());
            !mentions.any(|mention| mention.attribute(name).is_some())
        });
    }

    fn count(&mut self, part: &Corpus) {
        let counts = part.statistics();
        self.counts.documents += counts.documents;
        self.counts.annotations += counts.annotations;
        self.counts.linked += counts.linked;
        self.counts.nil += counts.nil;
        self.counts.optional += counts.optional;
    }

    /// Scores the documents that both sides have and lets go of them.
    fn score_what_met(&mut self) {
        let common: HashSet<u64> =
            self.gold.names.intersection(&self.system.names).copied().collect();
        if !common.is_empty() {
            let gold = self.gold.take(&common);
            let system = self.system.take(&common);
            self.other_texts.extend(OtherTexts::between(&gold, &system));
            // Once it is known, later parts need not be looked at.
            self.spellings = self.spellings.take().or_else(|| {
                Spellings::notice_of_part(self.names, &gold, &system, &self.scoring.identity)
            });
            self.add(&gold, &system);
        }
    }

    fn add(&mut self, gold: &Corpus, system: &Corpus) {
        let pairing = Pairing::new(gold, system, &self.scoring.identity);
        self.accumulator.add(&pairing);
    }

    /// What still waits has no counterpart.
    fn finish(mut self) -> StreamScores {
        let (gold, system) = (self.gold.take_all(), self.system.take_all());
        self.silent += gold.len();
        self.unknown.extend(system.documents().map(|document| document.name().to_owned()));
        // Documents of one side alone count too, as missed or as wrong.
        self.add(&gold, &system);
        let evaluation = self.accumulator.finish();
        let intervals = self.scoring.intervals(&evaluation, None);
        StreamScores {
            other_texts: self.other_texts,
            spellings: self.spellings,
            gold_read: self.gold.read,
            system_read: self.system.read,
            gold: self.counts,
            digest: self.gold.digests.finish(),
            system: SystemScores {
                name: String::new(),
                source: String::new(),
                digest: self.system.is_digested.then(|| self.system.digests.finish()),
                intervals: intervals.whole,
                slice_intervals: intervals.slices,
                silent_documents: self.silent,
                unknown_documents: self.unknown,
                tuned: None,
                common: Vec::new(),
                common_means: Vec::new(),
                evaluation,
            },
        }
    }
}

impl Waiting {
    /// Adds the next part and gives those that are left.
    fn take_in<'s>(&mut self, next: Next<'s>) -> Result<Option<Parts<'s>>, StreamError> {
        self.has_texts |= next.part.documents().any(|document| document.text().is_some());
        if self.is_digested {
            self.digests.merge(DocumentDigests::of(&next.part));
        }
        self.add(next.part)?;
        Ok(match next.rest {
            Rest::Parts(more) => Some(more),
            Rest::End(read) => {
                self.read = *read;
                None
            }
        })
    }

    fn add(&mut self, corpus: Corpus) -> Result<(), StreamError> {
        let mut names = Vec::with_capacity(corpus.len());
        for document in corpus.documents() {
            // A document that comes again after it was scored cannot be added to what was counted.
            // Names are kept as hashes, 8 bytes each, because these stay in memory for the whole
            // run.
            let name = hash(document.name());
            if !self.seen.insert(name) {
                return Err(StreamError::Scattered(document.name().to_owned()));
            }
            self.names.insert(name);
            names.push(name);
        }
        self.parts.push(Part { corpus, names });
        Ok(())
    }

    /// Takes out the documents with these names.
    fn take(&mut self, wanted: &HashSet<u64>) -> Corpus {
        let mut taken = Vec::new();
        for part in std::mem::take(&mut self.parts) {
            let is_wanted = |name: &u64| wanted.contains(name);
            match part.names.iter().filter(|name| is_wanted(name)).count() {
                0 => self.parts.push(part),
                all if all == part.names.len() => taken.push(part.corpus),
                // Some documents of the part met: it is split, and the rest goes on waiting.
                _ => {
                    taken.push(part.corpus.only_documents(|name| is_wanted(&hash(name))));
                    let corpus = part.corpus.only_documents(|name| !is_wanted(&hash(name)));
                    let names = part.names.into_iter().filter(|name| !is_wanted(name)).collect();
                    self.parts.push(Part { corpus, names });
                }
            }
        }
        self.names.retain(|name| !wanted.contains(name));
        together(taken)
    }

    fn take_all(&mut self) -> Corpus {
        together(std::mem::take(&mut self.parts).into_iter().map(|part| part.corpus).collect())
    }
}

/// Several corpora as one.
fn together(mut corpora: Vec<Corpus>) -> Corpus {
    if corpora.len() == 1 {
        return corpora.swap_remove(0);
    }
    let mut builder = CorpusBuilder::new();
    for corpus in corpora {
        // No document comes again: that was seen to when it came.
        let _ = builder.absorb(corpus, Repeated::Refuse);
    }
    builder.finish()
}

fn hash(name: &str) -> u64 {
    hash_of(name.as_bytes())
}
