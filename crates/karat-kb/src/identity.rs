//! From the spelling of a file to the name that is compared.

use crate::spelling::{as_title, written};
use crate::vocabulary;
use crate::{KbError, KnowledgeBase, Redirects};
use std::borrow::Cow;
use std::sync::Arc;

/// Which spellings are one entity, and which entities a knowledge base knows.
#[derive(Debug, Clone, Default)]
pub struct Identity {
    naming: Naming,
    titles: Option<Titles>,
    redirects: Option<Redirects>,
    base: Option<Arc<KnowledgeBase>>,
    knowledge: Knowledge,
}

/// What of an id is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Naming {
    /// All of it.
    #[default]
    AsWritten,
    /// What follows the last `/`, byte by byte.
    LastSegment,
    /// What follows the last `/`, `#` or `:`: `3577` of `NCBI Gene:3577`.
    LocalName,
}

/// Which spellings of a title are one where redirects are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Titles {
    /// All of them: addresses of Wikipedia and DBpedia, escapes, blanks, small first letters.
    #[default]
    EverySpelling,
    /// Titles, and those behind `http://en.wikipedia.org/wiki/`, as the CoNLL-2003 evaluation scripts
    /// have it.
    PlainAddresses,
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

    /// Compares this of ids, before anything else is done with them.
    pub fn with_naming(mut self, naming: Naming) -> Identity {
        self.naming = naming;
        self
    }

    /// Takes the address off Wikipedia's URLs and writes blanks as underscores.
    pub fn with_wikipedia_titles(mut self) -> Identity {
        self.titles = Some(Titles::PlainAddresses);
        self
    }

    /// Compares titles and items by what they name, whatever address they are written as.
    pub fn with_every_spelling(mut self) -> Identity {
        self.titles = Some(Titles::EverySpelling);
        self
    }

    /// Follows redirects, one step.
    pub fn with_redirects(mut self, redirects: Redirects) -> Identity {
        self.redirects = Some(redirects);
        self
    }

    /// Follows the redirects of a table, for ids that are titles in these spellings.
    pub fn with_redirects_of(mut self, table: &str, titles: Titles) -> Identity {
        self.titles = Some(titles);
        self.with_redirects(match titles {
            Titles::EverySpelling => Redirects::parse_spellings(table),
            Titles::PlainAddresses => Redirects::parse(table),
        })
    }

    /// The redirects that are followed, if there are any.
    pub fn redirects(&self) -> Option<&Redirects> {
        self.redirects.as_ref()
    }

    /// Follows every spelling to the id of a knowledge base, after redirects.
    pub fn with_base(mut self, base: Arc<KnowledgeBase>) -> Identity {
        self.base = Some(base);
        self
    }

    /// The knowledge base, if there is one.
    pub fn base(&self) -> Option<&Arc<KnowledgeBase>> {
        self.base.as_ref()
    }

    /// Fails if the knowledge base was found to be damaged by what it was asked so far.
    pub fn check(&self) -> Result<(), KbError> {
        self.base.as_ref().map_or(Ok(()), |base| base.check())
    }

    /// Takes for known only what this says.
    pub fn with_knowledge(mut self, knowledge: Knowledge) -> Identity {
        self.knowledge = knowledge;
        self
    }

    /// Whether every id stands for itself and is known.
    pub fn is_plain(&self) -> bool {
        self.naming == Naming::AsWritten
            && self.titles.is_none()
            && self.redirects.is_none()
            && self.base.is_none()
            && self.knowledge == Knowledge::Everything
    }

    /// The one name of the entity that `id` spells.
    pub fn canonical<'a>(&'a self, id: &'a str) -> Cow<'a, str> {
        let id = match self.naming {
            Naming::AsWritten => id,
            Naming::LastSegment => id.rsplit_once('/').map_or(id, |(_, last)| last),
            Naming::LocalName => id.rsplit(['/', '#', ':']).next().unwrap_or(id),
        };
        let title = match self.titles {
            None => self.target(id).unwrap_or(Cow::Borrowed(id)),
            Some(Titles::PlainAddresses) => {
                let title = wikipedia_title(id);
                self.target(&title).unwrap_or(title)
            }
            Some(Titles::EverySpelling) => self.titled(id),
        };
        // Redirects of a file come before the base: they are what the user gave for this
        // evaluation.
        match (&self.base, title) {
            (None, title) => title,
            (Some(base), Cow::Borrowed(title)) => base.resolve(title),
            (Some(base), Cow::Owned(title)) => Cow::Owned(base.resolve(&title).into_owned()),
        }
    }

    fn target(&self, title: &str) -> Option<Cow<'_, str>> {
        self.redirects.as_ref()?.target(title).map(Cow::Borrowed)
    }

    /// Where an id leads in any spelling. One that no redirect knows is taken for a title too, but not
    /// where a knowledge base may know better.
    fn titled<'a>(&'a self, id: &'a str) -> Cow<'a, str> {
        let plain = match (&self.base, vocabulary::bare(id)) {
            // A knowledge base knows best what its ids are.
            (None, Cow::Borrowed(bare)) => written(bare),
            (None, several) => several,
            (Some(_), _) => written(id),
        };
        if let Some(target) = self.target(&plain) {
            return target;
        }
        let title = as_title(&plain);
        match self.target(&title) {
            Some(target) => target,
            None if self.base.is_some() || title == plain => plain,
            None => Cow::Owned(title.into_owned()),
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
        match self.naming {
            Naming::AsWritten => {}
            Naming::LastSegment => parts.push("last-segment".to_owned()),
            Naming::LocalName => parts.push("local-name".to_owned()),
        }
        match self.titles {
            None => {}
            Some(Titles::EverySpelling) => parts.push("spellings".to_owned()),
            Some(Titles::PlainAddresses) => parts.push("titles".to_owned()),
        }
        if let Some(redirects) = &self.redirects {
            parts.push(format!("redirects@{}", redirects.digest().short()));
        }
        if let Some(base) = &self.base {
            parts.push(base.signature());
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
    fn redirects_are_followed_from_every_spelling_of_a_title() {
        let table = "New York City\tBig Apple\tNYC\nCafé\tcoffee%20house\n";
        let identity = Identity::new().with_redirects_of(table, Titles::EverySpelling);
        for id in [
            "New York City",
            "new_York_City",
            "NYC",
            "Big_Apple",
            "big_Apple",
            "Big%20Apple",
            "https://en.wikipedia.org/wiki/Big_Apple",
            "http://en.wikipedia.org/wiki/Big%20Apple",
            "https://en.m.wikipedia.org/wiki/Big_Apple",
            "https://en.wikipedia.org/wiki/Big_Apple#History",
            "http://dbpedia.org/resource/Big_Apple",
        ] {
            assert_eq!(identity.canonical(id), "New_York_City", "{id}");
        }
        for id in ["Café", "Caf%C3%A9", "Caf\\u00e9", "Cafe\u{301}", "Coffee house"] {
            assert_eq!(identity.canonical(id), "Café", "{id}");
        }
        for id in ["https://en.wikipedia.org/wiki/Paris", "Paris", "paris", "dbr:Paris"] {
            assert_eq!(identity.canonical(id), "Paris", "{id}");
        }
        for (id, same) in
            [("wd:Q60", "Q60"), ("m.02_286", "/m/02_286"), ("http://x.y/a", "http://x.y/a")]
        {
            assert_eq!(identity.canonical(id), same, "{id}");
        }
        assert!(identity.signature().unwrap().starts_with("spellings+redirects@"));
        // The CoNLL-2003 evaluation scripts know fewer.
        let plain = Identity::new().with_redirects_of(table, Titles::PlainAddresses);
        assert_eq!(plain.canonical("http://en.wikipedia.org/wiki/Big Apple"), "New_York_City");
        let other = "https://en.wikipedia.org/wiki/Big_Apple";
        assert_eq!(plain.canonical(other), other);
    }

    #[test]
    fn the_last_segment_is_compared_byte_by_byte() {
        let identity = Identity::new().with_naming(Naming::LastSegment);
        for (id, name) in [
            ("https://en.wikipedia.org/wiki/Paris", "Paris"),
            ("http://dbpedia.org/resource/Paris", "Paris"),
            ("https://en.wikipedia.org/wiki/Radio_Free_Europe/Radio_Liberty", "Radio_Liberty"),
            ("https://en.wikipedia.org/wiki/Muzzle_(mouth_guard) ", "Muzzle_(mouth_guard) "),
            ("https://en.wikipedia.org/wiki/\\u014dita", "\\u014dita"),
            ("Paris", "Paris"),
            ("https://en.wikipedia.org/wiki/", ""),
        ] {
            assert_eq!(identity.canonical(id), name);
        }
        assert!(!identity.is_plain());
        assert_eq!(identity.signature().as_deref(), Some("last-segment"));
    }

    #[test]
    fn a_knowledge_base_comes_after_redirects_and_is_part_of_the_signature() {
        let mut builder = crate::Builder::in_memory();
        builder.title("Bob Dylan", "Q392").unwrap();
        let base = Arc::new(builder.finish().unwrap());
        let redirects = Redirects::parse("Bob Dylan\tRobert Zimmerman\n");
        let identity = Identity::new()
            .with_wikipedia_titles()
            .with_redirects(redirects)
            .with_base(Arc::clone(&base));
        for id in ["Robert Zimmerman", "http://en.wikipedia.org/wiki/Robert_Zimmerman", "wd:Q392"] {
            assert_eq!(identity.canonical(id), "Q392");
        }
        let signature = identity.signature().unwrap();
        assert!(signature.ends_with(&format!("+memory@{}", base.fingerprint())), "{signature}");
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
