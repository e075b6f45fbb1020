//! The words of Turtle: IRIs, names, strings, numbers.

use super::vocabulary::Prefixes;
use super::{Blank, Fault, Iri, Namespace, Settings, Term};
use crate::anchor::quoted;
use std::borrow::Cow;

/// Walks over the text.
#[derive(Debug, Clone)]
pub(super) struct Scanner<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) settings: Settings,
    pub(super) prefixes: Prefixes<'t>,
}

/// Bytes that go on with a name; a dot only does in the middle.
const NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        table[byte] = b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.') || b >= 0x80;
        byte += 1;
    }
    table
};

impl<'t> Scanner<'t> {
    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn peek_after(&self, distance: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + distance).copied()
    }

    fn bytes(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.at..]
    }

    #[inline]
    pub(super) fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'#' => {
                    let end = memchr::memchr(b'\n', self.bytes());
                    self.at = end.map_or(self.text.len(), |newline| self.at + newline + 1);
                }
                // A byte order mark where files were put together.
                0xef if self.text[self.at..].starts_with('\u{feff}') => self.at += 3,
                _ => return,
            }
        }
    }

    /// What is wrong here, with what stands here instead.
    pub(super) fn expected(&self, what: &str) -> Fault {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let word: &str = rest.split_whitespace().next().unwrap_or_default();
        if word.is_empty() {
            return self.fault(0, format!("the file ends where {what} should follow"), true);
        }
        let shown: String = word.chars().take(40).collect();
        let message = format!("expected {what}, found {}", quoted(&shown));
        self.fault(shown.len(), message, false)
    }

    pub(super) fn fault(&self, len: usize, message: impl Into<String>, truncated: bool) -> Fault {
        Fault { at: self.at, len, message: message.into(), truncated }
    }

    /// `<...>`, with whatever stands between.
    pub(super) fn iri(&mut self) -> Result<Cow<'t, str>, Fault> {
        let bytes = self.bytes();
        // IRIs never go over lines. Without this limit a missing `>` would swallow the rest of the
        // file.
        let end = memchr::memchr2(b'>', b'\n', bytes).filter(|&end| bytes[end] == b'>');
        let Some(end) = end else {
            let truncated = memchr::memchr(b'\n', bytes).is_none();
            return Err(self.fault(1, "this `<` has no `>` on its line", truncated));
        };
        let raw = &self.text[self.at + 1..self.at + end];
        self.at += end + 1;
        let iri = if self.settings.unescape_iris && raw.contains('\\') {
            Cow::Owned(unescape(raw, Escapes::Unicode))
        } else {
            Cow::Borrowed(raw)
        };
        Ok(self.prefixes.resolve(&iri).map_or(iri, Cow::Owned))
    }

    /// An IRI in either form.
    pub(super) fn name(&mut self, what: &str) -> Result<Iri<'t>, Fault> {
        match self.peek() {
            Some(b'<') => Ok(Iri::whole(self.iri()?)),
            Some(byte) if NAME[byte as usize] || byte == b':' => self.prefixed(what),
            _ => Err(self.expected(what)),
        }
    }

    fn prefixed(&mut self, what: &str) -> Result<Iri<'t>, Fault> {
        let bytes = self.bytes();
        let prefix_len = bytes.iter().position(|&b| !NAME[b as usize]).unwrap_or(bytes.len());
        if bytes.get(prefix_len) != Some(&b':') {
            return Err(self.expected(what));
        }
        let prefix = &self.text[self.at..self.at + prefix_len];
        let Some(namespace) = self.prefixes.get(prefix) else {
            let message = format!("the prefix `{prefix}:` is not declared");
            return Err(self.fault(prefix_len + 1, message, false));
        };
        self.at += prefix_len + 1;
        Ok(Iri { namespace, prefix, local: self.local_name() })
    }

    fn local_name(&mut self) -> Cow<'t, str> {
        let bytes = self.bytes();
        let mut end = 0;
        let mut escaped = false;
        while let Some(&byte) = bytes.get(end) {
            match byte {
                b':' | b'%' => end += 1,
                b'\\' if bytes.get(end + 1).is_some_and(u8::is_ascii_punctuation) => {
                    escaped = true;
                    end += 2;
                }
                _ if NAME[byte as usize] => end += 1,
                _ => break,
            }
        }
        // A dot at the end is the end of the statement, unless it is escaped.
        while end > 0 && bytes[end - 1] == b'.' && !(end > 1 && bytes[end - 2] == b'\\') {
            end -= 1;
        }
        let raw = &self.text[self.at..self.at + end];
        self.at += end;
        if escaped { Cow::Owned(raw.replace('\\', "")) } else { Cow::Borrowed(raw) }
    }

    /// The verb `a`, if it stands here.
    pub(super) fn verb_a(&mut self) -> bool {
        let is_a = self.peek() == Some(b'a')
            && !self.peek_after(1).is_some_and(|b| NAME[b as usize] || b == b':');
        self.at += usize::from(is_a);
        is_a
    }

    /// A word such as `PREFIX`, in any case and followed by space.
    pub(super) fn keyword(&mut self, word: &str) -> bool {
        let bytes = self.bytes();
        let here = bytes.get(..word.len()).is_some_and(|b| b.eq_ignore_ascii_case(word.as_bytes()))
            && bytes.get(word.len()).is_some_and(|b| b.is_ascii_whitespace() || *b == b'<');
        self.at += if here { word.len() } else { 0 };
        here
    }

    /// The prefix of a declaration, with its colon.
    pub(super) fn declared_prefix(&mut self) -> Result<&'t str, Fault> {
        let bytes = self.bytes();
        let len = bytes.iter().position(|&b| !NAME[b as usize]).unwrap_or(bytes.len());
        if bytes.get(len) != Some(&b':') {
            return Err(self.expected("a prefix such as `nif:`"));
        }
        let prefix = &self.text[self.at..self.at + len];
        self.at += len + 1;
        Ok(prefix)
    }

    /// Anything that is one word: not brackets, not a collection.
    pub(super) fn term(&mut self, what: &str) -> Result<Term<'t>, Fault> {
        match self.peek() {
            Some(b'"' | b'\'') => self.literal(),
            Some(b'_') if self.peek_after(1) == Some(b':') => Ok(Term::Blank(self.label())),
            Some(b'0'..=b'9' | b'+' | b'-') => self.number(),
            Some(b'.') if self.peek_after(1).is_some_and(|b| b.is_ascii_digit()) => self.number(),
            Some(b't' | b'f') => match self.boolean() {
                Some(term) => Ok(term),
                None => self.name(what).map(Term::Iri),
            },
            _ => self.name(what).map(Term::Iri),
        }
    }

    fn label(&mut self) -> Blank<'t> {
        self.at += 2;
        let bytes = self.bytes();
        let mut len = bytes.iter().position(|&b| !NAME[b as usize]).unwrap_or(bytes.len());
        while len > 0 && bytes[len - 1] == b'.' {
            len -= 1;
        }
        let label = &self.text[self.at..self.at + len];
        self.at += len;
        Blank::Labelled(label)
    }

    fn boolean(&mut self) -> Option<Term<'t>> {
        let value = ["true", "false"].into_iter().find(|word| {
            let after = self.peek_after(word.len());
            self.bytes().starts_with(word.as_bytes())
                // A dot may end the statement right after the word.
                && !after.is_some_and(|b| b == b':' || (NAME[b as usize] && b != b'.'))
        })?;
        self.at += value.len();
        Some(typed(value, "boolean"))
    }

    fn number(&mut self) -> Result<Term<'t>, Fault> {
        let bytes = self.bytes();
        let digits =
            |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let sign = usize::from(matches!(bytes[0], b'+' | b'-'));
        let whole = digits(sign);
        let mut end = sign + whole;
        let mut datatype = "integer";
        let fraction = if bytes.get(end) == Some(&b'.') { digits(end + 1) } else { 0 };
        let exponent_after = |at: usize| {
            if !matches!(bytes.get(at), Some(b'e' | b'E')) {
                return 0;
            }
            let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
            // Digits without any after the `e` are no exponent: `1.e` is a number and a name.
            let count = bytes.get(at + 1 + sign..).map_or(0, |_| digits(at + 1 + sign));
            if count == 0 { 0 } else { 1 + sign + count }
        };
        if fraction > 0 {
            datatype = "decimal";
            end += 1 + fraction;
        } else if bytes.get(end) == Some(&b'.') && exponent_after(end + 1) > 0 {
            end += 1;
        }
        let exponent = exponent_after(end);
        if exponent > 0 {
            datatype = "double";
            end += exponent;
        }
        if whole + fraction == 0 {
            return Err(self.expected("a number"));
        }
        let value = &self.text[self.at..self.at + end];
        self.at += end;
        Ok(typed(value, datatype))
    }

    fn literal(&mut self) -> Result<Term<'t>, Fault> {
        let value = self.string()?;
        match self.peek() {
            Some(b'@') => {
                let bytes = &self.bytes()[1..];
                let goes_on = |b: &u8| b.is_ascii_alphanumeric() || *b == b'-';
                let len = bytes.iter().take_while(|b| goes_on(b)).count();
                if len == 0 {
                    return Err(self.expected("a language such as `@en`"));
                }
                let language = Some(&self.text[self.at + 1..self.at + 1 + len]);
                self.at += 1 + len;
                Ok(Term::Literal { value, datatype: None, language })
            }
            Some(b'^') if self.peek_after(1) == Some(b'^') => {
                self.at += 2;
                self.skip_space();
                let datatype = Some(self.name("a datatype")?);
                Ok(Term::Literal { value, datatype, language: None })
            }
            _ => Ok(Term::Literal { value, datatype: None, language: None }),
        }
    }

    fn string(&mut self) -> Result<Cow<'t, str>, Fault> {
        let quote = self.peek().unwrap_or(b'"');
        if self.peek_after(1) == Some(quote) {
            if self.peek_after(2) == Some(quote) {
                return self.long_string(quote);
            }
            self.at += 2;
            return Ok(Cow::Borrowed(""));
        }
        let bytes = self.bytes();
        let mut end = 1;
        let mut escaped = false;
        loop {
            match memchr::memchr3(quote, b'\\', b'\n', &bytes[end.min(bytes.len())..]) {
                Some(found) if bytes[end + found] == quote => {
                    return Ok(self.content(1, end + found, 1, escaped));
                }
                Some(found) if bytes[end + found] == b'\\' => {
                    escaped = true;
                    end += found + 2;
                }
                Some(_) => return Err(self.fault(1, "this string has no end on its line", false)),
                None => return Err(self.fault(1, "this string has no end", true)),
            }
        }
    }

    /// A string in three quotes. Quotes inside need no escape, and of a run of
    /// quotes at the end the last three are the end.
    fn long_string(&mut self, quote: u8) -> Result<Cow<'t, str>, Fault> {
        let bytes = self.bytes();
        let mut end = 3;
        let mut escaped = false;
        loop {
            let Some(found) = memchr::memchr2(quote, b'\\', &bytes[end.min(bytes.len())..]) else {
                return Err(self.fault(3, "this string has no end", true));
            };
            end += found;
            if bytes[end] == b'\\' {
                escaped = true;
                end += 2;
                continue;
            }
            let run = bytes[end..].iter().take_while(|&&byte| byte == quote).count();
            end += run;
            if run >= 3 {
                return Ok(self.content(3, end - 3, 3, escaped));
            }
        }
    }

    /// The content of a string between its quotes, which is stepped over.
    fn content(&mut self, from: usize, to: usize, quotes: usize, escaped: bool) -> Cow<'t, str> {
        let raw = &self.text[self.at + from..self.at + to];
        self.at += to + quotes;
        if escaped { Cow::Owned(unescape(raw, Escapes::All)) } else { Cow::Borrowed(raw) }
    }
}

fn typed<'t>(value: &'t str, datatype: &'static str) -> Term<'t> {
    let datatype = Some(Iri::known(Namespace::XSD, datatype));
    Term::Literal { value: Cow::Borrowed(value), datatype, language: None }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Escapes {
    /// Only `\u` and `\U`, as in IRIs.
    Unicode,
    All,
}

/// The text that escapes stand for; what is no escape stays as it is.
fn unescape(raw: &str, which: Escapes) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(backslash) = rest.find('\\') {
        text.push_str(&rest[..backslash]);
        let escape = &rest[backslash + 1..];
        let simple = match escape.as_bytes().first() {
            Some(b't') => Some('\t'),
            Some(b'b') => Some('\u{8}'),
            Some(b'n') => Some('\n'),
            Some(b'r') => Some('\r'),
            Some(b'f') => Some('\u{c}'),
            Some(b @ (b'"' | b'\'' | b'\\')) => Some(*b as char),
            _ => None,
        };
        let (character, len) = match simple.filter(|_| which == Escapes::All) {
            Some(simple) => (simple, 1),
            None => unicode_escape(escape).unwrap_or(('\\', 0)),
        };
        text.push(character);
        rest = &escape[len..];
    }
    text.push_str(rest);
    text
}

/// The character of `uXXXX` or `UXXXXXXXX` and the length of that. Java writes
/// two of the former for one character beyond the first plane.
fn unicode_escape(escape: &str) -> Option<(char, usize)> {
    let hex = |from: usize, digits: usize| {
        let digits = escape.get(from..from + digits)?;
        let all_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| all_hex)
    };
    match escape.as_bytes().first()? {
        b'U' => Some((char::from_u32(hex(1, 8)?)?, 9)),
        b'u' => {
            let first = hex(1, 4)?;
            if let Some(character) = char::from_u32(first) {
                return Some((character, 5));
            }
            let second = hex(7, 4).filter(|_| escape.get(5..7) == Some("\\u"))?;
            let pair = [u16::try_from(first).ok()?, u16::try_from(second).ok()?];
            let character = char::decode_utf16(pair).next()?.ok()?;
            Some((character, 11))
        }
        _ => None,
    }
}
