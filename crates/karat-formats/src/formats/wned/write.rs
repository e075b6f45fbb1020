//! Writing both dialects.

use super::{ATTRIBUTES, Dialect, PROBLEM, WNED, is_nil};
use crate::format::WriteError;
use crate::output::Output;
use crate::placing::text_folder;
use crate::syntax::xml_tree::escaped;
use karat_model::{Corpus, Document, Mention, TextIndex};
use std::io::Write;

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

/// Writes a corpus in the dialect that can say what it has.
pub(super) fn corpus(corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
    let mut mentions = corpus.documents().flat_map(|document| document.mentions());
    let has_annotators =
        mentions.any(|mention| ATTRIBUTES.iter().any(|key| mention.attribute(key).is_some()));
    match has_annotators {
        true => corpus.documents().try_for_each(|document| problem(&document, output))?,
        false => output.file("corpus.xml", |out| {
            writeln!(out, "{DECLARATION}\n<corpus.entityAnnotation>")?;
            corpus.documents().try_for_each(|document| {
                let name = document.name();
                writeln!(out, "\t<document docName=\"{}\">", escaped(name, name)?)?;
                annotations(out, &document, &WNED, "annotation")?;
                Ok::<(), WriteError>(writeln!(out, "\t</document>")?)
            })?;
            Ok(writeln!(out, "</corpus.entityAnnotation>")?)
        })?,
    }
    corpus.documents().try_for_each(|document| {
        let path = format!("RawText/{}", text_folder::file_name(document.name()));
        text_folder::write(output, &path, document.name(), document.text().unwrap_or_default())
    })
}

/// A document as a file of its own.
fn problem(document: &Document<'_>, output: &mut Output) -> Result<(), WriteError> {
    let name = document.name();
    if name.trim() != name {
        let message = "a name with white space at its edges would be read as another";
        return Err(WriteError::unrepresentable(name, message));
    }
    output.file(&format!("Problems/{}", text_folder::file_name(name)), |out| {
        writeln!(out, "{DECLARATION}\n<ReferenceProblem>")?;
        writeln!(out, "\t<ReferenceFileName>{}</ReferenceFileName>", escaped(name, name)?)?;
        annotations(out, document, &PROBLEM, "ReferenceInstance")?;
        Ok(writeln!(out, "</ReferenceProblem>")?)
    })
}

fn annotations(
    out: &mut dyn Write,
    document: &Document<'_>,
    dialect: &Dialect,
    element: &str,
) -> Result<(), WriteError> {
    let name = document.name();
    let Some(index) = document.text_index() else {
        return Err(WriteError::unrepresentable(name, "the document has no text"));
    };
    for mention in document.mentions() {
        writeln!(out, "\t\t<{element}>")?;
        for (child, value) in children(&mention, &index, dialect)? {
            writeln!(out, "\t\t\t<{child}>{}</{child}>", escaped(name, &value)?)?;
        }
        writeln!(out, "\t\t</{element}>")?;
    }
    Ok(())
}

/// What is said of a mention, element by element.
fn children<'c>(
    mention: &Mention<'c>,
    index: &TextIndex<'c>,
    dialect: &Dialect,
) -> Result<Vec<(&'static str, String)>, WriteError> {
    let name = mention.document().name();
    let refuse = |message: String| WriteError::unrepresentable(name, message);
    let span = mention.span();
    let surface = index.slice(span);
    let surface =
        surface.ok_or_else(|| refuse(format!("the mention {span} is not in the text")))?;
    let title = mention.entity().unwrap_or("NIL");
    if mention.entity().is_some_and(|title| is_nil(title) || title.trim() != title) {
        return Err(refuse(format!("the entity `{title}` would be read as another or as NIL")));
    }
    let mut children = vec![
        (dialect.surface, surface.to_owned()),
        (dialect.link, title.to_owned()),
        (dialect.offset, span.start.to_string()),
        (dialect.length, span.len().to_string()),
    ];
    children.extend(mention.confidence().map(|confidence| ("prob", format!("{confidence:?}"))));
    for &key in dialect.attributes {
        let Some(value) = mention.attribute(key) else { continue };
        if value.trim() != value || value.is_empty() {
            return Err(refuse(format!("the {key} `{value}` would be read as another")));
        }
        children.push((key, value.to_owned()));
    }
    Ok(children)
}
