//! The web app in a real browser.
//!
//! A test starts a server on a free port and Debian's Chromium with its driver, and walks through pages as a reader
//! does. Without a browser it says so and passes.

// A walk that cannot begin must fail loudly, and says on the terminal why it was skipped.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::print_stdout)]

mod accessible;
mod benchmarks;
mod beside;
mod board;
mod browser;
mod budgets;
mod campaigns;
mod client;
mod corpora;
mod document;
mod elevant_data;
mod elevant_rows;
mod elevant_text;
mod everywhere;
mod feature_lists;
mod frame;
mod gerbil_rows;
mod http;
mod judging;
mod keeping;
mod looks;
mod markup;
mod newcomer;
mod organising;
mod patching;
mod pictures;
mod reading;
mod site;
// Where published data is, and the oracle that the facade is tested with.
#[path = "../../../karat/tests/it/data.rs"]
#[allow(dead_code)]
mod data;
#[path = "../../../karat/tests/it/oracle.rs"]
#[allow(dead_code)]
mod oracle;
#[path = "../../../karat/tests/it/published.rs"]
#[allow(dead_code)]
mod published;
// The server that tests of the store start.
#[path = "../../../karat-store/tests/it/postgres.rs"]
mod postgres;
mod report;
mod table_looks;
mod team;
mod uploading;
mod waiting;
mod walks;
mod workspace;
