//! From the spelling of a file to the name that is compared.

use crate::Redirects;
use std::borrow::Cow;

/// Which spellings are one entity, and which entities a knowledge base knows.
#[derive(Debug, Clone, Default)]
pub struct Identity {
    wikipedia_titles: bool,
    redirects: Option<Redirects>,
    knowledge: Knowledge,
}

/// What counts as being in the knowledge base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Knowledge {
    /// Every entity that a file names.
    #[default]
    Everything,
    /// Only ids that start with one of these; all others are as good as NIL.
    Prefixes(&'static [&'static str]),
}

impl Knowledge {
    /// Whether the knowledge base has this id.
    pub fn knows(&self, id: &str) -> bool {
        match self {
            Knowledge::Everything => true,
            Knowledge::Prefixes(prefixes) => prefixes.iter().any(|prefix| id.starts_with(prefix)),
        }
    }
}

impl Identity {
    /// Ids as they are spelled.
    pub fn new() -> Identity {
        Identity::default()
    }

    /// Takes the address off Wikipedia's URLs and writes blanks as underscores.
    pub fn with_wikipedia_titles(mut self) -> Identity {
        self.wikipedia_titles = true;
        self
    }

    /// Follows redirects, one step.
    pub fn with_redirects(mut self, redirects: Redirects) -> Identity {
        self.redirects = Some(redirects);
        self
    }

    /// Takes for known only what this says.
    pub fn with_knowledge(mut self, knowledge: Knowledge) -> Identity {
        self.knowledge = knowledge;
        self
    }

    /// Whether every id stands for itself and is known.
    pub fn is_plain(&self) -> bool {
        !self.wikipedia_titles
            && self.redirects.is_none()
            && self.knowledge == Knowledge::Everything
    }

    /// The one name of the entity that `id` spells.
    pub fn canonical<'a>(&'a self, id: &'a str) -> Cow<'a, str> {
        let title = if self.wikipedia_titles { wikipedia_title(id) } else { Cow::Borrowed(id) };
        match &self.redirects {
            Some(redirects) => match redirects.target(&title) {
                Some(target) => Cow::Borrowed(target),
                None => title,
            },
            None => title,
        }
    }

    /// Whether the knowledge base has the entity that `id` spells.
    pub fn knows(&self, id: &str) -> bool {
        self.knowledge.knows(id)
    }

    /// What a signature says of this identity; `None` if ids stand for themselves.
    pub fn signature(&self) -> Option<String> {
        if self.is_plain() {
            return None;
        }
        let mut parts = Vec::new();
        if self.wikipedia_titles {
            parts.push("titles".to_owned());
        }
        if let Some(redirects) = &self.redirects {
            parts.push(format!("redirects@{}", redirects.fingerprint()));
        }
        if self.knowledge != Knowledge::Everything {
            parts.push("prefixes".to_owned());
        }
        Some(parts.join("+"))
    }
}

/// `http://en.wikipedia.org/wiki/New York` as `New_York`, the way the CoNLL-2003
/// evaluation scripts do: only plain `http`, no percent-decoding.
fn wikipedia_title(id: &str) -> Cow<'_, str> {
    let title = id
        .strip_prefix("http://")
        .and_then(|rest| rest.split_once('.'))
        .and_then(|(_, rest)| rest.strip_prefix("wikipedia.org/wiki/"))
        .unwrap_or(id);
    if title.contains(' ') { Cow::Owned(title.replace(' ', "_")) } else { Cow::Borrowed(title) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_addresses_of_wikipedia_are_taken_off() {
        assert_eq!(wikipedia_title("http://en.wikipedia.org/wiki/New York"), "New_York");
        assert_eq!(
            wikipedia_title("https://en.wikipedia.org/wiki/Paris"),
            "https://en.wikipedia.org/wiki/Paris"
        );
        assert_eq!(wikipedia_title("/m/03xh50"), "/m/03xh50");
    }

    #[test]
    fn what_is_not_known_is_told_by_its_prefix() {
        let identity =
            Identity::new().with_knowledge(Knowledge::Prefixes(&["http://dbpedia.org/"]));
        assert!(identity.knows("http://dbpedia.org/resource/Berlin"));
        assert!(!identity.knows("https://dbpedia.org/resource/Berlin"));
        assert_eq!(identity.signature().as_deref(), Some("prefixes"));
        assert_eq!(Identity::new().signature(), None);
    }
}
