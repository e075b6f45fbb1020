//! Arguments of the commands that draw documents again.

use crate::failure::Failure;
use crate::scoring::plain_facets;
use crate::show;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use karat::facets::{Facet, UNLABELLED};
use karat::model::Corpus;
use karat::scoring::Resampling;
use karat::stats::{Bootstrap, Method};
use std::sync::Arc;

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
        default_value_t = Method::Percentile,
        help_heading = INTERVALS
    )]
    pub(crate) interval: Method,
    /// Draw documents within the groups of a facet of documents, as topic or language; each group keeps its size
    #[arg(long, value_name = "FACET", conflicts_with = "clusters", help_heading = INTERVALS)]
    strata: Option<String>,
    /// Draw whole groups of documents that are alike: topic, language, attribute:KEY
    #[arg(long, value_name = "FACET", help_heading = INTERVALS)]
    clusters: Option<String>,
}

/// Beyond this, trials would not fit into memory.
const MOST_TRIALS: usize = 10_000_000;

/// How often something may be drawn.
pub(crate) fn trials() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(0..=MOST_TRIALS as u64)
}

/// With fewer trials, intervals and p-values are noise.
const FEWEST_TRIALS: usize = 100;

/// Says that so few trials say little.
pub(crate) fn warn_of_few(trials: usize) {
    if trials > 0 && trials < FEWEST_TRIALS {
        show::warning(&format!(
            "{trials} {} too few for an interval or a p-value; ask for {FEWEST_TRIALS} or more",
            if trials == 1 { "trial is" } else { "trials are" }
        ));
    }
}

impl DrawingArguments {
    /// How intervals are made, if the convention makes them as `default` says.
    pub(crate) fn bootstrap(
        &self,
        default: Option<Bootstrap>,
    ) -> Result<Option<Bootstrap>, Failure> {
        if !(self.level > 0.0 && self.level < 100.0) {
            return Err(Failure::usage(
                format!("`{}` percent is no level of an interval", self.level),
                "write a number between 0 and 100, as --level 95",
            ));
        }
        let trials = self.trials.or(default.map(|default| default.trials)).unwrap_or(0);
        warn_of_few(trials);
        let (seed, level, method) = (self.seed, self.level, self.interval);
        Ok((trials > 0).then_some(Bootstrap { trials, seed, level, method }))
    }

    /// Refuses a facet that no document of gold has a label of.
    pub(crate) fn check(&self, gold: &Corpus) -> Result<(), Failure> {
        let Some(name) = self.strata.as_ref().or(self.clusters.as_ref()) else { return Ok(()) };
        let facet = of_documents(name)?;
        let is_labelled = |document: karat::model::Document<'_>| {
            facet.labels_of_document(&document).iter().any(|label| label != UNLABELLED)
        };
        let labels: Vec<Vec<String>> =
            gold.documents().map(|document| facet.labels_of_document(&document)).collect();
        let distinct: std::collections::BTreeSet<&Vec<String>> = labels.iter().collect();
        if self.strata.is_some() && labels.len() > 1 && distinct.len() == labels.len() {
            return Err(Failure::usage(
                format!("every document has a `{name}` of its own: there is nothing to draw from"),
                "take strata of several documents each",
            ));
        }
        match gold.documents().any(is_labelled) {
            true if self.clusters.is_some() && labels.len() > 1 && distinct.len() == 1 => {
                Err(Failure::usage(
                    format!(
                        "all documents have the same `{name}`: one cluster is always drawn whole"
                    ),
                    "one cluster says nothing about others; take a facet that tells documents apart",
                ))
            }
            true => Ok(()),
            false => Err(Failure::usage(
                format!("no document has a `{name}` to be drawn by"),
                "facets of documents are topic, language and attribute:KEY, where the gold standard has them",
            )),
        }
    }

    /// What is drawn.
    pub(crate) fn resampling(&self) -> Result<Resampling, Failure> {
        Ok(match (&self.strata, &self.clusters) {
            (Some(facet), _) => Resampling::Strata(of_documents(facet)?),
            (None, Some(facet)) => Resampling::Clusters(of_documents(facet)?),
            (None, None) => Resampling::Documents,
        })
    }
}

/// A single facet.
fn of_documents(name: &str) -> Result<Arc<dyn Facet>, Failure> {
    let mut found = plain_facets(name)?;
    match (found.pop(), found.is_empty()) {
        (Some(only), true) => Ok(only),
        _ => Err(Failure::usage(
            format!("`{name}` are several facets"),
            "documents are drawn by one facet of documents, as topic or language",
        )),
    }
}
