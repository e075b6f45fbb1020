//! Where a corpus is written to, all or nothing.

use crate::format::{Layout, WriteError};
use crate::source::Source;
use karat_model::{Vocabulary, Watch};
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
    watch: Watch,
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
            return Ok(Output {
                place: Target::Stdout,
                layout,
                vocabulary: None,
                watch: Watch::default(),
            });
        }
        // A link stays a link; what it points to is written.
        let target = fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
        // `/dev/null`, a terminal, a named pipe: renaming a file over them would replace the
        // device.
        if layout == Layout::File && target.exists() && !target.is_file() && !target.is_dir() {
            return Ok(Output {
                place: Target::Special(target),
                layout,
                vocabulary: None,
                watch: Watch::default(),
            });
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
        Ok(Output {
            place: Target::Path { target, temporary },
            layout,
            vocabulary: None,
            watch: Watch::default(),
        })
    }

    /// Files in memory.
    pub fn memory(layout: Layout) -> Output {
        Output {
            place: Target::Memory(Vec::new()),
            layout,
            vocabulary: None,
            watch: Watch::default(),
        }
    }

    /// The same, with category tags in the names of a vocabulary.
    pub fn with_vocabulary(mut self, vocabulary: Option<Vocabulary>) -> Output {
        self.vocabulary = vocabulary;
        self
    }

    /// The same, stopped by this watch: before each file, and at each block of one.
    pub fn watched(mut self, watch: &Watch) -> Output {
        self.watch = watch.clone();
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
        let watch = &self.watch;
        go_on(watch)?;
        match &mut self.place {
            Target::Stdout => {
                // Nothing is half-written, not even here: a writer may yet refuse.
                let bytes = in_memory(watch, body)?;
                let mut out = io::stdout().lock();
                out.write_all(&bytes)?;
                Ok(out.flush()?)
            }
            Target::Special(path) => {
                let bytes = in_memory(watch, body)?;
                let mut out = fs::OpenOptions::new().write(true).open(path)?;
                out.write_all(&bytes)?;
                Ok(out.flush()?)
            }
            Target::Memory(files) => {
                files.push((name.to_owned(), in_memory(watch, body)?));
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
                let body = |out: &mut dyn Write| unmarked(Watched::new(out, watch), body).map(drop);
                let file = fs::File::create(&path)?;
                // Who may read what is replaced, and nobody else, may read what comes in its place,
                // also while it is written.
                if let Some(replaced) = fs::metadata(&*target).ok().filter(fs::Metadata::is_file) {
                    file.set_permissions(replaced.permissions())?;
                }
                write_compressed(file, compressed, body)
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

/// The bytes of a file that is written at once.
fn in_memory(
    watch: &Watch,
    body: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
) -> Result<Vec<u8>, WriteError> {
    Ok(unmarked(Watched::new(Vec::new(), watch), body)?.out)
}

/// Lets a format write. A reader would take a mark of an encoding at the beginning for one, and not for a part of the first name.
fn unmarked<'w, W: Write>(
    mut out: Watched<'w, W>,
    body: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
) -> Result<Watched<'w, W>, WriteError> {
    body(&mut out)?;
    match out.is_marked {
        true => Err(WriteError::NotText),
        false => Ok(out),
    }
}

/// Tells a watch of each block and asks it whether to go on, so that no format has to. It counts what formats write,
/// before that is packed: a gigabyte of spaces packs into less than a block.
struct Watched<'w, W> {
    out: W,
    watch: &'w Watch,
    /// How many bytes were written since the watch was asked.
    unasked: usize,
    begun: bool,
    /// Whether the file begins like the mark of an encoding.
    is_marked: bool,
}

impl<'w, W> Watched<'w, W> {
    fn new(out: W, watch: &'w Watch) -> Watched<'w, W> {
        Watched { out, watch, unasked: 0, begun: false, is_marked: false }
    }
}

impl<W: Write> Write for Watched<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.begun && !bytes.is_empty() {
            self.begun = true;
            self.is_marked = bytes.starts_with("\u{feff}".as_bytes());
        }
        let written = self.out.write(bytes)?;
        self.unasked += written;
        if self.unasked >= BLOCK {
            self.watch.advance(self.unasked as u64);
            self.unasked = 0;
            go_on(self.watch)?;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Stops writing once nobody waits for it. Whoever gave the watch tells this from a full disk by asking it.
fn go_on(watch: &Watch) -> io::Result<()> {
    if watch.is_cancelled() { Err(io::Error::other("cancelled")) } else { Ok(()) }
}

/// How much is written at once, in bytes.
const BLOCK: usize = 1 << 18;

fn write_compressed(
    file: fs::File,
    name: &Path,
    body: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let mut file = BufWriter::with_capacity(BLOCK, file);
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

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::Cancel;

    /// How many bytes are taken after the work was cancelled.
    fn taken_after_cancelling(mut output: Output, cancel: &Cancel) -> usize {
        let mut taken = 0;
        let outcome = output.single(|out| {
            out.write_all(&[b'x'; 3 * BLOCK])?;
            cancel.cancel();
            for _ in 0..100 {
                out.write_all(&[b'x'; BLOCK / 4])?;
                taken += BLOCK / 4;
            }
            Ok(())
        });
        assert!(outcome.is_err());
        taken
    }

    #[cfg(unix)]
    #[test]
    fn what_is_replaced_keeps_its_mode() -> Result<(), WriteError> {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir()?;
        for mode in [0o600, 0o640, 0o400, 0o755] {
            let path = folder.path().join(format!("{mode:o}"));
            fs::write(&path, "old")?;
            fs::set_permissions(&path, fs::Permissions::from_mode(mode))?;
            let mode_of =
                |path: &Path| fs::metadata(path).map(|it| it.permissions().mode() & 0o777);
            let mut output = Output::create(&path.to_string_lossy(), Layout::File)?;
            let Target::Path { temporary, .. } = &output.place else { panic!("a file") };
            let temporary = temporary.clone();
            output.single(|out| {
                assert_eq!(mode_of(&temporary)?, mode, "while it is written");
                Ok(out.write_all(b"new")?)
            })?;
            output.commit()?;
            assert_eq!((fs::read(&path)?.as_slice(), mode_of(&path)?), (&b"new"[..], mode));
        }
        Ok(())
    }

    #[test]
    fn a_cancelled_writing_stops_at_the_next_block_and_leaves_nothing() -> Result<(), WriteError> {
        let folder = tempfile::tempdir()?;
        for name in ["-in memory", "plain", "packed.gz", "packed.zst", "packed.bz2"] {
            let cancel = Cancel::default();
            let watch = Watch::new(None, cancel.clone());
            let path = folder.path().join(name);
            let output = match name {
                "-in memory" => Output::memory(Layout::File),
                _ => Output::create(&path.display().to_string(), Layout::File)?,
            };
            let taken = taken_after_cancelling(output.watched(&watch), &cancel);
            assert!(taken <= BLOCK, "{name}: {taken}");
        }
        assert_eq!(fs::read_dir(folder.path())?.count(), 0);
        Ok(())
    }
}
