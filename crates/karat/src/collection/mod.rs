//! Test collections: what is in them, which queries to choose, and how many are enough.
//!
//! Four requests: [`CollectionStatsRequest`], [`SampleRequest`], [`QueryModelRequest`] and [`CollectionSizeRequest`]. A
//! query is a gold mention: an entity or NIL, answered with an entity or NIL, after Mertens et al. (2014).

mod asked;
mod dictionary;
mod distribution;
mod evolution;
mod gold;
mod groups;
mod kinds;
mod mentions;
mod model;
mod model_answer;
mod profile;
mod profile_record;
mod quantity;
mod queries;
mod sample;
mod sampler;
mod size;
mod stats;
mod surfaces;
pub mod tables;
mod task;
mod words;

pub use dictionary::Dictionary;
pub use distribution::f1_distribution;
pub use evolution::{Evolution, GrowthStep, MedianBand, OrdersStep, SizeUnit, SystemAtFullSize};
pub use gold::GoldCorpus;
pub use groups::{StatisticsCell, StatisticsGroup, StatisticsRow};
pub use mentions::{ListedMention, MentionsAnswer, MentionsRequest};
pub use model::QueryModelRequest;
pub use model_answer::{ChangedScore, QueryCounts, QueryModelAnswer, RemovalBudget};
pub use profile::{Amount, MAXIMUM_RECALL, Profile, Shares};
pub use quantity::{Quantity, QuantityError};
pub use queries::{Queries, QueryPlace};
pub use sample::{SampleAnswer, SampleRequest};
pub use sampler::{SampleBy, SampleDesign, Sampler};
pub use size::{CollectionSizeAnswer, CollectionSizeRequest};
pub use stats::{CollectionStatsAnswer, CollectionStatsRequest};
pub use task::AnnotationTask;
