//! Correct, incorrect, partial, missed and spurious mentions.
//!
//! What it is: named entity recognition as nervaluate scores it, which says how a prediction was wrong.
//! `scheme=strict` (the default) wants span and type, `exact` the span, `partial` the span and gives half
//! for an overlap, `type` an overlap and the type.
//! Formula: P = (COR + PAR / 2) / actual, R = (COR + PAR / 2) / possible; actual = COR + INC + PAR + SPU,
//! possible = COR + INC + PAR + MIS. Only `partial` gives PAR, and never INC.
//! Example: gold [0,4) PER and [6,9) LOC, predicted [0,4) ORG and [6,8) LOC: strict INC 2; exact COR 1,
//! INC 1; partial COR 1, PAR 1; type COR 1, INC 1.
//! Source: nervaluate 1.2.1, after SemEval 2013 task 9 and MUC-5 (Chinchor and Sundheim 1993).
//! Pitfalls: each prediction in turn takes the first gold mention that is left, so the order decides
//! where mentions overlap; it is the order of the text here, of the input in nervaluate. Of several
//! predictions on one span those that are right come first here. An overlap counts from `min-overlap` per
//! cent of the gold span, 1 unless said otherwise.

use crate::asked::asked;
use crate::measure::{Compute, Definition, DocumentMeasure, Numbers, Scores};
use crate::parameter::{Otherwise, ParameterOf};
use crate::score::{Credit, Zero};
use crate::values::{NamedValue, Values, WrittenValue, named};
use karat_match::{Item, Nearby, Scene, Settings};
use karat_model::Span;
use std::sync::Arc;

/// See the head of this file.
pub(super) static NERVALUATE: Definition = Definition {
    name: "nervaluate",
    aliases: &[],
    groups: &[],
    file: include_str!("nervaluate.rs"),
    parameters: &[&SCHEME, &LEAST_OVERLAP],
    compute: |context| {
        let (scheme, least_overlap) = (context.value(&SCHEME), context.value(&LEAST_OVERLAP));
        Compute::Documents(Arc::new(Nervaluate { scheme, least_overlap }))
    },
};

static SCHEME: ParameterOf<Scheme> = ParameterOf {
    name: "scheme",
    about: "What makes a prediction correct.",
    values: &Values::only(&[
        named("strict", Scheme::Strict, "The span and the type."),
        named("exact", Scheme::Exact, "The span."),
        named("partial", Scheme::Partial, "The span; an overlap counts half."),
        NamedValue {
            name: "type",
            aliases: &["ent_type"],
            about: "An overlap and the type.",
            value: Scheme::Type,
        },
    ]),
    otherwise: Otherwise::Is(Scheme::Strict),
};

static LEAST_OVERLAP: ParameterOf<f64> = ParameterOf {
    name: "min-overlap",
    about: "From which share of the gold span on two mentions overlap.",
    values: &Values {
        named: &[],
        written: Some(WrittenValue {
            about: "a number from 1 to 100 (per cent)",
            example: "50",
            read: |text| text.parse().ok().filter(|percent| (1.0..=100.0).contains(percent)),
            write: |percent| Some(percent.to_string()),
        }),
    },
    otherwise: Otherwise::Is(1.0),
};

#[derive(Debug)]
struct Nervaluate {
    scheme: Scheme,
    /// In per cent of the gold span.
    least_overlap: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scheme {
    Strict,
    Exact,
    Partial,
    Type,
}

const COLUMNS: [&str; 7] = ["cor", "inc", "par", "mis", "spu", "possible", "actual"];
const CORRECT: usize = 0;
const INCORRECT: usize = 1;
const PARTIAL: usize = 2;
const MISSED: usize = 3;
const SPURIOUS: usize = 4;
const POSSIBLE: usize = 5;
const ACTUAL: usize = 6;

impl Nervaluate {
    /// What becomes of a prediction: the gold mention it takes, and the column it counts in.
    fn take(&self, prediction: &Item, left: &[(usize, &Item)]) -> Option<(usize, usize)> {
        let correct = left.iter().filter(|(_, gold)| self.is_correct(prediction, gold));
        // Only a scheme that is content with an overlap has a choice to make.
        let correct = correct.min_by_key(|(_, gold)| match self.scheme {
            Scheme::Type => distance(prediction.span, gold.span),
            _ => 0,
        });
        let otherwise = match self.scheme {
            Scheme::Partial => PARTIAL,
            _ => INCORRECT,
        };
        let overlapping = || left.iter().find(|(_, gold)| self.overlaps(prediction, gold));
        let correct = correct.map(|&(at, _)| (at, CORRECT));
        correct.or_else(|| overlapping().map(|&(at, _)| (at, otherwise)))
    }

    fn is_correct(&self, prediction: &Item, gold: &Item) -> bool {
        let (same_span, same_type) = (prediction.span == gold.span, prediction.types == gold.types);
        match self.scheme {
            Scheme::Strict => same_span && same_type,
            Scheme::Exact | Scheme::Partial => same_span,
            Scheme::Type => same_type && self.overlaps(prediction, gold),
        }
    }

    fn overlaps(&self, prediction: &Item, gold: &Item) -> bool {
        let start = prediction.span.start.max(gold.span.start);
        let common = Span::new(start, prediction.span.end.min(gold.span.end)).len();
        common > 0 && f64::from(common) / f64::from(gold.span.len()) * 100.0 >= self.least_overlap
    }
}

/// How far the borders of two spans are apart.
fn distance(a: Span, b: Span) -> u32 {
    a.start.abs_diff(b.start) + a.end.abs_diff(b.end)
}

impl DocumentMeasure for Nervaluate {
    fn columns(&self) -> &'static [&'static str] {
        &COLUMNS
    }

    fn tally(&self, settings: &Settings, scene: &Scene<'_>, counts: &mut [f64]) {
        let part = asked(settings, scene);
        let scene = part.as_ref().unwrap_or(scene);
        // Who comes first decides which gold is left for the others. The order of the text does not
        // depend on the file, which the order of the input (nervaluate) does.
        let mut round = Round::new(self, &scene.gold.items);
        for on_span in scene.system.items.chunk_by(|a, b| a.span == b.span) {
            // Of several predictions on a span the right ones go first, so that nothing wrong takes their place.
            let (right, others): (Vec<&Item>, Vec<&Item>) =
                on_span.iter().partition(|prediction| round.is_correct(prediction));
            right.into_iter().chain(others).for_each(|prediction| round.add(prediction, counts));
        }
        let missed = round.missed() as f64;
        counts[MISSED] += missed;
        counts[POSSIBLE] += missed;
    }

    fn pairs_overlapping(&self) -> bool {
        true
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        let credit = self.credit(counts).unwrap_or_default();
        credit.prf(zero).into()
    }

    fn credit(&self, counts: &[f64]) -> Option<Credit> {
        let credit = counts[CORRECT] + counts[PARTIAL] / 2.0;
        let (fp, fn_) = (counts[ACTUAL] - credit, counts[POSSIBLE] - credit);
        Some(Credit { ptp: credit, fp, rtp: credit, fn_ })
    }

    fn numbers(&self) -> Numbers {
        match self.scheme {
            Scheme::Partial => Numbers::Fractions,
            Scheme::Strict | Scheme::Exact | Scheme::Type => Numbers::Whole,
        }
    }
}

/// The gold mentions of a document, and which of them were taken.
struct Round<'r> {
    measure: &'r Nervaluate,
    gold: &'r [Item],
    near: Nearby,
    taken: Vec<bool>,
}

impl<'r> Round<'r> {
    fn new(measure: &'r Nervaluate, gold: &'r [Item]) -> Round<'r> {
        let near = Nearby::new(gold.iter());
        Round { measure, gold, near, taken: vec![false; gold.len()] }
    }

    /// What becomes of a prediction: the gold mention it would take, and the column it would count in.
    fn take(&self, prediction: &Item) -> Option<(usize, usize)> {
        let near = self.near.to(prediction.span);
        let left = near.filter(|&at| !self.taken[at] && !self.gold[at].optional);
        let left: Vec<(usize, &Item)> = left.map(|at| (at, &self.gold[at])).collect();
        self.measure.take(prediction, &left)
    }

    fn is_correct(&self, prediction: &Item) -> bool {
        self.take(prediction).is_some_and(|(_, column)| column == CORRECT)
    }

    fn add(&mut self, prediction: &Item, counts: &mut [f64]) {
        let near = self.near.to(prediction.span);
        let column = match self.take(prediction) {
            Some((at, column)) => {
                self.taken[at] = true;
                counts[POSSIBLE] += 1.0;
                column
            }
            None if self.gold[near].iter().any(|gold| forgives(gold, prediction)) => return,
            None => SPURIOUS,
        };
        counts[column] += 1.0;
        counts[ACTUAL] += 1.0;
    }

    fn missed(&self) -> usize {
        let missed = self.gold.iter().zip(&self.taken);
        missed.filter(|(gold, taken)| !**taken && !gold.optional).count()
    }
}

/// A prediction exactly on an optional mention is not held against the system.
fn forgives(gold: &Item, prediction: &Item) -> bool {
    gold.optional && gold.span == prediction.span
}
