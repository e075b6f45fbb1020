//! The right entity on a wrong span.

use super::answers::{self, Said};
use super::{CaseLabels, Category, Label, Labelled, Stage};
use karat_match::{CaseStanding, Verdicts};
use karat_model::Span;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Bound;

impl<'a> Stage<'_, 'a> {
    pub(super) fn wrong_span(&self, cases: &[Labelled<'a>], at: usize, labels: &mut CaseLabels) {
        let case = &cases[at];
        let recognition = case.recognition(self.unknowns);
        let wrong = match recognition.contains(Verdicts::EXTRA) {
            true => self.is_near_its_entity(case),
            false => Some(false),
        };
        let considered = recognition.intersects(Verdicts::EXTRA | Verdicts::HIT);
        let is_counted = considered && !case.is_coreference();
        let of_gold = !self.taxonomy.by_prediction;
        let label = |wrong| Label { category: Category::WrongSpan, wrong };
        match wrong {
            Some(true) if of_gold && !self.claims.contains(&at) => {
                labels.add(Label::wrong(Category::WrongSpanOther));
            }
            Some(wrong) if wrong || is_counted => labels.add(label(wrong)),
            Some(_) => {}
            // A quantity or a date need not be found.
            None if of_gold => labels.possible.push(Label::wrong(Category::WrongSpanOther)),
            None => labels.possible.extend([true, false].map(label)),
        }
    }

    /// Whether a gold mention nearby says what the prediction says; `None` if nobody knows whether it
    /// says a quantity or a date.
    fn is_near_its_entity(&self, case: &Labelled<'a>) -> Option<bool> {
        let pair = case.judgement.system.zip(case.system);
        let Some((item, system)) = pair else { return Some(false) };
        let (said, possible) = answers::of_system(&self.scene.system, &item, &system, self.base);
        let are_near = |said: &[Said<'a>]| {
            let mut spans = said.iter().filter_map(|said| self.by_answer.get(said));
            spans.any(|spans| spans.others_overlap(case.judgement.span()))
        };
        match are_near(&said) {
            true => Some(true),
            false => (!are_near(&possible)).then_some(false),
        }
    }

    /// The cases whose predictions are the ones on a wrong span of some gold mention: of several that
    /// say its entity nearby, one. Those that end first go first, and take what ends first.
    pub(super) fn claims(&self, cases: &[Labelled<'a>]) -> HashSet<usize> {
        let mut open = self.open_mentions(cases);
        let mut extra: Vec<(Span, usize)> = Vec::new();
        for (at, case) in cases.iter().enumerate() {
            if case.recognition(self.unknowns).contains(Verdicts::EXTRA) {
                extra.push((case.judgement.span(), at));
            }
        }
        // Earliest end first, in both: a greedy choice by ends is a largest matching of intervals,
        // so no more gold could be claimed by another order.
        extra.sort_by_key(|&(span, at)| (span.end, span.start, at));
        let (mut taken, mut claims) = (HashSet::new(), HashSet::new());
        for (span, at) in extra {
            let pair = cases[at].judgement.system.zip(cases[at].system);
            let Some((item, system)) = pair else { continue };
            let (said, _) = answers::of_system(&self.scene.system, &item, &system, self.base);
            let gold = said.iter().find_map(|said| open.get_mut(said)?.take(span, &taken));
            if let Some(gold) = gold {
                taken.insert(gold);
                claims.insert(at);
            }
        }
        claims
    }

    /// The gold mentions that are to be found, by what they say.
    fn open_mentions(&self, cases: &[Labelled<'a>]) -> HashMap<Said<'a>, Open> {
        let mut open: HashMap<Said<'a>, Open> = HashMap::new();
        let is_counted = |case: &&Labelled<'a>| {
            case.judgement.standing == CaseStanding::Root
                && !case.is_coreference()
                && self.is_relevant(case)
        };
        // Cases are in the order of their spans.
        for case in cases.iter().rev().filter(is_counted) {
            let Some((item, gold)) = case.judgement.gold.zip(case.gold) else { continue };
            for said in answers::of_gold(&self.scene.gold, &item, &gold) {
                open.entry(said).or_default().later.push((case.judgement.span(), item.index));
            }
        }
        open
    }
}

/// Gold mentions of which no prediction is on a wrong span yet.
#[derive(Default)]
struct Open {
    /// Those that start too late for all predictions so far, the first of them last.
    later: Vec<(Span, u32)>,
    /// The others: end, start and index.
    started: BTreeSet<(u32, u32, u32)>,
}

impl Open {
    /// Takes a mention that shares a position with a prediction and is on another span. Predictions
    /// come in the order of their ends.
    fn take(&mut self, span: Span, taken: &HashSet<u32>) -> Option<u32> {
        while let Some((gold, index)) = self.later.pop_if(|(gold, _)| gold.start < span.end) {
            self.started.insert((gold.end, gold.start, index));
        }
        if span.is_empty() {
            return None;
        }
        let (same, after) = ((span.end, span.start, 0), (span.end, span.start, u32::MAX));
        loop {
            let mut before = self.started.range((span.start + 1, 0, 0)..same);
            let mut behind = self.started.range((Bound::Excluded(after), Bound::Unbounded));
            let found = *before.next().or_else(|| behind.next())?;
            self.started.remove(&found);
            // A mention may say several things, and be taken as one that says another.
            if !taken.contains(&found.2) {
                return Some(found.2);
            }
        }
    }
}
