//! What became of a mention in a run.

use karat_facets::Finding;
use serde::{Deserialize, Serialize};

/// What became of a gold mention or a prediction in one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CaseOutcome {
    /// The right entity.
    Right,
    /// NIL, and gold says so too.
    RightNil,
    /// Another entity than gold.
    WrongLink,
    /// Gold has an entity, the system says NIL.
    LinkAsNil,
    /// Gold says NIL, the system has an entity.
    NilAsLink,
    /// Gold that the system does not have.
    Missing,
    /// A prediction where gold has nothing that counts.
    Extra,
    /// Neither right nor wrong.
    Ignored,
}

impl CaseOutcome {
    /// Those that count, in the order of tables.
    pub const COUNTED: [CaseOutcome; 7] = [
        CaseOutcome::Right,
        CaseOutcome::RightNil,
        CaseOutcome::WrongLink,
        CaseOutcome::LinkAsNil,
        CaseOutcome::NilAsLink,
        CaseOutcome::Missing,
        CaseOutcome::Extra,
    ];

    /// What it is called in JSON and in tables.
    pub fn name(self) -> &'static str {
        match self {
            CaseOutcome::Right => "right",
            CaseOutcome::RightNil => "right-nil",
            CaseOutcome::WrongLink => "wrong-link",
            CaseOutcome::LinkAsNil => "link-as-nil",
            CaseOutcome::NilAsLink => "nil-as-link",
            CaseOutcome::Missing => "missing",
            CaseOutcome::Extra => "extra",
            CaseOutcome::Ignored => "ignored",
        }
    }

    /// Whether nothing is wrong.
    pub fn is_right(self) -> bool {
        matches!(self, CaseOutcome::Right | CaseOutcome::RightNil)
    }

    /// Whether it counts against the system.
    pub fn is_wrong(self) -> bool {
        !self.is_right() && self != CaseOutcome::Ignored
    }
}

impl From<Finding> for CaseOutcome {
    fn from(finding: Finding) -> CaseOutcome {
        match finding {
            Finding::CorrectLink => CaseOutcome::Right,
            Finding::CorrectNil => CaseOutcome::RightNil,
            Finding::WrongLink => CaseOutcome::WrongLink,
            Finding::LinkAsNil => CaseOutcome::LinkAsNil,
            Finding::NilAsLink => CaseOutcome::NilAsLink,
            Finding::Missing => CaseOutcome::Missing,
            Finding::Extra => CaseOutcome::Extra,
        }
    }
}

/// How many mentions became what; what does not count is left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct OutcomeCounts {
    /// Right links.
    pub right: usize,
    /// Right NIL.
    pub right_nil: usize,
    /// Another entity than gold.
    pub wrong_link: usize,
    /// NIL where gold has an entity.
    pub link_as_nil: usize,
    /// An entity where gold says NIL.
    pub nil_as_link: usize,
    /// Gold that was not found.
    pub missing: usize,
    /// Predictions where gold has nothing that counts.
    pub extra: usize,
}

impl OutcomeCounts {
    /// Counts one more.
    pub fn add(&mut self, outcome: CaseOutcome) {
        if let Some(count) = self.count(outcome) {
            *count += 1;
        }
    }

    /// How many have this outcome.
    pub fn of(&self, outcome: CaseOutcome) -> usize {
        let mut counts = *self;
        counts.count(outcome).map_or(0, |count| *count)
    }

    /// How many count against the system.
    pub fn errors(&self) -> usize {
        let wrong = CaseOutcome::COUNTED.into_iter().filter(|outcome| outcome.is_wrong());
        wrong.map(|outcome| self.of(outcome)).sum()
    }

    /// All together.
    pub fn total(&self) -> usize {
        CaseOutcome::COUNTED.into_iter().map(|outcome| self.of(outcome)).sum()
    }

    fn count(&mut self, outcome: CaseOutcome) -> Option<&mut usize> {
        match outcome {
            CaseOutcome::Right => Some(&mut self.right),
            CaseOutcome::RightNil => Some(&mut self.right_nil),
            CaseOutcome::WrongLink => Some(&mut self.wrong_link),
            CaseOutcome::LinkAsNil => Some(&mut self.link_as_nil),
            CaseOutcome::NilAsLink => Some(&mut self.nil_as_link),
            CaseOutcome::Missing => Some(&mut self.missing),
            CaseOutcome::Extra => Some(&mut self.extra),
            CaseOutcome::Ignored => None,
        }
    }
}

impl std::ops::AddAssign for OutcomeCounts {
    fn add_assign(&mut self, other: OutcomeCounts) {
        for outcome in CaseOutcome::COUNTED {
            let more = other.of(outcome);
            if let Some(count) = self.count(outcome) {
                *count += more;
            }
        }
    }
}
