//! Which characters are letters and digits, and where words end.

use karat_model::Span;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// Whether a character is a letter, as Python has it: vowel signs and other marks are none.
pub fn is_letter(character: char) -> bool {
    match character.is_ascii() {
        true => character.is_ascii_alphabetic(),
        false => character.general_category_group() == GeneralCategoryGroup::Letter,
    }
}

/// Whether a character is a letter or a number, as Python has it.
pub fn is_alphanumeric(character: char) -> bool {
    match character.is_ascii() {
        true => character.is_ascii_alphanumeric(),
        false => matches!(
            character.general_category_group(),
            GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number
        ),
    }
}

/// The words of a text, apostrophes and quotes included. A text may be one word, so spans are
/// widened without a look at its characters.
#[derive(Debug)]
pub(crate) struct Words {
    words: Vec<Span>,
    quotes: Vec<u32>,
    length: u32,
}

impl Words {
    pub(crate) fn of(text: &str) -> Words {
        let (mut words, mut quotes, mut length): (Vec<Span>, Vec<u32>, u32) = Default::default();
        for (at, character) in (0..).zip(text.chars()) {
            length = at + 1;
            if character == '"' {
                quotes.push(at);
            }
            // ELEVANT counts exactly these three characters as parts of words, besides letters and
            // digits.
            if !matches!(character, '\'' | '"' | '_') && !is_alphanumeric(character) {
                continue;
            }
            match words.last_mut() {
                Some(word) if word.end == at => word.end = length,
                _ => words.push(Span::new(at, length)),
            }
        }
        Words { words, quotes, length }
    }

    /// The span widened to whole words, as ELEVANT does it: the last character of a text is never
    /// taken in, and a quote that opens without closing is left out again.
    pub(crate) fn widened(&self, span: Span) -> Span {
        if span.end < span.start || span.end > self.length {
            return span;
        }
        let before = self.words[..self.words.partition_point(|word| word.start < span.start)]
            .last()
            .filter(|word| span.start <= word.end);
        let after = self.words[..self.words.partition_point(|word| word.start <= span.end)]
            .last()
            .filter(|word| span.end < word.end);
        // ELEVANT's loop stops one short of the end of the text; kept, because published numbers
        // depend on it.
        let room = self.length.saturating_sub(1).max(span.end);
        let wide = Span::new(
            before.map_or(span.start, |word| word.start),
            after.map_or(span.end, |word| word.end.min(room)),
        );
        let first = self.quotes.partition_point(|&quote| quote < wide.start);
        match self.quotes[first..] {
            [opening, closing, ..] if opening == wide.start && closing < wide.end => wide,
            [opening, ..] if opening == wide.start && !wide.is_empty() => {
                Span::new(wide.start + 1, wide.end)
            }
            _ => wide,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::TextIndex;

    fn check(text: &str, span: (u32, u32), expected: &str) {
        let index = TextIndex::new(text);
        let wide = Words::of(text).widened(Span::new(span.0, span.1));
        assert_eq!(index.slice(wide), Some(expected), "{text} {span:?}");
    }

    #[test]
    fn spans_are_widened_to_words_and_possessives() {
        check("of Albert's work.", (3, 9), "Albert's");
        check("a Soviet-backed coup.", (2, 8), "Soviet");
        check("the unrest there.", (6, 9), "unrest");
        check("the é_été there.", (6, 7), "é_été");
    }

    #[test]
    fn the_last_character_of_a_text_is_never_taken_in() {
        check("in Berlin", (3, 6), "Berli");
        check("in Berlin", (3, 9), "Berlin");
    }

    #[test]
    fn a_quote_stays_only_with_its_partner() {
        check("He sang \"Hearts and Flowers\" twice.", (9, 27), "\"Hearts and Flowers\"");
        check("He sang \"Hearts and so on.", (9, 15), "Hearts");
        check("\"", (0, 0), "");
    }

    #[test]
    fn a_text_that_is_one_word_is_looked_at_once() {
        let text = "a".repeat(400_000) + ".";
        let words = Words::of(&text);
        let widened = (0..400_000)
            .filter(|&at| words.widened(Span::new(at, at + 1)) == Span::new(0, 400_000));
        assert_eq!(widened.count(), 400_000);
    }

    #[test]
    fn marks_are_no_letters() {
        assert!(is_letter('é') && is_letter('ß') && is_letter('日') && !is_letter('2'));
        assert!('\u{903}'.is_alphanumeric() && !is_alphanumeric('\u{903}'));
        assert!(is_alphanumeric('²') && is_alphanumeric('½') && !is_alphanumeric('-'));
    }
}
