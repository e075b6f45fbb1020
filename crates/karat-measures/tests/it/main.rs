//! Measures against other tools and published numbers.

// Clippy takes only functions marked as tests for tests, not what they share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod algebra;
mod clusterings;
mod coref_aida;
mod coref_cases;
mod coref_papers;
mod coref_properties;
mod coref_synthetic;
mod curves;
mod data;
mod nervaluate;
mod overlap;
mod ranks;
mod support;
mod type_weights;
