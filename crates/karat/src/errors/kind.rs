//! Kinds of errors: what became of each mention, in the terms of Hachey, Nothman and Radford (2014).

use super::Inspection;
use super::case::{ErrorCase, MentionAnswer};
use karat_facets::{Finding, told};
use karat_model::{Corpus, Mention};
use std::collections::{BTreeMap, HashSet};

/// A kind of errors, or of what is right: all of a finding, or those of them that are NIL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ErrorKind {
    finding: Finding,
    only_nil: bool,
}

impl ErrorKind {
    /// All of them, in the order of tables. Those that are NIL are apart where the name of a finding
    /// leaves open if the answer is NIL, so that counts add up to those of `link`.
    pub fn all() -> impl Iterator<Item = ErrorKind> {
        Finding::ALL.into_iter().flat_map(|finding| {
            let may_be_nil = matches!(finding, Finding::Missing | Finding::Extra);
            let nil = may_be_nil.then_some(ErrorKind::nil_of(finding));
            std::iter::once(ErrorKind::of(finding)).chain(nil)
        })
    }

    /// All of a finding.
    pub fn of(finding: Finding) -> ErrorKind {
        ErrorKind { finding, only_nil: false }
    }

    /// Those of a finding that are NIL.
    pub fn nil_of(finding: Finding) -> ErrorKind {
        ErrorKind { finding, only_nil: true }
    }

    /// The kind with this name.
    pub fn named(name: &str) -> Option<ErrorKind> {
        ErrorKind::all().find(|kind| kind.name() == name)
    }

    /// What tables call it.
    pub fn name(self) -> String {
        let name = self.finding.name();
        if self.only_nil { format!("{name} NIL") } else { name.to_owned() }
    }

    /// Whether nothing is wrong.
    pub fn is_right(self) -> bool {
        self.finding.is_right()
    }

    /// Whether a case is of this kind.
    pub fn has(self, case: &ErrorCase) -> bool {
        let is_nil = |answer: &Option<MentionAnswer>| {
            answer.as_ref().is_some_and(|answer| answer.entity.is_none())
        };
        case.kind.is_some_and(|kind| self.is(kind, is_nil(&case.gold), is_nil(&case.prediction)))
    }

    /// Whether a finding is of this kind, where gold or the prediction is NIL: what is extra is NIL by the
    /// prediction, whatever an optional mention there says, and what is missing by gold.
    pub(super) fn is(self, finding: Finding, gold_is_nil: bool, prediction_is_nil: bool) -> bool {
        let is_nil = if finding == Finding::Extra { prediction_is_nil } else { gold_is_nil };
        finding == self.finding && (!self.only_nil || is_nil)
    }
}

/// A gold mention, a prediction, or both, with what became of them. It only borrows, so that counting
/// millions of them copies nothing.
#[derive(Debug, Clone, Copy)]
pub struct FoundMention<'c> {
    /// The document.
    pub document: &'c str,
    /// What became of it.
    pub finding: Finding,
    /// The gold mention.
    pub gold: Option<Mention<'c>>,
    /// The prediction.
    pub prediction: Option<Mention<'c>>,
}

impl FoundMention<'_> {
    /// Whether it is of this kind.
    pub fn is_of(&self, kind: ErrorKind) -> bool {
        let is_nil = |mention: Option<Mention<'_>>| {
            mention.is_some_and(|mention| mention.entity().is_none())
        };
        kind.is(self.finding, is_nil(self.gold), is_nil(self.prediction))
    }

    /// The same as a case of its own, without the context and the categories that lists by category have.
    pub fn case(&self) -> ErrorCase {
        let answer = |mention: Mention<'_>| MentionAnswer {
            entity: mention.entity().map(str::to_owned),
            ..MentionAnswer::default()
        };
        let shown = self.gold.or(self.prediction);
        let is_right = self.finding.is_right();
        ErrorCase {
            document: self.document.to_owned(),
            span: shown.map(|mention| mention.span()).unwrap_or_default(),
            mention: shown.and_then(|mention| mention.surface().map(str::to_owned)),
            gold: self.gold.map(answer),
            prediction: self.prediction.map(answer),
            kind: Some(self.finding),
            is_right,
            is_wrong: !is_right,
            is_root: self.gold.is_some(),
            ..ErrorCase::default()
        }
    }
}

impl Inspection<'_> {
    /// Hands every gold mention and every prediction to `each`, document by document. With `unique`, what
    /// gold and the system say of a document is handed over once, where it comes first, however many
    /// mentions say it.
    pub fn each_finding<'c>(
        &self,
        gold: &'c Corpus,
        system: &'c Corpus,
        unique: bool,
        mut each: impl FnMut(FoundMention<'c>),
    ) {
        let mut said = HashSet::new();
        self.each_scene(gold, system, |document, scene| {
            // Per document: gold that says the same thing in two documents says two things.
            said.clear();
            for (case, finding) in told(self.settings, scene, self.base) {
                let of_gold = |at: u32| scene.gold.mention(&scene.gold.items[at as usize]);
                let of_system = |at: u32| scene.system.mention(&scene.system.items[at as usize]);
                let gold = case.gold.and_then(of_gold);
                let prediction = case.system.and_then(of_system);
                if gold.or(prediction).is_none() {
                    continue;
                }
                let both = [gold, prediction].map(|mention| mention.map(|it| it.entity()));
                if !unique || said.insert(both) {
                    each(FoundMention { document, finding, gold, prediction });
                }
            }
        });
    }

    /// How many mentions there are of each kind.
    pub fn kind_counts(&self, gold: &Corpus, system: &Corpus, unique: bool) -> KindCounts {
        let mut counts = KindCounts::default();
        self.each_finding(gold, system, unique, |found| counts.add(&found));
        counts
    }

    /// The mentions of these kinds.
    pub fn of_kinds(
        &self,
        gold: &Corpus,
        system: &Corpus,
        unique: bool,
        kinds: &[ErrorKind],
    ) -> Vec<ErrorCase> {
        let mut listed = Vec::new();
        self.each_finding(gold, system, unique, |found| {
            if kinds.iter().any(|kind| found.is_of(*kind)) {
                listed.push(found.case());
            }
        });
        listed
    }
}

/// How many mentions there are of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KindCounts(BTreeMap<ErrorKind, usize>);

impl KindCounts {
    fn add(&mut self, found: &FoundMention<'_>) {
        for kind in [ErrorKind::of(found.finding), ErrorKind::nil_of(found.finding)] {
            if found.is_of(kind) {
                *self.0.entry(kind).or_default() += 1;
            }
        }
    }

    /// How many are of this kind.
    pub fn of(&self, kind: ErrorKind) -> usize {
        self.0.get(&kind).copied().unwrap_or_default()
    }

    /// What `neleval analyze --summary` prints.
    pub fn neleval(&self) -> String {
        let all = Finding::ALL.map(|finding| (finding, self.of(ErrorKind::of(finding))));
        let mut rows: Vec<(Finding, usize)> =
            all.into_iter().filter(|(_, count)| *count > 0).collect();
        rows.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        rows.iter().map(|(finding, count)| format!("{count}\t{}\n", finding.name())).collect()
    }
}

/// The kinds of one system on one benchmark: how many, and those that were asked for one by one.
#[derive(Debug, Clone, Default)]
pub struct KindsOfRun {
    /// The benchmark.
    pub benchmark: String,
    /// The system.
    pub system: String,
    /// How many mentions there are of each kind.
    pub counts: KindCounts,
    /// The mentions that were asked for.
    pub listed: Vec<ErrorCase>,
}

impl KindsOfRun {
    /// What `neleval analyze` prints of the mentions, one on each line.
    pub(super) fn neleval_list(&self) -> String {
        let answer = |side: &str, answer: &Option<MentionAnswer>| match answer {
            Some(MentionAnswer { entity: Some(entity), .. }) => format!("{side}\"{entity}\""),
            Some(_) => format!("{side}NIL"),
            None => String::new(),
        };
        let line = |case: &ErrorCase| {
            let kind = case.kind.map_or("", Finding::name);
            let (gold, system) = (answer("g", &case.gold), answer("s", &case.prediction));
            format!("{kind}\t{}\t{gold}\t{system}\n", case.document)
        };
        self.listed.iter().map(line).collect()
    }
}
