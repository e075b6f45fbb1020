//! The card of a number: what is behind it.

use super::frame::link;
use super::name::{name, shown};
use super::table::{figures, score};
use crate::address::{Address, Links};
use karat::conventions::ConventionsAnswer;
use karat::number::NumberAnswer;
use maud::{Markup, html};

/// The card: formula, counts with their cases, interval, definition and the same number under other conventions.
pub fn card(
    number: &NumberAnswer,
    others: Option<&ConventionsAnswer>,
    run: &Address,
    command: &str,
    links: &dyn Links,
) -> Markup {
    html! {
        div.card {
            p.formula {
                (number.title()) " " b data-copyable=[number.value.map(|value| value.to_string())] { (score(number.value)) }
                @if let Some(formula) = &number.formula { " = " (formula) }
                @if let Some(documents) = number.averaged { " = mean over " (documents) " documents" }
                @if number.value.is_none() { " " span.soft { (number.remark.as_deref().unwrap_or("not defined: there is nothing to divide by")) } }
            }
            dl {
                @for count in &number.counts {
                    dt { (count.name) }
                    dd { (counted(count.value, count.cases.as_deref(), run, links)) }
                }
                @match (number.ci, number.drawn) {
                    (Some([low, high]), Some(drawn)) => {
                        dt { (drawn.level) " %" }
                        dd {
                            (score(Some(low))) "–" (score(Some(high)))
                            span.soft { " (" (thousands(drawn.trials)) " draws of " (number.documents) " documents, seed " (drawn.seed) ")" }
                        }
                    }
                    _ => { dt { "interval" } dd.soft { "none: too few documents decide it" } }
                }
                @if let Some(others) = others { (elsewhere(others)) }
                dt { "what it is" } dd { (number.summary) }
                @for (heading, text) in number.definition.iter().filter(|(heading, _)| heading == "Pitfalls") {
                    dt { (heading.to_lowercase()) } dd { (text) }
                }
                dt { "command" } dd { code data-copyable { (shown(command)) } }
                dt { "signature" } dd { code.signature data-copyable { (shown(&number.signature)) } }
            }
        }
    }
}

fn counted(value: Option<f64>, cases: Option<&str>, run: &Address, links: &dyn Links) -> Markup {
    let Some(value) = value else { return html! { span.missing title="not known" { "–" } } };
    let words = html! { (figures(&value.to_string())) };
    match cases {
        Some(cases) => link(links, &run.clone().with("show", "cases").with("where", cases), &words),
        None => words,
    }
}

/// The same number under other conventions.
fn elsewhere(others: &ConventionsAnswer) -> Markup {
    html! {
        dt { "as" }
        dd {
            @for (place, scores) in others.conventions.iter().enumerate() {
                @if place > 0 { ", " }
                (name(&scores.preset)) " "
                @match others.value(scores).filter(|_| !scores.is_over_nothing()) {
                    Some(value) => (score(Some(value))),
                    None if scores.is_over_nothing() => span.missing title="nothing was counted" { "–" },
                    None => span.missing title=(scores.refused.as_deref().unwrap_or("not defined")) { "–" },
                }
            }
        }
    }
}

/// A number with commas.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
