//! The command as a user meets it: what it prints, where, and its exit code.
//!
//! `SNAPSHOTS=overwrite` accepts changed snapshots, `KARAT_UPDATE_DOCS=1`
//! rewrites the output shown in the pages.

// Clippy takes only functions marked as tests for tests, not what they share.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

mod bad_input;
// The client that tests of the web app use.
#[path = "../../../karat-web/tests/it/client.rs"]
#[allow(dead_code)]
mod client;
mod collection;
mod collection_asked;
mod collection_sample;
mod compare;
mod equal_scores;
mod errors;
mod errors_asked;
mod finegrained;
mod finegrained_asked;
mod folder;
mod forms;
mod gold;
mod help;
mod inputs;
mod kb;
mod killed;
mod link;
mod lists;
mod memory;
mod merge;
mod neleval;
mod nested_jsonl;
mod never_silent;
mod never_silent_formats;
mod never_silent_offsets;
mod outputs;
mod pages;
mod report;
mod scoring;
mod scoring_forms;
mod scoring_refused;
mod scoring_rows;
mod settings;
mod shown_commands;
mod sides;
mod systems;
mod tag;
mod thin;
mod threads;
mod units;
mod validate;
mod verify;
