//! How people come: invitations, platforms and accounts.

use super::{CampaignTab, CampaignView, TabContent};
use crate::address::encoded;
use crate::components::name::name;
use crate::components::time::date;
use crate::refusal::Refusal;
use karat::campaigns::platform::platform;
use karat::command::CommandLine;
use karat_store::CampaignLinkRow;
use maud::{Markup, html};

/// Invitations.
#[derive(Debug)]
pub(super) struct Links;

impl CampaignTab for Links {
    fn name(&self) -> &'static str {
        "links"
    }

    fn show(&self, view: &CampaignView<'_>) -> Result<TabContent, Refusal> {
        let rows = view.wait(view.store().campaign_links(view.row.id))?;
        let now = view.store().now();
        let good = rows.iter().filter(|row| row.until >= now).count();
        let sentence = match good {
            0 => "No invitation is good now.".to_owned(),
            1 => "One invitation is good now.".to_owned(),
            many => format!("{many} invitations are good now."),
        };
        let body = html! {
            (new(view))
            @if !rows.is_empty() { (table(view, &rows, now)) }
            (others(view))
        };
        let commands = vec![CommandLine::of("verify invite").arguments([view.row.name.clone()])];
        Ok(TabContent { sentence, body, commands, ..TabContent::default() })
    }
}

fn new(view: &CampaignView<'_>) -> Markup {
    html! {
        form.edit method="post" action=(view.action("links")) {
            fieldset {
                legend { "Invite" }
                label { "For whom; only organisers see it " input name="note" maxlength="200" autocomplete="off"; }
                label { "Days " input name="days" type="number" min="1" max="366" value="30"; }
                label { input type="checkbox" name="single" value="yes"; "for one person only" }
            }
            button { "Make an invitation" }
        }
    }
}

fn table(view: &CampaignView<'_>, rows: &[CampaignLinkRow], now: i64) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Invitations" {
            table.tight {
                caption { "Invitations. Their addresses were shown once." }
                thead { tr { @for words in ["for", "who may use it", "used", "made", "good until", "end it"] { th scope="col" { (words) } } } }
                tbody { @for row in rows { tr {
                    th scope="row" { @if row.note.is_empty() { "nobody in particular" } @else { (name(&row.note)) } }
                    td { @if row.single { "one person" } @else { "everybody who has it" } }
                    td { (row.used) }
                    td { (date(row.made)) }
                    td { @if row.until >= now { (date(row.until)) } @else { "ended" } }
                    td { @if row.until >= now {
                        form method="post" action=(view.action("links/end")) {
                            input type="hidden" name="link" value=(row.id);
                            button aria-label={ "End the invitation made " (date(row.made)) } { "End" }
                        }
                    } }
                } } }
            }
        }
    }
}

/// Platforms that were named in the settings, and the address for accounts.
fn others(view: &CampaignView<'_>) -> Markup {
    let judging = format!("/judge/{}", encoded(&view.row.name));
    html! {
        h2 { "Other ways" }
        ul {
            @if view.asked.links.has_accounts() { li { "People with an account here who may judge: " a href=(judging) { code { (judging) } } "." } }
            @else { li { "On this server without accounts, whoever works at the machine: " a href=(judging) { code { (judging) } } "." } }
            @for (platform_name, _) in &view.row.settings.platforms {
                li { @match platform(platform_name) {
                    Some(known) => { (name(&known.title)) ": its address is " code { (judging) "?platform=" (name(platform_name)) } " with the parameters of the platform." },
                    None => (name(platform_name)),
                } }
            }
        }
    }
}
