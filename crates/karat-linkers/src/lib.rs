//! Asking linkers: one interface to services, NIF, local programs, language models and baselines.
//!
//! A [`Linker`] answers for texts: text goes out, spans and ids come back. It never sees a gold link, prints nothing, and
//! does not retry, split or score; all of that is done once, for all linkers, by whoever asks.
//!
//! ```
//! use karat_linkers::{AnsweredLink, AnsweredMention, LinkAnswer, LinkFailure, LinkTask, Linker, LinkerInfo};
//!
//! /// Finds `Berlin`.
//! struct Capital(LinkerInfo);
//!
//! impl Linker for Capital {
//!     fn info(&self) -> &LinkerInfo {
//!         &self.0
//!     }
//!
//!     fn link(&self, tasks: &[LinkTask<'_>]) -> Vec<Result<LinkAnswer, LinkFailure>> {
//!         let answer = |task: &LinkTask<'_>| {
//!             let found = task.text.match_indices("Berlin").map(|(byte, surface)| {
//!                 let start = task.text[..byte].chars().count() as u64;
//!                 AnsweredMention::at(start, start + 6, AnsweredLink::To("Q64".into())).with_surface(surface)
//!             });
//!             Ok(LinkAnswer { mentions: found.collect(), ..LinkAnswer::default() })
//!         };
//!         tasks.iter().map(answer).collect()
//!     }
//! }
//!
//! let linker = Capital(LinkerInfo::named("capital", "1"));
//! let answers = linker.link(&[LinkTask::of_text("d1", "In Berlin.")]);
//! assert_eq!(answers[0].as_ref().map(|answer| answer.mentions.len()).ok(), Some(1));
//! ```

mod answer;
pub mod baselines;
mod failure;
mod in_process;
mod info;
pub mod lines;
mod linker;
mod nif;
pub mod recording;
mod registry;
pub mod runner;
pub mod services;
pub mod serving;
mod task;
mod texts;
mod wire;

pub use answer::{AnsweredCandidate, AnsweredLink, AnsweredMention, LinkAnswer, TokenUsage};
pub use failure::{FailureKind, LinkFailure};
pub use info::{
    AnswerUnit, BadRate, IdForm, LinkerInfo, LinkingTask, MentionsWay, PricePer, RequestRate,
    SplitAt, TextEdit, TextLimit,
};
pub use linker::{Linker, Readiness};
pub use registry::{BuiltIn, LINKERS, LinkerContext, LinkerError, built_in};
pub use task::LinkTask;
pub use wire::{Wire, WireAnswer, WireRequest, WireTimes, ask_once};
