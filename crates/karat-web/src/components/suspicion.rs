//! Suspicions: places where gold may be wrong, and what was decided about them.

use super::name::name;
use karat_store::{NewSuspicion, SuspicionRow, SuspicionState};
use maud::{Markup, html};

/// What can be decided, with the words of its button.
pub const DECISIONS: [(SuspicionState, &str); 3] = [
    (SuspicionState::Confirmed, "confirm"),
    (SuspicionState::Refuted, "refute"),
    (SuspicionState::Later, "later"),
];

/// What was decided, and why.
pub fn decided(row: Option<&SuspicionRow>) -> Markup {
    html! {
        @match row {
            None => span.soft { "open" },
            Some(row) => {
                @if row.state == SuspicionState::Open { span.soft { "open" } } @else { b { (row.state.word()) } }
                @if !row.note.is_empty() { " " span.soft { (name(&row.note)) } }
            },
        }
    }
}

/// The form that decides about a place. `from` says which page it leads back to.
pub fn judge(benchmark: &str, what: &NewSuspicion, note: &str, from: &str) -> Markup {
    let place = serde_json::to_string(what).unwrap_or_default();
    html! {
        form.judge method="post" action="/suspicions" {
            input type="hidden" name="benchmark" value=(benchmark);
            input type="hidden" name="place" value=(place);
            input type="hidden" name="from" value=(from);
            input name="note" value=(note) maxlength="500" placeholder="why" aria-label="Note" autocomplete="off";
            @for (state, words) in DECISIONS { button name="state" value=(state.word()) { (words) } }
        }
    }
}
