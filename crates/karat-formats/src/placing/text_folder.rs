//! Texts in files of their own, one per document, named after it.

use crate::anchor::Here;
use crate::format::{WriteError, has_extension};
use crate::input::Input;
use crate::output::Output;
use crate::problem::Problem;
use crate::reading::{ReadOptions, Reading};
use crate::source::Source;
use karat_model::Corpus;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use std::borrow::Cow;

/// What file systems give a meaning to, and the sign of the spelling itself.
const SPECIAL: &AsciiSet = &CONTROLS
    .add(b'/')
    .add(b'\\')
    .add(b':')
    .add(b'*')
    .add(b'?')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'|')
    .add(b'%');

/// The longest name that file systems take, less the room for an extension.
const LONGEST: usize = 240;

/// The name of a document as the name of a file.
pub(crate) fn file_name(document: &str) -> String {
    let encoded = utf8_percent_encode(document, SPECIAL).to_string();
    // A leading dot hides a file, and `..` leads elsewhere.
    match encoded.strip_prefix('.') {
        Some(rest) => format!("%2E{rest}"),
        None => encoded,
    }
}

/// The document that a file is named after.
pub(crate) fn document_name(file_stem: &str) -> Cow<'_, str> {
    percent_decode_str(file_stem).decode_utf8().unwrap_or(Cow::Borrowed(file_stem))
}

/// The text of a document from the first of these files that is there, or else
/// from the documents the user gave. `None` when there is none.
pub(crate) fn find(
    input: &Input,
    file: &Source,
    names: &[String],
    folders: &[&str],
    document: &str,
    reading: &mut Reading<'_>,
) -> Result<Option<String>, Problem> {
    let companion = names.iter().find_map(|name| input.companion(file, name, folders));
    if let Some(source) = companion {
        reading.findings.note_use(source.name());
        return source.text().map(|text| Some(text.as_str().to_owned()));
    }
    let given = reading.options.documents.as_ref();
    let given = given.and_then(|corpus| corpus.document(document)?.text().map(str::to_owned));
    Ok(given)
}

/// Documents with the texts of files that are nothing else, each named after its file; `None` where some file is no `.txt`.
pub fn text_documents(input: &Input) -> Result<Option<Corpus>, Problem> {
    let files = input.sources();
    if files.is_empty() || !files.iter().all(|file| has_extension(file.name(), "txt")) {
        return Ok(None);
    }
    let options = ReadOptions::default();
    let mut reading = Reading::new(&options);
    for file in files {
        let text = file.text()?;
        let here = Here { text: &text, at: 0, len: 0 };
        here.begin_document(&document_name(file.stem()), &mut reading.corpus)?;
        reading.corpus.set_text(text.as_str());
    }
    Ok(Some(reading.corpus.finish()))
}

/// Writes the text of a document into a file of its own.
pub(crate) fn write(
    output: &mut Output,
    path: &str,
    document: &str,
    text: &str,
) -> Result<(), WriteError> {
    let refuse = |message: &str| Err(WriteError::unrepresentable(document, message));
    if document.is_empty() {
        return refuse("a document without a name cannot have a file");
    }
    if path.len() > LONGEST {
        return refuse("the name is too long for a file");
    }
    // A reader would take the mark off, or try to decompress the text, and the corpus would not
    // come back as it was.
    if text.starts_with('\u{feff}') || text.starts_with("BZh") {
        return refuse("its text begins like the mark of an encoding or of a compressed file");
    }
    output.file(path, |out| Ok(out.write_all(text.as_bytes())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_alone_are_documents() {
        let files =
            [Source::memory("t/a.txt", "\u{feff}Berlin"), Source::memory("t/b%2Fc.txt", "Paris")];
        let corpus = text_documents(&files.iter().cloned().collect()).unwrap().unwrap();
        let texts: Vec<_> = corpus.documents().map(|of| (of.name(), of.text())).collect();
        assert_eq!(texts, [("a", Some("Berlin")), ("b/c", Some("Paris"))]);
        let others = files.into_iter().chain([Source::memory("t/a.ann", "")]);
        assert!(text_documents(&others.collect()).unwrap().is_none());
    }

    #[test]
    fn names_are_safe_and_reversible() {
        for name in ["a/b", "..", ".", ".x", "50%", "a%2Fb", "C:\\d", "é 東京", "tab\there", "x.gz"]
        {
            let file = file_name(name);
            assert!(!file.contains(['/', '\\']) && !file.starts_with('.'), "{file}");
            assert_eq!(document_name(&file), name);
        }
        assert_eq!(document_name("50%.x"), "50%.x", "what is no spelling stays");
        assert_eq!(document_name("%ff"), "%ff");
    }
}
