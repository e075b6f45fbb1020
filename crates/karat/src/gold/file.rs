//! The file of a patch.

use crate::error::{Error, notice_of};
use crate::inputs::{counted, other_base, share};
use crate::notices;
use crate::work::Work;
use karat_formats::{Input, Kind, Layout, Output, Text};
use karat_model::{Corpus, Hint, Notice, OffsetUnit};
use karat_verify::patch::{self, GoldChange, GoldPatch, JudgedChange, StateCounts};

/// A patch that was read.
#[derive(Debug, Clone)]
pub struct PatchFile {
    /// What it is called: as it says itself, or as its file.
    pub name: String,
    /// Where it was read from.
    pub path: String,
    /// What it says.
    pub patch: GoldPatch,
}

/// How the names of files of patches end.
const ENDING: &str = ".goldpatch.jsonl";

impl PatchFile {
    /// Reads a patch: a file, compressed or not, or `-` for standard input.
    pub fn read(path: &str) -> Result<PatchFile, Error> {
        let input = Input::open(path)?;
        let [source] = input.sources() else {
            let message = format!("`{path}` is not one file");
            return Err(Error::bad_request(message, "a patch is one file; merge several"));
        };
        let text = source.text()?;
        let patch = patch::read(text.as_str()).map_err(|problem| located(&text, problem))?;
        let name = patch.name.clone().unwrap_or_else(|| name_of(path));
        Ok(PatchFile { name, path: path.to_owned(), patch })
    }

    /// Reads several.
    pub(super) fn all(paths: &[String]) -> Result<Vec<PatchFile>, Error> {
        match paths.is_empty() {
            true => Err(Error::bad_request("no patch was given", "give one")),
            false => paths.iter().map(|path| PatchFile::read(path)).collect(),
        }
    }

    /// Offsets of a patch and of a corpus without texts must count the same.
    pub(crate) fn check_unit(&self, corpus: &Corpus, unit: OffsetUnit) -> Result<(), Error> {
        let has_texts = corpus.documents().any(|document| document.text().is_some());
        let unit = if has_texts { OffsetUnit::CodePoints } else { unit };
        let made_for = self.patch.base.unit;
        if made_for == unit || corpus.is_empty() {
            return Ok(());
        }
        Err(Error::refused(
            &notices::NOT_COMPARABLE,
            format!("the offsets of `{}` count {made_for}, those of gold {unit}", self.name),
            Hint::template(
                "give the texts of gold with {documents}, or the patch that was made for this file",
            ),
        ))
    }
}

/// What a patch without a name is called.
pub(super) fn name_of(path: &str) -> String {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let file =
        [".gz", ".zst", ".bz2"].iter().fold(file, |it, end| it.strip_suffix(end).unwrap_or(it));
    let name =
        file.strip_suffix(ENDING).unwrap_or_else(|| file.strip_suffix(".jsonl").unwrap_or(file));
    if name.is_empty() || name == "-" { "patch".to_owned() } else { name.to_owned() }
}

/// Nothing of a patch is skipped, so that this is no problem of a corpus, of which a lenient reading skips records.
fn located(text: &Text<'_>, problem: patch::PatchProblem) -> Error {
    let at = problem.at;
    let located = text.problem(Kind::Malformed, at.start, at.len(), problem.message);
    let located = match problem.hint {
        Some(hint) => located.hint(hint),
        None => located,
    };
    Error::Refused(Box::new(notice_of(&located, &notices::BAD_INPUT)))
}

/// Where changes of a patch go that do not apply: beside it.
pub(super) fn rejected_path(path: &str) -> String {
    format!("{}.rejected.jsonl", path.strip_suffix(ENDING).unwrap_or(path))
}

/// Writes a patch, all or nothing.
pub(crate) fn write(patch: &GoldPatch, output: &str, work: &Work) -> Result<(), Error> {
    work.check()?;
    let written = || {
        let mut file = Output::create(output, Layout::File)?;
        file.single(|out| Ok(out.write_all(patch.to_string().as_bytes())?))?;
        file.commit()
    };
    written().map_err(|error| Error::output(output, error))
}

/// An output that was not written, because not everything could be done.
pub(super) fn not_written(output: &str) -> Notice {
    notices::PATCH_REFUSED.notice(match output {
        "-" => "nothing was written".to_owned(),
        output => format!("`{output}` was not written"),
    })
}

/// So many changes that do not apply are told one by one.
const FEW: usize = 5;

/// A change that does not apply, and why.
pub(super) fn trouble_notice(patch: &str, change: &GoldChange, judged: &JudgedChange) -> Notice {
    let message = format!(
        "{} {} of `{}` ({}), {}: {}",
        change.id(),
        change.span,
        change.document,
        change.described(),
        judged.state.name(),
        judged.reason.as_deref().unwrap_or("it does not fit"),
    );
    notices::PATCH_CONFLICT.notice(message).about(patch)
}

/// What does not apply, and what could not be checked.
pub(crate) fn trouble_notices(
    file: &PatchFile,
    gold: &str,
    corpus: &Corpus,
    judged: &[JudgedChange],
    list_all: bool,
) -> Vec<Notice> {
    let mut told = Vec::new();
    let counts = StateCounts::of(judged);
    let trouble: Vec<&JudgedChange> = judged.iter().filter(|it| it.state.is_trouble()).collect();
    for judged in trouble.iter().take(if list_all { usize::MAX } else { FEW }) {
        told.push(trouble_notice(&file.name, &file.patch.changes[judged.index], judged));
    }
    if !trouble.is_empty() {
        let message = format!(
            "{} of `{}` do not apply to `{gold}` ({} in conflict, {} lost)",
            share(trouble.len(), counts.active(), "change"),
            file.name,
            counts.conflict,
            counts.lost
        );
        let notice = notices::PATCH_PARTLY.notice(message).about(&file.name);
        told.push(match trouble.len() > FEW && !list_all {
            true => {
                notice.hint(format!("the first {FEW} are listed; `karat gold check` lists all"))
            }
            false => notice,
        });
        told.extend(other_base(file, gold, corpus));
    }
    let unchecked = judged.iter().filter(|it| !it.checked).count();
    if unchecked > 0 {
        let message = format!(
            "`{gold}` has no texts, so that the words of {} were not checked",
            counted(unchecked, "change")
        );
        told.push(notices::PATCH_UNCHECKED.notice(message).about(&file.name));
    }
    if counts.open > 0 {
        let message = format!(
            "{} of `{}` contradict each other and wait for a choice; they are not applied",
            counted(counts.open, "change"),
            file.name
        );
        told.push(notices::PATCH_OPEN.notice(message).about(&file.name));
    }
    told
}
