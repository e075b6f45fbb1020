//! The best one-to-one assignment, alternatives included.
//!
//! Gold mentions and predictions form a graph: a prediction belongs to every
//! mention that it could be part of a found reading of. Its connected parts are
//! solved one by one. Where each reading is a single mention this is the
//! assignment problem; where a reading has several parts, which must all be
//! found, it is a search over the few mentions that have such readings.

mod crowded;
mod groups;

use crate::assignment::{Edge, assign};
use crate::candidates::Candidates;
use crate::cases::{Case, Chosen, Matcher};
use crate::scene::{Item, Scene};
use groups::{Group, groups};
use std::collections::{BTreeMap, BTreeSet};

/// All cases under the assignment that finds the most gold, then leaves the fewest predictions
/// to be held against the system, then is the closest to gold.
pub(crate) fn cases(matcher: &Matcher<'_>, scene: &Scene<'_>, chosen: &Chosen) -> Vec<Case> {
    let found = Task::new(matcher, scene, chosen).found();
    let mut used = BTreeSet::new();
    let mut cases = Vec::with_capacity(chosen.gold.len() + chosen.system.len());
    for (unit, &gold) in chosen.gold.iter().enumerate() {
        match found.get(&unit).and_then(|predictions| predictions.split_first()) {
            Some((&first, others)) => {
                cases.push(Case::hit(gold, first));
                used.insert(first);
                for &other in others {
                    cases.push(Case::ignored_part(gold, other));
                    used.insert(other);
                }
            }
            None => cases.push(Case::missed(gold)),
        }
    }
    let left = chosen.system.iter().filter(|at| !used.contains(at));
    cases.extend(left.map(|&at| Case::extra(at)));
    cases
}

/// One way to find a gold mention: these predictions, one for each part.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Choice {
    predictions: Vec<u32>,
    closeness: Closeness,
    /// How many of the predictions would otherwise be held against the system; those that
    /// agree with optional gold would not.
    saved: usize,
}

/// How close to gold a choice is, the closest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Closeness {
    /// Not on the spans of gold.
    Near,
    /// An alternative, on the spans of its parts.
    Alternative,
    /// The mention itself, on its very span.
    Itself,
}

/// If no more pairs than these compete with each other, the best of all assignments is looked for; otherwise they
/// are not listed, and how close pairs are to gold has less of a say.
const MOST_PAIRS: usize = 1 << 18;

/// A document whose gold is to be found.
struct Task<'t, 'a> {
    matcher: &'t Matcher<'t>,
    scene: &'t Scene<'a>,
    chosen: &'t Chosen,
    /// By position in the scene, whether a prediction would be held against the system if nothing took it.
    costly: Vec<bool>,
    /// How many pairs of a group are listed.
    most_pairs: usize,
}

/// Whether a reading needs several predictions.
fn reads_in_parts(parts: &&[Item]) -> bool {
    parts.len() > 1
}

impl<'t, 'a> Task<'t, 'a> {
    fn new(matcher: &'t Matcher<'t>, scene: &'t Scene<'a>, chosen: &'t Chosen) -> Task<'t, 'a> {
        let mut costly = vec![false; scene.system.items.len()];
        for &at in &chosen.system {
            costly[at as usize] = matcher.forgiving(scene, chosen, at).is_none();
        }
        Task { matcher, scene, chosen, costly, most_pairs: MOST_PAIRS }
    }

    /// The predictions of each chosen gold mention that can be found.
    fn found(&self) -> BTreeMap<usize, Vec<u32>> {
        let mut candidates = Candidates::new(self.matcher, self.scene, &self.chosen.system);
        let mut found = BTreeMap::new();
        for group in groups(self) {
            if self.has_few_pairs(&group, &mut candidates) {
                let options = self.options(&group.units, &mut candidates);
                let best = solve(&options).into_iter();
                found.extend(best.map(|(at, choice)| (group.units[at], choice.predictions)));
            } else {
                found.extend(crowded::assigned(self, &group));
            }
        }
        found
    }

    /// Whether the pairs of a group can be listed. If there are many, most of them are not looked at.
    fn has_few_pairs(&self, group: &Group, candidates: &mut Candidates<'_, '_>) -> bool {
        if group.units.len().saturating_mul(group.predictions.len()) <= self.most_pairs {
            return true;
        }
        let mut pairs = 0;
        let items = group.units.iter().flat_map(|&unit| self.members(unit));
        items.map(|item| candidates.each(item).len()).all(|count| {
            pairs += count;
            pairs <= self.most_pairs
        })
    }

    /// For each of these units the ways in which it could be found.
    fn options(&self, units: &[usize], candidates: &mut Candidates<'_, '_>) -> Vec<Vec<Choice>> {
        units.iter().map(|&unit| self.ways(unit, candidates)).collect()
    }

    fn ways(&self, unit: usize, candidates: &mut Candidates<'_, '_>) -> Vec<Choice> {
        let item = &self.scene.gold.items[self.chosen.gold[unit] as usize];
        let itself = candidates.each(item).into_iter();
        let own = std::slice::from_ref(item);
        let mut ways: Vec<Choice> =
            itself.map(|met| self.choice(own, vec![met], Closeness::Itself)).collect();
        let mut in_parts: Vec<Choice> = Vec::new();
        for parts in self.scene.gold.readings(item) {
            let fitting = parts.iter().map(|part| candidates.each(part)).collect();
            let found = whole(fitting).into_iter();
            in_parts.extend(found.map(|way| self.choice(parts, way, Closeness::Alternative)));
        }
        // By where predictions are: gold may list readings, and their parts, in any order.
        in_parts.sort_unstable_by(|a, b| {
            a.predictions.cmp(&b.predictions).then(b.closeness.cmp(&a.closeness))
        });
        ways.extend(in_parts);
        ways
    }

    fn choice(&self, parts: &[Item], predictions: Vec<u32>, closest: Closeness) -> Choice {
        let is_exact = |&at: &u32| {
            let span = self.scene.system.items[at as usize].span;
            parts.iter().any(|part| part.span == span)
        };
        let exact = predictions.iter().all(is_exact);
        let saved = predictions.iter().filter(|&&at| self.costly[at as usize]).count();
        Choice { closeness: if exact { closest } else { Closeness::Near }, predictions, saved }
    }

    /// A gold item, and the readings of it that one prediction finds.
    fn single_items(&self, unit: usize) -> impl Iterator<Item = &'t Item> + use<'t, 'a> {
        let item = &self.scene.gold.items[self.chosen.gold[unit] as usize];
        let single = |parts: &'t [Item]| match parts {
            [part] => Some(part),
            _ => None,
        };
        std::iter::once(item).chain(self.scene.gold.readings(item).filter_map(single))
    }
}

/// The ways to find all parts of a reading, each with a prediction of its own.
fn whole(parts: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    // A part has several fitting predictions only where predictions repeat each other, so a few
    // ways through them are as good as all. All of them would be a product over the parts.
    const MOST_WAYS: usize = 16;
    let mut ways: Vec<Vec<u32>> = vec![Vec::new()];
    for fitting in parts {
        let extended = ways.iter().flat_map(|way| {
            let free = fitting.iter().filter(|at| !way.contains(at));
            free.map(|&at| [way.as_slice(), &[at]].concat())
        });
        ways = extended.take(MOST_WAYS).collect();
    }
    ways.retain(|way| !way.is_empty());
    ways.iter_mut().for_each(|way| way.sort_unstable());
    ways
}

/// How many units with readings of several parts are searched together: the search is as deep.
const MOST_COMPOSITE: usize = 32;

/// The best choice for each unit that can be found.
fn solve(options: &[Vec<Choice>]) -> BTreeMap<usize, Choice> {
    let mut found = BTreeMap::new();
    for component in components(options) {
        match component.as_slice() {
            &[unit] => {
                let best = options[unit].iter().max_by_key(|choice| worth(choice));
                found.extend(best.map(|choice| (unit, choice.clone())));
            }
            members => {
                let several = |&unit: &usize| options[unit].iter().any(|c| c.predictions.len() > 1);
                let (composite, simple): (Vec<usize>, Vec<usize>) =
                    members.iter().copied().partition(several);
                // Mentions beyond the limit are found through single predictions only, which the assignment solves exactly.
                let (searched, rest) = composite.split_at(composite.len().min(MOST_COMPOSITE));
                let simple = [&simple, rest].concat();
                found.extend(Search::new(options, searched, &simple).best());
            }
        }
    }
    found
}

/// The fewer predictions are held against the system the better, then the closer to gold.
fn worth(choice: &Choice) -> (usize, Closeness, std::cmp::Reverse<&[u32]>) {
    (choice.saved, choice.closeness, std::cmp::Reverse(choice.predictions.as_slice()))
}

/// Units that compete for predictions, directly or through others.
fn components(options: &[Vec<Choice>]) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..options.len()).collect();
    fn find(leader: &mut [usize], mut unit: usize) -> usize {
        while leader[unit] != unit {
            leader[unit] = leader[leader[unit]];
            unit = leader[unit];
        }
        unit
    }
    let mut owner: BTreeMap<u32, usize> = BTreeMap::new();
    for (unit, choices) in options.iter().enumerate() {
        for &prediction in choices.iter().flat_map(|choice| &choice.predictions) {
            let other = *owner.entry(prediction).or_insert(unit);
            let (a, b) = (find(&mut leader, unit), find(&mut leader, other));
            // The smaller index leads, so components come out in the order of gold.
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for unit in (0..options.len()).filter(|&unit| !options[unit].is_empty()) {
        members.entry(find(&mut leader, unit)).or_default().push(unit);
    }
    members.into_values().collect()
}

/// Tries every combination of choices of the units with composite readings, and
/// assigns the others what is left.
struct Search<'o> {
    options: &'o [Vec<Choice>],
    composite: &'o [usize],
    simple: &'o [usize],
    best: (Score, BTreeMap<usize, Choice>),
    tries: usize,
}

/// Units found, predictions not held against the system, and how close to gold all of it is.
type Score = (usize, usize, usize);

impl<'o> Search<'o> {
    /// Corpora have two or three such units side by side; beyond this many tries
    /// the best so far must do.
    const MOST_TRIES: usize = 4096;

    fn new(options: &'o [Vec<Choice>], composite: &'o [usize], simple: &'o [usize]) -> Self {
        Search { options, composite, simple, best: Default::default(), tries: 0 }
    }

    fn best(mut self) -> BTreeMap<usize, Choice> {
        self.choose(0, &mut BTreeMap::new());
        self.best.1
    }

    fn choose(&mut self, depth: usize, taken: &mut BTreeMap<usize, Choice>) {
        let Some(&unit) = self.composite.get(depth) else { return self.finish(taken) };
        for choice in &self.options[unit] {
            if self.tries >= Self::MOST_TRIES {
                return;
            }
            // Linear in what is taken, but that is at most `MOST_COMPOSITE` units.
            let used = |at: &u32| taken.values().any(|other| other.predictions.contains(at));
            if !choice.predictions.iter().any(used) {
                taken.insert(unit, choice.clone());
                self.choose(depth + 1, taken);
                taken.remove(&unit);
            }
        }
        if self.tries < Self::MOST_TRIES {
            self.choose(depth + 1, taken);
        }
    }

    fn finish(&mut self, taken: &BTreeMap<usize, Choice>) {
        self.tries += 1;
        let mut all = taken.clone();
        all.extend(assign_simple(self.options, self.simple, taken));
        let saved = all.values().map(|choice| choice.saved).sum();
        let closeness = all.values().map(|choice| choice.closeness as usize).sum();
        let score = (all.len(), saved, closeness);
        // `>` and not `>=`: among equal scores the first wins, and the order of choices is fixed by
        // where predictions are. The result is deterministic.
        if score > self.best.0 {
            self.best = (score, all);
        }
    }
}

/// The assignment problem: each unit gets one of its predictions.
fn assign_simple(
    options: &[Vec<Choice>],
    units: &[usize],
    taken: &BTreeMap<usize, Choice>,
) -> Vec<(usize, Choice)> {
    let used: BTreeSet<u32> =
        taken.values().flat_map(|choice| choice.predictions.clone()).collect();
    // Finding one more unit outweighs whatever is saved, and that how close all others are.
    let saved_weight = units.len() as f64 * f64::from(Closeness::Itself as u8) + 1.0;
    let unit_weight = saved_weight * (units.len() as f64 + 1.0);
    // Columns are numbered within the component: a document may have many.
    let mut columns: Vec<u32> = units
        .iter()
        .flat_map(|&unit| &options[unit])
        .flat_map(|choice| choice.predictions.iter().copied())
        .collect();
    columns.sort_unstable();
    columns.dedup();
    let mut edges = Vec::new();
    for (row, &unit) in units.iter().enumerate() {
        for choice in &options[unit] {
            if let &[prediction] = choice.predictions.as_slice()
                && !used.contains(&prediction)
                && let Ok(column) = columns.binary_search(&prediction)
            {
                let saved = saved_weight * choice.saved as f64;
                let weight = unit_weight + saved + f64::from(choice.closeness as u8);
                edges.push(Edge { row: row as u32, column: column as u32, weight });
            }
        }
    }
    let assigned = assign(units.len(), columns.len(), &edges);
    let choice = |unit: usize, column: u32| {
        let taken = |choice: &&Choice| choice.predictions == [columns[column as usize]];
        // Several may be by this prediction: the best of them had the weight that won.
        Some((unit, options[unit].iter().filter(taken).max_by_key(|choice| worth(choice))?.clone()))
    };
    units.iter().zip(assigned).filter_map(|(&unit, column)| choice(unit, column?)).collect()
}

#[cfg(test)]
mod crowded_tests;

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(predictions: &[u32], closeness: Closeness) -> Choice {
        Choice { predictions: predictions.to_vec(), closeness, saved: predictions.len() }
    }

    /// Where spans may overlap, a prediction may be near a mention and on the span of its alternative.
    #[test]
    fn what_is_found_by_a_prediction_in_several_ways_is_as_close_as_the_best_of_them() {
        let in_parts = vec![choice(&[0, 2], Closeness::Near), choice(&[1, 2], Closeness::Near)];
        let simple = vec![
            choice(&[0], Closeness::Near),
            choice(&[1], Closeness::Near),
            choice(&[0], Closeness::Alternative),
        ];
        let found = solve(&[in_parts.clone(), simple.clone()]);
        assert_eq!(found, BTreeMap::from([(0, in_parts[1].clone()), (1, simple[2].clone())]));
    }
}
