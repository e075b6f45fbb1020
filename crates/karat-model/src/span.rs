//! Where something is in a text, and how files count.

use serde::{Deserialize, Serialize};

/// A half-open range of code points in a document.
///
/// In a document without text the unit is whatever the file counted in (tokens,
/// for AIDA in neleval's format); such spans can still be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The first position.
    pub start: u32,
    /// One past the last position.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// How many positions it covers.
    pub fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether it covers nothing.
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Whether the two share a position.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Whether `other` lies within, equal spans included.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two overlap and neither contains the other.
    pub fn crosses(self, other: Span) -> bool {
        self.overlaps(other) && !self.contains(other) && !other.contains(self)
    }
}

impl std::fmt::Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// What a file's offsets count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OffsetUnit {
    /// Unicode code points: Python, NIF, ELEVANT.
    #[default]
    CodePoints,
    /// UTF-16 code units: Java, JavaScript, UIMA.
    Utf16,
    /// Bytes of UTF-8.
    Bytes,
    /// Tokens of the document.
    Tokens,
}

impl OffsetUnit {
    /// Its name in requests and signatures.
    pub fn name(self) -> &'static str {
        match self {
            OffsetUnit::CodePoints => "code-points",
            OffsetUnit::Utf16 => "utf16",
            OffsetUnit::Bytes => "bytes",
            OffsetUnit::Tokens => "tokens",
        }
    }
}

impl std::fmt::Display for OffsetUnit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            OffsetUnit::CodePoints => "code points",
            OffsetUnit::Utf16 => "UTF-16 units",
            OffsetUnit::Bytes => "bytes",
            OffsetUnit::Tokens => "tokens",
        })
    }
}

/// Whether a file's end offset is the last position or one past it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The end is the last position that belongs to the mention.
    Inclusive,
    /// The end is one past the last position.
    Exclusive,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            End::Inclusive => "inclusive",
            End::Exclusive => "exclusive",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_of_spans() {
        let (a, b, c) = (Span::new(0, 5), Span::new(3, 8), Span::new(5, 8));
        assert!(a.overlaps(b) && a.crosses(b) && !a.overlaps(c));
        assert!(b.contains(c) && !b.crosses(c));
        assert!(Span::new(4, 4).is_empty());
    }
}
