//! Who is better, as far as the data can tell.

use super::command::command;
use super::number;
use crate::address::Address;
use crate::components::frame::link;
use crate::components::name::visible;
use crate::components::plot::plot;
use crate::components::results::{ResultsTable, SELECTION, reasons};
use crate::components::table::table;
use crate::page::{AS, Asked, Page, PageContent, QueryKey, convention_text, key};
use crate::refusal::Refusal;
use crate::workbench::{Catalogue, CatalogueBenchmark, Workbench};
use karat::board::{
    BoardAnswer, BoardField, BoardKey, BoardOrder, BoardPart, BoardRequest, BoardShape, BoardView,
    NameFilter, forest, heat_map, visible_table,
};
use karat::comparison::ComparisonAnswer;
use karat::convention::ConventionRequest;
use karat::measures::MEASURES;
use karat::request::AnyAnswer;
use karat::scoring::EvaluationAnswer;
use maud::{Markup, html};
use std::sync::Arc;

/// The board of all systems on all benchmarks.
#[derive(Debug)]
pub(crate) struct Board;

const MEASURE: QueryKey = key("m", "the measure, such as link");
const SYSTEM: QueryKey = key("system", "systems by name, or ~ and a regular expression");
const BENCHMARK: QueryKey = key("benchmark", "benchmarks by name, or ~ and a regular expression");
const SORT: QueryKey =
    key("sort", "columns by which rows are sorted, a minus for the largest first");
const COLS: QueryKey = key("cols", "the columns of each benchmark");
const COMPLETE: QueryKey = key("complete", "only systems with a score on all benchmarks");
const SHAPE: QueryKey = key("shape", "matrix: a row for each system; rows: a row for each run");
const PLOT: QueryKey = key("plot", "forest or heat-map");
const AFTER: QueryKey = key("after", "the rows after so many; all for all rows");

/// So many rows are shown at once.
const ROWS: usize = 200;

impl Page for Board {
    fn path(&self) -> &'static str {
        "/"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[MEASURE, AS, SYSTEM, BENCHMARK, SORT, COLS, COMPLETE, SHAPE, PLOT, AFTER]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        if asked.catalogue.runs.is_empty() {
            return Ok(PageContent {
                title: "Board".to_owned(),
                body: empty(asked.workbench.workspace().is_some()),
                ..PageContent::default()
            });
        }
        let board = board(asked)?;
        let convention = asked.convention()?;
        let here = asked.here(Address::board());
        Ok(PageContent {
            title: "Board".to_owned(),
            sentence: Some(board.sentence()),
            body: body(asked, &board, &here),
            signatures: board.report().signatures,
            command: Some(commands(asked)?),
            notices: board.notices.clone(),
            convention: Some(convention),
            here,
            has_forms: true,
            ..PageContent::default()
        })
    }

    fn answer(&self, asked: &Asked<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        Some(board(asked).map(|board| Arc::new(board) as Arc<dyn AnyAnswer>))
    }

    fn part(&self, asked: &Asked<'_>, name: &str) -> Option<Result<Markup, Refusal>> {
        let here = asked.here(Address::board());
        (name == "rows").then(|| board(asked).and_then(|board| results(asked, &board, &here)))
    }
}

/// The benchmarks that have runs. An edition that has a newer one is left out unless it is named.
fn benchmarks<'c>(
    catalogue: &'c Catalogue,
    named: &[&str],
) -> impl Iterator<Item = &'c CatalogueBenchmark> {
    let has_runs = |it: &&CatalogueBenchmark| catalogue.runs_on(&it.slug).next().is_some();
    let is_meant = |it: &&CatalogueBenchmark| !it.superseded || named.contains(&it.slug.as_str());
    let meant: Vec<&CatalogueBenchmark> =
        catalogue.benchmarks.iter().filter(has_runs).filter(is_meant).collect();
    meant.into_iter()
}

/// The board as it is asked for. Scores and comparisons of a benchmark are kept, so that another view of them
/// takes no time.
fn board(asked: &Asked<'_>) -> Result<BoardAnswer, Refusal> {
    let request = BoardRequest {
        convention: asked.convention()?,
        measure: asked.get(MEASURE).unwrap_or("link").to_owned(),
        view: view(asked)?,
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

fn answered(
    workbench: &Workbench,
    catalogue: &Catalogue,
    named: &[&str],
    request: &BoardRequest,
) -> Result<BoardAnswer, Refusal> {
    type Compared = Result<Arc<ComparisonAnswer>, String>;
    let mut answers: Vec<(Arc<EvaluationAnswer>, Compared)> = Vec::new();
    for benchmark in benchmarks(catalogue, named) {
        let inputs = catalogue.inputs(benchmark, catalogue.runs_on(&benchmark.slug));
        let evaluation = workbench.answer(&request.evaluation(&inputs))?;
        let compared = request
            .comparison(&inputs)
            .and_then(|request| workbench.answer(&request).map_err(|refusal| refusal.to_string()));
        answers.push((evaluation, compared));
    }
    let evaluations: Vec<EvaluationAnswer> =
        answers.iter().map(|(evaluation, _)| without_nothing(evaluation)).collect();
    let parts = evaluations.iter().zip(&answers).map(|(evaluation, (_, compared))| BoardPart {
        evaluation,
        comparison: compared.as_ref().map(AsRef::as_ref).map_err(Clone::clone),
    });
    Ok(BoardAnswer::of(&parts.collect::<Vec<_>>()).viewed(&request.view)?)
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

/// What the address asks to be shown.
fn view(asked: &Asked<'_>) -> Result<BoardView, Refusal> {
    let systems =
        asked.catalogue.runs.iter().map(|run| (run.system_slug.as_str(), run.system.as_str()));
    let names = asked.catalogue.benchmarks.iter().map(|it| (it.slug.as_str(), it.name.as_str()));
    let names: Vec<(&str, &str)> = names.collect();
    Ok(BoardView {
        systems: filter(asked.get(SYSTEM), "system", &systems.collect::<Vec<_>>())?,
        benchmarks: filter(asked.get(BENCHMARK), "benchmark", &names)?,
        sort: asked
            .list(SORT)
            .into_iter()
            .map(|text| order(text, &names))
            .collect::<Result<_, _>>()?,
        fields: asked.list(COLS).into_iter().map(BoardField::from).collect(),
        complete: asked.get(COMPLETE).is_some(),
        shape: match asked.get(SHAPE) {
            None | Some("matrix") => BoardShape::Matrix,
            Some("rows") => BoardShape::Rows,
            Some(other) => return Err(Refusal::missing("shape", other, ["matrix", "rows"])),
        },
    })
}

/// A filter by names as addresses or people write them.
fn filter(text: Option<&str>, what: &str, known: &[(&str, &str)]) -> Result<NameFilter, Refusal> {
    match NameFilter::parse(text.unwrap_or_default())? {
        NameFilter::Names(names) => {
            let named = names.iter().map(|name| {
                let found = known.iter().find(|(slug, full)| slug == name || full == name);
                let found = found.map(|(_, full)| (*full).to_owned());
                found.ok_or_else(|| {
                    Refusal::missing(what, name, known.iter().map(|(slug, _)| *slug))
                })
            });
            Ok(NameFilter::Names(named.collect::<Result<_, _>>()?))
        }
        other => Ok(other),
    }
}

/// A column to sort by: `system`, `mean`, `benchmark`, `score@sample`, and a minus for the largest first.
fn order(text: &str, benchmarks: &[(&str, &str)]) -> Result<BoardOrder, Refusal> {
    let (name, descending) = match text.strip_prefix('-') {
        Some(name) => (name, true),
        None => (text, false),
    };
    let by = match (name, name.split_once('@')) {
        ("system", _) => BoardKey::System,
        ("benchmark", _) => BoardKey::Benchmark,
        ("mean", _) => BoardKey::Mean,
        (_, Some((field, slug))) => {
            let found = benchmarks.iter().find(|(known, _)| *known == slug);
            let found = found.ok_or_else(|| {
                Refusal::missing("benchmark", slug, benchmarks.iter().map(|(known, _)| *known))
            })?;
            BoardKey::Field { benchmark: Some(found.1.to_owned()), field: field.into() }
        }
        (field, None) => BoardKey::Field { benchmark: None, field: field.into() },
    };
    Ok(BoardOrder { by, descending })
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

fn body(asked: &Asked<'_>, board: &BoardAnswer, here: &Address) -> Markup {
    html! {
        @if asked.links.is_live() { (tools(asked, board, here)) (chips(asked, here)) }
        @match asked.get(PLOT) {
            Some("heat-map") => (plot(&heat_map(board), "Scores, systems by benchmarks.", &table("The same in numbers", &visible_table(board)))),
            Some(_) => (plot(&forest(board), "Scores with their intervals and the letters of their groups.", &table("The same in numbers", &visible_table(board)))),
            None => {},
        }
        @match results(asked, board, here) {
            Ok(results) => (results),
            Err(refusal) => p { (refusal.to_string()) },
        }
        (legend(board))
        (selection(asked, board, here))
    }
}

fn results(asked: &Asked<'_>, board: &BoardAnswer, here: &Address) -> Result<Markup, Refusal> {
    let rows = shown_rows(asked, board)?;
    let all = if board.shape == BoardShape::Rows { board.runs.len() } else { board.rows.len() };
    let convention = convention_text(&asked.convention()?);
    let measure = asked.get(MEASURE).unwrap_or("link").to_owned();
    let number = |run: &str| number::address(run, &measure, &convention);
    let next = rows.end;
    let is_part = rows.len() < all;
    let shown = rows.len();
    let results = ResultsTable {
        board,
        catalogue: &asked.catalogue,
        links: asked.links,
        here,
        number: &number,
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

/// Filter, columns, plot and copy: forms and links that need no script.
fn tools(asked: &Asked<'_>, board: &BoardAnswer, here: &Address) -> Markup {
    let toggled = |key: QueryKey, value: &'static str| {
        let value = if asked.get(key) == Some(value) { "" } else { value };
        here.clone().with(key.name, value)
    };
    let several = board.benchmarks.len() > 1;
    html! {
        div.tools role="group" aria-label="What is shown" {
            details { summary { "filter" } (filter_form(asked)) }
            details { summary { "columns" } (columns_form(asked, board)) }
            @if several {
                (link(asked.links, &toggled(SHAPE, "rows"), &html! { (if board.shape == BoardShape::Rows { "a row for each system" } else { "a row for each run" }) }))
            }
            (link(asked.links, &toggled(PLOT, "forest"), &html! { (if asked.get(PLOT) == Some("forest") { "no plot" } else { "plot" }) }))
            @if several {
                (link(asked.links, &toggled(PLOT, "heat-map"), &html! { (if asked.get(PLOT) == Some("heat-map") { "no heat map" } else { "heat map" }) }))
            }
            details {
                summary { "copy" }
                ul.chips {
                    @for form in ["tsv", "latex", "md", "csv", "json"] {
                        @if let Some(href) = asked.links.href(&here.clone().with("format", form)) {
                            li { a href=(href) download data-copy { (form) } }
                        }
                    }
                }
                p.legend role="status" data-copied { "Exactly the cells that are shown." }
            }
        }
    }
}

/// What a form does not change goes on as it is.
fn hidden(asked: &Asked<'_>, changed: &[QueryKey]) -> Markup {
    html! {
        @for (key, value) in &asked.query {
            @if *key != AFTER.name && !changed.iter().any(|changed| changed.name == *key) {
                input type="hidden" name=(key) value=(value);
            }
        }
    }
}

fn filter_form(asked: &Asked<'_>) -> Markup {
    let field = |label: &str, key: QueryKey| {
        html! {
            label { (label) " " input name=(key.name) value=(asked.get(key).unwrap_or_default()) maxlength="201" placeholder="name, or ~regex" autocomplete="off"; }
        }
    };
    html! {
        form method="get" {
            (hidden(asked, &[MEASURE, SYSTEM, BENCHMARK, COMPLETE]))
            label {
                "measure " input name=(MEASURE.name) value=(asked.get(MEASURE).unwrap_or("link")) list="measures" autocomplete="off";
            }
            datalist id="measures" { @for measure in MEASURES { option value=(measure.name) {} } }
            (field("system", SYSTEM))
            (field("benchmark", BENCHMARK))
            label { input type="checkbox" name=(COMPLETE.name) value="1" checked[asked.get(COMPLETE).is_some()]; "only complete rows" }
            button { "Show" }
        }
    }
}

fn columns_form(asked: &Asked<'_>, board: &BoardAnswer) -> Markup {
    let further = board.further_fields().into_iter().filter(|name| !["ptp", "rtp"].contains(name));
    let names: Vec<&str> = BoardField::USUAL.into_iter().chain(further).collect();
    let is_shown = |name: &str| board.fields.iter().any(|field| field.name() == name);
    html! {
        form method="get" {
            (hidden(asked, &[COLS]))
            fieldset {
                @for name in names {
                    label { input type="checkbox" name=(COLS.name) value=(name) checked[is_shown(name)]; (name) }
                }
            }
            button { "Show" }
        }
    }
}

/// What is filtered, each with a link that takes it back.
fn chips(asked: &Asked<'_>, here: &Address) -> Markup {
    let set: Vec<(QueryKey, &str)> = [SYSTEM, BENCHMARK, COMPLETE, SORT, COLS]
        .into_iter()
        .filter_map(|key| Some((key, asked.get(key)?)))
        .collect();
    html! {
        @if !set.is_empty() {
            ul.chips aria-label="Filters" {
                @for (key, value) in set {
                    @if let Some(href) = asked.links.href(&here.clone().with(key.name, "")) {
                        li { a href=(href) title="take this back" { (key.name) " " (visible(value)) " ×" } }
                    }
                }
            }
        }
    }
}

fn legend(board: &BoardAnswer) -> Markup {
    let reasons = reasons(board);
    let not_compared =
        board.benchmarks.iter().filter_map(|it| Some((&it.name, it.not_compared.as_ref()?)));
    html! {
        div.legend {
            @if !board.correction.is_empty() {
                p { "Systems that share a letter were not told apart (" (board.correction) ", 5 %). Ranks and letters are those of all systems, whatever is shown." }
            }
            @for (name, why) in not_compared { p { "Not compared on " (visible(name)) ": " (visible(why)) "." } }
            @if board.left_out > 0 { p { (board.left_out) " more systems are not shown." } }
            @if !reasons.is_empty() { p { "A dash says why: " (reasons.join(" · ")) "." } }
        }
    }
}

/// The form that compares the systems that are selected.
fn selection(asked: &Asked<'_>, board: &BoardAnswer, here: &Address) -> Markup {
    let action = asked.links.href(&Address::path(["compare"]));
    let slug = |name: &str| {
        let found = asked.catalogue.benchmarks.iter().find(|it| it.name == name);
        found.map(|it| it.slug.clone()).unwrap_or_default()
    };
    let carried = here.query().iter().filter(|(key, _)| [MEASURE.name, AS.name].contains(key));
    html! {
        @if let Some(action) = action.filter(|_| board.rows.len() > 1) {
            form.act id=(SELECTION) method="get" action=(action) {
                @for (key, value) in carried { input type="hidden" name=(key) value=(value); }
                @match board.benchmarks.as_slice() {
                    [only] => button name="benchmark" value=(slug(&only.name)) { "Compare selected" },
                    several => {
                        label { "Compare selected on " select name="benchmark" {
                            @for column in several { option value=(slug(&column.name)) { (visible(&column.name)) } }
                        } }
                        button { "Compare" }
                    }
                }
            }
        }
    }
}

fn commands(asked: &Asked<'_>) -> Result<String, Refusal> {
    let convention = asked.convention()?;
    let measure = asked.get(MEASURE).unwrap_or("link");
    let mut lines = Vec::new();
    for benchmark in benchmarks(&asked.catalogue, &asked.list(BENCHMARK)) {
        let runs = || asked.catalogue.runs_on(&benchmark.slug);
        let of = |verb| command(verb, &asked.catalogue, benchmark, runs(), &convention, measure);
        lines.push(of("eval"));
        if runs().count() > 1 {
            lines.push(of("compare"));
        }
    }
    Ok(lines.join("\n"))
}

/// What to do where there is nothing.
fn empty(has_workspace: bool) -> Markup {
    html! {
        div.empty {
            p.result { "There is nothing to show yet." }
            @if has_workspace {
                p { a href="/upload" { "Upload a gold standard" } ", then outputs of systems. Or look at a sample first:" }
                form method="post" action="/sample" { button { "Try the sample" } }
                p { "Many files at once are read by a command:" }
                pre { code { "karat import -g gold.tsv -s mine=mine.tsv -s other=other.ttl" } }
            } @else {
            p { "Give a gold standard and the outputs of systems:" }
            pre { code { "karat serve -g gold.tsv -s mine=mine.tsv -s other=other.ttl" } }
            p { "Or look at the sample that is built in, with three systems:" }
            pre { code { "karat serve --demo" } }
            }
            p { "Formats are recognised by their content; " code { "karat formats" } " lists them." }
        }
    }
}
