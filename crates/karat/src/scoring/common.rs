//! Linking on the mentions that all systems found.

use super::Scoring;
use crate::inputs::Run;
use karat_match::{Pairing, Scene, Settings};
use karat_measures::disambiguated;
use karat_model::Corpus;
use std::collections::BTreeSet;

/// How a system links the mentions that all systems found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Common {
    /// Those that it links rightly.
    pub right: usize,
    /// How many there are.
    pub found: usize,
}

impl Common {
    /// The share of right links.
    pub fn accuracy(&self) -> Option<f64> {
        (self.found > 0).then(|| self.right as f64 / self.found as f64)
    }
}

/// Gold mentions by document and place in it.
type Mentions = BTreeSet<(u32, u32)>;

impl Scoring {
    /// For each measure and system, linking on the mentions that all systems found: where the measure
    /// is of linking alone, and systems differ in what they found. A threshold that is chosen for each
    /// system would make another output of it; then there is nothing.
    pub(super) fn common(&self, gold: &Corpus, systems: &[Run]) -> Vec<Option<Vec<Common>>> {
        let is_comparable =
            systems.len() > 1 && self.development.is_none() && !self.convention.oracle;
        let measures = self.selection.measures.iter().map(|measure| {
            let is_compared = is_comparable && measure.compute.is_of_linking_alone();
            let settings = Some(&measure.settings).filter(|_| is_compared);
            self.on_common(settings?, gold, systems)
        });
        measures.collect()
    }

    fn on_common(
        &self,
        settings: &Settings,
        gold: &Corpus,
        systems: &[Run],
    ) -> Option<Vec<Common>> {
        let told = |system: &Run| {
            let pairing = Pairing::new(gold, &system.corpus, &self.identity);
            told(settings, &pairing.watched(&self.watch))
        };
        let told: Vec<(Mentions, Mentions)> = systems.iter().map(told).collect();
        let (first, _) = told.first()?;
        // All found the same, so that their accuracies are comparable as they are.
        if told.iter().all(|(found, _)| found == first) {
            return None;
        }
        let by_all = |mention: &&(u32, u32)| told.iter().all(|(found, _)| found.contains(*mention));
        let common: Mentions = first.iter().filter(by_all).copied().collect();
        let of = |(_, right): &(Mentions, Mentions)| Common {
            right: right.intersection(&common).count(),
            found: common.len(),
        };
        Some(told.iter().map(of).collect())
    }
}

/// The linked gold mentions that a system found, and those that it linked rightly.
fn told(settings: &Settings, pairing: &Pairing<'_>) -> (Mentions, Mentions) {
    let (mut found, mut right) = (Mentions::new(), Mentions::new());
    let mut scene = Scene::default();
    for index in 0..pairing.len() {
        pairing.stage(index, settings, &mut scene);
        let place = |annotation: u32| (index as u32, annotation);
        let of_document = disambiguated(settings, &scene);
        found.extend(of_document.found.into_iter().map(place));
        right.extend(of_document.right.into_iter().map(place));
    }
    (found, right)
}
