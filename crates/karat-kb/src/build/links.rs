//! From pairs of ids that mean the same, and redirects, to one way from every spelling.

use super::log::{Log, Scratch, put_record};
use super::sorter::{Groups, Sorter};
use crate::error::KbError;
use crate::spelling::{is_of_wikidata, preference};
use std::collections::HashSet;

/// What leads from one spelling to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The same id in the spelling of karat.
    Spelling,
    /// The word as the title of an article.
    Title,
    /// Both ids name the same entity.
    Same,
    /// The title is a redirect.
    Redirect,
    /// The links lead in a circle, whose smallest id is taken.
    Circle,
}

impl Step {
    /// The step in words.
    pub fn name(self) -> &'static str {
        match self {
            Step::Spelling => "spelling",
            Step::Title => "title",
            Step::Same => "same as",
            Step::Redirect => "redirect",
            Step::Circle => "circle",
        }
    }

    /// How a record of the base spells it. Only links are recorded; the other steps follow.
    const CODES: [(Step, u8); 2] = [(Step::Same, b'='), (Step::Redirect, b'>')];

    pub(crate) fn from_code(code: u8) -> Option<Step> {
        Step::CODES.iter().find(|(_, known)| *known == code).map(|(step, _)| *step)
    }
}

/// Collects links between spellings.
pub(super) struct Links {
    scratch: Scratch,
    same: Sorter,
    titles: Sorter,
    redirects: Sorter,
}

/// One link for each spelling, and what was left out for it.
pub(super) struct Chosen {
    /// From a spelling to its link.
    pub(super) links: Sorter,
    /// Titles and redirects that were given twice: a kind and the spelling, then both targets.
    pub(super) doubles: Log,
    /// From an item of Wikidata to the others that were said to be equal to it.
    pub(super) joined: Sorter,
}

impl Links {
    pub(super) fn new(scratch: Scratch) -> Links {
        let sorter = || Sorter::new(scratch.clone());
        Links { same: sorter(), titles: sorter(), redirects: sorter(), scratch }
    }

    pub(super) fn same(&mut self, a: &str, b: &str) -> Result<(), KbError> {
        push_pair(&mut self.same, a.as_bytes(), b.as_bytes()).map(|_| ())
    }

    pub(super) fn title(&mut self, title: &str, id: &str) -> Result<(), KbError> {
        self.titles.push(title.as_bytes(), id.as_bytes())
    }

    pub(super) fn redirect(&mut self, from: &str, to: &str) -> Result<(), KbError> {
        if from == to {
            return Ok(());
        }
        self.redirects.push(from.as_bytes(), to.as_bytes())
    }

    /// One link for each spelling that has any. A spelling that is the same as a better one leads
    /// there; only others follow their redirect. Of several entities of a title, and of
    /// several targets of a redirect, the first is believed.
    pub(super) fn chosen(mut self) -> Result<Chosen, KbError> {
        let mut doubles = Log::new(self.scratch.clone());
        // Titles join the pairs of equal ids only after the first of each was chosen: two entities must
        // not become one because a dump gives a title twice.
        first_of_each(self.titles, TITLE, &mut doubles, |title, id| {
            push_pair(&mut self.same, title, id).map(|_| ())
        })?;
        let mut links = Sorter::new(self.scratch.clone());
        let mut joined = Sorter::new(self.scratch.clone());
        let mut groups = Groups::new(united(self.same, &self.scratch)?)?;
        while let Some((from, targets)) = groups.next()? {
            let Some(target) = targets.first() else { continue };
            links.push(from, &link(Step::Same, target))?;
            if is_item(from) && is_item(target) {
                joined.push(target, from)?;
            }
        }
        // Pushed after the equal ids, and the sorter keeps the order of equal keys: an id that is
        // the same as a better one never follows its redirect.
        first_of_each(self.redirects, REDIRECT, &mut doubles, |from, to| {
            links.push(from, &link(Step::Redirect, to))
        })?;
        Ok(Chosen { links, doubles, joined })
    }
}

/// What a double is about.
pub(super) const TITLE: u8 = b't';
pub(super) const REDIRECT: u8 = b'r';

/// Takes the first value of each key; the others go to `doubles`.
fn first_of_each(
    sorter: Sorter,
    kind: u8,
    doubles: &mut Log,
    mut take: impl FnMut(&[u8], &[u8]) -> Result<(), KbError>,
) -> Result<(), KbError> {
    let mut groups = Groups::new(sorter)?;
    while let Some((key, values)) = groups.next()? {
        let Some((first, others)) = values.split_first() else { continue };
        take(key, first)?;
        // Some may turn out to be the same entity; each that differs is asked about.
        let mut seen = HashSet::from([*first]);
        let mut about = vec![kind];
        about.extend_from_slice(key);
        for other in others.iter().filter(|other| seen.insert(other)) {
            let mut said = Vec::new();
            put_record(&mut said, first, other);
            doubles.push(&about, &said)?;
        }
    }
    Ok(())
}

fn link(step: Step, target: &[u8]) -> Vec<u8> {
    let code = Step::CODES.iter().find(|(known, _)| *known == step).map(|(_, code)| *code);
    code.into_iter().chain(target.iter().copied()).collect()
}

fn is_item(id: &[u8]) -> bool {
    std::str::from_utf8(id).is_ok_and(is_of_wikidata)
}

/// Makes every member of a group of equal ids lead to the best of them, without holding the
/// group in memory: whoever knows of two better ones tells the worse about the better, until
/// nobody has news. A chain of n ids takes about log n rounds.
fn united(mut pairs: Sorter, scratch: &Scratch) -> Result<Sorter, KbError> {
    loop {
        let mut next = Sorter::new(scratch.clone());
        let mut news = false;
        let mut groups = Groups::new(pairs)?;
        while let Some((id, better)) = groups.next()? {
            let Some(best) = better.iter().min_by(|a, b| by_preference(a, b)) else { continue };
            next.push(id, best)?;
            for other in &better {
                news |= push_pair(&mut next, other, best)?;
            }
        }
        pairs = next;
        if !news {
            return Ok(pairs);
        }
    }
}

/// Adds a pair as a link from the worse id to the better; nothing if they are equal.
fn push_pair(sorter: &mut Sorter, a: &[u8], b: &[u8]) -> Result<bool, KbError> {
    match by_preference(a, b) {
        std::cmp::Ordering::Less => sorter.push(b, a)?,
        std::cmp::Ordering::Greater => sorter.push(a, b)?,
        std::cmp::Ordering::Equal => return Ok(false),
    }
    Ok(true)
}

fn by_preference(a: &[u8], b: &[u8]) -> std::cmp::Ordering {
    let rank = |id: &[u8]| std::str::from_utf8(id).map_or(u8::MAX, preference);
    (rank(a), a.len(), a).cmp(&(rank(b), b.len(), b))
}
