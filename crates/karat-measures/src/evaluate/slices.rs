//! The same counts for each part of the corpus that shares a label.

use super::layout::{Layout, Stage};
use super::tally::{Tally, count};
use crate::preset::Grouping;
use karat_facets::{Facet, Labels, UNLABELLED};
use karat_match::{Case, Item, Outcome, Scene, Side};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The counts of one document for each label in it.
pub(super) type Rows = BTreeMap<String, Vec<f64>>;

/// Counts a scene once more for each label in it: into `rows`, which all stages of a document
/// share, and, for measures of the whole corpus, into the slices.
pub(super) fn slice<'a>(
    stage: &Stage<'_>,
    scene: &Scene<'a>,
    facets: &[Arc<dyn Facet>],
    layout: &Layout<'_>,
    rows: &mut Rows,
    slices: &mut BTreeMap<String, Tally>,
) {
    let mut divided = Vec::new();
    for (measure, range) in &stage.documents {
        let cases = match layout.plan.convention.grouping {
            Grouping::Cases => measure.cases(stage.settings, scene),
            Grouping::Sides => None,
        };
        match cases {
            Some(cases) => {
                let mut cases = cases;
                cases.retain(|case| case.outcome != Outcome::Ignored);
                let labels = labels_of_cases(facets, scene, &cases);
                for (case, labels) in cases.iter().zip(labels) {
                    for label in labels {
                        let row = rows.entry(label).or_insert_with(|| vec![0.0; layout.width]);
                        measure.add(scene, case, &mut row[range.clone()]);
                    }
                }
            }
            None => divided.push((*measure, range.clone())),
        }
    }
    let divided =
        Stage { settings: stage.settings, documents: divided, corpus: stage.corpus.clone() };
    if !divided.documents.is_empty() || !divided.corpus.is_empty() {
        for (label, part) in divide(scene, facets) {
            let row = rows.entry(label.clone()).or_insert_with(|| vec![0.0; layout.width]);
            let tally = slices.entry(label).or_insert_with(|| Tally::new(layout));
            count(&divided, &part, row, &mut tally.gathered);
        }
    }
}

/// The labels of each case, for all combinations of the facets.
fn labels_of_cases(facets: &[Arc<dyn Facet>], scene: &Scene<'_>, cases: &[Case]) -> Vec<Labels> {
    let by_facet: Vec<Vec<Labels>> =
        facets.iter().map(|facet| facet.labels_of_cases(scene, cases)).collect();
    let of_case = |(at, case): (usize, &Case)| {
        combined(facets.iter().zip(&by_facet).map(|(facet, labels)| {
            let labels = labels.get(at).cloned().unwrap_or_default();
            match (labels.is_empty(), case.gold, case.system) {
                // A prediction that its system says nothing about may still lie on a gold mention.
                (true, None, Some(system)) => {
                    let span = scene.system.items[system as usize].span;
                    let gold = scene.gold.on_span(span);
                    gold.map(|gold| facet.labels_in(scene, &scene.gold, gold)).unwrap_or_default()
                }
                _ => labels,
            }
        }))
    };
    cases.iter().enumerate().map(of_case).collect()
}

pub(super) fn labels_of_item(
    facets: &[Arc<dyn Facet>],
    scene: &Scene<'_>,
    side: &Side<'_>,
    item: &Item,
) -> Labels {
    combined(facets.iter().map(|facet| facet.labels_in(scene, side, item)))
}

/// Every combination of one label of each; what has none is labelled as such.
fn combined(labels: impl Iterator<Item = Labels>) -> Labels {
    let mut all: Labels = vec![String::new()];
    for labels in labels {
        let labels = if labels.is_empty() { vec![UNLABELLED.to_owned()] } else { labels };
        all = all
            .iter()
            .flat_map(|before| {
                labels.iter().map(move |label| match before.as_str() {
                    "" => label.clone(),
                    before => format!("{before}+{label}"),
                })
            })
            .collect();
    }
    all
}

/// A scene for each label, of the items that carry it.
fn divide<'a>(scene: &Scene<'a>, facets: &[Arc<dyn Facet>]) -> BTreeMap<String, Scene<'a>> {
    let label_side = |side: &Side<'a>| -> Vec<Labels> {
        side.items.iter().map(|item| labels_of_item(facets, scene, side, item)).collect()
    };
    let (gold, system) = (label_side(&scene.gold), label_side(&scene.system));
    let mut names: Vec<&String> = gold.iter().chain(&system).flatten().collect();
    names.sort_unstable();
    names.dedup();
    let keeping = |label: &String| {
        scene.keeping(|at| gold[at].contains(label), |at| system[at].contains(label))
    };
    names.into_iter().map(|label| (label.clone(), keeping(label))).collect()
}
