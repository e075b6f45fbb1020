//! What is in a benchmark, and which systems ran on it.

use crate::address::Address;
use crate::components::documents::documents;
use crate::components::frame::link;
use crate::components::name::{name, visible};
use crate::page::{AS, Asked, Page, PageContent, QueryKey, convention_text, key};
use crate::refusal::Refusal;
use crate::workbench::CatalogueBenchmark;
use karat::documents::{DocumentsAnswer, DocumentsOrder, DocumentsRequest};
use karat::request::AnyAnswer;
use maud::{Markup, html};
use std::sync::Arc;

/// All benchmarks.
#[derive(Debug)]
pub(crate) struct Benchmarks;

/// One benchmark: its runs and its documents.
#[derive(Debug)]
pub(crate) struct BenchmarkPage;

const LIST: QueryKey =
    key("list", "the order of the documents: number, name, errors, disagreement or length");

impl Page for Benchmarks {
    fn path(&self) -> &'static str {
        "/benchmarks"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let catalogue = &asked.catalogue;
        let body = html! {
            div.scroll tabindex="0" role="region" aria-label="Benchmarks" {
                table {
                    caption { "Benchmarks" }
                    thead { tr {
                        th scope="col" { "benchmark" }
                        th scope="col" class="n" { "documents" }
                        th scope="col" class="n" { "runs" }
                    } }
                    tbody {
                        @for benchmark in &catalogue.benchmarks { tr {
                            th scope="row" {
                                (link(asked.links, &Address::benchmark(&benchmark.slug), &name(&benchmark.name)))
                            }
                            td.n { (benchmark.documents) }
                            td.n { (catalogue.runs_on(&benchmark.slug).count()) }
                        } }
                    }
                }
            }
        };
        Ok(PageContent {
            title: "Benchmarks".to_owned(),
            here: asked.here(Address::benchmarks()),
            body,
            ..PageContent::default()
        })
    }
}

impl Page for BenchmarkPage {
    fn path(&self) -> &'static str {
        "/benchmarks/{slug}"
    }

    fn shows_gold(&self) -> bool {
        true
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[LIST, AS]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let benchmark = asked.catalogue.benchmark(asked.parameter("slug"))?;
        let answer = listed(asked, benchmark)?;
        let runs = asked.catalogue.runs_on(&benchmark.slug);
        let here = asked.here(Address::benchmark(&benchmark.slug));
        let convention = asked.convention()?;
        let there = |number| {
            let address = Address::document(&benchmark.slug, number);
            address.with(AS.name, convention_text(&convention))
        };
        let order = order(asked)?;
        Ok(PageContent {
            title: visible(&benchmark.name),
            crumbs: vec![("Benchmarks".to_owned(), Address::benchmarks())],
            sentence: Some(sentence(&answer)),
            body: html! {
                (systems(asked, benchmark))
                (documents(asked.links, &answer, order, 0, &there, &here))
            },
            here,
            signatures: vec![answer.signature.clone()],
            command: Some(format!(
                "karat collection stats {}",
                asked.catalogue.arguments(benchmark, runs)
            )),
            notices: answer.notices.clone(),
            convention: Some(convention),
            has_forms: true,
            edit: asked.edit("benchmark", benchmark.slug.split('@').next().unwrap_or_default()),
            ..PageContent::default()
        })
    }

    fn answer(&self, asked: &Asked<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        let benchmark = asked.catalogue.benchmark(asked.parameter("slug"));
        Some(benchmark.and_then(|it| Ok(listed(asked, it)? as Arc<dyn AnyAnswer>)))
    }
}

fn listed(
    asked: &Asked<'_>,
    benchmark: &CatalogueBenchmark,
) -> Result<Arc<DocumentsAnswer>, Refusal> {
    asked.workbench.answer(&DocumentsRequest {
        inputs: asked.catalogue.inputs(benchmark, asked.catalogue.runs_on(&benchmark.slug)),
        convention: asked.convention()?,
        ..DocumentsRequest::default()
    })
}

fn order(asked: &Asked<'_>) -> Result<DocumentsOrder, Refusal> {
    let Some(wanted) = asked.get(LIST) else { return Ok(DocumentsOrder::default()) };
    let known = DocumentsOrder::ALL.into_iter();
    let names = known.clone().map(DocumentsOrder::name);
    let mut known = known;
    known
        .find(|order| order.name() == wanted)
        .ok_or_else(|| Refusal::missing("order", wanted, names))
}

fn sentence(answer: &DocumentsAnswer) -> String {
    let mentions: usize = answer.documents.iter().map(|document| document.mentions).sum();
    let runs = match answer.runs.len() {
        1 => "1 system".to_owned(),
        several => format!("{several} systems"),
    };
    format!(
        "{} documents with {mentions} gold mentions, and the output of {runs}.",
        answer.documents.len()
    )
}

fn systems(asked: &Asked<'_>, benchmark: &CatalogueBenchmark) -> Markup {
    let runs: Vec<_> = asked.catalogue.runs_on(&benchmark.slug).collect();
    html! {
        p {
            "Systems: "
            @for (place, run) in runs.iter().enumerate() {
                @if place > 0 { ", " }
                (link(asked.links, &Address::run(&run.id), &name(&run.system)))
            }
            @if runs.len() > 1 {
                " · "
                (link(asked.links, &Address::compare(runs.iter().map(|run| run.id.as_str())), &html! { "compare them" }))
            }
        }
    }
}
