//! Krippendorff's u-alpha (2016): the length on which people agree, gaps included, against what chance would give.
//! Units of one person must not overlap, whatever their categories.

use super::continuum::GAP;
use super::{Continuum, MarkedUnit, UndefinedAgreement};

/// u-alpha and its binary form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UAlpha {
    /// Agreement on what is marked, and as what.
    pub value: f64,
    /// Agreement on what is marked, as whatever.
    pub binary: f64,
}

/// u-alpha of a continuum.
pub fn u_alpha(continuum: &Continuum) -> Result<UAlpha, UndefinedAgreement> {
    continuum.check()?;
    Ok(UAlpha { value: by(continuum, |category| category)?, binary: by(continuum, marked)? })
}

/// Marked or not.
fn marked(category: u32) -> u32 {
    if category == GAP { GAP } else { 0 }
}

fn by(continuum: &Continuum, told: fn(u32) -> u32) -> Result<f64, UndefinedAgreement> {
    let mut people: Vec<Vec<MarkedUnit>> = Vec::new();
    for units in continuum.people() {
        let mut segments = continuum.gaps(units)?;
        segments.extend_from_slice(units);
        segments.iter_mut().for_each(|segment| segment.category = told(segment.category));
        segments.sort_unstable();
        people.push(segments);
    }
    let others = people.len() as f64 - 1.0;
    let mut alike = 0.0;
    for (at, first) in people.iter().enumerate() {
        for second in &people[at + 1..] {
            alike += 2.0 * agreed(first, second) as f64 / others;
        }
    }
    let all: f64 = people.len() as f64 * continuum.length();
    // What a pair of units with themselves would add: units move as a whole, gaps point by point.
    let itself = |segment: &MarkedUnit| match segment.category {
        GAP => segment.length(),
        _ => segment.length().powi(2),
    };
    let within: f64 = people.iter().flatten().map(itself).sum();
    let mut expected = 0.0;
    for category in continuum
        .categories()
        .into_iter()
        .map(told)
        .chain([GAP])
        .collect::<std::collections::BTreeSet<u32>>()
    {
        let of = || people.iter().flatten().filter(|segment| segment.category == category);
        let length: f64 = of().map(MarkedUnit::length).sum();
        expected += length * length - of().map(itself).sum::<f64>();
    }
    let expected = all * expected / (all * all - within);
    if all - expected <= 1e-12 * all {
        return Err(UndefinedAgreement::OneCategory);
    }
    Ok(1.0 - (all - alike) / (all - expected))
}

/// The length on which two people say the same. Segments of each are sorted and cover everything.
fn agreed(first: &[MarkedUnit], second: &[MarkedUnit]) -> u64 {
    let (mut at, mut to, mut sum) = (0, 0, 0);
    while let (Some(one), Some(other)) = (first.get(at), second.get(to)) {
        if one.category == other.category {
            sum += one.common(other);
        }
        if one.end <= other.end {
            at += 1;
        } else {
            to += 1;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::assert_near;

    #[test]
    fn three_people() {
        // unitized_alpha (11637e7) gives .39830 and .52380.
        let unit = |begin, end, category| MarkedUnit { begin, end, category };
        let people = vec![
            vec![unit(2, 5, 1)],
            vec![unit(2, 5, 1), unit(10, 20, 2)],
            vec![unit(2, 5, 2), unit(15, 20, 2)],
        ];
        let found = u_alpha(&Continuum::new(60, people)).expect("defined");
        assert_near(found.value, 0.398_298_142_379, 1e-9);
        assert_near(found.binary, 0.523_801_044_634, 1e-9);
    }
}
