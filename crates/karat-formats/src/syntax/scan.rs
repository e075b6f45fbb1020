//! Finding separators and numbers in delimited text, several bytes at a time.
//!
//! Fields of annotation files are a few bytes long. Looking for each separator in
//! turn mispredicts a branch per field, and then the processor cannot overlap the
//! look-ups of one line with those of the next. So all separators of a stretch are
//! found first, eight bytes per step, and numbers are read without loops.

/// The positions of two separators in a text, found in stretches.
#[derive(Debug)]
pub(crate) struct Separators<'t> {
    bytes: &'t [u8],
    one: u64,
    other: u64,
    /// Where the next stretch begins.
    next: usize,
    /// Room for positions; the first `count` are valid.
    room: Vec<u32>,
    count: usize,
}

/// How many bytes are looked at in one go: their separators fit the first cache.
const STRETCH: usize = 8 << 10;

impl<'t> Separators<'t> {
    /// The positions of `one` and `other` in a text of less than 4 GiB.
    pub(crate) fn new(bytes: &'t [u8], one: u8, other: u8) -> Separators<'t> {
        let repeat = |byte: u8| u64::from_le_bytes([byte; 8]);
        let (one, other) = (repeat(one), repeat(other));
        Separators { bytes, one, other, next: 0, room: Vec::new(), count: 0 }
    }

    /// Drops the first `read` separators and adds those of the next stretch; false at the end.
    pub(crate) fn advance(&mut self, read: usize) -> bool {
        self.room.copy_within(read.min(self.count)..self.count, 0);
        self.count -= read.min(self.count);
        if self.next >= self.bytes.len() {
            return false;
        }
        let end = (self.next + STRETCH).min(self.bytes.len());
        // Room for the worst case, so that adding one needs no growth.
        self.room.resize(self.count + STRETCH, 0);
        let (words, rest) = self.bytes[self.next..end].as_chunks::<8>();
        let mut at = self.next as u32;
        let mut count = self.count;
        for word in words {
            let mut mask = self.mask(u64::from_le_bytes(*word));
            while mask != 0 {
                self.room[count] = at + (mask.trailing_zeros() >> 3);
                count += 1;
                mask &= mask - 1;
            }
            at += 8;
        }
        for &byte in rest {
            if byte == self.one as u8 || byte == self.other as u8 {
                self.room[count] = at;
                count += 1;
            }
            at += 1;
        }
        self.count = count;
        self.next = end;
        true
    }

    /// The separators that were found and not yet dropped.
    #[inline]
    pub(crate) fn found(&self) -> &[u32] {
        &self.room[..self.count]
    }

    /// The high bit of each byte that is a separator.
    fn mask(&self, word: u64) -> u64 {
        zero_bytes(word ^ self.one) | zero_bytes(word ^ self.other)
    }
}

/// The high bit of each byte that is zero, exact for every byte.
fn zero_bytes(word: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    !(((word & LOW) + LOW) | word | LOW)
}

/// The decimal number in `bytes[start..end]`, without sign, below 2^32.
#[inline]
pub(crate) fn whole_number(bytes: &[u8], start: usize, end: usize) -> Option<u32> {
    let len = end.checked_sub(start)?;
    match end.checked_sub(8).and_then(|from| bytes.get(from..end)?.first_chunk::<8>()) {
        Some(chunk) if (1..=8).contains(&len) => {
            // Digits to the high bytes, zeros before them.
            let shift = 64 - 8 * len as u32;
            let digits = u64::from_le_bytes(*chunk) >> shift << shift;
            let zeros = 0x3030_3030_3030_3030_u64.checked_shr(64 - shift).unwrap_or(0);
            let digits = if shift == 0 { digits } else { digits | zeros };
            eight_digits(digits)
        }
        _ => {
            let digits = bytes.get(start..end)?;
            let unsigned = digits.iter().all(u8::is_ascii_digit);
            std::str::from_utf8(digits).ok().filter(|_| unsigned)?.parse().ok()
        }
    }
}

/// Eight ASCII digits, the most significant in the lowest byte.
#[inline]
fn eight_digits(word: u64) -> Option<u32> {
    let high = word & 0xf0f0_f0f0_f0f0_f0f0;
    let carry = (word + 0x0606_0606_0606_0606) & 0xf0f0_f0f0_f0f0_f0f0;
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

    fn all(text: &str) -> Vec<u32> {
        let mut separators = Separators::new(text.as_bytes(), b'\t', b'\n');
        let mut found = Vec::new();
        while separators.advance(separators.found().len()) {
            found.extend_from_slice(separators.found());
        }
        found
    }

    #[test]
    fn long_texts_are_searched_in_stretches() {
        let text = "abc\tdefgh\n".repeat(5000);
        let expected: Vec<u32> =
            text.match_indices(['\t', '\n']).map(|(at, _)| at as u32).collect();
        assert_eq!(all(&text), expected);
    }

    proptest! {
        #[test]
        fn every_separator_is_found(text in "[a\t\n\u{8}\u{b}\u{89}é😀]{0,60}") {
            let expected: Vec<u32> =
                text.match_indices(['\t', '\n']).map(|(at, _)| at as u32).collect();
            prop_assert_eq!(all(&text), expected);
        }

        #[test]
        fn numbers_are_read_as_the_library_reads_them(before in "[0-9a]{0,9}", text in "[0-9]{0,11}|[0-9/:+a]{0,9}") {
            let whole = format!("{before}{text}");
            let start = before.len();
            let expected = if text.starts_with('+') { None } else { text.parse().ok() };
            prop_assert_eq!(whole_number(whole.as_bytes(), start, whole.len()), expected);
        }
    }
}
