//! Suspicions in one document: those that are known, and a form for the case that is selected.

use super::DocumentView;
use crate::access::Act;
use crate::address::Address;
use crate::components::frame::link;
use crate::components::name::name;
use crate::components::suspicion::{decided, judge};
use karat::documents::TextCase;
use karat::errors::MentionAnswer;
use karat_store::{NewSuspicion, SuspicionRow, SuspicionState};
use maud::{Markup, html};

/// What stands between the header and the text.
pub(super) fn suspicions(view: &DocumentView<'_>) -> Markup {
    let known = known(view);
    let may = view.asked.visitor.may(Act::Organise, &view.benchmark.id);
    let may = may && view.asked.workbench.workspace().is_some() && view.asked.links.is_live();
    let selected = view.at.and_then(|at| view.answer.cases.get(at.checked_sub(1)?));
    html! {
        @if !known.is_empty() {
            details.note open[known.iter().any(|row| is_at(row, selected))] {
                summary { (known.len()) (if known.len() == 1 { " suspicion" } else { " suspicions" }) " in this document" }
                ul { @for row in &known {
                    @let there = view.here().with("at", format!("{}-{}", row.what.start, row.what.end));
                    li {
                        (link(view.asked.links, &there, &html! { (row.what.start) "–" (row.what.end) }))
                        " gold " (said(&row.what.gold)) ", proposed " (said(&row.what.proposed)) ": " (decided(Some(row)))
                    }
                } }
            }
        }
        @if let Some(case) = selected.filter(|_| may) { (form(view, case, &known)) }
    }
}

fn said(text: &str) -> Markup {
    html! { @if text.is_empty() { "no mention" } @else { (name(text)) } }
}

fn is_at(row: &SuspicionRow, case: Option<&TextCase>) -> bool {
    case.is_some_and(|case| {
        (row.what.start, row.what.end) == (i64::from(case.start), i64::from(case.end))
    })
}

fn known(view: &DocumentView<'_>) -> Vec<SuspicionRow> {
    let Some(workspace) = view.asked.workbench.workspace() else { return Vec::new() };
    let number = i64::try_from(view.answer.number).unwrap_or_default();
    let edition = &view.benchmark.edition_id;
    // Without them the text can be read all the same.
    workspace.wait(workspace.store().suspicions_in(edition, number)).unwrap_or_default()
}

/// What runs say of the selected case instead of gold, and a form for each answer.
fn form(view: &DocumentView<'_>, case: &TextCase, known: &[SuspicionRow]) -> Markup {
    let gold = case.gold.as_ref().map(|gold| plain(&gold.answer)).unwrap_or_default();
    let mut proposals: Vec<(String, Vec<String>)> = Vec::new();
    let mut agree = Vec::new();
    for (layer, run) in view.answer.runs.iter().zip(&case.runs) {
        let says = run.prediction.as_ref().map(|said| plain(&said.answer)).unwrap_or_default();
        if says == gold {
            agree.push(layer.name.clone());
            continue;
        }
        match proposals.iter_mut().find(|(known, _)| *known == says) {
            Some((_, systems)) => systems.push(layer.name.clone()),
            None => proposals.push((says, vec![layer.name.clone()])),
        }
    }
    proposals.sort_by_key(|(_, systems)| std::cmp::Reverse(systems.len()));
    html! {
        section.note aria-label="Suspicion" {
            p { "Is gold wrong here? Gold says " b { (said(&gold)) } "." }
            @if proposals.is_empty() { p.soft { "No run that is shown says anything else." } }
            @for (proposed, systems) in &proposals {
                @let what = NewSuspicion {
                    edition: view.benchmark.edition_id.clone(),
                    document: i64::try_from(view.answer.number).unwrap_or_default(),
                    start: case.start.into(),
                    end: case.end.into(),
                    gold: gold.clone(),
                    proposed: proposed.clone(),
                    agree: serde_json::to_string(&agree).unwrap_or_default(),
                    differ: serde_json::to_string(systems).unwrap_or_default(),
                    weight: i64::try_from(systems.len()).unwrap_or_default(),
                };
                @let row = known.iter().find(|row| is_at(row, Some(case)) && row.what.gold == gold && row.what.proposed == *proposed);
                div.suspicion {
                    p { (said(proposed)) " " span.soft { "(" (name(&systems.join(", "))) ")" } " "
                        @if row.is_some_and(|row| row.state != SuspicionState::Open) { (decided(row)) } }
                    (judge(&view.benchmark.slug, &what, row.map_or("", |row| row.note.as_str()), "document"))
                }
            }
            p { (link(view.asked.links, &Address::benchmark(&view.benchmark.slug).with("show", "suspicions"), &html! { "All suspicions of the benchmark" })) }
        }
    }
}

/// An answer as suspicions keep it: the id, a quantity or date, or NIL.
pub(crate) fn plain(answer: &MentionAnswer) -> String {
    match (&answer.entity, &answer.literal) {
        (Some(entity), _) => entity.clone(),
        (None, Some(literal)) => literal.clone(),
        (None, None) => "NIL".to_owned(),
    }
}
