//! What has to be said beside counts and lists of errors.

use super::case::{ErrorCase, Filter};
use super::diff::{CaseDifference, Group};
use super::inspector::Inspector;
use super::names::Narrowed;
use super::{ErrorCounts, Inspection};
use crate::elevant::benchmark_name;
use crate::inputs::{Experiment, counted};
use crate::notices;
use karat_facets::taxonomy::Category;
use karat_model::{Hint, Notice};

/// That something cannot be known without a knowledge base.
pub(crate) fn without_base(what: &str) -> Notice {
    let message = format!("without a knowledge base {what}");
    notices::CATEGORIES_UNKNOWN.notice(message).hint(Hint::template("{kb} gives one"))
}

/// Totals of extra mentions are numbers of words, which a base knows by the name of the benchmark.
pub(crate) fn words_unknown(
    inspection: &Inspection<'_>,
    experiment: &Experiment,
) -> Option<Notice> {
    let gold = &experiment.benchmark.corpus;
    let name = benchmark_name(&experiment.benchmark.name);
    inspection.base.filter(|base| base.sizes().documents > 0)?;
    let known = inspection.words(name, gold).err()?;
    let notice = |reason: String| {
        let message = format!("totals of ner_fp are unknown: {reason}");
        notices::WORDS_UNKNOWN.notice(message).about(name)
    };
    Some(match known {
        0 => {
            notice(format!("the knowledge base counts the words of other benchmarks than `{name}`"))
                .hint(Hint::template("{gold=NAME=INPUT} says which it is"))
        }
        known => notice(format!(
            "the knowledge base counts the words of {} of `{name}`, and gold has {}",
            counted(known, "document"),
            gold.len()
        )),
    })
}

/// Links on quantities and dates whose entities the base does not know.
pub(crate) fn unjudged_links(system: &str, counts: &ErrorCounts) -> Option<Notice> {
    let number = usize::try_from(counts.unsure()).ok().filter(|number| *number > 0)?;
    let message = format!(
        "`{system}`: {} on quantities and dates cannot be judged, and what is extra is unknown: no knowledge \
         base says which entities are dates",
        counted(number, "link")
    );
    Some(notices::UNJUDGED_LINKS.notice(message).about(system))
}

/// Counts of a part of a benchmark.
pub(super) fn words_of_a_part() -> Notice {
    notices::WORDS_UNKNOWN
        .notice("of a part of a benchmark the words are not counted: totals of ner_fp are unknown")
}

/// Mentions without a text.
pub(super) fn without_texts() -> Notice {
    let message =
        "without texts it is not known what is lowercased, has several words or is a pronoun";
    notices::TEXTS_UNKNOWN.notice(message).hint(Hint::template("{documents} gives them"))
}

/// How many mentions one of two systems alone gets right.
pub(super) fn how_many(found: &[(&str, CaseDifference<'_>)], [first, second]: [&str; 2]) -> Notice {
    let count = |group| found.iter().filter(|(_, both)| both.group == group).count();
    notices::DIFFERENCES_COUNTED.notice(format!(
        "only {first} is right about {}, only {second} about {}, neither about {}",
        count(Group::OnlyFirst),
        count(Group::OnlySecond),
        count(Group::BothWrong)
    ))
}

/// Nothing is suspicious.
pub(super) fn nobody_agrees(least: usize) -> Notice {
    let systems = counted(least, "system");
    notices::NOBODY_AGREES.notice(format!("nowhere do {systems} agree against gold"))
}

impl Inspector<'_> {
    /// An absent category is no good news where nobody could tell it.
    pub(super) fn cannot_be_told<'c>(
        &self,
        narrowed: &Narrowed,
        filters: &[Filter],
        mut shown: impl Iterator<Item = &'c ErrorCase>,
    ) -> Vec<Notice> {
        let by_filter = filters.iter().flat_map(|filter| filter.facet.categories(&filter.label));
        let asked: Vec<Category> = narrowed.categories.iter().copied().chain(by_filter).collect();
        let named = |of: fn(Category) -> bool| {
            let names: Vec<&str> =
                asked.iter().copied().filter(|c| of(*c)).map(Category::name).collect();
            (!names.is_empty()).then(|| names.join(", "))
        };
        let mut told = Vec::new();
        if self.inspection().base.is_none() {
            match named(Category::needs_a_base) {
                Some(names) => {
                    told.push(without_base(&format!("it cannot be told which errors are {names}")));
                }
                None if shown.any(|case| case.is_open) => {
                    told.push(without_base("some categories are unknown"));
                }
                None => {}
            }
        }
        if let Some(names) = named(Category::needs_candidates) {
            told.extend(self.without_choice(&names));
        }
        told
    }

    /// Systems that never have several candidates.
    fn without_choice(&self, names: &str) -> Vec<Notice> {
        let mut told = Vec::new();
        for run in self.experiments.iter().flat_map(|experiment| &experiment.runs) {
            let mut mentions = run.corpus.documents().flat_map(|document| document.mentions());
            if !mentions.any(|mention| mention.candidates().len() > 1) {
                let name = &run.name;
                let message =
                    format!("`{name}` gives no candidates to choose from: {names} cannot be told");
                told.push(notices::NO_CHOICE.notice(message).about(name));
            }
        }
        told
    }

    /// Why nothing is listed: no mention has a label, or none of those that have it is such an error.
    pub(super) fn nothing_is_left(&self, has_cases: bool, filters: &[Filter]) -> Vec<Notice> {
        match has_cases {
            true => vec![notices::NO_SUCH_ERROR.notice("no such error is known")],
            false => self.labels_nobody_has(filters),
        }
    }
}
