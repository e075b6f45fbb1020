//! Deciding about the changes of a patch: who refuses one says so in the patch, and it stays there.

use super::GoldPatch;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// What somebody decides about a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReviewVerdict {
    /// It shall be applied. What contradicts it is refused.
    Accept,
    /// It shall not be applied.
    Refuse,
}

/// A decision about one change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewDecision {
    /// The id of the change.
    pub change: String,
    /// What is decided.
    pub verdict: ReviewVerdict,
    /// Why, for what is refused.
    #[serde(default)]
    pub why: String,
}

/// Decisions that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReviewError {
    /// There is no such change.
    #[error("the patch has no change `{0}`")]
    Unknown(String),
    /// Two changes are accepted that contradict each other.
    #[error("`{0}` and `{1}` contradict each other and cannot both be accepted")]
    Both(String, String),
}

impl GoldPatch {
    /// The patch with these decisions. Changes that nobody decides about stay as they are.
    ///
    /// Accepting one of several changes to choose from refuses the others. A change that was refused and is accepted again takes
    /// the place of what contradicts it.
    pub fn reviewed(
        &self,
        decisions: &[ReviewDecision],
        who: &str,
    ) -> Result<GoldPatch, ReviewError> {
        let mut patch = self.clone();
        let places: BTreeMap<String, usize> =
            patch.changes.iter().enumerate().map(|(at, change)| (change.id(), at)).collect();
        let place =
            |id: &str| places.get(id).copied().ok_or_else(|| ReviewError::Unknown(id.to_owned()));
        let mut accepted = BTreeSet::new();
        for decision in decisions {
            let at = place(&decision.change)?;
            match decision.verdict {
                ReviewVerdict::Accept => drop(accepted.insert(at)),
                ReviewVerdict::Refuse => patch.refuse(at, who, &decision.why),
            }
        }
        for &at in &accepted {
            let rivals = std::mem::take(&mut patch.changes[at].open);
            patch.changes[at].refused = None;
            for rival in rivals.iter().filter_map(|id| places.get(id).copied()) {
                patch.yield_to(rival, at, &accepted, who)?;
            }
        }
        let refused: BTreeSet<String> = patch
            .changes
            .iter()
            .filter(|change| change.refused.is_some())
            .map(super::GoldChange::id)
            .collect();
        for change in &mut patch.changes {
            change.open.retain(|id| !refused.contains(id));
        }
        // What was refused before may contradict what nobody looked at now. Each round takes at least one change out.
        while let Some(pair) = patch.contradictions().first().copied() {
            let (winner, loser) = match accepted.contains(&pair.first) {
                true => (pair.first, pair.second),
                false => (pair.second, pair.first),
            };
            if !accepted.contains(&winner) {
                patch = patch.opened();
                break;
            }
            patch.yield_to(loser, winner, &accepted, who)?;
        }
        let ids = |patch: &GoldPatch| -> BTreeSet<String> {
            patch.active().map(super::GoldChange::id).collect()
        };
        if ids(self) != ids(&patch) {
            patch.result = None;
        }
        Ok(patch)
    }

    /// Who refused a change first is who refused it.
    fn refuse(&mut self, at: usize, who: &str, why: &str) {
        let change = &mut self.changes[at];
        let said = |key: &str| change.refused.as_ref()?.get(key)?.as_str();
        if said("why") != Some(why) {
            change.refused = Some(json!({"who": who, "why": why}));
        }
        change.open.clear();
    }

    /// Refuses a change because another was accepted.
    fn yield_to(
        &mut self,
        rival: usize,
        winner: usize,
        accepted: &BTreeSet<usize>,
        who: &str,
    ) -> Result<(), ReviewError> {
        let id = |at: usize| self.changes[at].id();
        if accepted.contains(&rival) {
            return Err(ReviewError::Both(id(rival), id(winner)));
        }
        let why = format!("{} was accepted", id(winner));
        if self.changes[rival].refused.is_none() {
            self.refuse(rival, who, &why);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::{ChangeState, read};
    use karat_model::{Corpus, CorpusBuilder, Link, OffsetUnit, Span};

    fn gold(entity: &str) -> Corpus {
        let mut builder = CorpusBuilder::new();
        builder.continue_document("d1");
        builder.set_text("Paris refused to sign.");
        let link = Link::to(builder.intern(entity));
        builder.annotate(Span::new(0, 5), link);
        builder.finish()
    }

    /// Two patches that say different things of one mention, as alternatives.
    fn open() -> GoldPatch {
        let patch = |to: &str, by: &str| {
            let patch =
                GoldPatch::between(&gold("Q90"), &gold(to), OffsetUnit::CodePoints).expect("one");
            GoldPatch { by: Some(by.to_owned()), ..patch }
        };
        let merged = patch("Q142", "ann").merged(&patch("Q84", "bob")).expect("one base");
        merged.opened()
    }

    fn decision(change: &str, verdict: ReviewVerdict) -> ReviewDecision {
        ReviewDecision { change: change.to_owned(), verdict, why: "no".to_owned() }
    }

    #[test]
    fn accepting_one_refuses_the_other_and_both_stay_in_the_file() {
        use ReviewVerdict::{Accept, Refuse};
        let open = open();
        assert_eq!(open.active().count(), 0);
        let ids: Vec<String> = open.changes.iter().map(crate::patch::GoldChange::id).collect();
        let chosen = open.reviewed(&[decision(&ids[0], Accept)], "cara").expect("allowed");
        assert_eq!(chosen.changes.len(), 2);
        let active: Vec<String> = chosen.active().map(crate::patch::GoldChange::id).collect();
        assert_eq!(active, ids[..1]);
        let refused = chosen.changes[1].refused.as_ref().expect("refused");
        assert_eq!(refused["who"], "cara");
        assert_eq!(refused["why"], format!("{} was accepted", ids[0]));
        // It can be read again, and is applied.
        let again = read(&chosen.to_string()).expect("written patches can be read");
        assert_eq!(again, chosen);
        let judged = again.against(&gold("Q90"));
        assert_eq!(judged[0].state, ChangeState::Applies);
        // Somebody changes their mind: the other takes its place.
        let other = chosen.reviewed(&[decision(&ids[1], Accept)], "dan").expect("allowed");
        assert_eq!(other.active().map(crate::patch::GoldChange::id).collect::<Vec<_>>(), ids[1..]);
        // Refusing one of two leaves one, which is applied.
        let left = open.reviewed(&[decision(&ids[1], Refuse)], "cara").expect("allowed");
        assert_eq!(left.active().count(), 1);
        let none = left.reviewed(&[decision(&ids[0], Refuse)], "cara").expect("allowed");
        assert_eq!(none.active().count(), 0);
        assert_eq!(none.changes[1].refused, left.changes[1].refused);
    }

    #[test]
    fn what_cannot_be_decided_is_said() {
        let open = open();
        let ids: Vec<String> = open.changes.iter().map(crate::patch::GoldChange::id).collect();
        let both: Vec<ReviewDecision> =
            ids.iter().map(|id| decision(id, ReviewVerdict::Accept)).collect();
        assert!(matches!(open.reviewed(&both, "x"), Err(ReviewError::Both(..))));
        let unknown = [decision("nothing", ReviewVerdict::Refuse)];
        assert_eq!(open.reviewed(&unknown, "x"), Err(ReviewError::Unknown("nothing".to_owned())));
        assert_eq!(open.reviewed(&[], "x").as_ref(), Ok(&open));
    }

    #[test]
    fn refusing_changes_the_digest_and_forgets_what_gold_would_become() {
        let mut patch =
            GoldPatch::between(&gold("Q90"), &gold("Q142"), OffsetUnit::CodePoints).expect("one");
        patch.result = Some(gold("Q142").digest());
        let id = patch.changes[0].id();
        let refused =
            patch.reviewed(&[decision(&id, ReviewVerdict::Refuse)], "x").expect("allowed");
        assert!(refused.result.is_none() && refused.digest() != patch.digest());
        let back = refused.reviewed(&[decision(&id, ReviewVerdict::Accept)], "x").expect("allowed");
        assert_eq!(back.digest(), patch.digest());
        let same = patch.reviewed(&[decision(&id, ReviewVerdict::Accept)], "x").expect("allowed");
        assert_eq!(same, patch);
    }
}
