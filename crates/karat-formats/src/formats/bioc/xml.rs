//! BioC in XML.

use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::formats::bioc::{self, Article, Entity, Infons, Location, Passage, Scalar};
use crate::input::Input;
use crate::output::Output;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Source;
use crate::syntax::xml_tree::{Element, Records, escaped};
use karat_model::Corpus;
use std::io::Write;

/// The format.
#[derive(Debug)]
pub(crate) struct BiocXml;

static INFO: Info = Info {
    name: "bioc-xml",
    title: "BioC XML",
    about: "`<collection>`, `<document>`, `<passage>` and `<annotation>` with `<infon>` pairs, the exchange format of \
            biomedical text mining; some files count bytes, which the unit `bytes` reads. The text of a document is put \
            together from its passages at their offsets, a gap becoming a line break and spaces; a passage with a `type` \
            leaves a mark. The link is the infon `identifier` or that of a database such as `MESH`, `-` is NIL and none \
            is no answer. Several locations are read as the whole stretch, with the parts as the attribute `fragments`; \
            an annotation without a location is no mention.",
    reference: "Comeau et al. 2013, http://bioc.sourceforge.net",
    extensions: &["bioc.xml", "BioC.XML"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::File),
    needs_text: true,
    keeps: bioc::KEEPS,
};

impl Format for BiocXml {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let has = |part: &str| sample.text.contains(part);
        match () {
            () if !sample.text.trim_start().starts_with('<') || !has("<collection") => 0,
            () if has("BioC.dtd") || has("<passage>") => 95,
            () if has("<infon") || has("<key>") => 80,
            () => 0,
        }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for file in files {
            read_file(file, reading)?;
        }
        Ok(())
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        output.single(|out| {
            writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
            writeln!(out, "<!DOCTYPE collection SYSTEM \"BioC.dtd\">")?;
            writeln!(out, "<collection><source>karat</source><date/><key/>")?;
            for article in bioc::documents(corpus) {
                write_article(out, &article?)?;
            }
            Ok(writeln!(out, "</collection>")?)
        })
    }
}

fn read_file(file: &Source, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let text = file.text()?;
    let Some(records) = reading.accept(Records::open(&text))? else { return Ok(()) };
    if records.root().name != "collection" {
        let message = format!("expected `<collection>`, found `<{}>`", records.root().name);
        let problem = records.root().here(&text).problem(Kind::Malformed, message);
        return reading.report(problem.hint("is it another XML format? `karat formats` lists all"));
    }
    for record in records {
        let Some(record) = reading.accept(record)? else { break };
        if record.name == "document" {
            bioc::read_article(&text, &INFO, &article(&record), reading)?;
        }
    }
    Ok(())
}

fn article(element: &Element) -> Article<'_> {
    Article {
        id: text_of(element, "id"),
        infons: infons(element),
        passages: element.all("passage").map(passage).collect(),
        annotations: element.all("annotation").map(entity).collect(),
        at: Some((element.at, element.len)),
        ..Article::default()
    }
}

fn passage(element: &Element) -> Passage<'_> {
    Passage {
        offset: text_of(element, "offset"),
        infons: infons(element),
        text: text_of(element, "text"),
        sentences: element.all("sentence").map(passage).collect(),
        annotations: element.all("annotation").map(entity).collect(),
        at: Some((element.at, element.len)),
        ..Passage::default()
    }
}

fn entity(element: &Element) -> Entity<'_> {
    let attribute = |of: &'_ Element, name: &str| of.attribute(name).map(|v| v.to_owned().into());
    let location = |location: &Element| Location {
        offset: attribute(location, "offset"),
        length: attribute(location, "length"),
    };
    Entity {
        id: element.attribute("id").unwrap_or_default().into(),
        infons: infons(element),
        text: text_of(element, "text"),
        locations: element.all("location").map(location).collect(),
        at: Some((element.at, element.len)),
    }
}

fn text_of<'e>(element: &'e Element, name: &str) -> Option<Scalar<'e>> {
    element.child(name).map(|child| child.text.as_str().into())
}

fn infons(element: &Element) -> Infons<'_> {
    let pairs = element.all("infon").map(|infon| {
        (infon.attribute("key").unwrap_or_default().into(), infon.text.as_str().into())
    });
    Infons(pairs.collect())
}

fn write_article(out: &mut dyn Write, article: &Article<'_>) -> Result<(), WriteError> {
    let name = article.id.as_ref().map_or("", Scalar::as_str);
    writeln!(out, "<document><id>{}</id>", escaped(name, name)?)?;
    write_infons(out, name, &article.infons)?;
    for passage in &article.passages {
        let value =
            |part: &Option<Scalar<'_>>| escaped(name, part.as_ref().map_or("", Scalar::as_str));
        write!(out, "<passage>")?;
        write_infons(out, name, &passage.infons)?;
        writeln!(
            out,
            "<offset>{}</offset><text>{}</text>",
            value(&passage.offset)?,
            value(&passage.text)?
        )?;
        for sentence in &passage.sentences {
            let (offset, text) = (value(&sentence.offset)?, value(&sentence.text)?);
            writeln!(out, "<sentence><offset>{offset}</offset><text>{text}</text></sentence>")?;
        }
        for entity in &passage.annotations {
            write!(out, "<annotation id=\"{}\">", escaped(name, entity.id.as_str())?)?;
            write_infons(out, name, &entity.infons)?;
            for location in &entity.locations {
                let (offset, length) = (value(&location.offset)?, value(&location.length)?);
                write!(out, "<location offset=\"{offset}\" length=\"{length}\"/>")?;
            }
            writeln!(out, "<text>{}</text></annotation>", value(&entity.text)?)?;
        }
        writeln!(out, "</passage>")?;
    }
    Ok(writeln!(out, "</document>")?)
}

fn write_infons(out: &mut dyn Write, name: &str, infons: &Infons<'_>) -> Result<(), WriteError> {
    for (key, value) in &infons.0 {
        let (key, value) = (escaped(name, key.as_str())?, escaped(name, value.as_str())?);
        write!(out, "<infon key=\"{key}\">{value}</infon>")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
