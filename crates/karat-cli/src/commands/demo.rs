//! `karat demo`

use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use crate::show::{self, BOLD, PLAIN};
use clap::Args;
use karat::checks::{CHECKS, CheckReport};
use karat::errors::finding_table;
use karat::formats::{ReadOptions, Source};
use karat::inputs::Run;
use karat::model::{Corpus, Document, Flags, Mention, Span};
use karat::report::{Cell, Column, Deferred, Report, ReportSection, Table, prose};
use karat::request::Answer;
use karat::sample;
use karat::scoring::{EvaluationAnswer, Scoring, tables};
use std::path::{Path, PathBuf};

/// Show what karat does on a built-in sample, offline, in seconds
///
/// The sample is fourteen short texts with gold annotations and the output of three invented
/// systems. `--export` writes its files, to try the other commands on them.
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Write the files of the sample to this folder instead
    #[arg(long, value_name = "FOLDER")]
    export: Option<PathBuf>,
    /// Form of the tables
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

impl Demo {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if let Some(folder) = &self.export {
            return export(folder);
        }
        let gold = read(sample::gold())?;
        let mut corpora = vec![("gold", gold.clone())];
        for (name, source) in sample::systems() {
            corpora.push((name, read(source)?));
        }
        let board = leaderboard(&gold, &corpora[1..])?;
        let headline = || Deferred::by(|| tables::headline(&board));
        let report = Report {
            sections: tour(&gold, &corpora, &board),
            page: vec![ReportSection::new("", headline())],
            rows: Some(headline()),
            ..board.report()
        };
        printing::print(&report, self.format, terminal_width())
    }
}

/// What there is to see in a terminal.
fn tour<'a>(
    gold: &'a Corpus,
    corpora: &'a [(&'a str, Corpus)],
    board: &'a EvaluationAnswer,
) -> Vec<ReportSection<'a>> {
    let scores = ReportSection {
        remarks: vec![board.signature.to_string()],
        ..ReportSection::new(
            "Scored in karat's own convention, with 95% intervals; fourteen texts say little",
            Deferred::by(|| tables::headline(board)),
        )
    };
    let mut sections = vec![
        ReportSection::new(
            "The sample: a gold standard and the output of three invented systems",
            Deferred::by(|| statistics(corpora)),
        ),
        ReportSection::new(
            "Checked against the text, the tag scheme and the gold",
            Deferred::by(|| checks(corpora, gold)),
        ),
        scores,
        ReportSection::new("What went wrong", Deferred::by(|| finding_table(gold, &corpora[1..]))),
    ];
    if let Some(document) = gold.documents().next() {
        let width = terminal_width().unwrap_or(90).into();
        sections.push(ReportSection {
            title: "One document, with its gold annotations: [mention link], NIL for what is in no knowledge base"
                .to_owned(),
            ..ReportSection::lines(prose::words(&annotated(&document), width))
        });
    }
    sections.push(ReportSection::lines(next()));
    sections
}

/// What to try next.
fn next() -> String {
    let commands = [
        ("karat demo --export sample", "writes these files"),
        (
            "karat eval -g sample/gold.karat.jsonl -s sample/systems/careful.karat.jsonl",
            "scores one system",
        ),
        ("karat validate sample/systems/* --gold sample/gold.karat.jsonl", "checks them"),
        ("karat convert sample/gold.karat.jsonl gold.ttl", "turns them into NIF"),
        ("karat formats", "lists what karat reads and writes"),
    ];
    let lines = commands.map(|(command, what)| format!("  {command:<76} {what}\n"));
    format!("Try next:\n{}", lines.concat())
}

fn read(source: Source) -> Result<Corpus, Failure> {
    Ok(karat::registry().read(&source.into(), None, &ReadOptions::default())?.corpus)
}

/// The measures of the demo: headline first.
const MEASURES: [&str; 4] = ["link", "mention", "nil", "tag"];

fn leaderboard(gold: &Corpus, systems: &[(&str, Corpus)]) -> Result<EvaluationAnswer, Failure> {
    let system = |(name, corpus): &(&str, Corpus)| Run::new(*name, corpus.clone());
    let systems: Vec<Run> = systems.iter().map(system).collect();
    let board = Scoring::named("karat", &MEASURES)
        .map_err(karat::error::Error::from)?
        .score("sample", gold, &systems);
    Ok(EvaluationAnswer::of(&[board]))
}

fn statistics(corpora: &[(&str, Corpus)]) -> Table {
    let mut table = Table::new(
        std::iter::once(Column::text("corpus")).chain(
            [
                "documents",
                "annotations",
                "linked",
                "NIL",
                "clusters",
                "entities",
                "optional",
                "alternatives",
            ]
            .map(Column::count),
        ),
    );
    for (name, corpus) in corpora {
        let counts = corpus.statistics();
        table.row(
            std::iter::once(Cell::from(*name)).chain(
                [
                    counts.documents,
                    counts.annotations,
                    counts.linked,
                    counts.nil,
                    counts.nil_clusters,
                    counts.entities,
                    counts.optional,
                    counts.roots_with_alternatives,
                ]
                .map(Cell::from),
            ),
        );
    }
    table
}

fn checks(corpora: &[(&str, Corpus)], gold: &Corpus) -> Table {
    let mut table = Table::new([Column::text("corpus"), Column::text("findings")]);
    for (name, corpus) in corpora {
        let report = CheckReport::of(corpus, Some(gold), CHECKS);
        let counts: Vec<String> =
            report.counts().iter().map(|(check, count)| format!("{count} {check}")).collect();
        let findings = if counts.is_empty() {
            "nothing to complain about".to_owned()
        } else {
            counts.join(", ")
        };
        table.row([Cell::from(*name), Cell::from(findings)]);
    }
    table
}

/// The text of a document with its outermost mentions in brackets.
fn annotated(document: &Document<'_>) -> String {
    const LINK: &str = "\x1b[36m";
    let Some(index) = document.text_index() else { return String::new() };
    let mut roots: Vec<Mention<'_>> = document.mentions().filter(|m| m.place().is_none()).collect();
    roots.sort_by_key(|mention| (mention.span().start, std::cmp::Reverse(mention.span().end)));
    let slice = |start, end| index.slice(Span::new(start, end)).unwrap_or_default();
    let mut text = String::new();
    let mut at = 0;
    for mention in roots {
        let span = mention.span();
        if span.start < at {
            continue;
        }
        let mark = if mention.flags().contains(Flags::OPTIONAL) { "?" } else { "" };
        text += slice(at, span.start);
        let surface = slice(span.start, span.end);
        text += &format!("[{BOLD}{surface}{PLAIN} {LINK}{}{mark}{PLAIN}]", answer(&mention));
        at = span.end;
    }
    text + slice(at, index.len())
}

fn answer(mention: &Mention<'_>) -> String {
    match (mention.entity(), mention.nil_cluster()) {
        (Some(entity), _) => entity.to_owned(),
        (None, Some(cluster)) => format!("NIL:{cluster}"),
        (None, None) if mention.link().is_nil() => "NIL".to_owned(),
        (None, None) => mention.types().next().unwrap_or("-").to_owned(),
    }
}

fn export(folder: &Path) -> Result<(), Failure> {
    let files = [("gold", sample::gold())].into_iter().chain(sample::systems());
    for (_, source) in files {
        let relative = Path::new(source.name()).strip_prefix("sample").unwrap_or(Path::new("gold"));
        let path = folder.join(relative);
        let bytes = source.bytes(None)?;
        let written = path
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(&path, &*bytes));
        written.map_err(|error| Failure::output(&path.display().to_string(), error.into()))?;
        show::note(&format!("wrote `{}`", path.display()));
    }
    Ok(())
}
