//! Who is better, as far as the data can tell.

mod list;
mod plots;
pub(crate) mod saved;
mod tools;
mod view;
mod welcome;

pub(crate) use list::Boards;

use super::number;
use crate::address::Address;
use crate::components::empty::nothing_yet;
use crate::components::frame::link;
use crate::components::name::visible;
use crate::components::plot::plot;
use crate::components::results::{ResultsTable, reasons};
use crate::components::table::table;
use crate::components::wording::correction_words;
use crate::page::{AS, Asked, Page, PageContent, QueryKey, convention_text, key};
use crate::refusal::Refusal;
use crate::workbench::{Catalogue, CatalogueBenchmark, Workbench};
use karat::board::{
    BoardAnswer, BoardField, BoardPart, BoardRequest, BoardShape, BoardView, NotCompared, forest,
    heat_map, visible_table,
};
use karat::comparison::ComparisonAnswer;
use karat::convention::ConventionRequest;
use karat::errors::ErrorRatesAnswer;
use karat::report::plot::Plot;
use karat::request::AnyAnswer;
use karat::scoring::EvaluationAnswer;
use maud::{Markup, html};
use saved::SavedBoard;
use std::sync::Arc;

/// The board of all systems on all benchmarks.
#[derive(Debug)]
pub(crate) struct Board;

/// A board that was saved.
#[derive(Debug)]
pub(crate) struct NamedBoard;

const MEASURE: QueryKey = key("m", "the measure, such as link");
const SYSTEM: QueryKey = key("system", "systems by name, or ~ and a regular expression");
const BENCHMARK: QueryKey = key("benchmark", "benchmarks by name, or ~ and a regular expression");
const SORT: QueryKey =
    key("sort", "columns by which rows are sorted, a minus for the largest first");
const COLS: QueryKey = key("cols", "the columns of each benchmark");
const BY: QueryKey =
    key("by", "a facet whose labels become columns, such as type; error for error rates");
const GROUP: QueryKey = key("group", "puts runs together: by system or by benchmark");
const WHERE: QueryKey = key("where", "-deprecated leaves out systems that are deprecated");
const COMPLETE: QueryKey = key("complete", "only systems with a score on all benchmarks");
const SHAPE: QueryKey = key("shape", "matrix: a row for each system; rows: a row for each run");
const PLOT: QueryKey = key("plot", "forest, heat-map, radar or features");
const AFTER: QueryKey = key("after", "the rows after so many; all for all rows");

/// What a view of a board is made of.
const KEYS: &[QueryKey] =
    &[MEASURE, AS, SYSTEM, BENCHMARK, WHERE, GROUP, SORT, COLS, BY, COMPLETE, SHAPE, PLOT, AFTER];

/// So many rows are shown at once.
const ROWS: usize = 200;

impl Page for Board {
    fn path(&self) -> &'static str {
        "/"
    }

    fn keys(&self) -> &'static [QueryKey] {
        KEYS
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        if asked.catalogue.runs.is_empty() {
            return Ok(PageContent {
                title: "Board".to_owned(),
                body: nothing_yet(asked.workbench.workspace().is_some()),
                ..PageContent::default()
            });
        }
        let board = board(asked)?;
        let here = asked.here(Address::board());
        Ok(PageContent {
            body: html! {
                (welcome::welcome(asked, &board))
                (body(asked, &board, &here, &tools::save(asked)))
            },
            ..content(asked, &board, here)?
        })
    }

    fn answer(&self, asked: &Asked<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        Some(board(asked).map(|board| Arc::new(board) as Arc<dyn AnyAnswer>))
    }

    fn plot(&self, asked: &Asked<'_>, kind: &str) -> Option<Result<Box<dyn Plot>, Refusal>> {
        let made: fn(&BoardAnswer) -> Box<dyn Plot> = match kind {
            "board" => |board| Box::new(forest(board)),
            "heat-map" => |board| Box::new(heat_map(board)),
            _ => return None,
        };
        Some(board(asked).map(|board| made(&board)))
    }

    fn part(&self, asked: &Asked<'_>, name: &str) -> Option<Result<Markup, Refusal>> {
        let here = asked.here(Address::board());
        (name == "rows").then(|| board(asked).and_then(|board| results(asked, &board, &here)))
    }
}

impl Page for NamedBoard {
    fn path(&self) -> &'static str {
        "/boards/{board}"
    }

    fn keys(&self) -> &'static [QueryKey] {
        KEYS
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let saved = SavedBoard::of(asked)?;
        let asked = saved.asked(asked)?;
        let board = saved.board(&asked)?;
        let here = saved.here(&asked);
        Ok(PageContent {
            title: visible(saved.title()),
            crumbs: vec![("Boards".to_owned(), Address::path(["boards"]))],
            edit: asked.edit("board", &saved.row.slug),
            body: html! {
                (saved.standing(&asked))
                (body(&asked, &board, &here, &saved.tools(&asked)))
            },
            // What is frozen cannot be changed.
            convention: saved.can_change().then(|| asked.convention()).transpose()?,
            ..content(&asked, &board, here)?
        })
    }

    fn answer(&self, asked: &Asked<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        // For programs, the board of everything has a name as well.
        if asked.parameter("board") == ALL {
            return Board.answer(asked);
        }
        let board = SavedBoard::of(asked).and_then(|saved| saved.board(&saved.asked(asked)?));
        Some(board.map(|board| Arc::new(board) as Arc<dyn AnyAnswer>))
    }

    fn part(&self, asked: &Asked<'_>, name: &str) -> Option<Result<Markup, Refusal>> {
        (name == "rows").then(|| {
            let saved = SavedBoard::of(asked)?;
            let asked = saved.asked(asked)?;
            results(&asked, &saved.board(&asked)?, &saved.here(&asked))
        })
    }
}

/// What the API calls the board of everything.
const ALL: &str = "all";

/// What pages of boards have in common, but for the body.
fn content(asked: &Asked<'_>, board: &BoardAnswer, here: Address) -> Result<PageContent, Refusal> {
    Ok(PageContent {
        title: "Board".to_owned(),
        sentence: Some(board.sentence()),
        signatures: board.report().signatures,
        command: Some(commands(asked)?),
        notices: board.notices.clone(),
        convention: Some(asked.convention()?),
        here,
        has_forms: true,
        ..PageContent::default()
    })
}

/// The benchmarks that have runs. An edition that has a newer one is left out unless it is named.
fn benchmarks<'c>(
    catalogue: &'c Catalogue,
    named: &[&str],
) -> impl Iterator<Item = &'c CatalogueBenchmark> {
    let has_runs = |it: &&CatalogueBenchmark| catalogue.runs_on(&it.slug).next().is_some();
    let is_meant = |it: &&CatalogueBenchmark| !it.superseded || named.contains(&it.slug.as_str());
    let mut meant: Vec<&CatalogueBenchmark> =
        catalogue.benchmarks.iter().filter(has_runs).filter(is_meant).collect();
    // Those that are named stand in the order in which they are named.
    let place = |it: &&CatalogueBenchmark| named.iter().position(|name| *name == it.slug);
    meant.sort_by_key(|it| place(it).unwrap_or(usize::MAX));
    meant.into_iter()
}

/// The board as it is asked for.
fn board(asked: &Asked<'_>) -> Result<BoardAnswer, Refusal> {
    let measure = asked.get(MEASURE).unwrap_or("link");
    made(asked, asked.convention()?, measure, asked.get(BY), view::asked(asked, None)?)
}

/// What is asked for, without a view of it.
fn request(asked: &Asked<'_>) -> Result<BoardRequest, Refusal> {
    Ok(BoardRequest {
        convention: asked.convention()?,
        measure: asked.get(MEASURE).unwrap_or("link").to_owned(),
        by: asked.get(BY).map(str::to_owned),
        ..BoardRequest::default()
    })
}

/// A board of what a reader may see.
pub(super) fn made(
    asked: &Asked<'_>,
    convention: ConventionRequest,
    measure: &str,
    by: Option<&str>,
    view: BoardView,
) -> Result<BoardAnswer, Refusal> {
    let request = BoardRequest {
        convention,
        measure: measure.to_owned(),
        by: by.map(str::to_owned),
        view,
        ..BoardRequest::default()
    };
    answered(asked.workbench, &asked.catalogue, &asked.list(BENCHMARK), &request)
}

/// The whole board by a measure under a convention, as a page would show it.
pub(crate) fn board_of(
    workbench: &Workbench,
    convention: &ConventionRequest,
    measure: &str,
) -> Result<BoardAnswer, Refusal> {
    let (convention, measure) = (convention.clone(), measure.to_owned());
    let request = BoardRequest { convention, measure, ..BoardRequest::default() };
    answered(workbench, &workbench.catalogue(), &[], &request)
}

/// What a board is made of, for one benchmark.
struct BenchmarkAnswers {
    evaluation: Arc<EvaluationAnswer>,
    compared: Result<Arc<ComparisonAnswer>, NotCompared>,
    errors: Vec<(String, Arc<ErrorRatesAnswer>)>,
}

/// A board as it is viewed.
fn answered(
    workbench: &Workbench,
    catalogue: &Catalogue,
    named: &[&str],
    request: &BoardRequest,
) -> Result<BoardAnswer, Refusal> {
    Ok(whole(workbench, catalogue, named, request)?.viewed(&request.view)?)
}

/// A whole board. Scores and comparisons of a benchmark are kept, so that another view of them takes no time.
fn whole(
    workbench: &Workbench,
    catalogue: &Catalogue,
    named: &[&str],
    request: &BoardRequest,
) -> Result<BoardAnswer, Refusal> {
    let mut answers: Vec<BenchmarkAnswers> = Vec::new();
    // Scores of parts tell much of a gold standard that is hidden.
    let is_shown = |it: &&CatalogueBenchmark| request.by.is_none() || !it.gold_hidden;
    for benchmark in benchmarks(catalogue, named).filter(is_shown) {
        let inputs = catalogue.inputs(benchmark, catalogue.runs_on(&benchmark.slug));
        let evaluation = workbench.answer(&request.evaluation(&inputs))?;
        let compared = request
            .comparison(&inputs)
            .and_then(|request| workbench.answer(&request).map_err(NotCompared::refused));
        let systems: Vec<&str> = evaluation.systems.iter().map(|it| it.name.as_str()).collect();
        let mut errors = Vec::new();
        for (system, request) in request.errors(&inputs, &systems) {
            errors.push((system, workbench.answer(&request)?));
        }
        answers.push(BenchmarkAnswers { evaluation, compared, errors });
    }
    let evaluations: Vec<EvaluationAnswer> =
        answers.iter().map(|answers| without_nothing(&answers.evaluation)).collect();
    let parts = evaluations.iter().zip(&answers).map(|(evaluation, answers)| BoardPart {
        evaluation,
        comparison: answers.compared.as_ref().map(AsRef::as_ref).map_err(Clone::clone),
        errors: answers.errors.iter().map(|(name, rates)| (name.as_str(), &**rates)).collect(),
    });
    Ok(BoardAnswer::of(&parts.collect::<Vec<_>>()))
}

/// The answer without what a convention calls the score of nothing: it would stand first on the board.
fn without_nothing(evaluation: &EvaluationAnswer) -> EvaluationAnswer {
    let mut evaluation = evaluation.clone();
    let measures = evaluation.systems.iter_mut().flat_map(|system| &mut system.measures);
    for measure in measures.filter(|measure| measure.over_nothing) {
        measure.scores.iter_mut().for_each(|(_, value)| *value = None);
        measure.ci.clear();
        measure.mean = None;
    }
    evaluation
}

/// Which rows are shown.
fn shown_rows(asked: &Asked<'_>, board: &BoardAnswer) -> Result<std::ops::Range<usize>, Refusal> {
    let all = match board.shape {
        BoardShape::Matrix => board.rows.len(),
        BoardShape::Rows => board.runs.len(),
    };
    match asked.get(AFTER) {
        Some("all") => Ok(0..all),
        None => Ok(0..all.min(ROWS)),
        Some(number) => {
            let start: usize = number.parse().map_err(|_| {
                Refusal::bad_request(format!("{number} is no number of rows"), "write after=200")
            })?;
            Ok(start.min(all)..all.min(start.saturating_add(ROWS)))
        }
    }
}

fn body(asked: &Asked<'_>, board: &BoardAnswer, here: &Address, more: &Markup) -> Markup {
    html! {
        @if asked.links.is_live() { (tools::tools(asked, board, here, more)) (tools::chips(asked, here)) }
        @match asked.get(PLOT) {
            Some("radar") => @match plots::linked_radar(asked, board) {
                Some(radar) => (plot(&radar, "Scores by benchmark.", &table("The same in numbers", &visible_table(board)))),
                None => p { "A radar has three to eight benchmarks." },
            },
            Some("heat-map") => (plot(&plots::linked_heat_map(asked, board), "Scores, systems by benchmarks.", &table("The same in numbers", &visible_table(board)))),
            Some("features") => (plots::features(asked, board)),
            Some(_) => (plot(&plots::linked_forest(asked, board), "Scores with their intervals and the letters of their groups.", &table("The same in numbers", &visible_table(board)))),
            None => {},
        }
        @match results(asked, board, here) {
            Ok(results) => (results),
            Err(refusal) => p { (refusal.to_string()) },
        }
        (legend(asked, board, here))
        (tools::selection(asked, board, here))
    }
}

fn results(asked: &Asked<'_>, board: &BoardAnswer, here: &Address) -> Result<Markup, Refusal> {
    let rows = shown_rows(asked, board)?;
    let all = if board.shape == BoardShape::Rows { board.runs.len() } else { board.rows.len() };
    let convention = convention_text(&asked.convention()?);
    let measure = asked.get(MEASURE).unwrap_or("link").to_owned();
    let number = |run: &str| number::address(run, &measure, &convention);
    let cases = |run: &str, filter: &str| {
        let address = Address::run(run).with("show", "cases").with("where", filter);
        address.with("as", convention.clone())
    };
    let next = rows.end;
    let is_part = rows.len() < all;
    let shown = rows.len();
    let results = ResultsTable {
        board,
        catalogue: &asked.catalogue,
        links: asked.links,
        here,
        number: &number,
        cases: &cases,
        rows,
    };
    Ok(html! {
        div data-part="rows" {
            (results.show())
            @if is_part {
                p.legend {
                    (shown) " of " (all) " rows. "
                    @if next < all { (link(asked.links, &here.clone().with("after", next.to_string()), &html! { "next" })) " · " }
                    (link(asked.links, &here.clone().with("after", "all"), &html! { "all" }))
                }
            }
            @if board.rows.is_empty() { p { "No system fits. " (link(asked.links, &Address::board(), &html! { "Show all." })) } }
        }
    })
}

/// Over how many benchmarks means are.
fn mean_in_words(board: &BoardAnswer) -> Option<String> {
    let benchmarks = board.benchmarks.len();
    let without = board.rows.iter().filter(|row| row.mean.is_none()).count();
    if benchmarks < 2 || board.shape == BoardShape::Rows {
        return None;
    }
    let rest = match without {
        0 => String::new(),
        1 => "; 1 system lacks a score on some and has no mean".to_owned(),
        more => format!("; {more} systems lack a score on some and have no mean"),
    };
    Some(format!(
        "The mean is over the {benchmarks} benchmarks that are shown, each with the same weight{rest}."
    ))
}

fn legend(asked: &Asked<'_>, board: &BoardAnswer, here: &Address) -> Markup {
    let tested = here.clone().with(COLS.name, BoardField::USUAL.join(","));
    let reasons = reasons(board);
    let not_compared =
        board.benchmarks.iter().filter_map(|it| Some((&it.name, it.not_compared.as_ref()?)));
    html! {
        div.legend {
            @if !board.correction.is_empty() && board.fields.iter().any(|field| field.name() == "group") {
                p { "Systems that share a letter were not told apart (" (correction_words(&board.correction)) ", 5 %). Ranks and letters are those of all systems, whatever is shown." }
            } @else if !board.correction.is_empty() && board.rows.iter().any(|row| row.cells.iter().any(|cell| cell.leads)) {
                p { "Bold: no system is shown to be better (" (correction_words(&board.correction)) ", 5 %), and some are shown to be worse." }
            }
            @if !board.correction.is_empty() && !board.shows_tests() {
                p { "Scores alone do not say who is better: " (link(asked.links, &tested, &html! { "ranks, intervals and groups" })) "." }
            }
            @if let Some(words) = mean_in_words(board) { p { (words) } }
            @for (name, why) in not_compared { p { "Not compared on " (visible(name)) ": " (visible(why)) "." } }
            @if board.left_out > 0 { p { (board.left_out) " more systems are not shown." } }
            @if !reasons.is_empty() { p { "A dash says why: " (reasons.join(" · ")) "." } }
        }
    }
}

/// The commands that have the numbers of the board.
fn commands(asked: &Asked<'_>) -> Result<String, Refusal> {
    let (catalogue, named) = (&asked.catalogue, asked.list(BENCHMARK));
    let inputs = |it: &CatalogueBenchmark| catalogue.inputs(it, catalogue.runs_on(&it.slug));
    let request = BoardRequest {
        benchmarks: benchmarks(catalogue, &named).map(inputs).collect(),
        convention: asked.convention()?,
        measure: asked.get(MEASURE).unwrap_or("link").to_owned(),
        by: asked.get(BY).map(str::to_owned),
        ..BoardRequest::default()
    };
    Ok(catalogue.commands(&request))
}
