//! Why a request has no answer.

use crate::notices;
use karat_facets::FacetError;
use karat_formats::{Kind, Problem, WriteError};
use karat_harvest::HarvestError;
use karat_kb::KbError;
use karat_measures::{NameError, SettingError};
use karat_model::{Hint, Notice, NoticeKind, NoticePlace, closest, in_words};

/// Why a request has no answer.
///
/// Every error can be told as a [`Notice`] of severity `error`, which is what a page or a program shows.
/// The cases stay apart because front ends treat them differently: a bad file is shown with the line that
/// is wrong, a cancelled request is not shown at all.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An input is bad; the problem says where.
    #[error("{0}")]
    Input(Box<Problem>),
    /// What was asked for cannot be done.
    #[error("{}", .0.message)]
    Refused(Box<Notice>),
    /// The output cannot be written.
    #[error("cannot write `{path}`: {error}")]
    Output {
        /// Where it should have gone.
        path: String,
        /// Why not.
        error: WriteError,
    },
    /// Whoever asked no longer wants to know.
    #[error("cancelled")]
    Cancelled,
}

impl Error {
    /// A refusal of this kind, with what the user can do instead.
    pub fn refused(kind: &NoticeKind, message: impl Into<String>, hint: impl Into<Hint>) -> Error {
        Error::Refused(Box::new(kind.notice(message).hint(hint)))
    }

    /// A request whose settings do not fit together, or name something that is not there.
    pub fn bad_request(message: impl Into<String>, hint: impl Into<Hint>) -> Error {
        Error::refused(&notices::BAD_REQUEST, message, hint)
    }

    /// A name that nothing has: what may have been meant, and what there is.
    pub fn unknown<'n>(what: &str, name: &str, names: impl IntoIterator<Item = &'n str>) -> Error {
        let names: Vec<&str> = names.into_iter().collect();
        let meant = closest(name, names.iter().copied());
        let meant = meant.map(|meant| format!("did you mean `{meant}`? ")).unwrap_or_default();
        let known = match names.is_empty() {
            true => format!("there is no {what} at all"),
            false => format!("{what}s are {}", listed(&names)),
        };
        let message = format!("there is no {what} `{name}`");
        Error::refused(&notices::UNKNOWN_NAME, message, format!("{meant}{known}"))
    }

    /// An output that cannot be written.
    pub fn output(path: impl Into<String>, error: WriteError) -> Error {
        Error::Output { path: path.into(), error }
    }

    /// The error as data.
    pub fn notice(&self) -> Notice {
        match self {
            Error::Input(problem) => notice_of(problem, &notices::BAD_INPUT),
            Error::Refused(notice) => (**notice).clone(),
            Error::Output { path, error } => {
                let target = match path.as_str() {
                    "-" => "to standard output".to_owned(),
                    path => format!("`{path}`"),
                };
                let message = format!("cannot write {target}: {}", in_words(error));
                let notice = notices::BAD_OUTPUT.notice(message).about(path);
                Notice { hint: error.hint(), ..notice }
            }
            Error::Cancelled => notices::CANCELLED.notice("cancelled"),
        }
    }
}

/// Names in a hint. A list that a person can read is given whole; the names of all documents of a corpus are not.
pub(crate) fn listed(names: &[&str]) -> String {
    const MOST: usize = 40;
    const FEW: usize = 5;
    match names.len() > MOST {
        true => format!("{} and {} more", names[..FEW].join(", "), names.len() - FEW),
        false => names.join(", "),
    }
}

/// A problem of a file as a notice of some kind, with its place.
pub(crate) fn notice_of(problem: &Problem, kind: &NoticeKind) -> Notice {
    let place = problem.place.as_ref();
    let notice = kind.notice(problem.message.as_str()).about(problem.source_name.as_str());
    let notice = notice.at(NoticePlace {
        file: problem.source_name.clone(),
        line: place.map(|place| place.line),
        column: place.map(|place| place.column),
        excerpt: place.map(|place| place.excerpt.clone()).unwrap_or_default(),
        highlight: place.map_or((0, 0), |place| (place.highlight.start, place.highlight.end)),
    });
    Notice { hint: problem.hint.clone(), ..notice }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Error {
        match problem.kind {
            Kind::Cancelled => Error::Cancelled,
            _ => Error::Input(Box::new(problem)),
        }
    }
}

impl From<NameError> for Error {
    fn from(error: NameError) -> Error {
        Error::refused(&notices::UNKNOWN_NAME, error.message, error.hint)
    }
}

impl From<SettingError> for Error {
    fn from(error: SettingError) -> Error {
        let hint = error.hint().unwrap_or_default();
        let hint = match &error {
            SettingError::Name { .. } => hint,
            SettingError::Value { setting, .. } | SettingError::NotOfMeasure { setting } => {
                let more = if hint.parts().is_empty() { "" } else { " " };
                hint.text(format!("{more}`karat settings {setting}` says what its values do"))
            }
        };
        Error::refused(&notices::BAD_SETTING, error.to_string(), hint)
    }
}

impl From<FacetError> for Error {
    fn from(error: FacetError) -> Error {
        Error::refused(&notices::UNKNOWN_NAME, error.to_string(), error.hint())
    }
}

impl From<KbError> for Error {
    fn from(error: KbError) -> Error {
        match error {
            KbError::Cancelled => Error::Cancelled,
            _ => Error::refused(&notices::BAD_KNOWLEDGE_BASE, error.to_string(), error.hint()),
        }
    }
}

impl From<HarvestError> for Error {
    fn from(error: HarvestError) -> Error {
        match error {
            HarvestError::Input(problem) if problem.kind == Kind::Cancelled => Error::Cancelled,
            // No case of `Input`, where some front ends offer to skip the record: nothing is skipped here.
            HarvestError::Input(problem) => {
                Error::Refused(Box::new(notice_of(&problem, &notices::BAD_INPUT)))
            }
            HarvestError::Base(error) => error.into(),
        }
    }
}
#[cfg(feature = "search")]
impl From<karat_search::SearchError> for Error {
    fn from(error: karat_search::SearchError) -> Error {
        Error::refused(&notices::BAD_KNOWLEDGE_BASE, error.to_string(), error.hint())
    }
}
