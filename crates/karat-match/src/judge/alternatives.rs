//! Which mentions of a tree of alternatives are judged: the root or its parts.

use super::{Judgement, Verdicts};
use crate::scene::{Item, Side};
use crate::settings::Settings;
use karat_model::{Mention, Span, attribute};
use std::collections::{BTreeSet, HashMap};

/// Deeper trees are cut here; in published ones three mentions stand above each other at most.
const DEEPEST: usize = 200;

/// The gold mentions of a document and the parts of each.
pub(super) struct Family {
    members: Vec<Member>,
}

struct Member {
    item: Item,
    /// The member it is a part of, or itself for a part of what is not there.
    parent: Option<usize>,
    parts: Vec<usize>,
}

/// What is known of a member.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// Something was predicted for it.
    pub(super) predicted: bool,
    /// What was predicted is right.
    pub(super) right: bool,
    /// Its span widened to words.
    pub(super) wide: Span,
}

impl Family {
    /// Roots in the order of their ids, then parts.
    pub(super) fn of(side: &Side<'_>) -> Family {
        let mut items: Vec<(bool, i64, Item)> = Vec::new();
        for (is_part, items_of) in [(false, side.items.as_slice()), (true, side.below())] {
            items.extend(items_of.iter().map(|item| (is_part, number(side, item), *item)));
        }
        // Roots by id, then parts by id: the order in which ELEVANT lists its cases.
        items.sort_by_key(|&(is_part, number, item)| (is_part, number, item.index));
        let by_number: HashMap<i64, usize> =
            items.iter().enumerate().map(|(at, &(_, number, _))| (number, at)).collect();
        let by_index: HashMap<u32, usize> =
            items.iter().enumerate().map(|(at, &(_, _, item))| (item.index, at)).collect();
        let mut members: Vec<Member> = items
            .iter()
            .enumerate()
            .map(|(at, &(is_part, _, item))| {
                let place = side.mention(&item).filter(|_| is_part).and_then(|m| m.place());
                let parent = place.and_then(|place| by_index.get(&place.parent).copied());
                // A part whose parent is not in the file is its own parent. No walk from a root
                // reaches it, so it is never judged.
                let parent = if is_part { parent.or(Some(at)) } else { None };
                Member { item, parent, parts: Vec::new() }
            })
            .collect();
        for at in 0..members.len() {
            if let Some(parent) = members[at].parent.filter(|&parent| parent != at) {
                members[parent].parts.push(at);
            }
        }
        for member in &mut members {
            // A file may list more below a mention than say that they belong to it.
            if let Some(listed) = side.mention(&member.item).and_then(|m| listed(&m)) {
                member.parts = listed.iter().filter_map(|id| by_number.get(id).copied()).collect();
            }
        }
        Family { members }
    }

    /// All mentions.
    pub(super) fn members(&self) -> impl Iterator<Item = (usize, &Item)> {
        self.members.iter().enumerate().map(|(at, member)| (at, &member.item))
    }

    /// Whether a mention is part of another.
    pub(super) fn is_part(&self, at: usize) -> bool {
        self.members[at].parent.is_some()
    }

    /// Which mentions are judged by themselves.
    pub(super) fn counting(&self, found: impl Fn(&Item) -> Found) -> Vec<bool> {
        let mut walk = Walk {
            members: &self.members,
            found: self.members.iter().map(|member| found(&member.item)).collect(),
            counts: vec![false; self.members.len()],
            value: vec![None; self.members.len()],
            probed: vec![Probe::Not; self.members.len()],
            used: vec![None; self.members.len()],
        };
        for at in 0..self.members.len() {
            if self.members[at].parent.is_none() {
                walk.value(at, 0);
            }
        }
        walk.counts
    }

    /// Judges mentions by their parts where that is how they are judged.
    pub(super) fn settle(&self, settings: &Settings, judged: &mut [Judgement]) {
        for judgement in judged.iter_mut().filter(|judgement| !judgement.counts) {
            judgement.without_verdicts();
        }
        for (at, member) in self.members.iter().enumerate() {
            if member.parent.is_some() || member.parts.is_empty() {
                continue;
            }
            let below = self.below(at);
            if settings.judging.required_parts
                && judged[at].counts
                && member.item.optional
                && below.iter().any(|&part| !self.members[part].item.optional)
            {
                judged[at].with_required_parts();
            }
            if !judged[at].counts {
                let parts = || below.iter().map(|&part| &judged[part]).filter(|part| part.counts);
                let linking = [0, 1].map(|mode| union(parts().map(|part| part.linking[mode])));
                let recognition =
                    [0, 1].map(|mode| union(parts().map(|part| part.recognition[mode])));
                judged[at].linking = linking.map(whole);
                judged[at].recognition = recognition.map(whole);
                judged[at].below = Some([linking, recognition]);
            }
        }
    }

    /// All parts of a mention, and the parts of these.
    fn below(&self, root: usize) -> BTreeSet<usize> {
        let mut below = BTreeSet::new();
        let mut open = vec![root];
        while let Some(at) = open.pop() {
            for &part in &self.members[at].parts {
                // `part != root` and `insert` end the walk on circles, which hostile files have.
                if part != root && below.insert(part) {
                    open.push(part);
                }
            }
        }
        below
    }
}

fn union(verdicts: impl Iterator<Item = Verdicts>) -> Verdicts {
    verdicts.fold(Verdicts::empty(), Verdicts::union)
}

/// What a mention counts as by what its parts do: it is found if all of them are.
fn whole(parts: Verdicts) -> Verdicts {
    match parts {
        parts if parts.contains(Verdicts::MISSED) => Verdicts::MISSED,
        Verdicts::HIT => Verdicts::HIT,
        _ => Verdicts::empty(),
    }
}

/// The number that a file gave a mention, or else its place.
fn number(side: &Side<'_>, item: &Item) -> i64 {
    let id = side.mention(item).and_then(|mention| mention.attribute(attribute::ID));
    id.and_then(|id| id.parse().ok()).unwrap_or(i64::from(item.index))
}

/// The numbers of the parts that a file lists, where it does.
fn listed(mention: &Mention<'_>) -> Option<Vec<i64>> {
    let listed = mention.attribute("children")?;
    Some(listed.split(' ').filter_map(|id| id.parse().ok()).collect())
}

/// A walk through trees, from the roots down.
struct Walk<'m> {
    members: &'m [Member],
    found: Vec<Found>,
    counts: Vec<bool>,
    value: Vec<Option<bool>>,
    probed: Vec<Probe>,
    /// Of a mention all of whose parts are probed: two of those that were found.
    used: Vec<Option<[Option<usize>; 2]>>,
}

/// How far the probe of a mention has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Probe {
    Not,
    /// Until it is known, a mention that is listed below itself is not found.
    Open,
    Done(bool),
}

impl Walk<'_> {
    /// Whether a mention or something below it was found well enough to be judged in place of what is
    /// above; says on the way which mentions are judged by themselves.
    fn value(&mut self, at: usize, depth: usize) -> bool {
        if let Some(known) = self.value[at] {
            return known;
        }
        // Until it is known, a mention that is listed below itself is not found.
        self.value[at] = Some(false);
        let Found { predicted, right, .. } = self.found[at];
        if right {
            self.counts[at] = true;
            self.value[at] = Some(true);
            return true;
        }
        let below = self.below(at, depth);
        let counts = !below
            && match self.members[at].parent {
                None => true,
                Some(_) if predicted => self.is_elsewhere(at),
                Some(parent) => self.siblings_are_used(at, parent, depth),
            };
        self.counts[at] = counts;
        self.value[at] = Some(below || counts);
        below || counts
    }

    fn below(&mut self, at: usize, depth: usize) -> bool {
        let members = self.members;
        let mut any = false;
        if depth < DEEPEST {
            for &part in &members[at].parts {
                any |= self.value(part, depth + 1);
            }
        }
        any
    }

    /// The same without a look at siblings, and leaving no trace of the mention itself.
    fn probe(&mut self, at: usize, depth: usize) -> bool {
        match self.probed[at] {
            Probe::Not => {}
            Probe::Open => return false,
            Probe::Done(known) => return known,
        }
        self.probed[at] = Probe::Open;
        let Found { predicted, right, .. } = self.found[at];
        let found = right || self.below(at, depth) || (predicted && self.is_elsewhere(at));
        self.probed[at] = Probe::Done(found);
        found
    }

    /// Whether a part covers other words than what it is a part of.
    fn is_elsewhere(&self, at: usize) -> bool {
        let parent = self.members[at].parent.unwrap_or(at);
        self.found[at].wide != self.found[parent].wide
    }

    fn siblings_are_used(&mut self, at: usize, parent: usize, depth: usize) -> bool {
        let members = self.members;
        let parts = &members[parent].parts;
        // A mention may have very many parts, and each asks about all others.
        if let Some(used) = self.used[parent] {
            return used.into_iter().flatten().any(|sibling| sibling != at);
        }
        let mut any = false;
        for &sibling in parts.iter().filter(|&&sibling| sibling != at) {
            any |= self.probe(sibling, depth);
        }
        if parts.iter().all(|&part| matches!(self.probed[part], Probe::Done(_))) {
            let is_found = |part: &usize| self.probed[*part] == Probe::Done(true);
            let mut found = parts.iter().copied().filter(is_found);
            let first = found.next();
            self.used[parent] = Some([first, found.find(|&part| Some(part) != first)]);
        }
        any
    }
}
