//! The linkers that are built in, by name.

use crate::linker::Linker;
use karat_kb::KnowledgeBase;
use karat_model::{Corpus, Hint, closest};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// What linkers are made of.
#[derive(Clone, Default)]
pub struct LinkerContext {
    /// The knowledge base, where one is given.
    pub base: Option<Arc<KnowledgeBase>>,
    /// The fingerprint of the base, for the settings that a linker tells.
    pub base_fingerprint: Option<String>,
    /// Gold, for the linker that shows what can be reached. No other may look at it.
    pub gold: Option<Arc<Corpus>>,
    /// Finds entities for texts that the base does not have, for linkers that ask for it.
    pub search: Option<Arc<dyn crate::baselines::CandidateSearch>>,
    /// Settings by name, as the user gave them.
    pub settings: BTreeMap<String, String>,
}

impl fmt::Debug for LinkerContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_base = self.base.is_some();
        f.debug_struct("LinkerContext")
            .field("base", &has_base)
            .field("settings", &self.settings)
            .finish()
    }
}

/// A linker of karat's own, which runs in this process.
pub struct BuiltIn {
    /// What users call it.
    pub name: &'static str,
    /// What it is, in a line.
    pub title: &'static str,
    /// What it does and what to look out for, in a few sentences.
    pub about: &'static str,
    /// The names of its settings, each with what it decides and its value when it is not given.
    pub settings: &'static [(&'static str, &'static str, &'static str)],
    /// Whether it needs a knowledge base.
    pub needs_base: bool,
    /// Makes one. Settings have been checked for their names, not for their values.
    pub make: fn(&LinkerContext) -> Result<Box<dyn Linker>, LinkerError>,
}

impl fmt::Debug for BuiltIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BuiltIn").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Why a linker cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LinkerError {
    /// What is wrong, in a sentence.
    pub message: String,
    /// What can be done about it.
    pub hint: Option<Hint>,
}

impl LinkerError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> LinkerError {
        LinkerError { message: message.into(), hint: None }
    }

    /// The error with what can be done about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Hint>) -> LinkerError {
        self.hint = Some(hint.into());
        self
    }
}

/// All linkers that run in this process, in the order in which they are listed.
pub const LINKERS: &[&BuiltIn] = crate::baselines::BASELINES;

/// Makes the linker of this name; `None` where there is none in this process.
pub fn built_in(
    name: &str,
    context: &LinkerContext,
) -> Option<Result<Box<dyn Linker>, LinkerError>> {
    let built_in = LINKERS.iter().find(|built_in| built_in.name == name)?;
    Some(make(built_in, context))
}

fn make(built_in: &BuiltIn, context: &LinkerContext) -> Result<Box<dyn Linker>, LinkerError> {
    let names = || built_in.settings.iter().map(|(name, ..)| *name);
    for given in context.settings.keys() {
        if names().all(|name| name != given) {
            let error = LinkerError::new(format!("`{}` has no setting `{given}`", built_in.name));
            let near = closest(given, names()).map(|near| format!("did you mean `{near}`?"));
            let all: Vec<&str> = names().collect();
            let hint = near.unwrap_or_else(|| match all.is_empty() {
                true => "it has no settings".to_owned(),
                false => format!("it has {}", all.join(", ")),
            });
            return Err(error.hint(Hint::default().text(hint)));
        }
    }
    if built_in.needs_base && context.base.is_none() {
        let error = LinkerError::new(format!("`{}` needs a knowledge base", built_in.name));
        return Err(error.hint(Hint::template("give one with {kb}")));
    }
    (built_in.make)(context)
}
