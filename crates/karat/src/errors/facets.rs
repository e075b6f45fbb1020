//! How often the labels of a facet occur, on each side and among what is right.

use super::Inspection;
use karat_facets::Facet;
use karat_match::{Agreement, Case, Criteria, Keep, Matcher, Outcome, SpanAnnotation};
use karat_model::Corpus;
use std::collections::{BTreeMap, BTreeSet};

impl Inspection<'_> {
    /// How often each label of a facet occurs among gold mentions and among predictions: `gold` or
    /// `prediction`, and the label.
    pub fn sides(
        &self,
        gold: &Corpus,
        system: &Corpus,
        facet: &dyn Facet,
    ) -> BTreeMap<(&'static str, String), usize> {
        let mut counts = BTreeMap::new();
        self.each_scene(gold, system, |_, scene| {
            let missed = |at: u32| Case { gold: Some(at), system: None, outcome: Outcome::Missed };
            let extra = |at: u32| Case { gold: None, system: Some(at), outcome: Outcome::Extra };
            let gold: Vec<Case> = (0..scene.gold.items.len() as u32).map(missed).collect();
            let predicted: Vec<Case> = (0..scene.system.items.len() as u32).map(extra).collect();
            for (side, cases) in [("gold", gold), ("prediction", predicted)] {
                for label in facet.labels_of_cases(scene, &cases).into_iter().flatten() {
                    *counts.entry((side, label)).or_default() += 1;
                }
            }
        });
        counts
    }

    /// By which label of a facet links are right: for each label that gold mentions have by one of their
    /// annotations, and each by which they were found. They differ where a link is right by an
    /// alternative of another category.
    pub fn confusion(
        &self,
        gold: &Corpus,
        system: &Corpus,
        facet: &dyn Facet,
    ) -> BTreeMap<(String, String), usize> {
        // By span and link alone, whatever the convention keeps: all alternatives of a mention must
        // be seen.
        let criteria = Criteria::new(Keep::All, Agreement::SPAN | Agreement::ENTITY);
        let mut counts = BTreeMap::new();
        self.each_scene(gold, system, |_, scene| {
            let labels = |said: &SpanAnnotation| facet.labels_in(scene, &scene.gold, &said.item);
            for mention in Matcher::new(self.settings, criteria).mentions(scene).gold {
                let said = || mention.annotations.iter();
                let all: BTreeSet<String> = said().flat_map(labels).collect();
                let right = said().filter(|said| said.met.is_some());
                let right: BTreeSet<String> = right.flat_map(labels).collect();
                for label in &all {
                    let is_right = right.contains(label);
                    // A mention that is right by its own label counts for that; only otherwise for
                    // every label it was right by.
                    for by in right.iter().filter(|by| !is_right || *by == label) {
                        *counts.entry((label.clone(), by.clone())).or_default() += 1;
                    }
                }
            }
        });
        counts
    }
}
