//! Tests of the whole road: every format against its law and against real files.

// The helpers of tests are not tests themselves, and may fail as loudly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod aida;
mod data;
mod elevant;
mod finegrained;
mod generate;
mod hostile;
mod recognition;
mod round_trip;
mod shared_data;
mod tables;
mod tac;
