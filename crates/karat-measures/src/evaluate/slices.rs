//! The same counts for each part of the corpus that shares a label.

use super::layout::{Layout, Stage};
use super::tally::{Tally, count};
use crate::preset::Grouping;
use karat_facets::{Facet, Labels, UNLABELLED};
use karat_match::{Case, Item, Outcome, Scene, Side};
use karat_model::Span;
use std::collections::{BTreeMap, HashSet};
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
    // What became of a mention is said of cases, however mentions are grouped.
    let by_cases = layout.plan.convention.grouping == Grouping::Cases
        || facets.iter().any(|facet| facet.is_of_cases());
    for (measure, range) in &stage.documents {
        let cases = match by_cases {
            true => measure.cases(stage.settings, scene),
            false => None,
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
        let parts = match layout.plan.convention.grouping {
            Grouping::Annotations => by_annotation(scene, facets),
            Grouping::Cases | Grouping::Sides => divide(scene, facets),
        };
        for (label, part) in parts {
            let row = rows.entry(label.clone()).or_insert_with(|| vec![0.0; layout.width]);
            let tally = slices.entry(label).or_insert_with(|| Tally::new(layout));
            count(&divided, &part, row, &mut tally.gathered);
            if layout.plan.convention.grouping == Grouping::Annotations {
                for (measure, range) in &divided.documents {
                    measure.forget_in_part(&mut row[range.clone()]);
                }
            }
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

pub(crate) fn labels_of_item(
    facets: &[Arc<dyn Facet>],
    scene: &Scene<'_>,
    side: &Side<'_>,
    item: &Item,
) -> Labels {
    combined(facets.iter().map(|facet| facet.labels_in(scene, side, item)))
}

/// Every combination of one label of each; what has none is labelled as such, and so is what has more
/// combinations than anybody would look at.
fn combined(labels: impl Iterator<Item = Labels>) -> Labels {
    const MOST: usize = 1000;
    let labels: Vec<Labels> = labels.collect();
    let several = labels.iter().filter(|labels| labels.len() > 1).count() > 1;
    let product = labels.iter().map(|labels| labels.len().max(1)).fold(1, usize::saturating_mul);
    // The many labels of one facet are all there are; only combinations multiply.
    if several && product > MOST {
        return vec![UNLABELLED.to_owned()];
    }
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

/// For each label the gold annotations that carry it, and the predictions on their spans.
fn by_annotation<'a>(scene: &Scene<'a>, facets: &[Arc<dyn Facet>]) -> BTreeMap<String, Scene<'a>> {
    let part = |annotations: Vec<Item>| {
        let indices: HashSet<u32> = annotations.iter().map(|item| item.index).collect();
        let spans: HashSet<Span> = annotations.iter().map(|item| item.span).collect();
        let on_spans = |at: usize| spans.contains(&scene.system.items[at].span);
        let gold = scene.gold.only_annotations(|item| indices.contains(&item.index));
        Scene { gold, ..scene.keeping(|_| false, on_spans) }
    };
    let parts = annotations_by_label(scene, facets).into_iter();
    parts.map(|(label, annotations)| (label, part(annotations))).collect()
}

/// The gold annotations, alternatives included, that carry each label.
pub(super) fn annotations_by_label(
    scene: &Scene<'_>,
    facets: &[Arc<dyn Facet>],
) -> BTreeMap<String, Vec<Item>> {
    let gold = &scene.gold;
    let mut by_label: BTreeMap<String, Vec<Item>> = BTreeMap::new();
    for annotation in gold.items.iter().flat_map(|item| gold.annotations(item)) {
        for label in labels_of_item(facets, scene, gold, annotation) {
            by_label.entry(label).or_default().push(*annotation);
        }
    }
    by_label
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_facets_does_not_decide_how_many_combinations_there_are() {
        let many = |number: usize| (0..number).map(|at| at.to_string()).collect::<Labels>();
        for facets in [[1001, 1], [1, 1001], [1001, 0]] {
            assert_eq!(combined(facets.into_iter().map(many)).len(), 1001);
        }
        for facets in [[501, 2], [2, 501]] {
            assert_eq!(combined(facets.into_iter().map(many)), [UNLABELLED]);
        }
        assert_eq!(combined([500, 2].into_iter().map(many)).len(), 1000);
    }
}
