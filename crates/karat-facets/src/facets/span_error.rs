//! What is wrong with the span of a mention: exact, too-long, too-short, crossing, or none.
//!
//! Seen from the prediction: too long if it covers a gold mention and more, too short if it covers only
//! a part of one. Of several that apply the first counts.

use crate::facet::{Facet, Labels};
use karat_match::{Case, Item, Scene, Side};
use karat_model::Span;

/// See the head of this file.
#[derive(Debug)]
pub(super) struct BySpanError;

impl Facet for BySpanError {
    fn name(&self) -> &str {
        "span-error"
    }

    fn summary(&self) -> &str {
        "What is wrong with the span of a mention: exact, too-long, too-short, crossing, or none"
    }

    fn is_of_cases(&self) -> bool {
        true
    }

    /// A mention alone is neither right nor wrong.
    fn labels(&self, _: &Side<'_>, _: &Item) -> Labels {
        Labels::new()
    }

    fn labels_of_case(&self, scene: &Scene<'_>, case: &Case) -> Labels {
        let span = |items: &[Item], at: u32| items.get(at as usize).map(|item| item.span);
        let gold = case.gold.and_then(|at| span(&scene.gold.items, at));
        let system = case.system.and_then(|at| span(&scene.system.items, at));
        let closest = match (gold, system) {
            (Some(gold), _) => scene.system.items.iter().map(|item| error(gold, item.span)).min(),
            (None, Some(system)) => {
                scene.gold.items.iter().map(|item| error(item.span, system)).min()
            }
            (None, None) => return Labels::new(),
        };
        vec![NAMES[closest.unwrap_or(NAMES.len() - 1)].to_owned()]
    }
}

const NAMES: [&str; 5] = ["exact", "too-long", "too-short", "crossing", "none"];

/// What is wrong with a predicted span.
fn error(gold: Span, system: Span) -> usize {
    match gold == system {
        true => 0,
        false if system.contains(gold) && !gold.is_empty() => 1,
        false if gold.contains(system) && !system.is_empty() => 2,
        false if gold.overlaps(system) => 3,
        false => 4,
    }
}
