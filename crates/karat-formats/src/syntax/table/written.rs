//! From a corpus to rows.

use super::field::Field;
use super::json::{CandidateCell, attributes_to_json, candidate_cells, candidates_to_json, number};
use super::{LIST, nil_in_words};
use crate::format::WriteError;
use karat_model::{Corpus, Document, Flags, Mention, attribute};
use std::borrow::Cow;

/// A cell to write.
#[derive(Debug, Clone, PartialEq)]
pub enum WrittenCell<'c> {
    /// Nothing.
    Empty,
    /// Text.
    Text(Cow<'c, str>),
    /// An offset.
    Whole(u32),
    /// A score.
    Score(f64),
    /// Yes or no.
    Flag(bool),
    /// Ranked answers.
    Candidates(Vec<CandidateCell<'c>>),
    /// Further facts.
    Attributes(Vec<(&'c str, &'c str)>),
}

impl WrittenCell<'_> {
    /// The cell as JSON; `None` when empty.
    pub fn to_json(&self) -> Option<serde_json::Value> {
        Some(match self {
            WrittenCell::Empty => return None,
            WrittenCell::Text(text) => text.as_ref().into(),
            WrittenCell::Whole(whole) => (*whole).into(),
            WrittenCell::Score(score) => number(*score),
            WrittenCell::Flag(flag) => (*flag).into(),
            WrittenCell::Candidates(candidates) => candidates_to_json(candidates),
            WrittenCell::Attributes(facts) => attributes_to_json(facts),
        })
    }

    /// The cell as text; empty when empty.
    pub fn to_text(&self) -> Cow<'_, str> {
        match self {
            WrittenCell::Empty => "".into(),
            WrittenCell::Text(text) => Cow::Borrowed(text),
            WrittenCell::Whole(whole) => whole.to_string().into(),
            WrittenCell::Score(score) => score.to_string().into(),
            WrittenCell::Flag(flag) => if *flag { "true" } else { "false" }.into(),
            WrittenCell::Candidates(candidates) => {
                candidates_to_json(candidates).to_string().into()
            }
            WrittenCell::Attributes(facts) => attributes_to_json(facts).to_string().into(),
        }
    }
}

/// A row to write: an annotation, or a document that has none.
#[derive(Debug, Clone, Copy)]
pub struct Written<'c> {
    document: Document<'c>,
    mention: Option<Mention<'c>>,
    /// The text and the facts of a document stand on its first row.
    first: bool,
    surface: Option<&'c str>,
}

/// Visits the rows of a corpus in order.
pub fn for_each_row<'c>(
    corpus: &'c Corpus,
    mut write: impl FnMut(Written<'c>) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    for document in corpus.documents() {
        // An empty name would be read as a missing cell.
        if document.name().is_empty() {
            return Err(WriteError::unrepresentable("", "a document without a name"));
        }
        let index = document.text_index();
        let mut first = true;
        for mention in document.mentions() {
            let surface = match &index {
                Some(index) => index.slice(mention.span()),
                None => mention.attribute(attribute::SURFACE),
            };
            if index.is_some() && surface.is_none() {
                let message = format!("at {}: a mention outside the text", mention.span());
                return Err(WriteError::unrepresentable(document.name(), message));
            }
            write(Written { document, mention: Some(mention), first, surface })?;
            first = false;
        }
        if first {
            write(Written { document, mention: None, first, surface: None })?;
        }
    }
    Ok(())
}

/// The columns a corpus needs.
pub fn used_fields(corpus: &Corpus) -> Vec<Field> {
    let needed = [Field::Document, Field::Start, Field::End, Field::Link];
    let mut used = needed.iter().fold(0_u32, |used, &field| used | 1 << field as u32);
    let mut add = |field: Field, is_used: bool| used |= u32::from(is_used) << field as u32;
    for document in corpus.documents() {
        add(Field::Text, document.text().is_some());
        add(Field::Surface, document.text().is_some() && document.mentions().len() > 0);
        for field in [Field::Language, Field::Topic, Field::Title, Field::Url] {
            let key = field.document_attribute().unwrap_or_default();
            add(field, document.attribute(key).is_some());
        }
        for mention in document.mentions() {
            add(Field::Nil, mention.link().is_nil());
            add(Field::Cluster, mention.nil_cluster().is_some());
            add(Field::Score, mention.confidence().is_some());
            add(Field::Type, mention.types().next().is_some());
            let flags = mention.flags();
            if !flags.is_empty() {
                let coreference = Flags::COREFERENCE | Flags::NOT_COREFERENCE;
                add(Field::Optional, flags.contains(Flags::OPTIONAL));
                add(Field::Coreference, flags.intersects(coreference));
                add(Field::Descriptive, flags.contains(Flags::DESCRIPTIVE));
                add(Field::Side, flags.intersects(Flags::GOLD | Flags::PREDICTED));
            }
            add(Field::Tags, mention.tags().next().is_some());
            add(Field::Equivalents, mention.equivalents().len() > 0);
            add(Field::Candidates, mention.candidates().len() > 0);
            for (key, _) in mention.attributes() {
                let surface = key == attribute::SURFACE && document.text().is_none();
                add(if surface { Field::Surface } else { Field::Attributes }, true);
            }
        }
    }
    Field::all().filter(|&field| used & 1 << field as u32 != 0).collect()
}

impl<'c> Written<'c> {
    /// The document the row belongs to.
    pub fn document(&self) -> Document<'c> {
        self.document
    }

    /// What stands in a column of this row.
    pub fn cell(&self, field: Field) -> Result<WrittenCell<'c>, WriteError> {
        self.spelled(field).map_err(|message| {
            let place = self.mention.map(|mention| format!("at {}: ", mention.span()));
            let message = format!("{}{message}", place.unwrap_or_default());
            WriteError::unrepresentable(self.document.name(), message)
        })
    }

    fn spelled(&self, field: Field) -> Result<WrittenCell<'c>, &'static str> {
        let document = self.document;
        match field {
            Field::Document => return Ok(WrittenCell::Text(document.name().into())),
            Field::Text if self.first => return Ok(maybe(document.text())),
            Field::Language | Field::Topic | Field::Title | Field::Url if self.first => {
                let key = field.document_attribute().unwrap_or_default();
                if document.attributes().filter(|&(name, _)| name == key).count() > 1 {
                    // A cell has room for one value; the round-trip rule demands a refusal.
                    return Err("a document attribute with two values");
                }
                return Ok(maybe(document.attribute(key)));
            }
            _ => {}
        }
        let Some(mention) = self.mention else { return Ok(WrittenCell::Empty) };
        Ok(match field {
            Field::Start => WrittenCell::Whole(mention.span().start),
            Field::End => WrittenCell::Whole(mention.span().end),
            Field::Link => maybe(mention.entity().map(entity).transpose()?),
            Field::Nil => {
                if mention.link().is_nil() {
                    WrittenCell::Flag(true)
                } else {
                    WrittenCell::Empty
                }
            }
            Field::Cluster => maybe(mention.nil_cluster().map(cluster).transpose()?),
            Field::Score => mention.confidence().map_or(WrittenCell::Empty, WrittenCell::Score),
            Field::Type => joined(mention.types())?.map_or(WrittenCell::Empty, WrittenCell::Text),
            Field::Surface => maybe(self.surface),
            Field::Optional => flag(mention.flags(), Flags::OPTIONAL),
            Field::Descriptive => flag(mention.flags(), Flags::DESCRIPTIVE),
            Field::Coreference => coreference(mention.flags())?,
            Field::Side => side(mention.flags()),
            Field::Tags => joined(mention.tags())?.map_or(WrittenCell::Empty, WrittenCell::Text),
            Field::Equivalents => {
                joined(mention.equivalents())?.map_or(WrittenCell::Empty, WrittenCell::Text)
            }
            Field::Candidates => match candidate_cells(&mention)? {
                none if none.is_empty() => WrittenCell::Empty,
                candidates => WrittenCell::Candidates(candidates),
            },
            Field::Attributes => self.attributes(&mention)?,
            _ => WrittenCell::Empty,
        })
    }

    fn attributes(&self, mention: &Mention<'c>) -> Result<WrittenCell<'c>, &'static str> {
        let has_text = self.document.text().is_some();
        let facts: Vec<(&str, &str)> = mention
            .attributes()
            .filter(|&(key, _)| has_text || key != attribute::SURFACE)
            .collect();
        let twice = |(index, (key, _)): (usize, &(&str, &str))| {
            facts[..index].iter().any(|(other, _)| other == key)
        };
        match facts.iter().enumerate().any(twice) {
            true => Err("an attribute with two values"),
            false if facts.is_empty() => Ok(WrittenCell::Empty),
            false => Ok(WrittenCell::Attributes(facts)),
        }
    }
}

fn maybe(text: Option<&str>) -> WrittenCell<'_> {
    text.map_or(WrittenCell::Empty, |text| WrittenCell::Text(text.into()))
}

fn flag(flags: Flags, flag: Flags) -> WrittenCell<'static> {
    if flags.contains(flag) { WrittenCell::Flag(true) } else { WrittenCell::Empty }
}

fn coreference(flags: Flags) -> Result<WrittenCell<'static>, &'static str> {
    match (flags.contains(Flags::COREFERENCE), flags.contains(Flags::NOT_COREFERENCE)) {
        (true, true) => Err("a mention that is a coreference and is none"),
        (true, false) => Ok(WrittenCell::Flag(true)),
        (false, true) => Ok(WrittenCell::Flag(false)),
        (false, false) => Ok(WrittenCell::Empty),
    }
}

fn side(flags: Flags) -> WrittenCell<'static> {
    match (flags.contains(Flags::GOLD), flags.contains(Flags::PREDICTED)) {
        (true, true) => WrittenCell::Text("gold|system".into()),
        (true, false) => WrittenCell::Text("gold".into()),
        (false, true) => WrittenCell::Text("system".into()),
        (false, false) => WrittenCell::Empty,
    }
}

/// An entity, if a table can tell it from NIL.
pub(crate) fn entity(entity: &str) -> Result<&str, &'static str> {
    match nil_in_words(entity) {
        _ if entity.is_empty() => Err("a link to an entity without a name"),
        Some(_) => Err("a link to an entity whose name would be read as NIL"),
        None => Ok(entity),
    }
}

/// A cluster, if it has a name.
pub(crate) fn cluster(cluster: &str) -> Result<&str, &'static str> {
    if cluster.is_empty() { Err("a NIL cluster without a name") } else { Ok(cluster) }
}

/// A list as one cell; `None` when it is empty.
pub(crate) fn joined<'c>(
    mut items: impl Iterator<Item = &'c str>,
) -> Result<Option<Cow<'c, str>>, &'static str> {
    let check = |item: &'c str| match item {
        "" => Err("a list with an empty item"),
        item if item.contains(LIST) => Err("an item of a list that contains `|`"),
        item => Ok(item),
    };
    let Some(first) = items.next() else { return Ok(None) };
    let mut joined = Cow::Borrowed(check(first)?);
    for item in items {
        let text = joined.to_mut();
        text.push(LIST);
        text.push_str(check(item)?);
    }
    Ok(Some(joined))
}
