//! The base form of a mention.

use crate::context::Context;
use crate::names::Names;
use crate::words::{
    akin, has_capital, is_cased, is_day_or_month, is_determiner, is_function_word, is_initials,
    is_number, is_ordinal, pro_form, words,
};
use karat_model::{DimensionCategory, Span};

/// A mention as words, and where it stands.
pub(crate) struct Form<'t> {
    words: Vec<&'t str>,
    span: Span,
}

impl<'t> Form<'t> {
    pub(crate) fn new(surface: &'t str, span: Span) -> Form<'t> {
        Form { words: words(surface), span }
    }

    /// The only word of the mention.
    pub(crate) fn single(&self) -> Option<&'t str> {
        match self.words[..] {
            [word] => Some(word),
            _ => None,
        }
    }

    /// Whether it is made of numbers, days and months.
    pub(crate) fn is_numeric(&self) -> bool {
        is_numeric(&self.words)
    }

    /// The base form; `None` where it does not follow.
    pub(crate) fn base_form(
        &self,
        names: Option<&Names>,
        context: &Context<'_>,
    ) -> Option<DimensionCategory> {
        if self.single().is_some_and(|word| pro_form(word).is_some()) {
            return Some(DimensionCategory::ProForm);
        }
        if self.is_numeric() {
            return Some(DimensionCategory::NumericTemporal);
        }
        match self.is_name(names, context)? {
            false => Some(DimensionCategory::CommonForm),
            true => names.map(|names| self.among(names)),
        }
    }

    /// Whether the mention is a name and not a common noun or a description.
    fn is_name(&self, names: Option<&Names>, context: &Context<'_>) -> Option<bool> {
        let inner = without_determiners(&self.words);
        // Scripts without capitals give no sign; only the whole label of the entity is a name for
        // sure.
        if !inner.iter().any(|word| is_cased(word)) {
            return names.filter(|names| inner == words(&names.label)).map(|_| true);
        }
        if !inner.iter().any(|word| has_capital(word)) {
            return (!inner.is_empty()).then_some(false);
        }
        let Some(names) = names else { return self.is_written_as_name(inner, &[], context) };
        if names.is_common() {
            return Some(false);
        }
        let label = words(&names.label);
        let label = without_determiners(&label);
        let is_whole = same(inner, label) && names.is_proper();
        // An article belongs to a description, unless what follows is the whole name.
        let is_described = inner.len() < self.words.len() && !same(inner, label);
        match is_whole {
            true => Some(true),
            false if is_described => Some(false),
            false => self.is_written_as_name(inner, label, context),
        }
    }

    fn is_written_as_name(
        &self,
        inner: &[&str],
        label: &[&str],
        context: &Context<'_>,
    ) -> Option<bool> {
        let mut content = inner.iter().filter(|word| !is_function_word(word));
        if !content.all(|word| has_capital(word) || !word.starts_with(char::is_alphabetic)) {
            return Some(false);
        }
        let [word] = inner else { return Some(true) };
        if has_inner_capital(word) {
            return Some(true);
        }
        // Inside `Bank of England`, `Bank` may be a word that is also written small elsewhere.
        if context.is_inside_name(self.span) && context.is_written_small(word) {
            return Some(false);
        }
        if !context.starts_sentence(self.span) {
            return Some(true);
        }
        // A capital at the beginning of a sentence says nothing; a part of a name is one.
        let is_name =
            label.len() > 1 && label.iter().all(|word| has_capital(word) || is_function_word(word));
        if is_name && label.iter().any(|other| akin(word, other)) {
            Some(true)
        } else {
            context.is_name(word)
        }
    }

    /// Which sort of name it is.
    fn among(&self, names: &Names) -> DimensionCategory {
        let mention = without_determiners(&self.words);
        let label = words(&names.label);
        let label = without_determiners(&label);
        if same(mention, label) {
            return DimensionCategory::Full;
        }
        let is_short = [is_part, has_initials_of, is_acronym].iter().any(|of| of(mention, label));
        if is_short {
            return DimensionCategory::Short;
        }
        // What a knowledge base calls another name is one, however it is made.
        let is_known = names.aliases.iter().any(|alias| same(mention, &words(alias)));
        if !is_known && is_part(label, mention) {
            DimensionCategory::Extended
        } else {
            DimensionCategory::Alias
        }
    }
}

fn is_numeric(words: &[&str]) -> bool {
    let numeric = |word: &&str| is_number(word) || is_ordinal(word) || is_day_or_month(word);
    let inner = without_determiners(words);
    inner.iter().any(numeric) && inner.iter().all(|word| numeric(word) || is_function_word(word))
}

/// Whether a name is one of a number, a day or a month.
pub(crate) fn is_numeric_name(name: &str) -> bool {
    is_numeric(&words(name))
}

fn without_determiners<'w, 't>(words: &'w [&'t str]) -> &'w [&'t str] {
    let start = words.iter().position(|word| !is_determiner(word)).unwrap_or(words.len());
    &words[start..]
}

fn has_inner_capital(word: &str) -> bool {
    word.chars().skip(1).any(char::is_uppercase)
}

fn same(one: &[&str], other: &[&str]) -> bool {
    let alike = |one: &[&str], other: &[&str]| {
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| akin(one, other))
    };
    alike(one, other) || alike(&initials_apart(one), &initials_apart(other))
}

/// The words of a name, each initial as one.
fn initials_apart<'t>(words: &[&'t str]) -> Vec<&'t str> {
    let apart = |word: &&'t str| match is_initials(word) {
        true => word.split_inclusive('.').collect(),
        false => vec![*word],
    };
    words.iter().flat_map(apart).collect()
}

/// Whether the words of one stand in the other, in the same order, some as initials.
fn has_initials_of(short: &[&str], whole: &[&str]) -> bool {
    let (short, whole) = (initials_apart(short), initials_apart(whole));
    let mut rest = whole.iter();
    let fits = |word: &&str, other: &&str| match is_initials(word) {
        true => other.starts_with(word.trim_end_matches('.')),
        false => akin(word, other),
    };
    // Initials and nothing else are an acronym.
    short.iter().any(|word| !is_initials(word))
        && short.iter().all(|word| rest.any(|other| fits(word, other)))
}

/// Whether all words of one stand in the other, in the same order.
fn is_part(part: &[&str], whole: &[&str]) -> bool {
    let mut rest = whole.iter();
    !part.is_empty() && part.iter().all(|word| rest.any(|other| akin(word, other)))
}

/// Whether a single word is made of the initials of words that follow each other.
fn is_acronym(mention: &[&str], label: &[&str]) -> bool {
    let [word] = mention else { return false };
    let letters: String = word.chars().filter(|c| c.is_alphanumeric()).collect();
    let is_capital = letters.chars().count() > 1 && !letters.chars().any(char::is_lowercase);
    let initials = |all: bool| -> String {
        let counted = label.iter().filter(|word| all || !is_function_word(word));
        counted.filter_map(|word| word.chars().next()).flat_map(char::to_uppercase).collect()
    };
    is_capital && (initials(true).contains(&letters) || initials(false).contains(&letters))
}
