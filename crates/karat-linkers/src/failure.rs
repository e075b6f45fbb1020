//! Why a linker did not answer.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What kind of failure it was, which decides what is done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FailureKind {
    /// There is no connection, or it broke.
    Connect,
    /// No answer in time.
    TimeOut,
    /// The server refused, with this status.
    Refused(u16),
    /// Too much at once: asked again after a while.
    Limited,
    /// The text, or the answer to it, is longer than the linker takes. The runner asks again in halves.
    TooLong,
    /// The answer cannot be understood.
    Malformed,
    /// The answer speaks of another text than the one that was sent.
    TextChanged,
    /// The program ended, or did not go on.
    Crashed,
    /// The budget does not allow for another request.
    Budget,
    /// Whoever asked no longer waits.
    Cancelled,
    /// A replay has no answer to this request.
    NotRecorded,
}

impl FailureKind {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Connect => "connect",
            FailureKind::TimeOut => "time-out",
            FailureKind::Refused(_) => "refused",
            FailureKind::Limited => "limited",
            FailureKind::TooLong => "too-long",
            FailureKind::Malformed => "malformed",
            FailureKind::TextChanged => "text-changed",
            FailureKind::Crashed => "crashed",
            FailureKind::Budget => "budget",
            FailureKind::Cancelled => "cancelled",
            FailureKind::NotRecorded => "not-recorded",
        }
    }
}

/// Why there is no answer to a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct LinkFailure {
    /// What kind of failure it was.
    pub kind: FailureKind,
    /// What happened, in a sentence without a full stop. It must not hold a secret.
    pub message: String,
    /// How long the server asks to wait before the next request, where it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<Duration>,
}

impl LinkFailure {
    /// A failure of this kind.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> LinkFailure {
        LinkFailure { kind, message: message.into(), wait: None }
    }

    /// The failure with how long to wait before asking again.
    #[must_use]
    pub fn after(mut self, wait: Option<Duration>) -> LinkFailure {
        self.wait = wait;
        self
    }

    /// Whether asking again, unchanged, may help.
    pub fn is_retryable(&self) -> bool {
        match self.kind {
            FailureKind::Connect | FailureKind::TimeOut | FailureKind::Limited => true,
            FailureKind::Malformed | FailureKind::Crashed => true,
            FailureKind::Refused(status) => matches!(status, 408 | 425 | 429 | 500..=599),
            _ => false,
        }
    }

    /// Whether it is the service that does not work, rather than this text.
    pub fn is_of_service(&self) -> bool {
        match self.kind {
            FailureKind::Connect | FailureKind::TimeOut | FailureKind::Limited => true,
            FailureKind::Refused(status) => {
                matches!(status, 401 | 403 | 408 | 425 | 429 | 500..=599)
            }
            _ => false,
        }
    }

    /// Whether the service does not know who asks, so that every further request would be refused too.
    pub fn is_of_access(&self) -> bool {
        matches!(self.kind, FailureKind::Refused(401 | 403))
    }
}
