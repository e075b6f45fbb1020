//! What is well-formed in a benchmark and still wrong, with what a fix would change.

use super::{AFTER, BenchmarkView, CHECK, Part, corrections};
use crate::address::Address;
use crate::components::cases::missing;
use crate::components::context::in_context;
use crate::components::frame::link;
use crate::components::name::name;
use crate::components::notices::sentence;
use crate::refusal::Refusal;
use karat::inputs::InputRequest;
use karat::validation::{
    BenchmarkChecksAnswer, BenchmarkChecksRequest, CheckCount, CheckedPlace, EditPreview,
};
use maud::{Markup, html};

/// The part of the page.
pub(super) fn show(view: &BenchmarkView<'_>) -> Result<Part, Refusal> {
    let request = BenchmarkChecksRequest {
        gold: InputRequest::held(&view.benchmark.name),
        only: view.asked.get(CHECK).map(str::to_owned),
        after: view.asked.number(AFTER)?.unwrap_or_default(),
        ..BenchmarkChecksRequest::default()
    };
    let answer = view.asked.workbench.answer(&request)?;
    let command = view.asked.catalogue.commands(&request);
    let body = html! {
        (summary(view, &answer))
        @if answer.total == 0 {
            p.empty { "No check finds anything." }
        } @else {
            (findings(view, &answer))
            (super::pager(view, answer.after, answer.findings.len(), answer.total))
            @if answer.checks.iter().any(|check| check.fixable > 0) {
                (corrections::form(view, confirmed(view)?, Some(answer.checks.iter().map(|check| check.fixable).sum())))
                p { "On the command line, a copy with all fixes is written by "
                    code { (command) " --fix -o fixed.jsonl" } ", which is then an edition of its own." }
            }
        }
    };
    Ok(Part {
        body,
        command,
        signature: answer.signature.clone(),
        notices: answer.notices.clone(),
        answer,
    })
}

/// How many suspicions were confirmed, where they are kept.
fn confirmed(view: &BenchmarkView<'_>) -> Result<Option<usize>, Refusal> {
    let workspace = view.asked.workbench.workspace();
    let decided = workspace.map(|it| corrections::decided_places(it, &view.benchmark.edition_id));
    Ok(decided.transpose()?.map(|places| places.len()))
}

fn summary(view: &BenchmarkView<'_>, answer: &BenchmarkChecksAnswer) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Checks" {
            table.stacked {
                caption { "Checks" }
                thead { tr {
                    th scope="col" { "check" } th scope="col" class="n" { "findings" } th scope="col" class="n" { "a fix mends" }
                    th scope="col" { "what it looks for" }
                } }
                tbody { @for check in &answer.checks { (count(view, check)) } }
            }
        }
    }
}

fn count(view: &BenchmarkView<'_>, check: &CheckCount) -> Markup {
    let is_shown = view.asked.get(CHECK) == Some(check.check.as_str());
    let there = view.here().with(CHECK.name, check.check.clone()).with(AFTER.name, "");
    html! {
        tr class=[is_shown.then_some("on")] {
            th scope="row" { (link(view.asked.links, &Address::help("check", &check.check), &html! { (check.check) })) }
            td.n {
                @if check.findings == 0 { "0" } @else { (link(view.asked.links, &there, &html! { (check.findings) })) }
            }
            td.n { @match &check.fix { Some(_) => (check.fixable), None => (missing("only a person can decide")) } }
            td.long { (sentence(&check.about)) }
        }
    }
}

fn findings(view: &BenchmarkView<'_>, answer: &BenchmarkChecksAnswer) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Findings" {
            table.caselist {
                caption {
                    (answer.total) " findings" @if let Some(check) = view.asked.get(CHECK) {
                        " of " (name(check)) " · " (link(view.asked.links, &view.here().with(CHECK.name, "").with(AFTER.name, ""), &html! { "all checks" }))
                    }
                }
                thead { tr {
                    th scope="col" class="kw" { "mention in its text" }
                    @for words in ["finding", "a fix would change", "document"] { th scope="col" { (words) } }
                } }
                tbody { @for place in &answer.findings { (row(view, place)) } }
            }
        }
    }
}

fn row(view: &BenchmarkView<'_>, place: &CheckedPlace) -> Markup {
    let there = place.number.map(|number| {
        let there = Address::document(&view.benchmark.slug, number);
        match place.span {
            Some([start, end]) => there.with("at", format!("{start}-{end}")),
            None => there,
        }
    });
    let words = match &place.context {
        Some([before, mention, after]) => in_context(before, mention, after),
        None => html! { span.kwic { b { "the whole document" } } },
    };
    html! {
        tr {
            td.kw { @match &there { Some(there) => (link(view.asked.links, there, &words)), None => (words) } }
            td.long data-label="finding" {
                span class={ "sev " (place.severity.name()) } { (place.severity.name()) } " "
                (name(&place.message)) " " span.soft { (place.check) }
            }
            td.long data-label="a fix would change" {
                @if place.edits.is_empty() { (missing("only a person can decide")) }
                @for edit in place.edits.iter().take(5) { (preview(edit)) }
                @if place.edits.len() > 5 { p.soft { "and " (place.edits.len() - 5) " more" } }
            }
            td data-label="document" { (name(&place.document)) }
        }
    }
}

/// An edit: what is, struck out, and what would be.
fn preview(edit: &EditPreview) -> Markup {
    html! {
        p.edit {
            span.soft { (name(&edit.what)) " " }
            del { (name(if edit.before.is_empty() { "nothing" } else { &edit.before })) } " "
            @match &edit.after {
                Some(after) => ins { (name(after)) },
                None => span.soft { "is removed" },
            }
        }
    }
}
