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
        let is_nil = |answer: &Option<Answer>| *answer == Some(Answer::Nil);
        self.is(incident.finding, is_nil(&incident.gold), is_nil(&incident.system))
    }

    /// Whether a case is of the kind.
    pub(super) fn has_case(self, case: &ErrorCase) -> bool {
        let is_nil = |answer: &Option<karat::errors::Answer>| {
            answer.as_ref().is_some_and(|answer| answer.entity.is_none())
        };
        case.kind.is_some_and(|kind| self.is(kind, is_nil(&case.gold), is_nil(&case.prediction)))
    }

    /// Whether a finding is of the kind, where gold or the prediction is NIL: what is extra is NIL by the
    /// prediction, whatever an optional mention there says, and what is missing by gold.
    fn is(self, finding: Finding, gold_is_nil: bool, system_is_nil: bool) -> bool {
        let is_nil = if finding == Finding::Extra { system_is_nil } else { gold_is_nil };
        finding == self.finding && (!self.only_nil || is_nil)
    }
}
