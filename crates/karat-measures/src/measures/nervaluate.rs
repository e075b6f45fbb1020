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
use karat_match::{
    FEW_NEARBY, Item, Nearby, SameSpan, Scene, Settings, SpanEntry, SpanIndex, SpanLimits,
    WantedSpans,
};
use karat_model::{Span, StrId};
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
    fn is_correct(&self, prediction: &Item, gold: &Item) -> bool {
        let (same_span, same_type) = (prediction.span == gold.span, prediction.types == gold.types);
        match self.scheme {
            Scheme::Strict => same_span && same_type,
            Scheme::Exact | Scheme::Partial => same_span,
            Scheme::Type => same_type && self.overlaps(prediction, gold),
        }
    }

    fn overlaps(&self, prediction: &Item, gold: &Item) -> bool {
        self.enough(common(prediction.span, gold.span), gold.span.len())
    }

    /// Whether so many common positions are an overlap with gold of this length.
    fn enough(&self, common: u32, gold: u32) -> bool {
        common > 0 && f64::from(common) / f64::from(gold) * 100.0 >= self.least_overlap
    }

    /// What a prediction counts as that overlaps with gold and is not correct.
    fn otherwise(&self) -> usize {
        match self.scheme {
            Scheme::Partial => PARTIAL,
            _ => INCORRECT,
        }
    }
}

/// How many positions two spans share.
fn common(a: Span, b: Span) -> u32 {
    Span::new(a.start.max(b.start), a.end.min(b.end)).len()
}

/// Gold that a prediction overlaps.
struct Overlapped<'m> {
    measure: &'m Nervaluate,
    prediction: Span,
}

impl WantedSpans for Overlapped<'_> {
    fn has(&self, gold: Span) -> bool {
        self.measure.enough(common(self.prediction, gold), gold.len())
    }

    fn may_have(&self, limits: &SpanLimits) -> bool {
        // The most that may be shared of the shortest: division rounds, but keeps the order.
        self.measure.enough(limits.most_common(self.prediction), limits.len.0)
    }
}

/// How far the borders of two spans are apart.
fn distance(a: Span, b: Span) -> u32 {
    a.start.abs_diff(b.start).saturating_add(a.end.abs_diff(b.end))
}

/// How far they are apart at least, if those of the one lie within limits.
fn least_distance(limits: &SpanLimits, span: Span) -> u32 {
    let gap = |(low, high): (u32, u32), at: u32| low.saturating_sub(at) + at.saturating_sub(high);
    gap(limits.start, span.start).saturating_add(gap(limits.end, span.end))
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
    /// What is asked for and not taken, by type and as a whole, made when there is much gold near a prediction for
    /// the first time.
    index: Option<SpanIndex<Option<StrId>>>,
}

impl<'r> Round<'r> {
    fn new(measure: &'r Nervaluate, gold: &'r [Item]) -> Round<'r> {
        let near = Nearby::new(gold.iter());
        Round { measure, gold, near, taken: vec![false; gold.len()], index: None }
    }

    /// What becomes of a prediction: the gold mention it would take, and the column it would count in.
    fn take(&mut self, prediction: &Item) -> Option<(usize, usize)> {
        let near = self.near.to(prediction.span);
        if near.len() > FEW_NEARBY {
            return self.take_of_many(prediction);
        }
        let measure = self.measure;
        let left = near.filter(|&at| !self.taken[at] && !self.gold[at].optional);
        let correct = left.clone().filter(|&at| measure.is_correct(prediction, &self.gold[at]));
        // Only a scheme that is content with an overlap has a choice to make.
        let correct = correct.min_by_key(|&at| match measure.scheme {
            Scheme::Type => distance(prediction.span, self.gold[at].span),
            _ => 0,
        });
        let mut overlapping = left.filter(|&at| measure.overlaps(prediction, &self.gold[at]));
        let correct = correct.map(|at| (at, CORRECT));
        correct.or_else(|| overlapping.next().map(|at| (at, measure.otherwise())))
    }

    /// The same without a look at all that is near.
    fn take_of_many(&mut self, prediction: &Item) -> Option<(usize, usize)> {
        let (measure, span) = (self.measure, prediction.span);
        let overlapped = Overlapped { measure, prediction: span };
        let index = self.index();
        let types = Some(prediction.types);
        let correct = match measure.scheme {
            Scheme::Strict => index.first(types, &SameSpan(span)),
            Scheme::Exact | Scheme::Partial => index.first(None, &SameSpan(span)),
            Scheme::Type => {
                let cost = |gold: Span| distance(span, gold);
                let bound = |limits: &SpanLimits| least_distance(limits, span);
                let closest = index.least(types, &overlapped, cost, bound);
                closest.map(|(_, rank, item)| (rank, item))
            }
        };
        let correct = correct.map(|(_, at)| (at as usize, CORRECT));
        let overlapping = || index.first(None, &overlapped);
        correct.or_else(|| overlapping().map(|(_, at)| (at as usize, measure.otherwise())))
    }

    fn index(&mut self) -> &SpanIndex<Option<StrId>> {
        let (gold, taken) = (self.gold, &self.taken);
        self.index.get_or_insert_with(|| {
            let left =
                (0..).zip(gold).zip(taken).filter(|((_, item), taken)| !**taken && !item.optional);
            let entries = left.flat_map(|((at, item), _): ((u32, &Item), _)| {
                let entry = SpanEntry { span: item.span, item: at, rank: at };
                [(None, entry), (Some(item.types), entry)]
            });
            SpanIndex::new(entries.collect())
        })
    }

    fn is_correct(&mut self, prediction: &Item) -> bool {
        self.take(prediction).is_some_and(|(_, column)| column == CORRECT)
    }

    fn add(&mut self, prediction: &Item, counts: &mut [f64]) {
        let column = match self.take(prediction) {
            Some((at, column)) => {
                self.taken[at] = true;
                if let Some(index) = &mut self.index {
                    index.remove(at as u32);
                }
                counts[POSSIBLE] += 1.0;
                column
            }
            None if self.is_forgiven(prediction) => return,
            None => SPURIOUS,
        };
        counts[column] += 1.0;
        counts[ACTUAL] += 1.0;
    }

    /// A prediction exactly on an optional mention is not held against the system.
    fn is_forgiven(&self, prediction: &Item) -> bool {
        let from = self.gold.partition_point(|gold| gold.span < prediction.span);
        let on_span = self.gold[from..].iter().take_while(|gold| gold.span == prediction.span);
        on_span.into_iter().any(|gold| gold.optional)
    }

    fn missed(&self) -> usize {
        let missed = self.gold.iter().zip(&self.taken);
        missed.filter(|(gold, taken)| !**taken && !gold.optional).count()
    }
}
