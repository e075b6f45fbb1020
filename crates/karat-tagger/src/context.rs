//! What the text around a mention says.

use crate::words::{LONGEST, has_capital, is_function_word, words};
use karat_model::{Corpus, Document, MarkKind, Span, Watch};
use std::collections::HashSet;

/// How the words of a corpus are written.
#[derive(Debug, Default)]
pub(crate) struct Spellings {
    /// Words that occur in small letters.
    small: HashSet<String>,
    /// Words that have a capital where no sentence starts, in small letters.
    capital: HashSet<String>,
}

impl Spellings {
    /// Goes through all texts once.
    pub(crate) fn of(corpus: &Corpus, watch: &Watch) -> Spellings {
        let mut spellings = Spellings::default();
        for document in corpus.documents().take_while(|_| !watch.is_cancelled()) {
            each_word(&document, |word, _, at_start| spellings.note(word, at_start));
        }
        spellings
    }

    // A capital at the start of a sentence says nothing about a word, so it is not noted.
    fn note(&mut self, word: &str, at_start: bool) {
        for word in words(word) {
            if !has_capital(word) {
                self.small.insert(word.to_owned());
            } else if !at_start {
                self.capital.insert(word.to_lowercase());
            }
        }
    }
}

/// A document as the place of mentions.
#[derive(Debug)]
pub(crate) struct Context<'s> {
    spellings: &'s Spellings,
    /// Where the first words of sentences start.
    starts: HashSet<u32>,
    /// The mentions that are written as names and contain others, by their starts, and for each
    /// the furthest end so far.
    names: Vec<(Span, u32)>,
}

impl<'s> Context<'s> {
    pub(crate) fn of(document: &Document<'_>, spellings: &'s Spellings) -> Context<'s> {
        let mut starts = HashSet::new();
        each_word(document, |_, position, at_start| {
            if at_start {
                starts.insert(position);
            }
        });
        Context { spellings, starts, names: names(document) }
    }

    /// Whether a mention is at the beginning of a sentence, where every word has a capital.
    pub(crate) fn starts_sentence(&self, span: Span) -> bool {
        self.starts.contains(&span.start)
    }

    /// Whether a mention is a part of a longer one that is written as a name.
    pub(crate) fn is_inside_name(&self, span: Span) -> bool {
        // Spans are sorted by start, longer ones first: only those before it can contain it.
        let before = self.names.partition_point(|(name, _)| {
            name.start < span.start || (name.start == span.start && name.end > span.end)
        });
        before.checked_sub(1).is_some_and(|last| self.names[last].1 >= span.end)
    }

    /// Whether a word occurs in small letters.
    pub(crate) fn is_written_small(&self, word: &str) -> bool {
        self.spellings.small.contains(&word.to_lowercase())
    }

    /// Whether a word is a name, from how it is written elsewhere.
    pub(crate) fn is_name(&self, word: &str) -> Option<bool> {
        match (self.is_written_small(word), self.spellings.capital.contains(&word.to_lowercase())) {
            (true, false) => Some(false),
            (false, true) => Some(true),
            _ => None,
        }
    }
}

/// The mentions of several words that are all written with capitals.
fn names(document: &Document<'_>) -> Vec<(Span, u32)> {
    let Some(text) = document.text_index() else { return Vec::new() };
    let is_name = |span: &Span| {
        let surface = text.slice(*span).filter(|surface| surface.len() <= LONGEST);
        let words = words(surface.unwrap_or_default());
        words.len() > 1 && words.iter().all(|word| has_capital(word) || is_function_word(word))
    };
    let mut spans: Vec<Span> = document.annotations().iter().map(|a| a.span).collect();
    spans.sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    spans.dedup();
    let mut furthest = 0;
    let names = spans.into_iter().filter(is_name).map(|span| {
        furthest = span.end.max(furthest);
        (span, furthest)
    });
    names.collect()
}

/// Calls with every word of a document, its position, and whether it is the first of a sentence.
fn each_word(document: &Document<'_>, mut call: impl FnMut(&str, u32, bool)) {
    let Some(text) = document.text() else { return };
    let marked: HashSet<u32> =
        document.marks_of(MarkKind::Sentence).map(|(span, _)| span.start).collect();
    let mut at_start = true;
    let (mut start, mut word) = (0, String::new());
    for (position, character) in (0..).zip(text.chars().chain(std::iter::once('\n'))) {
        at_start |= marked.contains(&position);
        let is_inner = matches!(character, '\'' | '’') && !word.is_empty();
        if character.is_alphanumeric() || is_inner {
            if word.is_empty() {
                start = position;
            }
            word.push(character);
            continue;
        }
        if !word.is_empty() {
            call(&word, start, at_start);
            at_start = false;
            word.clear();
        }
        at_start |= matches!(character, '.' | '!' | '?' | '\n' | ':' | '"' | '“' | '”');
    }
}
