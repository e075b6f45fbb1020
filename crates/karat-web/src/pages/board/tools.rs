//! What can be done with a board: forms and links that need no script.

use super::{
    AFTER, BENCHMARK, BY, COLS, COMPLETE, GROUP, MEASURE, PLOT, SHAPE, SORT, SYSTEM, WHERE,
};
use crate::access::Act;
use crate::address::Address;
use crate::components::frame::link;
use crate::components::name::visible;
use crate::components::results::SELECTION;
use crate::page::{AS, Asked, QueryKey};
use karat::board::{
    BY_ERROR, BoardAnswer, BoardField, BoardGrouping, BoardShape, FEWEST_BENCHMARKS,
};
use karat::facets::{FACETS, FacetNeeds};
use karat::measures::MEASURES;
use karat_store::EVERYTHING;
use maud::{Markup, html};

/// The forms in which a table is copied, with what they are for.
const COPIED: [(&str, &str); 5] = [
    ("tsv", "TSV, for a spreadsheet"),
    ("latex", "LaTeX, for a paper"),
    ("md", "Markdown"),
    ("csv", "CSV"),
    ("json", "JSON"),
];

/// Filter, columns, groups, plots and copy.
pub(super) fn tools(
    asked: &Asked<'_>,
    board: &BoardAnswer,
    here: &Address,
    more: &Markup,
) -> Markup {
    let toggled = |key: QueryKey, value: &'static str| {
        let value = if asked.get(key) == Some(value) { "" } else { value };
        here.clone().with(key.name, value)
    };
    let several = board.benchmarks.len() > 1;
    html! {
        div.tools role="group" aria-label="What is shown" {
            details { summary { "filter" } (filter_form(asked)) }
            details { summary { "columns" } (columns_form(asked, board)) }
            details { summary { "group" } (group_form(asked)) }
            @if several {
                (link(asked.links, &toggled(SHAPE, "rows"), &html! { (if board.shape == BoardShape::Rows { "a row for each system" } else { "a row for each run" }) }))
            }
            (link(asked.links, &toggled(PLOT, "forest"), &html! { (if asked.get(PLOT) == Some("forest") { "no plot" } else { "plot" }) }))
            @if several {
                (link(asked.links, &toggled(PLOT, "heat-map"), &html! { (if asked.get(PLOT) == Some("heat-map") { "no heat map" } else { "heat map" }) }))
            }
            @if (3..=8).contains(&board.benchmarks.len()) {
                (link(asked.links, &toggled(PLOT, "radar"), &html! { (if asked.get(PLOT) == Some("radar") { "no radar" } else { "radar" }) }))
            }
            @if board.benchmarks.len() >= FEWEST_BENCHMARKS {
                (link(asked.links, &toggled(PLOT, "features"), &html! { (if asked.get(PLOT) == Some("features") { "no features" } else { "features of benchmarks" }) }))
            }
            details {
                summary { "copy" }
                ul.chips {
                    @for (form, words) in COPIED {
                        @if let Some(href) = asked.links.href(&here.clone().with("format", form)) {
                            li { a href=(href) download data-copy=(form) { (words) } }
                        }
                    }
                }
                p.legend role="status" data-copied { "Exactly the cells that are shown, with the signature." }
            }
            (more)
        }
    }
}

/// The form that saves this view as a board, for those who may.
pub(super) fn save(asked: &Asked<'_>) -> Markup {
    let may = asked.visitor.may(Act::Organise, EVERYTHING);
    html! {
        @if asked.workbench.workspace().is_some() && may {
            details {
                summary { "save" }
                form method="post" action="/boards" {
                    input type="hidden" name="query" value=(query_text(asked));
                    label { "name " input name="title" required maxlength="200" autocomplete="off"; }
                    label { "what it is for " input name="about" maxlength="500" autocomplete="off"; }
                    button { "Save this view as a board" }
                }
            }
        }
    }
}

/// The view as it stands in an address, without the page of a long list.
pub(super) fn query_text(asked: &Asked<'_>) -> String {
    let there = asked.here(Address::board()).with(AFTER.name, "").to_path();
    there.split_once('?').map(|(_, query)| query.to_owned()).unwrap_or_default()
}

/// What a form does not change goes on as it is.
fn hidden(asked: &Asked<'_>, changed: &[QueryKey]) -> Markup {
    html! {
        @for (key, value) in &asked.query {
            @if *key != AFTER.name && !changed.iter().any(|changed| changed.name == *key) {
                input type="hidden" name=(key) value=(value);
            }
        }
    }
}

fn filter_form(asked: &Asked<'_>) -> Markup {
    let field = |label: &str, key: QueryKey| {
        html! {
            label { (label) " " input name=(key.name) value=(asked.get(key).unwrap_or_default()) maxlength="201" placeholder="name, or ~regex" autocomplete="off"; }
        }
    };
    html! {
        form method="get" {
            (hidden(asked, &[MEASURE, SYSTEM, BENCHMARK, COMPLETE, WHERE]))
            label {
                "measure " input name=(MEASURE.name) value=(asked.get(MEASURE).unwrap_or("link")) list="measures" autocomplete="off";
            }
            datalist id="measures" { @for measure in MEASURES { option value=(measure.name) {} } }
            (field("system", SYSTEM))
            (field("benchmark", BENCHMARK))
            label { input type="checkbox" name=(COMPLETE.name) value="1" checked[asked.get(COMPLETE).is_some()]; "only complete rows" }
            label { input type="checkbox" name=(WHERE.name) value="-deprecated" checked[asked.get(WHERE).is_some()]; "hide deprecated systems" }
            button { "Show" }
        }
    }
}

/// The columns, and the facet whose labels are columns as well.
fn columns_form(asked: &Asked<'_>, board: &BoardAnswer) -> Markup {
    let further = board.further_fields().into_iter().filter(|name| !["ptp", "rtp"].contains(name));
    // A comma stands between columns in an address.
    let names: Vec<&str> =
        BoardField::USUAL.into_iter().chain(further).filter(|name| !name.contains(',')).collect();
    let is_shown = |name: &str| board.fields.iter().any(|field| field.name() == name);
    let facets = FACETS.iter().filter(|facet| facet.needs != FacetNeeds::Key);
    html! {
        form method="get" {
            (hidden(asked, &[COLS]))
            fieldset {
                @for name in names {
                    label { input type="checkbox" name=(COLS.name) value=(name) checked[is_shown(name)]; (visible(name)) }
                }
            }
            button { "Show" }
        }
        form method="get" {
            (hidden(asked, &[COLS, BY]))
            label { "a column for each " select name=(BY.name) {
                option value="" { "nothing else" }
                option value=(BY_ERROR) selected[asked.get(BY) == Some(BY_ERROR)] { "category of error (rates)" }
                @for facet in facets {
                    option value=(facet.name) selected[asked.get(BY) == Some(facet.name)] { (facet.name) }
                }
            } }
            button { "Show" }
        }
    }
}

fn group_form(asked: &Asked<'_>) -> Markup {
    let now = asked.get(GROUP).unwrap_or_default();
    html! {
        form method="get" {
            (hidden(asked, &[GROUP]))
            label { "runs together by " select name=(GROUP.name) {
                option value="" { "nothing" }
                @for (_, name) in BoardGrouping::ALL { option value=(name) selected[name == now] { (name) } }
            } }
            button { "Show" }
        }
    }
}

/// What is filtered, each with a link that takes it back.
pub(super) fn chips(asked: &Asked<'_>, here: &Address) -> Markup {
    let keys = [SYSTEM, BENCHMARK, COMPLETE, WHERE, GROUP, SORT, BY, COLS];
    let set: Vec<(QueryKey, &str)> =
        keys.into_iter().filter_map(|key| Some((key, asked.get(key)?))).collect();
    html! {
        @if !set.is_empty() {
            ul.chips aria-label="Filters" {
                @for (key, value) in set {
                    @if let Some(href) = asked.links.href(&here.clone().with(key.name, "")) {
                        li { a href=(href) title="take this back" { (key.name) " " (visible(value)) " ×" } }
                    }
                }
            }
        }
    }
}

/// The form that compares the systems that are selected.
pub(super) fn selection(asked: &Asked<'_>, board: &BoardAnswer, here: &Address) -> Markup {
    let action = asked.links.href(&Address::path(["compare"]));
    let slug = |name: &str| {
        let found = asked.catalogue.benchmarks.iter().find(|it| it.name == name);
        found.map(|it| it.slug.clone()).unwrap_or_default()
    };
    let carried = here.query().iter().filter(|(key, _)| [MEASURE.name, AS.name].contains(key));
    html! {
        @if let Some(action) = action.filter(|_| board.rows.len() > 1) {
            form.act id=(SELECTION) method="get" action=(action) data-selection {
                @for (key, value) in carried { input type="hidden" name=(key) value=(value); }
                @match board.benchmarks.as_slice() {
                    [only] => button name="benchmark" value=(slug(&only.name)) { "Compare selected" },
                    several => {
                        label { "Compare selected on " select name="benchmark" {
                            @for column in several { option value=(slug(&column.name)) { (visible(&column.name)) } }
                        } }
                        button { "Compare" }
                    }
                }
                span.soft role="status" data-picked {}
            }
        }
    }
}
