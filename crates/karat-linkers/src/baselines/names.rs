//! A person is named in full once, and in short afterwards.

use super::base_of;
use super::baseline::{Baseline, Choice, Chosen, Passage};
use super::dictionary::Finder;
use super::prior::Prior;
use super::settings::{Declared, LISTED, MAX_WORDS, SettingReader};
use crate::answer::AnsweredLink;
use crate::registry::BuiltIn;
use std::collections::HashMap;

const PERSON_TYPES: Declared = (
    "person-types",
    "the types that are taken for persons, with all types below them",
    "Q215627,Q5",
);

/// `prior`, and short names of persons as their long ones.
pub(super) static NAMES: BuiltIn = BuiltIn {
    name: "names",
    title: "As `prior`, and short names of persons as their long ones in the same document",
    about: "Links as `prior`, but a mention whose words begin or end a longer mention of the same document is linked as the first \
            such mention that means a person: `Dylan` as `Bob Dylan`. It needs a base that knows which entities are persons. On given mentions it finds more right links \
            than `prior` on every benchmark of ELEVANT but one, where both find the same. Without given mentions they are found as by `dictionary`.",
    settings: &[PERSON_TYPES, MAX_WORDS, LISTED],
    needs_base: true,
    make: |context| {
        let mut reader = SettingReader::new(context);
        let finder = Finder::of(context, &mut reader)?;
        let person_types = reader.ids(PERSON_TYPES)?;
        let prior = Prior { base: base_of(context)?, listed: reader.number(LISTED, 0..=1000)? };
        let choice = ByNames { prior, person_types };
        Ok(Box::new(Baseline::new("names", reader.finish(), finder, choice)))
    },
};

/// Mentions with more words than this are no names, and give none to others.
const LONGEST: usize = 32;

struct ByNames {
    prior: Prior,
    person_types: Vec<String>,
}

impl ByNames {
    fn is_person(&self, chosen: &Chosen) -> bool {
        let AnsweredLink::To(id) = &chosen.link else { return false };
        let base = &self.prior.base;
        let is_wanted = |id: &str| self.person_types.iter().any(|one| one == id);
        let among = base.entity(id).and_then(|entity| base.types_among(&entity, is_wanted));
        among.is_some_and(|among| !among.is_empty())
    }
}

impl Choice for ByNames {
    fn choose(&self, passage: &Passage<'_>) -> Vec<Chosen> {
        let mut chosen = self.prior.choose(passage);
        let surfaces = passage.surfaces();
        let words: Vec<Vec<&str>> = surfaces
            .iter()
            .map(|surface| surface.split_whitespace().take(LONGEST + 1).collect())
            .collect();
        // Mentions need not be given in the order of the text; the first one is the first in the text.
        let mut order: Vec<usize> = (0..words.len()).collect();
        order.sort_by_key(|at| (passage.spans.get(*at).copied(), *at));
        let mut persons: HashMap<&[&str], usize> = HashMap::new();
        for at in order {
            let long = words[at].as_slice();
            if (2..=LONGEST).contains(&long.len()) && self.is_person(&chosen[at]) {
                let shorter = (1..long.len()).flat_map(|cut| [&long[..cut], &long[cut..]]);
                shorter.for_each(|name| {
                    persons.entry(name).or_insert(at);
                });
            }
        }
        // A long name may itself be a part of a longer one: what `prior` says of each counts, not what became of it here.
        let long = words.iter().map(|short| persons.get(short.as_slice()).copied());
        let taken: Vec<(usize, Chosen)> = long
            .enumerate()
            .filter_map(|(at, long)| Some((at, chosen.get(long?)?.clone())))
            .filter(|(at, long)| match &long.link {
                AnsweredLink::To(id) => passage.allows(*at, id),
                _ => false,
            })
            .collect();
        for (at, long) in taken {
            chosen[at] = long;
        }
        chosen
    }
}
