//! What an entity is, by its types and what lies above them.

use crate::base::KnowledgeBase;
use crate::build::FactCoverage;
use crate::entity::{Entity, EntityKind, FICTIONAL_LOCATION, GEOGRAPHIC_ENTITY};
use std::collections::HashSet;

/// How many types are looked at for one question; Wikidata has a few hundred above a class.
const MOST: usize = 10_000;

impl KnowledgeBase {
    /// Those of an entity's types that are wanted, or else the nearest above them. `None` if it
    /// cannot be told: types deny what they do not reach only in a base that lists the types it
    /// reports, or where each of them has others above it.
    pub fn types_among<'k>(
        &'k self,
        entity: &Entity<'k>,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Option<Vec<&'k str>> {
        self.reached(entity.types().known()?, is_wanted)
    }

    /// The same for types that are given.
    pub fn reached<'t>(
        &'t self,
        types: impl Iterator<Item = &'t str>,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Option<Vec<&'t str>> {
        let mut open: Vec<&str> = types.collect();
        let is_listed = self.whitelist().next().is_some();
        let all_have_parents = || open.iter().all(|id| self.type_parents(id).next().is_some());
        let denies = is_listed || all_have_parents();
        // Hierarchies of Wikidata have circles.
        let mut seen: HashSet<&str> = open.iter().copied().collect();
        let mut found = Vec::new();
        while let Some(id) = open.pop() {
            if is_wanted(id) {
                found.push(id);
                // Not further up: above the nearest wanted type every type is more general.
                continue;
            }
            if seen.len() > MOST {
                return None;
            }
            open.extend(self.type_parents(id).filter(|parent| seen.insert(parent)));
        }
        found.sort_unstable();
        (denies || !found.is_empty()).then_some(found)
    }

    /// Whether an entity is a place, be it invented: as the base was told, or by its types and what lies
    /// above them.
    pub fn is_place(&self, entity: &Entity<'_>) -> Option<bool> {
        entity.told_location().or_else(|| {
            let places = [GEOGRAPHIC_ENTITY, FICTIONAL_LOCATION];
            let among = self.types_among(entity, |id| places.contains(&id))?;
            Some(!among.is_empty())
        })
    }

    /// Whether an entity is a quantity, a time or a thing; `None` if nobody said. An entity of which
    /// only a name is known may be anything; one whose types are known was looked at.
    pub fn kind(&self, id: &str) -> Option<EntityKind> {
        let entity = self.entity(id);
        let told = entity.map(|entity| entity.kind()).filter(|kind| *kind != EntityKind::Thing);
        let is_looked_at = || {
            entity.is_some_and(|entity| !entity.types().is_unknown())
                || self.covers(FactCoverage::Kinds)
        };
        told.or_else(|| is_looked_at().then_some(EntityKind::Thing))
    }
}
