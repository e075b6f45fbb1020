//! Patches from patches: merged, reverted, and for another edition.

use super::answer::{ChangeRecord, PatchAnswer, PatchRecord, PatchView};
use super::file::{PatchFile, name_of, not_written, rejected_path, trouble_notice, write};
use crate::error::Error;
use crate::inputs::{InputRequest, ReadingRequest, counted};
use crate::notices;
use crate::outputs::check_is_no_input;
use crate::request::Request;
use crate::work::Work;
use karat_model::Hint;
use karat_verify::patch::{Contradiction, GoldPatch};
use serde::{Deserialize, Serialize};

/// Puts patches for one gold standard together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GoldMergeRequest {
    /// The patches.
    pub patches: Vec<String>,
    /// Where the result is written: a file, or `-` for standard output.
    pub output: String,
    /// What the result is called; as all of them if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Write changes that contradict each other as alternatives to choose from; without it, they are refused.
    pub open: bool,
}

impl Request for GoldMergeRequest {
    type Answer = PatchAnswer;

    const NAME: &'static str = "gold-merge";

    fn answer(&self, work: &Work) -> Result<PatchAnswer, Error> {
        let files = PatchFile::all(&self.patches)?;
        let mut answer = PatchAnswer::new(PatchView::Log, Vec::new());
        let mut merged: Option<GoldPatch> = None;
        for file in &files {
            merged = Some(match merged {
                None => file.patch.clone(),
                Some(before) => before.merged(&file.patch).map_err(|error| {
                    let hint = "`karat gold rebase PATCH GOLD -o NEW` brings one of them to the edition of the other";
                    Error::refused(&notices::NOT_COMPARABLE, error.to_string(), hint)
                })?,
            });
        }
        let mut merged = merged.unwrap_or_default();
        if self.name.is_some() {
            merged.name.clone_from(&self.name);
        }
        let contradictions = merged.contradictions();
        for contradiction in &contradictions {
            answer.notices.push(told(&merged, contradiction));
        }
        if self.open {
            merged = merged.opened();
        } else if !contradictions.is_empty() {
            answer.done = false;
            let hint = Hint::template(
                "{open} keeps both, for somebody to choose; neither is applied until then",
            );
            answer.notices.push(not_written(&self.output).hint(hint));
            return Ok(answer);
        }
        finish(merged, &self.output, &mut answer, work)?;
        Ok(answer)
    }
}

fn told(patch: &GoldPatch, contradiction: &Contradiction) -> karat_model::Notice {
    let (first, second) =
        (&patch.changes[contradiction.first], &patch.changes[contradiction.second]);
    let message = format!(
        "{} and {} contradict each other at {} of `{}`: {} against {}",
        first.id(),
        second.id(),
        first.span,
        first.document,
        first.described(),
        second.described()
    );
    notices::PATCH_CONFLICT.notice(message)
}

/// Writes a patch that was made and enters it.
fn finish(
    patch: GoldPatch,
    output: &str,
    answer: &mut PatchAnswer,
    work: &Work,
) -> Result<(), Error> {
    let name = patch.name.clone().unwrap_or_else(|| name_of(output));
    let file = PatchFile { name, path: output.to_owned(), patch };
    write(&file.patch, output, work)?;
    answer.output = Some(output.to_owned());
    answer.enter(&file, None, None);
    if output != "-" {
        let message = format!("{} in `{output}`", counted(file.patch.changes.len(), "change"));
        answer.notices.push(notices::PATCH_WRITTEN.notice(message).about(&file.name));
    }
    Ok(())
}

/// Makes the patch that undoes another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GoldRevertRequest {
    /// The patch.
    pub patch: String,
    /// Where its opposite is written: a file, or `-` for standard output.
    pub output: String,
}

impl Request for GoldRevertRequest {
    type Answer = PatchAnswer;

    const NAME: &'static str = "gold-revert";

    fn answer(&self, work: &Work) -> Result<PatchAnswer, Error> {
        check_is_no_input(&self.output, [self.patch.as_str()])?;
        let file = PatchFile::read(&self.patch)?;
        let mut answer = PatchAnswer::new(PatchView::Log, Vec::new());
        let mut reverted = file.patch.reverted();
        if file.patch.name.is_none() {
            reverted.name = Some(format!("{}-reverted", file.name));
        }
        finish(reverted, &self.output, &mut answer, work)?;
        Ok(answer)
    }
}

/// Moves a patch to another edition of its gold standard.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GoldRebaseRequest {
    /// The patch.
    pub patch: String,
    /// The edition.
    pub gold: InputRequest,
    /// Where the result is written: a file, or `-` for standard output. What does not apply goes to a
    /// file beside it.
    pub output: String,
    /// How gold is read.
    pub reading: ReadingRequest,
}

impl Request for GoldRebaseRequest {
    type Answer = PatchAnswer;

    const NAME: &'static str = "gold-rebase";

    fn answer(&self, work: &Work) -> Result<PatchAnswer, Error> {
        for input in [&self.patch, &self.gold.path] {
            check_is_no_input(&self.output, [input.as_str()])?;
        }
        let file = PatchFile::read(&self.patch)?;
        let read = self.reading.read_alone(&self.gold, work)?;
        let mut answer = PatchAnswer::new(PatchView::Log, read.notices.clone());
        let corpus = &read.outcome.corpus;
        file.check_unit(corpus, read.outcome.unit())?;
        let mut rebased = file.patch.rebased_to(corpus, read.outcome.unit());
        rebased.patch.base.name = Some(read.name.clone());
        for (from, change) in &rebased.moved {
            let message = format!(
                "{} moved from {from} to {} of `{}` ({})",
                change.id(),
                change.span,
                change.document,
                change.described()
            );
            answer.notices.push(notices::PATCH_MOVED.notice(message).about(&file.name));
        }
        if !rebased.already_there.is_empty() {
            let number = counted(rebased.already_there.len(), "change");
            let message = format!("`{}` has {number} already, left out", read.name);
            answer.notices.push(notices::PATCH_MOVED.notice(message).about(&file.name));
        }
        let mut rest = GoldPatch { changes: Vec::new(), result: None, ..file.patch.clone() };
        for (change, judged) in &rebased.rejected {
            answer.notices.push(trouble_notice(&file.name, change, judged));
            rest.changes.push(change.clone());
        }
        finish(rebased.patch, &self.output, &mut answer, work)?;
        if !rest.changes.is_empty() {
            answer.done = false;
            let rest = PatchFile { name: file.name.clone(), path: String::new(), patch: rest };
            answer.patches.push(PatchRecord::of(&rest));
            let lost =
                rest.patch.changes.iter().map(|change| ChangeRecord::of(&rest, change, None));
            answer.changes.extend(lost);
            if self.output != "-" {
                let path = rejected_path(&self.output);
                write(&rest.patch, &path, work)?;
                let message = format!("what does not apply is in `{path}`");
                answer.notices.push(notices::PATCH_WRITTEN.notice(message));
                answer.rejected = Some(path);
            }
        }
        Ok(answer)
    }
}
