//! Mentions that overlap without one containing the other.

use crate::check::{Check, CheckInfo, CheckReport, Severity, Subject};
use karat_model::{Mention, Span};
use std::collections::{BTreeMap, BTreeSet};

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

    fn run(&self, subject: &Subject<'_>, report: &mut CheckReport) {
        for document in subject.corpus.documents() {
            let mut roots: Vec<_> = document.mentions().filter(|m| m.place().is_none()).collect();
            roots.sort_by_key(Mention::span);
            let mut sides: BTreeMap<u32, Vec<Span>> = BTreeMap::new();
            for mention in &roots {
                sides.entry(mention.flags().bits()).or_default().push(mention.span());
            }
            let partners: BTreeMap<u32, BTreeMap<Span, Span>> =
                sides.into_iter().map(|(side, spans)| (side, partners(&spans))).collect();
            for mention in &roots {
                let side = partners.get(&mention.flags().bits());
                if let Some(other) = side.and_then(|partners| partners.get(&mention.span())) {
                    let message = format!("the mention crosses another at {other}");
                    report.mention(&INFO, mention, message, vec![]);
                }
            }
        }
    }
}

/// For each span one that crosses it, if any does; the next on its right before one on its left.
pub(crate) fn partners(spans: &[Span]) -> BTreeMap<Span, Span> {
    let mut partners = BTreeMap::new();
    // From the left, by start: what starts before a span and ends inside it.
    let mut order: Vec<Span> = spans.iter().copied().filter(|span| !span.is_empty()).collect();
    order.sort_unstable();
    let mut ends: BTreeSet<(u32, u32)> = BTreeSet::new();
    // Spans with one start never cross each other, so a group is asked before it is added.
    for group in order.chunk_by(|a, b| a.start == b.start) {
        for &span in group {
            let inside = (span.start + 1, 0)..(span.end, 0);
            if let Some(&(end, start)) = ends.range(inside).next() {
                partners.insert(span, Span::new(start, end));
            }
        }
        ends.extend(group.iter().map(|span| (span.end, span.start)));
    }
    // From the right, by end: what starts inside a span and ends after it.
    order.sort_unstable_by_key(|span| std::cmp::Reverse(span.end));
    let mut starts: BTreeSet<(u32, u32)> = BTreeSet::new();
    for group in order.chunk_by(|a, b| a.end == b.end) {
        for &span in group {
            let inside = (span.start + 1, 0)..(span.end, 0);
            if let Some(&(start, end)) = starts.range(inside).next() {
                partners.insert(span, Span::new(start, end));
            }
        }
        starts.extend(group.iter().map(|span| (span.start, span.end)));
    }
    partners
}
