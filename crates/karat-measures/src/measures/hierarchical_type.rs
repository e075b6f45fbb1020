//! Right types, as far as a hierarchy of types says so.
//!
//! What it is: how well mentions are typed where types are kinds of each other. A mention is typed with
//! its types and those directly below them in the hierarchy; two such sets may agree in part. Mentions
//! without types are left out. Without a hierarchy the types themselves are compared.
//! Formula: for each pair on one span P = |G and S| / |S| and R = |G and S| / |G|; both 0 for gold
//! without a partner and for predictions without one, both 1 where neither set has a type that counts.
//! P and R are the means over these items, F1 is the harmonic mean of the two.
//! Example: gold Place, predicted City, hierarchy City below Place: G is Place and City, S is City, P 1,
//! R 1/2, F1 2/3.
//! Source: hierarchical F-measure of GERBIL, for its task RT2KB; `etyping` is the same with mentions
//! given.
//! Pitfalls: what GERBIL calls micro is a mean over items, not a score of sums, and the lack of a
//! partner is not told apart by side: an extra prediction costs recall too. Documents without typed
//! mentions are left out of macro. Types below the types below are not added.

use crate::asked::counted;
use crate::harmonic::Ratio;
use crate::hierarchy::Hierarchy;
use crate::measure::{Compute, Definition, DocumentMeasure, Numbers, Scores};
use crate::parameter::MeasureContext;
use crate::score::{Credit, Prf, Zero, quantised};
use karat_match::{Case, Criteria, Given, Item, Matcher, Outcome, Scene, Settings, Side};
use std::collections::BTreeSet;
use std::sync::Arc;

/// See the head of this file.
pub(super) static HIERARCHICAL_TYPE: Definition = Definition {
    name: "hierarchical-type",
    aliases: &["rt2kb"],
    groups: &[],
    file: include_str!("hierarchical_type.rs"),
    parameters: &[],
    compute: |context| HierarchicalType::compute(Given::Nothing, context),
};

#[derive(Debug)]
pub(super) struct HierarchicalType {
    hierarchy: Arc<Hierarchy>,
    given: Given,
}

impl HierarchicalType {
    /// The measure, where so much of gold is given. Types that the convention does not take for known do
    /// not count.
    pub(super) fn compute(given: Given, context: &MeasureContext<'_>) -> Compute {
        let hierarchy = Hierarchy::default().with_knowledge(context.convention().knowledge);
        Compute::Documents(Arc::new(HierarchicalType { hierarchy: Arc::new(hierarchy), given }))
    }

    /// Precision and recall of one item.
    fn item(&self, scene: &Scene<'_>, case: &Case) -> [f64; 2] {
        let (Some(gold), Some(system)) = (case.gold, case.system) else { return [0.0; 2] };
        let gold = self.types(&scene.gold, &scene.gold.items[gold as usize]);
        let system = self.types(&scene.system, &scene.system.items[system as usize]);
        let common = gold.intersection(&system).count() as f64;
        let (extra, missed) = (system.len() as f64 - common, gold.len() as f64 - common);
        let credit = Credit { ptp: common, fp: extra, rtp: common, fn_: missed };
        let Prf { precision, recall, .. } = credit.prf(Zero::Gerbil);
        [precision, recall].map(Option::unwrap_or_default)
    }

    fn types<'h>(&'h self, side: &Side<'h>, item: &Item) -> BTreeSet<&'h str> {
        let mention = side.mention(item);
        self.hierarchy.widened(mention.into_iter().flat_map(|mention| mention.types()))
    }
}

impl DocumentMeasure for HierarchicalType {
    fn columns(&self) -> &'static [&'static str] {
        &["precision_sum", "recall_sum", "items"]
    }

    fn tally(&self, settings: &Settings, scene: &Scene<'_>, counts: &mut [f64]) {
        let part = counted(scene);
        let scene = part.as_ref().unwrap_or(scene);
        let is_typed = |side: &Side<'_>, at: usize| {
            let types = side.mention(&side.items[at]).map(|mention| mention.types().count());
            types.is_some_and(|types| types > 0)
        };
        let typed = scene.keeping(|at| is_typed(&scene.gold, at), |at| is_typed(&scene.system, at));
        let cases = Matcher::new(settings, Criteria::MENTION.given(self.given)).cases(&typed);
        for case in cases.iter().filter(|case| case.outcome != Outcome::Ignored) {
            let [precision, recall] = self.item(&typed, case);
            for (count, more) in counts.iter_mut().zip([precision, recall, 1.0]) {
                // Shares of small sets are not multiples of a power of two. Rounded to a fixed step
                // they add up exactly in any order.
                *count += quantised(more);
            }
        }
    }

    fn credit(&self, counts: &[f64]) -> Option<Credit> {
        let &[precision, recall, items] = counts else { return None };
        Some(Credit { ptp: precision, fp: items - precision, rtp: recall, fn_: items - recall })
    }

    fn numbers(&self) -> Numbers {
        Numbers::Fractions
    }

    fn scores(&self, counts: &[f64], _zero: Zero) -> Scores {
        let &[precision, recall, items] = counts else { return Scores::default() };
        let mean = |sum: f64| Ratio { part: sum, whole: items };
        Prf::of(mean(precision), mean(recall), Zero::Undefined).into()
    }

    fn with_hierarchy(&self, hierarchy: &Arc<Hierarchy>) -> Option<Arc<dyn DocumentMeasure>> {
        Some(Arc::new(HierarchicalType { hierarchy: hierarchy.clone(), given: self.given }))
    }
}
