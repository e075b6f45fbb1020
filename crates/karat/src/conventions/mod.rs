//! One run under several conventions: why a number is not the one in the paper.
//!
//! [`ConventionsRequest`] scores one system under every preset, and walks from one preset to another, one setting
//! after the other, so that each step says what a single setting changes.

mod answer;
mod request;

pub use answer::{ConventionScores, ConventionStep, ConventionWalk, ConventionsAnswer};
pub use request::{ConventionsRequest, WalkBetween};
