//! Answers that are kept in a folder.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder with answers, each in a file that is named by the key of its answer.
///
/// A key is a digest of everything that an answer depends on: the program, the request, and the contents of the files that
/// the request is about. So nothing in the folder is ever wrong, only no longer asked for, and it can be deleted at any
/// time.
#[derive(Debug)]
pub struct AnswerFolder {
    folder: PathBuf,
    found: AtomicUsize,
    computed: AtomicUsize,
}

impl AnswerFolder {
    /// The answers in a folder, which is made if it is not there.
    pub fn open(folder: &Path) -> std::io::Result<AnswerFolder> {
        std::fs::create_dir_all(folder)?;
        let [found, computed] = [AtomicUsize::new(0), AtomicUsize::new(0)];
        Ok(AnswerFolder { folder: folder.to_owned(), found, computed })
    }

    /// How many answers were found, and how many had to be computed and were put here.
    pub fn counts(&self) -> [usize; 2] {
        [&self.found, &self.computed].map(|count| count.load(Ordering::Relaxed))
    }

    /// The answer under a key, as it was put here.
    pub fn get(&self, key: &str) -> Option<Vec<u8>> {
        let bytes = std::fs::read(self.path(key)).ok()?;
        self.found.fetch_add(1, Ordering::Relaxed);
        Some(bytes)
    }

    /// Keeps an answer. A folder that is full or read-only keeps nothing, which is no error: the answer is there.
    pub fn put(&self, key: &str, answer: &[u8]) {
        self.computed.fetch_add(1, Ordering::Relaxed);
        let path = self.path(key);
        let temporary = path.with_extension(format!("{}.new", std::process::id()));
        let write = || -> std::io::Result<()> {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::File::create(&temporary)?.write_all(answer)?;
            std::fs::rename(&temporary, &path)
        };
        if write().is_err() {
            // What is left of it would only take space.
            let _ = std::fs::remove_file(&temporary);
        }
    }

    /// Keys are digits and letters; the first two are a folder, so that none has too many files.
    fn path(&self, key: &str) -> PathBuf {
        let (first, rest) = key.split_at_checked(2).unwrap_or(("", key));
        self.folder.join(first).join(format!("{rest}.json"))
    }
}
