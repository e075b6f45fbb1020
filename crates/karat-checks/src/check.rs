//! What a check is, and what it finds.

use crate::rule::Rule;
use karat_model::{Corpus, Document, Edit, Mention, Span};
use std::collections::{BTreeMap, HashMap};

/// A check: one file in `checks/`, one line in the registry.
pub trait Check: Sync {
    /// What it is; the docs are made from this.
    fn info(&self) -> &'static CheckInfo;

    /// Looks at a corpus and adds what it finds.
    fn run(&self, subject: &Subject<'_>, report: &mut Report);
}

/// What a check looks at.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'c> {
    /// The corpus to check.
    pub corpus: &'c Corpus,
    /// The gold standard it belongs to, if there is one.
    pub gold: Option<&'c Corpus>,
}

/// The description of a check.
#[derive(Debug, Clone, Copy)]
pub struct CheckInfo {
    /// Its name.
    pub name: &'static str,
    /// What it looks for, in a sentence or two.
    pub about: &'static str,
    /// How bad a finding is.
    pub severity: Severity,
    /// What a fix does; `None` if only a person can decide.
    pub fix: Option<&'static str>,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably a mistake.
    Warning,
    /// Scores would be wrong.
    Error,
}

impl Severity {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// Something a check found.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The check.
    pub check: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The document it is in.
    pub document: String,
    /// The mention it is about.
    pub span: Option<Span>,
    /// The text around the mention: before, the mention, after.
    pub context: Option<[String; 3]>,
    /// What is wrong.
    pub message: String,
    /// What would mend it, by index of the annotation in the document.
    pub fixes: Vec<(usize, Edit)>,
}

/// What checks found.
#[derive(Debug, Clone, Default)]
pub struct Report {
    findings: Vec<Finding>,
}

impl Report {
    /// What these checks find in a corpus.
    pub fn of(corpus: &Corpus, gold: Option<&Corpus>, checks: &[&dyn Check]) -> Report {
        let mut report = Report::default();
        for check in checks {
            check.run(&Subject { corpus, gold }, &mut report);
        }
        report
    }

    /// Adds what a rule of the user finds.
    pub fn apply(&mut self, corpus: &Corpus, rule: &Rule) {
        rule.run(corpus, self);
    }

    /// All findings, check by check, in the order of the corpus.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// How many findings each check has.
    pub fn counts(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for finding in &self.findings {
            *counts.entry(finding.check).or_default() += 1;
        }
        counts
    }

    /// The worst severity.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }

    /// How many findings can be fixed.
    pub fn fixable(&self) -> usize {
        self.findings.iter().filter(|finding| !finding.fixes.is_empty()).count()
    }

    /// The corpus with all proposed fixes applied.
    pub fn fixed(&self, corpus: &Corpus) -> Corpus {
        let mut edits: HashMap<(&str, usize), Edit> = HashMap::new();
        for finding in &self.findings {
            for (index, edit) in &finding.fixes {
                let place = edits.entry((finding.document.as_str(), *index)).or_default();
                *place = combined(std::mem::take(place), edit.clone());
            }
        }
        let mut next: (String, usize) = Default::default();
        corpus.edit(|mention| {
            let document = mention.document().name();
            if next.0 != document {
                next = (document.to_owned(), 0);
            }
            next.1 += 1;
            edits.get(&(document, next.1 - 1)).cloned().unwrap_or_default()
        })
    }

    pub(crate) fn add(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Adds a finding about a mention.
    pub(crate) fn mention(
        &mut self,
        info: &CheckInfo,
        mention: &Mention<'_>,
        message: String,
        fixes: Vec<(usize, Edit)>,
    ) {
        self.add(Finding {
            check: info.name,
            severity: info.severity,
            document: mention.document().name().to_owned(),
            span: Some(mention.span()),
            context: context(mention),
            message,
            fixes,
        });
    }

    /// Adds a finding about a document.
    pub(crate) fn document(&mut self, info: &CheckInfo, document: &Document<'_>, message: String) {
        self.add(Finding {
            check: info.name,
            severity: info.severity,
            document: document.name().to_owned(),
            span: None,
            context: None,
            message,
            fixes: Vec::new(),
        });
    }
}

/// Two edits of one annotation; the later one wins where both speak.
fn combined(first: Edit, second: Edit) -> Edit {
    match (first, second) {
        (Edit::Remove, _) | (_, Edit::Remove) => Edit::Remove,
        (Edit::Keep, edit) | (edit, Edit::Keep) => edit,
        (_, answer @ Edit::Answer(_)) | (answer @ Edit::Answer(_), _) => answer,
        (
            Edit::Change { span, entity, tags },
            Edit::Change { span: new_span, entity: new_entity, tags: new_tags },
        ) => Edit::Change {
            span: new_span.or(span),
            entity: new_entity.or(entity),
            tags: new_tags.or(tags),
        },
    }
}

/// How many code points of context a finding shows on each side.
const CONTEXT: u32 = 30;

fn context(mention: &Mention<'_>) -> Option<[String; 3]> {
    let index = mention.document().text_index()?;
    let span = mention.span();
    let before = Span::new(span.start.saturating_sub(CONTEXT), span.start);
    let after = Span::new(span.end, span.end.saturating_add(CONTEXT).min(index.len()));
    Some([before, span, after].map(|part| index.slice(part).unwrap_or_default().to_owned()))
}
