//! XML as a stream of small trees: the children of the root, one after the other.
//!
//! The XML formats of the field are one root with many records below it. Reading
//! them record by record bounds the memory; nothing outside the file is ever
//! fetched, and only the five predefined entities and character references are
//! expanded.

use crate::anchor::Here;
use crate::format::WriteError;
use crate::problem::{Kind, Problem};
use crate::source::Text;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Error, Reader, XmlVersion};

/// How deep elements may be nested; no format of the field goes beyond ten.
const MAX_DEPTH: usize = 64;

/// An element with everything below it.
#[derive(Debug)]
pub(crate) struct Element {
    /// Its name as written.
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
    /// The elements directly below it.
    pub(crate) children: Vec<Element>,
    /// The character data directly below it.
    pub(crate) text: String,
    /// How many bytes of the character data of the element above stand before it.
    pub(crate) before: usize,
    /// Where its start tag is in the file.
    pub(crate) at: usize,
    /// How long its start tag is.
    pub(crate) len: usize,
}

impl Element {
    /// The value of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The children of this name.
    pub(crate) fn all<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The first child of this name.
    pub(crate) fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Its place in the file, to locate what is wrong with it.
    pub(crate) fn here<'t>(&self, text: &'t Text<'t>) -> Here<'t> {
        Here { text, at: self.at, len: self.len }
    }
}

/// The children of the root of a file, in order.
#[derive(Debug)]
pub(crate) struct Records<'t> {
    text: &'t Text<'t>,
    reader: Reader<&'t [u8]>,
    root: Element,
    ended: bool,
}

impl<'t> Records<'t> {
    /// Reads up to the start of the root.
    pub(crate) fn open(text: &'t Text<'t>) -> Result<Records<'t>, Problem> {
        let mut reader = Reader::from_str(text.as_str());
        // Then `<a/>` and `<a></a>` are one case.
        reader.config_mut().expand_empty_elements = true;
        loop {
            let at = position(&reader);
            match reader.read_event() {
                Ok(Event::Start(start)) => {
                    let root = element(text, &start, at, position(&reader))?;
                    return Ok(Records { text, reader, root, ended: false });
                }
                Ok(Event::Text(part)) if part.trim().is_empty() => {}
                Ok(Event::Decl(_) | Event::Comment(_) | Event::PI(_) | Event::DocType(_)) => {}
                Ok(Event::Eof) => {
                    return Err(text
                        .problem(Kind::Truncated, at, 0, "the file ends before its first element")
                        .hint(HINT));
                }
                Ok(_) => {
                    return Err(text
                        .problem(Kind::Malformed, at, 1, "expected an XML element")
                        .hint(HINT));
                }
                Err(error) => return Err(problem(text, &reader, &error)),
            }
        }
    }

    /// The root, without what is below it.
    pub(crate) fn root(&self) -> &Element {
        &self.root
    }

    fn read_next(&mut self) -> Result<Option<Element>, Problem> {
        let mut open: Vec<Element> = Vec::new();
        loop {
            let at = position(&self.reader);
            let event = self.reader.read_event();
            let event = event.map_err(|error| problem(self.text, &self.reader, &error))?;
            match event {
                Event::Start(start) => {
                    if open.len() >= MAX_DEPTH {
                        let message = format!("elements are nested more than {MAX_DEPTH} deep");
                        return Err(self.text.problem(Kind::Malformed, at, 1, message).hint(HINT));
                    }
                    let before = open.last().map_or(0, |parent| parent.text.len());
                    let opened = element(self.text, &start, at, position(&self.reader))?;
                    open.push(Element { before, ..opened });
                }
                Event::End(_) => {
                    let Some(done) = open.pop() else {
                        return self.nothing_follows().map(|()| None);
                    };
                    match open.last_mut() {
                        Some(parent) => parent.children.push(done),
                        // The record is complete and leaves memory when its reader is done with it.
                        None => return Ok(Some(done)),
                    }
                }
                Event::Text(part) => append(&mut open, &part.xml10_content()),
                Event::CData(part) => append(&mut open, &part.xml10_content()),
                Event::GeneralRef(reference) => {
                    let character = resolve(&reference).ok_or_else(|| {
                        let message = format!("unknown entity `&{};`", &*reference);
                        self.text
                            .problem(Kind::Malformed, at, position(&self.reader) - at, message)
                            .hint("only the five entities of XML and character references such as `&#228;` are read; write an ampersand as `&amp;`")
                    })?;
                    append(&mut open, &character);
                }
                Event::Eof => {
                    let innermost = open.last().unwrap_or(&self.root);
                    let message = format!("the file ends inside `<{}>`", innermost.name);
                    return Err(self
                        .text
                        .problem(Kind::Truncated, innermost.at, innermost.len, message)
                        .hint(
                            "it was probably not downloaded or copied to the end; get it again",
                        ));
                }
                // Empty elements come as a start and an end.
                Event::Empty(_)
                | Event::Comment(_)
                | Event::PI(_)
                | Event::Decl(_)
                | Event::DocType(_) => {}
            }
        }
    }

    /// Only comments may stand after the root; more would be lost unseen.
    fn nothing_follows(&mut self) -> Result<(), Problem> {
        loop {
            let at = position(&self.reader);
            match self.reader.read_event() {
                Ok(Event::Eof) => return Ok(()),
                Ok(Event::Comment(_) | Event::PI(_)) => {}
                Ok(Event::Text(part)) if part.trim().is_empty() => {}
                Ok(_) => {
                    let message = format!("something follows the end of `<{}>`", self.root.name);
                    return Err(self
                        .text
                        .problem(Kind::Malformed, at, 1, message)
                        .hint("an XML file has one root; give several files apart"));
                }
                Err(error) => return Err(problem(self.text, &self.reader, &error)),
            }
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Element, Problem>;

    /// The next child of the root. After a fault nothing can be trusted, so it is the last.
    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.read_next().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

const HINT: &str =
    "the file must be well-formed XML; `xmllint --noout FILE` shows all that is wrong with it";

fn position(reader: &Reader<&[u8]>) -> usize {
    usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX)
}

fn append(open: &mut [Element], part: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(part);
    }
}

fn resolve(reference: &BytesRef<'_>) -> Option<String> {
    match reference.resolve_char_ref() {
        Ok(Some(character)) => Some(character.to_string()),
        Ok(None) => resolve_xml_entity(reference).map(str::to_owned),
        Err(_) => None,
    }
}

fn element(
    text: &Text<'_>,
    start: &BytesStart<'_>,
    at: usize,
    end: usize,
) -> Result<Element, Problem> {
    let len = end.saturating_sub(at);
    let bad = |error: &dyn std::fmt::Display| {
        text.problem(Kind::Malformed, at, len, format!("bad attribute: {error}")).hint(HINT)
    };
    let mut attributes = Vec::new();
    // Looking for duplicates is quadratic; the first of a name counts.
    for attribute in start.attributes().with_checks(false) {
        let attribute = attribute.map_err(|error| bad(&error))?;
        let value = attribute
            .normalized_value_with(XmlVersion::Explicit1_0, 1, resolve_xml_entity)
            .map_err(|error| bad(&error))?;
        attributes.push((attribute.key.into_inner().to_owned(), value.into_owned()));
    }
    Ok(Element {
        name: start.name().into_inner().to_owned(),
        attributes,
        children: Vec::new(),
        text: String::new(),
        before: 0,
        at,
        len,
    })
}

fn problem(text: &Text<'_>, reader: &Reader<&[u8]>, error: &Error) -> Problem {
    let at = usize::try_from(reader.error_position()).unwrap_or(0);
    // What the parser calls a syntax error is always markup that never ends.
    let kind = if matches!(error, Error::Syntax(_)) { Kind::Truncated } else { Kind::Malformed };
    let message = error.to_string();
    let message = message.split_once(": ").map_or(message.as_str(), |(_, rest)| rest);
    text.problem(kind, at, 1, format!("bad XML: {message}")).hint(HINT)
}

/// A string as XML character data or attribute value, exactly as it is.
pub(crate) fn escaped(document: &str, text: &str) -> Result<String, WriteError> {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // As they are, these would be read as spaces or line feeds.
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            '\n' => out.push_str("&#10;"),
            '\0'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => {
                let message = format!(
                    "XML has no form for the control character U+{:04X}",
                    u32::from(character)
                );
                return Err(WriteError::unrepresentable(document, message));
            }
            _ => out.push(character),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(content: &str) -> Result<Element, Problem> {
        let text = Text::new("f.xml", content);
        let mut records = Records::open(&text)?;
        let first = records.next().transpose()?;
        records.next().transpose()?;
        Ok(first.unwrap())
    }

    #[test]
    fn text_and_attributes_are_decoded() {
        let element = first(
            "<?xml version=\"1.0\"?>\n<!DOCTYPE r SYSTEM \"x.dtd\"><r><!-- c --><e a=\"&quot;&#x1F600;\n&lt;\">a &amp; b\r\nc<![CDATA[<d>&amp;]]>&#128512;<i>no</i>!</e></r>",
        )
        .unwrap();
        assert_eq!(element.attribute("a"), Some("\"😀 <"));
        assert_eq!(element.text, "a & b\nc<d>&amp;😀!");
        assert_eq!(element.child("i").unwrap().text, "no");
        assert_eq!(element.all("i").count(), 1);
    }

    #[test]
    fn what_is_wrong_is_located() {
        let cases = [
            ("<r>\n<e>", Kind::Truncated, 2, 1, "the file ends inside `<e>`"),
            ("<r><e></e>", Kind::Truncated, 1, 1, "the file ends inside `<r>`"),
            (
                "<r>\n <e></f></r>",
                Kind::Malformed,
                2,
                5,
                "bad XML: expected `</e>`, but `</f>` was found",
            ),
            (
                "<r>\n<e",
                Kind::Truncated,
                2,
                1,
                "bad XML: tag not closed: `>` not found before end of input",
            ),
            ("<r><e>&nbsp;</e></r>", Kind::Malformed, 1, 7, "unknown entity `&nbsp;`"),
            ("<r><e>&#xD800;</e></r>", Kind::Malformed, 1, 7, "unknown entity `&#xD800;`"),
            ("<r><e/></r>\n<r/>", Kind::Malformed, 2, 1, "something follows the end of `<r>`"),
            ("nothing", Kind::Malformed, 1, 1, "expected an XML element"),
            ("<!-- only -->", Kind::Truncated, 1, 14, "the file ends before its first element"),
        ];
        for (content, kind, line, column, message) in cases {
            let problem = first(content).unwrap_err();
            let place = problem.place.clone().unwrap();
            assert_eq!((problem.message.as_str(), problem.kind), (message, kind), "{content}");
            assert_eq!((place.line, place.column), (line, column), "{content}");
            assert!(problem.hint.is_some());
        }
    }

    #[test]
    fn entities_of_the_file_are_not_expanded() {
        let bomb = "<!DOCTYPE r [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><r><e>&b;</e></r>";
        assert_eq!(first(bomb).unwrap_err().message, "unknown entity `&b;`");
        let deep = format!("<r>{}", "<e>".repeat(100_000));
        assert!(first(&deep).unwrap_err().message.contains("nested"));
    }

    #[test]
    fn what_is_escaped_reads_back() {
        for text in ["a&b<c>\"d\"'e'", "]]>", "\t\r\n\u{85}\u{2028}", "😀e\u{301}"] {
            let escaped = escaped("d", text).unwrap();
            let element = first(&format!("<r><e a=\"{escaped}\">{escaped}</e></r>")).unwrap();
            assert_eq!(element.text, text);
            assert_eq!(element.attribute("a"), Some(text));
        }
        assert!(escaped("d", "\u{1}").is_err() && escaped("d", "\u{ffff}").is_err());
    }
}
