//! Everything that can be taken along.

use super::{CampaignTab, CampaignView, TabContent};
use crate::address::encoded;
use crate::components::frame::link;
use crate::refusal::Refusal;
use karat::command::CommandLine;
use karat::verify::{CampaignExport, ORIGINAL_TABLES};
use maud::html;

/// Files of the campaign.
#[derive(Debug)]
pub(super) struct Exports;

/// What is in an export.
fn about(what: CampaignExport) -> &'static str {
    match what {
        CampaignExport::Judgements => {
            "A row for each judgement, controls and surplus marked. karat verify report reads it."
        }
        CampaignExport::Items => "What is judged, with votes, chances and outcomes.",
        CampaignExport::People => "People by pseudonym, with what controls and the model say.",
        CampaignExport::Decisions => "Decisions with their history.",
        CampaignExport::Provenance => "Who said what, and what became of it, as PROV-JSON.",
        CampaignExport::Original => "The tables of Ding, Botzer and Weninger (2022).",
    }
}

/// The files of an export.
fn files(what: CampaignExport) -> Vec<String> {
    match what {
        CampaignExport::Original => ORIGINAL_TABLES.map(str::to_owned).to_vec(),
        _ => what.forms().iter().map(|form| format!("{}.{form}", what.name())).collect(),
    }
}

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
                        @for what in CampaignExport::ALL { tr {
                            th scope="row" { @for name in files(what) { a href=(file(&name)) download={ (view.row.name) "-" (name) } { (name) } " " } }
                            td { (about(what)) }
                        } }
                        tr {
                            th scope="row" { a href=(file("campaign.jsonl")) download={ (view.row.name) ".jsonl" } { "campaign.jsonl" } }
                            td { "The whole campaign, for karat verify import." }
                        }
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
            p.legend { "Who judges stands in files by a pseudonym that is made for this campaign; who decided, by login. Ids of platforms are in none. Notes are left out; `?notes=1` adds them." }
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
