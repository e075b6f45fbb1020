//! Mentions that overlap without one containing the other.

use crate::check::{Check, CheckInfo, Report, Severity, Subject};
use karat_model::Mention;

/// The check.
pub(crate) struct Crossing;

static INFO: CheckInfo = CheckInfo {
    name: "crossing",
    about: "Two mentions overlap and neither contains the other. It is legal, but no overlap tag describes it and token formats cannot hold it.",
    severity: Severity::Note,
    fix: None,
};

impl Check for Crossing {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut Report) {
        for document in subject.corpus.documents() {
            let mut roots: Vec<_> = document.mentions().filter(|m| m.place().is_none()).collect();
            roots.sort_by_key(Mention::span);
            for (index, mention) in roots.iter().enumerate() {
                let span = mention.span();
                // Sorted by start: what crosses from the right starts before this ends.
                let right = roots[index + 1..].iter().take_while(|m| m.span().start < span.end);
                let other = right
                    .chain(roots[..index].iter())
                    .find(|other| other.flags() == mention.flags() && other.span().crosses(span));
                if let Some(other) = other {
                    let message = format!("the mention crosses another at {}", other.span());
                    report.mention(&INFO, mention, message, vec![]);
                }
            }
        }
    }
}
