//! Tests of the whole road: every format against its law and against real files.

// Clippy takes only functions marked as tests for tests, not what they share.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

mod aida;
mod bio_formats;
mod checks;
mod data;
mod docs;
mod elevant;
mod finegrained;
mod generate;
mod hardiness;
mod hostile;
mod read_only;
mod round_trip;
mod shared_data;
mod tables;
mod tac;
