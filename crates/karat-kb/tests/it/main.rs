//! The knowledge base, from outside.

#![allow(clippy::unwrap_used)]

mod base;
mod conflicts;
mod files;
mod hostile;
mod spellings;
