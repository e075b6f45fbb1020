//! Mentions, entities, documents and systems by what they are called.

use crate::address::Address;
use crate::components::cases::{answer as said, outcome};
use crate::components::context::mention_in_text;
use crate::components::frame::link;
use crate::components::name::{name, visible};
use crate::page::{AS, Asked, Page, PageContent, QueryKey, key};
use crate::refusal::Refusal;
use karat::request::AnyAnswer;
use karat::searching::{MentionHit, SearchAnswer, SearchHits, SearchKind, SearchRequest};
use maud::{Markup, html};
use std::sync::Arc;

/// Search.
#[derive(Debug)]
pub(crate) struct Search;

const QUERY: QueryKey = key("q", "what is looked for");
const IN: QueryKey = key("in", "mentions, entities, documents or systems");
const BENCHMARK: QueryKey = key("benchmark", "the benchmark; all of them without it");
const RUNS: QueryKey = key("runs", "the systems whose outcomes are shown; all of them without it");

/// So many of each kind stand on the page of all kinds.
const FEW: usize = 20;

/// So many stand on the page of one kind.
const MANY: usize = 200;

impl Page for Search {
    fn path(&self) -> &'static str {
        "/search"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[QUERY, IN, BENCHMARK, RUNS, AS]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let answer = found(asked)?;
        let query = asked.get(QUERY);
        Ok(PageContent {
            title: query.map_or_else(|| "Search".to_owned(), |query| format!("Search: {query}")),
            crumbs: vec![("Board".to_owned(), Address::board())],
            sentence: Some(answer.sentence()),
            convention: query.map(|_| asked.convention()).transpose()?,
            here: asked.here(Address::search()),
            body: body(asked, &answer),
            notices: answer.notices.clone(),
            has_forms: query.is_some(),
            ..PageContent::default()
        })
    }

    fn answer(&self, asked: &Asked<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        Some(found(asked).map(|answer| answer as Arc<dyn AnyAnswer>))
    }
}

fn found(asked: &Asked<'_>) -> Result<Arc<SearchAnswer>, Refusal> {
    let kind = asked.get(IN).map(|wanted| {
        let found = SearchKind::ALL.into_iter().find(|(_, known)| *known == wanted);
        let names = SearchKind::ALL.map(|(_, known)| known);
        found.map(|(kind, _)| kind).ok_or_else(|| Refusal::missing("kind", wanted, names))
    });
    let kind = kind.transpose()?;
    let only = asked.get(BENCHMARK).map(|slug| asked.catalogue.benchmark(slug)).transpose()?;
    let runs = asked.list(RUNS);
    let benchmarks = asked.catalogue.benchmarks.iter();
    // What is found are texts and answers of gold, which a benchmark may keep for its organisers.
    let benchmarks = benchmarks.filter(|it| !it.gold_hidden);
    let benchmarks = benchmarks.filter(|it| only.is_none_or(|only| only.slug == it.slug));
    let inputs = benchmarks.map(|benchmark| {
        let on = asked.catalogue.runs_on(&benchmark.slug);
        let on = on.filter(|run| runs.is_empty() || runs.contains(&run.system_slug.as_str()));
        asked.catalogue.inputs(benchmark, on)
    });
    asked.workbench.answer(&SearchRequest {
        benchmarks: inputs.collect(),
        convention: asked.convention()?,
        query: asked.get(QUERY).unwrap_or_default().to_owned(),
        limit: if kind.is_some() { MANY } else { FEW },
        kind,
    })
}

fn body(asked: &Asked<'_>, answer: &SearchAnswer) -> Markup {
    html! {
        (form(asked))
        (systems(asked, answer))
        (entities(asked, answer))
        (documents(asked, answer))
        (mentions(asked, answer))
    }
}

fn form(asked: &Asked<'_>) -> Markup {
    let chosen = asked.get(IN).unwrap_or_default();
    html! {
        form.asking method="get" action=[asked.links.href(&Address::search())] {
            @for key in [BENCHMARK, RUNS, AS] {
                @if let Some(value) = asked.get(key) { input type="hidden" name=(key.name) value=(value); }
            }
            label.where { "search " input type="search" name=(QUERY.name) value=(asked.get(QUERY).unwrap_or_default()) size="30" maxlength="200" autocomplete="off" data-search; }
            label { "in " select name=(IN.name) {
                option value="" { "everything" }
                @for (_, kind) in SearchKind::ALL { option value=(kind) selected[kind == chosen] { (kind) } }
            } }
            button { "Search" }
        }
    }
}

/// A heading with how many there are, and where the rest is.
fn heading<T>(asked: &Asked<'_>, words: &str, kind: &'static str, hits: &SearchHits<T>) -> Markup {
    let all = asked.here(Address::search()).with(IN.name, kind);
    html! {
        h2 id=(kind) { (words) " " span.soft { (hits.total) } }
        @if hits.items.len() < hits.total {
            p.legend {
                "The first " (hits.items.len()) " are shown. "
                @if asked.get(IN).is_none() { (link(asked.links, &all, &html! { "More" })) }
            }
        }
    }
}

fn slug(asked: &Asked<'_>, benchmark: &str) -> String {
    let found = asked.catalogue.benchmarks.iter().find(|it| it.name == benchmark);
    found.map(|it| it.slug.clone()).unwrap_or_default()
}

fn systems(asked: &Asked<'_>, answer: &SearchAnswer) -> Markup {
    let address = |system: &str| {
        let run = asked.catalogue.runs.iter().find(|run| run.system == system);
        Address::system(run.map(|run| run.system_slug.as_str()).unwrap_or_default())
    };
    html! {
        @if answer.systems.total > 0 {
            (heading(asked, "Systems", "systems", &answer.systems))
            ul { @for system in &answer.systems.items {
                li { (link(asked.links, &address(&system.name), &name(&system.name))) span.soft { " on " (name(&system.benchmarks.join(", "))) } }
            } }
        }
    }
}

fn entities(asked: &Asked<'_>, answer: &SearchAnswer) -> Markup {
    let mentions =
        |entity: &str| Address::search().with(QUERY.name, entity).with(IN.name, "mentions");
    html! {
        @if answer.entities.total > 0 {
            (heading(asked, "Entities", "entities", &answer.entities))
            div.scroll tabindex="0" role="region" aria-label="Entities" {
                table {
                    thead { tr {
                        th scope="col" { "entity" } th scope="col" { "name" }
                        th scope="col" class="n" { "in gold" } th scope="col" class="n" { "predicted" }
                    } }
                    tbody { @for found in &answer.entities.items { tr {
                        th scope="row" { (link(asked.links, &mentions(&found.entity), &name(&found.entity))) }
                        td { (name(found.name.as_deref().unwrap_or_default())) }
                        td.n { (found.gold) }
                        td.n { (found.predicted) }
                    } } }
                }
            }
        }
    }
}

fn documents(asked: &Asked<'_>, answer: &SearchAnswer) -> Markup {
    html! {
        @if answer.documents.total > 0 {
            (heading(asked, "Documents", "documents", &answer.documents))
            ul { @for document in &answer.documents.items {
                @let address = Address::document(&slug(asked, &document.benchmark), document.number);
                li {
                    (link(asked.links, &address, &name(&document.name)))
                    @if let Some(title) = &document.title { " " (name(title)) }
                    span.soft { " in " (name(&document.benchmark)) }
                }
            } }
        }
    }
}

/// Mentions by benchmark, each with what gold says and what became of it in every run.
fn mentions(asked: &Asked<'_>, answer: &SearchAnswer) -> Markup {
    html! {
        @if answer.mentions.total > 0 {
            (heading(asked, "Mentions", "mentions", &answer.mentions))
            @for of_one in answer.mentions.items.chunk_by(|a, b| a.benchmark == b.benchmark) {
                @let benchmark = &of_one[0].benchmark;
                div.scroll tabindex="0" role="region" aria-label={ "Mentions in " (visible(benchmark)) } {
                    table.caselist data-rows {
                        caption { "in " (name(benchmark)) }
                        thead { tr {
                            th scope="col" class="kw" { "mention in its text" }
                            @for words in ["gold", "what became of it", "document"] { th scope="col" { (words) } }
                        } }
                        tbody { @for mention in of_one { (mention_row(asked, mention)) } }
                    }
                }
            }
        }
    }
}

fn mention_row(asked: &Asked<'_>, mention: &MentionHit) -> Markup {
    let place = &mention.in_text;
    let address = Address::document(&slug(asked, &mention.benchmark), mention.document)
        .with("at", format!("{}-{}", place.start, place.end));
    let address = address.with("as", asked.get(AS).unwrap_or_default());
    html! {
        tr data-row {
            td.kw { (link(asked.links, &address, &mention_in_text(place))) }
            td data-label="gold" { (said(mention.gold.as_ref(), "gold has nothing here")) }
            td data-label="became" {
                ul.became { @for run in &mention.runs {
                    li { (name(&run.system)) " " (outcome(Some(run.outcome.name())))
                        @if let Some(prediction) = &run.prediction { " " (said(Some(prediction), "")) } }
                } }
            }
            td data-label="document" { (name(&mention.name)) }
        }
    }
}
