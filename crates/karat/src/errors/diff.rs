//! What one system gets right and another does not.

use super::case::ErrorCase;
use std::collections::{BTreeMap, VecDeque};

/// Who is right about a gold mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Only the first system.
    OnlyFirst,
    /// Only the second.
    OnlySecond,
    /// Neither.
    BothWrong,
    /// Both.
    BothRight,
}

/// A gold mention as two systems have it.
#[derive(Debug, Clone)]
pub struct CaseDifference<'c> {
    /// Who is right.
    pub group: Group,
    /// The case of the first system.
    pub first: &'c ErrorCase,
    /// The case of the second.
    pub second: &'c ErrorCase,
}

/// Every gold mention that counts for both systems, in the order of the benchmark.
pub fn differences<'c>(first: &'c [ErrorCase], second: &'c [ErrorCase]) -> Vec<CaseDifference<'c>> {
    let key = |case: &'c ErrorCase| (case.document.as_str(), case.span, case.gold.as_ref());
    // Parts and what counts for nothing are no mentions of their own, and each gold mention should
    // be compared once.
    let counts =
        |case: &&ErrorCase| case.is_root && case.gold.is_some() && (case.is_right || case.is_wrong);
    let mut of_second: BTreeMap<_, VecDeque<&ErrorCase>> = BTreeMap::new();
    for case in second.iter().filter(counts) {
        of_second.entry(key(case)).or_default().push_back(case);
    }
    let mut found = Vec::new();
    for case in first.iter().filter(counts) {
        // Gold may say the same thing twice: the first of one is the first of the other.
        let others = of_second.get_mut(&key(case));
        let Some(other) = others.and_then(VecDeque::pop_front) else { continue };
        let group = match (case.is_right, other.is_right) {
            (true, true) => Group::BothRight,
            (true, false) => Group::OnlyFirst,
            (false, true) => Group::OnlySecond,
            (false, false) => Group::BothWrong,
        };
        found.push(CaseDifference { group, first: case, second: other });
    }
    found
}
