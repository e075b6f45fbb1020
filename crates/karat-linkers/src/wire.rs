//! What goes over the wire to a linker that is somebody else's, so that it can be kept and read again.

use crate::answer::LinkAnswer;
use crate::failure::{FailureKind, LinkFailure};
use crate::task::LinkTask;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A request as it is recorded: without secrets, each of which stands as the name of the variable it came from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WireRequest {
    /// `POST`, `GET`, or `LINE` for a program.
    pub method: String,
    /// Where it goes; for a program, its name.
    pub url: String,
    /// The type of what is sent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub content_type: String,
    /// What is sent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub body: String,
}

/// How long an exchange took, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct WireTimes {
    /// Until there was a slot.
    #[serde(default)]
    pub wait: f64,
    /// From sending until the first byte of the answer.
    #[serde(default)]
    pub first: f64,
    /// From sending until the last byte.
    #[serde(default)]
    pub all: f64,
}

/// An answer as it came, without what must not be kept.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct WireAnswer {
    /// The status; 0 for a program.
    #[serde(default)]
    pub status: u16,
    /// Those headers that are kept.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// The body, with what is not UTF-8 replaced.
    #[serde(default)]
    pub body: String,
    /// How long it took.
    #[serde(default, rename = "ms")]
    pub times: WireTimes,
}

/// The three steps of an exchange, apart, so that an answer can be kept before anything is made of it and
/// read again without being asked for again.
///
/// `request` and `read` are pure: the same tasks make the same request, and the same answer reads the same.
pub trait Wire: Send + Sync {
    /// What would be sent.
    fn request(&self, tasks: &[LinkTask<'_>]) -> Result<WireRequest, LinkFailure>;

    /// Sends it, with its secrets put in, and waits for the answer. Whatever the status, an answer is an answer; a failure is
    /// that there is none. `is_first` says that the linker may have to load its model yet.
    fn send(&self, request: &WireRequest, is_first: bool) -> Result<WireAnswer, LinkFailure>;

    /// What an answer says: one result for each task, in order.
    fn read(
        &self,
        tasks: &[LinkTask<'_>],
        request: &WireRequest,
        answer: &WireAnswer,
    ) -> Vec<Result<LinkAnswer, LinkFailure>>;
}

/// All three steps, one after the other: what [`Linker::link`](crate::Linker::link) does for a linker with a wire.
pub fn ask_once(wire: &dyn Wire, tasks: &[LinkTask<'_>]) -> Vec<Result<LinkAnswer, LinkFailure>> {
    let exchanged =
        wire.request(tasks).and_then(|request| Ok((wire.send(&request, false)?, request)));
    match exchanged {
        Ok((answer, request)) => {
            let mut read = wire.read(tasks, &request, &answer);
            let missing =
                || LinkFailure::new(FailureKind::Malformed, "the answer says nothing of this text");
            read.resize_with(tasks.len(), || Err(missing()));
            read
        }
        Err(failure) => vec![Err(failure); tasks.len()],
    }
}
