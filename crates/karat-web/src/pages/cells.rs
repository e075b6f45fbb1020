//! Numbers on pages are the numbers of `karat eval --format json`.
//!
//! All cells of many views are compared in a random order until 500 were looked at. What a page shows is taken out of
//! its markup, and what it should show is made from the JSON of the request that the command line makes, by a
//! computation of its own that no page has a part in.

use super::{board, run};
use crate::address::Paths;
use crate::page::{Asked, Page};
use crate::workbench::Workbench;
use karat::convention::ConventionRequest;
use karat::request::Request;
use karat::scoring::EvaluationRequest;
use karat::work::Work;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

type Tested<T> = Result<T, Box<dyn std::error::Error>>;

/// So many cells are compared.
const CELLS: usize = 500;

const CONVENTIONS: [&str; 5] = ["karat", "neleval", "gerbil", "elevant", "rosales-2019"];
const MEASURES: [&str; 3] = ["link", "mention", "all"];
const SYSTEMS: [&str; 3] = ["careful", "popular", "spotter"];

/// What stands in a cell, and what should.
struct ComparedCell {
    place: String,
    shown: String,
    expected: String,
}

#[test]
fn five_hundred_random_cells_are_those_of_the_command() -> Tested<()> {
    let workbench = Workbench::of([karat::sample::experiment()?]);
    let mut cells = Vec::new();
    for convention in CONVENTIONS {
        for measure in MEASURES {
            board_cells(&workbench, convention, measure, &mut cells)?;
        }
        for system in SYSTEMS {
            measure_cells(&workbench, convention, system, &mut cells)?;
            for facet in ["type", "entity"] {
                slice_cells(&workbench, convention, system, facet, &mut cells)?;
            }
        }
    }
    assert!(cells.len() > CELLS, "only {} cells", cells.len());
    // A random order that is the same in every run.
    let mut state = 1_u64;
    for at in (1..cells.len()).rev() {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        cells.swap(at, usize::try_from(state >> 33)? % (at + 1));
    }
    let wrong: Vec<String> = cells[..CELLS]
        .iter()
        .filter(|cell| cell.shown != cell.expected)
        .map(|cell| format!("{}: {} instead of {}", cell.place, cell.shown, cell.expected))
        .collect();
    assert!(wrong.is_empty(), "{} cells are wrong:\n{}", wrong.len(), wrong.join("\n"));
    Ok(())
}

/// What the command prints.
fn evaluated(
    workbench: &Workbench,
    convention: &str,
    measures: &[&str],
    group_by: &[&str],
) -> Tested<Value> {
    let catalogue = workbench.catalogue();
    let benchmark = &catalogue.benchmarks[0];
    let request = EvaluationRequest {
        inputs: catalogue.inputs(benchmark, &catalogue.runs),
        convention: ConventionRequest {
            preset: convention.to_owned(),
            ..ConventionRequest::default()
        },
        measures: measures.iter().map(|name| (*name).to_owned()).collect(),
        group_by: group_by.iter().map(|name| (*name).to_owned()).collect(),
        ..EvaluationRequest::default()
    };
    let work = Work { shelf: Some(workbench.shelf()), ..Work::default() };
    let answer = Arc::new(request.answer(&work)?);
    Ok(serde_json::to_value(&*answer)?)
}

/// The markup of a page.
fn page(
    workbench: &Workbench,
    page: &dyn Page,
    id: &str,
    query: &[(&str, &str)],
) -> Tested<String> {
    let pairs: Vec<(String, String)> =
        query.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let parameters = vec![("id".to_owned(), id.to_owned())];
    let asked = Asked::new(page, parameters, &pairs, workbench, &Paths);
    let asked = asked.map_err(|refusal| refusal.to_string())?;
    let content = page.show(&asked).map_err(|refusal| refusal.to_string())?;
    Ok(content.body.into_string())
}

/// The rows of the first table with this in its caption: texts of cells, a dash for what is missing.
fn rows(markup: &str, caption: &str) -> Vec<Vec<String>> {
    let tables =
        markup.split("<table").skip(1).map(|rest| rest.split("</table>").next().unwrap_or(""));
    let mut tables = tables.filter(|table| {
        let found = table.split("</caption>").next().unwrap_or_default();
        plain(found.split("<caption>").nth(1).unwrap_or_default()).contains(caption)
    });
    let Some(table) = tables.next() else { return Vec::new() };
    let body = table.split("</thead>").nth(1).unwrap_or_default();
    let cells = |row: &str| -> Vec<String> {
        let starts = row.split("<t").skip(1).filter(|cell| cell.starts_with(['d', 'h']));
        starts.map(|cell| plain(cell.split_once('>').map_or("", |(_, rest)| rest))).collect()
    };
    body.split("<tr").skip(1).map(cells).collect()
}

/// Markup without its tags, and without what only screen readers say.
fn plain(markup: &str) -> String {
    let mut text = String::new();
    let silent = markup.split("<span class=\"said\">");
    for (place, part) in silent.enumerate() {
        let part = if place == 0 { part } else { part.split_once("</span>").map_or("", |it| it.1) };
        for (place, piece) in part.split('<').enumerate() {
            let piece =
                if place == 0 { piece } else { piece.split_once('>').map_or("", |it| it.1) };
            text.push_str(piece);
        }
    }
    text.replace("&lt;", "<").replace("&amp;", "&").trim().to_owned()
}

/// A score as pages print it.
fn score(value: Option<f64>) -> String {
    value.map_or_else(
        || "–".to_owned(),
        |value| {
            let printed = format!("{value:.3}");
            printed.strip_prefix('0').map_or(printed.clone(), str::to_owned)
        },
    )
}

fn count(value: Option<f64>) -> String {
    value.map_or_else(
        || "–".to_owned(),
        |value| match value.fract() == 0.0 {
            true => format!("{value}"),
            false => format!("{value:.2}"),
        },
    )
}

fn named<'v>(list: &'v Value, key: &str, name: &str) -> Option<&'v Value> {
    list.as_array()?.iter().find(|it| it[key] == name)
}

/// A number of a record; what a convention says of nothing is not shown.
fn number(measure: &Value, name: &str) -> Option<f64> {
    let is_score = !["tp", "fp", "fn"].contains(&name);
    measure[name].as_f64().filter(|_| !(is_score && measure["over_nothing"] == true))
}

fn board_cells(
    workbench: &Workbench,
    convention: &str,
    measure: &str,
    cells: &mut Vec<ComparedCell>,
) -> Tested<()> {
    let answer = evaluated(workbench, convention, &[measure], &[])?;
    let fields = ["score", "precision", "recall", "tp", "fp", "fn"];
    let has = |name: &str| !answer["systems"][0]["measures"][0][name].is_null();
    let fields: Vec<&str> = fields.into_iter().filter(|it| *it == "score" || has(it)).collect();
    let query = [("m", measure), ("as", convention), ("cols", &fields.join(","))];
    let markup = page(workbench, &board::Board, "", &query)?;
    for row in rows(&markup, measure) {
        let system = &row[1];
        let found = named(&answer["systems"], "name", system).ok_or("no such system")?;
        let record = &found["measures"][0];
        for (field, shown) in fields.iter().zip(&row[2..]) {
            let expected = match *field {
                "score" => score(number(record, "f1")),
                "tp" | "fp" | "fn" => count(number(record, field)),
                field => score(number(record, field)),
            };
            let place = format!("board as {convention}, {measure} {field} of {system}");
            cells.push(ComparedCell { place, shown: shown.clone(), expected });
        }
    }
    Ok(())
}

fn measure_cells(
    workbench: &Workbench,
    convention: &str,
    system: &str,
    cells: &mut Vec<ComparedCell>,
) -> Tested<()> {
    let answer = evaluated(workbench, convention, &[], &[])?;
    let id = format!("{system}@sample");
    let markup = page(workbench, &run::RunPage, &id, &[("as", convention)])?;
    let found = named(&answer["systems"], "name", system).ok_or("no such system")?;
    let by_name: BTreeMap<&str, &Value> = found["measures"]
        .as_array()
        .ok_or("no measures")?
        .iter()
        .filter_map(|it| Some((it["name"].as_str()?, it)))
        .collect();
    for row in rows(&markup, "What the run reaches") {
        let record = by_name.get(row[0].as_str()).ok_or("no such measure")?;
        let has_f1 = record.get("f1").is_some();
        for (at, name) in ["tp", "fp", "fn", "precision", "recall", "f1"].into_iter().enumerate() {
            if name == "f1" && !has_f1 {
                continue;
            }
            let expected = match at < 3 {
                true => count(number(record, name)),
                false => score(number(record, name)),
            };
            let place = format!("{system} as {convention}, {} {name}", row[0]);
            cells.push(ComparedCell { place, shown: row[at + 1].clone(), expected });
        }
    }
    Ok(())
}

fn slice_cells(
    workbench: &Workbench,
    convention: &str,
    system: &str,
    facet: &str,
    cells: &mut Vec<ComparedCell>,
) -> Tested<()> {
    let answer = evaluated(workbench, convention, &["link"], &[facet])?;
    let id = format!("{system}@sample");
    let query = [("show", "slices"), ("by", facet), ("as", convention)];
    let markup = page(workbench, &run::RunPage, &id, &query)?;
    let found = named(&answer["systems"], "name", system).ok_or("no such system")?;
    for row in rows(&markup, "Links by") {
        let slice = named(&found["slices"], "label", &row[0]).ok_or("no such slice")?;
        let record = &slice["measures"][0];
        let names = ["tp", "fp", "fn", "precision", "recall", "f1"];
        for (name, shown) in names.into_iter().zip(&row[2..]) {
            let expected = match ["tp", "fp", "fn"].contains(&name) {
                true => count(record[name].as_f64()),
                false => score(record[name].as_f64()),
            };
            let place = format!("{system} as {convention}, {facet} {} {name}", row[0]);
            cells.push(ComparedCell { place, shown: shown.clone(), expected });
        }
    }
    Ok(())
}
