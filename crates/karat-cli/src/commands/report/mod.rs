//! `karat report`

mod check;
mod diff;
mod folder;

use crate::arguments::ReadArguments;
use crate::failure::Failure;
use crate::scoring::{ConventionArguments, gold_and_systems};
use crate::show;
use clap::{Args, Subcommand};
use karat::outputs::check_is_no_input;
use karat_web::report::{
    DocumentsShown, HiddenTexts, ReportOptions, read_for_report, write_report,
};
use std::path::PathBuf;

/// Write the pages of `karat serve` into one file, or into a folder
///
/// A report has the board, every run with its errors and cases, comparisons, and documents with gold and systems in the
/// text. It needs no server and no network, and works without scripts. With `-o report.html` it is one file that can be
/// sent by mail or be the supplement of a paper; with `-o site/` it is a folder of pages that any web server can publish.
///
/// The same input gives the same bytes.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Report {
    #[command(subcommand)]
    command: Option<Command>,
    /// The folder of a shared evaluation, with evaluation.toml
    #[arg(conflicts_with_all = ["gold", "systems", "title", "measure", "compare", "show_documents", "hide_text"])]
    folder: Option<String>,
    /// The gold standard; may be given several times, one benchmark each
    #[arg(long, short, value_name = "[NAME=]INPUT", required_unless_present = "folder")]
    gold: Vec<String>,
    /// The output of a system; may be given several times. NAME@BENCHMARK=INPUT is for one benchmark only
    #[arg(long = "system", short, value_name = "[NAME=]INPUT", required_unless_present = "folder")]
    systems: Vec<String>,
    /// Where to write: a file that ends in .html, or a folder. `-` is standard output
    #[arg(long, short, value_name = "FILE|FOLDER", required = true)]
    output: Option<String>,
    /// With FOLDER: where answers are kept, so that only what changed is evaluated; .karat-cache in FOLDER if nothing
    /// is said
    #[arg(long, value_name = "FOLDER", requires = "folder")]
    cache: Option<PathBuf>,
    /// The heading of the report
    #[arg(long, value_name = "TEXT", default_value = "Report", hide_default_value = true)]
    title: String,
    /// The measure of the board and of comparisons; `karat measures` lists them
    #[arg(long, short, value_name = "NAME", default_value = "link")]
    measure: String,
    /// Systems to compare, as `a,b`; may be given several times. Without it, every two of up to ten systems
    #[arg(long, value_name = "SYSTEM,SYSTEM")]
    compare: Vec<String>,
    /// Which documents to show: those with `errors`, `all`, or the N with the most errors
    #[arg(long, value_name = "errors|all|N", default_value = "errors")]
    show_documents: DocumentsShown,
    /// Leave out the texts of documents, where their licence does not allow to pass them on. Mentions and
    /// scores stay
    #[arg(long)]
    hide_text: bool,
    #[command(flatten)]
    convention: ConventionArguments,
    #[command(flatten)]
    reading: ReadArguments,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Check),
    Diff(diff::Diff),
}

const EXAMPLES: &str = "Examples:
  karat report -g gold.jsonl -s a=a.jsonl -s b=b.ttl -o report.html
      one file with everything in it
  karat report -g gold.jsonl -s a=a.jsonl -s b=b.ttl -o site/ --show-documents all
      a folder of pages, with all documents
  karat report -g gold.jsonl -s a=a.jsonl -s b=b.jsonl -s c=c.jsonl -o report.html --compare a,b --show-documents 20
      one comparison, and the twenty documents with the most errors
  karat report check evaluation/ && karat report evaluation/ -o site/
      check the folder of a shared evaluation, and publish it";

impl Report {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            Some(Command::Check(command)) => return command.run(),
            Some(Command::Diff(command)) => return command.run(),
            None => {}
        }
        let output = self.output.as_deref().unwrap_or_default();
        if let Some(folder) = &self.folder {
            return folder::write(folder, output, self.cache.as_deref(), &self.reading);
        }
        let inputs = gold_and_systems(&self.gold, &self.systems, &self.reading)?;
        let read = self.gold.iter().chain(&self.systems);
        check_is_no_input(output, read.map(String::as_str))?;
        let options = self.options()?;
        let (work, bar) = self.reading.work();
        let read = read_for_report(&inputs, &work);
        bar.clear();
        let (workbench, told) = read?;
        show::notices(&told, self.reading.quiet);
        let written = write_report(&workbench, &options, output)?;
        show::notices(&[written], self.reading.quiet);
        Ok(())
    }

    fn options(&self) -> Result<ReportOptions, Failure> {
        let names = |group: &String| group.split(',').map(|name| name.trim().to_owned()).collect();
        Ok(ReportOptions {
            title: self.title.clone(),
            about: None,
            convention: self.convention.request()?,
            measure: self.measure.clone(),
            documents: self.show_documents,
            compare: self.compare.iter().map(names).collect(),
            hidden_texts: if self.hide_text { HiddenTexts::All } else { HiddenTexts::None },
            ..ReportOptions::default()
        })
    }
}
