//! Verification campaigns: what is judged, who judges it, and what they said.
//!
//! What may happen is decided by the state machines of `karat-verify` ([`karat_verify::life`]); this module loads a state,
//! steps it and saves it, in one transaction. Nothing is deleted but by the privacy commands.
//!
//! # Leases
//!
//! A task has k slots, and a slot brings one judgement: so k judgements come by construction. A person is given a slot
//! for a time ([`Store::lease_task`]); the token of a lease is what answers are submitted with
//! ([`Store::submit_answers`]). A lease that ends leaves its token on the slot until somebody else gets it, so whoever
//! comes late still counts; after that the answers are kept as surplus. A submission has a revision: the same one again
//! gets the same answer.
//!
//! # Locks
//!
//! On PostgreSQL rows are locked in this order: campaign, assignment, worker, slots by id, counter. Whoever works (lease,
//! submit) locks their own worker row first, so one person does one thing at a time. Whoever organises (exclude, restore,
//! states) locks the campaign; those who lease share that lock. SQLite has one writer, and what waits for it is committed
//! together.

mod archive;
mod controls;
mod decisions;
mod exclusion;
mod lease;
mod life;
mod links;
mod people;
mod plan;
mod privacy;
mod progress;
mod questions;
mod rows;
mod slots;
mod submit;

pub use controls::{KeyRow, KeyState};
pub use decisions::{DecisionRow, NewDecision};
pub use exclusion::Exclusion;
pub use lease::{LeaseAnswer, LeasedItem, LeasedTask, NoLease};
pub use life::{CampaignChange, CampaignPageRow, NewCampaign};
pub use links::{CampaignLinkRow, NewCampaignLink};
pub use people::{
    AssignmentPlan, AssignmentRow, CampaignArrival, CampaignPerson, ExternalId, WorkerRow,
    WorkerState,
};
pub use privacy::Forgotten;
pub use progress::{CampaignProgress, SlotCounts};
pub use questions::{CampaignSlotRow, FlagRow, StoredJudgement, StoredJudgements};
pub use rows::{CampaignRow, ItemRow, TaskRow, TextRow};
pub use submit::{AnswerFlag, ItemAnswer, SubmittedAnswers, TaskAnswers};
