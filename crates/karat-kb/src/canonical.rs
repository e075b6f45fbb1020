//! From any spelling to the one id, step by step.

use crate::base::KnowledgeBase;
use crate::build::Step;
use crate::image::{Image, Table};
use crate::spelling::{as_title, written};
use std::borrow::Cow;

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
        self.follow(id, &mut |_, _| {})
    }

    /// Every step on the way of [`resolve`](KnowledgeBase::resolve).
    pub fn explain(&self, id: &str) -> Vec<Explained> {
        let mut steps = Vec::new();
        self.follow(id, &mut |step, id: &str| steps.push(Explained { step, id: id.to_owned() }));
        steps
    }

    fn follow<'a>(&'a self, id: &'a str, told: &mut dyn FnMut(Step, &str)) -> Cow<'a, str> {
        let mut here = self.settle(Cow::Borrowed(id), told);
        let mut passed: Vec<String> = Vec::new();
        loop {
            let there = resolve(self.image(), &here, told);
            if there == here {
                return here;
            }
            // Where a link leads may be known under the spelling of a title only.
            let there = self.settle(Cow::Owned(there.to_owned()), told);
            passed.push(here.into_owned());
            if let Some(start) = passed.iter().position(|id| *id == there) {
                let smallest = passed[start..].iter().min().cloned().unwrap_or_default();
                return Cow::Owned(smallest);
            }
            here = there;
        }
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

/// Follows links from a spelling to the last one. Those that lead in a circle end at the
/// smallest of the circle, from wherever they start.
pub(crate) fn resolve<'a>(
    image: &'a Image,
    id: &'a str,
    told: &mut dyn FnMut(Step, &str),
) -> &'a str {
    // Brent's search for circles: a mark that moves on after 1, 2, 4, ... steps.
    let (mut mark, mut here) = (id, id);
    let (mut steps, mut patience) = (0u64, 1);
    while let Some((step, next)) = link(image, here) {
        if next == mark {
            return smallest_of_circle(image, next);
        }
        told(step, next);
        here = next;
        steps += 1;
        if steps == patience {
            (mark, steps, patience) = (here, 0, patience * 2);
        }
    }
    here
}

fn smallest_of_circle<'a>(image: &'a Image, start: &'a str) -> &'a str {
    let (mut smallest, mut here) = (start, start);
    while let Some((_, next)) = link(image, here).filter(|(_, next)| *next != start) {
        smallest = smallest.min(next);
        here = next;
    }
    smallest
}

fn link<'a>(image: &'a Image, id: &str) -> Option<(Step, &'a str)> {
    let (_, record) = image.get(Table::Links, id.as_bytes())?;
    let (&code, target) = record.split_first()?;
    Step::from_code(code).zip(std::str::from_utf8(target).ok())
}
