//! Finds the longest texts that the base knows.

use super::base_of;
use super::baseline::Baseline;
use super::prior::Prior;
use super::settings::{LISTED, MAX_WORDS, SettingReader};
use super::words::{is_no_name, without_genitive, words};
use crate::registry::{BuiltIn, LinkerContext, LinkerError};
use karat_kb::KnowledgeBase;
use karat_model::Span;
use std::sync::Arc;

/// Finds mentions by the texts of the base, and links each to its likeliest entity.
pub(super) static DICTIONARY: BuiltIn = BuiltIn {
    name: "dictionary",
    title: "The longest texts that the base knows, each with its likeliest entity",
    about: "Goes through the text from left to right and takes the longest run of words that the base knows. \
            A mention does not begin in lower case, is not made of numbers, months, days or words that are everywhere, \
            and does not end in a genitive `'s`. Mentions are linked as by `prior`. \
            These are the rules of ELEVANT's maximum matching, without its probability that a text is a link at all, \
            for which a base would have to know how often texts occur without one: so it finds too much. \
            Spans that are given are ignored.",
    settings: &[MAX_WORDS, LISTED],
    needs_base: true,
    make: |context| {
        let base = base_of(context)?;
        let mut reader = SettingReader::new(context);
        let finder = Finder::new(Arc::clone(&base), reader.number(MAX_WORDS, 1..=100)?);
        let prior = Prior { base, listed: reader.number(LISTED, 0..=1000)? };
        Ok(Box::new(Baseline::new("dictionary", reader.finish(), Some(finder), prior)))
    },
};

/// Finds mentions that the base knows.
pub(super) struct Finder {
    base: Arc<KnowledgeBase>,
    max_words: usize,
}

impl Finder {
    pub(super) fn new(base: Arc<KnowledgeBase>, max_words: usize) -> Finder {
        Finder { base, max_words }
    }

    /// The finder of a baseline that takes given mentions too; `None` without a base.
    pub(super) fn of(
        context: &LinkerContext,
        reader: &mut SettingReader<'_>,
    ) -> Result<Option<Finder>, LinkerError> {
        let max_words = reader.number(MAX_WORDS, 1..=100)?;
        Ok(context.base.as_ref().map(|base| Finder::new(Arc::clone(base), max_words)))
    }

    /// The longest texts of the base, from left to right, without overlaps.
    pub(super) fn find(&self, text: &str, language: Option<&str>) -> Vec<Span> {
        let words = words(text);
        let mut found = Vec::new();
        let mut first = 0;
        while let Some(word) = words.get(first) {
            let begins = word.text.chars().next().is_some_and(|it| !it.is_lowercase());
            let longest = begins.then(|| self.longest(text, &words[first..], language)).flatten();
            match longest {
                Some((count, span)) => {
                    found.push(span);
                    first += count;
                }
                None => first += 1,
            }
        }
        found
    }

    /// How many words the longest mention has that begins with the first of these, and where it is.
    fn longest(
        &self,
        text: &str,
        words: &[super::words::Word<'_>],
        language: Option<&str>,
    ) -> Option<(usize, Span)> {
        let first = words.first()?;
        let is_known = |end: usize| {
            let mention = text.get(first.byte..end).unwrap_or_default();
            !is_no_name(mention, language) && self.knows(mention)
        };
        let counts = (1..=words.len().min(self.max_words)).rev();
        counts.filter_map(|count| Some((count, words.get(count - 1)?))).find_map(|(count, last)| {
            if let Some((end, position)) = last.with_mark
                && is_known(end)
            {
                return Some((count, Span::new(first.start, position)));
            }
            let bare = without_genitive(last.text);
            let end = last.start + bare.chars().count() as u32;
            is_known(last.byte + bare.len()).then(|| (count, Span::new(first.start, end)))
        })
    }

    fn knows(&self, mention: &str) -> bool {
        self.base.candidates(mention).known().is_some_and(|candidates| !candidates.is_empty())
    }
}
