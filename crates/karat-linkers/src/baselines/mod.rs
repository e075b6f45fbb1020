//! Linkers of karat's own: deterministic, offline, one file each.
//!
//! A baseline links by simple rules over a knowledge base (or over nothing at all), so that it is known what a score is
//! worth. All of them take given mentions, and those that have a base find mentions by its texts where none are given.
//!
//! ```
//! use karat_kb::Builder;
//! use karat_linkers::{AnsweredLink, LinkTask, LinkerContext, built_in};
//! use std::sync::Arc;
//!
//! let mut base = Builder::in_memory();
//! base.mention("Berlin", "Q64", Some(9))?;
//! base.mention("Berlin", "Q614184", Some(1))?;
//! let context = LinkerContext { base: Some(Arc::new(base.finish()?)), ..LinkerContext::default() };
//! let prior = built_in("prior", &context).expect("there is one")?;
//! let answer = prior.link(&[LinkTask::of_text("d1", "She left Berlin's east.")]).remove(0)?;
//! assert_eq!(answer.mentions[0].at, Some((9, 15)));
//! assert_eq!(answer.mentions[0].link, AnsweredLink::To("Q64".into()));
//! assert_eq!(answer.mentions[0].confidence, Some(0.9));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod baseline;
mod ceiling;
mod context;
mod dictionary;
mod names;
mod nil;
mod none;
mod oracle;
mod popular;
mod prior;
mod random;
mod settings;
#[cfg(test)]
mod tests;
mod words;

pub use ceiling::CandidateCeiling;
pub use context::{CandidateSearch, ContextTuning, TriedWeights};

use crate::registry::{BuiltIn, LinkerContext, LinkerError};
use karat_kb::KnowledgeBase;
use karat_model::Hint;
use std::sync::Arc;

/// All baselines, in the order in which they are listed.
pub(crate) const BASELINES: &[&BuiltIn] = &[
    &oracle::ORACLE,
    &none::NONE,
    &nil::NIL,
    &random::RANDOM,
    &prior::PRIOR,
    &popular::POPULAR,
    &names::NAMES,
    &dictionary::DICTIONARY,
    &context::CONTEXT,
];

/// The base that a baseline is made of.
fn base_of(context: &LinkerContext) -> Result<Arc<KnowledgeBase>, LinkerError> {
    context.base.clone().ok_or_else(|| {
        LinkerError::new("there is no knowledge base").hint(Hint::template("give one with {kb}"))
    })
}
