//! The next step in the life of a campaign, what can still be changed, what people read, and what a design costs.

use super::{CampaignTab, CampaignView, ITEMS, SHOW, TabContent};
use crate::address::{Address, encoded};
use crate::components::name::{name, shown, visible};
use crate::components::table::table;
use crate::components::text::as_shown;
use crate::components::time::date;
use crate::refusal::Refusal;
use karat::campaigns::life::CampaignState;
use karat::campaigns::simulation::SimulationDesign;
use karat::command::CommandLine;
use karat::request::{Answer, Request};
use karat::verify::SimulateRequest;
use karat_store::CampaignPageRow;
use maud::{Markup, html};

/// What an organiser sets.
#[derive(Debug)]
pub(super) struct Settings;

impl CampaignTab for Settings {
    fn name(&self) -> &'static str {
        "settings"
    }

    fn show(&self, view: &CampaignView<'_>) -> Result<TabContent, Refusal> {
        let pages = view.wait(view.store().campaign_pages(view.row.id))?;
        let body = html! {
            h2 { "Its life" }
            (life(view))
            h2 { "Pay, places and leases" }
            (changes(view))
            h2 { "What people read" }
            (texts(view, &pages))
            h2 { "What a design costs" }
            (simulation(view)?)
        };
        let sentence = match view.row.frozen {
            Some(_) => {
                "Pay, budget, places, leases, retention and texts can change; the rest is frozen since the opening."
            }
            None => "Everything but the texts that were cut can still change.",
        };
        let commands = vec![CommandLine::of("verify status").arguments([view.row.name.clone()])];
        Ok(TabContent { sentence: sentence.to_owned(), body, commands, ..TabContent::default() })
    }
}

/// A box of a form of the next step.
struct Said(&'static str, &'static str);

/// A step that can be taken now: where to, the button, what it does, and what may be said.
struct Step {
    to: &'static str,
    words: &'static str,
    about: &'static str,
    boxes: &'static [Said],
    wants_reason: bool,
}

const PAUSE: Step = Step {
    to: "paused",
    words: "Pause",
    about: "No new tasks are given out; what is out may be submitted.",
    boxes: &[],
    wants_reason: true,
};
const CLOSE: Step = Step {
    to: "closing",
    words: "Close",
    about: "No new tasks for good. What is out may be submitted.",
    boxes: &[Said("unfinished", "although not everything is judged")],
    wants_reason: false,
};

/// The steps from a state, the usual one first.
fn steps(state: CampaignState) -> &'static [Step] {
    match state {
        CampaignState::Draft => &[Step {
            to: "calibrating",
            words: "Begin calibration",
            about: "Invited people try it. Settings can still change.",
            boxes: &[Said("no_controls", "without three controls of each kind")],
            wants_reason: false,
        }],
        CampaignState::Calibrating => &[
            Step {
                to: "open",
                words: "Open",
                about: "Everybody who is invited may judge. What decides the results is frozen, and its digest goes to the audit.",
                boxes: &[Said(
                    "skip_calibration",
                    "without two people and 30 items in calibration",
                )],
                wants_reason: false,
            },
            PAUSE,
        ],
        CampaignState::Open => &[CLOSE, PAUSE],
        CampaignState::Paused => &[
            Step {
                to: "resumed",
                words: "Go on",
                about: "It goes on where it was.",
                boxes: &[],
                wants_reason: false,
            },
            CLOSE,
        ],
        CampaignState::Closing => &[
            Step {
                to: "adjudicating",
                words: "Decide what is disputed",
                about: "As soon as nobody works on a task.",
                boxes: &[],
                wants_reason: false,
            },
            REOPEN,
        ],
        CampaignState::Adjudicating => &[
            Step {
                to: "closed",
                words: "Close and freeze the results",
                about: "The results get a digest and do not change any more.",
                boxes: &[Said("accept_rest", "what nobody decided stays unresolved")],
                wants_reason: false,
            },
            REOPEN,
        ],
        CampaignState::Closed => &[
            Step {
                to: "archived",
                words: "Archive",
                about: "It cannot be changed any more.",
                boxes: &[],
                wants_reason: false,
            },
            REOPEN,
        ],
        CampaignState::Archived => &[],
    }
}

/// Any state but the last may go back.
const REOPEN: Step = Step {
    to: "paused",
    words: "Reopen",
    about: "It goes back to a pause, from which it can go on or be closed anew.",
    boxes: &[],
    wants_reason: true,
};

fn life(view: &CampaignView<'_>) -> Markup {
    let state = view.row.state;
    html! {
        p { "It is " b { (state.name()) } "." @if let Some(why) = &view.row.paused_why { " " (shown(why)) } }
        @if steps(state).is_empty() { p.soft { "Nothing can be changed any more." } }
        @for step in steps(state) {
            form.edit.step method="post" action=(view.action("state")) {
                input type="hidden" name="to" value=(step.to);
                @for Said(field, words) in step.boxes {
                    label { input type="checkbox" name=(field) value="yes"; (words) }
                }
                @if step.wants_reason { label { "Why " input name="reason" required maxlength="500" autocomplete="off"; } }
                button { (step.words) } " " span.soft { (step.about) }
            }
        }
        p { a href={ "/judge/" (encoded(&view.row.name)) } { "The page as those who judge see it" } }
    }
}

fn changes(view: &CampaignView<'_>) -> Markup {
    let row = &view.row;
    let settings = &row.settings;
    let pay = settings.pay.as_ref();
    html! {
        form.edit method="post" action=(view.action("settings")) {
            input type="hidden" name="version" value=(row.version);
            fieldset {
                legend { "What can change" }
                label.wide { "Title " input name="title" value=(visible(&row.title)) maxlength="200" autocomplete="off"; }
                label { "Pay of an assignment " input name="pay" value=[pay.map(|pay| pay.amount)] inputmode="decimal" autocomplete="off"; }
                label { "Currency " input name="currency" value=[pay.map(|pay| &pay.currency)] maxlength="3" placeholder="EUR" autocomplete="off"; }
                label { "Budget, before it pauses by itself " input name="budget" value=[settings.budget] inputmode="decimal" autocomplete="off"; }
                label { "Assignments in all " input name="places" type="number" min="1" value=[settings.places]; }
                label { "Assignments of one person " input name="assignments_each" type="number" min="1" value=[settings.assignments_each]; }
                label { "Minutes that a lease lasts " input name="lease_minutes" type="number" min="1" max="10080" value=[settings.lease_minutes]; }
                label { "Days after the end until people are forgotten " input name="retention_days" type="number" min="1" value=[settings.retention_days]; }
            }
            button { "Change" }
            p.soft { "An empty field is no limit. Leases last 30 minutes where people are paid for each assignment, and four hours elsewhere." }
        }
    }
}

fn texts(view: &CampaignView<'_>, pages: &[CampaignPageRow]) -> Markup {
    let newest = |kind: &str| pages.iter().rev().find(|page| page.kind == kind);
    html! {
        @for (kind, words) in [("guidelines", "Guidelines"), ("consent", "Consent")] {
            @let page = newest(kind);
            details {
                summary { (words) @if let Some(page) = page { ", version " (page.version) " of " (date(page.made)) } @else { ", none yet" } }
                form.edit method="post" action=(view.action("texts")) {
                    input type="hidden" name="kind" value=(kind);
                    label { (words) " " textarea name="body" rows="10" maxlength="50000" required { (page.map(|page| as_shown(&page.body)).unwrap_or_default()) } }
                    button { "Write a new version" }
                    @if let Some(page) = page { p.soft { "Digest " code { (name(&page.digest)) } } }
                }
            }
        }
    }
}

/// Campaigns with simulated people, before money is spent.
fn simulation(view: &CampaignView<'_>) -> Result<Markup, Refusal> {
    let items = view.asked.number(ITEMS)?;
    let usual = view.wait(view.store().campaign_progress(view.row.id))?.items.max(1);
    let redundancy = view.row.settings.design.redundancy;
    let answer = match items {
        None => None,
        Some(items) => {
            let design = SimulationDesign { items, redundancy, ..SimulationDesign::default() };
            let request = SimulateRequest { design, ..SimulateRequest::default() };
            Some((view.asked.workbench.answer(&request)?, request.commands()))
        }
    };
    Ok(html! {
        form.asking method="get" action=(Address::campaign(&view.row.name).to_path()) {
            input type="hidden" name=(SHOW.name) value="settings";
            label { "Simulate campaigns of so many items " input name=(ITEMS.name) type="number" min="10" max="5000" value=(items.map_or(usual.to_string(), |items| items.to_string())); }
            button { "Simulate" }
        }
        @if let Some((answer, commands)) = &answer {
            @for (title, rows) in Answer::report(&**answer).tables() {
                (table(if title.is_empty() { "Simulated campaigns" } else { title }, &rows))
            }
            p.legend { "The first design is that of this campaign. Coverage is how often the 95% interval has the true rate; +/- is half of its width. People are simulated: good ones, sloppy ones who verify too much, those who always verify, and those who guess." }
            @for command in commands { p { code data-copyable { (command.to_string()) } } }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_but_the_last_leads_on() {
        use CampaignState::{
            Adjudicating, Archived, Calibrating, Closed, Closing, Draft, Open, Paused,
        };
        for state in [Draft, Calibrating, Open, Paused, Closing, Adjudicating, Closed] {
            assert!(!steps(state).is_empty(), "{state:?}");
        }
        assert!(steps(Archived).is_empty());
    }
}
