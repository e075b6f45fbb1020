//! Measures against other tools and published numbers.
//! Measures and conventions against published numbers, and against themselves.

// Clippy takes only functions marked as tests for tests, not what they share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod algebra;
mod bat;
mod capabilities;
mod categories;
mod clusterings;
mod coref_aida;
mod coref_cases;
mod coref_papers;
mod coref_properties;
mod coref_synthetic;
mod curves;
mod data;
mod dense;
mod five_conventions;
mod gerbil;
mod nervaluate;
mod overlap;
mod properties;
mod queries;
mod ranks;
mod renaming;
mod slices;
mod support;
mod tiny;
mod tuning;
mod type_weights;
