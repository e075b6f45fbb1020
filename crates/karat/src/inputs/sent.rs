//! Files that were sent to a server, read and settled as files on a disk are.

use super::offsets::Counting;
use super::{Benchmark, Experiment, ReadingRequest, Run};
use crate::error::Error;
use crate::notices;
use crate::work::Work;
use karat_checks::CheckReport;
use karat_formats::{Input, ReadOptions, ReadOutcome};
use karat_model::{Corpus, Notice};
use std::sync::Arc;

/// Files in memory, and what they are.
#[derive(Debug)]
pub struct SentFiles {
    /// What the benchmark or the system is called.
    pub name: String,
    /// The files.
    pub files: Input,
    /// Their format; recognised by content if absent.
    pub format: Option<String>,
}

/// What was read of files that were sent.
#[derive(Debug)]
pub struct ReadSent<T> {
    /// The benchmark or the run.
    pub read: T,
    /// The formats of the files, joined by commas.
    pub formats: String,
    /// What has to be known: what was repaired, what is not covered, what checks found.
    pub notices: Vec<Notice>,
}

impl SentFiles {
    /// Reads and checks a gold standard.
    pub fn read_gold(&self, work: &Work) -> Result<ReadSent<Benchmark>, Error> {
        let (outcome, mut told) = self.read(work)?;
        let formats = outcome.formats.join(", ");
        let counting = Some(Counting::from(&outcome));
        let corpus = Arc::new(outcome.corpus);
        let read = Benchmark { name: self.name.clone(), corpus, counting };
        told.extend(read.without_root());
        told.extend(self.checked(&read.corpus, None, work)?);
        Ok(ReadSent { read, formats, notices: told })
    }

    /// Reads the output of a system, checks it and settles it against its gold standard.
    pub fn read_run(&self, gold: &Benchmark, work: &Work) -> Result<ReadSent<Run>, Error> {
        let (outcome, mut told) = self.read(work)?;
        let formats = outcome.formats.join(", ");
        let source = self.files.sources().first().map_or("", |file| file.name()).to_owned();
        let counting = [Counting::from(&outcome)];
        let run = Run { name: self.name.clone(), source, corpus: Arc::new(outcome.corpus) };
        let mut experiment = Experiment { benchmark: gold.clone(), runs: vec![run] };
        experiment.settle(&counting, false, &mut told)?;
        // What is said of the benchmark was said when that was sent.
        told.retain(|notice| notice.id != notices::NO_ROOT.id);
        told.extend(experiment.coverage_notices());
        let Some(read) = experiment.runs.pop() else { return Err(Error::Cancelled) };
        told.extend(self.checked(&read.corpus, Some(&gold.corpus), work)?);
        Ok(ReadSent { read, formats, notices: told })
    }

    fn read(&self, work: &Work) -> Result<(ReadOutcome, Vec<Notice>), Error> {
        work.begin("reading", self.files.size())?;
        let options = ReadOptions {
            threads: work.thread_count(),
            progress: Some(Arc::new(work.watch())),
            ..ReadOptions::default()
        };
        let read = || crate::registry().read(&self.files, self.format.as_deref(), &options);
        let outcome = work.run(read)??;
        let told = ReadingRequest::default().notices_of_skipping(&outcome);
        Ok((outcome, told))
    }

    /// How much of each kind the checks of `karat validate` find.
    fn checked(
        &self,
        corpus: &Corpus,
        gold: Option<&Corpus>,
        work: &Work,
    ) -> Result<Option<Notice>, Error> {
        work.begin("checking", 0)?;
        let report = work.run(|| CheckReport::of(corpus, gold, karat_checks::CHECKS))?;
        let counts = report.counts();
        let total: usize = counts.values().sum();
        let kinds: Vec<String> =
            counts.iter().map(|(check, count)| format!("{count} {check}")).collect();
        let message = format!("checks find {total} things to look at: {}", kinds.join(", "));
        Ok((total > 0).then(|| {
            let notice = notices::CHECKS_FOUND.notice(message).about(&self.name);
            notice.hint("`karat validate FILE` lists them, and mends some")
        }))
    }
}
