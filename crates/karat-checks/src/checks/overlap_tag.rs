//! Overlap tags against the spans.

use crate::category::{Dimension, dimension};
use crate::check::{Check, CheckInfo, Report, Severity, Subject};
use karat_model::{Document, Edit, Mention, Span};
use std::collections::BTreeSet;

/// The check.
pub(crate) struct OverlapTag;

static INFO: CheckInfo = CheckInfo {
    name: "overlap-tag",
    about: "The overlap tag of a mention must follow from the spans of its document: None, Maximal (contains another), Minimal (is contained) or Intermediate (both). Crossing spans do not count, and alternatives on one span are one mention.",
    severity: Severity::Warning,
    fix: Some("replaces the tag"),
};

impl Check for OverlapTag {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut Report) {
        for document in subject.corpus.documents() {
            let spans: BTreeSet<Span> = document.annotations().iter().map(|a| a.span).collect();
            for mention in document.mentions().filter(|mention| mention.place().is_none()) {
                let Some(found) = overlap_tag(&mention) else { continue };
                let right = tag_of(mention.span(), &spans);
                if found != right {
                    let message = format!("tagged {found}, but the spans say {right}");
                    let fixes = fixes(&document, mention.span(), right);
                    report.mention(&INFO, &mention, message, fixes);
                }
            }
        }
    }
}

fn overlap_tag<'a>(mention: &Mention<'a>) -> Option<&'a str> {
    mention.tags().find(|tag| dimension(tag) == Some(Dimension::Overlap))
}

/// The tag that pure containment among distinct spans gives.
fn tag_of(span: Span, spans: &BTreeSet<Span>) -> &'static str {
    let others = || spans.iter().filter(|&&other| other != span);
    let contains = others().any(|&other| span.contains(other));
    let contained = others().any(|other| other.contains(span));
    match (contains, contained) {
        (false, false) => "el:Olp-None",
        (true, false) => "el:Olp-Maximal",
        (false, true) => "el:Olp-Minimal",
        (true, true) => "el:Olp-Intermediate",
    }
}

/// The tag belongs to the span, so all annotations on it are mended together.
fn fixes(document: &Document<'_>, span: Span, right: &str) -> Vec<(usize, Edit)> {
    let on_span = document.mentions().enumerate().filter(|(_, mention)| mention.span() == span);
    on_span
        .map(|(index, mention)| {
            let is_overlap = |tag: &str| dimension(tag) == Some(Dimension::Overlap);
            let tags = mention.tags().map(|tag| if is_overlap(tag) { right } else { tag });
            let tags = Some(tags.map(str::to_owned).collect());
            (index, Edit::Change { span: None, entity: None, tags })
        })
        .collect()
}
