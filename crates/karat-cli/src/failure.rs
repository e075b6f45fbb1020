//! How a command can end badly.

use crate::show;
use karat::error::Error;
use karat::formats::{Problem, WriteError};
use karat::model::{Hint, Notice, closest, in_words};
use std::io;
use std::process::ExitCode;

/// The exit code that shells give a command that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is bad.
    Input(Box<Problem>),
    /// The output cannot be written.
    Output {
        /// Where it should have gone.
        path: String,
        /// Why not.
        error: WriteError,
    },
    /// The arguments do not fit together.
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        hint: Hint,
    },
    /// What was asked for cannot be done, as the library says it.
    Refused(Box<Notice>),
    /// Everything was read and said, and it is not good enough.
    Gate,
    /// Everything was read and said, and the input is bad.
    BadInput,
    /// Nobody listens any more.
    Closed(io::Error),
    /// Somebody ended it, by Ctrl-C for instance.
    Cancelled,
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Failure {
        Failure::Input(Box::new(problem))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Input(problem) => Failure::Input(problem),
            Error::Output { path, error } => Failure::output(&path, error),
            Error::Cancelled => Failure::Cancelled,
            other => Failure::Refused(Box::new(other.notice())),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Closed(error)
    }
}

impl Failure {
    /// An output that cannot be written.
    pub(crate) fn output(path: &str, error: WriteError) -> Failure {
        match error {
            WriteError::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                Failure::Closed(error)
            }
            error => Failure::Output { path: path.to_owned(), error },
        }
    }

    /// A name that nothing has: what may have been meant, and what there is.
    pub(crate) fn unknown<'n>(
        what: &str,
        name: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Failure {
        let names: Vec<&str> = names.into_iter().collect();
        let meant = closest(name, names.iter().copied());
        let meant = meant.map(|meant| format!("did you mean `{meant}`? ")).unwrap_or_default();
        Failure::usage(
            format!("there is no {what} `{name}`"),
            format!("{meant}{what}s are {}", names.join(", ")),
        )
    }

    /// Arguments that do not fit together.
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<Hint>) -> Failure {
        Failure::Usage { message: message.into(), hint: hint.into() }
    }

    /// Tells the user and gives the exit code: 1 a gate failed, 2 bad usage or input.
    pub(crate) fn exit(self) -> ExitCode {
        match self {
            Failure::Input(problem) => show::fatal(&problem),
            Failure::Output { path, error } => {
                let target =
                    if path == "-" { "to standard output".to_owned() } else { format!("`{path}`") };
                let message = format!("cannot write {target}: {}", in_words(&error));
                show::error(&message, error.hint().as_ref());
            }
            Failure::Refused(notice) => show::notice(&notice),
            Failure::Usage { message, hint } => show::error(&message, Some(&hint)),
            Failure::Gate => return ExitCode::from(1),
            Failure::BadInput => {}
            // A reader that has seen enough, `head` for instance, is no failure.
            Failure::Closed(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                return ExitCode::SUCCESS;
            }
            Failure::Closed(error) => return Failure::output("-", error.into()).exit(),
            Failure::Cancelled => {
                show::error("cancelled; nothing was written", None);
                return ExitCode::from(INTERRUPTED);
            }
        }
        ExitCode::from(2)
    }
}
