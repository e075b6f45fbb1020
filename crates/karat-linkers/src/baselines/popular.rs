//! The best-known entity that a text may mean.

use super::base_of;
use super::baseline::{Baseline, Choice, Chosen, Passage};
use super::dictionary::Finder;
use super::settings::{Declared, LISTED, MAX_WORDS, SettingReader};
use crate::answer::AnsweredCandidate;
use crate::registry::BuiltIn;
use karat_kb::KnowledgeBase;
use std::cmp::Reverse;
use std::sync::Arc;

const MIN: Declared = ("min", "the least popularity of what is linked to", "15");
const LANGUAGES: Declared = ("languages", "whether languages are linked to", "yes");
const LANGUAGE_TYPES: Declared =
    ("language-types", "the types that are taken for languages", "Q34770");
const DEMONYMS: Declared = ("demonyms", "whether demonyms such as `French` are linked", "yes");

/// The best-known entity that a text may mean.
pub(super) static POPULAR: BuiltIn = BuiltIn {
    name: "popular",
    title: "The best-known entity that a text may mean",
    about: "Links a mention to the candidate of its exact text with the highest popularity (sitelinks, page views, whatever the base \
            was built from), if that is at least `min`; of equal ones to the smallest id as a text; else to NIL. How often the text means which \
            candidate is not looked at. After ELEVANT's popular-entities linker, whose treatment of languages and demonyms is a \
            setting here. Without given mentions they are found as by `dictionary`.",
    settings: &[MIN, LANGUAGES, LANGUAGE_TYPES, DEMONYMS, MAX_WORDS, LISTED],
    needs_base: true,
    make: |context| {
        let mut reader = SettingReader::new(context);
        let finder = Finder::of(context, &mut reader)?;
        let choice = ByPopularity {
            base: base_of(context)?,
            min: reader.number(MIN, 0..=u64::MAX)?,
            languages: reader.answer(LANGUAGES)?,
            language_types: reader.ids(LANGUAGE_TYPES)?,
            demonyms: reader.answer(DEMONYMS)?,
            listed: reader.number(LISTED, 0..=1000)?,
        };
        Ok(Box::new(Baseline::new("popular", reader.finish(), finder, choice)))
    },
};

struct ByPopularity {
    base: Arc<KnowledgeBase>,
    min: u64,
    languages: bool,
    language_types: Vec<String>,
    demonyms: bool,
    listed: usize,
}

impl ByPopularity {
    fn of(&self, surface: &str, allows: impl Fn(&str) -> bool) -> Chosen {
        if !self.demonyms && self.base.is_demonym(surface).known() == Some(true) {
            return Chosen::nil();
        }
        let Some(candidates) = self.base.candidates(surface).known() else {
            return Chosen::default();
        };
        let allowed = candidates.iter().filter(|one| allows(one.id));
        let mut ranked: Vec<(u64, &str)> = allowed
            .filter_map(|one| {
                let entity = self.base.entity(one.id)?;
                let popularity = entity.popularity().filter(|it| *it >= self.min)?;
                (self.languages || !self.is_language(one.id)).then_some((popularity, one.id))
            })
            .collect();
        ranked.sort_unstable_by_key(|(popularity, id)| (Reverse(*popularity), *id));
        let Some((_, best)) = ranked.first() else { return Chosen::nil() };
        let listed = ranked.iter().take(self.listed).map(|(popularity, id)| AnsweredCandidate {
            id: (*id).to_owned(),
            score: Some(*popularity as f64),
        });
        Chosen { candidates: listed.collect(), ..Chosen::entity(*best) }
    }

    fn is_language(&self, id: &str) -> bool {
        let Some(entity) = self.base.entity(id) else { return false };
        let is_one = |id: &str| self.language_types.iter().any(|one| one == id);
        self.base.types_among(&entity, is_one).is_some_and(|among| !among.is_empty())
    }
}

impl Choice for ByPopularity {
    fn choose(&self, passage: &Passage<'_>) -> Vec<Chosen> {
        let surfaces = passage.surfaces();
        let chosen = surfaces.iter().enumerate();
        chosen.map(|(at, surface)| self.of(surface, |id| passage.allows(at, id))).collect()
    }
}
