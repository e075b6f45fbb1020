//! The knowledge base, from outside.

#![allow(clippy::unwrap_used)]

mod base;
mod files;
mod spellings;
