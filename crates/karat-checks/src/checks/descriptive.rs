//! Descriptive references.

use crate::category::categories;
use crate::check::{Check, CheckInfo, CheckReport, Severity, Subject};
use karat_model::DimensionCategory;

/// The check.
pub(crate) struct Descriptive;

static INFO: CheckInfo = CheckInfo {
    name: "descriptive",
    about: "A descriptive reference describes and does not name, so its base form is a common form.",
    severity: Severity::Warning,
    fix: None,
};

impl Check for Descriptive {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut CheckReport) {
        for document in subject.corpus.documents() {
            for mention in document.mentions() {
                let has = |wanted| categories(&mention).any(|category| category == wanted);
                if has(DimensionCategory::Descriptive) && !has(DimensionCategory::CommonForm) {
                    let message = "a descriptive reference that is not a common form".to_owned();
                    report.mention(&INFO, &mention, message, vec![]);
                }
            }
        }
    }
}
