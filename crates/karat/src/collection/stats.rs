//! What benchmarks are made of: request and answer.

use super::dictionary::Dictionary;
use super::gold::GoldCorpus;
use super::profile::{Amount, MAXIMUM_RECALL, Profile};
use super::tables;
use crate::command::CommandLine;
use crate::error::Error;
use crate::inputs::{InputRequest, ReadingRequest, distinct, plain_text};
use crate::notices;
use crate::request::{Answer, Request, record};
use crate::work::Work;
use karat_formats::{Input, Problem, Text};
use karat_kb::KnowledgeBase;
use karat_measures::Signature;
use karat_model::{Hint, Notice};
use karat_report::{Deferred, Report, ReportSection, RowsRecord};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Asks what one benchmark or several are made of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CollectionStatsRequest {
    /// The benchmarks.
    pub gold: Vec<InputRequest>,
    /// A file with names of a knowledge base: name, tab, entity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<String>,
    /// A file that says how popular entities are: entity, tab, count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<String>,
    /// A knowledge base that `karat kb build` made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kb: Option<String>,
    /// How files are read.
    pub reading: ReadingRequest,
}

/// What benchmarks are made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CollectionStatsAnswer {
    /// The version of karat.
    pub karat: String,
    /// What the figures depend on.
    pub signature: String,
    /// The figures side by side: a row for each, with a key for each benchmark.
    pub figures: Vec<Map<String, Value>>,
    /// The counts and shares of labels side by side, likewise.
    pub shares: Vec<Map<String, Value>>,
    /// Each benchmark by itself. Whatever is shown is made from these.
    pub benchmarks: Vec<Profile>,
    /// What a reader of the figures has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

impl Request for CollectionStatsRequest {
    type Answer = CollectionStatsAnswer;

    const NAME: &'static str = "collection-stats";

    fn answer(&self, work: &Work) -> Result<CollectionStatsAnswer, Error> {
        if self.gold.is_empty() {
            return Err(Error::bad_request(
                "there is no benchmark",
                Hint::template("give one with {gold}"),
            ));
        }
        let dictionary = self.dictionary()?;
        let kb = self.kb.as_ref();
        let base = kb.map(|path| KnowledgeBase::open(path.as_ref())).transpose()?;
        let mut told = Vec::new();
        let read = GoldCorpus::all(&self.gold, &self.reading, work, &mut told)?;
        distinct("benchmarks", read.iter().map(|input| (input.name.clone(), None, false)))?;
        let documents: usize = read.iter().map(|input| input.corpus.len()).sum();
        work.begin("counting", documents as u64)?;
        let (base, watch) = (base.as_ref(), work.watch());
        let mut benchmarks = Vec::new();
        for GoldCorpus { name, corpus } in &read {
            let profile = || Profile::with_base(name, corpus, &dictionary, base, &watch);
            benchmarks.push(work.run(profile)?);
        }
        if let Some(base) = base {
            base.check()?;
        }
        check_headings(&benchmarks)?;
        told.extend(read.iter().filter_map(no_texts));
        told.extend(self.unknown_forms(&benchmarks));
        Ok(CollectionStatsAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            signature: self.signature(&read, base)?.to_string(),
            figures: RowsRecord::from(&tables::figures(&benchmarks)).rows,
            shares: RowsRecord::from(&tables::shares(&benchmarks)).rows,
            benchmarks,
            notices: told,
        })
    }

    fn commands(&self) -> Vec<CommandLine> {
        let CollectionStatsRequest { gold, names, counts, kb, reading } = self;
        let command = CommandLine::of("collection stats")
            .each("-g", gold.iter().map(InputRequest::written))
            .maybe("--names", names.as_ref())
            .maybe("--counts", counts.as_ref())
            .maybe("--kb", kb.as_ref())
            .reading(reading, gold);
        vec![command]
    }
}

impl CollectionStatsRequest {
    /// What the files of names and counts say.
    fn dictionary(&self) -> Result<Dictionary, Error> {
        let mut dictionary = Dictionary::default();
        if let Some(path) = &self.names {
            with_text(path, |text| dictionary.read_names(text))?;
        }
        if let Some(path) = &self.counts {
            with_text(path, |text| dictionary.read_counts(text))?;
        }
        Ok(dictionary)
    }

    /// A dictionary that knows no form was hardly meant for the benchmark.
    fn unknown_forms(&self, benchmarks: &[Profile]) -> Vec<Notice> {
        let Some(path) = &self.names else { return Vec::new() };
        let has_none =
            |profile: &&Profile| profile.figure(MAXIMUM_RECALL) == Some(Amount::Number(0.0));
        let told = benchmarks.iter().filter(has_none).map(|profile| {
            let message = format!("`{path}` has no form of `{}`", profile.name);
            let notice = notices::UNKNOWN_FORMS.notice(message).about(&profile.name);
            notice.hint("its lines are name, tab, entity, in this order")
        });
        told.collect()
    }

    /// The benchmarks, and what else the figures depend on.
    fn signature(
        &self,
        read: &[GoldCorpus],
        base: Option<&KnowledgeBase>,
    ) -> Result<Signature, Error> {
        let mut signature = Signature::without_convention();
        for gold in read {
            signature.push("gold", &gold.signature());
        }
        for (key, path) in [("names", &self.names), ("counts", &self.counts)] {
            if let Some(path) = path {
                signature.push(key, &format!("@{}", plain_text(path)?.1));
            }
        }
        if let Some(base) = base {
            signature.push("kb", &base.signature());
        }
        Ok(signature)
    }
}

impl Answer for CollectionStatsAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let figures = Deferred::by(|| tables::figures(&self.benchmarks));
        let shares = Deferred::by(|| tables::shares(&self.benchmarks));
        Report {
            sections: vec![
                ReportSection::unless_empty("In numbers", figures),
                ReportSection::unless_empty("By property", shares),
            ],
            rows: Some(Deferred::by(|| tables::everything(&self.benchmarks))),
            record: Some(Deferred::by(|| record(self))),
            signatures: vec![self.signature.clone()],
            ..Report::default()
        }
    }
}

/// Benchmarks stand side by side, and two columns cannot have one name.
fn check_headings(benchmarks: &[Profile]) -> Result<(), Error> {
    match tables::repeated_heading(benchmarks) {
        Some(name) => Err(Error::bad_request(
            format!("two columns would be called `{name}`"),
            "give the benchmark another name: NAME=INPUT",
        )),
        None => Ok(()),
    }
}

fn no_texts(read: &GoldCorpus) -> Option<Notice> {
    let mut documents = read.corpus.documents();
    documents.all(|document| document.text().is_none()).then(|| {
        let message = format!("`{}` has no texts: nothing can be said about words", read.name);
        let hint = Hint::template("{documents} names a corpus that has them");
        notices::NO_TEXTS.notice(message).about(&read.name).hint(hint)
    })
}

/// Does something with the text of each file of an input.
fn with_text(
    input: &str,
    mut each: impl FnMut(&Text<'_>) -> Result<(), Problem>,
) -> Result<(), Error> {
    for source in Input::named(input)?.1.sources() {
        each(&source.text()?)?;
    }
    Ok(())
}
