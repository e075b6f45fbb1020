//! What requests about documents need, read and settled once.

use super::request::DocumentChoice;
use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::errors::filters::FilterMaker;
use crate::errors::inspector::signature;
use crate::errors::{Filter, Inspection, UnknownEntities};
use crate::inputs::{Experiment, Inputs, Repeats, Run, Settled};
use crate::scoring::Scoring;
use crate::work::Work;
use karat_kb::Identity;
use karat_match::Unknowns;
use karat_measures::Convention;
use karat_model::{Corpus, Document, Hint, Notice};
use std::sync::Arc;

/// A benchmark with the runs that are shown, and the convention.
pub(super) struct DocumentContext {
    pub(super) convention: Convention,
    pub(super) identity: Identity,
    pub(super) experiment: Experiment,
    pub(super) told: Vec<Notice>,
    /// The names of documents that only runs have, in the order in which they come after those of gold.
    strangers: Arc<Vec<String>>,
    provenance: Vec<(&'static str, String)>,
}

/// One document on its own: corpora that hold nothing else.
pub(super) struct OneDocument {
    pub(super) number: usize,
    pub(super) name: String,
    pub(super) gold: Corpus,
    pub(super) runs: Vec<Run>,
}

impl DocumentContext {
    pub(super) fn open(
        inputs: &Inputs,
        request: &ConventionRequest,
        only: &[String],
        work: &Work,
    ) -> Result<DocumentContext, Error> {
        let mut told = Vec::new();
        let mut convention = request.convention()?;
        // A threshold that is best for a score is none for a list of mentions.
        convention.oracle = false;
        let mut identity = request.identity(&convention, &mut told)?;
        let mut experiments =
            inputs.read_with_or_without_runs(Repeats::Refused, work, &mut told)?;
        // Only what is on the shelf stays the same between requests; files may have changed.
        let are_held = inputs.gold.iter().all(|input| input.held_name().is_some());
        let shelf = work.shelf.as_deref().filter(|_| are_held);
        let settled = Settled::of(&experiments, &convention, &identity, shelf);
        settled.apply(&mut convention, &mut identity, &mut told);
        let (Some(mut experiment), true) = (experiments.pop(), experiments.is_empty()) else {
            return Err(Error::bad_request(
                "documents are those of one benchmark",
                Hint::template("give one {gold}"),
            ));
        };
        for name in only {
            experiment.run(name)?;
        }
        // After it was settled how ids are compared, which must not depend on what is shown.
        experiment.runs.retain(|run| only.is_empty() || only.contains(&run.name));
        let provenance = inputs.provenance()?;
        let strangers = settled.strangers.clone();
        Ok(DocumentContext { convention, identity, experiment, told, strangers, provenance })
    }

    pub(super) fn inspection(&self) -> Inspection<'_> {
        Inspection::new(&self.convention, &self.identity)
    }

    pub(super) fn signature(&self, unknowns: Option<UnknownEntities>) -> String {
        let is_required = unknowns == Some(UnknownEntities::Required);
        let unknowns = is_required.then_some(("unknowns", "required"));
        signature(&self.convention, &self.identity, unknowns, &self.experiment, &self.provenance)
    }

    /// The measures of scores of documents; those of links if none are named.
    pub(super) fn scoring(&self, names: &[&str]) -> Result<Scoring, Error> {
        let links = [if self.convention.settings.judges_by_span() { "linking" } else { "link" }];
        let names = if names.is_empty() { &links } else { names };
        let mut scoring = Scoring::new(self.convention.clone(), names)?;
        scoring.identity = self.identity.clone();
        if let Some(base) = scoring.identity.base() {
            scoring.selection.use_base(base);
        }
        // Intervals over one document would say nothing.
        scoring.bootstrap = None;
        Ok(scoring)
    }

    /// How many documents there are.
    pub(super) fn len(&self) -> usize {
        self.experiment.benchmark.corpus.len() + self.strangers.len()
    }

    /// The name of the document with this number.
    pub(super) fn name(&self, number: usize) -> Option<&str> {
        let at = number.checked_sub(1)?;
        let gold = &self.experiment.benchmark.corpus;
        match gold.document_at(at) {
            Some(document) => Some(document.name()),
            None => self.strangers.get(at - gold.len()).map(String::as_str),
        }
    }

    /// The names of all documents.
    pub(super) fn names(&self) -> Vec<&str> {
        let gold = self.experiment.benchmark.corpus.documents();
        let strangers = self.strangers.iter().map(String::as_str);
        gold.map(|document| document.name()).chain(strangers).collect()
    }

    /// The document that was chosen, copied out of the corpora.
    pub(super) fn document(&self, choice: &DocumentChoice) -> Result<OneDocument, Error> {
        let gold = &self.experiment.benchmark.corpus;
        let number = match choice {
            DocumentChoice::Number(number) => *number,
            DocumentChoice::Name(name) => match gold.document(name) {
                Some(document) => document.index() + 1,
                None => {
                    let place = self.strangers.iter().position(|known| known == name);
                    gold.len() + place.ok_or_else(|| self.unknown(name))? + 1
                }
            },
        };
        let name = self.name(number).ok_or_else(|| self.no_number(number))?;
        // A corpus of one document, so that everything below is the code that scores whole corpora.
        let alone = |corpus: &Corpus| {
            let index = corpus.document(name).map(|document| document.index());
            corpus.document_alone(index)
        };
        let run = |run: &Run| Run { corpus: Arc::new(alone(&run.corpus)), ..run.clone() };
        let runs = self.experiment.runs.iter().map(run).collect();
        Ok(OneDocument { number, name: name.to_owned(), gold: alone(gold), runs })
    }

    fn unknown(&self, name: &str) -> Error {
        Error::unknown("document", name, self.names())
    }

    fn no_number(&self, number: usize) -> Error {
        let name = &self.experiment.benchmark.name;
        Error::refused(
            &crate::notices::UNKNOWN_NAME,
            format!("`{name}` has no document {number}"),
            format!("its documents have the numbers 1 to {}", self.len()),
        )
    }

    /// Conditions that cases must fit.
    pub(super) fn filters(
        &self,
        texts: &[String],
        unknowns: Unknowns,
    ) -> Result<Vec<Filter>, Error> {
        let maker = FilterMaker {
            convention: &self.convention,
            identity: &self.identity,
            unknowns,
            experiments: std::slice::from_ref(&self.experiment),
        };
        maker.filters(texts)
    }
}

impl OneDocument {
    /// The document as the runs have it.
    pub(super) fn others(&self) -> impl Iterator<Item = Document<'_>> {
        self.runs.iter().flat_map(|run| run.corpus.documents())
    }
}
