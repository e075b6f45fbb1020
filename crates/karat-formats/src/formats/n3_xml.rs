//! The XML of the N3 collection: texts in pieces, of which some are entities.

use crate::format::{Format, Info, Offsets, Sample};
use crate::formats::nif::answer::Answer;
use crate::input::Input;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::xml_tree::{Element, Records};
use karat_model::{Features, Restriction, Span, attribute};

/// The format.
#[derive(Debug)]
pub(crate) struct N3Xml;

const HINT: &str = "expected `<corpus>` with `<Document id=\"1\">`, in which `<TextWithNamedEntities>` has `<SimpleTextPart>` and `<NamedEntityInText uri=\"...\">`";
const TEXT: &str = "TextWithNamedEntities";
const PLAIN: &str = "SimpleTextPart";
const ENTITY: &str = "NamedEntityInText";
/// What is said of a document, and under which name it is kept.
const FACTS: [(&str, &str); 2] = [("DocumentURI", attribute::URL), ("DocumentSource", "source")];

static INFO: Info = Info {
    name: "n3-xml",
    title: "N3 XML",
    about: "The XML in which Reuters-128, RSS-500 and News-100 were annotated: `<Document id>` with `<TextWithNamedEntities>`, whose text is cut into \
            `<SimpleTextPart>` and `<NamedEntityInText uri>`. The text is the parts joined as they are; white space between the elements is none of it. \
            IRIs with `/notInWiki/` are NIL, with the rest as cluster. The same corpora as Turtle are `nif`.",
    reference: "dice-group/n3-collection; Röder et al. 2014",
    extensions: &["xml"],
    offsets: Offsets::CODE_POINTS,
    writes: None,
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::NIL_CLUSTERS)
            .union(Features::REPEATS),
        document_attributes: &["url", "source"],
        annotation_attributes: &[],
    },
};

impl Format for N3Xml {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let has =
            |part: &str| memchr::memmem::find(sample.text.as_bytes(), part.as_bytes()).is_some();
        let is_xml = sample.text.trim_start().starts_with('<');
        if is_xml && has("<corpus") && has("<TextWithNamedEntities") { 95 } else { 0 }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for file in files {
            let text = file.text()?;
            let Some(records) = reading.accept(Records::open(&text))? else { continue };
            for record in records {
                let Some(element) = reading.accept(record)? else { break };
                let read = read_document(&text, &element, reading);
                reading.accept(read)?;
            }
        }
        Ok(())
    }
}

fn read_document(
    text: &Text<'_>,
    element: &Element,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let here = element.here(text);
    // Reuters-128 has some of them behind a document.
    if FACTS.iter().any(|(name, _)| *name == element.name) {
        let message = format!("a `<{}>` outside of a document", element.name);
        reading.passed_over(here.problem(Kind::PassedOver, message));
        return Ok(());
    }
    if element.name != "Document" {
        let message = format!("expected a `<Document>`, found `<{}>`", element.name);
        return Err(here.problem(Kind::Malformed, message).hint(HINT));
    }
    let id = element.attribute("id").filter(|id| !id.is_empty());
    let id = id.ok_or_else(|| {
        here.problem(Kind::Malformed, "expected a `<Document>` with an `id`").hint(HINT)
    })?;
    let mut content = String::new();
    let mut length = 0_u32;
    let mut mentions = Vec::new();
    for part in element.all(TEXT).flat_map(|parts| &parts.children) {
        let start = length;
        content.push_str(&part.text);
        length =
            length.saturating_add(u32::try_from(part.text.chars().count()).unwrap_or(u32::MAX));
        match part.name.as_str() {
            PLAIN => {}
            // `SignedNamedEntityInText` is one that was annotated by hand.
            name if name.ends_with(ENTITY) => {
                mentions.push((Span::new(start, length), part.attribute("uri")));
            }
            other => {
                let message = format!("expected `<{PLAIN}>` or `<{ENTITY}>`, found `<{other}>`");
                let problem = part.here(text).problem(Kind::Malformed, message);
                reading.report(problem.hint(HINT))?;
            }
        }
    }
    let known = reading.corpus.len();
    if !reading.begin_document(here, id, &content)? {
        return Ok(());
    }
    // A document that goes on was described before.
    let is_new = reading.corpus.len() > known;
    for (name, key) in FACTS.into_iter().filter(|_| is_new) {
        let value = element.child(name).map_or("", |child| child.text.trim());
        reading.corpus.document_attribute(key, value);
    }
    for (span, uri) in mentions {
        let link = match uri.filter(|uri| !uri.is_empty()) {
            Some(uri) => Answer::of(uri).link(&mut reading.corpus),
            None => karat_model::Link::NONE,
        };
        reading.corpus.annotate(span, link);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, testing};

    const SAMPLE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<corpus xmlns="http://semweb.unister.de/xml-corpus-schema-2013">
  <Document id="3">
    <DocumentURI>http://news.example/3</DocumentURI>
    <DocumentSource>News</DocumentSource>
    <TextWithNamedEntities>
      <SimpleTextPart>😀 é𝄞 &amp; </SimpleTextPart>
      <NamedEntityInText uri="http://dbpedia.org/resource/Bonn">Bonn</NamedEntityInText>
      <SimpleTextPart> met </SimpleTextPart>
      <NamedEntityInText uri="http://aksw.org/notInWiki/Ana_M%C3%BCller">Ana</NamedEntityInText>
      <SimpleTextPart>.</SimpleTextPart>
    </TextWithNamedEntities>
  </Document>
  <Document id="4"><TextWithNamedEntities><SimpleTextPart>x</SimpleTextPart></TextWithNamedEntities></Document>
</corpus>
"#;

    #[test]
    fn parts_are_joined_as_they_are() {
        let outcome = testing::read(&N3Xml, &[("n.xml", SAMPLE)], &ReadOptions::default()).unwrap();
        let document = outcome.corpus.document("3").unwrap();
        assert_eq!(document.text(), Some("😀 é𝄞 & Bonn met Ana."));
        assert_eq!(document.attribute("url"), Some("http://news.example/3"));
        assert_eq!(document.attribute("source"), Some("News"));
        let found: Vec<_> = document
            .mentions()
            .map(|m| (m.span(), m.surface().unwrap(), m.entity(), m.nil_cluster()))
            .collect();
        let bonn = Some("http://dbpedia.org/resource/Bonn");
        assert_eq!(
            found,
            [
                (Span::new(7, 11), "Bonn", bonn, None),
                (Span::new(16, 19), "Ana", None, Some("Ana_Müller")),
            ]
        );
        assert_eq!(outcome.corpus.document("4").unwrap().mentions().len(), 0);
    }

    #[test]
    fn signed_entities_are_entities() {
        let content = SAMPLE.replace("NamedEntityInText", "SignedNamedEntityInText");
        let outcome = testing::read_as(&N3Xml, &[("n.xml", &content)], &ReadOptions::default());
        assert_eq!(outcome.unwrap().corpus.annotations().len(), 2);
    }

    #[test]
    fn what_stands_between_documents_is_passed_over() {
        let content = SAMPLE.replace("</corpus>", "<DocumentURI>http://x</DocumentURI></corpus>");
        let outcome = testing::read(&N3Xml, &[("n.xml", &content)], &ReadOptions::default());
        let outcome = outcome.unwrap();
        assert_eq!((outcome.corpus.len(), outcome.findings.passed_over_count()), (2, 1));
    }

    #[test]
    fn bad_documents_are_located() {
        for (bad, message) in [
            ("<Text/>", "expected a `<Document>`, found `<Text>`"),
            ("<Document/>", "expected a `<Document>` with an `id`"),
            (
                "<Document id=\"5\"><TextWithNamedEntities><b>x</b></TextWithNamedEntities></Document>",
                "expected `<SimpleTextPart>` or `<NamedEntityInText>`, found `<b>`",
            ),
        ] {
            let content = SAMPLE.replace("</corpus>", &format!("{bad}\n</corpus>"));
            let files = [("n.xml", content.as_str())];
            let problem = testing::read(&N3Xml, &files, &ReadOptions::default()).unwrap_err();
            assert_eq!((problem.message.as_str(), problem.place.unwrap().line), (message, 15));
            let lenient = testing::read(&N3Xml, &files, &testing::lenient()).unwrap();
            assert_eq!(lenient.findings.skipped().len(), 1);
        }
    }
}
