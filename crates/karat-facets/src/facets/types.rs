//! The types of a mention, as its side gives them; where that gives none, as the knowledge base does.

use crate::facet::{Facet, Labels};
use crate::registry::{FacetDefinition, FacetNeeds};
use crate::taxonomy::{ReportedTypes, Taxonomy};
use karat_kb::KnowledgeBase;
use karat_match::{Item, Side};
use karat_model::literal;
use std::sync::Arc;

/// See the head of this file.
pub(super) static TYPE: FacetDefinition = FacetDefinition {
    name: "type",
    about: "The types of a mention, as its side gives them, or else the knowledge base.",
    needs: FacetNeeds::Context,
    make: |context, _| {
        Ok(Arc::new(ByType { taxonomy: context.taxonomy, base: context.base.clone() }))
    },
};

/// Types as they count under a taxonomy.
#[derive(Debug)]
struct ByType {
    taxonomy: &'static Taxonomy,
    base: Option<Arc<KnowledgeBase>>,
}

impl Facet for ByType {
    fn name(&self) -> &str {
        TYPE.name
    }

    fn is_of_types(&self) -> bool {
        true
    }

    fn label_name(&self, label: &str) -> Option<&str> {
        self.base.as_ref()?.type_name(label)
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

impl ByType {
    /// The types of an entity among those that are reported; `OTHER` if it has none of these.
    fn known(&self, entity: &str) -> Labels {
        let types = ReportedTypes::of(self.taxonomy, self.base.as_deref());
        let known = types.of_entity(entity).unwrap_or_default();
        // Known and without a reported type is `OTHER`; not known at all has no label.
        match known.is_empty() && types.of_entity(entity).is_some() {
            true => vec![literal::OTHER.to_owned()],
            false => known.into_iter().map(str::to_owned).collect(),
        }
    }
}
