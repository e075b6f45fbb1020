//! How sure one may be. This crate sees the documents-by-counts matrix and
//! nothing else: no text, no mentions.
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

mod bootstrap;
mod contest;
mod counts;
mod interval;
mod percentile;
mod random;
mod randomisation;
mod sampling;

pub use bootstrap::{Bootstrap, Statistic};
pub use contest::{Contest, Difference, Ranks, Runs};
pub use counts::Counts;
pub use interval::{Interval, Method};
pub use percentile::percentile;
pub use random::Random;
pub use randomisation::{Randomisation, Randomised};
pub use sampling::{Sampling, Subset, TrialSums};
