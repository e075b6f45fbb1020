//! The queries of TAC entity linking: which mentions there are.

use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Text;
use karat_model::{End, Hint, Span};
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// One query.
#[derive(Debug)]
pub(super) struct Query {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) document: String,
    pub(super) span: Span,
    /// Where it begins in the file.
    pub(super) at: usize,
}

/// A query while its fields are read.
#[derive(Default)]
struct Draft {
    id: Option<String>,
    /// The contents of [`FIELDS`] and where they begin.
    fields: [Option<(usize, String)>; 4],
    at: usize,
}

const FIELDS: [&str; 4] = ["name", "docid", "beg", "end"];
/// Bytes of `<query` to point at.
pub(super) const TAG: usize = 6;

/// Reads all queries of a file.
pub(super) fn read(
    text: &Text<'_>,
    end: End,
    reading: &mut Reading<'_>,
) -> Result<Vec<Query>, Problem> {
    let mut xml = Reader::from_str(text.as_str());
    let mut queries = Vec::new();
    let mut query: Option<Draft> = None;
    let mut field: Option<usize> = None;
    loop {
        let at = usize::try_from(xml.buffer_position()).unwrap_or_default();
        let event = match xml.read_event() {
            Ok(event) => event,
            Err(error) => {
                let at = usize::try_from(xml.error_position()).unwrap_or_default();
                let problem = text.problem(Kind::Malformed, at, 1, format!("bad XML: {error}"));
                reading.report(problem.hint("queries after this place cannot be read"))?;
                return Ok(queries);
            }
        };
        match event {
            Event::Start(tag) if tag.name().as_ref() == "query" => {
                query = Some(Draft { id: id_of(&tag), at, ..Draft::default() });
            }
            Event::Start(tag) => {
                field = FIELDS.iter().position(|&name| tag.name().as_ref() == name);
                if let (Some(field), Some(query)) = (field, &mut query) {
                    let content = usize::try_from(xml.buffer_position()).unwrap_or_default();
                    query.fields[field] = Some((content, String::new()));
                }
            }
            Event::Text(part) => append(&mut query, field, &part.xml10_content()),
            Event::CData(part) => append(&mut query, field, &part),
            Event::GeneralRef(reference) => {
                let character = reference.resolve_char_ref().ok().flatten().map(String::from);
                let named = || resolve_xml_entity(&reference).map(str::to_owned);
                append(&mut query, field, &character.or_else(named).unwrap_or_default());
            }
            Event::End(tag) if tag.name().as_ref() == "query" => {
                if let Some(draft) = query.take() {
                    queries.extend(reading.accept(draft.finish(text, end))?);
                }
            }
            Event::End(_) => field = None,
            Event::Eof => break,
            _ => {}
        }
    }
    if let Some(draft) = query {
        let message = "the file ends inside a query";
        let problem = text.problem(Kind::Truncated, draft.at, TAG, message);
        reading.report(
            problem.hint("it was probably not downloaded or copied to the end; get it again"),
        )?;
    }
    Ok(queries)
}

fn id_of(tag: &BytesStart<'_>) -> Option<String> {
    let id = tag.try_get_attribute("id").ok()??;
    let id = id.normalized_value(XmlVersion::Implicit1_0).ok()?;
    Some(id.trim().to_owned()).filter(|id| !id.is_empty())
}

fn append(query: &mut Option<Draft>, field: Option<usize>, part: &str) {
    if let (Some(query), Some(field)) = (query, field)
        && let Some((_, content)) = &mut query.fields[field]
    {
        content.push_str(part);
    }
}

impl Draft {
    fn finish(mut self, text: &Text<'_>, end: End) -> Result<Query, Problem> {
        let hint = "a query is `<query id=\"..\"><name/><docid/><beg/><end/></query>`; queries of 2009 to 2011 have no offsets and cannot be evaluated by span";
        let Some(id) = self.id.take() else {
            return Err(text
                .problem(Kind::Malformed, self.at, TAG, "a query without an `id`")
                .hint(hint));
        };
        let missing = |field: &str| {
            let message = format!("query `{id}` has no `<{field}>`");
            text.problem(Kind::Malformed, self.at, TAG, message).hint(hint)
        };
        let [name, document, beg, stop] = &self.fields;
        let document = document.as_ref().map(|(_, document)| document.trim().to_owned());
        let document =
            document.filter(|document| !document.is_empty()).ok_or_else(|| missing("docid"))?;
        let start = number(text, beg.as_ref().ok_or_else(|| missing("beg"))?)?;
        let stop_field = stop.as_ref().ok_or_else(|| missing("end"))?;
        let stop = number(text, stop_field)?;
        let exclusive = if end == End::Inclusive { stop.saturating_add(1) } else { stop };
        if exclusive < start {
            let message = format!("the mention ends at {stop}, before it starts at {start}");
            return Err(text.problem(Kind::Offset, stop_field.0, stop_field.1.len(), message).hint(Hint::template(
                "the end offset is inclusive; say {end=exclusive} if the file counts differently",
            )));
        }
        let name = name.as_ref().map(|(_, name)| name.trim().to_owned()).unwrap_or_default();
        Ok(Query { id, name, document, span: Span::new(start, exclusive), at: self.at })
    }
}

fn number(text: &Text<'_>, (at, field): &(usize, String)) -> Result<u32, Problem> {
    field.trim().parse().map_err(|_| {
        let message = format!("expected a whole number, found `{}`", field.trim());
        text.problem(Kind::Malformed, *at, field.len(), message)
            .hint("`<beg>` and `<end>` are the offsets of the mention")
    })
}
