//! Files of single mentions, each with the text to its left and right.
//!
//! Such a file repeats the text of a document for each of its mentions. The
//! mentions of a document are put back together: its text is the longest of the
//! contexts, and a mention whose context is a part of that text, found there
//! once, is placed in it. A context that was cut out differently and fits
//! nowhere becomes a document of its own, named by the id of the mention.

use crate::anchor::Here;
use crate::block::refused_document;
use crate::problem::Problem;
use crate::reading::Reading;
use crate::source::Source;
use crate::syntax::json::{Object, each_line};
use karat_model::{Link, Span, TextIndex};
use std::collections::HashMap;

/// One mention with its context.
#[derive(Debug)]
pub(crate) struct InContext {
    /// The id of the mention; empty for none.
    pub(crate) id: String,
    /// The document the id names, if it names one.
    pub(crate) document: Option<String>,
    /// The context, the mention included.
    pub(crate) text: String,
    /// The bytes of the context that are the mention.
    pub(crate) mention: std::ops::Range<usize>,
    /// What it is linked to.
    pub(crate) answer: Answer,
    /// Further answers that are just as right.
    pub(crate) equivalents: Vec<String>,
    /// Further facts.
    pub(crate) attributes: Vec<(&'static str, String)>,
}

/// The answer of a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// An entity.
    Entity(String),
    /// Not in the knowledge base.
    Nil,
    /// None given.
    None,
}

impl InContext {
    /// Joins the three parts. Contexts are usually stripped, so where two parts
    /// meet without a space between them, one is put in.
    pub(crate) fn joined(
        left: &str,
        mention: &str,
        right: &str,
    ) -> (String, std::ops::Range<usize>) {
        let mention = mention.trim();
        let mut text = left.to_owned();
        if !left.is_empty() && !left.ends_with(char::is_whitespace) {
            text.push(' ');
        }
        let start = text.len();
        text.push_str(mention);
        let end = text.len();
        if !right.is_empty() && !right.starts_with(char::is_whitespace) {
            text.push(' ');
        }
        text.push_str(right);
        (text, start..end)
    }
}

/// The document and the mention in an id like `947testa CRICKET:3`, with or
/// without the random prefix that some files put before it.
pub(crate) fn document_of(id: &str) -> Option<&str> {
    let (document, number) = id.rsplit_once(':')?;
    let counts = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let document = without_uuid(document);
    (counts && !document.is_empty()).then_some(document)
}

/// KILT's own converter writes `<uuid>_<id>`.
fn without_uuid(id: &str) -> &str {
    let is_uuid = |prefix: &str| {
        prefix.len() == 36
            && prefix.bytes().enumerate().all(|(at, byte)| match at {
                8 | 13 | 18 | 23 => byte == b'-',
                _ => byte.is_ascii_hexdigit(),
            })
    };
    id.split_once('_').filter(|(prefix, _)| is_uuid(prefix)).map_or(id, |(_, rest)| rest)
}

/// Reads files with the JSON object of one mention per line.
pub(crate) fn read(
    files: &[Source],
    hint: &'static str,
    reading: &mut Reading<'_>,
    mention: impl Fn(&Object, Here<'_>) -> Result<InContext, Problem>,
) -> Result<(), Problem> {
    for file in files {
        let text = file.text()?;
        let mut mentions = Vec::new();
        each_line(&text, hint, reading, |record, here, reading| {
            mentions.extend(reading.accept(mention(&record, here))?);
            Ok(())
        })?;
        add_all(mentions, file.name(), reading)?;
    }
    Ok(())
}

/// Adds the mentions of a file, in the order of the file, gathered by document.
fn add_all(
    mentions: Vec<InContext>,
    source_name: &str,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let before = reading.corpus.len();
    for mut group in by_document(mentions, before) {
        let longest =
            group.mentions.iter().map(|mention| &mention.text).max_by_key(|text| text.len());
        let text = longest.cloned().unwrap_or_default();
        let (inside, outside): (Vec<_>, Vec<_>) = group
            .mentions
            .drain(..)
            .map(|mention| (place(&mention.text, &text), mention))
            .partition(|(shift, _)| shift.is_some());
        if begin(&group.name, &text, source_name, reading)? {
            let index = TextIndex::new(&text);
            for (shift, mention) in &inside {
                annotate(mention, shift.unwrap_or_default(), &index, reading);
            }
        }
        for (number, (_, mention)) in outside.iter().enumerate() {
            let name = match mention.id.is_empty() {
                true => format!("{}#{}", group.name, number + 1),
                false => mention.id.clone(),
            };
            if begin(&name, &mention.text, source_name, reading)? {
                annotate(mention, 0, &TextIndex::new(&mention.text), reading);
            }
        }
    }
    Ok(())
}

struct Group {
    name: String,
    mentions: Vec<InContext>,
}

/// The mentions by document; one without any id is named by its position, counted
/// on from the documents `before` it.
fn by_document(mentions: Vec<InContext>, before: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for (position, mention) in mentions.into_iter().enumerate() {
        let group = match &mention.document {
            Some(document) => *known.entry(document.clone()).or_insert(groups.len()),
            None => groups.len(),
        };
        if group == groups.len() {
            let own = || {
                if mention.id.is_empty() {
                    (before + position).to_string()
                } else {
                    mention.id.clone()
                }
            };
            let name = mention.document.clone().unwrap_or_else(own);
            groups.push(Group { name, mentions: Vec::new() });
        }
        groups[group].mentions.push(mention);
    }
    groups
}

/// Where a context begins in the text of its document, if it is there once.
fn place(context: &str, text: &str) -> Option<usize> {
    if context == text {
        return Some(0);
    }
    // A context that occurs twice does not say which place is meant.
    let mut found = memchr::memmem::find_iter(text.as_bytes(), context);
    found.next().filter(|_| found.next().is_none())
}

fn begin(
    name: &str,
    text: &str,
    source_name: &str,
    reading: &mut Reading<'_>,
) -> Result<bool, Problem> {
    if let Err(duplicate) = reading.corpus.begin_document(name) {
        reading.report(refused_document(source_name, &duplicate))?;
        return Ok(false);
    }
    reading.corpus.set_text(text);
    Ok(true)
}

fn annotate(mention: &InContext, shift: usize, index: &TextIndex<'_>, reading: &mut Reading<'_>) {
    let position = |byte: usize| index.position_of_byte(shift + byte).unwrap_or_default();
    let span = Span::new(position(mention.mention.start), position(mention.mention.end));
    let link = match &mention.answer {
        Answer::Entity(entity) => Link::to(reading.corpus.intern(entity)),
        Answer::Nil => Link::NIL,
        Answer::None => Link::NONE,
    };
    let mut annotation = reading.corpus.annotate(span, link);
    for equivalent in &mention.equivalents {
        annotation = annotation.equivalent(equivalent);
    }
    for (key, value) in &mention.attributes {
        annotation = annotation.attribute(key, value);
    }
}

/// The problem of a line without one of its fields.
pub(crate) fn missing(here: Here<'_>, field: &str, hint: &'static str) -> Problem {
    let message = format!("expected a field `{field}` with a string");
    here.problem(crate::problem::Kind::Malformed, message).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_name_documents() {
        for (id, document) in [
            ("947testa CRICKET:0", Some("947testa CRICKET")),
            ("1c2d0a6e-8b1f-4f7e-9a53-2f8f4d1f0b11_1 EU:12", Some("1 EU")),
            ("a:b:7", Some("a:b")),
            ("17", None),
            ("http://x", None),
            (":3", None),
            ("x:", None),
        ] {
            assert_eq!(document_of(id), document, "{id}");
        }
    }

    #[test]
    fn parts_are_joined_by_one_space() {
        for (left, right, text) in [
            ("", "", "Rome"),
            ("in", ", now", "in Rome , now"),
            ("in ", " now", "in Rome now"),
            ("in\n", "now", "in\nRome now"),
        ] {
            let (joined, mention) = InContext::joined(left, " Rome ", right);
            assert_eq!((joined.as_str(), &joined[mention]), (text, "Rome"));
        }
    }
}
