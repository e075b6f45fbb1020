//! The patch between two gold standards.

use super::answer::{PatchAnswer, PatchView};
use super::file::{PatchFile, name_of, write};
use crate::error::Error;
use crate::inputs::{InputRequest, ReadInput, ReadingRequest, counted, in_offsets_of};
use crate::notices;
use crate::outputs::check_is_no_input;
use crate::request::Request;
use crate::work::Work;
use karat_verify::patch::{GoldPatch, NoPatch};
use serde::{Deserialize, Serialize};

/// Makes the patch that turns one gold standard into another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GoldDiffRequest {
    /// The gold standard as it is.
    pub old: InputRequest,
    /// The corrected one.
    pub new: InputRequest,
    /// Where the patch is written: a file, or `-` for standard output. Empty for nowhere.
    pub output: String,
    /// What the patch is called; as its file if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Who made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Under which licence it may be passed on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// The knowledge base that its ids are of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kb: Option<String>,
    /// The reason for all changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Leave words out, for texts that may not be shared.
    pub mask: bool,
    /// How the gold standards are read.
    pub reading: ReadingRequest,
}

impl Request for GoldDiffRequest {
    type Answer = PatchAnswer;

    const NAME: &'static str = "gold-diff";

    fn answer(&self, work: &Work) -> Result<PatchAnswer, Error> {
        for input in [&self.old, &self.new] {
            check_is_no_input(&self.output, [input.path.as_str()])?;
        }
        let mut read = self.reading.read(&[&self.old, &self.new], work)?.into_iter();
        let (Some(old), Some(new)) = (read.next(), read.next()) else {
            return Err(Error::bad_request("a patch is between two gold standards", "give both"));
        };
        let mut answer = PatchAnswer::new(PatchView::Log, Vec::new());
        answer.notices.extend(old.notices.iter().chain(&new.notices).cloned());
        let patch = self.between(&old, &new, &mut answer)?;
        let file = PatchFile {
            name: patch.name.clone().unwrap_or_default(),
            path: self.output.clone(),
            patch: if self.mask { patch.masked() } else { patch },
        };
        if !self.output.is_empty() {
            write(&file.patch, &self.output, work)?;
            answer.output = Some(self.output.clone());
        }
        answer.enter(&file, Some(&old.outcome.corpus), None);
        if self.output != "-" && !self.output.is_empty() {
            let message = format!(
                "{} from `{}` to `{}`, in `{}`",
                counted(file.patch.changes.len(), "change"),
                old.name,
                new.name,
                self.output
            );
            answer.notices.push(notices::PATCH_WRITTEN.notice(message).about(&file.name));
        }
        Ok(answer)
    }
}

impl GoldDiffRequest {
    fn between(
        &self,
        old: &ReadInput,
        new: &ReadInput,
        answer: &mut PatchAnswer,
    ) -> Result<GoldPatch, Error> {
        let translated = in_offsets_of(old, new)?;
        let corpus = translated.as_ref().unwrap_or(&new.outcome.corpus);
        let patch = GoldPatch::between(&old.outcome.corpus, corpus, old.outcome.unit());
        let mut patch = patch.map_err(|error| refused(&error, old, new))?;
        if !patch.makes(corpus) {
            let message = format!(
                "`{}` and `{}` differ in mentions that are parts of themselves, or in trees of more than 16 readings, of which \
                 no patch speaks",
                old.name, new.name
            );
            answer.notices.push(notices::PATCH_PARTLY.notice(message).about(&new.name));
        }
        patch.name = Some(self.name.clone().unwrap_or_else(|| name_of(&self.output)));
        patch.base.name = Some(old.name.clone());
        (patch.by, patch.licence, patch.kb) =
            (self.by.clone(), self.licence.clone(), self.kb.clone());
        for change in &mut patch.changes {
            change.why.clone_from(&self.why);
        }
        Ok(patch)
    }
}

fn refused(error: &NoPatch, old: &ReadInput, new: &ReadInput) -> Error {
    let hint = match error {
        NoPatch::OtherText { .. } => {
            "no patch changes a text: a corrected text is a new edition, and `karat gold rebase` moves patches to it"
        }
        NoPatch::OtherDocuments { .. } => {
            "a patch adds and removes no documents: give both the same"
        }
    };
    let message = format!("`{}` and `{}`: {error}", old.source, new.source);
    Error::refused(&notices::NOT_COMPARABLE, message, hint)
}
