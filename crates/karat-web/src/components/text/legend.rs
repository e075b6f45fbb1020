//! What signs and strips mean.

use super::marks::{colour, sign, spoken};
use karat::documents::CaseOutcome;
use maud::{Markup, html};

/// The legend, with live examples.
pub fn legend() -> Markup {
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
                " show or hide a run, " kbd { "l" } " opens this legend."
            }
        }
    }
}
