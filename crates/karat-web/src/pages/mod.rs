//! The pages, one file each.

pub(crate) mod board;
