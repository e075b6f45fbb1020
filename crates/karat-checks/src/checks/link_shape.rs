//! Links that carry traces of a damaged conversion.

use crate::check::{Check, CheckInfo, Report, Severity, Subject};
use karat_model::Edit;

/// The check.
pub(crate) struct LinkShape;

static INFO: CheckInfo = CheckInfo {
    name: "link-shape",
    about: "A link is empty, has white space at its edges, contains the replacement character U+FFFD, or an escape such as `\\u00e9` that was never decoded. Such a link equals no right one.",
    severity: Severity::Warning,
    fix: Some("trims white space; the rest needs a person or a knowledge base"),
};

impl Check for LinkShape {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut Report) {
        for document in subject.corpus.documents() {
            for (index, mention) in document.mentions().enumerate() {
                let Some(entity) = mention.entity() else { continue };
                let trimmed = entity.trim();
                if trimmed.is_empty() {
                    report.mention(&INFO, &mention, "the link is empty".to_owned(), vec![]);
                } else if trimmed != entity {
                    let edit =
                        Edit::Change { span: None, entity: Some(trimmed.to_owned()), tags: None };
                    let message = format!("the link `{entity}` has white space at its edges");
                    report.mention(&INFO, &mention, message, vec![(index, edit)]);
                } else if entity.contains('\u{fffd}') {
                    let message = format!("the link `{entity}` contains a replacement character");
                    report.mention(&INFO, &mention, message, vec![]);
                } else if has_escape(entity) {
                    let message = format!("the link `{entity}` contains an undecoded escape");
                    report.mention(&INFO, &mention, message, vec![]);
                }
            }
        }
    }
}

fn has_escape(entity: &str) -> bool {
    entity.match_indices("\\u").any(|(at, _)| {
        let digits = entity.as_bytes().get(at + 2..at + 6);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}
