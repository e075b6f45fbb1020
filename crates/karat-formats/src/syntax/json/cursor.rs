//! A cursor over JSON of the usual shape.
//!
//! serde compares every key with all names and moves every record several times. Where
//! files have millions of records that look alike, a cursor reads them in place. It knows
//! JSON as programs write it: nothing but one space after commas and colons, short keys
//! without escapes, numbers that fit. It answers `None` for everything else, right or
//! wrong, and the reader then gives the same text to serde, which also words the problems.
//! So what a cursor accepts must mean the same to serde, but it need not accept all.

#[cfg(test)]
mod tests;

use super::borrowed::{Borrowed, Scalar};
use super::object;
use crate::syntax::scan;
use std::borrow::Cow;

/// A place in a text.
#[derive(Debug)]
pub(crate) struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

/// A key of an object as a word, to be told apart in one step: its bytes from the lowest
/// on, the quote after it, and zeros. Keys have at most fifteen bytes.
pub(crate) const fn key(name: &str) -> u128 {
    let bytes = name.as_bytes();
    assert!(bytes.len() < size_of::<u128>(), "a key must fit into a word with its quote");
    let (mut word, mut at) = (b'"' as u128, bytes.len());
    while at > 0 {
        at -= 1;
        word = word << 8 | bytes[at] as u128;
    }
    word
}

/// Which keys of an object were seen. One that comes twice is not usual.
#[derive(Debug, Default)]
pub(crate) struct Once(u32);

impl Once {
    /// Notes the key that a reader gives this number.
    #[inline(always)]
    pub(crate) fn see(&mut self, number: u32) -> Option<()> {
        let before = self.0;
        self.0 |= 1 << number;
        (self.0 != before).then_some(())
    }

    /// Whether the key with this number was seen.
    #[inline]
    pub(crate) fn has(&self, number: u32) -> bool {
        self.0 & 1 << number != 0
    }
}

impl<'t> Cursor<'t> {
    /// At the beginning of a text.
    pub(crate) fn new(text: &'t str) -> Cursor<'t> {
        Cursor { text, at: 0 }
    }

    /// Whether nothing is left.
    pub(crate) fn is_done(&self) -> bool {
        self.at == self.text.len()
    }

    /// An object; `field` is given each key and reads its value.
    #[inline(always)]
    pub(crate) fn object(
        &mut self,
        mut field: impl FnMut(&mut Self, u128) -> Option<()>,
    ) -> Option<()> {
        self.expect(b'{')?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Some(());
        }
        loop {
            let key = self.key()?;
            field(self, key)?;
            if self.closes(b'}')? {
                return Some(());
            }
        }
    }

    /// A list; `item` reads each of its items.
    #[inline(always)]
    pub(crate) fn list(&mut self, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.expect(b'[')?;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Some(());
        }
        loop {
            item(self)?;
            if self.closes(b']')? {
                return Some(());
            }
        }
    }

    /// A list of two.
    #[inline(always)]
    pub(crate) fn pair<A, B>(
        &mut self,
        first: impl FnOnce(&mut Self) -> Option<A>,
        second: impl FnOnce(&mut Self) -> Option<B>,
    ) -> Option<(A, B)> {
        self.expect(b'[')?;
        let first = first(self)?;
        self.expect(b',')?;
        self.skip_space();
        let second = second(self)?;
        self.expect(b']')?;
        Some((first, second))
    }

    /// `null`, which gives `None`, or what `value` reads.
    #[inline(always)]
    pub(crate) fn nullable<T>(
        &mut self,
        value: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.peek()? {
            b'n' => self.literal("null").map(|()| None),
            _ => value(self).map(Some),
        }
    }

    /// A string.
    #[inline(always)]
    pub(crate) fn string(&mut self) -> Option<Borrowed<'t>> {
        self.raw_string().map(Borrowed)
    }

    /// A string or a whole number or `null`.
    #[inline(always)]
    pub(crate) fn scalar(&mut self) -> Option<Scalar<'t>> {
        Some(match self.peek()? {
            b'"' => Scalar::Text(self.raw_string()?),
            b'n' => self.literal("null").map(|()| Scalar::Null)?,
            _ => Scalar::Number(self.signed()?),
        })
    }

    #[inline(always)]
    fn raw_string(&mut self) -> Option<Cow<'t, str>> {
        let quote = self.at;
        self.expect(b'"')?;
        let end = scan::string_end(self.text.as_bytes(), self.at);
        if self.text.as_bytes().get(end) != Some(&b'"') {
            return self.escaped(quote);
        }
        let text = self.text.get(self.at..end)?;
        self.at = end + 1;
        Some(Cow::Borrowed(text))
    }

    /// The string that starts at this quote, as serde reads it.
    #[inline(never)]
    fn escaped(&mut self, quote: usize) -> Option<Cow<'t, str>> {
        self.at = object::string_end(self.text.as_bytes(), quote)?;
        let string: Borrowed<'t> = serde_json::from_str(self.text.get(quote..self.at)?).ok()?;
        Some(string.0)
    }

    /// `true` or `false`.
    pub(crate) fn boolean(&mut self) -> Option<bool> {
        match self.peek()? {
            b't' => self.literal("true").map(|()| true),
            _ => self.literal("false").map(|()| false),
        }
    }

    /// A whole number without a sign and with fewer than sixteen digits.
    #[inline(always)]
    pub(crate) fn unsigned(&mut self) -> Option<u64> {
        let bytes = self.text.as_bytes();
        let (value, len) = scan::digits(bytes, self.at);
        // JSON has no zeros before a number. What ends a number is seen by whoever reads on.
        if len == 0 || len > 1 && bytes[self.at] == b'0' {
            return None;
        }
        self.at += len;
        // Eight digits fill the word; only then can there be more.
        if len < 8 { Some(value) } else { self.more_digits(value) }
    }

    /// Up to seven digits after others.
    fn more_digits(&mut self, value: u64) -> Option<u64> {
        let (more, len) = scan::digits(self.text.as_bytes(), self.at);
        self.at += len;
        (len < 8).then(|| value * 10_u64.pow(len as u32) + more)
    }

    /// A whole number with fewer than sixteen digits.
    #[inline(always)]
    pub(crate) fn signed(&mut self) -> Option<i64> {
        let negative = self.peek()? == b'-';
        self.at += usize::from(negative);
        let value = self.unsigned()?.cast_signed();
        // JSON knows `-0`, but it is no whole number.
        if negative { (value != 0).then_some(-value) } else { Some(value) }
    }

    /// A number.
    #[inline(always)]
    pub(crate) fn number(&mut self) -> Option<f64> {
        let start = self.at;
        match self.short_decimal() {
            // What follows must end the number: `1e5` and `0x1` are left to serde.
            Some(number) if matches!(self.peek(), Some(b',' | b'}' | b']')) => Some(number),
            _ => self.any_number(start),
        }
    }

    /// A number that is exact: its digits and the power of ten are exact doubles, so the
    /// one division rounds correctly.
    #[inline(always)]
    fn short_decimal(&mut self) -> Option<f64> {
        let whole = self.unsigned()?;
        if self.peek() != Some(b'.') {
            return (whole <= EXACT).then_some(whole as f64);
        }
        self.at += 1;
        let start = self.at;
        let (value, len) = scan::digits(self.text.as_bytes(), start);
        self.at += len;
        let value = if len < 8 { value } else { self.more_digits(value)? };
        let places = self.at - start;
        let power = POWERS.get(places).filter(|_| places > 0)?;
        let digits = whole.checked_mul(*power)?.checked_add(value)?;
        (digits <= EXACT).then(|| digits as f64 / *power as f64)
    }

    /// The number that starts here, as serde reads it.
    #[inline(never)]
    fn any_number(&mut self, start: usize) -> Option<f64> {
        let rest = self.text.get(start..)?;
        let numeric = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E');
        let len = rest.find(|c| !numeric(c)).unwrap_or(rest.len());
        self.at = start + len;
        serde_json::from_str(&rest[..len]).ok()
    }

    /// A key, and the colon after it.
    #[inline(always)]
    fn key(&mut self) -> Option<u128> {
        self.expect(b'"')?;
        let bytes = self.text.as_bytes();
        let word = load(bytes, self.at);
        let quotes = word ^ u128::from_le_bytes([b'"'; 16]);
        // The lowest byte that was a quote has its high bit set; marks above it may be wrong.
        let marks = quotes.wrapping_sub(u128::from_le_bytes([1; 16]))
            & !quotes
            & u128::from_le_bytes([0x80; 16]);
        if marks == 0 {
            return None;
        }
        self.at += (marks.trailing_zeros() >> 3) as usize + 1;
        self.expect(b':')?;
        self.skip_space();
        // With its quote, so that a key with zeros behind it is another one.
        Some(word & (marks ^ marks.wrapping_sub(1)))
    }

    /// Whether the object or list ends here; false at a comma, which is passed.
    #[inline(always)]
    fn closes(&mut self, end: u8) -> Option<bool> {
        let next = self.peek()?;
        self.at += 1;
        if next == b',' {
            self.skip_space();
            return Some(false);
        }
        (next == end).then_some(true)
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline(always)]
    fn expect(&mut self, byte: u8) -> Option<()> {
        let found = self.peek() == Some(byte);
        self.at += 1;
        found.then_some(())
    }

    #[inline(always)]
    fn skip_space(&mut self) {
        self.at += usize::from(self.peek() == Some(b' '));
    }

    fn literal(&mut self, literal: &str) -> Option<()> {
        let found = self.text.as_bytes().get(self.at..)?.starts_with(literal.as_bytes());
        self.at += literal.len();
        found.then_some(())
    }
}

/// All whole numbers up to this one are doubles.
const EXACT: u64 = 1 << 53;

/// Powers of ten.
const POWERS: [u64; 16] = {
    let mut powers = [1; 16];
    let mut at = 1;
    while at < powers.len() {
        powers[at] = powers[at - 1] * 10;
        at += 1;
    }
    powers
};

/// The sixteen bytes from here on; zeros where the text has ended.
#[inline(always)]
fn load(bytes: &[u8], at: usize) -> u128 {
    let rest = bytes.get(at..).unwrap_or_default();
    match rest.first_chunk::<16>() {
        Some(chunk) => u128::from_le_bytes(*chunk),
        None => load_rest(rest),
    }
}

#[cold]
fn load_rest(rest: &[u8]) -> u128 {
    rest.iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte))
}
