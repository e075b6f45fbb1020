//! From any spelling to the one id, step by step.

use crate::base::KnowledgeBase;
use crate::build::Step;
use crate::image::{Image, Table};
use crate::spelling::{as_title, written};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

/// One step on the way from a spelling to an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explained {
    /// Why.
    pub step: Step,
    /// To what.
    pub id: String,
}

impl KnowledgeBase {
    /// The id that a spelling leads to, through redirects and equal ids. What an id leads to
    /// leads to itself.
    pub fn resolve<'a>(&'a self, id: &'a str) -> Cow<'a, str> {
        let start = self.settle(Cow::Borrowed(id), &mut |_, _| {});
        let next = |here: &str| {
            let there = resolve(self.image(), here);
            // Where a link leads may be known under the spelling of a title only.
            (there != here).then(|| self.settle(Cow::Owned(there.to_owned()), &mut |_, _| {}))
        };
        end_of(start, next, self.waypoints())
    }

    /// Every step on the way of [`resolve`](KnowledgeBase::resolve).
    pub fn explain(&self, id: &str) -> Vec<Explained> {
        let mut steps = Vec::new();
        let mut told = |step, id: &str| steps.push(Explained { step, id: id.to_owned() });
        let mut here = self.settle(Cow::Borrowed(id), &mut told);
        let mut passed = HashSet::from([here.to_string()]);
        while let Some((step, next)) = link(self.image(), &here) {
            told(step, next);
            here = self.settle(Cow::Borrowed(next), &mut told);
            if !passed.insert(here.to_string()) {
                told(Step::Circle, &self.resolve(id));
                break;
            }
        }
        steps
    }

    /// All spellings that lead to an id, each with the step that it starts with. Goes through all
    /// links of the base.
    pub fn spellings<'a>(&'a self, id: &'a str) -> impl Iterator<Item = (Step, &'a str)> {
        let records = self.image().records(Table::Links).filter_map(|(key, record)| {
            let (step, _) = decoded(record)?;
            std::str::from_utf8(key).ok().map(|spelling| (step, spelling))
        });
        records.filter(move |(_, spelling)| *spelling != id && self.resolve(spelling) == id)
    }

    /// The spelling of an id that the base knows, if it knows any.
    fn settle<'a>(&self, id: Cow<'a, str>, told: &mut dyn FnMut(Step, &str)) -> Cow<'a, str> {
        let plain = match written(&id) {
            Cow::Borrowed(same) if same.len() == id.len() => id,
            plain => {
                told(Step::Spelling, &plain);
                Cow::Owned(plain.into_owned())
            }
        };
        if self.knows_exactly(&plain) {
            return plain;
        }
        let title = as_title(&plain);
        if title == plain || !self.knows_exactly(&title) {
            return plain;
        }
        told(Step::Title, &title);
        Cow::Owned(title.into_owned())
    }

    fn knows_exactly(&self, id: &str) -> bool {
        let has = |table| self.image().get(table, id.as_bytes()).is_some();
        has(Table::Entities) || has(Table::Links)
    }
}

/// Follows links from a spelling to the last one.
pub(crate) fn resolve<'a>(image: &'a Image, id: &'a str) -> &'a str {
    end_of(id, |here| link(image, here).map(|(_, next)| next), image.waypoints())
}

/// Where steps from an id end. Those that lead in a circle end at the smallest of the circle,
/// from wherever they start.
fn end_of<T>(start: T, next: impl Fn(&str) -> Option<T>, waypoints: &Waypoints) -> T
where
    T: Clone + AsRef<str>,
{
    // Brent's search for circles: a mark that moves on after 1, 2, 4, ... steps.
    let (mut mark, mut patience) = (start.clone(), 1);
    let (mut here, mut gate, mut steps) = (start, None, 0u64);
    let mut way = Vec::new();
    while let Some(there) = next(here.as_ref()) {
        if there.as_ref() == mark.as_ref() {
            let (before, smallest) = smallest_of_circle(here, there, &next);
            (gate, here) = (Some(before), smallest);
            break;
        }
        steps += 1;
        // Short ways, nearly all, take no lock and remember nothing.
        if steps >= STRIDE {
            if let Some(gate) = waypoints.gate(here.as_ref())
                && let Some(end) = next(&gate)
            {
                waypoints.learn(&way, &gate);
                return end;
            }
            if steps.is_multiple_of(STRIDE) {
                way.push(here.clone());
            }
        }
        gate = Some(std::mem::replace(&mut here, there));
        if steps == patience {
            (mark, patience) = (here.clone(), patience * 2);
        }
    }
    if let Some(gate) = gate {
        waypoints.learn(&way, gate.as_ref());
    }
    here
}

/// The smallest id of a circle, and the one before it. `last` leads to `first`.
fn smallest_of_circle<T>(last: T, first: T, next: impl Fn(&str) -> Option<T>) -> (T, T)
where
    T: Clone + AsRef<str>,
{
    let mut found = (last, first.clone());
    let mut here = first.clone();
    while let Some(there) = next(here.as_ref()).filter(|there| there.as_ref() != first.as_ref()) {
        if there.as_ref() < found.1.as_ref() {
            found = (here, there.clone());
        }
        here = there;
    }
    found
}

/// A way with more steps than this is long.
const STRIDE: u64 = 16;

/// What is remembered of long ways, so that going all of them takes as long as going one: for
/// some ids on the way, the last id before its end.
#[derive(Debug, Default)]
pub(crate) struct Waypoints {
    gates: Mutex<HashMap<String, String>>,
}

impl Waypoints {
    fn gate(&self, id: &str) -> Option<String> {
        self.gates.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    fn learn<T: AsRef<str>>(&self, way: &[T], gate: &str) {
        if way.is_empty() {
            return;
        }
        let mut gates = self.gates.lock().unwrap_or_else(PoisonError::into_inner);
        gates.extend(way.iter().map(|id| (id.as_ref().to_owned(), gate.to_owned())));
    }
}

fn link<'a>(image: &'a Image, id: &str) -> Option<(Step, &'a str)> {
    decoded(image.get(Table::Links, id.as_bytes())?.1)
}

fn decoded(record: &[u8]) -> Option<(Step, &str)> {
    let (&code, target) = record.split_first()?;
    Step::from_code(code).zip(std::str::from_utf8(target).ok())
}
