//! From documents to the texts that people read: chunks of whole sentences, as Ding, Botzer and Weninger (2022) made them.
//!
//! Sentences come from the input or from a [`SentenceSplitter`]; long ones are wrapped at white space; then sentences
//! are put together from left to right, and a chunk ends as soon as it has enough characters. Only the characters of
//! sentences count, not what lies between them. Chunks depend on the text alone, so they are the same for all systems.
//!
//! ```
//! use karat_verify::chunking::{Chunking, SentenceSplitter};
//!
//! let text = "Mr. Tolan arrived late. ".repeat(20);
//! let sentences = SentenceSplitter::own().sentences(&text);
//! let chunks = Chunking::KARAT.chunks(&text, &sentences);
//! assert_eq!(sentences.len(), 20);
//! assert_eq!(chunks.iter().map(|chunk| chunk.len()).collect::<Vec<_>>(), [335, 143]);
//! ```

mod abbreviations;
mod punkt;
mod splitter;
mod tokens;
mod wrapping;

pub use punkt::{PunktError, PunktParameters};
pub use splitter::SentenceSplitter;

use karat_model::Span;
use serde::{Deserialize, Serialize};

/// How long chunks are, in code points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chunking {
    /// Sentences longer than this are wrapped at white space; `None` leaves them whole.
    pub wrap: Option<u32>,
    /// A chunk ends as soon as its sentences are this long together.
    pub enough: u32,
    /// What is left at the end is a chunk of its own from this length on, and otherwise belongs to the chunk before.
    pub least: u32,
    /// Whether a document that is shorter than that is a chunk all the same; otherwise it vanishes.
    pub keep_short: bool,
}

impl Chunking {
    /// As in the paper: a document under 100 characters vanishes.
    pub const DING_2022: Chunking =
        Chunking { wrap: Some(300), enough: 300, least: 100, keep_short: false };

    /// karat's own: the same, but no document vanishes.
    pub const KARAT: Chunking = Chunking { keep_short: true, ..Chunking::DING_2022 };

    /// The chunks of a text with these sentences, which must be in order and must not overlap.
    pub fn chunks(&self, text: &str, sentences: &[Span]) -> Vec<Span> {
        match self.wrap {
            Some(width) => self.merged(&wrapping::wrapped(text, sentences, width)),
            None => self.merged(sentences),
        }
    }

    /// Puts sentences together.
    pub fn merged(&self, pieces: &[Span]) -> Vec<Span> {
        let mut chunks: Vec<Span> = Vec::new();
        let mut open: Option<(Span, u32)> = None;
        for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
            let (begin, length) =
                open.map_or((piece.start, 0), |(span, length)| (span.start, length));
            let (span, length) = (Span::new(begin, piece.end), length + piece.len());
            open = if length >= self.enough {
                chunks.push(span);
                None
            } else {
                Some((span, length))
            };
        }
        if let Some((rest, length)) = open {
            match chunks.last_mut() {
                Some(last) if length < self.least => *last = Span::new(last.start, rest.end),
                None if length < self.least && !self.keep_short => {}
                _ => chunks.push(rest),
            }
        }
        chunks
    }
}

/// The number of the chunk that a span lies in. What begins in one chunk and ends in another lies in none.
pub fn chunk_of(chunks: &[Span], span: Span) -> Option<usize> {
    let at = chunks.partition_point(|chunk| chunk.end <= span.start);
    chunks.get(at).filter(|chunk| chunk.contains(span)).map(|_| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(flat: &[u32]) -> Vec<Span> {
        flat.chunks_exact(2).map(|pair| Span::new(pair[0], pair[1])).collect()
    }

    #[track_caller]
    fn merge(pieces: &[u32], chunks: &[u32]) {
        assert_eq!(Chunking::DING_2022.merged(&spans(pieces)), spans(chunks));
    }

    #[test]
    fn sentences_are_put_together() {
        merge(&[0, 299], &[0, 299]);
        merge(&[0, 99], &[]);
        merge(&[0, 100], &[0, 100]);
        merge(&[0, 299, 300, 301], &[0, 301]);
        merge(&[0, 150, 151, 301, 302, 401], &[0, 401]);
        merge(&[0, 150, 151, 301, 302, 402], &[0, 301, 302, 402]);
        merge(&[0, 400, 401, 421, 422, 722, 723, 733], &[0, 400, 401, 733]);
        assert_eq!(Chunking::KARAT.merged(&spans(&[0, 99])), spans(&[0, 99]));
        assert_eq!(Chunking::KARAT.merged(&[]), []);
    }

    #[test]
    fn a_span_lies_in_one_chunk_or_in_none() {
        let chunks = spans(&[0, 10, 12, 20]);
        for (span, expected) in [
            ((0, 10), Some(0)),
            ((9, 11), None),
            ((12, 13), Some(1)),
            ((8, 13), None),
            ((19, 21), None),
        ] {
            assert_eq!(chunk_of(&chunks, Span::new(span.0, span.1)), expected, "{span:?}");
        }
    }
}
