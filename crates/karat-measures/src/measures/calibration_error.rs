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
use crate::measure::Definition;
use crate::parameter::{Otherwise, ParameterOf};
use crate::values::{Values, WrittenValue};

/// See the head of this file.
pub(super) static CALIBRATION_ERROR: Definition = Definition {
    name: "calibration-error",
    aliases: &["ece"],
    groups: &["confidence"],
    file: include_str!("calibration_error.rs"),
    parameters: &[&BINS],
    compute: |context| figure("calibration-error", Figure::CalibrationError(context.value(&BINS))),
};

static BINS: ParameterOf<usize> = ParameterOf {
    name: "bins",
    about: "Into how many bins of equal width confidences are put.",
    values: &Values {
        named: &[],
        written: Some(WrittenValue {
            about: "a whole number from 1 to 10000",
            example: "10",
            read: |text| text.parse().ok().filter(|number| (1..=10_000).contains(number)),
            write: |number| Some(number.to_string()),
        }),
    },
    otherwise: Otherwise::Is(10),
};
