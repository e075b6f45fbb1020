//! Laws of inference on simulated systems, and figures of others.

// Clippy takes only functions marked as tests for tests, not what they share.
#![allow(clippy::expect_used, clippy::print_stdout)]

mod coverage;
mod data;
mod reference;
