//! Arguments of the commands that draw documents again.

use clap::Args;
use clap::builder::RangedU64ValueParser;
use karat::scoring::{DrawingRequest, MOST_TRIALS};

/// The heading of arguments about intervals.
const INTERVALS: &str = "Intervals";

/// How intervals are made.
#[derive(Debug, Clone, Args)]
pub(crate) struct DrawingArguments {
    /// How many times documents are drawn; by default 1000 for intervals, none where the preset has no
    /// intervals, and 10000 to compare systems. 0 for no intervals
    #[arg(
        long,
        value_name = "N",
        value_parser = trials(),
        allow_negative_numbers = true,
        help_heading = INTERVALS
    )]
    pub(crate) trials: Option<usize>,
    /// What the random numbers depend on
    #[arg(
        long,
        value_name = "SEED",
        default_value_t = 1,
        allow_negative_numbers = true,
        help_heading = INTERVALS
    )]
    pub(crate) seed: u64,
    /// How sure the intervals are, in percent
    #[arg(
        long,
        value_name = "PERCENT",
        default_value_t = 95.0,
        allow_negative_numbers = true,
        help_heading = INTERVALS
    )]
    pub(crate) level: f64,
    /// How intervals are made of the trials: percentile, basic or bca (corrected for bias and skewness)
    #[arg(
        long,
        value_name = "METHOD",
        default_value = "percentile",
        help_heading = INTERVALS
    )]
    pub(crate) interval: String,
    /// Draw documents within the groups of a facet of documents, as topic or language; each group keeps its size
    #[arg(long, value_name = "FACET", conflicts_with = "clusters", help_heading = INTERVALS)]
    strata: Option<String>,
    /// Draw whole groups of documents that are alike: topic, language, attribute:KEY
    #[arg(long, value_name = "FACET", help_heading = INTERVALS)]
    clusters: Option<String>,
}

/// How often something may be drawn.
pub(crate) fn trials() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(0..=MOST_TRIALS as u64)
}

impl DrawingArguments {
    /// How documents are drawn again, as a request.
    pub(crate) fn request(&self) -> DrawingRequest {
        DrawingRequest {
            trials: self.trials,
            seed: self.seed,
            level: self.level,
            interval: self.interval.clone(),
            strata: self.strata.clone(),
            clusters: self.clusters.clone(),
        }
    }
}
