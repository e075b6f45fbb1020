//! `karat validate --fix`

use super::{Checked, Validate};
use crate::failure::Failure;
use crate::show::{self, counted};
use karat::checks::Mended;
use karat::formats::{Findings, Format, Input, Layout, Output, WriteError};
use karat::model::Corpus;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

impl Validate {
    /// Writes an input with everything mended that can be.
    pub(super) fn write_fixed(
        &self,
        checked: &Checked<'_>,
        mend: impl FnOnce() -> Mended,
    ) -> Result<(), Failure> {
        let Checked { input, read, .. } = checked;
        // A file that was asked for is written, or a script that goes on with it would fail.
        if checked.fixable() == 0 && self.output.is_none() {
            return Ok(());
        }
        let &[name] = read.outcome.formats.as_slice() else {
            let message = format!("`{input}` mixes several formats");
            return Err(Failure::usage(message, "fix its files one by one"));
        };
        if !read.left().skipped_counts().is_empty() {
            let message =
                format!("`{input}` has records that could not be read; fixing it would lose them");
            return Err(Failure::usage(message, "mend these by hand first"));
        }
        let (_, file) = Input::split_name(input);
        let path = self.output.as_deref().unwrap_or(file);
        let format = karat::registry().named(name)?;
        if format.info().writes.is_none() {
            return Err(Failure::output(path, WriteError::NotWritable(name)));
        }
        let mended = mend();
        if self.output.is_none() {
            self.check_in_place(file)?;
            check_keeps_all(file, read.left(), &mended.corpus, format)?;
        }
        self.write(&mended.corpus, format, path)
            .map_err(|(at, error)| Failure::output(&at, error))?;
        self.say_mended(checked, path, &mended);
        Ok(())
    }

    /// Only a file that was read as its format prescribes may be written over.
    fn check_in_place(&self, file: &str) -> Result<(), Failure> {
        let reading = &self.reading;
        let as_it_is = reading.unit.is_empty()
            && reading.end.is_empty()
            && reading.columns.is_empty()
            && reading.documents.is_none();
        if as_it_is && Path::new(file).is_file() {
            return Ok(());
        }
        let message = format!("`{file}` cannot be written over");
        Err(Failure::usage(message, "name a file with --output"))
    }

    /// Writes a corpus. What it replaces is kept, once it is sure that it will be replaced.
    fn write(
        &self,
        corpus: &Corpus,
        format: &'static dyn Format,
        path: &str,
    ) -> Result<(), (String, WriteError)> {
        let failed = |error| (path.to_owned(), error);
        let layout = format.info().writes.unwrap_or(Layout::File);
        let mut output = Output::create(path, layout).map_err(failed)?;
        let loss = karat::registry().write(corpus, format, &mut output).map_err(failed)?;
        if self.output.is_none() {
            // What a reader passes over, a comment for instance, is not written again.
            let original = keep_original(path)?;
            self.reading.note(&format!("kept the original as `{original}`"));
        }
        output.commit().map_err(failed)?;
        show::loss(format.info().name, &loss);
        Ok(())
    }

    fn say_mended(&self, checked: &Checked<'_>, path: &str, mended: &Mended) {
        let input = checked.input;
        self.reading.note(&match checked.fixable() {
            0 => format!("there is nothing to mend in `{input}`: wrote it to `{path}` as it is"),
            found => {
                let more = match mended.findings.saturating_sub(checked.report.fixable()) {
                    0 => String::new(),
                    more => format!(" and {more} that came of it"),
                };
                format!("mended {}{more}, wrote `{path}`", counted(found, "finding"))
            }
        });
        if mended.left > 0 {
            let left = counted(mended.left, "finding");
            show::warning(&format!("{left} could be mended again and again: do rules contradict?"));
        }
    }
}

/// Refuses to write over a file of which something would be lost.
fn check_keeps_all(
    file: &str,
    findings: &Findings,
    fixed: &Corpus,
    format: &'static dyn Format,
) -> Result<(), Failure> {
    let (_, loss) = fixed.restrict(&format.info().keeps);
    show::loss(format.info().name, &loss);
    let foreign = findings.foreign_columns();
    if foreign.len() > 0 {
        let columns = counted(foreign.len(), "column");
        let names: Vec<String> = foreign.map(|name| format!("`{name}`")).collect();
        let names = names.join(", ");
        show::note(&format!("{columns} would be left out or called otherwise: {names}"));
    } else if loss.is_empty() {
        return Ok(());
    }
    let message = format!("writing over `{file}` would lose something");
    Err(Failure::usage(message, "name another file with --output"))
}

/// Copies a file to a name that is still free, and says which.
fn keep_original(path: &str) -> Result<String, (String, WriteError)> {
    let mut original = format!("{path}.orig");
    for number in 1_usize.. {
        match OpenOptions::new().write(true).create_new(true).open(&original) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                original = format!("{path}.orig.{number}");
            }
            created => {
                created
                    .and_then(|copy| fill(copy, path))
                    .map_err(|error| (original.clone(), error.into()))?;
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
