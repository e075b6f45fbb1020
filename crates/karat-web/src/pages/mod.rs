//! The pages, one file each.

pub(crate) mod board;
pub(crate) mod command;
pub(crate) mod compare;
pub(crate) mod conventions;
pub(crate) mod document;
pub(crate) mod number;

#[cfg(test)]
mod tests;
