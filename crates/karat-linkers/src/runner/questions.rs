//! From documents to what is asked: parts of texts, edited, with the mentions that are given in them.

use crate::info::MentionsWay;
use crate::info::TextEdit;
use crate::task::LinkTask;
use crate::texts::{Cutting, EditedText, halves};
use karat_model::{Document, MarkKind, Span, TextIndex};

/// One thing that a linker is asked: about a document, or a part of one.
#[derive(Debug, Clone)]
pub(super) struct Question<'c> {
    /// The document, by its place in the corpus.
    pub(super) place: usize,
    pub(super) document: &'c str,
    pub(super) language: Option<&'c str>,
    /// The part of the document, in its code points.
    pub(super) part: Span,
    pub(super) edited: EditedText,
    /// The given mentions, in code points of the document.
    pub(super) given: Option<Vec<Span>>,
    /// The same as they are sent, in code points of the edited text; `None` where the linker is asked freely.
    sent: Option<Vec<Span>>,
    /// How often it was halved.
    pub(super) halved: u32,
}

/// How documents become questions.
pub(super) struct Asking<'a> {
    pub(super) cutting: Cutting,
    pub(super) edits: &'a [TextEdit],
    /// How given mentions are sent; `None` where the linker finds mentions.
    pub(super) way: Option<MentionsWay>,
}

impl Asking<'_> {
    /// What is asked about a document. Nothing is asked about an empty text, or where no mention is given.
    pub(super) fn questions<'c>(
        &self,
        document: &Document<'c>,
        given: Option<&[Span]>,
    ) -> Vec<Question<'c>> {
        let text = document.text().unwrap_or_default();
        if text.is_empty() {
            return Vec::new();
        }
        let sentences: Vec<Span> =
            document.marks_of(MarkKind::Sentence).map(|(span, _)| span).collect();
        let index = TextIndex::new(text);
        let parts = self.cutting.parts(text, &sentences, given.unwrap_or_default());
        let mut left: Option<Vec<Span>> = given.map(<[Span]>::to_vec);
        let mut questions = Vec::new();
        for part in parts {
            // A mention is asked about once, in the first part that has all of it.
            let inside = left.as_mut().map(|left| {
                let (inside, rest) = left.iter().partition(|span| part.contains(**span));
                *left = rest;
                inside
            });
            let edited = EditedText::new(index.slice(part).unwrap_or_default(), self.edits);
            let whole = Question {
                place: document.index(),
                document: document.name(),
                language: document.language(),
                part,
                edited,
                given: inside,
                sent: None,
                halved: 0,
            };
            questions.extend(self.with_mentions(whole));
        }
        questions
    }

    /// A question as the linker takes given mentions: one, or several.
    fn with_mentions<'c>(&self, question: Question<'c>) -> Vec<Question<'c>> {
        let (Some(way), Some(given)) = (self.way, &question.given) else { return vec![question] };
        if given.is_empty() {
            return Vec::new();
        }
        let groups: Vec<Vec<Span>> = match way {
            MentionsWay::Native | MentionsWay::Filter => vec![given.clone()],
            MentionsWay::PerMention => given.iter().map(|span| vec![*span]).collect(),
            MentionsWay::Marked => without_overlaps(given),
        };
        let asked = groups.into_iter().map(|group| {
            let sent = (way != MentionsWay::Filter).then(|| {
                let inside = group.iter().filter_map(|span| {
                    let from = question.part.start;
                    question.edited.edited(Span::new(span.start - from, span.end - from))
                });
                inside.collect()
            });
            Question { given: Some(group), sent, ..question.clone() }
        });
        asked.collect()
    }

    /// A question in two halves, for a text that is too long for the linker.
    pub(super) fn halves<'c>(
        &self,
        question: &Question<'c>,
        text: &str,
    ) -> Option<Vec<Question<'c>>> {
        let index = TextIndex::new(text);
        let own = index.slice(question.part)?;
        let start = question.part.start;
        let moved = |span: &Span| Span::new(span.start - start, span.end - start);
        let keep: Vec<Span> = question.given.iter().flatten().map(moved).collect();
        let (first, second) = halves(own, &keep)?;
        let half = |half: Span| {
            let part = Span::new(half.start + start, half.end + start);
            let inside = |given: &Vec<Span>| {
                given.iter().copied().filter(|span| part.contains(*span)).collect()
            };
            Question {
                part,
                edited: EditedText::new(index.slice(part).unwrap_or_default(), self.edits),
                given: question.given.as_ref().map(inside),
                sent: None,
                halved: question.halved + 1,
                ..question.clone()
            }
        };
        let both = [half(first), half(second)];
        Some(both.into_iter().flat_map(|half| self.with_mentions(half)).collect())
    }
}

impl Question<'_> {
    /// What the linker sees of it.
    pub(super) fn task(&self, sample: u32, seed: u64) -> LinkTask<'_> {
        LinkTask {
            document: self.document,
            part: self.part,
            text: self.edited.text(),
            language: self.language,
            mentions: self.sent.as_deref(),
            candidates: None,
            sample,
            seed,
            attempt: 1,
            mended: None,
        }
    }
}

/// Spans in groups within which none overlap, few groups, each in order.
fn without_overlaps(spans: &[Span]) -> Vec<Vec<Span>> {
    let mut sorted = spans.to_vec();
    sorted.sort_unstable();
    let mut groups: Vec<Vec<Span>> = Vec::new();
    for span in sorted {
        let fits = |group: &&mut Vec<Span>| group.last().is_none_or(|last| last.end <= span.start);
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(span),
            None => groups.push(vec![span]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_overlap_are_asked_about_apart() {
        let spans = [(0, 4), (2, 6), (4, 8), (5, 6)].map(|(start, end)| Span::new(start, end));
        let groups = without_overlaps(&spans);
        assert_eq!(groups, [vec![spans[0], spans[2]], vec![spans[1]], vec![spans[3]]]);
    }
}
