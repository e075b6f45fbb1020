//! Fields and numbers of text that is separated by tabs, eight bytes at a time.
//!
//! Fields of annotation files are a few bytes long, and there are millions. So a
//! field is loaded as one word, its end is found in the word, and what the field
//! says is worked out from the word without loops.

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
    #[inline]
    pub(crate) fn at(bytes: &[u8], start: usize) -> Field {
        let word = load(bytes, start);
        let ends = separators(word);
        if ends == 0 {
            return Field::long(bytes, start, word);
        }
        let len = (ends.trailing_zeros() >> 3) as usize;
        // The bits below the separator.
        let before = (ends & ends.wrapping_neg()) >> 7;
        Field::ending(bytes, start, start + len, word & before.wrapping_sub(1))
    }

    #[inline(never)]
    fn long(bytes: &[u8], start: usize, word: u64) -> Field {
        let rest = bytes.get(start..).unwrap_or_default();
        let len = memchr::memchr2(b'\t', b'\n', rest).unwrap_or(rest.len());
        Field::ending(bytes, start, start + len, word)
    }

    #[inline]
    fn ending(bytes: &[u8], start: usize, end: usize, word: u64) -> Field {
        let field = Field { start, end, word, next: end + 1, last: bytes.get(end) != Some(&b'\t') };
        if field.last && end > start && bytes.get(end - 1) == Some(&b'\r') {
            return field.without_return();
        }
        field
    }

    #[cold]
    fn without_return(mut self) -> Field {
        self.end -= 1;
        if self.len() < 8 {
            self.word &= !(u64::MAX << (8 * self.len()));
        }
        self
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.end - self.start
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.end == self.start
    }

    /// The field as a whole number without sign, if it has at most eight digits.
    #[inline]
    pub(crate) fn whole_number(&self) -> Option<u32> {
        eight_digits(self.padded()?)
    }

    /// The field as a number, if it is a decimal of at most eight characters. Its
    /// digits and the power of ten are exact doubles, so the one division rounds
    /// correctly.
    #[inline]
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
        let shift = 64 - 8 * len as u32;
        Some(self.word << shift | !(u64::MAX << shift) & ZEROS)
    }
}

const ZEROS: u64 = u64::from_le_bytes([b'0'; 8]);
const POINTS: u64 = u64::from_le_bytes([b'.'; 8]);
const TABS: u64 = u64::from_le_bytes([b'\t'; 8]);
const NEWLINES: u64 = u64::from_le_bytes([b'\n'; 8]);
const POWERS: [f64; 8] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7];

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

/// Marks the first tab or line end of a word; what is marked above it is not to be
/// relied on.
#[inline]
fn separators(word: u64) -> u64 {
    zero_bytes(word ^ TABS) | zero_bytes(word ^ NEWLINES)
}

/// Marks the lowest byte that is zero by its high bit; marks above it may be wrong.
#[inline]
fn zero_bytes(word: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    word.wrapping_sub(ONES) & !word & HIGH
}

/// Eight ASCII digits, the most significant in the lowest byte.
#[inline]
fn eight_digits(word: u64) -> Option<u32> {
    let high = word & 0xf0f0_f0f0_f0f0_f0f0;
    let carry = word.wrapping_add(0x0606_0606_0606_0606) & 0xf0f0_f0f0_f0f0_f0f0;
    if high != 0x3030_3030_3030_3030 || carry != 0x3030_3030_3030_3030 {
        return None;
    }
    // Pairs of digits, then of pairs, then of fours.
    let word = word & 0x0f0f_0f0f_0f0f_0f0f;
    let word = (word * 10 + (word >> 8)) & 0x00ff_00ff_00ff_00ff;
    let word = (word * 100 + (word >> 16)) & 0x0000_ffff_0000_ffff;
    Some(((word * 10_000 + (word >> 32)) & 0xffff_ffff) as u32)
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

    fn number_of<T>(text: &str, number: impl Fn(&Field) -> Option<T>) -> Option<T> {
        let [alone, followed] = ["", "\tafter it there is more\n"].map(|after| {
            let text = format!("{text}{after}");
            number(&Field::at(text.as_bytes(), 0))
        });
        assert_eq!(alone.is_some(), followed.is_some(), "{text}");
        followed
    }

    #[test]
    fn short_decimals_are_exact() {
        for text in
            ["0.740614", "1.0", "0.1", "12345678", ".5", "5.", "0.000001", "1.000", "1234567."]
        {
            assert_eq!(number_of(text, Field::short_decimal), text.parse().ok(), "{text}");
        }
        for text in ["", ".", "-1", "1e5", "1.2.3", "0.1234567", "1..", "..", "nan"] {
            assert_eq!(number_of(text, Field::short_decimal), None, "{text}");
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
            let expected = text.parse().ok().filter(|_| text.len() <= 8 && !text.starts_with('+'));
            prop_assert_eq!(number_of(&text, Field::whole_number), expected);
        }

        #[test]
        fn decimals_are_read_as_the_library_reads_them(text in "[0-9]{0,5}[.]?[0-9]{0,5}") {
            let expected = text.parse().ok().filter(|_| text.len() <= 8);
            prop_assert_eq!(number_of(&text, Field::short_decimal), expected);
        }
    }
}
