//! Any candidate, by chance.

use super::base_of;
use super::baseline::{Baseline, Choice, Chosen, Passage};
use super::dictionary::Finder;
use super::settings::{MAX_WORDS, SettingReader};
use crate::registry::BuiltIn;
use karat_kb::KnowledgeBase;
use karat_model::{Span, hash_of};
use std::sync::Arc;

/// Any candidate, by chance.
pub(super) static RANDOM: BuiltIn = BuiltIn {
    name: "random",
    title: "Any candidate, by chance",
    about: "Draws one of the candidates of the exact text of each mention, all with the same chance. It shows what candidates alone are worth. \
            The draw depends on the seed, the document, and the place and text of the mention, so that neither the order of documents nor the number of \
            threads changes it. Without given mentions they are found as by `dictionary`.",
    settings: &[MAX_WORDS],
    needs_base: true,
    make: |context| {
        let mut reader = SettingReader::new(context);
        let finder = Finder::of(context, &mut reader)?;
        let choice = ByChance { base: base_of(context)? };
        Ok(Box::new(Baseline::new("random", reader.finish(), finder, choice)))
    },
};

struct ByChance {
    base: Arc<KnowledgeBase>,
}

impl ByChance {
    fn of(&self, passage: &Passage<'_>, mention: usize, span: Span, surface: &str) -> Chosen {
        let Some(candidates) = self.base.candidates(surface).known() else {
            return Chosen::default();
        };
        let allowed = || candidates.iter().filter(|one| passage.allows(mention, one.id));
        let count = allowed().count() as u64;
        if count == 0 {
            return Chosen::nil();
        }
        let task = passage.task;
        let start = u64::from(task.part.start) + u64::from(span.start);
        let mut key = Vec::new();
        for number in [task.seed, u64::from(task.sample), start, span.len().into()] {
            key.extend_from_slice(&number.to_le_bytes());
        }
        key.extend_from_slice(task.document.as_bytes());
        key.push(0);
        key.extend_from_slice(surface.as_bytes());
        // A product keeps the chances equal to within one in 2^64 of the number of candidates.
        let at = (u128::from(hash_of(&hash_of(&key).to_le_bytes())) * u128::from(count)) >> 64;
        let drawn = allowed().nth(at as usize);
        drawn.map_or_else(Chosen::nil, |one| Chosen {
            confidence: Some(1.0 / count as f64),
            ..Chosen::entity(one.id)
        })
    }
}

impl Choice for ByChance {
    fn choose(&self, passage: &Passage<'_>) -> Vec<Chosen> {
        let mentions = passage.spans.iter().zip(passage.surfaces()).enumerate();
        mentions.map(|(at, (span, surface))| self.of(passage, at, *span, surface)).collect()
    }
}
