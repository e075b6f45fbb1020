//! Files that are no corpora: plots, tasks.

use crate::failure::Failure;
use karat::formats::{Input, Layout, Output};
use std::path::Path;

/// Writes a file, which appears only when all of it was written.
pub(crate) fn write_file(path: &str, text: &str) -> Result<(), Failure> {
    let failed = |error| Failure::output(path, error);
    let mut output = Output::create(path, Layout::File).map_err(failed)?;
    output.single(|file| Ok(file.write_all(text.as_bytes())?)).map_err(failed)?;
    output.commit().map_err(failed)
}

/// Refuses to write over what is read.
pub(crate) fn check_is_no_input<'i>(
    path: &str,
    inputs: impl IntoIterator<Item = &'i String>,
) -> Result<(), Failure> {
    let place = |path: &str| Path::new(path).canonicalize().ok();
    let Some(written) = place(path) else { return Ok(()) };
    let is_read = |input: &String| {
        Input::split_name(input).1.split(',').any(|part| place(part).as_ref() == Some(&written))
    };
    match inputs.into_iter().any(is_read) {
        true => Err(Failure::usage(
            format!("`{path}` is an input and would be written over"),
            "name another file for the output",
        )),
        false => Ok(()),
    }
}
