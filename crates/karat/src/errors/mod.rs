//! What went wrong and could have: counts, lists, what two systems do differently, and where gold
//! itself may be wrong.

mod counts;
mod diff;
mod list;
mod suspects;
mod tables;

pub use counts::{Counts, ErrorCounts, Hits};
pub use diff::{Difference, Group, differences};
pub use list::{Answer, ErrorCase, Filter};
pub use suspects::{Suspect, suspects};
pub use tables::{case_table, count_table, difference_table};

use karat_facets::taxonomy::{Labelled, Taxonomy, label};
use karat_kb::{Identity, KnowledgeBase};
use karat_match::{Pairing, Scene, Settings, Unknowns};
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
        mut each: impl FnMut(usize, &str, &Scene<'c>, Vec<Labelled<'c>>),
    ) {
        let pairing = Pairing::new(gold, system, self.identity);
        let mut scene = Scene::default();
        for index in 0..pairing.len() {
            pairing.stage(index, self.settings, &mut scene);
            let cases = label(self.settings, self.taxonomy, &scene, self.base);
            each(index, pairing.name(index), &scene, cases);
        }
    }

    /// Counts everything.
    pub fn counts(&self, benchmark: &str, gold: &Corpus, system: &Corpus) -> ErrorCounts {
        let mut counts = ErrorCounts::new();
        self.documents(gold, system, |index, _, _, cases| {
            counts.add(&cases, self.base);
            let words =
                self.base.and_then(|base| base.words(benchmark, &index.to_string()).known());
            counts.add_words(words);
        });
        counts.finish()
    }

    /// Every case with an error, and every right one, that passes these filters.
    pub fn cases(
        &self,
        gold: &Corpus,
        system: &Corpus,
        unknowns: Unknowns,
        filters: &[Filter],
    ) -> Vec<ErrorCase> {
        let counts = self.counts("", gold, system);
        let closed = counts.modes[unknowns.index()].untyped == 0;
        let mut all = Vec::new();
        self.documents(gold, system, |_, name, scene, cases| {
            let passes: Vec<Vec<bool>> =
                filters.iter().map(|filter| filter.passes(scene, &cases)).collect();
            for (at, case) in cases.iter().enumerate() {
                if passes.iter().all(|passes| passes.get(at) == Some(&true)) {
                    all.push(ErrorCase::new(self, name, scene, case, unknowns, closed));
                }
            }
        });
        all
    }
}
