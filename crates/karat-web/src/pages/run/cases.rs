//! The cases of a run: filtered, grouped, sorted, page by page.

use super::{AFTER, GROUP, PICK, Part, ROWS, RunView, SORT, WHERE, one_of};
use crate::address::Address;
use crate::components::cases::{CaseTable, with_text};
use crate::components::chips::{Chip, chips, condition};
use crate::components::frame::link;
use crate::page::convention_text;
use crate::refusal::Refusal;
use karat::conditions::Where;
use karat::errors::{
    CaseGroup, CaseGrouping, CaseOrder, CasePlace, CasePlaceError, CaseRow, CasesAnswer,
    CasesRequest,
};
use maud::{Markup, html};

/// The id of the form that takes the rows that are selected.
const PICKED: &str = "picked";

/// Forms in which the rows can be taken along.
const EXPORTS: [(&str, &str); 3] = [("tsv", "TSV"), ("jsonl", "JSONL"), ("md", "Markdown")];

pub(super) fn request(view: &RunView<'_>) -> Result<CasesRequest, Refusal> {
    let asked = view.asked;
    let after = asked.get(AFTER).map(|after| {
        let place = after.parse();
        place.map_err(|error: CasePlaceError| {
            Refusal::bad_request(error.to_string(), "begin with the first page")
        })
    });
    let usual = CasesRequest::default();
    let limit = asked.get(ROWS).map_or(Ok(usual.limit), |rows| {
        let hint = "write a number from 1 to 500";
        rows.parse().map_err(|_| Refusal::bad_request(format!("{rows} is no number of rows"), hint))
    })?;
    Ok(CasesRequest {
        limit,
        inputs: view.inputs(),
        convention: view.convention.clone(),
        only: Some(view.run.system.clone()),
        beside: view.beside.map(|run| run.system.clone()),
        filter: asked.get(WHERE).unwrap_or_default().to_owned(),
        group: one_of(asked, GROUP, CaseGrouping::ALL)?,
        sort: one_of(asked, SORT, CaseOrder::ALL)?,
        after: after.transpose()?,
        pick: picked(view)?,
        ..usual
    })
}

/// The places that were selected.
fn picked(view: &RunView<'_>) -> Result<Vec<CasePlace>, Refusal> {
    let places = view.asked.list(PICK).into_iter().map(|text| {
        let place = text.parse();
        place.map_err(|error: CasePlaceError| {
            Refusal::bad_request(error.to_string(), "select rows of the list")
        })
    });
    places.collect()
}

pub(super) fn show(view: &RunView<'_>) -> Result<Part, Refusal> {
    let request = request(view)?;
    // A mistyped condition is shown where it was typed.
    let answer = match view.asked.workbench.answer(&request) {
        Ok(answer) => answer,
        Err(Refusal::Asked(notice)) => return Ok((filter_bar(view, &request), vec![*notice])),
        Err(other) => return Err(other),
    };
    // The answer has the conditions in the one spelling that can always be read.
    let asked = Where::parse(&answer.filter).unwrap_or_default();
    let markup = html! {
        @if view.asked.links.is_live() { (filter_bar(view, &request)) (conditions(view, &asked)) }
        @for offered in answer.chips.iter().filter(|_| view.asked.links.is_live()) {
            @let all: Vec<Chip> = offered.labels.iter().map(|label| Chip {
                label: label.label.clone(),
                known_as: label.name.clone(),
                count: label.count,
                is_on: asked.asks_for(&offered.facet, &label.label),
                address: at_filter(view, &asked.toggled(&offered.facet, &label.label)),
            }).collect();
            (chips(view.asked.links, &offered.facet, &all))
        }
        (found(view, &answer))
    };
    Ok((markup, answer.notices.clone()))
}

/// The same list under other conditions, from its beginning.
fn at_filter(view: &RunView<'_>, filter: &Where) -> Address {
    view.asked.here(view.address()).with("after", "").with("where", filter.to_string())
}

fn filter_bar(view: &RunView<'_>, request: &CasesRequest) -> Markup {
    let groups = ["each case", "mention text", "gold entity", "predicted entity", "pair"];
    let orders = ["document", "confidence, surest first", "frequency"];
    html! {
        form.asking.filter method="get" action=[view.asked.links.href(&view.address())] {
            (view.kept_fields())
            label.where { "where "
                input type="search" name="where" value=(request.filter) size="40" spellcheck="false" autocomplete="off"
                    placeholder="error=wrong-link,missing type=PER -optional";
            }
            label { "group by " select name="group" {
                @for ((group, value), words) in CaseGrouping::ALL.into_iter().zip(groups) {
                    option value=(if group == CaseGrouping::None { "" } else { value }) selected[group == request.group] { (words) }
                }
            } }
            label { "sort by " select name="sort" {
                @for ((order, value), words) in CaseOrder::ALL.into_iter().zip(orders) {
                    option value=(if order == CaseOrder::Document { "" } else { value }) selected[order == request.sort] { (words) }
                }
            } }
            (view.beside_field())
            button { "Show" }
        }
        details.language {
            summary { "How to ask" }
            p { "A space is " b { "and" } ", a comma " b { "or" } ", a minus " b { "not" } "; quotes hold what has a space or a comma; " code { "~" }
                " asks for a regular expression." }
            pre { code { "error=wrong-link,missing type=PER -optional doc=\"wire talks\" text~^the entity=Q64" } }
        }
    }
}

/// What is asked for, each with a link that takes it out.
fn conditions(view: &RunView<'_>, asked: &Where) -> Markup {
    html! {
        @if !asked.is_empty() {
            div.chipset role="group" aria-label="conditions" {
                span.facet { "asked" }
                @for (at, one) in asked.conditions.iter().enumerate() {
                    (condition(view.asked.links, &one.to_string(), &at_filter(view, &asked.without(at))))
                }
                @if asked.conditions.len() > 1 {
                    " " (link(view.asked.links, &at_filter(view, &Where::default()), &html! { "all cases" }))
                }
            }
        }
    }
}

fn found(view: &RunView<'_>, answer: &CasesAnswer) -> Markup {
    let run = view.run;
    let document = |row: &CaseRow| {
        let address = Address::document(&run.benchmark, row.document);
        let runs = view.runs().map(|run| run.system_slug.as_str()).collect::<Vec<_>>().join(",");
        let address = address
            .with("runs", runs)
            .with("at", format!("{}-{}", row.in_text.start, row.in_text.end));
        address.with("as", convention_text(&view.convention))
    };
    let listed = |group: &CaseGroup| {
        let here = view.asked.here(view.address()).with("after", "").with("group", "");
        here.with("where", group.filter.clone())
    };
    let table = CaseTable {
        links: view.asked.links,
        caption: caption(answer),
        beside: answer.beside.as_deref(),
        selection: Some(PICKED).filter(|_| view.asked.links.is_live()),
        document: &document,
    };
    // A mention is told by its text; what stands around it is the text of the document.
    let mut rows = std::borrow::Cow::from(&answer.rows);
    if !view.asked.links.shows_texts(&run.benchmark) {
        for row in rows.to_mut() {
            row.in_text = std::mem::take(&mut row.in_text).alone();
        }
    }
    html! {
        div data-part="rows" {
            @if answer.total == 0 { (nothing(view, answer)) }
            @else if answer.group == CaseGrouping::None { (with_text(view.asked.links, &table.rows(&rows))) }
            @else { (with_text(view.asked.links, &table.groups(heading(answer.group), &answer.groups, &listed))) }
            @if view.asked.links.is_live() && answer.total > 0 && answer.group == CaseGrouping::None { (selection(view)) }
            (pager(view, answer))
        }
    }
}

fn heading(group: CaseGrouping) -> &'static str {
    match group {
        CaseGrouping::None | CaseGrouping::Mention => "mention",
        CaseGrouping::Gold => "gold",
        CaseGrouping::Predicted => "answer",
        CaseGrouping::Pair => "gold → answer",
    }
}

fn caption(answer: &CasesAnswer) -> String {
    let (noun, shown, all) = match answer.group {
        CaseGrouping::None => ("cases", answer.rows.len(), answer.total),
        _ => ("groups", answer.groups.len(), answer.groups_total),
    };
    let first = answer.first.unwrap_or_default();
    let of = match answer.total == answer.of {
        true => String::new(),
        false => format!(" of {} in the run", answer.of),
    };
    match answer.group {
        CaseGrouping::None if shown == all => format!("{all} {noun}{of}"),
        CaseGrouping::None => {
            format!("{noun} {first}–{} of {all}{of}", first + shown.saturating_sub(1))
        }
        _ => format!("{} cases in {all} groups", answer.total),
    }
}

/// What would fit, where nothing does.
fn nothing(view: &RunView<'_>, answer: &CasesAnswer) -> Markup {
    html! {
        p.result { "No case fits." }
        @for without in answer.without.iter().filter(|without| without.total > 0) {
            @let address = view.asked.here(view.address()).with("after", "").with("where", without.filter.clone());
            p { "Without " code { (without.condition) } " there "
                (if without.total == 1 { "is " } else { "are " })
                (link(view.asked.links, &address, &html! { (without.total) })) "." }
        }
        @if answer.without.iter().all(|without| without.total == 0) {
            p { (link(view.asked.links, &at_filter(view, &Where::default()), &html! { "All " (answer.of) " cases" })) }
        }
    }
}

/// What can be done with the rows that are selected. The boxes are fields of this form, so that it needs no script.
fn selection(view: &RunView<'_>) -> Markup {
    let here = view.asked.here(view.address());
    let kept = here.query().iter().filter(|(key, _)| *key != PICK.name && *key != AFTER.name);
    html! {
        form.act id=(PICKED) method="get" action=[view.asked.links.href(&view.address())] data-selection {
            @for (key, value) in kept { input type="hidden" name=(key) value=(value); }
            span.soft role="status" data-picked { "Select rows by their boxes:" }
            button type="button" data-copy-selected { "Copy" }
            button { "Show only these" }
            @for (form, words) in EXPORTS { button name="format" value=(form) { (words) } }
            @if view.may_organise() {
                button formmethod="post" formaction={ "/runs/" (view.run.id) "/suspicions" } { "Gold may be wrong" }
            }
        }
    }
}

/// The pages of the list, and the forms in which it can be taken along.
fn pager(view: &RunView<'_>, answer: &CasesAnswer) -> Markup {
    let here = || view.asked.here(view.address());
    html! {
        @if view.asked.links.is_live() { nav.pager aria-label="Pages of cases" {
            @if view.asked.get(AFTER).is_some() {
                (link(view.asked.links, &here().with("after", ""), &html! { "first page" }))
            }
            @if let Some(next) = answer.next {
                @if let Some(href) = view.asked.links.href(&here().with("after", next.to_string())) {
                    a href=(href) rel="next" { "next page" }
                }
            }
            @if answer.total > 0 {
                span.soft { "take along: "
                    @for (form, words) in EXPORTS {
                        @if let Some(href) = view.asked.links.href(&here().with("format", form)) {
                            a href=(href) download { (words) } " "
                        }
                    }
                }
            }
        } }
    }
}
