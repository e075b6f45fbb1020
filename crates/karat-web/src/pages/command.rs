//! The commands that give what pages show.

use crate::workbench::{Catalogue, CatalogueBenchmark, CatalogueRun, quoted};
use karat::convention::ConventionRequest;

/// A command about runs on one benchmark.
pub(super) fn command<'r>(
    verb: &str,
    catalogue: &Catalogue,
    benchmark: &CatalogueBenchmark,
    runs: impl IntoIterator<Item = &'r CatalogueRun>,
    convention: &ConventionRequest,
    measure: &str,
) -> String {
    let given = given(verb, catalogue, benchmark, runs, convention);
    format!("{given} -m {}", quoted(measure))
}

/// The command without what is measured.
pub(super) fn given<'r>(
    verb: &str,
    catalogue: &Catalogue,
    benchmark: &CatalogueBenchmark,
    runs: impl IntoIterator<Item = &'r CatalogueRun>,
    convention: &ConventionRequest,
) -> String {
    let mut text = format!("karat {verb} {}", catalogue.arguments(benchmark, runs));
    if convention.preset != ConventionRequest::default().preset {
        text.push_str(&format!(" --preset {}", quoted(&convention.preset)));
    }
    for (name, value) in &convention.settings.0 {
        text.push_str(&format!(" --set {}", quoted(&format!("{name}={value}"))));
    }
    text
}
