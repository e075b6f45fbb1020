//! Parquet and Arrow IPC tables for karat.
//!
//! The rows are those of the tables of `karat-formats` (see
//! [`karat_formats::table`]); only the cells are stored in columns. A crate of
//! its own, so that whoever needs no columns does not build them. Tables that are
//! in memory already need no file: [`corpus_from_batches`], [`corpus_to_batches`].
//!
//! ```
//! use karat_formats::{FORMATS, Registry};
//!
//! let registry = Registry::new(FORMATS).with(karat_columns::FORMATS);
//! assert!(registry.find("parquet").is_some());
//! ```

mod arrow;
mod batches;
mod column;
mod damage;
mod memory;
mod parquet;
mod rows;
mod table;

pub use damage::is_guarded;
pub use memory::{corpus_from_batches, corpus_to_batches};
pub use parquet::parquet_rows;
pub use rows::RowCell;

use karat_formats::Format;

/// All formats of this crate.
pub const FORMATS: &[&dyn Format] = &[&parquet::Parquet, &arrow::Arrow];
