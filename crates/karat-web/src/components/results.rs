//! The table of results: systems by benchmarks.

use super::frame::link;
use super::name::{name, visible};
use super::table::{figures, score};
use crate::address::{Address, Links};
use crate::workbench::{Catalogue, CatalogueRun};
use karat::board::{
    BoardAnswer, BoardCell, BoardField, BoardGrouping, BoardKey, BoardOrder, BoardShape, CellState,
};
use karat::conditions::Where;
use maud::{Markup, html};
use std::collections::HashMap;

/// What a table of results needs beside the board.
pub struct ResultsTable<'t> {
    /// The board, as it is viewed.
    pub board: &'t BoardAnswer,
    /// What there is.
    pub catalogue: &'t Catalogue,
    /// How addresses become links.
    pub links: &'t dyn Links,
    /// The address of this view.
    pub here: &'t Address,
    /// The measure and the convention, as numbers are asked for them.
    pub number: &'t dyn Fn(&str) -> Address,
    /// The cases of a run that fit conditions.
    pub cases: &'t dyn Fn(&str, &str) -> Address,
    /// Which rows are shown.
    pub rows: std::ops::Range<usize>,
}

/// Ids of runs by the names of system and benchmark.
type RunIds<'c> = HashMap<(&'c str, &'c str), &'c str>;

/// The id of the form that compares what is selected.
pub const SELECTION: &str = "selection";

/// Intervals are drawn on boards of so many benchmarks.
const DRAWN_BENCHMARKS: usize = 1;

/// And of so many scores.
const DRAWN_ROWS: usize = 120;

impl ResultsTable<'_> {
    /// The table.
    pub fn show(&self) -> Markup {
        let caption = format!("{} {}", self.board.measure, self.board.score_title());
        html! {
            div.scroll tabindex="0" role="region" aria-label=(caption) {
                table.results.board data-board data-rows {
                    caption { (caption) @if self.board.benchmarks.len() > 1 { ", and the mean over " (self.board.benchmarks.len()) " benchmarks" } }
                    @match self.board.shape {
                        BoardShape::Matrix => { (self.matrix_head()) (self.matrix_body()) },
                        BoardShape::Rows => { (self.rows_head()) (self.rows_body()) },
                    }
                }
            }
        }
    }

    fn matrix_head(&self) -> Markup {
        let board = self.board;
        let fields = board.fields.len();
        // On a phone some columns are left out, and headings span the others.
        let is_kept = |field: &&BoardField| !class(field, 0).contains("wide");
        let few = board.fields.iter().filter(is_kept).count().max(1);
        html! {
            thead {
                tr {
                    @if self.links.is_live() { td.check rowspan="2" {} }
                    (self.heading("system", "system", &BoardKey::System, false, "who", Some(2)))
                    @for column in &board.benchmarks {
                        @for (class, columns) in [("wide", fields), ("few", few)] {
                            th class={ "group " (class) } scope="colgroup" colspan=(columns) {
                                (self.benchmark(&column.name))
                                @if fields > 1 { span.soft { " " (column.documents) (if column.documents == 1 { " document" } else { " documents" }) } }
                            }
                        }
                    }
                    @if board.benchmarks.len() > 1 { (self.heading("mean", "mean", &BoardKey::Mean, true, "n first", Some(2))) }
                }
                tr {
                    @for column in &board.benchmarks {
                        @for (at, field) in board.fields.iter().enumerate() {
                            @let key = BoardKey::Field { benchmark: Some(column.name.clone()), field: field.clone() };
                            @let text = format!("{}@{}", field.name(), self.slug(&column.name));
                            (self.heading(&self.title(field), &text, &key, !field.is_better_small(), &class(field, at), None))
                        }
                    }
                }
            }
        }
    }

    fn rows_head(&self) -> Markup {
        html! {
            thead { tr {
                @if self.links.is_live() { td.check {} }
                (self.heading("system", "system", &BoardKey::System, false, "who", None))
                (self.heading("benchmark", "benchmark", &BoardKey::Benchmark, false, "", None))
                @for (at, field) in self.board.fields.iter().enumerate() {
                    @let key = BoardKey::Field { benchmark: None, field: field.clone() };
                    (self.heading(&self.title(field), field.name(), &key, !field.is_better_small(), &class(field, at), None))
                }
            } }
        }
    }

    /// A heading that puts the rows in another order: first the usual direction, then the other.
    fn heading(
        &self,
        words: &str,
        text: &str,
        key: &BoardKey,
        usually_descending: bool,
        class: &str,
        rows: Option<u8>,
    ) -> Markup {
        let sorted: Option<&BoardOrder> = self.board.sort.first().filter(|order| order.by == *key);
        let descending = sorted.map_or(usually_descending, |order| !order.descending);
        let sort = if descending { format!("-{text}") } else { text.to_owned() };
        let state = sorted.map(|order| if order.descending { "descending" } else { "ascending" });
        let arrow = match state {
            Some("descending") => " ↓",
            Some(_) => " ↑",
            None => "",
        };
        let can_sort = !matches!(key, BoardKey::Field { field, .. } if field.name() == "group");
        html! {
            th scope="col" class=[Some(class).filter(|class| !class.is_empty())] rowspan=[rows] aria-sort=[state] {
                @if can_sort {
                    (link(self.links, &self.here.clone().with("sort", sort).with("after", ""), &html! { (words) (arrow) }))
                } @else { (words) }
            }
        }
    }

    fn title(&self, field: &BoardField) -> String {
        match field.name() {
            "score" => self.board.score_title(),
            "interval" => format!("{} %", self.board.level.unwrap_or(95.0)),
            name => match name.split_once('=') {
                Some(("error", category)) => category.replace(['_', '.'], " "),
                Some((_, label)) => visible(label),
                None => name.to_owned(),
            },
        }
    }

    fn matrix_body(&self) -> Markup {
        let (board, runs) = (self.board, self.run_ids());
        html! {
            tbody {
                @for row in board.rows.get(self.rows.clone()).unwrap_or_default() {
                    tr data-row {
                        @let slug = self.system_slug(&row.system);
                        @if self.links.is_live() { td.check { (checkbox(&slug, &row.system)) } }
                        th.who scope="row" { (self.system(&row.system)) }
                        @for (cell, column) in row.cells.iter().zip(&board.benchmarks) {
                            @let run = runs.get(&(row.system.as_str(), column.name.as_str())).copied();
                            @for (at, field) in board.fields.iter().enumerate() { (self.cell(cell, field, at, run)) }
                        }
                        @if board.benchmarks.len() > 1 {
                            td.n.first {
                                @match row.mean {
                                    Some(mean) => (score(Some(mean))),
                                    None => span.missing title="there is no score on the others" { "– (" (row.scored) " of " (row.cells.len()) ")" },
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Runs, those of one group under a heading.
    fn rows_body(&self) -> Markup {
        let board = self.board;
        let shown = board.runs.get(self.rows.clone()).unwrap_or_default();
        let in_group = |[row, column]: &[usize; 2]| match board.group {
            None => 0,
            Some(BoardGrouping::System) => *row,
            Some(BoardGrouping::Benchmark) => *column,
        };
        let heading = |[row, column]: [usize; 2]| match board.group {
            None => None,
            Some(BoardGrouping::System) => Some(self.system(&board.rows[row].system)),
            Some(BoardGrouping::Benchmark) => Some(self.benchmark(&board.benchmarks[column].name)),
        };
        let (columns, ids) = (3 + board.fields.len(), self.run_ids());
        html! {
            @for group in shown.chunk_by(|a, b| in_group(a) == in_group(b)) {
                tbody {
                    @if let Some(heading) = heading(group[0]) {
                        tr.heading { th.who scope="rowgroup" colspan=(columns) { (heading) } }
                    }
                    (self.run_rows(group, &ids))
                }
            }
        }
    }

    fn run_rows(&self, runs: &[[usize; 2]], ids: &RunIds<'_>) -> Markup {
        let board = self.board;
        html! {
                @for &[row, column] in runs {
                    @let (row, column) = (&board.rows[row], column);
                    @let benchmark = &board.benchmarks[column].name;
                    @let slug = self.system_slug(&row.system);
                    tr data-row {
                        @if self.links.is_live() { td.check { (checkbox(&slug, &row.system)) } }
                        th.who scope="row" { (self.system(&row.system)) }
                        td { (self.benchmark(benchmark)) }
                        @let run = ids.get(&(row.system.as_str(), benchmark.as_str())).copied();
                        @for (at, field) in board.fields.iter().enumerate() { (self.cell(&row.cells[column], field, at, run)) }
                    }
                }
        }
    }

    fn benchmark(&self, benchmark: &str) -> Markup {
        link(self.links, &Address::benchmark(&self.slug(benchmark)), &name(benchmark))
    }

    /// A system: its only run, or all of them.
    fn system(&self, system: &str) -> Markup {
        let mut runs = self.catalogue.runs.iter().filter(|run| run.system == system);
        let address = match (runs.next(), runs.next()) {
            (Some(only), None) => Address::run(&only.id),
            _ => Address::system(&self.system_slug(system)),
        };
        link(self.links, &address, &name(system))
    }

    /// A cell; without a run there is nothing behind its numbers that could be looked at.
    fn cell(&self, cell: &BoardCell, field: &BoardField, at: usize, run: Option<&str>) -> Markup {
        let missing = |why: &str| html! { abbr.missing title=(why) { "–" } };
        let why = cell.state.reason().unwrap_or("not compared");
        let class = format!("{}{}", class(field, at), if cell.leads { " leads" } else { "" });
        let class = class.trim();
        html! {
            td class=[Some(class).filter(|class| !class.is_empty())] {
                @match (field.name(), cell.state) {
                    (_, CellState::NoRun) => (missing(why)),
                    ("score", _) => @match (cell.value, run.and_then(|run| self.links.href(&(self.number)(run)))) {
                        (Some(value), Some(href)) => a href=(href) data-card { (score(Some(value))) },
                        (Some(value), None) => (score(Some(value))),
                        (None, _) => (missing(why)),
                    },
                    ("interval", _) => @match cell.ci {
                        Some([low, high]) => { span.soft { (score(Some(low))) "–" (score(Some(high))) } (self.drawn_interval(cell)) },
                        None => (missing("too few documents for an interval")),
                    },
                    ("rank", _) => @match cell.ranks() { Some(ranks) => (ranks), None => (missing(why)) },
                    ("group", _) => @match cell.letters.is_empty() {
                        false => (spaced(&cell.letters)),
                        true => (missing(why)),
                    },
                    _ => @match field.number(cell) {
                        Some(number) => @match label_cases(field).zip(run) {
                            Some((filter, run)) => (link(self.links, &(self.cases)(run, &filter), &html! { (figure(field, number)) })),
                            None => (figure(field, number)),
                        },
                        None => (missing(nothing(field))),
                    },
                }
            }
        }
    }

    /// The interval as a bar with its score, on one scale for all rows; for eyes only, because the numbers stand beside it.
    /// A board of many benchmarks has no room for it.
    fn drawn_interval(&self, cell: &BoardCell) -> Markup {
        let cells = self.board.rows.iter().flat_map(|row| &row.cells);
        let ends: Vec<[f64; 2]> = cells.filter_map(|cell| cell.ci).collect();
        let (Some([low, high]), Some(value)) = (cell.ci, cell.value) else { return html! {} };
        if self.board.benchmarks.len() > DRAWN_BENCHMARKS || ends.len() > DRAWN_ROWS {
            return html! {};
        }
        let first = ends.iter().map(|ends| ends[0]).fold(f64::INFINITY, f64::min);
        let last = ends.iter().map(|ends| ends[1]).fold(f64::NEG_INFINITY, f64::max);
        let place = |value: f64| (100.0 * (value - first) / (last - first).max(1e-9)).round();
        html! {
            svg.interval aria-hidden="true" viewBox="-2 0 104 10" preserveAspectRatio="none" {
                rect x=(place(low)) y="4" width=(place(high) - place(low)) height="2" {}
                rect.value x=(place(value) - 1.0) y="1" width="2" height="8" {}
            }
        }
    }

    /// The runs that are here, by what they are called on the board.
    fn run_ids(&self) -> RunIds<'_> {
        let names: HashMap<&str, &str> = self
            .catalogue
            .benchmarks
            .iter()
            .map(|it| (it.slug.as_str(), it.name.as_str()))
            .collect();
        let runs = self.catalogue.runs.iter();
        let of = |run: &'_ CatalogueRun| names.get(run.benchmark.as_str()).copied();
        runs.filter_map(|run| Some(((run.system.as_str(), of(run)?), run.id.as_str()))).collect()
    }

    fn slug(&self, benchmark: &str) -> String {
        let found = self.catalogue.benchmarks.iter().find(|it| it.name == benchmark);
        found.map(|it| it.slug.clone()).unwrap_or_default()
    }

    fn system_slug(&self, system: &str) -> String {
        let found = self.catalogue.runs.iter().find(|run| run.system == system);
        found.map(|run| run.system_slug.clone()).unwrap_or_default()
    }
}

/// The conditions that list the cases behind a column for a label.
fn label_cases(field: &BoardField) -> Option<String> {
    let (facet, label) = field.name().split_once('=')?;
    match facet {
        "error" if label.starts_with("linking.") => None,
        "error" => Some(Where::label("category", label).to_string()),
        // Labels of several facets are joined, and may have the sign that joins them.
        facet if facet.contains('+') => None,
        facet => Some(Where::label(facet, label).to_string()),
    }
}

/// Why a column has nothing.
fn nothing(field: &BoardField) -> &'static str {
    match field.name().split_once('=') {
        Some(("error", _)) => {
            "no rate: it needs a knowledge base or candidates, or could not happen"
        }
        Some(_) => "no mention with this label, or nothing to divide by",
        None => "not defined: there is nothing to divide by",
    }
}

/// Counts as they are, scores with three digits.
fn figure(field: &BoardField, number: f64) -> String {
    match ["tp", "ptp", "rtp", "fp", "fn"].contains(&field.name()) {
        true => figures(&number.to_string()),
        false => score(Some(number)),
    }
}

fn class(field: &BoardField, at: usize) -> String {
    let kind = match field.name() {
        "score" => "n",
        "group" => "letters",
        "interval" | "rank" => "wide",
        _ => "n wide",
    };
    if at == 0 { format!("{kind} first") } else { kind.to_owned() }
}

/// Letters each in a column of their own, so that groups can be seen.
fn spaced(letters: &str) -> String {
    let first = letters.chars().next().unwrap_or('a');
    let before = (first as usize).saturating_sub('a' as usize).min(25);
    format!("{}{letters}", " ".repeat(before))
}

fn checkbox(slug: &str, system: &str) -> Markup {
    html! {
        input type="checkbox" name="system" value=(slug) form=(SELECTION) aria-label={ "select " (visible(system)) };
    }
}

/// Why there are dashes, in words.
pub fn reasons(board: &BoardAnswer) -> Vec<String> {
    let states = [CellState::NoRun, CellState::Undefined];
    let count = |state: CellState| {
        board.rows.iter().flat_map(|row| &row.cells).filter(|cell| cell.state == state).count()
    };
    let said = states.into_iter().filter(|state| count(*state) > 0);
    said.filter_map(CellState::reason).map(str::to_owned).collect()
}
