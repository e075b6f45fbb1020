//! Errors by category, case by case, and what systems do differently.

use super::{By, Errors, Ground};
use crate::arguments::ResultForm;
use crate::commands::elevant::{benchmark, links_nobody_can_judge, say_whose_words_are_unknown};
use crate::failure::Failure;
use crate::scoring::{Contest, facets, facets_of_errors, no_system};
use crate::show::{self, counted};
use karat::analysis;
use karat::errors::{
    Difference, ErrorCase, Filter, Group, Inspection, Suspect, case_table, columns, count_table,
    difference_table, differences, partial_table, suspect_table, suspects,
};
use karat::facets::taxonomy::Category;
use karat::facets::{Facet, order};
use karat::measures::closest;
use karat::model::Corpus;
use karat::report::{Cell, Table};
use karat::scoring::json;
use std::collections::BTreeSet;
use std::io::Write;

/// How many candidates are shown where they are for reading.
const CANDIDATES: usize = 5;

/// Does what the arguments ask for.
pub(super) fn run(errors: &Errors, ground: &Ground) -> Result<(), Failure> {
    let inspector = Inspector { errors, ground };
    let table = match errors.by {
        Some(By::Relation | By::SpanError) => inspector.sides()?,
        _ if errors.suspects => return inspector.print_suspects(),
        _ if errors.partial_spans => inspector.partial_spans(),
        _ if errors.confusion.is_some() => inspector.confusion()?,
        _ if !errors.diff.is_empty() => inspector.diff()?,
        _ if errors.lists() => inspector.list()?,
        _ => inspector.counts()?,
    };
    errors.print(ground, &table)
}

struct Inspector<'e> {
    errors: &'e Errors,
    ground: &'e Ground,
}

impl<'e> Inspector<'e> {
    fn inspection(&self) -> Inspection<'e> {
        let Ground { convention, identity, .. } = self.ground;
        Inspection {
            settings: &convention.settings,
            taxonomy: convention.taxonomy,
            identity,
            base: identity.base().map(AsRef::as_ref),
        }
    }

    fn contests(&self) -> &'e [Contest] {
        &self.ground.contests
    }

    fn remark(&self, message: &str) {
        if !self.errors.compared.reading.quiet {
            show::note(message);
        }
    }

    fn filters(&self) -> Result<Vec<Filter>, Failure> {
        let hint = "write --where FACET=LABEL, as --where type=PER";
        let Ground { convention, identity, .. } = self.ground;
        let filter = |text: &String| {
            let (name, label) = text
                .split_once('=')
                .ok_or_else(|| Failure::usage(format!("`{text}` names no label"), hint))?;
            let mut found = facets_of_errors(name, convention, self.errors.unknowns(), identity)?;
            match (found.pop(), found.is_empty()) {
                (Some(facet), true) => {
                    Ok(Filter { label: self.label_of(facet.as_ref(), label), facet })
                }
                _ => Err(Failure::usage(format!("`{name}` is not one facet"), hint)),
            }
        };
        self.errors.filters.iter().map(filter).collect()
    }

    /// A label as its facet has it: categories have several names, and types may have one in the base.
    fn label_of(&self, facet: &dyn Facet, asked: &str) -> String {
        let label = match facet.name() {
            "category" => match Category::named(asked).as_slice() {
                [only] => Some(only.name().to_owned()),
                _ => None,
            },
            "type" => {
                let id = self.type_called(facet, asked);
                let id = id.as_deref().unwrap_or(asked);
                Some(self.inspection().taxonomy.merged(id).to_owned())
            }
            _ => None,
        };
        label.unwrap_or_else(|| asked.to_owned())
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
        let (inspection, unknowns) = (self.inspection(), self.errors.unknowns());
        let mut labels = BTreeSet::new();
        for contest in self.contests() {
            for system in &contest.systems {
                labels.extend(inspection.labels(&contest.gold, &system.corpus, unknowns, facet));
            }
        }
        labels
    }

    fn counts(&self) -> Result<Table, Failure> {
        let (inspection, filters) = (self.inspection(), self.filters()?);
        let count = |contest: &Contest, corpus: &Corpus| match filters.is_empty() {
            true => inspection.counts(benchmark(&contest.name), &contest.gold, corpus),
            false => inspection.counts_of(&contest.gold, corpus, self.errors.unknowns(), &filters),
        };
        let mut runs = Vec::new();
        for contest in self.contests() {
            for system in &contest.systems {
                let counts = count(contest, &system.corpus);
                runs.push((contest.name.as_str(), system.name.as_str(), counts));
            }
            if !self.errors.compared.reading.quiet && filters.is_empty() {
                say_whose_words_are_unknown(&inspection, contest);
            }
        }
        self.say_which_labels_nobody_has(&filters);
        if !filters.is_empty() {
            self.remark("of a part of a benchmark (--where) the words are not counted: totals of ner_fp are unknown");
        }
        if inspection.base.is_none() {
            self.remark("without a knowledge base (--kb) some categories are unknown");
        }
        for (_, system, counts) in &runs {
            if let Some(reason) = links_nobody_can_judge(system, counts) {
                self.remark(&reason);
            }
        }
        if runs.iter().any(|(_, _, counts)| counts.has_mentions_without_text()) {
            self.remark(
                "without texts (--documents) it is not known what is lowercased, has several words or is a pronoun",
            );
        }
        let several = self.contests().len() > 1;
        Ok(count_table(&runs, several, inspection.taxonomy, self.errors.unknowns()))
    }

    /// The cases of all systems on a benchmark.
    fn cases(&self, contest: &'e Contest, filters: &[Filter]) -> Vec<(&'e str, Vec<ErrorCase>)> {
        let (inspection, unknowns) = (self.inspection(), self.errors.unknowns());
        let of = |system: &'e karat::scoring::System| {
            let cases = inspection.cases(&contest.gold, &system.corpus, unknowns, filters);
            (system.name.as_str(), cases)
        };
        contest.systems.iter().map(of).collect()
    }

    fn list(&self) -> Result<Table, Failure> {
        let (kept, filters) = (self.errors.narrowed()?, self.filters()?);
        let all: Vec<_> = self
            .contests()
            .iter()
            .map(|contest| (contest.name.as_str(), self.cases(contest, &filters)))
            .collect();
        let mut rows = Vec::new();
        for (benchmark, systems) in &all {
            for (system, cases) in systems {
                let kept = cases.iter().filter(|case| kept.has(case));
                rows.extend(kept.map(|case| (*benchmark, *system, case)));
            }
        }
        self.say_what_cannot_be_told(
            &kept.categories,
            &filters,
            rows.iter().map(|(_, _, case)| *case),
        );
        let everything = all.iter().flat_map(|(_, systems)| systems);
        self.say_why_nothing_is_left(rows.is_empty(), everything, &filters);
        let data = [ResultForm::Json, ResultForm::Jsonl, ResultForm::Tsv, ResultForm::Csv];
        let most = (!data.contains(&self.errors.format)).then_some(CANDIDATES);
        Ok(case_table(&rows, self.contests().len() > 1, most))
    }

    fn diff(&self) -> Result<Table, Failure> {
        let (kept, filters) = (self.errors.narrowed()?, self.filters()?);
        let [first, second] = self.errors.diff.as_slice() else {
            return Err(Failure::usage("two systems are compared", "write --diff A B"));
        };
        for contest in self.contests() {
            let names = || contest.systems.iter().map(|system| system.name.as_str());
            for name in [first, second] {
                if !names().any(|known| known == name) {
                    return Err(no_system(name, names()));
                }
            }
        }
        let cases_of =
            |contest: &'e Contest| (contest.name.as_str(), self.cases(contest, &filters));
        let all: Vec<_> = self.contests().iter().map(cases_of).collect();
        let mut found: Vec<(&str, Difference<'_>)> = Vec::new();
        for (benchmark, cases) in &all {
            let of = |name: &String| {
                let found = cases.iter().find(|(known, _)| known == name);
                found.map_or(&[][..], |(_, cases)| cases.as_slice())
            };
            let of_both = differences(of(first), of(second)).into_iter();
            found.extend(of_both.map(|difference| (*benchmark, difference)));
        }
        found.retain(|(_, difference)| {
            difference.group != Group::BothRight
                && (kept.has(difference.first) || kept.has(difference.second))
        });
        found.sort_by_key(|(_, difference)| difference.group);
        let shown = found.iter().flat_map(|(_, both)| [both.first, both.second]);
        self.say_what_cannot_be_told(&kept.categories, &filters, shown);
        let everything = all.iter().flat_map(|(_, systems)| systems);
        self.say_why_nothing_is_left(found.is_empty(), everything, &filters);
        self.remark(&how_many(&found, [first, second]));
        Ok(difference_table(&found, all.len() > 1, [first, second]))
    }

    fn partial_spans(&self) -> Table {
        let inspection = self.inspection();
        let mut pairs = Vec::new();
        for contest in self.contests() {
            for system in &contest.systems {
                let found = inspection.partial_spans(&contest.gold, &system.corpus).into_iter();
                pairs.extend(found.map(|pair| (contest.name.as_str(), system.name.as_str(), pair)));
            }
        }
        partial_table(&pairs, self.contests().len() > 1)
    }

    /// By which label of a facet links are right.
    fn confusion(&self) -> Result<Table, Failure> {
        let Ground { convention, identity, contests, .. } = self.ground;
        let name = self.errors.confusion.as_deref().unwrap_or_default();
        let found = facets(name, convention, identity)?;
        let [facet] = found.as_slice() else {
            return Err(Failure::usage(format!("`{name}` is not one facet"), "name one of them"));
        };
        if facet.is_of_cases() {
            return Err(Failure::usage(
                format!("`{name}` is no label of gold mentions"),
                "name a facet that mentions have by themselves, as base-form or type",
            ));
        }
        let names = ["benchmark", "system", name, "right by", "mentions"];
        let mut table = Table::new(columns(names));
        for contest in contests {
            for system in &contest.systems {
                let counts = analysis::confusion(
                    &contest.gold,
                    &system.corpus,
                    identity,
                    &convention.settings,
                    facet.as_ref(),
                );
                let mut counts: Vec<_> = counts.iter().collect();
                counts.sort_by_key(|((label, by), _)| (order(label), order(by)));
                for ((label, by), number) in counts {
                    let cells = [contest.name.as_str(), &system.name, label, by];
                    table.row(cells.into_iter().map(Cell::from).chain([Cell::from(*number)]));
                }
            }
        }
        Ok(table)
    }

    fn print_suspects(&self) -> Result<(), Failure> {
        let (least, filters) = (self.errors.agree, self.filters()?);
        let mut found: Vec<(&str, Vec<Suspect>)> = Vec::new();
        for contest in self.contests() {
            if contest.systems.len() < least {
                return Err(Failure::usage(
                    format!(
                        "{least} systems are to agree about `{}`, and {} given",
                        contest.name,
                        if contest.systems.len() == 1 {
                            "one is".to_owned()
                        } else {
                            format!("{} are", contest.systems.len())
                        }
                    ),
                    "give more systems with -s NAME=INPUT, or lower --agree",
                ));
            }
            let cases = self.cases(contest, &filters);
            let suspects = suspects(&cases, least, &self.ground.identity);
            let nothing = suspects.is_empty() && !filters.is_empty();
            self.say_why_nothing_is_left(nothing, &cases, &filters);
            found.push((&contest.name, suspects));
        }
        if found.iter().all(|(_, suspects)| suspects.is_empty()) {
            self.remark(&format!("nowhere do {} agree against gold", counted(least, "system")));
        }
        if !matches!(self.errors.format, ResultForm::Json | ResultForm::Jsonl) {
            return self.errors.print(self.ground, &suspect_table(&found));
        }
        self.ground.identity.check()?;
        let mut out = anstream::stdout();
        let mut tasks = Vec::new();
        for (contest, (name, suspects)) in self.contests().iter().zip(&found) {
            let of = contest.systems.len();
            let ranked = suspects.iter().enumerate();
            tasks.extend(ranked.map(|(at, suspect)| suspect.task(at + 1, name, of)));
        }
        if self.errors.format == ResultForm::Json {
            let document = json::document("tasks", tasks.into(), &self.ground.signatures);
            return Ok(writeln!(out, "{document:#}")?);
        }
        for task in tasks {
            writeln!(out, "{task}")?;
        }
        Ok(())
    }

    /// How often each label occurs among gold mentions, and among predictions.
    fn sides(&self) -> Result<Table, Failure> {
        let Ground { convention, identity, contests, .. } = self.ground;
        let name = if self.errors.by == Some(By::Relation) { "relation" } else { "span-error" };
        let found = facets(name, convention, identity)?;
        let mut table = Table::new(columns(["benchmark", "system", "side", name, "mentions"]));
        for contest in contests {
            for system in &contest.systems {
                let settings = &convention.settings;
                let counts = found.iter().flat_map(|facet| {
                    let (gold, output) = (&contest.gold, &system.corpus);
                    analysis::sides(gold, output, identity, settings, facet.as_ref())
                });
                for ((side, label), number) in counts {
                    let cells = [contest.name.as_str(), &system.name, side, &label];
                    let cells = cells.into_iter().map(Cell::from);
                    table.row(cells.chain([Cell::from(number)]));
                }
            }
        }
        Ok(table)
    }

    /// An absent category is no good news where nobody could tell it.
    fn say_what_cannot_be_told<'c>(
        &self,
        kept: &[Category],
        filters: &[Filter],
        mut shown: impl Iterator<Item = &'c ErrorCase>,
    ) {
        let by_filter = filters.iter().flat_map(|filter| filter.facet.categories(&filter.label));
        let asked: Vec<Category> = kept.iter().copied().chain(by_filter).collect();
        let named = |of: fn(Category) -> bool| {
            let names: Vec<&str> =
                asked.iter().copied().filter(|c| of(*c)).map(Category::name).collect();
            (!names.is_empty()).then(|| names.join(", "))
        };
        let needy = named(Category::needs_a_base);
        if self.inspection().base.is_none() {
            match needy {
                Some(names) => self.remark(&format!(
                    "without a knowledge base (--kb) it cannot be told which errors are {names}"
                )),
                None if shown.any(|case| case.is_open) => {
                    self.remark("without a knowledge base (--kb) some categories are unknown");
                }
                None => {}
            }
        }
        let Some(names) = named(Category::needs_candidates) else { return };
        for system in self.contests().iter().flat_map(|contest| &contest.systems) {
            let mut mentions = system.corpus.documents().flat_map(|document| document.mentions());
            if !mentions.any(|mention| mention.candidates().len() > 1) {
                let name = &system.name;
                self.remark(&format!(
                    "`{name}` gives no candidates to choose from: {names} cannot be told"
                ));
            }
        }
    }

    /// Says which label no mention has, if that is why.
    fn say_why_nothing_is_left<'c, 'n: 'c>(
        &self,
        is_nothing_left: bool,
        cases: impl IntoIterator<Item = &'c (&'n str, Vec<ErrorCase>)>,
        filters: &[Filter],
    ) {
        if !is_nothing_left {
            return;
        }
        if cases.into_iter().any(|(_, cases)| !cases.is_empty()) {
            return self.remark("no such error is known");
        }
        self.say_which_labels_nobody_has(filters);
    }

    /// A label that no mention has may be mistyped.
    fn say_which_labels_nobody_has(&self, filters: &[Filter]) {
        for filter in filters {
            let (facet, asked) = (filter.facet.name(), &filter.label);
            let labels = self.labels(filter.facet.as_ref());
            if !labels.contains(asked) {
                let name = |label| filter.facet.label_name(label);
                let labels = labels.iter().map(|label| (label.as_str(), name(label)));
                let called = name(asked).map_or(String::new(), |name| format!(" ({name})"));
                show::warning(&format!(
                    "no mention has the {facet} `{asked}`{called}{}",
                    alternatives(asked, &labels.collect::<Vec<_>>())
                ));
            }
        }
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

fn how_many(found: &[(&str, Difference<'_>)], [first, second]: [&str; 2]) -> String {
    let count = |group| found.iter().filter(|(_, both)| both.group == group).count();
    format!(
        "only {first} is right about {}, only {second} about {}, neither about {}",
        count(Group::OnlyFirst),
        count(Group::OnlySecond),
        count(Group::BothWrong)
    )
}
