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
use karat_match::{
    AnySpan, FEW_NEARBY, Item, Nearby, Overlapping, SameSpan, Scene, Settings, Side, SpanEntry,
    SpanIndex,
};
use karat_model::Span;
use std::collections::HashMap;
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
    /// The part of a span that its opponents cover.
    fn credit(self, span: Span, key: u128, opponents: &mut Lineup<'_>) -> f64 {
        // neleval's overlap of an empty span would be 0/0: it is found only by an equal one.
        if span.is_empty() {
            return f64::from(u8::from(opponents.has_equal(span, key)));
        }
        let covered = match self {
            Mode::Max => opponents.most_common(span, key),
            Mode::Sum => opponents.covered(span, key),
        };
        quantised(f64::from(covered) / f64::from(span.len()))
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

/// The items that are looked at, in the order of their spans, to be asked for opponents.
struct Lineup<'s> {
    items: Vec<(&'s Item, u128)>,
    near: Nearby,
    /// Made when there are many near a span for the first time; by key, and whether they are optional.
    index: Option<SpanIndex<(u128, bool)>>,
    /// What all required items of a key cover together.
    covers: Option<HashMap<u128, Cover>>,
}

impl<'s> Lineup<'s> {
    fn new(side: &'s Side<'_>, fields: &Fields) -> Lineup<'s> {
        let keys = fields.keys(side).into_iter();
        let items: Vec<(&Item, u128)> = keys.map(|(at, key)| (&side.items[at], key)).collect();
        let near = Nearby::new(items.iter().map(|(item, _)| *item));
        Lineup { items, near, index: None, covers: None }
    }

    /// The items with this key that touch a span, if there are few near it.
    fn few(&self, span: Span, key: u128) -> Option<impl Iterator<Item = &'s Item> + '_> {
        let near = &self.items[self.near.to(span)];
        let few = near.len() <= FEW_NEARBY;
        few.then(|| near.iter().filter(move |(_, other)| *other == key).map(|(item, _)| *item))
    }

    fn index(&mut self) -> &SpanIndex<(u128, bool)> {
        let items = &self.items;
        self.index.get_or_insert_with(|| {
            let entry = |(at, (item, key)): (u32, &(&Item, u128))| {
                ((*key, item.optional), SpanEntry { span: item.span, item: at, rank: at })
            };
            SpanIndex::new((0..).zip(items).map(entry).collect())
        })
    }

    /// Whether something required is on this very span.
    fn has_equal(&mut self, span: Span, key: u128) -> bool {
        if let Some(mut few) = self.few(span, key) {
            return few.any(|item| !item.optional && item.span == span);
        }
        self.index().first((key, false), &SameSpan(span)).is_some()
    }

    /// Whether something optional shares a position with a span.
    fn has_optional(&mut self, span: Span, key: u128) -> bool {
        if let Some(mut few) = self.few(span, key) {
            return few.any(|item| item.optional && item.span.overlaps(span));
        }
        self.index().first((key, true), &Overlapping(span)).is_some()
    }

    /// How much of a span the required item covers that covers most of it.
    fn most_common(&mut self, span: Span, key: u128) -> u32 {
        if let Some(few) = self.few(span, key) {
            let required = few.filter(|item| !item.optional);
            return required.map(|item| common(span, item.span).len()).max().unwrap_or(0);
        }
        let missing = |covered: u32| span.len() - covered.min(span.len());
        let least = self.index().least(
            (key, false),
            &AnySpan,
            |other| missing(common(span, other).len()),
            |limits| missing(limits.most_common(span)),
        );
        least.map_or(0, |(least, ..)| span.len() - least)
    }

    /// How much of a span all required items cover together.
    fn covered(&mut self, span: Span, key: u128) -> u32 {
        let items = &self.items;
        let covers = self.covers.get_or_insert_with(|| {
            let mut covers: HashMap<u128, Cover> = HashMap::new();
            for (item, key) in items.iter().filter(|(item, _)| !item.optional) {
                covers.entry(*key).or_default().add(item.span);
            }
            covers
        });
        covers.get(&key).map_or(0, |cover| cover.shared_with(span))
    }
}

/// What some spans cover together.
#[derive(Debug, Default)]
struct Cover {
    /// Stretches that do not touch, in order, each with how much lies before it.
    stretches: Vec<(Span, u32)>,
}

impl Cover {
    /// Adds a span; spans come in order.
    fn add(&mut self, span: Span) {
        if span.is_empty() {
            return;
        }
        match self.stretches.last_mut() {
            Some((last, _)) if span.start <= last.end => last.end = last.end.max(span.end),
            last => {
                let before = last.map_or(0, |(last, before)| *before + last.len());
                self.stretches.push((span, before));
            }
        }
    }

    fn shared_with(&self, span: Span) -> u32 {
        self.before(span.end) - self.before(span.start)
    }

    /// How much is covered before a position.
    fn before(&self, position: u32) -> u32 {
        let next = self.stretches.partition_point(|(stretch, _)| stretch.start < position);
        let last = next.checked_sub(1).and_then(|last| self.stretches.get(last));
        last.map_or(0, |(last, before)| before + last.len().min(position - last.start))
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
        let mut gold = Lineup::new(&scene.gold, &self.fields);
        let mut system = Lineup::new(&scene.system, &self.fields);
        for &(item, key) in gold.items.iter().filter(|(item, _)| !item.optional) {
            let credit = self.gold.credit(item.span, key, &mut system);
            counts[2] += credit;
            counts[3] += 1.0 - credit;
        }
        for &(item, key) in &system.items {
            let credit = self.system.credit(item.span, key, &mut gold);
            // What only meets optional gold is not held against the system.
            if credit == 0.0 && gold.has_optional(item.span, key) {
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
