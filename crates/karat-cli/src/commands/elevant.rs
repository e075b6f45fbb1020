//! Results in the files of ELEVANT.

use crate::failure::Failure;
use crate::scoring::{Compared, Contest, ConventionArguments};
use crate::show::{self, counted};
use karat::elevant::{file_name, files, for_each_run, metadata, results, timestamp, together};
use karat::errors::{ErrorCounts, Inspection};
use karat::model::Corpus;
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::time::SystemTime;

/// Prints the results of one system, or writes those of all to a folder.
pub(crate) fn print(
    compared: &Compared,
    arguments: &ConventionArguments,
    folder: Option<&Path>,
) -> Result<(), Failure> {
    let convention = arguments.convention()?;
    // ELEVANT's categories depend on what was predicted; ours do not.
    if !convention.taxonomy.by_prediction {
        return Err(Failure::usage(
            format!("the counts of the preset `{}` are not ELEVANT's", convention.preset.name),
            "add --preset elevant, or choose another --format",
        ));
    }
    let identity = arguments.identity(&convention)?;
    let base = identity.base().map(AsRef::as_ref);
    let (settings, taxonomy) = (&convention.settings, convention.taxonomy);
    let inspection = Inspection { settings, taxonomy, identity: &identity, base };
    let contests = compared.read()?;
    for contest in &contests {
        contest.say_what_is_missing();
        contest.say_if_nothing_is_known(&convention);
        if !compared.reading.quiet {
            say_whose_words_are_unknown(&inspection, contest);
        }
    }
    if base.is_none() && !compared.reading.quiet {
        show::note("without a knowledge base (--kb) some numbers are unknown; they are null");
    }
    let (mut names, mut experiments) = (Vec::new(), Vec::new());
    let mut runs: Vec<(&str, &Corpus, &Corpus)> = Vec::new();
    for contest in &contests {
        let benchmark = benchmark(&contest.name);
        for system in &contest.systems {
            let experiment = Experiment::new(&system.name, benchmark);
            names.push(format!("{}.{benchmark}", experiment.name));
            experiments.push(experiment);
            runs.push((benchmark, &contest.gold, &system.corpus));
        }
    }
    let Some(folder) = folder else {
        let all = for_each_run(&runs, |benchmark, gold, system| {
            inspection.counts(benchmark, gold, system)
        });
        identity.check()?;
        let unjudged =
            names.iter().zip(&all).filter_map(|(name, all)| links_nobody_can_judge(name, all));
        if !compared.reading.quiet {
            unjudged.for_each(|reason| show::note(&reason));
        }
        let all = all.iter().map(|counts| results(counts, taxonomy)).collect();
        let printed = together(&names, all);
        return Ok(writeln!(anstream::stdout(), "{printed}")?);
    };
    check_files(&experiments)?;
    let written =
        for_each_run(&runs, |benchmark, gold, system| files(&inspection, benchmark, gold, system));
    identity.check()?;
    let unwritable = |error| Failure::output(&folder.to_string_lossy(), error);
    std::fs::create_dir_all(folder).map_err(|error| unwritable(error.into()))?;
    let timestamp = timestamp(SystemTime::now());
    for (experiment, files) in experiments.iter().zip(written) {
        let path = folder.join(experiment.file());
        let metadata = metadata(experiment.name, &timestamp);
        let written = files.and_then(|files| files.write(&path.to_string_lossy(), &metadata));
        written.map_err(|error| Failure::output(&path.to_string_lossy(), error))?;
    }
    Ok(())
}

/// Totals of extra mentions are numbers of words, which a base knows by the name of the benchmark.
pub(crate) fn say_whose_words_are_unknown(inspection: &Inspection<'_>, contest: &Contest) {
    let has_words = inspection.base.is_some_and(|base| base.sizes().documents > 0);
    let name = benchmark(&contest.name);
    let Some(Err(known)) = has_words.then(|| inspection.words(name, &contest.gold)) else { return };
    let reason = match known {
        0 => format!(
            "the knowledge base counts the words of other benchmarks than `{name}`; -g NAME=INPUT says \
             which it is"
        ),
        known => format!(
            "the knowledge base counts the words of {} of `{name}`, and gold has {}",
            counted(known, "document"),
            contest.gold.len()
        ),
    };
    show::note(&format!("totals of ner_fp are unknown: {reason}"));
}

/// What to say of links on quantities and dates whose entities the base does not know.
pub(crate) fn links_nobody_can_judge(system: &str, counts: &ErrorCounts) -> Option<String> {
    let number = usize::try_from(counts.unsure()).ok().filter(|number| *number > 0)?;
    Some(format!(
        "`{system}`: {} on quantities and dates cannot be judged, and what is extra is unknown: no knowledge base says \
         which entities are dates",
        counted(number, "link")
    ))
}

/// The name of a benchmark, without what its file says of itself.
pub(crate) fn benchmark(name: &str) -> &str {
    name.trim_end_matches(".benchmark")
}

/// A system on a benchmark.
struct Experiment<'e> {
    name: &'e str,
    benchmark: &'e str,
}

impl<'e> Experiment<'e> {
    fn new(system: &'e str, benchmark: &'e str) -> Experiment<'e> {
        let system = system.trim_end_matches(".linked_articles");
        let of_file = system.strip_suffix(benchmark).and_then(|name| name.strip_suffix('.'));
        Experiment { name: of_file.unwrap_or(system), benchmark }
    }

    /// The name of its files, without what they end in.
    fn file(&self) -> String {
        format!("{}.{}", file_name(self.name), self.benchmark)
    }
}

/// Systems whose names differ only in what names of files do not have would overwrite each other.
fn check_files(experiments: &[Experiment<'_>]) -> Result<(), Failure> {
    let mut known: HashMap<String, &str> = HashMap::new();
    for experiment in experiments {
        let file = experiment.file();
        if let Some(first) = known.get(&file) {
            return Err(Failure::usage(
                format!("the files of `{first}` and `{}` would both be `{file}`", experiment.name),
                "give one of them another name with -s NAME=INPUT",
            ));
        }
        known.insert(file, experiment.name);
    }
    Ok(())
}
