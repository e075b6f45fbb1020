//! The file of a recording.

use super::exchange::Exchange;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a recording is of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordingHead {
    /// The version of the form of recordings.
    #[serde(rename = "karat-answers")]
    pub form: u32,
    /// The linker, and what its answers depend on.
    pub linker: String,
    /// The fingerprint of the documents that it is asked about.
    pub documents: String,
    /// Whether the linker finds mentions, or which are given and how.
    pub mentions: String,
    /// How texts are cut.
    pub split: String,
}

impl RecordingHead {
    /// The form that this karat writes.
    pub const FORM: u32 = 1;

    /// What differs from another head, in words.
    fn difference(&self, other: &RecordingHead) -> Option<String> {
        let pairs = [
            ("linker", &self.linker, &other.linker),
            ("documents", &self.documents, &other.documents),
            ("mentions", &self.mentions, &other.mentions),
            ("split", &self.split, &other.split),
        ];
        let differs = |(what, one, two): &(&str, &String, &String)| {
            (one != two).then(|| format!("{what}: `{one}` before, `{two}` now"))
        };
        let differences: Vec<String> = pairs.iter().filter_map(differs).collect();
        (!differences.is_empty()).then(|| differences.join("; "))
    }
}

/// Why a recording cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Another process writes it.
    #[error("another process works in `{}`", path.display())]
    Locked {
        /// The file that is locked.
        path: PathBuf,
    },
    /// It is of something else.
    #[error("`{}` is the recording of another run: {difference}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// A line is no exchange.
    #[error("`{}`, line {line}: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
}

/// How long lines may stay in the hands of the operating system before they are on the disk.
const SYNC_AFTER: Duration = Duration::from_secs(2);

/// A recording that is written.
///
/// A line is handed to the operating system before its answer is used, so that nothing is lost when the process is killed; every
/// few seconds, and at the end, it is made sure that lines are on the disk.
#[derive(Debug)]
pub struct Recording {
    path: PathBuf,
    written: Mutex<Written>,
    /// Held while the recording is written; the operating system lets go of it if the process dies.
    _lock: File,
}

#[derive(Debug)]
struct Written {
    file: File,
    synced: Instant,
    is_behind: bool,
}

impl Recording {
    /// Opens the recording of a folder, and gives what it has already. A new one begins with this head; one that is there has
    /// to have the same.
    pub fn open(
        folder: &Path,
        head: &RecordingHead,
    ) -> Result<(Recording, Vec<Exchange>), RecordingError> {
        let path = folder.join("answers.jsonl");
        let lock = locked(&folder.join("lock"))?;
        let failed = |error| RecordingError::Io { path: path.clone(), error };
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
        let mut file = file.map_err(failed)?;
        let (there, whole) = read_lines(&path, &mut file)?;
        if there.is_none() {
            check_is_own(&path, &mut file)?;
        }
        if let Some(difference) = there.as_ref().and_then(|(found, _)| found.difference(head)) {
            return Err(RecordingError::Other { path, difference });
        }
        // What was being written when the process ended is no line.
        file.set_len(whole).map_err(failed)?;
        let exchanges = match there {
            Some((_, exchanges)) => exchanges,
            None => {
                let mut line = serde_json::to_string(head).unwrap_or_default();
                line.push('\n');
                file.write_all(line.as_bytes()).and_then(|()| file.sync_data()).map_err(failed)?;
                Vec::new()
            }
        };
        let written = Written { file, synced: Instant::now(), is_behind: false };
        Ok((Recording { path, written: Mutex::new(written), _lock: lock }, exchanges))
    }

    /// Adds a line.
    pub fn add(&self, exchange: &Exchange) -> Result<(), RecordingError> {
        let mut line = serde_json::to_string(exchange).unwrap_or_default();
        line.push('\n');
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        // In one call, so that a line is there whole or torn at the end, and never mixed with another.
        written.file.write_all(line.as_bytes()).map_err(|error| self.failed(error))?;
        written.is_behind = true;
        if written.synced.elapsed() >= SYNC_AFTER {
            self.sync_now(&mut written)?;
        }
        Ok(())
    }

    /// Makes sure that all lines are on the disk.
    pub fn sync(&self) -> Result<(), RecordingError> {
        self.sync_now(&mut self.written.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn sync_now(&self, written: &mut Written) -> Result<(), RecordingError> {
        if std::mem::take(&mut written.is_behind) {
            written.file.sync_data().map_err(|error| self.failed(error))?;
        }
        written.synced = Instant::now();
        Ok(())
    }

    fn failed(&self, error: io::Error) -> RecordingError {
        RecordingError::Io { path: self.path.clone(), error }
    }
}

fn locked(path: &Path) -> Result<File, RecordingError> {
    let failed = |error| RecordingError::Io { path: path.to_owned(), error };
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path);
    let file = file.map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RecordingError::Locked { path: path.to_owned() }),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

type Lines = Option<(RecordingHead, Vec<Exchange>)>;

/// The whole lines of a recording, and where they end.
fn read_lines(path: &Path, file: &mut File) -> Result<(Lines, u64), RecordingError> {
    let failed = |error| RecordingError::Io { path: path.to_owned(), error };
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    read_from(path, BufReader::new(file))
}

/// A file without a whole line is a recording only if it begins as one: somebody may have a file of that name.
fn check_is_own(path: &Path, file: &mut File) -> Result<(), RecordingError> {
    const BEGINNING: &[u8] = b"{\"karat-answers\"";
    let failed = |error| RecordingError::Io { path: path.to_owned(), error };
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    let mut begins = Vec::new();
    file.take(BEGINNING.len() as u64).read_to_end(&mut begins).map_err(failed)?;
    match BEGINNING.starts_with(&begins) {
        true => Ok(()),
        false => {
            let message = "this is no recording".to_owned();
            Err(RecordingError::Damaged { path: path.to_owned(), line: 1, message })
        }
    }
}

fn read_from(path: &Path, mut lines: impl BufRead) -> Result<(Lines, u64), RecordingError> {
    let failed = |error| RecordingError::Io { path: path.to_owned(), error };
    let damaged = |line: usize, error: serde_json::Error| RecordingError::Damaged {
        path: path.to_owned(),
        line,
        message: format!("this is no line of a recording: {error}"),
    };
    let (mut head, mut exchanges, mut whole) = (None, Vec::new(), 0);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let length = lines.read_until(b'\n', &mut line).map_err(failed)?;
        if length == 0 || line.last() != Some(&b'\n') {
            break;
        }
        whole += length as u64;
        match head {
            None => {
                let read: RecordingHead =
                    serde_json::from_slice(&line).map_err(|error| damaged(number, error))?;
                if read.form != RecordingHead::FORM {
                    let message =
                        format!("this karat does not read recordings of form {}", read.form);
                    let path = path.to_owned();
                    return Err(RecordingError::Damaged { path, line: number, message });
                }
                head = Some(read);
            }
            Some(_) => {
                let read = serde_json::from_slice(&line).map_err(|error| damaged(number, error))?;
                exchanges.push(read);
            }
        }
    }
    Ok((head.map(|head| (head, exchanges)), whole))
}

/// The recording of a file or of the folder of a run, compressed or not, without changing it.
pub fn read_recording(path: &Path) -> Result<(RecordingHead, Vec<Exchange>), RecordingError> {
    let path = match path.is_dir() {
        true => path.join("answers.jsonl"),
        false => path.to_owned(),
    };
    let failed = |error| RecordingError::Io { path: path.clone(), error };
    let mut file = File::open(&path).map_err(failed)?;
    let mut magic = [0; 4];
    let length = file.read(&mut magic).map_err(failed)?;
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    let lines: Box<dyn BufRead> = match magic[..length] == [0x28, 0xb5, 0x2f, 0xfd] {
        true => Box::new(BufReader::new(zstd::Decoder::new(file).map_err(failed)?)),
        false => Box::new(BufReader::new(file)),
    };
    match read_from(&path, lines)?.0 {
        Some(read) => Ok(read),
        None => Err(RecordingError::Damaged {
            path,
            line: 1,
            message: "this is no recording".to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{WireAnswer, WireRequest};

    fn head(linker: &str) -> RecordingHead {
        RecordingHead {
            form: RecordingHead::FORM,
            linker: linker.to_owned(),
            documents: "abc".to_owned(),
            mentions: "own".to_owned(),
            split: "none".to_owned(),
        }
    }

    fn exchange(key: &str) -> Exchange {
        Exchange {
            key: key.to_owned(),
            document: "d1".to_owned(),
            part: [0, 9],
            more: 0,
            sample: 0,
            attempt: 1,
            at: "2026-11-17T20:00:00Z".to_owned(),
            request: WireRequest::default(),
            answer: WireAnswer { status: 200, body: "{\n}".to_owned(), ..WireAnswer::default() },
            failure: None,
        }
    }

    #[test]
    fn lines_are_there_again_and_a_torn_one_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let (recording, there) = Recording::open(folder.path(), &head("a")).unwrap();
        assert!(there.is_empty());
        recording.add(&exchange("one")).unwrap();
        recording.add(&exchange("two")).unwrap();
        recording.sync().unwrap();
        let locked = Recording::open(folder.path(), &head("a")).unwrap_err();
        assert!(matches!(locked, RecordingError::Locked { .. }), "{locked}");
        drop(recording);
        let path = folder.path().join("answers.jsonl");
        let length = std::fs::metadata(&path).unwrap().len();
        OpenOptions::new().write(true).open(&path).unwrap().set_len(length - 5).unwrap();
        let (recording, there) = Recording::open(folder.path(), &head("a")).unwrap();
        assert_eq!(there, [exchange("one")]);
        recording.add(&exchange("three")).unwrap();
        drop(recording);
        let (_, there) = read_recording(folder.path()).unwrap();
        assert_eq!(there, [exchange("one"), exchange("three")]);
    }

    #[test]
    fn the_recording_of_another_run_is_refused_with_what_differs() {
        let folder = tempfile::tempdir().unwrap();
        drop(Recording::open(folder.path(), &head("a")).unwrap());
        let error = Recording::open(folder.path(), &head("b")).unwrap_err().to_string();
        assert!(error.ends_with("linker: `a` before, `b` now"), "{error}");
        std::fs::write(folder.path().join("answers.jsonl"), "nonsense\n").unwrap();
        let error = Recording::open(folder.path(), &head("a")).unwrap_err().to_string();
        assert!(error.contains("line 1: this is no line of a recording"), "{error}");
    }

    #[test]
    fn a_file_of_somebody_elses_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers.jsonl");
        for (text, is_own) in [("[1, 2]", false), ("{\"karat-answers\":1,", true), ("{\"ka", true)]
        {
            std::fs::write(&path, text).unwrap();
            assert_eq!(Recording::open(folder.path(), &head("a")).is_ok(), is_own, "{text}");
            let left = std::fs::read_to_string(&path).unwrap();
            assert_eq!(left == text, !is_own, "{left}");
        }
    }
}
