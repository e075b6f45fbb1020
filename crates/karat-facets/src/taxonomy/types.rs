//! The types by which results are told apart.

use super::Taxonomy;
use karat_kb::KnowledgeBase;
use karat_model::Mention;
use karat_model::literal::{self, OTHER};

/// Which types are reported, and who has them.
#[derive(Debug)]
pub struct ReportedTypes<'k> {
    names: Vec<String>,
    taxonomy: &'k Taxonomy,
    base: Option<&'k KnowledgeBase>,
}

impl<'k> ReportedTypes<'k> {
    /// Those that a knowledge base lists; those of ELEVANT where there is no list. Types that count as
    /// others are not among them.
    pub fn of(taxonomy: &'k Taxonomy, base: Option<&'k KnowledgeBase>) -> ReportedTypes<'k> {
        let listed: Vec<&str> =
            base.into_iter().flat_map(|base| base.whitelist().map(|(id, _)| id)).collect();
        let all = if listed.is_empty() { Taxonomy::TYPES.to_vec() } else { listed };
        let is_reported = |name: &&str| !taxonomy.is_merged(name);
        let names = all.into_iter().filter(is_reported).map(str::to_owned).collect();
        ReportedTypes { names, taxonomy, base }
    }

    /// Their names, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    fn is_reported(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// The types of an entity of the knowledge base; none of them is known to be reported if the list
    /// is empty, and `None` is that nobody knows.
    pub fn of_entity(&self, id: &str) -> Option<Vec<&str>> {
        let base = self.base?;
        let among = base.types_among(&base.entity(id)?, |name| self.is_wanted(name))?;
        Some(self.adjusted(among))
    }

    /// Whether a type is one that is reported, or counts as one.
    fn is_wanted(&self, name: &str) -> bool {
        self.is_reported(self.taxonomy.merged(name))
    }

    /// Those of these types that are reported, as they count.
    fn adjusted<'t>(&self, types: impl IntoIterator<Item = &'t str>) -> Vec<&'t str> {
        let mut adjusted = self.taxonomy.adjusted(types);
        adjusted.retain(|name| self.is_reported(name));
        adjusted
    }

    /// The types of a gold mention: as gold says, or else as the knowledge base does.
    pub fn of_gold<'t>(&'t self, gold: &Mention<'t>) -> Option<Vec<&'t str>> {
        let reported = self.adjusted(gold.types());
        let is_told = |name: &str| {
            name == OTHER || literal::is_literal(name) || self.taxonomy.is_merged(name)
        };
        // Gold that says `OTHER` or a literal has said its type: the knowledge base must not add
        // another one.
        if !reported.is_empty() || gold.types().any(is_told) {
            return Some(reported);
        }
        let above = || self.base?.reached(gold.types(), |name| self.is_wanted(name));
        let given = above().map(|types| self.adjusted(types)).filter(|types| !types.is_empty());
        given.or_else(|| gold.entity().map_or(Some(Vec::new()), |id| self.of_entity(id)))
    }
}
