//! What a check is, and what it finds.

use crate::fixing::combined;
use crate::rule::Rule;
use karat_kb::KnowledgeBase;
use karat_model::{Corpus, Document, Edit, Mention, Span, TextIndex};
use std::collections::{BTreeMap, HashMap};

pub use karat_model::Severity;

/// Looks for one kind of thing that is well-formed and still wrong.
///
/// Readers refuse what cannot be: an offset outside the text, a surface that is not there. A check looks for what
/// can be and hardly is meant: a mention that starts inside a word, the same answer twice, a tag that the spans
/// contradict. `karat validate` lists what checks find, and `karat validate --fix` applies the fixes they propose.
///
/// # When it runs
///
/// [`CheckReport::on`] runs every check once, in the order of [`CHECKS`](crate::CHECKS), on the whole corpus. A check
/// gets a [`Subject`]: the corpus, the gold standard and the knowledge base where there are any. One that needs
/// what is missing finds nothing. One that needs a knowledge base also says so ([`needs_base`](Check::needs_base)),
/// so that a front end can tell the user which checks did not look.
///
/// [`mend`](crate::mend) runs all checks again after their fixes were applied, until nothing is left to fix.
///
/// # What must hold
///
/// - A check looks at the corpus as it is. It neither sees what other checks found nor depends on the order in
///   which they run. Fixes of one annotation are combined afterwards.
/// - Findings come in the order of the corpus, and the same corpus gives the same findings.
/// - A fix is certain. It may not guess: where two answers are possible, the finding has no fix and a person
///   decides. Applying it must make the finding go away, or `mend` would go on for ever.
/// - The time is linear in the mentions, or n log n. A hostile file has a hundred thousand nested mentions, so no
///   check compares all pairs.
/// - Messages say what was seen, with the text in question, and what was expected.
///
/// # Pitfalls
///
/// Mentions that are parts of alternatives are mentions too: most checks of spans want roots only
/// ([`Mention::place`]). Gold and system of one file stand side by side and are told apart by flags; a check that
/// compares mentions compares those of one side. Documents may have no text.
///
/// # Adding one
///
/// A file in `checks/` with the check and its [`CheckInfo`], and a line in [`CHECKS`](crate::CHECKS). A program may run
/// checks of its own beside these:
///
/// ```
/// use karat_checks::{Check, CheckFinding, CheckInfo, CheckReport, Severity, Subject};
/// use karat_model::{CorpusBuilder, Link, Span};
///
/// /// Mentions that are very long.
/// struct LongMention;
///
/// static INFO: CheckInfo = CheckInfo {
///     name: "long-mention",
///     about: "A mention of more than 100 code points is hardly a name.",
///     severity: Severity::Note,
///     fix: None,
/// };
///
/// impl Check for LongMention {
///     fn info(&self) -> &'static CheckInfo {
///         &INFO
///     }
///
///     fn run(&self, subject: &Subject<'_>, report: &mut CheckReport) {
///         for document in subject.corpus.documents() {
///             for mention in document.mentions().filter(|mention| mention.span().len() > 100) {
///                 report.add(CheckFinding {
///                     check: INFO.name,
///                     severity: INFO.severity,
///                     document: document.name().to_owned(),
///                     span: Some(mention.span()),
///                     context: None,
///                     message: format!("the mention has {} code points", mention.span().len()),
///                     fixes: Vec::new(),
///                 });
///             }
///         }
///     }
/// }
///
/// let mut builder = CorpusBuilder::new();
/// builder.begin_document("d1")?;
/// builder.annotate(Span::new(0, 101), Link::NIL);
/// let corpus = builder.finish();
/// let report = CheckReport::of(&corpus, None, &[&LongMention]);
/// assert_eq!(report.findings()[0].message, "the mention has 101 code points");
/// # Ok::<(), karat_model::DuplicateDocument>(())
/// ```
pub trait Check: Sync {
    /// What it is; the docs are made from this.
    fn info(&self) -> &'static CheckInfo;

    /// Whether it finds nothing without a knowledge base.
    fn needs_base(&self) -> bool {
        false
    }

    /// Looks at a corpus and adds what it finds.
    fn run(&self, subject: &Subject<'_>, report: &mut CheckReport);
}

/// What a check looks at.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'c> {
    /// The corpus to check.
    pub corpus: &'c Corpus,
    /// The gold standard it belongs to, if there is one.
    pub gold: Option<&'c Corpus>,
    /// The knowledge base its links lead to, if there is one.
    pub base: Option<&'c KnowledgeBase>,
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

/// Something a check found.
#[derive(Debug, Clone)]
pub struct CheckFinding {
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
pub struct CheckReport {
    findings: Vec<CheckFinding>,
}

impl CheckReport {
    /// What these checks find in a corpus, without a knowledge base.
    pub fn of(corpus: &Corpus, gold: Option<&Corpus>, checks: &[&dyn Check]) -> CheckReport {
        CheckReport::on(&Subject { corpus, gold, base: None }, checks)
    }

    /// What these checks find.
    pub fn on(subject: &Subject<'_>, checks: &[&dyn Check]) -> CheckReport {
        let mut report = CheckReport::default();
        for check in checks {
            check.run(subject, &mut report);
        }
        // Only now, once for all: most findings are in a few documents, and indexing a text costs
        // more than a check.
        report.add_contexts(subject.corpus, 0);
        report
    }

    /// What these checks and rules find.
    pub fn with_rules(subject: &Subject<'_>, checks: &[&dyn Check], rules: &[Rule]) -> CheckReport {
        let mut report = CheckReport::on(subject, checks);
        rules.iter().for_each(|rule| report.apply(subject.corpus, rule));
        report
    }

    /// Adds what a rule of the user finds.
    pub fn apply(&mut self, corpus: &Corpus, rule: &Rule) {
        let before = self.findings.len();
        rule.run(corpus, self);
        self.add_contexts(corpus, before);
    }

    /// Gives findings their contexts. A text is indexed once for all findings in a row.
    fn add_contexts(&mut self, corpus: &Corpus, from: usize) {
        if self.findings.len() == from {
            return;
        }
        let mut index: Option<(&str, TextIndex<'_>)> = None;
        for finding in &mut self.findings[from..] {
            let Some(span) = finding.span else { continue };
            // Findings of one check are in the order of the corpus, so neighbours are mostly of one
            // document.
            if index.as_ref().is_none_or(|(name, _)| *name != finding.document) {
                let document = corpus.document(&finding.document);
                index =
                    document.and_then(|document| Some((document.name(), document.text_index()?)));
            }
            finding.context = index.as_ref().map(|(_, text)| context(text, span));
        }
    }

    /// All findings, check by check, in the order of the corpus.
    pub fn findings(&self) -> &[CheckFinding] {
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
    ///
    /// A fix may bring something new to light; [`crate::mend`] goes on until nothing is left.
    pub fn fixed(&self, corpus: &Corpus) -> Corpus {
        self.fixed_by(corpus, |_| true)
    }

    /// All edits of all fixes.
    pub(crate) fn edits(&self) -> impl Iterator<Item = &Edit> {
        self.findings.iter().flat_map(|finding| &finding.fixes).map(|(_, edit)| edit)
    }

    /// The corpus with those edits applied that are wanted.
    pub(crate) fn fixed_by(&self, corpus: &Corpus, wanted: impl Fn(&Edit) -> bool) -> Corpus {
        let mut edits: HashMap<(&str, usize), Vec<&Edit>> = HashMap::new();
        for finding in &self.findings {
            for (index, edit) in finding.fixes.iter().filter(|(_, edit)| wanted(edit)) {
                edits.entry((finding.document.as_str(), *index)).or_default().push(edit);
            }
        }
        // Mentions are counted per document as `edit` visits them, in the order of the corpus.
        let mut next: (String, usize) = Default::default();
        corpus.edit(|mention| {
            let document = mention.document().name();
            if next.0 != document {
                next = (document.to_owned(), 0);
            }
            next.1 += 1;
            let fixes = edits.get(&(document, next.1 - 1));
            fixes.map(|fixes| combined(mention, fixes)).unwrap_or_default()
        })
    }

    /// Adds a finding. Its context is filled in when all checks have run.
    pub fn add(&mut self, finding: CheckFinding) {
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
        self.add(CheckFinding {
            check: info.name,
            severity: info.severity,
            document: mention.document().name().to_owned(),
            span: Some(mention.span()),
            context: None,
            message,
            fixes,
        });
    }

    /// Adds a finding about a document.
    pub(crate) fn document(&mut self, info: &CheckInfo, document: &Document<'_>, message: String) {
        self.add(CheckFinding {
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

/// How many code points of a mention a finding shows.
const LONGEST: usize = 200;

/// How many code points of context a finding shows on each side.
const CONTEXT: u32 = 30;

fn context(text: &TextIndex<'_>, span: Span) -> [String; 3] {
    let before = Span::new(span.start.saturating_sub(CONTEXT), span.start);
    let after = Span::new(span.end, span.end.saturating_add(CONTEXT).min(text.len()));
    let part = |span: Span| text.slice(span).unwrap_or_default();
    [part(before).to_owned(), shortened(part(span)), part(after).to_owned()]
}

/// A mention as it is shown: of a very long one only the beginning and the end.
fn shortened(mention: &str) -> String {
    let ends = |end: usize| mention.char_indices().nth(end).map(|(at, _)| at);
    let (Some(head), Some(_)) = (ends(LONGEST / 2), ends(LONGEST)) else {
        return mention.to_owned();
    };
    let tail = mention.char_indices().rev().nth(LONGEST / 2 - 1).map_or(head, |(at, _)| at);
    format!("{} … {}", &mention[..head], &mention[tail..])
}
