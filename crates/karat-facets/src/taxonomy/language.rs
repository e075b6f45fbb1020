//! What the spelling of an English mention tells.

use karat_match::is_letter;

/// The pronouns that ELEVANT knows.
pub(super) const PRONOUNS: &[&str] = &[
    "i",
    "my",
    "me",
    "myself",
    "mine",
    "you",
    "your",
    "yourself",
    "yours",
    "he",
    "his",
    "him",
    "himself",
    "she",
    "her",
    "herself",
    "hers",
    "it",
    "its",
    "itself",
    "we",
    "us",
    "our",
    "ourselves",
    "ours",
    "yourselves",
    "they",
    "their",
    "them",
    "themselves",
    "theirs",
];

/// Words before a noun that refers back.
const DETERMINERS: &[&str] =
    &["the", "that", "this", "these", "those", "my", "your", "his", "her", "its", "our", "their"];

/// The longest spelling, in bytes, that can be one of these words in lower case: ten letters of up to four bytes.
const LONGEST: usize = 40;

/// Whether a text is a pronoun. A word in capitals, as `US` or `IT`, is a name.
pub(super) fn is_pronoun(text: &str, but: &[&str]) -> bool {
    // Nothing longer becomes a pronoun in lower case, and a hostile mention may be a whole book.
    if text.len() > LONGEST {
        return false;
    }
    let lower = text.to_lowercase();
    // Without this `US` and `IT` would be pronouns in every headline.
    let in_capitals = text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase);
    PRONOUNS.contains(&lower.as_str())
        && !but.contains(&lower.as_str())
        && (!in_capitals || text == "I")
}

/// Whether a text is a noun that refers back, as `the company`: after the article there is no capital.
pub(super) fn is_nominal(text: &str) -> bool {
    let Some((first, rest)) = text.split_once(' ') else { return false };
    first.len() <= LONGEST
        && DETERMINERS.contains(&first.to_lowercase().as_str())
        && rest.chars().next().is_some_and(|next| !next.is_uppercase())
}

/// Whether the first letter of a text is a capital.
pub(super) fn is_capitalised(text: &str) -> bool {
    text.chars().find(|&c| is_letter(c)).is_some_and(char::is_uppercase)
}

/// Whether a mention is lowercased: its first letter is no capital, or it has no letters.
pub fn is_lowercased(text: &str) -> bool {
    !is_capitalised(text)
}

/// Whether no word of a mention starts with a capital.
pub(super) fn has_no_capital_word(text: &str) -> bool {
    !text.split_whitespace().any(|word| word.chars().next().is_some_and(char::is_uppercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pronouns_are_told_from_names_in_capitals() {
        for (text, expected) in [
            ("It", true),
            ("IT", false),
            ("US", false),
            ("I", true),
            ("themselves", true),
            ("", false),
        ] {
            assert_eq!(is_pronoun(text, &[]), expected, "{text}");
        }
        assert!(is_pronoun("We", &[]) && !is_pronoun("We", &["we"]));
    }

    #[test]
    fn nouns_refer_back_unless_they_are_names() {
        for (text, expected) in [
            ("the company", true),
            ("The company", true),
            ("The Who", false),
            ("their 2nd album", true),
            ("the", false),
            ("theatre play", false),
        ] {
            assert_eq!(is_nominal(text), expected, "{text}");
        }
    }

    #[test]
    fn the_first_letter_decides_and_numbers_are_lowercased() {
        for (text, expected) in [
            ("iPhone", true),
            ("2012", true),
            ("2nd", true),
            ("\"Élan\"", false),
            ("Unknown", false),
        ] {
            assert_eq!(is_lowercased(text), expected, "{text}");
        }
        assert!(has_no_capital_word("the 2nd") && !has_no_capital_word("the Beatles"));
    }
}
