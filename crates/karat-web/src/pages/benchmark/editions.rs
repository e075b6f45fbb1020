//! The editions of a benchmark, and what changed between two.

use super::{BenchmarkView, FROM, Part, SHOW, pager};
use crate::address::Address;
use crate::catalogue::CatalogueBenchmark;
use crate::components::cases::missing;
use crate::components::context::mention_in_text;
use crate::components::frame::link;
use crate::components::name::{name, visible};
use crate::components::table::score;
use crate::components::time::date;
use crate::refusal::Refusal;
use karat::board::{BoardAnswer, BoardCell};
use karat::editions::{EditionChange, EditionsAnswer, EditionsRequest};
use karat_store::EditionRow;
use maud::{Markup, html};

/// The part of the page.
pub(super) fn show(view: &BenchmarkView<'_>) -> Result<Part, Refusal> {
    let asked = view.asked;
    let older = older(view)?;
    let request = EditionsRequest {
        older: asked.catalogue.inputs(older, asked.catalogue.runs_on(&older.slug)),
        newer: asked.catalogue.inputs(view.benchmark, []),
        convention: asked.convention()?,
        after: asked.number(super::AFTER)?.unwrap_or_default(),
        ..EditionsRequest::default()
    };
    let answer = asked.workbench.answer(&request)?;
    let signatures = answer.board.iter().flat_map(|board| &board.benchmarks);
    let signature = signatures.map(|column| column.signature.clone()).collect::<Vec<_>>();
    Ok(Part {
        body: body(view, older, &answer),
        command: String::new(),
        signature: signature.join("\n"),
        notices: answer.notices.clone(),
        answer,
    })
}

/// The editions of the benchmark, the newest first.
pub(super) fn editions<'a>(view: &BenchmarkView<'a>) -> Vec<&'a CatalogueBenchmark> {
    let all = view.asked.catalogue.benchmarks.iter();
    all.filter(|it| !it.id.is_empty() && it.id == view.benchmark.id).collect()
}

/// The edition with which this one is compared: that which was asked for, or the one before it.
fn older<'a>(view: &BenchmarkView<'a>) -> Result<&'a CatalogueBenchmark, Refusal> {
    let all = editions(view);
    let label = |it: &CatalogueBenchmark| it.edition.clone().unwrap_or_default();
    if let Some(wanted) = view.asked.get(FROM) {
        let found = all.iter().find(|it| label(it) == wanted);
        let names: Vec<String> = all.iter().map(|it| label(it)).collect();
        let names = names.iter().map(String::as_str);
        return found.copied().ok_or_else(|| Refusal::missing("edition", wanted, names));
    }
    let place = all.iter().position(|it| it.slug == view.benchmark.slug).unwrap_or_default();
    let before =
        all.get(place + 1).or_else(|| all.iter().find(|it| it.slug != view.benchmark.slug));
    before.copied().ok_or_else(|| Refusal::Missing {
        what: format!(
            "{} has one edition, so there is nothing to compare it with.",
            visible(&view.benchmark.name)
        ),
        hint: Some("Gold that is sent again with corrections becomes the next edition.".to_owned()),
    })
}

fn body(view: &BenchmarkView<'_>, older: &CatalogueBenchmark, answer: &EditionsAnswer) -> Markup {
    html! {
        (list(view, older))
        h2 { "From " (name(&older.name)) " to " (name(&view.benchmark.name)) }
        p.result { (answer.sentence()) }
        (documents("New documents", &answer.added_documents))
        (documents("Documents that are gone", &answer.removed_documents))
        (documents("Documents with another text, whose places cannot be compared", &answer.other_texts))
        @match &answer.board {
            Some(board) => (scores(view, board)),
            None => p.legend { "There is no run on " (name(&older.name)) ", so nothing can be said of scores and ranks." },
        }
        @if !answer.changes.is_empty() { (changes(view, answer)) }
    }
}

/// All editions, with a link that compares each with this one.
fn list(view: &BenchmarkView<'_>, older: &CatalogueBenchmark) -> Markup {
    let workspace = view.asked.workbench.workspace();
    let rows = workspace.map(|it| it.wait(it.store().editions(&view.benchmark.id)));
    let rows: Vec<EditionRow> = rows.and_then(Result::ok).unwrap_or_default();
    let row = |id: &str| rows.iter().find(|row| row.id == id);
    html! {
        div.scroll tabindex="0" role="region" aria-label="Editions" {
            table.results data-rows {
                caption { "Editions, the newest first" }
                thead { tr {
                    th scope="col" { "edition" } th scope="col" class="n" { "documents" } th scope="col" { "made" }
                    th scope="col" { "note" } th scope="col" { "compared with this one" }
                } }
                tbody { @for edition in editions(view) {
                    @let label = edition.edition.as_deref().unwrap_or_default();
                    @let stored = row(&edition.edition_id);
                    tr data-row {
                        th.who scope="row" { (link(view.asked.links, &Address::benchmark(&edition.slug), &name(label))) }
                        td.n { (edition.documents) }
                        td { @match stored { Some(row) => (date(row.made)), None => (missing("not known")) } }
                        td { @match stored.filter(|row| !row.note.is_empty()) { Some(row) => (name(&row.note)), None => (missing("nobody wrote one")) } }
                        td {
                            @if edition.slug == view.benchmark.slug { "this edition" }
                            @else if edition.slug == older.slug { "shown below" }
                            @else {
                                @let there = Address::benchmark(&view.benchmark.slug).with(SHOW.name, "editions").with(FROM.name, label);
                                (link(view.asked.links, &there, &html! { "compare" }))
                            }
                        }
                    }
                } }
            }
        }
    }
}

fn documents(words: &str, names: &[String]) -> Markup {
    const NAMED: usize = 20;
    html! {
        @if !names.is_empty() {
            p { (words) " (" (names.len()) "): "
                @for (at, document) in names.iter().take(NAMED).enumerate() { @if at > 0 { ", " } (name(document)) }
                @if names.len() > NAMED { " and " (names.len() - NAMED) " more" }
            }
        }
    }
}

/// What the change of gold changed in scores and ranks of the same outputs.
fn scores(view: &BenchmarkView<'_>, board: &BoardAnswer) -> Markup {
    let value = |cell: Option<&BoardCell>| {
        html! {
            @match cell.and_then(|cell| cell.value) {
                Some(value) => (score(Some(value))),
                None => (missing("not defined: there is nothing to divide by")),
            }
        }
    };
    let ranks = |cell: Option<&BoardCell>| {
        html! {
            @match cell.and_then(BoardCell::ranks) { Some(ranks) => (ranks), None => (missing("not compared with another system")) }
        }
    };
    let difference = |cells: &[BoardCell]| match cells {
        [old, new] => old.value.zip(new.value).map(|(old, new)| new - old),
        _ => None,
    };
    let moved = |cells: &[BoardCell]| matches!(cells, [old, new] if old.rank != new.rank);
    let caption =
        format!("{} {}: the same outputs on both editions", board.measure, board.score_title());
    html! {
        div.scroll tabindex="0" role="region" aria-label=(caption) {
            table.results data-rows {
                caption { (caption) }
                thead {
                    tr {
                        th scope="col" rowspan="2" { "system" }
                        @for column in &board.benchmarks { th.group scope="colgroup" colspan="2" { (name(&column.name)) } }
                        th scope="col" class="n" rowspan="2" { "difference" }
                        th scope="col" rowspan="2" { "rank" }
                    }
                    tr { @for _ in &board.benchmarks { th scope="col" class="n first" { (board.score_title()) } th scope="col" { "rank" } } }
                }
                tbody { @for row in &board.rows { tr data-row {
                    th.who scope="row" { (system(view, &row.system)) }
                    @for at in 0..2 { td.n.first { (value(row.cells.get(at))) } td { (ranks(row.cells.get(at))) } }
                    td.n { @match difference(&row.cells) { Some(difference) => (signed(difference)), None => (missing("not defined")) } }
                    td { @if moved(&row.cells) { b { "moved" } } @else { span.soft { "same" } } }
                } } }
            }
        }
    }
}

/// A difference with its sign.
fn signed(difference: f64) -> String {
    let sign = if difference < 0.0 { "−" } else { "+" };
    format!("{sign}{}", score(Some(difference.abs())))
}

fn system(view: &BenchmarkView<'_>, system: &str) -> Markup {
    let run = view.asked.catalogue.runs.iter().find(|run| run.system == system);
    html! {
        @match run { Some(run) => (link(view.asked.links, &Address::system(&run.system_slug), &name(system))), None => (name(system)) }
    }
}

fn changes(view: &BenchmarkView<'_>, answer: &EditionsAnswer) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Changes" {
            table.caselist data-rows {
                caption { "Changes " (answer.first + 1) " to " (answer.first + answer.changes.len()) " of " (answer.total()) }
                thead { tr {
                    th scope="col" { "change" } th scope="col" class="kw" { "mention in its text" }
                    @for words in ["before", "now", "further", "document"] { th scope="col" { (words) } }
                } }
                tbody { @for change in &answer.changes { (row(view, change)) } }
            }
        }
        (pager(view, answer.first, answer.changes.len(), answer.total()))
    }
}

fn row(view: &BenchmarkView<'_>, change: &EditionChange) -> Markup {
    let place = &change.in_text;
    let shows_texts = view.asked.links.shows_texts(&view.benchmark.slug);
    let words = match shows_texts {
        true => mention_in_text(place),
        false => mention_in_text(&place.clone().alone()),
    };
    let there = change.number.map(|number| {
        let there = Address::document(&view.benchmark.slug, number);
        there.with("at", format!("{}-{}", place.start, place.end))
    });
    let said = |said: &Option<String>| {
        html! {
            @match said { Some(said) => (name(said)), None => (missing("no annotation")) }
        }
    };
    html! {
        tr data-row {
            td data-label="change" { (change.kind.name()) }
            td.kw { @match &there { Some(there) => (link(view.asked.links, there, &words)), None => (words) } }
            td data-label="before" { (said(&change.old)) }
            td data-label="now" { (said(&change.new)) }
            td data-label="further" { (name(&change.in_words())) }
            td data-label="document" { (name(&change.document)) }
        }
    }
}
