//! The corrections of a benchmark.

use super::folder::SharedBenchmark;
use crate::error::Error;
use crate::gold::{GoldLogRequest, PatchAnswer, PatchFile, PatchView};
use crate::inputs::counted;
use crate::notices;
use crate::request::Request;
use crate::work::Work;
use karat_model::{Corpus, Notice};
use std::path::PathBuf;

/// The corrections that are for an edition: those that were made for it and, where a benchmark has one edition only, those
/// that do not say what they were made for. What cannot be read is a problem.
pub(super) fn fitting(
    benchmark: &SharedBenchmark,
    corpus: &Corpus,
    problems: &mut Vec<Notice>,
) -> Vec<PathBuf> {
    let is_only = benchmark.record.editions.len() == 1;
    let mut fitting = Vec::new();
    for path in &benchmark.patches {
        match PatchFile::read(&path.display().to_string()) {
            Ok(file) if file.patch.base.is(corpus).unwrap_or(is_only) => fitting.push(path.clone()),
            Ok(_) => {}
            Err(error) => {
                let notice = error.notice();
                if !problems.contains(&notice) {
                    problems.push(notice);
                }
            }
        }
    }
    fitting
}

/// The corrections that are there and for no edition that was read.
pub(super) fn waiting(benchmark: &SharedBenchmark, applied: &[PathBuf]) -> Vec<Notice> {
    let waiting = benchmark.patches.iter().filter(|path| !applied.contains(path));
    let waiting = waiting.filter(|path| PatchFile::read(&path.display().to_string()).is_ok());
    let told = |path: &PathBuf| {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let message = format!(
            "the patch `{file}` of {} is not applied: no edition that is here and has outputs is the one that it was made for",
            benchmark.name
        );
        let hint = "`karat gold rebase PATCH GOLD -o NEW` moves a patch to another edition";
        notices::PATCHES_WAIT.notice(message).about(&benchmark.name).hint(hint)
    };
    waiting.map(told).collect()
}

impl SharedBenchmark {
    /// All corrections, one after the other, with who made them; words are left out where texts may not be published.
    pub fn corrections(&self) -> Result<PatchAnswer, Error> {
        let good = |path: &&PathBuf| PatchFile::read(&path.display().to_string()).is_ok();
        let patches = self.patches.iter().filter(good).map(|path| path.display().to_string());
        let patches: Vec<String> = patches.collect();
        if patches.is_empty() {
            return Ok(PatchAnswer::default());
        }
        let request = GoldLogRequest { patches, view: PatchView::Log, ..GoldLogRequest::default() };
        let mut answer = request.answer(&Work::default())?;
        if !self.record.texts {
            answer.changes.iter_mut().for_each(|change| change.words = None);
        }
        Ok(answer)
    }

    /// How many corrections there are, in words.
    pub fn corrections_counted(&self) -> String {
        let patches = self.patches.len();
        match patches {
            0 => "none".to_owned(),
            1 => counted(1, "patch"),
            more => format!("{more} patches"),
        }
    }
}
