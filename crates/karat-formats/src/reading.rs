//! A reading in progress: options in, corpus and findings out.

use crate::anchor::Here;
use crate::block::UNIQUE_DOCUMENTS;
use crate::format::Offsets;
use crate::placing::repair::{Fit, Placed};
use crate::problem::{Findings, Kind, Problem};
use crate::syntax::nil::NilWords;
use crate::table::Mapping;
use karat_model::{Corpus, CorpusBuilder, DuplicateDocument, End, OffsetUnit, Span};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

pub use karat_model::Progress;

/// How to read.
#[derive(Clone, Default)]
pub struct ReadOptions {
    /// Skip and count bad records instead of stopping at the first.
    pub lenient: bool,
    /// Refuse what is otherwise repaired: mentions whose words are not those of the text at their offsets, and documents
    /// that occur twice.
    pub strict: bool,
    /// Keep every skipped and repaired record in full, not only the first thousand.
    pub list_all: bool,
    /// How many threads of the pool that the caller is in to use; 0 for all.
    pub threads: usize,
    /// What offsets count, where the files differ from the format's custom.
    pub unit: Option<OffsetUnit>,
    /// What the end offset means, where the files differ from the format's custom.
    pub end: Option<End>,
    /// How far all offsets will be moved when the input was read: words are looked for where they are then.
    pub shift: i64,
    /// Where the words of a mention are not those of the text at its offsets, take those of the text,
    /// in place of a problem.
    pub offsets_decide: bool,
    /// For tables: which column is what (`doc`, `start`, `end`, `link`, ...).
    ///
    /// Inputs that are no tables are read as if nothing were said; [`crate::UsedOptions`] says whether
    /// any was one.
    pub columns: BTreeMap<String, String>,
    /// Read a table that does not have these columns by the usual names, where that is possible, instead of
    /// refusing it: for columns that were named for some of several inputs.
    pub columns_where_they_fit: bool,
    /// Documents that the input is about, for formats that hold no text or no names.
    pub documents: Option<Arc<Corpus>>,
    /// Told about the progress, and asked whether to go on: a reading that is cancelled ends with a problem of the
    /// kind [`Kind::Cancelled`].
    pub progress: Option<Arc<dyn Progress>>,
    /// Given documents as they are complete, instead of keeping them all in memory. What is read
    /// last comes as the corpus. Formats whose records refer to each other come whole.
    pub parts: Option<SyncSender<Corpus>>,
}

impl ReadOptions {
    /// The number of threads to use; parts are read one after the other.
    pub fn thread_count(&self) -> usize {
        match self.threads {
            // Parts are sent as documents become complete, which only a reading from front to back
            // can tell.
            _ if self.parts.is_some() => 1,
            0 => rayon::current_num_threads(),
            threads => threads,
        }
    }

    /// Stops here if nobody waits for this file any more.
    pub(crate) fn check(&self, source_name: &str) -> Result<(), Problem> {
        match self.progress.as_deref().is_some_and(Progress::is_cancelled) {
            true => Err(Problem::cancelled(source_name)),
            false => Ok(()),
        }
    }
}

impl std::fmt::Debug for ReadOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReadOptions")
            .field("lenient", &self.lenient)
            .field("strict", &self.strict)
            .field("list_all", &self.list_all)
            .field("threads", &self.threads)
            .field("unit", &self.unit)
            .field("end", &self.end)
            .field("columns", &self.columns)
            .field("columns_where_they_fit", &self.columns_where_they_fit)
            .finish_non_exhaustive()
    }
}

/// What a reader fills.
#[derive(Debug)]
pub struct Reading<'o> {
    /// The corpus so far.
    pub corpus: CorpusBuilder,
    /// How to read.
    pub options: &'o ReadOptions,
    pub(crate) findings: Findings,
    pub(crate) search: Search,
    /// How often documents that came again with another text got another name.
    pub(crate) renamed: HashMap<String, usize>,
    /// What is NIL in place of a link.
    pub(crate) nil_words: NilWords,
}

/// A search for the places of documents that another file had before.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// Documents whose first place in the file is looked for, and what to say of it.
    sought: HashMap<String, String>,
    /// What was said of those that are in a row, by what was to be said. Those that have a
    /// line are findings, which know the lines of the blocks before theirs.
    pub(crate) found: HashMap<String, Problem>,
}

impl<'o> Reading<'o> {
    /// An empty reading.
    pub fn new(options: &'o ReadOptions) -> Reading<'o> {
        Reading {
            corpus: CorpusBuilder::new(),
            options,
            findings: Findings::default(),
            search: Search::default(),
            renamed: HashMap::new(),
            nil_words: NilWords::default(),
        }
    }

    /// Takes words such as `NULL` for NIL in all that was read so far.
    pub(crate) fn recognise_nil(&mut self) {
        self.nil_words.recognise(&mut self.corpus, &mut self.findings);
    }

    /// Looks for the places of documents that another file had before. Readers that start each
    /// with `begin_document` find them taken; those that go on with documents say where one is
    /// named ([`Reading::names`]).
    pub(crate) fn look_for(&mut self, documents: &[DuplicateDocument]) {
        for duplicate in documents {
            self.corpus.begin_source(duplicate.first.as_deref().unwrap_or_default());
            let _ = self.corpus.begin_document(&duplicate.name);
        }
        let named = documents.iter().map(|one| (one.name.clone(), one.to_string()));
        self.search.sought = named.collect();
    }

    /// Whether the places of documents are looked for.
    pub(crate) fn is_looking(&self) -> bool {
        !self.search.sought.is_empty()
    }

    /// Says that a record names the document it goes on with, and where: `at` makes a problem
    /// there. Every reader that lets documents go on calls it.
    pub(crate) fn names(&mut self, document: &str, at: impl FnOnce(Kind, String) -> Problem) {
        if !self.is_looking() {
            return;
        }
        let Some(message) = self.search.sought.remove(document) else { return };
        let problem = at(Kind::DuplicateDocument, message.clone()).hint(UNIQUE_DOCUMENTS);
        match problem.place {
            Some(_) => self.left_out(problem),
            None => _ = self.search.found.insert(message, problem),
        }
    }

    /// Reports a bad record. A strict reading stops with it; a lenient one notes
    /// it and the reader goes on with the next record:
    ///
    /// ```text
    /// reading.report(text.problem_at(Kind::Malformed, line, "expected three columns"))?;
    /// continue;
    /// ```
    pub fn report(&mut self, problem: Problem) -> Result<(), Problem> {
        if !self.options.lenient {
            return Err(problem);
        }
        self.findings.skip(problem, self.options.list_all);
        Ok(())
    }

    /// The span of a mention in its text, and a note of what was repaired. A strict reading refuses what does not fit.
    pub(crate) fn placed(&mut self, placed: Placed) -> Result<Span, Problem> {
        self.placed_in(placed, None)
    }

    /// The same; `None` where it was refused and is left out.
    pub(crate) fn accept_placed(&mut self, placed: Placed) -> Result<Option<Span>, Problem> {
        let span = self.placed(placed);
        self.accept(span)
    }

    /// The same for a mention of a document of this name.
    pub(crate) fn placed_in(
        &mut self,
        placed: Placed,
        document: Option<&str>,
    ) -> Result<Span, Problem> {
        let placings = &mut self.findings.placings;
        placings.named += usize::from(!matches!(placed.fit, Fit::Unnamed));
        let named = |problem: Problem| match document {
            Some(document) => problem.in_document(document),
            None => problem,
        };
        match placed.fit {
            Fit::Unnamed | Fit::Same => {}
            Fit::Alike(problem) if self.options.strict => return Err(named(*problem)),
            Fit::Alike(problem) => {
                let message = format!("{}; read as the same", problem.message);
                self.repaired(Problem { message, hint: None, ..named(*problem) });
            }
            Fit::Not { problem, .. } if self.options.strict => return Err(named(*problem)),
            Fit::Not { problem, done, usual } => {
                let problem = named(*problem);
                placings.misfits += 1;
                placings.slips += usize::from(!usual);
                let message = format!("{}; {done}", problem.message);
                let repaired = Problem { message, ..problem.clone() };
                if !usual {
                    placings.first.get_or_insert_with(|| Box::new(problem));
                }
                self.repaired(repaired.about(document, Some(placed.span)));
            }
        }
        Ok(placed.span)
    }

    /// Starts a document with its text; `false` where it was refused and is left out. One that was in the file before
    /// goes on if it has the same text, and gets a numbered name if it has another; both are noted.
    pub(crate) fn begin_document(
        &mut self,
        here: Here<'_>,
        name: &str,
        text: &str,
    ) -> Result<bool, Problem> {
        let duplicate = match self.corpus.begin_document(name) {
            Ok(()) => {
                self.corpus.set_text(text);
                return Ok(true);
            }
            Err(duplicate) => duplicate,
        };
        let said = |what: &str| {
            let message = format!("{duplicate}{what}");
            here.problem(Kind::DuplicateDocument, message).about(Some(name), None)
        };
        // The documents of two files are two corpora, of which one was not meant.
        if self.options.strict || duplicate.first.is_some() || self.is_looking() {
            return self.report(said("").hint(UNIQUE_DOCUMENTS)).map(|()| false);
        }
        self.corpus.continue_document(name);
        if self.corpus.text() == Some(text) {
            self.repaired(said(" with the same text; its annotations are put together"));
            return Ok(true);
        }
        // Numbers go on from the last one: a file may repeat one id a million times.
        let mut number = self.renamed.get(name).copied().unwrap_or(1);
        let other = loop {
            number += 1;
            let other = format!("{name}#{number}");
            if self.corpus.begin_document(&other).is_ok() {
                break other;
            }
        };
        self.renamed.insert(name.to_owned(), number);
        self.corpus.set_text(text);
        self.repaired(said(&format!(" with another text; the second is called `{other}`")));
        Ok(true)
    }

    /// Notes a record that was mended; this never stops a reading.
    pub fn repaired(&mut self, problem: Problem) {
        self.findings.repair(problem, self.options.list_all);
    }

    /// Notes a well-formed record that the model has no place for, so that nothing is
    /// lost without a word; this never stops a reading.
    pub fn passed_over(&mut self, problem: Problem) {
        self.findings.pass_over(problem, self.options.list_all);
    }

    /// Notes the columns of a table: those that are not read, and those that writing it again would
    /// not bring back.
    pub fn note_columns(&mut self, mapping: &Mapping) {
        self.findings.note_columns(mapping.foreign());
        self.findings.remarks.add_columns(mapping);
    }

    /// How offsets count: as the format has them, unless the user says otherwise. Readers ask here and
    /// not the options, so that it is known whether what the user says is of any use.
    pub fn offsets(&mut self, usual: Offsets) -> Offsets {
        Offsets { unit: self.unit(usual).unit, ..self.end(usual) }
    }

    /// As [`Reading::offsets`], for a format whose files have no end offsets: lengths, for instance.
    pub fn unit(&mut self, usual: Offsets) -> Offsets {
        // Noted even where the unit is the usual one: the user may have said it to be sure.
        self.findings.remarks.used.unit |= self.options.unit.is_some();
        Offsets { end: usual.end, ..usual.or(self.options) }
    }

    /// As [`Reading::offsets`], where only the end needs to be known: offsets stay as they are in a
    /// file without texts.
    pub fn end(&mut self, usual: Offsets) -> Offsets {
        self.findings.remarks.used.end |= self.options.end.is_some();
        Offsets { unit: usual.unit, ..usual.or(self.options) }
    }

    /// Notes a part of a system's answer that had to be left out: a mention that
    /// is not in its text, an answer that breaks off. This is the quality of the
    /// answer, not of the file, so even a strict reading goes on; it is counted
    /// and listed with what was skipped.
    pub fn left_out(&mut self, problem: Problem) {
        self.findings.skip(problem, self.options.list_all);
    }

    /// Unwraps the result of reading one record: `None` when it was bad and skipped.
    pub fn accept<T>(&mut self, record: Result<T, Problem>) -> Result<Option<T>, Problem> {
        match record {
            Ok(value) => Ok(Some(value)),
            Err(problem) => self.report(problem).map(|()| None),
        }
    }
}
