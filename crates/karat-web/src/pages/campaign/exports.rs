//! Everything that can be taken along.

use super::{CampaignTab, CampaignView, TabContent};
use crate::address::encoded;
use crate::components::frame::link;
use crate::refusal::Refusal;
use karat::command::CommandLine;
use maud::html;

/// Files of the campaign.
#[derive(Debug)]
pub(super) struct Exports;

/// The files that the API gives, and what is in them.
const FILES: [(&str, &str); 2] = [
    ("judgements.csv", "A row for each judgement, as a table. karat verify report reads it."),
    ("judgements.jsonl", "The same as JSON lines."),
];

impl CampaignTab for Exports {
    fn name(&self) -> &'static str {
        "exports"
    }

    fn show(&self, view: &CampaignView<'_>) -> Result<TabContent, Refusal> {
        let file =
            |name: &str| format!("/api/v1/campaigns/{}/export/{name}", encoded(&view.row.name));
        let body = html! {
            div.scroll tabindex="0" role="region" aria-label="Files" {
                table {
                    caption { "Files of this campaign as it is now" }
                    thead { tr { th scope="col" { "file" } th scope="col" { "what is in it" } } }
                    tbody {
                        @for (name, about) in FILES { tr {
                            th scope="row" { a href=(file(name)) download={ (view.row.name) "-" (name) } { (name) } }
                            td { (about) }
                        } }
                        tr {
                            th scope="row" { (link(view.asked.links, &view.tab("patches"), &html! { "a gold patch" })) }
                            td { "What people corrected, for whoever has the gold standard." }
                        }
                        tr {
                            th scope="row" { (link(view.asked.links, &view.tab("results"), &html! { "results" })) }
                            td { "Tables in every form, at the foot of their page." }
                        }
                    }
                }
            }
            p.legend { "People stand in files by pseudonyms that are made for this campaign. Ids of platforms are in none." }
        };
        let commands = vec![
            CommandLine::of("verify export")
                .arguments([view.row.name.clone()])
                .option("-o", "judgements.csv"),
        ];
        let sentence = "Judgements, results and corrections, for other programs.".to_owned();
        Ok(TabContent { sentence, body, commands, ..TabContent::default() })
    }
}
