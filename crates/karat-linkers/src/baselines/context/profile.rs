//! What the base says of the candidates of a text, as words.

use karat_kb::KnowledgeBase;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use unicode_segmentation::UnicodeSegmentation;

/// How fast a word that occurs again counts for less, and how much long profiles are worth less: the usual values.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Of an entity with thousands of aliases the first words are enough.
const MOST_WORDS: usize = 300;

/// The words of the candidates of one text, and what was chosen of them.
pub(super) struct Profiles {
    numbers: HashMap<String, u32>,
    profiles: HashMap<String, Profile>,
    /// How rare each word is among the candidates, by its number.
    rarity: Vec<f64>,
    mean_length: f64,
    chosen: HashSet<String>,
    /// In how many of the chosen entities each word is.
    said: Vec<u32>,
}

/// The words of an entity, each with how often it occurs, by their numbers.
struct Profile {
    words: Vec<(u32, u32)>,
    length: f64,
}

impl Profiles {
    /// The profiles of these entities, each counted once.
    pub(super) fn of<'i>(base: &KnowledgeBase, ids: impl Iterator<Item = &'i str>) -> Profiles {
        let distinct: BTreeSet<&str> = ids.collect();
        let mut numbers = HashMap::new();
        let profiles: HashMap<String, Profile> = distinct
            .iter()
            .map(|id| ((*id).to_owned(), Profile::of(base, id, &mut numbers)))
            .collect();
        let mut holding = vec![0_u32; numbers.len()];
        for (word, _) in profiles.values().flat_map(|profile| &profile.words) {
            if let Some(count) = holding.get_mut(*word as usize) {
                *count += 1;
            }
        }
        let count = profiles.len() as f64;
        let rarity = holding.iter().map(|&with| {
            let with = f64::from(with);
            (1.0 + (count - with + 0.5) / (with + 0.5)).ln()
        });
        // Whole numbers, so that no order of the sum shows.
        let length: u64 = profiles.values().map(|profile| profile.length as u64).sum();
        let said = vec![0; numbers.len()];
        Profiles {
            rarity: rarity.collect(),
            mean_length: (length as f64 / count.max(1.0)).max(1.0),
            numbers,
            profiles,
            chosen: HashSet::new(),
            said,
        }
    }

    /// Words as numbers; those that no candidate has say nothing.
    pub(super) fn query(&self, words: &HashSet<String>) -> HashSet<u32> {
        words.iter().filter_map(|word| self.numbers.get(word).copied()).collect()
    }

    /// How well the words of an entity answer a query.
    pub(super) fn bm25(&self, id: &str, query: &HashSet<u32>) -> f64 {
        let Some(profile) = self.profiles.get(id) else { return 0.0 };
        let long = K1 * (1.0 - B + B * profile.length / self.mean_length);
        let asked = profile.words.iter().filter(|(word, _)| query.contains(word));
        asked
            .map(|&(word, count)| {
                let count = f64::from(count);
                self.rarity(word) * count * (K1 + 1.0) / (count + long)
            })
            .sum()
    }

    /// The share of the words of an entity, by their rarity, that what was chosen has too, and one if it was itself chosen.
    pub(super) fn agreement(&self, id: &str) -> f64 {
        let Some(profile) = self.profiles.get(id) else { return 0.0 };
        let is_chosen = self.chosen.contains(id);
        // An entity that was chosen does not agree with its own words.
        let least = if is_chosen { 2 } else { 1 };
        let (mut shared, mut all) = (0.0, 0.0);
        for &(word, _) in &profile.words {
            let rarity = self.rarity(word);
            all += rarity;
            if self.said.get(word as usize).is_some_and(|&count| count >= least) {
                shared += rarity;
            }
        }
        let share = if all > 0.0 { shared / all } else { 0.0 };
        share + if is_chosen { 1.0 } else { 0.0 }
    }

    /// Remembers what was chosen.
    pub(super) fn choose(&mut self, id: &str) {
        if !self.chosen.insert(id.to_owned()) {
            return;
        }
        let Some(profile) = self.profiles.get(id) else { return };
        for &(word, _) in &profile.words {
            if let Some(count) = self.said.get_mut(word as usize) {
                *count += 1;
            }
        }
    }

    fn rarity(&self, word: u32) -> f64 {
        self.rarity.get(word as usize).copied().unwrap_or_default()
    }
}

impl Profile {
    fn of(base: &KnowledgeBase, id: &str, numbers: &mut HashMap<String, u32>) -> Profile {
        let mut texts: Vec<&str> = Vec::new();
        if let Some(entity) = base.entity(id) {
            texts.extend(entity.name());
            texts.extend(entity.description());
            let types = entity.types().known().into_iter().flatten();
            texts.extend(types.filter_map(|id| base.type_name(id)));
            texts.extend(entity.aliases());
        }
        let words = texts.iter().flat_map(|text| text.unicode_words()).take(MOST_WORDS);
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        let mut length = 0;
        for word in words {
            let next = numbers.len() as u32;
            let number = *numbers.entry(word.to_lowercase()).or_insert(next);
            *counts.entry(number).or_default() += 1;
            length += 1;
        }
        Profile { words: counts.into_iter().collect(), length: f64::from(length) }
    }
}
