//! How intervals are asked for.

use super::Resampling;
use crate::convention::facet_of_documents;
use crate::error::Error;
use crate::notices;
use karat_facets::UNLABELLED;
use karat_model::{Corpus, Document, Hint, Notice};
use karat_stats::{Bootstrap, Method};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How documents are drawn again, and what is made of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DrawingRequest {
    /// How many bootstrap samples; what is usual for the request if absent, 0 for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trials: Option<usize>,
    /// The random seed.
    pub seed: u64,
    /// How sure intervals are, in percent.
    pub level: f64,
    /// How intervals are made of the samples: `percentile`, `basic` or `bca`.
    pub interval: String,
    /// Draw documents within the groups of this facet of documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strata: Option<String>,
    /// Draw whole groups of documents with one label of this facet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clusters: Option<String>,
}

impl Default for DrawingRequest {
    fn default() -> DrawingRequest {
        DrawingRequest {
            trials: None,
            seed: 1,
            level: 95.0,
            interval: Method::Percentile.to_string(),
            strata: None,
            clusters: None,
        }
    }
}

/// Beyond this, samples would not fit into memory.
pub const MOST_TRIALS: usize = 10_000_000;

/// With fewer samples, intervals and p-values are noise.
const FEWEST_TRIALS: usize = 100;

/// Says that so few samples say little.
pub fn few_trials(trials: usize) -> Option<Notice> {
    (trials > 0 && trials < FEWEST_TRIALS).then(|| {
        let are = if trials == 1 { "trial is" } else { "trials are" };
        notices::FEW_TRIALS.notice(format!(
            "{trials} {are} too few for an interval or a p-value; ask for {FEWEST_TRIALS} or more"
        ))
    })
}

impl DrawingRequest {
    /// How intervals are made, if the convention makes them as `usual` says.
    pub fn bootstrap(
        &self,
        usual: Option<Bootstrap>,
        told: &mut Vec<Notice>,
    ) -> Result<Option<Bootstrap>, Error> {
        // Written so that NaN is refused as well.
        if !(self.level > 0.0 && self.level < 100.0) {
            return Err(Error::bad_request(
                format!("`{}` percent is no level of an interval", self.level),
                Hint::template("write a number between 0 and 100, as {level=95}"),
            ));
        }
        let trials = self.trials.or(usual.map(|usual| usual.trials)).unwrap_or(0);
        if trials > MOST_TRIALS {
            return Err(Error::bad_request(
                format!("{trials} trials would not fit into memory"),
                format!("ask for at most {MOST_TRIALS}"),
            ));
        }
        told.extend(few_trials(trials));
        let (seed, level, method) = (self.seed, self.level, self.method()?);
        Ok((trials > 0).then_some(Bootstrap { trials, seed, level, method }))
    }

    /// How intervals are made of the samples.
    pub fn method(&self) -> Result<Method, Error> {
        self.interval
            .parse()
            .map_err(|_| Error::unknown("interval", &self.interval, ["percentile", "basic", "bca"]))
    }

    /// Refuses a facet by which the documents of gold cannot be drawn.
    pub fn check(&self, gold: &Corpus) -> Result<(), Error> {
        let Some(name) = self.strata.as_ref().or(self.clusters.as_ref()) else { return Ok(()) };
        let facet = facet_of_documents(name)?;
        let of_document = |document: Document<'_>| facet.labels_of_document(&document);
        let labels: Vec<Vec<String>> =
            gold.documents().map(|document| of_document(document).into_iter().collect()).collect();
        let distinct: BTreeSet<&Vec<String>> = labels.iter().collect();
        let several = labels.len() > 1;
        // With one document per stratum every draw is the corpus itself, and each interval would
        // have no width.
        if self.strata.is_some() && several && distinct.len() == labels.len() {
            return Err(Error::bad_request(
                format!("every document has a `{name}` of its own: there is nothing to draw from"),
                "take strata of several documents each",
            ));
        }
        if !labels.iter().flatten().any(|label| label != UNLABELLED) {
            return Err(Error::bad_request(
                format!("no document has a `{name}` to be drawn by"),
                "facets of documents are topic, language and attribute:KEY, where the gold standard has them",
            ));
        }
        // One cluster makes every draw the same, for the same reason.
        if self.clusters.is_some() && several && distinct.len() == 1 {
            return Err(Error::bad_request(
                format!("all documents have the same `{name}`: one cluster is always drawn whole"),
                "one cluster says nothing about others; take a facet that tells documents apart",
            ));
        }
        Ok(())
    }

    /// What is drawn.
    pub fn resampling(&self) -> Result<Resampling, Error> {
        Ok(match (&self.strata, &self.clusters) {
            (Some(_), Some(_)) => {
                return Err(Error::bad_request(
                    "documents are drawn within strata or as whole clusters, not both",
                    Hint::template("leave {strata} or {clusters} out"),
                ));
            }
            (Some(facet), None) => Resampling::Strata(facet_of_documents(facet)?),
            (None, Some(facet)) => Resampling::Clusters(facet_of_documents(facet)?),
            (None, None) => Resampling::Documents,
        })
    }
}
