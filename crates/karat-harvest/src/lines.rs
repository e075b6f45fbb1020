//! Lines of a source, one at a time, however large it is.

use karat_formats::{Kind, Problem, Progress, Source, Text};
use std::io::{BufRead, BufReader, Read};

/// A line may be this long; Wikidata's longest have a few megabytes.
const LONGEST: u64 = 256 << 20;

/// Reads a source line by line.
pub struct SourceLines<'s> {
    source: &'s Source,
    reader: BufReader<Box<dyn Read + Send + 's>>,
    line: Vec<u8>,
    number: u64,
}

/// A line without its end, which knows its place in the file.
#[derive(Debug)]
pub struct SourceLine<'l> {
    text: Text<'l>,
}

impl SourceLine<'_> {
    /// The line.
    pub fn as_str(&self) -> &str {
        self.text.as_str()
    }

    /// Where a slice of this line starts; 0 for any other string.
    pub fn offset_of(&self, part: &str) -> usize {
        self.text.offset_of(part)
    }

    /// A problem at a byte of the line; `length` bytes are meant.
    pub fn problem(&self, at: usize, length: usize, message: impl Into<String>) -> Problem {
        let mut problem = self.text.problem(Kind::Malformed, at, length, message);
        if let Some(place) = &mut problem.place {
            place.line += self.text.lines_before();
        }
        problem
    }
}

impl<'s> SourceLines<'s> {
    /// The lines of a source; `progress` is told how many bytes were read.
    pub fn open(
        source: &'s Source,
        progress: Option<&'s dyn Progress>,
    ) -> Result<SourceLines<'s>, Problem> {
        let reader = BufReader::with_capacity(1 << 20, source.open(progress)?);
        Ok(SourceLines { source, reader, line: Vec::new(), number: 0 })
    }

    /// The next line.
    #[expect(
        clippy::should_implement_trait,
        reason = "a line lives as long as the next one is not read"
    )]
    pub fn next(&mut self) -> Result<Option<SourceLine<'_>>, Problem> {
        let name = self.source.name();
        let Some((number, line)) = self.next_bytes()? else { return Ok(None) };
        match std::str::from_utf8(line) {
            Ok(line) => Ok(Some(SourceLine { text: Text::new(name, line).below(number - 1) })),
            Err(error) => {
                let byte = line.get(error.valid_up_to()).copied().unwrap_or_default();
                let message = format!("line {number}: expected UTF-8, found the byte 0x{byte:02x}");
                Err(Problem::new(Kind::Encoding, name, message)
                    .hint("if it is Latin-1 or Windows-1252, convert it with `iconv -f WINDOWS-1252 -t UTF-8`"))
            }
        }
    }

    /// The next line without its end as it is, and its number from 1.
    pub fn next_bytes(&mut self) -> Result<Option<(u64, &[u8])>, Problem> {
        self.line.clear();
        // Limited before reading: a file without line ends must not fill the memory.
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
        // Editors of Windows put a byte order mark before the first line.
        let bom = "\u{feff}".as_bytes();
        let line = if self.number == 1 { line.strip_prefix(bom).unwrap_or(line) } else { line };
        Ok(Some((self.number, line)))
    }
}
