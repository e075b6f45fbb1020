//! `karat link` and `karat linkers`

use crate::arguments::{ReadArguments, terminal_width};
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::interrupt::{cancelled_by_interrupt, interrupted};
use crate::printing;
use crate::show;
use clap::Args;
use karat::linking::{
    FailuresAllowed, LinkerListRequest, LinkingRequest, LinkingSettings, annotator,
};
use karat::request::{Answer, Request};
use karat::work::{LinkersAllowed, Work};
use karat_web::server::serve_annotator;
use std::io::Write;
use std::net::SocketAddr;

/// Ask a linker about every document, keep its answers, and score them
///
/// The linker gets texts and never sees what gold links to. Texts that are too long for it are cut, offsets are checked
/// against the texts and translated, what fails is asked again, and every answer is kept in the folder of the run before
/// anything is made of it. The same command goes on where a run was interrupted, and --replay makes the same output from
/// a recording without asking anybody.
///
/// A document that is not answered counts as empty and is named; then the exit code is 1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  karat link prior --kb wikidata.kb -g gold.jsonl -o runs/prior --eval -m link
      a baseline, scored
  karat link prior --kb wikidata.kb -g gold.jsonl --mentions gold --write prior.ttl
      linking the mentions of gold; the output as NIF
  karat link oracle -g gold.ttl --eval
      what can be reached
  karat link rel --url http://localhost:5555/ -g gold.jsonl -o runs/rel --eval
      a known service; `karat linkers rel` shows how it is asked
  karat link mine.toml -g gold.jsonl -o runs/mine
      a service of your own, as a declaration describes it
  karat link --process 'python link.py' -g gold.jsonl -o runs/mine
      a program
  karat link prior --kb wikidata.kb -g gold.jsonl --replay runs/prior --eval
      the same again, from what was kept")]
pub(crate) struct Link {
    /// The linker: a name that `karat linkers` lists, or the path of a declaration
    #[arg(required_unless_present = "process")]
    linker: Option<String>,
    /// A program on this machine that reads questions and writes answers, a line of JSON each
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["linker", "url", "set"])]
    process: Option<String>,
    /// Where the service is, if not where its declaration says
    #[arg(long, value_name = "URL", requires = "linker")]
    url: Option<String>,
    /// The documents; with gold annotations where the output is scored or mentions are given
    #[arg(long, short, value_name = "[NAME=]INPUT")]
    gold: String,
    /// The folder of the run: every answer, the output and a report
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<String>,
    /// Write the output as well: a file or directory, or `-` for standard output
    #[arg(long, value_name = "OUTPUT")]
    write: Option<String>,
    /// Format of what is written; without it, the extension decides
    #[arg(long, value_name = "FORMAT", requires = "write")]
    to: Option<String>,
    /// A knowledge base of `karat kb build`
    #[arg(long, value_name = "FILE")]
    kb: Option<String>,
    /// A setting of the linker; `karat linkers LINKER` lists them
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    /// Link these mentions: `gold`, or those of a file with the same documents
    #[arg(long, value_name = "gold|INPUT")]
    mentions: Option<String>,
    /// Take answers from a recording and ask nobody: a file, or the folder of a run
    #[arg(long, value_name = "RECORDING")]
    replay: Option<String>,
    /// How many requests are sent at once, if not as many as the linker takes
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// How many requests are sent in a time, as 5/s, 300/min or '300 per 100s'
    #[arg(long, value_name = "RATE")]
    rate: Option<String>,
    /// How often a question is asked that fails [default: 5]
    #[arg(long, value_name = "N")]
    attempts: Option<u32>,
    /// Stop before the request that would cost more than this in all
    #[arg(long, value_name = "AMOUNT")]
    budget: Option<f64>,
    /// Move offsets that fit the texts when counted otherwise than declared
    #[arg(long)]
    repair_offsets: bool,
    /// The seed of whatever is random about the linker
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How many documents may stay without an answer, as 3 or 2%
    #[arg(long, value_name = "N|N%", default_value = "0")]
    allow_failures: FailuresAllowed,
    /// Score the output against gold
    #[arg(long)]
    eval: bool,
    /// By these measures; `karat measures` lists them
    #[arg(long, short, value_name = "MEASURE", value_delimiter = ',', requires = "eval")]
    measures: Vec<String>,
    /// In the convention of this preset; `karat presets` lists them
    #[arg(long, value_name = "NAME", default_value = "karat", requires = "eval")]
    preset: String,
    /// Form of the report
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
    #[command(flatten)]
    reading: ReadArguments,
}

/// List the linkers, or describe one
#[derive(Debug, Args)]
pub(crate) struct Linkers {
    /// A linker to describe
    linker: Option<String>,
    /// Form of the list
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write a setting as NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

impl Link {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let request = self.request()?;
        let (work, bar) = self.reading.work();
        // Who types a command owns the machine, and is trusted with what it can run and reach.
        let linkers = LinkersAllowed::All;
        let work = Work { cancel: cancelled_by_interrupt(), linkers, ..work };
        let answer = request.answer(&work);
        bar.clear();
        let answer = answer?;
        show::notices(answer.notices(), self.reading.quiet);
        if self.write.as_deref() != Some("-") {
            printing::print(&answer.report(), self.format, terminal_width())?;
        }
        if answer.passes() { Ok(()) } else { Err(Failure::Gate) }
    }

    fn request(&self) -> Result<LinkingRequest, Failure> {
        Ok(LinkingRequest {
            linker: self.linker.clone().unwrap_or_default(),
            program: self.process.clone(),
            url: self.url.clone(),
            settings: self.set.iter().cloned().collect(),
            kb: self.kb.clone(),
            input: self.reading.only(&self.gold)?,
            mentions: self.mentions.clone(),
            folder: self.output.clone(),
            replay: self.replay.clone(),
            output: self.write.clone(),
            to: self.to.clone(),
            asking: LinkingSettings {
                way: None,
                concurrency: self.concurrency,
                rate: self.rate.clone(),
                attempts: self.attempts,
                budget: self.budget,
                repair_offsets: self.repair_offsets,
                seed: self.seed,
            },
            allow_failures: self.allow_failures,
            scored: self.eval,
            measures: self.measures.clone(),
            convention: self.preset.parse()?,
            reading: self.reading.request(),
        })
    }
}

/// Lets others ask a linker, until somebody ends the process.
pub(crate) fn serve(linker: &str, kb: Option<String>, listen: SocketAddr) -> Result<(), Failure> {
    let request = LinkingRequest { linker: linker.to_owned(), kb, ..LinkingRequest::default() };
    let work = Work { linkers: LinkersAllowed::All, ..Work::default() };
    let annotator = annotator(&request, &work)?;
    let started = |link: &str| Ok(writeln!(std::io::stdout(), "{link}")?);
    serve_annotator(annotator, listen, started, interrupted(|| {}))
}

impl Linkers {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let answer = LinkerListRequest { linker: self.linker }.answer(&Work::default())?;
        printing::print(&answer.report(), self.format, terminal_width())
    }
}
