//! Campaigns against published figures and against themselves.

// Clippy takes only functions marked as tests for tests, not what they share.
#![allow(clippy::expect_used, clippy::print_stdout)]

mod chunks;
mod data;
mod punkt;
mod statistics;
