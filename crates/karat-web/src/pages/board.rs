//! Who is better, as far as the data can tell.

use crate::address::Address;
use crate::components::frame::link;
use crate::components::name::name;
use crate::components::table::score;
use crate::page::{AS, Asked, Page, PageContent, QueryKey, key};
use crate::refusal::Refusal;
use karat::request::Answer;
use karat::scoring::{EvaluationAnswer, EvaluationRequest};
use maud::{Markup, html};
use std::sync::Arc;

/// The board of all systems on all benchmarks.
#[derive(Debug)]
pub(crate) struct Board;

const MEASURE: QueryKey = key("m", "the measure, such as link");

impl Page for Board {
    fn path(&self) -> &'static str {
        "/"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[MEASURE, AS]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let mut columns = Vec::new();
        for benchmark in &asked.catalogue.benchmarks {
            let runs = asked.catalogue.runs_on(&benchmark.slug);
            let request = EvaluationRequest {
                inputs: asked.catalogue.inputs(benchmark, runs),
                convention: asked.convention()?,
                measures: vec![asked.get(MEASURE).unwrap_or("link").to_owned()],
                ..EvaluationRequest::default()
            };
            columns.push(asked.desk.answer(&request)?);
        }
        let signatures = columns.iter().flat_map(|answer| answer.report().signatures).collect();
        Ok(PageContent {
            title: "Board".to_owned(),
            here: asked.here(Address::board()),
            convention: Some(asked.convention()?),
            notices: columns.iter().flat_map(|answer| answer.notices.clone()).collect(),
            body: rows(asked, &columns),
            signatures,
            ..PageContent::default()
        })
    }
}

fn rows(asked: &Asked<'_>, columns: &[Arc<EvaluationAnswer>]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Scores" {
            table {
                caption { "F1 of every system" }
                thead { tr {
                    th scope="col" { "system" }
                    @for benchmark in &asked.catalogue.benchmarks { th scope="col" class="n" { (name(&benchmark.name)) } }
                } }
                tbody {
                    @for run in &asked.catalogue.runs { tr {
                        th scope="row" { (link(asked.links, &Address::run(&run.id), &name(&run.system))) }
                        @for answer in columns {
                            @let found = answer.systems.iter().find(|system| system.name == run.system);
                            @let measure = found.and_then(|system| system.measures.first());
                            td.n { (score(measure.and_then(|measure| measure.score("f1").flatten()))) }
                        }
                    } }
                }
            }
        }
    }
}
