//! Overlap tags against the spans.

use crate::category::as_in;
use crate::check::{Check, CheckInfo, CheckReport, Severity, Subject};
use karat_model::{Change, Corpus, Dimension, DimensionCategory, Edit, Mention, Span, Vocabulary};
use karat_tagger::MentionOverlaps;
use std::collections::{HashMap, HashSet};

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

    fn run(&self, subject: &Subject<'_>, report: &mut CheckReport) {
        for document in subject.corpus.documents() {
            let overlaps = MentionOverlaps::of(&document);
            let mut on_span: HashMap<Span, Vec<(usize, Mention<'_>)>> = HashMap::new();
            for (index, mention) in document.mentions().enumerate() {
                on_span.entry(mention.span()).or_default().push((index, mention));
            }
            let mut mended = HashSet::new();
            for mention in document.mentions().filter(|mention| mention.place().is_none()) {
                let Some((tag, found)) = overlap_tag(&mention) else { continue };
                let Some(right) = overlaps.category(&mention).filter(|&right| right != found)
                else {
                    continue;
                };
                let message =
                    format!("tagged {tag}, but the spans say {}", right.tag(Vocabulary::El));
                // The tag belongs to the span, so all annotations on it are mended together, and
                // once, however many of them are wrong.
                let fixes = match mended.insert((mention.span(), mention.flags())) {
                    true => on_span
                        .get(&mention.span())
                        .into_iter()
                        .flatten()
                        .filter(|(_, other)| other.flags() == mention.flags())
                        .map(|(index, other)| (*index, retagged(other, right)))
                        .collect(),
                    false => Vec::new(),
                };
                report.mention(&INFO, &mention, message, fixes);
            }
        }
    }
}

fn overlap_tag<'a>(mention: &Mention<'a>) -> Option<(&'a str, DimensionCategory)> {
    let known = |tag: &'a str| Some((tag, DimensionCategory::of(tag)?));
    mention
        .tags()
        .filter_map(known)
        .find(|(_, category)| category.dimension() == Dimension::Overlap)
}

/// What is left of a corpus when a format holds only some of its mentions, with the
/// overlap tags that were right before following the spans that are left, and how many
/// of them changed. Tags that were wrong before are a matter of the check.
pub fn follow_spans(before: &Corpus, left: &Corpus) -> (Corpus, usize) {
    let mut changed = 0;
    let mut document = None;
    let (mut were, mut are) = (MentionOverlaps::default(), MentionOverlaps::default());
    let corpus = left.edit(|mention| {
        let home = mention.document();
        if document != Some(home.index()) {
            document = Some(home.index());
            let before = before.document(home.name());
            were = before.map(|before| MentionOverlaps::of(&before)).unwrap_or_default();
            are = MentionOverlaps::of(&home);
        }
        match (overlap_tag(mention), were.category(mention), are.category(mention)) {
            (Some((_, tag)), Some(was), Some(is)) if tag == was && was != is => {
                changed += 1;
                retagged(mention, is)
            }
            _ => Edit::Keep,
        }
    });
    (corpus, changed)
}

/// The same mention with another overlap tag.
fn retagged(mention: &Mention<'_>, right: DimensionCategory) -> Edit {
    let right = as_in(mention, right);
    let is_overlap = |tag: &str| Dimension::of(tag) == Some(Dimension::Overlap);
    let mut tags: Vec<&str> = Vec::new();
    for tag in mention.tags().map(|tag| if is_overlap(tag) { right.as_str() } else { tag }) {
        // Of two overlap tags one is left.
        if tag != right || !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    Edit::Change(Change::tags(tags))
}
