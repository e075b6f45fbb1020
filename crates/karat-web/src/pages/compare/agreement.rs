//! How many of three and more runs are right about each gold mention.

use super::{AFTER, Compared, RIGHT};
use crate::address::Address;
use crate::components::cases::answer as said;
use crate::components::context::mention_in_text;
use crate::components::frame::link;
use crate::components::name::{name, visible};
use crate::page::{Asked, convention_text};
use crate::refusal::Refusal;
use karat::errors::{AgreementAnswer, AgreementCase, AgreementRequest, CasePlaceError};
use maud::{Markup, html};
use std::sync::Arc;

pub(super) fn answer(
    compared: &Compared<'_>,
    asked: &Asked<'_>,
) -> Result<Arc<AgreementAnswer>, Refusal> {
    let runs = compared.runs.len();
    let right = asked.get(RIGHT).map(|text| {
        let number = text.parse().ok().filter(|number| *number <= runs);
        let hint = format!("write a number from 0 to {runs}");
        number.ok_or_else(|| Refusal::bad_request(format!("{text} is no number of runs"), hint))
    });
    let after = asked.get(AFTER).map(|text| {
        let place = text.parse();
        place.map_err(|error: CasePlaceError| {
            Refusal::bad_request(error.to_string(), "begin with the first page")
        })
    });
    asked.workbench.answer(&AgreementRequest {
        inputs: asked.catalogue.inputs(compared.benchmark, compared.runs.iter().copied()),
        convention: compared.convention.clone(),
        right: right.transpose()?,
        after: after.transpose()?,
        ..AgreementRequest::default()
    })
}

/// How many mentions none, one, two ... get right.
pub(super) fn counts(
    compared: &Compared<'_>,
    asked: &Asked<'_>,
    answer: &AgreementAnswer,
) -> Markup {
    let here = compared.here(asked).with(AFTER.name, "").at("cases");
    let runs = answer.systems.len();
    html! {
        p { (answer.sentence()) }
        ul.sides aria-label="Gold mentions by how many runs are right" {
            @for (right, count) in answer.right.iter().enumerate() {
                @let number = right.to_string();
                @let is_chosen = asked.get(RIGHT) == Some(&number);
                @let class = if right == runs { "won" } else if right == 0 { "lost" } else { "soft" };
                li class=(class) {
                    @let words = html! { b { (count) } " " (right) " of " (runs) " right" };
                    @match asked.links.href(&here.clone().with(RIGHT.name, if is_chosen { "" } else { number.as_str() })) {
                        Some(href) => a href=(href) aria-current=[is_chosen.then_some("true")] { (words) },
                        None => (words),
                    }
                }
            }
        }
    }
}

/// The mentions one by one, with what every run says.
pub(super) fn list(compared: &Compared<'_>, asked: &Asked<'_>, answer: &AgreementAnswer) -> Markup {
    let here = compared.here(asked).at("cases");
    let first = answer.first.unwrap_or_default();
    html! {
        h2 id="cases" { "Cases" }
        @if answer.cases.is_empty() { p { "No gold mention fits." } }
        @else {
            div.scroll tabindex="0" role="region" aria-label="Cases" {
                table.caselist data-rows {
                    caption { "gold mentions " (first) "–" (first + answer.cases.len() - 1) " of " (answer.total) }
                    thead { tr {
                        th scope="col" class="kw" { "mention in its text" }
                        th scope="col" { "gold" }
                        th.n scope="col" { "right" }
                        @for system in &answer.systems { th scope="col" { (name(system)) } }
                        th scope="col" { "document" }
                    } }
                    tbody { @for case in &answer.cases { (row(compared, asked, answer, case)) } }
                }
            }
            @if let Some(next) = answer.next {
                p { (link(asked.links, &here.with(AFTER.name, next.to_string()), &html! { "The next " ((answer.total + 1 - first - answer.cases.len()).min(100)) })) }
            }
        }
    }
}

fn row(
    compared: &Compared<'_>,
    asked: &Asked<'_>,
    answer: &AgreementAnswer,
    case: &AgreementCase,
) -> Markup {
    // A report may leave texts out: then a mention stands alone.
    let place = match asked.links.shows_texts(&compared.benchmark.slug) {
        true => case.in_text.clone(),
        false => case.in_text.clone().alone(),
    };
    let runs: Vec<&str> = compared.runs.iter().map(|run| run.system_slug.as_str()).collect();
    let address = Address::document(&compared.benchmark.slug, case.place.document)
        .with("runs", runs.join(","))
        .with("at", format!("{}-{}", place.start, place.end))
        .with("as", convention_text(&compared.convention));
    html! {
        tr data-row {
            td.kw { (link(asked.links, &address, &mention_in_text(&place))) }
            td data-label="gold" { (said(Some(&case.gold), "")) }
            td.n data-label="right" { (case.right) span.soft { " of " (answer.systems.len()) } }
            @for (system, answer) in answer.systems.iter().zip(&case.answers) {
                td data-label=(visible(system)) class=(if answer.is_right { "won" } else { "lost" }) {
                    (if answer.is_right { "● " } else if answer.prediction.is_some() { "≠ " } else { "○ " })
                    (said(answer.prediction.as_ref(), "nothing was predicted here"))
                }
            }
            td data-label="document" { (name(&case.document)) }
        }
    }
}
