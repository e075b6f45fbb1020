//! Practice: items whose answers are known and explained, before any work. It can be tried twice.

use super::arriving::Seat;
use super::form::Fields;
use super::frame::{page, paragraphs};
use super::search::Words;
use crate::components::context::in_context;
use crate::components::name::{name, shown, visible};
use axum::http::StatusCode;
use axum::response::Response;
use karat::campaigns::VerifyAction;
use karat::campaigns::plan::{CampaignPlan, ItemKey, ItemKind};
use karat::model::{Span, TextIndex};
use karat_store::CampaignPageRow;
use maud::{Markup, html};

/// What somebody said, and whether it is right.
pub(super) struct Graded<'p> {
    key: &'p ItemKey,
    said: Option<VerifyAction>,
}

impl Graded<'_> {
    fn is_right(&self) -> bool {
        self.said.and_then(|said| self.key.accepts(said)).unwrap_or(false)
    }
}

/// Items of this campaign to practise on.
pub(super) fn keys(plan: &CampaignPlan) -> Vec<&ItemKey> {
    let practises = |key: &&ItemKey| {
        plan.items.get(key.item).is_some_and(|item| item.kind == ItemKind::Practice)
    };
    plan.keys.iter().filter(practises).filter(|key| key.confirmed).collect()
}

/// What a form says of them.
pub(super) fn graded<'p>(plan: &'p CampaignPlan, fields: &Fields) -> Vec<Graded<'p>> {
    let said = |key: &ItemKey| {
        let id = i64::try_from(key.item).unwrap_or_default();
        fields.filled(id).action.parse().ok()
    };
    keys(plan).into_iter().map(|key| Graded { key, said: said(key) }).collect()
}

/// Whether enough is right.
pub(super) fn is_passed(graded: &[Graded<'_>], needed: usize) -> bool {
    let right = graded.iter().filter(|one| one.is_right()).count();
    right >= needed.min(graded.len())
}

/// The items, to be judged.
pub(super) fn practice(
    seat: &Seat,
    plan: &CampaignPlan,
    words: &Words,
    guidelines: Option<&CampaignPageRow>,
    again: bool,
) -> Response {
    let needed = seat.campaign.settings.practice;
    let all = keys(plan);
    let body = html! {
        h1 { "Practice" }
        p.result { (all.len()) " links whose answers are known. " (needed.min(all.len())) " of your answers have to be right. Every answer is explained afterwards." }
        @if again { p { b { "This is your second and last try." } } }
        @if let Some(guidelines) = guidelines { details open[!again] { summary { "The guidelines" } (paragraphs(&guidelines.body)) } }
        form.task method="post" action=(seat.address) {
            @for key in &all { (item(plan, key, words)) }
            button.big name="do" value="practice" { "Check" }
        }
    };
    page(Some(seat), StatusCode::OK, "Practice", &body)
}

fn line(plan: &CampaignPlan, key: &ItemKey) -> (String, Markup) {
    let item = &plan.items[key.item];
    let text = &plan.texts[item.text];
    let index = TextIndex::new(&text.words);
    let place = |at: u32| at.saturating_sub(text.begin);
    let span = Span::new(place(item.begin), place(item.end));
    let slice = |start: u32, end: u32| index.slice(Span::new(start, end)).unwrap_or_default();
    let words = slice(span.start, span.end).to_owned();
    let line = in_context(slice(0, span.start), &words, slice(span.end, index.len()));
    (words, line)
}

fn item(plan: &CampaignPlan, key: &ItemKey, words: &Words) -> Markup {
    let link = &plan.items[key.item].link;
    let (mention, line) = line(plan, key);
    html! {
        fieldset.item {
            legend { b { (name(&mention)) } " → " (name(words.name(link).unwrap_or(&link.to_string()))) }
            p.line { (line) }
            div.answers role="radiogroup" aria-label={ "Answer for " (visible(&mention)) } {
                @for (action, said) in [("verify", "Right"), ("modify", "Wrong link"), ("remove", "Not an entity")] {
                    label { input type="radio" name={ "action." (key.item) } value=(action) required; span { (said) } }
                }
            }
        }
    }
}

/// What was right and why.
pub(super) fn explained(
    seat: &Seat,
    plan: &CampaignPlan,
    graded: &[Graded<'_>],
    is_over: bool,
) -> Response {
    let right = graded.iter().filter(|one| one.is_right()).count();
    let is_passed = is_passed(graded, seat.campaign.settings.practice);
    let body = html! {
        h1 { @if is_passed { "Passed" } @else { "Not yet" } }
        p.result { (right) " of " (graded.len()) " answers are right." }
        ol { @for one in graded {
            @let (mention, line) = line(plan, one.key);
            li {
                p.line { (line) }
                p { b { (name(&mention)) } ": " @if one.is_right() { "right" } @else { "not right" } ". " (shown(&one.key.explanation)) }
            }
        } }
        p { a.big href=(seat.address) {
            @if is_passed { "Begin" } @else if is_over { "Go on" } @else { "Try once more" }
        } }
    };
    page(Some(seat), StatusCode::OK, "Practice", &body)
}
