//! Where several systems agree against gold: gold may be wrong there.

use super::case::{ErrorCase, MentionAnswer};
use karat_kb::Identity;
use karat_model::Span;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A place where systems agree on another answer than gold.
#[derive(Debug, Clone, PartialEq)]
pub struct Suspect {
    /// The document.
    pub document: String,
    /// Where it is.
    pub span: Span,
    /// The text, and what stands around it.
    pub case: ErrorCase,
    /// What gold says; `None` if it has nothing here.
    pub gold: Option<MentionAnswer>,
    /// What the systems say.
    pub proposed: MentionAnswer,
    /// Which systems say so.
    pub systems: Vec<String>,
    /// Which systems say what gold says.
    pub dissenting: Vec<String>,
}

/// A suspect as a task for somebody who verifies it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerificationTask {
    /// What is to be done: `verify`.
    pub task: String,
    /// How suspicious it is; 1 is the most.
    pub rank: usize,
    /// The benchmark.
    pub benchmark: String,
    /// The document.
    pub document: String,
    /// Where the mention starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// Its text; empty if there is none.
    pub mention: String,
    /// What stands before it.
    pub before: String,
    /// What stands after it.
    pub after: String,
    /// What gold says; `None` if it has nothing here.
    pub gold: Option<MentionAnswer>,
    /// What the systems say.
    pub proposed: MentionAnswer,
    /// Which systems say so.
    pub systems: Vec<String>,
    /// Which systems say what gold says.
    pub dissenting: Vec<String>,
    /// How many systems there are.
    pub of: usize,
    /// The mention, in brackets, with what stands around it, on one line.
    #[serde(default)]
    pub context: Option<String>,
}

impl VerificationTask {
    /// The task of a suspect with this rank, where there are so many systems.
    pub(super) fn of(
        suspect: Suspect,
        rank: usize,
        benchmark: &str,
        systems: usize,
    ) -> VerificationTask {
        VerificationTask {
            task: "verify".to_owned(),
            rank,
            benchmark: benchmark.to_owned(),
            document: suspect.document,
            start: suspect.span.start,
            end: suspect.span.end,
            context: suspect.case.context(),
            mention: suspect.case.mention.unwrap_or_default(),
            before: suspect.case.before,
            after: suspect.case.after,
            gold: suspect.gold,
            proposed: suspect.proposed,
            systems: suspect.systems,
            dissenting: suspect.dissenting,
            of: systems,
        }
    }
}

/// The places where at least `least` systems give the same entity and gold another, or none: those on
/// which most agree first, and of these those where the fewest side with gold. Spellings that the
/// identity takes for one entity are one answer.
pub fn suspects<C: AsRef<[ErrorCase]>>(
    systems: &[(&str, C)],
    least: usize,
    identity: &Identity,
) -> Vec<Suspect> {
    type Key<'c> = (&'c str, Span, Cow<'c, str>);
    let mut against: BTreeMap<Key<'_>, Vec<(&str, &ErrorCase)>> = BTreeMap::new();
    let mut with: BTreeMap<(&str, Span), Vec<&str>> = BTreeMap::new();
    for (name, cases) in systems {
        for case in cases.as_ref() {
            let place = (case.document.as_str(), case.span);
            let [said, gold] = [&case.prediction, &case.gold].map(|answer| {
                let entity = answer.as_ref().and_then(|answer| answer.entity.as_deref());
                entity.map(|entity| identity.canonical(entity))
            });
            match said {
                // A part of an alternative that is not needed is said rightly and counts as extra.
                _ if case.is_right || (said.is_some() && said == gold) => {
                    with.entry(place).or_default().push(name);
                }
                Some(entity) if case.is_wrong => {
                    let key = (place.0, place.1, entity);
                    against.entry(key).or_default().push((name, case));
                }
                _ => {}
            }
        }
    }
    let suspect = |((document, span, _), votes): (Key<'_>, Vec<(&str, &ErrorCase)>)| {
        let (_, case) = *votes.first()?;
        let mut names: Vec<String> = votes.iter().map(|(name, _)| (*name).to_owned()).collect();
        names.dedup();
        (names.len() >= least).then(|| Suspect {
            document: document.to_owned(),
            span,
            case: case.clone(),
            gold: case.gold.clone(),
            proposed: case.prediction.clone().unwrap_or_default(),
            systems: names,
            dissenting: with
                .get(&(document, span))
                .into_iter()
                .flatten()
                .map(|name| (*name).to_owned())
                .collect(),
        })
    };
    let mut found: Vec<Suspect> = against.into_iter().filter_map(suspect).collect();
    // What is left over is in the order of documents and spans.
    found.sort_by_key(|suspect| {
        (std::cmp::Reverse(suspect.systems.len()), suspect.dissenting.len())
    });
    found
}
