//! What choosing among the candidates of a base can reach.

use super::oracle::gold_units;
use karat_kb::KnowledgeBase;
use karat_model::Corpus;

/// How many gold links a linker could find that chooses among the candidates of a base.
///
/// ```
/// use karat_kb::Builder;
/// use karat_linkers::baselines::CandidateCeiling;
/// use karat_model::{CorpusBuilder, Link, Span};
///
/// let mut base = Builder::in_memory();
/// base.mention("Berlin", "Q64", Some(9))?;
/// base.mention("Berlin", "Q614184", Some(1))?;
/// let base = base.finish()?;
/// let mut gold = CorpusBuilder::new();
/// gold.begin_document("d1").expect("it is the first");
/// gold.set_text("Berlin is near Bonn.");
/// for (start, end, id) in [(0, 6, "Q64"), (15, 19, "Q586")] {
///     let link = Link::to(gold.intern(id));
///     gold.annotate(Span::new(start, end), link);
/// }
/// let ceiling = CandidateCeiling::of(&base, &gold.finish());
/// assert_eq!((ceiling.links, ceiling.with_candidates, ceiling.reachable), (2, 1, 1));
/// # Ok::<(), karat_kb::KbError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CandidateCeiling {
    /// Mentions that have to be found and are linked to an entity.
    pub links: u64,
    /// Those whose text the base knows an entity for.
    pub with_candidates: u64,
    /// Those whose entity is among the candidates of their text.
    pub reachable: u64,
}

impl CandidateCeiling {
    /// Counts the mentions of gold. Entities are compared as the base spells them.
    pub fn of(base: &KnowledgeBase, gold: &Corpus) -> CandidateCeiling {
        let mut ceiling = CandidateCeiling::default();
        for document in gold.documents() {
            let Some(text) = document.text_index() else { continue };
            for mention in gold_units(&document) {
                let Some(entity) = mention.entity() else { continue };
                ceiling.links += 1;
                let surface = text.slice(mention.span()).unwrap_or_default();
                let Some(candidates) = base.candidates(surface).known() else { continue };
                let entity = base.resolve(entity);
                ceiling.with_candidates += u64::from(candidates.iter().next().is_some());
                ceiling.reachable += u64::from(candidates.iter().any(|one| one.id == entity));
            }
        }
        ceiling
    }

    /// The share of links that can be reached; `None` where gold has no links.
    pub fn share(&self) -> Option<f64> {
        (self.links > 0).then(|| self.reachable as f64 / self.links as f64)
    }
}
