//! One run against others, in words, then case by case.

use crate::address::Address;
use crate::components::empty::nothing_yet;
use crate::components::frame::link;
use crate::components::name::name;
use crate::components::wording::listed;
use crate::page::{AS, Asked, Page, PageContent, QueryKey, key};
use crate::refusal::Refusal;
use crate::workbench::{CatalogueBenchmark, CatalogueRun};
use karat::comparison::{ComparisonAnswer, ComparisonRequest, critical_difference, forest};
use karat::convention::ConventionRequest;
use karat::errors::{AgreementAnswer, Contrast, ContrastRequest};
use karat::report::plot::Plot;
use karat::request::AnyAnswer;
use karat::scoring::{EvaluationAnswer, EvaluationRequest};
use maud::html;
use std::sync::Arc;

mod agreement;
mod cases;
mod scores;

/// Runs against each other: `/compare/a@sample..b@sample`.
#[derive(Debug)]
pub(crate) struct Compare;

/// What can be compared, and the form of the board.
#[derive(Debug)]
pub(crate) struct CompareChoice;

const MEASURE: QueryKey = key("m", "the measure, such as link");
const BY: QueryKey = key("by", "a facet by whose parts they are compared as well, such as type");
const GROUP: QueryKey = key("group", "which cases are listed: won, lost or both");
const CATEGORY: QueryKey = key("category", "the category of error to which the list is narrowed");
const DOCUMENT: QueryKey = key("doc", "the document to which the list is narrowed, by its number");
const RIGHT: QueryKey = key("right", "of several runs: how many are right about the cases listed");
const AFTER: QueryKey = key("after", "the cases after so many, or after a place");
const SYSTEM: QueryKey = key("system", "the systems");
const BENCHMARK: QueryKey = key("benchmark", "the benchmark");

impl Page for CompareChoice {
    fn path(&self) -> &'static str {
        "/compare"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[MEASURE, AS, SYSTEM, BENCHMARK]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let systems = asked.list(SYSTEM);
        if let Some(benchmark) = asked.get(BENCHMARK).filter(|_| !systems.is_empty()) {
            let benchmark = asked.catalogue.benchmark(benchmark)?;
            let runs = systems.iter().map(|system| {
                let on = || asked.catalogue.runs_on(&benchmark.slug);
                let found = on().find(|run| run.system_slug == *system);
                found.ok_or_else(|| {
                    Refusal::bad_request(
                        format!("{system} has no run on {}", benchmark.name),
                        "choose systems that have one, or another benchmark",
                    )
                })
            });
            let runs: Vec<&CatalogueRun> = runs.collect::<Result<_, _>>()?;
            return Compared::of(asked, benchmark, runs)?.page(asked);
        }
        let body = html! {
            @if asked.catalogue.benchmarks.is_empty() { (nothing_yet(asked.workbench.workspace().is_some())) }
            @for benchmark in &asked.catalogue.benchmarks {
                @let runs: Vec<&CatalogueRun> = asked.catalogue.runs_on(&benchmark.slug).collect();
                h2 { (name(&benchmark.name)) }
                @if runs.len() < 2 { p { "One system is no comparison: this benchmark needs a second run." } }
                @else {
                    form.act method="get" {
                        input type="hidden" name=(BENCHMARK.name) value=(benchmark.slug);
                        @for run in &runs {
                            label { input type="checkbox" name=(SYSTEM.name) value=(run.system_slug); " " (name(&run.system)) }
                        }
                        button { "Compare" }
                    }
                    p { (link(asked.links, &Address::compare(runs.iter().map(|run| run.id.as_str())), &html! { "All " (runs.len()) " against each other" })) }
                }
            }
        };
        Ok(PageContent {
            title: "Compare".to_owned(),
            sentence: Some("Choose two or more runs on one benchmark.".to_owned()),
            here: asked.here(Address::path(["compare"])),
            body,
            ..PageContent::default()
        })
    }
}

impl Page for Compare {
    fn path(&self) -> &'static str {
        "/compare/{runs}"
    }

    fn shows_gold(&self) -> bool {
        true
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[MEASURE, AS, BY, GROUP, CATEGORY, DOCUMENT, RIGHT, AFTER]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        Compared::named(asked)?.page(asked)
    }

    fn answer(&self, asked: &Asked<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        Some(Compared::named(asked).map(|compared| compared.answer as Arc<dyn AnyAnswer>))
    }

    fn plot(&self, asked: &Asked<'_>, kind: &str) -> Option<Result<Box<dyn Plot>, Refusal>> {
        let compared = match Compared::named(asked) {
            Ok(compared) => compared,
            Err(refusal) => return Some(Err(refusal)),
        };
        let answer = &*compared.answer;
        match kind {
            "comparison" => Some(Ok(Box::new(forest(answer)))),
            "critical-difference" => {
                let ranked = answer.ranked().find(|ranked| ranked.facet.is_none())?;
                Some(Ok(Box::new(critical_difference(ranked))))
            }
            _ => None,
        }
    }
}

/// Runs that are compared, and what came of it.
struct Compared<'a> {
    benchmark: &'a CatalogueBenchmark,
    runs: Vec<&'a CatalogueRun>,
    convention: ConventionRequest,
    measure: String,
    request: ComparisonRequest,
    answer: Arc<ComparisonAnswer>,
    /// Their scores, with precision, recall and counts.
    scores: Arc<EvaluationAnswer>,
    /// Of two runs: what they do differently, if cases can be told apart.
    contrast: Option<Contrast>,
    /// Of three and more: how many are right about each gold mention.
    agreement: Option<Arc<AgreementAnswer>>,
}

/// Runs on different benchmarks are not compared; the links lead to what can be: the same systems on one of the benchmarks.
fn not_comparable(asked: &Asked<'_>, runs: &[&CatalogueRun], other: &CatalogueRun) -> Refusal {
    let on = |benchmark: &str| -> Option<Vec<&str>> {
        let of_system = |run: &&CatalogueRun| {
            let mut there = asked.catalogue.runs_on(benchmark);
            there.find(|it| it.system == run.system).map(|it| it.id.as_str())
        };
        let mut ids: Vec<&str> = runs.iter().map(of_system).collect::<Option<_>>()?;
        ids.dedup();
        (ids.len() > 1).then_some(ids)
    };
    let links = asked.catalogue.benchmarks.iter().filter_map(|benchmark| {
        let ids = on(&benchmark.slug)?;
        Some((format!("the same systems on {}", benchmark.name), Address::compare(ids)))
    });
    let links: Vec<(String, Address)> = links.collect();
    Refusal::Elsewhere {
        what: format!(
            "{} and {} are runs on different benchmarks. Systems are compared on the same documents.",
            runs[0].id, other.id
        ),
        links: match links.is_empty() {
            true => vec![("choose runs on one benchmark".to_owned(), Address::path(["compare"]))],
            false => links,
        },
    }
}

impl<'a> Compared<'a> {
    fn named(asked: &'a Asked<'_>) -> Result<Compared<'a>, Refusal> {
        let ids = asked.parameter("runs").split("..");
        let runs: Vec<&CatalogueRun> =
            ids.map(|id| asked.catalogue.run(id)).collect::<Result<_, _>>()?;
        let first = runs.first().map(|run| run.benchmark.as_str()).unwrap_or_default();
        if let Some(other) = runs.iter().find(|run| run.benchmark != first) {
            return Err(not_comparable(asked, &runs, other));
        }
        Compared::of(asked, asked.catalogue.benchmark(first)?, runs)
    }

    fn of(
        asked: &'a Asked<'_>,
        benchmark: &'a CatalogueBenchmark,
        mut runs: Vec<&'a CatalogueRun>,
    ) -> Result<Compared<'a>, Refusal> {
        let mut seen = Vec::new();
        runs.retain(|run| {
            !seen.contains(&run.id) && {
                seen.push(run.id.clone());
                true
            }
        });
        if runs.len() < 2 {
            return Err(Refusal::bad_request(
                "one run is no comparison",
                format!("choose a second run on {}, as /compare/a..b", benchmark.name),
            ));
        }
        let convention = asked.convention()?;
        let measure = asked.get(MEASURE).unwrap_or("link").to_owned();
        let inputs = asked.catalogue.inputs(benchmark, runs.iter().copied());
        let request = ComparisonRequest {
            inputs: inputs.clone(),
            convention: convention.clone(),
            measures: vec![measure.clone()],
            group_by: asked.get(BY).into_iter().map(str::to_owned).collect(),
            ..ComparisonRequest::default()
        };
        let answer = asked.workbench.answer(&request)?;
        let scores = asked.workbench.answer(&EvaluationRequest {
            inputs: inputs.clone(),
            convention: convention.clone(),
            measures: vec![measure.clone()],
            ..EvaluationRequest::default()
        })?;
        let contrast = match runs.as_slice() {
            [first, second] => {
                let request = ContrastRequest {
                    inputs,
                    convention: convention.clone(),
                    first: first.system.clone(),
                    second: second.system.clone(),
                };
                asked.workbench.answer(&request).ok().map(|answer| answer.contrast.clone())
            }
            _ => None,
        };
        let mut compared = Compared {
            benchmark,
            runs,
            convention,
            measure,
            request,
            answer,
            scores,
            contrast,
            agreement: None,
        };
        if compared.runs.len() > 2 {
            compared.agreement = Some(agreement::answer(&compared, asked)?);
        }
        Ok(compared)
    }

    /// The address of this comparison with the view that was asked for.
    fn here(&self, asked: &Asked<'_>) -> Address {
        let mut address = Address::compare(self.runs.iter().map(|run| run.id.as_str()));
        for key in [MEASURE, AS, BY, GROUP, CATEGORY, DOCUMENT, RIGHT, AFTER] {
            if let Some(value) = asked.get(key) {
                address = address.with(key.name, value);
            }
        }
        address
    }

    fn page(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let names: Vec<&str> = self.runs.iter().map(|run| run.system.as_str()).collect();
        let body = html! {
            (scores::standings(self, asked))
            @if let Some(contrast) = &self.contrast { (cases::sides(self, asked, contrast)) }
            @if let Some(agreement) = &self.agreement { (agreement::counts(self, asked, agreement)) }
            (scores::differences(self, asked))
            (scores::plots(self, asked))
            (scores::parts(self, asked))
            @if let Some(contrast) = &self.contrast { (cases::list(self, asked, contrast)?) }
            @if let Some(agreement) = &self.agreement { (agreement::list(self, asked, agreement)) }
        };
        Ok(PageContent {
            title: format!("{} on {}", listed(&names), self.benchmark.name),
            crumbs: vec![
                ("Board".to_owned(), Address::board()),
                ("Compare".to_owned(), Address::path(["compare"])),
            ],
            sentence: Some(self.answer.sentence()),
            convention: Some(self.convention.clone()),
            here: self.here(asked),
            body,
            signatures: self.answer.report().signatures,
            command: Some(asked.catalogue.commands(&self.request)),
            notices: self.answer.notices.clone(),
            has_forms: true,
            ..PageContent::default()
        })
    }
}
