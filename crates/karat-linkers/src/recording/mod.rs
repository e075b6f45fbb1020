//! Every answer of a linker, kept: one line for each exchange, written before anything is made of it.
//!
//! A recording is a file of JSON lines. The first says what was asked of whom ([`RecordingHead`]); each of the others is an
//! [`Exchange`], found by the hash of its request. Nothing in a recording is ever changed: lines are added, and the last good one
//! of a request counts. A line that was torn off at the end of the file is dropped.

mod exchange;
mod file;

pub use exchange::{Exchange, exchange_key};
pub(crate) use exchange::{KeptAnswers, moment_now};
pub use file::{Recording, RecordingError, RecordingHead, read_recording};
