//! Lines of a source, one at a time, however large it is.

use karat_formats::{Kind, Problem, Progress, Source, Text};
use std::io::{BufRead, BufReader, Read};

/// A line may be this long; Wikidata's longest have a few megabytes.
const LONGEST: u64 = 256 << 20;

/// A problem at a byte of a line, with the number that the line has in its file.
pub(crate) fn problem(line: &Text<'_>, at: usize, len: usize, message: String) -> Problem {
    let mut problem = line.problem(Kind::Malformed, at, len, message);
    if let Some(place) = &mut problem.place {
        place.line += line.lines_before();
    }
    problem
}

/// Reads a source line by line.
pub(crate) struct Lines<'s> {
    source: &'s Source,
    reader: BufReader<Box<dyn Read + Send + 's>>,
    line: Vec<u8>,
    number: u64,
}

impl<'s> Lines<'s> {
    pub(crate) fn open(
        source: &'s Source,
        progress: Option<&'s dyn Progress>,
    ) -> Result<Lines<'s>, Problem> {
        let reader = BufReader::with_capacity(1 << 20, source.open(progress)?);
        Ok(Lines { source, reader, line: Vec::new(), number: 0 })
    }

    /// The next line without its end, as a text that knows its place in the file.
    pub(crate) fn next(&mut self) -> Result<Option<Text<'_>>, Problem> {
        let name = self.source.name();
        let Some((number, line)) = self.next_bytes()? else { return Ok(None) };
        match std::str::from_utf8(line) {
            Ok(line) => Ok(Some(Text::new(name, line).below(number - 1))),
            Err(error) => {
                let byte = line.get(error.valid_up_to()).copied().unwrap_or_default();
                let message = format!("line {number}: expected UTF-8, found the byte 0x{byte:02x}");
                Err(Problem::new(Kind::Encoding, name, message)
                    .hint("if it is Latin-1 or Windows-1252, convert it with `iconv -f WINDOWS-1252 -t UTF-8`"))
            }
        }
    }

    /// The next line without its end, and its number from 1.
    pub(crate) fn next_bytes(&mut self) -> Result<Option<(u64, &[u8])>, Problem> {
        self.line.clear();
        let mut limited = (&mut self.reader).take(LONGEST);
        let read = limited.read_until(b'\n', &mut self.line);
        if read.map_err(|error| self.source.unreadable(&error))? == 0 {
            return Ok(None);
        }
        if self.line.last() != Some(&b'\n') && self.line.len() as u64 == LONGEST {
            let message = format!("line {} is longer than {} MiB", self.number + 1, LONGEST >> 20);
            return Err(Problem::new(Kind::Malformed, self.source.name(), message)
                .hint("this is no file of lines"));
        }
        self.number += 1;
        let mut end = self.line.len();
        while end > 0 && matches!(self.line[end - 1], b'\n' | b'\r') {
            end -= 1;
        }
        let line = &self.line[..end];
        let bom = "\u{feff}".as_bytes();
        let line = if self.number == 1 { line.strip_prefix(bom).unwrap_or(line) } else { line };
        Ok(Some((self.number, line)))
    }
}
