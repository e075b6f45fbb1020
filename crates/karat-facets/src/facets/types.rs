//! The types of a mention, as its side gives them; where that gives none, as the knowledge base does.

use crate::facet::{Facet, Labels};
use crate::taxonomy::{ReportedTypes, Taxonomy};
use karat_kb::KnowledgeBase;
use karat_match::{Item, Side};
use karat_model::{Mention, literal};
use std::sync::Arc;

pub(super) const NAME: &str = "type";
const SUMMARY: &str = "The types of a mention, as its side gives them, or else the knowledge base";

/// See the head of this file.
#[derive(Debug)]
pub(super) struct ByType;

/// The same as types count under a convention, where a knowledge base can be asked.
#[derive(Debug)]
pub(super) struct ByKnownType {
    pub(super) taxonomy: &'static Taxonomy,
    pub(super) base: Option<Arc<KnowledgeBase>>,
}

impl Facet for ByKnownType {
    fn name(&self) -> &str {
        NAME
    }

    fn summary(&self) -> &str {
        SUMMARY
    }

    fn labels(&self, side: &Side<'_>, item: &Item) -> Labels {
        let Some(mention) = side.mention(item) else { return Labels::new() };
        let given = self.taxonomy.adjusted(mention.types());
        match (given.is_empty(), mention.entity()) {
            (true, Some(entity)) => self.known(entity),
            _ => given.into_iter().map(str::to_owned).collect(),
        }
    }
}

impl ByKnownType {
    /// The types of an entity among those that are reported; `OTHER` if it has none of these.
    fn known(&self, entity: &str) -> Labels {
        let types = ReportedTypes::of(self.taxonomy, self.base.as_deref());
        let known = types.of_entity(entity).unwrap_or_default();
        match known.is_empty() && types.of_entity(entity).is_some() {
            true => vec![literal::OTHER.to_owned()],
            false => known.into_iter().map(str::to_owned).collect(),
        }
    }
}

impl Facet for ByType {
    fn name(&self) -> &str {
        NAME
    }

    fn summary(&self) -> &str {
        SUMMARY
    }

    fn labels(&self, side: &Side<'_>, item: &Item) -> Labels {
        let mention = side.mention(item);
        mention.iter().flat_map(Mention::types).map(str::to_owned).collect()
    }
}
