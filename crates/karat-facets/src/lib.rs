//! Labels of cases: what a result can be sliced by.
//!
//! An entity type, a topic, a kind of error and a category tag are all the same
//! thing: a [`Facet`] that gives a mention labels. Any result can be sliced by
//! any of them, or by several at once.
//!
//! ```
//! use karat_facets::{FacetContext, facet};
//!
//! let by_type = facet("type", &FacetContext::default())?;
//! assert_eq!(by_type.name(), "type");
//! # Ok::<(), karat_facets::FacetError>(())
//! ```

mod errors;
mod facet;
mod facets;
mod registry;
pub mod taxonomy;

pub use errors::{Finding, Pairs, findings, told};
pub use facet::{Facet, Labels, UNLABELLED, order};
pub use facets::{ByCombination, ByTag, FACETS};
pub use registry::{FacetContext, FacetDefinition, FacetError, FacetNeeds, FacetResult, facet};
