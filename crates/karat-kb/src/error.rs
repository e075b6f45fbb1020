//! What can go wrong with a knowledge base.

use karat_model::{Hint, in_words};
use std::path::Path;

/// Why a knowledge base cannot be opened, read or built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KbError {
    /// The file cannot be read.
    #[error("{path}: cannot read: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// The file is something else.
    #[error("{path}: this is no knowledge base of karat")]
    Foreign {
        /// The file.
        path: String,
    },
    /// The file was built by another version.
    #[error(
        "{path}: the knowledge base has layout {found}, and this karat reads layout {expected}"
    )]
    Layout {
        /// The file.
        path: String,
        /// The layout of the file.
        found: u32,
        /// The layout that can be read.
        expected: u32,
    },
    /// The file ends too early.
    #[error("{path}: the knowledge base is damaged: it ends too early")]
    Cut {
        /// The file.
        path: String,
    },
    /// The file was changed after it was built.
    #[error("{path}: the knowledge base is damaged: {what}")]
    Damaged {
        /// The file.
        path: String,
        /// What does not fit.
        what: String,
    },
    /// Nobody waits for the base any more, and nothing was written.
    #[error("cancelled")]
    Cancelled,
    /// The file cannot be written.
    #[error("{path}: cannot write: {reason}")]
    Unwritable {
        /// The file.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// Something is too large for the layout.
    #[error("{what}")]
    TooLarge {
        /// What, and how large it may be.
        what: String,
    },
}

impl KbError {
    /// What the user can do.
    pub fn hint(&self) -> Hint {
        Hint::from(match self {
            KbError::Unreadable { .. } => "check the spelling, and who may read the file",
            KbError::Foreign { .. } => "build one with `karat kb build INPUT... -o FILE`",
            KbError::Layout { .. } => "build it again from its inputs with `karat kb build`",
            KbError::Cut { .. } => {
                "it was probably not copied to the end; copy it again, or build it again with `karat kb build`"
            }
            KbError::Damaged { .. } => {
                "it was changed after it was built; take a copy of it, or build it again with `karat kb build`"
            }
            KbError::Unwritable { .. } => {
                "check the folder, who may write there, and the space left"
            }
            KbError::Cancelled => "ask again",
            KbError::TooLarge { .. } => {
                "look at the input: a column may have been taken for another"
            }
        })
    }

    pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> KbError {
        let reason = match error.kind() {
            std::io::ErrorKind::NotFound => "no such file".to_owned(),
            _ => in_words(error),
        };
        KbError::Unreadable { path: path.display().to_string(), reason }
    }

    pub(crate) fn unwritable(path: &Path, error: &std::io::Error) -> KbError {
        KbError::Unwritable { path: path.display().to_string(), reason: in_words(error) }
    }
}
