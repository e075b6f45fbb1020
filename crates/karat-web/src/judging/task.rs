//! The page of a task: the text with numbered marks, and one group of fields for each item.
//!
//! Nothing is preselected, and there is no answer for all items at once: an honest answer costs one key, like any other.

use super::arriving::Seat;
use super::form::{FLAGS, Filled, REASONS, Wanting};
use super::frame::paragraphs;
use super::search::{Found, Words};
use crate::address::entity_page;
use crate::components::name::{name, visible};
use crate::components::text::as_shown;
use karat::campaigns::LinkTarget;
use karat::model::{Span, TextIndex};
use karat_store::{CampaignPageRow, LeasedItem, LeasedTask};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// What a task is shown with.
#[derive(Default)]
pub(super) struct TaskView<'a> {
    /// What was filled in.
    pub(super) filled: BTreeMap<i64, Filled>,
    /// What is missing.
    pub(super) wanting: Vec<Wanting>,
    /// What a search found, for whom no script searches.
    pub(super) found: Option<(i64, Found)>,
    /// What entities are called.
    pub(super) words: Words,
    /// The revision that comes next.
    pub(super) revision: u32,
    /// When answers were last saved, for the bar at the foot.
    pub(super) guidelines: Option<&'a CampaignPageRow>,
    /// What one assignment is paid, in words.
    pub(super) pay: Option<String>,
    /// Now, in milliseconds since 1970.
    pub(super) now: i64,
}

/// The four answers: word, words, key.
const ACTIONS: [(&str, &str, &str); 4] = [
    ("verify", "Right", "v"),
    ("modify", "Wrong link", "m"),
    ("remove", "Not an entity", "r"),
    ("skip", "Cannot tell", "s"),
];

/// The task as it is exchanged by the script: everything in `main`.
pub(super) fn task(seat: &Seat, task: &LeasedTask, view: &TaskView<'_>) -> Markup {
    let index = TextIndex::new(&task.text.words);
    let offset = task.text.start;
    let place = |item: &LeasedItem| span(item, offset);
    html! {
        div.job data-task=(task.token) data-expires=(task.expires) data-now=(view.now)
            data-revision=(view.revision) data-search=(seat.address_of("search")) data-next=(seat.address) {
            (head(seat, task, view))
            @if !view.wanting.is_empty() { (wanting(task, view)) }
            div.reading tabindex="0" role="region" aria-label="The text" {
                p.t dir="auto" { (marked(task, &index, offset)) }
            }
            form.task method="post" action=(seat.address) {
                input type="hidden" name="do" value="answers";
                input type="hidden" name="token" value=(task.token);
                input type="hidden" name="revision" value=(view.revision);
                @for (at, item) in task.items.iter().enumerate() {
                    @let words = index.slice(place(item)).unwrap_or_default();
                    (one(item, at, task.items.len(), words, &sentence(&index, place(item)), view))
                }
                (flag())
                div.sending {
                    span.step hidden {
                        button type="button" data-go="back" { "Back " kbd hidden data-key="back" { "k" } }
                        button type="button" data-go="next" { "Next " kbd hidden data-key="next" { "j" } }
                        button type="button" data-go="undo" { "Undo " kbd hidden data-key="undo" { "u" } }
                    }
                    span.status role="status" aria-live="polite" data-status { }
                    button.submit name="send" value="1" { "Submit " kbd hidden { "Ctrl+Enter" } }
                }
            }
            (help())
            p.ending role="alert" data-ending hidden {
                span { "Your time for this task is nearly over. " }
                button type="button" data-go="more" { "I need more time" }
            }
        }
    }
}

impl Seat {
    /// The address of a page below this one, with the same parameters.
    pub(super) fn address_of(&self, below: &str) -> String {
        match self.address.split_once('?') {
            Some((path, query)) => format!("{path}/{below}?{query}"),
            None => format!("{}/{below}", self.address),
        }
    }
}

fn head(seat: &Seat, task: &LeasedTask, view: &TaskView<'_>) -> Markup {
    let (number, of) = (task.n + 1, task.of.max(task.n + 1));
    html! {
        header.work {
            h1 { "Task " (number) " of " (of) }
            progress aria-label="How far you are" max=(of) value=(task.n) {}
            @if let Some(pay) = &view.pay { span.soft { (pay) } }
            @if let Some(guidelines) = view.guidelines {
                details.guidelines data-guidelines { summary { "Guidelines " kbd hidden data-key="guidelines" { "g" } } div { (paragraphs(&guidelines.body)) } }
            }
            span.help { a href="#help" { "Help " kbd hidden data-key="help" { "?" } } }
            @if !seat.campaign.title.is_empty() { span.soft.which { (name(&seat.campaign.title)) } }
        }
    }
}

/// What is missing, each with a link to where it is.
fn wanting(task: &LeasedTask, view: &TaskView<'_>) -> Markup {
    let number = |id: i64| task.items.iter().position(|item| item.id == id).map_or(0, |at| at + 1);
    html! {
        section.notices role="alert" {
            p { "Nothing was sent yet. Your answers are kept." }
            ul { @for one in &view.wanting {
                li { a href={ "#item-" (one.item) } { "Item " (number(one.item)) } ": " (one.what) "." }
            } }
        }
    }
}

/// Where an item is in its text.
fn span(item: &LeasedItem, offset: i64) -> Span {
    let at = |place: i64| u32::try_from(place - offset).unwrap_or_default();
    Span::new(at(item.start), at(item.end))
}

/// The text with a numbered mark at each item. Items of a task do not overlap; one that does all the same has its number only.
fn marked(task: &LeasedTask, index: &TextIndex<'_>, offset: i64) -> Markup {
    let mut items: Vec<(usize, Span)> =
        task.items.iter().enumerate().map(|(at, item)| (at, span(item, offset))).collect();
    items.sort_by_key(|(_, span)| (span.start, span.end));
    let slice =
        |start: u32, end: u32| index.slice(Span::new(start, end.max(start))).unwrap_or_default();
    let mut pieces: Vec<Markup> = Vec::new();
    let mut done = 0;
    for (at, span) in items {
        let number = at + 1;
        let start = span.start.max(done);
        pieces.push(html! { (as_shown(slice(done, start))) });
        let words = slice(start, span.end.max(start));
        let id = task.items[at].id;
        pieces.push(html! {
            mark id={ "mark-" (id) } data-mark=(id) { (as_shown(words)) sup { a href={ "#item-" (id) } aria-label={ "item " (number) } { (number) } } }
        });
        done = span.end.max(start);
    }
    pieces.push(html! { (as_shown(slice(done, index.len()))) });
    html! { @for piece in pieces { (piece) } }
}

/// The sentence around a mention, for those who do not see the marks: from the last full stop to the next one, not longer than some
/// hundred characters.
fn sentence(index: &TextIndex<'_>, span: Span) -> String {
    const AROUND: u32 = 120;
    let before = index.slice(Span::new(span.start.saturating_sub(AROUND), span.start));
    let after = index.slice(Span::new(span.end, span.end.saturating_add(AROUND).min(index.len())));
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    let begin = before.rfind(['.', '!', '?', '\n']).map_or(before, |at| &before[at + 1..]);
    let end = after.find(['.', '!', '?', '\n']).map_or(after, |at| &after[..=at]);
    let words = index.slice(span).unwrap_or_default();
    format!("{}{words}{}", begin.trim_start(), end.trim_end())
}

fn one(
    item: &LeasedItem,
    at: usize,
    of: usize,
    words: &str,
    sentence: &str,
    view: &TaskView<'_>,
) -> Markup {
    let filled = view.filled.get(&item.id).cloned().unwrap_or_default();
    let id = item.id;
    let is_wanting = view.wanting.iter().any(|one| one.item == id);
    html! {
        fieldset.item id={ "item-" (id) } data-item=(id) data-words=(words) aria-invalid=[is_wanting.then_some("true")] {
            legend {
                span.count { (at + 1) " of " (of) } " "
                b { (name(words)) } " → " (shown_link(&item.link, &view.words))
                span.said { ". In the sentence: " (visible(sentence)) }
            }
            @if let Some(about) = view.words.description(&item.link) { p.about { (name(about)) } }
            div.answers role="radiogroup" aria-label={ "Answer for " (visible(words)) } {
                @for (action, said, key) in ACTIONS {
                    label { input type="radio" name={ "action." (id) } value=(action) checked[filled.action == action]; span { (said) " " kbd hidden data-key=(action) { (key) } } }
                }
            }
            (correction(item, words, &filled, view))
            details.more open[!filled.note.is_empty()] {
                summary { "Why, how sure, note" }
                label { "Why " select name={ "reason." (id) } {
                    option value="" { "not said" }
                    @for (_, reason, said) in REASONS { option value=(reason) selected[filled.reason == reason] { (said) } }
                } }
                label { "How sure " select name={ "sure." (id) } {
                    option value="" { "not said" }
                    @for (sure, said) in [("1", "not very"), ("2", "fairly"), ("3", "very")] { option value=(sure) selected[filled.sure == sure] { (said) } }
                } }
                label.wide { "Note " input name={ "note." (id) } value=(filled.note) maxlength="500" autocomplete="off"; }
            }
            input type="hidden" name={ "times." (id) } value=(filled.times);
        }
    }
}

/// What is right instead: an entity, NIL, or nothing better was found. It counts only where the link is wrong.
fn correction(item: &LeasedItem, words: &str, filled: &Filled, view: &TaskView<'_>) -> Markup {
    let id = item.id;
    let search = if filled.search.is_empty() { words } else { &filled.search };
    let found = view.found.as_ref().filter(|(found, _)| *found == id).map(|(_, found)| found);
    html! {
        div.correction data-correction {
            p.lead { "If the link is wrong, which one is right?" }
            label.looks { "Search " input type="search" name={ "search." (id) } value=(visible(search)) maxlength="200" autocomplete="off" data-find; }
            button.looks name="find" value=(id) { "Search" }
            div.hits data-results role="group" aria-label="What was found" { @if let Some(found) = found { (results(id, found)) } }
            label.other { input type="radio" name={ "which." (id) } value="other" checked[filled.which == "other"]; " this one: "
                input name={ "link." (id) } value=(filled.link) maxlength="500" placeholder="an id, a title or an address" aria-label="Id, title or address" autocomplete="off" data-link;
                span.chosen data-chosen { (chosen(&filled.link, &view.words)) } }
            label { input type="radio" name={ "which." (id) } value="nil" checked[filled.which == "nil"]; span { "It is in no knowledge base (NIL) " kbd hidden data-key="nil" { "n" } } }
            label { input type="radio" name={ "which." (id) } value="none" checked[filled.which == "none"]; span { "Wrong, but I find no better one " kbd hidden data-key="none" { "w" } } }
        }
    }
}

fn chosen(link: &str, words: &Words) -> Markup {
    let named = words.name(&LinkTarget::from(link.to_owned()));
    html! { @if let Some(named) = named { " " (name(named)) } }
}

/// What a search found: each one is a button that chooses it.
pub(super) fn results(item: i64, found: &Found) -> Markup {
    html! {
        @if let Some(why) = &found.why { p.soft { (visible(why)) } }
        ul { @for one in &found.entities {
            li { button type="submit" name="take" value={ (item) " " (one.id) } data-id=(one.id) data-name=(one.name) {
                b { (name(&one.name)) } " " span.soft { (name(&one.id)) @if !one.description.is_empty() { " · " (name(&one.description)) } }
            } }
        } }
    }
}

fn shown_link(link: &LinkTarget, words: &Words) -> Markup {
    html! {
        @match link {
            LinkTarget::Nil => "NIL, in no knowledge base",
            LinkTarget::Entity(id) => {
                (name(words.name(link).unwrap_or(id)))
                @if words.name(link).is_some() { " (" (name(id)) ")" }
                @if let Some(url) = entity_page(id) { " " a.page href=(url) target="_blank" rel="noopener noreferrer" { "open page" } }
            },
        }
    }
}

/// What the answers mean. It stands in the same place on every task.
fn help() -> Markup {
    html! {
        details.helped id="help" {
            summary { "What the answers mean" }
            dl {
                dt { "Right" } dd { "The words mean what the link says." }
                dt { "Wrong link" } dd { "The words name something, and it is something else: say what, or that it is in no knowledge base, or that you find no better one." }
                dt { "Not an entity" } dd { "The words name nothing in particular." }
                dt { "Cannot tell" } dd { "The text does not say it. Somebody else is asked." }
            }
            p { "Answers are saved when you submit the task. You can close this page and come back by the same address." }
        }
    }
}

fn flag() -> Markup {
    html! {
        details.flag {
            summary { "Something else about this text" }
            label { "What " select name="flag" {
                option value="" { "nothing" }
                @for (flag, said) in FLAGS { option value=(flag) { (said) } }
            } }
            label.wide { "Words or note " input name="flag-note" maxlength="500" autocomplete="off"; }
        }
    }
}
