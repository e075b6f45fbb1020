//! The pages, one file each.

pub(crate) mod board;
pub(crate) mod document;
