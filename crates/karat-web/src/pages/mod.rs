//! The pages, one file each.

pub(crate) mod api;
pub(crate) mod benchmark;
pub(crate) mod board;
pub(crate) mod campaign;
pub(crate) mod compare;
pub(crate) mod conventions;
pub(crate) mod document;
pub(crate) mod edit;
pub(crate) mod help;
pub(crate) mod job;
pub(crate) mod number;
pub(crate) mod patches;
pub(crate) mod run;
pub(crate) mod search;
pub(crate) mod system;
pub(crate) mod upload;

#[cfg(test)]
mod budgets;
#[cfg(test)]
mod cells;
#[cfg(test)]
mod tests;
