//! Decisions about the changes of a patch.

use super::answer::{PatchAnswer, PatchView};
use super::file::{PatchFile, write};
use crate::error::Error;
use crate::inputs::{InputRequest, ReadingRequest, counted};
use crate::notices;
use crate::request::Request;
use crate::work::Work;
use karat_verify::patch::{GoldPatch, ReviewDecision};
use serde::{Deserialize, Serialize};

/// Accepts and refuses changes of a patch. What is refused stays in the patch, with who and why, and is not applied.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GoldReviewRequest {
    /// The patch.
    pub patch: String,
    /// The gold standard, to show changes in their texts and what becomes of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gold: Option<InputRequest>,
    /// What is decided; nothing to look only.
    pub decisions: Vec<ReviewDecision>,
    /// Who decides; needed where something is refused.
    pub who: String,
    /// Where the result is written: a file, which may be the patch itself, or `-` for standard output. Empty for nowhere.
    pub output: String,
    /// How gold is read.
    pub reading: ReadingRequest,
}

/// No reason is longer, in bytes.
const LONGEST: usize = 2_000;

impl GoldReviewRequest {
    /// The patch with the decisions, which is not written anywhere.
    pub fn reviewed(&self) -> Result<PatchFile, Error> {
        let file = PatchFile::read(&self.patch)?;
        let patch = self.decided(&file.patch)?;
        Ok(PatchFile { patch, ..file })
    }

    fn decided(&self, patch: &GoldPatch) -> Result<GoldPatch, Error> {
        let who = self.who.trim();
        if who.is_empty() && !self.decisions.is_empty() {
            return Err(Error::bad_request("nobody is named who decides", "say who you are"));
        }
        let texts = self.decisions.iter().map(|decision| decision.why.as_str()).chain([who]);
        if texts.map(str::len).max().unwrap_or_default() > LONGEST {
            return Err(Error::bad_request("a reason or a name is too long", "write fewer words"));
        }
        patch
            .reviewed(&self.decisions, who)
            .map_err(|error| Error::bad_request(error.to_string(), "`karat gold log` lists ids"))
    }
}

impl Request for GoldReviewRequest {
    type Answer = PatchAnswer;

    const NAME: &'static str = "gold-review";

    fn answer(&self, work: &Work) -> Result<PatchAnswer, Error> {
        let file = self.reviewed()?;
        let mut answer = PatchAnswer::new(PatchView::Show, Vec::new());
        let gold =
            self.gold.as_ref().map(|gold| self.reading.read_alone(gold, work)).transpose()?;
        if let Some(gold) = &gold {
            file.check_unit(&gold.outcome.corpus, gold.outcome.unit())?;
        }
        if !self.output.is_empty() {
            write(&file.patch, &self.output, work)?;
            answer.output = Some(self.output.clone());
            let message =
                format!("{} in `{}`", counted(file.patch.changes.len(), "change"), self.output);
            answer.notices.push(notices::PATCH_WRITTEN.notice(message).about(&file.name));
        }
        let corpus = gold.as_ref().map(|gold| &gold.outcome.corpus);
        let judged = corpus.map(|corpus| file.patch.against(corpus));
        answer.enter(&file, corpus, judged.as_deref());
        Ok(answer)
    }
}
