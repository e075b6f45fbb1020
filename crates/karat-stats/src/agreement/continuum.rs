//! Units that people mark along a text.

use super::UndefinedAgreement;

/// A stretch of the continuum that somebody marked, as a category.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MarkedUnit {
    /// Where it begins, from the beginning of the continuum.
    pub begin: u64,
    /// Where it ends; the end itself is not part of it.
    pub end: u64,
    /// What it was marked as.
    pub category: u32,
}

impl MarkedUnit {
    pub(super) fn length(&self) -> f64 {
        (self.end - self.begin) as f64
    }

    /// How much two units have in common.
    pub(super) fn common(&self, other: &MarkedUnit) -> u64 {
        self.end.min(other.end).saturating_sub(self.begin.max(other.begin))
    }
}

/// What several people marked in one text of a length. Coefficients of the family of alpha depend on the unit in which
/// lengths are counted: karat counts code points.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Continuum {
    length: u64,
    people: Vec<Vec<MarkedUnit>>,
}

impl Continuum {
    /// What each person marked. Units without length and what lies beyond the end are left out.
    pub fn new(length: u64, people: Vec<Vec<MarkedUnit>>) -> Continuum {
        let inside = |units: Vec<MarkedUnit>| {
            let mut units: Vec<MarkedUnit> = units
                .into_iter()
                .map(|unit| MarkedUnit { end: unit.end.min(length), ..unit })
                .filter(|unit| unit.begin < unit.end)
                .collect();
            units.sort_unstable();
            units
        };
        Continuum { length, people: people.into_iter().map(inside).collect() }
    }

    pub(super) fn length(&self) -> f64 {
        self.length as f64
    }

    pub(super) fn people(&self) -> &[Vec<MarkedUnit>] {
        &self.people
    }

    /// The categories that somebody used.
    pub(super) fn categories(&self) -> Vec<u32> {
        let mut categories: Vec<u32> =
            self.people.iter().flatten().map(|unit| unit.category).collect();
        categories.sort_unstable();
        categories.dedup();
        categories
    }

    /// At least two people, who marked something.
    pub(super) fn check(&self) -> Result<(), UndefinedAgreement> {
        if self.people.len() < 2 {
            Err(UndefinedAgreement::OnePerson)
        } else if self.people.iter().all(Vec::is_empty) {
            Err(UndefinedAgreement::NoUnits)
        } else {
            Ok(())
        }
    }

    /// The stretches between the units of one person, which must be sorted and must not overlap.
    pub(super) fn gaps(&self, units: &[MarkedUnit]) -> Result<Vec<MarkedUnit>, UndefinedAgreement> {
        let mut gaps = Vec::new();
        let mut at = 0;
        for unit in units {
            if unit.begin < at {
                return Err(UndefinedAgreement::Overlap);
            }
            gaps.push(MarkedUnit { begin: at, end: unit.begin, category: GAP });
            at = unit.end;
        }
        gaps.push(MarkedUnit { begin: at, end: self.length, category: GAP });
        gaps.retain(|gap| gap.begin < gap.end);
        Ok(gaps)
    }
}

/// The category of what nobody marked.
pub(super) const GAP: u32 = u32::MAX;
