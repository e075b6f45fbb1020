//! Credit for overlapping spans, by how much they overlap.
//!
//! What it is: how much of the gold mentions is covered by predictions, and how much of the predictions
//! by gold. A mention that is half covered is half found.
//! Formula: the credit of a mention is the part of it that its best opponent covers (`max`) or that all
//! opponents cover together (`sum`). R = credits of gold / gold mentions, in the mode that `gold` says;
//! P = credits of predictions / predictions, in the mode that `system` says; `max` unless said otherwise.
//! Example: gold [1,11) and [12,13), predicted [1,6) and [6,13): R = (5/10 + 1) / 2 = .750,
//! P = (1 + 5/7) / 2 = .857.
//! Source: LoReHLT 2016 evaluation plan; `overlap-maxmax::span` and its kin in neleval, where the first
//! word is the mode of gold.
//! Pitfalls: neleval loses pairs where mentions of one side are nested, and counts what a filter left out
//! in its denominators; karat does neither. For opponents that must agree in more than overlap write for
//! example `overlap-maxmax:is_linked:span+kbid`.

use crate::asked::asked;
use crate::fields::Fields;
use crate::measure::{Compute, Definition, DocumentMeasure, Numbers, Scores, credit_scores};
use crate::parameter::{Otherwise, ParameterOf};
use crate::score::{Credit, Zero, quantised};
use crate::values::{Values, named};
use karat_match::{Item, Nearby, Scene, Settings, Side};
use karat_model::Span;
use std::sync::Arc;

/// See the head of this file.
pub(super) static OVERLAP: Definition = Definition {
    name: "overlap",
    aliases: &[],
    groups: &[],
    file: include_str!("overlap.rs"),
    parameters: &[&GOLD, &SYSTEM],
    compute: |context| {
        let (gold, system) = (context.value(&GOLD), context.value(&SYSTEM));
        let fields = Fields { filter: None, key: Vec::new() };
        Overlap { gold, system, fields }.compute()
    },
};

static GOLD: ParameterOf<Mode> = ParameterOf {
    name: "gold",
    about: "Which predictions count for a gold mention.",
    values: &MODES,
    otherwise: Otherwise::Is(Mode::Max),
};

static SYSTEM: ParameterOf<Mode> = ParameterOf {
    name: "system",
    about: "Which gold mentions count for a prediction.",
    values: &MODES,
    otherwise: Otherwise::Is(Mode::Max),
};

pub(crate) static MODES: Values<Mode> = Values::only(&[
    named("max", Mode::Max, "The one that covers most of it."),
    named("sum", Mode::Sum, "All of them together."),
]);

/// How several opponents count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The best alone.
    Max,
    /// All together.
    Sum,
}

impl Mode {
    /// The part of a span that its opponents cover. They come in order.
    fn credit(self, span: Span, opponents: impl Iterator<Item = Span> + Clone) -> f64 {
        // neleval's overlap of an empty span would be 0/0: it is found only by an equal one.
        if span.is_empty() {
            let found = opponents.clone().any(|opponent| opponent == span);
            return f64::from(u8::from(found));
        }
        let covered = match self {
            Mode::Max => opponents.map(|opponent| common(span, opponent).len()).max(),
            Mode::Sum => {
                let mut reach = span.start;
                let fresh = opponents.map(|opponent| {
                    // Opponents come in order of their starts, so a running end is enough to count
                    // each position once, also where opponents overlap.
                    let part = common(Span::new(reach, span.end), opponent);
                    reach = reach.max(part.end);
                    part.len()
                });
                Some(fresh.sum())
            }
        };
        quantised(f64::from(covered.unwrap_or(0)) / f64::from(span.len()))
    }
}

fn common(a: Span, b: Span) -> Span {
    Span::new(a.start.max(b.start), a.end.min(b.end))
}

/// Credit for overlap between items that agree in some fields.
#[derive(Debug)]
pub(crate) struct Overlap {
    /// How opponents of a gold mention count.
    pub(crate) gold: Mode,
    /// How opponents of a prediction count.
    pub(crate) system: Mode,
    /// Which items are looked at, and what must agree besides the span.
    pub(crate) fields: Fields,
}

impl Overlap {
    /// The measure.
    pub(crate) fn compute(self) -> Compute {
        Compute::Documents(Arc::new(self))
    }
}

/// The items that are looked at, in the order of their spans.
struct Lineup<'s> {
    items: Vec<(&'s Item, u128)>,
    near: Nearby,
}

impl<'s> Lineup<'s> {
    fn new(side: &'s Side<'_>, fields: &Fields) -> Lineup<'s> {
        let keys = fields.keys(side).into_iter();
        let items: Vec<(&Item, u128)> = keys.map(|(at, key)| (&side.items[at], key)).collect();
        let near = Nearby::new(items.iter().map(|(item, _)| *item));
        Lineup { items, near }
    }

    /// The items with this key that touch a span.
    fn opponents(&self, span: Span, key: u128) -> impl Iterator<Item = &'s Item> + Clone {
        let near = &self.items[self.near.to(span)];
        near.iter().filter(move |(_, other)| *other == key).map(|(item, _)| *item)
    }
}

impl DocumentMeasure for Overlap {
    fn attributes(&self) -> Vec<&str> {
        self.fields.attributes()
    }

    fn columns(&self) -> &'static [&'static str] {
        &Credit::COLUMNS
    }

    fn tally(&self, settings: &Settings, scene: &Scene<'_>, counts: &mut [f64]) {
        let part = asked(settings, scene);
        let scene = part.as_ref().unwrap_or(scene);
        let gold = Lineup::new(&scene.gold, &self.fields);
        let system = Lineup::new(&scene.system, &self.fields);
        for &(item, key) in gold.items.iter().filter(|(item, _)| !item.optional) {
            let opponents = system.opponents(item.span, key).map(|item| item.span);
            let credit = self.gold.credit(item.span, opponents);
            counts[2] += credit;
            counts[3] += 1.0 - credit;
        }
        for &(item, key) in &system.items {
            let opponents = gold.opponents(item.span, key);
            let asked = opponents.clone().filter(|gold| !gold.optional);
            let credit = self.system.credit(item.span, asked.map(|item| item.span));
            // What only meets optional gold is not held against the system.
            let mut meets = opponents.filter(|gold| gold.optional);
            if credit == 0.0 && meets.any(|gold| gold.span.overlaps(item.span)) {
                continue;
            }
            counts[0] += credit;
            counts[1] += 1.0 - credit;
        }
    }

    fn pairs_overlapping(&self) -> bool {
        true
    }

    fn numbers(&self) -> Numbers {
        Numbers::Fractions
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        credit_scores(counts, zero)
    }
}
