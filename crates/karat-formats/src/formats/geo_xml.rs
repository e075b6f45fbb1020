//! Corpora of geoparsing: articles with toponyms and their places in a gazetteer or in Wikipedia.

use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::xml_tree::{Element, Records};
use karat_model::{Features, Link, Restriction, TextIndex, attribute};

/// The format.
#[derive(Debug)]
pub(crate) struct GeoXml;

const HINT: &str = "expected `<articles>` with `<article>`, each with `<text>` and either `<toponyms>` of `<toponym>` or `<locations>` of `<location>`, all with `<start>` and `<end>`";
/// LGL and TR-News; their offsets count from 0.
const TOPONYM: &str = "toponym";
/// GeoVirus; its offsets count from 1.
const LOCATION: &str = "location";

static INFO: Info = Info {
    name: "geo-xml",
    title: "LGL, TR-News and GeoVirus",
    about: "The XML of geoparsing: `<articles>` with `<article docid>`, whose `<text>` has `<toponym>` with `<phrase>`, `<start>`, `<end>` (exclusive) and \
            `<gaztag geonameid>`; or, in GeoVirus, `<location>` with `<name>`, `<start>`, `<end>`, which count from 1 there, and `<page>`. The link is the number \
            in GeoNames or the page of Wikipedia; toponyms without either have no link. The type is the feature code of GeoNames; coordinates are kept. \
            Articles without `docid` are called by their `<source>`.",
    reference: "milangritta/Pragmatic-Guide-to-Geoparsing-Evaluation; Lieberman et al. 2010; Kamalloo and Rafiei 2018; Gritta et al. 2018",
    extensions: &["xml"],
    offsets: Offsets::CODE_POINTS,
    writes: None,
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::UNLINKED)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS)
            .union(Features::EMPTY_SPANS)
            .union(Features::TYPE),
        document_attributes: &["url", "title"],
        annotation_attributes: &["latitude", "longitude"],
    },
};

impl Format for GeoXml {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let has =
            |part: &str| memchr::memmem::find(sample.text.as_bytes(), part.as_bytes()).is_some();
        let is_xml = sample.text.trim_start().starts_with('<');
        let is_ours = is_xml && has("<articles") && has("<article") && has("<text");
        if is_ours && (has("<toponyms") || has("<locations")) { 95 } else { 0 }
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
                let read = read_article(&text, &element, reading);
                reading.accept(read)?;
            }
        }
        Ok(())
    }
}

fn read_article(
    text: &Text<'_>,
    element: &Element,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let here = element.here(text);
    if element.name != "article" {
        let message = format!("expected an `<article>`, found `<{}>`", element.name);
        return Err(here.problem(Kind::Malformed, message).hint(HINT));
    }
    let source = content(element, "source");
    let id = element.attribute("docid").filter(|id| !id.is_empty()).or(source);
    let name = id.ok_or_else(|| {
        here.problem(Kind::Malformed, "expected an `<article>` with a `docid` or a `<source>`")
            .hint(HINT)
    })?;
    let body = element.child("text").map(|body| body.text.as_str()).ok_or_else(|| {
        here.problem(Kind::Malformed, "expected an `<article>` with a `<text>`").hint(HINT)
    })?;
    let known = reading.corpus.len();
    if !reading.begin_document(here, name, body)? {
        return Ok(());
    }
    // An article that goes on was described before.
    if reading.corpus.len() > known {
        let url = content(element, "url").or(source).unwrap_or_default();
        reading.corpus.document_attribute(attribute::URL, url);
        let title = content(element, "title").unwrap_or_default();
        reading.corpus.document_attribute("title", title);
    }
    let index = TextIndex::new(body);
    let lists = ["toponyms", "locations"].into_iter().flat_map(|name| element.all(name));
    for list in lists {
        add_all(text, list, &index, reading)?;
    }
    Ok(())
}

/// Adds the mentions of a list. One of GeoVirus stands in another.
fn add_all(
    text: &Text<'_>,
    list: &Element,
    index: &TextIndex<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    for mention in list.children.iter().filter(|child| is_mention(child)) {
        let added = add(text, mention, index, reading);
        reading.accept(added)?;
        add_all(text, mention, index, reading)?;
    }
    Ok(())
}

fn is_mention(element: &Element) -> bool {
    element.name == TOPONYM || element.name == LOCATION
}

fn add(
    text: &Text<'_>,
    mention: &Element,
    index: &TextIndex<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let here = mention.here(text);
    let from = u64::from(mention.name == LOCATION);
    let offset = |name: &str| -> Result<u64, Problem> {
        let digits = content(mention, name).unwrap_or_default();
        let offset = digits.parse::<u64>().ok().and_then(|offset| offset.checked_sub(from));
        offset.ok_or_else(|| {
            let message =
                format!("expected a whole number from {from} up in `<{name}>`, found `{digits}`");
            here.problem(Kind::Malformed, message).hint(HINT)
        })
    };
    let (start, end) = (offset("start")?, offset("end")?);
    let words = ["phrase", "name"].into_iter().find_map(|name| content(mention, name));
    let offsets = reading.offsets(INFO.offsets);
    let placed = here.place(index, offsets, start, end, words)?;
    let span = reading.placed(placed)?;
    let place = mention.child("gaztag");
    let number = place.and_then(|place| place.attribute("geonameid"));
    let link = match number.or(content(mention, "page")).filter(|link| !link.is_empty()) {
        Some(link) => Link::to(reading.corpus.intern(link)),
        None => Link::NONE,
    };
    let fact = |name: &str| content(place.unwrap_or(mention), name).unwrap_or_default();
    let mut added = reading.corpus.annotate(span, link);
    added = added.types(place.and_then(|place| content(place, "fcode")));
    for (key, name) in [("latitude", "lat"), ("longitude", "lon")] {
        if !fact(name).is_empty() {
            added = added.attribute(key, fact(name));
        }
    }
    Ok(())
}

/// What an element below says, without the white space around it.
fn content<'e>(element: &'e Element, name: &str) -> Option<&'e str> {
    let child = element.children.iter().find(|child| child.name == name);
    child.map(|child| child.text.trim()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, testing};
    use karat_model::Span;

    const LGL: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\n<articles>\n  <article docid=\"40450848\">\n    <title>Fire</title>\n    <url>http://news.example/1</url>\n    <text><![CDATA[😀 é𝄞 Alexandria & Bonn]]></text>\n    <toponyms>\n      <toponym>\n        <start>5</start>\n        <end>15</end>\n        <phrase>Alexandria</phrase>\n        <gaztag geonameid=\"4314550\"><name>Alexandria</name><fclass>P</fclass><fcode>PPL</fcode><lat>31.3</lat><lon>-92.4</lon><country geonameid=\"6252001\">United States</country></gaztag>\n      </toponym>\n      <toponym><start>18</start><end>22</end><phrase>Bonn</phrase></toponym>\n    </toponyms>\n  </article>\n</articles>\n";

    const GEOVIRUS: &str = "<articles>\n<article>\n<source>http://news.example/2</source>\n<text>A farm in Pandi, Bulacan</text>\n<locations><location><location><name>Bulacan</name><start>18</start><end>25</end><lat>14.9</lat><lon>120.9</lon><page>https://en.wikipedia.org/wiki/Bulacan</page></location><name>Pandi</name><altName>x</altName><start>11</start><end>16</end><page>https://en.wikipedia.org/wiki/Pandi,_Bulacan</page></location></locations>\n</article>\n</articles>";

    #[test]
    fn toponyms_are_mentions_of_places() {
        let outcome = testing::read(&GeoXml, &[("l.xml", LGL)], &ReadOptions::default()).unwrap();
        let document = outcome.corpus.document("40450848").unwrap();
        assert_eq!(document.attribute("url"), Some("http://news.example/1"));
        let mentions: Vec<_> = document.mentions().collect();
        let first = &mentions[0];
        assert_eq!((first.span(), first.surface()), (Span::new(5, 15), Some("Alexandria")));
        assert_eq!((first.entity(), first.types().next()), (Some("4314550"), Some("PPL")));
        assert_eq!(first.attribute("longitude"), Some("-92.4"));
        assert_eq!((mentions[1].surface(), mentions[1].link()), (Some("Bonn"), Link::NONE));
        assert!(outcome.findings.repaired().is_empty());
    }

    #[test]
    fn locations_count_from_one_and_may_stand_in_each_other() {
        let read = testing::read(&GeoXml, &[("g.xml", GEOVIRUS)], &ReadOptions::default());
        let outcome = read.unwrap();
        let document = outcome.corpus.document("http://news.example/2").unwrap();
        let mut found: Vec<_> =
            document.mentions().map(|m| (m.surface().unwrap(), m.entity().unwrap())).collect();
        found.sort_unstable();
        let page = |title: &str| format!("https://en.wikipedia.org/wiki/{title}");
        let (bulacan, pandi) = (page("Bulacan"), page("Pandi,_Bulacan"));
        assert_eq!(found, [("Bulacan", bulacan.as_str()), ("Pandi", pandi.as_str())]);
        assert!(outcome.findings.repaired().is_empty());
    }

    #[test]
    fn bad_articles_are_located() {
        for (bad, message) in [
            ("<page/>", "expected an `<article>`, found `<page>`"),
            (
                "<article><text>x</text></article>",
                "expected an `<article>` with a `docid` or a `<source>`",
            ),
            ("<article docid=\"d\"/>", "expected an `<article>` with a `<text>`"),
            (
                "<article docid=\"d\"><text>x</text><locations><location><start>0</start><end>1</end></location></locations></article>",
                "expected a whole number from 1 up in `<start>`, found `0`",
            ),
            (
                "<article docid=\"d\"><text>x</text><toponyms><toponym><start>0</start><end>3</end></toponym></toponyms></article>",
                "offset 0..3 lies outside the text, which has 1 code points",
            ),
        ] {
            let content = LGL.replace("</articles>", &format!("{bad}\n</articles>"));
            let files = [("l.xml", content.as_str())];
            let problem = testing::read(&GeoXml, &files, &ReadOptions::default()).unwrap_err();
            assert_eq!((problem.message.as_str(), problem.place.unwrap().line), (message, 18));
            let lenient = testing::read(&GeoXml, &files, &testing::lenient()).unwrap();
            assert_eq!(lenient.findings.skipped().len(), 1);
        }
    }
}
