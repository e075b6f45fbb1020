//! Shared evaluations: a folder in version control that is a leaderboard.
//!
//! Benchmarks, outputs of systems and what is said about them are files that anyone can read, review and correct:
//!
//! ```text
//! evaluation.toml                    what is shown, and under which conventions
//! benchmarks/NAME/benchmark.toml     title, licence, and the editions with their files and digests
//! benchmarks/NAME/patches/           corrections of gold
//! systems/NAME/system.toml           title, paper, code, licence
//! systems/NAME/BENCHMARK[@EDITION].{any format}, and the same name with .toml beside it
//! ```
//!
//! | request | what it answers |
//! | --- | --- |
//! | [`CheckRequest`] | is everything as it should be? A bad submission is a located problem, and the others go on |
//! | [`DifferenceRequest`] | what does a change do to the board? |
//!
//! [`SharedFolder::experiments`] reads what passes, and [`AnswerFolder`] keeps answers by digests, so that only what changed
//! is evaluated again.

mod cache;
mod changed;
mod check;
mod difference;
mod editions;
mod folder;
mod patches;
mod records;
mod results;
mod toml_file;

#[cfg(test)]
mod tests;

pub use cache::AnswerFolder;
pub use check::{CheckAnswer, CheckRequest, CheckedFile, CheckedKind};
pub use difference::{DifferenceAnswer, DifferenceRequest, ScoreChange};
pub use editions::FoundEdition;
pub use folder::{
    SharedBenchmark, SharedExperiment, SharedExperiments, SharedFolder, SharedRun, SharedSystem,
};
pub use records::{BenchmarkFile, EditionFile, EvaluationFile, RunFile, SharedEdition, SystemFile};
pub use results::{FeedEntry, SharedBoard, SharedResults};
pub(crate) use toml_file::problem as toml_problem;
