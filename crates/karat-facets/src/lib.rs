//! Labels of cases: what a result can be sliced by.
//!
//! An entity type, a topic, a kind of error and a category tag are all the same
//! thing: a [`Facet`] that gives a mention labels. Any result can be sliced by
//! any of them, or by several at once.
//!
//! ```
//! let facet = karat_facets::named("type").expect("there is such a facet");
//! assert_eq!(facet.name(), "type");
//! ```

mod errors;
mod facet;
mod facets;
pub mod taxonomy;

pub use errors::{Finding, Pairs, findings, told};
pub use facet::{Facet, Labels, UNLABELLED, order};
pub use facets::{FACETS, INFORMED, informed, named};
