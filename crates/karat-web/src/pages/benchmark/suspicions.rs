//! Where gold may be wrong: several systems agree on another answer.

use super::{BenchmarkView, Part};
use crate::address::Address;
use crate::components::apparatus::said;
use crate::components::cases::missing;
use crate::components::context::in_context;
use crate::components::frame::link;
use crate::components::name::name;
use crate::refusal::Refusal;
use karat::errors::{ErrorsAnswer, ErrorsQuestion, ErrorsRequest, FoundErrors, VerificationTask};
use maud::{Markup, html};

/// How many are listed.
const LISTED: usize = 100;

/// The part of the page.
pub(super) fn show(view: &BenchmarkView<'_>) -> Result<Part, Refusal> {
    let runs = view.runs();
    let convention = view.asked.convention()?;
    let inputs = view.asked.catalogue.inputs(view.benchmark, runs.iter().copied());
    let question = ErrorsQuestion::Suspects { agree: 2 };
    let request = ErrorsRequest { inputs, convention, question, ..ErrorsRequest::default() };
    let answer = view.asked.workbench.answer(&request)?;
    let command = view.asked.catalogue.commands(&request);
    Ok(Part {
        body: body(view, &answer, &command),
        command,
        signature: answer.signature.clone(),
        notices: answer.notices.clone(),
        answer,
    })
}

fn body(view: &BenchmarkView<'_>, answer: &ErrorsAnswer, command: &str) -> Markup {
    let tasks = match &answer.found {
        FoundErrors::Tasks { tasks } => tasks.as_slice(),
        FoundErrors::Rows(_) => &[],
    };
    html! {
        p { "Where at least two systems agree on another answer than gold, gold may be wrong. Those on which most agree come first." }
        @if tasks.is_empty() {
            p.empty { "No two systems agree against gold." }
        } @else {
            div.scroll tabindex="0" role="region" aria-label="Suspicions" {
                table.caselist {
                    caption { (tasks.len()) " suspicions" @if tasks.len() > LISTED { ", the first " (LISTED) " are listed" } }
                    thead { tr {
                        th scope="col" class="n" { "rank" } th scope="col" class="kw" { "mention in its text" }
                        @for words in ["gold", "systems say", "for", "against", "document"] { th scope="col" { (words) } }
                    } }
                    tbody { @for task in tasks.iter().take(LISTED) { (row(view, task)) } }
                }
            }
            p { "As tasks for people who verify them: " code { (command) " --format json" } }
        }
    }
}

fn row(view: &BenchmarkView<'_>, task: &VerificationTask) -> Markup {
    let number = view.number_of(&task.document);
    let words = in_context(&task.before, &task.mention, &task.after);
    let there = number.map(|number| {
        let there = Address::document(&view.benchmark.slug, number);
        there.with("at", format!("{}-{}", task.start, task.end))
    });
    let systems = |names: &[String], why: &str| {
        html! {
            @if names.is_empty() { (missing(why)) } @else { (name(&names.join(", "))) }
        }
    };
    html! {
        tr {
            td.n data-label="rank" { (task.rank) }
            td.kw { @match &there { Some(there) => (link(view.asked.links, there, &words)), None => (words) } }
            td data-label="gold" { @match &task.gold { Some(gold) => (said(gold)), None => (missing("gold has nothing here")) } }
            td data-label="systems say" { (said(&task.proposed)) }
            td data-label="for" { (task.systems.len()) " of " (task.of) " " span.soft { (systems(&task.systems, "no system")) } }
            td data-label="against" { (systems(&task.dissenting, "no system says what gold says")) }
            td data-label="document" { (name(&task.document)) }
        }
    }
}
