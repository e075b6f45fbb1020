//! The scores of a run.

use super::{Part, RunView};
use crate::address::Address;
use crate::components::cases::missing;
use crate::components::frame::link;
use crate::components::name::name;
use crate::components::table::{figures, score};
use crate::page::convention_text;
use crate::pages::number::address as number_address;
use crate::refusal::Refusal;
use karat::scoring::EvaluationRequest;
use karat::scoring::answer::{MeasureRecord, SystemRecord};
use maud::{Markup, html};

pub(super) fn request(view: &RunView<'_>) -> EvaluationRequest {
    EvaluationRequest {
        inputs: view.inputs(),
        convention: view.convention.clone(),
        ..EvaluationRequest::default()
    }
}

pub(super) fn show(view: &RunView<'_>) -> Result<Part, Refusal> {
    let answer = view.asked.workbench.answer(&request(view))?;
    let system = |name: &str| answer.systems.iter().find(|system| system.name == name);
    let own = system(&view.run.system);
    let beside = view.beside.and_then(|run| system(&run.system));
    let markup = html! {
        (view.beside_form())
        @if let Some(own) = own { (table(view, own, beside, answer.level)) }
    };
    Ok((markup, answer.notices.clone()))
}

fn table(
    view: &RunView<'_>,
    own: &SystemRecord,
    beside: Option<&SystemRecord>,
    level: Option<f64>,
) -> Markup {
    let level = level.map(|level| format!("{level} %"));
    html! {
        div.scroll tabindex="0" role="region" aria-label="Measures" {
            table.results {
                caption {
                    "What the run reaches by each measure: F1, or the score that is named"
                    @if let Some(level) = &level { ", with its " (level) " interval" }
                }
                thead { tr {
                    th scope="col" { "measure" }
                    @for words in ["right", "extra", "missed"] { th.n.wide scope="col" { (words) } }
                    @for words in ["precision", "recall", "score"] { th.n scope="col" { (words) } }
                    th.n.wide scope="col" { (level.as_deref().unwrap_or("interval")) }
                    @if let Some(beside) = beside { th scope="col" class="n" { (name(&beside.name)) } th scope="col" class="n" { "difference" } }
                } }
                tbody {
                    @for measure in &own.measures {
                        @let other = beside.and_then(|beside| beside.measures.iter().find(|it| it.measure == measure.measure));
                        (row(view, measure, other, beside.is_some()))
                    }
                }
            }
        }
    }
}

fn row(
    view: &RunView<'_>,
    measure: &MeasureRecord,
    other: Option<&MeasureRecord>,
    has_beside: bool,
) -> Markup {
    let main = |measure: &MeasureRecord| match measure.score("f1") {
        _ if measure.over_nothing => None,
        Some(value) => value,
        None => measure.scores.first().and_then(|(_, value)| *value),
    };
    let ci = measure.ci.get("f1").or_else(|| measure.ci.values().next());
    let ci = ci.filter(|_| !measure.over_nothing);
    html! {
        tr {
            th scope="row" { (name(&measure.name)) }
            @for count in ["tp", "fp", "fn"] {
                td.n.wide { @match measure.count(count) {
                    Some(Some(count)) => (count_words(count)),
                    Some(None) => (missing("not known")),
                    None => (missing("this measure does not count it")),
                } }
            }
            @for part in ["precision", "recall"] {
                td.n { @match measure.score(part) {
                    Some(_) if measure.over_nothing => (missing("nothing was counted")),
                    Some(Some(value)) => (score(Some(value))),
                    Some(None) => (missing("not defined: nothing to divide by")),
                    None => (missing("this measure has no such score")),
                } }
            }
            td.n { @match main(measure) {
                Some(value) => {
                    @if measure.score("f1").is_none() {
                        @if let Some((part, _)) = measure.scores.first().filter(|(part, _)| *part != measure.name) { span.soft { (part) " " } }
                    }
                    b { (link(view.asked.links, &number(view, measure), &html! { (score(Some(value))) })) }
                },
                None => (missing(measure.remark.as_deref().unwrap_or(if measure.over_nothing { "nothing was counted" } else { "not defined" }))),
            } }
            td.n.soft.wide { @match ci {
                Some([low, high]) => (figures(&format!("{low:.3}–{high:.3}"))),
                None => (missing("no interval was asked for, or there are too few documents")),
            } }
            @if has_beside {
                td.n { @match other.and_then(main) {
                    Some(value) => (score(Some(value))),
                    None => (missing("not defined")),
                } }
                td.n { (difference(main(measure), other.and_then(main))) }
            }
        }
    }
}

/// How far the first is above the second.
pub(super) fn difference(own: Option<f64>, other: Option<f64>) -> Markup {
    html! {
        @match own.zip(other) {
            Some((own, other)) => (signed(own - other)),
            None => (missing("one of the scores is not defined")),
        }
    }
}

/// A difference with its sign; none where it is none.
pub(super) fn signed(difference: f64) -> String {
    match format!("{difference:+.3}").as_str() {
        "+0.000" | "-0.000" => ".000".to_owned(),
        printed => figures(printed),
    }
}

/// The page of a number: what is behind it.
fn number(view: &RunView<'_>, measure: &MeasureRecord) -> Address {
    let score = match measure.score("f1") {
        Some(_) => "f1",
        None => measure.scores.first().map_or("", |(name, _)| name.as_str()),
    };
    let score = format!("{}.{score}", measure.measure);
    number_address(&view.run.id, &score, &convention_text(&view.convention))
}

/// A count; where mentions have weights it is no whole number.
pub(super) fn count_words(count: f64) -> String {
    if count.fract() == 0.0 { format!("{count}") } else { format!("{count:.2}") }
}
