//! The one repairer of mentions whose words are not those of the text at their offsets.
//!
//! Published corpora are full of them: quotes of two kinds, another case, a blank too many, an end that is off by
//! one. What is meant is mostly beyond doubt, and then the mention is read so. Where it is not, the offsets count, as they
//! do for everybody who uses the corpus. Either way it is counted and listed. Only a file most of whose mentions do not
//! fit is refused: there the offsets count something else, which a setting can say ([`Placings::refusal`]).

use super::align::folded_alike;
use super::moved;
use crate::anchor::Here;
use crate::format::Offsets;
use crate::problem::{Kind, Problem};
use karat_model::{OffsetUnit, Span, TextIndex};

/// A mention in its text, and what was wrong with it.
#[derive(Debug)]
#[must_use = "a mention that was repaired must be noted: see `Reading::placed`"]
pub(crate) struct Placed {
    pub(crate) span: Span,
    pub(crate) fit: Fit,
}

impl Placed {
    /// A mention that was moved.
    pub(crate) fn moved(span: Span, problem: Box<Problem>, usual: bool) -> Placed {
        Placed { span, fit: Fit::Not { problem, done: format!("moved to {span}"), usual } }
    }

    /// A mention that stays where its offsets say.
    pub(crate) fn kept(span: Span, problem: Box<Problem>) -> Placed {
        Placed { span, fit: Fit::Not { problem, done: "kept as given".to_owned(), usual: false } }
    }

    /// The same with what was wrong put into its place in the file.
    pub(crate) fn located(mut self, locate: impl FnOnce(Problem) -> Problem) -> Placed {
        match &mut self.fit {
            Fit::Unnamed | Fit::Same => {}
            Fit::Alike(problem) | Fit::Not { problem, .. } => {
                **problem = locate((**problem).clone());
            }
        }
        self
    }

    /// The same for a part of a text that begins here.
    pub(crate) fn below(mut self, start: u32) -> Placed {
        let moved = |span: Span| Span::new(span.start + start, span.end + start);
        self.span = moved(self.span);
        self.located(|mut problem| {
            if let Some(span) = problem.about.as_mut().and_then(|about| about.span.as_mut()) {
                *span = moved(*span);
            }
            problem
        })
    }
}

/// Whether the text at the offsets of a mention is what the file says it is.
#[derive(Debug)]
pub(crate) enum Fit {
    /// The file does not say.
    Unnamed,
    /// It is.
    Same,
    /// It is but for case, quotes, dashes and white space; what a strict reading says of that.
    Alike(Box<Problem>),
    /// It is not: the mention was moved to where it is, or kept where the offsets say.
    Not {
        /// What a strict reading says of it.
        problem: Box<Problem>,
        /// What became of it.
        done: String,
        /// Whether that is usual in corpora of its format, so that any number of them says nothing against the file.
        usual: bool,
    },
}

/// How a mention that does not fit is looked for.
pub(crate) enum Reach<'s, 'i, 't> {
    /// Where it must have been meant to be.
    Certain,
    /// At the nearest place: the offsets of the corpus are known to be bad.
    Nearest(&'s mut moved::Searched<'i, 't>),
}

impl Here<'_> {
    /// The place of a mention, repaired where its words are not those of the text there. An error only if its
    /// offsets are in no text.
    pub(crate) fn place(
        &self,
        index: &TextIndex<'_>,
        offsets: Offsets,
        start: u64,
        end: u64,
        surface: Option<&str>,
    ) -> Result<Placed, Problem> {
        self.place_within(index, offsets, (start, end), surface, Reach::Certain)
    }

    /// The same, with how far a mention is looked for.
    pub(crate) fn place_within(
        &self,
        index: &TextIndex<'_>,
        offsets: Offsets,
        (start, end): (u64, u64),
        surface: Option<&str>,
        reach: Reach<'_, '_, '_>,
    ) -> Result<Placed, Problem> {
        let span = match self.anchor(index, offsets, start, end, None) {
            Ok(span) => span,
            Err(problem) => {
                // A mention at the end of a text may be off by more than there is left of it.
                let found = behind_the_end(index, offsets, (start, end), surface);
                let found = found.map(|span| Placed::moved(span, Box::new(problem.clone()), false));
                return found.ok_or(problem);
            }
        };
        let surface = surface.filter(|_| !offsets.decide);
        // What is moved at the end is checked where it will be, and not repaired as well.
        let (Some(surface), 0) = (surface, offsets.shift) else {
            let checked = self.anchor(index, offsets, start, end, surface)?;
            return Ok(Placed { span: checked, fit: Fit::Unnamed });
        };
        let found = index.slice(span).unwrap_or_default();
        if found == surface {
            return Ok(Placed { span, fit: Fit::Same });
        }
        let problem = || match self.anchor(index, offsets, start, end, Some(surface)) {
            Err(problem) => Box::new(problem),
            Ok(span) => {
                Box::new(self.problem(Kind::Surface, format!("the mention at {span} differs")))
            }
        };
        if found.trim() != found && moved::same_words(found, surface) && surface.trim() == surface {
            // Its words, and a blank before or behind them.
            return Ok(Placed::moved(trimmed(index, span), problem(), false));
        }
        if folded_alike(found, surface) {
            return Ok(Placed { span, fit: Fit::Alike(problem()) });
        }
        let (other, usual) = match reach {
            Reach::Certain => (moved::certain(index, span, surface), false),
            Reach::Nearest(searched) => {
                (searched.nearest_spelled(surface.trim(), span.start), true)
            }
        };
        Ok(match other {
            Some(other) => Placed::moved(other, problem(), usual),
            None => Placed::kept(span, problem()),
        })
    }
}

/// Where a mention is that begins in its text and ends behind it.
fn behind_the_end(
    index: &TextIndex<'_>,
    offsets: Offsets,
    (start, end): (u64, u64),
    surface: Option<&str>,
) -> Option<Span> {
    let counts_usually = offsets.unit == OffsetUnit::CodePoints && offsets.shift == 0;
    let surface = surface.filter(|_| counts_usually && !offsets.decide)?;
    let (start, end) = (u32::try_from(start).ok()?, u32::try_from(offsets.exclusive(end)).ok()?);
    let is_there = start < index.len() && end > index.len();
    is_there.then(|| moved::certain(index, Span::new(start, end), surface))?
}

/// A span without white space at its ends.
fn trimmed(index: &TextIndex<'_>, span: Span) -> Span {
    let text = index.slice(span).unwrap_or_default();
    let blanks = |text: &str| u32::try_from(text.chars().count()).unwrap_or_default();
    let before = blanks(&text[..text.len() - text.trim_start().len()]);
    let after = blanks(&text[text.trim_end().len()..]);
    Span::new(span.start + before, (span.end - after).max(span.start + before))
}

/// How the mentions of a reading fit their texts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Placings {
    /// How many have words that were compared with their text.
    pub(crate) named: usize,
    /// How many of them do not fit.
    pub(crate) misfits: usize,
    /// How many of those say that the file is read in a wrong way, if there are many.
    pub(crate) slips: usize,
    /// What a strict reading says of the first.
    pub(crate) first: Option<Box<Problem>>,
}

impl Placings {
    /// Adds those of a later part of the same file.
    pub(crate) fn merge(&mut self, other: Placings, lines: u64) {
        self.named += other.named;
        self.misfits += other.misfits;
        self.slips += other.slips;
        let first = other.first.map(|first| Box::new(first.below(lines)));
        self.first = self.first.take().or(first);
    }

    /// Why the file cannot be read like this: half of its mentions, or a fifth of many, do not fit. Nobody makes so many
    /// slips; the offsets count something else, or the texts are others.
    pub(crate) fn refusal(&self) -> Option<Problem> {
        let Placings { named, slips, first, .. } = self;
        let too_many = 2 * slips >= *named || 5 * slips > named + 25;
        let mut problem = first.as_deref().filter(|_| too_many)?.clone();
        if *slips > 1 {
            problem.message += &format!("; {slips} of {named} mentions do not fit");
        }
        Some(problem)
    }
}

#[cfg(test)]
mod tests;
