//! What is wrong with the span of a mention: exact, too-long, too-short, crossing, or none.
//!
//! Seen from the prediction: too long if it covers a gold mention and more, too short if it covers only
//! a part of one. Of several that apply the first counts.

use super::closest::labels_by_closest;
use crate::facet::{Facet, Labels};
use crate::registry::{FacetDefinition, FacetNeeds};
use karat_match::{Case, Item, Scene, Side};
use karat_model::Span;
use std::sync::Arc;

/// See the head of this file.
pub(super) static SPAN_ERROR: FacetDefinition = FacetDefinition {
    name: "span-error",
    about: "What is wrong with the span of a mention: exact, too-long, too-short, crossing, or none.",
    needs: FacetNeeds::Nothing,
    make: |_, _| Ok(Arc::new(BySpanError)),
};

/// Gives these labels.
#[derive(Debug)]
pub(super) struct BySpanError;

impl Facet for BySpanError {
    fn name(&self) -> &str {
        SPAN_ERROR.name
    }

    fn is_of_cases(&self) -> bool {
        true
    }

    fn is_about_spans(&self) -> bool {
        true
    }

    /// A mention alone is neither right nor wrong.
    fn labels(&self, _: &Side<'_>, _: &Item) -> Labels {
        Labels::new()
    }

    fn labels_of_cases(&self, scene: &Scene<'_>, cases: &[Case]) -> Vec<Labels> {
        labels_by_closest(scene, cases, &NAMES, |gold, system| error(gold.span, system.span))
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
