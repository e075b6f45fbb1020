//! What there is: benchmarks, systems, runs and conventions.

use super::call::{Call, boxed};
use super::etag::tagged;
use super::listing::{self, cut, listed};
use super::operation::{Gives, Handler, Operation, READ, schema_of};
use super::problem::Problem;
use crate::workbench::{Catalogue, CatalogueBenchmark, CatalogueRun};
use axum::response::Response;
use karat::listings::{preset_names, presets};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

pub(super) static OPERATIONS: &[Operation] = &[
    Operation {
        path: "/benchmarks",
        id: "listBenchmarks",
        about: "The benchmarks, by slug.",
        keys: listing::KEYS,
        gives: Gives::List(schema_of::<BenchmarkItem>),
        handler: Handler::Function(|call| boxed(benchmarks(call))),
        ..READ
    },
    Operation {
        path: "/benchmarks/{slug}",
        id: "getBenchmark",
        about: "One benchmark.",
        gives: Gives::Json(schema_of::<BenchmarkItem>),
        handler: Handler::Function(|call| boxed(benchmark(call))),
        ..READ
    },
    Operation {
        path: "/systems",
        id: "listSystems",
        about: "The systems that have runs, by slug.",
        keys: listing::KEYS,
        gives: Gives::List(schema_of::<SystemItem>),
        page: "/systems",
        handler: Handler::Function(|call| boxed(systems(call))),
        ..READ
    },
    Operation {
        path: "/systems/{slug}",
        id: "getSystem",
        about: "One system with its runs.",
        gives: Gives::Json(schema_of::<SystemItem>),
        handler: Handler::Function(|call| boxed(system(call))),
        ..READ
    },
    Operation {
        path: "/runs",
        id: "listRuns",
        about: "The runs, by id.",
        keys: listing::KEYS,
        gives: Gives::List(schema_of::<RunItem>),
        page: "/compare",
        handler: Handler::Function(|call| boxed(runs(call))),
        ..READ
    },
    Operation {
        path: "/runs/{id}",
        id: "getRun",
        about: "One run.",
        gives: Gives::Json(schema_of::<RunItem>),
        handler: Handler::Function(|call| boxed(run(call))),
        ..READ
    },
    Operation {
        path: "/conventions",
        id: "listConventions",
        about: "The conventions under which runs can be scored, by name.",
        keys: listing::KEYS,
        gives: Gives::List(schema_of::<ConventionItem>),
        page: "/conventions",
        handler: Handler::Function(|call| boxed(conventions(call))),
        ..READ
    },
    Operation {
        path: "/conventions/{name}",
        id: "getConvention",
        about: "One convention: what it reproduces, and every setting.",
        gives: Gives::Json(schema_of::<ConventionItem>),
        handler: Handler::Function(|call| boxed(convention(call))),
        ..READ
    },
];

/// A benchmark.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Benchmark)]
struct BenchmarkItem {
    /// Its name in addresses.
    slug: String,
    /// Its name for people.
    title: String,
    /// How many documents it has.
    documents: usize,
    /// The ids of the runs on it.
    runs: Vec<String>,
}

/// A system.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = System)]
struct SystemItem {
    /// Its name in addresses.
    slug: String,
    /// Its name for people.
    title: String,
    /// The ids of its runs.
    runs: Vec<String>,
}

/// A run of a system on a benchmark.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Run)]
struct RunItem {
    /// Its id.
    id: String,
    /// The slug of the system.
    system: String,
    /// The slug of the benchmark.
    benchmark: String,
}

/// A convention under which runs can be scored.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Convention)]
struct ConventionItem {
    /// Its name, which `as` takes.
    name: String,
    /// What it reproduces and how it counts.
    about: String,
}

impl BenchmarkItem {
    fn of(catalogue: &Catalogue, benchmark: &CatalogueBenchmark) -> BenchmarkItem {
        BenchmarkItem {
            slug: benchmark.slug.clone(),
            title: benchmark.name.clone(),
            documents: benchmark.documents,
            runs: catalogue.runs_on(&benchmark.slug).map(|run| run.id.clone()).collect(),
        }
    }
}

impl RunItem {
    fn of(run: &CatalogueRun) -> RunItem {
        let (system, benchmark) = (run.system_slug.clone(), run.benchmark.clone());
        RunItem { id: run.id.clone(), system, benchmark }
    }
}

fn all_systems(catalogue: &Catalogue) -> Vec<SystemItem> {
    let mut systems: Vec<SystemItem> = Vec::new();
    for run in &catalogue.runs {
        match systems.iter_mut().find(|system| system.slug == run.system_slug) {
            Some(system) => system.runs.push(run.id.clone()),
            None => systems.push(SystemItem {
                slug: run.system_slug.clone(),
                title: run.system.clone(),
                runs: vec![run.id.clone()],
            }),
        }
    }
    systems
}

/// What there is. A library may have to ask its database, so this is done where waiting is no harm.
pub(super) async fn seen(call: &Call) -> Result<Arc<Catalogue>, Problem> {
    let workbench = Arc::clone(&call.shared.workbench);
    let looked = tokio::task::spawn_blocking(move || {
        workbench.check_loaded()?;
        Ok::<_, Problem>(workbench.catalogue())
    });
    let all = looked.await.map_err(|_| Problem::failed("the catalogue could not be read"))??;
    // What one may not see is not there, and is not counted either.
    Ok(if call.visitor.is_local() { all } else { Arc::new(all.seen_by(&call.visitor)) })
}

/// One thing as JSON.
pub(super) fn shown<T: Serialize>(call: &Call, item: &T) -> Result<Response, Problem> {
    call.gives_json()?;
    let text = serde_json::to_string(item).map_err(|error| Problem::failed(error.to_string()))?;
    Ok(tagged(&call.headers, "application/json", text))
}

async fn benchmarks(call: Call) -> Result<Response, Problem> {
    let catalogue = seen(&call).await?;
    let items = catalogue.benchmarks.iter().map(|it| BenchmarkItem::of(&catalogue, it)).collect();
    listed(&call, &cut(items, &listing::from(&call)?, |item| &item.slug)?)
}

async fn benchmark(call: Call) -> Result<Response, Problem> {
    let catalogue = seen(&call).await?;
    let found = catalogue.benchmark(call.parameter("slug"))?;
    shown(&call, &BenchmarkItem::of(&catalogue, found))
}

async fn systems(call: Call) -> Result<Response, Problem> {
    let items = all_systems(&*seen(&call).await?);
    listed(&call, &cut(items, &listing::from(&call)?, |item| &item.slug)?)
}

async fn system(call: Call) -> Result<Response, Problem> {
    let slug = call.parameter("slug");
    let found = all_systems(&*seen(&call).await?).into_iter().find(|system| system.slug == slug);
    shown(&call, &found.ok_or_else(|| Problem::missing("system", slug))?)
}

async fn runs(call: Call) -> Result<Response, Problem> {
    let catalogue = seen(&call).await?;
    let items = catalogue.runs.iter().map(RunItem::of).collect();
    listed(&call, &cut(items, &listing::from(&call)?, |item| &item.id)?)
}

async fn run(call: Call) -> Result<Response, Problem> {
    let catalogue = seen(&call).await?;
    shown(&call, &RunItem::of(catalogue.run(call.parameter("id"))?))
}

async fn conventions(call: Call) -> Result<Response, Problem> {
    let items = preset_names().filter_map(described).collect();
    listed(&call, &cut(items, &listing::from(&call)?, |item| &item.name)?)
}

async fn convention(call: Call) -> Result<Response, Problem> {
    let name = call.parameter("name");
    let found = preset_names().find(|known| *known == name).and_then(described);
    shown(&call, &found.ok_or_else(|| Problem::missing("convention", name))?)
}

/// A convention as `karat presets NAME` describes it.
fn described(name: &'static str) -> Option<ConventionItem> {
    let report = presets(Some(name), usize::MAX).ok()?;
    let form = karat::report::form("md")?;
    let about = report.render(form, &karat::report::RenderOptions::default()).text;
    Some(ConventionItem { name: name.to_owned(), about })
}
