//! Going through the cases of a run.

use super::answer::{BesideOutcome, CasePlace, CaseRow, FilterChips, LabelCount, WithoutCondition};
use crate::conditions::Where;
use crate::error::Error;
use crate::errors::filter::{IGNORED, JudgedDocument};
use crate::errors::inspector::Inspector;
use crate::errors::{ErrorCase, ErrorKind, Filter, FilteredBy, MentionAnswer};
use karat_facets::{Finding, Labels};
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

/// What was found in a run.
#[derive(Default)]
pub(super) struct Collected {
    /// How many cases there are.
    pub(super) all: usize,
    /// Those that fit, in the order of the benchmark.
    pub(super) kept: Vec<Kept>,
    /// How many fit all conditions but one, for each.
    but_one: Vec<usize>,
    /// What could be asked next.
    pub(super) chips: Vec<FilterChips>,
}

/// A case that fits.
pub(super) struct Kept {
    pub(super) place: CasePlace,
    pub(super) case: ErrorCase,
    pub(super) types: Labels,
}

/// The facets that are offered with counts.
const OFFERED: [&str; 3] = ["error", "category", "type"];

/// Counts while documents go by.
struct Walk<'w> {
    filters: &'w [Filter],
    offered: Vec<FilteredBy>,
    counts: Vec<BTreeMap<String, usize>>,
    found: Collected,
}

impl Collected {
    /// Goes through the cases of a system.
    pub(super) fn of(
        inspector: &Inspector<'_>,
        system: &str,
        filters: &[Filter],
    ) -> Result<Collected, Error> {
        let experiment = &inspector.experiments[0];
        let (gold, run) = (&experiment.benchmark.corpus, experiment.run(system)?);
        let inspection = inspector.inspection();
        let unknowns = inspector.request.unknowns();
        let maker = inspector.maker();
        let mut offered = Vec::new();
        for name in OFFERED {
            let by = match maker.filtered_by(name)? {
                // Only those that exclude each other are offered.
                FilteredBy::Category(facet) => FilteredBy::MainCategory(facet),
                other => other,
            };
            offered.push(inspection.of_run_by(gold, &run.corpus, by));
        }
        let mut walk = Walk {
            filters: &inspection.of_run(gold, &run.corpus, filters),
            counts: vec![BTreeMap::new(); offered.len()],
            offered,
            found: Collected { but_one: vec![0; filters.len()], ..Collected::default() },
        };
        let counts =
            inspection.judged_documents(gold, &run.corpus, unknowns, |document| walk.add(document));
        let chips = walk.offered.iter().zip(&walk.counts).map(|(by, counts)| chips(by, counts));
        let mut found = Collected { chips: chips.collect(), ..walk.found };
        let closed = counts.closed()[unknowns.index()];
        for kept in &mut found.kept {
            kept.case.settle(closed, counts.has_choice);
        }
        Ok(found)
    }

    /// What would fit without each of the conditions.
    pub(super) fn without(&self, asked: &Where) -> Vec<WithoutCondition> {
        let each = asked.conditions.iter().zip(&self.but_one).enumerate();
        let without = each.map(|(at, (condition, total))| WithoutCondition {
            condition: condition.to_string(),
            total: *total,
            filter: asked.without(at).to_string(),
        });
        without.collect()
    }

    /// Puts what another system made of the same mentions into rows. Gold may say the same thing twice: the first of
    /// one is the first of the other.
    pub(super) fn set_beside(&self, rows: &mut [CaseRow], others: &[ErrorCase]) {
        type Key<'k> = (&'k str, [u32; 2], Option<&'k MentionAnswer>);
        let mut of_other: BTreeMap<Key<'_>, VecDeque<&ErrorCase>> = BTreeMap::new();
        for case in others {
            let span = [case.span.start, case.span.end];
            let key = (case.document.as_str(), span, case.gold.as_ref());
            of_other.entry(key).or_default().push_back(case);
        }
        for row in rows {
            let key = (row.name.as_str(), [row.in_text.start, row.in_text.end], row.gold.as_ref());
            let other = of_other.get_mut(&key).and_then(VecDeque::pop_front);
            row.beside = Some(other.map_or_else(BesideOutcome::default, |case| BesideOutcome {
                error: case.kind.map(|kind| Finding::name(kind).to_owned()),
                prediction: case.prediction.clone(),
                confidence: case.confidence,
                is_right: case.is_right,
            }));
        }
    }
}

impl Walk<'_> {
    fn add(&mut self, document: &JudgedDocument<'_, '_>) {
        let passes: Vec<Vec<bool>> =
            self.filters.iter().map(|filter| filter.passes(document)).collect();
        let mut labels: Vec<Vec<Labels>> =
            self.offered.iter().map(|by| by.labels(document)).collect();
        let around = document.around();
        for at in 0..document.cases.len() {
            let failed: Vec<usize> =
                (0..self.filters.len()).filter(|filter| !passes[*filter][at]).collect();
            if let [only] = failed.as_slice() {
                self.found.but_one[*only] += 1;
            }
            for ((by, counts), labels) in self.offered.iter().zip(&mut self.counts).zip(&labels) {
                let is_own = |filter: &usize| self.filters[*filter].by.name() == by.name();
                if failed.iter().all(is_own) {
                    for label in &labels[at] {
                        *counts.entry(label.clone()).or_default() += 1;
                    }
                }
            }
            if failed.is_empty() {
                let types = labels.last_mut().map(|types| std::mem::take(&mut types[at]));
                self.found.kept.push(Kept {
                    place: CasePlace { document: document.index + 1, number: at + 1 },
                    case: document.case(&around, at),
                    types: types.unwrap_or_default(),
                });
            }
        }
        self.found.all += document.cases.len();
    }
}

/// Labels with their counts: kinds in their order, others by how many cases have them.
fn chips(by: &FilteredBy, counts: &BTreeMap<String, usize>) -> FilterChips {
    let name = |label: &str| by.label_name(label).map(str::to_owned);
    let mut labels: Vec<LabelCount> = counts
        .iter()
        .map(|(label, count)| LabelCount { label: label.clone(), name: name(label), count: *count })
        .collect();
    match by {
        FilteredBy::Error => {
            let kinds: Vec<String> =
                ErrorKind::all().map(ErrorKind::name).chain([IGNORED.to_owned()]).collect();
            labels.sort_by_key(|label| kinds.iter().position(|kind| *kind == label.label));
        }
        _ => labels.sort_by_key(|label| Reverse(label.count)),
    }
    FilterChips { facet: by.name().to_owned(), labels }
}
