//! Choosing mentions to annotate: request and answer.

use super::sampler::{SampleBy, SampleDesign, chosen};
use super::task::AnnotationTask;
use crate::convention::facets;
use crate::error::Error;
use crate::inputs::{Described, InputRequest, ReadingRequest, counted};
use crate::notices;
use crate::request::{Answer, Request, record};
use crate::scoring::StreamInput;
use crate::work::Work;
use crate::written::loss_notice;
use karat_facets::UNLABELLED;
use karat_formats::{Format, Input};
use karat_kb::Identity;
use karat_match::Unknowns;
use karat_measures::Convention;
use karat_model::{Hint, Notice};
use karat_report::{Cell, Column, Deferred, Report, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Asks for mentions to annotate, chosen at random from a corpus that need not fit into memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleRequest {
    /// The corpus.
    pub corpus: InputRequest,
    /// What is chosen first.
    pub by: SampleBy,
    /// How many mentions; with strata, of each stratum.
    pub number: usize,
    /// What the random numbers depend on.
    #[serde(default = "first_seed")]
    pub seed: u64,
    /// A facet whose labels are strata, or several joined by `+`. Mentions are chosen from each stratum by
    /// itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strata: Option<String>,
    /// Other numbers for some strata, by label.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sizes: BTreeMap<String, usize>,
    /// How the corpus is read.
    #[serde(default)]
    pub reading: ReadingRequest,
}

fn first_seed() -> u64 {
    1
}

/// Mentions to annotate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SampleAnswer {
    /// The version of karat.
    pub karat: String,
    /// What was chosen first.
    pub by: SampleBy,
    /// What the random numbers depend on.
    pub seed: u64,
    /// The chosen mentions: stratum by stratum, each in the order in which they were drawn.
    pub tasks: Vec<AnnotationTask>,
    /// What an annotator has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

impl Request for SampleRequest {
    type Answer = SampleAnswer;

    const NAME: &'static str = "sample";

    fn answer(&self, work: &Work) -> Result<SampleAnswer, Error> {
        let design = self.design()?;
        let opened = Opened::of(self, work)?;
        let (tasks, read) = design.draw(&opened.input(&self.corpus.path), work)?;
        let mut notices = self.reading.notices_of_skipping(&read);
        notices.extend(self.missing(&tasks));
        Ok(SampleAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            by: self.by,
            seed: self.seed,
            tasks,
            notices,
        })
    }
}

impl SampleRequest {
    /// Refuses a format in which the chosen mentions cannot be written, before anything is read.
    pub fn check_target(&self, format: &str) -> Result<(), Error> {
        self.target(format).map(|_| ())
    }

    /// Reads the corpus again and writes the chosen mentions with their documents in a format. What the
    /// format cannot hold is told.
    pub fn write(
        &self,
        tasks: &[AnnotationTask],
        format: &str,
        path: &str,
        work: &Work,
    ) -> Result<Vec<Notice>, Error> {
        let target = self.target(format)?;
        // The corpus is read a second time, because the first pass kept only the tasks.
        let corpus = chosen(tasks, &Opened::of(self, work)?.input(&self.corpus.path), work)?;
        let written = crate::registry().write_to(&corpus, target, path);
        let loss = written.map_err(|error| Error::output(path, error))?;
        Ok(loss_notice(format, &loss).into_iter().collect())
    }

    fn target(&self, format: &str) -> Result<&'static dyn Format, Error> {
        if self.corpus.path.split(',').any(|part| part == "-") {
            return Err(Error::bad_request(
                "a corpus from standard input cannot be read twice",
                Hint::template("give a file, or leave out {to} for an annotation task"),
            ));
        }
        Ok(crate::registry().named(format)?)
    }

    /// What is to be chosen.
    fn design(&self) -> Result<SampleDesign, Error> {
        if self.number == 0 {
            return Err(Error::bad_request(
                "nothing is to be chosen",
                Hint::template("give {number} a number from 1"),
            ));
        }
        if self.strata.is_none() && !self.sizes.is_empty() {
            return Err(Error::bad_request(
                "sizes of strata are given, and no strata",
                Hint::template("name a facet with {strata}, or leave out {sizes}"),
            ));
        }
        let convention = Convention::default();
        let of_names =
            |names: &String| facets(names, &convention, Unknowns::Ignored, &Identity::new());
        Ok(SampleDesign {
            by: self.by,
            size: self.number,
            sizes: self.sizes.clone(),
            strata: self.strata.as_ref().map(of_names).transpose()?.unwrap_or_default(),
            seed: self.seed,
        })
    }

    /// A sample that is smaller than asked for is said to be.
    fn missing(&self, tasks: &[AnnotationTask]) -> Vec<Notice> {
        let mut told = Vec::new();
        let mut found: BTreeMap<Option<&str>, usize> = BTreeMap::new();
        for task in tasks {
            *found.entry(task.stratum.as_deref()).or_default() += 1;
        }
        if tasks.is_empty() {
            let message = "the corpus has no mentions: nothing was chosen";
            told.push(notices::NOTHING_CHOSEN.notice(message));
        }
        let asked_for = self.sizes.iter().filter(|(_, size)| **size > 0);
        for (label, _) in asked_for.filter(|(label, _)| !found.contains_key(&Some(label.as_str())))
        {
            let labels: Vec<&str> = found.keys().flatten().copied().collect();
            told.push(notices::EMPTY_STRATUM.notice(format!(
                "nothing is labelled `{label}`; the labels are {}",
                labels.join(", ")
            )));
        }
        for (stratum, count) in found {
            let asked = stratum.and_then(|label| self.sizes.get(label));
            if count < asked.copied().unwrap_or(self.number) {
                let part = match stratum {
                    None => String::new(),
                    Some(UNLABELLED) => " without a label".to_owned(),
                    Some(label) => format!(" labelled `{label}`"),
                };
                let forms = counted(count, "form");
                let message = format!("there are only {forms}{part} to choose from");
                told.push(notices::SMALL_SAMPLE.notice(message));
            }
        }
        told
    }
}

/// The files of a corpus, and how they are read part by part.
struct Opened {
    files: Input,
    described: Described,
}

impl Opened {
    fn of(request: &SampleRequest, work: &Work) -> Result<Opened, Error> {
        let (_, files) = request.corpus.open()?;
        work.begin("reading", files.size())?;
        let described = request.reading.described(&request.corpus, work)?;
        Ok(Opened { files, described })
    }

    fn input<'o>(&'o self, name: &'o str) -> StreamInput<'o> {
        StreamInput { name, input: &self.files, described: &self.described }
    }
}

impl Answer for SampleAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        Report {
            records: Some(Deferred::by(|| self.tasks.iter().map(record).collect())),
            record: Some(Deferred::by(|| record(self))),
            ..Report::of(Deferred::by(|| self.table()))
        }
    }
}

impl SampleAnswer {
    fn table(&self) -> Table {
        let words = ["document", "span", "mention", "candidates"].map(Column::text);
        let stratum = self.tasks.iter().any(|task| task.stratum.is_some());
        let stratum = stratum.then(|| Column::text("stratum"));
        let numbers = [Column::number("probability", 4), Column::number("weight", 1)];
        let mut table = Table::new(words.into_iter().chain(stratum.clone()).chain(numbers));
        for task in &self.tasks {
            let words = [
                Cell::from(task.document.as_str()),
                Cell::from(task.span.to_string()),
                Cell::from(task.mention.as_deref()),
                Cell::from(task.candidates.join(" ")),
            ];
            let stratum = stratum.as_ref().map(|_| Cell::from(task.stratum.as_deref()));
            let numbers = [Cell::from(task.probability), Cell::from(task.weight)];
            table.row(words.into_iter().chain(stratum).chain(numbers));
        }
        table
    }
}
