//! Mentions with some labels only, and what to say where no mention has one.

use super::Inspection;
use super::filter::{AskedLabel, CaseState, Filter, FilteredBy, LabelTest};
use super::inspector::Inspector;
use super::kind::ErrorKind;
use crate::conditions::{Condition, ConditionTest, Where};
use crate::convention::facets;
use crate::error::Error;
use crate::inputs::Experiment;
use crate::notices;
use crate::pattern::compiled;
use karat_facets::UNLABELLED;
use karat_facets::taxonomy::Category;
use karat_kb::Identity;
use karat_match::Unknowns;
use karat_measures::Convention;
use karat_model::{Hint, Notice, closest};
use std::collections::BTreeSet;

/// Makes filters of conditions: what a name stands for depends on the convention, and what a label is called
/// on the knowledge base and on the labels that there are.
pub(crate) struct FilterMaker<'f> {
    pub(crate) convention: &'f Convention,
    pub(crate) identity: &'f Identity,
    pub(crate) unknowns: Unknowns,
    pub(crate) experiments: &'f [Experiment],
}

impl Inspector<'_> {
    pub(super) fn maker(&self) -> FilterMaker<'_> {
        FilterMaker {
            convention: &self.convention,
            identity: &self.identity,
            unknowns: self.request.unknowns(),
            experiments: &self.experiments,
        }
    }

    /// The filters of the request.
    pub(super) fn filters(&self) -> Result<Vec<Filter>, Error> {
        self.maker().filters(&self.request.filters)
    }

    /// A label that no mention has may be mistyped.
    pub(super) fn labels_nobody_has(&self, filters: &[Filter]) -> Vec<Notice> {
        self.maker().labels_nobody_has(filters)
    }
}

impl FilterMaker<'_> {
    /// The filters of several texts, which must all be passed.
    pub(crate) fn filters(&self, texts: &[String]) -> Result<Vec<Filter>, Error> {
        let mut filters = Vec::new();
        for text in texts {
            let asked = match self.one_label(text) {
                Some(label) => label,
                None => Where::parse(text)?,
            };
            filters.extend(self.resolved(&asked)?);
        }
        Ok(filters)
    }

    /// A text that is a name and one label, spaces and commas and all, because some mention has just that label.
    /// Quotes make the same of it for certain.
    fn one_label(&self, text: &str) -> Option<Where> {
        let (name, label) = text.split_once('=')?;
        let is_plain = !label.contains(|c: char| c.is_whitespace() || c == ',' || c == '"');
        if is_plain {
            return None;
        }
        let by = self.filtered_by(name).ok()?;
        // Labels are looked up only where the text could be read in two ways: it means a pass over
        // all cases.
        self.labels(&by).contains(label).then(|| Where::label(name, label))
    }

    /// Conditions that are ready to be tried.
    pub(crate) fn resolved(&self, asked: &Where) -> Result<Vec<Filter>, Error> {
        asked.conditions.iter().map(|condition| self.filter(condition)).collect()
    }

    fn filter(&self, condition: &Condition) -> Result<Filter, Error> {
        let by = self.filtered_by(&condition.name)?;
        let test = match &condition.test {
            ConditionTest::Holds => LabelTest::Holds,
            ConditionTest::Is(labels) => {
                LabelTest::Is(labels.iter().map(|label| self.asked_label(&by, label)).collect())
            }
            ConditionTest::Fits(patterns) => {
                let compiled = patterns.iter().map(|pattern| Ok(compiled(pattern, false)?));
                LabelTest::Fits(compiled.collect::<Result<_, Error>>()?)
            }
        };
        Ok(Filter { by, test, negated: condition.negated })
    }

    /// What a name stands for.
    pub(crate) fn filtered_by(&self, name: &str) -> Result<FilteredBy, Error> {
        Ok(match name {
            "error" => FilteredBy::Error,
            "text" => FilteredBy::Text,
            "entity" => FilteredBy::Entity,
            "gold" => FilteredBy::Gold,
            "predicted" => FilteredBy::Predicted,
            _ => match CaseState::named(name) {
                Some(state) => FilteredBy::State(state),
                None => self.by_facet(name)?,
            },
        })
    }

    fn by_facet(&self, name: &str) -> Result<FilteredBy, Error> {
        let mut found = facets(name, self.convention, self.unknowns, self.identity)?;
        match (found.pop(), found.is_empty()) {
            // `category` has more labels than its facet gives, since some categories do not exclude
            // others.
            (Some(facet), true) if name == "category" => Ok(FilteredBy::Category(facet)),
            (Some(facet), true) => Ok(FilteredBy::Facet(facet)),
            _ => Err(Error::bad_request(
                format!("`{name}` is not one facet"),
                Hint::template("write {where=FACET=LABEL}, as {where=type=PER}"),
            )),
        }
    }

    /// A label as cases have it: kinds may be written with hyphens, categories have several names, types may have
    /// one in the base, and entities several spellings.
    fn asked_label(&self, by: &FilteredBy, written: &str) -> AskedLabel {
        let as_written = || vec![written.to_owned()];
        let labels = match by {
            FilteredBy::Error => {
                let plain = |name: &str| name.to_lowercase().replace([' ', '_'], "-");
                let kinds = ErrorKind::all().map(ErrorKind::name);
                let meant: Vec<String> =
                    kinds.filter(|name| plain(name) == plain(written)).collect();
                if meant.is_empty() { as_written() } else { meant }
            }
            FilteredBy::Category(_) | FilteredBy::MainCategory(_) => {
                match Category::named(written).as_slice() {
                    [] => as_written(),
                    named => named.iter().map(|category| category.name().to_owned()).collect(),
                }
            }
            FilteredBy::Facet(facet) if facet.is_of_types() => {
                let id = self.type_called(by, written);
                let id = id.as_deref().unwrap_or(written);
                vec![self.convention.taxonomy.merged(id).to_owned()]
            }
            FilteredBy::Entity | FilteredBy::Gold | FilteredBy::Predicted => {
                // As written too: an id that the base does not know has no canonical name, and must
                // be found all the same.
                let one_name = self.identity.canonical(written).into_owned();
                as_written().into_iter().chain([one_name]).collect()
            }
            FilteredBy::Facet(_) | FilteredBy::Text | FilteredBy::State(_) => as_written(),
        };
        AskedLabel { written: written.to_owned(), labels }
    }

    /// The type that the knowledge base calls so, if it is not a type itself.
    fn type_called(&self, by: &FilteredBy, asked: &str) -> Option<String> {
        let base = self.identity.base()?;
        let is_asked = |name: &str| name.to_lowercase() == asked.to_lowercase();
        if base.whitelist().any(|(id, _)| id == asked) {
            return None;
        }
        // Types of the whitelist first: a base has thousands of types, and several may share a
        // name.
        if let Some((id, _)) = base.whitelist().find(|(_, name)| is_asked(name)) {
            return Some(id.to_owned());
        }
        let labels = self.labels(by);
        let called = |label: &&String| base.type_name(label).is_some_and(is_asked);
        labels.iter().find(called).filter(|_| !labels.contains(asked)).cloned()
    }

    /// All labels that cases have.
    fn labels(&self, by: &FilteredBy) -> BTreeSet<String> {
        let inspection = Inspection::new(self.convention, self.identity);
        let mut labels = BTreeSet::new();
        for experiment in self.experiments {
            let gold = &experiment.benchmark.corpus;
            for run in &experiment.runs {
                labels.extend(inspection.labels(gold, &run.corpus, self.unknowns, by));
            }
        }
        labels
    }

    fn labels_nobody_has(&self, filters: &[Filter]) -> Vec<Notice> {
        let each = |filter: &Filter| {
            if filter.asked().is_empty() {
                return Vec::new();
            }
            let labels = self.labels(&filter.by);
            let of = |asked: &AskedLabel| self.label_nobody_has(&filter.by, asked, &labels);
            filter.asked().iter().filter_map(of).collect()
        };
        filters.iter().flat_map(each).collect()
    }

    fn label_nobody_has(
        &self,
        by: &FilteredBy,
        asked: &AskedLabel,
        labels: &BTreeSet<String>,
    ) -> Option<Notice> {
        if asked.written == UNLABELLED || asked.labels.iter().any(|label| labels.contains(label)) {
            return None;
        }
        let facet = by.name();
        let asked = match asked.labels.as_slice() {
            [only] => only,
            _ => &asked.written,
        };
        let name = |label: &str| by.label_name(label);
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
    // Two are enough to know that the beginning is ambiguous.
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
