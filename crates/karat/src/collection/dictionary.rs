//! What a knowledge base says about names and popularity, as far as tables of it are given.

use karat_formats::{Kind, Problem, Text};
use std::collections::{HashMap, HashSet};

/// Which entities a name may mean, and how popular entities are.
#[derive(Debug, Clone, Default)]
pub struct Dictionary {
    entities_of: HashMap<String, HashSet<String>>,
    names_of: HashMap<String, HashSet<String>>,
    counts: HashMap<String, u64>,
}

impl Dictionary {
    /// Takes up lines of name, tab, entity. Names are compared without regard to case.
    pub fn read_names(&mut self, text: &Text<'_>) -> Result<(), Problem> {
        for line in lines(text) {
            let (name, entity) = two_fields(text, line, "a name, a tab and an entity")?;
            let name = name.to_lowercase();
            self.names_of.entry(entity.to_owned()).or_default().insert(name.clone());
            self.entities_of.entry(name).or_default().insert(entity.to_owned());
        }
        Ok(())
    }

    /// Takes up lines of entity, tab, count: how often it is linked to, read, or the like.
    pub fn read_counts(&mut self, text: &Text<'_>) -> Result<(), Problem> {
        for line in lines(text) {
            let (entity, count) = two_fields(text, line, "an entity, a tab and a count")?;
            let count: u64 = count.parse().map_err(|_| {
                text.problem_at(Kind::Format, count, format!("`{count}` is no count"))
                    .hint("write a whole number that is not negative")
            })?;
            let known = self.counts.entry(entity.to_owned()).or_default();
            *known = known.saturating_add(count);
        }
        Ok(())
    }

    /// Whether names are known.
    pub fn has_names(&self) -> bool {
        !self.entities_of.is_empty()
    }

    /// Whether counts are known.
    pub fn has_counts(&self) -> bool {
        !self.counts.is_empty()
    }

    /// How many entities a name in lower case may mean.
    pub fn entities_of(&self, name: &str) -> usize {
        self.entities_of.get(name).map_or(0, HashSet::len)
    }

    /// How many names an entity has.
    pub fn names_of(&self, entity: &str) -> usize {
        self.names_of.get(entity).map_or(0, HashSet::len)
    }

    /// Whether a name in lower case may mean an entity.
    pub fn means(&self, name: &str, entity: &str) -> bool {
        self.entities_of.get(name).is_some_and(|entities| entities.contains(entity))
    }

    /// How popular an entity is; 0 for one that is not listed.
    pub fn count_of(&self, entity: &str) -> u64 {
        self.counts.get(entity).copied().unwrap_or_default()
    }
}

fn lines<'t>(text: &'t Text<'_>) -> impl Iterator<Item = &'t str> {
    text.as_str().lines().filter(|line| !line.trim().is_empty())
}

fn two_fields<'l>(
    text: &Text<'_>,
    line: &'l str,
    expected: &str,
) -> Result<(&'l str, &'l str), Problem> {
    let fields = line.split_once('\t').map(|(first, second)| (first.trim(), second.trim()));
    let are_two = |(first, second): &(&str, &str)| {
        !first.is_empty() && !second.is_empty() && !second.contains('\t')
    };
    fields.filter(are_two).ok_or_else(|| {
        text.problem_at(Kind::Format, line, format!("expected {expected}"))
            .hint("each line has two fields, separated by a tab")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_counts_add_up() {
        let mut dictionary = Dictionary::default();
        let names =
            Text::new("names.tsv", "Paris\tQ90\nparis\tQ830149\n\nLutetia\tQ90\nParis\tQ90\n");
        dictionary.read_names(&names).expect("names");
        dictionary.read_counts(&Text::new("counts.tsv", "Q90\t7\nQ90\t3\n")).expect("counts");
        assert_eq!((dictionary.entities_of("paris"), dictionary.names_of("Q90")), (2, 2));
        assert!(dictionary.means("lutetia", "Q90") && !dictionary.means("lutetia", "Q1"));
        assert_eq!((dictionary.count_of("Q90"), dictionary.count_of("Q1")), (10, 0));
    }

    #[test]
    fn a_bad_line_is_named() {
        let mut dictionary = Dictionary::default();
        let place = |problem: Problem| problem.place.map(|place| (place.line, place.column));
        let names = Text::new("names.tsv", "Paris\tQ90\nParis Q90\n");
        assert_eq!(place(dictionary.read_names(&names).expect_err("no tab")), Some((2, 1)));
        let names = Text::new("names.tsv", "Paris\tQ90\t12\n");
        assert_eq!(place(dictionary.read_names(&names).expect_err("three fields")), Some((1, 1)));
        let counts = Text::new("counts.tsv", "Q90\t-7\n");
        assert_eq!(place(dictionary.read_counts(&counts).expect_err("negative")), Some((1, 5)));
    }
}
