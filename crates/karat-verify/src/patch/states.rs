//! What becomes of each change of a patch against a corpus.

use super::GoldPatch;
use super::change::{GoldChange, PatchAction, Piece, check};
use super::content::{GoldAnswer, GoldContent, GoldField};
use super::merge::contradictions;
use super::view::{DocumentGold, Root};
use karat_model::{Corpus, Span};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What becomes of a change against a corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeState {
    /// The old value is there.
    Applies,
    /// The new value is there.
    AlreadyThere,
    /// Something else is there, or another change of the patch says something else.
    Conflict,
    /// The text that it is about is not there.
    Lost,
    /// It was refused, and is kept as a record.
    Refused,
    /// It is one of several to choose from.
    Open,
}

impl ChangeState {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            ChangeState::Applies => "applies",
            ChangeState::AlreadyThere => "already there",
            ChangeState::Conflict => "conflict",
            ChangeState::Lost => "lost",
            ChangeState::Refused => "refused",
            ChangeState::Open => "open",
        }
    }

    /// Whether what the change wants holds, or will.
    pub fn is_in_effect(self) -> bool {
        matches!(self, ChangeState::Applies | ChangeState::AlreadyThere)
    }

    /// Whether it cannot be applied.
    pub fn is_trouble(self) -> bool {
        matches!(self, ChangeState::Conflict | ChangeState::Lost)
    }
}

/// A change with what becomes of it.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedChange {
    /// Its place in the patch.
    pub index: usize,
    /// What becomes of it.
    pub state: ChangeState,
    /// Why it is in trouble, in words.
    pub reason: Option<String>,
    /// Whether the words could be checked: not where there is no text.
    pub checked: bool,
}

/// How many changes are in which state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateCounts {
    /// The old value is there.
    pub applies: usize,
    /// The new value is there.
    pub already_there: usize,
    /// Something else is there.
    pub conflict: usize,
    /// The text is not there.
    pub lost: usize,
    /// Refused, and kept as a record.
    pub refused: usize,
    /// To choose from.
    pub open: usize,
}

impl StateCounts {
    /// Counts states.
    pub fn of(judged: &[JudgedChange]) -> StateCounts {
        let mut counts = StateCounts::default();
        for judged in judged {
            *match judged.state {
                ChangeState::Applies => &mut counts.applies,
                ChangeState::AlreadyThere => &mut counts.already_there,
                ChangeState::Conflict => &mut counts.conflict,
                ChangeState::Lost => &mut counts.lost,
                ChangeState::Refused => &mut counts.refused,
                ChangeState::Open => &mut counts.open,
            } += 1;
        }
        counts
    }

    /// How many changes hold or will hold.
    pub fn in_effect(&self) -> usize {
        self.applies + self.already_there
    }

    /// How many changes want to be applied.
    pub fn active(&self) -> usize {
        self.in_effect() + self.conflict + self.lost
    }
}

/// What applying changes does to a document.
#[derive(Debug, Clone, Default)]
pub(super) struct DocumentPlan {
    /// What becomes of root mentions, by their places.
    pub(super) edits: BTreeMap<u32, RootEdit>,
    /// Mentions that come.
    pub(super) additions: Vec<GoldContent>,
}

/// What becomes of a root mention.
#[derive(Debug, Clone, Default)]
pub(super) struct RootEdit {
    pub(super) removed: bool,
    /// Its fields afterwards, if some change.
    pub(super) content: Option<GoldContent>,
    pub(super) added: Vec<Vec<GoldContent>>,
    pub(super) dropped: Vec<Vec<GoldContent>>,
}

/// What becomes of a patch, and what is to be done in each document.
pub(super) struct Plan {
    pub(super) judged: Vec<JudgedChange>,
    pub(super) documents: BTreeMap<String, DocumentPlan>,
}

impl GoldPatch {
    /// What becomes of each change, in the order of the changes.
    pub fn against(&self, corpus: &Corpus) -> Vec<JudgedChange> {
        self.plan(corpus).judged
    }

    pub(super) fn plan(&self, corpus: &Corpus) -> Plan {
        let contradicting = contradictions(&self.changes);
        let mut plan = Plan { judged: Vec::new(), documents: BTreeMap::new() };
        // Changes are sorted, so those of a document lie together.
        let same = |a: &GoldChange, b: &GoldChange| a.document == b.document;
        let mut first = 0;
        for changes in self.changes.chunk_by(same) {
            let rival =
                |index: usize| contradicting.get(&index).map(|&other| self.changes[other].id());
            let judged = match corpus.document(&changes[0].document) {
                None => changes.iter().map(no_document).collect(),
                Some(document) => {
                    let mut here = Here {
                        gold: DocumentGold::of(&document),
                        moves: moves(changes),
                        plan: DocumentPlan::default(),
                        counts: BTreeMap::new(),
                    };
                    let index = document.text_index();
                    let judged = here.judge(changes, index.as_ref(), &|at| rival(first + at));
                    plan.documents.insert(changes[0].document.clone(), here.plan);
                    judged
                }
            };
            for (at, found) in judged.into_iter().enumerate() {
                plan.judged.push(JudgedChange {
                    index: first + at,
                    state: found.state,
                    reason: found.reason,
                    checked: found.checked,
                });
            }
            first += changes.len();
        }
        plan
    }
}

struct Found {
    state: ChangeState,
    reason: Option<String>,
    checked: bool,
}

impl Found {
    fn of(state: ChangeState) -> Found {
        Found { state, reason: None, checked: true }
    }

    fn conflict(reason: impl Into<String>) -> Found {
        Found { reason: Some(reason.into()), ..Found::of(ChangeState::Conflict) }
    }

    fn lost(reason: impl Into<String>) -> Found {
        Found { reason: Some(reason.into()), ..Found::of(ChangeState::Lost) }
    }
}

fn inactive(change: &GoldChange) -> Option<Found> {
    match () {
        () if change.refused.is_some() => Some(Found::of(ChangeState::Refused)),
        () if !change.open.is_empty() => Some(Found::of(ChangeState::Open)),
        () => None,
    }
}

fn no_document(change: &GoldChange) -> Found {
    inactive(change).unwrap_or_else(|| Found::lost("there is no such document"))
}

/// Where mentions of a document are after the changes of a patch, by where they were.
pub(super) type Moves = BTreeMap<(Span, GoldAnswer), (Span, GoldAnswer)>;

/// Where the active changes of a document move mentions to.
pub(super) fn moves(changes: &[GoldChange]) -> Moves {
    let mut moves = Moves::new();
    for change in changes.iter().filter(|change| change.is_active()) {
        let (old, new) =
            ((change.span, change.answer.clone()), (change.new_span(), change.new_answer()));
        if old != new && matches!(change.action, PatchAction::Set(_)) {
            moves.insert(old, new);
        }
    }
    moves
}

/// A document and what is to be done in it.
struct Here {
    gold: DocumentGold,
    moves: Moves,
    plan: DocumentPlan,
    /// How many equal mentions there are, as copies come and go.
    counts: BTreeMap<GoldContent, u32>,
}

impl Here {
    fn judge(
        &mut self,
        changes: &[GoldChange],
        index: Option<&karat_model::TextIndex<'_>>,
        rival: &dyn Fn(usize) -> Option<String>,
    ) -> Vec<Found> {
        let mut found: Vec<Option<Found>> = (0..changes.len()).map(|_| None).collect();
        for at in in_turn(changes) {
            let change = &changes[at];
            found[at] = Some(match inactive(change) {
                Some(found) => found,
                None => match (lost(change, index), rival(at)) {
                    (Some(lost), _) => lost,
                    (None, Some(rival)) => {
                        Found::conflict(format!("change {rival} says something else"))
                    }
                    (None, None) => {
                        let checked = change.check.is_none() || index.is_some();
                        Found { checked, ..self.state(change) }
                    }
                },
            });
        }
        found.into_iter().flatten().collect()
    }

    fn state(&mut self, change: &GoldChange) -> Found {
        match &change.action {
            PatchAction::Set(fields) => {
                let fields: Vec<GoldField> = fields.iter().map(|(field, ..)| *field).collect();
                self.set(change, &fields)
            }
            PatchAction::Add(Piece::Mention { content, copy }) => self.add(content, *copy),
            PatchAction::Remove(Piece::Mention { content, copy }) => self.remove(content, *copy),
            PatchAction::Add(Piece::Reading { of, answer, parts }) => {
                self.reading(*of, answer, parts, true)
            }
            PatchAction::Remove(Piece::Reading { of, answer, parts }) => {
                self.reading(*of, answer, parts, false)
            }
        }
    }

    /// The mention that a change is about: the one with this answer, or the only one of the span, whose answer may have
    /// been changed by another patch.
    fn mention(&self, span: Span, answer: &GoldAnswer) -> Result<&Root, NoMention> {
        let here = self.gold.at(span);
        let mut fitting = here.iter().filter(|root| root.content.answer == *answer);
        match (fitting.next(), fitting.next(), here) {
            (Some(root), None, _) => Ok(root),
            (Some(_), Some(_), _) => Err(NoMention::Several(answer.written())),
            (None, _, [only]) => Ok(only),
            (None, _, []) => Err(NoMention::Nothing),
            (None, ..) => Err(NoMention::Others(answer.written())),
        }
    }

    fn set(&mut self, change: &GoldChange, fields: &[GoldField]) -> Found {
        let (new_span, new_answer) = (change.new_span(), change.new_answer());
        let moved = new_span != change.span;
        let at_new = self.gold.at(new_span);
        let old = self.mention(change.span, &change.answer);
        let root = match (old, moved) {
            (Ok(root), false) => root,
            (Ok(root), true) if at_new.is_empty() => root,
            (Ok(_), true) => return Found::conflict(format!("another mention is at {new_span}")),
            (Err(reason), _) => {
                // It may be there already: under its new answer, or the one that another change of the patch gives it. A
                // mention of something else at the new place is another mention.
                let moved_to = self.moves.get(&(change.span, change.answer.clone()));
                let is_it = |answer: &GoldAnswer| {
                    *answer == new_answer || moved_to.is_some_and(|(_, other)| other == answer)
                };
                match at_new.iter().filter(|root| is_it(&root.content.answer)).collect::<Vec<_>>()[..]
                {
                    [root] => root,
                    _ => return Found::conflict(reason.to_string()),
                }
            }
        };
        let edited = self.plan.edits.get(&root.index).and_then(|edit| edit.content.as_ref());
        let (index, mut content) = (root.index, edited.unwrap_or(&root.content).clone());
        let mut state = ChangeState::AlreadyThere;
        for &field in fields {
            let Some((old, new)) = change.set(field) else { continue };
            let there = root.content.value(field);
            if there == *new {
                continue;
            }
            if there != *old {
                let there = match field.slot() {
                    GoldField::Link => root.content.answer.written(),
                    _ => there.to_string(),
                };
                return Found::conflict(format!("{} is {there}", field.name()));
            }
            // Values of fields were checked when they were read.
            let _ = content.put(field, new);
            state = ChangeState::Applies;
        }
        let collides = content.answer != root.content.answer
            && at_new.iter().any(|it| it.index != index && it.content.answer == content.answer);
        if collides {
            return Found::conflict(format!(
                "another mention here means {}",
                content.answer.written()
            ));
        }
        if state == ChangeState::Applies {
            self.plan.edits.entry(index).or_default().content = Some(content);
        }
        Found::of(state)
    }

    fn count(&mut self, content: &GoldContent) -> &mut u32 {
        let here = self.gold.at(content.span).iter();
        let equal = here.filter(|root| root.content == *content).count();
        self.counts.entry(content.clone()).or_insert(equal as u32)
    }

    fn add(&mut self, content: &GoldContent, copy: Option<u32>) -> Found {
        let here = self.gold.at(content.span);
        let state = match (copy, here) {
            (None, []) => ChangeState::Applies,
            (None, here) if here.iter().any(|root| root.content == *content) => {
                ChangeState::AlreadyThere
            }
            (None, here) => {
                let there: Vec<String> =
                    here.iter().map(|root| root.content.answer.written()).collect();
                return Found::conflict(format!(
                    "here is a mention of {} already",
                    there.join(" and ")
                ));
            }
            (Some(copy), _) => {
                let count = self.count(content);
                match () {
                    () if *count >= copy => ChangeState::AlreadyThere,
                    () if *count + 1 == copy => {
                        *count += 1;
                        ChangeState::Applies
                    }
                    () => {
                        return Found::conflict(format!(
                            "there are only {count} equal mentions here"
                        ));
                    }
                }
            }
        };
        if state == ChangeState::Applies {
            self.plan.additions.push(content.clone());
        }
        Found::of(state)
    }

    fn remove(&mut self, content: &GoldContent, copy: Option<u32>) -> Found {
        let equal = |here: &Here| {
            let roots = here.gold.at(content.span).iter().filter(|root| root.content == *content);
            let left =
                |root: &&Root| !here.plan.edits.get(&root.index).is_some_and(|edit| edit.removed);
            roots.filter(left).map(|root| root.index).next_back()
        };
        if let Some(copy) = copy {
            let count = self.count(content);
            match () {
                () if *count < copy => return Found::of(ChangeState::AlreadyThere),
                () if *count > copy => {
                    return Found::conflict(format!("there are {count} equal mentions here"));
                }
                () => *count -= 1,
            }
        }
        match (equal(self), self.gold.at(content.span)) {
            (Some(index), _) => {
                self.plan.edits.entry(index).or_default().removed = true;
                Found::of(ChangeState::Applies)
            }
            (None, []) => Found::of(ChangeState::AlreadyThere),
            (None, here) => match here.iter().find(|root| root.content.answer == content.answer) {
                Some(_) => Found::conflict("more or less is said of the mention here"),
                None => {
                    let there = here.iter().map(|root| root.content.answer.written());
                    let there: Vec<String> = there.collect();
                    Found::conflict(format!("the mention here means {}", there.join(" and ")))
                }
            },
        }
    }

    fn reading(
        &mut self,
        of: Span,
        answer: &GoldAnswer,
        parts: &Vec<GoldContent>,
        comes: bool,
    ) -> Found {
        let root = self.mention(of, answer).or_else(|reason| {
            // The patch itself may have moved the mention before.
            let moved = self.moves.get(&(of, answer.clone()));
            moved.map_or(Err(reason), |(span, answer)| self.mention(*span, answer))
        });
        let root = match root {
            Ok(root) => root,
            Err(reason) => {
                return Found::conflict(format!("the mention that it is a reading of: {reason}"));
            }
        };
        let is_there = root.content.readings.contains(parts);
        if is_there == comes {
            return Found::of(ChangeState::AlreadyThere);
        }
        let edit = self.plan.edits.entry(root.index).or_default();
        if comes { &mut edit.added } else { &mut edit.dropped }.push(parts.clone());
        Found::of(ChangeState::Applies)
    }
}

/// The order in which changes are looked at: copies one after the other, those that go from the last on. For all others it does not
/// matter.
fn in_turn(changes: &[GoldChange]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..changes.len()).collect();
    order.sort_by_key(|&at| match &changes[at].action {
        PatchAction::Add(Piece::Mention { copy: Some(copy), .. }) => i64::from(*copy),
        PatchAction::Remove(Piece::Mention { copy: Some(copy), .. }) => -i64::from(*copy),
        _ => 0,
    });
    order
}

/// Why the text that a change is about is not there, if it is not.
fn lost(change: &GoldChange, index: Option<&karat_model::TextIndex<'_>>) -> Option<Found> {
    let (Some(index), hull) = (index, change.hull()) else { return None };
    let Some(words) = index.slice(hull) else {
        return Some(Found::lost("the text is too short"));
    };
    match &change.check {
        Some(check) if self::check(index, hull).as_ref() != Some(check) => {
            let reason = match &change.words {
                Some(known) if known == words => "what is around the words is different".to_owned(),
                Some(_) => format!("the words are {words:?}"),
                None => "the words or what is around them are different".to_owned(),
            };
            Some(Found::lost(reason))
        }
        None if change.words.as_ref().is_some_and(|known| known != words) => {
            Some(Found::lost(format!("the words are {words:?}")))
        }
        _ => None,
    }
}

/// Why a change has no mention that it is about.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum NoMention {
    #[error("no mention is here")]
    Nothing,
    #[error("no mention here means {0}")]
    Others(String),
    #[error("several mentions here mean {0}")]
    Several(String),
}
