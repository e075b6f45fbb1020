//! From a corpus to BioC documents.

use super::infons::{
    CONFIDENCE, DATABASE, IDENTIFIER, Infons, Scalar, TYPE, is_database, is_nil, is_number,
    names_a_link,
};
use super::{Article, Entity, Location, Passage, filling};
use crate::format::WriteError;
use crate::placing::fragments::{FRAGMENTS, parsed};
use crate::problem::Flaw;
use karat_model::{Corpus, Document, MarkKind, Mention, Span, TextIndex, attribute};

/// The documents of a corpus in the shape of BioC.
pub(in crate::formats) fn documents(
    corpus: &Corpus,
) -> impl Iterator<Item = Result<Article<'_>, WriteError>> {
    corpus.documents().map(|document| article(&document))
}

fn article<'c>(document: &Document<'c>) -> Result<Article<'c>, WriteError> {
    let name = document.name();
    let Some(index) = document.text_index() else {
        return Err(WriteError::unrepresentable(name, "the document has no text"));
    };
    let mut spans = Vec::new();
    let mut passages = passages(document, &index, &mut spans)?;
    add_sentences(document, &index, &spans, &mut passages)?;
    let mut current = 0;
    for mention in document.mentions() {
        let entity = entity(name, &index, &mention)?;
        // Never back to an earlier passage: the order of annotations is kept.
        let home = spans.iter().rposition(|span| span.start <= mention.span().start).unwrap_or(0);
        current = home.max(current);
        if let Some(passage) = passages.get_mut(current) {
            passage.annotations.push(entity);
        }
    }
    let infons = document.attributes().map(|(key, value)| (key.into(), value.into()));
    Ok(Article {
        id: Some(name.into()),
        infons: Infons(infons.collect()),
        passages,
        ..Article::default()
    })
}

/// Gives passages their sentences.
fn add_sentences<'c>(
    document: &Document<'c>,
    index: &TextIndex<'c>,
    spans: &[Span],
    passages: &mut [Passage<'c>],
) -> Result<(), WriteError> {
    for (span, _) in document.marks_of(MarkKind::Sentence) {
        let is_home = |home: &Span| home.start <= span.start && span.end <= home.end;
        let home = spans.iter().rposition(is_home).and_then(|at| passages.get_mut(at));
        let (Some(passage), Some(text)) = (home, index.slice(span)) else {
            let message = format!("the sentence {span} is not within one passage");
            return Err(WriteError::unrepresentable(document.name(), message));
        };
        passage.sentences.push(Passage {
            offset: Some(span.start.to_string().into()),
            text: Some(text.into()),
            ..Passage::default()
        });
    }
    Ok(())
}

/// The marked passages, and untyped ones for the text between them that is not filling.
fn passages<'c>(
    document: &Document<'c>,
    index: &TextIndex<'c>,
    spans: &mut Vec<Span>,
) -> Result<Vec<Passage<'c>>, WriteError> {
    let mut marks: Vec<(Span, &str)> = document.marks_of(MarkKind::Passage).collect();
    marks.sort_by_key(|(span, _)| (span.start, span.end));
    let mut passages = Vec::new();
    let mut push = |span: Span, kind: Option<&'c str>| {
        let Some(text) = index.slice(span) else {
            let message = format!("the passage {span} is not in the text");
            return Err(WriteError::unrepresentable(document.name(), message));
        };
        if kind.is_none() && !passages.is_empty() && span.is_empty() {
            return Ok(());
        }
        let infons = kind.map(|kind| (TYPE.into(), kind.into())).into_iter().collect();
        passages.push(Passage {
            offset: Some(span.start.to_string().into()),
            infons: Infons(infons),
            text: Some(text.into()),
            ..Passage::default()
        });
        spans.push(span);
        Ok(())
    };
    let mut end = 0;
    for (span, kind) in marks {
        if span.start < end {
            let message = format!("the passage {span} overlaps the one before it");
            return Err(WriteError::unrepresentable(document.name(), message));
        }
        let gap = Span::new(end, span.start);
        if index.slice(gap) != Some(filling(gap.len() as usize).as_str()) {
            push(gap, None)?;
        }
        push(span, Some(kind))?;
        end = span.end;
    }
    push(Span::new(end, index.len()), None)?;
    Ok(passages)
}

fn entity<'c>(
    document: &str,
    index: &TextIndex<'c>,
    mention: &Mention<'c>,
) -> Result<Entity<'c>, WriteError> {
    let refuse = |message: String| WriteError::unrepresentable(document, message);
    let mut facts: Vec<(&str, &str)> = mention.attributes().collect();
    let mut take = |key: &str| {
        let position = facts.iter().position(|(name, _)| *name == key)?;
        Some(facts.remove(position).1)
    };
    let span = mention.span();
    let parts = match take(FRAGMENTS) {
        None => vec![span],
        Some(value) => parsed(value, span)
            .filter(|parts| parts.iter().all(|&part| !part.is_empty()))
            .ok_or_else(|| refuse(format!("bad `{FRAGMENTS}`: `{value}`")))?,
    };
    let id = take(attribute::ID).unwrap_or_default();
    let infons = infons(mention, facts).map_err(|flaw| refuse(flaw.into()))?;
    let text: Option<Vec<&str>> = parts.iter().map(|&part| index.slice(part)).collect();
    let text = text.ok_or_else(|| refuse(format!("the mention {span} is not in the text")))?;
    let locations = parts.iter().map(|part| Location {
        offset: Some(part.start.to_string().into()),
        length: Some(part.len().to_string().into()),
    });
    let locations = locations.collect();
    Ok(Entity { id: id.into(), infons, text: Some(text.join(" ").into()), locations, at: None })
}

/// The infons of an annotation, or why there are none that would be read as what they say.
fn infons<'c>(
    mention: &Mention<'c>,
    mut facts: Vec<(&'c str, &'c str)>,
) -> Result<Infons<'c>, Flaw> {
    let mut pairs: Vec<(Scalar<'c>, Scalar<'c>)> = Vec::new();
    let kind = mention.types().next();
    pairs.extend(kind.map(|kind| (TYPE.into(), kind.into())));
    let taken = facts.iter().any(|(key, _)| names_a_link(key));
    let misread = |key: &str, value: &str| {
        key == TYPE && kind.is_none()
            || key == CONFIDENCE && mention.confidence().is_none() && is_number(value)
            || mention.link().is_none() && names_a_link(key)
    };
    if let Some((key, _)) = facts.iter().find(|(key, value)| misread(key, value)) {
        return Err(format!("the attribute `{key}` would be read as something else").into());
    }
    if !mention.link().is_none() {
        let value = mention.entity().unwrap_or("-");
        if mention.entity().is_some_and(|id| is_nil(id) || id.is_empty() || id.trim() != id) {
            return Err(format!("the entity `{value}` would be read as another or as NIL").into());
        }
        let database = facts.iter().position(|(key, value)| *key == DATABASE && is_database(value));
        let key = match database.filter(|_| !taken) {
            Some(position) => facts.remove(position).1,
            None => IDENTIFIER,
        };
        pairs.push((key.into(), value.into()));
    }
    if let Some(confidence) = mention.confidence() {
        pairs.push((CONFIDENCE.into(), format!("{confidence:?}").into()));
    }
    pairs.extend(facts.into_iter().map(|(key, value)| (key.into(), value.into())));
    Ok(Infons(pairs))
}
