//! Documents that come as one token per row: from rows to text and marks, and back.

use crate::format::WriteError;
use crate::syntax::columns::BREAKS;
use karat_model::{CorpusBuilder, Document, MarkKind, Span, TextIndex};

/// The text of a document while its tokens are read.
#[derive(Debug, Default)]
pub(crate) struct TokenText {
    text: String,
    /// Length of the text in code points.
    length: u32,
    tokens: Vec<(Span, String)>,
    sentences: Vec<Span>,
    sentence_start: Option<u32>,
    /// Whether the file has said anywhere in the document that a sentence ends.
    has_sentences: bool,
}

impl TokenText {
    /// Appends a token after the white space `before`, which the first token does without.
    pub(crate) fn push(&mut self, before: &str, token: &str) -> Span {
        if !self.tokens.is_empty() {
            self.append(before);
        }
        let start = self.length;
        self.append(token);
        self.sentence_start.get_or_insert(start);
        let span = Span::new(start, self.length);
        self.tokens.push((span, String::new()));
        span
    }

    fn append(&mut self, part: &str) {
        self.text.push_str(part);
        self.length = self.length.saturating_add(part.chars().count() as u32);
    }

    /// Attaches a remark to the last token.
    pub(crate) fn remark(&mut self, remark: String) {
        if let Some((_, value)) = self.tokens.last_mut() {
            *value = remark;
        }
    }

    /// The file says that a sentence ends here.
    pub(crate) fn end_sentence(&mut self) {
        if let Some(start) = self.sentence_start.take() {
            self.sentences.push(Span::new(start, self.length));
            self.has_sentences = true;
        }
    }

    /// The text so far.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Gives the current document its text, tokens and sentences.
    pub(crate) fn record(mut self, corpus: &mut CorpusBuilder) {
        // Only where the file marked an end does the last sentence end too; otherwise the document
        // has no sentences.
        if self.has_sentences {
            self.end_sentence();
        }
        corpus.set_text(&self.text);
        for (span, remark) in &self.tokens {
            corpus.mark(MarkKind::Token, *span, remark);
        }
        for &span in &self.sentences {
            corpus.mark(MarkKind::Sentence, span, "");
        }
    }
}

/// A token to write.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'c> {
    pub(crate) span: Span,
    pub(crate) token: &'c str,
    /// The white space between it and the next token.
    pub(crate) after: &'c str,
    /// The remark attached to it.
    pub(crate) remark: &'c str,
    /// Whether the document says that a sentence ends with it.
    pub(crate) ends_sentence: bool,
}

/// The tokens of a document, if they and the white space in `gaps` make its text.
///
/// A document without tokens is cut at white space and, where `gaps` has the
/// empty string, at the ends of mentions.
pub(crate) fn rows<'c>(document: &Document<'c>, gaps: &[&str]) -> Result<Vec<Row<'c>>, WriteError> {
    let Some(index) = document.text_index() else { return Ok(Vec::new()) };
    let mut tokens: Vec<(Span, &str)> = document.marks_of(MarkKind::Token).collect();
    tokens.sort_unstable();
    if tokens.is_empty() {
        tokens = cut(document, &index, gaps).into_iter().map(|span| (span, "")).collect();
    }
    let mut rows = Vec::with_capacity(tokens.len());
    let mut expected_start = 0;
    for (position, &(span, remark)) in tokens.iter().enumerate() {
        let next = tokens.get(position + 1).map(|(next, _)| next.start);
        let after = index.slice(Span::new(span.end, next.unwrap_or(span.end)));
        let token = index.slice(span).filter(|token| is_token(token));
        let (Some(token), Some(after)) = (token, after) else { return Err(unfit(document, span)) };
        // Tokens and gaps must make up the text without a rest, or reading would give another text.
        if span.start != expected_start || (next.is_some() && !gaps.contains(&after)) {
            return Err(if after.is_empty() {
                no_gap(document, token)
            } else {
                unfit(document, span)
            });
        }
        rows.push(Row { span, token, after, remark, ends_sentence: false });
        expected_start = next.unwrap_or(span.end);
    }
    if expected_start != index.len() {
        return Err(unfit(document, Span::new(expected_start, index.len())));
    }
    mark_sentences(document, &mut rows)?;
    Ok(rows)
}

fn is_token(token: &str) -> bool {
    !token.is_empty() && !token.contains(BREAKS)
}

fn unfit(document: &Document<'_>, span: Span) -> WriteError {
    let message = format!(
        "the text at {span} is not made of tokens with single spaces between them, which is all that rows of tokens can say"
    );
    WriteError::unrepresentable(document.name(), message)
}

fn no_gap(document: &Document<'_>, token: &str) -> WriteError {
    let message = format!(
        "there is no space after the token `{}`, and the format has no way to say so",
        token.escape_debug()
    );
    WriteError::unrepresentable(document.name(), message)
}

fn cut(document: &Document<'_>, index: &TextIndex<'_>, gaps: &[&str]) -> Vec<Span> {
    let mut boundaries: Vec<u32> = Vec::new();
    if gaps.contains(&"") {
        boundaries = document.mentions().flat_map(|m| [m.span().start, m.span().end]).collect();
        boundaries.sort_unstable();
    }
    let mut boundaries = boundaries.into_iter().peekable();
    let is_gap = |character: char| gaps.iter().any(|gap| gap.starts_with(character));
    let mut spans = Vec::new();
    let mut start = None;
    for (position, character) in (0..).zip(index.text().chars()) {
        let mut at_boundary = false;
        while boundaries.next_if(|&boundary| boundary <= position).is_some() {
            at_boundary = true;
        }
        if is_gap(character) || at_boundary {
            spans.extend(start.take().map(|start| Span::new(start, position)));
        }
        if !is_gap(character) {
            start.get_or_insert(position);
        }
    }
    spans.extend(start.map(|start| Span::new(start, index.len())));
    spans
}

/// Sentences can be written if they follow one another and hold all tokens.
fn mark_sentences(document: &Document<'_>, rows: &mut [Row<'_>]) -> Result<(), WriteError> {
    let mut sentences: Vec<Span> =
        document.marks_of(MarkKind::Sentence).map(|(span, _)| span).collect();
    sentences.sort_unstable();
    if sentences.is_empty() {
        return Ok(());
    }
    let mut sentences = sentences.into_iter();
    let mut open: Option<Span> = None;
    for row in rows {
        let sentence = match open
            .take()
            .or_else(|| sentences.next().filter(|sentence| sentence.start == row.span.start))
        {
            Some(sentence) if row.span.end <= sentence.end => sentence,
            _ => return Err(bad_sentences(document)),
        };
        row.ends_sentence = sentence.end == row.span.end;
        open = (!row.ends_sentence).then_some(sentence);
    }
    if open.is_some() || sentences.next().is_some() {
        return Err(bad_sentences(document));
    }
    Ok(())
}

fn bad_sentences(document: &Document<'_>) -> WriteError {
    WriteError::unrepresentable(
        document.name(),
        "its sentences do not begin and end with tokens, or leave tokens out",
    )
}

/// The rows that a span covers exactly.
pub(crate) fn covered(rows: &[Row<'_>], span: Span) -> Option<std::ops::Range<usize>> {
    // Rows are in order, so both ends of a mention are found by searching.
    let first = rows.binary_search_by_key(&span.start, |row| row.span.start).ok()?;
    let last = rows.binary_search_by_key(&span.end, |row| row.span.end).ok()?;
    (first <= last).then_some(first..last + 1)
}
