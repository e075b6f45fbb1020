//! Krippendorff's alpha_U for unitizing, in the form of 2004: how far units of two people lie apart, category by
//! category. Units of one person and one category must not overlap.

use super::{Continuum, MarkedUnit, UndefinedAgreement};

/// alpha_U over all categories.
#[derive(Debug, Clone, PartialEq)]
pub struct AlphaU {
    /// The coefficient.
    pub value: f64,
    /// What it is made of, by category.
    pub categories: Vec<CategoryAlphaU>,
}

/// alpha_U of one category.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CategoryAlphaU {
    /// Which category.
    pub category: u32,
    /// The disagreement that was seen.
    pub observed: f64,
    /// The disagreement that chance would give.
    pub expected: f64,
}

impl CategoryAlphaU {
    /// The coefficient of this category alone.
    pub fn value(&self) -> f64 {
        1.0 - self.observed / self.expected
    }
}

/// alpha_U of a continuum.
pub fn alpha_u(continuum: &Continuum) -> Result<AlphaU, UndefinedAgreement> {
    continuum.check()?;
    let of = |category| disagreement(continuum, category);
    let categories: Vec<CategoryAlphaU> =
        continuum.categories().into_iter().map(of).collect::<Result<_, _>>()?;
    let observed: f64 = categories.iter().map(|one| one.observed).sum();
    let expected: f64 = categories.iter().map(|one| one.expected).sum();
    if expected <= 0.0 {
        return Err(UndefinedAgreement::OneCategory);
    }
    Ok(AlphaU { value: 1.0 - observed / expected, categories })
}

fn disagreement(
    continuum: &Continuum,
    category: u32,
) -> Result<CategoryAlphaU, UndefinedAgreement> {
    let of = |units: &Vec<MarkedUnit>| -> Vec<MarkedUnit> {
        units.iter().filter(|unit| unit.category == category).copied().collect()
    };
    let people: Vec<Vec<MarkedUnit>> = continuum.people().iter().map(of).collect();
    let gaps: Vec<Vec<MarkedUnit>> =
        people.iter().map(|units| continuum.gaps(units)).collect::<Result<_, _>>()?;
    let (number, length) = (people.len() as f64, continuum.length());

    let mut apart = 0.0;
    for (at, first) in people.iter().enumerate() {
        for second in &people[at + 1..] {
            apart += between(first, second) + alone(first, second) + alone(second, first);
        }
    }
    let observed = 2.0 * apart / (number * (number - 1.0) * length * length);

    let units: Vec<f64> = people.iter().flatten().map(MarkedUnit::length).collect();
    let gaps: Vec<f64> = gaps.iter().flatten().map(MarkedUnit::length).collect();
    let others = units.len() as f64 - 1.0;
    let possible = |l: f64| {
        let room: f64 = gaps.iter().filter(|&&gap| gap >= l).map(|gap| gap - l + 1.0).sum();
        others * (2.0 * l.powi(3) - 3.0 * l * l + l) / 3.0 + l * l * room
    };
    let all = number * length;
    let within: f64 = units.iter().map(|l| l * (l - 1.0)).sum();
    let chance: f64 = units.iter().map(|&l| possible(l)).sum();
    let expected = 2.0 / length * chance / (all * (all - 1.0) - within);
    Ok(CategoryAlphaU { category, observed, expected })
}

/// How far overlapping units of two people lie apart.
fn between(first: &[MarkedUnit], second: &[MarkedUnit]) -> f64 {
    let square = |one: u64, other: u64| (one.abs_diff(other) as f64).powi(2);
    let mut sum = 0.0;
    let mut from = 0;
    for unit in first {
        // Both are sorted and free of overlaps, so what ends before this unit is passed for good.
        while second.get(from).is_some_and(|other| other.end <= unit.begin) {
            from += 1;
        }
        for other in second[from..].iter().take_while(|other| other.begin < unit.end) {
            sum += square(unit.begin, other.begin) + square(unit.end, other.end);
        }
    }
    sum
}

/// Units of one person that lie in a gap of the other.
fn alone(units: &[MarkedUnit], others: &[MarkedUnit]) -> f64 {
    let mut sum = 0.0;
    let mut from = 0;
    for unit in units {
        while others.get(from).is_some_and(|other| other.end <= unit.begin) {
            from += 1;
        }
        if others.get(from).is_none_or(|other| other.common(unit) == 0) {
            sum += unit.length().powi(2);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::assert_near;

    fn unit(begin: u64, length: u64, category: u32) -> MarkedUnit {
        MarkedUnit { begin, end: begin + length, category }
    }

    #[test]
    fn the_example_of_the_book() {
        // Krippendorff 2004, p. 254: .8591 with rounded steps; with all digits .8587, as dkpro-statistics has it.
        let first = vec![unit(75, 70, 0), unit(220, 30, 0), unit(30, 60, 1), unit(150, 50, 1)];
        let second = vec![
            unit(70, 80, 0),
            unit(205, 20, 0),
            unit(250, 20, 0),
            unit(30, 60, 1),
            unit(150, 50, 1),
        ];
        let found = alpha_u(&Continuum::new(300, vec![first, second])).expect("defined");
        assert_near(found.value, 0.858_665_405_184, 1e-9);
        assert_near(found.categories[0].observed, 0.014_444_444_444, 1e-9);
        assert_near(found.categories[0].expected, 0.053_221_779_855, 1e-9);
    }

    #[test]
    fn undefined_says_why() {
        let nested = vec![unit(0, 10, 0), unit(2, 3, 0)];
        let other = vec![unit(0, 10, 0)];
        let of = |people| alpha_u(&Continuum::new(20, people));
        assert_eq!(of(vec![nested, other.clone()]), Err(UndefinedAgreement::Overlap));
        assert_eq!(of(vec![other]), Err(UndefinedAgreement::OnePerson));
        assert_eq!(of(vec![Vec::new(), Vec::new()]), Err(UndefinedAgreement::NoUnits));
    }
}
