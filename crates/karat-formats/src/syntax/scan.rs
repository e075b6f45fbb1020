//! Fields and numbers of text that is separated by tabs, and strings and numbers of
//! JSON, eight bytes at a time.
//!
//! Fields of annotation files are a few bytes long, and there are millions. So a
//! field is loaded as one word, its end is found in the word, and what the field
//! says is worked out from the word without loops.

use std::ops::Range;

/// A field of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The first eight bytes, zeros after the end.
    pub(crate) word: u64,
    /// Where the next field or line begins.
    pub(crate) next: usize,
    /// Whether this is the last field of its line.
    pub(crate) last: bool,
}

impl Field {
    /// The field that starts here and ends at a tab, a line end or the end of the text.
    // A field is a handful of registers; passed through memory it costs as much again.
    #[inline(always)]
    pub(crate) fn at(bytes: &[u8], start: usize) -> Field {
        let word = load(bytes, start);
        let low = low_bytes(word);
        let len = (low.trailing_zeros() >> 3) as usize;
        let separator = word.checked_shr(8 * len as u32).unwrap_or(0) as u8;
        if separator != b'\t' && separator != b'\n' {
            let (end, separator) = end_of(bytes, start);
            return Field::new(bytes, start..end, below(word, end - start), separator);
        }
        // All bits below the separator.
        let before = (low ^ low.wrapping_sub(1)) >> 8;
        Field::new(bytes, start..start + len, word & before, separator)
    }

    /// The next field of the line, empty where this was the last.
    #[inline(always)]
    pub(crate) fn following(&self, bytes: &[u8]) -> Field {
        match self.last {
            false => Field::at(bytes, self.next),
            true => Field { start: self.end, word: 0, ..*self },
        }
    }

    #[inline(always)]
    fn new(bytes: &[u8], place: Range<usize>, mut word: u64, separator: u8) -> Field {
        let Range { start, mut end } = place;
        let next = end + 1;
        let last = separator != b'\t';
        if last && end > start && bytes.get(end - 1) == Some(&b'\r') {
            end -= 1;
            // The carriage return of Windows files is taken off the word as well, or it would be
            // part of the key.
            word = below(word, end - start);
        }
        Field { start, end, word, next, last }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.end - self.start
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.end == self.start
    }

    /// The field as a number, if it is a decimal of at most eight characters. Its
    /// digits and the power of ten are exact doubles, so the one division rounds
    /// correctly.
    #[inline(always)]
    pub(crate) fn short_decimal(&self) -> Option<f64> {
        let word = self.padded()?;
        let points = zero_bytes(word ^ POINTS);
        if points == 0 {
            return eight_digits(word).map(f64::from);
        }
        // What stands before the point moves over it.
        let point = points.trailing_zeros() >> 3;
        let before = word & !(u64::MAX << (8 * point));
        let after = word & (u64::MAX << (8 * point) << 8);
        let digits = eight_digits(after | before << 8 | u64::from(b'0'))?;
        (self.len() > 1).then(|| f64::from(digits) / POWERS[7 - point as usize])
    }

    /// The characters as if they were eight with zeros before them; the last is in
    /// the highest byte.
    #[inline]
    fn padded(&self) -> Option<u64> {
        let len = self.len();
        if len.wrapping_sub(1) >= 8 {
            return None;
        }
        // A shift by 64 is not allowed; the length is at least one here.
        let shift = 64 - 8 * len as u32;
        Some(self.word << shift | !(u64::MAX << shift) & ZEROS)
    }
}

/// A whole number that starts here and ends at a tab or a line end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number {
    pub(crate) value: u32,
    /// Where the next field or line begins.
    pub(crate) next: usize,
    /// Whether it is the last field of its line.
    pub(crate) last: bool,
}

impl Number {
    /// `None` for anything but one to seven digits.
    #[inline(always)]
    pub(crate) fn at(bytes: &[u8], start: usize) -> Option<Number> {
        let word = load(bytes, start);
        let (digits, bits) = leading_digits(word);
        let separator = word.checked_shr(bits).unwrap_or(0) as u8;
        if bits == 0 || !matches!(separator, b'\t' | b'\n') {
            return None;
        }
        let value = value_of(digits << (64 - bits));
        let next = start + bits as usize / 8 + 1;
        Some(Number { value, next, last: separator == b'\n' })
    }
}

/// The number that up to eight digits from here on make, and how many there are.
#[inline(always)]
pub(crate) fn digits(bytes: &[u8], start: usize) -> (u64, usize) {
    match leading_digits(load(bytes, start)) {
        (_, 0) => (0, 0),
        (digits, bits) => (value_of(digits << (64 - bits)).into(), bits as usize / 8),
    }
}

/// Where the first quote, backslash or control character from here on stands, or the text
/// ends: what a string of JSON ends at, or what is unusual in it.
#[inline(always)]
pub(crate) fn string_end(bytes: &[u8], start: usize) -> usize {
    let marks = string_marks(load(bytes, start));
    if marks != 0 {
        return start + (marks.trailing_zeros() >> 3) as usize;
    }
    long_string_end(bytes, start + 8)
}

#[inline(never)]
fn long_string_end(bytes: &[u8], mut at: usize) -> usize {
    let plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    // Whole chunks are looked at without a decision for each byte.
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<32>()) {
        if !chunk.iter().fold(true, |all, &byte| all & plain(byte)) {
            break;
        }
        at += 32;
    }
    loop {
        let marks = string_marks(load(bytes, at));
        if marks != 0 {
            return at + (marks.trailing_zeros() >> 3) as usize;
        }
        at += 8;
    }
}

/// Whether the text begins with this, which is not empty. It is short, so a call of the
/// library takes longer than the comparison.
#[inline(always)]
pub(crate) fn begins_with(bytes: &[u8], beginning: &[u8]) -> bool {
    let Some(found) = bytes.get(..beginning.len()) else { return false };
    let last_words = (found.last_chunk::<8>(), beginning.last_chunk::<8>());
    let (Some(found_last), Some(last)) = last_words else {
        return !beginning.is_empty() && found == beginning;
    };
    let (found_words, _) = found.as_chunks::<8>();
    let (words, _) = beginning.as_chunks::<8>();
    let same = |(found, word): (&[u8; 8], &[u8; 8])| {
        u64::from_le_bytes(*found) == u64::from_le_bytes(*word)
    };
    same((found_last, last)) && found_words.iter().zip(words).all(same)
}

const ZEROS: u64 = u64::from_le_bytes([b'0'; 8]);
const POINTS: u64 = u64::from_le_bytes([b'.'; 8]);
const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
const POWERS: [f64; 8] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7];

/// Where a field ends that is long, or has other control characters than separators,
/// or stands at the end of the text; and at what.
#[inline(never)]
fn end_of(bytes: &[u8], start: usize) -> (usize, u8) {
    let rest = bytes.get(start..).unwrap_or_default();
    match memchr::memchr2(b'\t', b'\n', rest) {
        Some(len) => (start + len, rest[len]),
        None => (start + rest.len(), b'\n'),
    }
}

/// The first so many bytes of a word, zeros after them.
#[inline]
fn below(word: u64, len: usize) -> u64 {
    if len < 8 { word & !(u64::MAX << (8 * len)) } else { word }
}

/// The eight bytes from here on; zeros where the text has ended.
#[inline]
fn load(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => load_rest(bytes.get(at..).unwrap_or_default()),
    }
}

#[cold]
fn load_rest(rest: &[u8]) -> u64 {
    rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Marks the first byte that is no larger than a line end, which a tab is too, by its
/// high bit; marks above it may be wrong.
#[inline]
fn low_bytes(word: u64) -> u64 {
    word.wrapping_sub(u64::from_le_bytes([b'\n' + 1; 8])) & !word & HIGH
}

/// Marks the first quote, backslash or control character by its high bit; marks above it
/// may be wrong.
#[inline]
fn string_marks(word: u64) -> u64 {
    let control = word.wrapping_sub(u64::from_le_bytes([b' '; 8])) & !word & HIGH;
    let [quotes, backslashes] = [b'"', b'\\'].map(|byte| u64::from_le_bytes([byte; 8]));
    control | zero_bytes(word ^ quotes) | zero_bytes(word ^ backslashes)
}

/// The values of the digits that a word begins with, and how many bits they take; what is
/// above them means nothing.
#[inline]
fn leading_digits(word: u64) -> (u64, u32) {
    let digits = word ^ ZEROS;
    // The high bit marks what is no digit.
    let others = (digits.wrapping_add(u64::from_le_bytes([0x76; 8])) | digits) & HIGH;
    (digits, others.trailing_zeros() & !7)
}

/// Marks the lowest byte that is zero by its high bit; marks above it may be wrong.
#[inline]
fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(u64::from_le_bytes([1; 8])) & !word & HIGH
}

/// Eight ASCII digits, the most significant in the lowest byte.
#[inline]
fn eight_digits(word: u64) -> Option<u32> {
    let high = word & 0xf0f0_f0f0_f0f0_f0f0;
    let carry = word.wrapping_add(0x0606_0606_0606_0606) & 0xf0f0_f0f0_f0f0_f0f0;
    if high != 0x3030_3030_3030_3030 || carry != 0x3030_3030_3030_3030 {
        return None;
    }
    Some(value_of(word & 0x0f0f_0f0f_0f0f_0f0f))
}

/// The number that eight digits make, given as their values.
#[inline]
fn value_of(word: u64) -> u32 {
    // Pairs of digits, then of pairs, then of fours.
    let word = (word * 10 + (word >> 8)) & 0x00ff_00ff_00ff_00ff;
    let word = (word * 100 + (word >> 16)) & 0x0000_ffff_0000_ffff;
    ((word * 10_000 + (word >> 32)) & 0xffff_ffff) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All fields, and whether each is the last of its line.
    fn fields(text: &str) -> Vec<(&str, bool)> {
        let mut fields = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let field = Field::at(text.as_bytes(), at);
            let content = &text[field.start..field.end];
            assert_eq!(field.word, load_rest(&content.as_bytes()[..content.len().min(8)]));
            fields.push((content, field.last));
            at = field.next;
        }
        fields
    }

    fn decimal(text: &str) -> Option<f64> {
        let [alone, followed] = ["", "\tafter it there is more\n"].map(|after| {
            let text = format!("{text}{after}");
            Field::at(text.as_bytes(), 0).short_decimal()
        });
        assert_eq!(alone.is_some(), followed.is_some(), "{text}");
        followed
    }

    #[test]
    fn short_decimals_are_exact() {
        for text in
            ["0.740614", "1.0", "0.1", "12345678", ".5", "5.", "0.000001", "1.000", "1234567."]
        {
            assert_eq!(decimal(text), text.parse().ok(), "{text}");
        }
        for text in ["", ".", "-1", "1e5", "1.2.3", "0.1234567", "1..", "..", "nan"] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn fields_are_those_of_the_library(text in "[a\t\n\u{8}\u{b}\u{c}\u{89}é😀]{0,60}(\r\n[ab\t\r]{0,9})?") {
            let mut expected: Vec<(&str, bool)> = Vec::new();
            for line in text.split_inclusive('\n') {
                let line = line.strip_suffix('\n').unwrap_or(line);
                let line = line.strip_suffix('\r').unwrap_or(line);
                let columns = line.matches('\t').count();
                expected.extend(line.split('\t').enumerate().map(|(at, field)| (field, at == columns)));
            }
            // A tab at the very end is followed by a field where there is no text any more.
            if text.ends_with('\t') {
                expected.pop();
            }
            prop_assert_eq!(fields(&text), expected);
        }

        #[test]
        fn numbers_are_read_as_the_library_reads_them(text in "[0-9]{0,9}|[0-9/:+a]{0,9}") {
            let line = format!("{text}\t5\n");
            let read = Number::at(line.as_bytes(), 0);
            let digits = text.len() <= 7 && text.bytes().all(|byte| byte.is_ascii_digit());
            let expected = text.parse().ok().filter(|_| digits);
            prop_assert_eq!(read.map(|number| number.value), expected);
            if let Some(first) = read {
                prop_assert_eq!((first.next, first.last), (text.len() + 1, false));
                // Too close to the end of the text to be read in one go, but right all the same.
                let second = Number::at(line.as_bytes(), first.next);
                prop_assert_eq!(second.map(|second| (second.value, second.last)), Some((5, true)));
            }
        }

        #[test]
        fn beginnings_are_those_of_the_library(text in "[ab]{0,20}", other in "[ab]{1,20}", len in 1..20usize) {
            let (text, other) = (text.as_bytes(), other.as_bytes());
            prop_assert_eq!(begins_with(text, other), text.starts_with(other));
            let own = &text[..len.min(text.len())];
            prop_assert_eq!(begins_with(text, own), !own.is_empty());
        }

        #[test]
        fn strings_end_where_they_should(text in "[a\u{7f}é😀 ]{0,90}[\"\\\\\u{1}\n]?[a\"\\\\\n]{0,90}") {
            let special = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
            for start in 0..=text.len() {
                let end = text.bytes().skip(start).position(special);
                let end = end.map_or(text.len(), |end| start + end);
                prop_assert_eq!(string_end(text.as_bytes(), start), end);
            }
        }

        #[test]
        fn decimals_are_read_as_the_library_reads_them(text in "[0-9]{0,5}[.]?[0-9]{0,5}") {
            let expected = text.parse().ok().filter(|_| text.len() <= 8);
            prop_assert_eq!(decimal(&text), expected);
        }
    }
}
