//! What follows from decisions and fixes: a gold patch, or the next edition.

use super::BenchmarkView;
use crate::access::Act;
use crate::components::text::counted;
use crate::refusal::Refusal;
use crate::workspace::Workspace;
use karat::gold::DecidedPlace;
use karat_store::{ListFrom, MOST_ITEMS, SuspicionRow, SuspicionState};
use maud::{Markup, html};

/// The name of what was decided about suspicions, in the form.
pub(crate) const OF_SUSPICIONS: &str = "suspicions";

/// The name of what checks can mend, in the form.
pub(crate) const OF_CHECKS: &str = "checks";

/// No more decisions are read for one edition.
const MOST: usize = 10_000;

/// The form. `confirmed` are suspicions that were confirmed, and `fixable` the findings that a fix mends; either may not be known on this
/// part of the page.
pub(super) fn form(
    view: &BenchmarkView<'_>,
    confirmed: Option<usize>,
    fixable: Option<usize>,
) -> Markup {
    let asked = view.asked;
    let may = asked.visitor.may(Act::Organise, &view.benchmark.id);
    let is_known = confirmed.unwrap_or_default() + fixable.unwrap_or_default() > 0;
    // What a newer edition changed would be undone.
    let may_follow = asked.workbench.workspace().is_some() && !view.benchmark.superseded;
    html! {
        @if may && asked.links.is_live() && is_known {
            section.corrections #correct {
                h2 { "Correct it" }
                p { "Gold is not edited in place. Corrections are a gold patch, which others can review and apply" @if may_follow { ", or the next edition of the benchmark" } "." }
                form.act method="post" action={ "/benchmarks/" (view.benchmark.slug) "/corrections" } {
                    @if let Some(confirmed) = confirmed.filter(|it| *it > 0) {
                        label { input type="checkbox" name="from" value=(OF_SUSPICIONS) checked; " " (counted(confirmed, "confirmed suspicion", "confirmed suspicions")) }
                    }
                    label {
                        input type="checkbox" name="from" value=(OF_CHECKS) checked[fixable.is_some()]; " "
                        @match fixable { Some(fixable) => { (counted(fixable, "finding", "findings")) " of checks that a fix mends" }, None => "what checks can mend" }
                    }
                    button name="do" value="patch" { "Gold patch" }
                    @if may_follow {
                        label { "What is new " input name="note" maxlength="500" autocomplete="off"; }
                        button name="do" value="edition" { "Make the next edition" }
                        span.soft { "with the runs of this one" }
                    }
                }
            }
        }
    }
}

/// What the store has about an edition.
pub(super) fn known(workspace: &Workspace, edition: &str) -> Result<Vec<SuspicionRow>, Refusal> {
    let mut rows = Vec::new();
    let mut from = ListFrom { limit: MOST_ITEMS, after: None };
    loop {
        let page = workspace.wait(workspace.store().suspicions(edition, None, &from))?;
        rows.extend(page.items);
        match page.next {
            Some(next) if rows.len() < MOST => from.after = Some(next),
            _ => return Ok(rows),
        }
    }
}

/// The suspicions about an edition that were confirmed.
pub(crate) fn decided_places(
    workspace: &Workspace,
    edition: &str,
) -> Result<Vec<DecidedPlace>, Refusal> {
    let rows = known(workspace, edition)?.into_iter();
    let confirmed = rows.filter(|row| row.state == SuspicionState::Confirmed);
    let place = |row: SuspicionRow| {
        Some(DecidedPlace {
            document: row.what.document.try_into().ok()?,
            start: row.what.start.try_into().ok()?,
            end: row.what.end.try_into().ok()?,
            gold: row.what.gold,
            proposed: row.what.proposed,
            note: row.note,
        })
    };
    Ok(confirmed.filter_map(place).collect())
}
