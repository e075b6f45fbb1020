//! One item with all that is known of it: its text, the votes, what the model says, who proposed it, and the form that decides.

use super::{CampaignView, ITEM, NAMES, TabContent};
use crate::address::{Address, entity_page};
use crate::campaigns::{JudgedCampaign, action_words};
use crate::components::cases::missing;
use crate::components::context::in_context;
use crate::components::frame::link;
use crate::components::name::{name, visible};
use crate::components::table::{figures, score};
use crate::components::text::as_shown;
use crate::components::time::date;
use crate::judging::{Words, found, words};
use crate::refusal::Refusal;
use karat::campaigns::outcome::ItemOutcome;
use karat::campaigns::{LinkTarget, VerifyAction};
use karat::model::{Span, TextIndex};
use karat_store::{DecisionRow, StoredJudgement};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// An item in its text.
pub(super) struct ItemShown<'j> {
    pub(super) document: &'j str,
    pub(super) link: &'j LinkTarget,
    /// What stands before it, its words, and what stands behind it, as far as the text goes.
    pub(super) before: String,
    pub(super) words: String,
    pub(super) after: String,
}

impl<'j> ItemShown<'j> {
    /// The item at a place of the plan.
    pub(super) fn of(judged: &'j JudgedCampaign, place: usize) -> Option<ItemShown<'j>> {
        let plan = &judged.file.plan;
        let item = plan.items.get(place)?;
        let text = plan.texts.get(item.text)?;
        let index = TextIndex::new(&text.words);
        let start = item.begin.saturating_sub(text.begin).min(index.len());
        let end = item.end.saturating_sub(text.begin).clamp(start, index.len());
        let slice = |from: u32, to: u32| {
            index.slice(Span::new(from, to)).map(str::to_owned).unwrap_or_default()
        };
        Some(ItemShown {
            document: &text.document,
            link: &item.link,
            before: slice(0, start),
            words: slice(start, end),
            after: slice(end, index.len()),
        })
    }

    /// On one line, with a little of what stands around it.
    pub(super) fn in_line(&self) -> Markup {
        const AROUND: usize = 60;
        let skipped = self.before.chars().count().saturating_sub(AROUND);
        let before: String = self.before.chars().skip(skipped).collect();
        let after: String = self.after.chars().take(AROUND).collect();
        in_context(&before, &self.words, &after)
    }

    /// The whole text with the item marked.
    fn in_text(&self) -> Markup {
        html! {
            p.reading.t dir="auto" { (as_shown(&self.before)) mark.on { (as_shown(&self.words)) } (as_shown(&self.after)) }
        }
    }
}

/// What a link means: its name where there is a knowledge base, and its page.
pub(super) fn shown_link(target: &LinkTarget, words: Option<&Words>) -> Markup {
    let LinkTarget::Entity(id) = target else { return html! { "NIL" } };
    let named = words.and_then(|words| words.name(target));
    let about = words.and_then(|words| words.description(target));
    html! {
        @match entity_page(id) {
            Some(url) => a href=(url) rel="noreferrer" { (visible(named.unwrap_or(id))) },
            None => (name(named.unwrap_or(id))),
        }
        @if named.is_some() { " " span.soft { (name(id)) } }
        @if let Some(about) = about { " " span.soft { (name(about)) } }
    }
}

/// Earlier and later rows of a list.
pub(super) fn pager(
    view: &CampaignView<'_>,
    list: &Address,
    (first, on_a_page): (usize, usize),
    total: usize,
) -> Markup {
    let there = |after: usize| {
        let after = if after == 0 { String::new() } else { after.to_string() };
        list.clone().with(super::AFTER.name, after)
    };
    let last = (first + on_a_page).min(total);
    html! {
        @if total > on_a_page {
            nav.pager aria-label="Pages of the list" {
                @if first > 0 { (link(view.asked.links, &there(first.saturating_sub(on_a_page)), &html! { "earlier" })) " " }
                @if last < total { (link(view.asked.links, &there(last), &html! { "later" })) " " }
                span.soft { (first + 1) " to " (last) " of " (total) }
            }
        }
    }
}

/// Chances of the three answers, in the order of tables.
pub(super) fn chances(outcome: Option<&ItemOutcome>) -> Markup {
    html! {
        @match outcome.and_then(|outcome| outcome.chances) {
            Some([verify, modify, remove]) => {
                (score(Some(verify))) " right · " (score(Some(modify))) " wrong link · " (score(Some(remove))) " no entity"
            },
            None => (missing("nobody has judged it")),
        }
    }
}

/// Why somebody decides, with the words that are shown.
pub(crate) const REASONS: [(&str, &str); 6] = [
    ("ambiguous-text", "the text is ambiguous"),
    ("guideline-gap", "the guidelines do not say"),
    ("worker-error", "people erred"),
    ("bad-control", "it is a bad control"),
    ("kb-gap", "the knowledge base lacks it"),
    ("other", "something else"),
];

/// Everything about one item.
pub(super) struct ItemCard<'v> {
    pub(super) view: &'v CampaignView<'v>,
    pub(super) judged: &'v JudgedCampaign,
    pub(super) place: usize,
    pub(super) outcome: &'v ItemOutcome,
    /// The item that comes next in the queue.
    pub(super) next: Option<i64>,
    /// How many wait in the queue.
    pub(super) waiting: usize,
}

impl ItemCard<'_> {
    pub(super) fn show(&self) -> Result<TabContent, Refusal> {
        let row = &self.judged.items[self.place];
        let unknown = || Refusal::Failed("the plan of the campaign has no such item".to_owned());
        let item = ItemShown::of(self.judged, self.place).ok_or_else(unknown)?;
        let votes = self.view.wait(self.view.store().item_judgements(row.id))?;
        let history = self.view.wait(self.view.store().decision_history(row.id))?;
        let named = self.named(&item, &votes, &history);
        let waiting = match self.waiting {
            0 => "Nothing waits to be decided".to_owned(),
            1 => "One item waits to be decided".to_owned(),
            many => format!("{many} items wait to be decided"),
        };
        let sentence = format!("Is “{}” {}? {waiting}.", item.words.trim(), item.link);
        let body = html! {
            p { (link(self.view.asked.links, &self.view.tab("disputes"), &html! { "The queue" }))
                @if let Some(next) = self.next { " · " (link(self.view.asked.links, &self.view.tab("disputes").with(ITEM.name, next.to_string()), &html! { "next" })) } }
            section.adjudicate data-adjudicate aria-label="The item" {
                p.soft { (name(item.document)) ", " (row.start) "–" (row.end) @if row.kind != "real" { ", " (name(&row.kind)) } }
                (item.in_text())
                p { b { (name(&item.words)) } " → " (shown_link(item.link, Some(&named))) }
                p { "The model: " (chances(Some(self.outcome))) }
                (self.votes(&votes, &named))
                (self.sources())
                (self.form(&item, &named))
            }
            (self.history(&history, &named))
        };
        Ok(TabContent { sentence, body, ..TabContent::default() })
    }

    /// What everything that is linked here is called.
    fn named(
        &self,
        item: &ItemShown<'_>,
        votes: &[StoredJudgement],
        history: &[DecisionRow],
    ) -> Words {
        let mut links = vec![item.link.clone()];
        links.extend(votes.iter().filter_map(|vote| vote.link.clone()));
        links.extend(history.iter().filter_map(|one| one.link.clone()));
        words(self.view.asked.workbench.kb(), &links)
    }

    /// All votes, without names unless they are asked for.
    fn votes(&self, votes: &[StoredJudgement], named: &Words) -> Markup {
        let shows_names = self.view.asked.get(NAMES) == Some("1");
        let here =
            self.view.tab("disputes").with(ITEM.name, self.judged.items[self.place].id.to_string());
        let other = here.with(NAMES.name, if shows_names { "" } else { "1" });
        let mut people: BTreeMap<i64, usize> = BTreeMap::new();
        for vote in votes {
            let next = people.len() + 1;
            people.entry(vote.worker).or_insert(next);
        }
        html! {
            div.scroll tabindex="0" role="region" aria-label="Votes" {
                table.tight {
                    caption { "Votes" @if votes.is_empty() { ": nobody has judged it" } }
                    thead { tr {
                        th scope="col" { "who" } th scope="col" { "answer" } th scope="col" { "instead" } th scope="col" { "why" }
                        th scope="col" class="n" { "sure" } th scope="col" class="n" { "seconds" } th scope="col" { "note" } th scope="col" { "counts" }
                    } }
                    tbody { @for vote in votes { tr {
                        th scope="row" { @if shows_names { (name(&vote.pseudonym)) } @else { "person " (people.get(&vote.worker).copied().unwrap_or_default()) } }
                        td { (action_words(vote.action)) }
                        td { @match (&vote.link, vote.action) {
                            (Some(link), _) => (shown_link(link, Some(named))),
                            (None, VerifyAction::Modify) => "no better one found",
                            _ => "",
                        } }
                        td { (vote.reason.map(reason_words).unwrap_or_default()) }
                        td.n { @if let Some(sure) = vote.confidence { (sure) " of 3" } }
                        td.n { @match vote.active_ms { Some(ms) => (figures(&format!("{:.1}", ms as f64 / 1000.0))), None => (missing("no time was measured")) } }
                        td { (name(&vote.comment)) }
                        td { @if vote.counted { "yes" } @else { "no" } }
                    } } }
                }
            }
            p.soft { (link(self.view.asked.links, &other, &html! { @if shows_names { "Hide who voted" } @else { "Show pseudonyms" } })) }
        }
    }

    /// Who proposed it: hidden at first, because it sways.
    fn sources(&self) -> Markup {
        let sources: Vec<&str> = self.judged.sources(self.place).collect();
        html! {
            @if !sources.is_empty() {
                details { summary { "Who proposed it" }
                    ul { @for source in sources { li { (name(source)) } } } }
            }
        }
    }

    /// The links that people named, the best first.
    fn form(&self, item: &ItemShown<'_>, named: &Words) -> Markup {
        let row = &self.judged.items[self.place];
        let outcome = self.outcome;
        let asked = self.view.asked.get(super::FIND).unwrap_or_default();
        let search = (!asked.is_empty()).then(|| found(self.view.asked.workbench.kb(), asked));
        let is_on = |action: VerifyAction| outcome.is_decided && outcome.action == Some(action);
        let consensus = outcome.action.filter(|_| !outcome.is_decided).map(VerifyAction::name);
        let mut offered: Vec<(LinkTarget, String)> = Vec::new();
        for (link, people) in &outcome.links {
            let said = match people {
                0 | &usize::MAX => String::new(),
                1 => "named by one person".to_owned(),
                many => format!("named by {many} people"),
            };
            offered.push((link.clone(), said));
        }
        for one in search.iter().flat_map(|found| &found.entities) {
            let link = LinkTarget::Entity(one.id.clone());
            if !offered.iter().any(|(known, _)| *known == link) && link != *item.link {
                offered.push((link, format!("{} {}", one.name, one.description)));
            }
        }
        html! {
            form.edit.decide method="post" action=(self.view.action("decisions")) data-consensus=[consensus] {
                input type="hidden" name="item" value=(row.id);
                @if let Some(next) = self.next { input type="hidden" name="next" value=(next); }
                fieldset {
                    legend { "Decide" }
                    div.answers.wide role="radiogroup" aria-label={ "What " (visible(&item.words)) " is" } {
                        @for (action, words, letter) in [(VerifyAction::Verify, "Right", "v"), (VerifyAction::Modify, "Wrong link", "m"), (VerifyAction::Remove, "Not an entity", "r")] {
                            label { input type="radio" name="action" value=(action.name()) required checked[is_on(action)] data-key=(letter);
                                (words) @if consensus == Some(action.name()) { " " span.soft { "(consensus)" } } }
                        }
                    }
                    div.links.wide role="radiogroup" aria-label="The right link, if it is wrong" {
                        p.soft { "If the link is wrong, which one is right?" }
                        @for (at, (link, said)) in offered.iter().enumerate() {
                            label { input type="radio" name="which" value=(written(link)) checked[is_on(VerifyAction::Modify) && at == 0]; (shown_link(link, Some(named))) " " span.soft { (name(said)) } }
                        }
                        @if !offered.iter().any(|(link, _)| *link == LinkTarget::Nil) {
                            label { input type="radio" name="which" value="NIL"; "It is in no knowledge base (NIL)" }
                        }
                        label { input type="radio" name="which" value="other"; "this one: " }
                        input name="link" maxlength="500" aria-label="Id, title or address" placeholder="an id, a title or an address" autocomplete="off";
                    }
                    label { "Why " select name="reason" {
                        @for (reason, words) in REASONS { option value=(reason) selected[reason == "other"] { (words) } }
                    } }
                    label { "Note " input name="note" maxlength="2000" autocomplete="off"; }
                }
                button { "Decide" } " "
                @if outcome.is_decided { button name="do" value="back" formnovalidate { "Take the decision back" } }
            }
            (self.finder(asked, search.as_ref().and_then(|found| found.why.as_deref())))
        }
    }

    /// Entities by name, where there is a knowledge base to look in.
    fn finder(&self, asked: &str, why: Option<&str>) -> Markup {
        html! {
            @if self.view.asked.workbench.kb().is_some() {
                form.edit method="get" action=(Address::campaign(&self.view.row.name).to_path()) {
                    input type="hidden" name="show" value="disputes";
                    input type="hidden" name="item" value=(self.judged.items[self.place].id);
                    label { "Look for another entity " input type="search" name="q" value=(visible(asked)) maxlength="200" autocomplete="off"; }
                    button { "Search" }
                    @if let Some(why) = why { p.soft { (visible(why)) } }
                }
            }
        }
    }

    fn history(&self, history: &[DecisionRow], named: &Words) -> Markup {
        html! {
            @if !history.is_empty() {
                div.scroll tabindex="0" role="region" aria-label="Decisions about it" {
                    table.tight {
                        caption { "Decisions about it, the last at the end" }
                        thead { tr { @for words in ["when", "who", "decision", "why", "note"] { th scope="col" { (words) } } } }
                        tbody { @for one in history { tr {
                            th scope="row" { (date(one.at)) }
                            td { (name(&one.who)) }
                            td { (decision(one, named)) }
                            td { (name(reason_of(&one.reason))) }
                            td { (name(&one.note)) }
                        } } }
                    }
                }
            }
        }
    }
}

/// A link as the value of a field, which comes back as it is: JSON, because an id may have characters that a page must not have.
fn written(link: &LinkTarget) -> String {
    serde_json::to_string(link).unwrap_or_default()
}

/// What was decided.
pub(super) fn decision(one: &DecisionRow, named: &Words) -> Markup {
    html! {
        @match one.action { Some(action) => (action_words(action)), None => "taken back" }
        @if let Some(link) = &one.link { ": " (shown_link(link, Some(named))) }
    }
}

fn reason_of(code: &str) -> &str {
    REASONS.iter().find(|(known, _)| *known == code).map_or(code, |(_, words)| words)
}

fn reason_words(reason: karat::campaigns::JudgementReason) -> &'static str {
    use karat::campaigns::JudgementReason as Reason;
    match reason {
        Reason::WrongEntity => "another entity is meant",
        Reason::TooGeneral => "too general",
        Reason::TooSpecific => "too specific",
        Reason::NotAnEntity => "names nothing",
        Reason::BadSpan => "other words are meant",
    }
}
