//! The next edition of a benchmark, from one that was corrected here.

use super::Workspace;
use super::intake::{IntakeError, new_corpus, submission};
use super::upload::next_label;
use crate::catalogue::CatalogueBenchmark;
use crate::library::CorpusFindings;
use karat::error::Error;
use karat::inputs::Benchmark;
use karat_store::{
    By, CorpusSide, ListFrom, MOST_ITEMS, NewEdition, NewRun, RunFilter, RunRow, SubmissionKind,
};

impl Workspace {
    /// Makes corrected gold the next edition of a benchmark. The runs of the edition that was corrected are runs on the new one
    /// as well: texts are the same, so nothing has to be run again.
    pub(crate) fn next_edition(
        &self,
        by: &By,
        corrected: &CatalogueBenchmark,
        gold: &Benchmark,
        note: &str,
    ) -> Result<String, IntakeError> {
        let offsets = gold.kept_offsets();
        let format = offsets.formats.clone();
        let findings = CorpusFindings { offsets, ..CorpusFindings::default() };
        let corpus = new_corpus(&gold.corpus, CorpusSide::Gold, &format, &findings, None)?;
        let store = self.store();
        let editions = self.wait(store.editions(&corrected.id))?;
        // What the newer edition changed would be undone.
        if editions.first().is_some_and(|newest| newest.id != corrected.edition_id) {
            let message = format!("there is a newer edition of `{}`", corrected.slug);
            return Err(Error::bad_request(message, "correct the newest one").into());
        }
        let edition = NewEdition {
            benchmark: corrected.id.clone(),
            label: next_label(&editions),
            note: note.to_owned(),
            follows: Some(corrected.edition_id.clone()),
            ..NewEdition::default()
        };
        let what = SubmissionKind::Edition(edition, None);
        let done = self.wait(store.submit(by, &submission(Some(corpus), what)))?;
        let edition = done.edition.unwrap_or_default();
        for run in self.runs_of(&corrected.edition_id)? {
            let again = NewRun {
                system: run.system,
                edition: edition.clone(),
                corpus: run.corpus,
                label: run.label,
                note: run.note,
                seconds: run.seconds,
                machine: run.machine,
                visible: run.visible,
            };
            let what = SubmissionKind::Run(again, None);
            self.wait(store.submit(by, &submission(None, what)))?;
        }
        Ok(edition)
    }

    /// The runs of an edition that were read, in the order in which they came.
    fn runs_of(&self, edition: &str) -> Result<Vec<RunRow>, IntakeError> {
        let filter =
            RunFilter { edition: Some(edition.to_owned()), hidden: true, ..RunFilter::default() };
        let mut from = ListFrom { limit: MOST_ITEMS, after: None };
        let mut runs = Vec::new();
        loop {
            let page = self.wait(self.store().runs(&filter, &from))?;
            runs.extend(page.items.into_iter().filter(|run| run.corpus.is_some()));
            match page.next {
                Some(next) => from.after = Some(next),
                None => break,
            }
        }
        runs.sort_by_key(|run| run.sent);
        Ok(runs)
    }
}
