//! `karat report FOLDER`

use crate::arguments::ReadArguments;
use crate::failure::Failure;
use crate::show;
use karat_web::report::write_shared;
use std::path::Path;

/// Writes the site of a shared evaluation, and evaluates only what changed.
pub(super) fn write(
    folder: &str,
    output: &str,
    cache: Option<&Path>,
    reading: &ReadArguments,
) -> Result<(), Failure> {
    let (work, bar) = reading.work();
    let written = write_shared(folder, output, cache, &work);
    bar.clear();
    let written = written?;
    show::notices(&written.problems, false);
    show::notices(&written.notices, reading.quiet);
    if written.problems.is_empty() { Ok(()) } else { Err(Failure::Gate) }
}
