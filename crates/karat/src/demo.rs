//! What karat does, shown on the sample.

use crate::checks::{CHECKS, CheckReport};
use crate::error::Error;
use crate::errors::finding_table;
use crate::inputs::Run;
use crate::model::{Corpus, Document, Flags, Mention, Span};
use crate::report::{Cell, Column, Deferred, Report, ReportSection, Table, prose};
use crate::request::Answer;
use crate::sample;
use crate::scoring::{EvaluationAnswer, Scoring, tables};

/// The sample, read and scored.
#[derive(Debug)]
pub struct Demo {
    /// Gold and the output of each system.
    corpora: Vec<(&'static str, Corpus)>,
    board: EvaluationAnswer,
}

/// The measures of the demo: headline first.
const MEASURES: [&str; 4] = ["link", "mention", "nil", "tag"];

impl Demo {
    /// Reads the sample and scores it.
    pub fn new() -> Result<Demo, Error> {
        let gold = sample::read(sample::gold())?;
        let mut corpora = vec![("gold", gold.clone())];
        for (name, source) in sample::systems() {
            corpora.push((name, sample::read(source)?));
        }
        let run = |(name, corpus): &(&str, Corpus)| Run::new(*name, corpus.clone());
        let systems: Vec<Run> = corpora.iter().skip(1).map(run).collect();
        let board = Scoring::named("karat", &MEASURES)?.score("sample", &gold, &systems);
        Ok(Demo { board: EvaluationAnswer::of(&[board]), corpora })
    }

    /// A tour for people, and the scores for programs. Text is broken at so many letters; `said` puts the words of a
    /// mention and what they are linked to together.
    pub fn report<'a>(&'a self, width: usize, said: impl Fn(&str, &str) -> String) -> Report<'a> {
        let headline = || Deferred::by(|| tables::headline(&self.board));
        Report {
            sections: self.tour(width, said),
            page: vec![ReportSection::new("", headline())],
            rows: Some(headline()),
            ..self.board.report()
        }
    }

    /// What there is to see in a terminal.
    fn tour<'a>(
        &'a self,
        width: usize,
        said: impl Fn(&str, &str) -> String,
    ) -> Vec<ReportSection<'a>> {
        let [(_, gold), systems @ ..] = self.corpora.as_slice() else { return Vec::new() };
        let scores = ReportSection {
            remarks: vec![self.board.signature.to_string()],
            ..ReportSection::new(
                "Scored in karat's own convention, with 95% intervals; fourteen texts say little",
                Deferred::by(|| tables::headline(&self.board)),
            )
        };
        let mut sections = vec![
            ReportSection::new(
                "The sample: a gold standard and the output of three invented systems",
                Deferred::by(|| statistics(&self.corpora)),
            ),
            ReportSection::new(
                "Checked against the text, the tag scheme and the gold",
                Deferred::by(|| checks(&self.corpora, gold)),
            ),
            scores,
            ReportSection::new("What went wrong", Deferred::by(|| finding_table(gold, systems))),
        ];
        if let Some(document) = gold.documents().next() {
            sections.push(ReportSection {
                title: "One document, with its gold annotations: [mention link], NIL for what is in no knowledge base"
                    .to_owned(),
                ..ReportSection::lines(prose::words(&annotated(&document, said), width))
            });
        }
        sections.push(ReportSection::lines(next()));
        sections
    }
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

fn statistics(corpora: &[(&str, Corpus)]) -> Table {
    let counted = [
        "documents",
        "annotations",
        "linked",
        "NIL",
        "clusters",
        "entities",
        "optional",
        "alternatives",
    ];
    let columns = std::iter::once(Column::text("corpus")).chain(counted.map(Column::count));
    let mut table = Table::new(columns);
    for (name, corpus) in corpora {
        let counts = corpus.statistics();
        let cells = [
            counts.documents,
            counts.annotations,
            counts.linked,
            counts.nil,
            counts.nil_clusters,
            counts.entities,
            counts.optional,
            counts.roots_with_alternatives,
        ];
        table.row(std::iter::once(Cell::from(*name)).chain(cells.map(Cell::from)));
    }
    table
}

fn checks(corpora: &[(&str, Corpus)], gold: &Corpus) -> Table {
    let mut table = Table::new([Column::text("corpus"), Column::text("findings")]);
    for (name, corpus) in corpora {
        let report = CheckReport::of(corpus, Some(gold), CHECKS);
        let counts: Vec<String> =
            report.counts().iter().map(|(check, count)| format!("{count} {check}")).collect();
        let findings = match counts.is_empty() {
            true => "nothing to complain about".to_owned(),
            false => counts.join(", "),
        };
        table.row([Cell::from(*name), Cell::from(findings)]);
    }
    table
}

/// The text of a document with its outermost mentions in brackets.
fn annotated(document: &Document<'_>, said: impl Fn(&str, &str) -> String) -> String {
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
        text += &said(slice(span.start, span.end), &format!("{}{mark}", answer(&mention)));
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
