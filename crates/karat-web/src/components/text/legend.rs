//! What signs and strips mean.

use super::marks::{Marks, category, colour, short_tag, sign, spoken};
use crate::components::name::name;
use karat::documents::{CaseOutcome, DocumentAnswer};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// What the signs and colours of outcomes mean, in a line: for bars, and over a text.
pub fn outcome_key() -> Markup {
    let shown = [
        (CaseOutcome::Right, "right"),
        (CaseOutcome::WrongLink, "wrong"),
        (CaseOutcome::Missing, "missed"),
        (CaseOutcome::Extra, "extra"),
    ];
    html! {
        @for (outcome, words) in shown {
            span.key { span class=(colour(outcome)) { (sign(outcome)) } " " (words) } " "
        }
    }
}

/// The legend, with live examples.
pub fn legend(answer: &DocumentAnswer, marks: Marks) -> Markup {
    let strips = [
        ("g1a", "gold"),
        ("g1n", "gold, NIL"),
        ("g1m", "gold that every run missed"),
        ("g1o", "gold that does not count"),
        ("g1t", "a part of another reading"),
        ("d1r", "right"),
        ("d1w", "wrong"),
        ("d1x", "extra"),
        ("d1i", "not counted"),
    ];
    html! {
        details.legend id="legend" {
            summary { "Legend" }
            (categories(answer, marks))
            p.t {
                @for (class, words) in strips {
                    span.u1.w1 { span class={ "s " (class) } { (words) } } " "
                }
            }
            ul {
                @for outcome in CaseOutcome::COUNTED.into_iter().chain([CaseOutcome::Ignored]) {
                    li { span class=(colour(outcome)) { (sign(outcome)) } " " (spoken(outcome)) }
                }
            }
            p.soft {
                "Gold stands above the text, runs below it in their order. A note such as " span.ow { "≠1/3" }
                " says that one of three runs is right; " span.ox { "+2" } " that two have something here where gold
                has nothing."
            }
            p.soft.scripted {
                kbd { "n" } " and " kbd { "p" } " go to the next and previous error, "
                kbd { "[" } " and " kbd { "]" } " to another document, " kbd { "1" } " to " kbd { "9" }
                " show or hide a run, " kbd { "Ctrl" } " with " kbd { "←" } " and " kbd { "→" } " go from note to note, " kbd { "l" } " opens this legend."
            }
        }
    }
}

/// The categories of the dimension that is marked, each with its colour and how many mentions of the text have it.
fn categories(answer: &DocumentAnswer, marks: Marks) -> Markup {
    let Marks::Categories(dimension) = marks else { return html! {} };
    let mut counts: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for (tag, colour) in answer.cases.iter().filter_map(|case| category(case, dimension)) {
        *counts.entry((colour, tag)).or_default() += 1;
    }
    html! {
        p.categories {
            b { (dimension.name()) } ": "
            @if counts.is_empty() { span.soft { "no mention of this text has a category" } }
            @for ((colour, tag), count) in counts.iter().take(20) {
                span class={ "q" (colour) } { (name(short_tag(tag))) } " " span.soft { (count) } " "
            }
        }
    }
}
