//! How far confidences can be trusted, where there are any.

use super::{Part, RunView};
use crate::components::name::name;
use crate::components::plot::plot;
use crate::components::table::{score, table};
use crate::refusal::Refusal;
use karat::report::plot::Plot;
use karat::scoring::{EvaluationAnswer, EvaluationRequest, plots, tables};
use maud::{Markup, html};

/// The measures that have a curve, with what it shows.
const MEASURES: [&str; 3] = ["average-precision", "risk-coverage", "calibration-error"];

const ABOUT: [(&str, &str); 3] = [
    (
        "Precision and recall",
        "By every threshold on confidence: what would be right, and found, if less sure answers were left out.",
    ),
    ("Risk and coverage", "How many answers are wrong among those of which the system is surest."),
    ("Calibration", "How often answers are right, by how sure the system says it is."),
];

fn request(view: &RunView<'_>, measure: &str) -> EvaluationRequest {
    EvaluationRequest { measures: vec![measure.to_owned()], ..all(view) }
}

/// All measures that have a curve at once.
pub(super) fn all(view: &RunView<'_>) -> EvaluationRequest {
    EvaluationRequest {
        inputs: view.inputs(),
        convention: view.convention.clone(),
        measures: MEASURES.map(str::to_owned).to_vec(),
        ..EvaluationRequest::default()
    }
}

pub(super) fn show(view: &RunView<'_>) -> Result<Part, Refusal> {
    let mut told = Vec::new();
    let mut parts = Vec::new();
    for (measure, (title, about)) in MEASURES.into_iter().zip(ABOUT) {
        let answer = view.asked.workbench.answer(&request(view, measure))?;
        told.extend(answer.notices.iter().cloned());
        parts.push(section(view, title, about, &answer));
    }
    told.dedup();
    let markup = html! {
        (view.beside_form())
        div.curves { @for part in parts { (part) } }
    };
    Ok((markup, told))
}

/// The curve of a measure; none if no answer is surer than another.
pub(super) fn drawn(view: &RunView<'_>, kind: &str) -> Result<Option<Box<dyn Plot>>, Refusal> {
    let Some(measure) = MEASURES.into_iter().find(|measure| *measure == kind) else {
        return Ok(None);
    };
    let answer = view.asked.workbench.answer(&request(view, measure))?;
    Ok(plots::curves(&answer).map(|drawn| Box::new(drawn) as Box<dyn Plot>))
}

fn section(view: &RunView<'_>, title: &str, about: &str, answer: &EvaluationAnswer) -> Markup {
    let numbers = tables::curves(answer);
    html! {
        section {
            h2 { (title) }
            @for system in &answer.systems {
                @for measure in &system.measures {
                    p {
                        (name(&system.name)) ": " (name(&measure.name))
                        @for (part, value) in &measure.scores { " " @if *part != measure.name { (part) " " } b { (score(*value)) } }
                        @if let Some(remark) = &measure.remark { span.soft { " (" (remark) ")" } }
                    }
                }
            }
            @if numbers.is_empty() {
                p { "There is no curve: " (name(&view.run.system)) " gives no confidences, so that no answer is surer than another." }
            } @else {
                @match plots::curves(answer) {
                    Some(drawn) => (plot(&drawn, about, &table(title, &numbers))),
                    None => (table(title, &numbers)),
                }
            }
        }
    }
}
