//! The files of editions: here, or found elsewhere by their digest.

use super::records::EditionFile;
use crate::error::Error;
use karat_formats::{Kind, Problem};
use sha2::{Digest, Sha256};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// The file of an edition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundEdition {
    /// It is there, and is what it should be.
    There(PathBuf),
    /// It may not be passed on, and was not found through `$KARAT_DATA`.
    NotHere,
}

impl EditionFile {
    /// Looks for the file of an edition, in the folder of its benchmark or in the one that holds data.
    pub fn find(&self, benchmark: &Path, data: Option<&Path>) -> Result<FoundEdition, Error> {
        let wrong = |kind: Kind, message: String, hint: &'static str| {
            let name = benchmark.join(&self.file).display().to_string();
            Error::from(Problem::new(kind, name, message).hint(hint))
        };
        if !is_inside(&self.file) {
            let message = "the file of an edition must lie in the folder".to_owned();
            return Err(wrong(Kind::Malformed, message, "write its name, without .. or a root"));
        }
        let folder = match (self.here, data) {
            (true, _) => benchmark,
            (false, Some(data)) => data,
            (false, None) => return Ok(FoundEdition::NotHere),
        };
        let path = folder.join(&self.file);
        if !path.is_file() {
            return match self.here {
                false => Ok(FoundEdition::NotHere),
                true => Err(wrong(
                    Kind::Unreadable,
                    "there is no such file".to_owned(),
                    "write here = false if it may not be passed on",
                )),
            };
        }
        let digest = sha256_of(&path)?;
        match digest.eq_ignore_ascii_case(&self.sha256) {
            true => Ok(FoundEdition::There(path)),
            false => Err(wrong(
                Kind::Malformed,
                format!("its digest is {digest}, and benchmark.toml has another"),
                "an edition never changes: add a new one, or put the right file there",
            )),
        }
    }
}

/// Whether a path leads to something below the folder that it is taken from.
pub(super) fn is_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// The SHA-256 of a file, in hexadecimal digits.
pub(super) fn sha256_of(path: &Path) -> Result<String, Error> {
    let name = || path.display().to_string();
    let unreadable = |error: std::io::Error| {
        Error::from(Problem::new(Kind::Unreadable, name(), error.to_string()))
    };
    let mut file = std::fs::File::open(path).map_err(unreadable)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut buffer).map_err(unreadable)?;
        if read == 0 {
            break;
        }
        hasher.update(&buffer[..read]);
    }
    Ok(hex(&hasher.finalize()))
}

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
