//! Kinds of errors, by the names that the table of counts has for them.

use karat::analysis::{Answer, Incident};
use karat::errors::ErrorCase;
use karat::facets::Finding;

/// A kind of errors: all of a finding, or those that are NIL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    finding: Finding,
    only_nil: bool,
}

impl Kind {
    /// All of them, in the order of the table. Those that are NIL are apart where the name of a finding
    /// leaves open if the answer is NIL, so that counts add up to those of `link`.
    pub(super) fn all() -> impl Iterator<Item = Kind> {
        Finding::ALL.into_iter().flat_map(|finding| {
            let may_be_nil = matches!(finding, Finding::Missing | Finding::Extra);
            let nil = may_be_nil.then_some(Kind { finding, only_nil: true });
            std::iter::once(Kind::of(finding)).chain(nil)
        })
    }

    /// All of a finding.
    pub(super) fn of(finding: Finding) -> Kind {
        Kind { finding, only_nil: false }
    }

    /// The kind with this name.
    pub(super) fn named(name: &str) -> Option<Kind> {
        Kind::all().find(|kind| kind.name() == name)
    }

    /// What the table of counts calls it.
    pub(super) fn name(self) -> String {
        let name = self.finding.name();
        if self.only_nil { format!("{name} NIL") } else { name.to_owned() }
    }

    /// Whether this is of the kind.
    pub(super) fn has(self, incident: &Incident) -> bool {
        // What may be NIL concerns one side only.
        let is_nil = || [&incident.gold, &incident.system].contains(&&Some(Answer::Nil));
        incident.finding == self.finding && (!self.only_nil || is_nil())
    }

    /// Whether a case is of the kind.
    pub(super) fn has_case(self, case: &ErrorCase) -> bool {
        let answer = match self.finding {
            // On an optional mention gold says something, too.
            Finding::Extra => case.prediction.as_ref(),
            _ => case.gold.as_ref(),
        };
        let is_nil = answer.is_some_and(|answer| answer.entity.is_none());
        case.kind == Some(self.finding) && (!self.only_nil || is_nil)
    }
}
