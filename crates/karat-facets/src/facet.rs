//! What a facet is.

use karat_match::{Case, Item, Pairing, Scene, Side};
use karat_model::{Category, Document};
use std::sync::Arc;

/// The labels of a mention.
pub type Labels = Vec<String>;

/// The label of what has none.
pub const UNLABELLED: &str = "-";

/// Gives mentions labels.
pub trait Facet: std::fmt::Debug + Send + Sync {
    /// Its name, as `--group-by` takes it.
    fn name(&self) -> &str;

    /// One line for users.
    fn summary(&self) -> &str;

    /// The labels that there can be, in groups: where one of a group occurs in gold, all of it are listed.
    /// None for a facet that takes its labels from the data.
    fn vocabulary(&self) -> Vec<Vec<&'static str>> {
        Vec::new()
    }

    /// Whether only cases have labels, and mentions alone have none.
    fn is_of_cases(&self) -> bool {
        false
    }

    /// Whether it says how the spans of both sides lie to each other.
    fn is_about_spans(&self) -> bool {
        false
    }

    /// The labels of a mention on its own side; none if it has none.
    fn labels(&self, side: &Side<'_>, item: &Item) -> Labels;

    /// The labels of a case: those of the gold mention, or of the prediction
    /// where there is no gold.
    fn labels_of_case(&self, scene: &Scene<'_>, case: &Case) -> Labels {
        let gold = case.gold.and_then(|at| scene.gold.items.get(at as usize));
        let system = case.system.and_then(|at| scene.system.items.get(at as usize));
        match (gold, system) {
            (Some(gold), _) => self.labels_in(scene, &scene.gold, gold),
            (None, Some(system)) => self.labels_in(scene, &scene.system, system),
            (None, None) => Labels::new(),
        }
    }

    /// The labels of all these cases of a scene, for facets that must see the scene whole.
    fn labels_of_cases(&self, scene: &Scene<'_>, cases: &[Case]) -> Vec<Labels> {
        cases.iter().map(|case| self.labels_of_case(scene, case)).collect()
    }

    /// The same facet for one run, for those that must see all documents of a run before they can
    /// tell of any.
    fn of_run(&self, _pairing: &Pairing<'_>) -> Option<Arc<dyn Facet>> {
        None
    }

    /// The labels of a mention in its scene. What its own side does not say of a
    /// document, gold may.
    fn labels_in(&self, scene: &Scene<'_>, side: &Side<'_>, item: &Item) -> Labels {
        let own = self.labels(side, item);
        let document = scene.gold.document.or(scene.system.document);
        match (own.is_empty(), document) {
            (true, Some(document)) => self.labels_of_document(&document),
            _ => own,
        }
    }

    /// The labels of all mentions of a document, for facts about documents.
    fn labels_of_document(&self, _document: &Document<'_>) -> Labels {
        Labels::new()
    }
}

/// The order of labels: those of category tags as their vocabulary has them, then others by name.
/// Labels that are joined by `+` are compared part by part.
pub fn order(label: &str) -> Vec<(usize, &str)> {
    let place = |part| Category::ALL.iter().position(|category| category.el() == part);
    label.split('+').map(|part| (place(part).unwrap_or(usize::MAX), part)).collect()
}
