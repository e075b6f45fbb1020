//! The same counts for each part of the corpus that shares a label.

use super::layout::{Layout, Seated, Stage};
use super::parts::{by_annotation, by_case, by_side};
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
    let grouping = layout.grouping(facets);
    for (measure, range) in &stage.documents {
        let cases = match grouping {
            Grouping::Cases => measure.cases(stage.settings, scene),
            Grouping::Annotations | Grouping::Sides => None,
        };
        match cases {
            Some(cases) => {
                let mut cases = cases;
                // Ignored cases count for no label either; removing them first saves labelling
                // them.
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
    let meeting = |overlap: bool| {
        let meets = |(measure, _): &&Seated<'_>| {
            (grouping == Grouping::Cases && measure.pairs_overlapping()) == overlap
        };
        Stage {
            settings: stage.settings,
            documents: divided.iter().filter(meets).cloned().collect(),
            corpus: if overlap { Vec::new() } else { stage.corpus.clone() },
        }
    };
    // At most two passes: measures that let overlapping mentions meet need other parts than those
    // that do not.
    for overlap in [false, true] {
        let stage = meeting(overlap);
        if stage.documents.is_empty() && stage.corpus.is_empty() {
            continue;
        }
        let parts = match grouping {
            Grouping::Annotations => by_annotation(scene, facets),
            Grouping::Sides => by_side(scene, facets),
            Grouping::Cases => by_case(stage.settings, scene, facets, overlap),
        };
        for (label, part) in parts {
            let row = rows.entry(label.clone()).or_insert_with(|| vec![0.0; layout.width]);
            let tally = slices.entry(label).or_insert_with(|| Tally::new(layout));
            count(&stage, &part, row, &mut tally.gathered);
            if grouping == Grouping::Annotations {
                for (measure, range) in &stage.documents {
                    measure.forget_in_part(&mut row[range.clone()]);
                }
            }
        }
    }
}

/// The labels of each case, for all combinations of the facets.
pub(super) fn labels_of_cases(
    facets: &[Arc<dyn Facet>],
    scene: &Scene<'_>,
    cases: &[Case],
) -> Vec<Labels> {
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

/// Between the labels of several facets: nothing that a label is likely to have in it.
const BETWEEN: char = '\u{1f}';

/// The labels of the facets in a combination.
pub(crate) fn taken_apart(label: &str) -> impl Iterator<Item = &str> + Clone {
    label.split(BETWEEN)
}

/// Labels of several facets as people read them. One that has the `+` of others stands in quotes, so that
/// different labels never look alike.
pub(crate) fn joined<'l>(labels: impl Iterator<Item = &'l str> + Clone) -> String {
    let several = labels.clone().nth(1).is_some();
    let shown = labels.map(|label| match several && label.contains(['+', '"']) {
        true => format!("\"{}\"", label.replace('"', "\"\"")),
        false => label.to_owned(),
    });
    shown.collect::<Vec<_>>().join("+")
}

/// Every combination of one label of each; what has none is labelled as such, and so is what has more
/// combinations than anybody would look at.
fn combined(labels: impl Iterator<Item = Labels>) -> Labels {
    const MOST: usize = 1000;
    let labels: Vec<Labels> = labels.collect();
    let several = labels.iter().filter(|labels| labels.len() > 1).count() > 1;
    // Saturating: a hostile file may give one mention thousands of labels in several facets.
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
                    before => format!("{before}{BETWEEN}{label}"),
                })
            })
            .collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_labels_never_look_alike() {
        let shown = |labels: &[&str]| joined(labels.iter().copied());
        assert_eq!(shown(&["PER", "full"]), "PER+full");
        assert_eq!(shown(&["a+b", "c"]), r#""a+b"+c"#);
        assert_eq!(shown(&["a", "b+c"]), r#"a+"b+c""#);
        assert_eq!(shown(&["a\"+\"b", "c"]), r#""a""+""b"+c"#);
        assert_eq!(shown(&["a+b"]), "a+b", "one label has nothing beside it");
    }

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
