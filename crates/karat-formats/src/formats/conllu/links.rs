//! Links that stand on single words, beside tags such as `NER=B-PER`.

use super::Found;
use karat_model::Span;

/// What links are called.
const LINKS: [&str; 10] = [
    "Wikidata",
    "WikidataID",
    "WikidataId",
    "QID",
    "Wikipedia",
    "Wiki",
    "WikiLink",
    "EntityLink",
    "Link",
    "KB",
];
/// What tags of names are called.
const TAGS: [&str; 3] = ["NER", "NE", "NamedEntity"];

/// What was said of the words of a document.
#[derive(Default)]
pub(super) struct Links<'t> {
    link: &'t str,
    tag: &'t str,
    open: Option<Found<'t>>,
    /// Whether the open mention has a tag, which says where it ends.
    is_tagged: bool,
}

impl<'t> Links<'t> {
    /// A fact of the word.
    pub(super) fn fact(&mut self, key: &str, value: &'t str) {
        if value == "_" || value.is_empty() {
            return;
        }
        if LINKS.contains(&key) {
            self.link = value;
        } else if TAGS.contains(&key) && (value == "O" || value.contains('-')) {
            self.tag = value;
        }
    }

    /// The mention that ended before this word.
    pub(super) fn end_of_word(&mut self, word: Span) -> Option<Found<'t>> {
        let (link, tag) = (std::mem::take(&mut self.link), std::mem::take(&mut self.tag));
        let (position, kind) = tag.split_once('-').unwrap_or_default();
        let is_tagged = !kind.is_empty();
        let goes_on = self.open.as_ref().is_some_and(|open| match is_tagged {
            true => self.is_tagged && matches!(position, "I" | "E" | "L" | "M"),
            // Without tags, words with the same link are one mention.
            false => !self.is_tagged && !link.is_empty() && open.link == link,
        });
        if let (true, Some(open)) = (goes_on, &mut self.open) {
            open.span.end = word.end;
            if open.link.is_empty() {
                open.link = link;
            }
            return None;
        }
        let ended = self.open.take();
        if is_tagged || !link.is_empty() {
            let fragments = String::new();
            self.open = Some(Found { span: word, link, kind, group: "", fragments });
            self.is_tagged = is_tagged;
        }
        ended
    }

    /// The mention that ends with the sentence.
    pub(super) fn end_of_sentence(&mut self) -> Option<Found<'t>> {
        self.open.take()
    }
}
