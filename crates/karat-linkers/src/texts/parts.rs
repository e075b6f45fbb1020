//! Where texts are cut that a linker does not take whole.

use super::units::UnitIndex;
use crate::info::{AnswerUnit, LinkerInfo, SplitAt, TextLimit};
use karat_model::Span;
use unicode_segmentation::UnicodeSegmentation;

/// How good a place is to cut a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Border {
    Blank,
    Sentence,
    Paragraph,
}

/// How texts are cut for a linker.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cutting {
    pub(crate) limit: Option<TextLimit>,
    pub(crate) split: SplitAt,
    pub(crate) overlap: u64,
}

impl Cutting {
    pub(crate) fn of(info: &LinkerInfo) -> Cutting {
        Cutting { limit: info.max_text, split: info.split, overlap: info.overlap }
    }

    /// Its name in signatures.
    pub(crate) fn name(&self) -> String {
        let overlap = if self.overlap > 0 { format!("+{}", self.overlap) } else { String::new() };
        match (self.split, self.limit) {
            (SplitAt::Sentence, _) => format!("sentence{overlap}"),
            (SplitAt::Paragraph, None) => "none".to_owned(),
            (SplitAt::Paragraph, Some(limit)) => {
                format!("{}-{}{overlap}", limit.count, limit.unit.name())
            }
        }
    }

    /// The parts of a text, in their order. No part ends inside a word or inside one of the spans to keep; where that cannot be
    /// done within the limit, a part is longer.
    pub(crate) fn parts(&self, text: &str, sentences: &[Span], keep: &[Span]) -> Vec<Span> {
        let whole = Span::new(0, text.chars().count() as u32);
        let unit = self.limit.map_or(AnswerUnit::CodePoints, |limit| limit.unit);
        let limit = self.limit.map_or(u64::MAX, |limit| limit.count.max(1));
        if self.split == SplitAt::Paragraph && measure(text, unit) <= limit {
            return vec![whole];
        }
        let grid = Grid::new(text, unit, sentences, keep);
        let stretches = match self.split {
            SplitAt::Paragraph => vec![whole],
            SplitAt::Sentence => grid.cut_at(Border::Sentence),
        };
        let mut parts = Vec::new();
        for stretch in stretches {
            grid.cut(stretch, limit, self.overlap, &mut parts);
        }
        parts
    }
}

/// How long a text is in a unit.
pub(crate) fn measure(text: &str, unit: AnswerUnit) -> u64 {
    let length = match unit {
        AnswerUnit::CodePoints | AnswerUnit::None => text.chars().count(),
        AnswerUnit::Utf16 => text.chars().map(char::len_utf16).sum(),
        AnswerUnit::Bytes => text.len(),
        AnswerUnit::Graphemes => text.graphemes(true).count(),
    };
    length as u64
}

/// A text in two halves, cut at the best place near its middle; `None` where there is none.
pub(crate) fn halves(text: &str, keep: &[Span]) -> Option<(Span, Span)> {
    let grid = Grid::new(text, AnswerUnit::CodePoints, &[], keep);
    let (length, middle) = (grid.length(), grid.length() / 2);
    let near = grid.borders.iter().filter(|(at, _)| *at > length / 4 && *at < length - length / 4);
    let distance = |at: u32| at.abs_diff(middle);
    let best = near.max_by_key(|(at, border)| (*border, u32::MAX - distance(*at)));
    let any = || grid.borders.iter().min_by_key(|(at, _)| distance(*at));
    let &(at, _) = best.or_else(any)?;
    Some((Span::new(0, at), Span::new(at, length)))
}

/// A text with the places where it may be cut, and how long everything before a place is.
struct Grid {
    /// For each position the length of the text before it.
    before: Vec<u64>,
    /// Places where the text may be cut, in order.
    borders: Vec<(u32, Border)>,
}

impl Grid {
    fn new(text: &str, unit: AnswerUnit, sentences: &[Span], keep: &[Span]) -> Grid {
        let index = UnitIndex::new(text);
        let characters: Vec<char> = text.chars().collect();
        let mut before = Vec::with_capacity(characters.len() + 1);
        let mut sum = 0;
        for (at, character) in characters.iter().enumerate() {
            before.push(sum);
            sum += match unit {
                AnswerUnit::CodePoints | AnswerUnit::None => 1,
                AnswerUnit::Utf16 => character.len_utf16() as u64,
                AnswerUnit::Bytes => character.len_utf8() as u64,
                AnswerUnit::Graphemes => {
                    let next = index.offset(at as u32 + 1, unit).unwrap_or(sum);
                    next.saturating_sub(sum)
                }
            };
        }
        before.push(sum);
        let mut kept = keep.to_vec();
        kept.sort_unstable();
        let mut ends: Vec<u32> = sentences.iter().map(|span| span.end).collect();
        ends.sort_unstable();
        Grid { before, borders: borders(&characters, &ends, &kept) }
    }

    fn length(&self) -> u32 {
        self.before.len() as u32 - 1
    }

    fn size(&self, from: u32, to: u32) -> u64 {
        self.before[to as usize] - self.before[from as usize]
    }

    /// The whole text, cut at every place that is at least so good.
    fn cut_at(&self, least: Border) -> Vec<Span> {
        let mut start = 0;
        let places = self.borders.iter().filter(|(_, border)| *border >= least);
        let ends = places.map(|(at, _)| *at).chain([self.length()]);
        let parts = ends.map(|end| Span::new(std::mem::replace(&mut start, end), end));
        parts.collect()
    }

    /// Cuts a stretch of the text into parts that are not longer than the limit.
    fn cut(&self, stretch: Span, limit: u64, overlap: u64, parts: &mut Vec<Span>) {
        let mut start = stretch.start;
        loop {
            if self.size(start, stretch.end) <= limit {
                parts.push(Span::new(start, stretch.end));
                return;
            }
            let end = self.end_of_part(start, stretch.end, limit);
            parts.push(Span::new(start, end));
            if end >= stretch.end {
                return;
            }
            start = self.next_start(start, end, overlap);
        }
    }

    /// Where a part ends that begins here: at the best place of the second half of what fits, else at the last that fits,
    /// else at the first that there is.
    fn end_of_part(&self, start: u32, end: u32, limit: u64) -> u32 {
        let first = self.borders.partition_point(|(at, _)| *at <= start);
        let inside = &self.borders[first..];
        let fits = inside.partition_point(|(at, _)| self.size(start, *at) <= limit);
        let half = inside[..fits].partition_point(|(at, _)| self.size(start, *at) < limit / 2);
        let second_half = &inside[half..fits];
        let candidates = if second_half.is_empty() { &inside[..fits] } else { second_half };
        let best = candidates.iter().max_by_key(|(at, border)| (*border, *at));
        let best = best.or_else(|| inside.get(fits)).map_or(end, |(at, _)| *at);
        best.min(end)
    }

    /// Where the part after the one from `start` to `end` begins.
    fn next_start(&self, start: u32, end: u32, overlap: u64) -> u32 {
        if overlap == 0 {
            return end;
        }
        let places = self.borders.iter().map(|(at, _)| *at);
        let mut behind = places.filter(|at| *at > start && *at <= end);
        behind.find(|at| self.size(*at, end) <= overlap).unwrap_or(end)
    }
}

/// The places where a text may be cut: behind white space, and not inside a span to keep.
fn borders(characters: &[char], sentence_ends: &[u32], keep: &[Span]) -> Vec<(u32, Border)> {
    let mut found = Vec::new();
    let mut last_word = ' ';
    let mut has_line_end = false;
    // How far the spans reach that began so far.
    let (mut reach, mut next_kept) = (0, keep.iter().peekable());
    for (at, pair) in characters.windows(2).enumerate() {
        let (character, position) = (pair[0], at as u32 + 1);
        if character.is_whitespace() {
            has_line_end |= character == '\n';
        } else {
            (last_word, has_line_end) = (character, false);
        }
        while let Some(span) = next_kept.next_if(|span| span.start < position) {
            reach = reach.max(span.end);
        }
        let is_marked = !pair[1].is_whitespace() && sentence_ends.binary_search(&position).is_ok();
        let is_behind_blank = character.is_whitespace() && !pair[1].is_whitespace();
        // Some scripts have no blanks behind their full stops.
        let is_stop = matches!(character, '。' | '！' | '？');
        if reach > position || !(is_behind_blank || is_marked || is_stop) {
            continue;
        }
        let ends_sentence =
            |character| matches!(character, '.' | '!' | '?' | '…' | '"' | '”' | '。' | '！' | '？');
        let border = match (has_line_end, sentence_ends.is_empty()) {
            (true, _) => Border::Paragraph,
            (false, true) if ends_sentence(last_word) => Border::Sentence,
            (false, false)
                if is_marked || is_end_before_blank(sentence_ends, characters, position) =>
            {
                Border::Sentence
            }
            _ => Border::Blank,
        };
        found.push((position, border));
    }
    found
}

/// Whether a sentence that is marked ends before the white space that ends here.
fn is_end_before_blank(ends: &[u32], characters: &[char], position: u32) -> bool {
    let blanks = characters[..position as usize].iter().rev();
    let length = blanks.take_while(|character| character.is_whitespace()).count() as u32;
    ends.binary_search(&(position - length)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::TextIndex;
    use proptest::prelude::*;

    fn cut(text: &str, count: u64, overlap: u64) -> Vec<String> {
        let limit = Some(TextLimit { count, unit: AnswerUnit::CodePoints });
        let cutting = Cutting { limit, split: SplitAt::Paragraph, overlap };
        let index = TextIndex::new(text);
        let parts = cutting.parts(text, &[], &[]);
        parts.iter().map(|part| index.slice(*part).unwrap().to_owned()).collect()
    }

    #[test]
    fn texts_are_cut_at_the_best_place_that_fits() {
        assert_eq!(cut("One two.", 8, 0), ["One two."]);
        assert_eq!(
            cut("One two. Three four.\nFive six.", 22, 0),
            ["One two. Three four.\n", "Five six."]
        );
        assert_eq!(cut("One two. Three four five", 18, 0), ["One two. ", "Three four five"]);
        assert_eq!(cut("one two three", 9, 0), ["one two ", "three"]);
        assert_eq!(cut("immeasurable words", 4, 0), ["immeasurable ", "words"]);
        assert_eq!(cut("one two three four", 10, 4), ["one two ", "two three ", "four"]);
    }

    #[test]
    fn sentences_are_those_of_the_document_where_it_has_some() {
        let cutting = Cutting { limit: None, split: SplitAt::Sentence, overlap: 0 };
        let text = "Dr. Low left. She came back.";
        assert_eq!(cutting.parts(text, &[], &[]).len(), 3);
        let marked = [Span::new(0, 13), Span::new(14, 28)];
        assert_eq!(cutting.parts(text, &marked, &[]), [Span::new(0, 14), Span::new(14, 28)]);
    }

    #[test]
    fn a_text_is_halved_outside_of_what_is_kept() {
        assert_eq!(halves("one two", &[]), Some((Span::new(0, 4), Span::new(4, 7))));
        assert_eq!(halves("one two", &[Span::new(0, 7)]), None);
        assert_eq!(halves("word", &[]), None);
    }

    proptest! {
        #[test]
        fn parts_cover_the_text_and_cut_no_word(text in "[a-c. \n]{0,60}", count in 1u64..20) {
            let limit = Some(TextLimit { count, unit: AnswerUnit::CodePoints });
            let cutting = Cutting { limit, split: SplitAt::Paragraph, overlap: 0 };
            let parts = cutting.parts(&text, &[], &[]);
            let characters: Vec<char> = text.chars().collect();
            let mut at = 0;
            for part in &parts {
                prop_assert_eq!(part.start, at);
                at = part.end;
                if at > 0 && (at as usize) < characters.len() {
                    prop_assert!(characters[at as usize - 1].is_whitespace());
                }
            }
            prop_assert_eq!(at as usize, characters.len());
        }
    }
}
