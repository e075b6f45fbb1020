//! Verification campaigns as plain values: what people are asked about gold and systems, and what follows from
//! their answers.
//!
//! Nothing here reads a file, knows a database, draws a page or looks at a clock: time is an argument, and a store
//! loads, steps and saves.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`chunking`] | cuts documents into texts that people can read at once |
//! | [`plan`] | makes items and tasks of what gold and systems say |
//! | [`life`] | how campaigns, assignments and leases change |
//! | [`patch`] | corrections of a gold standard that can be kept, applied, merged and taken back |

pub mod chunking;
mod judging;
pub mod life;
mod link;
pub mod patch;
pub mod plan;

pub use judging::{ActionError, ItemJudgement, JudgementReason, VerifyAction};
pub use link::LinkTarget;
