//! The answers behind pages, for programs.

use super::call::Call;
use super::etag::tagged;
use super::negotiation::wanted;
use super::operation::{Handler, Operation, READ};
use super::problem::{FORM, Problem};
use crate::address::Paths;
use crate::page::{Asked, Page};
use crate::pages::benchmark::BenchmarkPage;
use crate::pages::board::Board;
use crate::pages::compare::Compare;
use crate::pages::conventions::Conventions;
use crate::pages::document::DocumentPage;
use crate::pages::number::NumberPage;
use crate::pages::run::RunPage;
use axum::response::Response;
use karat::report::{Audience, OutputForm, RenderOptions};
use karat::request::AnyAnswer;
use serde_json::Value;

pub(super) static OPERATIONS: &[Operation] = &[
    Operation {
        path: "/boards/{board}/table",
        id: "boardTable",
        about: "Scores, intervals, rank ranges and groups of all systems. The board of everything is `all`.",
        handler: Handler::Page(&Board, &[]),
        ..READ
    },
    Operation {
        path: "/compare/{runs}",
        id: "compareRuns",
        about: "Two or more runs against each other: differences with intervals, tests, ranks. Runs are separated by two dots.",
        handler: Handler::Page(&Compare, &[]),
        ..READ
    },
    Operation {
        path: "/runs/{id}/measures",
        id: "runMeasures",
        about: "The scores of a run: what `karat eval --format json` prints.",
        handler: Handler::Page(&RunPage, &[("show", "measures")]),
        ..READ
    },
    Operation {
        path: "/runs/{id}/slices",
        id: "runSlices",
        about: "The scores of a run by the labels of a facet.",
        handler: Handler::Page(&RunPage, &[("show", "slices")]),
        ..READ
    },
    Operation {
        path: "/runs/{id}/errors",
        id: "runErrors",
        about: "The errors of a run by category, with rates.",
        handler: Handler::Page(&RunPage, &[("show", "errors")]),
        ..READ
    },
    Operation {
        path: "/runs/{id}/cases",
        id: "runCases",
        about: "The cases of a run one by one: filtered, grouped and sorted.",
        handler: Handler::Page(&RunPage, &[("show", "cases")]),
        ..READ
    },
    Operation {
        path: "/runs/{id}/curves",
        id: "runCurves",
        about: "Precision and recall of a run over all thresholds on confidence.",
        handler: Handler::Page(&RunPage, &[("show", "curves")]),
        ..READ
    },
    Operation {
        path: "/runs/{run}/number",
        id: "runNumber",
        about: "One number of a run with its counts, formula and interval.",
        handler: Handler::Page(&NumberPage, &[]),
        ..READ
    },
    Operation {
        path: "/runs/{run}/conventions",
        id: "runConventions",
        about: "One run under every convention, and the way from one to another, setting by setting.",
        handler: Handler::Page(&Conventions, &[]),
        ..READ
    },
    Operation {
        path: "/benchmarks/{slug}/documents",
        id: "benchmarkDocuments",
        about: "The documents of a benchmark with how many mentions each run got right.",
        handler: Handler::Page(&BenchmarkPage, &[]),
        ..READ
    },
    Operation {
        path: "/benchmarks/{slug}/documents/{n}",
        id: "benchmarkDocument",
        about: "One document, counted from 1: its text, gold, what each run says, and the cases.",
        handler: Handler::Page(&DocumentPage, &[]),
        ..READ
    },
];

/// The answer behind a page, in the form that the caller wants.
pub(super) async fn answer(
    page: &'static dyn Page,
    fixed: &'static [(&'static str, &'static str)],
    call: Call,
) -> Result<Response, Problem> {
    let (form, media) = wanted(&call.headers)?;
    let Call { shared, visitor, mut query, parameters, headers, .. } = call;
    query.extend(fixed.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    // Answers are computed, so they are made on threads where waiting is no harm.
    let text = tokio::task::spawn_blocking(move || {
        let workbench = &shared.workbench;
        workbench.check_loaded()?;
        let asked = Asked::new(page, parameters, &query, workbench, &Paths)?;
        let asked = asked.seen_by(page, &visitor)?;
        let is_rounded = asked.catalogue.benchmarks.iter().any(|it| !it.shows_gold_to(&visitor));
        let no_answer = || Problem::missing("answer", page.path());
        let answer = page.answer(&asked).ok_or_else(no_answer)??;
        match is_rounded {
            true => rounded(answer.as_ref(), form),
            false => Ok(answer.report().render(form, &RenderOptions::default()).text),
        }
    });
    let text = text.await.map_err(|_| Problem::failed("the answer could not be made"))??;
    Ok(tagged(&headers, media, text))
}

/// An answer about hidden gold: three digits and no counts, so that nobody finds out gold by sending one run after
/// the other. Forms with full precision are not given.
fn rounded(answer: &dyn AnyAnswer, form: &dyn OutputForm) -> Result<String, Problem> {
    match form.audience() {
        Audience::Record => {
            let mut record = answer.record();
            round(&mut record);
            serde_json::to_string(&record).map_err(|error| Problem::failed(error.to_string()))
        }
        Audience::Rows => {
            let detail = "gold is hidden, and this form has more digits than may be seen; take JSON, Markdown or LaTeX";
            Err(Problem::new(&FORM, detail))
        }
        _ => Ok(answer.report().render(form, &RenderOptions::default()).text),
    }
}

fn round(value: &mut Value) {
    match value {
        Value::Number(number) if !number.is_i64() && !number.is_u64() => {
            let rounded = number.as_f64().map(|number| (number * 1000.0).round() / 1000.0);
            *value = rounded.map_or(Value::Null, Value::from);
        }
        Value::Array(values) => values.iter_mut().for_each(round),
        Value::Object(fields) => {
            fields
                .retain(|name, _| !["tp", "fp", "fn", "counts", "slices"].contains(&name.as_str()));
            fields.values_mut().for_each(round);
        }
        _ => {}
    }
}
