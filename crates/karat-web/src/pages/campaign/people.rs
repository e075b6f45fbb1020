//! Who judges, and what is to be known of them. Flags are for an organiser to look at: nobody is excluded by a rule.

use super::{CampaignTab, CampaignView, PERSON, TabContent, person};
use crate::components::cases::missing;
use crate::components::frame::link;
use crate::components::name::name;
use crate::components::table::{figures, score};
use crate::components::text::counted;
use crate::refusal::Refusal;
use karat::campaigns::life::AssignmentState;
use karat::campaigns::quality::PersonQuality;
use karat::command::CommandLine;
use karat_store::{AssignmentRow, WorkerRow};
use maud::{Markup, html};

/// Everybody who judges.
#[derive(Debug)]
pub(super) struct People;

impl CampaignTab for People {
    fn name(&self) -> &'static str {
        "people"
    }

    fn show(&self, view: &CampaignView<'_>) -> Result<TabContent, Refusal> {
        if let Some(wanted) = view.asked.get(PERSON) {
            return person::show(view, wanted);
        }
        let workers = view.wait(view.store().campaign_workers(view.row.id))?;
        let assignments = view.wait(view.store().campaign_assignments(view.row.id))?;
        let report = view.report(&view.judged()?, "karat")?;
        let of = |worker: &WorkerRow| report.people.iter().find(|it| it.person == worker.pseudonym);
        let flagged = workers.iter().filter(|it| of(it).is_some_and(|it| !it.flags.is_empty()));
        let sentence = match (workers.len(), flagged.count()) {
            (0, _) => "Nobody has come yet.".to_owned(),
            (all, flagged) => {
                let come = counted(all, "person has come", "people have come");
                match flagged {
                    0 => format!("{come}; nothing stands out."),
                    flagged => format!("{come}, and {flagged} should be looked at."),
                }
            }
        };
        let body = html! {
            @if workers.is_empty() {
                p { "People come by an " (link(view.asked.links, &view.tab("links"), &html! { "invitation" })) ", a platform or their account." }
            } @else {
                (table(view, &workers, &assignments, &of))
                p.legend { "Controls are items whose answer is known; 95% is the interval of that share. Accuracy and weight are what the model of people says of their answers on everything else: a weight of 0 means that a vote tells nothing. Nobody is excluded by a rule." }
            }
        };
        let commands = vec![CommandLine::of("verify people").arguments([view.row.name.clone()])];
        Ok(TabContent { sentence, body, commands, ..TabContent::default() })
    }
}

fn table<'p>(
    view: &CampaignView<'_>,
    workers: &[WorkerRow],
    assignments: &[AssignmentRow],
    of: &impl Fn(&WorkerRow) -> Option<&'p PersonQuality>,
) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="People" {
            table.results.statcolumns data-rows {
                caption { "People, by their pseudonyms" }
                thead { tr {
                    th scope="col" { "person" } th scope="col" { "state" }
                    th scope="col" class="n" { "assignments" } th scope="col" class="n" { "judgements" }
                    th scope="col" class="n" { "controls" } th scope="col" class="n" { "95%" }
                    th scope="col" class="n" { "accuracy" } th scope="col" class="n" { "weight" }
                    th scope="col" class="n" { "right" } th scope="col" class="n" { "wrong link" } th scope="col" class="n" { "no entity" }
                    th scope="col" class="n" { "seconds" } th scope="col" class="n" { "longest run" }
                    th scope="col" { "flags" } th scope="col" { "device" }
                } }
                tbody { @for worker in workers { (row(view, worker, assignments, of(worker))) } }
            }
        }
    }
}

fn row(
    view: &CampaignView<'_>,
    worker: &WorkerRow,
    assignments: &[AssignmentRow],
    quality: Option<&PersonQuality>,
) -> Markup {
    let own = || assignments.iter().filter(|it| it.worker == worker.id);
    let ended = own().filter(|it| matches!(it.state, AssignmentState::Ended { .. })).count();
    let there = view.tab("people").with(PERSON.name, worker.id.to_string());
    let nothing = || missing("no judgement of theirs counts yet");
    html! {
        tr data-row {
            th scope="row" { (link(view.asked.links, &there, &name(&worker.pseudonym))) }
            td data-label="state" { (worker.state.word()) }
            td.n data-label="assignments" { (ended) " of " (own().count()) }
            @match quality {
                Some(one) => {
                    td.n data-label="judgements" { (one.judgements) }
                    td.n data-label="controls" { (one.controls_right) " of " (one.controls) }
                    td.n data-label="95%" { (interval(one)) }
                    td.n data-label="accuracy" { (score(one.accuracy)) }
                    td.n data-label="weight" { (score(one.weight)) }
                    @for (share, words) in one.shares.into_iter().zip(["right", "wrong link", "no entity"]) { td.n data-label=(words) { (score(Some(share))) } }
                    td.n data-label="seconds" { (seconds(one)) }
                    td.n data-label="longest run" { (one.longest_run) }
                    td data-label="flags" { (flags(one)) }
                },
                None => { @for _ in 0..10 { td.n { (nothing()) } } td data-label="flags" {} },
            }
            td data-label="device" { (worker.device) }
        }
    }
}

/// The interval of the accuracy on controls.
pub(super) fn interval(one: &PersonQuality) -> Markup {
    html! {
        @match one.control_interval {
            Some([low, high]) => (figures(&format!("{low:.2}–{high:.2}"))),
            None => (missing("no control was answered")),
        }
    }
}

/// The median of the time on an item.
pub(super) fn seconds(one: &PersonQuality) -> Markup {
    html! {
        @match one.median_ms {
            Some(ms) => (figures(&format!("{:.1}", ms / 1000.0))),
            None => (missing("no time was measured")),
        }
    }
}

/// What an organiser should look at.
pub(super) fn flags(one: &PersonQuality) -> Markup {
    let words: Vec<&str> = one.flags.iter().map(|flag| flag.words()).collect();
    html! { @if !words.is_empty() { b { (words.join(", ")) } } }
}
