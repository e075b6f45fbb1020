//! What checks find in a benchmark, with a preview of what a fix would change.

use super::ValidationRequest;
use crate::collection::GoldCorpus;
use crate::command::CommandLine;
use crate::error::Error;
use crate::inputs::InputRequest;
use crate::request::{Answer, Request, record};
use crate::work::Work;
use karat_checks::{CHECKS, CheckFinding, CheckReport, Subject};
use karat_kb::KnowledgeBase;
use karat_measures::Signature;
use karat_model::{Change, Corpus, Document, Edit, Mention, Notice, Severity, Span};
use karat_report::{Cell, Column, Deferred, Report, Table};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;

/// Checks a benchmark as it is held, and changes nothing.
///
/// [`super::ValidationRequest`] reads a file and can write it anew; this one shows a keeper of gold what would change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BenchmarkChecksRequest {
    /// The benchmark.
    pub gold: InputRequest,
    /// The file of a knowledge base, to look links up in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kb: Option<String>,
    /// List the findings of this check only; all are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<String>,
    /// How many findings are passed over.
    pub after: usize,
}

/// What checks find in a benchmark.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BenchmarkChecksAnswer {
    /// The version of karat.
    pub karat: String,
    /// What the findings depend on.
    pub signature: String,
    /// The benchmark.
    pub benchmark: String,
    /// The checks, each with how much it found.
    pub checks: Vec<CheckCount>,
    /// How many findings there are of those that are listed.
    pub total: usize,
    /// How many were passed over.
    pub after: usize,
    /// The findings that are listed.
    pub findings: Vec<CheckedPlace>,
    /// What a reader has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// A check, and how much it found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckCount {
    /// The check.
    pub check: String,
    /// How bad a finding is.
    pub severity: Severity,
    /// What it looks for.
    pub about: String,
    /// What a fix does; `None` if only a person can decide.
    pub fix: Option<String>,
    /// How many findings it has.
    pub findings: usize,
    /// How many of these a fix mends.
    pub fixable: usize,
}

/// Something that a check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedPlace {
    /// The check.
    pub check: String,
    /// How bad it is.
    pub severity: Severity,
    /// The document.
    pub document: String,
    /// The number of the document, from 1; `None` if the benchmark does not have it.
    pub number: Option<usize>,
    /// Where the mention starts and ends.
    pub span: Option<[u32; 2]>,
    /// The text before the mention, the mention, and the text behind it.
    pub context: Option<[String; 3]>,
    /// What is wrong.
    pub message: String,
    /// What a fix would change.
    pub edits: Vec<EditPreview>,
}

/// One thing that a fix would change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditPreview {
    /// The mention, as it is.
    pub mention: String,
    /// What changes: its span, link, tags, types or an attribute, or the mention itself.
    pub what: String,
    /// As it is.
    pub before: String,
    /// As it would be; `None` if it would be gone.
    pub after: Option<String>,
}

/// How many findings are listed at once.
const FINDINGS_SHOWN: usize = 100;

/// How many code points of a mention are shown.
const LONGEST: usize = 200;

impl Request for BenchmarkChecksRequest {
    type Answer = BenchmarkChecksAnswer;

    const NAME: &'static str = "benchmark-checks";

    fn answer(&self, work: &Work) -> Result<BenchmarkChecksAnswer, Error> {
        let names = || CHECKS.iter().map(|check| check.info().name);
        if let Some(only) = self.only.as_ref().filter(|only| !names().any(|name| name == *only)) {
            return Err(Error::unknown("check", only, names()));
        }
        let mut told = Vec::new();
        let gold = GoldCorpus::one(&self.gold, work, &mut told)?;
        let base = self.kb.as_ref().map(|kb| KnowledgeBase::open(Path::new(kb))).transpose()?;
        let subject = Subject { corpus: &gold.corpus, gold: None, base: base.as_ref() };
        work.begin("checking", 1)?;
        let report = work.install(|| CheckReport::on(&subject, CHECKS));
        base.as_ref().map_or(Ok(()), KnowledgeBase::check)?;
        work.check()?;
        let is_wanted =
            |finding: &&CheckFinding| self.only.as_ref().is_none_or(|only| finding.check == only);
        let wanted = || report.findings().iter().filter(is_wanted);
        let shown: Vec<&CheckFinding> = wanted().skip(self.after).take(FINDINGS_SHOWN).collect();
        let mut signature = Signature::without_convention();
        signature.push("gold", &gold.signature());
        Ok(BenchmarkChecksAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            signature: signature.to_string(),
            benchmark: gold.name.clone(),
            checks: counts(&report),
            total: wanted().count(),
            after: self.after,
            findings: places(&gold.corpus, &shown),
            notices: told,
        })
    }

    fn commands(&self) -> Vec<CommandLine> {
        let request = ValidationRequest {
            inputs: vec![self.gold.clone()],
            kb: self.kb.clone(),
            checks: self.only.iter().cloned().collect(),
            ..ValidationRequest::default()
        };
        request.commands()
    }
}

/// All checks, those that found something first.
fn counts(report: &CheckReport) -> Vec<CheckCount> {
    let mut counts: Vec<CheckCount> = CHECKS
        .iter()
        .map(|check| {
            let info = check.info();
            let own = || report.findings().iter().filter(|finding| finding.check == info.name);
            CheckCount {
                check: info.name.to_owned(),
                severity: info.severity,
                about: info.about.to_owned(),
                fix: info.fix.map(str::to_owned),
                findings: own().count(),
                fixable: own().filter(|finding| !finding.fixes.is_empty()).count(),
            }
        })
        .collect();
    counts.sort_by_key(|count| count.findings == 0);
    counts
}

fn places(corpus: &Corpus, findings: &[&CheckFinding]) -> Vec<CheckedPlace> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    if !findings.is_empty() {
        numbers.extend((1..).zip(corpus.documents()).map(|(number, it)| (it.name(), number)));
    }
    let place = |finding: &&CheckFinding| CheckedPlace {
        check: finding.check.to_owned(),
        severity: finding.severity,
        document: finding.document.clone(),
        number: numbers.get(finding.document.as_str()).copied(),
        span: finding.span.map(|span| [span.start, span.end]),
        context: finding.context.clone(),
        message: finding.message.clone(),
        edits: corpus
            .document(&finding.document)
            .map(|document| edits(&document, finding))
            .unwrap_or_default(),
    };
    findings.iter().map(place).collect()
}

fn edits(document: &Document<'_>, finding: &CheckFinding) -> Vec<EditPreview> {
    let of_fix = |(index, edit): &(usize, Edit)| {
        let mention = document.mention(*index);
        mention.map(|mention| previews(document, &mention, edit)).unwrap_or_default()
    };
    finding.fixes.iter().flat_map(of_fix).collect()
}

fn previews(document: &Document<'_>, mention: &Mention<'_>, edit: &Edit) -> Vec<EditPreview> {
    let surface = words(document, mention.span()).or_else(|| mention.surface().map(shortened));
    let surface = surface.unwrap_or_default();
    let preview = |what: &str, before: String, after: Option<String>| EditPreview {
        mention: surface.clone(),
        what: what.to_owned(),
        before,
        after,
    };
    match edit {
        Edit::Keep => Vec::new(),
        Edit::Remove => vec![preview("mention", placed(document, mention.span()), None)],
        Edit::Answer(at) => {
            let chosen =
                mention.candidates().nth(*at).map(|it| it.entity.unwrap_or("NIL").to_owned());
            vec![preview("link", linked(mention), chosen)]
        }
        Edit::Change(Change { span, entity, tags, types, attributes }) => {
            let listed = |labels: &[String]| Some(labels.join(" ")).filter(|it| !it.is_empty());
            let mut all = Vec::new();
            if let Some(span) = span {
                let after = placed(document, *span);
                all.push(preview("span", placed(document, mention.span()), Some(after)));
            }
            if let Some(entity) = entity {
                all.push(preview("link", linked(mention), Some(entity.clone())));
            }
            if let Some(tags) = tags {
                let before: Vec<&str> = mention.tags().collect();
                all.push(preview("tags", before.join(" "), listed(tags)));
            }
            if let Some(types) = types {
                let before: Vec<&str> = mention.types().collect();
                all.push(preview("types", before.join(" "), listed(types)));
            }
            all.extend(attributes.iter().map(|(key, value)| {
                let before = mention.attribute(key).unwrap_or_default().to_owned();
                preview(key, before, value.clone())
            }));
            all
        }
    }
}

fn linked(mention: &Mention<'_>) -> String {
    mention.entity().unwrap_or("NIL").to_owned()
}

/// A span with its words: `10–15 Berlin`.
fn placed(document: &Document<'_>, span: Span) -> String {
    let words = words(document, span).map(|words| format!(" {words}")).unwrap_or_default();
    format!("{}–{}{words}", span.start, span.end)
}

fn words(document: &Document<'_>, span: Span) -> Option<String> {
    document.text_index()?.slice(span).map(shortened)
}

fn shortened(words: &str) -> String {
    words.chars().take(LONGEST).collect()
}

impl Answer for BenchmarkChecksAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let signatures = vec![self.signature.clone()];
        let report = Report::of(Deferred::by(|| self.table()));
        Report { record: Some(Deferred::by(|| record(self))), signatures, ..report }
    }
}

impl BenchmarkChecksAnswer {
    fn table(&self) -> Table {
        let mut columns = ["severity", "check", "document"].map(Column::text).to_vec();
        columns.extend(["start", "end"].map(Column::count));
        columns.extend(["mention", "message", "edits"].map(Column::text));
        let mut table = Table::new(columns);
        for place in &self.findings {
            let [start, end] = [0, 1].map(|at| place.span.map(|span| span[at] as usize));
            let edits = place.edits.iter().map(|edit| {
                let after = edit.after.as_deref().unwrap_or("gone");
                format!("{}: {} -> {after}", edit.what, edit.before)
            });
            table.row([
                Cell::from(place.severity.name()),
                Cell::from(place.check.as_str()),
                Cell::from(place.document.as_str()),
                Cell::from(start),
                Cell::from(end),
                Cell::from(place.context.as_ref().map(|[_, mention, _]| mention.as_str())),
                Cell::from(place.message.as_str()),
                Cell::from(edits.collect::<Vec<_>>().join("; ")),
            ]);
        }
        table
    }
}
