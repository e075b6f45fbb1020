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

/// The file by which a folder of pages is known as one that karat wrote, and may write again.
const MARKER: &str = "karat-site.json";

/// Writes a folder of pages. It appears only when everything was written; one that was there before and came from karat
/// is replaced by it, and any other folder is left alone.
pub(crate) struct SiteWriter {
    path: String,
    /// The old folder, where there is one.
    replaced: Option<PathBuf>,
    fresh: PathBuf,
    output: Output,
    files: usize,
    bytes: usize,
}

impl SiteWriter {
    pub(crate) fn create(path: &str) -> Result<SiteWriter, Failure> {
        let failed = |error| Failure::output(path, error);
        let target = Path::new(path).canonicalize().unwrap_or_else(|_| PathBuf::from(path));
        let replaced = target.join(MARKER).is_file().then(|| target.clone());
        let fresh = match (&replaced, target.file_name()) {
            (Some(_), Some(name)) => {
                let name = name.to_string_lossy();
                target.with_file_name(format!(".{name}.karat-new-{}", std::process::id()))
            }
            _ => target,
        };
        let output = Output::create(&fresh.to_string_lossy(), Layout::Directory).map_err(failed)?;
        Ok(SiteWriter { path: path.to_owned(), replaced, fresh, output, files: 0, bytes: 0 })
    }

    /// Writes one file of the folder.
    pub(crate) fn add(&mut self, name: &str, text: &str) -> Result<(), Failure> {
        self.files += 1;
        self.bytes += text.len();
        let written = self.output.file(name, |file| Ok(file.write_all(text.as_bytes())?));
        written.map_err(|error| Failure::output(&self.path, error))
    }

    /// Puts everything in its place, and says how many files and bytes it is.
    pub(crate) fn finish(mut self) -> Result<(usize, usize), Failure> {
        let marker = format!(
            "{{\"karat\": \"{}\", \"files\": {}}}\n",
            env!("CARGO_PKG_VERSION"),
            self.files
        );
        self.add(MARKER, &marker)?;
        let failed = |error| Failure::output(&self.path, error);
        self.output.commit().map_err(failed)?;
        if let Some(old) = &self.replaced {
            exchange(&self.fresh, old).map_err(|error| failed(error.into()))?;
        }
        Ok((self.files, self.bytes))
    }
}

/// Puts a folder in the place of an old one, which is removed last: at every moment one of both is whole.
fn exchange(fresh: &Path, old: &Path) -> std::io::Result<()> {
    let mut aside = fresh.as_os_str().to_owned();
    aside.push("-old");
    std::fs::rename(old, &aside)?;
    if let Err(error) = std::fs::rename(fresh, old) {
        std::fs::rename(&aside, old)?;
        return Err(error);
    }
    std::fs::remove_dir_all(&aside)
}
