//! How numbers and strings are spelled inside records.

/// Appends a number in groups of seven bits, the lowest first.
pub(crate) fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends bytes after their length.
pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Appends strings one after the other, after the length of all.
pub(crate) fn put_strings<S: AsRef<str>>(out: &mut Vec<u8>, strings: &[S]) {
    let length = |text: &S| {
        let length = text.as_ref().len();
        length + number_length(length as u64)
    };
    // The length of all strings first, so that a reader can skip them without looking inside.
    put_number(out, strings.iter().map(length).sum::<usize>() as u64);
    for text in strings {
        put_bytes(out, text.as_ref().as_bytes());
    }
}

/// How many bytes [`put_number`] takes.
pub(crate) fn number_length(number: u64) -> usize {
    (64 - (number | 1).leading_zeros() as usize).div_ceil(7)
}

/// Takes a record apart. Every step may fail, because the bytes may be anything.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub(crate) fn new(record: &'a [u8]) -> Fields<'a> {
        Fields { rest: record }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            // Bits beyond 64 are refused, not cut off: such a number was never written.
            number |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(bytes)
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    pub(crate) fn strings(&mut self) -> Option<Strings<'a>> {
        Some(Strings { fields: Fields::new(self.bytes()?) })
    }
}

/// Strings of a record, in order.
#[derive(Debug, Clone, Copy, Default)]
pub struct Strings<'a> {
    fields: Fields<'a>,
}

impl<'a> Iterator for Strings<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.fields.text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_strings_come_back() {
        for number in [0, 1, 127, 128, 300, 1 << 35, u64::MAX] {
            let mut out = Vec::new();
            put_number(&mut out, number);
            assert_eq!(out.len(), number_length(number));
            assert_eq!(Fields::new(&out).number(), Some(number));
        }
        let mut out = Vec::new();
        put_strings(&mut out, &["", "Berlin", &"x".repeat(200)]);
        let strings: Vec<&str> = Fields::new(&out).strings().unwrap().collect();
        assert_eq!(strings, ["", "Berlin", &"x".repeat(200)]);
    }

    #[test]
    fn cut_and_endless_records_are_refused() {
        assert_eq!(Fields::new(&[0x80; 12]).number(), None);
        assert_eq!(Fields::new(&[5, b'a']).bytes(), None);
        assert_eq!(Fields::new(&[1, 0xff]).text(), None);
        assert_eq!(Fields::new(&[]).byte(), None);
    }
}
