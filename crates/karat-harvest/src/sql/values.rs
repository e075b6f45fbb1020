//! Rows of values, as they stand behind `INSERT INTO`.

use std::borrow::Cow;

/// A value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// A number, or `NULL`, as it is written.
    Bare(Vec<u8>),
    /// A text without quotes and escapes; it may have been cut within a letter.
    Quoted(Vec<u8>),
}

impl Value {
    pub(super) fn number(&self) -> Option<u64> {
        match self {
            Value::Bare(digits) => std::str::from_utf8(digits).ok()?.parse().ok(),
            Value::Quoted(_) => None,
        }
    }

    /// The text, if there is any.
    pub(super) fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            Value::Quoted(text) if !text.is_empty() => Some(String::from_utf8_lossy(text)),
            _ => None,
        }
    }
}

/// Reads rows from a part of a statement.
pub(super) struct Values<'a> {
    bytes: &'a [u8],
    at: usize,
    ended: bool,
}

impl<'a> Values<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Values<'a> {
        Values { bytes, at: 0, ended: false }
    }

    /// Whether the statement ended.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// The next row, or the place of what cannot be one.
    pub(super) fn row(&mut self) -> Result<Option<Vec<Value>>, usize> {
        loop {
            match self.peek() {
                None => return Ok(None),
                Some(b' ' | b',' | b'\t') => self.at += 1,
                Some(b';') => {
                    self.ended = true;
                    return Ok(None);
                }
                Some(b'(') => {
                    self.at += 1;
                    return self.cells().map(Some);
                }
                Some(_) => return Err(self.at),
            }
        }
    }

    fn cells(&mut self) -> Result<Vec<Value>, usize> {
        let mut cells = Vec::new();
        loop {
            cells.push(match self.peek() {
                Some(b'\'') => Value::Quoted(self.quoted()?),
                _ => Value::Bare(self.bare()),
            });
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b')') => {
                    self.at += 1;
                    return Ok(cells);
                }
                _ => return Err(self.at),
            }
        }
    }

    fn bare(&mut self) -> Vec<u8> {
        let start = self.at;
        while self.peek().is_some_and(|byte| !matches!(byte, b',' | b')' | b'\'')) {
            self.at += 1;
        }
        self.bytes[start..self.at].to_vec()
    }

    fn quoted(&mut self) -> Result<Vec<u8>, usize> {
        let start = self.at;
        self.at += 1;
        let mut text = Vec::new();
        // A quote that is never closed ends at the end of the line, with an error at its start.
        loop {
            let byte = self.peek().ok_or(start)?;
            self.at += 1;
            match byte {
                b'\\' => {
                    let escaped = self.peek().ok_or(start)?;
                    self.at += 1;
                    text.push(match escaped {
                        b'n' => b'\n',
                        b't' => b'\t',
                        b'r' => b'\r',
                        b'0' => 0,
                        b'Z' => 0x1a,
                        other => other,
                    });
                }
                // A quote within a text may be doubled.
                b'\'' if self.peek() == Some(b'\'') => {
                    self.at += 1;
                    text.push(b'\'');
                }
                b'\'' => return Ok(text),
                other => text.push(other),
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Result<Vec<Vec<Value>>, usize> {
        let mut values = Values::new(text.as_bytes());
        let mut rows = Vec::new();
        while let Some(row) = values.row()? {
            rows.push(row);
        }
        Ok(rows)
    }

    #[test]
    fn quotes_and_escapes_are_taken_off() {
        let read = rows(r"(1,0,'O\'Neill,_(x)',NULL,0.5,-3),(2,0,'It''s','','a\\b');").unwrap();
        let texts: Vec<_> = read[0].iter().map(Value::text).collect();
        assert_eq!(texts[2].as_deref(), Some("O'Neill,_(x)"));
        assert_eq!(read[0][0].number(), Some(1));
        assert_eq!(
            (read[0][3].number(), read[0][4].number(), read[0][5].number()),
            (None, None, None)
        );
        assert_eq!(read[1][2].text().as_deref(), Some("It's"));
        assert_eq!(read[1][3].text(), None);
        assert_eq!(read[1][4].text().as_deref(), Some(r"a\b"));
    }

    #[test]
    fn what_is_no_row_is_refused_at_its_place() {
        assert_eq!(rows("(1,'a"), Err(3));
        assert_eq!(rows("(1,'a\\"), Err(3));
        assert_eq!(rows("(1,2"), Err(4));
        assert_eq!(rows("(1,'a'b)"), Err(6));
        assert_eq!(rows("x"), Err(0));
    }
}
