//! The patch that follows from decisions about single places, and from the fixes of checks.

use super::answer::{PatchAnswer, PatchView};
use super::file::{PatchFile, name_of, trouble_notices, write};
use crate::error::Error;
use crate::inputs::{InputRequest, ReadingRequest, counted};
use crate::notices;
use crate::outputs::check_is_no_input;
use crate::request::Request;
use crate::work::Work;
use karat_checks::{CHECKS, Subject, mend};
use karat_kb::KnowledgeBase;
use karat_model::{Corpus, Notice, OffsetUnit};
use karat_verify::patch::{DecidedPlace, GoldPatch};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// Makes a patch of what was decided about places of a gold standard, and of what checks can mend in it. What gold becomes by both is
/// in [`Corrections`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GoldCorrectionsRequest {
    /// The gold standard.
    pub gold: InputRequest,
    /// What was decided.
    pub decided: Vec<DecidedPlace>,
    /// Whether what checks find is mended as well, where that is certain.
    pub checks: bool,
    /// The file of a knowledge base, for checks that look links up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kb: Option<String>,
    /// Where the patch is written: a file, or `-` for standard output. Empty for nowhere.
    pub output: String,
    /// What the patch is called; as its file if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Who made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A patch, and what gold becomes by it.
#[derive(Debug, Clone)]
pub struct Corrections {
    /// The patch.
    pub file: PatchFile,
    /// The gold standard with all changes that apply.
    pub corrected: Corpus,
    /// Which decisions do not fit gold as it is, by their numbers.
    pub unfit: Vec<usize>,
    /// What has to be known.
    pub notices: Vec<Notice>,
}

/// A gold standard that is corrected.
struct CorrectedGold {
    name: String,
    corpus: Arc<Corpus>,
    /// What its offsets count where it has no texts.
    unit: OffsetUnit,
    notices: Vec<Notice>,
}

impl GoldCorrectionsRequest {
    /// The patch and the corrected gold standard, which are not written anywhere.
    pub fn made(&self, work: &Work) -> Result<Corrections, Error> {
        self.of(&self.read(work)?, work)
    }

    fn read(&self, work: &Work) -> Result<CorrectedGold, Error> {
        if let (Some(name), Some(shelf)) = (self.gold.held_name(), &work.shelf) {
            let benchmark = shelf.benchmark(name)?;
            let unit = benchmark.kept_offsets().unit.unwrap_or(OffsetUnit::CodePoints);
            let (name, notices) = (benchmark.name.clone(), Vec::new());
            return Ok(CorrectedGold { name, corpus: benchmark.corpus, unit, notices });
        }
        let read = ReadingRequest::default().read_alone(&self.gold, work)?;
        let unit = read.outcome.unit();
        let corpus = Arc::new(read.outcome.corpus);
        Ok(CorrectedGold { name: read.name, corpus, unit, notices: read.notices })
    }

    fn of(&self, gold: &CorrectedGold, work: &Work) -> Result<Corrections, Error> {
        let (corpus, unit, mut told) = (&*gold.corpus, gold.unit, gold.notices.clone());
        let (decided, unfit) = GoldPatch::of_decisions(corpus, unit, &self.decided);
        let mut patch = decided;
        if self.checks {
            work.begin("checking", 1)?;
            let base = self.kb.as_ref().map(|kb| KnowledgeBase::open(Path::new(kb))).transpose()?;
            let subject = Subject { corpus, gold: None, base: base.as_ref() };
            let mended = work.install(|| mend(&subject, CHECKS, &[]));
            base.as_ref().map_or(Ok(()), KnowledgeBase::check)?;
            let mut of_checks =
                GoldPatch::between(corpus, &mended.corpus, unit).map_err(|error| {
                    Error::bad_request(error.to_string(), "this is an error of karat")
                })?;
            for change in &mut of_checks.changes {
                change.why = Some("check".to_owned());
            }
            let differ = |error: karat_verify::patch::BasesDiffer| {
                Error::bad_request(error.to_string(), "this is an error of karat")
            };
            patch = patch.merged(&of_checks).map_err(differ)?.opened();
        }
        work.check()?;
        let patched = patch.applied_to(corpus);
        patch.result = Some(patched.annotations());
        patch.name = Some(self.name.clone().unwrap_or_else(|| name_of(&self.output)));
        patch.base.name = Some(gold.name.clone());
        patch.by.clone_from(&self.by);
        let name = patch.name.clone().unwrap_or_default();
        let file = PatchFile { name, path: self.output.clone(), patch };
        told.extend(trouble_notices(&file, &gold.name, corpus, &patched.judged, false));
        if !unfit.is_empty() {
            let message = format!(
                "{} not fit `{}` as it is, and {} left out",
                match unfit.len() {
                    1 => "one decision does".to_owned(),
                    many => format!("{many} decisions do"),
                },
                gold.name,
                if unfit.len() == 1 { "is" } else { "are" }
            );
            told.push(notices::PATCH_PARTLY.notice(message).about(&gold.name));
        }
        Ok(Corrections { file, corrected: patched.corpus, unfit, notices: told })
    }
}

impl Request for GoldCorrectionsRequest {
    type Answer = PatchAnswer;

    const NAME: &'static str = "gold-corrections";

    fn answer(&self, work: &Work) -> Result<PatchAnswer, Error> {
        check_is_no_input(&self.output, [self.gold.path.as_str()])?;
        let gold = self.read(work)?;
        let made = self.of(&gold, work)?;
        let mut answer = PatchAnswer::new(PatchView::Log, made.notices);
        if !self.output.is_empty() {
            write(&made.file.patch, &self.output, work)?;
            answer.output = Some(self.output.clone());
            let changes = counted(made.file.patch.changes.len(), "change");
            let message = format!("{changes} of `{}`, in `{}`", gold.name, self.output);
            answer.notices.push(notices::PATCH_WRITTEN.notice(message).about(&made.file.name));
        }
        answer.enter(&made.file, Some(&gold.corpus), None);
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Tested = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn decisions_and_fixes_become_one_patch_and_an_edition() -> Tested {
        let mut benchmark = crate::sample::experiment()?.benchmark;
        let document = benchmark.corpus.documents().next().ok_or("no document")?;
        let mention = document.mentions().find(|it| it.entity().is_some()).ok_or("no mention")?;
        let (span, entity) = (mention.span(), mention.entity().unwrap_or_default().to_owned());
        let decided = DecidedPlace {
            document: 1,
            start: span.start,
            end: span.end,
            gold: entity,
            proposed: "Q1".to_owned(),
            note: "seen in the archive".to_owned(),
        };
        let stale = DecidedPlace { gold: "Q0".to_owned(), ..decided.clone() };
        let shelf = |benchmark: &crate::inputs::Benchmark| {
            let runs = Vec::new();
            let experiment = crate::inputs::Experiment { benchmark: benchmark.clone(), runs };
            let mut shelf = crate::inputs::Shelf::default();
            shelf.add(experiment, Vec::new());
            Some(Arc::new(shelf))
        };
        let request = GoldCorrectionsRequest {
            gold: InputRequest::held(&benchmark.name),
            decided: vec![decided, stale],
            checks: true,
            name: Some("spring".to_owned()),
            by: Some("ann".to_owned()),
            ..GoldCorrectionsRequest::default()
        };
        let work = Work { shelf: shelf(&benchmark), ..Work::default() };
        let made = request.made(&work)?;
        assert_eq!(made.unfit, [1]);
        assert!(made.notices.iter().any(|it| it.message.starts_with("one decision does not fit")));
        let text = made.file.patch.to_string();
        assert!(text.contains("seen in the archive") && text.contains("\"Q1\""), "{text}");
        assert!(made.file.patch.makes(&made.corrected), "the patch makes the edition");
        assert_eq!(request.answer(&work)?.changes.len(), made.file.patch.changes.len());
        // Nothing is left to mend in what came of it.
        benchmark.corpus = Arc::new(made.corrected);
        let again = GoldCorrectionsRequest { decided: Vec::new(), ..request };
        let work = Work { shelf: shelf(&benchmark), ..Work::default() };
        assert_eq!(again.made(&work)?.file.patch.changes.len(), 0);
        Ok(())
    }
}
