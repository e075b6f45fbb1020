//! How mentions lie to the other side, for facets that ask for what is closest there.

use crate::facet::Labels;
use karat_match::{Case, Item, Nearby, Scene};

/// A label for each case: of the relations that its mention has to those near it on the other side the
/// first, by its place among `names`; the last of these is that of mentions with nothing near.
/// `relation` is asked of a gold mention and a prediction.
pub(super) fn labels_by_closest(
    scene: &Scene<'_>,
    cases: &[Case],
    names: &[&str; 5],
    relation: impl Fn(&Item, &Item) -> usize,
) -> Vec<Labels> {
    let (gold, system) = (&scene.gold.items, &scene.system.items);
    let near_gold = Nearby::new(gold.iter());
    let near_system = Nearby::new(system.iter());
    let label = |case: &Case| {
        let item =
            |items: &[Item], at: Option<u32>| at.and_then(|at| items.get(at as usize).copied());
        let closest = match (item(gold, case.gold), item(system, case.system)) {
            (Some(mention), _) => {
                near_system.to(mention.span).map(|at| relation(&mention, &system[at])).min()
            }
            (None, Some(prediction)) => {
                near_gold.to(prediction.span).map(|at| relation(&gold[at], &prediction)).min()
            }
            (None, None) => return Labels::new(),
        };
        vec![names[closest.unwrap_or(names.len() - 1)].to_owned()]
    };
    cases.iter().map(label).collect()
}
