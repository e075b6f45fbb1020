//! Building a knowledge base from what inputs say, in bounded memory.

mod builder;
mod conflicts;
mod links;
mod log;
mod sorter;

pub(crate) use builder::words_key;
pub use builder::{Builder, Built, FactCoverage};
pub use conflicts::{Conflict, Disagreement};
pub use links::Step;
pub(crate) use log::Scratch;
pub(crate) use sorter::Sorter;
