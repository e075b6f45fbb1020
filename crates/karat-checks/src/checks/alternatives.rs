//! Trees of alternatives that are no trees.

use crate::check::{Check, CheckInfo, CheckReport, Severity, Subject};
use karat_model::{Document, attribute};

/// The check.
pub(crate) struct Alternatives;

static INFO: CheckInfo = CheckInfo {
    name: "alternatives",
    about: "An annotation that is, directly or through others, a part of itself, or a part of one that is not there, so that the mention has no root and would vanish from every evaluation.",
    severity: Severity::Error,
    fix: None,
};

impl Check for Alternatives {
    fn info(&self) -> &'static CheckInfo {
        &INFO
    }

    fn run(&self, subject: &Subject<'_>, report: &mut CheckReport) {
        for document in subject.corpus.documents() {
            let rootless = rootless(&document);
            for (mention, rootless) in document.mentions().zip(rootless) {
                let message = match mention.attribute(attribute::MISSING_PARENT) {
                    Some(parent) => {
                        format!("the mention is a part of `{parent}`, which is not there")
                    }
                    None if rootless => "the mention is a part of itself".to_owned(),
                    None => continue,
                };
                report.mention(&INFO, &mention, message, vec![]);
            }
        }
    }
}

/// For each annotation whether going up from it never ends: it has no root, and counts in no
/// evaluation. Where the way up ends because a parent is missing, the reader of the file has said so.
pub fn rootless(document: &Document<'_>) -> Vec<bool> {
    let parent = |index: usize| -> Option<usize> {
        let mention = document.mention(index)?;
        let is_known = mention.attribute(attribute::MISSING_PARENT).is_none();
        is_known.then_some(mention.place()?.parent as usize)
    };
    // Each annotation is passed once: what a walk found out is kept for all on its way, so that a
    // chain of n costs n.
    let mut known: Vec<Option<bool>> = vec![None; document.annotations().len()];
    for index in 0..known.len() {
        let mut path = Vec::new();
        let mut at = Some(index);
        let answer = loop {
            let Some(here) = at.filter(|&here| here < known.len()) else { break false };
            match known[here] {
                Some(answer) => break answer,
                // True until a root is found: who comes back here has gone in a ring.
                None => known[here] = Some(true),
            }
            path.push(here);
            at = parent(here);
        };
        path.into_iter().for_each(|passed| known[passed] = Some(answer));
    }
    known.into_iter().map(|answer| answer.unwrap_or(false)).collect()
}
