//! Brier score of the confidences.
//!
//! What it is: how far confidences are from the truth, link by link; 0 is best.
//! Formula: the mean over predicted links of (confidence - 1 if right, else 0)^2.
//! Example: a right link (0.9) and a wrong one (0.5): (0.01 + 0.25) / 2 = 0.13.
//! Source: Brier (1950); `brier_score_loss` of scikit-learn.
//! Pitfalls: undefined unless every predicted link has a confidence from 0 to 1. It mixes calibration
//! with how many links are right; `calibration-error` is the first alone.

use crate::confidence::{Figure, figure};
use crate::measure::Definition;

/// See the head of this file.
pub(super) static BRIER: Definition = Definition {
    name: "brier",
    aliases: &[],
    groups: &["confidence"],
    file: include_str!("brier.rs"),
    parameters: &[],
    compute: |_| figure("brier", Figure::Brier),
};
