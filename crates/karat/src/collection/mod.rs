//! Test collections: what is in them, which queries to choose, and how many are enough.

mod dictionary;
mod distribution;
mod evolution;
mod kinds;
mod profile;
mod queries;
mod sample;
pub mod tables;

pub use dictionary::Dictionary;
pub use distribution::f1_distribution;
pub use evolution::Evolution;
pub use profile::{Amount, MAXIMUM_RECALL, Profile, Shares};
pub use queries::{Queries, QueryPlace};
pub use sample::{By, Sample, SampleError, Sampler, Task};
