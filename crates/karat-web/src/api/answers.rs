//! The answers behind pages, for programs.

use super::call::Call;
use super::etag::tagged;
use super::negotiation::wanted;
use super::operation::{Handler, Operation, READ, Tells};
use super::problem::{FORM, Problem};
use crate::address::Paths;
use crate::page::{Asked, Page};
use crate::pages::benchmark::{BenchmarkPage, Benchmarks};
use crate::pages::board::NamedBoard;
use crate::pages::compare::Compare;
use crate::pages::conventions::Conventions;
use crate::pages::document::DocumentPage;
use crate::pages::number::NumberPage;
use crate::pages::run::RunPage;
use crate::pages::search::Search;
use crate::pages::system::SystemPage;
use axum::response::Response;
use karat::report::{Audience, OutputForm, RenderOptions};
use karat::request::AnyAnswer;
use serde_json::Value;
use std::sync::Arc;

pub(super) static OPERATIONS: &[Operation] = &[
    Operation {
        path: "/boards/{board}/table",
        id: "boardTable",
        about: "Scores, intervals, rank ranges and groups of all systems on a board that was saved. The board of everything is `all`.",
        handler: Handler::Page(&NamedBoard, &[]),
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
        tells: Tells::Scores,
        handler: Handler::Page(&RunPage, &[("show", "measures")]),
        ..READ
    },
    Operation {
        path: "/runs/{id}/slices",
        id: "runSlices",
        about: "The scores of a run by the labels of a facet.",
        tells: Tells::Scores,
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
        path: "/systems/{slug}/table",
        id: "systemTable",
        about: "The scores of one system on all benchmarks.",
        handler: Handler::Page(&SystemPage, &[]),
        ..READ
    },
    Operation {
        path: "/search",
        id: "search",
        about: "Mentions, entities, documents and systems by what they are called.",
        handler: Handler::Page(&Search, &[]),
        ..READ
    },
    Operation {
        path: "/statistics",
        id: "listStatistics",
        about: "What benchmarks are made of, side by side: documents, mentions, types and more.",
        handler: Handler::Page(&Benchmarks, &[]),
        ..READ
    },
    Operation {
        path: "/benchmarks/{slug}/statistics",
        id: "benchmarkStatistics",
        about: "What a benchmark is made of.",
        handler: Handler::Page(&BenchmarkPage, &[("show", "statistics")]),
        ..READ
    },
    Operation {
        path: "/benchmarks/{slug}/mentions",
        id: "benchmarkMentions",
        about: "The gold mentions of a benchmark one by one.",
        handler: Handler::Page(&BenchmarkPage, &[("show", "mentions")]),
        ..READ
    },
    Operation {
        path: "/benchmarks/{slug}/checks",
        id: "benchmarkChecks",
        about: "What is well-formed in the gold of a benchmark and still looks wrong.",
        handler: Handler::Page(&BenchmarkPage, &[("show", "checks")]),
        ..READ
    },
    Operation {
        path: "/benchmarks/{slug}/resolution",
        id: "benchmarkResolution",
        about: "Which differences between systems a benchmark can tell from chance.",
        handler: Handler::Page(&BenchmarkPage, &[("show", "resolution")]),
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
    tells: Tells,
    mut call: Call,
) -> Result<Response, Problem> {
    call.query.extend(fixed.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    answered(page, tells, call, move |asked| {
        let no_answer = || Problem::missing("answer", page.path());
        Ok(page.answer(asked).ok_or_else(no_answer)??)
    })
    .await
}

/// An answer that is made of what was asked of a page, in the form that the caller wants. Answers are computed, so they are made
/// on threads where waiting is no harm.
pub(super) async fn answered(
    page: &'static dyn Page,
    tells: Tells,
    call: Call,
    make: impl FnOnce(&Asked<'_>) -> Result<Arc<dyn AnyAnswer>, Problem> + Send + 'static,
) -> Result<Response, Problem> {
    let (form, media) = wanted(&call.headers)?;
    let headers = call.headers.clone();
    let text = asked_of(page, tells, call, move |asked| {
        let answer = make(asked)?;
        match asked.is_about_hidden_gold() {
            true => rounded(answer.as_ref(), form, tells),
            false => Ok(answer.report().render(form, &RenderOptions::default()).text),
        }
    });
    Ok(tagged(&headers, media, text.await?))
}

/// Does something with what was asked of a page, on a thread where waiting is no harm.
pub(super) async fn asked_of<T: Send + 'static>(
    page: &'static dyn Page,
    tells: Tells,
    call: Call,
    make: impl FnOnce(&Asked<'_>) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let Call { shared, visitor, query, parameters, .. } = call;
    let made = tokio::task::spawn_blocking(move || {
        let workbench = &shared.workbench;
        workbench.check_loaded()?;
        let asked = Asked::new(page, parameters, &query, workbench, &Paths)?;
        let asked = match tells {
            Tells::AsPage => asked.seen_by(page, &visitor)?,
            Tells::Scores => asked.scores_seen_by(&visitor),
        };
        make(&asked)
    });
    made.await.map_err(|_| Problem::failed("the answer could not be made"))?
}

/// So many gold mentions a slice must have to be told of hidden gold.
const LEAST_MENTIONS: u64 = 50;

/// An answer about hidden gold: three digits and no counts, so that nobody finds out gold by sending one run after
/// the other. Forms with full precision are not given, and tables of scores have counts.
fn rounded(answer: &dyn AnyAnswer, form: &dyn OutputForm, tells: Tells) -> Result<String, Problem> {
    match (form.audience(), tells) {
        (Audience::Record, _) => {
            let mut record = answer.record();
            round(&mut record);
            serde_json::to_string(&record).map_err(|error| Problem::failed(error.to_string()))
        }
        (Audience::Rows, _) => {
            let detail = "gold is hidden, and this form has more digits than may be seen; take JSON, Markdown or LaTeX";
            Err(Problem::new(&FORM, detail))
        }
        (_, Tells::Scores) => {
            let detail = "gold is hidden, and this form has counts; take JSON";
            Err(Problem::new(&FORM, detail))
        }
        _ => Ok(answer.report().render(form, &RenderOptions::default()).text),
    }
}

/// An answer about hidden gold that is kept as text.
pub(super) fn rounded_text(text: &str) -> Result<String, Problem> {
    let record: Result<Value, _> = serde_json::from_str(text);
    let mut record = record.map_err(|error| Problem::failed(error.to_string()))?;
    round(&mut record);
    Ok(record.to_string())
}

/// Counts, which are left out of answers about hidden gold.
const COUNTS: [&str; 6] = ["tp", "ptp", "rtp", "fp", "fn", "counts"];

fn round(value: &mut Value) {
    match value {
        Value::Number(number) if !number.is_i64() && !number.is_u64() => {
            let rounded = number.as_f64().map(|number| (number * 1000.0).round() / 1000.0);
            *value = rounded.map_or(Value::Null, Value::from);
        }
        Value::Array(values) => values.iter_mut().for_each(round),
        Value::Object(fields) => {
            fields.retain(|name, _| !COUNTS.contains(&name.as_str()));
            if let Some(Value::Array(slices)) = fields.get_mut("slices") {
                let mentions = |slice: &Value| slice["gold"].as_u64().unwrap_or(0);
                slices.retain(|slice| mentions(slice) >= LEAST_MENTIONS);
            }
            fields.values_mut().for_each(round);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn of_hidden_gold_only_rounded_scores_and_large_slices_are_told() {
        let measure = json!({"name": "link", "tp": 1, "ptp": 1, "fp": 2, "f1": 0.66321,
            "macro": {"f1": 0.51234, "documents": {"f1": 14}}});
        let slice = |label: &str, gold: u64| json!({"label": label, "gold": gold, "measures": [measure.clone()]});
        let mut answer = json!({"gold": {"documents": 14}, "systems": [{"measures": [measure.clone()],
            "slices": [slice("PER", 49), slice("LOC", 50)]}]});
        round(&mut answer);
        let told =
            json!({"name": "link", "f1": 0.663, "macro": {"f1": 0.512, "documents": {"f1": 14}}});
        let expected = json!({"gold": {"documents": 14}, "systems": [{"measures": [told.clone()],
            "slices": [{"label": "LOC", "gold": 50, "measures": [told]}]}]});
        assert_eq!(answer, expected);
    }
}
