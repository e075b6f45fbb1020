//! Verification campaigns as plain values: what people are asked about gold and systems, and what follows from
//! their answers.
//!
//! Nothing here reads a file, knows a database, draws a page or looks at a clock: time is an argument, and a store
//! loads, steps and saves.
pub mod chunking;

pub mod patch;
