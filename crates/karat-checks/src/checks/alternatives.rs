//! Trees of alternatives that are no trees.

use crate::check::{Check, CheckInfo, Report, Severity, Subject};
use karat_model::Document;

/// The check.
pub(crate) struct Alternatives;

static INFO: CheckInfo = CheckInfo {
    name: "alternatives",
    about: "An annotation that is, directly or through others, a part of itself, so that the mention has no root and would vanish from every evaluation.",
    severity: Severity::Error,
    fix: None,
};

impl Check for Alternatives {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut Report) {
        for document in subject.corpus.documents() {
            for (index, mention) in document.mentions().enumerate() {
                if has_no_root(&document, index) {
                    let message = "the mention is a part of itself".to_owned();
                    report.mention(&INFO, &mention, message, vec![]);
                }
            }
        }
    }
}

fn has_no_root(document: &Document<'_>, index: usize) -> bool {
    let total = document.annotations().len();
    let mut at = index;
    for _ in 0..=total {
        match document.mention(at).and_then(|mention| mention.place()) {
            None => return false,
            Some(place) => at = place.parent as usize,
        }
    }
    true
}
