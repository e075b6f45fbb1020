//! `karat report`

mod check;
mod diff;
mod folder;

use crate::arguments::ReadArguments;
use crate::failure::Failure;
use crate::scoring::{ConventionArguments, gold_and_systems};
use crate::show;
use crate::written::{SiteWriter, check_is_no_input, write_file};
use clap::{Args, Subcommand};
use karat::inputs::Repeats;
use karat_web::library::FileLibrary;
use karat_web::refusal::Refusal;
use karat_web::report::file::{LARGE, one_file};
use karat_web::report::site::site;
use karat_web::report::{DocumentsShown, HiddenTexts, ReportOptions};
use karat_web::workbench::Workbench;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
            return folder::write(folder, output, self.cache.as_ref(), &self.reading);
        }
        let inputs = gold_and_systems(&self.gold, &self.systems, &self.reading)?;
        check_is_no_input(output, self.gold.iter().chain(&self.systems))?;
        let (work, bar) = self.reading.work();
        let mut told = Vec::new();
        let read = inputs.read_both_editions(Repeats::Refused, &work, &mut told);
        bar.clear();
        let experiments = read?;
        show::notices(&told, self.reading.quiet);
        let library = FileLibrary::of([]);
        library.hold(experiments, &inputs, told);
        let workbench = Workbench::over(Arc::new(library));
        self.write(&workbench, output)
    }

    fn write(&self, workbench: &Workbench, output: &str) -> Result<(), Failure> {
        let options = self.options()?;
        if is_file(output) {
            let report = one_file(workbench, &options)?;
            write_file(output, &report)?;
            self.tell(output, report.len());
            return Ok(());
        }
        let mut writer = SiteWriter::create(output)?;
        site(workbench, &options, |file| writer.add(&file.path, &file.content))?;
        let (files, bytes) = writer.finish()?;
        if !self.reading.quiet {
            show::note(&format!("{files} files, {}, in {}", size(bytes), output));
        }
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

    fn tell(&self, output: &str, bytes: usize) {
        if self.reading.quiet {
            return;
        }
        let large = match bytes > LARGE {
            true => {
                "; a folder opens quicker: -o site/, or --show-documents 50 for fewer documents"
            }
            false => "",
        };
        show::note(&format!("{} in {output}{large}", size(bytes)));
    }
}

/// Whether an output is one file: by its ending, unless a folder has that name.
fn is_file(output: &str) -> bool {
    let is_page = Path::new(output).extension().is_some_and(|ending| {
        ending.eq_ignore_ascii_case("html") || ending.eq_ignore_ascii_case("htm")
    });
    output == "-" || (is_page && !output.ends_with('/') && !Path::new(output).is_dir())
}

/// A number of bytes as people say it.
fn size(bytes: usize) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..1_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        match refusal {
            Refusal::Asked(notice) => Failure::Refused(notice),
            Refusal::Missing { what, hint } => Failure::usage(what, hint.unwrap_or_default()),
            other => Failure::usage(other.to_string(), ""),
        }
    }
}
