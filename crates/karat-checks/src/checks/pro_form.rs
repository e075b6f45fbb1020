//! Pro-forms and anaphoric references.

use crate::category::{categories, is_of_older_scheme, with_category};
use crate::check::{Check, CheckInfo, CheckReport, Severity, Subject};
use karat_model::DimensionCategory;

/// The check.
pub(crate) struct ProForm;

static INFO: CheckInfo = CheckInfo {
    name: "pro-form",
    about: "A pro-form is anaphoric, and an anaphoric mention is a pro-form (Rosales-Méndez et al. 2019; it holds in all of their data).",
    severity: Severity::Warning,
    fix: Some(
        "makes the reference of a pro-form anaphoric; what an anaphoric mention is needs a person",
    ),
};

impl Check for ProForm {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut CheckReport) {
        // There a pro-form is a coreference, which is a matter of `antecedent`.
        if is_of_older_scheme(subject.corpus) {
            return;
        }
        for document in subject.corpus.documents() {
            for (index, mention) in document.mentions().enumerate() {
                let has = |wanted| categories(&mention).any(|category| category == wanted);
                match (has(DimensionCategory::ProForm), has(DimensionCategory::Anaphoric)) {
                    (true, false) => {
                        let fix = (index, with_category(&mention, DimensionCategory::Anaphoric));
                        let message = "a pro-form that is not anaphoric".to_owned();
                        report.mention(&INFO, &mention, message, vec![fix]);
                    }
                    (false, true) => {
                        let message = "an anaphoric mention that is not a pro-form".to_owned();
                        report.mention(&INFO, &mention, message, vec![]);
                    }
                    _ => {}
                }
            }
        }
    }
}
