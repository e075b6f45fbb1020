//! All campaigns, and the form that makes one of what is in the workspace.

use super::organised;
use crate::address::Address;
use crate::catalogue::CatalogueBenchmark;
use crate::components::frame::link;
use crate::components::name::{name, visible};
use crate::components::time::date;
use crate::page::{Asked, Page, PageContent, QueryKey, key};
use crate::refusal::Refusal;
use karat_store::{CampaignProgress, CampaignRow, StoreError};
use maud::{Markup, html};

/// All campaigns.
#[derive(Debug)]
pub(crate) struct Campaigns;

const OF: QueryKey = key("of", "the benchmark that a new campaign is about");

impl Page for Campaigns {
    fn path(&self) -> &'static str {
        "/campaigns"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[OF]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let workspace = organised(asked)?;
        let store = workspace.store();
        let rows = workspace.wait(async {
            let mut rows = Vec::new();
            for row in store.campaigns().await? {
                let progress = store.campaign_progress(row.id).await?;
                rows.push((row, progress));
            }
            Ok::<_, StoreError>(rows)
        })?;
        let sentence = match rows.len() {
            0 => "People verify what gold and systems say: there is no campaign yet.".to_owned(),
            1 => "One campaign in which people verify what gold and systems say.".to_owned(),
            many => format!("{many} campaigns in which people verify what gold and systems say."),
        };
        let body = html! {
            @if !rows.is_empty() { (table(asked, &rows)) }
            h2 id="new" { "A new campaign" }
            (new(asked)?)
        };
        Ok(PageContent {
            title: "Campaigns".to_owned(),
            sentence: Some(sentence),
            crumbs: vec![("Board".to_owned(), Address::board())],
            here: asked.here(Address::campaigns()),
            command: Some("karat verify status".to_owned()),
            body,
            ..PageContent::default()
        })
    }
}

fn table(asked: &Asked<'_>, rows: &[(CampaignRow, CampaignProgress)]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Campaigns" {
            table.tight {
                caption { "Campaigns, the newest first" }
                thead { tr {
                    th scope="col" { "campaign" } th scope="col" { "state" }
                    th scope="col" class="n" { "items" } th scope="col" class="n" { "complete" }
                    th scope="col" class="n" { "judgements" } th scope="col" class="n" { "people" }
                    th scope="col" { "made" }
                } }
                tbody { @for (row, progress) in rows { tr {
                    th scope="row" { (link(asked.links, &Address::campaign(&row.name), &name(&row.title))) }
                    td { (row.state.name()) }
                    td.n { (progress.items) } td.n { (progress.items_judged) }
                    td.n { (progress.judgements) } td.n { (progress.people) }
                    td { (date(row.created)) }
                } } }
            }
        }
    }
}

/// First the benchmark, then what of it is judged: the second form knows its systems.
fn new(asked: &Asked<'_>) -> Result<Markup, Refusal> {
    let all: Vec<&CatalogueBenchmark> =
        asked.catalogue.benchmarks.iter().filter(|it| !it.superseded).collect();
    let wanted = asked.get(OF).map(|slug| asked.catalogue.benchmark(slug)).transpose()?;
    let chosen = match (wanted, all.as_slice()) {
        (Some(benchmark), _) => Some(benchmark),
        (None, [only]) => Some(*only),
        _ => None,
    };
    Ok(html! {
        @if all.is_empty() {
            p { "A campaign needs a benchmark with texts. "
                (link(asked.links, &Address::path(["upload"]), &html! { "Upload one" })) ", or try the sample:" }
            form method="post" action="/sample" { button { "Take the sample" } }
        } @else if chosen.is_none() || all.len() > 1 {
            form.edit method="get" action="/campaigns" {
                label { "Benchmark "
                    select name=(OF.name) { @for it in &all {
                        option value=(it.slug) selected[chosen.is_some_and(|chosen| chosen.slug == it.slug)] { (visible(&it.name)) }
                    } }
                }
                button { "Choose" }
            }
        }
        @if let Some(benchmark) = chosen { (form(asked, benchmark)) }
    })
}

fn form(asked: &Asked<'_>, benchmark: &CatalogueBenchmark) -> Markup {
    html! {
        form.edit method="post" action="/campaigns" {
            input type="hidden" name="benchmark" value=(benchmark.slug);
            fieldset {
                legend { "What it is called" }
                label { "Name in addresses " input name="name" required maxlength="64" pattern="[A-Za-z0-9._\\-]+" autocomplete="off"; }
                label { "Title " input name="title" maxlength="200" autocomplete="off"; }
            }
            fieldset {
                legend { "What is judged of " (name(&benchmark.name)) }
                label { input type="checkbox" name="gold" value="yes" checked; "what gold says" }
                @for run in asked.catalogue.runs_on(&benchmark.slug) {
                    label { input type="checkbox" name="system" value=(run.system) checked; (name(&run.system)) }
                }
            }
            fieldset {
                legend { "How" }
                label { "Judgements for each item "
                    select name="judgements" {
                        option value="adaptive" { "2, and up to 5 while people disagree" }
                        @for number in 1..=7 { option value=(number) { (number) } }
                    }
                }
                label { "Tasks in one go " input name="tasks" type="number" min="1" max="100" value="10"; }
                label { "Control tasks to make " input name="controls" type="number" min="0" max="100" value="6"; }
                label { "Practice items to get right " input name="practice" type="number" min="0" max="8" value="0"; }
                p.soft { "Controls are items whose answer is known. They are made of gold, and you confirm each before it is used." }
            }
            fieldset {
                legend { "What people read" }
                details.wide {
                    summary { "Own guidelines and consent; without them karat's are taken" }
                    label { "Guidelines " textarea name="guidelines" rows="8" maxlength="50000" {} }
                    label { "Consent " textarea name="consent" rows="6" maxlength="50000" {} }
                }
            }
            button { "Make a draft" }
            p.soft { "Nobody sees a draft. You look at it, confirm controls, and open it." }
        }
    }
}
