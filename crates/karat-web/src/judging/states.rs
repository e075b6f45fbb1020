//! The pages that are no task: each says where somebody is, and has one thing to do.

use super::Trouble;
use super::arriving::Seat;
use super::frame::{page, paragraphs};
use crate::address::Address;
use crate::components::name::shown;
use axum::http::StatusCode;
use axum::response::Response;
use karat::campaigns::life::{CampaignState, Ending};
use karat::campaigns::platform::Leaving;
use karat_store::{CampaignPageRow, LeasedItem, NoLease};
use maud::{Markup, html};

/// A form with nothing but buttons.
fn buttons(seat: &Seat, all: &[(&str, &str)]) -> Markup {
    html! {
        form method="post" action=(seat.address) {
            @for (action, words) in all { button.big name="do" value=(action) { (words) } " " }
        }
    }
}

/// What is to be agreed to before anything is stored.
pub(super) fn consent(
    seat: &Seat,
    consent: Option<&CampaignPageRow>,
    guidelines: Option<&CampaignPageRow>,
    pay: Option<&str>,
) -> Response {
    let retention = seat.campaign.settings.retention_days;
    let body = html! {
        h1 { "Before you begin" }
        @if let Some(consent) = consent { section.consent { (paragraphs(&consent.body)) } }
        h2 { "What is kept" }
        ul {
            li { "Your answers, and how long you worked on each of them." }
            li { "Your language, and whether you use a phone, a tablet or a computer. No address of your device." }
            li { "The id by which your platform knows you, encrypted, to pay you. It is never part of results." }
            @if let Some(days) = retention { li { "That id, your notes and times are deleted " (days) " days after the end." } }
        }
        @if let Some(pay) = pay { p { "Pay: " b { (pay) } "." } }
        @if let Some(guidelines) = guidelines { details { summary { "The guidelines" } (paragraphs(&guidelines.body)) } }
        (buttons(seat, &[("consent", "I agree, begin"), ("decline", "I do not agree")]))
        p.soft { "Nothing is stored before you agree. If you do not, the id of your platform is deleted again." }
    };
    page(Some(seat), StatusCode::OK, "Before you begin", &body)
}

/// The way to the campaign, for those who organise it and judge too.
fn campaign(seat: &Seat) -> Markup {
    let there = Address::campaign(&seat.campaign.name).to_path();
    html! { @if seat.organises { p { a href=(there) { "How the campaign goes" } } } }
}

/// Why somebody gets no task now.
pub(super) fn no_task(seat: &Seat, why: NoLease) -> Response {
    let (title, words, button): (&str, &str, Option<(&str, &str)>) = match why {
        NoLease::AssignmentFull => (
            "All tasks are done",
            "Thank you. Finish to end your assignment.",
            Some(("finish", "Finish")),
        ),
        NoLease::NothingLeft => (
            "No work is left",
            "Everything that could be given to you is done. Finish now: you are paid in full.",
            Some(("finish", "Finish")),
        ),
        NoLease::NotOpen => (
            "The campaign is paused",
            "Its organiser has paused it. What you have sent is safe. Come back later, or finish now.",
            Some(("finish", "Finish")),
        ),
        NoLease::PersonPaused => (
            "You are paused",
            "The organiser looks at your work and will write to you. What you have sent is safe.",
            None,
        ),
        NoLease::NotWorking => ("Nothing to do", "Your assignment has ended.", None),
    };
    let body = html! {
        h1 { (title) }
        p.result { (words) }
        @if let Some(button) = button { (buttons(seat, &[button])) }
        @if why == NoLease::NotOpen { p { a href=(seat.address) { "Look again" } } }
        (campaign(seat))
    };
    page(Some(seat), StatusCode::OK, title, &body)
}

/// The campaign gives out nothing.
pub(super) fn not_open(seat: &Seat) -> Response {
    let words = match seat.campaign.state {
        CampaignState::Draft => "The campaign is not open yet.",
        CampaignState::Paused => "The campaign is paused. Come back later.",
        _ => "The campaign is over. Thank you.",
    };
    let body = html! { h1 { "Nothing to do now" } p.result { (words) } };
    page(Some(seat), StatusCode::OK, "Nothing to do now", &body)
}

/// The end, with the way back to where somebody came from.
pub(super) fn ended(seat: &Seat, how: Ending, leaving: &Leaving) -> Response {
    let (title, words) = match how {
        Ending::Finished => ("Finished", "Thank you. All your answers are saved."),
        Ending::NoWorkLeft => (
            "Finished",
            "Thank you. No work is left, so your assignment ended early and is paid in full.",
        ),
        Ending::NoConsent => ("You did not agree", "Nothing was stored, and your id was deleted."),
        Ending::FailedCheck => (
            "The practice was not passed",
            "This work is not for everybody. Please return the task: nothing counts against you.",
        ),
        Ending::Returned => ("Given back", "You have given the task back."),
        Ending::Excluded => ("Ended", "Your assignment was ended by the organiser, and is paid."),
    };
    let body = html! {
        h1 { (title) }
        p.result { (words) }
        @match leaving {
            Leaving::Redirect { address } => p { a.big href=(address) rel="noreferrer" { "Back to " (seat.platform.title) } },
            Leaving::Post { address, fields } => form method="post" action=(address) {
                @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
                button.big { "Submit to " (seat.platform.title) }
            },
            Leaving::Code { code } => p { "Your completion code: " code.code data-code { (shown(code)) } },
            Leaving::Nothing => p.soft { "You can close this page." },
        }
        (campaign(seat))
    };
    page(Some(seat), StatusCode::OK, title, &body)
}

/// An example for somebody who only looks. Nothing is leased and nothing can be sent.
pub(super) fn preview(
    seat: &Seat,
    guidelines: Option<&CampaignPageRow>,
    example: Option<(&str, &LeasedItem)>,
) -> Response {
    let body = html! {
        h1 { "An example" }
        p.result { "You read short texts in which names are linked to an entity, and say whether each link is right. Accept the task to begin." }
        @if let Some((text, item)) = example {
            p.t { (shown(text)) }
            fieldset disabled { legend { "Is it " (shown(&item.link.to_string())) "?" }
                @for words in ["Right", "Wrong link", "Not an entity", "Cannot tell"] { label { input type="radio" name="example"; " " (words) } " " }
            }
        }
        @if let Some(guidelines) = guidelines { h2 { "The guidelines" } (paragraphs(&guidelines.body)) }
    };
    page(Some(seat), StatusCode::OK, "An example", &body)
}

/// Something that cannot be done.
pub(super) fn trouble(trouble: &Trouble) -> Response {
    let body = html! { h1 { (trouble.title) } p.result { (shown(&trouble.why)) } };
    page(None, trouble.status, trouble.title, &body)
}
