//! The corrections that follow from a campaign: looked at one by one, taken along as a patch, or made a new edition.

use super::{CampaignTab, CampaignView, TabContent};
use crate::address::Address;
use crate::campaigns::CampaignPatch;
use crate::components::frame::link;
use crate::components::name::name;
use crate::pages::patches::{WHO, change_fields, sentence};
use crate::refusal::Refusal;
use karat::gold::ChangeRecord;
use karat::request::AnyAnswer;
use maud::{Markup, html};
use std::sync::Arc;

/// The patch of a campaign.
#[derive(Debug)]
pub(super) struct Patches;

/// So many changes stand on the page, so that its form is not too long to be sent; the patch has all.
const LISTED: usize = 200;

impl CampaignTab for Patches {
    fn name(&self) -> &'static str {
        "patches"
    }

    fn show(&self, view: &CampaignView<'_>) -> Result<TabContent, Refusal> {
        if view.row.settings.gold.is_none() {
            let body = html! { p.empty { "Gold was not judged here, so that there is nothing to correct." } };
            let sentence = "No patch follows from this campaign.".to_owned();
            return Ok(TabContent { sentence, body, ..TabContent::default() });
        }
        let patch = CampaignPatch::of(view.asked.workbench, &view.judged()?)?;
        let changes = &patch.answer.changes;
        let body = html! {
            @if changes.is_empty() {
                p.empty { "People found nothing in gold that they would change, as far as it was judged." }
            } @else { (form(view, &patch, changes)) }
        };
        Ok(TabContent {
            sentence: sentence(&patch.answer),
            body,
            notices: patch.answer.notices.clone(),
            has_forms: true,
            ..TabContent::default()
        })
    }

    fn answer(&self, view: &CampaignView<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        let made = || -> Result<Arc<dyn AnyAnswer>, Refusal> {
            let patch = CampaignPatch::of(view.asked.workbench, &view.judged()?)?;
            Ok(Arc::new(patch.answer))
        };
        Some(made())
    }
}

fn form(view: &CampaignView<'_>, patch: &CampaignPatch, changes: &[ChangeRecord]) -> Markup {
    let action = view.action("patch");
    let who = view.asked.visitor.person().map(|person| person.login.as_str());
    html! {
        p { a href=(action) download { "Download the whole patch" } ", or look at each correction first. A patch is a file that anybody with the same gold standard can apply." }
        form.review method="post" action=(action) {
            ol.changes { @for change in changes.iter().take(LISTED) { li { (change_fields(change, &document(view, patch, change))) } } }
            @if changes.len() > LISTED { p.soft { "The first " (LISTED) " of " (changes.len()) " are listed; the others are accepted." } }
            p.by {
                label { "Who decides " input name=(WHO) required maxlength="200" value=[who] autocomplete="name"; }
                " " button name="do" value="edition" { "Apply: a new edition of " (name(&patch.slug)) }
                " " button name="do" value="download" { "Download with these decisions" }
            }
            p.legend { "What is refused stays in the patch, with who and why, and is not applied. A new edition has all runs of the old one, so that both can be compared; nothing of the old one is lost." }
        }
    }
}

fn document(view: &CampaignView<'_>, patch: &CampaignPatch, change: &ChangeRecord) -> Markup {
    let number = patch.number_of(&change.document);
    html! {
        @match number {
            Some(number) => {
                @let there = Address::document(&patch.slug, number).with("at", format!("{}-{}", change.start, change.end));
                (link(view.asked.links, &there, &name(&change.document)))
            },
            None => (name(&change.document)),
        }
    }
}
