//! What a facet is.

use karat_match::{Case, Item, Scene, Side};

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

    /// The labels of a mention on its own side; none if it has none.
    fn labels(&self, side: &Side<'_>, item: &Item) -> Labels;

    /// The labels of a case: those of the gold mention, or of the prediction
    /// where there is no gold.
    fn labels_of_case(&self, scene: &Scene<'_>, case: &Case) -> Labels {
        let gold = case.gold.and_then(|at| scene.gold.items.get(at as usize));
        let system = case.system.and_then(|at| scene.system.items.get(at as usize));
        match (gold, system) {
            (Some(gold), _) => self.labels(&scene.gold, gold),
            (None, Some(system)) => self.labels(&scene.system, system),
            (None, None) => Labels::new(),
        }
    }

    /// Whether all mentions of a document have the same labels, those of the document.
    fn of_documents(&self) -> bool {
        false
    }
}
