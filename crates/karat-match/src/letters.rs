//! Which characters are letters and digits, and where words end.

use karat_model::{Span, TextIndex};
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

/// The span widened to whole words, apostrophes and quotes included, as ELEVANT does it: the last
/// character of a text is never taken in, and a quote that opens without closing is left out again.
pub(crate) fn widened(span: Span, text: &TextIndex<'_>) -> Span {
    let (Some(start), Some(end)) = (text.byte_of(span.start), text.byte_of(span.end)) else {
        return span;
    };
    if end < start {
        return span;
    }
    let belongs = |c: &char| matches!(c, '\'' | '"' | '_') || is_alphanumeric(*c);
    let before = text.text()[..start].chars().rev().take_while(belongs);
    let (back, back_bytes) = extent(before);
    let room = text.len().saturating_sub(1).saturating_sub(span.end) as usize;
    let (on, on_bytes) = extent(text.text()[end..].chars().take_while(belongs).take(room));
    let wide = Span::new(span.start - back, span.end + on);
    let inside = &text.text()[start - back_bytes..end + on_bytes];
    match inside.strip_prefix('"') {
        Some(rest) if !rest.contains('"') => Span::new(wide.start + 1, wide.end),
        // Of an empty span the next character is looked at.
        _ => wide,
    }
}

/// How many characters and bytes there are.
fn extent(characters: impl Iterator<Item = char>) -> (u32, usize) {
    characters.fold((0, 0), |(number, bytes), c| (number + 1, bytes + c.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, span: (u32, u32), expected: &str) {
        let index = TextIndex::new(text);
        let wide = widened(Span::new(span.0, span.1), &index);
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
    fn marks_are_no_letters() {
        assert!(is_letter('é') && is_letter('ß') && is_letter('日') && !is_letter('2'));
        assert!('\u{903}'.is_alphanumeric() && !is_alphanumeric('\u{903}'));
        assert!(is_alphanumeric('²') && is_alphanumeric('½') && !is_alphanumeric('-'));
    }
}
