//! What stands over a document: where it is, what is shown of it, how runs did.

use super::{DocumentView, Lay};
use crate::address::{Address, outside};
use crate::components::frame::link;
use crate::components::name::{name, visible};
use crate::components::table::score;
use crate::components::text::{Marks, counted, outcome_key};
use crate::components::wording::listed;
use karat::documents::{CaseOutcome, DocumentAnswer, RunLayer};
use maud::{Markup, html};

/// The result in words.
pub(super) fn sentence(answer: &DocumentAnswer) -> String {
    let gold = answer.cases.iter().filter(|case| case.gold.is_some()).count();
    let mentions = counted(gold, "gold mention", "gold mentions");
    let errors = |(place, layer): (usize, &RunLayer)| match (place, layer.outcomes.errors()) {
        (0, number) => format!("{} of {}", counted(number, "error", "errors"), layer.name),
        (_, number) => format!("{number} of {}", layer.name),
    };
    let runs: Vec<String> = answer.runs.iter().enumerate().map(errors).collect();
    match runs.is_empty() {
        true => format!("{mentions}; no run is shown."),
        false => {
            let runs: Vec<&str> = runs.iter().map(String::as_str).collect();
            format!("{mentions}; {}.", listed(&runs))
        }
    }
}

/// The header of a document.
pub(super) fn header(view: &DocumentView<'_>) -> Markup {
    let answer = &view.answer;
    html! {
        div.dochead {
            p.facts {
                (name(&answer.name)) " · " (answer.number) " of " (answer.documents)
                @if let Some(language) = &answer.language { " · " (name(language)) }
                @if let Some(topic) = &answer.topic { " · " (name(topic)) }
                @if let Some(length) = answer.characters { " · " (length) " characters" }
                @if let Some(url) = answer.url.as_deref().and_then(outside) {
                    " · " a href=(url) rel="noreferrer" { "source" }
                }
            }
            (neighbours(view))
            (layers(view))
            @if view.asked.links.is_live() { (choices(view)) }
            p.legend { "Gold is drawn above the text, systems below it in their order. " (outcome_key()) }
            @if !answer.in_gold {
                p.note { "Gold does not have this document: what runs say here counts as extra." }
            }
            (evaluated(view))
        }
    }
}

fn neighbours(view: &DocumentView<'_>) -> Markup {
    let there = |number: usize| {
        let there = view.asked.here(Address::document(&view.benchmark.slug, number));
        there.with("at", "").with("from", "").with("cases", "")
    };
    let beside = [
        ("prev", "[", view.answer.previous.as_ref(), "previous"),
        ("next", "]", view.answer.next.as_ref(), "next"),
    ];
    html! {
        nav.beside aria-label="Documents" {
            @for (rel, key, neighbour, words) in beside {
                @if let Some(neighbour) = neighbour {
                    @if let Some(href) = view.asked.links.href(&there(neighbour.number)) {
                        a href=(href) rel=(rel) data-key=(key) { (words) ": " (name(&neighbour.name)) }
                    }
                }
            }
            @if let Some(href) = view.asked.links.href(&view.here().with("list", "number")) {
                a href=(href) { "all documents" }
            }
        }
    }
}

/// The layers with their scores; each link shows or hides one.
fn layers(view: &DocumentView<'_>) -> Markup {
    let slugs: Vec<&str> = view.runs.iter().map(|run| run.system_slug.as_str()).collect();
    html! {
        div.scroll tabindex="0" role="region" aria-label="Layers" {
            table.layers {
                thead { tr {
                    th scope="col" { "layer" }
                    @for outcome in CaseOutcome::COUNTED { th.n.wide[is_rare(outcome)] scope="col" { (outcome.name().replace('-', " ").replace("nil", "NIL")) } }
                    @for score in ["P", "R", "F1"] { th.n.wide[score != "F1"] scope="col" { (score) } }
                } }
                tbody {
                    @for (number, run) in (1..).zip(&view.known) {
                        @let shown = slugs.iter().position(|slug| *slug == run.system_slug);
                        tr class=[shown.is_none().then_some("off")] {
                            th scope="row" { (toggle(view, number, &run.system, &run.system_slug, &slugs)) }
                            (scores(shown.and_then(|at| view.answer.runs.get(at))))
                        }
                    }
                }
            }
        }
    }
}

fn toggle(
    view: &DocumentView<'_>,
    number: usize,
    system: &str,
    slug: &str,
    slugs: &[&str],
) -> Markup {
    let is_shown = slugs.contains(&slug);
    let wanted = |other: &&str| (*other == slug) != slugs.contains(other);
    let known = view.known.iter().map(|run| run.system_slug.as_str());
    let others: Vec<&str> = known.filter(wanted).collect();
    let others = if others.is_empty() { "none".to_owned() } else { others.join(",") };
    let words = html! { (number) " " (name(system)) };
    // A report shows what it shows: there is nobody to show or hide a layer.
    let there = view.here().with("runs", others);
    match view.asked.links.href(&there).filter(|_| view.asked.links.is_live()) {
        Some(href) => html! {
            a href=(href) data-key=(number) aria-label={ (number) " " (visible(system)) (if is_shown { ": hide it" } else { ": show it" }) } { (words) }
        },
        None => words,
    }
}

/// What a phone has no room for.
fn is_rare(outcome: CaseOutcome) -> bool {
    outcome.name().contains("nil")
}

fn scores(layer: Option<&RunLayer>) -> Markup {
    let Some(layer) = layer else {
        return html! { td.soft colspan="10" { "not shown" } };
    };
    let measure = layer.measures.first();
    let value = |name: &str| {
        measure.filter(|it| !it.over_nothing).and_then(|measure| measure.score(name)).flatten()
    };
    html! {
        @for outcome in CaseOutcome::COUNTED { td.n.wide[is_rare(outcome)] { (layer.outcomes.of(outcome)) } }
        @for name in ["precision", "recall", "f1"] { td.n.wide[name != "f1"] { (score(value(name))) } }
    }
}

/// What else can be chosen: marks and layout.
fn choices(view: &DocumentView<'_>) -> Markup {
    let here = view.here();
    let choice = |words: &str, is_on: bool, there: &Address| {
        html! { @if is_on { b aria-current="true" { (words) } } @else { (link(view.asked.links, there, &html! { (words) })) } " " }
    };
    html! {
        p.choices {
            span { "marks: "
                @for marks in Marks::ALL {
                    @let value = if marks == Marks::default() { "" } else { marks.name() };
                    (choice(marks.name(), marks == view.marks, &here.clone().with("marks", value)))
                }
            }
            span { "layout: "
                @for lay in Lay::ALL {
                    @let value = if lay == Lay::default() { "" } else { lay.name() };
                    (choice(lay.name(), lay == view.lay, &here.clone().with("lay", value)))
                }
            }
        }
        (narrowed(view))
    }
}

/// Which cases have notes: a form for conditions, open where there are some.
fn narrowed(view: &DocumentView<'_>) -> Markup {
    let labels = view.asked.get(super::WHERE);
    // A report has nobody who could answer a form.
    if !view.asked.links.is_live() {
        return html! {};
    }
    let here = view.here().with("at", "").with("cases", "");
    let action = view.asked.links.href(&view.address()).unwrap_or_default();
    let others = here.query().iter().filter(|(key, _)| *key != super::WHERE.name);
    html! {
        details.narrow open[labels.is_some()] {
            summary { "where" @if let Some(labels) = labels { " " (name(labels)) } }
            form.asking method="get" action=(action) {
                @for (key, value) in others { input type="hidden" name=(key) value=(value); }
                label.where { span { "only cases with" }
                    input name="where" value=[labels] placeholder="error=wrong-link type=PER -optional"; }
                button { "Show" }
                @if labels.is_some() { (link(view.asked.links, &here.clone().with("where", ""), &html! { "all cases" })) }
            }
        }
    }
}

fn evaluated(view: &DocumentView<'_>) -> Markup {
    let Some([start, end]) = view.answer.evaluated else { return html! {} };
    let is_all = view.asked.get(super::SPAN) == Some("all");
    let value = if is_all { "" } else { "all" };
    let words = if is_all { "show only that" } else { "show all of it" };
    html! {
        p.note { "Characters " (start) " to " (end) " of this document are evaluated. "
            (link(view.asked.links, &view.here().with("span", value), &html! { (words) })) }
    }
}
