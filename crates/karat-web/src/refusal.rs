//! Why a page is not shown.

use crate::address::Address;
use crate::loading::LoadingState;
use karat::error::Error;
use karat::model::{Hint, Notice, closest};
use karat::notices::UNKNOWN_NAME;

/// Why a page is not shown.
#[derive(Debug)]
pub enum Refusal {
    /// There is no such thing, or nothing that this reader may see.
    Missing {
        /// What was looked for.
        what: String,
        /// What may have been meant.
        hint: Option<String>,
    },
    /// What was asked for cannot be done; the notice says why.
    Asked(Box<Notice>),
    /// It cannot be done as it was asked, and there are pages that come near to it.
    Elsewhere {
        /// What cannot be done, and why.
        what: String,
        /// Where to go instead.
        links: Vec<(String, Address)>,
    },
    /// It cannot be shown yet.
    Loading(LoadingState),
    /// It is being computed.
    Computing {
        /// How far that is.
        state: LoadingState,
        /// The address of the page that will show it.
        page: String,
    },
    /// Its reader stopped it.
    Stopped {
        /// The address of the page that would have shown it.
        page: String,
    },
    /// It cannot be shown, and it is our fault.
    Failed(String),
}

impl Refusal {
    /// There is no such thing; what may have been meant is looked for among these.
    pub fn missing<'n>(
        what: &str,
        name: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Refusal {
        let hint = closest(name, names).map(|meant| format!("Did you mean {meant}?"));
        Refusal::Missing { what: format!("There is no {what} {name}."), hint }
    }

    /// What was asked for cannot be done.
    pub fn bad_request(message: impl Into<String>, hint: impl Into<Hint>) -> Refusal {
        Error::bad_request(message, hint).into()
    }

    /// The status of the answer.
    pub fn status(&self) -> u16 {
        match self {
            Refusal::Missing { .. } => 404,
            // An address names things too, and some of them are not there.
            Refusal::Asked(notice) if notice.id == UNKNOWN_NAME.id => 404,
            Refusal::Asked(_) | Refusal::Elsewhere { .. } => 400,
            Refusal::Loading(_) | Refusal::Computing { .. } | Refusal::Stopped { .. } => 503,
            Refusal::Failed(_) => 500,
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Asked(Box::new(error.notice()))
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Missing { what, .. } | Refusal::Elsewhere { what, .. } => f.write_str(what),
            Refusal::Asked(notice) => f.write_str(&notice.message),
            Refusal::Loading(_) => f.write_str("files are still read"),
            Refusal::Computing { .. } => f.write_str("this is still computed"),
            Refusal::Stopped { .. } => f.write_str("this was stopped"),
            Refusal::Failed(why) => f.write_str(why),
        }
    }
}

/// For front ends that show no pages.
impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        match refusal {
            Refusal::Asked(notice) => Error::Refused(notice),
            Refusal::Missing { what, hint } => Error::bad_request(what, hint.unwrap_or_default()),
            other => Error::bad_request(other.to_string(), ""),
        }
    }
}
