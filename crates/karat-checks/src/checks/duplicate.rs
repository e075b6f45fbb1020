//! The same answer twice.

use crate::check::{Check, CheckInfo, Report, Severity, Subject};
use karat_model::Edit;
use std::collections::HashSet;

/// The check.
pub(crate) struct Duplicate;

static INFO: CheckInfo = CheckInfo {
    name: "duplicate",
    about: "Two annotations of a document have the same span and the same link. Most conventions count the second as a false positive.",
    severity: Severity::Warning,
    fix: Some("removes all but the first"),
};

impl Check for Duplicate {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut Report) {
        for document in subject.corpus.documents() {
            let mut seen = HashSet::new();
            for (index, mention) in document.mentions().enumerate() {
                let parent = mention.place().map(|place| (place.parent, place.reading));
                if !seen.insert((mention.span(), mention.link(), mention.flags(), parent)) {
                    let message = "the same mention with the same link stands here twice";
                    let fixes = vec![(index, Edit::Remove)];
                    report.mention(&INFO, &mention, message.to_owned(), fixes);
                }
            }
        }
    }
}
