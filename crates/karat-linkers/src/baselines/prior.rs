//! The entity that a text means most often.

use super::base_of;
use super::baseline::{Baseline, Choice, Chosen, Passage};
use super::dictionary::Finder;
use super::settings::{LISTED, MAX_WORDS, SettingReader};
use crate::answer::AnsweredCandidate;
use crate::registry::BuiltIn;
use karat_kb::{CandidateEntity, Candidates, KnowledgeBase};
use std::sync::Arc;

/// The entity that a text means most often.
pub(super) static PRIOR: BuiltIn = BuiltIn {
    name: "prior",
    title: "The entity that a text means most often",
    about: "Links a mention to the candidate of its exact text that was counted most often; of equal ones to the smallest id \
            as a text, and a mention that the base knows no entity for to NIL. Nothing is learned and nothing around the mention is looked at, \
            which is hard to beat on texts about what everybody knows. On the mentions of ELEVANT's published `baseline` it gives the \
            same 10,773 links. Without given mentions they are found as by `dictionary`.",
    settings: &[MAX_WORDS, LISTED],
    needs_base: true,
    make: |context| {
        let mut reader = SettingReader::new(context);
        let finder = Finder::of(context, &mut reader)?;
        let prior = Prior { base: base_of(context)?, listed: reader.number(LISTED, 0..=1000)? };
        Ok(Box::new(Baseline::new("prior", reader.finish(), finder, prior)))
    },
};

/// Chooses by counts.
pub(super) struct Prior {
    pub(super) base: Arc<KnowledgeBase>,
    pub(super) listed: usize,
}

impl Prior {
    /// What is chosen for a text among those that are allowed.
    pub(super) fn of(&self, surface: &str, allows: impl Fn(&str) -> bool) -> Chosen {
        let Some(candidates) = self.base.candidates(surface).known() else {
            // The base does not say that it knows all texts.
            return Chosen::default();
        };
        let listed = candidates.priors().filter(|(candidate, _)| allows(candidate.id));
        let listed = listed.take(self.listed).map(|(candidate, share)| AnsweredCandidate {
            id: candidate.id.to_owned(),
            score: share,
        });
        if candidates.has_unnamed() {
            // One of the likeliest is an entity that the base cannot name, and nobody knows whether its id is the smallest.
            return Chosen { candidates: listed.collect(), ..Chosen::default() };
        }
        let Some((best, share)) = best(&candidates, &allows) else { return Chosen::nil() };
        Chosen { confidence: share, candidates: listed.collect(), ..Chosen::entity(best) }
    }
}

/// The likeliest candidate, and its share of the occurrences.
fn best<'b>(
    candidates: &Candidates<'b>,
    allows: impl Fn(&str) -> bool,
) -> Option<(&'b str, Option<f64>)> {
    // They come with the likeliest first: all that are as likely stand before the first that is less so.
    let weight = |one: &(CandidateEntity<'_>, Option<f64>)| (one.0.is_most_popular, one.1);
    let mut allowed = candidates.priors().filter(|(candidate, _)| allows(candidate.id)).peekable();
    let first = weight(allowed.peek()?);
    let equal = allowed.take_while(|one| weight(one) == first);
    equal.map(|(candidate, share)| (candidate.id, share)).min_by(|a, b| a.0.cmp(b.0))
}

impl Choice for Prior {
    fn choose(&self, passage: &Passage<'_>) -> Vec<Chosen> {
        let surfaces = passage.surfaces();
        let chosen = surfaces.iter().enumerate();
        chosen.map(|(at, surface)| self.of(surface, |id| passage.allows(at, id))).collect()
    }
}
