//! Files that are no corpora: plots, lists, folders of pages. What is written appears when it is complete, and never in the
//! place of something that is read.

use crate::error::Error;
use karat_formats::{Input, Layout, Output};
use karat_model::Hint;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Writes a file, which appears only when all of it was written.
pub fn write_file(path: &str, text: &str) -> Result<(), Error> {
    let failed = |error| Error::output(path, error);
    let mut output = Output::create(path, Layout::File).map_err(failed)?;
    output.single(|file| Ok(file.write_all(text.as_bytes())?)).map_err(failed)?;
    output.commit().map_err(failed)
}

/// Writes files with these names and texts to a folder, which is made if it is not there.
pub fn write_files(
    folder: &Path,
    files: impl IntoIterator<Item = (String, String)>,
) -> Result<(), Error> {
    let failed = |error: std::io::Error| Error::output(folder.to_string_lossy(), error.into());
    std::fs::create_dir_all(folder).map_err(failed)?;
    let write =
        |(name, text): (String, String)| write_file(&folder.join(name).to_string_lossy(), &text);
    files.into_iter().try_for_each(write)
}

/// What names of files say of pictures that karat does not write.
const OTHER_PICTURES: [&str; 8] = ["png", "pdf", "jpg", "jpeg", "gif", "eps", "ps", "webp"];

/// Refuses plots that cannot be written as they are named: over an input, two to one file, or as another picture than SVG.
/// To be asked before anything is computed.
pub fn check_plots<'p, 'i>(
    plots: impl IntoIterator<Item = &'p String>,
    inputs: impl IntoIterator<Item = &'i String>,
) -> Result<(), Error> {
    let inputs: Vec<&String> = inputs.into_iter().collect();
    let mut places = HashSet::new();
    for path in plots {
        check_is_svg(path)?;
        check_is_no_input(path, inputs.iter().map(|input| input.as_str()))?;
        if !places.insert(place(Path::new(path))) {
            return Err(Error::bad_request("two plots in one file", "name a file for each"));
        }
    }
    Ok(())
}

fn check_is_svg(path: &str) -> Result<(), Error> {
    let extension = Path::new(path).extension().map(|extension| extension.to_string_lossy());
    let extension = extension.unwrap_or_default().to_lowercase();
    if !OTHER_PICTURES.contains(&extension.as_str()) {
        return Ok(());
    }
    let svg = Path::new(path).with_extension("svg");
    Err(Error::bad_request(
        format!("plots are SVG, and `{path}` is the name of another picture"),
        Hint::from(format!(
            "name it `{}`; `rsvg-convert`, for one, makes a PNG of it",
            svg.display()
        )),
    ))
}

/// Refuses to write over what is read. An input may have a name, and be several files joined by commas.
pub fn check_is_no_input<'i>(
    output: &str,
    inputs: impl IntoIterator<Item = &'i str>,
) -> Result<(), Error> {
    let files = inputs.into_iter().flat_map(|input| Input::split_name(input).1.split(','));
    check_is_none_of(Path::new(output), files.map(Path::new))
}

/// Refuses to write over one of these files.
pub fn check_is_none_of<'p>(
    output: &Path,
    mut files: impl Iterator<Item = &'p Path>,
) -> Result<(), Error> {
    let Ok(written) = output.canonicalize() else { return Ok(()) };
    match files.any(|file| file.canonicalize().is_ok_and(|file| file == written)) {
        true => Err(Error::bad_request(
            format!("`{}` is an input and would be written over", output.display()),
            "name another file for the output",
        )),
        false => Ok(()),
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

/// The file by which a folder of pages is known as one that karat wrote, and may write again.
const MARKER: &str = "karat-site.json";

/// Writes a folder of pages. It appears only when everything was written; one that was there before and came from karat
/// is replaced by it, and any other folder is left alone.
#[derive(Debug)]
pub struct SiteWriter {
    path: String,
    /// The old folder, where there is one.
    replaced: Option<PathBuf>,
    fresh: PathBuf,
    output: Output,
    size: SiteSize,
}

/// How much was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SiteSize {
    /// How many files.
    pub files: usize,
    /// How many bytes.
    pub bytes: usize,
}

impl SiteWriter {
    /// A folder, which does not appear yet.
    pub fn create(path: &str) -> Result<SiteWriter, Error> {
        let target = Path::new(path).canonicalize().unwrap_or_else(|_| PathBuf::from(path));
        let replaced = target.join(MARKER).is_file().then(|| target.clone());
        let fresh = match (&replaced, target.file_name()) {
            (Some(_), Some(name)) => {
                let name = name.to_string_lossy();
                target.with_file_name(format!(".{name}.karat-new-{}", std::process::id()))
            }
            _ => target,
        };
        let output = Output::create(&fresh.to_string_lossy(), Layout::Directory)
            .map_err(|error| Error::output(path, error))?;
        let size = SiteSize::default();
        Ok(SiteWriter { path: path.to_owned(), replaced, fresh, output, size })
    }

    /// Writes one file of the folder.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), Error> {
        self.size.files += 1;
        self.size.bytes += text.len();
        let written = self.output.file(name, |file| Ok(file.write_all(text.as_bytes())?));
        written.map_err(|error| Error::output(self.path.as_str(), error))
    }

    /// Puts everything in its place, and says how much it is.
    pub fn finish(mut self) -> Result<SiteSize, Error> {
        let files = self.size.files;
        let version = env!("CARGO_PKG_VERSION");
        self.add(MARKER, &format!("{{\"karat\": \"{version}\", \"files\": {files}}}\n"))?;
        let failed = |error| Error::output(self.path.as_str(), error);
        self.output.commit().map_err(failed)?;
        if let Some(old) = &self.replaced {
            exchange(&self.fresh, old).map_err(|error| failed(error.into()))?;
        }
        Ok(self.size)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn said(refused: Result<(), Error>) -> String {
        refused.map_or_else(|error| error.to_string(), |()| "fine".to_owned())
    }

    #[test]
    fn plots_are_svg_apart_from_each_other_and_from_what_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let named = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        let [gold, first, second] = ["gold.tsv", "a.svg", "b.svg"].map(named);
        write_file(&gold, "d1\t0\t5\tQ64\n").unwrap();
        assert_eq!(said(check_plots([&first, &second], [&gold])), "fine");
        assert_eq!(said(check_plots([&first, &first], [&gold])), "two plots in one file");
        let input = format!("mine={gold}");
        assert!(said(check_plots([&gold], [&input])).contains("would be written over"));
        assert!(said(check_plots([&named("a.PNG")], [])).starts_with("plots are SVG"));
    }

    #[test]
    fn a_folder_of_pages_takes_the_place_of_the_last_and_of_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("site").to_string_lossy().into_owned();
        let write = |name: &str| {
            let mut site = SiteWriter::create(&path)?;
            site.add(name, "words")?;
            site.finish()
        };
        assert_eq!(write("old.html").unwrap().files, 2);
        assert!(write("new.html").unwrap().bytes > "words".len());
        let has = |name: &str| Path::new(&path).join(name).is_file();
        assert!(has("new.html") && !has("old.html"));
        std::fs::remove_file(Path::new(&path).join(MARKER)).unwrap();
        assert!(write("newer.html").is_err() && has("new.html"));
    }
}
