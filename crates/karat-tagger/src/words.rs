//! Words of mentions and names, and the closed classes of English.

/// The longest mention, in bytes, whose words are looked at. A longer one is no name, and many of
/// them, one inside the other, would take the square of their number.
pub(crate) const LONGEST: usize = 1000;

/// The words of a text: what white space, hyphens and slashes set apart, without punctuation at
/// the edges and without the `'s` of a possessive. Initials keep their dot.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let pieces =
        text.split(|c: char| c.is_whitespace() || matches!(c, '-' | '–' | '—' | '/' | '_'));
    pieces.map(bare).filter(|word| !word.is_empty()).collect()
}

fn bare(piece: &str) -> &str {
    let piece = piece.trim_start_matches(|c: char| !c.is_alphanumeric());
    let word = piece.trim_end_matches(|c: char| !c.is_alphanumeric());
    let dotted = piece.get(..=word.len()).filter(|word| is_initials(word));
    let owner = ["'s", "’s", "'S"].iter().find_map(|ending| word.strip_suffix(ending));
    dotted.or(owner).unwrap_or(word)
}

/// Whether a word is made of initials: `B.`, `J.K.`
pub(crate) fn is_initials(word: &str) -> bool {
    let is_initial = |part: &str| {
        let mut letters = part.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.as_str() == "."
    };
    !word.is_empty() && word.split_inclusive('.').all(is_initial)
}

/// Whether a word is written as a name is: with a capital, wherever it stands.
pub(crate) fn has_capital(word: &str) -> bool {
    word.chars().any(char::is_uppercase)
}

/// Whether a word is of a script that has capitals; where there are none, nothing has one.
pub(crate) fn is_cased(word: &str) -> bool {
    word.chars().any(|c| c.is_uppercase() || c.is_lowercase())
}

/// Whether two words are one, or both are a stem with an ending: `Russia` and `Russian`,
/// `Lebanon` and `Lebanese`. The dots of abbreviations do not count.
pub(crate) fn akin(one: &str, other: &str) -> bool {
    let letters = |word: &str| -> Vec<char> {
        word.chars().filter(|&c| c != '.').flat_map(char::to_lowercase).collect()
    };
    let (one, other) = (letters(one), letters(other));
    if one == other {
        return true;
    }
    // English demonyms keep the stem of the place. The limits are lenient enough for `Lebanese` and
    // strict enough to keep `Austria` and `Australia` apart.
    let stem = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let endings = [one.len() - stem, other.len() - stem];
    let (shorter, longer) = (endings[0].min(endings[1]), endings[0].max(endings[1]));
    // One word is nearly the stem itself, or the stem is long and both endings are short.
    (stem >= 4 && shorter <= 1 && longer <= 4) || (stem >= 5 && longer <= 3)
}

/// Whether a word is one of these, written small or with a capital at its start.
fn is_one_of(word: &str, list: &[&str]) -> bool {
    let mut letters = word.chars();
    let first = letters.next();
    if letters.as_str().chars().any(char::is_uppercase) {
        // `US` is no pronoun, `IT` neither.
        return false;
    }
    first.is_some() && list.contains(&word.to_lowercase().as_str())
}

/// What a pro-form is as a part of speech.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProForm {
    /// Stands for one.
    Singular,
    /// Stands for several.
    Plural,
    /// Stands before a noun, as an adjective does.
    Possessive,
    /// Its form does not say.
    Other,
}

/// The pro-form that a word is.
pub(crate) fn pro_form(word: &str) -> Option<ProForm> {
    if word == "i" {
        // A letter; the pronoun has a capital.
        return None;
    }
    const SINGULAR: &[&str] = &[
        "i", "me", "myself", "he", "him", "himself", "she", "herself", "it", "itself", "yourself",
        "oneself", "mine",
    ];
    const PLURAL: &[&str] = &[
        "we",
        "us",
        "ourselves",
        "they",
        "them",
        "themselves",
        "yourselves",
        "these",
        "those",
        "both",
    ];
    const POSSESSIVE: &[&str] = &["my", "your", "his", "its", "our", "their", "whose"];
    const OTHER: &[&str] =
        &["you", "yours", "her", "hers", "ours", "theirs", "who", "whom", "which", "this", "that"];
    let kinds = [
        (SINGULAR, ProForm::Singular),
        (PLURAL, ProForm::Plural),
        (POSSESSIVE, ProForm::Possessive),
        (OTHER, ProForm::Other),
    ];
    kinds.into_iter().find(|(list, _)| is_one_of(word, list)).map(|(_, kind)| kind)
}

/// Whether a word stands before a noun and is no part of a name.
pub(crate) fn is_determiner(word: &str) -> bool {
    const ARTICLES: &[&str] = &["the", "a", "an", "this", "that", "these", "those", "her"];
    is_one_of(word, ARTICLES) || pro_form(word) == Some(ProForm::Possessive)
}

/// Whether a word may be small inside a name.
pub(crate) fn is_function_word(word: &str) -> bool {
    const FUNCTION_WORDS: &[&str] = &[
        "a", "al", "an", "and", "at", "by", "d", "da", "de", "del", "der", "di", "du", "el", "en",
        "for", "from", "ibn", "in", "la", "las", "le", "les", "los", "of", "on", "or", "the", "to",
        "und", "van", "von", "with", "y",
    ];
    is_one_of(word, FUNCTION_WORDS)
}

/// Whether a word is the name of a day of the week or of a month, or short for one of a month.
pub(crate) fn is_day_or_month(word: &str) -> bool {
    const DAYS_AND_MONTHS: &[&str] = &[
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "jan",
        "feb",
        "apr",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
    ];
    // `march` and `may` are words of their own.
    word.starts_with(char::is_uppercase) && is_one_of(word, DAYS_AND_MONTHS)
}

/// Whether a word is an ordinal number in words or figures.
pub(crate) fn is_ordinal(word: &str) -> bool {
    const ORDINALS: &[&str] = &[
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
        "twentieth",
        "thirtieth",
        "fortieth",
        "fiftieth",
        "sixtieth",
        "seventieth",
        "eightieth",
        "ninetieth",
        "hundredth",
        "thousandth",
        "millionth",
    ];
    let figures = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending));
    is_one_of(word, ORDINALS) || figures.is_some_and(is_figures)
}

/// Whether a word is a number: in figures, in words, in Roman figures, or a decade.
pub(crate) fn is_number(word: &str) -> bool {
    const CARDINALS: &[&str] = &[
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
        "thirty",
        "forty",
        "fifty",
        "sixty",
        "seventy",
        "eighty",
        "ninety",
        "hundred",
        "hundreds",
        "thousand",
        "thousands",
        "million",
        "millions",
        "billion",
        "billions",
        "trillion",
        "trillions",
        "dozen",
        "dozens",
    ];
    let decade = word.strip_suffix('s').map(|word| word.trim_end_matches(['\'', '’']));
    is_one_of(word, CARDINALS)
        || is_figures(word)
        || decade.is_some_and(is_figures)
        || is_roman(word)
}

fn is_figures(word: &str) -> bool {
    let fits = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | ':' | '%');
    word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(fits)
}

/// One letter is a word or an initial more often than a number.
fn is_roman(word: &str) -> bool {
    word.len() > 1 && word.chars().all(|c| matches!(c, 'I' | 'V' | 'X'))
}
