//! The one interface to everything that links.

use crate::answer::LinkAnswer;
use crate::failure::LinkFailure;
use crate::info::LinkerInfo;
use crate::task::LinkTask;
use crate::wire::Wire;

/// Something that links entities in texts.
///
/// This is the seam between linkers and everything that is done with them. A linker answers and does nothing else: it never
/// prints, waits between attempts, asks again, splits a text or scores; the runner does that once for all linkers. A
/// linker in this process, as the baselines, implements [`info`](Linker::info) and [`link`](Linker::link). One that talks to
/// somebody else also has a [`Wire`], so that what went over it can be kept and read again.
///
/// # What must hold
///
/// - `link` gives one result for each task, in their order, and may be called from several threads at once.
/// - The answer to a task depends on the task and on [`LinkerInfo::settings`] alone, never on what was asked before or beside it.
/// - A failure says what happened in words that hold no secret.
pub trait Linker: Send + Sync {
    /// What it is and what it is like to talk to.
    fn info(&self) -> &LinkerInfo;

    /// Answers tasks, at most [`LinkerInfo::batch`] of them.
    fn link(&self, tasks: &[LinkTask<'_>]) -> Vec<Result<LinkAnswer, LinkFailure>>;

    /// Makes sure that it answers, before anything is counted: models are loaded now. The sentence that is asked for this
    /// is `probe`.
    fn ready(&self, probe: &LinkTask<'_>) -> Result<Readiness, LinkFailure> {
        let answers = self.link(std::slice::from_ref(probe));
        answers
            .into_iter()
            .next()
            .transpose()
            .map(|answer| Readiness { answer, ..Readiness::default() })
    }

    /// What goes over the wire, for a linker that talks to somebody else.
    fn wire(&self) -> Option<&dyn Wire> {
        None
    }
}

/// What was learned of a linker before it is asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Readiness {
    /// What it answered to the probe.
    pub answer: Option<LinkAnswer>,
    /// The version that it tells.
    pub version: Option<String>,
    /// The model that it says it is.
    pub model: Option<String>,
}
