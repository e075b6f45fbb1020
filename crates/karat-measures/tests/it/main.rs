//! Tests of measures against other tools and against what papers print.

// Clippy takes only functions marked as tests for tests, not what they share.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod algebra;
mod curves;
mod nervaluate;
mod overlap;
mod ranks;
mod support;
mod type_weights;
