//! What forms change, one file each.

mod job;
mod sample;
mod things;

pub(crate) use job::CancelJob;
pub(crate) use sample::TakeSample;
pub(crate) use things::{ChangeThing, RemoveThing, RestoreThing, kind_named};
