//! The knowledge base, from outside.

#![allow(clippy::unwrap_used)]

mod base;
mod spellings;
