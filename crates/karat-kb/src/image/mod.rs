//! The file of a knowledge base: tables of sorted records, each with a table of hashes.
//!
//! ```text
//! header      4096 bytes: where the tables are, and a checksum of itself
//! tables      records in the order of their keys, then slots of hashes
//! checksums   one of four bytes for each block of 16 KiB between header and checksums
//! ```
//!
//! Opening reads the header and the checksums only. A block is checked when it is touched
//! for the first time, so damage is found wherever it lies and opening does not grow with
//! the file.

mod blocks;
mod header;
mod storage;
mod table;
mod writing;

pub(crate) use blocks::Image;
pub(crate) use header::Table;
pub(crate) use storage::Bytes;
pub(crate) use writing::ImageWriter;
