//! Counts of several systems side by side.

use super::EvaluationCounts;
use super::merged::differ;
use crate::error::Error;
use karat_model::Notice;

impl EvaluationCounts {
    /// Puts the counts of several systems on one benchmark side by side: they are then scored and compared as if
    /// they had been counted together. They must have been counted in the same way, against the same gold standard.
    pub fn beside(parts: impl IntoIterator<Item = EvaluationCounts>) -> Result<Self, Error> {
        let mut parts = parts.into_iter();
        let Some(mut all) = parts.next() else {
            return Err(Error::bad_request("there are no counts to put side by side", "give some"));
        };
        for part in parts {
            all.check_beside(&part)?;
            all.plan.systems.extend(part.plan.systems);
            all.systems.extend(part.systems);
            all.gold.tell(part.gold.notices, part.gold.remarks);
        }
        Ok(all)
    }

    fn check_beside(&self, other: &EvaluationCounts) -> Result<(), Error> {
        let (plan, others) = (&self.plan, &other.plan);
        let differences = [
            ("settings", plan.settings != others.settings || plan.by_name != others.by_name),
            ("measures", plan.measures != others.measures),
            ("gold standards", plan.benchmark != others.benchmark),
            ("gold standards", self.gold.digests != other.gold.digests),
            ("shards", self.gold.shards != other.gold.shards),
        ];
        match differences.iter().find(|(_, differs)| *differs) {
            Some((what, _)) => Err(differ(
                format!("counts of different {what} cannot stand side by side"),
                "count all systems with the same request on the same gold standard",
            )),
            None => Ok(()),
        }
    }

    /// The same counts of one system under other names: counts do not depend on what things are called.
    pub fn called(mut self, benchmark: &str, system: &str) -> EvaluationCounts {
        let [known] = self.plan.systems.as_mut_slice() else { return self };
        let old_system = std::mem::replace(known, system.to_owned());
        let old_benchmark = std::mem::replace(&mut self.plan.benchmark, benchmark.to_owned());
        let names = [(old_system.as_str(), system), (old_benchmark.as_str(), benchmark)];
        for notice in self.gold.notices.iter_mut().chain(&mut self.gold.remarks) {
            rename(notice, names);
        }
        self
    }
}

/// Notices quote names; both are exchanged in one go, because a system may be called as the benchmark was.
fn rename(notice: &mut Notice, names: [(&str, &str); 2]) {
    if names.iter().all(|(old, new)| old == new) {
        return;
    }
    let renamed = |text: &str| names.iter().find(|(old, _)| *old == text).map(|(_, new)| *new);
    if let Some(subject) = &mut notice.subject
        && let Some(new) = renamed(subject)
    {
        *subject = new.to_owned();
    }
    // What stands between two backticks is a name, an id or a setting.
    let pieces = notice.message.split('`').map(|piece| renamed(piece).unwrap_or(piece));
    notice.message = pieces.collect::<Vec<_>>().join("`");
}
