//! Results in the files of ELEVANT.

use crate::failure::Failure;
use crate::scoring::{Compared, ConventionArguments};
use crate::show;
use karat::elevant::{files, for_each_run, results, together};
use karat::errors::Inspection;
use karat::model::Corpus;
use std::io::Write;
use std::path::Path;

/// Prints the results of one system, or writes those of all to a folder.
pub(crate) fn print(
    compared: &Compared,
    arguments: &ConventionArguments,
    folder: Option<&Path>,
) -> Result<(), Failure> {
    let convention = arguments.convention()?;
    let identity = arguments.identity(&convention)?;
    let base = identity.base().map(AsRef::as_ref);
    let (settings, taxonomy) = (&convention.settings, convention.taxonomy);
    let inspection = Inspection { settings, taxonomy, identity: &identity, base };
    let contests = compared.read()?;
    if base.is_none() {
        show::note("without a knowledge base (--kb) some numbers are unknown; they are null");
    }
    let (mut names, mut runs): (Vec<String>, Vec<(&str, &Corpus, &Corpus)>) = Default::default();
    for contest in &contests {
        let benchmark = benchmark(&contest.name);
        for system in &contest.systems {
            names.push(experiment(&system.name, benchmark));
            runs.push((benchmark, &contest.gold, &system.corpus));
        }
    }
    let Some(folder) = folder else {
        let all = for_each_run(&runs, |benchmark, gold, system| {
            results(&inspection.counts(benchmark, gold, system), taxonomy)
        });
        identity.check()?;
        let printed = together(&names, all);
        return Ok(writeln!(anstream::stdout(), "{printed}")?);
    };
    let written =
        for_each_run(&runs, |benchmark, gold, system| files(&inspection, benchmark, gold, system));
    identity.check()?;
    let unwritable = |error| Failure::output(&folder.to_string_lossy(), error);
    std::fs::create_dir_all(folder).map_err(|error| unwritable(error.into()))?;
    for (name, files) in names.iter().zip(written) {
        let path = folder.join(name);
        let written = files.and_then(|files| files.write(&path.to_string_lossy()));
        written.map_err(|error| Failure::output(&path.to_string_lossy(), error))?;
    }
    Ok(())
}

/// The name of a benchmark, without what its file says of itself.
pub(crate) fn benchmark(name: &str) -> &str {
    name.trim_end_matches(".benchmark")
}

/// The name of the files of a system: what it is called, a dot, and the benchmark.
fn experiment(system: &str, benchmark: &str) -> String {
    let system = system.trim_end_matches(".linked_articles");
    let system = system.strip_suffix(&format!(".{benchmark}")).unwrap_or(system);
    format!("{system}.{benchmark}")
}
