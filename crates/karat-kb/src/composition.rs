//! One spelling for characters that can be written as one or as several: `é` for `e` and an accent.
//!
//! This is Unicode's canonical composition (NFC), in which MediaWiki keeps its titles.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A text in which characters are composed as far as they can be.
pub(crate) fn composed(text: &str) -> Cow<'_, str> {
    // Up to here nothing is a mark, and nothing is written in another way.
    if text.chars().all(|character| character < '\u{300}') {
        return Cow::Borrowed(text);
    }
    let tables = &*TABLES;
    if !text.chars().any(|character| tables.may_change(character)) {
        return Cow::Borrowed(text);
    }
    let mut apart = Vec::with_capacity(text.len());
    text.chars().for_each(|character| tables.take_apart(character, &mut apart));
    tables.order_marks(&mut apart);
    Cow::Owned(tables.put_together(&apart))
}

static TABLES: LazyLock<Tables> =
    LazyLock::new(|| Tables::parse(include_str!("composition/table.txt")));

#[derive(Default)]
struct Tables {
    whole: HashMap<(char, char), char>,
    parts: HashMap<char, (char, Option<char>)>,
    seconds: HashSet<char>,
    classes: HashMap<char, u8>,
}

impl Tables {
    /// See the head of the table.
    fn parse(text: &str) -> Tables {
        let mut tables = Tables::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let Some((head, items)) = line.split_once(':') else { continue };
            let (kind, second) = head.split_once(' ').unwrap_or((head, ""));
            for item in items.split_whitespace() {
                tables.add(kind, character(second), item);
            }
        }
        tables
    }

    fn add(&mut self, kind: &str, second: Option<char>, item: &str) {
        let pair = item.split_once('=');
        let pair = pair.and_then(|(one, other)| character(one).zip(character(other)));
        match (kind, pair, kind.parse()) {
            ("+" | "-", Some((first, whole)), _) => {
                self.parts.insert(whole, (first, second));
                if let Some(second) = second.filter(|_| kind == "+") {
                    self.whole.insert((first, second), whole);
                    self.seconds.insert(second);
                }
            }
            ("=", Some((whole, only)), _) => {
                self.parts.insert(whole, (only, None));
            }
            (_, None, Ok(class)) => {
                let (first, last) = item.split_once('-').unwrap_or((item, item));
                if let (Some(first), Some(last)) = (character(first), character(last)) {
                    self.classes.extend((first..=last).map(|mark| (mark, class)));
                }
            }
            _ => {}
        }
    }

    fn class(&self, character: char) -> u8 {
        self.classes.get(&character).copied().unwrap_or(0)
    }

    /// Whether a text with this character may be written in another way. What can be taken apart may
    /// be written so itself; only the marks behind it matter then.
    fn may_change(&self, character: char) -> bool {
        let is_composed = || match self.parts.get(&character) {
            Some(&(first, Some(second))) => self.whole.get(&(first, second)) == Some(&character),
            Some((_, None)) => false,
            None => true,
        };
        self.class(character) > 0
            || self.seconds.contains(&character)
            || hangul::is_second(character)
            || !is_composed()
    }

    fn take_apart(&self, character: char, into: &mut Vec<char>) {
        if let Some(parts) = hangul::parts(character) {
            into.extend(parts.into_iter().flatten());
            return;
        }
        match self.parts.get(&character) {
            Some(&(first, second)) => {
                self.take_apart(first, into);
                second.into_iter().for_each(|second| self.take_apart(second, into));
            }
            None => into.push(character),
        }
    }

    /// Marks of different classes do not touch each other: they get the order of their classes.
    fn order_marks(&self, characters: &mut [char]) {
        for marks in characters.split_mut(|&character| self.class(character) == 0) {
            marks.sort_by_key(|&mark| self.class(mark));
        }
    }

    fn put_together(&self, characters: &[char]) -> String {
        let mut whole: Vec<char> = Vec::with_capacity(characters.len());
        // Where the last character is that marks can be put on, and the class of the last mark since.
        let mut base: Option<usize> = None;
        let mut last = 0;
        for &character in characters {
            let class = self.class(character);
            let is_free = |at: usize| last < class || whole.len() == at + 1;
            let at = base.filter(|&at| is_free(at));
            if let Some((at, joined)) =
                at.and_then(|at| Some((at, self.join(whole[at], character)?)))
            {
                whole[at] = joined;
                continue;
            }
            if class == 0 {
                base = Some(whole.len());
            }
            last = class;
            whole.push(character);
        }
        whole.into_iter().collect()
    }

    fn join(&self, first: char, second: char) -> Option<char> {
        self.whole.get(&(first, second)).copied().or_else(|| hangul::whole(first, second))
    }
}

fn character(digits: &str) -> Option<char> {
    u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
}

/// Korean syllables are computed from their letters.
mod hangul {
    const SYLLABLE: u32 = 0xAC00;
    const LEADING: u32 = 0x1100;
    const VOWEL: u32 = 0x1161;
    const TRAILING: u32 = 0x11A7;
    const VOWELS: u32 = 21;
    const TRAILINGS: u32 = 28;
    const LEADINGS: u32 = 19;

    /// The place of a character among those that start here.
    fn place(character: char, first: u32, number: u32) -> Option<u32> {
        u32::from(character).checked_sub(first).filter(|place| *place < number)
    }

    pub(super) fn is_second(character: char) -> bool {
        place(character, VOWEL, VOWELS).or(place(character, TRAILING, TRAILINGS)).is_some()
    }

    pub(super) fn parts(syllable: char) -> Option<[Option<char>; 3]> {
        let place = place(syllable, SYLLABLE, LEADINGS * VOWELS * TRAILINGS)?;
        let trailing = place % TRAILINGS;
        let trailing = (trailing > 0).then_some(TRAILING + trailing).and_then(char::from_u32);
        let vowel = VOWEL + place / TRAILINGS % VOWELS;
        let leading = LEADING + place / TRAILINGS / VOWELS;
        Some([char::from_u32(leading), char::from_u32(vowel), trailing])
    }

    pub(super) fn whole(first: char, second: char) -> Option<char> {
        if let Some((leading, vowel)) =
            place(first, LEADING, LEADINGS).zip(place(second, VOWEL, VOWELS))
        {
            return char::from_u32(SYLLABLE + (leading * VOWELS + vowel) * TRAILINGS);
        }
        let syllable = place(first, SYLLABLE, LEADINGS * VOWELS * TRAILINGS)?;
        let trailing = place(second, TRAILING, TRAILINGS).filter(|trailing| *trailing > 0)?;
        let is_open = syllable % TRAILINGS == 0;
        is_open.then(|| char::from_u32(SYLLABLE + syllable + trailing)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_composed_as_unicode_says() {
        for (text, whole) in [
            ("Cafe\u{301}", "Café"),
            ("Café", "Café"),
            ("plain", "plain"),
            // Marks of several classes, in either order; those of one class stay as they are.
            ("a\u{302}\u{323}", "\u{1EAD}"),
            ("a\u{323}\u{302}", "\u{1EAD}"),
            ("\u{E2}\u{323}", "\u{1EAD}"),
            ("o\u{308}\u{304}", "\u{22B}"),
            ("a\u{304}\u{308}", "\u{101}\u{308}"),
            // A mark may hide another from its letter.
            ("q\u{307}\u{323}", "q\u{323}\u{307}"),
            ("e\u{334}\u{301}", "\u{E9}\u{334}"),
            ("\u{212B}", "\u{C5}"),
            ("\u{958}", "\u{915}\u{93C}"),
            ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "한글"),
            ("\u{AC00}\u{11A8}", "\u{AC01}"),
            ("한글", "한글"),
            ("東京 Москва", "東京 Москва"),
            ("\u{301}e", "\u{301}e"),
            ("\u{F900}", "\u{8C48}"),
        ] {
            assert_eq!(composed(text), whole, "{text:?}");
            assert_eq!(composed(whole), whole, "{whole:?}");
        }
    }
}
