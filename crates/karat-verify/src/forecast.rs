//! When a campaign will be done, and what it costs.

use crate::CampaignSettings;
use crate::platform::platform;
use karat_stats::percentile;

/// How fast a campaign goes, and what is left of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CampaignPace {
    /// Slots that are still to be judged, or are being judged.
    pub slots_left: u64,
    /// Slots that are judged.
    pub slots_done: u64,
    /// Judgements of the last hour.
    pub last_hour: u64,
    /// Assignments that ended and are paid.
    pub paid_assignments: u64,
    /// Judgements that count.
    pub judgements: u64,
    /// The times they took, in milliseconds, as far as they are known.
    pub times: Vec<f64>,
}

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
    /// The forecast from what was done.
    pub fn of(settings: &CampaignSettings, pace: &CampaignPace) -> CampaignForecast {
        let mut times = pace.times.clone();
        times.sort_unstable_by(f64::total_cmp);
        let median_ms = percentile(&times, 50.0);
        let left = pace.slots_left as f64;
        let per_slot =
            (pace.slots_done > 0).then(|| pace.judgements as f64 / pace.slots_done as f64);
        let an_hour = pace.last_hour as f64;
        let hours_left =
            per_slot.filter(|_| an_hour > 0.0 && left > 0.0).map(|each| left * each / an_hour);
        let mut forecast =
            CampaignForecast { hours_left, median_ms, ..CampaignForecast::default() };
        let Some(pay) = &settings.pay else { return forecast };
        let tasks = settings.design.assignment.tasks.max(1) as f64;
        forecast.currency.clone_from(&pay.currency);
        forecast.paid = Some(pace.paid_assignments as f64 * pay.amount);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::PayAmount;

    #[test]
    fn a_forecast_follows_from_the_pace() {
        let mut settings = CampaignSettings::default();
        settings.design.assignment.tasks = 5;
        let pace = CampaignPace {
            slots_left: 40,
            slots_done: 10,
            last_hour: 20,
            paid_assignments: 2,
            judgements: 20,
            times: vec![30_000.0, 10_000.0, 20_000.0],
        };
        let forecast = CampaignForecast::of(&settings, &pace);
        assert_eq!((forecast.hours_left, forecast.median_ms), (Some(4.0), Some(20_000.0)));
        assert_eq!((forecast.paid, forecast.hourly), (None, None));
        settings.pay = Some(PayAmount { amount: 1.0, currency: "GBP".to_owned() });
        let forecast = CampaignForecast::of(&settings, &pace);
        // Five tasks of two judgements take 200 seconds: 18 assignments an hour.
        assert_eq!((forecast.paid, forecast.to_come), (Some(2.0), Some(8.0)));
        assert_eq!(forecast.hourly, Some(18.0));
        assert_eq!(CampaignForecast::of(&settings, &CampaignPace::default()).hours_left, None);
    }
}
