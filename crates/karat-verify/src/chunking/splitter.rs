//! Where sentences end: Kiss and Strunk's Punkt (2006), as NLTK runs it.

use super::abbreviations::ABBREVIATIONS;
use super::punkt::PunktParameters;
use super::tokens::{Token, tokens};
use karat_model::Span;

/// Splits texts into sentences, with what is known of a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentenceSplitter {
    parameters: PunktParameters,
}

/// A character that may end a sentence, in its surroundings.
struct Candidate {
    /// Its place.
    at: usize,
    /// The word before it begins here.
    word: usize,
    /// What is looked at ends here.
    looked_at: usize,
    /// The next word begins here, if white space lies between.
    next: Option<usize>,
}

impl SentenceSplitter {
    /// With the parameters of a language, such as those of NLTK.
    pub fn with(parameters: PunktParameters) -> SentenceSplitter {
        SentenceSplitter { parameters }
    }

    /// karat's own: Punkt's rules with abbreviations of English. Learned facts about words are not known to it, so it
    /// differs from NLTK in some documents of a hundred.
    pub fn own() -> SentenceSplitter {
        let mut parameters = PunktParameters::default();
        parameters.abbreviations.extend(ABBREVIATIONS.split_whitespace().map(str::to_owned));
        SentenceSplitter { parameters }
    }

    /// The sentences of a text, in code points.
    pub fn sentences(&self, text: &str) -> Vec<Span> {
        let characters: Vec<char> = text.chars().collect();
        let mut slices = Vec::new();
        let mut begin = 0;
        for candidate in candidates(&characters) {
            if self.ends(&characters[candidate.word..candidate.looked_at]) {
                slices.push((begin, candidate.at + 1));
                begin = candidate.next.unwrap_or(candidate.at + 1);
            }
        }
        let end = characters.iter().rposition(|c| !is_space(*c)).map_or(0, |last| last + 1);
        slices.push((begin, end));
        let sentence = |(begin, end): (usize, usize)| Span::new(begin as u32, end as u32);
        realigned(&characters, &slices).into_iter().map(sentence).collect()
    }

    /// Whether a sentence ends within these characters and goes on after it.
    fn ends(&self, characters: &[char]) -> bool {
        let mut tokens = tokens(characters);
        tokens.iter_mut().for_each(|token| self.first_pass(token));
        for at in 1..tokens.len() {
            let (before, after) = tokens.split_at_mut(at);
            if let (Some(token), Some(next)) = (before.last_mut(), after.first()) {
                self.second_pass(token, next);
            }
        }
        let last = tokens.len().saturating_sub(1);
        tokens[..last].iter().any(|token| token.ends_sentence)
    }

    /// By the word alone: is it an abbreviation?
    fn first_pass(&self, token: &mut Token) {
        if matches!(token.text.as_str(), "." | "?" | "!") {
            token.ends_sentence = true;
        } else if token.is_ellipsis() {
            token.ellipsis = true;
        } else if token.text.ends_with('.') && !token.text.ends_with("..") {
            let word = token.text[..token.text.len() - 1].to_lowercase();
            let last = word.rsplit('-').next().unwrap_or(&word);
            let known = &self.parameters.abbreviations;
            if known.contains(&word) || known.contains(last) {
                token.abbreviation = true;
            } else {
                token.ends_sentence = true;
            }
        }
    }

    /// By the word that follows.
    fn second_pass(&self, token: &mut Token, next: &Token) {
        if !token.text.ends_with('.') {
            return;
        }
        let kind = token.kind_without_period().to_owned();
        let next_kind = next.kind_without_sentence_period();
        if self.parameters.is_collocation(&kind, next_kind) {
            token.goes_on();
            return;
        }
        let is_initial = token.is_initial();
        if (token.abbreviation || token.ellipsis) && !is_initial {
            let starts = self.parameters.starts_sentence(next);
            if starts == Some(true)
                || next.begins_upper() && self.parameters.starters.contains(next_kind)
            {
                token.ends_sentence = true;
                return;
            }
        }
        if is_initial || kind == "##number##" {
            let starts = self.parameters.starts_sentence(next);
            let always_upper = || next.begins_upper() && !self.parameters.is_ever_lower(next_kind);
            if starts == Some(false) || starts.is_none() && is_initial && always_upper() {
                token.goes_on();
            }
        }
    }
}

/// Every `.`, `?` and `!` before white space or punctuation, unless a later one of the same word stands for it.
fn candidates(characters: &[char]) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut waiting: Option<Candidate> = None;
    let mut previous = (0, 0);
    for at in (0..characters.len()).filter(|&at| matches!(characters[at], '.' | '?' | '!')) {
        let Some((looked_at, next)) = following(characters, at + 1) else { continue };
        let before = &characters[previous.1..at];
        // As in NLTK, white space at the very beginning does not count.
        let word = match before.iter().rposition(|&c| is_ascii_space(c)) {
            Some(space) if space > 0 => previous.1 + space + 1,
            _ => previous.0,
        };
        if let Some(waiting) = waiting.take().filter(|_| previous.1 <= word) {
            found.push(waiting);
        }
        waiting = Some(Candidate { at, word, looked_at, next });
        previous = (word, at);
    }
    found.extend(waiting);
    found
}

/// What follows a character that may end a sentence: punctuation, or white space and a word. Where it ends, and where the
/// word begins.
fn following(characters: &[char], from: usize) -> Option<(usize, Option<usize>)> {
    let first = *characters.get(from)?;
    if is_non_word(first) {
        return Some((from + 1, None));
    }
    let next = from + characters[from..].iter().position(|&c| !is_space(c))?;
    if next == from {
        return None;
    }
    let length = characters[next..].iter().position(|&c| is_space(c));
    Some((length.map_or(characters.len(), |length| next + length), Some(next)))
}

/// Closing quotes and brackets after the end of a sentence belong to it.
fn realigned(characters: &[char], slices: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut sentences = Vec::new();
    let mut moved = 0;
    for (at, &(begin, end)) in slices.iter().enumerate() {
        let begin = begin + moved;
        moved = 0;
        match slices
            .get(at + 1)
            .and_then(|&(next, stop)| Some((next, closing(characters.get(next..stop)?)?)))
        {
            Some((next, (closed, taken))) => {
                sentences.push((begin, next + closed));
                moved = taken;
            }
            None if begin < end => sentences.push((begin, end)),
            None => {}
        }
    }
    sentences
}

/// Closing quotes and brackets at the beginning of a slice, up to white space, a dash or the end of a line: how many,
/// and how many characters with the white space behind them.
fn closing(slice: &[char]) -> Option<(usize, usize)> {
    let marks = slice.iter().take_while(|c| matches!(c, '"' | '\'' | ')' | ']' | '}')).count();
    // The fewest that are followed by an end, as a lazy pattern finds them. Marks are no white space, so only the last can be.
    let dashes = |at: usize| slice.get(at) == Some(&'-') && slice.get(at + 1) == Some(&'-');
    if marks == 0 {
        return None;
    }
    let spaces = slice[marks..].iter().take_while(|&&c| is_space(c)).count();
    (spaces > 0 || marks == slice.len() || dashes(marks)).then_some((marks, marks + spaces))
}

/// Punctuation that ends a word.
pub(super) fn is_non_word(character: char) -> bool {
    matches!(
        character,
        ')' | '"' | ';' | '}' | ']' | '*' | ':' | '@' | '\'' | '(' | '{' | '[' | '!' | '?'
    )
}

/// White space of regular expressions in Python.
pub(super) fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\x1c'..='\x1f')
}

/// White space of `string.whitespace` in Python.
fn is_ascii_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn split(text: &str, expected: &[&str]) {
        let characters: Vec<char> = text.chars().collect();
        let words =
            |span: Span| characters[span.start as usize..span.end as usize].iter().collect();
        let found: Vec<String> =
            SentenceSplitter::own().sentences(text).into_iter().map(words).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn abbreviations_initials_and_numbers_go_on() {
        split(
            "Dr. J. Bach met Mr. Tolan in the U.S. on No. 5 Street. It rained! Why? \"Who knows.\" He left.",
            &[
                "Dr. J. Bach met Mr. Tolan in the U.S. on No. 5 Street.",
                "It rained!",
                "Why?",
                "\"Who knows.\"",
                "He left.",
            ],
        );
    }

    #[test]
    fn nothing_and_white_space_have_no_sentences() {
        split("", &[]);
        split(" \n ", &[]);
        split("No end", &["No end"]);
    }
}
