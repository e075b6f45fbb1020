//! How many words a text has.

use unicode_segmentation::UnicodeSegmentation;

/// How the words of a text are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordBreaks {
    /// By white space, as published figures have it.
    Spaces,
    /// By the rules of Unicode (UAX 29), for texts that are written without spaces: Chinese and Japanese. An
    /// ideograph is a word then, and so is a run of katakana; words of a dictionary are fewer.
    Unicode,
}

impl WordBreaks {
    /// What is usual in a text: more than half of its letters decide.
    pub(super) fn of(text: &str) -> WordBreaks {
        let (mut unspaced, mut letters) = (0usize, 0usize);
        for c in text.chars().filter(|c| c.is_alphabetic()) {
            letters += 1;
            unspaced += usize::from(is_unspaced(c));
        }
        match unspaced * 2 > letters {
            true => WordBreaks::Unicode,
            false => WordBreaks::Spaces,
        }
    }

    /// The number of words.
    pub(super) fn count(self, text: &str) -> usize {
        match self {
            WordBreaks::Spaces => text.split_whitespace().count(),
            WordBreaks::Unicode => text.unicode_words().count(),
        }
    }

    /// Where words begin and end, in bytes.
    pub(super) fn places(self, text: &str) -> Vec<(usize, usize)> {
        let place = |(begin, word): (usize, &str)| (begin, begin + word.len());
        match self {
            WordBreaks::Spaces => {
                let begin = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
                text.split_whitespace().map(|word| place((begin(word), word))).collect()
            }
            WordBreaks::Unicode => text.unicode_word_indices().map(place).collect(),
        }
    }
}

/// Whether a character is of a script that is written without spaces and that Unicode's rules take apart. Thai, Lao,
/// Khmer and Burmese are written without spaces too, but need a dictionary.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}'     // repeated ideographs and the ideographic zero
        | '\u{3040}'..='\u{30ff}'   // hiragana, katakana
        | '\u{3400}'..='\u{4dbf}'   // ideographs
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9f}'   // halfwidth katakana
        | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_without_spaces_are_taken_apart() {
        for (text, expected) in [
            ("Berlin met Åsa in Paris.", 5),
            ("東京は日本の首都です。", 10),
            ("コンピュータ と 東京", 4),
            ("The city of 東京 is large", 6),
            ("Hip-hop isn't dead", 3),
            ("", 0),
            ("1999 - 2000", 3),
        ] {
            assert_eq!(WordBreaks::of(text).count(text), expected, "{text}");
        }
    }
}
