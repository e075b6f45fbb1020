//! Category tags that alternatives share.

use crate::category::categories;
use crate::check::{Check, CheckInfo, CheckReport, Severity, Subject};
use karat_model::{Dimension, DimensionCategory, Mention};

/// The check.
pub(crate) struct TagAgreement;

static INFO: CheckInfo = CheckInfo {
    name: "tag-agreement",
    about: "Alternatives of one mention are the same words in the same place, so they share part of speech and overlap; base form and reference may differ.",
    severity: Severity::Warning,
    fix: None,
};

impl Check for TagAgreement {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut CheckReport) {
        for document in subject.corpus.documents() {
            for mention in document.mentions() {
                let root =
                    mention.place().and_then(|place| document.mention(place.parent as usize));
                let Some(root) = root.filter(|root| root.span() == mention.span()) else {
                    continue;
                };
                for dimension in [Dimension::PartOfSpeech, Dimension::Overlap] {
                    if of_dimension(&mention, dimension) != of_dimension(&root, dimension) {
                        let name = dimension.name();
                        let message =
                            format!("the {name} tag differs from that of the other alternative");
                        report.mention(&INFO, &mention, message, vec![]);
                    }
                }
            }
        }
    }
}

fn of_dimension(mention: &Mention<'_>, wanted: Dimension) -> Vec<DimensionCategory> {
    let mut found: Vec<DimensionCategory> =
        categories(mention).filter(|category| category.dimension() == wanted).collect();
    found.sort_unstable();
    found
}
