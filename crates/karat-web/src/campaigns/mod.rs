//! Verification campaigns of a workspace: what pages, the API and commands do with them.
//!
//! The store keeps, the state machines of `karat-verify` decide, the facade computes. Here they are put together, once for
//! all front ends: making a campaign, its life, results from what is stored, follow-ups, the tokens of people without an
//! account, and how people come and go.

mod demo;
mod entrance;
mod following;
mod forecast;
mod hook;
mod judged;
mod listings;
mod looking;
mod making;
mod merging;
mod patching;
mod records;
mod steps;
mod tokens;

pub use demo::{DEMO_NAME, DemoCampaign, DemoError, make_demo, prepare_demo};
pub(crate) use entrance::takes_from;
pub use entrance::{CampaignEntrance, Entered, EntranceError, WayBack};
pub use following::{Watched, follow_up, watch};
pub use forecast::pace;
pub use hook::{HookError, HookEvent, prolific_event};
pub use judged::{judged_file, report, results_json};
pub use listings::{campaigns_table, controls_table, find_worker, people_table};
pub use looking::{ControlAnswered, JudgedCampaign, action_words};
pub use making::{CampaignTexts, make};
pub use merging::{MergePreview, apply_merge, preview_merge};
pub use patching::CampaignPatch;
pub use records::campaign_records;
pub use steps::{DISPUTED_UNDER, StepError, StepWanted, begin, end, step};
pub use tokens::{WORKER_TOKEN, WorkerToken};

/// The path by which somebody with an invitation comes to a campaign.
pub fn judging_path(campaign: &str, secret: &str) -> String {
    format!("/judge/{campaign}?platform=link&key={secret}")
}
