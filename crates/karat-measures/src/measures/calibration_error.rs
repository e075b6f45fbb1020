//! Expected calibration error of the confidences.
//!
//! What it is: whether confidences mean what they say: of links with confidence 0.8, four in five should
//! be right. 0 is best.
//! Formula: the sum over bins of (size of the bin / all links) * |share of right links in it - mean
//! confidence in it|, in 10 bins of equal width, or as many as `bins` says; a bin holds its upper border.
//! Example: ten links of confidence 0.8, six of them right: |0.6 - 0.8| = 0.2.
//! Source: Naeini, Cooper and Hauskrecht (2015); Guo et al. (2017).
//! Pitfalls: undefined unless every predicted link has a confidence from 0 to 1. The number of bins
//! matters: compare only what has the same. Few links make it large by chance.

use crate::confidence::{Figure, figure};
use crate::measure::{Definition, Parameters};

/// See the head of this file.
pub(super) static CALIBRATION_ERROR: Definition = Definition {
    name: "calibration-error",
    aliases: &["ece"],
    groups: &["confidence"],
    file: include_str!("calibration_error.rs"),
    parameters: &["bins"],
    compute: |parameters| {
        Ok(figure("calibration-error", Figure::CalibrationError(bins(parameters)?)))
    },
};

fn bins(parameters: &Parameters) -> Result<usize, String> {
    let Some(bins) = parameters.get("bins") else { return Ok(10) };
    let number = bins.parse().ok().filter(|number| (1..=10_000).contains(number));
    number.ok_or_else(|| format!("`{bins}` is no value of `bins`: expected 1 to 10000"))
}
