//! What a result does not show by itself and its reader has to know, as data.

use crate::Hint;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// How serious a notice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know.
    Note,
    /// The numbers may not mean what they seem to.
    Warning,
    /// There are no numbers, and this is why.
    Error,
}

impl Severity {
    /// The word that stands before such a notice.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A kind of notice: what all notices with one id have in common.
///
/// Kinds are statics, listed once, so that the list in the book is complete and a program can rely on an
/// id whatever the words are.
#[derive(Debug, PartialEq, Eq)]
pub struct NoticeKind {
    /// What programs know it by, such as `silent-documents`. Never changed once published.
    pub id: &'static str,
    /// How serious it is.
    pub severity: Severity,
    /// When it is given and why it matters, for the list in the book.
    pub about: &'static str,
}

impl NoticeKind {
    /// A notice of this kind.
    pub fn notice(&self, message: impl Into<String>) -> Notice {
        Notice {
            id: Cow::Borrowed(self.id),
            severity: self.severity,
            message: message.into(),
            subject: None,
            hint: None,
            place: None,
        }
    }
}

/// Something that a result does not show by itself and its reader has to know.
///
/// Reading, checking and scoring return notices beside their values and print nothing. A command
/// line shows them on standard error, a page in a box, JSON under `notices`.
///
/// ```
/// use karat_model::{Hint, NoticeKind, Severity};
///
/// static SHIFTED: NoticeKind = NoticeKind {
///     id: "shifted-offsets",
///     severity: Severity::Warning,
///     about: "All offsets of a run are off by the same number.",
/// };
/// let notice = SHIFTED.notice("all offsets of `mine` are 1 too large").about("mine");
/// let notice = notice.hint(Hint::template("read it with {end=inclusive}"));
/// assert_eq!(notice.to_string(), "warning: all offsets of `mine` are 1 too large");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// What programs know it by.
    pub id: Cow<'static, str>,
    /// How serious it is.
    pub severity: Severity,
    /// What was seen, in one sentence.
    pub message: String,
    /// What it is about: the name of a benchmark, a run, a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// What cures it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<Hint>,
    /// Where in a file it was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Box<NoticePlace>>,
}

/// A place in a file, with enough of the line to show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticePlace {
    /// The file, as the user named it.
    pub file: String,
    /// Line, from 1; `None` for a whole file, or one that has no lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Column in code points, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// The line, or the part of it around the place.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub excerpt: String,
    /// The bytes of the excerpt that are meant.
    #[serde(default)]
    pub highlight: (usize, usize),
}

impl Notice {
    /// The notice with what it is about.
    #[must_use]
    pub fn about(self, subject: impl Into<String>) -> Notice {
        Notice { subject: Some(subject.into()), ..self }
    }

    /// The notice with where it was seen.
    #[must_use]
    pub fn at(self, place: NoticePlace) -> Notice {
        Notice { place: Some(Box::new(place)), ..self }
    }

    /// The notice with what cures it.
    #[must_use]
    pub fn hint(self, hint: impl Into<Hint>) -> Notice {
        Notice { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.severity.name(), self.message)
    }
}
