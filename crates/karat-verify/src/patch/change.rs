//! One change of a patch.

use super::content::{GoldAnswer, GoldContent, GoldField, shifted};
use karat_model::{Document, Span, TextIndex};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A change of one mention, with who made it and why.
///
/// It is addressed by document, span and old link, and says what was there before: a patch can be checked against any
/// corpus, undone, and moved to another edition.
#[derive(Debug, Clone, PartialEq)]
pub struct GoldChange {
    /// The document.
    pub document: String,
    /// Where the mention is before the change.
    pub span: Span,
    /// What it meant before the change. Where the change says so itself it is the same.
    pub answer: GoldAnswer,
    /// The words, unless they may not be shared.
    pub words: Option<String>,
    /// Eight digits of the SHA-256 of the words and what is around them; `None` where there was no text.
    pub check: Option<String>,
    /// What is done.
    pub action: PatchAction,
    /// Why: codes such as `wrong-link`, several joined by commas.
    pub why: Option<String>,
    /// A remark.
    pub note: Option<String>,
    /// Where it comes from: votes, judgements, decisions. Several where several found the same.
    pub from: Vec<Value>,
    /// Who refused it and why: it stays in the file and is not applied.
    pub refused: Option<Value>,
    /// The ids of changes that say something else of the same; none of them is applied until somebody chooses.
    pub open: BTreeSet<String>,
}

/// What a change does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatchAction {
    /// Fields get other values: field, old, new, in the order of the fields.
    Set(Vec<(GoldField, Value, Value)>),
    /// A mention comes, or a reading of one.
    Add(Piece),
    /// A mention goes, or a reading of one.
    Remove(Piece),
}

/// What comes or goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// A mention with its readings.
    Mention {
        /// All that is said of it.
        content: GoldContent,
        /// Where several mentions have this span, the how many-th equal one it is; `None` where it is the only one.
        copy: Option<u32>,
    },
    /// A reading of a mention: it is found when all its parts are. It has no number, because numbers depend on the order of
    /// a file, and two people who each add one would have made one reading of both.
    Reading {
        /// Where the mention is that can be read so.
        of: Span,
        /// What that mention means.
        answer: GoldAnswer,
        /// The parts, sorted; there is at least one.
        parts: Vec<GoldContent>,
    },
}

/// How many code points around the words are part of the check.
const AROUND: u32 = 16;

impl Piece {
    /// The content that the line of the change shows.
    pub(super) fn first(&self) -> Option<&GoldContent> {
        match self {
            Piece::Mention { content, .. } => Some(content),
            Piece::Reading { parts, .. } => parts.first(),
        }
    }

    fn entries(&self) -> Value {
        let mut entries = self.first().map(GoldContent::entries).unwrap_or_default();
        match self {
            Piece::Mention { copy, .. } => {
                if let Some(copy) = copy {
                    entries.insert("copy".to_owned(), json!(copy));
                }
            }
            Piece::Reading { of, answer, parts } => {
                let mut place = Map::new();
                place.insert("span".to_owned(), json!([of.start, of.end]));
                let answer = answer.entries().into_iter();
                place.extend(answer.map(|(key, value)| (key.to_owned(), value)));
                entries.insert("part_of".to_owned(), Value::Object(place));
                if parts.len() > 1 {
                    let with = parts[1..].iter().map(GoldContent::object).collect();
                    entries.insert("with".to_owned(), with);
                }
            }
        }
        Value::Object(entries)
    }

    fn shift(&mut self, by: i64) -> Option<()> {
        match self {
            Piece::Mention { content, .. } => content.shift(by),
            Piece::Reading { of, parts, .. } => {
                *of = shifted(*of, by)?;
                parts.iter_mut().try_for_each(|part| part.shift(by))
            }
        }
    }
}

impl PatchAction {
    /// Its key in a patch.
    pub fn name(&self) -> &'static str {
        match self {
            PatchAction::Set(_) => "set",
            PatchAction::Add(_) => "add",
            PatchAction::Remove(_) => "remove",
        }
    }

    fn value(&self) -> Value {
        match self {
            PatchAction::Set(fields) => {
                let pair = |(field, old, new): &(GoldField, Value, Value)| {
                    (field.name().to_owned(), json!([old, new]))
                };
                Value::Object(fields.iter().map(pair).collect())
            }
            PatchAction::Add(piece) | PatchAction::Remove(piece) => piece.entries(),
        }
    }
}

impl GoldChange {
    /// A change that nobody has said anything about yet. Words and check are those of the document.
    pub(super) fn new(
        document: &Document<'_>,
        index: Option<&TextIndex<'_>>,
        (span, answer): (Span, GoldAnswer),
        action: PatchAction,
    ) -> GoldChange {
        let mut change = GoldChange {
            document: document.name().to_owned(),
            span,
            answer,
            words: None,
            check: None,
            action,
            why: None,
            note: None,
            from: Vec::new(),
            refused: None,
            open: BTreeSet::new(),
        };
        let hull = change.hull();
        change.words = match index {
            Some(index) => index.slice(hull).map(str::to_owned),
            None => surface(document, hull),
        };
        change.check = index.and_then(|index| check(index, hull));
        change
    }

    /// Where the text is looked at: the span and, where it changes, the new one, so that the change and its opposite have the same
    /// words and check.
    pub fn hull(&self) -> Span {
        let new = self.new_span();
        Span::new(self.span.start.min(new.start), self.span.end.max(new.end))
    }

    /// The old and the new value of a field, if it changes.
    pub(super) fn set(&self, field: GoldField) -> Option<(&Value, &Value)> {
        let PatchAction::Set(fields) = &self.action else { return None };
        fields.iter().find(|(it, ..)| *it == field).map(|(_, old, new)| (old, new))
    }

    /// Where the mention is after the change.
    pub fn new_span(&self) -> Span {
        let new = self.set(GoldField::Span).map(|(_, new)| super::content::span_of(new));
        new.and_then(Result::ok).unwrap_or(self.span)
    }

    /// What the mention means after the change.
    pub fn new_answer(&self) -> GoldAnswer {
        let mut content = GoldContent { answer: self.answer.clone(), ..GoldContent::default() };
        for field in [GoldField::Link, GoldField::Nil] {
            if let Some((_, new)) = self.set(field) {
                // Values of fields were checked when they were read.
                let _ = content.put(field, new);
            }
        }
        content.answer
    }

    /// Twelve digits of the SHA-256 of document, place and change, and of nothing that is said about it: two campaigns that find
    /// the same have the same id.
    pub fn id(&self) -> String {
        let place: Map<String, Value> = self.place().into_iter().collect();
        let what = json!([
            self.document,
            [self.span.start, self.span.end],
            place,
            self.action.name(),
            self.action.value()
        ]);
        hexadecimal(what.to_string().as_bytes(), 6)
    }

    /// What says which mention of the span is meant, where the action does not.
    fn place(&self) -> Vec<(String, Value)> {
        let says_itself = match &self.action {
            PatchAction::Set(_) => {
                self.set(GoldField::Link).is_some() || self.set(GoldField::Nil).is_some()
            }
            PatchAction::Add(_) | PatchAction::Remove(_) => true,
        };
        let entries = self.answer.entries().into_iter().filter(|_| !says_itself);
        entries.map(|(key, value)| (key.to_owned(), value)).collect()
    }

    /// Whether it is applied: it is neither refused nor one of several to choose from.
    pub fn is_active(&self) -> bool {
        self.refused.is_none() && self.open.is_empty()
    }

    /// How many people voted for it, as the first number of `votes` says.
    pub fn votes(&self) -> u64 {
        let votes = |from: &Value| match from.get("votes")? {
            Value::String(votes) => votes.split('/').next()?.trim().parse().ok(),
            votes => votes.as_u64(),
        };
        self.from.iter().filter_map(votes).max().unwrap_or(0)
    }

    /// The line of a patch.
    pub(super) fn line(&self) -> String {
        let mut line = Map::new();
        let mut put = |key: &str, value: Value| drop(line.insert(key.to_owned(), value));
        put("id", json!(self.id()));
        put("document", json!(self.document));
        put("span", json!([self.span.start, self.span.end]));
        self.place().into_iter().for_each(|(key, value)| put(&key, value));
        let text = |value: &Option<String>| value.as_ref().map(|value| json!(value));
        if let Some(words) = text(&self.words) {
            put("words", words);
        }
        if let Some(check) = text(&self.check) {
            put("check", check);
        }
        put(self.action.name(), self.action.value());
        if let Some(why) = text(&self.why) {
            put("why", why);
        }
        if let Some(note) = text(&self.note) {
            put("note", note);
        }
        match self.from.as_slice() {
            [] => {}
            [one] => put("from", one.clone()),
            all => put("from", Value::Array(all.to_vec())),
        }
        if !self.open.is_empty() {
            put("open", json!(self.open));
        }
        if let Some(refused) = &self.refused {
            put("refused", refused.clone());
        }
        Value::Object(line).to_string()
    }

    /// The order of lines: by document, place and id.
    pub(super) fn order(&self, other: &GoldChange) -> Ordering {
        self.document
            .cmp(&other.document)
            .then_with(|| self.span.cmp(&other.span))
            .then_with(|| self.id().cmp(&other.id()))
    }

    /// The same change at another place of the document, or `None` where there is no such place.
    pub(super) fn moved(&self, by: i64) -> Option<GoldChange> {
        let mut moved = GoldChange { span: shifted(self.span, by)?, ..self.clone() };
        match &mut moved.action {
            PatchAction::Set(fields) => {
                for (_, old, new) in fields.iter_mut().filter(|(it, ..)| *it == GoldField::Span) {
                    for value in [old, new] {
                        let span = shifted(super::content::span_of(value).ok()?, by)?;
                        *value = json!([span.start, span.end]);
                    }
                }
            }
            PatchAction::Add(piece) | PatchAction::Remove(piece) => piece.shift(by)?,
        }
        Some(moved)
    }

    /// What is changed, in words: `Q90 -> Q142`.
    pub fn described(&self) -> String {
        match &self.action {
            PatchAction::Set(fields) => {
                let mut parts = Vec::new();
                if self.answer != self.new_answer() {
                    let new = self.new_answer().written();
                    parts.push(format!("{} -> {new}", self.answer.written()));
                }
                for (field, old, new) in fields {
                    if field.slot() != GoldField::Link {
                        parts.push(format!("{} {} -> {}", field.name(), brief(old), brief(new)));
                    }
                }
                parts.join("; ")
            }
            PatchAction::Add(piece) => format!("add {}", piece.described()),
            PatchAction::Remove(piece) => format!("remove {}", piece.described()),
        }
    }
}

impl Piece {
    fn described(&self) -> String {
        let part = |content: &GoldContent| {
            let said =
                [&content.types, &content.tags, &content.flags].map(|items| items.join(", "));
            let said: Vec<&str> =
                said.iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
            match said.is_empty() {
                true => content.answer.written(),
                false => format!("{} ({})", content.answer.written(), said.join("; ")),
            }
        };
        match self {
            Piece::Mention { content, .. } => part(content),
            Piece::Reading { answer, parts, .. } => {
                let parts: Vec<String> = parts.iter().map(part).collect();
                format!("{} as a reading of {}", parts.join(" with "), answer.written())
            }
        }
    }
}

/// A value of a field, short.
fn brief(value: &Value) -> String {
    match value {
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) => {
            let item = |item: &Value| item.as_str().map_or_else(|| item.to_string(), str::to_owned);
            items.iter().map(item).collect::<Vec<_>>().join(", ")
        }
        Value::Null => "none".to_owned(),
        Value::Object(items) if items.is_empty() => "none".to_owned(),
        Value::Object(items) => {
            let item = |(key, value): (&String, &Value)| format!("{key}={}", brief(value));
            items.iter().map(item).collect::<Vec<_>>().join(", ")
        }
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

/// The words of a mention in a document without text, where its file has them.
fn surface(document: &Document<'_>, span: Span) -> Option<String> {
    let here = document.mentions().filter(|mention| mention.span() == span);
    let mut words = here.filter_map(|mention| mention.attribute(karat_model::attribute::SURFACE));
    words.next().map(str::to_owned)
}

/// Eight digits of the SHA-256 of the words at a span and sixteen code points before and after them; `None` where
/// the text has no such place.
pub fn check(index: &TextIndex<'_>, span: Span) -> Option<String> {
    let words = index.slice(span)?;
    let before = index.slice(Span::new(span.start.saturating_sub(AROUND), span.start))?;
    let after =
        index.slice(Span::new(span.end, span.end.saturating_add(AROUND).min(index.len())))?;
    // The words are set apart, because in a short text what is around two mentions is the same.
    Some(hexadecimal([before, words, after].join("\u{1f}").as_bytes(), 4))
}

/// The first bytes of a SHA-256 in hexadecimal digits.
fn hexadecimal(content: &[u8], bytes: usize) -> String {
    Sha256::digest(content).iter().take(bytes).map(|byte| format!("{byte:02x}")).collect()
}
