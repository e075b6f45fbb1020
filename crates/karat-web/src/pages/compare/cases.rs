//! The cases that two runs do differently.

use super::{AFTER, CATEGORY, Compared, DOCUMENT, GROUP};
use crate::address::Address;
use crate::components::cases::with_text;
use crate::components::frame::link;
use crate::components::name::{name, visible};
use crate::page::{Asked, convention_text};
use crate::refusal::Refusal;
use karat::errors::{Contrast, ContrastCase, ContrastSide, SaidEntity};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// So many cases are listed at once.
const ROWS: usize = 100;

/// So many documents are listed in which the runs differ most.
const DIFFERING: usize = 10;

fn mark(side: ContrastSide) -> (&'static str, &'static str) {
    match side {
        ContrastSide::Won => ("▲ won", "won"),
        ContrastSide::Lost => ("▼ lost", "lost"),
        ContrastSide::Both => ("both wrong", "soft"),
    }
}

/// The side that the list is narrowed down to.
fn chosen(asked: &Asked<'_>) -> Result<Option<ContrastSide>, Refusal> {
    let Some(text) = asked.get(GROUP) else { return Ok(None) };
    let found = ContrastSide::ALL.into_iter().find(|side| side.name() == text);
    let names = ContrastSide::ALL.map(ContrastSide::name);
    found.map(Some).ok_or_else(|| Refusal::missing("group", text, names))
}

/// How many are won and lost, all together and by category.
pub(super) fn sides(compared: &Compared<'_>, asked: &Asked<'_>, contrast: &Contrast) -> Markup {
    let here = compared
        .here(asked)
        .with(AFTER.name, "")
        .with(CATEGORY.name, "")
        .with(DOCUMENT.name, "")
        .at("cases");
    let [first, second] = [0, 1].map(|at| visible(&compared.runs[at].system));
    let counted = [
        (ContrastSide::Won, contrast.won, format!("only {second} is right")),
        (ContrastSide::Lost, contrast.lost, format!("only {first} is right")),
        (ContrastSide::Both, contrast.both_wrong, "neither is right".to_owned()),
    ];
    html! {
        p { (contrast.sentence(&first, &second)) }
        ul.sides {
            @for (side, count, about) in counted {
                @let (word, class) = mark(side);
                @let is_chosen = asked.get(GROUP) == Some(side.name());
                li class=(class) {
                    @match asked.links.href(&here.clone().with(GROUP.name, if is_chosen { "" } else { side.name() })) {
                        Some(href) => a href=(href) aria-current=[is_chosen.then_some("true")] title=(about) { b { (count) } " " (word) },
                        None => span title=(about) { b { (count) } " " (word) },
                    }
                }
            }
        }
        div.halves {
            @if contrast.categories.len() > 1 { (by_category(asked, contrast, &here)) }
            (by_document(compared, asked, contrast, &here))
        }
    }
}

/// What the errors are like that one makes and the other does not.
fn by_category(asked: &Asked<'_>, contrast: &Contrast, here: &Address) -> Markup {
    let words = |category: &str| match category {
        "" => "not known".to_owned(),
        category => category.replace(['_', '-'], " "),
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label="By category" {
            table.results data-rows {
                caption { "By the category of the error" }
                thead { tr { th scope="col" { "category" } th.n scope="col" { "▲ won" } th.n scope="col" { "▼ lost" } th.n scope="col" { "both wrong" } } }
                tbody { @for category in &contrast.categories { tr data-row {
                    th scope="row" { (link(asked.links, &here.clone().with(CATEGORY.name, category.category.as_str()), &name(&words(&category.category)))) }
                    td.n { (category.won) } td.n { (category.lost) } td.n { (category.both_wrong) }
                } } }
            }
        }
    }
}

/// Where they differ most.
fn by_document(
    compared: &Compared<'_>,
    asked: &Asked<'_>,
    contrast: &Contrast,
    here: &Address,
) -> Markup {
    let numbers = documents(compared, asked);
    html! {
        @if !contrast.documents.is_empty() {
            div.scroll tabindex="0" role="region" aria-label="Documents that differ most" {
                table.results data-rows {
                    caption { "Documents in which they differ most" }
                    thead { tr { th scope="col" { "document" } th.n scope="col" { "▲ won" } th.n scope="col" { "▼ lost" } th scope="col" { "cases" } } }
                    tbody { @for document in contrast.documents.iter().take(DIFFERING) {
                        @let number = numbers.get(document.document.as_str()).copied();
                        tr data-row {
                            th scope="row" { (document_link(compared, asked, &document.document, number, None)) }
                            td.n { (document.won) } td.n { (document.lost) }
                            td { @if let Some(number) = number { (link(asked.links, &here.clone().with(DOCUMENT.name, number.to_string()), &html! { "list" })) } }
                        }
                    } }
                }
                @if contrast.documents.len() > DIFFERING { p.legend { "The first " (DIFFERING) " of " (contrast.documents.len()) "." } }
            }
        }
    }
}

/// A document with both runs in it.
fn document_link(
    compared: &Compared<'_>,
    asked: &Asked<'_>,
    document: &str,
    number: Option<usize>,
    span: Option<[u64; 2]>,
) -> Markup {
    let Some(number) = number else { return name(document) };
    let runs: Vec<&str> = compared.runs.iter().map(|run| run.system_slug.as_str()).collect();
    let address = Address::document(&compared.benchmark.slug, number).with("runs", runs.join(","));
    let place = span.map(|[start, end]| format!("{start}-{end}")).unwrap_or_default();
    let convention = convention_text(&compared.convention);
    link(asked.links, &address.with("at", place).with("as", convention), &name(document))
}

/// The cases one by one.
pub(super) fn list(
    compared: &Compared<'_>,
    asked: &Asked<'_>,
    contrast: &Contrast,
) -> Result<Markup, Refusal> {
    let side = chosen(asked)?;
    let start: usize = asked.get(AFTER).and_then(|after| after.parse().ok()).unwrap_or(0);
    let numbers = documents(compared, asked);
    let fits = |case: &&ContrastCase| {
        side.is_none_or(|side| case.side == side)
            && asked.get(CATEGORY).is_none_or(|category| case.category == category)
            && asked.get(DOCUMENT).is_none_or(|wanted| {
                let number = numbers.get(case.document.as_str());
                number.is_some_and(|number| number.to_string() == wanted)
            })
    };
    let cases: Vec<&ContrastCase> = contrast.cases.iter().filter(fits).collect();
    let shown = cases.get(start.min(cases.len())..).unwrap_or_default();
    let shown = &shown[..shown.len().min(ROWS)];
    let here = compared.here(asked).at("cases");
    let next = start + shown.len();
    Ok(html! {
        h2 id="cases" { "Cases" }
        @if asked.get(CATEGORY).is_some() || asked.get(DOCUMENT).is_some() || side.is_some() {
            ul.chips {
                @for key in [GROUP, CATEGORY, DOCUMENT] {
                    @if let (Some(value), Some(href)) = (asked.get(key), asked.links.href(&here.clone().with(key.name, "").with(AFTER.name, ""))) {
                        li { a href=(href) title="take this back" { (key.name) " " (value) " ×" } }
                    }
                }
            }
        }
        @if cases.is_empty() { p { "No case fits." } }
        @else {
            (with_text(asked.links, &html! { div.scroll tabindex="0" role="region" aria-label="Cases" {
                table.cases data-rows {
                    caption { (start + 1) "–" (next) " of " (cases.len()) " gold mentions that at least one of them gets wrong" }
                    thead { tr {
                        th scope="col" { "outcome" } th scope="col" { "document" } th scope="col" { "context" } th scope="col" { "gold" }
                        @for run in &compared.runs { th scope="col" { (name(&run.system)) } }
                        th scope="col" { "category" }
                    } }
                    tbody { @for case in shown { (row(compared, asked, case, numbers.get(case.document.as_str()).copied())) } }
                }
            } }))
            @if next < cases.len() {
                p { (link(asked.links, &here.with(AFTER.name, next.to_string()), &html! { "The next " ((cases.len() - next).min(ROWS)) })) }
            }
        }
    })
}

/// The numbers of documents by their names.
fn documents(compared: &Compared<'_>, asked: &Asked<'_>) -> BTreeMap<String, usize> {
    let shelf = asked.workbench.shelf();
    let Ok(benchmark) = shelf.benchmark(&compared.benchmark.name) else {
        return BTreeMap::new();
    };
    let documents = benchmark.corpus.documents().enumerate();
    documents.map(|(at, document)| (document.name().to_owned(), at + 1)).collect()
}

fn row(
    compared: &Compared<'_>,
    asked: &Asked<'_>,
    case: &ContrastCase,
    number: Option<usize>,
) -> Markup {
    let (word, class) = mark(case.side);
    html! {
        tr data-row {
            td class=(class) { (word) }
            td data-opens { (document_link(compared, asked, &case.document, number, Some(case.span))) }
            td.context dir="auto" {
                @if case.mention.is_empty() { span.soft { (case.span[0]) "–" (case.span[1]) } }
                @else if !asked.links.shows_texts(&compared.benchmark.slug) { mark { (case.mention) } }
                @else { "…" (case.before) mark { (case.mention) } (case.after) "…" }
            }
            td.answer { (said(&case.gold, "NIL")) }
            @for answer in &case.answers {
                td class=(if answer.is_right { "answer won" } else { "answer lost" }) {
                    (if answer.is_right { "● " } else if answer.entity.is_some() { "≠ " } else { "○ " })
                    (said(answer, "–"))
                }
            }
            td { (name(&case.category.replace(['_', '-'], " "))) }
        }
    }
}

fn said(said: &SaidEntity, without: &str) -> Markup {
    html! {
        @match &said.entity {
            Some(entity) => { (name(entity)) @if let Some(text) = &said.name { " " span.soft { (name(text)) } } },
            None => (without),
        }
    }
}
