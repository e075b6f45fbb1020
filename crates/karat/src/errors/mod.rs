//! How often each error was made, and how often it could have been.

mod counts;

pub use counts::{Counts, ErrorCounts, Hits};

use karat_facets::taxonomy::{Labelled, Taxonomy, label};
use karat_kb::{Identity, KnowledgeBase};
use karat_match::{Pairing, Scene, Settings};
use karat_model::Corpus;

/// What decides which errors there are.
#[derive(Debug, Clone, Copy)]
pub struct Inspection<'i> {
    /// Who meets whom.
    pub settings: &'i Settings,
    /// What is called what.
    pub taxonomy: &'i Taxonomy,
    /// Which spellings are one entity.
    pub identity: &'i Identity,
    /// What a knowledge base knows.
    pub base: Option<&'i KnowledgeBase>,
}

impl Inspection<'_> {
    /// Hands every document with its labelled cases to `each`, in the order of the benchmark.
    pub fn documents<'c>(
        &self,
        gold: &'c Corpus,
        system: &'c Corpus,
        mut each: impl FnMut(usize, &str, Vec<Labelled<'c>>),
    ) {
        let pairing = Pairing::new(gold, system, self.identity);
        let mut scene = Scene::default();
        for index in 0..pairing.len() {
            pairing.stage(index, self.settings, &mut scene);
            each(
                index,
                pairing.name(index),
                label(self.settings, self.taxonomy, &scene, self.base),
            );
        }
    }

    /// Counts everything.
    pub fn counts(&self, benchmark: &str, gold: &Corpus, system: &Corpus) -> ErrorCounts {
        let mut counts = ErrorCounts::new();
        self.documents(gold, system, |index, _, cases| {
            counts.add(&cases, self.base);
            let words =
                self.base.and_then(|base| base.words(benchmark, &index.to_string()).known());
            counts.add_words(words);
        });
        counts.finish()
    }
}
