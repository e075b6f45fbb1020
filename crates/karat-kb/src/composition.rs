//! One spelling for characters that can be written as one or as several: `é` for `e` and an accent.
//!
//! This is Unicode's canonical composition (NFC), in which MediaWiki keeps its titles. The tables are those of the
//! crate `unicode-normalization`, which follows Unicode; most texts need no look at them.

use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// A text in which characters are composed as far as they can be.
pub(crate) fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        // `Maybe` is a mark that could join what is before it; asking on costs as much as composing.
        IsNormalized::Maybe | IsNormalized::No => Cow::Owned(text.nfc().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_normalization::is_nfc;

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

    proptest! {
        #[test]
        fn composing_again_changes_nothing(
            text in "[a-zé\u{300}-\u{345}\u{1100}-\u{11FF}가-힣\u{900}-\u{97F}]{0,12}",
        ) {
            let once = composed(&text).into_owned();
            prop_assert_eq!(composed(&once), once.as_str());
            prop_assert!(is_nfc(&once));
            let apart: String = once.nfd().collect();
            prop_assert_eq!(composed(&apart), once);
        }
    }
}
