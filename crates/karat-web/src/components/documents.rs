//! A list of documents, each with bars of what became of its mentions.

use super::frame::link;
use super::name::name;
use super::text::{colour, outcome_key};
use crate::address::{Address, Links};
use karat::documents::{
    CaseOutcome, DocumentEntry, DocumentsAnswer, DocumentsOrder, OutcomeCounts,
};
use maud::{Markup, html};

/// How many documents are listed.
const LISTED: usize = 500;

/// The documents of a benchmark. `there` gives the address of one by its number, `here` that of this list.
pub fn documents(
    links: &dyn Links,
    list: &DocumentsAnswer,
    order: DocumentsOrder,
    current: usize,
    there: &dyn Fn(usize) -> Address,
    here: &Address,
) -> Markup {
    let all = list.in_order(order);
    // Around the one that is read, where there are too many.
    let place = all.iter().position(|entry| entry.number == current).unwrap_or_default();
    let start = place.saturating_sub(LISTED / 2).min(all.len().saturating_sub(LISTED));
    let listed = &all[start..all.len().min(start + LISTED)];
    html! {
        div.scroll tabindex="0" role="region" aria-label="Documents" {
            table.documents {
                caption {
                    "Documents of " (name(&list.benchmark)) ", by "
                    @if !links.is_live() { (order.name()) }
                    @for known in DocumentsOrder::ALL.into_iter().filter(|_| links.is_live()) {
                        @if known == order { b { (known.name()) } } @else {
                            (link(links, &here.clone().with("list", known.name()), &html! { (known.name()) }))
                        } " "
                    }
                    @if current > 0 { (link(links, &here.clone().with("list", ""), &html! { "close" })) }
                }
                thead { tr {
                    th scope="col" { "document" } th.n.wide scope="col" { "characters" } th.n.wide scope="col" { "mentions" }
                    @for run in &list.runs { th scope="col" { (name(run)) } th scope="col" class="n" { "errors" } }
                } }
                tbody {
                    @for entry in listed { (row(links, entry, entry.number == current, there)) }
                }
            }
        }
        p.legend { "Bars: " (outcome_key()) }
        @if listed.len() < all.len() { p.note { (listed.len()) " of " (all.len()) " documents are listed." } }
    }
}

fn row(
    links: &dyn Links,
    entry: &DocumentEntry,
    is_current: bool,
    there: &dyn Fn(usize) -> Address,
) -> Markup {
    let title = entry.title.as_deref().unwrap_or(&entry.name);
    let words = html! { (entry.number) " " (name(title)) };
    html! {
        tr class=[is_current.then_some("on")] {
            th scope="row" { (link(links, &there(entry.number), &words)) }
            td.n.wide { @match entry.characters { Some(length) => (length), None => span.missing title="no text" { "–" } } }
            td.n.wide { (entry.mentions) }
            @for counts in &entry.outcomes { td { (bar(counts)) } td.n { (counts.errors()) } }
        }
    }
}

/// Outcomes as a bar, one part for each colour.
pub fn bar(counts: &OutcomeCounts) -> Markup {
    let total = counts.total();
    let label: Vec<String> = CaseOutcome::COUNTED
        .into_iter()
        .filter(|outcome| counts.of(*outcome) > 0)
        .map(|outcome| format!("{} {}", counts.of(outcome), outcome.name()))
        .collect();
    let mut from = 0;
    let parts = CaseOutcome::COUNTED.into_iter().map(|outcome| {
        let start = from;
        from += counts.of(outcome);
        (start, counts.of(outcome), colour(outcome))
    });
    let parts: Vec<(usize, usize, &str)> = parts.filter(|part| part.1 > 0).collect();
    html! {
        @if total > 0 {
            svg.bar role="img" aria-label=(label.join(", ")) viewBox={ "0 0 " (total) " 1" } preserveAspectRatio="none" {
                @for (start, width, tone) in parts { rect class=(tone) x=(start) y="0" width=(width) height="1" {} }
            }
        } @else { span.missing title="nothing to find, and nothing found" { "–" } }
    }
}
