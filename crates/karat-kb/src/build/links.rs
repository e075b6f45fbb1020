//! From pairs of ids that mean the same, and redirects, to one way from every spelling.

use super::log::Scratch;
use super::sorter::{Groups, Sorter};
use crate::error::KbError;
use crate::spelling::preference;

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
}

impl Step {
    /// The step in words.
    pub fn name(self) -> &'static str {
        match self {
            Step::Spelling => "spelling",
            Step::Title => "title",
            Step::Same => "same as",
            Step::Redirect => "redirect",
        }
    }

    /// How a record of the base spells it; only links are recorded.
    fn code(self) -> u8 {
        match self {
            Step::Spelling => b'~',
            Step::Title => b'^',
            Step::Same => b'=',
            Step::Redirect => b'>',
        }
    }

    pub(crate) fn from_code(code: u8) -> Option<Step> {
        [Step::Same, Step::Redirect].into_iter().find(|step| step.code() == code)
    }
}

/// Collects links between spellings.
pub(super) struct Links {
    scratch: Scratch,
    same: Sorter,
    redirects: Sorter,
}

impl Links {
    pub(super) fn new(scratch: Scratch) -> Links {
        let (same, redirects) = (Sorter::new(scratch.clone()), Sorter::new(scratch.clone()));
        Links { scratch, same, redirects }
    }

    pub(super) fn same(&mut self, a: &str, b: &str) -> Result<(), KbError> {
        push_pair(&mut self.same, a.as_bytes(), b.as_bytes()).map(|_| ())
    }

    pub(super) fn redirect(&mut self, from: &str, to: &str) -> Result<(), KbError> {
        if from == to {
            return Ok(());
        }
        self.redirects.push(from.as_bytes(), to.as_bytes())
    }

    /// One link for each spelling that has any, in a sorter of its own. A spelling that is the
    /// same as a better one leads there; only others follow their redirect, the last one given.
    pub(super) fn chosen(self) -> Result<Sorter, KbError> {
        let mut chosen = Sorter::new(self.scratch.clone());
        let same = united(self.same, &self.scratch)?;
        for (sorter, step) in [(same, Step::Same), (self.redirects, Step::Redirect)] {
            let mut groups = Groups::new(sorter)?;
            while let Some((from, targets)) = groups.next()? {
                if let Some(target) = targets.last() {
                    let mut value = vec![step.code()];
                    value.extend_from_slice(target);
                    chosen.push(from, &value)?;
                }
            }
        }
        Ok(chosen)
    }
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
