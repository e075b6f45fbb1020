//! Applying patches to a gold standard.

use super::answer::{PatchAnswer, PatchView};
use super::file::{PatchFile, not_written, rejected_path, trouble_notices, write};
use super::selection::PatchSelection;
use crate::conversion::ConversionRequest;
use crate::error::Error;
use crate::inputs::{InputRequest, ReadInput, ReadingRequest, counted};
use crate::notices;
use crate::outputs::check_is_no_input;
use crate::request::Request;
use crate::work::Work;
use crate::written::loss_notice;
use karat_formats::Format;
use karat_model::Hint;
use karat_verify::patch::{GoldPatch, JudgedChange};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Applies patches to a gold standard, one after the other: all of them, or nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GoldApplyRequest {
    /// The gold standard.
    pub gold: InputRequest,
    /// The patches.
    pub patches: Vec<String>,
    /// Where the result is written: a file, a folder, or `-` for standard output.
    pub output: String,
    /// The format to write. Without it the name of the output decides, and where that says nothing, the format of gold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Which changes are applied.
    pub only: PatchSelection,
    /// Apply what applies, and write the rest to a file beside its patch: `spring.rejected.jsonl`.
    pub keep_going: bool,
    /// How gold is read.
    pub reading: ReadingRequest,
}

impl Request for GoldApplyRequest {
    type Answer = PatchAnswer;

    const NAME: &'static str = "gold-apply";

    fn answer(&self, work: &Work) -> Result<PatchAnswer, Error> {
        for input in std::iter::once(&self.gold.path).chain(&self.patches) {
            check_is_no_input(&self.output, [input.as_str()])?;
        }
        // Patches first: a bad line in one should not be found after minutes of reading.
        let files = PatchFile::all(&self.patches)?;
        let files = files.into_iter().map(|file| {
            let patch = self.only.of(&file.patch)?;
            Ok(PatchFile { patch, ..file })
        });
        let files = files.collect::<Result<Vec<PatchFile>, Error>>()?;
        let read = self.reading.read_alone(&self.gold, work)?;
        let target = self.target(&read)?;
        let mut answer = PatchAnswer::new(PatchView::States, read.notices.clone());
        let unit = read.outcome.unit();
        let mut corpus = read.outcome.corpus;
        let mut rejected = Vec::new();
        for file in &files {
            file.check_unit(&corpus, unit)?;
            let patched = file.patch.applied_to(&corpus);
            let list_all = self.reading.list_all;
            answer.notices.extend(trouble_notices(
                file,
                &read.name,
                &corpus,
                &patched.judged,
                list_all,
            ));
            answer.enter(file, Some(&corpus), Some(&patched.judged));
            rejected.extend(self.rejected(file, &patched.judged));
            answer.done &= !patched.judged.iter().any(|it| it.state.is_trouble());
            corpus = patched.corpus;
        }
        if !answer.done && !self.keep_going {
            let hint = Hint::template("{keep-going} applies the others and writes these to a file");
            answer.notices.push(not_written(&self.output).hint(hint));
            return Ok(answer);
        }
        let (left, loss) = corpus.restricted(&target.info().keeps);
        crate::written::write(&left, target, &self.output, None, work)?;
        answer.notices.extend(loss_notice(target.info().name, &loss));
        answer.output = Some(self.output.clone());
        for (patch, path) in rejected {
            write(&patch, &path, work)?;
            let message = format!("what does not apply is in `{path}`");
            answer.notices.push(notices::PATCH_WRITTEN.notice(message));
            answer.rejected = Some(path);
        }
        let applied = answer.patches.iter().filter_map(|it| it.states).map(|it| it.applies).sum();
        if self.output != "-" {
            let message = format!(
                "{} applied to `{}`, in `{}`",
                counted(applied, "change"),
                read.name,
                self.output
            );
            answer.notices.push(notices::PATCH_WRITTEN.notice(message).about(&read.name));
        }
        Ok(answer)
    }
}

impl GoldApplyRequest {
    /// What does not apply, as a patch of its own beside the patch.
    fn rejected(&self, file: &PatchFile, judged: &[JudgedChange]) -> Option<(GoldPatch, String)> {
        let trouble: BTreeSet<String> = judged
            .iter()
            .filter(|it| it.state.is_trouble())
            .map(|it| file.patch.changes[it.index].id())
            .collect();
        let patch = file.patch.only(|change| trouble.contains(&change.id()));
        let path = rejected_path(&file.path);
        (!trouble.is_empty() && self.keep_going).then_some((patch, path))
    }

    fn target(&self, read: &ReadInput) -> Result<&'static dyn Format, Error> {
        let formats = read.outcome.formats.as_slice();
        let registry = crate::registry();
        // By its name first, as everywhere; a name that says nothing is written as gold was.
        let named = ConversionRequest {
            output: self.output.clone(),
            to: self.to.clone(),
            ..ConversionRequest::default()
        };
        match (named.target(formats), formats) {
            (Ok(format), _) => Ok(format),
            (Err(_), [format]) if self.to.is_none() => {
                let format = registry.named(format)?;
                match format.info().writes {
                    Some(_) => Ok(format),
                    None => Err(Error::bad_request(
                        format!("`{}` can only be read", format.info().name),
                        Hint::template("name another format with {to}"),
                    )),
                }
            }
            (Err(error), _) => Err(error),
        }
    }
}
