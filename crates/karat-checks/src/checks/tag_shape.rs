//! Category tags: exactly one per dimension.

use crate::category::{Dimension, dimension};
use crate::check::{Check, CheckInfo, Report, Severity, Subject};

/// The check.
pub(crate) struct TagShape;

static INFO: CheckInfo = CheckInfo {
    name: "tag-shape",
    about: "An annotation with category tags must have exactly one for each of base form, part of speech, overlap and reference (Rosales-Méndez et al. 2019, section 4).",
    severity: Severity::Warning,
    fix: None,
};

impl Check for TagShape {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut Report) {
        for document in subject.corpus.documents() {
            for mention in document.mentions() {
                let dimensions: Vec<Dimension> = mention.tags().filter_map(dimension).collect();
                if dimensions.is_empty() {
                    continue;
                }
                let faults: Vec<String> = Dimension::ALL
                    .into_iter()
                    .filter_map(|dimension| {
                        let count = dimensions.iter().filter(|&&other| other == dimension).count();
                        (count != 1).then(|| format!("{count} {} tags", dimension.name()))
                    })
                    .collect();
                if !faults.is_empty() {
                    let message =
                        format!("expected one tag per dimension, found {}", faults.join(", "));
                    report.mention(&INFO, &mention, message, vec![]);
                }
            }
        }
    }
}
