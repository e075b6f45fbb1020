//! How far a campaign is, live.

use super::{CampaignTab, CampaignView, TabContent};
use crate::campaigns::pace;
use crate::components::cases::missing;
use crate::components::frame::link;
use crate::components::name::{name, shown};
use crate::components::table::figures;
use crate::components::text::counted;
use crate::components::time::date;
use crate::refusal::Refusal;
use karat::campaigns::forecast::CampaignForecast;
use karat::campaigns::life::CampaignState;
use karat::campaigns::plan::Redundancy;
use karat::command::CommandLine;
use karat_store::CampaignProgress;
use maud::{Markup, html};

/// How far it is.
#[derive(Debug)]
pub(super) struct Overview;

/// The piece that changes while people judge.
const LIVE: &str = "live";

/// Readers without scripts see it anew after so many seconds, while people judge.
const AGAIN: u32 = 15;

impl CampaignTab for Overview {
    fn name(&self) -> &'static str {
        "overview"
    }

    fn show(&self, view: &CampaignView<'_>) -> Result<TabContent, Refusal> {
        let progress = view.wait(view.store().campaign_progress(view.row.id))?;
        let body = html! {
            div data-live=(view.action("events")) data-part={ (view.tab(self.name()).to_path()) "?part=" (LIVE) } {
                (live(view, &progress)?)
            }
            (next(view, &progress))
            (design(view))
        };
        let commands = vec![CommandLine::of("verify status").arguments([view.row.name.clone()])];
        let again = view.row.state.takes_answers().then_some(AGAIN);
        Ok(TabContent {
            sentence: sentence(view, &progress),
            body,
            commands,
            again,
            ..TabContent::default()
        })
    }

    fn part(&self, view: &CampaignView<'_>, wanted: &str) -> Option<Result<Markup, Refusal>> {
        (wanted == LIVE).then(|| {
            let progress = view.wait(view.store().campaign_progress(view.row.id))?;
            live(view, &progress)
        })
    }
}

/// Where it is in its life, in words.
fn sentence(view: &CampaignView<'_>, progress: &CampaignProgress) -> String {
    let far =
        format!("{} of {} items have all their judgements", progress.items_judged, progress.items);
    let number = |it: i64| usize::try_from(it).unwrap_or_default();
    match view.row.state {
        CampaignState::Draft => {
            let wait = counted(number(progress.items), "item waits", "items wait");
            format!("A draft: {wait}, and nobody sees it yet.")
        }
        CampaignState::Calibrating => format!("Invited people try it: {far}."),
        CampaignState::Open => format!("Open: {far}."),
        CampaignState::Paused => {
            let why = view.row.paused_why.as_deref().unwrap_or("no reason is given");
            format!("Paused ({why}): {far}.")
        }
        CampaignState::Closing => {
            let out =
                counted(number(progress.live_leases), "task is still out", "tasks are still out");
            format!("Closing: {far}; {out}.")
        }
        CampaignState::Adjudicating => format!("{far}, and what is disputed is decided."),
        CampaignState::Closed => format!("Closed: {far}, and the results are frozen."),
        CampaignState::Archived => format!("Kept for the record: {far}."),
    }
}

/// The counts that change while people judge.
fn live(view: &CampaignView<'_>, progress: &CampaignProgress) -> Result<Markup, Refusal> {
    let rows = view.wait(view.store().campaign_judgements(view.row.id))?;
    let forecast = CampaignForecast::of(&view.row.settings, &pace(progress, &rows));
    let slots = progress.slots;
    let all = slots.open + slots.leased + slots.done;
    Ok(html! {
        p role="status" {
            "Judgements: " b { (slots.done) } " of " (all) " tasks done"
            @if slots.leased > 0 { ", " (slots.leased) " being worked on" }
            "."
        }
        progress aria-label="Tasks that are done" max=(all.max(1)) value=(slots.done) {}
        dl.facts {
            dt { "tasks" } dd { (slots.done) " done, " (slots.leased) " out, " (slots.open) " waiting" @if slots.void > 0 { ", " (slots.void) " void" } }
            dt { "items with all judgements" } dd { (progress.items_judged) " of " (progress.items) }
            dt { "judgements" } dd { (progress.judgements) ", " (progress.last_hour) " in the last hour" }
            dt { "people" } dd { (progress.people) ", in " (progress.assignments) " assignments, of which " (progress.paid) " ended well" }
            dt { "time for an item" } dd { @match forecast.median_ms { Some(ms) => { (seconds(ms)) ", the median" }, None => (missing("nobody's time is known yet")) } }
            dt { "done in about" } dd { @match forecast.hours_left { Some(hours) => (in_hours(hours)), None => (missing("nothing was judged in the last hour, or nothing is left")) } }
            (pay(&forecast))
        }
    })
}

fn pay(forecast: &CampaignForecast) -> Markup {
    let money = |amount: f64| format!("{amount:.2} {}", forecast.currency);
    html! {
        @if let (Some(paid), Some(to_come)) = (forecast.paid, forecast.to_come) {
            dt { "cost" } dd { (shown(&money(paid))) " so far, about " (shown(&money(to_come))) " to come" }
            dt { "pay of an hour" } dd {
                @match forecast.hourly { Some(hourly) => (shown(&money(hourly))), None => (missing("nobody's time is known yet")) }
                @for (platform, least) in &forecast.underpaid {
                    " " strong { "under the " (shown(&money(*least))) " of " (name(platform)) }
                }
            }
        }
    }
}

fn seconds(ms: f64) -> String {
    format!("{} s", figures(&format!("{:.1}", ms / 1000.0)))
}

fn in_hours(hours: f64) -> String {
    match hours {
        hours if hours < 1.0 => format!("{:.0} minutes", (hours * 60.0).max(1.0)),
        hours if hours < 48.0 => format!("{hours:.0} hours"),
        hours => format!("{:.0} days", hours / 24.0),
    }
}

/// What an organiser does next, as links.
fn next(view: &CampaignView<'_>, progress: &CampaignProgress) -> Markup {
    let tab = |name: &str, words: &str| link(view.asked.links, &view.tab(name), &html! { (words) });
    html! {
        h2 { "Next" }
        ul {
            @match view.row.state {
                CampaignState::Draft => {
                    li { (tab("controls", "Look at the controls")) " and confirm them: who judges is measured by them." }
                    li { (tab("settings", "Open it")) "." }
                },
                CampaignState::Calibrating | CampaignState::Open => {
                    li { (tab("links", "Invite people")) ", or "
                        a href={ "/judge/" (crate::address::encoded(&view.row.name)) } { "judge yourself" } "." }
                    li { (tab("disputes", "Decide")) " what people disagree about." }
                    @if progress.slots.all_done() { li { "Everything is judged: " (tab("settings", "close it")) "." } }
                },
                CampaignState::Paused => li { (tab("settings", "Go on")) "." },
                CampaignState::Closing => li { (tab("settings", "Go on to what is disputed")) " as soon as nobody works on a task." },
                CampaignState::Adjudicating => {
                    li { (tab("disputes", "Decide")) " what people disagree about." }
                    li { (tab("settings", "Close it")) ", which freezes the results." }
                },
                CampaignState::Closed | CampaignState::Archived => {},
            }
            li { (tab("results", "See what it says")) ", and " (tab("patches", "make a patch")) " of it." }
        }
    }
}

/// What was decided before it began.
fn design(view: &CampaignView<'_>) -> Markup {
    let row = &view.row;
    let design = &row.settings.design;
    html! {
        h2 { "What it is" }
        dl.facts {
            dt { "made" } dd { (date(row.created)) }
            @if let Some(opened) = row.opened { dt { "opened" } dd { (date(opened)) } }
            @if let Some(closed) = row.closed { dt { "closed" } dd { (date(closed)) } }
            dt { "judgements for each item" } dd { @match design.redundancy {
                Redundancy::Fixed { judgements } => (judgements),
                Redundancy::Adaptive { least, most, sure } => { (least) " to " (most) ", until the model is " (figures(&format!("{sure:.2}"))) " sure" },
            } }
            dt { "equal proposals" } dd { @if design.pool { "are judged once, for all who made them" } @else { "are judged apart" } }
            dt { "tasks in one go" } dd { (design.assignment.tasks) ", " (design.assignment.controls) " of them " @if design.assignment.controls == 1 { "a control" } @else { "controls" } }
            dt { "seed" } dd { (design.seed) }
            @if !row.base_digest.is_empty() { dt { "gold" } dd { code { (shown(&row.base_digest)) } } }
            @if let Some(frozen) = &row.frozen { dt { "settings" } dd { code { (shown(frozen)) } " since the opening" } }
            @if let Some(result) = &row.result_digest { dt { "results" } dd { code { (shown(result)) } " since the end" } }
        }
    }
}
