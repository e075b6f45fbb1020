//! What a campaign is made of: texts, items and tasks, built from documents and from what sources say of them.
//!
//! Building is a pure function of a [`CampaignDesign`], documents and proposals: the same seed gives the same campaign.
//! Sources are never shown to the people who judge.

mod building;
mod controls;
mod layers;
mod more;
mod sampling;
mod values;

pub use building::{PlanDocument, PlanProposal};
pub use controls::{ControlKind, ControlPool, PossibleControls};
pub use more::{ItemProgress, MOST_SKIPS};
pub use values::{
    CampaignPlan, CampaignTask, CampaignText, ItemKey, ItemKind, LeftOut, LeftOutReason, Proposal,
    TaskPurpose, VerifyItem,
};

use crate::chunking::Chunking;
use serde::{Deserialize, Serialize};

/// The decisions behind a campaign, as a plain value. They are frozen once it is open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CampaignDesign {
    /// How documents become texts.
    pub chunking: Chunking,
    /// Whether equal proposals of several sources are judged once.
    pub pool: bool,
    /// Whether NIL is judged as links are. The paper had left out mentions without an entity.
    pub nil: bool,
    /// A task with more items than this is divided.
    pub max_items: Option<usize>,
    /// How many items are judged in each stratum; `None` is all of them.
    pub sample: Option<usize>,
    /// How often each item is judged.
    pub redundancy: Redundancy,
    /// In which order tasks are given out.
    pub order: TaskOrder,
    /// What one person does in one go.
    pub assignment: AssignmentDesign,
    /// Whether nobody gets two layers of one text: for crowds; small teams would starve.
    pub layers_apart: bool,
    /// What the random numbers depend on.
    pub seed: u64,
}

/// How often items are judged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind", deny_unknown_fields)]
pub enum Redundancy {
    /// So many judgements each.
    Fixed {
        /// How many.
        judgements: usize,
    },
    /// Some judgements each, then one more at a time while the model is unsure.
    Adaptive {
        /// At least so many.
        least: usize,
        /// At most so many.
        most: usize,
        /// Sure enough, as a chance.
        sure: f64,
    },
}

impl Redundancy {
    /// karat's own: two judgements, then one more at a time under .95, at most five.
    pub const ADAPTIVE: Redundancy = Redundancy::Adaptive { least: 2, most: 5, sure: 0.95 };

    /// How many judgements every item gets at least.
    pub fn first(self) -> usize {
        match self {
            Redundancy::Fixed { judgements } => judgements,
            Redundancy::Adaptive { least, .. } => least,
        }
    }

    /// Whether an item with so many judgements, of whose answers the best has this chance, needs another.
    pub fn needs_more(self, judgements: usize, best: f64) -> bool {
        match self {
            Redundancy::Fixed { judgements: wanted } => judgements < wanted,
            Redundancy::Adaptive { least, most, sure } => {
                judgements < least || judgements < most && best < sure
            }
        }
    }
}

/// In which order tasks are given out. Follow-ups come before new work in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskOrder {
    /// At random over all tasks.
    Random,
    /// Text by text, so that texts are complete for all sources early.
    Text,
}

/// What one person does in one go and is paid for: the paper's HIT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssignmentDesign {
    /// Tasks, controls included.
    pub tasks: usize,
    /// How many of them are controls.
    pub controls: usize,
    /// One control comes among the first so many tasks.
    pub control_within: usize,
    /// One task in so many is shown again; 0 for never.
    pub repeat_every: usize,
}

impl AssignmentDesign {
    /// How many assignments so many tasks take.
    pub fn assignments_for(&self, tasks: usize) -> usize {
        tasks.div_ceil(self.tasks.saturating_sub(self.controls).max(1))
    }

    /// The places of the controls in one assignment, from 0, drawn from the seed and its number.
    pub fn control_places(&self, seed: u64, assignment: u64) -> Vec<usize> {
        let mut random = karat_stats::Random::new(seed ^ CONTROL_PLACES, assignment);
        let mut places = Vec::new();
        for at in 0..self.controls.min(self.tasks) {
            let room = if at == 0 { self.control_within.clamp(1, self.tasks) } else { self.tasks };
            let mut place = random.below(room);
            while places.contains(&place) {
                place = (place + 1) % self.tasks;
            }
            places.push(place);
        }
        places.sort_unstable();
        places
    }
}

/// Keeps the draws of control places apart from all others of a seed.
const CONTROL_PLACES: u64 = 0x636f_6e74_726f_6c73;

impl CampaignDesign {
    /// As in the paper: no pooling, one judgement, twenty tasks with one control at a random place.
    pub fn ding_2022() -> CampaignDesign {
        CampaignDesign {
            chunking: Chunking::DING_2022,
            pool: false,
            nil: false,
            max_items: None,
            redundancy: Redundancy::Fixed { judgements: 1 },
            order: TaskOrder::Random,
            assignment: AssignmentDesign {
                tasks: 20,
                controls: 1,
                control_within: 20,
                repeat_every: 0,
            },
            ..CampaignDesign::default()
        }
    }
}

impl Default for CampaignDesign {
    fn default() -> CampaignDesign {
        CampaignDesign {
            chunking: Chunking::KARAT,
            pool: true,
            nil: true,
            max_items: Some(10),
            sample: None,
            redundancy: Redundancy::ADAPTIVE,
            order: TaskOrder::Text,
            assignment: AssignmentDesign {
                tasks: 10,
                controls: 1,
                control_within: 5,
                repeat_every: 20,
            },
            layers_apart: true,
            seed: 1,
        }
    }
}
