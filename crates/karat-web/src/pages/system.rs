//! The runs of a system.

use crate::address::Address;
use crate::components::frame::link;
use crate::components::name::{name, visible};
use crate::page::{Asked, Page, PageContent, QueryKey};
use crate::refusal::Refusal;
use crate::workbench::CatalogueRun;
use maud::html;

/// One system and its runs.
#[derive(Debug)]
pub(crate) struct SystemPage;

impl Page for SystemPage {
    fn path(&self) -> &'static str {
        "/systems/{slug}"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let slug = asked.parameter("slug");
        let catalogue = &asked.catalogue;
        let runs: Vec<&CatalogueRun> =
            catalogue.runs.iter().filter(|run| run.system_slug == slug).collect();
        let Some(first) = runs.first() else {
            let names = catalogue.runs.iter().map(|run| run.system_slug.as_str());
            return Err(Refusal::missing("system", slug, names));
        };
        let body = html! {
            ul {
                @for run in &runs {
                    li {
                        "on " (link(asked.links, &Address::benchmark(&run.benchmark), &name(&run.benchmark))) ": "
                        (link(asked.links, &Address::run(&run.id), &html! { "scores and errors" })) " · "
                        (link(asked.links, &Address::conventions(&run.id), &html! { "under every convention" }))
                    }
                }
            }
        };
        Ok(PageContent {
            title: visible(&first.system),
            crumbs: vec![("Board".to_owned(), Address::board())],
            here: asked.here(Address::system(slug)),
            body,
            edit: asked.edit("system", slug),
            ..PageContent::default()
        })
    }
}
