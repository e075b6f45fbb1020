//! BioC as such: collections of documents of passages, whatever they are spelled in.
//!
//! [`xml`] and [`json`] are the two spellings; what the
//! parts mean is said here once.

mod infons;
mod json;
mod write;
mod xml;

use crate::anchor::Here;
use crate::format::{Info, Offsets};
use crate::placing::fragments::{FRAGMENTS, spelled, whole};
use crate::placing::repair::Placed;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Text;
use infons::{Infons, Said, Scalar, said};
pub(super) use json::BiocJson;
use karat_model::{
    End, Features, Hint, MarkKind, OffsetUnit, Restriction, Span, TextIndex, attribute,
};
use serde::{Deserialize, Deserializer, Serialize};
use write::documents;
pub(super) use xml::BiocXml;

/// What both spellings keep.
const KEEPS: Restriction = Restriction {
    features: Features::TEXT
        .union(Features::EMPTY_DOCUMENTS)
        .union(Features::PASSAGES)
        .union(Features::SENTENCES)
        .union(Features::UNLINKED)
        .union(Features::NIL)
        .union(Features::CONFIDENCE)
        .union(Features::TYPE)
        .union(Features::OVERLAPS)
        .union(Features::REPEATS),
    document_attributes: &["*"],
    annotation_attributes: &["*"],
};

/// A gap beyond this is a mistake, not a gap.
const LONGEST_GAP: u64 = 1 << 20;

/// Where an element of a file is; JSON does not say.
type At = Option<(usize, usize)>;

/// A document.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Article<'t> {
    #[serde(borrow, default)]
    id: Option<Scalar<'t>>,
    #[serde(borrow, default)]
    infons: Infons<'t>,
    #[serde(borrow, default, deserialize_with = "or_empty")]
    passages: Vec<Passage<'t>>,
    #[serde(borrow, default, deserialize_with = "or_empty")]
    annotations: Vec<Entity<'t>>,
    #[serde(skip_deserializing)]
    // Written as an empty list, as other writers do; relations themselves are not kept.
    relations: [(); 0],
    #[serde(skip)]
    at: At,
}

/// A passage of a document, or a sentence of a passage.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Passage<'t> {
    #[serde(borrow, default, serialize_with = "infons::as_number")]
    offset: Option<Scalar<'t>>,
    #[serde(borrow, default)]
    infons: Infons<'t>,
    #[serde(borrow, default)]
    text: Option<Scalar<'t>>,
    #[serde(borrow, default, deserialize_with = "or_empty")]
    sentences: Vec<Passage<'t>>,
    #[serde(borrow, default, deserialize_with = "or_empty")]
    annotations: Vec<Entity<'t>>,
    #[serde(skip_deserializing)]
    relations: [(); 0],
    #[serde(skip)]
    at: At,
}

/// An annotation.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Entity<'t> {
    #[serde(borrow, default)]
    id: Scalar<'t>,
    #[serde(borrow, default)]
    infons: Infons<'t>,
    #[serde(borrow, default)]
    text: Option<Scalar<'t>>,
    #[serde(borrow, default, deserialize_with = "or_empty")]
    locations: Vec<Location<'t>>,
    #[serde(skip)]
    at: At,
}

/// Where a part of an annotation is.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Location<'t> {
    #[serde(borrow, default, serialize_with = "infons::as_number")]
    offset: Option<Scalar<'t>>,
    #[serde(borrow, default, serialize_with = "infons::as_number")]
    length: Option<Scalar<'t>>,
}

fn or_empty<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    Ok(Option::<Vec<T>>::deserialize(from)?.unwrap_or_default())
}

/// The place of an element, or of one of the strings in it.
fn here<'t>(text: &'t Text<'t>, at: At, parts: &[Option<&Scalar<'_>>]) -> Here<'t> {
    if let Some((at, len)) = at {
        return Here { text, at, len };
    }
    let parts = parts.iter().flatten().map(|part| part.as_str());
    // A string that was unescaped is a copy and has no place in the file; one that borrows from it
    // has.
    let found = parts.filter(|part| !part.is_empty()).find(|part| text.offset_of(part) > 0);
    found.map_or(Here { text, at: 0, len: 1 }, |part| Here::of(text, part))
}

/// What is needed to read a document.
struct Context<'c> {
    text: &'c Text<'c>,
    offsets: Offsets,
}

/// Adds a document to the corpus.
fn read_article(
    text: &Text<'_>,
    info: &Info,
    article: &Article<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let offsets = Offsets { end: End::Exclusive, ..reading.unit(info.offsets) };
    let context = Context { text, offsets };
    let place = here(text, article.at, &[article.id.as_ref()]);
    let Some(id) = article.id.as_ref() else {
        let problem = place.problem(Kind::Malformed, "the document has no id");
        return reading.report(problem.hint("every document of a BioC collection needs an `id`"));
    };
    let mut assembly = Assembly::new(offsets.unit);
    let mut passages = Vec::new();
    // All passages are put together before the first mention is read: offsets count from the start
    // of the document, and mentions need its whole text.
    for passage in &article.passages {
        let placed = assembly.add(&context, passage);
        if reading.accept(placed)?.is_some() {
            passages.push(passage);
        }
    }
    let before = reading.corpus.len();
    if !reading.begin_document(place, id.as_str(), &assembly.text)? {
        return Ok(());
    }
    // What goes on has its facts already.
    let is_new = reading.corpus.len() > before;
    for (key, value) in article.infons.0.iter().filter(|_| is_new) {
        reading.corpus.document_attribute(key.as_str(), value.as_str());
    }
    for (kind, span, value) in assembly.marks.iter().filter(|_| is_new) {
        reading.corpus.mark(*kind, *span, value);
    }
    let index = TextIndex::new(&assembly.text);
    for passage in passages {
        read_entities(&context, &index, Some(passage), &passage.annotations, reading)?;
        for sentence in &passage.sentences {
            read_entities(&context, &index, Some(sentence), &sentence.annotations, reading)?;
        }
    }
    read_entities(&context, &index, None, &article.annotations, reading)
}

/// The text of a document, put together from its passages.
struct Assembly {
    unit: OffsetUnit,
    text: String,
    /// Length of the text in the unit of the file, and in code points.
    length: u64,
    positions: u32,
    marks: Vec<(MarkKind, Span, String)>,
}

impl Assembly {
    fn new(unit: OffsetUnit) -> Assembly {
        Assembly { unit, text: String::new(), length: 0, positions: 0, marks: Vec::new() }
    }

    fn add(&mut self, context: &Context<'_>, passage: &Passage<'_>) -> Result<(), Problem> {
        // Some writers give a passage whose sentences have its text an empty one.
        let own = passage
            .text
            .as_ref()
            .filter(|text| !text.as_str().is_empty() || passage.sentences.is_empty());
        let span = if let Some(text) = own {
            let span = self.place(context, passage, text.as_str())?;
            self.mark_sentences(passage, span, text.as_str());
            Some(span)
        } else {
            let mut sentences = Vec::new();
            for sentence in &passage.sentences {
                let text = sentence.text.as_ref().map_or("", Scalar::as_str);
                let span = self.place(context, sentence, text)?;
                self.marks.push((MarkKind::Sentence, span, String::new()));
                sentences.push(span);
            }
            // A passage may have its text only in its sentences.
            whole(&sentences)
        };
        if let (Some(span), Some(kind)) = (span, passage.infons.get("type")) {
            self.marks.push((MarkKind::Passage, span, kind.to_owned()));
        }
        Ok(())
    }

    /// Appends a text at its offset.
    fn place(
        &mut self,
        context: &Context<'_>,
        passage: &Passage<'_>,
        text: &str,
    ) -> Result<Span, Problem> {
        let place = here(context.text, passage.at, &[passage.text.as_ref()]);
        let offset = number(place, passage.offset.as_ref(), "the passage has no offset")?;
        let unit = self.unit;
        // Signed differences would hide it: passages that overlap make two texts of one place.
        let Some(gap) = offset.checked_sub(self.length) else {
            let message = format!(
                "the passage starts at {offset}, before the end of the one before it at {}",
                self.length
            );
            return Err(place.problem(Kind::Overlap, message).hint(
                Hint::from(format!("passages must be in order; offsets were read as {unit}, say "))
                    .then(Hint::template("`{unit=code-points}`, `{unit=bytes}` or `{unit=utf16}`"))
                    .text(" if the file counts differently"),
            ));
        };
        // Offsets come from the file, and a single wrong one must not ask for gigabytes of spaces.
        if gap > LONGEST_GAP {
            let message =
                format!("the passage starts at {offset}, {gap} {unit} after the one before it");
            return Err(place
                .problem(Kind::Offset, message)
                .hint("offsets count from the start of the document"));
        }
        self.append(&filling(usize::try_from(gap).unwrap_or(0)));
        let start = self.positions;
        self.append(text);
        Ok(Span::new(start, self.positions))
    }

    fn append(&mut self, text: &str) {
        let characters = text.chars().count();
        self.text.push_str(text);
        self.positions =
            self.positions.saturating_add(u32::try_from(characters).unwrap_or(u32::MAX));
        self.length += match self.unit {
            OffsetUnit::Bytes => text.len() as u64,
            OffsetUnit::Utf16 => text.encode_utf16().count() as u64,
            _ => characters as u64,
        };
    }

    /// Sentences of a passage that has its text itself.
    fn mark_sentences(&mut self, passage: &Passage<'_>, span: Span, text: &str) {
        let index = TextIndex::new(text);
        let offset = |passage: &Passage<'_>| passage.offset.as_ref()?.as_str().trim().parse().ok();
        let Some(base): Option<u64> = offset(passage) else { return };
        for sentence in &passage.sentences {
            let start = offset(sentence).and_then(|start: u64| start.checked_sub(base));
            let start = start.and_then(|start| index.to_code_points(start, self.unit));
            let content = sentence.text.as_ref().map_or("", Scalar::as_str);
            let length = u32::try_from(content.chars().count()).unwrap_or(u32::MAX);
            let found = start.map(|start| Span::new(start, start.saturating_add(length)));
            // The text of the passage decides. A sentence whose offset does not fit it is left out;
            // sentences only divide results and are no reason to refuse a file.
            if let Some(found) = found.filter(|&found| index.slice(found) == Some(content)) {
                let found = Span::new(span.start + found.start, span.start + found.end);
                self.marks.push((MarkKind::Sentence, found, String::new()));
            }
        }
    }
}

/// What stands between passages: a line break, and spaces for the rest of a longer gap.
fn filling(length: usize) -> String {
    if length == 0 { String::new() } else { format!("\n{}", " ".repeat(length - 1)) }
}

fn number(place: Here<'_>, value: Option<&Scalar<'_>>, missing: &str) -> Result<u64, Problem> {
    let Some(value) = value else {
        return Err(place.problem(Kind::Malformed, missing).hint("offsets are whole numbers"));
    };
    value.as_str().trim().parse().map_err(|_| {
        let message = format!("expected a whole number, found `{}`", value.as_str());
        place.problem(Kind::Malformed, message).hint("offsets and lengths are whole numbers")
    })
}

fn read_entities(
    context: &Context<'_>,
    index: &TextIndex<'_>,
    passage: Option<&Passage<'_>>,
    entities: &[Entity<'_>],
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    for entity in entities {
        // An annotation without a place is about the document, not a mention.
        if entity.locations.is_empty() {
            continue;
        }
        let better = |problem| better_hint(problem, context, passage, entity);
        let parts = read_parts(context, index, entity).map_err(better);
        let Some(placed) = reading.accept(parts)? else { continue };
        let mut parts = Vec::with_capacity(placed.len());
        for part in placed {
            parts.extend(reading.accept_placed(part.located(better))?);
        }
        let Some(span) = whole(&parts) else { continue };
        let fragments = if parts.len() > 1 {
            let message = format!(
                "the mention has {} parts; it is read as the whole stretch {span}",
                parts.len()
            );
            let place = here(context.text, entity.at, &[Some(&entity.id), entity.text.as_ref()]);
            reading.repaired(place.problem(Kind::Offset, message));
            spelled(&parts)
        } else {
            String::new()
        };
        let Said { link, kind, confidence, attributes } = said(&entity.infons, &mut reading.corpus);
        let mut annotation = reading
            .corpus
            .annotate(span, link)
            .types([kind])
            .confidence(confidence)
            .attribute(attribute::ID, entity.id.as_str())
            .attribute(FRAGMENTS, &fragments);
        for (key, value) in attributes {
            annotation = annotation.attribute(key, value);
        }
    }
    Ok(())
}

fn read_parts(
    context: &Context<'_>,
    index: &TextIndex<'_>,
    entity: &Entity<'_>,
) -> Result<Vec<Placed>, Problem> {
    let place = here(context.text, entity.at, &[Some(&entity.id), entity.text.as_ref()]);
    // The text of several parts is joined in more than one way; it is not checked.
    let surface = entity.text.as_ref().map(Scalar::as_str);
    let surface = surface.filter(|text| !text.is_empty() && entity.locations.len() == 1);
    let mut parts = Vec::new();
    for location in &entity.locations {
        let start = number(place, location.offset.as_ref(), "the location has no offset")?;
        let length = number(place, location.length.as_ref(), "the location has no length")?;
        // Saturating: the sum of two hostile numbers lies outside of the text, which is reported.
        let end = start.saturating_add(length);
        let placed = place.place(index, context.offsets, start, end, surface)?;
        let span = placed.span;
        if span.is_empty() {
            let message = format!("the mention at {span} is empty");
            return Err(place.problem(Kind::Offset, message).hint("its length must be at least 1"));
        }
        parts.push(placed);
    }
    Ok(parts)
}

/// Names the unit in which a mention would be where the file says, if there is one.
fn better_hint(
    problem: Problem,
    context: &Context<'_>,
    passage: Option<&Passage<'_>>,
    entity: &Entity<'_>,
) -> Problem {
    let fits = |unit: OffsetUnit| {
        let value = |scalar: &Scalar<'_>| scalar.as_str().trim().parse::<u64>().ok();
        let location = entity.locations.first()?;
        let base = value(passage?.offset.as_ref()?)?;
        let start = value(location.offset.as_ref()?)?.checked_sub(base)?;
        let end = start.checked_add(value(location.length.as_ref()?)?)?;
        let index = TextIndex::new(passage?.text.as_ref()?.as_str());
        let span = Span::new(index.to_code_points(start, unit)?, index.to_code_points(end, unit)?);
        (index.slice(span)? == entity.text.as_ref()?.as_str()).then_some(())
    };
    let units = [
        (OffsetUnit::Bytes, "bytes"),
        (OffsetUnit::Utf16, "utf16"),
        (OffsetUnit::CodePoints, "code-points"),
    ];
    let other =
        units.iter().find(|(unit, _)| *unit != context.offsets.unit && fits(*unit).is_some());
    match other {
        Some((unit, option)) => {
            let counted = format!("counted in {unit} the mention is where the file says: try ");
            problem.hint(Hint::from(counted).setting("unit", *option))
        }
        None => problem,
    }
}
