//! How campaigns, assignments and leases change: three state machines, each one function.
//!
//! `step(state, event, now)` gives the next state and what has to be done about it, or says why not. A store loads a
//! state, steps and saves, in one transaction; it decides nothing itself. Tests drive the same functions without one.

mod assignment;
mod campaign;
mod receipt;
mod slot;

pub use assignment::{AssignmentEffect, AssignmentEvent, AssignmentState, Ending};
pub use campaign::{CampaignEffect, CampaignEvent, CampaignState, PauseReason};
pub use receipt::{Receipt, ReceiptVerdict};
pub use slot::{SlotEffect, SlotEvent, SlotState};

use serde::{Deserialize, Serialize};

/// A time: milliseconds since 1970. Nothing here looks at a clock.
pub type Millis = u64;

/// Why something cannot be done. It is told to whoever asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum Refused {
    /// There is no such step from here.
    #[error("this cannot be done while it is {0}")]
    NotFrom(String),
    /// A condition is not met.
    #[error("{0}")]
    Unmet(String),
    /// A task is answered whole or not at all.
    #[error("{0} of the items have no answer")]
    Incomplete(usize),
    /// The lease belongs to somebody else.
    #[error("this lease has ended, and the task was given to somebody else")]
    LeaseLost,
}
