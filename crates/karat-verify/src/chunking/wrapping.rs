//! Wrapping long sentences at white space.

use karat_model::{Span, TextIndex};

/// Sentences of which none is longer than `width`, unless a single word is: pieces put together are the sentence.
pub(super) fn wrapped(text: &str, sentences: &[Span], width: u32) -> Vec<Span> {
    let index = TextIndex::new(text);
    let mut pieces = Vec::new();
    for &sentence in sentences {
        match index.slice(sentence) {
            Some(words) if sentence.len() > width => {
                wrap(words, sentence.start, width, &mut pieces);
            }
            _ => pieces.push(sentence),
        }
    }
    pieces
}

/// A line takes words and runs of white space as long as they fit. White space that does not fit begins the next line,
/// and a word that is longer than a line has a line of its own.
fn wrap(words: &str, start: u32, width: u32, pieces: &mut Vec<Span>) {
    let (mut begin, mut end) = (start, start);
    for length in runs(words) {
        if end > begin && end - begin + length > width {
            pieces.push(Span::new(begin, end));
            begin = end;
        }
        end += length;
    }
    if end > begin {
        pieces.push(Span::new(begin, end));
    }
}

/// The lengths of words and of the white space between them, in turn.
fn runs(words: &str) -> Vec<u32> {
    let mut runs: Vec<u32> = Vec::new();
    let mut last = None;
    for character in words.chars() {
        let is_space = breaks(character);
        match runs.last_mut() {
            Some(run) if last == Some(is_space) => *run += 1,
            _ => runs.push(1),
        }
        last = Some(is_space);
    }
    runs
}

/// The white space of ASCII; a no-break space does not break.
fn breaks(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\x0b' | '\x0c' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_longer_than_a_line_stand_alone() {
        let text = format!("{} ab {}", "x".repeat(7), "y".repeat(3));
        let pieces = wrapped(&text, &[Span::new(0, 14)], 5);
        assert_eq!(pieces, [Span::new(0, 7), Span::new(7, 11), Span::new(11, 14)]);
    }

    #[test]
    fn code_points_are_counted() {
        let text = "äöü äöü";
        assert_eq!(wrapped(text, &[Span::new(0, 7)], 4), [Span::new(0, 4), Span::new(4, 7)]);
    }
}
