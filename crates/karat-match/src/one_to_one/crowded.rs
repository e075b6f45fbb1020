//! The assignment where so many pairs compete that they cannot be listed.
//!
//! As many pairs as possible, first with the predictions that would be held against the system, then with all:
//! what is matched stays matched while a matching grows, so that the second step takes nothing back from the first.
//! Mentions with the nearest ends are paired first, which is already the best there is where spans need only
//! overlap; then matchings grow along shortest paths (Hopcroft and Karp 1973). Who may go with whom is asked
//! of an index, so that each round looks at every prediction once: about n log n, for at most some sqrt(n) rounds.

use super::groups::Group;
use super::{Task, reads_in_parts};
use crate::candidates::{Class, Fit};
use crate::scene::Item;
use crate::span_index::{SpanEntry, SpanIndex};
use karat_model::Span;
use std::collections::BTreeMap;

/// Who goes with whom, in numbers of the group.
pub(super) struct Crowd<'t, 's, 'a> {
    task: &'t Task<'s, 'a>,
    group: &'t Group,
    /// In the order of their ends; so is all that has a number of a prediction.
    predictions: Vec<u32>,
    /// What predictions say.
    says: Vec<(Class, u32)>,
    /// What would find a unit, one prediction at a time: the item itself, and readings of one part.
    asks: Vec<Vec<(Class, Span)>>,
    of_unit: Vec<Option<u32>>,
    of_prediction: Vec<Option<u32>>,
}

/// The layer in which predictions are that no path has come to.
const NOWHERE: u32 = u32::MAX;
/// So many predictions on its very span are tried for a mention.
const TRIES: usize = 8;

/// For each unit that is found its predictions.
pub(super) fn assigned(task: &Task<'_, '_>, group: &Group) -> Vec<(usize, Vec<u32>)> {
    let mut crowd = Crowd::new(task, group);
    let costly = |crowd: &Crowd<'_, '_, '_>, number: u32| {
        crowd.task.costly[crowd.predictions[number as usize] as usize]
    };
    for only_costly in [true, false] {
        let all = 0..crowd.predictions.len() as u32;
        let allowed: Vec<u32> = all.filter(|&it| !only_costly || costly(&crowd, it)).collect();
        crowd.pair_by_ends(&allowed);
        while crowd.grow(&allowed) {}
    }
    crowd.move_closer();
    let mut found = crowd.found();
    found.extend(crowd.found_in_parts());
    found
}

impl<'t, 's, 'a> Crowd<'t, 's, 'a> {
    fn new(task: &'t Task<'s, 'a>, group: &'t Group) -> Crowd<'t, 's, 'a> {
        let Task { matcher, scene, .. } = *task;
        let item = |at: u32| &scene.system.items[at as usize];
        let mut predictions = group.predictions.clone();
        predictions.sort_by_key(|&at| (item(at).span.end, item(at).span.start, at));
        let (mut says, mut classes) = (Vec::new(), Vec::new());
        for (number, &at) in predictions.iter().enumerate() {
            matcher.classes(&scene.system, item(at), &mut classes);
            says.extend(classes.drain(..).map(|class| (class, number as u32)));
        }
        let asks = group.units.iter().map(|&unit| {
            let mut asks = Vec::new();
            for item in task.single_items(unit) {
                matcher.classes_of_gold(scene, item, &mut classes);
                asks.extend(classes.drain(..).map(|class| (class, item.span)));
            }
            asks
        });
        let asks = asks.collect();
        let (of_unit, of_prediction) =
            (vec![None; group.units.len()], vec![None; predictions.len()]);
        Crowd { task, group, predictions, says, asks, of_unit, of_prediction }
    }

    fn span(&self, prediction: u32) -> Span {
        self.task.scene.system.items[self.predictions[prediction as usize] as usize].span
    }

    fn root(&self, unit: u32) -> &'s Item {
        let at = self.task.chosen.gold[self.group.units[unit as usize]];
        &self.task.scene.gold.items[at as usize]
    }

    fn fit(&self, asked: Span) -> Fit {
        Fit { spans: self.task.matcher.spans(), asked, by_gold: true }
    }

    /// Predictions by layer and by what they say; those of no layer are left out.
    fn index(&self, layer: impl Fn(u32) -> u32) -> SpanIndex<(u32, Class)> {
        let in_layers = self.says.iter().filter(|(_, number)| layer(*number) != NOWHERE);
        let entry = |&(class, item): &(Class, u32)| {
            ((layer(item), class), SpanEntry { span: self.span(item), item, rank: item })
        };
        SpanIndex::new(in_layers.map(entry).collect())
    }

    /// The prediction of a layer with the nearest end that would find a unit.
    fn first(&self, index: &SpanIndex<(u32, Class)>, layer: u32, unit: u32) -> Option<u32> {
        let asks = self.asks[unit as usize].iter();
        let found =
            asks.filter_map(|&(class, asked)| index.first((layer, class), &self.fit(asked)));
        found.min().map(|(_, prediction)| prediction)
    }

    fn give(&mut self, unit: u32, prediction: u32) {
        self.of_unit[unit as usize] = Some(prediction);
        self.of_prediction[prediction as usize] = Some(unit);
    }

    fn free_units(&self) -> Vec<u32> {
        let free = |unit: &u32| self.of_unit[*unit as usize].is_none();
        (0..self.of_unit.len() as u32).filter(free).collect()
    }

    /// Only these of the predictions, in the first layer.
    fn index_of(&self, allowed: impl Iterator<Item = u32>) -> SpanIndex<(u32, Class)> {
        let mut layers = vec![NOWHERE; self.predictions.len()];
        allowed.for_each(|number| layers[number as usize] = 0);
        self.index(|number| layers[number as usize])
    }

    /// Units in the order of their ends take what ends first. Whoever comes later may have all that begins
    /// before it, so what ends first is what it is the least likely to need.
    fn pair_by_ends(&mut self, allowed: &[u32]) {
        let is_free = |number: &u32| self.of_prediction[*number as usize].is_none();
        let mut index = self.index_of(allowed.iter().copied().filter(is_free));
        let mut units = self.free_units();
        units.sort_by_key(|&unit| (self.root(unit).span.end, self.root(unit).span.start, unit));
        for unit in units {
            if let Some(prediction) = self.first(&index, 0, unit) {
                index.remove(prediction);
                self.give(unit, prediction);
            }
        }
    }

    /// Finds more units along shortest paths; returns whether there was a path.
    fn grow(&mut self, allowed: &[u32]) -> bool {
        let (mut layers, mut layer) = (vec![NOWHERE; self.predictions.len()], 0);
        let mut open = self.index_of(allowed.iter().copied());
        let (mut reached, mut front, mut found) = (Vec::new(), self.free_units(), false);
        while !front.is_empty() && !found {
            for unit in std::mem::take(&mut front) {
                for &(class, asked) in &self.asks[unit as usize] {
                    open.each((0, class), &self.fit(asked), &mut reached);
                }
                reached.sort_unstable();
                reached.dedup();
                for prediction in reached.drain(..) {
                    open.remove(prediction);
                    layers[prediction as usize] = layer;
                    match self.of_prediction[prediction as usize] {
                        Some(owner) => front.push(owner),
                        None => found = true,
                    }
                }
            }
            layer += 1;
        }
        if !found {
            return false;
        }
        // In the last layer only what is free ends a path.
        let last = layer - 1;
        let leads_on = |number: u32| self.of_prediction[number as usize].is_none();
        let mut index = self.index(|number| match layers[number as usize] {
            layer if layer == last && !leads_on(number) => NOWHERE,
            layer => layer,
        });
        for unit in self.free_units() {
            self.follow(unit, &mut index);
        }
        true
    }

    /// Follows the layers from a unit to a free prediction, and moves everybody on the way.
    fn follow(&mut self, unit: u32, index: &mut SpanIndex<(u32, Class)>) {
        let (mut units, mut taken) = (vec![unit], Vec::new());
        while let Some(&unit) = units.last() {
            let layer = units.len() as u32 - 1;
            let Some(prediction) = self.first(index, layer, unit) else {
                units.pop();
                taken.pop();
                continue;
            };
            // Wherever it leads, nobody has to look at it again in this round.
            index.remove(prediction);
            taken.push(prediction);
            match self.of_prediction[prediction as usize] {
                Some(owner) => units.push(owner),
                None => {
                    for (unit, prediction) in units.into_iter().zip(taken) {
                        self.give(unit, prediction);
                    }
                    return;
                }
            }
        }
    }

    /// Puts mentions on their very spans where two can exchange what they have.
    fn move_closer(&mut self) {
        let mut on_spans: BTreeMap<(Class, Span), [Vec<u32>; 2]> = BTreeMap::new();
        for (unit, asks) in self.asks.iter().enumerate() {
            let own = asks.iter().filter(|(_, span)| *span == self.root(unit as u32).span);
            for &key in own {
                on_spans.entry(key).or_default()[0].push(unit as u32);
            }
        }
        for &(class, prediction) in &self.says {
            if let Some([_, predictions]) = on_spans.get_mut(&(class, self.span(prediction))) {
                predictions.push(prediction);
            }
        }
        for ((_, span), [units, predictions]) in on_spans {
            let mut left = predictions.into_iter();
            for unit in units {
                if self.of_unit[unit as usize].is_some_and(|had| self.span(had) == span) {
                    continue;
                }
                let settled = |crowd: &Self, prediction: u32| {
                    let owner = crowd.of_prediction[prediction as usize];
                    owner.is_some_and(|owner| crowd.root(owner).span == span)
                };
                for prediction in left.by_ref().take(TRIES) {
                    // Empty spans do not overlap themselves.
                    let fits = self.would_find(unit, prediction);
                    if fits && !settled(self, prediction) && self.exchange(unit, prediction) {
                        break;
                    }
                }
            }
        }
    }

    /// Gives a unit this prediction if nobody and nothing is lost by it.
    fn exchange(&mut self, unit: u32, prediction: u32) -> bool {
        let costly = |number: u32| self.task.costly[self.predictions[number as usize] as usize];
        let (had, owner) = (self.of_unit[unit as usize], self.of_prediction[prediction as usize]);
        match (owner, had) {
            (Some(owner), Some(had)) if self.would_find(owner, had) => self.give(owner, had),
            (None, Some(had)) if costly(prediction) || !costly(had) => {
                self.of_prediction[had as usize] = None;
            }
            (Some(owner), None) => self.of_unit[owner as usize] = None,
            _ => return false,
        }
        self.give(unit, prediction);
        true
    }

    fn would_find(&self, unit: u32, prediction: u32) -> bool {
        let Task { matcher, scene, .. } = *self.task;
        let item = &scene.system.items[self.predictions[prediction as usize] as usize];
        let mut ways = self.task.single_items(self.group.units[unit as usize]);
        ways.any(|way| matcher.agree(scene, way, item))
    }

    fn found(&self) -> Vec<(usize, Vec<u32>)> {
        let pair = |(unit, number): (&usize, &Option<u32>)| {
            Some((*unit, vec![self.predictions[(*number)? as usize]]))
        };
        self.group.units.iter().zip(&self.of_unit).filter_map(pair).collect()
    }

    /// Gold that is not found yet, by readings of several parts, with what is left.
    fn found_in_parts(&self) -> Vec<(usize, Vec<u32>)> {
        let Task { matcher, scene, .. } = *self.task;
        let free = (0..self.predictions.len() as u32)
            .filter(|&number| self.of_prediction[number as usize].is_none());
        let mut index = self.index_of(free);
        let (mut found, mut classes) = (Vec::new(), Vec::new());
        for unit in self.free_units() {
            let readings = scene.gold.readings(self.root(unit)).filter(reads_in_parts);
            for parts in readings {
                let mut taken: Vec<u32> = Vec::with_capacity(parts.len());
                for part in parts {
                    matcher.classes_of_gold(scene, part, &mut classes);
                    let fit = self.fit(part.span);
                    let of_class = |class| index.first((0, class), &fit);
                    let Some((_, first)) = classes.drain(..).filter_map(of_class).min() else {
                        break;
                    };
                    index.remove(first);
                    taken.push(first);
                }
                if taken.len() == parts.len() {
                    let mut positions: Vec<u32> =
                        taken.iter().map(|&number| self.predictions[number as usize]).collect();
                    positions.sort_unstable();
                    found.push((self.group.units[unit as usize], positions));
                    break;
                }
                taken.iter().for_each(|&number| index.put_back(number, number));
            }
        }
        found
    }
}
