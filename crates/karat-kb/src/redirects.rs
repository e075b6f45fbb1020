//! A table of redirects, as the CoNLL-2003 evaluation scripts keep it.

use crate::spelling::as_title;
use karat_model::Digest;
use std::borrow::Cow;
use std::collections::HashMap;

/// Titles and the titles that redirect to them.
#[derive(Debug, Clone)]
pub struct Redirects {
    targets: HashMap<String, String>,
    digest: Digest,
}

impl Redirects {
    /// One line per title: the title, then everything that redirects to it,
    /// separated by tabs. Blanks are underscores; a later line overrides.
    pub fn parse(text: &str) -> Redirects {
        Redirects::of(text, |title| Cow::Owned(title.replace(' ', "_")))
    }

    /// The same of titles in any spelling, each as a knowledge base writes it.
    pub fn parse_spellings(text: &str) -> Redirects {
        Redirects::of(text, as_title)
    }

    fn of(text: &str, written: impl Fn(&str) -> Cow<'_, str>) -> Redirects {
        let mut targets = HashMap::new();
        for line in text.lines() {
            let Some((target, titles)) = Redirects::titles(line) else { continue };
            let end = written(target);
            for title in std::iter::once(target).chain(titles) {
                targets.insert(written(title).into_owned(), end.clone().into_owned());
            }
        }
        Redirects { targets, digest: Digest::of_bytes(text.as_bytes()) }
    }

    /// The title that a line is about, and those that redirect to it; `None` if it is empty.
    pub fn titles(line: &str) -> Option<(&str, impl Iterator<Item = &str>)> {
        let mut titles = line.split('\t').filter(|title| !title.is_empty());
        titles.next().map(|target| (target, titles))
    }

    /// Where a title leads, one step.
    pub fn target(&self, title: &str) -> Option<&str> {
        self.targets.get(title).map(String::as_str)
    }

    /// How many titles it knows.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The digest of the text that the table was read from.
    pub fn digest(&self) -> Digest {
        self.digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_line_overrides_and_titles_lead_to_themselves() {
        let redirects = Redirects::parse("A b\tC\tD\nE\tC\n\n");
        assert_eq!(redirects.target("C"), Some("E"));
        assert_eq!(redirects.target("D"), Some("A_b"));
        assert_eq!(redirects.target("A_b"), Some("A_b"));
        assert_eq!(redirects.target("F"), None);
        assert_eq!((redirects.len(), redirects.is_empty()), (4, false));
    }
}
