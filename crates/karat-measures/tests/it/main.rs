//! Conventions and measures, end to end: gold and system as data, numbers out.

// Clippy takes only functions marked as tests for tests, not what they share.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bat;
mod gerbil;
mod properties;
mod tiny;
