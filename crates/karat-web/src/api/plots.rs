//! Plots of pages as files.

use super::answers::asked_of;
use super::call::{Call, boxed};
use super::etag::tagged;
use super::operation::{Gives, Handler, Operation, READ, Tells};
use super::problem::Problem;
use crate::page::{AS, Page, QueryKey, key};
use crate::pages::board::Board;
use crate::pages::compare::Compare;
use crate::pages::conventions::Conventions;
use crate::pages::run::RunPage;
use crate::pages::system::SystemPage;
use axum::response::Response;
use karat::model::closest;

/// A kind of plot.
struct PlotKind {
    /// Its name.
    name: &'static str,
    /// The page that shows it.
    page: &'static dyn Page,
    /// The part of the page that shows it.
    fixed: &'static [(&'static str, &'static str)],
}

/// All kinds, one line each.
static PLOTS: &[PlotKind] = &[
    PlotKind { name: "board", page: &Board, fixed: &[] },
    PlotKind { name: "heat-map", page: &Board, fixed: &[] },
    PlotKind { name: "comparison", page: &Compare, fixed: &[] },
    PlotKind { name: "critical-difference", page: &Compare, fixed: &[] },
    PlotKind { name: "conventions", page: &Conventions, fixed: &[] },
    PlotKind { name: "system", page: &SystemPage, fixed: &[] },
    PlotKind { name: "average-precision", page: &RunPage, fixed: &[("show", "curves")] },
    PlotKind { name: "risk-coverage", page: &RunPage, fixed: &[("show", "curves")] },
    PlotKind { name: "calibration-error", page: &RunPage, fixed: &[("show", "curves")] },
];

const RUN: QueryKey = key("run", "the run of curves and conventions");
const RUNS: QueryKey = key("runs", "the runs of a comparison, with two dots between them");
const SYSTEM: QueryKey = key("system", "the system, for a plot of one; which systems, on a board");
const BENCHMARK: QueryKey = key("benchmark", "which benchmarks, on a board");
const MEASURE: QueryKey = key("m", "the measure, such as link");
const BESIDE: QueryKey = key("beside", "a second system on the same benchmark, for curves");
const WIDTH: QueryKey =
    key("width", "how many pixels wide it is laid out, from 240 to 2000; 640 if it is not given");

pub(super) static OPERATIONS: &[Operation] = &[Operation {
    path: "/plots/{kind}",
    id: "getPlot",
    about: "A plot as SVG: board, heat-map, comparison, critical-difference, conventions, system, average-precision, risk-coverage or calibration-error.",
    keys: &[RUN, RUNS, SYSTEM, BENCHMARK, MEASURE, BESIDE, AS, WIDTH],
    gives: Gives::Text("image/svg+xml"),
    handler: Handler::Function(|call| boxed(plot(call))),
    ..READ
}];

async fn plot(call: Call) -> Result<Response, Problem> {
    let named = call.parameter("kind").to_owned();
    let wanted = named.strip_suffix(".svg").unwrap_or(&named);
    let Some(kind) = PLOTS.iter().find(|kind| kind.name == wanted) else {
        let meant = closest(wanted, PLOTS.iter().map(|kind| kind.name));
        let meant = meant.map(|meant| format!("{named}`; did you mean `{meant}.svg"));
        return Err(Problem::missing("plot", meant.as_deref().unwrap_or(&named)));
    };
    let width = width(&call)?;
    let headers = call.headers.clone();
    let call = of_page(kind, call)?;
    let svg = asked_of(kind.page, Tells::AsPage, call, move |asked| {
        let none = || {
            let detail = format!("there is no plot `{}` of this", kind.name);
            Problem::new(&super::problem::MISSING, detail)
        };
        if asked.is_about_hidden_gold() {
            // The marks of a plot have more digits than may be told.
            return Err(none());
        }
        let drawn = kind.page.plot(asked, kind.name).ok_or_else(none)??;
        Ok(drawn.svg_of_width(width))
    });
    Ok(tagged(&headers, "image/svg+xml", svg.await?))
}

fn width(call: &Call) -> Result<u16, Problem> {
    let Some(text) = call.get(WIDTH.name) else { return Ok(640) };
    let width = text.parse().ok().filter(|width| (240..=2000).contains(width));
    width.ok_or_else(|| {
        Problem::request(format!("`width` is a number from 240 to 2000, not `{text}`"))
    })
}

/// The question that the page of a plot is asked: what stands in the braces of its path comes from the query.
fn of_page(kind: &'static PlotKind, mut call: Call) -> Result<Call, Problem> {
    call.query.retain(|(name, _)| name != WIDTH.name);
    let braces = kind.page.path().split('{').skip(1).filter_map(|part| part.split('}').next());
    let mut parameters = Vec::new();
    for brace in braces {
        let key = match brace {
            "id" => RUN.name,
            "slug" => SYSTEM.name,
            other => other,
        };
        let Some(value) = call.get(key).map(str::to_owned) else {
            return Err(Problem::request(format!("`{}` needs the key `{key}`", kind.name)));
        };
        call.query.retain(|(name, _)| name != key);
        parameters.push((brace, value));
    }
    let fixed = kind.fixed.iter().map(|(name, value)| (*name, (*value).to_owned()));
    Ok(call.about(parameters, fixed))
}
