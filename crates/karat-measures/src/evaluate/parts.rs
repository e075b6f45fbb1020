//! The parts of a scene, one for each label.

use super::slices::{labels_of_cases, labels_of_item};
use karat_facets::{Facet, Labels, findings};
use karat_match::{Case, Item, Nearby, Outcome, Scene, Settings, Side};
use karat_model::Span;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A scene for each label.
pub(super) type Parts<'a> = BTreeMap<String, Scene<'a>>;

/// Gold mentions by the labels of their cases, each with the prediction that met it, and other
/// predictions by labels of their own. With `overlap`, mentions that overlap meet.
pub(super) fn by_case<'a>(
    settings: &Settings,
    scene: &Scene<'a>,
    facets: &[Arc<dyn Facet>],
    overlap: bool,
) -> Parts<'a> {
    let Meeting { mut cases, company } = meeting(settings, scene, overlap);
    let extra = |at: usize| Case { gold: None, system: Some(at as u32), outcome: Outcome::Extra };
    let alone = (0..company.len()).filter(|&at| company[at].is_none());
    cases.extend(alone.clone().map(extra));
    let labels = labels_of_cases(facets, scene, &cases);
    let (gold, own) = labels.split_at(scene.gold.items.len());
    let mut own = own.iter();
    let of_prediction = |met: &Option<u32>| match met {
        Some(met) => gold.get(*met as usize),
        None => own.next(),
    };
    let system: Vec<&Labels> = company.iter().filter_map(of_prediction).collect();
    divided(scene, &gold.iter().collect::<Vec<_>>(), &system)
}

/// Who met whom, whatever a measure asks for.
struct Meeting {
    /// What became of each gold mention.
    cases: Vec<Case>,
    /// For each prediction the gold mention it belongs to, if any.
    company: Vec<Option<u32>>,
}

fn meeting(settings: &Settings, scene: &Scene<'_>, overlap: bool) -> Meeting {
    let missed = |at: u32| Case { gold: Some(at), system: None, outcome: Outcome::Missed };
    let mut cases: Vec<Case> = (0..scene.gold.items.len() as u32).map(missed).collect();
    let mut company = vec![None; scene.system.items.len()];
    let mut extra = vec![false; scene.system.items.len()];
    for (case, finding) in findings(settings, scene) {
        if let Some(gold) = case.gold {
            let outcome = if finding.is_right() { Outcome::Match } else { Outcome::Missed };
            cases[gold as usize] = Case { outcome, ..case };
        }
        if let Some(system) = case.system {
            company[system as usize] = case.gold;
            extra[system as usize] = case.gold.is_none();
        }
    }
    let near = Nearby::new(scene.gold.items.iter());
    for ((met, item), extra) in company.iter_mut().zip(&scene.system.items).zip(extra) {
        // What is no case of its own was said before, or agrees with optional gold.
        if met.is_none() && (overlap || !extra) {
            *met = closest(&scene.gold, &near, item.span, overlap);
        }
    }
    Meeting { cases, company }
}

/// The gold mention that a span covers most of; without `overlap`, one on the span itself.
fn closest(gold: &Side<'_>, near: &Nearby, span: Span, overlap: bool) -> Option<u32> {
    let common = |at: &usize| {
        let other = gold.items[*at].span;
        let shared = Span::new(span.start.max(other.start), span.end.min(other.end)).len();
        (other == span, shared)
    };
    let meets = |at: &usize| {
        let other = gold.items[*at].span;
        other == span || (overlap && other.overlaps(span))
    };
    // Of equals the first in the text.
    near.to(span).filter(meets).rev().max_by_key(common).map(|at| at as u32)
}

/// Each side by its own labels.
pub(super) fn by_side<'a>(scene: &Scene<'a>, facets: &[Arc<dyn Facet>]) -> Parts<'a> {
    let label_side = |side: &Side<'a>| -> Vec<Labels> {
        side.items.iter().map(|item| labels_of_item(facets, scene, side, item)).collect()
    };
    let (gold, system) = (label_side(&scene.gold), label_side(&scene.system));
    divided(scene, &gold.iter().collect::<Vec<_>>(), &system.iter().collect::<Vec<_>>())
}

/// A scene for each label, of the items that carry it.
fn divided<'a>(scene: &Scene<'a>, gold: &[&Labels], system: &[&Labels]) -> Parts<'a> {
    let mut places: BTreeMap<&String, [Vec<u32>; 2]> = BTreeMap::new();
    for (side, labels) in [gold, system].into_iter().enumerate() {
        for (at, labels) in labels.iter().enumerate() {
            for label in *labels {
                places.entry(label).or_default()[side].push(at as u32);
            }
        }
    }
    let part = |[gold, system]: [Vec<u32>; 2]| scene.part(&gold, &system);
    places.into_iter().map(|(label, places)| (label.clone(), part(places))).collect()
}

/// For each label the gold annotations that carry it, and the predictions on their spans.
pub(super) fn by_annotation<'a>(scene: &Scene<'a>, facets: &[Arc<dyn Facet>]) -> Parts<'a> {
    let part = |annotations: Vec<Item>| {
        let spans = annotations.chunk_by(|a, b| a.span == b.span).map(|chunk| chunk[0].span);
        let on_spans = spans.flat_map(|span| scene.system.places_on(span));
        let on_spans: Vec<u32> = on_spans.map(|at| at as u32).collect();
        let gold = scene.gold.only_annotations(&annotations);
        Scene { gold, system: scene.system.part(&on_spans) }
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
