//! Files that are no corpora: plots, tasks.

use crate::failure::Failure;
use karat::formats::{Input, Layout, Output};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Writes a file, which appears only when all of it was written.
pub(crate) fn write_file(path: &str, text: &str) -> Result<(), Failure> {
    let failed = |error| Failure::output(path, error);
    let mut output = Output::create(path, Layout::File).map_err(failed)?;
    output.single(|file| Ok(file.write_all(text.as_bytes())?)).map_err(failed)?;
    output.commit().map_err(failed)
}

/// What names of files say of pictures that karat does not write.
const OTHER_PICTURES: [&str; 8] = ["png", "pdf", "jpg", "jpeg", "gif", "eps", "ps", "webp"];

/// Refuses to write a plot over what is read, or to a file that is named like another picture than SVG.
pub(crate) fn check_plot<'i>(
    path: &str,
    inputs: impl IntoIterator<Item = &'i String>,
) -> Result<(), Failure> {
    let extension = Path::new(path).extension().map(|extension| extension.to_string_lossy());
    let extension = extension.unwrap_or_default().to_lowercase();
    if OTHER_PICTURES.contains(&extension.as_str()) {
        let svg = Path::new(path).with_extension("svg");
        return Err(Failure::usage(
            format!("plots are SVG, and `{path}` is the name of another picture"),
            format!("name it `{}`; `rsvg-convert`, for one, makes a PNG of it", svg.display()),
        ));
    }
    check_is_no_input(path, inputs)
}

/// Refuses to write over what is read.
pub(crate) fn check_is_no_input<'i>(
    path: &str,
    inputs: impl IntoIterator<Item = &'i String>,
) -> Result<(), Failure> {
    let parts = inputs.into_iter().flat_map(|input| Input::split_name(input).1.split(','));
    check_is_none_of(Path::new(path), parts.map(Path::new))
}

/// Refuses to write two plots to one file, however its name is spelled.
pub(crate) fn check_are_apart<'p>(
    plots: impl IntoIterator<Item = &'p String>,
) -> Result<(), Failure> {
    let mut places = HashSet::new();
    match plots.into_iter().all(|path| places.insert(place(Path::new(path)))) {
        true => Ok(()),
        false => Err(Failure::usage("two plots in one file", "name a file for each")),
    }
}

/// A file that may not be there yet, in the one spelling of its folder.
fn place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    match (path.canonicalize(), folder, path.file_name()) {
        (Ok(whole), ..) => whole,
        (_, Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// Refuses to write over one of these files.
pub(crate) fn check_is_none_of<'p>(
    path: &Path,
    mut files: impl Iterator<Item = &'p Path>,
) -> Result<(), Failure> {
    let Ok(written) = path.canonicalize() else { return Ok(()) };
    match files.any(|file| file.canonicalize().is_ok_and(|file| file == written)) {
        true => Err(Failure::usage(
            format!("`{}` is an input and would be written over", path.display()),
            "name another file for the output",
        )),
        false => Ok(()),
    }
}
