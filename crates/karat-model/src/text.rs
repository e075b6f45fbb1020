//! Positions in a text, in every unit files count in.

use crate::{OffsetUnit, Span};
use std::sync::OnceLock;

/// Every how many code points the byte position is remembered.
const STRIDE: usize = 64;

/// Finds bytes by code points and the other way round.
///
/// An ASCII text needs no index at all; any other text one number per 64 code
/// points.
#[derive(Debug, Clone)]
pub struct TextIndex<'a> {
    text: &'a str,
    /// Byte position of code point `i * STRIDE`; empty for ASCII.
    samples: Vec<u32>,
    /// How many units of UTF-16 stand before code point `i * STRIDE`. Found when it is first asked for: few files
    /// count in these.
    units: OnceLock<Vec<u32>>,
    len: u32,
}

/// Where every so many code points begin, and how many there are. Eight bytes at a
/// time: readers do this for every text.
fn sampled(bytes: &[u8]) -> (Vec<u32>, u32) {
    let mut samples = Vec::with_capacity(bytes.len() / STRIDE + 1);
    let mut len = 0;
    for (number, chunk) in bytes.chunks(8).enumerate() {
        let starts = code_points(chunk);
        let before_sample = samples.len() * STRIDE - len;
        if before_sample < starts {
            // At most one sample per chunk: a chunk begins at most eight code points, fewer than
            // `STRIDE`.
            let mut begins = (0..chunk.len()).filter(|&at| is_start(chunk[at]));
            let at = begins.nth(before_sample).unwrap_or_default();
            samples.push((number * 8 + at) as u32);
        }
        len += starts;
    }
    (samples, len as u32)
}

/// What texts that may not be published have in the place of their words.
const MASKS: [char; 7] = ['*', '#', '_', '█', '■', '•', '●'];

/// The first code point at which two texts differ, if they do. What moves no offset makes no difference:
/// white space at their ends, and a mask in the place of anything but white space.
pub fn first_difference(text: &str, other: &str) -> Option<usize> {
    let (text, other) = (text.trim_end(), other.trim_end());
    if text == other {
        return None;
    }
    let masks = |mask: char, masked: char| MASKS.contains(&mask) && !masked.is_whitespace();
    let is_alike = |&(one, two): &(char, char)| one == two || masks(one, two) || masks(two, one);
    let alike = text.chars().zip(other.chars()).take_while(is_alike).count();
    let longest = text.chars().count().max(other.chars().count());
    (alike < longest).then_some(alike)
}

fn is_start(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

/// How many code points begin in up to eight bytes.
#[inline]
fn code_points(chunk: &[u8]) -> usize {
    let Some(bytes) = chunk.first_chunk::<8>() else {
        return chunk.iter().filter(|&&byte| is_start(byte)).count();
    };
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let word = u64::from_le_bytes(*bytes);
    // A byte that continues a code point has its highest bit set and the next one clear. The
    // product adds the eight results up in the top byte.
    let following = (word >> 7) & !(word >> 6) & ONES;
    8 - (following.wrapping_mul(ONES) >> 56) as usize
}

impl<'a> TextIndex<'a> {
    /// An index of `text`.
    pub fn new(text: &'a str) -> TextIndex<'a> {
        if text.is_ascii() {
            let len = text.len() as u32;
            return TextIndex { text, samples: Vec::new(), units: OnceLock::new(), len };
        }
        let (samples, len) = sampled(text.as_bytes());
        TextIndex { text, samples, units: OnceLock::new(), len }
    }

    /// The text itself.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Length in code points.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The byte position of a code point, the end of the text included.
    pub fn byte_of(&self, position: u32) -> Option<usize> {
        if position > self.len {
            return None;
        }
        if self.samples.is_empty() {
            return Some(position as usize);
        }
        if position == self.len {
            return Some(self.text.len());
        }
        let start = self.samples[position as usize / STRIDE] as usize;
        let rest = &self.text[start..];
        rest.char_indices().nth(position as usize % STRIDE).map(|(byte, _)| start + byte)
    }

    /// The code point that starts at a byte, if one does.
    pub fn position_of_byte(&self, byte: usize) -> Option<u32> {
        if self.samples.is_empty() {
            return (byte <= self.text.len()).then_some(byte as u32);
        }
        if !self.text.is_char_boundary(byte) {
            return None;
        }
        let sample = self.samples.partition_point(|&start| start as usize <= byte).max(1) - 1;
        let between = &self.text[self.samples[sample] as usize..byte];
        Some((sample * STRIDE + between.chars().count()) as u32)
    }

    /// The text of a span, if it lies within.
    pub fn slice(&self, span: Span) -> Option<&'a str> {
        if span.end < span.start {
            return None;
        }
        self.text.get(self.byte_of(span.start)?..self.byte_of(span.end)?)
    }

    /// An offset of a file in code points; `None` when it is outside the text
    /// or inside a character. Tokens need the tokens of the document and are
    /// not known here.
    pub fn to_code_points(&self, offset: u64, unit: OffsetUnit) -> Option<u32> {
        match unit {
            OffsetUnit::CodePoints => {
                u32::try_from(offset).ok().filter(|&position| position <= self.len)
            }
            OffsetUnit::Bytes => self.position_of_byte(usize::try_from(offset).ok()?),
            OffsetUnit::Utf16 => self.position_of_utf16(offset),
            OffsetUnit::Tokens => None,
        }
    }

    fn position_of_utf16(&self, offset: u64) -> Option<u32> {
        if self.samples.is_empty() {
            return u32::try_from(offset).ok().filter(|&position| position <= self.len);
        }
        // The last sample that begins at the offset or before it; from there it is at most `STRIDE` code points.
        let samples = self.units();
        let sample = samples.partition_point(|&units| u64::from(units) <= offset).max(1) - 1;
        let mut units = u64::from(samples[sample]);
        let mut position = (sample * STRIDE) as u32;
        for character in self.text[self.samples[sample] as usize..].chars() {
            if units >= offset {
                break;
            }
            units += character.len_utf16() as u64;
            position += 1;
        }
        (units == offset).then_some(position)
    }

    /// How many units of UTF-16 stand before a code point, which begins at this byte.
    fn utf16_before(&self, position: u32, byte: usize) -> u64 {
        if self.samples.is_empty() {
            return u64::from(position);
        }
        // The end of a text has no sample of its own where its length is a multiple of the stride.
        let sample = (position as usize / STRIDE).min(self.samples.len() - 1);
        let between = self.text[self.samples[sample] as usize..byte].chars();
        u64::from(self.units()[sample]) + between.map(|it| it.len_utf16() as u64).sum::<u64>()
    }

    fn units(&self) -> &[u32] {
        self.units.get_or_init(|| {
            let ends = self.samples.iter().skip(1).map(|&end| end as usize);
            let stretches = self.samples.iter().zip(ends.chain([self.text.len()]));
            let mut before = 0;
            let counted = stretches.map(|(&start, end)| {
                let stretch = self.text[start as usize..end].chars();
                let units = stretch.map(|character| character.len_utf16() as u32).sum::<u32>();
                before += units;
                before - units
            });
            counted.collect()
        })
    }

    /// A position in code points as a file of another unit writes it.
    pub fn from_code_points(&self, position: u32, unit: OffsetUnit) -> Option<u64> {
        let byte = self.byte_of(position)?;
        match unit {
            OffsetUnit::CodePoints => Some(u64::from(position)),
            OffsetUnit::Bytes => Some(byte as u64),
            OffsetUnit::Utf16 => Some(self.utf16_before(position, byte)),
            OffsetUnit::Tokens => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn units_of_one_text() {
        let index = TextIndex::new("a😀e\u{301}z");
        assert_eq!(index.len(), 5);
        assert_eq!(index.slice(Span::new(1, 2)), Some("😀"));
        assert_eq!(index.to_code_points(3, OffsetUnit::Utf16), Some(2));
        assert_eq!(index.to_code_points(2, OffsetUnit::Utf16), None, "inside a surrogate pair");
        assert_eq!(index.to_code_points(2, OffsetUnit::Bytes), None, "inside a character");
        assert_eq!(index.to_code_points(5, OffsetUnit::Bytes), Some(2));
        assert_eq!(index.to_code_points(6, OffsetUnit::CodePoints), None, "outside");
        assert_eq!(index.slice(Span::new(3, 9)), None);
        assert_eq!(index.slice(Span::new(3, 2)), None);
    }

    #[test]
    fn texts_differ_at_a_code_point_but_not_in_white_space_at_their_ends() {
        assert_eq!(first_difference("é, b", "é, b\n"), None);
        assert_eq!(first_difference("é, b", "é , b"), Some(1));
        assert_eq!(first_difference("é, b", "é, b and c"), Some(4));
        assert_eq!(first_difference("", "a"), Some(0));
        assert_eq!(first_difference("** café ▪", "An café ▪"), None, "masked");
        assert_eq!(first_difference("An café", "An ****\n"), None, "masked on the other side");
        assert_eq!(first_difference("** café", "The café"), Some(2), "masked, and longer");
        assert_eq!(first_difference("** cafe", "An café"), Some(6), "masked, and different");
        assert_eq!(first_difference("** café", "An café au lait"), Some(7));
    }

    proptest! {
        #[test]
        fn every_boundary_goes_there_and_back(text in "[a-z\u{e9}\u{4e2d}😀\u{301}]{0,200}") {
            let index = TextIndex::new(&text);
            prop_assert_eq!(index.len() as usize, text.chars().count());
            for position in 0..=index.len() {
                for unit in [OffsetUnit::CodePoints, OffsetUnit::Utf16, OffsetUnit::Bytes] {
                    let offset = index.from_code_points(position, unit).unwrap();
                    prop_assert_eq!(index.to_code_points(offset, unit), Some(position));
                }
            }
        }

        #[test]
        fn units_of_utf16_are_those_of_the_standard_library(text in "[a\u{e9}\u{4e2d}😀]{0,300}") {
            let index = TextIndex::new(&text);
            let mut boundaries = std::collections::HashMap::new();
            let mut units = 0;
            for (position, character) in text.chars().enumerate() {
                boundaries.insert(units, position as u32);
                units += character.len_utf16() as u64;
            }
            boundaries.insert(units, index.len());
            for offset in 0..units + 3 {
                let position = index.to_code_points(offset, OffsetUnit::Utf16);
                prop_assert_eq!(position, boundaries.get(&offset).copied(), "{}", offset);
            }
        }
    }
}
