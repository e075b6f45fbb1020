//! One person: what is known of them, what they said, and what an organiser can do.

use super::card::{ItemShown, shown_link};
use super::people::{flags, interval, seconds};
use super::{AFTER, CampaignView, ITEM, PERSON, TabContent};
use crate::campaigns::{JudgedCampaign, action_words};
use crate::components::cases::missing;
use crate::components::frame::link;
use crate::components::name::{name, visible};
use crate::components::table::{figures, score};
use crate::components::time::date;
use crate::refusal::Refusal;
use karat::campaigns::quality::{PersonFlag, PersonQuality};
use karat_store::{StoredJudgement, WorkerRow, WorkerState};
use maud::{Markup, html};

/// So many answers stand on a page.
const ON_A_PAGE: usize = 100;

/// Everything about one person.
pub(super) fn show(view: &CampaignView<'_>, wanted: &str) -> Result<TabContent, Refusal> {
    let unknown = || Refusal::Missing {
        what: format!("There is no person {}.", visible(wanted)),
        hint: Some("The list of people has everybody.".to_owned()),
    };
    let workers = view.wait(view.store().campaign_workers(view.row.id))?;
    let number: i64 = wanted.parse().map_err(|_| unknown())?;
    let worker = workers.into_iter().find(|it| it.id == number).ok_or_else(unknown)?;
    let judged = view.judged()?;
    let report = view.report(&judged, "karat")?;
    let quality = report.people.iter().find(|it| it.person == worker.pseudonym);
    let answers = view.wait(view.store().worker_judgements(worker.id))?;
    let body = html! {
        p { (link(view.asked.links, &view.tab("people"), &html! { "All people" })) }
        h2 { (name(&worker.pseudonym)) }
        (facts(&worker, quality))
        (acts(view, &worker))
        h2 { "What they said" }
        (said(view, &judged, &worker, &answers)?)
    };
    let sentence = match worker.state {
        WorkerState::Active => format!("{} gets tasks.", worker.pseudonym),
        WorkerState::Paused => {
            format!("{} is paused: no new tasks, and what is submitted counts.", worker.pseudonym)
        }
        WorkerState::Excluded => {
            format!("{} is excluded: nothing that they said counts.", worker.pseudonym)
        }
    };
    Ok(TabContent { sentence, body, ..TabContent::default() })
}

fn facts(worker: &WorkerRow, quality: Option<&PersonQuality>) -> Markup {
    html! {
        dl.facts {
            dt { "came" } dd { (date(worker.made)) " by " (name(&worker.platform)) @if !worker.device.is_empty() { ", with a " (name(&worker.device)) } }
            dt { "agreed" } dd { @match (worker.consented, worker.consent_version) {
                (Some(at), Some(version)) => { (date(at)) ", to version " (version) },
                _ => (missing("not yet")),
            } }
            @if let Some(one) = quality {
                dt { "judgements" } dd { (one.judgements) }
                dt { "controls" } dd { (one.controls_right) " of " (one.controls) " right, 95% " (interval(one)) }
                dt { "by the model" } dd { "accuracy " (score(one.accuracy)) ", weight of a vote " (score(one.weight)) }
                dt { "answers" } dd { "right " (score(Some(one.shares[0]))) ", wrong link " (score(Some(one.shares[1]))) ", not an entity " (score(Some(one.shares[2]))) }
                dt { "time" } dd { (seconds(one)) " s for an item, the median" }
                dt { "longest run" } dd { (one.longest_run) " times the same answer" }
                @if !one.flags.is_empty() {
                    dt { "look at" } dd { (flags(one)) ul { @for flag in &one.flags { li { (about(*flag)) } } } }
                }
            }
        }
    }
}

/// What a flag says.
fn about(flag: PersonFlag) -> &'static str {
    match flag {
        PersonFlag::Fast => {
            "Faster than nearly everybody who passes, and wrong on more than one control in five."
        }
        PersonFlag::StraightLine => {
            "A run of one answer that their own shares would give once in a thousand times."
        }
        PersonFlag::AlwaysVerifies => {
            "Says right to everything, where three or more other answers were to be expected."
        }
        PersonFlag::Guessing => {
            "Right on fewer than seven controls in ten, as sure as their number can tell."
        }
    }
}

/// What an organiser can do about somebody; each act with its reason.
fn acts(view: &CampaignView<'_>, worker: &WorkerRow) -> Markup {
    let is_active = worker.state == WorkerState::Active;
    let is_excluded = worker.state == WorkerState::Excluded;
    html! {
        form.edit method="post" action=(view.action("people")) {
            input type="hidden" name="person" value=(worker.id);
            fieldset {
                legend { "Decide about this person" }
                label.wide { "Why " input name="reason" required maxlength="500" autocomplete="off"; }
                p.soft { "It stands in the audit. Whoever is excluded is paid all the same; their tasks are given out again." }
            }
            @if is_active { button name="do" value="pause" { "Pause" } " " }
            @if worker.state == WorkerState::Paused { button name="do" value="resume" { "Let them go on" } " " }
            @if !is_excluded { button name="do" value="exclude" { "Exclude" } }
            @if is_excluded { button name="do" value="resume" { "Take the exclusion back" } }
        }
        details {
            summary { "Forget this person" }
            form.edit method="post" action=(view.action("people")) {
                input type="hidden" name="person" value=(worker.id);
                p { "Ids of their platform, notes and times are deleted for good. Answers stay, under a new pseudonym." }
                label { input type="checkbox" name="answers" value="yes"; "Delete the answers too; their tasks are given out again" }
                label.wide { "Why, without naming them " input name="reason" required maxlength="500" autocomplete="off"; }
                button name="do" value="forget" { "Forget" }
            }
        }
    }
}

fn said(
    view: &CampaignView<'_>,
    judged: &JudgedCampaign,
    worker: &WorkerRow,
    answers: &[StoredJudgement],
) -> Result<Markup, Refusal> {
    let first = view.asked.number(AFTER)?.unwrap_or_default();
    let rows: Vec<&StoredJudgement> = answers.iter().rev().skip(first).take(ON_A_PAGE).collect();
    Ok(html! {
        @if answers.is_empty() { p.empty { "Nothing yet." } }
        @else {
            div.scroll tabindex="0" role="region" aria-label="Answers" {
                table.caselist data-rows {
                    caption { "Answers, the last first" }
                    thead { tr {
                        th scope="col" class="kw" { "in the text" } th scope="col" { "link" } th scope="col" { "answer" }
                        th scope="col" { "instead" } th scope="col" class="n" { "seconds" } th scope="col" { "note" } th scope="col" { "counts" }
                    } }
                    tbody { @for row in &rows { (answer(view, judged, row)) } }
                }
            }
            (super::card::pager(view, &view.tab("people").with(PERSON.name, worker.id.to_string()), (first, ON_A_PAGE), answers.len()))
        }
    })
}

fn answer(view: &CampaignView<'_>, judged: &JudgedCampaign, row: &StoredJudgement) -> Markup {
    let place = usize::try_from(row.n).unwrap_or(usize::MAX);
    let there = view.tab("disputes").with(ITEM.name, row.item.to_string());
    let item = ItemShown::of(judged, place);
    html! {
        tr data-row {
            td.kw { @if let Some(item) = &item { (link(view.asked.links, &there, &item.in_line())) } }
            td data-label="link" { @if let Some(item) = &item { (shown_link(item.link, None)) } }
            td data-label="answer" { (action_words(row.action)) }
            td data-label="instead" { @if let Some(link) = &row.link { (shown_link(link, None)) } }
            td.n data-label="seconds" { @match row.active_ms { Some(ms) => (figures(&format!("{:.1}", ms as f64 / 1000.0))), None => (missing("no time was measured")) } }
            td data-label="note" { (name(&row.comment)) }
            td data-label="counts" { @if row.counted { "yes" } @else { "no" } @if row.purpose != "main" { " (" (name(&row.purpose)) ")" } }
        }
    }
}
