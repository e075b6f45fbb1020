//! Items whose answer is known: how people did on them, and which are used.

use super::card::{ItemShown, pager, shown_link};
use super::{AFTER, CampaignTab, CampaignView, ITEM, TabContent};
use crate::campaigns::{ControlAnswered, JudgedCampaign, action_words};
use crate::components::cases::missing;
use crate::components::frame::link;
use crate::components::name::{name, visible};
use crate::components::text::counted;
use crate::refusal::Refusal;
use karat::campaigns::plan::ControlKind;
use karat::command::CommandLine;
use karat_store::KeyState;
use maud::{Markup, html};

/// All controls and practice items.
#[derive(Debug)]
pub(super) struct Controls;

/// So many stand on a page.
const ON_A_PAGE: usize = 100;

impl CampaignTab for Controls {
    fn name(&self) -> &'static str {
        "controls"
    }

    fn show(&self, view: &CampaignView<'_>) -> Result<TabContent, Refusal> {
        let keys = view.wait(view.store().campaign_keys(view.row.id))?;
        let pool = view.wait(view.store().control_pool(view.row.id))?;
        let judged = view.judged()?;
        let answered = judged.controls(keys);
        let bad = answered.iter().filter(|one| one.is_bad).count();
        let waiting = answered.iter().filter(|one| one.key.state == KeyState::Proposed).count();
        let mut sentence = format!(
            "{}, {} and {} that {} no entity are used as controls.",
            counted(pool.right, "right link", "right links"),
            counted(pool.corrupted, "wrong one", "wrong ones"),
            pool.no_entity,
            if pool.no_entity == 1 { "is" } else { "are" },
        );
        if waiting > 0 {
            let words =
                counted(waiting, "waits for you to confirm it", "wait for you to confirm them");
            sentence.push_str(&format!(" {words}."));
        }
        if bad > 0 {
            let words =
                counted(bad, "looks bad: good people fail it", "look bad: good people fail them");
            sentence.push_str(&format!(" {words}."));
        }
        let first = view.asked.number(AFTER)?.unwrap_or_default();
        let shown: Vec<&ControlAnswered> = answered.iter().skip(first).take(ON_A_PAGE).collect();
        let body = html! {
            @if answered.is_empty() {
                p.empty { "This campaign has no controls: nothing tells whose answers are to be trusted but how they agree." }
            } @else {
                form.controls method="post" action=(view.action("controls")) {
                    (table(view, &judged, &shown))
                    p.act {
                        button name="state" value="confirmed" { "Confirm the selected" } " "
                        button name="state" value="withdrawn" { "Take the selected out" }
                    }
                }
                (pager(view, &view.tab("controls"), (first, ON_A_PAGE), answered.len()))
                p.legend { "Whoever always says right has one of three kinds right, because each control task has one of each. A control is called bad that half or more of at least four good people fail, where somebody is good who has at least four in five of three or more other controls right: take it out." }
            }
        };
        let commands = vec![CommandLine::of("verify controls").arguments([view.row.name.clone()])];
        Ok(TabContent { sentence, body, commands, ..TabContent::default() })
    }
}

fn table(view: &CampaignView<'_>, judged: &JudgedCampaign, rows: &[&ControlAnswered]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Controls" {
            table.caselist data-rows {
                caption { "Controls and practice items" }
                thead { tr {
                    th.check scope="col" { span.said { "select" } }
                    th scope="col" class="kw" { "in the text" } th scope="col" { "link" } th scope="col" { "right is" }
                    th scope="col" { "state" } th scope="col" class="n" { "passed" } th scope="col" { "what" } th scope="col" { "origin" }
                } }
                tbody { @for one in rows { (row(view, judged, one)) } }
            }
        }
    }
}

fn row(view: &CampaignView<'_>, judged: &JudgedCampaign, one: &ControlAnswered) -> Markup {
    let there = view.tab("disputes").with(ITEM.name, one.key.item.to_string());
    let item = ItemShown::of(judged, one.place);
    let words = item.as_ref().map(|item| item.words.clone()).unwrap_or_default();
    let is_waiting = one.key.state == KeyState::Proposed;
    let right: Vec<&str> = one.key.actions.iter().map(|action| action_words(*action)).collect();
    html! {
        tr data-row {
            td.check { input type="checkbox" name="item" value=(one.key.item) checked[is_waiting] aria-label={ "Select " (visible(&words)) }; }
            td.kw { @if let Some(item) = &item { (link(view.asked.links, &there, &item.in_line())) } }
            td data-label="link" { @if let Some(item) = &item { (shown_link(item.link, None)) } }
            td data-label="right is" { (right.join(" or ")) }
            td data-label="state" { (one.key.state.word()) @if one.is_bad { " " strong { "bad control" } } }
            td.n data-label="passed" { @match one.answers {
                0 => (missing("nobody has answered it")),
                all => { (one.right) " of " (all) },
            } }
            td data-label="what" { (kind(one)) }
            td data-label="origin" { (name(&one.key.origin)) }
        }
    }
}

fn kind(one: &ControlAnswered) -> &'static str {
    match ControlKind::of(&one.key.key()) {
        _ if one.key.kind == "practice" => "practice",
        Some(ControlKind::Right) => "a right link",
        Some(ControlKind::Corrupted) => "a wrong link",
        Some(ControlKind::NoEntity) => "no entity",
        None => "a control",
    }
}
