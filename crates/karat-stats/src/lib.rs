//! How sure one may be. This crate sees the documents-by-counts matrix and
//! nothing else: no text, no mentions.
//!
//! ```
//! use karat_stats::Bootstrap;
//!
//! // Ten documents with two counts each: right, and all.
//! let rows: Vec<f64> = (0..10).flat_map(|document| [f64::from(document % 2), 1.0]).collect();
//! let accuracy = |sums: &[f64]| Some(sums[0] / sums[1]);
//! let interval = Bootstrap::default().intervals(&rows, 2, &[&accuracy])[0].expect("defined");
//! assert!(interval.low < 0.5 && 0.5 < interval.high);
//! ```

mod bootstrap;
pub mod collection;
mod percentile;
mod random;

pub use bootstrap::{Bootstrap, Interval, Statistic};
pub use percentile::percentile;
pub use random::Random;
