//! Labels that narrow a list down, with how many things each would leave.

use super::name::name;
use crate::address::{Address, Links};
use maud::{Markup, html};

/// How many labels of a facet are shown before the rest is folded.
const OPEN: usize = 8;

/// A label that can be put on or taken off.
#[derive(Debug, Clone)]
pub struct Chip {
    /// The label.
    pub label: String,
    /// What people call it, where it is an id.
    pub known_as: Option<String>,
    /// How many things have it.
    pub count: usize,
    /// Whether it is on.
    pub is_on: bool,
    /// The view with the label put on, or taken off if it is on.
    pub address: Address,
}

/// The labels of one facet. Those that are on come with the first, wherever they stand.
pub fn chips(links: &dyn Links, facet: &str, chips: &[Chip]) -> Markup {
    let (first, rest): (Vec<_>, Vec<_>) =
        chips.iter().enumerate().partition(|(at, chip)| *at < OPEN || chip.is_on);
    html! {
        @if !chips.is_empty() {
            div.chipset role="group" aria-label=(facet) {
                span.facet { (facet) }
                @for (_, one) in &first { (chip(links, one)) }
                @if !rest.is_empty() {
                    details {
                        summary { (rest.len()) " more" }
                        @for (_, one) in &rest { (chip(links, one)) }
                    }
                }
            }
        }
    }
}

fn chip(links: &dyn Links, chip: &Chip) -> Markup {
    let shown = chip.known_as.as_deref().unwrap_or(&chip.label);
    let words = html! {
        (name(shown)) " " span.soft { (chip.count) }
        @if chip.is_on { span.x aria-hidden="true" { " ×" } }
    };
    html! {
        @match links.href(&chip.address) {
            Some(href) if chip.is_on => {
                a.chip.on href=(href) aria-current="true" aria-label={ (shown) ", " (chip.count) ", on: take it off" } { (words) }
            },
            Some(href) => a.chip href=(href) { (words) },
            None => span.chip { (words) },
        }
    }
}

/// A condition that is asked for, with a link that takes it out.
pub fn condition(links: &dyn Links, text: &str, without: &Address) -> Markup {
    html! {
        @if let Some(href) = links.href(without) {
            a.chip.on href=(href) aria-label={ "without " (text) } {
                code { (name(text)) } span.x aria-hidden="true" { " ×" }
            }
        } @else { span.chip.on { code { (name(text)) } } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Paths;

    fn some(number: usize) -> Vec<Chip> {
        let chip = |at: usize| Chip {
            label: format!("<{at}>"),
            known_as: None,
            count: at,
            is_on: at == 11,
            address: Address::run("r").with("where", format!("type={at}")),
        };
        (0..number).map(chip).collect()
    }

    #[test]
    fn many_labels_are_folded_and_those_that_are_on_are_not() {
        let markup = chips(&Paths, "type", &some(12)).into_string();
        let (open, folded) = markup.split_once("<details>").expect("folded labels");
        assert_eq!(open.matches("<a class=\"chip").count(), OPEN + 1);
        assert!(open.contains("class=\"chip on\""), "{open}");
        assert_eq!(folded.matches("<a class=\"chip").count(), 12 - OPEN - 1);
        assert!(markup.contains("<bdi>&lt;3&gt;</bdi>"), "{markup}");
        assert_eq!(chips(&Paths, "type", &[]).into_string(), "");
    }
}
