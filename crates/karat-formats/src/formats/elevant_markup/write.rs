//! Writing text with brackets in it.

use super::cell::{Cell, escaped};
use super::header::{ARTICLE, Header};
use super::{END, START};
use crate::format::WriteError;
use karat_model::{Document, Mention, Place, Span, TextIndex};

/// The lines of a document.
pub(super) fn document(document: &Document<'_>) -> Result<String, WriteError> {
    let refuse = |message: &str| WriteError::unrepresentable(document.name(), message);
    let header = Header::line(document)
        .ok_or_else(|| refuse("the name, title and URL do not fit into the line of an article"))?;
    let index = TextIndex::new(document.text().unwrap_or_default());
    let inside = |span: Span| span.start <= span.end && span.end <= index.len();
    if document.evaluation_span().is_some_and(|span| !inside(span)) {
        return Err(refuse("the evaluation span does not lie in the text"));
    }
    let tags = document.evaluation_span().map(|span| [(span.start, START), (span.end, END)]);
    let mut markup = Markup {
        out: header + "\n",
        index,
        tags: tags.into_iter().flatten().rev().collect(),
        cursor: 0,
        open: Vec::new(),
    };
    for (index, mention) in document.mentions().enumerate() {
        let cell = Cell::of(&mention).map_err(|flaw| refuse(&flaw.to_string()))?;
        markup.annotate(index, &mention, cell);
    }
    markup.close_up_to(u32::MAX);
    markup.advance(markup.index.len());
    Ok(markup.out + "\n")
}

struct Markup<'c> {
    out: String,
    index: TextIndex<'c>,
    /// The tags around the evaluation span that are still to come, the next last.
    tags: Vec<(u32, &'static str)>,
    /// How much of the text was written.
    cursor: u32,
    /// The annotations whose brackets are open, and where they end.
    open: Vec<(usize, u32)>,
}

impl Markup<'_> {
    /// Opens a bracket where the annotation starts, if brackets can enclose it
    /// and then say the right thing; otherwise writes it where we are.
    fn annotate(&mut self, index: usize, mention: &Mention<'_>, mut cell: Cell) {
        let span = mention.span();
        let around = self.open.iter().rev().find(|(_, end)| *end > span.start);
        let place = around.map(|&(parent, _)| Place { parent: parent as u32, reading: 1 });
        let fits = around.is_none_or(|&(_, end)| span.end <= end);
        let enclosed =
            !span.is_empty() && span.start >= self.cursor && span.end <= self.index.len();
        if fits && enclosed && place == mention.place() {
            self.close_up_to(span.start);
            self.advance(span.start);
            self.out.push_str(&format!("[{}|", cell.spelled()));
            self.open.push((index, span.end));
        } else {
            cell.standoff = Some((span, mention.place()));
            self.out.push_str(&format!("[{}|]", cell.spelled()));
        }
    }

    fn close_up_to(&mut self, position: u32) {
        while let Some((_, end)) = self.open.pop_if(|(_, end)| *end <= position) {
            self.advance_within(end);
            self.out.push(']');
        }
    }

    /// Writes text up to a position, brackets open or not.
    fn advance(&mut self, to: u32) {
        self.text(to, !self.open.is_empty());
    }

    /// Writes the rest of the text of a bracket that is about to be closed.
    fn advance_within(&mut self, to: u32) {
        self.text(to, true);
    }

    fn text(&mut self, to: u32, bracketed: bool) {
        while let Some((at, tag)) = self.tags.pop_if(|(at, _)| *at <= to) {
            self.plain(at, bracketed);
            self.out.push_str(tag);
        }
        self.plain(to, bracketed);
    }

    fn plain(&mut self, to: u32, bracketed: bool) {
        let span = Span::new(self.cursor, to.max(self.cursor));
        let (text, start) = (self.index.text(), self.index.byte_of(self.cursor).unwrap_or(0));
        for (at, character) in self.index.slice(span).unwrap_or_default().char_indices() {
            let rest = &text[start + at..];
            let special = match character {
                '[' => true,
                ']' | '|' => bracketed,
                '<' => rest.starts_with(START) || rest.starts_with(END),
                '&' => rest.starts_with("&#"),
                '*' => rest.starts_with(ARTICLE) && !text[..start + at].ends_with(|c| c != '\n'),
                _ => false,
            };
            match escaped(character).filter(|_| special) {
                Some(reference) => self.out.push_str(reference),
                None => self.out.push(character),
            }
        }
        self.cursor = span.end;
    }
}
