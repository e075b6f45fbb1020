//! The scores of parts: by any facet, crossed with a second.

use super::measures::{count_words, difference};
use super::{BY, Part, RunView};
use crate::components::cases::missing;
use crate::components::frame::link;
use crate::components::name::name;
use crate::components::table::score;
use crate::refusal::Refusal;
use karat::conditions::{Condition, Where};
use karat::facets::{FACETS, FacetNeeds};
use karat::scoring::EvaluationRequest;
use karat::scoring::answer::{MeasureRecord, SliceRecord, SystemRecord};
use maud::{Markup, html};

/// The facets that are asked for: one or two.
pub(super) fn facets<'v>(view: &RunView<'v>) -> Vec<&'v str> {
    let mut facets = view.asked.list(BY);
    facets.truncate(2);
    if facets.is_empty() {
        facets.push("type");
    }
    facets.dedup();
    facets
}

pub(super) fn request(view: &RunView<'_>) -> Result<EvaluationRequest, Refusal> {
    Ok(EvaluationRequest {
        inputs: view.inputs(),
        convention: view.convention.clone(),
        measures: vec!["link".to_owned()],
        group_by: vec![facets(view).join("+")],
        ..EvaluationRequest::default()
    })
}

pub(super) fn show(view: &RunView<'_>) -> Result<Part, Refusal> {
    let answer = view.asked.workbench.answer(&request(view)?)?;
    let system = |name: &str| answer.systems.iter().find(|system| system.name == name);
    let own = system(&view.run.system);
    let beside = view.beside.and_then(|run| system(&run.system));
    let is_empty = own.is_none_or(|own| own.slices.iter().all(|slice| slice.label == "-"));
    let markup = html! {
        @if view.asked.links.is_live() { (form(view)) }
        @match own {
            Some(own) if !is_empty => (table(view, own, beside)),
            _ => (nothing(view)),
        }
    };
    Ok((markup, answer.notices.clone()))
}

fn form(view: &RunView<'_>) -> Markup {
    let chosen = facets(view);
    let offered = || FACETS.iter().filter(|facet| facet.needs != FacetNeeds::Key);
    let options = |chosen: Option<&&str>| {
        html! {
            @for facet in offered() {
                option value=(facet.name) selected[chosen == Some(&facet.name)] { (facet.name) }
            }
        }
    };
    html! {
        form.asking method="get" action=[view.asked.links.href(&view.address())] {
            (view.kept_fields())
            label { "by " select name="by" { (options(chosen.first())) } }
            label { "crossed with " select name="by" {
                option value="" { "nothing" }
                (options(chosen.get(1)))
            } }
            (view.beside_field())
            button { "Show" }
        }
    }
}

/// Why there is no table: what the facet is, and that nothing has it.
fn nothing(view: &RunView<'_>) -> Markup {
    html! {
        @for facet in facets(view) {
            @let about = FACETS.iter().find(|known| known.name == facet).map(|known| known.about);
            p { "No mention of " (name(&view.benchmark.name)) " has a label of " code { (facet) } ". "
                @if let Some(about) = about { (about) } }
        }
        p { "Tags, types and topics come from the file of the benchmark; types may come from a knowledge base as well." }
    }
}

fn table(view: &RunView<'_>, own: &SystemRecord, beside: Option<&SystemRecord>) -> Markup {
    let facet = facets(view).join(" + ");
    let parts = ["precision", "recall", "f1"];
    html! {
        div.scroll tabindex="0" role="region" aria-label="Slices" {
            table.results {
                caption { "Links by " (facet) ". A mention with several labels counts in each, so parts need not add up." }
                thead { tr {
                    th scope="col" { (facet) }
                    th.n scope="col" { "gold" }
                    @for words in ["right", "extra", "missed"] { th.n.wide scope="col" { (words) } }
                    @for words in ["precision", "recall", "F1"] { th.n scope="col" { (words) } }
                    @if let Some(beside) = beside { th scope="col" class="n" { (name(&beside.name)) " F1" } th scope="col" class="n" { "difference" } }
                } }
                tbody {
                    @for slice in &own.slices {
                        @let measure = slice.measures.first();
                        tr {
                            th scope="row" { (label(view, slice)) }
                            td.n { (slice.gold) }
                            @for count in ["tp", "fp", "fn"] { td.n.wide { (count_of(measure, count)) } }
                            @for part in parts { td.n { (score_of(measure, part)) } }
                            @if let Some(beside) = beside {
                                @let other = beside.slices.iter().find(|it| it.label == slice.label);
                                @let other = other.and_then(|slice| slice.measures.first());
                                td.n { (score_of(other, "f1")) }
                                td.n { (difference(f1(measure), f1(other))) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn count_of(measure: Option<&MeasureRecord>, count: &str) -> Markup {
    html! {
        @match measure.and_then(|measure| measure.count(count)).flatten() {
            Some(count) => (count_words(count)),
            None => (missing("not known")),
        }
    }
}

fn f1(measure: Option<&MeasureRecord>) -> Option<f64> {
    measure.and_then(|measure| measure.score("f1")).flatten()
}

fn score_of(measure: Option<&MeasureRecord>, part: &str) -> Markup {
    html! {
        @match measure.and_then(|measure| measure.score(part)).flatten() {
            Some(value) => (score(Some(value))),
            None => (missing("not defined: nothing to divide by")),
        }
    }
}

/// The label of a slice, which leads to its cases. Crossed labels are joined, and a label may have the sign that joins
/// them: then nothing can be said for certain.
fn label(view: &RunView<'_>, slice: &SliceRecord) -> Markup {
    let facets = facets(view);
    let labels: Vec<&str> = match facets.len() {
        1 => vec![slice.label.as_str()],
        _ => slice.label.split('+').collect(),
    };
    let words = name(&slice.label);
    if labels.len() != facets.len() {
        return words;
    }
    let each = facets.iter().zip(labels).map(|(facet, label)| Condition::is(facet, label));
    let filter = Where { conditions: each.collect() };
    link(view.asked.links, &view.cases_where(filter.to_string()), &words)
}
