//! Reports on disk: from inputs, or from the folder of a shared evaluation, to a file or a folder of pages.

use super::file::{LARGE, one_file};
use super::shared::shared_site;
use super::site::site;
use super::{ReportOptions, SiteFile};
use crate::library::{FileLibrary, Library, SharedLibrary};
use crate::workbench::Workbench;
use karat::error::Error;
use karat::formats::WriteError;
use karat::inputs::{Inputs, Repeats};
use karat::model::{Hint, Notice};
use karat::notices::REPORT_WRITTEN;
use karat::outputs::{SiteSize, SiteWriter, write_file};
use karat::shared::{AnswerFolder, SharedFolder};
use karat::work::Work;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads what a report is about, and what has to be known of it.
pub fn read_for_report(inputs: &Inputs, work: &Work) -> Result<(Workbench, Vec<Notice>), Error> {
    let mut told = Vec::new();
    let experiments = inputs.read_both_editions(Repeats::Refused, work, &mut told)?;
    let library = FileLibrary::of([]);
    library.hold(experiments, inputs, told.clone());
    Ok((Workbench::over(Arc::new(library)), told))
}

/// Writes a report: one file where its name is that of a page, or is `-` for standard output, and a folder of pages otherwise.
/// Says how much was written.
pub fn write_report(
    workbench: &Workbench,
    options: &ReportOptions,
    output: &str,
) -> Result<Notice, Error> {
    if is_file(output) {
        let report = one_file(workbench, options)?;
        write_file(output, &report)?;
        let written = REPORT_WRITTEN.notice(format!("{} in {output}", size(report.len())));
        return Ok(match report.len() > LARGE {
            true => written.hint(Hint::template(
                "a folder opens quicker: {output=site/}, or {show-documents=50} for fewer documents",
            )),
            false => written,
        });
    }
    let mut writer = SiteWriter::create(output)?;
    let add = |file: SiteFile| writer.add(&file.path, &file.content);
    site::<Error>(workbench, options, add)?;
    Ok(REPORT_WRITTEN.notice(site_in(writer.finish()?, output)))
}

/// The site of a shared evaluation that was written.
#[derive(Debug)]
pub struct WrittenSite {
    /// What is wrong in the folder. The site shows it too.
    pub problems: Vec<Notice>,
    /// What else has to be known; how much was written is the last.
    pub notices: Vec<Notice>,
}

/// Writes the site of a shared evaluation, and evaluates only what changed: answers are kept in a folder, `.karat-cache` in
/// that of the evaluation if none is named.
pub fn write_shared(
    folder: &str,
    output: &str,
    kept: Option<&Path>,
    work: &Work,
) -> Result<WrittenSite, Error> {
    let shared = SharedFolder::open(folder)?;
    let mut read = shared.experiments(work)?;
    let mut problems = shared.problems.clone();
    problems.append(&mut read.problems);
    let mut notices = read.notices();
    let kept = kept.map_or_else(|| Path::new(folder).join(".karat-cache"), PathBuf::from);
    let called = kept.display().to_string();
    let answers = AnswerFolder::open(&kept)
        .map_err(|error| Error::output(called.as_str(), WriteError::from(error)))?;
    let hidden_texts = std::mem::take(&mut read.hidden_texts);
    let library = Arc::new(SharedLibrary::new(read, answers));
    let workbench = Workbench::over(Arc::clone(&library) as Arc<dyn Library>);
    let mut writer = SiteWriter::create(output)?;
    let add = |file: SiteFile| writer.add(&file.path, &file.content);
    shared_site::<Error>(&shared, &workbench, &hidden_texts, &problems, add)?;
    let written = site_in(writer.finish()?, output);
    let [found, computed] = library.counts();
    let message = format!("{written}; {computed} answers computed, {found} taken from {called}");
    notices.push(REPORT_WRITTEN.notice(message));
    Ok(WrittenSite { problems, notices })
}

/// Whether an output is one file: by its ending, unless a folder has that name.
fn is_file(output: &str) -> bool {
    let is_page = Path::new(output).extension().is_some_and(|ending| {
        ending.eq_ignore_ascii_case("html") || ending.eq_ignore_ascii_case("htm")
    });
    output == "-" || (is_page && !output.ends_with('/') && !Path::new(output).is_dir())
}

fn site_in(written: SiteSize, output: &str) -> String {
    format!("{} files, {}, in {output}", written.files, size(written.bytes))
}

/// A number of bytes as people say it.
fn size(bytes: usize) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..1_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_makes_a_file_and_a_folder_stays_a_folder() {
        assert!(is_file("report.html") && is_file("a/B.HTM") && is_file("-"));
        assert!(!is_file("site") && !is_file("site.html/") && !is_file("report.pdf"));
        let folder = tempfile::tempdir().unwrap();
        let named = folder.path().join("pages.html");
        std::fs::create_dir(&named).unwrap();
        assert!(!is_file(&named.to_string_lossy()));
    }

    #[test]
    fn bytes_are_said_as_people_say_them() {
        assert_eq!([9_999, 10_000, 2_340_000].map(size), ["9999 bytes", "10 kB", "2.3 MB"]);
    }
}
