//! Statistics of benchmarks: as rows of one or several, or as columns of many.

use super::cases::missing;
use super::frame::link;
use super::name::{name, visible};
use super::table::{figures, score};
use crate::address::{Address, Links};
use karat::collection::{StatisticsCell, StatisticsGroup, StatisticsRow};
use maud::{Markup, html};

/// How many labels of one property are shown; a benchmark may have thousands of types.
pub const LABELS_SHOWN: usize = 40;

/// Statistics as they are shown.
pub struct StatisticsTable<'s> {
    /// How addresses become links.
    pub links: &'s dyn Links,
    /// The groups.
    pub groups: &'s [StatisticsGroup],
    /// The names of the benchmarks, in the order of the cells.
    pub benchmarks: &'s [&'s str],
    /// Whether counts that are a part of something are shown as shares.
    pub as_shares: bool,
    /// The mentions that a cell of a benchmark counts, by its place.
    pub mentions: &'s dyn Fn(usize, &StatisticsRow) -> Address,
    /// The benchmark itself, by its place.
    pub benchmark: &'s dyn Fn(usize) -> Address,
}

impl StatisticsTable<'_> {
    /// A row for each statistic and a column for each benchmark.
    pub fn rows(&self) -> Markup {
        html! {
            @for group in self.groups {
                @let caption = format!("{}: {}", group.name, group.about);
                div.scroll tabindex="0" role="region" aria-label=(caption) {
                    table.statistics id=(group.name) {
                        caption { b { (group.name) } " " (group.about) }
                        thead { tr {
                            th scope="col" { span.said { "statistic" } }
                            @for benchmark in self.benchmarks { th scope="col" class="n" { (name(benchmark)) } }
                        } }
                        @for rows in group.rows.chunk_by(|a, b| a.property == b.property) { (self.property(rows)) }
                    }
                }
            }
        }
    }

    fn property(&self, rows: &[StatisticsRow]) -> Markup {
        let property = rows.first().map(|row| row.property.as_str()).unwrap_or_default();
        let is_figure = property == "figure";
        let more = rows.len().saturating_sub(LABELS_SHOWN);
        html! {
            tbody {
                @if !is_figure {
                    tr.heading { th scope="rowgroup" colspan=(self.benchmarks.len() + 1) { (name(property)) } }
                }
                @for row in rows.iter().take(LABELS_SHOWN) {
                    tr class=[(!is_figure).then_some("part")] {
                        th scope="row" { (name(&row.label)) }
                        @for at in 0..self.benchmarks.len() { td.n { (self.cell(at, row)) } }
                    }
                }
                @if more > 0 {
                    tr { td.soft colspan=(self.benchmarks.len() + 1) { "and " (more) " more labels; the downloads have all" } }
                }
            }
        }
    }

    /// A row for each benchmark and a column for each statistic; `sort` orders by one.
    pub fn columns(
        &self,
        order: &[usize],
        sort: &dyn Fn(&StatisticsRow) -> (Address, Option<bool>),
    ) -> Markup {
        let shown = |group: &'_ StatisticsGroup| -> Vec<StatisticsRow> {
            let properties = group.rows.chunk_by(|a, b| a.property == b.property);
            properties.flat_map(|rows| rows.iter().take(LABELS_SHOWN)).cloned().collect()
        };
        let groups: Vec<(&str, Vec<StatisticsRow>)> =
            self.groups.iter().map(|group| (group.name, shown(group))).collect();
        html! {
            div.scroll tabindex="0" role="region" aria-label="Statistics of benchmarks" {
                table.results.statcolumns {
                    caption { "Statistics of benchmarks" }
                    thead {
                        tr {
                            th scope="col" rowspan="2" class="who" { "benchmark" }
                            @for (words, rows) in &groups { th.group scope="colgroup" colspan=(rows.len()) { (words) } }
                        }
                        tr { @for row in groups.iter().flat_map(|(_, rows)| rows) { (self.heading(row, sort)) } }
                    }
                    tbody {
                        @for &at in order { tr {
                            th scope="row" class="who" { (link(self.links, &(self.benchmark)(at), &name(self.benchmarks[at]))) }
                            @for row in groups.iter().flat_map(|(_, rows)| rows) { td.n data-label=(visible(&row.label)) { (self.cell(at, row)) } }
                        } }
                    }
                }
            }
        }
    }

    fn heading(
        &self,
        row: &StatisticsRow,
        sort: &dyn Fn(&StatisticsRow) -> (Address, Option<bool>),
    ) -> Markup {
        let (there, sorted) = sort(row);
        let direction = sorted.map(|ascending| if ascending { "ascending" } else { "descending" });
        let arrow = sorted.map(|ascending| if ascending { " ↑" } else { " ↓" });
        let words = html! {
            @if row.property != "figure" && row.property != row.label { span.soft { (name(&row.property)) } " " }
            (name(&row.label))
            @if let Some(arrow) = arrow { span aria-hidden="true" { (arrow) } }
        };
        html! { th scope="col" class="n" aria-sort=[direction] { (link(self.links, &there, &words)) } }
    }

    fn cell(&self, at: usize, row: &StatisticsRow) -> Markup {
        let Some(cell) = row.cells.get(at).copied().flatten() else {
            return missing("this cannot be told of the benchmark");
        };
        let shown = match (cell, self.as_shares) {
            (StatisticsCell::Number(number), _) => figures(&format!("{number:.3}")),
            (StatisticsCell::Count { of: Some(_), .. }, true) => score(cell.share()),
            (StatisticsCell::Count { count, .. }, _) => count.to_string(),
        };
        let whole = match cell {
            StatisticsCell::Count { count, of: Some(of) } => Some(format!("{count} of {of}")),
            _ => None,
        };
        let is_empty = matches!(cell, StatisticsCell::Count { count: 0, .. });
        let there = (row.is_listed && !is_empty).then(|| (self.mentions)(at, row));
        match there.and_then(|there| self.links.href(&there)) {
            Some(href) => html! { a href=(href) title=[whole] { (shown) } },
            None => html! { span title=[whole] { (shown) } },
        }
    }
}
