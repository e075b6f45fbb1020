//! How fast a campaign of the store goes.

use karat::campaigns::forecast::CampaignPace;
use karat_store::{CampaignProgress, StoredJudgement};

/// The pace of a campaign. `judgements` are all that were given.
pub fn pace(progress: &CampaignProgress, judgements: &[StoredJudgement]) -> CampaignPace {
    let counted: Vec<&StoredJudgement> = judgements.iter().filter(|one| one.counted).collect();
    let number = |count: i64| u64::try_from(count).unwrap_or_default();
    CampaignPace {
        slots_left: number(progress.slots.open + progress.slots.leased),
        slots_done: number(progress.slots.done),
        last_hour: number(progress.last_hour),
        paid_assignments: number(progress.paid),
        judgements: counted.len() as u64,
        times: counted.iter().filter_map(|one| one.active_ms).map(|ms| ms as f64).collect(),
    }
}
