//! What the first page says to somebody who has never been here.

use crate::address::Address;
use crate::components::name::name;
use crate::page::Asked;
use crate::workbench::CatalogueRun;
use karat::board::BoardAnswer;
use maud::{Markup, html};

/// What this is, and where to go from here. Whoever has chosen a view of the board knows, and is not told again.
pub(super) fn welcome(asked: &Asked<'_>, board: &BoardAnswer) -> Markup {
    if !asked.query.is_empty() {
        return html! {};
    }
    let first = runs(asked, board);
    html! {
        div.welcome {
            p {
                "karat measures " b { "entity linking" } ": how well systems find the mentions of entities in texts, and
                link each to the right entity. The table has a row for each system, and every number in it opens the
                counts, the formula and the cases behind it."
            }
            ul.next aria-label="What to do next" {
                @if let [first, second, ..] = first.as_slice() {
                    (step(asked, &Address::compare([first.id.as_str(), second.id.as_str()]), &html! { "Compare " (name(&first.system)) " with " (name(&second.system)) }))
                }
                @if let Some(first) = first.first() {
                    (step(asked, &Address::run(&first.id).with("show", "errors"), &html! { "See the errors of " (name(&first.system)) }))
                    (step(asked, &Address::document(&first.benchmark, 1), &html! { "Read the texts with gold and answers" }))
                    (step(asked, &Address::conventions(&first.id), &html! { "See why papers report other numbers" }))
                }
                @if asked.links.is_live() {
                    li { a href="/?format=latex" download { "Get the table as LaTeX" } }
                    (step(asked, &Address::path(["help"]), &html! { "Look up what words mean" }))
                }
            }
        }
    }
}

fn step(asked: &Asked<'_>, there: &Address, words: &Markup) -> Markup {
    html! { @if let Some(href) = asked.links.href(there) { li { a href=(href) { (words) } } } }
}

/// The runs on the first benchmark whose gold may be seen, in the order of the board.
fn runs<'a>(asked: &'a Asked<'_>, board: &BoardAnswer) -> Vec<&'a CatalogueRun> {
    let named = |name: &str| asked.catalogue.benchmarks.iter().find(|it| it.name == name);
    let mut shown = board.benchmarks.iter().filter_map(|column| named(&column.name));
    let Some(benchmark) = shown.find(|it| it.shows_gold_to(&asked.visitor)) else {
        return Vec::new();
    };
    let of_system =
        |system: &str| asked.catalogue.runs_on(&benchmark.slug).find(|run| run.system == system);
    board.rows.iter().filter_map(|row| of_system(&row.system)).collect()
}
