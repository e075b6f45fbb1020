//! Errors by category, case by case, and what systems do differently.

use super::{By, Errors, UnknownsArgument};
use crate::arguments::{ResultForm, terminal_width};
use crate::commands::elevant::benchmark;
use crate::failure::Failure;
use crate::printing;
use crate::scoring::{Contest, facets};
use crate::show;
use karat::analysis;
use karat::errors::{
    Difference, ErrorCase, Filter, Group, Inspection, case_table, count_table, difference_table,
    differences, suspects,
};
use karat::facets::taxonomy::Category;
use karat::kb::Identity;
use karat::matching::Unknowns;
use karat::measures::{Convention, Signature};
use karat::report::{Cell, Column, Table};
use karat::scoring::json;
use std::io::Write;

/// Does what the arguments ask for; of the systems only those that are named, if any are.
pub(super) fn run(errors: &Errors, named: &[String]) -> Result<(), Failure> {
    if errors.format == ResultForm::Neleval {
        return Err(Failure::usage("neleval has no such list", "choose another --format"));
    }
    let mut convention = errors.convention.convention()?;
    // A threshold that is best for a score is none for a list of mentions.
    convention.oracle = false;
    let identity = errors.convention.identity(&convention)?;
    let mut contests = errors.compared.read()?;
    for contest in &mut contests {
        contest.systems.retain(|system| named.is_empty() || named.contains(&system.name));
    }
    let inspector = Inspector { errors, convention: &convention, identity: &identity };
    let signatures: Vec<String> =
        contests.iter().map(|contest| inspector.signature(contest)).collect();
    let table = match errors.by {
        By::Relation | By::SpanError => inspector.sides(&contests)?,
        _ if errors.suspects => return inspector.print_suspects(&contests),
        _ if !errors.diff.is_empty() => inspector.diff(&contests)?,
        _ if errors.list || !errors.category.is_empty() || !errors.filters.is_empty() => {
            inspector.list(&contests)?
        }
        _ => inspector.counts(&contests),
    };
    identity.check()?;
    if errors.format == ResultForm::Json {
        let rows = json::rows(&table, &signatures);
        return Ok(writeln!(anstream::stdout(), "{rows:#}")?);
    }
    printing::print(errors.format, &[("", &table)], &signatures, terminal_width())
}

struct Inspector<'e> {
    errors: &'e Errors,
    convention: &'e Convention,
    identity: &'e Identity,
}

impl Inspector<'_> {
    fn inspection(&self) -> Inspection<'_> {
        Inspection {
            settings: &self.convention.settings,
            taxonomy: self.convention.taxonomy,
            identity: self.identity,
            base: self.identity.base().map(AsRef::as_ref),
        }
    }

    fn unknowns(&self) -> Unknowns {
        match self.errors.unknowns {
            UnknownsArgument::Ignored => Unknowns::Ignored,
            UnknownsArgument::Required => Unknowns::Required,
        }
    }

    fn signature(&self, contest: &Contest) -> String {
        let mut signature = Signature::new(self.convention);
        if let Some(kb) = self.identity.signature() {
            signature.push("kb", &kb);
        }
        signature.push("gold", &format!("{}@{}", contest.name, contest.gold.fingerprint()));
        signature.to_string()
    }

    /// The categories that are asked for; all if none are.
    fn kept(&self) -> Result<Vec<Category>, Failure> {
        if self.errors.category.is_empty() {
            return Ok(Category::all().collect());
        }
        let mut kept = Vec::new();
        for name in &self.errors.category {
            let named = Category::named(name);
            if named.is_empty() {
                let names: Vec<&str> = Category::all().map(Category::name).collect();
                return Err(Failure::usage(
                    format!("there is no category `{name}`"),
                    format!("categories are {}", names.join(", ")),
                ));
            }
            kept.extend(named);
        }
        Ok(kept)
    }

    fn filters(&self) -> Result<Vec<Filter>, Failure> {
        let hint = "write --where FACET=LABEL, as --where type=PER";
        let filter = |text: &String| {
            let (name, label) = text
                .split_once('=')
                .ok_or_else(|| Failure::usage(format!("`{text}` names no label"), hint))?;
            let mut found = facets(name, self.convention, self.identity)?;
            match (found.pop(), found.is_empty()) {
                (Some(facet), true) => Ok(Filter { facet, label: label.to_owned() }),
                _ => Err(Failure::usage(format!("`{name}` is not one facet"), hint)),
            }
        };
        self.errors.filters.iter().map(filter).collect()
    }

    fn counts(&self, contests: &[Contest]) -> Table {
        let inspection = self.inspection();
        let mut runs = Vec::new();
        for contest in contests {
            for system in &contest.systems {
                let counts =
                    inspection.counts(benchmark(&contest.name), &contest.gold, &system.corpus);
                runs.push((contest.name.as_str(), system.name.as_str(), counts));
            }
        }
        if inspection.base.is_none() {
            show::note("without a knowledge base (--kb) some categories are unknown");
        }
        let kept: Vec<Category> = Category::all().collect();
        let several = contests.len() > 1;
        count_table(&runs, several, self.convention.taxonomy, self.unknowns(), &kept)
    }

    /// The cases of all systems on a benchmark.
    fn cases<'c>(&self, contest: &'c Contest) -> Result<Vec<(&'c str, Vec<ErrorCase>)>, Failure> {
        let (inspection, filters) = (self.inspection(), self.filters()?);
        let of = |system: &'c karat::scoring::System| {
            let cases = inspection.cases(&contest.gold, &system.corpus, self.unknowns(), &filters);
            (system.name.as_str(), cases)
        };
        Ok(contest.systems.iter().map(of).collect())
    }

    fn list(&self, contests: &[Contest]) -> Result<Table, Failure> {
        let kept = self.kept()?;
        let mut all = Vec::new();
        for contest in contests {
            all.push((contest.name.as_str(), self.cases(contest)?));
        }
        let is_kept = |case: &&ErrorCase| is_of(case, &kept, self.errors.category.is_empty());
        let mut rows = Vec::new();
        for (benchmark, systems) in &all {
            for (system, cases) in systems {
                let kept = cases.iter().filter(is_kept);
                rows.extend(kept.map(|case| (*benchmark, *system, case)));
            }
        }
        Ok(case_table(&rows, contests.len() > 1))
    }

    fn diff(&self, contests: &[Contest]) -> Result<Table, Failure> {
        let kept = self.kept()?;
        let [contest] = contests else {
            return Err(Failure::usage("two systems are compared on one benchmark", "give one -g"));
        };
        let cases = self.cases(contest)?;
        let find = |name: &String| {
            cases.iter().find(|(known, _)| known == name).ok_or_else(|| {
                let names: Vec<&str> = cases.iter().map(|(name, _)| *name).collect();
                Failure::usage(
                    format!("there is no system `{name}`"),
                    format!("systems are {}", names.join(", ")),
                )
            })
        };
        let [first, second] = self.errors.diff.as_slice() else {
            return Err(Failure::usage("two systems are compared", "write --diff A B"));
        };
        let (first, second) = (find(first)?, find(second)?);
        let everything = self.errors.category.is_empty();
        let mut found = differences(&first.1, &second.1);
        found.retain(|difference| {
            let is_asked = |case: &ErrorCase| is_of(case, &kept, everything);
            difference.group != Group::BothRight
                && (is_asked(difference.first) || is_asked(difference.second))
        });
        found.sort_by_key(|difference| difference.group);
        say_how_many(&found, [first.0, second.0]);
        Ok(difference_table(&found, [first.0, second.0]))
    }

    fn print_suspects(&self, contests: &[Contest]) -> Result<(), Failure> {
        let mut out = anstream::stdout();
        let mut table = Table::new(
            ["rank", "document", "context", "gold", "proposed", "systems", "dissenting"]
                .map(|name| if name == "rank" { Column::count(name) } else { Column::text(name) }),
        );
        let as_tasks = matches!(self.errors.format, ResultForm::Json | ResultForm::Jsonl);
        for contest in contests {
            let cases = self.cases(contest)?;
            let found = suspects(&cases, self.errors.agree);
            for (at, suspect) in found.iter().enumerate() {
                if as_tasks {
                    writeln!(out, "{}", suspect.task(at + 1, &contest.name, cases.len()))?;
                }
                let gold = suspect.gold.as_ref().map(ToString::to_string);
                table.row([
                    Cell::from(at + 1),
                    Cell::from(suspect.document.as_str()),
                    Cell::from(suspect.case.context()),
                    Cell::from(gold),
                    Cell::from(suspect.proposed.to_string()),
                    Cell::from(suspect.systems.join(" ")),
                    Cell::from(suspect.dissenting.join(" ")),
                ]);
            }
        }
        self.identity.check()?;
        if as_tasks {
            return Ok(());
        }
        let signatures: Vec<String> =
            contests.iter().map(|contest| self.signature(contest)).collect();
        printing::print(self.errors.format, &[("", &table)], &signatures, terminal_width())
    }

    /// How often each label occurs among gold mentions, and among predictions.
    fn sides(&self, contests: &[Contest]) -> Result<Table, Failure> {
        let name = if self.errors.by == By::Relation { "relation" } else { "span-error" };
        let found = facets(name, self.convention, self.identity)?;
        let columns = ["benchmark", "system", "side", name].map(Column::text);
        let mut table = Table::new(columns.into_iter().chain([Column::count("mentions")]));
        for contest in contests {
            for system in &contest.systems {
                let settings = &self.convention.settings;
                let counts = found.iter().flat_map(|facet| {
                    let (gold, output) = (&contest.gold, &system.corpus);
                    analysis::sides(gold, output, self.identity, settings, facet.as_ref())
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
}

/// Whether a case has one of these categories; where all are meant, whether it is wrong.
fn is_of(case: &ErrorCase, kept: &[Category], everything: bool) -> bool {
    match everything {
        true => case.is_wrong,
        false => case.categories.iter().any(|category| kept.contains(category)),
    }
}

fn say_how_many(found: &[Difference<'_>], [first, second]: [&str; 2]) {
    let count = |group| found.iter().filter(|difference| difference.group == group).count();
    show::note(&format!(
        "only {first} is right about {}, only {second} about {}, neither about {}",
        count(Group::OnlyFirst),
        count(Group::OnlySecond),
        count(Group::BothWrong)
    ));
}
