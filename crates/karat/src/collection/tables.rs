//! Profiles of benchmarks side by side.

use super::profile::{Amount, Profile, Shares};
use karat_report::{Cell, Column, Table};
use std::collections::{HashMap, HashSet};

/// The figures of several benchmarks, one column each. What no benchmark can tell is left out.
pub fn figures(profiles: &[Profile]) -> Table {
    let names = profiles.iter().map(|profile| Column::number(&profile.name, 3));
    let mut table = Table::new(std::iter::once(Column::text("figure")).chain(names));
    for name in names_of_figures(profiles) {
        let amounts: Vec<Option<Amount>> =
            profiles.iter().map(|profile| profile.figure(name)).collect();
        if amounts.iter().any(Option::is_some) {
            let cells = amounts.into_iter().map(|amount| amount.map(cell).into());
            table.row(std::iter::once(Cell::from(name)).chain(cells));
        }
    }
    table
}

/// How annotations divide by properties: for each label the count and the share in each benchmark.
pub fn shares(profiles: &[Profile]) -> Table {
    let of = |profile: &Profile| {
        [Column::count(&profile.name), Column::number(heading_of_share(profile), 3)]
    };
    let columns = ["property", "label"].map(Column::text);
    let mut table = Table::new(columns.into_iter().chain(profiles.iter().flat_map(of)));
    for (property, label, counts) in counts_of_labels(profiles) {
        let cells = counts.into_iter().flat_map(|part| [count(part), share(part)]);
        table.row([Cell::from(property), Cell::from(label)].into_iter().chain(cells));
    }
    table
}

pub(super) fn names_of_figures(profiles: &[Profile]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in profiles.iter().flat_map(|profile| &profile.figures) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

/// How many have a label, and of how many; `None` where it cannot be told.
pub(super) type Part = Option<(u64, u64)>;

/// A property, a label, and the part that has it in each benchmark.
pub(super) type Labelled<'p> = (&'p str, &'p str, Vec<Part>);

pub(super) fn counts_of_labels(profiles: &[Profile]) -> Vec<Labelled<'_>> {
    let mut rows = Vec::new();
    for property in properties(profiles) {
        let of_property: Vec<Option<&Shares>> = profiles
            .iter()
            .map(|profile| profile.shares.iter().find(|shares| shares.property == property))
            .collect();
        let counts: Vec<HashMap<&str, u64>> =
            of_property.iter().map(|shares| shares.map(by_label).unwrap_or_default()).collect();
        // A property that nothing has is not worth a row.
        let any = of_property.iter().flatten().any(|shares| shares.all > 0);
        for label in labels(&of_property).into_iter().filter(|_| any) {
            let part = |(shares, counts): (&Option<&Shares>, &HashMap<&str, u64>)| {
                let shares = shares.filter(|shares| shares.is_told(label))?;
                Some((counts.get(label).copied().unwrap_or_default(), shares.all))
            };
            rows.push((property, label, of_property.iter().zip(&counts).map(part).collect()));
        }
    }
    rows
}

/// The properties of all benchmarks. One that the first do not have comes after what it follows
/// in the benchmark that has it.
fn properties(profiles: &[Profile]) -> Vec<&str> {
    let mut properties: Vec<&str> = Vec::new();
    for profile in profiles {
        let mut next = 0;
        for Shares { property, .. } in &profile.shares {
            let known = properties.iter().position(|known| known == property);
            let at = known.unwrap_or_else(|| {
                properties.insert(next, property);
                next
            });
            next = at + 1;
        }
    }
    properties
}

/// Everything in one table, for programs: the figures and counts of each benchmark with all their
/// digits, then the shares of the counts.
pub fn everything(profiles: &[Profile]) -> Table {
    let names = profiles.iter().map(|profile| Column::exact(&profile.name));
    let shares = profiles.iter().map(|profile| Column::exact(heading_of_share(profile)));
    let columns = ["property", "label"].map(Column::text);
    let mut table = Table::new(columns.into_iter().chain(names).chain(shares));
    for name in names_of_figures(profiles) {
        let amounts = profiles.iter().map(|profile| Cell::from(profile.figure(name).map(cell)));
        let shares = profiles.iter().map(|_| Cell::Missing);
        table
            .row([Cell::from("figure"), Cell::from(name)].into_iter().chain(amounts).chain(shares));
    }
    for (property, label, counts) in counts_of_labels(profiles) {
        let (amounts, shares): (Vec<Cell>, Vec<Cell>) =
            counts.into_iter().map(|part| (count(part), share(part))).unzip();
        table.row(
            [Cell::from(property), Cell::from(label)].into_iter().chain(amounts).chain(shares),
        );
    }
    table
}

/// A name that two columns have, of which a table of several benchmarks could show only one.
pub fn repeated_heading(profiles: &[Profile]) -> Option<String> {
    let mut seen: HashSet<String> = ["figure", "property", "label"].map(str::to_owned).into();
    let names = profiles.iter().map(|profile| profile.name.clone());
    names.chain(profiles.iter().map(heading_of_share)).find(|name| !seen.insert(name.clone()))
}

fn heading_of_share(profile: &Profile) -> String {
    format!("{} share", profile.name)
}

fn count(part: Part) -> Cell {
    part.map(|(count, _)| Cell::Count(count)).into()
}

fn share(part: Part) -> Cell {
    let of_something = part.filter(|(_, all)| *all > 0);
    Cell::from(of_something.map(|(count, all)| count as f64 / all as f64))
}

fn by_label(shares: &Shares) -> HashMap<&str, u64> {
    shares.counts.iter().map(|(label, count)| (label.as_str(), *count)).collect()
}

/// The labels of a property, in the order in which the benchmarks have them.
fn labels<'p>(of_property: &[Option<&'p Shares>]) -> Vec<&'p str> {
    let mut seen = HashSet::new();
    let all = of_property.iter().flatten().flat_map(|shares| &shares.counts);
    all.map(|(label, _)| label.as_str()).filter(|label| seen.insert(*label)).collect()
}

fn cell(amount: Amount) -> Cell {
    match amount {
        Amount::Count(count) => Cell::Count(count),
        Amount::Number(number) => Cell::Number(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(name: &str, shares: &[(&str, &[(&str, u64)])]) -> Profile {
        let of = |(property, counts): &(&str, &[(&str, u64)])| {
            let counts = counts.iter().map(|(label, count)| ((*label).to_owned(), *count));
            Shares::new(property, 10, counts.collect())
        };
        let shares = shares.iter().map(of).collect();
        Profile { name: name.to_owned(), figures: Vec::new(), shares }
    }

    #[test]
    fn a_property_of_one_benchmark_stays_in_its_place() {
        let one = profile("one", &[("level", &[("root", 9)]), ("popularity", &[("high", 4)])]);
        let other = profile(
            "other",
            &[("level", &[]), ("mention type", &[("named", 3)]), ("popularity", &[("low", 5)])],
        );
        assert_eq!(
            counts_of_labels(&[one, other]),
            [
                ("level", "root", vec![Some((9, 10)), None]),
                ("mention type", "named", vec![None, Some((3, 10))]),
                ("popularity", "high", vec![Some((4, 10)), Some((0, 10))]),
                ("popularity", "low", vec![Some((0, 10)), Some((5, 10))]),
            ]
        );
    }
}
