//! Tests from files to reports: every format against the round-trip rule and against real files.

// Clippy takes only functions marked as tests for tests, not what they share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod aida;
mod answers;
mod boards;
mod cases;
mod checks;
mod collection_requests;
mod collections;
mod comparing;
mod comparing_across;
mod comparing_parts;
mod counts;
mod damaged_shapes;
mod data;
mod digests;
// The pages show everything that karat can do.
#[cfg(feature = "columns")]
mod docs;
mod documents;
mod editions;
mod elevant;
mod elevant_results;
mod equal_scores;
mod error_answers;
mod error_cases;
mod error_facts;
mod error_properties;
mod error_switches;
mod error_totals;
mod error_types;
mod errors;
mod finegrained;
mod finegrained_scores;
mod front_end;
mod front_end_files;
mod generate;
mod gold;
mod hipe;
mod hostile;
mod kept_counts;
mod kept_pairs;
mod knowledge;
mod linking;
mod looking;
mod names;
mod oracle;
mod published;
mod readings;
mod recognised_files;
mod recognition;
mod round_trip;
mod round_trip_rule;
mod scores;
mod shared_data;
mod streams;
mod tables;
mod tac;
mod tagging;
mod validation;
mod verify;
mod watching;
mod wild;
