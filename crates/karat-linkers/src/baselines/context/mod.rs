//! The candidate that fits what is around it.

mod profile;
mod tuning;

pub use tuning::{ContextTuning, TriedWeights};

use super::base_of;
use super::baseline::{Baseline, Choice, Chosen, Passage};
use super::dictionary::Finder;
use super::settings::{Declared, LISTED, MAX_WORDS, SettingReader};
use super::words::{Word, is_stop_word, words};
use crate::answer::{AnsweredCandidate, AnsweredLink};
use crate::registry::{BuiltIn, LinkerContext, LinkerError};
use karat_kb::{Candidates, KnowledgeBase};
use karat_model::Span;
use profile::Profiles;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

/// How much the words around a mention count.
pub(super) const WORDS_WEIGHT: Declared =
    ("words-weight", "how much the words around a mention count", "1");
/// How much agreement counts.
pub(super) const AGREEMENT_WEIGHT: Declared =
    ("agreement-weight", "how much agreement with what the document already chose counts", "1");
/// Which documents the weights were chosen on.
pub(super) const TUNED_ON: Declared =
    ("tuned-on", "the fingerprint of the documents that the weights were chosen on", "none");
const WINDOW: Declared = ("window", "how many words on each side of a mention are looked at", "50");
const CONSIDERED: Declared =
    ("considered", "how many candidates of each mention are looked at", "30");

/// The candidate that fits what is around it.
pub(super) static CONTEXT: BuiltIn = BuiltIn {
    name: "context",
    title: "The candidate that fits the words around it and what the document already chose",
    about: "Links a mention to the candidate with the highest sum of three things: the logarithm of the share of the text's occurrences that mean it; \
            BM25 of the words around the mention in the names, description and type names of the candidate, times `words-weight`; and agreement with \
            the entities that were chosen before, which is the share of the candidate's words that they have too, and one for the same entity, times `agreement-weight`. \
            The mentions that leave least doubt are chosen first. It is as good as the descriptions in the base. Weights can be tuned, on other documents than those that are scored. \
            Without given mentions they are found as by `dictionary`.",
    settings: &[WORDS_WEIGHT, AGREEMENT_WEIGHT, TUNED_ON, WINDOW, CONSIDERED, MAX_WORDS, LISTED],
    needs_base: true,
    make: |context| {
        let mut reader = SettingReader::new(context);
        let finder = Finder::of(context, &mut reader)?;
        let choice = ByContext::read(context, &mut reader)?;
        Ok(Box::new(Baseline::new("context", reader.finish(), finder, choice)))
    },
};

/// Finds entities for texts that a base does not have, such as a full-text search over its names.
pub trait CandidateSearch: Send + Sync {
    /// The ids of at most `most` entities that a text may mean, likeliest first.
    fn search(&self, text: &str, most: usize) -> Vec<String>;

    /// What a signature says of it.
    fn signature(&self) -> String;
}

/// How many entities are looked for where the base has none.
const SEARCHED: usize = 10;

/// The share of a candidate that was never counted beside others that were.
const LEAST_SHARE: f64 = 1e-4;

/// Chooses by context.
#[derive(Clone)]
pub(super) struct ByContext {
    pub(super) base: Arc<KnowledgeBase>,
    pub(super) search: Option<Arc<dyn CandidateSearch>>,
    pub(super) words_weight: f64,
    pub(super) agreement_weight: f64,
    window: usize,
    considered: usize,
    listed: usize,
}

/// A mention with its candidates, likeliest first, each with the logarithm of its share.
struct Ambiguous {
    span: Span,
    candidates: Vec<(String, f64)>,
    /// Whether the base can say that there are none.
    is_known: bool,
}

impl ByContext {
    /// Reads the settings.
    pub(super) fn read(
        context: &LinkerContext,
        reader: &mut SettingReader<'_>,
    ) -> Result<ByContext, LinkerError> {
        let read = ByContext {
            base: base_of(context)?,
            search: context.search.clone(),
            words_weight: reader.weight(WORDS_WEIGHT)?,
            agreement_weight: reader.weight(AGREEMENT_WEIGHT)?,
            window: reader.number(WINDOW, 0..=1000)?,
            considered: reader.number(CONSIDERED, 1..=1000)?,
            listed: reader.number(LISTED, 0..=1000)?,
        };
        reader.text(TUNED_ON);
        if let Some(search) = &read.search {
            reader.remember("search", search.signature());
        }
        Ok(read)
    }

    fn candidates(&self, passage: &Passage<'_>, mention: usize, surface: &str) -> Ambiguous {
        let span = passage.spans.get(mention).copied().unwrap_or_default();
        let known = self.base.candidates(surface).known();
        let priors = known.iter().flat_map(Candidates::priors);
        let mut found: Vec<(String, Option<f64>)> = priors
            .filter(|(one, _)| passage.allows(mention, one.id))
            .map(|(one, share)| (one.id.to_owned(), share))
            .take(self.considered)
            .collect();
        if found.is_empty()
            && let Some(search) = &self.search
        {
            let searched = search.search(surface, SEARCHED).into_iter();
            found =
                searched.filter(|id| passage.allows(mention, id)).map(|id| (id, None)).collect();
        }
        let is_counted = found.iter().any(|(_, share)| share.is_some());
        let equal = 1.0 / found.len().max(1) as f64;
        let least = if is_counted { LEAST_SHARE } else { equal };
        let candidates =
            found.into_iter().map(|(id, share)| (id, share.unwrap_or(least).max(LEAST_SHARE).ln()));
        Ambiguous { span, candidates: candidates.collect(), is_known: known.is_some() }
    }

    /// The words around a mention that may say what it is.
    fn around<'t>(&self, all: &[Word<'t>], span: Span, language: Option<&str>) -> HashSet<String> {
        let first = all.partition_point(|word| word.span().end <= span.start);
        let last = all.partition_point(|word| word.start < span.end);
        let own: HashSet<String> = all
            .get(first..last)
            .unwrap_or_default()
            .iter()
            .map(|word| word.text.to_lowercase())
            .collect();
        let before = all.get(first.saturating_sub(self.window)..first).unwrap_or_default();
        let after = all.get(last..(last + self.window).min(all.len())).unwrap_or_default();
        let around = before.iter().chain(after).map(|word| word.text.to_lowercase());
        around.filter(|word| !own.contains(word) && !is_stop_word(word, language)).collect()
    }
}

impl Choice for ByContext {
    fn choose(&self, passage: &Passage<'_>) -> Vec<Chosen> {
        let surfaces = passage.surfaces();
        let mentions: Vec<Ambiguous> = surfaces
            .iter()
            .enumerate()
            .map(|(at, text)| self.candidates(passage, at, text))
            .collect();
        let ids =
            mentions.iter().flat_map(|mention| &mention.candidates).map(|(id, _)| id.as_str());
        let mut profiles = Profiles::of(&self.base, ids);
        let all = words(passage.task.text);
        let mut order: Vec<usize> = (0..mentions.len()).collect();
        order.sort_by(|a, b| by_doubt(&mentions[*a], &mentions[*b]).then(a.cmp(b)));
        let mut chosen = vec![Chosen::default(); mentions.len()];
        for at in order {
            let mention = &mentions[at];
            if mention.candidates.is_empty() {
                chosen[at] = if mention.is_known { Chosen::nil() } else { Chosen::default() };
                continue;
            }
            let around = self.around(&all, mention.span, passage.task.language);
            let query = profiles.query(&around);
            let scored = mention.candidates.iter().map(|(id, prior)| {
                let words = self.words_weight * profiles.bm25(id, &query);
                let agreement = self.agreement_weight * profiles.agreement(id);
                (id.as_str(), prior + words + agreement)
            });
            chosen[at] = self.ranked(scored.collect());
            if let AnsweredLink::To(id) = &chosen[at].link {
                profiles.choose(id);
            }
        }
        chosen
    }
}

impl ByContext {
    /// The best of scored candidates, and what share of all chances it has.
    fn ranked(&self, mut scored: Vec<(&str, f64)>) -> Chosen {
        scored.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let Some(&(best, highest)) = scored.first() else { return Chosen::nil() };
        let chances: f64 = scored.iter().map(|(_, score)| (score - highest).exp()).sum();
        let listed = scored.iter().take(self.listed);
        let candidates = listed
            .map(|(id, score)| AnsweredCandidate { id: (*id).to_owned(), score: Some(*score) });
        Chosen {
            confidence: Some(1.0 / chances),
            candidates: candidates.collect(),
            ..Chosen::entity(best)
        }
    }
}

/// Those that leave least doubt come first: one candidate only, then the largest distance from the first to the second.
fn by_doubt(a: &Ambiguous, b: &Ambiguous) -> Ordering {
    let certainty = |mention: &Ambiguous| match &mention.candidates[..] {
        [] => f64::NEG_INFINITY,
        [_] => f64::INFINITY,
        [(_, first), (_, second), ..] => first - second,
    };
    certainty(b).total_cmp(&certainty(a)).then(a.span.cmp(&b.span))
}
