//! Who did what to the campaign.

use super::{CampaignTab, CampaignView, TabContent};
use crate::components::name::{name, shown};
use crate::components::time::date;
use crate::refusal::Refusal;
use karat_store::{AuditRow, ListFrom, MOST_ITEMS};
use maud::{Markup, html};

/// The audit of a campaign.
#[derive(Debug)]
pub(super) struct Audit;

impl CampaignTab for Audit {
    fn name(&self) -> &'static str {
        "audit"
    }

    fn show(&self, view: &CampaignView<'_>) -> Result<TabContent, Refusal> {
        let from = ListFrom { limit: MOST_ITEMS, after: None };
        let object = view.row.object();
        let rows = view.wait(view.store().audit(Some(&object), &from))?.items;
        let sentence = match rows.len() {
            0 => "Nothing was noted.".to_owned(),
            1 => "One entry of the audit is about this campaign.".to_owned(),
            many if many < MOST_ITEMS as usize => {
                format!("{many} entries of the audit are about this campaign.")
            }
            many => format!("The last {many} entries of the audit about this campaign."),
        };
        let body = html! {
            (table(&rows))
            p.legend { "Each entry of the audit holds the digest of the one before it, so that a changed one shows." }
        };
        Ok(TabContent { sentence, body, ..TabContent::default() })
    }
}

fn table(rows: &[AuditRow]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Audit" {
            table.tight {
                caption { "The newest first" }
                thead { tr { @for words in ["entry", "when", "who", "what", "how"] { th scope="col" { (words) } } } }
                tbody { @for row in rows { tr {
                    th scope="row" class="n" { (row.seq) }
                    td { (date(row.at)) }
                    td { @if row.who.is_empty() { (row.via.word()) } @else { (name(&row.who)) " (" (row.via.word()) ")" } }
                    td { (name(&row.act)) }
                    td { @if row.detail.len() > SHORT {
                        details { summary { "show" } pre { code { (shown(&row.detail)) } } }
                    } @else { code { (shown(&row.detail)) } } }
                } } }
            }
        }
    }
}

/// Details that are longer are folded.
const SHORT: usize = 160;
