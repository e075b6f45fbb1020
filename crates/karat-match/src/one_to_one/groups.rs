//! What may compete, found without looking at pairs.

use super::Task;
use crate::candidates::Class;
use crate::scene::Item;
use crate::settings::Spans;
use karat_model::Span;
use std::collections::{BTreeMap, HashMap};

/// Gold and predictions that may compete with each other, directly or through others.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// Places of gold among the chosen.
    pub(super) units: Vec<usize>,
    /// Positions in the scene, in order.
    pub(super) predictions: Vec<u32>,
}

/// Divides a document: two that say the same and lie in one stretch of touching mentions are in one group. That
/// is coarser than it need be, and takes no more time than to sort.
pub(super) fn groups(task: &Task<'_, '_>) -> Vec<Group> {
    let Task { matcher, scene, chosen, .. } = *task;
    let gold = chosen.gold.len() + scene.gold.below().len();
    if gold.saturating_mul(chosen.system.len()) <= task.most_pairs {
        let units = (0..chosen.gold.len()).collect();
        return vec![Group { units, predictions: chosen.system.clone() }];
    }
    let stretches = Stretches::of(task);
    let (mut tokens, mut classes) = (Tokens::default(), Vec::new());
    let mut of_unit = Vec::with_capacity(chosen.gold.len());
    for unit in 0..chosen.gold.len() {
        let mut keys = Vec::new();
        for item in task.members(unit) {
            matcher.classes_of_gold(scene, item, &mut classes);
            let stretch = stretches.of_span(item.span);
            keys.extend(classes.drain(..).map(|class| (stretch, class)));
        }
        of_unit.push(tokens.united(keys));
    }
    let mut of_prediction = Vec::with_capacity(chosen.system.len());
    for &at in &chosen.system {
        let item = &scene.system.items[at as usize];
        matcher.classes(&scene.system, item, &mut classes);
        let stretch = stretches.of_span(item.span);
        of_prediction.push(tokens.united(classes.drain(..).map(|class| (stretch, class))));
    }
    let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
    for (unit, token) in of_unit.into_iter().enumerate() {
        if let Some(token) = token {
            groups.entry(tokens.leader(token)).or_default().units.push(unit);
        }
    }
    for (&at, token) in chosen.system.iter().zip(of_prediction) {
        if let Some(group) = token.and_then(|token| groups.get_mut(&tokens.leader(token))) {
            group.predictions.push(at);
        }
    }
    groups.into_values().filter(|group| !group.predictions.is_empty()).collect()
}

/// Where stretches of mentions that touch each other begin.
struct Stretches(Vec<u32>);

impl Stretches {
    fn of(task: &Task<'_, '_>) -> Stretches {
        let Task { matcher, scene, chosen, .. } = *task;
        let apart = match matcher.spans() {
            Spans::Overlap | Spans::Containment | Spans::AtLeast(_) => 0,
            Spans::Near(most) => most,
            // What fits is equal in something, wherever it is.
            Spans::Exact | Spans::Expanded | Spans::Anywhere | Spans::Length => {
                return Stretches(Vec::new());
            }
        };
        let gold = (0..chosen.gold.len()).flat_map(|unit| task.members(unit)).map(|it| it.span);
        let system = chosen.system.iter().map(|&at| scene.system.items[at as usize].span);
        let mut spans: Vec<Span> = gold.chain(system).collect();
        spans.sort_unstable();
        let (mut starts, mut reach) = (Vec::new(), None);
        for span in spans {
            if reach.is_none_or(|reach| span.start > reach) {
                starts.push(span.start);
            }
            reach = reach.max(Some(span.end.saturating_add(apart)));
        }
        Stretches(starts)
    }

    fn of_span(&self, span: Span) -> usize {
        self.0.partition_point(|&start| start <= span.start)
    }
}

/// What is said in which stretch, and what belongs together.
#[derive(Default)]
struct Tokens {
    known: HashMap<(usize, Class), usize>,
    leaders: Vec<usize>,
}

impl Tokens {
    /// One of some tokens, which are one from now on.
    fn united(&mut self, keys: impl IntoIterator<Item = (usize, Class)>) -> Option<usize> {
        let mut united = None;
        for key in keys {
            let new = self.leaders.len();
            let token = *self.known.entry(key).or_insert(new);
            if token == new {
                self.leaders.push(new);
            }
            let (leader, other) = (self.leader(token), self.leader(united.unwrap_or(token)));
            self.leaders[leader.max(other)] = leader.min(other);
            united = Some(token);
        }
        united
    }

    fn leader(&mut self, mut token: usize) -> usize {
        while self.leaders[token] != token {
            self.leaders[token] = self.leaders[self.leaders[token]];
            token = self.leaders[token];
        }
        token
    }
}

impl Task<'_, '_> {
    /// A gold item and the parts of its readings.
    pub(super) fn members(&self, unit: usize) -> impl Iterator<Item = &Item> {
        let item = &self.scene.gold.items[self.chosen.gold[unit] as usize];
        std::iter::once(item).chain(self.scene.gold.readings(item).flatten())
    }
}
