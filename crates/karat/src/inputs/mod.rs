//! From the inputs of a request to benchmarks and runs.
//!
//! Reading, lining up documents, translating offsets and saying what does not fit happen here, once, for every
//! front end and every request.

mod documents;
mod experiment;
mod files;
mod folder;
mod kept;
mod misplaced;
mod offsets;
mod patched;
mod reading;
mod rows;
mod said;
mod sent;
mod settled;
mod shelf;
mod spellings;
mod unified;

use crate::error::Error;
use crate::notices;
use crate::sentences::Sentences;
use crate::work::Work;
use karat_model::{Corpus, Hint, Notice};
use offsets::Counting;
use patched::Editions;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub use documents::DocumentsBy;
pub use experiment::{Benchmark, ComparedDigests, Coverage, Experiment, OutputDigest, Run};
pub use files::{HeldNames, about_files};
pub use kept::{KeptOffsets, canonical_lines, read_canonical};
pub(crate) use offsets::{check_offsets, in_offsets_of};
pub use patched::{AppliedPatch, NoEdition, PatchedEdition, give_patches};
pub(crate) use patched::{other_base, share, signed_gold};
pub use reading::{Described, FileDescription, InputRequest, ReadInput, ReadingRequest};
pub(crate) use reading::{InputReader, corpus_moved, counted};
pub use said::{ForInput, ForInputError, InputPart, SaidOfInputs, no_system, take_named_systems};
pub use sent::{ReadSent, SentFiles};
pub(crate) use settled::Settled;
pub use shelf::{CorpusSource, HeldInputs, Shelf};
pub(crate) use spellings::Spellings;

/// What is compared with what.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Inputs {
    /// The gold standards, one benchmark each.
    pub gold: Vec<InputRequest>,
    /// The outputs of systems.
    pub systems: Vec<InputRequest>,
    /// Whether all benchmarks are scored together as well, as the benchmark `unified`.
    pub unified: bool,
    /// A corpus with sentences, at whose ends predictions are cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentences: Option<String>,
    /// By what documents of gold and systems are lined up.
    pub documents_by: DocumentsBy,
    /// How files are read.
    pub reading: ReadingRequest,
}

/// Whether two outputs may have one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeats {
    /// No: they are two systems, and need two names.
    Refused,
    /// Yes, where the name was given: they are runs of one system.
    AreRuns,
}

impl Inputs {
    /// Reads gold and systems, several at a time.
    pub fn read(
        &self,
        repeats: Repeats,
        work: &Work,
        told: &mut Vec<Notice>,
    ) -> Result<Vec<Experiment>, Error> {
        let experiments = self.read_editions(repeats, Editions::Patched, work, told)?;
        check_runs(&experiments)?;
        Ok(experiments)
    }

    /// The same with gold as it is beside gold with patches, where it has some.
    pub fn read_both_editions(
        &self,
        repeats: Repeats,
        work: &Work,
        told: &mut Vec<Notice>,
    ) -> Result<Vec<Experiment>, Error> {
        let experiments = self.read_editions(repeats, Editions::Both, work, told)?;
        check_runs(&experiments)?;
        Ok(experiments)
    }

    /// The same where gold alone says something.
    pub fn read_with_or_without_runs(
        &self,
        repeats: Repeats,
        work: &Work,
        told: &mut Vec<Notice>,
    ) -> Result<Vec<Experiment>, Error> {
        self.read_editions(repeats, Editions::Patched, work, told)
    }

    fn read_editions(
        &self,
        repeats: Repeats,
        editions: Editions,
        work: &Work,
        told: &mut Vec<Notice>,
    ) -> Result<Vec<Experiment>, Error> {
        if self.are_held()? {
            patched::check_held(&self.gold)?;
            let shelf = work.shelf.clone().unwrap_or_default();
            return shelf.named(self, told);
        }
        // Gold and systems in one go, so that all files are read at the same time; they are told
        // apart by their number below.
        let plain = |input: &InputRequest| InputRequest { patches: Vec::new(), ..input.clone() };
        // Patches come when everything is settled: runs are entered for gold under its own name.
        let gold: Vec<InputRequest> = self.gold.iter().map(plain).collect();
        let inputs: Vec<&InputRequest> = gold.iter().chain(&self.systems).collect();
        let mut read = self.reading.read(&inputs, work)?;
        for input in &mut read {
            told.append(&mut input.notices);
        }
        let outputs = read.split_off(self.gold.len());
        self.check_names(&read, &outputs, repeats)?;
        let mut experiments: Vec<Experiment> = read
            .into_iter()
            .map(|gold| Experiment { benchmark: Benchmark::of(gold), runs: Vec::new() })
            .collect();
        let sentences = self.sentences(work, told)?;
        let mut countings: Vec<Vec<Counting>> = vec![Vec::new(); experiments.len()];
        for (output, input) in outputs.into_iter().zip(&self.systems) {
            let counting = Counting::from(&output.outcome);
            let corpus = match &sentences {
                Some(sentences) => sentences.cut(&output.outcome.corpus),
                None => output.outcome.corpus,
            };
            let run = Run { name: output.name, source: output.source, corpus: Arc::new(corpus) };
            self.enter(&mut experiments, run, input, told)?;
            // By their place among the runs, for the experiments that the run was entered for: one file may be given
            // twice, and read in two ways.
            for (experiment, countings) in experiments.iter().zip(&mut countings) {
                countings.resize(experiment.runs.len(), counting.clone());
            }
        }
        // Offsets last, because only now it is known which texts of gold belong to a run.
        for (experiment, countings) in experiments.iter_mut().zip(&countings) {
            experiment.settle(countings, self.reading.lenient, told)?;
        }
        // All benchmarks as one have each document once.
        let editions = if self.unified { Editions::Patched } else { editions };
        let mut experiments = patched::with_patches(experiments, &self.gold, editions, told)?;
        // Unified after settling, so that all offsets are code points of one text and can be put
        // together.
        if self.unified && experiments.len() > 1 {
            experiments.push(unified::unified(&experiments)?);
        }
        Ok(experiments)
    }

    /// What was done to the outputs, for the signature.
    pub fn provenance(&self) -> Result<Vec<(&'static str, String)>, Error> {
        let mut done = Vec::new();
        if let Some(sentences) = &self.sentences {
            done.push(("sentences", format!("cut@{}", plain_text(sentences)?.1)));
        }
        if self.documents_by != DocumentsBy::Name {
            done.push(("documents", format!("by-{}", self.documents_by.name())));
        }
        done.extend(self.descriptions());
        Ok(done)
    }

    /// How inputs were read where that is not what is usual in their formats: equal files give other numbers
    /// then. What is said of all inputs is said once, and what is said of one with its name.
    fn descriptions(&self) -> Vec<(&'static str, String)> {
        let inputs = || self.gold.iter().chain(&self.systems);
        let of_all = &self.reading.describe;
        let listed = |written: &dyn Fn(&FileDescription) -> Option<String>| {
            let own = inputs().filter_map(|input| {
                Some(format!("{}={}", input.called(), written(&input.describe)?))
            });
            let all: Vec<String> = written(of_all).into_iter().chain(own).collect();
            (!all.is_empty()).then(|| all.join(","))
        };
        let columns = |describe: &FileDescription| {
            let columns = describe.columns.iter();
            let columns: Vec<String> =
                columns.map(|(name, column)| format!("{name}={column}")).collect();
            (!columns.is_empty()).then(|| columns.join("+"))
        };
        let shift = |describe: &FileDescription| describe.shift.map(|shift| shift.to_string());
        let parts = [
            ("columns", listed(&columns)),
            ("unit", listed(&|describe| Some(describe.unit?.name().to_owned()))),
            ("end", listed(&|describe| Some(describe.end?.to_string()))),
            ("shift", listed(&shift)),
            ("lenient", self.reading.lenient.then(|| "yes".to_owned())),
            ("strict", self.reading.strict.then(|| "yes".to_owned())),
        ];
        parts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// Enters a run for the benchmark it names, or for all.
    fn enter(
        &self,
        experiments: &mut [Experiment],
        run: Run,
        input: &InputRequest,
        told: &mut Vec<Notice>,
    ) -> Result<(), Error> {
        let mut lined_up = |benchmark: &Benchmark, run: Run| -> Result<Run, Error> {
            let gold = &benchmark.corpus;
            let run = rows::with_rows_of(gold, &benchmark.name, run, told);
            match self.documents_by.lined_up(gold, &run.corpus)? {
                Some(corpus) => Ok(Run { corpus: Arc::new(corpus), ..run }),
                None => Ok(run),
            }
        };
        if let Some(benchmark) = &input.benchmark {
            let named = experiments.iter_mut().find(|it| it.benchmark.name == *benchmark);
            let Some(experiment) = named else { return Err(no_benchmark(&run.name, benchmark)) };
            let run = lined_up(&experiment.benchmark, run)?;
            experiment.runs.push(run);
            return Ok(());
        }
        if let [only] = experiments {
            let run = lined_up(&only.benchmark, run)?;
            only.runs.push(run);
            return Ok(());
        }
        // With several benchmarks, a system answers for the documents of each.
        let mut unknown = run.corpus.len();
        for experiment in experiments.iter_mut() {
            let run = lined_up(&experiment.benchmark, run.clone())?;
            let gold = &experiment.benchmark.corpus;
            let part = run.corpus.only_documents(|document| gold.document(document).is_some());
            unknown = unknown.saturating_sub(part.len());
            experiment.runs.push(Run { corpus: Arc::new(part), ..run });
        }
        if unknown > 0 {
            let documents = counted(unknown, "document");
            let message =
                format!("`{}` has {documents} that no benchmark knows; left out", run.name);
            told.push(notices::NO_BENCHMARK.notice(message).about(&run.name));
        }
        Ok(())
    }

    /// Where predictions are cut, if they are.
    fn sentences(&self, work: &Work, told: &mut Vec<Notice>) -> Result<Option<Sentences>, Error> {
        let Some(path) = &self.sentences else { return Ok(None) };
        let mut read = self.reading.read_alone(&InputRequest::parse(path), work)?;
        told.append(&mut read.notices);
        let sentences = Sentences::of(&read.outcome.corpus);
        match sentences.is_empty() {
            true => Err(Error::bad_request(
                format!("`{path}` has no ends of sentences"),
                "give a corpus that has sentences, as AIDA-CoNLL has",
            )),
            false => Ok(Some(sentences)),
        }
    }

    /// Names must differ, but for runs of one system.
    fn check_names(
        &self,
        gold: &[ReadInput],
        outputs: &[ReadInput],
        repeats: Repeats,
    ) -> Result<(), Error> {
        let name = |read: &ReadInput| (read.name.clone(), None, false);
        distinct("benchmarks", gold.iter().map(name))?;
        let name = |(read, input): (&ReadInput, &InputRequest)| {
            let may_repeat = repeats == Repeats::AreRuns && input.name.is_some();
            (read.name.clone(), input.benchmark.clone(), may_repeat)
        };
        distinct("systems", outputs.iter().zip(&self.systems).map(name))
    }
}

/// Refuses two of one name: each is given with its benchmark and whether its name may be given again.
pub(crate) fn distinct(
    what: &str,
    names: impl Iterator<Item = (String, Option<String>, bool)>,
) -> Result<(), Error> {
    // A list and not a set, as whether two names clash depends on both; there are a few inputs at
    // most.
    let mut seen: Vec<(String, Option<String>, bool)> = Vec::new();
    for (name, benchmark, may_repeat) in names {
        let repeats = |other: &(String, Option<String>, bool)| {
            other.0 == name && other.1 == benchmark && !(may_repeat && other.2)
        };
        if seen.iter().any(repeats) {
            return Err(Error::bad_request(
                format!("two {what} are called `{name}`"),
                "give each a name of its own: NAME=INPUT",
            ));
        }
        seen.push((name, benchmark, may_repeat));
    }
    Ok(())
}

fn no_benchmark(system: &str, benchmark: &str) -> Error {
    Error::bad_request(
        format!("`{system}@{benchmark}` names a benchmark that was not given: `{benchmark}`"),
        Hint::template("give it with {gold}, as NAME=INPUT"),
    )
}

impl Experiment {
    /// Brings the offsets of the runs to those of gold. `countings` says of each run how its offsets count.
    fn settle(
        &mut self,
        countings: &[Counting],
        lenient: bool,
        told: &mut Vec<Notice>,
    ) -> Result<(), Error> {
        told.extend(self.benchmark.without_root());
        for (run, counting) in self.runs.iter_mut().zip(countings) {
            // Only after the documents have their final names can it be said which of them, and
            // which mentions, do not meet.
            told.extend(run.all_gold());
            told.extend(offsets::settle(&self.benchmark, run, counting, lenient)?);
            let (gold, name) = (&self.benchmark.corpus, &self.benchmark.name);
            let otherwise = documents::lined_up_otherwise(gold, name, &run.corpus, &run.name);
            // Whoever has two things to mend is told of both at once: where documents would meet otherwise,
            // their offsets are looked at as if they did.
            let lined_up = match &otherwise {
                Some((by, _)) => by.lined_up(gold, &run.corpus).ok().flatten(),
                None => None,
            };
            told.extend(otherwise.map(|(_, notice)| notice));
            let of_gold = self.benchmark.counting.as_ref().and_then(Counting::end);
            let benchmark = misplaced::Ends { name, end: of_gold };
            let system = misplaced::Ends { name: &run.name, end: counting.end() };
            let corpus = lined_up.as_ref().unwrap_or(&run.corpus);
            told.extend(misplaced::misplaced(gold, benchmark, corpus, system));
        }
        Ok(())
    }

    /// All corpora: gold, then the runs.
    pub fn corpora(&self) -> impl Iterator<Item = &Corpus> {
        let runs = self.runs.iter().map(|run| run.corpus.as_ref());
        std::iter::once(self.benchmark.corpus.as_ref()).chain(runs)
    }
}

fn check_runs(experiments: &[Experiment]) -> Result<(), Error> {
    match experiments.iter().find(|experiment| experiment.runs.is_empty()) {
        Some(experiment) => Err(Error::bad_request(
            format!("no system was given for the benchmark `{}`", experiment.benchmark.name),
            Hint::template("give one with {system}, as NAME=INPUT or NAME@BENCHMARK=INPUT"),
        )),
        None => Ok(()),
    }
}

/// The text of a file that is no corpus, and a fingerprint of it.
pub fn plain_text(path: &str) -> Result<(String, String), Error> {
    let input = karat_formats::Input::open(path)?;
    let mut text = String::new();
    for source in input.sources() {
        text.push_str(source.text()?.as_str());
    }
    let fingerprint = karat_model::fingerprint(text.as_bytes());
    Ok((text, fingerprint))
}
