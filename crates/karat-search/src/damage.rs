//! An index that is not what was written.

use std::cell::Cell;
use std::fs::File;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Runs what the library of the index does with its files. It believes what stands in them, and
/// panics where that cannot be. The index is only read, so nothing half-done is left behind.
pub(crate) fn guarded<T>(read: impl FnOnce() -> T) -> Option<T> {
    GUARDED.set(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(false);
    result.ok()
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic on this thread is caught and becomes an error, so that a program's panic
/// hook need not speak of it.
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// The files of an index, with their lengths and checksums.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Manifest {
    files: Vec<(String, u64, u32)>,
}

/// All files of a smaller index are read when it is opened, which takes milliseconds.
const SMALL: u64 = 64 << 20;

impl Manifest {
    /// What lies in a folder.
    pub(crate) fn of(folder: &Path) -> std::io::Result<Manifest> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            // Locks come and go while an index is in use; they are not part of it.
            if !name.ends_with(".lock") {
                let path = folder.join(&name);
                files.push((name, path.metadata()?.len(), checksum(&path)?));
            }
        }
        files.sort();
        Ok(Manifest { files })
    }

    /// One line for each file.
    pub(crate) fn written(&self) -> String {
        let line =
            |(name, length, sum): &(String, u64, u32)| format!("{length} {sum:08x} {name}\n");
        self.files.iter().map(line).collect()
    }

    pub(crate) fn read(text: &str) -> Option<Manifest> {
        let file = |line: &str| {
            let (length, rest) = line.split_once(' ')?;
            let (sum, name) = rest.split_once(' ')?;
            Some((name.to_owned(), length.parse().ok()?, u32::from_str_radix(sum, 16).ok()?))
        };
        text.lines().map(file).collect::<Option<_>>().map(|files| Manifest { files })
    }

    /// Fails if a file is there and may not be read: then nothing is known of damage.
    pub(crate) fn check_readable(&self, folder: &Path) -> std::io::Result<()> {
        for (name, ..) in &self.files {
            match File::open(folder.join(name)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
                Ok(_) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// What is wrong with the files of a folder, as far as it is seen at once.
    pub(crate) fn damage(&self, folder: &Path) -> Option<String> {
        let size: u64 = self.files.iter().map(|(_, length, _)| length).sum();
        self.lengths(folder).or_else(|| if size <= SMALL { self.contents(folder) } else { None })
    }

    /// What is wrong with the files of a folder, from their first to their last byte.
    pub(crate) fn any_damage(&self, folder: &Path) -> Option<String> {
        self.lengths(folder).or_else(|| self.contents(folder))
    }

    fn lengths(&self, folder: &Path) -> Option<String> {
        self.files.iter().find_map(|(name, length, _)| match folder.join(name).metadata() {
            Err(_) => Some(format!("`{name}` is missing")),
            Ok(found) if found.len() != *length => {
                Some(format!("`{name}` has {} bytes, not {length}", found.len()))
            }
            Ok(_) => None,
        })
    }

    fn contents(&self, folder: &Path) -> Option<String> {
        let sound = |name: &str, sum: u32| checksum(&folder.join(name)).is_ok_and(|it| it == sum);
        let changed = self.files.iter().find(|(name, _, sum)| !sound(name, *sum));
        changed.map(|(name, ..)| format!("`{name}` was changed"))
    }
}

fn checksum(path: &Path) -> std::io::Result<u32> {
    let mut file = File::open(path)?;
    let mut hasher = crc32fast::Hasher::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hasher.finalize()),
            read => hasher.update(&buffer[..read]),
        }
    }
}
