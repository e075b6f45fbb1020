//! Writing files with everything mended that can be.

use super::answer::FixedFile;
use super::checked::{Checked, skipped};
use super::{CheckRun, FixRequest, Validation};
use crate::error::Error;
use crate::inputs::counted;
use crate::notices;
use crate::work::Work;
use crate::written::{loss_notice, lost};
use karat_checks::Mended;
use karat_formats::{Findings, Format, Layout, Output, WriteError};
use karat_model::{Corpus, Hint, Notice};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

impl Validation<'_> {
    /// Writes the inputs with everything mended that can be, if the request asks for it. A file appears
    /// only when all of it was written. What has to be known is added to the notices of the answer, also where a fix is refused.
    pub fn fix(&mut self, work: &Work) -> Result<(), Error> {
        let Validation { answer, run } = self;
        let Some(fix) = &run.request.fix else { return Ok(()) };
        for checked in &run.inputs {
            work.check()?;
            answer.fixes.extend(run.write_fixed(checked, fix, &mut answer.notices)?);
        }
        Ok(())
    }
}

impl CheckRun<'_> {
    /// Writes an input with everything mended that can be.
    fn write_fixed(
        &self,
        checked: &Checked<'_>,
        fix: &FixRequest,
        told: &mut Vec<Notice>,
    ) -> Result<Option<FixedFile>, Error> {
        let Checked { read, report, .. } = checked;
        let (found, input) = (checked.fixable(), checked.input.written());
        // A file that was asked for is written, or a script that goes on with it would fail.
        if found == 0 && fix.output.is_none() {
            return Ok(None);
        }
        let &[name] = read.outcome.formats.as_slice() else {
            let message = format!("`{input}` mixes several formats");
            return Err(Error::bad_request(message, "fix its files one by one"));
        };
        // What was skipped is not in the corpus, and the file would be written without it.
        if skipped(read.left()) > 0 {
            let message =
                format!("`{input}` has records that could not be read; fixing it would lose them");
            return Err(Error::bad_request(message, "mend these by hand first"));
        }
        let file = checked.input.path.as_str();
        let path = fix.output.as_deref().unwrap_or(file);
        let format = crate::registry().named(name)?;
        if format.info().writes.is_none() {
            return Err(Error::output(path, WriteError::NotWritable(name)));
        }
        let subject = self.subject(read);
        let mended = karat_checks::mend(&subject, &self.asked.checks, &self.asked.rules);
        // Only where the input is replaced: a new file loses nothing of the old one.
        if fix.output.is_none() {
            self.check_in_place(checked)?;
            check_keeps_all(file, read.left(), &mended.corpus, format, told)?;
        }
        let fixed = FixedFile {
            input,
            path: path.to_owned(),
            original: None,
            mended: found,
            came_up: mended.findings.saturating_sub(report.fixable()),
            left: mended.left,
            lost: Default::default(),
        };
        let fixed = write(fixed, &mended, format, fix.output.is_none(), told)?;
        told.extend(fixed.notices());
        Ok(Some(fixed))
    }

    /// Only a file that was read as its format prescribes may be written over.
    fn check_in_place(&self, checked: &Checked<'_>) -> Result<(), Error> {
        let (reading, file) = (&self.request.reading, &checked.input.path);
        let described = checked.input.describe.or(&reading.describe);
        // Read under a description of its own, a file written back would count differently from
        // what its user knows it to be.
        let is_as_it_is = described.unit.is_none()
            && described.end.is_none()
            && described.columns.is_empty()
            && described.shift.is_none()
            && reading.documents.is_none();
        if is_as_it_is && Path::new(file).is_file() {
            return Ok(());
        }
        let message = format!("`{file}` cannot be written over");
        Err(Error::bad_request(message, Hint::template("name a file with {output}")))
    }
}

/// Writes a corpus. What it replaces is kept, once it is sure that it will be replaced.
fn write(
    mut fixed: FixedFile,
    mended: &Mended,
    format: &'static dyn Format,
    is_in_place: bool,
    told: &mut Vec<Notice>,
) -> Result<FixedFile, Error> {
    let failed = |error| Error::output(fixed.path.as_str(), error);
    let layout = format.info().writes.unwrap_or(Layout::File);
    let mut output = Output::create(&fixed.path, layout).map_err(failed)?;
    let loss = crate::registry().write(&mended.corpus, format, &mut output).map_err(failed)?;
    if is_in_place {
        // What a reader passes over, a comment for instance, is not written again.
        // After the new content is complete and before it takes the place of the old: at no moment
        // there is neither.
        let original = keep_original(&fixed.path)?;
        let message = format!("kept the original as `{original}`");
        told.push(notices::ORIGINAL_KEPT.notice(message).about(&fixed.input));
        fixed.original = Some(original);
    }
    let failed = |error| Error::output(fixed.path.as_str(), error);
    output.commit().map_err(failed)?;
    told.extend(loss_notice(format.info().name, &loss));
    fixed.lost = lost(&loss);
    Ok(fixed)
}

impl FixedFile {
    /// What was done.
    fn notices(&self) -> impl Iterator<Item = Notice> {
        let FixedFile { input, path, .. } = self;
        let message = match (self.mended, self.came_up) {
            (0, _) => {
                format!("there is nothing to mend in `{input}`: wrote it to `{path}` as it is")
            }
            (found, came_up) => {
                let more = match came_up {
                    0 => String::new(),
                    more => format!(" and {more} that came of it"),
                };
                format!("mended {}{more}, wrote `{path}`", counted(found, "finding"))
            }
        };
        let again = (self.left > 0).then(|| {
            let left = counted(self.left, "finding");
            let message = format!("{left} could be mended again and again: do rules contradict?");
            notices::CONTRADICTING_RULES.notice(message).about(input)
        });
        [notices::FIXED.notice(message).about(input)].into_iter().chain(again)
    }
}

/// Refuses to write over a file of which something would be lost.
fn check_keeps_all(
    file: &str,
    findings: &Findings,
    fixed: &Corpus,
    format: &'static dyn Format,
    told: &mut Vec<Notice>,
) -> Result<(), Error> {
    let (_, loss) = fixed.restrict(&format.info().keeps);
    told.extend(loss_notice(format.info().name, &loss));
    let foreign = findings.foreign_columns();
    if foreign.len() > 0 {
        let columns = counted(foreign.len(), "column");
        let names: Vec<String> = foreign.map(|name| format!("`{name}`")).collect();
        let names = names.join(", ");
        let message = format!("{columns} would be left out or called otherwise: {names}");
        told.push(notices::FOREIGN_COLUMNS.notice(message).about(file));
    } else if loss.is_empty() {
        return Ok(());
    }
    let message = format!("writing over `{file}` would lose something");
    Err(Error::bad_request(message, Hint::template("name another file with {output}")))
}

/// Copies a file to a name that is still free, and says which.
fn keep_original(path: &str) -> Result<String, Error> {
    let mut original = format!("{path}.orig");
    for number in 1_usize.. {
        // `create_new` refuses a file that is there, so that no earlier original is overwritten,
        // not even in a race.
        match OpenOptions::new().write(true).create_new(true).open(&original) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                original = format!("{path}.orig.{number}");
            }
            created => {
                created
                    .and_then(|copy| fill(copy, path))
                    .map_err(|error| Error::output(original.as_str(), error.into()))?;
                break;
            }
        }
    }
    Ok(original)
}

/// Makes a new file a copy of another, which nobody may read who may not read that one.
fn fill(mut copy: File, path: &str) -> io::Result<()> {
    let mut file = File::open(path)?;
    copy.set_permissions(file.metadata()?.permissions())?;
    io::copy(&mut file, &mut copy).map(|_| ())
}
