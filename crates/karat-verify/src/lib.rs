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
//! | [`outcome`] | what items turn out to be, from judgements and decisions |
//! | [`results`] | what follows for sources: rates, precision, recall, what gold lacks |
//! | [`agreement`](mod@agreement) | how far people agree |
//! | [`adjudication`] | disputes, and rules that settle them |
//! | [`forecast`] | when a campaign will be done, and what it costs |
//! | [`quality`] | what is to be known of the people who judge |
//! | [`platform`] | where people come from and how they go back, as data |
//! | [`simulation`] | campaigns with simulated people |
//! | [`patch`] | corrections of a gold standard that can be kept, applied, merged and taken back |

pub mod adjudication;
pub mod agreement;
pub mod chunking;
pub mod forecast;
mod judging;
pub mod life;
mod link;
pub mod outcome;
pub mod patch;
pub mod plan;
pub mod platform;
pub mod quality;
pub mod results;
mod settings;
pub mod simulation;

pub use judging::{ActionError, ItemJudgement, JudgementReason, ReasonError, VerifyAction};
pub use link::LinkTarget;
pub use settings::{CampaignSettings, PlatformSettings};
