//! What a linker is asked.

use karat_model::Span;

/// A text that a linker is asked about: a document, or a part of one.
///
/// It never holds what the gold standard links to. Spans are code points of [`text`](LinkTask::text), not of the document
/// that the part was cut out of.
#[derive(Debug, Clone, Default)]
pub struct LinkTask<'a> {
    /// The name of the document.
    pub document: &'a str,
    /// Where the text lies in its document, in code points; an empty span for a text that is no part of one.
    pub part: Span,
    /// The text.
    pub text: &'a str,
    /// Its language as a code such as `en`, where it is known.
    pub language: Option<&'a str>,
    /// The mentions that are to be linked; `None` where the linker is to find mentions itself. An empty list asks for nothing.
    pub mentions: Option<&'a [Span]>,
    /// For each given mention the ids to choose from, where those are given too.
    pub candidates: Option<&'a [Vec<String>]>,
    /// Which of several answers to the same question this is, from 0.
    pub sample: u32,
    /// The seed of whatever is random about the linker.
    pub seed: u64,
    /// Which attempt this is, from 1.
    pub attempt: u32,
    /// What was wrong with the answer before, when the linker is asked again because of it.
    pub mended: Option<&'a str>,
}

impl<'a> LinkTask<'a> {
    /// The first question about a whole text, in which the linker is to find mentions itself.
    pub fn of_text(document: &'a str, text: &'a str) -> LinkTask<'a> {
        // Texts of 4 GiB are refused when a corpus is read.
        let end = text.chars().count() as u32;
        LinkTask { document, text, part: Span::new(0, end), attempt: 1, ..LinkTask::default() }
    }
}
