//! What a benchmark can resolve.

use super::{BenchmarkView, Part};
use crate::components::cases::missing;
use crate::refusal::Refusal;
use karat::comparison::{ResolutionAnswer, ResolutionRequest};
use maud::{Markup, html};

/// The part of the page.
pub(super) fn show(view: &BenchmarkView<'_>) -> Result<Part, Refusal> {
    let runs = view.runs();
    let convention = view.asked.convention()?;
    if runs.len() < 2 {
        return Err(Refusal::bad_request(
            "what a benchmark can resolve is told by the runs on it",
            "it takes at least two systems, because the error of a difference is that of a pair",
        ));
    }
    let inputs = view.asked.catalogue.inputs(view.benchmark, runs.iter().copied());
    let request = ResolutionRequest { inputs, convention, measure: None };
    let answer = view.asked.workbench.answer(&request)?;
    let command = view.asked.catalogue.commands(&request);
    Ok(Part {
        body: body(&answer),
        command,
        signature: answer.signature.clone(),
        notices: answer.notices.clone(),
        answer,
    })
}

fn body(answer: &ResolutionAnswer) -> Markup {
    html! {
        p.result { (answer.sentence) }
        div.scroll tabindex="0" role="region" aria-label="Smallest difference that is shown" {
            table.resolution {
                caption { "Smallest difference in " (answer.score) " that a comparison of all pairs shows, in points" }
                thead { tr {
                    th scope="col" class="n" { "documents" }
                    @for number in &answer.numbers_of_systems { th scope="col" class="n" { (number) " systems" } }
                } }
                tbody {
                    @for row in &answer.rows { tr class=[row.is_here.then_some("on")] {
                        th scope="row" class="n" { (row.documents) @if row.is_here { span.soft { " here" } } }
                        @for value in &row.detectable {
                            td.n { @match value { Some(value) => (format!("{:.1}", 100.0 * value)), None => (missing("more than the scale has")) } }
                        }
                    } }
                }
            }
        }
        p.soft {
            "The error of a difference is the median of " (answer.pairs) @if answer.pairs == 1 { " pair" } @else { " pairs" }
            " of systems that are here. It shrinks with the root of the number of documents. A difference is found with a probability of "
            (format!("{:.0} %", 100.0 * answer.power)) ", at a level of " (format!("{:.0} %", 100.0 * answer.alpha)) " for all pairs together."
        }
    }
}
