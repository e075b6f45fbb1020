//! How sure one may be. This crate sees the documents-by-counts matrix, and answers
//! of people as numbers, and nothing else: no text, no mentions.
//!
//! ```
//! use karat_stats::{Bootstrap, Counts, Sampling};
//!
//! // Ten documents with two counts each: right, and all.
//! let rows = (0..10).flat_map(|document| [f64::from(document % 2), 1.0]).collect();
//! let accuracy = |sums: &[f64]| Some(sums[0] / sums[1]);
//! let intervals =
//!     Bootstrap::default().intervals(&Counts::new(2, rows), &Sampling::Documents, &[&accuracy]);
//! let interval = intervals[0].expect("defined");
//! assert!(interval.low < 0.5 && 0.5 < interval.high);
//! ```

pub mod agreement;
mod almost_stochastic;
mod binomial;
mod bootstrap;
mod bradley_terry;
pub mod collection;
mod contest;
mod correction;
mod correlation;
mod counts;
mod effect;
mod exchange;
mod friedman;
mod interval;
mod mcnemar;
#[cfg(test)]
mod near;
mod normal;
mod packed;
mod percentile;
mod power;
mod random;
mod randomisation;
mod ranking;
mod replicability;
mod runs;
mod sampling;
mod studentized_range;
mod tolerance;
mod watching;
mod wilson;
pub mod workers;

pub use almost_stochastic::{AlmostStochasticOrder, Violation};
pub use bootstrap::{Bootstrap, Statistic};
pub use bradley_terry::{BradleyTerry, BradleyTerryError, wins};
pub use contest::{Contest, Difference, Drawn, Ranks};
pub use correction::{Correction, CorrectionError};
pub use correlation::pearson;
pub use counts::Counts;
pub use effect::{Outcomes, cohens_h};
pub use friedman::{Friedman, FriedmanError};
pub use interval::{Interval, Method, MethodError};
pub use mcnemar::{ClusteredMcNemar, McNemar};
pub use percentile::percentile;
pub use power::{Power, power_one_sided};
pub use random::Random;
pub use randomisation::{Randomisation, Randomised};
pub use ranking::{competition_ranks, mid_ranks};
pub use replicability::{Combination, Replicability};
pub use runs::Runs;
pub use sampling::{Sampling, Subset, TrialSums};
pub use studentized_range::{studentized_range_above, studentized_range_critical};
pub use tolerance::Tolerance;
pub use watching::{Watching, unwatched};
pub use wilson::wilson;
