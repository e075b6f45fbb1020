//! Measures of clusterings, all from one contingency table.
//!
//! ```
//! use karat_measures::clustering::{Contingency, b_cubed};
//!
//! // Three items: gold has {a b} {c}, the system has {a} {b c}.
//! let table = Contingency::new([(Some(0), Some(0)), (Some(0), Some(1)), (Some(1), Some(1))]);
//! let counts = b_cubed::count(&table);
//! assert_eq!(counts.scores().precision, 2.0 / 3.0);
//! ```

mod alignment;
pub mod b_cubed;
pub(crate) mod b_cubed_plus;
pub mod blanc;
pub(crate) mod cluster_measure;
mod contingency;
mod counts;
pub mod cs_b_cubed;
pub mod entity_ceaf;
pub mod entity_cs_ceaf;
pub mod lea;
pub mod mention_ceaf;
pub(crate) mod mention_ceaf_plus;
pub mod mention_cs_ceaf;
pub mod muc;
pub(crate) mod nil_clusters;
pub mod pairwise;
pub mod pairwise_negative;
mod quotients;
mod twinless;
pub(crate) mod typed_mention_ceaf;
pub(crate) mod typed_mention_ceaf_plus;

pub use crate::score::Credit;
pub use contingency::{ClusterPair, Contingency};
pub use counts::ClusterScores;
