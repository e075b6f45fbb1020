//! PubAnnotation: JSON with the text of a document and denotations on it.

use crate::anchor::Here;
use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::placing::fragments::{FRAGMENTS, parsed, spelled, whole};
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Source;
use crate::syntax::json::{
    InRecord, Object, Outline, each_record, first_string, objects, offset, string, text,
};
use karat_model::{Corpus, Document, Features, Link, Mention, Restriction, Span, TextIndex};
use serde_json::{Value, json};
use std::collections::HashMap;

/// The format.
#[derive(Debug)]
pub(crate) struct PubAnnotation;

const HINT: &str =
    "each document has `text` and `denotations` with `span` (`begin` and `end`) and `obj`";
const MENTIONS: &str = "denotations";
/// The predicates of attributes that say which entity a denotation means.
const IDENTIFIES: [&str; 10] = [
    "tao:has_database_id",
    "tao:has_standard_notation_id",
    "has_database_id",
    "identifier",
    "has_identifier",
    "resolved_to",
    "normalized_to",
    "denotes",
    "skos:exactMatch",
    "owl:sameAs",
];
/// What a denotation has where nothing is known of it: `obj` must not be missing.
const UNTYPED: &str = "-";

static INFO: Info = Info {
    name: "pubannotation",
    title: "PubAnnotation JSON",
    about: "`{\"text\", \"sourcedb\", \"sourceid\", \"denotations\": [{\"id\", \"span\": {\"begin\", \"end\"}, \"obj\"}], \"attributes\": [{\"subj\", \"pred\", \"obj\"}]}`, \
            one document, an array of them, or one per line; those of several `tracks` are put together. An attribute such as \
            `tao:has_database_id` or `identifier` is the link, a second one an equivalent, and `obj` then is the type; without one, an `obj` that is an IRI or \
            a prefixed id (`uniprot:P12345`) is the link, and any other the type. Documents are named by `sourceid`, with `-divid` for a division. \
            Mentions of several spans are kept as `fragments`; relations, blocks and other attributes are left out.",
    reference: "https://www.pubannotation.org/docs/annotation-format/",
    extensions: &["pubannotation.json"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::File),
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::TYPE)
            .union(Features::EQUIVALENTS)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS)
            .union(Features::EMPTY_SPANS),
        document_attributes: &["sourcedb"],
        annotation_attributes: &[FRAGMENTS],
    },
};

impl Format for PubAnnotation {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let outline = Outline::of_first(sample);
        let is_named = outline.has(1, "sourceid") || outline.has(1, "target");
        let has_mentions = outline.has(1, MENTIONS) || outline.has(1, "tracks");
        match (outline.has(1, "text"), has_mentions, is_named) {
            (true, true, _) if outline.has(1, MENTIONS) || outline.has_any(MENTIONS) => 95,
            (true, true, true) => 90,
            // A document without annotations, or one whose text is longer than the sample.
            (true, false, true) => 60,
            _ => 0,
        }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let mut number = 0;
        for file in files {
            let content = file.text()?;
            each_record(&content, HINT, reading, |record, object, reading| {
                number += 1;
                let read = read_document(&record, &object, number - 1, reading);
                reading.accept(read).map(|_| ())
            })?;
        }
        Ok(())
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        output.single(|out| {
            out.write_all(b"[")?;
            for (number, document) in corpus.documents().enumerate() {
                let separator = if number > 0 { "," } else { "" };
                write!(out, "{separator}\n{}", written(&document)?)?;
            }
            Ok(out.write_all(b"\n]\n")?)
        })
    }
}

fn read_document(
    record: &InRecord<'_>,
    object: &Object,
    number: usize,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let Some(content) = text(object, "text") else {
        let message = "expected a field `text` with a string";
        return Err(record.here.problem(Kind::Malformed, message).hint(HINT));
    };
    let name = name(object).unwrap_or_else(|| number.to_string());
    let known = reading.corpus.len();
    if !reading.begin_document(record.here, &name, content)? {
        return Ok(());
    }
    // A document that goes on was described before.
    if let Some(database) = text(object, "sourcedb").filter(|_| reading.corpus.len() > known) {
        reading.corpus.document_attribute("sourcedb", database);
    }
    let index = TextIndex::new(content);
    read_track(record, object, &index, true, reading)?;
    for track in objects(object, "tracks") {
        read_track(record, track, &index, false, reading)?;
    }
    Ok(())
}

/// `sourceid`, or the end of the address in `target`.
fn name(object: &Object) -> Option<String> {
    let of_target = || {
        let target = text(object, "target")?;
        let (_, path) = target.rsplit_once("/sourceid/")?;
        Some(path.replace("/divid/", "-").trim_end_matches('/').to_owned())
    };
    let Some(id) = first_string(object, &["sourceid", "source_id"]) else { return of_target() };
    Some(match string(object, "divid") {
        Some(division) => format!("{id}-{division}"),
        None => id,
    })
}

fn read_track(
    record: &InRecord<'_>,
    track: &Object,
    index: &TextIndex<'_>,
    is_located: bool,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let mut links: HashMap<&str, Vec<&str>> = HashMap::new();
    for fact in objects(track, "attributes") {
        let (subject, predicate) = (text(fact, "subj"), text(fact, "pred"));
        if let (Some(subject), Some(predicate), Some(link)) =
            (subject, predicate, text(fact, "obj"))
            && IDENTIFIES.contains(&predicate)
        {
            links.entry(subject).or_default().push(link);
        }
    }
    for (item, denotation) in objects(track, MENTIONS).enumerate() {
        let located = |problem: Problem| match is_located {
            true => record.locate(MENTIONS, item, problem),
            false => problem,
        };
        let links =
            text(denotation, "id").and_then(|id| links.get(id)).map_or(&[][..], Vec::as_slice);
        let added = add(record, denotation, links, index, &located, reading);
        reading.accept(added)?;
    }
    Ok(())
}

fn add(
    record: &InRecord<'_>,
    denotation: &Object,
    links: &[&str],
    index: &TextIndex<'_>,
    located: &dyn Fn(Problem) -> Problem,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let offsets = reading.offsets(INFO.offsets);
    let parts = parts(record.here, denotation, index, offsets).map_err(located)?;
    let Some(span) = whole(&parts) else {
        let problem =
            record.here.problem(Kind::Malformed, "expected a `span` with `begin` and `end`");
        return Err(located(problem.hint(HINT)));
    };
    let said = text(denotation, "obj").unwrap_or_default();
    let (link, kind) = match links.first() {
        Some(&first) => (first, said),
        None if is_identifier(said) => (said, ""),
        None => ("", said),
    };
    let link = match link {
        "" => Link::NONE,
        "NIL" => Link::NIL,
        id => Link::to(reading.corpus.intern(id)),
    };
    let kind = Some(kind).filter(|kind| !kind.is_empty() && *kind != UNTYPED);
    let mut annotation = reading.corpus.annotate(span, link).types(kind);
    for other in links.iter().skip(1) {
        annotation = annotation.equivalent(other);
    }
    if parts.len() > 1 {
        annotation.attribute(FRAGMENTS, &spelled(&parts));
    }
    Ok(())
}

fn parts(
    here: Here<'_>,
    denotation: &Object,
    index: &TextIndex<'_>,
    offsets: Offsets,
) -> Result<Vec<Span>, Problem> {
    let spans: Vec<&Object> = match denotation.get("span") {
        Some(Value::Object(span)) => vec![span],
        Some(Value::Array(_)) => objects(denotation, "span").collect(),
        // An early spelling, which tools still read.
        _ => vec![denotation],
    };
    let mut parts = Vec::with_capacity(spans.len());
    for span in spans {
        let (Some(start), Some(end)) = (offset(span, "begin"), offset(span, "end")) else {
            let message = "expected a `span` with `begin` and `end`, which are whole numbers";
            return Err(here.problem(Kind::Malformed, message).hint(HINT));
        };
        parts.push(here.anchor(index, offsets, start, end, None)?);
    }
    parts.sort_unstable();
    Ok(parts)
}

/// Whether a label names an entity and not a class: an IRI, or an id with the prefix of its database.
fn is_identifier(label: &str) -> bool {
    let Some((prefix, local)) = label.split_once(':') else { return false };
    let is_prefix = prefix.starts_with(|c: char| c.is_ascii_alphabetic())
        && prefix.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let is_local = !local.is_empty() && !local.contains(char::is_whitespace);
    // `tao:Gene` and the like are classes: ids of databases have digits, unless they are addresses.
    is_prefix
        && is_local
        && (local.starts_with("//") || local.contains(|c: char| c.is_ascii_digit()))
}

fn written(document: &Document<'_>) -> Result<Value, WriteError> {
    let (mut denotations, mut attributes) = (Vec::new(), Vec::new());
    for (number, mention) in document.mentions().enumerate() {
        let id = format!("T{}", number + 1);
        denotations.push(denotation(&mention, &id)?);
        for link in links(&mention)? {
            let number = attributes.len() + 1;
            attributes.push(json!({
                "id": format!("A{number}"), "subj": id, "pred": IDENTIFIES[0], "obj": link,
            }));
        }
    }
    let mut object = Object::new();
    object.insert("text".into(), document.text().unwrap_or_default().into());
    if let Some(database) = document.attribute("sourcedb") {
        object.insert("sourcedb".into(), database.into());
    }
    object.insert("sourceid".into(), document.name().into());
    object.insert(MENTIONS.into(), denotations.into());
    if !attributes.is_empty() {
        object.insert("attributes".into(), attributes.into());
    }
    Ok(Value::Object(object))
}

fn denotation(mention: &Mention<'_>, id: &str) -> Result<Value, WriteError> {
    let place = |span: Span| json!({"begin": span.start, "end": span.end});
    let span = match mention.attribute(FRAGMENTS) {
        None => place(mention.span()),
        Some(value) => match parsed(value, mention.span()) {
            Some(mut parts) if parts.is_sorted() => {
                parts.sort_unstable();
                parts.into_iter().map(place).collect()
            }
            _ => {
                let message = format!("bad `{FRAGMENTS}`: `{value}`");
                return Err(WriteError::unrepresentable(mention.document().name(), message));
            }
        },
    };
    let kind = mention.types().next();
    if kind == Some(UNTYPED) {
        let message = format!("the type `{UNTYPED}` would be read as none");
        return Err(WriteError::unrepresentable(mention.document().name(), message));
    }
    Ok(json!({"id": id, "span": span, "obj": kind.unwrap_or(UNTYPED)}))
}

/// What identifies a mention. A type that looks like an id would be taken for one if there were nothing.
fn links<'m>(mention: &Mention<'m>) -> Result<Vec<&'m str>, WriteError> {
    let refuse =
        |message: &str| Err(WriteError::unrepresentable(mention.document().name(), message));
    let equivalents: Vec<&str> = mention.equivalents().collect();
    let mut links = match mention.entity() {
        Some("" | "NIL") => return refuse("an entity has a name that is read as none"),
        Some(entity) => vec![entity],
        None if mention.link().is_nil() => vec!["NIL"],
        None if !equivalents.is_empty() || mention.types().next().is_some_and(is_identifier) => {
            vec![""]
        }
        None => Vec::new(),
    };
    links.extend(equivalents);
    Ok(links)
}

#[cfg(test)]
mod tests;
