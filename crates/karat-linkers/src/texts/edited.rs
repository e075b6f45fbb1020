//! A text after the edits that a linker needs, and the way back.

use crate::info::TextEdit;
use karat_model::Span;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// A character of an edited text, and the code points of the source that it stands for.
type Traced = (char, u32, u32);

/// A text after edits.
#[derive(Debug, Clone)]
pub(crate) struct EditedText {
    text: String,
    /// For each character the code points of the source that it stands for; `None` where nothing was changed.
    from: Option<Vec<(u32, u32)>>,
}

impl EditedText {
    /// A text after these edits, one after the other.
    pub(crate) fn new(text: &str, edits: &[TextEdit]) -> EditedText {
        if edits.is_empty() {
            return EditedText { text: text.to_owned(), from: None };
        }
        let traced = text.chars().zip(0u32..).map(|(character, at)| (character, at, at + 1));
        let mut traced: Vec<Traced> = traced.collect();
        for edit in edits {
            traced = apply(*edit, traced);
        }
        let edited: String = traced.iter().map(|&(character, ..)| character).collect();
        let from = (edited != text).then(|| traced.iter().map(|&(_, a, b)| (a, b)).collect());
        EditedText { text: edited, from }
    }

    /// The text as it is sent.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether an edit changed something.
    pub(crate) fn is_changed(&self) -> bool {
        self.from.is_some()
    }

    /// Where a span of the edited text lies in the source.
    pub(crate) fn source(&self, span: Span) -> Span {
        let Some(from) = &self.from else { return span };
        let at = |index: u32| from.get(index as usize);
        let end_of_source = from.last().map_or(0, |last| last.1);
        let start = at(span.start).map_or(end_of_source, |range| range.0);
        match span.end.checked_sub(1).filter(|_| span.end > span.start).and_then(at) {
            Some(&(_, end)) => Span::new(start, end.max(start)),
            None => Span::new(start, start),
        }
    }

    /// Where a span of the source lies in the edited text; `None` where nothing is left of it.
    pub(crate) fn edited(&self, span: Span) -> Option<Span> {
        let Some(from) = &self.from else { return Some(span) };
        let start = from.partition_point(|&(_, end)| end <= span.start);
        let end = from.partition_point(|&(start, _)| start < span.end);
        (start < end).then(|| Span::new(start as u32, end as u32))
    }
}

fn apply(edit: TextEdit, text: Vec<Traced>) -> Vec<Traced> {
    match edit {
        TextEdit::Strip => {
            let is_word = |(character, ..): &Traced| !character.is_whitespace();
            let start = text.iter().position(is_word).unwrap_or(text.len());
            let end = text.iter().rposition(is_word).map_or(start, |last| last + 1);
            text[start..end].to_vec()
        }
        TextEdit::CrlfToSpace => {
            joined(text, |a, b, length| length == 1 && a == '\r' && b == '\n', |run| run.len() == 2)
        }
        TextEdit::CollapseSpace => {
            let are_blank = |a: char, b: char, _| a.is_whitespace() && b.is_whitespace();
            joined(text, are_blank, |run| run[0].0.is_whitespace())
        }
        TextEdit::WithoutControls => {
            let is_kept = |character: char| {
                !character.is_control() || matches!(character, '\t' | '\n' | '\r')
            };
            text.into_iter().filter(|&(character, ..)| is_kept(character)).collect()
        }
        TextEdit::Nfc => composed(&text),
        TextEdit::MaxRun(most) => {
            let mut kept: Vec<Traced> = Vec::with_capacity(text.len());
            let mut run = 0;
            for (index, &one) in text.iter().enumerate() {
                let repeats = index > 0 && text[index - 1].0 == one.0;
                run = if repeats { run + 1 } else { 1 };
                if run <= most.max(1) {
                    kept.push(one);
                }
            }
            kept
        }
    }
}

/// Runs of characters that belong together become one blank each, where the run is of the kind that does.
fn joined(
    text: Vec<Traced>,
    belongs: impl Fn(char, char, usize) -> bool,
    is_replaced: impl Fn(&[Traced]) -> bool,
) -> Vec<Traced> {
    let mut kept = Vec::with_capacity(text.len());
    let mut start = 0;
    while start < text.len() {
        let mut end = start + 1;
        while end < text.len() && belongs(text[end - 1].0, text[end].0, end - start) {
            end += 1;
        }
        let run = &text[start..end];
        match is_replaced(run) {
            true => kept.push((' ', run[0].1, run[run.len() - 1].2)),
            false => kept.extend_from_slice(run),
        }
        start = end;
    }
    kept
}

/// Composed characters. What is composed lies within one grapheme cluster, so each is composed by itself.
fn composed(text: &[Traced]) -> Vec<Traced> {
    let plain: String = text.iter().map(|&(character, ..)| character).collect();
    let mut kept = Vec::with_capacity(text.len());
    let mut at = 0;
    for cluster in plain.graphemes(true) {
        let length = cluster.chars().count();
        let old = &text[at..at + length];
        let new: Vec<char> = cluster.nfc().collect();
        let is_same = new.iter().copied().eq(old.iter().map(|&(character, ..)| character));
        match is_same {
            true => kept.extend_from_slice(old),
            false => {
                let (from, to) = (old[0].1, old[length - 1].2);
                kept.extend(new.into_iter().map(|character| (character, from, to)));
            }
        }
        at += length;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::TextIndex;
    use proptest::prelude::*;

    fn edited(text: &str, edits: &[TextEdit]) -> String {
        EditedText::new(text, edits).text().to_owned()
    }

    #[test]
    fn each_edit_does_what_it_says() {
        assert_eq!(edited(" \u{a0}a b\n", &[TextEdit::Strip]), "a b");
        assert_eq!(edited("a\r\nb\rc\n\r\n", &[TextEdit::CrlfToSpace]), "a b\rc\n ");
        assert_eq!(edited("a \t\n b", &[TextEdit::CollapseSpace]), "a b");
        assert_eq!(edited("a\u{0}\tb\u{7f}", &[TextEdit::WithoutControls]), "a\tb");
        assert_eq!(edited("Cafe\u{301}!", &[TextEdit::Nfc]), "Caf\u{e9}!");
        assert_eq!(edited("aaaabb", &[TextEdit::MaxRun(2)]), "aabb");
        assert_eq!(edited("", &[TextEdit::Strip, TextEdit::Nfc]), "");
        assert!(!EditedText::new("as it is", &[TextEdit::Strip]).is_changed());
    }

    #[test]
    fn spans_find_their_way_there_and_back() {
        let text = "  Cafe\u{301}\r\nBerlin ";
        let edited =
            EditedText::new(text, &[TextEdit::CrlfToSpace, TextEdit::Strip, TextEdit::Nfc]);
        assert_eq!(edited.text(), "Café Berlin");
        assert_eq!(edited.source(Span::new(0, 4)), Span::new(2, 7));
        assert_eq!(edited.source(Span::new(5, 11)), Span::new(9, 15));
        assert_eq!(edited.edited(Span::new(9, 15)), Some(Span::new(5, 11)));
        assert_eq!(edited.edited(Span::new(0, 2)), None);
        assert_eq!(edited.source(Span::new(40, 41)), Span::new(15, 15));
    }

    proptest! {
        #[test]
        fn words_that_no_edit_touches_keep_their_place(text in "[ \r\n\tab\u{301}é😀]{0,40}") {
            let edits = [TextEdit::CrlfToSpace, TextEdit::CollapseSpace, TextEdit::Strip];
            let edited = EditedText::new(&text, &edits);
            let (before, after) = (TextIndex::new(&text), TextIndex::new(edited.text()));
            for start in 0..after.len() {
                let span = Span::new(start, start + 1);
                let back = edited.source(span);
                let (old, new) = (before.slice(back).unwrap(), after.slice(span).unwrap());
                prop_assert!(old == new || new == " ", "{old:?} {new:?}");
                prop_assert_eq!(edited.edited(back), Some(span));
            }
        }
    }
}
