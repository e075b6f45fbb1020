//! Words of a text, and which of them cannot be a name alone.

use karat_model::Span;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;
use unicode_segmentation::UnicodeSegmentation;

/// A word of a text: letters or digits between boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    /// Where it begins, in bytes.
    pub(super) byte: usize,
    /// Where it begins, in code points.
    pub(super) start: u32,
    /// The end of a mark that stands right behind it, such as the full stop of `U.S.`, in bytes and code points.
    pub(super) with_mark: Option<(usize, u32)>,
}

impl Word<'_> {
    pub(super) fn end_byte(&self) -> usize {
        self.byte + self.text.len()
    }

    pub(super) fn span(&self) -> Span {
        Span::new(self.start, self.start + self.text.chars().count() as u32)
    }
}

/// The words of a text, in order.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    let mut position = 0;
    for (byte, segment) in text.split_word_bound_indices() {
        let length = segment.chars().count() as u32;
        let follows = words.last().is_some_and(|word| word.end_byte() == byte);
        if segment.chars().any(char::is_alphanumeric) {
            words.push(Word { text: segment, byte, start: position, with_mark: None });
        } else if follows
            && is_mark(segment)
            && let Some(word) = words.last_mut()
        {
            word.with_mark = Some((byte + segment.len(), position + length));
        }
        position += length;
    }
    words
}

/// Whether this may be the end of a name: `U.S.`, `Yahoo!`, `C++`, `Jeopardy!`.
fn is_mark(segment: &str) -> bool {
    matches!(segment, "." | "!" | "+" | "?" | ")" | "*")
}

/// Where a genitive begins that is no part of the name: `Berlin's` ends behind six letters.
pub(super) fn without_genitive(text: &str) -> &str {
    let short = text.strip_suffix("'s").or_else(|| text.strip_suffix("\u{2019}s"));
    short.filter(|rest| !rest.is_empty()).unwrap_or(text)
}

/// Whether a text cannot be a name: it begins in lower case, is made of numbers, months and days, or of
/// words that are everywhere.
pub(super) fn is_no_name(text: &str, language: Option<&str>) -> bool {
    if text.chars().next().is_none_or(char::is_lowercase) || without_genitive(text) != text {
        return true;
    }
    let mut parts = text.unicode_words().peekable();
    if parts.peek().is_none() {
        return true;
    }
    let all: Vec<String> = parts.map(str::to_lowercase).collect();
    all.iter().all(|word| is_number(word) || is_of_calendar(word))
        || all.iter().all(|word| is_stop_word(word, language))
}

/// Numbers, with or without a unit of time behind them: `3`, `3rd`, `1990s`, `三`, `12月`.
fn is_number(word: &str) -> bool {
    let digits = |text: &str| {
        text.chars().all(|it| it.is_numeric() || matches!(it, '.' | ',' | '\'' | '\u{2019}'))
            && text.chars().any(char::is_numeric)
    };
    let ends = ["st", "nd", "rd", "th", "s", "er", "re", "e", "\u{5e74}", "\u{6708}", "\u{65e5}"];
    let cut = ends.iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    let is_kanji = |it: char| "〇一二三四五六七八九十百千万億年月日".contains(it);
    digits(word) || digits(cut) || word.chars().all(is_kanji)
}

fn is_of_calendar(word: &str) -> bool {
    LISTS.calendar.contains(word)
}

/// Whether a word, in lower case, is everywhere in texts of a language; English if nobody says which.
pub(super) fn is_stop_word(word: &str, language: Option<&str>) -> bool {
    let code = language.and_then(|tag| tag.split(['-', '_']).next()).unwrap_or("en");
    LISTS.stop_words.get(code).is_some_and(|words| words.contains(word))
}

/// Words that stand in dates beside months and days.
const OF_DATES: [&str; 10] = ["of", "the", "and", "to", "bc", "ad", "de", "du", "am", "pm"];

/// Months and days of the week, one in a line.
const CALENDAR: &str = include_str!("words/calendar.txt");

/// For each language its code and the words that are everywhere, in a line.
const STOP_WORDS: &str = include_str!("words/stop-words.txt");

/// The words of both lists.
static LISTS: LazyLock<Lists> = LazyLock::new(|| Lists {
    calendar: CALENDAR.lines().chain(OF_DATES).collect(),
    stop_words: STOP_WORDS
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(code, words)| (code, words.split(' ').collect()))
        .collect(),
});

struct Lists {
    calendar: HashSet<&'static str>,
    stop_words: HashMap<&'static str, HashSet<&'static str>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_places_and_the_marks_behind_them() {
        let text = "😀 The U.S. and Yahoo! won (東京).";
        let found: Vec<(&str, u32, Option<&str>)> = words(text)
            .iter()
            .map(|word| {
                let marked = word.with_mark.map(|(end, _)| &text[word.byte..end]);
                (word.text, word.span().end, marked)
            })
            .collect();
        let expected = [
            ("The", 5, None),
            ("U.S", 9, Some("U.S.")),
            ("and", 14, None),
            ("Yahoo", 20, Some("Yahoo!")),
            ("won", 25, None),
            ("東", 28, None),
            ("京", 29, Some("京)")),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn some_texts_are_no_names() {
        for text in [
            "berlin",
            "12",
            "3rd",
            "March",
            "3 March 2004",
            "The",
            "It",
            "Berlin's",
            "1990s",
            "三",
            "12月",
            "!",
            "Sunday",
            "May and June",
            "Meanwhile",
            "",
            "The 3rd of November 1787",
            "３",
        ] {
            assert!(is_no_name(text, None), "{text}");
        }
        for text in [
            "Berlin",
            "The Hague",
            "Theresa May",
            "U.S.",
            "東京",
            "3M",
            "Boeing 747",
            "\u{1f600} Bar",
            "The Who Sell Out",
        ] {
            assert!(!is_no_name(text, None), "{text}");
        }
        assert!(is_no_name("Das", Some("de-CH")) && !is_no_name("Das", Some("en")));
    }
}
