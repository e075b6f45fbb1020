//! When a campaign will be done, and what it costs.

use karat::campaigns::platform::platform;
use karat_store::{CampaignProgress, CampaignRow, StoredJudgement};

/// What is to be expected of a campaign, as it goes now.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CampaignForecast {
    /// Hours until every slot is done, at the pace of the last hour.
    pub hours_left: Option<f64>,
    /// What was paid so far.
    pub paid: Option<f64>,
    /// What the rest will cost.
    pub to_come: Option<f64>,
    /// What a person earns in an hour, by the median of the time on an item.
    pub hourly: Option<f64>,
    /// The median of the time on an item, in milliseconds.
    pub median_ms: Option<f64>,
    /// The platforms whose minimum an hour's pay does not reach, with that minimum.
    pub underpaid: Vec<(String, f64)>,
    /// The currency of all amounts.
    pub currency: String,
}

const HOUR: f64 = 3_600_000.0;

impl CampaignForecast {
    /// The forecast from what was done. `judgements` are all that were given.
    pub fn of(
        campaign: &CampaignRow,
        progress: &CampaignProgress,
        judgements: &[StoredJudgement],
    ) -> CampaignForecast {
        let counted = judgements.iter().filter(|one| one.counted);
        let mut times: Vec<f64> =
            counted.clone().filter_map(|one| one.active_ms).map(|ms| ms as f64).collect();
        times.sort_unstable_by(f64::total_cmp);
        let median_ms = karat::stats::percentile(&times, 50.0);
        let slots = progress.slots;
        let left = (slots.open + slots.leased) as f64;
        let answers = counted.count() as f64;
        let per_slot = (slots.done > 0).then(|| answers / slots.done as f64);
        let pace = progress.last_hour as f64;
        let hours_left =
            per_slot.filter(|_| pace > 0.0 && left > 0.0).map(|each| left * each / pace);
        let mut forecast =
            CampaignForecast { hours_left, median_ms, ..CampaignForecast::default() };
        let settings = &campaign.settings;
        let Some(pay) = &settings.pay else { return forecast };
        let tasks = settings.design.assignment.tasks.max(1) as f64;
        forecast.currency.clone_from(&pay.currency);
        forecast.paid = Some(progress.paid as f64 * pay.amount);
        forecast.to_come = Some((left / tasks).ceil() * pay.amount);
        forecast.hourly = median_ms.zip(per_slot).and_then(|(median, each)| {
            let assignment = median * each * tasks;
            (assignment > 0.0).then(|| pay.amount * HOUR / assignment)
        });
        let least = settings.platforms.keys().filter_map(|name| {
            let minimum =
                platform(name)?.minimum_pay.iter().find(|it| it.currency == pay.currency)?;
            Some((name.clone(), minimum.amount))
        });
        let hourly = forecast.hourly;
        forecast.underpaid =
            least.filter(|(_, least)| hourly.is_some_and(|paid| paid < *least)).collect();
        forecast
    }
}
