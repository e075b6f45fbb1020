//! Where a corpus is written to, all or nothing.

use crate::format::{Layout, WriteError};
use crate::source::Source;
use karat_model::Vocabulary;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The target of a writing. Files appear under their name only when everything
/// was written; until then they are temporary and vanish on failure.
#[derive(Debug)]
pub struct Output {
    place: Target,
    layout: Layout,
    vocabulary: Option<Vocabulary>,
}

#[derive(Debug)]
enum Target {
    Stdout,
    Path {
        target: PathBuf,
        temporary: PathBuf,
    },
    /// A device or a pipe, which must not be replaced by a file.
    Special(PathBuf),
    Memory(Vec<(String, Vec<u8>)>),
}

impl Output {
    /// A file or directory, `-` for standard output.
    pub fn create(path: &str, layout: Layout) -> Result<Output, WriteError> {
        if path == "-" {
            if layout == Layout::Directory {
                let message = "this format writes several files and needs a directory";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message).into());
            }
            return Ok(Output { place: Target::Stdout, layout, vocabulary: None });
        }
        // A link stays a link; what it points to is written.
        let target = fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
        // `/dev/null`, a terminal, a named pipe: renaming a file over them would replace the
        // device.
        if layout == Layout::File && target.exists() && !target.is_file() && !target.is_dir() {
            return Ok(Output { place: Target::Special(target), layout, vocabulary: None });
        }
        let name = target.file_name().map(|name| name.to_string_lossy().into_owned());
        let Some(name) = name else {
            let message = "this is no name for a file";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message).into());
        };
        if target.is_dir() && (layout == Layout::File || !is_empty_directory(&target)?) {
            let message = match layout {
                Layout::File => "it is a directory; name a file in it".to_owned(),
                Layout::Directory => "the directory exists and is not empty".to_owned(),
            };
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message).into());
        }
        // Beside the target, so that renaming stays within one file system and is atomic.
        let temporary = target.with_file_name(format!(".{name}.karat-{}", std::process::id()));
        Ok(Output { place: Target::Path { target, temporary }, layout, vocabulary: None })
    }

    /// Files in memory.
    pub fn memory(layout: Layout) -> Output {
        Output { place: Target::Memory(Vec::new()), layout, vocabulary: None }
    }

    /// The same, with category tags in the names of a vocabulary.
    pub fn with_vocabulary(mut self, vocabulary: Option<Vocabulary>) -> Output {
        self.vocabulary = vocabulary;
        self
    }

    /// The vocabulary that category tags are asked for in.
    pub fn vocabulary(&self) -> Option<Vocabulary> {
        self.vocabulary
    }

    /// The name that whoever reads the output will know it by; `None` in memory.
    pub(crate) fn file_name(&self) -> Option<&str> {
        match &self.place {
            Target::Path { target, .. } => target.file_name()?.to_str(),
            Target::Stdout | Target::Special(_) => Some("-"),
            Target::Memory(_) => None,
        }
    }

    /// The files written to memory, to read them again.
    pub fn into_sources(self) -> Vec<Source> {
        match &self.place {
            Target::Memory(files) => {
                files.iter().map(|(name, bytes)| Source::memory(name, bytes.clone())).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Writes the one file of a format that writes one.
    pub fn single(
        &mut self,
        body: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        self.file("output", body)
    }

    /// Writes a file of a format that writes several, by its path in the directory.
    pub fn file(
        &mut self,
        name: &str,
        body: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        match &mut self.place {
            Target::Stdout => {
                // Nothing is half-written, not even here: a writer may yet refuse.
                let mut bytes = Vec::new();
                body(&mut bytes)?;
                let mut out = io::stdout().lock();
                out.write_all(&bytes)?;
                Ok(out.flush()?)
            }
            Target::Special(path) => {
                let mut bytes = Vec::new();
                body(&mut bytes)?;
                let mut out = fs::OpenOptions::new().write(true).open(path)?;
                out.write_all(&bytes)?;
                Ok(out.flush()?)
            }
            Target::Memory(files) => {
                let mut bytes = Vec::new();
                body(&mut bytes)?;
                files.push((name.to_owned(), bytes));
                Ok(())
            }
            Target::Path { target, temporary } => {
                let path = match self.layout {
                    Layout::File => temporary.clone(),
                    Layout::Directory => temporary.join(safe(name)?),
                };
                // Names of documents may have folders in them.
                if let Some(folder) = path.parent().filter(|_| self.layout == Layout::Directory) {
                    fs::create_dir_all(folder)?;
                }
                let compressed =
                    if self.layout == Layout::File { target.as_path() } else { Path::new(name) };
                write_compressed(fs::File::create(&path)?, compressed, body)
            }
        }
    }

    /// Puts everything in its place.
    pub fn commit(self) -> Result<(), WriteError> {
        if let Target::Path { target, temporary } = &self.place {
            if self.layout == Layout::Directory {
                fs::create_dir_all(temporary)?;
                // Empty, as `create` has checked; a rename cannot replace a directory that is
                // there.
                if target.is_dir() {
                    fs::remove_dir(target)?;
                }
            }
            fs::rename(temporary, target)?;
        }
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // After a commit there is nothing left to remove; after a failure this
        // is the best that can be done, so errors have nowhere to go.
        if let Target::Path { temporary, .. } = &self.place {
            let _ = match self.layout {
                Layout::File => fs::remove_file(temporary),
                Layout::Directory => fs::remove_dir_all(temporary),
            };
        }
    }
}

fn is_empty_directory(path: &Path) -> io::Result<bool> {
    Ok(fs::read_dir(path)?.next().is_none())
}

/// Document names become file names; they must not lead elsewhere.
fn safe(name: &str) -> io::Result<&str> {
    let fine = Path::new(name)
        .components()
        .all(|component| matches!(component, std::path::Component::Normal(_)));
    if fine && !name.is_empty() {
        return Ok(name);
    }
    let message = format!("`{name}` cannot be the name of a file");
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}

fn write_compressed(
    file: fs::File,
    name: &Path,
    body: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let mut file = BufWriter::with_capacity(1 << 18, file);
    match name.extension().and_then(|extension| extension.to_str()) {
        Some("gz") => {
            let mut out = flate2::write::GzEncoder::new(file, flate2::Compression::default());
            body(&mut out)?;
            out.finish()?.flush()?;
        }
        Some("zst") => {
            let mut out = zstd::stream::write::Encoder::new(file, 3)?;
            body(&mut out)?;
            out.finish()?.flush()?;
        }
        Some("bz2") => {
            let mut out = bzip2::write::BzEncoder::new(file, bzip2::Compression::default());
            body(&mut out)?;
            out.finish()?.flush()?;
        }
        _ => {
            body(&mut file)?;
            file.flush()?;
        }
    }
    Ok(())
}
