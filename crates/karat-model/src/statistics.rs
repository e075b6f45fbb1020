//! The numbers one first asks of a corpus.

use crate::{Corpus, Flags};
use std::collections::BTreeSet;

/// Counts of a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Documents.
    pub documents: usize,
    /// Documents that have text.
    pub documents_with_text: usize,
    /// Code points of all texts.
    pub code_points: usize,
    /// Annotations, parts of alternatives included.
    pub annotations: usize,
    /// Annotations that are not part of another's alternative.
    pub roots: usize,
    /// Roots that can be read in another way.
    pub roots_with_alternatives: usize,
    /// Annotations linked to an entity.
    pub linked: usize,
    /// Annotations that are NIL.
    pub nil: usize,
    /// Annotations without an answer.
    pub unlinked: usize,
    /// Distinct NIL clusters.
    pub nil_clusters: usize,
    /// Distinct entities.
    pub entities: usize,
    /// Optional annotations.
    pub optional: usize,
    /// Annotations from a gold standard, where the file tells.
    pub gold: usize,
    /// Annotations from a system, where the file tells.
    pub predicted: usize,
}

impl Corpus {
    /// The counts of this corpus.
    pub fn statistics(&self) -> Statistics {
        let mut counts = Statistics { documents: self.len(), ..Statistics::default() };
        // A flag for each interned string: counting distinct strings needs no hashing.
        let mut entities = vec![false; self.strings.len()];
        let mut clusters = vec![false; self.strings.len()];
        for document in self.documents() {
            if let Some(text) = document.text() {
                counts.documents_with_text += 1;
                counts.code_points += text.chars().count();
            }
            let mut parents = BTreeSet::new();
            for mention in document.mentions() {
                counts.annotations += 1;
                match mention.place() {
                    None => counts.roots += 1,
                    Some(place) => {
                        parents.insert(place.parent);
                    }
                }
                let link = mention.link();
                counts.nil += usize::from(link.is_nil());
                counts.unlinked += usize::from(link.is_none());
                if let Some(entity) = link.entity() {
                    counts.linked += 1;
                    entities[entity.index()] = true;
                }
                if let Some(cluster) = link.cluster() {
                    clusters[cluster.index()] = true;
                }
                let has = |flag| usize::from(mention.flags().contains(flag));
                counts.optional += has(Flags::OPTIONAL);
                counts.gold += has(Flags::GOLD);
                counts.predicted += has(Flags::PREDICTED);
            }
            let is_root = |&index: &u32| {
                document.mention(index as usize).is_some_and(|mention| mention.place().is_none())
            };
            counts.roots_with_alternatives += parents.iter().filter(|index| is_root(index)).count();
        }
        counts.entities = entities.iter().filter(|&&seen| seen).count();
        counts.nil_clusters = clusters.iter().filter(|&&seen| seen).count();
        counts
    }
}
