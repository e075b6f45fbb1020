//! Where several systems agree against gold: gold may be wrong there.

use super::list::{Answer, ErrorCase};
use karat_kb::Identity;
use karat_model::Span;
use serde_json::{Value, json};
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
    pub gold: Option<Answer>,
    /// What the systems say.
    pub proposed: Answer,
    /// Which systems say so.
    pub systems: Vec<String>,
    /// Which systems say what gold says.
    pub dissenting: Vec<String>,
}

impl Suspect {
    /// A task for somebody who verifies it.
    pub fn task(&self, rank: usize, benchmark: &str, systems: usize) -> Value {
        let entity = |answer: &Answer| json!({ "entity": answer.entity, "name": answer.name });
        json!({
            "task": "verify",
            "rank": rank,
            "benchmark": benchmark,
            "document": self.document,
            "start": self.span.start,
            "end": self.span.end,
            "mention": self.case.mention,
            "before": self.case.before,
            "after": self.case.after,
            "gold": self.gold.as_ref().map(entity),
            "proposed": entity(&self.proposed),
            "systems": self.systems,
            "dissenting": self.dissenting,
            "of": systems,
        })
    }
}

/// The places where at least `least` systems give the same entity and gold another, or none: those on
/// which most agree first, and of these those where the fewest side with gold. Spellings that the
/// identity takes for one entity are one answer.
pub fn suspects(
    systems: &[(&str, Vec<ErrorCase>)],
    least: usize,
    identity: &Identity,
) -> Vec<Suspect> {
    type Key<'c> = (&'c str, Span, Cow<'c, str>);
    let mut against: BTreeMap<Key<'_>, Vec<(&str, &ErrorCase)>> = BTreeMap::new();
    let mut with: BTreeMap<(&str, Span), Vec<&str>> = BTreeMap::new();
    for (name, cases) in systems {
        for case in cases {
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
