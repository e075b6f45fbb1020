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
pub mod blanc;
mod contingency;
mod counts;
pub mod cs_b_cubed;
pub mod entity_ceaf;
pub mod entity_cs_ceaf;
pub mod lea;
pub mod mention_ceaf;
pub mod mention_cs_ceaf;
pub mod muc;
pub mod pairwise;
pub mod pairwise_negative;
mod quotients;
mod twinless;

pub use contingency::{Cell, Contingency};
pub use counts::{Counts, Scores};
