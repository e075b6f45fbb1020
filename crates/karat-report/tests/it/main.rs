//! Forms and plots as their users meet them.
//!
//! `SNAPSHOTS=overwrite` accepts changed snapshots.

// Clippy takes only functions marked as tests for tests, not what they share.
#![allow(clippy::unwrap_used)]

mod forms;
mod hostile;
mod reading;
mod snapshots;
