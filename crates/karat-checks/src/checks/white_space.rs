//! Mentions with white space at their edges.

use crate::check::{Check, CheckInfo, CheckReport, Severity, Subject};
use karat_model::{Change, Edit, Span};

/// The check.
pub(crate) struct WhiteSpace;

static INFO: CheckInfo = CheckInfo {
    name: "white-space",
    about: "A mention starts or ends with white space, or is nothing but white space.",
    severity: Severity::Warning,
    fix: Some("trims the mention, or removes it if nothing is left"),
};

impl Check for WhiteSpace {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut CheckReport) {
        for document in subject.corpus.documents() {
            let Some(text) = document.text_index() else { continue };
            for (index, mention) in document.mentions().enumerate() {
                let span = mention.span();
                let Some(surface) = text.slice(span) else { continue };
                // Only what is trimmed is counted: mentions may be long, and many.
                let count = |part: Option<&str>| part.map_or(0, |part| part.chars().count()) as u32;
                let lead = count(surface.get(..surface.len() - surface.trim_start().len()));
                let trail = count(surface.get(surface.trim_end().len()..));
                if surface.trim().is_empty() {
                    let message = "the mention is nothing but white space".to_owned();
                    report.mention(&INFO, &mention, message, vec![(index, Edit::Remove)]);
                } else if lead + trail > 0 {
                    let trimmed = Span::new(span.start + lead, span.end - trail);
                    let edit = Edit::Change(Change::span(trimmed));
                    let side = match (lead, trail) {
                        (0, _) => "ends",
                        (_, 0) => "starts",
                        _ => "starts and ends",
                    };
                    let message = format!("the mention {side} with white space");
                    report.mention(&INFO, &mention, message, vec![(index, edit)]);
                }
            }
        }
    }
}
