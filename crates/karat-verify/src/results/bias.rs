//! People verify too much: a nod costs less than a correction. Controls tell how much.

use super::Estimate;
use crate::ItemJudgement;
use crate::outcome::{CampaignPeople, counted};
use crate::plan::CampaignPlan;
use karat_stats::{Interval, wilson};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How often people verify what is right and what is wrong, from their answers on controls.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct VerifyBias {
    /// The chance that a right link is verified.
    pub right: Estimate,
    /// The chance that a wrong one is verified.
    pub wrong: Estimate,
}

impl VerifyBias {
    /// From the answers on controls of everybody who judged real items too; `None` without controls of both kinds.
    pub fn of(plan: &CampaignPlan, judgements: &[ItemJudgement]) -> Option<VerifyBias> {
        let people = CampaignPeople::of(plan, judgements);
        let at_work: BTreeSet<&str> =
            counted(plan, judgements).map(|one| one.worker.as_str()).collect();
        let (mut right, mut wrong) = ([0.0; 2], [0.0; 2]);
        let asked = people.names.iter().zip(&people.controls);
        for (_, rows) in asked.filter(|(name, _)| at_work.contains(name.as_str())) {
            for (class, row) in rows.iter().enumerate() {
                let all: f64 = row.iter().sum();
                let counts = if class == 0 { &mut right } else { &mut wrong };
                counts[0] += row[0];
                counts[1] += all;
            }
        }
        Some(VerifyBias { right: share(right)?, wrong: share(wrong)? })
    }

    /// The rate that would give this one after such answers: `(r - q) / (p - q)`, with an interval that has the doubt
    /// about all three. `None` if right and wrong links are verified alike. It is shown beside the rate, never
    /// instead of it.
    pub fn corrected(&self, rate: &Estimate) -> Option<Estimate> {
        let (p, q) = (self.right.value, self.wrong.value);
        let spread = p - q;
        if spread <= 0.0 {
            return None;
        }
        let value = (rate.value - q) / spread;
        // The first-order error of a ratio; half widths stand for the errors of the parts.
        let half = |estimate: &Estimate| estimate.interval.map(|[low, high]| (high - low) / 2.0);
        let interval = match (half(rate), half(&self.right), half(&self.wrong)) {
            (Some(r), Some(p), Some(q)) => {
                let half =
                    (r * r + (value * p).powi(2) + ((1.0 - value) * q).powi(2)).sqrt() / spread;
                Some([value - half, value + half].map(|end| end.clamp(0.0, 1.0)))
            }
            _ => None,
        };
        Some(Estimate { value: value.clamp(0.0, 1.0), interval })
    }
}

fn share([yes, all]: [f64; 2]) -> Option<Estimate> {
    let Interval { low, high } = wilson(yes, all, 95.0)?;
    Some(Estimate { value: yes / all, interval: Some([low, high]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_verify_too_much_is_taken_back() {
        // .96 of right links and .15 of wrong ones are verified, so .86 shows as .8466.
        let sure = |value| Estimate { value, interval: Some([value - 0.01, value + 0.01]) };
        let bias = VerifyBias { right: sure(0.96), wrong: sure(0.15) };
        let found = bias.corrected(&sure(0.86 * 0.96 + 0.14 * 0.15)).expect("spread");
        assert!((found.value - 0.86).abs() < 1e-12);
        let [low, high] = found.interval.expect("an interval");
        assert!(low < 0.86 - 0.012 && high > 0.86 + 0.012, "{low} {high}");
        let blind = VerifyBias { right: sure(0.9), wrong: sure(0.9) };
        assert_eq!(blind.corrected(&sure(0.9)), None);
    }
}
