//! `karat report FOLDER`

use crate::arguments::ReadArguments;
use crate::failure::Failure;
use crate::show;
use crate::written::SiteWriter;
use karat::formats::WriteError;
use karat::shared::{AnswerFolder, SharedFolder};
use karat_web::library::{Library, SharedLibrary};
use karat_web::report::shared::shared_site;
use karat_web::workbench::Workbench;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes the site of a shared evaluation, and evaluates only what changed.
pub(super) fn write(
    folder: &str,
    output: &str,
    cache: Option<&PathBuf>,
    reading: &ReadArguments,
) -> Result<(), Failure> {
    let shared = SharedFolder::open(folder)?;
    let (work, bar) = reading.work();
    let read = shared.experiments(&work);
    bar.clear();
    let mut read = read?;
    let mut problems = shared.problems.clone();
    problems.append(&mut read.problems);
    show::notices(&problems, false);
    show::notices(&read.notices(), reading.quiet);
    let kept = cache.cloned().unwrap_or_else(|| Path::new(folder).join(".karat-cache"));
    let answers = AnswerFolder::open(&kept)
        .map_err(|error| Failure::output(&kept.display().to_string(), WriteError::from(error)))?;
    let hidden_texts = std::mem::take(&mut read.hidden_texts);
    let library = Arc::new(SharedLibrary::new(read, answers));
    let workbench = Workbench::over(Arc::clone(&library) as Arc<dyn Library>);
    let mut writer = SiteWriter::create(output)?;
    let written = shared_site(&shared, &workbench, &hidden_texts, &problems, |file| {
        writer.add(&file.path, &file.content)
    });
    written?;
    let (files, bytes) = writer.finish()?;
    if !reading.quiet {
        let [found, computed] = library.counts();
        show::note(&format!(
            "{files} files, {}, in {output}; {computed} answers computed, {found} taken from {}",
            super::size(bytes),
            kept.display()
        ));
    }
    if problems.is_empty() { Ok(()) } else { Err(Failure::Gate) }
}
