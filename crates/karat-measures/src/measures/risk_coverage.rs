//! Area under the curve of risk and coverage.
//!
//! What it is: how many wrong links one accepts when only the most confident are taken; 0 is best.
//! Formula: AURC = the mean over predicted links of the share of wrong links among those at least as
//! confident.
//! Example: a right link (0.9) and a wrong one (0.5): (0 + 1/2) / 2 = 0.25.
//! Source: El-Yaniv and Wiener (2010); Geifman, Uziel and El-Yaniv (2019).
//! Pitfalls: gold that is not predicted does not count: a system with one right link has 0. Undefined
//! unless every predicted link has a confidence; links of one confidence come together.

use crate::confidence::{Figure, figure};
use crate::measure::Definition;

/// See the head of this file.
pub(super) static RISK_COVERAGE: Definition = Definition {
    name: "risk-coverage",
    aliases: &["aurc"],
    groups: &["confidence"],
    file: include_str!("risk_coverage.rs"),
    parameters: &[],
    compute: |_| figure("aurc", Figure::RiskCoverage),
};
