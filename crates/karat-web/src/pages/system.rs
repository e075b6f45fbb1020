//! The systems, and the runs of each.

use super::board::made;
use super::number;
use crate::address::Address;
use crate::components::cases::missing;
use crate::components::empty::nothing_yet;
use crate::components::frame::link;
use crate::components::name::{name, visible};
use crate::components::plot::plot;
use crate::components::table::{figures, score, table};
use crate::components::text::counted;
use crate::components::time::date;
use crate::page::{AS, Asked, Page, PageContent, QueryKey, convention_text, key};
use crate::refusal::Refusal;
use crate::workbench::CatalogueRun;
use karat::board::{
    BoardAnswer, BoardCell, BoardField, BoardShape, BoardView, DatedRun, NameFilter, forest,
    over_time, visible_table,
};
use karat::report::plot::Plot;
use karat::request::AnyAnswer;
use maud::{Markup, html};
use std::collections::BTreeSet;
use std::sync::Arc;

/// All systems.
#[derive(Debug)]
pub(crate) struct Systems;

/// One system and its runs.
#[derive(Debug)]
pub(crate) struct SystemPage;

const MEASURE: QueryKey = key("m", "the measure, such as link");

impl Page for Systems {
    fn path(&self) -> &'static str {
        "/systems"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let mut systems: Vec<(&str, &str, Vec<&CatalogueRun>)> = Vec::new();
        for run in &asked.catalogue.runs {
            match systems.iter_mut().find(|(slug, ..)| *slug == run.system_slug) {
                Some((.., runs)) => runs.push(run),
                None => systems.push((&run.system_slug, &run.system, vec![run])),
            }
        }
        let benchmarks: BTreeSet<&str> =
            asked.catalogue.runs.iter().map(|run| run.benchmark.as_str()).collect();
        let body = html! {
            @if systems.is_empty() { (nothing_yet(asked.workbench.workspace().is_some())) }
            @else {
                div.scroll tabindex="0" role="region" aria-label="Systems" {
                    table.results data-rows {
                        caption { "Each benchmark on which a system has a run leads to that run." }
                        thead { tr { th scope="col" { "system" } th scope="col" class="n" { "runs" } th scope="col" { "benchmarks" } } }
                        tbody { @for (slug, system, runs) in &systems { tr data-row {
                            th.who scope="row" {
                                (link(asked.links, &Address::system(slug), &name(system)))
                                @if runs.iter().any(|run| run.deprecated) { " " span.soft { "deprecated" } }
                            }
                            td.n { (runs.len()) }
                            td { @for (at, run) in runs.iter().enumerate() { @if at > 0 { ", " } (link(asked.links, &Address::run(&run.id), &name(&run.benchmark))) } }
                        } } }
                    }
                }
            }
        };
        let has_old = asked.catalogue.runs.iter().any(|run| run.deprecated);
        let body = html! {
            (body)
            @if has_old {
                p.legend { (link(asked.links, &Address::board().with("where", "-deprecated"), &html! { "The board without deprecated systems" })) }
            }
            @if asked.workbench.workspace().is_some() {
                p.legend { "Groups of systems are " (link(asked.links, &Address::path(["boards"]), &html! { "saved boards" })) ": choose systems on the board, and save the view." }
            }
        };
        Ok(PageContent {
            title: "Systems".to_owned(),
            sentence: (!systems.is_empty()).then(|| {
                format!(
                    "{} on {}.",
                    counted(systems.len(), "system", "systems"),
                    counted(benchmarks.len(), "benchmark", "benchmarks")
                )
            }),
            here: asked.here(Address::systems()),
            body,
            ..PageContent::default()
        })
    }
}

impl Page for SystemPage {
    fn path(&self) -> &'static str {
        "/systems/{slug}"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[MEASURE, AS]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let runs = runs(asked)?;
        let board = board(asked)?;
        let convention = asked.convention()?;
        let slug = asked.parameter("slug");
        let body = html! {
            @if runs.iter().any(|run| run.deprecated) { p.note { "This system is deprecated: something better took its place." } }
            (scores(asked, &board, &runs))
            @if board.benchmarks.len() > 1 {
                (plot(&forest(&board), "Scores with their intervals, by benchmark.", &table("The same in numbers", &visible_table(&board))))
            }
            @if let Some(plotted) = over_time(&board, &dated(asked, &runs)) {
                (plot(&plotted, "Scores of all runs over time, with their intervals.", &before(asked, &board, &runs)))
            } @else if runs.iter().any(|run| run.sent.is_some()) {
                p.legend { "There is one run on each benchmark: scores over time are shown as soon as a second one is sent." }
            }
            @if runs.iter().all(|run| run.sent.is_none()) {
                p.legend {
                    "Files say nothing of when a run was made, so that there are no scores over time and no run before this one to compare with."
                }
            }
        };
        Ok(PageContent {
            title: visible(&runs[0].system),
            crumbs: vec![
                ("Board".to_owned(), Address::board()),
                ("Systems".to_owned(), Address::systems()),
            ],
            sentence: Some(board.sentence_of(&runs[0].system)),
            convention: Some(convention),
            here: asked.here(Address::system(slug)),
            edit: asked.edit("system", slug),
            body,
            signatures: board.report().signatures,
            notices: board.notices.clone(),
            has_forms: true,
            ..PageContent::default()
        })
    }

    fn answer(&self, asked: &Asked<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        Some(board(asked).map(|board| Arc::new(board) as Arc<dyn AnyAnswer>))
    }

    fn plot(&self, asked: &Asked<'_>, kind: &str) -> Option<Result<Box<dyn Plot>, Refusal>> {
        let drawn = || board(asked).map(|board| Box::new(forest(&board)) as Box<dyn Plot>);
        (kind == "system").then(drawn)
    }
}

/// The runs with when they were sent, for the plot.
fn dated(asked: &Asked<'_>, runs: &[&CatalogueRun]) -> Vec<DatedRun> {
    let of_run = |run: &&CatalogueRun| {
        let benchmark = asked.catalogue.benchmark(&run.benchmark).ok()?;
        Some(DatedRun {
            system: run.system.clone(),
            benchmark: benchmark.name.clone(),
            at: run.sent?,
        })
    };
    runs.iter().filter_map(of_run).collect()
}

/// The runs on each benchmark by date, each beside the one before it.
fn before(asked: &Asked<'_>, board: &BoardAnswer, runs: &[&CatalogueRun]) -> Markup {
    let mut sorted: Vec<&CatalogueRun> = runs.to_vec();
    sorted.sort_by_key(|run| (run.benchmark.clone(), run.sent));
    let value = |run: &CatalogueRun| {
        let benchmark = asked.catalogue.benchmark(&run.benchmark).ok()?;
        board.cell(&run.system, &benchmark.name)?.value
    };
    let pairs = sorted.iter().enumerate().map(|(at, run)| {
        let before = at.checked_sub(1).map(|at| sorted[at]);
        (*run, before.filter(|before| before.benchmark == run.benchmark))
    });
    html! {
        div.scroll tabindex="0" role="region" aria-label="Runs by date" {
            table.results data-rows {
                caption { "Runs by date, and what changed from one to the next" }
                thead { tr {
                    @for words in ["sent", "run", "benchmark"] { th scope="col" { (words) } }
                    th scope="col" class="n" { (board.score_title()) } th scope="col" class="n" { "difference" } th scope="col" { "won and lost" }
                } }
                tbody { @for (run, before) in pairs { tr data-row {
                    td { @match run.sent { Some(sent) => (date(sent)), None => (missing("not known")) } }
                    th.who scope="row" { (link(asked.links, &Address::run(&run.id), &name(&run.system))) }
                    td { (link(asked.links, &Address::benchmark(&run.benchmark), &name(&run.benchmark))) }
                    td.n { @match value(run) { Some(value) => (score(Some(value))), None => (missing("not defined")) } }
                    @match before {
                        None => { td.n { (missing("the first run")) } td { span.soft { "the first run" } } },
                        Some(before) => {
                            td.n { @match value(run).zip(value(before)) {
                                Some((now, then)) => { (if now < then { "−" } else { "+" }) (score(Some((now - then).abs()))) },
                                None => (missing("not defined")),
                            } }
                            td { (link(asked.links, &Address::compare([before.id.as_str(), run.id.as_str()]), &html! { "against the run before" })) }
                        },
                    }
                } } }
            }
        }
    }
}

fn runs<'a>(asked: &'a Asked<'_>) -> Result<Vec<&'a CatalogueRun>, Refusal> {
    let slug = asked.parameter("slug");
    let all = &asked.catalogue.runs;
    let runs: Vec<&CatalogueRun> = all.iter().filter(|run| run.system_slug == slug).collect();
    match runs.is_empty() {
        true => {
            Err(Refusal::missing("system", slug, all.iter().map(|run| run.system_slug.as_str())))
        }
        false => Ok(runs),
    }
}

/// The board with this system alone. Its ranks and letters are those among all systems.
fn board(asked: &Asked<'_>) -> Result<BoardAnswer, Refusal> {
    // A system may have several runs on a benchmark, which are told apart by their labels.
    let systems = runs(asked)?.iter().map(|run| run.system.clone()).collect();
    let fields = ["rank", "score", "interval", "group", "precision", "recall"];
    let view = BoardView {
        systems: NameFilter::Names(systems),
        shape: BoardShape::Rows,
        ..BoardView::default()
    };
    let measure = asked.get(MEASURE).unwrap_or("link");
    let board = made(asked, asked.convention()?, measure, None, view.clone())?;
    // Not every measure has all of these.
    let further = board.further_fields();
    let is_known = |name: &&str| BoardField::USUAL.contains(name) || further.contains(name);
    let fields = fields.into_iter().filter(is_known).map(BoardField::from).collect();
    made(asked, asked.convention()?, measure, None, BoardView { fields, ..view })
}

fn scores(asked: &Asked<'_>, board: &BoardAnswer, runs: &[&CatalogueRun]) -> Markup {
    let convention = asked.convention().map(|it| convention_text(&it)).unwrap_or_default();
    let measure = asked.get(MEASURE).unwrap_or("link");
    let caption = format!("{} {} by benchmark", board.measure, board.score_title());
    let dated = runs.iter().any(|run| run.sent.is_some());
    let row = |run: &CatalogueRun| {
        let benchmark = asked.catalogue.benchmark(&run.benchmark).ok()?;
        Some((benchmark, board.cell(&run.system, &benchmark.name)?))
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label=(caption) {
            table.results data-rows {
                caption { (caption) }
                thead { tr {
                    th scope="col" { "benchmark" }
                    @for field in &board.fields { th scope="col" class=[is_figure(field).then_some("n")] { (title(board, field)) } }
                    @if dated { th scope="col" { "sent" } th scope="col" class="n" { "seconds" } }
                    th scope="col" { "more" }
                } }
                tbody { @for run in runs { @if let Some((benchmark, cell)) = row(run) {
                    tr data-row {
                        th.who scope="row" { (link(asked.links, &Address::run(&run.id).with("as", convention.clone()), &name(&benchmark.name))) }
                        @for field in &board.fields {
                            td class=[is_figure(field).then_some("n")] {
                                @if field.name() == "score" && cell.value.is_some() {
                                    @match asked.links.href(&number::address(&run.id, measure, &convention)) {
                                        Some(href) => a href=(href) data-card { (shown(field, cell)) },
                                        None => (shown(field, cell)),
                                    }
                                } @else { (shown(field, cell)) }
                            }
                        }
                        @if dated {
                            td { @match run.sent { Some(sent) => (date(sent)), None => (missing("not known")) } }
                            td.n { @match run.seconds { Some(seconds) => (seconds), None => (missing("nobody said how long it took")) } }
                        }
                        td.together {
                            (link(asked.links, &Address::run(&run.id).with("show", "errors").with("as", convention.clone()), &html! { "errors" })) " · "
                            (link(asked.links, &Address::conventions(&run.id), &html! { "conventions" })) " · "
                            (link(asked.links, &Address::benchmark(&run.benchmark), &html! { "benchmark" }))
                        }
                    }
                } } }
            }
        }
    }
}

fn is_figure(field: &BoardField) -> bool {
    !["rank", "interval", "group"].contains(&field.name())
}

fn title(board: &BoardAnswer, field: &BoardField) -> String {
    match field.name() {
        "score" => board.score_title(),
        "interval" => format!("{} %", board.level.unwrap_or(95.0)),
        name => name.to_owned(),
    }
}

fn shown(field: &BoardField, cell: &BoardCell) -> Markup {
    let why = cell.state.reason().unwrap_or("not compared with another system");
    html! {
        @match field.name() {
            "rank" => @match cell.ranks() { Some(ranks) => (ranks), None => (missing(why)) },
            "interval" => @match cell.ci {
                Some([low, high]) => span.soft { (score(Some(low))) "–" (score(Some(high))) },
                None => (missing("too few documents for an interval")),
            },
            "group" => @if cell.letters.is_empty() { (missing(why)) } @else { (cell.letters) },
            _ => @match field.number(cell) {
                Some(value) => (figures(&format!("{value:.3}"))),
                None => (missing(cell.state.reason().unwrap_or("not defined"))),
            },
        }
    }
}
