//! What went wrong, by kind and by category, each leading to its cases.

use super::measures::signed;
use super::{Part, RunView};
use crate::components::cases::{answer as said, missing, outcome};
use crate::components::frame::link;
use crate::components::name::name;
use crate::components::table::score;
use crate::refusal::Refusal;
use karat::conditions::Where;
use karat::errors::{
    CaseGrouping, CasesRequest, CategoryRate, ErrorRatesRequest, ErrorsBy, ErrorsQuestion,
    ErrorsRequest, KindRate,
};
use maud::{Markup, html};

/// So many confusions are listed.
const CONFUSIONS: usize = 10;

pub(super) fn by_category(view: &RunView<'_>) -> ErrorsRequest {
    ErrorsRequest {
        question: ErrorsQuestion::Count(ErrorsBy::Category),
        inputs: view.inputs(),
        convention: view.convention.clone(),
        ..ErrorsRequest::default()
    }
}

pub(super) fn show(view: &RunView<'_>) -> Result<Part, Refusal> {
    let answer = view.asked.workbench.answer(&ErrorRatesRequest {
        inputs: view.inputs(),
        convention: view.convention.clone(),
        system: view.run.system.clone(),
        beside: view.beside.map(|run| run.system.clone()),
    })?;
    let confusions = confusions(view)?;
    let markup = html! {
        (view.beside_form())
        div.side {
            div {
                (kind_table(view, &answer.kinds))
                (confusions)
            }
            (category_table(view, &answer.categories))
        }
    };
    Ok((markup, answer.notices.clone()))
}

/// What is most often taken for what.
fn confusions(view: &RunView<'_>) -> Result<Markup, Refusal> {
    let answer = view.asked.workbench.answer(&CasesRequest {
        inputs: view.asked.catalogue.inputs(view.benchmark, [view.run]),
        convention: view.convention.clone(),
        filter: Where::label("error", "wrong-link").to_string(),
        group: CaseGrouping::Pair,
        limit: CONFUSIONS,
        ..CasesRequest::default()
    })?;
    let all = view.cases_where(answer.filter.clone()).with("group", "pair");
    Ok(html! {
        @if !answer.groups.is_empty() {
            div.scroll tabindex="0" role="region" aria-label="Worst confusions" {
                table data-rows {
                    caption { "Worst confusions: what is most often taken for what" }
                    thead { tr { th scope="col" class="n" { "cases" } th scope="col" { "gold → answer" } th scope="col" { "such as" } } }
                    tbody { @for group in &answer.groups { tr data-row {
                        td.n { (link(view.asked.links, &view.cases_where(group.filter.clone()), &html! { (group.count) })) }
                        th scope="row" { (said(group.example.gold.as_ref(), "nothing")) " → " (said(group.example.prediction.as_ref(), "nothing")) }
                        td { (name(group.example.in_text.mention.as_deref().unwrap_or_default())) }
                    } } }
                }
            }
            @if answer.groups.len() < answer.groups_total {
                p.legend { (link(view.asked.links, &all, &html! { "All " (answer.groups_total) " confusions" })) }
            }
        }
    })
}

fn kind_table(view: &RunView<'_>, kinds: &[KindRate]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Kinds of errors" {
            table {
                caption { "What became of each mention" }
                thead { tr {
                    th scope="col" { "outcome" }
                    th scope="col" class="n" { "cases" }
                    @if let Some(beside) = view.beside { th scope="col" class="n" { (name(&beside.system)) } }
                } }
                tbody {
                    @for kind in kinds {
                        @let part = kind.kind.strip_suffix(" NIL");
                        tr class=[part.map(|_| "part")] {
                            th scope="row" {
                                @if part.is_some() { span.soft { "of these NIL" } }
                                @else { (outcome(Some(&kind.kind))) }
                            }
                            td.n { (cases_link(view, &Where::label("error", &kind.kind), kind.count)) }
                            @if view.beside.is_some() {
                                td.n.soft { @match kind.beside { Some(count) => (count), None => (missing("not known")) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn category_table(view: &RunView<'_>, rates: &[CategoryRate]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Categories of errors" {
            table.rates {
                caption { "Errors by what makes them hard, and in how many mentions they could be made" }
                thead { tr {
                    @for words in ["family", "category"] { th scope="col" { (words) } }
                    @for words in ["errors", "of", "rate"] { th scope="col" class="n" { (words) } }
                    @if let Some(beside) = view.beside {
                        th scope="col" class="n" { "beside " (name(&beside.system)) }
                        th scope="col" class="n" { "difference" }
                    }
                } }
                @for family in rates.chunk_by(|a, b| a.family == b.family) {
                    tbody { @for (at, rate) in family.iter().enumerate() { (category_row(view, rate, at == 0)) } }
                }
            }
        }
    }
}

fn category_row(view: &RunView<'_>, rate: &CategoryRate, is_first: bool) -> Markup {
    let why = rate.unknown.as_deref().unwrap_or("not known");
    // What is missed or extra in all is of several kinds, which the other table lists.
    let filter = match rate.family.as_str() {
        "linking" => None,
        family => Some(Where::label("category", &format!("{family}.{}", rate.category))),
    };
    html! {
        tr {
            th scope="row" { @if is_first { (family(&rate.family)) } @else { span.said { (family(&rate.family)) } } }
            td title=(rate.summary) { (rate.category.replace('_', " ")) }
            @match (rate.errors, rate.rate) {
                (None, _) => td.why colspan="3" { (why) },
                (Some(errors), rated) => {
                    td.n { @match &filter {
                        Some(filter) => (cases_link(view, filter, errors)),
                        None => (errors),
                    } }
                    td.n { @match rate.total { Some(total) => (total), None => (missing(why)) } }
                    td.n { @match rated { Some(_) => (score(rated)), None => (missing(why)) } (drawn_rate(rated, rate.beside)) }
                },
            }
            @if view.beside.is_some() {
                td.n.soft { @match rate.beside { Some(_) => (score(rate.beside)), None => (missing("not known")) } }
                td.n { @match rate.difference {
                    Some(difference) => (signed(difference)),
                    None => (missing("one of the rates is not known")),
                } }
            }
        }
    }
}

/// A rate as a bar, with a tick for the system beside; for eyes only, because the numbers stand there.
fn drawn_rate(rate: Option<f64>, beside: Option<f64>) -> Markup {
    let place = |rate: f64| (100.0 * rate.clamp(0.0, 1.0)).round();
    html! {
        svg.rate aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none" {
            @if let Some(rate) = rate {
                rect x="0" y="2" width=(place(rate)) height="6" {}
                @if let Some(beside) = beside { rect.beside x=(place(beside).min(98.0)) y="0" width="2" height="10" {} }
            }
        }
    }
}

/// The cases behind a number; none behind a zero.
fn cases_link(view: &RunView<'_>, filter: &Where, count: u64) -> Markup {
    html! {
        @if count == 0 { "0" }
        @else { (link(view.asked.links, &view.cases_where(filter.to_string()), &html! { (count) })) }
    }
}

fn family(name: &str) -> String {
    match name {
        "ner_fn" => "not recognised".to_owned(),
        "ner_fp" => "recognised too much".to_owned(),
        "wrong_disambiguation" => "wrong link".to_owned(),
        other => other.replace('_', " "),
    }
}
