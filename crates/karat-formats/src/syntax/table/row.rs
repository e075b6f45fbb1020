//! From rows to a corpus.

use super::LIST;
use super::field::Field;
use super::json::attributes_from_json;
use super::value::{
    RepeatedString, Value, both, candidates, found, json, link, list, nil, score, side, strings,
    text, truth, whole,
};
use crate::anchor::Here;
use crate::format::Offsets;
use crate::placing::repair::{Fit, Placed};
use crate::problem::{Flaw, Kind, Problem};
use crate::reading::Reading;
use crate::source::Text;
use crate::syntax::nil::NilWords;
use karat_model::{CorpusBuilder, End, Flags, Hint, Link, Span, StrId, TextIndex, attribute};
use std::ops::Range;

/// Says where in the file a problem is.
pub trait Locate {
    /// The problem, placed at a field of the row.
    fn locate(&self, place: u64, field: Field, problem: Problem) -> Problem;
}

/// The rows of one block of a file, on their way into a corpus.
#[derive(Debug, Default)]
pub struct Rows {
    rows: Vec<Row>,
    /// Texts and surface forms.
    strings: String,
    last_text: Range<usize>,
    /// The last string of a field and what it was found to be.
    last: [Option<(String, RepeatedString)>; 4],
    /// The places of the mentions of one document.
    spans: Vec<Option<Placed>>,
    /// How many mentions have no link and are not said to be NIL.
    empty_links: usize,
}

#[derive(Debug)]
struct Row {
    place: u64,
    document: StrId,
    start: Option<u64>,
    end: Option<u64>,
    length: Option<u64>,
    link: Link,
    nil: Option<Link>,
    score: f64,
    types: StrId,
    flags: Flags,
    surface: Option<Range<usize>>,
    text: Option<Range<usize>>,
    rest: Option<Box<Rest>>,
    /// Whether it was reported, and only says something of its document.
    is_bad: bool,
}

/// What few rows have.
#[derive(Debug, Default)]
struct Rest {
    tags: Vec<String>,
    equivalents: Vec<String>,
    candidates: Vec<(Link, f64, StrId)>,
    attributes: Vec<(String, String)>,
    document: Vec<(&'static str, String)>,
}

impl Row {
    fn new(place: u64) -> Row {
        Row {
            place,
            document: StrId::EMPTY,
            start: None,
            end: None,
            length: None,
            link: Link::NONE,
            nil: None,
            score: f64::NAN,
            types: StrId::EMPTY,
            flags: Flags::empty(),
            surface: None,
            text: None,
            rest: None,
            is_bad: false,
        }
    }

    fn rest(&mut self) -> &mut Rest {
        self.rest.get_or_insert_default()
    }
}

/// What is wrong with a row, at which field.
type Fault = (Field, Kind, String);

impl Rows {
    /// Looks a string of a field up; `None` for fields whose strings rarely repeat.
    pub fn known(
        &mut self,
        corpus: &mut CorpusBuilder,
        field: Field,
        text: &str,
    ) -> Option<RepeatedString> {
        let slot = match field {
            Field::Document => 0,
            Field::Link => 1,
            Field::Type => 2,
            Field::Cluster => 3,
            _ => return None,
        };
        // Rows of a document follow each other, and links and types repeat: comparing with the last
        // string is cheaper than hashing.
        if let Some((last, known)) = &self.last[slot]
            && last == text
        {
            return Some(*known);
        }
        let known = match field {
            Field::Link => RepeatedString::Link(link(corpus, text)),
            Field::Type => RepeatedString::Id(corpus.intern_list(text.split(LIST))),
            _ => RepeatedString::Id(corpus.intern(text)),
        };
        match &mut self.last[slot] {
            Some((last, value)) => {
                text.clone_into(last);
                *value = known;
            }
            empty => *empty = Some((text.to_owned(), known)),
        }
        Some(known)
    }

    /// Takes a row in; a bad one is reported.
    pub fn push<'a>(
        &mut self,
        reading: &mut Reading<'_>,
        source_name: &str,
        locate: &dyn Locate,
        place: u64,
        cells: impl Iterator<Item = (Field, Value<'a>)>,
    ) -> Result<(), Problem> {
        let mut row = Row::new(place);
        let mut fault: Option<Fault> = None;
        for (field, value) in cells {
            // Of a bad row only what it says of its document is wanted, above all the text, by which
            // others are checked.
            if fault.is_some() && !field.is_of_document() {
                continue;
            }
            if let Err(flaw) = self.set(&mut row, &mut reading.corpus, field, value) {
                fault.get_or_insert((field, Kind::Malformed, flaw.into()));
            }
        }
        // `NULL` beside a column that says NIL is no entity that is NIL at the same time.
        if let (Some(_), Some(entity)) = (row.nil, row.link.entity())
            && NilWords::All.contain(reading.corpus.strings().get(entity))
        {
            row.link = Link::NONE;
        }
        match fault.or_else(|| row.checked().err()) {
            None => self.rows.push(row),
            Some((field, kind, message)) => {
                let problem = Problem::new(kind, source_name, message).hint(HINT);
                reading.report(locate.locate(place, field, problem))?;
                self.rows.extend(row.text_alone());
            }
        }
        Ok(())
    }

    fn set(
        &mut self,
        row: &mut Row,
        corpus: &mut CorpusBuilder,
        field: Field,
        value: Value<'_>,
    ) -> Result<(), Flaw> {
        let value = match value {
            Value::Missing => return Ok(()),
            Value::Json(serde_json::Value::Null) => return Ok(()),
            value => value,
        };
        match field {
            Field::Document | Field::Link | Field::Cluster | Field::Type => {
                if let Value::Known(known) = value {
                    row.set_known(field, known);
                    return Ok(());
                }
                if let (Field::Link, Some(ids)) = (field, strings(&value)?) {
                    row.set_ranked(ids.iter().map(|id| link(corpus, id)).collect());
                    return Ok(());
                }
                let text = text(&value)?;
                if let Some(known) = self.known(corpus, field, &text) {
                    row.set_known(field, known);
                }
            }
            Field::Start => match both(&value) {
                Some((start, end)) => (row.start, row.end) = (Some(start), Some(end)),
                None => row.start = whole(&value)?,
            },
            Field::End => row.end = whole(&value)?,
            Field::Length => row.length = whole(&value)?,
            Field::Score => row.score = score(&value)?,
            Field::Nil => row.set_nil(nil(corpus, &value)?),
            Field::Optional => row.flag(&value, Flags::OPTIONAL, Flags::empty())?,
            Field::Descriptive => row.flag(&value, Flags::DESCRIPTIVE, Flags::empty())?,
            Field::Coreference => row.flag(&value, Flags::COREFERENCE, Flags::NOT_COREFERENCE)?,
            Field::Side => row.flags |= side(&text(&value)?)?,
            Field::Surface => row.surface = Some(self.keep(&text(&value)?)),
            Field::Text => row.text = Some(self.keep_text(&text(&value)?)),
            Field::Tags => row.rest().tags = list(&text(&value)?),
            Field::Equivalents => row.rest().equivalents = list(&text(&value)?),
            Field::Candidates => {
                let candidates = candidates(corpus, value)?;
                if !candidates.is_empty() {
                    row.rest().candidates = candidates;
                }
            }
            Field::Attributes => {
                let facts = json(&value)
                    .and_then(|value| attributes_from_json(&value))
                    .ok_or("expected a JSON object such as `{\"comment\": \"...\"}`")?;
                if !facts.is_empty() {
                    row.rest().attributes = facts;
                }
            }
            Field::Language | Field::Topic | Field::Title | Field::Url => {
                let key = field.document_attribute().unwrap_or_default();
                let text = text(&value)?.into_owned();
                row.rest().document.push((key, text));
            }
        }
        Ok(())
    }

    fn keep(&mut self, text: &str) -> Range<usize> {
        let start = self.strings.len();
        self.strings.push_str(text);
        start..self.strings.len()
    }

    /// As `keep`; a text that stands on every row of its document is kept once.
    fn keep_text(&mut self, text: &str) -> Range<usize> {
        // Files that repeat the text on every row would otherwise need memory for text times rows.
        if self.last_text.is_empty() || &self.strings[self.last_text.clone()] != text {
            self.last_text = self.keep(text);
        }
        self.last_text.clone()
    }

    /// Puts all rows into the corpus.
    pub fn fill(
        &mut self,
        reading: &mut Reading<'_>,
        source_name: &str,
        offsets: Offsets,
        locate: &dyn Locate,
    ) -> Result<(), Problem> {
        let mut rows = std::mem::take(&mut self.rows);
        let mut start = 0;
        while let Some(first) = rows.get(start) {
            let document = first.document;
            let same = rows[start..].iter().take_while(|row| row.document == document).count();
            let run = &mut rows[start..start + same];
            self.fill_document(run, document, reading, (source_name, offsets, locate))?;
            start += same;
        }
        rows.clear();
        self.rows = rows;
        reading.findings.remarks.add_empty_links(std::mem::take(&mut self.empty_links));
        self.strings.clear();
        self.last_text = 0..0;
        Ok(())
    }

    fn fill_document(
        &mut self,
        rows: &mut [Row],
        document: StrId,
        reading: &mut Reading<'_>,
        (source_name, offsets, locate): (&str, Offsets, &dyn Locate),
    ) -> Result<(), Problem> {
        let before = reading.corpus.len();
        if reading.is_looking()
            && let Some(row) = rows.first()
        {
            let name = reading.corpus.strings().get(document).to_owned();
            reading.names(&name, |kind, message| {
                locate.locate(row.place, Field::Document, Problem::new(kind, source_name, message))
            });
        }
        reading.corpus.continue_document_id(document);
        let new = reading.corpus.len() > before;
        let mut problems = Vec::new();
        let problem = |row: &Row, (field, kind, message): Fault| {
            locate.locate(row.place, field, Problem::new(kind, source_name, message).hint(HINT))
        };
        // All texts of the run first: a row may stand before the one that has the text.
        for row in rows.iter_mut() {
            if let Some(text) = &row.text
                && let Err(flaw) = set_text(&mut reading.corpus, &self.strings[text.clone()], new)
                && !row.is_bad
            {
                let problem = problem(row, (Field::Text, Kind::Malformed, flaw.into()));
                problems.push(problem.hint(Hint::template(NOT_THE_TEXT)));
                row.start = None;
            }
        }
        if new {
            set_document_attributes(&mut reading.corpus, rows);
        }
        let index = reading.corpus.text().map(TextIndex::new);
        let has_text = index.is_some();
        let nowhere = Text::new(source_name, "");
        let here = Here { text: &nowhere, at: 0, len: 0 };
        // Spans are computed before anything is added, because the index borrows the text of the
        // corpus.
        self.spans.clear();
        for row in rows.iter() {
            let surface = row.surface.clone().map(|range| &self.strings[range]);
            let span = match (row.start, row.offsets(offsets), &index) {
                (None, _, _) => None,
                (Some(start), (end, offsets), Some(index)) => {
                    let located = |found: Problem| {
                        let field = match found.kind {
                            Kind::Surface => Field::Surface,
                            _ => Field::Start,
                        };
                        locate.locate(row.place, field, found)
                    };
                    match here.place(index, offsets, start, end, surface) {
                        Ok(placed) => Some(placed.located(located)),
                        Err(found) => {
                            problems.push(located(found));
                            None
                        }
                    }
                }
                (Some(start), (end, offsets), None) => match unanchored(start, end, offsets) {
                    Ok(span) => Some(Placed { span, fit: Fit::Unnamed }),
                    Err(fault) => {
                        problems.push(problem(row, fault));
                        None
                    }
                },
            };
            self.spans.push(span);
        }
        for (row, placed) in rows.iter_mut().zip(self.spans.drain(..)) {
            let Some(placed) = placed else { continue };
            if let Some(span) = reading.accept_placed(placed)? {
                self.empty_links += usize::from(row.has_no_answer());
                let surface = row.surface.clone().filter(|_| !has_text);
                row.annotate(&mut reading.corpus, span, surface.map(|range| &self.strings[range]));
            }
        }
        problems.into_iter().try_for_each(|problem| reading.report(problem))
    }
}

/// Many tables call the words of a mention its text.
const NOT_THE_TEXT: &str = "`text` is the text of the document; if it is that of the mention here, say {columns=surface=text}";

/// The hint of most faults of a row.
const HINT: &str = "docs/formats/tables.md says what stands in each column";

impl Row {
    fn set_known(&mut self, field: Field, known: RepeatedString) {
        match (field, known) {
            (Field::Document, RepeatedString::Id(id)) => self.document = id,
            (Field::Type, RepeatedString::Id(id)) => self.types = id,
            (Field::Cluster, RepeatedString::Id(id)) if id != StrId::EMPTY => {
                self.nil = Some(Link::nil_cluster(id));
            }
            (Field::Link, RepeatedString::Link(link)) => self.link = link,
            _ => {}
        }
    }

    /// Of several links the first is the answer, and all are candidates.
    fn set_ranked(&mut self, links: Vec<Link>) {
        self.link = links.first().copied().unwrap_or(Link::NONE);
        if links.len() > 1 {
            let candidate = |link| (link, f64::NAN, StrId::EMPTY);
            self.rest().candidates = links.into_iter().map(candidate).collect();
        }
    }

    /// A cluster says more than that there is one.
    fn set_nil(&mut self, stated: Option<Link>) {
        if self.nil.and_then(Link::cluster).is_none() {
            self.nil = stated.or(self.nil);
        }
    }

    fn flag(&mut self, value: &Value<'_>, yes: Flags, no: Flags) -> Result<(), Flaw> {
        let shown;
        let stated = match value {
            Value::Flag(flag) => Some(*flag),
            _ => {
                shown = text(value)?;
                if shown.is_empty() { return Ok(()) } else { truth(&shown) }
            }
        };
        self.flags |= match stated {
            Some(true) => yes,
            Some(false) => no,
            None => return Err(format!("expected true or false, found {}", found(value)).into()),
        };
        Ok(())
    }

    /// What a bad row says of its document, if it has the text of it.
    fn text_alone(self) -> Option<Row> {
        let Row { place, document, text, rest, .. } = self;
        let rest = rest.map(|rest| Rest { document: rest.document, ..Rest::default() });
        let has_text = document != StrId::EMPTY && text.is_some();
        let alone =
            Row { document, text, rest: rest.map(Box::new), is_bad: true, ..Row::new(place) };
        has_text.then_some(alone)
    }

    fn has_no_answer(&self) -> bool {
        let has_candidates = self.rest.as_ref().is_some_and(|rest| !rest.candidates.is_empty());
        self.link.is_none() && self.nil.is_none() && !has_candidates
    }

    /// What can be wrong with a row as a whole.
    fn checked(&self) -> Result<(), Fault> {
        if self.document == StrId::EMPTY {
            let message = "expected the name of a document, found nothing".to_owned();
            return Err((Field::Document, Kind::Malformed, message));
        }
        let missing = |field, message: &str| Err((field, Kind::Malformed, message.to_owned()));
        match (self.start, self.end.or(self.length)) {
            (Some(_), Some(_)) => {}
            (Some(_), None) => {
                return missing(Field::End, "a mention that starts but does not end");
            }
            (None, Some(_)) => {
                return missing(Field::Start, "a mention that ends but does not start");
            }
            (None, None) if !self.link.is_none() || self.nil.is_some() => {
                return missing(Field::Link, "a link without a start and an end");
            }
            (None, None) => {}
        }
        if self.link.entity().is_some() && self.nil.is_some() {
            return missing(Field::Link, "a link to an entity that is NIL at the same time");
        }
        Ok(())
    }

    /// The end and how it counts; a length says where the mention ends exclusively.
    fn offsets(&self, offsets: Offsets) -> (u64, Offsets) {
        match (self.end, self.length) {
            (Some(end), _) => (end, offsets),
            (None, length) => (
                self.start.unwrap_or_default().saturating_add(length.unwrap_or_default()),
                Offsets { end: End::Exclusive, ..offsets },
            ),
        }
    }

    fn annotate(&mut self, corpus: &mut CorpusBuilder, span: Span, surface: Option<&str>) {
        let link = match self.nil {
            // `nil` may say yes and the link or the cluster column which cluster.
            Some(nil) if !self.link.is_nil() || self.link.cluster().is_none() => nil,
            _ => self.link,
        };
        let rest = self.rest.take();
        let mut annotation = corpus
            .annotate(span, link)
            .types_id(self.types)
            .confidence(self.score)
            .flags(self.flags);
        if let Some(surface) = surface {
            annotation = annotation.attribute(attribute::SURFACE, surface);
        }
        let Some(rest) = rest else { return };
        annotation = annotation.tags(rest.tags.iter().map(String::as_str));
        for (link, score, types) in rest.candidates {
            annotation = annotation.candidate_with_types(link, score, types);
        }
        for equivalent in &rest.equivalents {
            annotation = annotation.equivalent(equivalent);
        }
        for (key, value) in &rest.attributes {
            annotation = annotation.attribute(key, value);
        }
    }
}

fn set_text(corpus: &mut CorpusBuilder, text: &str, new: bool) -> Result<(), Flaw> {
    match corpus.text() {
        Some(known) if known == text => Ok(()),
        Some(_) => Err("the text of the document differs from the one in an earlier row".into()),
        // Rows that were read before had no text to be checked against, so a late one is refused.
        None if new => {
            corpus.set_text(text);
            Ok(())
        }
        None => {
            Err("the text of the document comes too late; it belongs into its first row".into())
        }
    }
}

fn set_document_attributes(corpus: &mut CorpusBuilder, rows: &[Row]) {
    let mut stated: Vec<&str> = Vec::new();
    for (key, value) in rows.iter().filter_map(|row| row.rest.as_ref()).flat_map(|r| &r.document) {
        if !value.is_empty() && !stated.contains(key) {
            corpus.document_attribute(key, value);
            stated.push(key);
        }
    }
}

fn unanchored(start: u64, end: u64, offsets: Offsets) -> Result<Span, Fault> {
    let exclusive = match offsets.end {
        End::Exclusive => end,
        End::Inclusive => end.saturating_add(1),
    };
    if exclusive < start {
        let message = format!("the mention ends at {end}, before it starts at {start}");
        return Err((Field::End, Kind::Offset, message));
    }
    match (u32::try_from(start), u32::try_from(exclusive)) {
        (Ok(start), Ok(end)) => Ok(Span::new(start, end)),
        _ => Err((Field::End, Kind::Offset, format!("the offset {exclusive} is too large"))),
    }
}
