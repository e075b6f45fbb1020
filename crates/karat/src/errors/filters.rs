//! Mentions with some labels only, and what to say where no mention has one.

use super::case::Filter;
use super::inspector::Inspector;
use crate::convention::facets;
use crate::error::Error;
use crate::notices;
use karat_facets::Facet;
use karat_model::{Hint, Notice, closest};
use std::collections::BTreeSet;

impl Inspector<'_> {
    /// The filters of the request.
    pub(super) fn filters(&self) -> Result<Vec<Filter>, Error> {
        let hint = || Hint::template("write {where=FACET=LABEL}, as {where=type=PER}");
        let unknowns = self.request.unknowns();
        let filter = |text: &String| {
            let (name, label) = text
                .split_once('=')
                .ok_or_else(|| Error::bad_request(format!("`{text}` names no label"), hint()))?;
            let mut found = facets(name, &self.convention, unknowns, &self.identity)?;
            match (found.pop(), found.is_empty()) {
                (Some(facet), true) => {
                    Ok(Filter { label: self.label_of(facet.as_ref(), label), facet })
                }
                _ => Err(Error::bad_request(format!("`{name}` is not one facet"), hint())),
            }
        };
        self.request.filters.iter().map(filter).collect()
    }

    /// A label as its facet has it: categories have several names, and types may have one in the base.
    fn label_of(&self, facet: &dyn Facet, asked: &str) -> String {
        if facet.is_of_types() {
            let id = self.type_called(facet, asked);
            return self.convention.taxonomy.merged(id.as_deref().unwrap_or(asked)).to_owned();
        }
        match facet.categories(asked).as_slice() {
            [only] => only.name().to_owned(),
            _ => asked.to_owned(),
        }
    }

    /// The type that the knowledge base calls so, if it is not a type itself.
    fn type_called(&self, facet: &dyn Facet, asked: &str) -> Option<String> {
        let base = self.inspection().base?;
        let is_asked = |name: &str| name.to_lowercase() == asked.to_lowercase();
        if base.whitelist().any(|(id, _)| id == asked) {
            return None;
        }
        if let Some((id, _)) = base.whitelist().find(|(_, name)| is_asked(name)) {
            return Some(id.to_owned());
        }
        let labels = self.labels(facet);
        let called = |label: &&String| base.type_name(label).is_some_and(is_asked);
        labels.iter().find(called).filter(|_| !labels.contains(asked)).cloned()
    }

    /// All labels that a facet gives.
    fn labels(&self, facet: &dyn Facet) -> BTreeSet<String> {
        let (inspection, unknowns) = (self.inspection(), self.request.unknowns());
        let mut labels = BTreeSet::new();
        for experiment in &self.experiments {
            let gold = &experiment.benchmark.corpus;
            for run in &experiment.runs {
                labels.extend(inspection.labels(gold, &run.corpus, unknowns, facet));
            }
        }
        labels
    }

    /// A label that no mention has may be mistyped.
    pub(super) fn labels_nobody_has(&self, filters: &[Filter]) -> Vec<Notice> {
        let of = |filter: &Filter| self.label_nobody_has(filter);
        filters.iter().filter_map(of).collect()
    }

    fn label_nobody_has(&self, filter: &Filter) -> Option<Notice> {
        let (facet, asked) = (filter.facet.name(), &filter.label);
        let labels = self.labels(filter.facet.as_ref());
        if labels.contains(asked) {
            return None;
        }
        let name = |label: &str| filter.facet.label_name(label);
        let labels = labels.iter().map(|label| (label.as_str(), name(label)));
        let called = name(asked).map_or(String::new(), |name| format!(" ({name})"));
        let message = format!(
            "no mention has the {facet} `{asked}`{called}{}",
            alternatives(asked, &labels.collect::<Vec<_>>())
        );
        Some(notices::NO_SUCH_LABEL.notice(message).about(asked))
    }
}

/// What may have been meant, or what there is: labels, with their names if they have any.
fn alternatives(asked: &str, labels: &[(&str, Option<&str>)]) -> String {
    const SHOWN: usize = 10;
    let words = || labels.iter().flat_map(|(label, name)| [Some(*label), *name]).flatten();
    let begins = |word: &&str| word.to_lowercase().starts_with(&asked.to_lowercase());
    let begun: Vec<&str> = words().filter(begins).take(2).collect();
    let only = match begun.as_slice() {
        [only] if !asked.is_empty() => Some(*only),
        _ => None,
    };
    if let Some(meant) = closest(asked, words()).or(only) {
        return format!("; did you mean `{meant}`?");
    }
    let shown = |(label, name): &(&str, Option<&str>)| match name {
        Some(name) => format!("`{label}` ({name})"),
        None => format!("`{label}`"),
    };
    let some: Vec<String> = labels.iter().take(SHOWN).map(shown).collect();
    match (some.is_empty(), labels.len() > SHOWN) {
        (true, _) => String::new(),
        (false, false) => format!("; there are {}", some.join(", ")),
        (false, true) => format!("; there are {}, ...", some.join(", ")),
    }
}
