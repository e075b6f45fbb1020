//! Where the mentions of an answer lie in the text that was sent.

use super::units::UnitIndex;
use crate::answer::{AnsweredMention, LinkAnswer};
use crate::info::AnswerUnit;
use karat_model::{End, Span};
use std::collections::BTreeMap;

/// A mention with its place in code points.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlacedMention {
    pub(crate) span: Span,
    pub(crate) mention: AnsweredMention,
}

/// The mentions of an answer with their places, and what is remarkable about these.
#[derive(Debug, Default)]
pub(crate) struct Placing {
    pub(crate) placed: Vec<PlacedMention>,
    pub(crate) counted: BTreeMap<&'static str, u64>,
    /// The unit and end that all surfaces of the answer fit, where they do not fit those that were declared.
    pub(crate) better: Option<(AnswerUnit, End)>,
}

/// Mentions that lie outside the text.
const OUTSIDE: &str = "offsets-outside-the-text";
/// Mentions whose surface is not what stands in the text.
const DIFFERS: &str = "surface-differs";
/// Mentions whose surface fits once blanks and punctuation at its ends are left off.
const TRIMMED: &str = "surface-trimmed";
/// Mentions that were moved, because all surfaces fit another way of counting.
const REPAIRED: &str = "offsets-repaired";
/// Surfaces without offsets that are not in the text.
const NOT_PLACED: &str = "not-placed";
/// Surfaces without offsets that are almost in the text.
const PLACED_BY_REPAIR: &str = "placed-by-repair";

/// Finds the places of the mentions of an answer, which count in this unit.
pub(crate) fn place(
    text: &str,
    answer: &LinkAnswer,
    unit: AnswerUnit,
    end: End,
    repairs: bool,
) -> Placing {
    let index = UnitIndex::new(text);
    let mut placing = Placing::default();
    let are_all_placed = answer.mentions.iter().all(|mention| mention.at.is_some());
    let fits = |unit, end| {
        let mut checked = answer.mentions.iter().filter(|mention| mention.surface.is_some());
        checked.all(|mention| fit(&index, mention, unit, end) == Fit::Exact)
    };
    let has_surfaces = answer.mentions.iter().any(|mention| mention.surface.is_some());
    let mut counting = (unit, end);
    if unit != AnswerUnit::None && has_surfaces && are_all_placed && !fits(unit, end) {
        placing.better = other_ways(unit, end).find(|&(unit, end)| fits(unit, end));
        counting = placing.better.filter(|_| repairs).unwrap_or(counting);
    }
    let without_offsets = answer.mentions.iter().filter(|mention| mention.at.is_none());
    let surfaces: Vec<&str> =
        without_offsets.map(|mention| mention.surface.as_deref().unwrap_or_default()).collect();
    let mut found = karat_formats::place_surfaces(text, &surfaces).into_iter();
    for mention in &answer.mentions {
        let span = match mention.at {
            Some(_) => placing.by_offsets(&index, mention, counting, (unit, end)),
            None => placing.by_surface(found.next().flatten()),
        };
        let placed = span.map(|span| PlacedMention { span, mention: mention.clone() });
        placing.placed.extend(placed);
    }
    placing
}

/// All ways of counting but the declared one.
fn other_ways(unit: AnswerUnit, end: End) -> impl Iterator<Item = (AnswerUnit, End)> {
    let units =
        [AnswerUnit::CodePoints, AnswerUnit::Utf16, AnswerUnit::Bytes, AnswerUnit::Graphemes];
    let ways = units.into_iter().flat_map(|unit| [(unit, End::Exclusive), (unit, End::Inclusive)]);
    ways.filter(move |way| *way != (unit, end))
}

impl Placing {
    fn count(&mut self, what: &'static str) {
        *self.counted.entry(what).or_default() += 1;
    }

    fn by_offsets(
        &mut self,
        index: &UnitIndex<'_>,
        mention: &AnsweredMention,
        counting: (AnswerUnit, End),
        declared: (AnswerUnit, End),
    ) -> Option<Span> {
        if counting != declared {
            self.count(REPAIRED);
        }
        match fit(index, mention, counting.0, counting.1) {
            Fit::Outside => {
                self.count(OUTSIDE);
                return None;
            }
            Fit::Trimmed => self.count(TRIMMED),
            Fit::Differs => self.count(DIFFERS),
            Fit::Exact | Fit::Unknown => {}
        }
        span_of(index, mention, counting.0, counting.1)
    }

    fn by_surface(&mut self, found: Option<(Span, bool)>) -> Option<Span> {
        match found {
            Some((span, is_exact)) => {
                if !is_exact {
                    self.count(PLACED_BY_REPAIR);
                }
                Some(span)
            }
            None => {
                self.count(NOT_PLACED);
                None
            }
        }
    }
}

/// How the surface of a mention fits the text at its offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    Exact,
    Trimmed,
    Differs,
    /// No surface is told.
    Unknown,
    /// The offsets are outside the text.
    Outside,
}

fn span_of(
    index: &UnitIndex<'_>,
    mention: &AnsweredMention,
    unit: AnswerUnit,
    end: End,
) -> Option<Span> {
    let (start, last) = mention.at?;
    let past = match end {
        End::Exclusive => last,
        End::Inclusive => last.checked_add(1)?,
    };
    let span = (index.position(start, unit)?, index.position(past, unit)?);
    (span.0 <= span.1).then(|| Span::new(span.0, span.1))
}

fn fit(index: &UnitIndex<'_>, mention: &AnsweredMention, unit: AnswerUnit, end: End) -> Fit {
    let Some(span) = span_of(index, mention, unit, end) else { return Fit::Outside };
    let text = index.code_points().slice(span).unwrap_or_default();
    let is_edge = |character: char| character.is_whitespace() || character.is_ascii_punctuation();
    match mention.surface.as_deref() {
        None => Fit::Unknown,
        Some(surface) if surface == text => Fit::Exact,
        Some(surface) if surface.trim_matches(is_edge) == text.trim_matches(is_edge) => {
            Fit::Trimmed
        }
        Some(_) => Fit::Differs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::AnsweredLink;

    fn answer(mentions: &[(u64, u64, &str)]) -> LinkAnswer {
        let mentions = mentions.iter().map(|&(start, end, surface)| {
            AnsweredMention::at(start, end, AnsweredLink::Nil).with_surface(surface)
        });
        LinkAnswer { mentions: mentions.collect(), ..LinkAnswer::default() }
    }

    #[test]
    fn an_answer_that_counts_otherwise_is_told_and_moved_only_when_asked() {
        let text = "😀 Bern, Basel";
        let counted_in_utf16 = answer(&[(3, 7, "Bern"), (9, 14, "Basel")]);
        let placing = place(text, &counted_in_utf16, AnswerUnit::CodePoints, End::Exclusive, false);
        assert_eq!(placing.better, Some((AnswerUnit::Utf16, End::Exclusive)));
        assert_eq!(placing.placed[0].span, Span::new(3, 7), "nothing is moved silently");
        assert_eq!(
            placing.counted,
            BTreeMap::from([("offsets-outside-the-text", 1), ("surface-differs", 1)])
        );
        let repaired = place(text, &counted_in_utf16, AnswerUnit::CodePoints, End::Exclusive, true);
        let spans: Vec<Span> = repaired.placed.iter().map(|placed| placed.span).collect();
        assert_eq!(spans, [Span::new(2, 6), Span::new(8, 13)]);
        assert_eq!(repaired.counted, BTreeMap::from([("offsets-repaired", 2)]));
        let right = place(text, &counted_in_utf16, AnswerUnit::Utf16, End::Exclusive, false);
        assert_eq!((right.better, right.counted.len()), (None, 0));
    }

    #[test]
    fn inclusive_ends_and_surfaces_with_punctuation() {
        let inclusive = answer(&[(0, 3, "Bern")]);
        let placing = place("Bern.", &inclusive, AnswerUnit::CodePoints, End::Inclusive, false);
        assert_eq!(placing.placed[0].span, Span::new(0, 4));
        let trimmed = place(
            "Bern.",
            &answer(&[(0, 5, "Bern")]),
            AnswerUnit::CodePoints,
            End::Exclusive,
            false,
        );
        assert_eq!(trimmed.counted, BTreeMap::from([("surface-trimmed", 1)]));
        assert_eq!(
            trimmed.better,
            Some((AnswerUnit::CodePoints, End::Exclusive)).filter(|_| false)
        );
    }

    #[test]
    fn surfaces_alone_are_found_one_after_the_other() {
        let mut said = answer(&[(0, 0, "Bern"), (0, 0, "Bern"), (0, 0, "Basel")]);
        said.mentions.iter_mut().for_each(|mention| mention.at = None);
        let placing = place("Bern or Bern", &said, AnswerUnit::None, End::Exclusive, false);
        let spans: Vec<Span> = placing.placed.iter().map(|placed| placed.span).collect();
        assert_eq!(spans, [Span::new(0, 4), Span::new(8, 12)]);
        assert_eq!(placing.counted, BTreeMap::from([("not-placed", 1)]));
    }
}
