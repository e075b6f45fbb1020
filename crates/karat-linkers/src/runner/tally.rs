//! What a run took: requests, time, money.

use crate::answer::{LinkAnswer, TokenUsage};
use crate::failure::{FailureKind, LinkFailure};
use crate::info::{LinkerInfo, PricePer};
use crate::task::LinkTask;
use crate::wire::WireAnswer;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a run took. Waiting for a slot, a rate or another attempt is no time of the linker.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RunCosts {
    /// How many requests were sent, repeated ones included.
    pub requests: u64,
    /// How many answers were there already.
    pub kept: u64,
    /// Requests without a usable answer, by kind of failure.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub failed: BTreeMap<String, u64>,
    /// How many characters answers are about.
    pub characters: u64,
    /// The time of good answers, kept ones included, in milliseconds; `None` where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<RunTimes>,
    /// What was counted by the linker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
    /// What it cost, by the price that the linker is declared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<f64>,
    /// The models that say that they answered.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub models: BTreeSet<String>,
}

/// How long answers took, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct RunTimes {
    /// All together.
    pub total: f64,
    /// Half of them took at most this.
    pub median: f64,
    /// Nine in ten.
    pub p90: f64,
    /// Ninety-nine in a hundred.
    pub p99: f64,
    /// The longest.
    pub longest: f64,
    /// As the server tells them, all together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<f64>,
}

impl RunTimes {
    fn of(mut times: Vec<f64>, server: Option<f64>) -> Option<RunTimes> {
        times.sort_by(f64::total_cmp);
        let longest = *times.last()?;
        let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
        let total = times.iter().sum();
        Some(RunTimes { total, median: at(0.5), p90: at(0.9), p99: at(0.99), longest, server })
    }
}

/// Counts what a run takes, from several threads.
pub(super) struct Tally {
    counts: Mutex<Counts>,
    budget: Option<f64>,
}

#[derive(Default)]
struct Counts {
    costs: RunCosts,
    times: Vec<f64>,
    server: Option<f64>,
}

impl Tally {
    pub(super) fn new(budget: Option<f64>) -> Tally {
        Tally { counts: Mutex::default(), budget }
    }

    /// Pays for a request, if the budget allows for it.
    pub(super) fn pay(&self, info: &LinkerInfo, tasks: &[LinkTask<'_>]) -> Result<(), LinkFailure> {
        let Some((price, per)) = info.price else { return Ok(()) };
        let cost = match per {
            PricePer::Request => price,
            PricePer::ThousandCharacters => price * characters(tasks) as f64 / 1000.0,
        };
        let mut counts = self.lock();
        let spent = counts.costs.spent.unwrap_or_default() + cost;
        if let Some(budget) = self.budget.filter(|budget| spent > *budget) {
            let message = format!("another request would cost more than the budget of {budget}");
            return Err(LinkFailure::new(FailureKind::Budget, message));
        }
        counts.costs.spent = Some(spent);
        Ok(())
    }

    /// A request was sent, and this came back.
    pub(super) fn asked(
        &self,
        tasks: &[LinkTask<'_>],
        answer: &WireAnswer,
        results: &[Result<LinkAnswer, LinkFailure>],
    ) {
        let mut counts = self.lock();
        counts.costs.requests += 1;
        let failure = results.iter().find_map(|result| result.as_ref().err());
        match failure {
            Some(failure) => {
                *counts.costs.failed.entry(failure.kind.name().to_owned()).or_default() += 1;
            }
            None => counts.good(tasks, answer),
        }
        for answer in results.iter().flatten() {
            counts.costs.models.extend(answer.model.clone());
            counts.used(answer);
        }
    }

    /// An answer was there already.
    pub(super) fn kept(&self, tasks: &[LinkTask<'_>], answer: &WireAnswer) {
        let mut counts = self.lock();
        counts.costs.kept += 1;
        counts.good(tasks, answer);
    }

    pub(super) fn finish(self) -> RunCosts {
        let counts = self.counts.into_inner().unwrap_or_else(PoisonError::into_inner);
        RunCosts { times: RunTimes::of(counts.times, counts.server), ..counts.costs }
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    fn good(&mut self, tasks: &[LinkTask<'_>], answer: &WireAnswer) {
        self.costs.characters += characters(tasks);
        self.times.push(answer.times.all);
    }

    fn used(&mut self, answer: &LinkAnswer) {
        if let Some(ms) = answer.server_ms {
            *self.server.get_or_insert(0.0) += ms;
        }
        if let Some(usage) = answer.usage {
            let sum = self.costs.usage.get_or_insert_default();
            sum.input += usage.input;
            sum.cached += usage.cached;
            sum.output += usage.output;
            sum.estimated |= usage.estimated;
        }
    }
}

fn characters(tasks: &[LinkTask<'_>]) -> u64 {
    tasks.iter().map(|task| task.text.chars().count() as u64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_that_would_pass_the_budget_is_not_sent() {
        let mut info = LinkerInfo::named("paid", "1");
        info.price = Some((0.5, PricePer::ThousandCharacters));
        let tally = Tally::new(Some(0.01));
        let text = "x".repeat(15);
        let tasks = [LinkTask::of_text("d1", &text)];
        assert!(tally.pay(&info, &tasks).is_ok());
        assert_eq!(tally.pay(&info, &tasks).unwrap_err().kind, FailureKind::Budget);
        assert_eq!(tally.finish().spent, Some(0.0075));
    }
}
