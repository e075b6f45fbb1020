//! Area under the curve of precision and recall.
//!
//! What it is: how well the confidences of a system put right links before wrong ones, and how much of
//! the gold all its links find, in one number that needs no threshold.
//! Formula: the sum over thresholds, falling, of (recall - recall before) * precision; recall is over
//! all gold links, links of one confidence come together.
//! Example: gold A and B, predicted A (0.9) and a wrong C (0.5): recall 1/2 at precision 1, then no more:
//! 0.5.
//! Source: `average_precision_score` of scikit-learn, here with gold that is not predicted as positives
//! too; the MAP of Hoffart et al. (2011) is its interpolated relative.
//! Pitfalls: undefined unless every predicted link has a confidence. The curve ends where the links of
//! the system end.

use crate::confidence::{Figure, figure};
use crate::measure::Definition;

/// See the head of this file.
pub(super) static AVERAGE_PRECISION: Definition = Definition {
    name: "average-precision",
    aliases: &["auprc"],
    groups: &["confidence"],
    file: include_str!("average_precision.rs"),
    parameters: &[],
    compute: |_| figure("average-precision", Figure::AveragePrecision),
};
