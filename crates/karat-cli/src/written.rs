//! Files that are no corpora: plots, tasks.

use crate::failure::Failure;
use karat::formats::{Layout, Output};

/// Writes a file, which appears only when all of it was written.
pub(crate) fn write_file(path: &str, text: &str) -> Result<(), Failure> {
    let failed = |error| Failure::output(path, error);
    let mut output = Output::create(path, Layout::File).map_err(failed)?;
    output.single(|file| Ok(file.write_all(text.as_bytes())?)).map_err(failed)?;
    output.commit().map_err(failed)
}
