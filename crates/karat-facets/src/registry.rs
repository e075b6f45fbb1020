//! How facets are found and made.

use crate::facet::Facet;
use crate::facets::FACETS;
use crate::taxonomy::{self, Taxonomy};
use karat_kb::KnowledgeBase;
use karat_match::{Settings, Unknowns};
use karat_model::{Hint, closest};
use std::sync::Arc;

/// A facet as the registry knows it: what it is, and how it is made.
#[derive(Debug)]
pub struct FacetDefinition {
    /// Its name, unique; what needs a key is asked for as `name:KEY`.
    pub name: &'static str,
    /// What its labels say of a mention, in a sentence.
    pub about: &'static str,
    /// What it is made from.
    pub needs: FacetNeeds,
    /// Makes it. The key is empty for facets that need none.
    pub make: fn(&FacetContext, &str) -> FacetResult,
}

/// A facet that was made, or why it could not be.
pub type FacetResult = Result<Arc<dyn Facet>, FacetError>;

/// What a facet is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FacetNeeds {
    /// Nothing: what it says stands in the files.
    Nothing,
    /// What a [`FacetContext`] has: the convention, and the knowledge base if there is one.
    Context,
    /// A key behind its name, as in `attribute:KEY`.
    Key,
}

/// What a facet may ask: who meets whom, what errors are called, and what is known of entities.
#[derive(Debug, Clone)]
pub struct FacetContext {
    /// What decides who meets whom.
    pub settings: Settings,
    /// Which categories of errors there are, and which types count as others.
    pub taxonomy: &'static Taxonomy,
    /// Whether entities that the knowledge base does not have must be found.
    pub unknowns: Unknowns,
    /// What is known of entities.
    pub base: Option<Arc<KnowledgeBase>>,
}

impl Default for FacetContext {
    /// karat's own convention, without a knowledge base.
    fn default() -> FacetContext {
        FacetContext {
            settings: Settings::default(),
            taxonomy: &taxonomy::KARAT,
            unknowns: Unknowns::Ignored,
            base: None,
        }
    }
}

impl FacetContext {
    /// The knowledge base, for a facet that says nothing without one.
    pub fn needed_base(&self, facet: &'static str) -> Result<&Arc<KnowledgeBase>, FacetError> {
        self.base.as_ref().ok_or(FacetError::NoBase { facet })
    }
}

/// A facet that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FacetError {
    /// There is none of this name.
    #[error("there is no facet `{name}`")]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// It needs a key.
    #[error("`{facet}` alone says nothing: it needs a key")]
    NoKey {
        /// The facet.
        facet: &'static str,
    },
    /// It needs a knowledge base.
    #[error("`{facet}` cannot be told without a knowledge base")]
    NoBase {
        /// The facet.
        facet: &'static str,
    },
}

impl FacetError {
    /// What to do about it.
    pub fn hint(&self) -> Hint {
        match self {
            FacetError::Unknown { name } => {
                let names: Vec<String> = FACETS.iter().map(|facet| facet.asked_for()).collect();
                let meant = closest(name, names.iter().map(String::as_str));
                let meant = meant.map(|meant| format!("did you mean `{meant}`? "));
                format!("{}facets are {}", meant.unwrap_or_default(), names.join(", ")).into()
            }
            FacetError::NoKey { facet } => {
                format!("write `{facet}:KEY` with the name of what is meant").into()
            }
            FacetError::NoBase { .. } => Hint::template("give one with {kb}"),
        }
    }
}

impl FacetDefinition {
    /// How it is asked for: by its name, with a key if it needs one.
    pub fn asked_for(&self) -> String {
        match self.needs {
            FacetNeeds::Key => format!("{}:KEY", self.name),
            FacetNeeds::Nothing | FacetNeeds::Context => self.name.to_owned(),
        }
    }
}

/// The facet with this name. `attribute:KEY` is any fact that a file gives about its mentions or documents.
///
/// ```
/// use karat_facets::{FacetContext, facet};
///
/// let context = FacetContext::default();
/// assert_eq!(facet("type", &context)?.name(), "type");
/// assert_eq!(facet("attribute:author", &context)?.name(), "attribute:author");
/// assert!(facet("typ", &context).unwrap_err().hint().to_string().starts_with("did you mean `type`?"));
/// # Ok::<(), karat_facets::FacetError>(())
/// ```
pub fn facet(name: &str, context: &FacetContext) -> FacetResult {
    let (family, key) = match name.split_once(':') {
        Some((family, key)) => (family, Some(key)),
        None => (name, None),
    };
    let unknown = || FacetError::Unknown { name: name.to_owned() };
    let found = FACETS.iter().find(|facet| facet.name == family).ok_or_else(unknown)?;
    match (found.needs, key) {
        (FacetNeeds::Key, None | Some("")) => Err(FacetError::NoKey { facet: found.name }),
        (FacetNeeds::Key, Some(key)) => (found.make)(context, key),
        // A key where none is expected was meant to do something; it is refused, not passed over.
        (FacetNeeds::Nothing | FacetNeeds::Context, Some(_)) => Err(unknown()),
        (FacetNeeds::Nothing | FacetNeeds::Context, None) => (found.make)(context, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_kb::Builder;
    use std::collections::BTreeSet;

    #[test]
    fn every_facet_is_made_under_the_name_it_is_asked_for_by() {
        let names: BTreeSet<&str> = FACETS.iter().map(|facet| facet.name).collect();
        assert_eq!(names.len(), FACETS.len());
        let base = Builder::in_memory().finish().expect("a base of nothing");
        let with_base = FacetContext { base: Some(Arc::new(base)), ..FacetContext::default() };
        for definition in FACETS {
            assert!(definition.about.ends_with('.'), "{}", definition.name);
            let name = definition.asked_for();
            assert_eq!(facet(&name, &with_base).expect("nothing is missing").name(), name);
            match facet(&name, &FacetContext::default()) {
                Ok(made) => assert_eq!(made.name(), name),
                Err(error) => assert_eq!(error, FacetError::NoBase { facet: definition.name }),
            }
        }
    }

    #[test]
    fn what_is_missing_is_said() {
        let context = FacetContext::default();
        let error = |name: &str| facet(name, &context).unwrap_err();
        assert_eq!(error("attribute"), FacetError::NoKey { facet: "attribute" });
        assert_eq!(error("attribute:"), FacetError::NoKey { facet: "attribute" });
        assert_eq!(error("type:PER"), FacetError::Unknown { name: "type:PER".to_owned() });
        assert_eq!(error("colour"), FacetError::Unknown { name: "colour".to_owned() });
        let needed = context.needed_base("popularity").unwrap_err();
        assert_eq!(needed, FacetError::NoBase { facet: "popularity" });
        assert_eq!(needed.hint().settings().next().map(|it| it.name.as_ref()), Some("kb"));
    }
}
