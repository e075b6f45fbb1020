//! Writing ELEVANT's articles in their current form.

use super::reference::{self, LITERALS};
use super::{
    CHILDREN, CONTAINED, NIL_REASON, NO_MAPPING, NO_MAPPING_CANDIDATES, REFERENCED_SPAN, Side,
};
use crate::format::WriteError;
use karat_model::{Document, Flags, Link, MarkKind, Mention, Span, attribute};
use serde::Serialize;
use std::collections::{BTreeSet, HashSet};
use std::io::Write;

#[derive(Debug, Serialize)]
struct Article<'c> {
    id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'c str>,
    title: &'c str,
    text: &'c str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hyperlinks: Vec<(Range, &'c str)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    title_synonyms: Vec<Range>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'c str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    entity_mentions: Vec<MentionObject<'c>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluation_span: Option<Range>,
    labels: Vec<LabelObject<'c>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sections: Vec<(Range, &'c str)>,
    #[serde(skip_serializing_if = "String::is_empty")]
    sides: String,
}

type Range = (u32, u32);

#[derive(Debug, Serialize)]
struct LabelObject<'c> {
    id: i64,
    span: Range,
    entity_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<String>,
    #[serde(flatten)]
    rest: Rest<'c>,
}

#[derive(Debug, Serialize)]
struct MentionObject<'c> {
    span: Range,
    id: Option<String>,
    #[serde(flatten)]
    rest: Rest<'c>,
    candidates: Vec<String>,
}

/// What labels and mentions have in common, most of it on one side only.
#[derive(Debug, Serialize)]
struct Rest<'c> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'c str>,
    #[serde(skip_serializing_if = "String::is_empty", rename = "type")]
    types: String,
    #[serde(skip_serializing_if = "is_false")]
    optional: bool,
    #[serde(skip_serializing_if = "is_false")]
    desc: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    coref: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recognized_by: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    linked_by: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    referenced_span: Option<Range>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contained: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'c str>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// Writes one line.
pub(super) fn article(out: &mut dyn Write, document: &Document<'_>) -> Result<(), WriteError> {
    let article = Writer::new(document).article()?;
    serde_json::to_writer(&mut *out, &article).map_err(|error| WriteError::Io(error.into()))?;
    Ok(out.write_all(b"\n")?)
}

/// The annotations of a document as ELEVANT writes labels; `None` for those that it writes as
/// mentions.
pub fn labels(document: &Document<'_>) -> Result<Vec<Option<serde_json::Value>>, WriteError> {
    let writer = Writer::new(document);
    let mut labels = writer.article()?.labels.into_iter();
    let label = |side: &Side| match side {
        Side::Predicted => Ok(None),
        _ => labels.next().map(serde_json::to_value).transpose(),
    };
    let written: Result<Vec<_>, serde_json::Error> = writer.sides.iter().map(label).collect();
    written.map_err(|error| WriteError::Io(error.into()))
}

struct Writer<'a, 'c> {
    document: &'a Document<'c>,
    sides: Vec<Side>,
    /// The number of each annotation that is a label.
    numbers: Vec<i64>,
    /// The same numbers, to be looked up.
    known: HashSet<i64>,
    /// Whether the labels are numbered by position; their ids are then keys.
    renumbered: bool,
}

impl<'a, 'c> Writer<'a, 'c> {
    fn new(document: &'a Document<'c>) -> Self {
        let sides = sides(document);
        let (numbers, known) = Default::default();
        let mut writer = Writer { document, sides, numbers, known, renumbered: false };
        writer.numbers = writer.number(|mention, position| {
            mention.attribute(attribute::ID).and_then(|id| whole(id, position)).unwrap_or(position)
        });
        let labels = writer.numbers.iter().filter(|&&number| number != NOT_A_LABEL);
        writer.known = labels.clone().copied().collect();
        if writer.known.len() < labels.count() {
            writer.numbers = writer.number(|_, position| position);
            writer.renumbered = true;
        }
        writer
    }

    fn number(&self, number: impl Fn(&Mention<'c>, i64) -> i64) -> Vec<i64> {
        let mut position = 0;
        self.document
            .mentions()
            .zip(&self.sides)
            .map(|(mention, &side)| {
                if side == Side::Predicted {
                    return NOT_A_LABEL;
                }
                position += 1;
                number(&mention, position - 1)
            })
            .collect()
    }

    fn article(&self) -> Result<Article<'c>, WriteError> {
        let document = self.document;
        let marks = |kind| document.marks_of(kind).map(|(span, value)| (range(span), value));
        let title = document.attribute(attribute::TITLE).unwrap_or_default();
        let id = whole(document.name(), NOT_A_LABEL).filter(|&id| id >= 0);
        let titled = !title.is_empty() && title == document.name();
        let plain = self.sides.iter().all(|side| matches!(side, Side::Gold | Side::Predicted))
            && self.sides.is_sorted_by_key(|&side| side == Side::Predicted);
        let mut article = Article {
            id: id.unwrap_or(-1),
            name: (id.is_none() && !titled).then(|| document.name()),
            title,
            text: document.text().unwrap_or_default(),
            hyperlinks: marks(MarkKind::Hyperlink).collect(),
            title_synonyms: marks(MarkKind::TitleSynonym).map(|(range, _)| range).collect(),
            url: document.attribute(attribute::URL),
            entity_mentions: Vec::new(),
            evaluation_span: document.evaluation_span().map(range),
            labels: Vec::new(),
            sections: marks(MarkKind::Section).collect(),
            sides: if plain {
                String::new()
            } else {
                self.sides.iter().map(|s| s.letter()).collect()
            },
        };
        if document.marks_of(MarkKind::TitleSynonym).any(|(_, value)| !value.is_empty()) {
            return Err(self.refuse("a title synonym with a value has no form in ELEVANT's files"));
        }
        let children = self.children();
        for (index, mention) in document.mentions().enumerate() {
            if self.sides[index] == Side::Predicted {
                article.entity_mentions.push(self.mention(&mention)?);
            } else {
                let position = article.labels.len() as i64;
                article.labels.push(self.label(&mention, index, position, &children[index])?);
            }
        }
        Ok(article)
    }

    /// The numbers of the parts of each annotation.
    fn children(&self) -> Vec<Vec<i64>> {
        let mut children = vec![Vec::new(); self.numbers.len()];
        for (mention, &number) in self.document.mentions().zip(&self.numbers) {
            if mention.attribute(attribute::MISSING_PARENT).is_none()
                && let Some(place) = mention.place()
                && let Some(siblings) = children.get_mut(place.parent as usize)
            {
                siblings.push(number);
            }
        }
        children
    }

    fn label(
        &self,
        mention: &Mention<'c>,
        index: usize,
        position: i64,
        parts: &[i64],
    ) -> Result<LabelObject<'c>, WriteError> {
        let number = self.numbers[index];
        let children = match mention.attribute(CHILDREN) {
            None => parts.to_vec(),
            Some(listed) => listed
                .split(' ')
                .map(|number| whole(number, NOT_A_LABEL))
                .collect::<Option<Vec<i64>>>()
                .filter(|children| children != parts && !self.renumbered)
                .filter(|children| children.iter().all(|child| self.known.contains(child)))
                .ok_or_else(|| {
                    self.refuse(format!("`{listed}` is no list of children of label {number}"))
                })?,
        };
        // A number that differs from the position speaks for itself.
        let id = mention.attribute(attribute::ID);
        let key = id.filter(|id| number == position || *id != number.to_string());
        Ok(LabelObject {
            id: number,
            span: range(mention.span()),
            entity_id: self.reference(mention)?,
            parent: self.parent(mention, index)?,
            children,
            candidates: self.candidates(mention)?,
            rest: self.rest(mention, key)?,
        })
    }

    /// The number of the label that one is below, which may not be there.
    fn parent(&self, mention: &Mention<'_>, index: usize) -> Result<Option<i64>, WriteError> {
        let above = mention.place().map(|place| place.parent as usize);
        let Some(missing) = mention.attribute(attribute::MISSING_PARENT) else {
            return Ok(above.and_then(|above| self.numbers.get(above)).copied());
        };
        let number = whole(missing, NOT_A_LABEL).filter(|number| !self.numbers.contains(number));
        match number.filter(|_| above == Some(index)) {
            Some(number) => Ok(Some(number)),
            None => Err(self.refuse(format!("`{missing}` is not the id of a missing parent"))),
        }
    }

    fn mention(&self, mention: &Mention<'c>) -> Result<MentionObject<'c>, WriteError> {
        Ok(MentionObject {
            span: range(mention.span()),
            id: self.reference(mention)?,
            rest: self.rest(mention, mention.attribute(attribute::ID))?,
            candidates: self.candidates(mention)?,
        })
    }

    fn rest(&self, mention: &Mention<'c>, key: Option<&'c str>) -> Result<Rest<'c>, WriteError> {
        let flags = mention.flags();
        let (yes, no) =
            (flags.contains(Flags::COREFERENCE), flags.contains(Flags::NOT_COREFERENCE));
        if yes && no {
            return Err(self.refuse("an annotation is said to be a coreference and not to be one"));
        }
        if let Some(score) = mention.confidence().filter(|score| !score.is_finite()) {
            return Err(self.refuse(format!("JSON has no number for the confidence {score}")));
        }
        if let Some(name) = mention.types().find(|name| name.contains('|')) {
            return Err(self.refuse(format!("the type `{name}` has a `|`, which separates types")));
        }
        Ok(Rest {
            name: mention.attribute(attribute::NAME),
            types: mention.types().collect::<Vec<_>>().join("|"),
            optional: flags.contains(Flags::OPTIONAL),
            desc: flags.contains(Flags::DESCRIPTIVE),
            coref: (yes || no).then_some(yes),
            recognized_by: mention.attribute(attribute::RECOGNIZED_BY),
            linked_by: mention.attribute(attribute::LINKED_BY),
            referenced_span: self.referenced_span(mention)?,
            contained: match mention.attribute(CONTAINED) {
                None => None,
                Some("true") => Some(true),
                Some("false") => Some(false),
                Some(other) => {
                    return Err(self.refuse(format!("`contained` is `{other}`, not true or false")));
                }
            },
            score: mention.confidence(),
            key,
        })
    }

    fn referenced_span(&self, mention: &Mention<'_>) -> Result<Option<Range>, WriteError> {
        let Some(value) = mention.attribute(REFERENCED_SPAN) else { return Ok(None) };
        value
            .split_once(' ')
            .and_then(|(start, end)| Some((start.parse().ok()?, end.parse().ok()?)))
            .filter(|(start, end)| value == format!("{start} {end}"))
            .map(Some)
            .ok_or_else(|| self.refuse(format!("the referenced span `{value}` is no span")))
    }

    /// The entity id of an annotation; `None`, which is null, for no answer.
    fn reference(&self, mention: &Mention<'c>) -> Result<Option<String>, WriteError> {
        let link = mention.link();
        let plain_nil = link == Link::NIL;
        match mention.attribute(NIL_REASON) {
            None => {}
            Some(NO_MAPPING) if plain_nil => return Ok(Some(reference::NO_MAPPING.to_owned())),
            Some(reason) => {
                return Err(self.refuse(format!("the reason `{reason}` for NIL has no form")));
            }
        }
        if link.is_none() {
            return Ok(mention.types().find(|name| LITERALS.contains(name)).map(str::to_owned));
        }
        if let Some(entity) = mention.entity().filter(|entity| LITERALS.contains(entity))
            && mention.types().any(|name| name == entity)
        {
            return Err(self.refuse(format!("the entity `{entity}` would be read as a type")));
        }
        self.spelled(link, mention.entity(), mention.nil_cluster()).map(Some)
    }

    fn candidates(&self, mention: &Mention<'c>) -> Result<Vec<String>, WriteError> {
        let unmapped = self.no_mapping_candidates(mention)?;
        let nil = |at: usize| match unmapped.contains(&at) {
            true => reference::NO_MAPPING,
            false => reference::NIL,
        };
        let candidates = mention.candidates().enumerate();
        let spelled = candidates.map(|(at, candidate)| match candidate.link {
            Link::NIL => Ok(nil(at).to_owned()),
            Link::NONE => Err(self.refuse("a candidate without an answer has no form")),
            link => self.spelled(link, candidate.entity, candidate.nil_cluster),
        });
        spelled.collect()
    }

    /// The candidates without a mapping; all of them are NIL.
    fn no_mapping_candidates(&self, mention: &Mention<'_>) -> Result<BTreeSet<usize>, WriteError> {
        let unmapped: BTreeSet<usize> = mention.no_mapping_candidates().collect();
        let listed: Vec<String> = unmapped.iter().map(ToString::to_string).collect();
        let given = mention.attribute(NO_MAPPING_CANDIDATES);
        let is_nil = |at: &usize| {
            let candidate = mention.candidates().nth(*at);
            candidate.is_some_and(|candidate| candidate.link == Link::NIL)
        };
        match given.is_none_or(|given| given == listed.join(" ")) && unmapped.iter().all(is_nil) {
            true => Ok(unmapped),
            false => Err(self.refuse(format!(
                "`{}` are no places of candidates that are NIL",
                given.unwrap_or_default()
            ))),
        }
    }

    fn spelled(
        &self,
        link: Link,
        entity: Option<&str>,
        cluster: Option<&str>,
    ) -> Result<String, WriteError> {
        reference::spell(link, entity, cluster, reference::NIL).ok_or_else(|| {
            let name = entity.or(cluster).unwrap_or_default();
            self.refuse(format!("`{name}` would mean something else in ELEVANT's files"))
        })
    }

    fn refuse(&self, message: impl Into<String>) -> WriteError {
        WriteError::unrepresentable(self.document.name(), message)
    }
}

/// Stands for the number of an annotation that is written as a mention.
const NOT_A_LABEL: i64 = i64::MIN;

/// A whole number that is spelled as ELEVANT would spell it and is not `except`.
fn whole(text: &str, except: i64) -> Option<i64> {
    text.parse().ok().filter(|&number: &i64| number.to_string() == text && number != except)
}

/// Where each annotation goes. Predicted ones are mentions unless they are part of a tree.
fn sides(document: &Document<'_>) -> Vec<Side> {
    let mut in_tree = vec![false; document.mentions().len()];
    for (index, mention) in document.mentions().enumerate() {
        if let Some(place) = mention.place() {
            in_tree[index] = true;
            if let Some(parent) = in_tree.get_mut(place.parent as usize) {
                *parent = true;
            }
        }
    }
    let sides = document.mentions().zip(in_tree).map(|(mention, in_tree)| {
        let flags = mention.flags();
        match (flags.contains(Flags::GOLD), flags.contains(Flags::PREDICTED)) {
            (true, false) => Side::Gold,
            (false, true) if in_tree || mention.attribute(CHILDREN).is_some() => {
                Side::PredictedLabel
            }
            (false, true) => Side::Predicted,
            (true, true) => Side::Both,
            (false, false) => Side::Neither,
        }
    });
    sides.collect()
}

fn range(span: Span) -> Range {
    (span.start, span.end)
}
