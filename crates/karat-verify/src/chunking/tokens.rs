//! Words as Punkt sees them.

use super::splitter::{is_non_word, is_space};

/// A word with its punctuation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub text: String,
    /// In lower case; numbers are all alike.
    kind: String,
    pub ends_sentence: bool,
    pub abbreviation: bool,
    pub ellipsis: bool,
}

impl Token {
    fn new(characters: &[char]) -> Token {
        let text: String = characters.iter().collect();
        let kind = match is_number(characters) {
            // A number keeps nothing of itself, its period included.
            true => "##number##".to_owned(),
            false => text.to_lowercase(),
        };
        Token { text, kind, ends_sentence: false, abbreviation: false, ellipsis: false }
    }

    pub(super) fn kind_without_period(&self) -> &str {
        let shorter = self.kind.strip_suffix('.');
        shorter.filter(|shorter| !shorter.is_empty()).unwrap_or(&self.kind)
    }

    pub(super) fn kind_without_sentence_period(&self) -> &str {
        if self.ends_sentence { self.kind_without_period() } else { &self.kind }
    }

    pub(super) fn is_ellipsis(&self) -> bool {
        self.text.len() > 1 && self.text.chars().all(|c| c == '.')
    }

    /// One letter and a period.
    pub(super) fn is_initial(&self) -> bool {
        let mut characters = self.text.chars();
        let letter = characters.next().is_some_and(is_letter);
        letter && characters.next() == Some('.') && characters.next().is_none()
    }

    pub(super) fn begins_upper(&self) -> bool {
        self.text.chars().next().is_some_and(char::is_uppercase)
    }

    pub(super) fn begins_lower(&self) -> bool {
        self.text.chars().next().is_some_and(char::is_lowercase)
    }

    /// It is an abbreviation, and the sentence goes on.
    pub(super) fn goes_on(&mut self) {
        self.ends_sentence = false;
        self.abbreviation = true;
    }
}

/// A character of a word that is no digit: `[^\W\d]`.
fn is_letter(character: char) -> bool {
    character == '_' || character.is_alphanumeric() && !character.is_numeric()
}

/// `^-?[\.,]?\d[\d,\.-]*\.?$`
fn is_number(characters: &[char]) -> bool {
    let mut rest = characters.strip_prefix(&['-']).unwrap_or(characters);
    if let [first, tail @ ..] = rest
        && matches!(first, '.' | ',')
    {
        rest = tail;
    }
    let is_digit = |c: &char| c.is_ascii_digit() || is_decimal(*c);
    match rest {
        [first, tail @ ..] if is_digit(first) => {
            tail.iter().all(|c| is_digit(c) || matches!(c, ',' | '.' | '-'))
        }
        _ => false,
    }
}

/// Decimal digits of other scripts: the common ones, in blocks of ten.
fn is_decimal(character: char) -> bool {
    const ZEROS: [u32; 12] =
        [0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xe50, 0xff10];
    ZEROS.iter().any(|&zero| (zero..zero + 10).contains(&u32::from(character)))
}

/// The words of all lines.
pub(super) fn tokens(characters: &[char]) -> Vec<Token> {
    let mut tokens = Vec::new();
    for line in characters.split(|&c| c == '\n') {
        let mut at = 0;
        while at < line.len() {
            if is_space(line[at]) {
                at += 1;
                continue;
            }
            let end = end_of(line, at);
            tokens.push(Token::new(&line[at..end]));
            at = end;
        }
    }
    tokens
}

/// Where the word that begins here ends.
fn end_of(line: &[char], at: usize) -> usize {
    if let Some(length) = multiple(&line[at..]) {
        return at + length;
    }
    if !begins_word(line[at]) {
        return at + 1;
    }
    let ends = |&end: &usize| is_end(line, end) || line[end] == ',' && is_end(line, end + 1);
    (at + 1..line.len()).find(ends).unwrap_or(line.len())
}

fn is_end(line: &[char], at: usize) -> bool {
    line.get(at).is_none_or(|&c| is_space(c) || is_non_word(c) || multiple(&line[at..]).is_some())
}

/// Dashes, dots, or dots with white space between them: how many characters.
fn multiple(rest: &[char]) -> Option<usize> {
    for mark in ['-', '.'] {
        let length = rest.iter().take_while(|&&c| c == mark).count();
        if length >= 2 {
            return Some(length);
        }
    }
    let pairs = rest.chunks_exact(2).take_while(|pair| pair[0] == '.' && is_space(pair[1])).count();
    // The last dot has no white space behind it, or one more than a pair can take back.
    (0..=pairs)
        .rev()
        .filter(|&pairs| pairs >= 2)
        .find(|&pairs| rest.get(2 * pairs) == Some(&'.'))
        .map(|pairs| 2 * pairs + 1)
}

fn begins_word(character: char) -> bool {
    !matches!(
        character,
        '(' | '"'
            | '`'
            | '{'
            | '['
            | ':'
            | ';'
            | '&'
            | '#'
            | '*'
            | '@'
            | ')'
            | '}'
            | ']'
            | '-'
            | ','
    )
}
