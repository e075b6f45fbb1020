//! Overlap tags against the spans.

use crate::category::{Dimension, dimension};
use crate::check::{Check, CheckInfo, Report, Severity, Subject};
use karat_model::{Corpus, Document, Edit, Mention, Span};
use std::cmp::Reverse;
use std::collections::BTreeMap;

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
            let right = tags_of(&document);
            for mention in document.mentions().filter(|mention| mention.place().is_none()) {
                let Some(found) = overlap_tag(&mention) else { continue };
                let Some(&right) = right.get(&mention.span()) else { continue };
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

/// What is left of a corpus when a format holds only some of its mentions, with the
/// overlap tags that were right before following the spans that are left, and how many
/// of them changed. Tags that were wrong before are a matter of the check.
pub fn follow_spans(before: &Corpus, left: &Corpus) -> (Corpus, usize) {
    let mut changed = 0;
    let mut document = String::new();
    let (mut were, mut are) = (BTreeMap::new(), BTreeMap::new());
    let corpus = left.edit(|mention| {
        let home = mention.document();
        if document != home.name() || were.is_empty() {
            home.name().clone_into(&mut document);
            were = before.document(home.name()).map(|before| tags_of(&before)).unwrap_or_default();
            are = tags_of(&home);
        }
        let span = mention.span();
        match (overlap_tag(mention), were.get(&span), are.get(&span)) {
            (Some(tag), Some(&was), Some(&is)) if tag == was && was != is => {
                changed += 1;
                retagged(mention, is)
            }
            _ => Edit::Keep,
        }
    });
    (corpus, changed)
}

/// The tags that pure containment among the distinct spans of a document gives.
fn tags_of(document: &Document<'_>) -> BTreeMap<Span, &'static str> {
    let mut spans: Vec<Span> = document.annotations().iter().map(|a| a.span).collect();
    // In this order what contains a span comes before it, and what it contains after it.
    spans.sort_unstable_by_key(|span| (span.start, Reverse(span.end)));
    spans.dedup();
    let mut contains = vec![false; spans.len()];
    let mut nearest_end = u32::MAX;
    for (span, contains) in spans.iter().zip(&mut contains).rev() {
        *contains = nearest_end <= span.end;
        nearest_end = nearest_end.min(span.end);
    }
    let mut furthest_end = None;
    let tags = spans.iter().zip(contains).map(|(&span, contains)| {
        let contained = furthest_end.is_some_and(|end| end >= span.end);
        furthest_end = furthest_end.max(Some(span.end));
        let tag = match (contains, contained) {
            (false, false) => "el:Olp-None",
            (true, false) => "el:Olp-Maximal",
            (false, true) => "el:Olp-Minimal",
            (true, true) => "el:Olp-Intermediate",
        };
        (span, tag)
    });
    tags.collect()
}

/// The same mention with another overlap tag.
fn retagged(mention: &Mention<'_>, right: &str) -> Edit {
    let is_overlap = |tag: &str| dimension(tag) == Some(Dimension::Overlap);
    let tags = mention.tags().map(|tag| if is_overlap(tag) { right } else { tag });
    let tags = Some(tags.map(str::to_owned).collect());
    Edit::Change { span: None, entity: None, tags }
}

/// The tag belongs to the span, so all annotations on it are mended together.
fn fixes(document: &Document<'_>, span: Span, right: &str) -> Vec<(usize, Edit)> {
    let on_span = document.mentions().enumerate().filter(|(_, mention)| mention.span() == span);
    on_span.map(|(index, mention)| (index, retagged(&mention, right))).collect()
}
