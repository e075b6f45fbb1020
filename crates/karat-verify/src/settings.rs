//! What an organiser decides about a campaign, as one plain value.

use crate::life::Millis;
use crate::plan::CampaignDesign;
use crate::platform::PayAmount;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The decisions behind a campaign. What decides the results is frozen once it is open; pay, budget, places and
/// how long leases last may change later.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CampaignSettings {
    /// Texts, items, tasks, redundancy, assignments.
    pub design: CampaignDesign,
    /// The source that is the gold standard, if one is.
    pub gold: Option<String>,
    /// The model of people behind outcomes.
    pub model: String,
    /// Whether the organiser does without controls, said aloud.
    pub no_controls: bool,
    /// How many of the practice items somebody has to answer rightly before the work; 0 for no practice.
    pub practice: usize,
    /// How long a lease lasts, in minutes. By itself 30 where people are paid for each assignment, and 240 elsewhere.
    pub lease_minutes: Option<u32>,
    /// How many assignments one person may have; any number if it is not said.
    pub assignments_each: Option<usize>,
    /// How many assignments there may be in all; any number if it is not said.
    pub places: Option<usize>,
    /// What one assignment is paid. Its currency is that of the budget.
    pub pay: Option<PayAmount>,
    /// What may be spent before the campaign pauses by itself.
    pub budget: Option<f64>,
    /// After so many days after the end, ids of platforms, free texts and times are forgotten.
    pub retention_days: Option<u32>,
    /// Where people may come from, and what each platform needs beside it.
    pub platforms: BTreeMap<String, PlatformSettings>,
}

/// What an organiser says of a platform.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlatformSettings {
    /// What the declaration of the platform asks for.
    pub options: BTreeMap<String, String>,
    /// The completion codes that the platform knows, by the name of the ending.
    pub codes: BTreeMap<String, String>,
}

impl Default for CampaignSettings {
    fn default() -> CampaignSettings {
        CampaignSettings {
            design: CampaignDesign::default(),
            gold: None,
            model: "dawid-skene-crowd".to_owned(),
            no_controls: false,
            practice: 0,
            lease_minutes: None,
            assignments_each: None,
            places: None,
            pay: None,
            budget: None,
            retention_days: None,
            platforms: BTreeMap::new(),
        }
    }
}

const MINUTE: Millis = 60_000;

impl CampaignSettings {
    /// How long a lease lasts.
    pub fn lease_lasts(&self, is_paid: bool) -> Millis {
        let by_itself = if is_paid { 30 } else { 240 };
        Millis::from(self.lease_minutes.unwrap_or(by_itself)) * MINUTE
    }

    /// These settings with what may still change after the opening taken from `other`.
    #[must_use]
    pub fn with_changes_of(&self, other: &CampaignSettings) -> CampaignSettings {
        CampaignSettings {
            lease_minutes: other.lease_minutes,
            assignments_each: other.assignments_each,
            places: other.places,
            pay: other.pay.clone(),
            budget: other.budget,
            retention_days: other.retention_days,
            platforms: other.platforms.clone(),
            ..self.clone()
        }
    }

    /// Why `other` cannot take the place of these settings after the opening, if it cannot.
    pub fn frozen_difference(&self, other: &CampaignSettings) -> Option<&'static str> {
        let same = self.with_changes_of(other) == *other;
        (!same).then_some(
            "only pay, budget, places, leases, retention and platforms change after the opening",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_results_is_frozen_and_pay_is_not() {
        let settings = CampaignSettings::default();
        let paid = CampaignSettings { budget: Some(20.0), places: Some(4), ..settings.clone() };
        assert_eq!(settings.frozen_difference(&paid), None);
        let other = CampaignSettings { model: "majority".into(), ..settings.clone() };
        assert!(settings.frozen_difference(&other).is_some());
        assert_eq!(settings.lease_lasts(true), 30 * MINUTE);
        let quick = CampaignSettings { lease_minutes: Some(5), ..settings };
        assert_eq!(quick.lease_lasts(false), 5 * MINUTE);
    }

    #[test]
    fn settings_come_back_from_json() {
        let settings = CampaignSettings::default();
        let text = serde_json::to_string(&settings).expect("a plain value");
        assert_eq!(serde_json::from_str::<CampaignSettings>(&text).expect("written"), settings);
    }
}
