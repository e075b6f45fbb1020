//! Where bytes come from: files, standard input, memory; compressed or not.

mod budget;
pub mod memory;
mod utf16;

pub use budget::UnpackBudget;
pub(crate) use memory::MORE_MEMORY;

use crate::problem::{Cursor, Kind, Problem};
use crate::reading::Progress;
use budget::Share;
use memory::{TooMuch, read_whole};
use std::borrow::Cow;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One file of an input.
#[derive(Debug, Clone)]
pub struct Source {
    name: String,
    place: Bytes,
    found: bool,
    share: Option<Share>,
}

#[derive(Debug, Clone)]
enum Bytes {
    File(PathBuf),
    /// As it was read: a slice would be one more copy.
    Memory(Arc<Vec<u8>>),
}

/// A decompressed file may be this many times as large as the file itself.
/// Corpora compress up to about thirty times; a bomb a thousand times and more.
const MAX_EXPANSION: u64 = 250;
/// Below this size no expansion is dangerous.
const HARMLESS: u64 = 64 << 20;
/// As many times its size a corpus may unpack to where all of it is in memory at once.
const USUAL_EXPANSION: u64 = 30;
/// As much as this may be in memory at once whatever it was packed as: 1 GiB.
const UNPACKED_WHOLE: u64 = 1 << 30;
/// The window of a zstd frame is at most so large: 2 to this power, 128 MiB. All of it is allocated.
const WINDOW_LOG: u32 = 27;
/// Whether standard input was read already; a second reading would find it empty.
static TAKEN: AtomicBool = AtomicBool::new(false);

impl Source {
    /// A file.
    pub fn file(path: impl Into<PathBuf>) -> Source {
        let path = path.into();
        Source {
            name: path.display().to_string(),
            place: Bytes::File(path),
            found: false,
            share: None,
        }
    }

    /// Bytes in memory under a name.
    pub fn memory(name: impl Into<String>, content: impl Into<Vec<u8>>) -> Source {
        let place = Bytes::Memory(Arc::new(content.into()));
        Source { name: name.into(), place, found: false, share: None }
    }

    /// The same as one of the files that share a budget, because somebody else sent them.
    #[must_use]
    pub fn within(mut self, budget: &Arc<UnpackBudget>) -> Source {
        self.share = Some(Share::of(budget));
        self
    }

    /// A file that nobody named: it was found in a directory.
    pub(crate) fn found(path: impl Into<PathBuf>) -> Source {
        Source { found: true, ..Source::file(path) }
    }

    /// Whether the file was found in a directory, and not named by the user.
    pub(crate) fn is_found(&self) -> bool {
        self.found
    }

    /// All of standard input.
    pub fn stdin() -> Result<Source, Problem> {
        // Swapped, not read and written: of two threads that ask at once only one may have it.
        if TAKEN.swap(true, Ordering::Relaxed) {
            let message = "standard input can be read only once";
            return Err(Problem::new(Kind::Unreadable, "<stdin>", message)
                .hint("give `-` for one input and files for the others"));
        }
        let content = read_whole(&mut io::stdin().lock(), 0, memory::of_one_file())
            .map_err(|error| Source::memory("<stdin>", []).unreadable(&error))?;
        Ok(Source::memory("<stdin>", content))
    }

    /// The name to show to a user.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The path, for a file.
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Bytes::File(path) => Some(path),
            Bytes::Memory(_) => None,
        }
    }

    /// The last part of the name.
    pub fn file_name(&self) -> &str {
        self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name)
    }

    /// The name without its last part; empty for a bare file name.
    pub fn folder(&self) -> &str {
        self.name.rsplit_once(['/', '\\']).map_or("", |(folder, _)| folder)
    }

    /// The file name without its extension and without the extension of a compressed file.
    pub fn stem(&self) -> &str {
        stem(self.file_name())
    }

    /// Whether it is stored compressed; not if it cannot be read.
    pub(crate) fn is_compressed(&self) -> bool {
        let mut magic = [0; 4];
        let got = match &self.place {
            Bytes::Memory(content) => read_up_to(&mut &content[..], &mut magic),
            Bytes::File(path) => {
                File::open(path).and_then(|mut file| read_up_to(&mut file, &mut magic))
            }
        };
        got.is_ok_and(|got| Compression::of(&magic[..got]).is_some())
    }

    /// Size in bytes as stored.
    pub fn size(&self) -> u64 {
        match &self.place {
            Bytes::File(path) => path.metadata().map_or(0, |metadata| metadata.len()),
            Bytes::Memory(content) => content.len() as u64,
        }
    }

    /// The decompressed bytes as a stream.
    pub fn open<'p>(
        &'p self,
        progress: Option<&'p dyn Progress>,
    ) -> Result<Box<dyn Read + Send + 'p>, Problem> {
        let mut raw: Box<dyn Read + Send + 'p> = match &self.place {
            Bytes::File(path) => Box::new(File::open(path).map_err(|e| self.unreadable(&e))?),
            Bytes::Memory(content) => Box::new(&content[..]),
        };
        if let Some(progress) = progress {
            raw = Box::new(Watched { inner: raw, progress });
        }
        let mut magic = [0; 4];
        let got = read_up_to(&mut raw, &mut magic).map_err(|e| self.unreadable(&e))?;
        // The first bytes tell how a file is compressed and are then read again, so the name of a
        // file does not matter and pipes work.
        let raw = io::Cursor::new(magic[..got].to_vec()).chain(raw);
        let Some(compression) = Compression::of(&magic[..got]) else { return Ok(Box::new(raw)) };
        Ok(self.guarded(compression.unpack(raw).map_err(|e| self.unreadable(&e))?))
    }

    /// What is behind a problem that was found in this file. What is unpacked from a damaged one is not
    /// what somebody wrote into it, and may be bad as text long before the damage shows.
    #[must_use]
    pub fn behind(&self, problem: Problem) -> Problem {
        if problem.is_of_whole_file() {
            return problem;
        }
        self.damage().unwrap_or(problem)
    }

    /// What is wrong with a compressed file as such. It shows at the end at the latest, where a checksum
    /// stands, so all of the file is unpacked: only for what is reported.
    pub(crate) fn damage(&self) -> Option<Problem> {
        if !self.is_compressed() {
            return None;
        }
        let mut stream = match self.open(None) {
            Ok(stream) => stream,
            Err(problem) => return Some(problem),
        };
        let mut buffer = vec![0; 64 << 10];
        let mut lines = 0;
        loop {
            match stream.read(&mut buffer) {
                Ok(0) => return None,
                Ok(got) => lines += memchr::memchr_iter(b'\n', &buffer[..got]).count() as u64,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    return Some(match Damaged::behind(&error) {
                        Some(damaged) => self.damaged(damaged, Some(lines)),
                        None => self.unreadable(&error),
                    });
                }
            }
        }
    }

    /// A stream of bytes that were decompressed from this source, which ends with
    /// an error when it gives more than is reasonable.
    pub(crate) fn guarded<'p>(
        &self,
        stream: Box<dyn Read + Send + 'p>,
    ) -> Box<dyn Read + Send + 'p> {
        // Guarded after decompressing: what counts is how much comes out.
        let share = self.share.clone();
        Box::new(Guarded { inner: stream, given: 0, allowed: self.allowed(), share })
    }

    fn allowed(&self) -> u64 {
        self.size().saturating_mul(MAX_EXPANSION).max(HARMLESS)
    }

    /// The whole content, decompressed, as text.
    pub fn text(&self) -> Result<Text<'_>, Problem> {
        let bytes = self.bytes(None)?;
        let text = match bytes {
            Content::Owned(bytes) => {
                String::from_utf8(bytes).map_err(|e| self.not_utf8(e.as_bytes()))?.into()
            }
            Content::Borrowed(bytes) => {
                Cow::Borrowed(simdutf8::basic::from_utf8(bytes).map_err(|_| self.not_utf8(bytes))?)
            }
        };
        let content = strip_bom(text);
        Ok(Text { name: &self.name, content, lines_before: 0, cursor: Cell::default() })
    }

    /// The whole content, decompressed.
    pub fn bytes(&self, progress: Option<&dyn Progress>) -> Result<Content<'_>, Problem> {
        if let Bytes::Memory(content) = &self.place
            && Compression::of(content).is_none()
        {
            return Ok(Content::Borrowed(content));
        }
        self.bytes_within(progress, memory::of_one_file()).map(Content::Owned)
    }

    /// The same, if it is no more than so many bytes.
    fn bytes_within(&self, progress: Option<&dyn Progress>, most: u64) -> Result<Vec<u8>, Problem> {
        let stored = self.size();
        // A file that unpacks to so much is kept whole only where it was packed as corpora are.
        let most = match self.is_compressed() {
            true => most.min(stored.saturating_mul(USUAL_EXPANSION).max(UNPACKED_WHOLE)),
            false => most,
        };
        // Known before a byte of it is read; a file with holes has its size without having its bytes.
        if stored > most {
            return Err(self.unreadable(&io::Error::other(TooMuch { most })));
        }
        read_whole(&mut *self.open(progress)?, stored, most).map_err(|e| self.unreadable(&e))
    }

    /// The first bytes, decompressed, to recognise the format by.
    pub(crate) fn head(&self, bytes: u64) -> Result<Vec<u8>, Problem> {
        let mut head = Vec::with_capacity(usize::try_from(bytes).unwrap_or(0));
        let mut stream = self.open(None)?.take(bytes);
        match stream.read_to_end(&mut head) {
            // What could be read of a damaged file still tells its format; the
            // damage is reported when it is read.
            Err(_) if !head.is_empty() => {}
            Err(error) => return Err(self.unreadable(&error)),
            Ok(_) => {}
        }
        Ok(head)
    }

    /// The problem behind an I/O error of this source.
    pub fn unreadable(&self, error: &io::Error) -> Problem {
        if Stopped::is_behind(error) {
            return Problem::cancelled(&self.name);
        }
        if let Some(bomb) = error.get_ref().and_then(|inner| inner.downcast_ref::<TooLarge>()) {
            if bomb.is_shared {
                let message =
                    "unpacks to more than is allowed: 1 GiB in all, and 200 times what was sent";
                return Problem::new(Kind::Bomb, &self.name, message)
                    .hint("send less at once, or packed less tightly");
            }
            let message = format!(
                "expands to more than {} MiB, over {MAX_EXPANSION} times its size",
                bomb.allowed >> 20
            );
            return Problem::new(Kind::Bomb, &self.name, message)
                .hint("if you trust this file, decompress it yourself and give karat the result");
        }
        if let Some(TooMuch { most }) =
            error.get_ref().and_then(|inner| inner.downcast_ref::<TooMuch>())
        {
            let message = format!(
                "has more than {} MiB, and all of it would have to be in memory at once",
                most >> 20
            );
            return Problem::new(Kind::TooLarge, &self.name, message).hint(MORE_MEMORY);
        }
        if error.kind() == io::ErrorKind::OutOfMemory {
            let message = "there is not as much memory as this file takes";
            return Problem::new(Kind::TooLarge, &self.name, message).hint(MORE_MEMORY);
        }
        if let Some(damaged) = Damaged::behind(error) {
            // Lines of a container that is compressed inside would say nothing.
            return self.damage().unwrap_or_else(|| self.damaged(damaged, None));
        }
        match error.kind() {
            io::ErrorKind::NotFound => {
                Problem::new(Kind::Unreadable, &self.name, "no such file or directory")
                    .hint("check the spelling, or give a path relative to the current folder")
            }
            io::ErrorKind::PermissionDenied => {
                Problem::new(Kind::Unreadable, &self.name, "permission denied")
                    .hint("check who may read this file with `ls -l`")
            }
            _ => Problem::new(Kind::Unreadable, &self.name, format!("cannot read: {error}"))
                .hint("the disk or the file system may be damaged; copy the file to another place and try there"),
        }
    }

    /// The problem of a compressed file that cannot be unpacked to its end, but so many lines of it.
    fn damaged(&self, error: &io::Error, lines: Option<u64>) -> Problem {
        let lines =
            lines.map(|lines| format!("{lines} {}", if lines == 1 { "line" } else { "lines" }));
        if error.kind() == io::ErrorKind::UnexpectedEof {
            let after = lines.map(|lines| format!(" after {lines}")).unwrap_or_default();
            let message = format!("the compressed file is cut off{after}");
            return Problem::new(Kind::Truncated, &self.name, message)
                .hint("it was probably not downloaded or copied to the end; get it again");
        }
        // What zstd says of a frame with a larger window.
        if error.to_string().contains("too much memory") {
            let message = "needs a window of more than 128 MiB to be unpacked";
            return Problem::new(Kind::Bomb, &self.name, message)
                .hint("pack it again with `zstd --long=27`, or without `--long` and `--ultra`");
        }
        // Damage is noticed some time after it was met.
        let after = lines.map(|lines| format!(", after {lines} at the latest")).unwrap_or_default();
        let message = format!("the compressed file is damaged{after}: {error}");
        Problem::new(Kind::Unreadable, &self.name, message)
            .hint("get it again; `gzip -t`, `zstd -t` or `bzip2 -t` say whether a file is whole")
    }

    /// The content without the lines that are not UTF-8, and what is wrong with these.
    pub(crate) fn without_bad_lines(&self) -> Result<(Source, Vec<Problem>), Problem> {
        let bytes = self.bytes(None)?.into_vec();
        let (kept, bad) = valid_lines(&bytes);
        let problem = |(line, bytes): (u64, &[u8])| self.not_utf8(bytes).below(line - 1);
        Ok((Source::memory(self.name.clone(), kept), bad.into_iter().map(problem).collect()))
    }

    /// The problem of a text that is in UTF-16, if its first bytes are.
    pub(crate) fn utf16_problem(&self, head: &[u8]) -> Option<Problem> {
        utf16::encoding(head).map(|encoding| self.in_other_encoding(encoding))
    }

    fn in_other_encoding(&self, encoding: &str) -> Problem {
        let family = encoding.trim_end_matches(char::is_alphabetic);
        Problem::new(Kind::Encoding, &self.name, format!("expected UTF-8, found {family}"))
            .hint(format!("convert it with `iconv -f {encoding} -t UTF-8`"))
    }

    /// The problem of bytes that are not UTF-8.
    pub(crate) fn not_utf8(&self, bytes: &[u8]) -> Problem {
        // Checked again with the slower variant, which knows where the first bad byte is.
        let at = simdutf8::compat::from_utf8(bytes).err().map_or(0, |error| error.valid_up_to());
        let byte = bytes.get(at).copied().unwrap_or_default();
        if let Some(encoding) = utf16::encoding(bytes) {
            return self.in_other_encoding(encoding);
        }
        let shown = String::from_utf8_lossy(&bytes[..(at + 200).min(bytes.len())]);
        let message =
            format!("expected UTF-8, found the byte 0x{byte:02x}, which cannot stand here");
        Problem::new(Kind::Encoding, &self.name, message)
            .at(&shown, at, '\u{fffd}'.len_utf8(), &Cell::default())
            .hint("if it is Latin-1 or Windows-1252, convert it with `iconv -f WINDOWS-1252 -t UTF-8`")
    }
}

/// The lines that are UTF-8, and the others with their numbers, from 1.
pub(crate) fn valid_lines(bytes: &[u8]) -> (String, Vec<(u64, &[u8])>) {
    let (mut kept, mut bad) = (String::with_capacity(bytes.len()), Vec::new());
    for (line, number) in bytes.split_inclusive(|&byte| byte == b'\n').zip(1..) {
        match simdutf8::basic::from_utf8(line) {
            Ok(line) => kept.push_str(line),
            Err(_) => bad.push((number, line)),
        }
    }
    (kept, bad)
}

/// Bytes of a source.
#[derive(Debug)]
pub enum Content<'a> {
    /// In memory already.
    Borrowed(&'a [u8]),
    /// Read or decompressed.
    Owned(Vec<u8>),
}

impl Content<'_> {
    /// The bytes as a vector, copied only where they are borrowed.
    pub fn into_vec(self) -> Vec<u8> {
        match self {
            Content::Borrowed(bytes) => bytes.to_vec(),
            Content::Owned(bytes) => bytes,
        }
    }
}

impl std::ops::Deref for Content<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Content::Borrowed(bytes) => bytes,
            Content::Owned(bytes) => bytes,
        }
    }
}

/// The text of a source, or of one block of it.
#[derive(Debug)]
pub struct Text<'a> {
    name: &'a str,
    content: Cow<'a, str>,
    lines_before: u64,
    /// Where the last problem was, to find the line of the next one quickly.
    cursor: Cell<Cursor>,
}

impl<'a> Text<'a> {
    /// A text under the name of its file.
    pub fn new(name: &'a str, content: &'a str) -> Text<'a> {
        let content = Cow::Borrowed(content);
        Text { name, content, lines_before: 0, cursor: Cell::default() }
    }

    /// This text as a block of a file that has `lines` lines before it.
    #[must_use]
    pub fn below(self, lines: u64) -> Text<'a> {
        Text { lines_before: lines, ..self }
    }

    /// How many lines of the file come before this text.
    pub fn lines_before(&self) -> u64 {
        self.lines_before
    }

    /// The content.
    pub fn as_str(&self) -> &str {
        &self.content
    }

    /// The name of its file.
    pub fn name(&self) -> &str {
        self.name
    }

    /// A problem at a byte of the text; `len` bytes are meant.
    pub fn problem(
        &self,
        kind: Kind,
        at: usize,
        len: usize,
        message: impl Into<String>,
    ) -> Problem {
        Problem::new(kind, self.name, message).at(&self.content, at, len, &self.cursor)
    }

    /// A problem at a part of this very text, as a slice of it.
    pub fn problem_at(&self, kind: Kind, part: &str, message: impl Into<String>) -> Problem {
        self.problem(kind, self.offset_of(part), part.len(), message)
    }

    /// Where a slice of this text starts; 0 for any other string.
    pub fn offset_of(&self, part: &str) -> usize {
        let start = self.content.as_ptr() as usize;
        // Wrapping, because a slice of another string may lie before this one in memory.
        let at = (part.as_ptr() as usize).wrapping_sub(start);
        if at <= self.content.len() { at } else { 0 }
    }

    /// The problem behind an error of serde_json in `part` of this text.
    pub fn json_problem(&self, part: &str, error: &serde_json::Error) -> Problem {
        let lines_before = part.split_inclusive('\n').take(error.line().saturating_sub(1));
        let start: usize = lines_before.map(str::len).sum();
        let at = self.offset_of(part) + start + error.column().saturating_sub(1);
        let kind = if error.is_eof() { Kind::Truncated } else { Kind::Malformed };
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or(&message);
        let message = match message.strip_prefix("EOF while parsing ") {
            Some(inside) => format!("the JSON ends too early, inside {inside}"),
            None => format!("bad JSON: {message}"),
        };
        self.problem(kind, at, 1, message)
    }
}

/// The name of a file without its extension and without the extension of a compressed file.
pub(crate) fn stem(mut name: &str) -> &str {
    for suffix in [".gz", ".zst", ".bz2"] {
        name = name.strip_suffix(suffix).unwrap_or(name);
    }
    // Our own extension has two parts, as have those of ELEVANT.
    for suffix in [".karat.jsonl", ".linked_articles.jsonl", ".benchmark.jsonl"] {
        if let Some(stem) = name.strip_suffix(suffix) {
            return stem;
        }
    }
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn strip_bom(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.starts_with('\u{feff}') {
        return text;
    }
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text['\u{feff}'.len_utf8()..]),
        Cow::Owned(mut text) => {
            text.drain(..'\u{feff}'.len_utf8());
            Cow::Owned(text)
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compression {
    Gzip,
    Zstd,
    Bzip2,
}

impl Compression {
    fn of(magic: &[u8]) -> Option<Compression> {
        match magic {
            [0x1f, 0x8b, ..] => Some(Compression::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Compression::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Compression::Bzip2),
            _ => None,
        }
    }

    /// The bytes that were compressed.
    fn unpack<'p>(self, raw: impl Read + Send + 'p) -> io::Result<Box<dyn Read + Send + 'p>> {
        Ok(match self {
            Compression::Gzip => Box::new(flate2::read::MultiGzDecoder::new(raw)),
            Compression::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(raw)),
            Compression::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::new(raw)?;
                decoder.window_log_max(WINDOW_LOG)?;
                Box::new(decoder)
            }
        })
    }
}

fn read_up_to(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Nobody waits for the file any more.
#[derive(Debug, thiserror::Error)]
#[error("cancelled")]
struct Stopped;

impl Stopped {
    fn is_behind(error: &io::Error) -> bool {
        error.get_ref().and_then(|inner| inner.downcast_ref::<Stopped>()).is_some()
    }
}

/// Tells how much was read, and stops where nobody waits any more.
struct Watched<'p> {
    inner: Box<dyn Read + Send + 'p>,
    progress: &'p dyn Progress,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.progress.is_cancelled() {
            return Err(io::Error::other(Stopped));
        }
        let count = self.inner.read(buffer)?;
        self.progress.advance(count as u64);
        Ok(count)
    }
}

/// Stops a decompressor that gives more than is reasonable.
struct Guarded<'p> {
    inner: Box<dyn Read + Send + 'p>,
    given: u64,
    allowed: u64,
    /// What the files of an input share.
    share: Option<Share>,
}

#[derive(Debug, thiserror::Error)]
#[error("more than {allowed} bytes")]
struct TooLarge {
    allowed: u64,
    /// Whether it is too much for what the files of an input share.
    is_shared: bool,
}

/// What a decompressor found, to tell it from what the system says of a file.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Damaged(io::Error);

impl Damaged {
    /// What a decompressor found, if that is behind an error.
    fn behind(error: &io::Error) -> Option<&io::Error> {
        let damaged = error.get_ref()?.downcast_ref::<Damaged>();
        damaged.map(|Damaged(error)| error)
    }

    fn from_error(error: io::Error) -> io::Error {
        // An error of the disk is no damage of the file, and a stopped reading is neither.
        let is_of_system = error.raw_os_error().is_some();
        let is_other = error.kind() == io::ErrorKind::Interrupted || Stopped::is_behind(&error);
        match is_of_system || is_other {
            true => error,
            false => io::Error::other(Damaged(error)),
        }
    }
}

impl Read for Guarded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer).map_err(Damaged::from_error)?;
        self.given += count as u64;
        let (given, allowed) = (self.given, self.allowed);
        if self.share.as_ref().is_some_and(|share| !share.reaches(given)) {
            return Err(io::Error::other(TooLarge { allowed, is_shared: true }));
        }
        if given > allowed {
            return Err(io::Error::other(TooLarge { allowed, is_shared: false }));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn compressed_files_are_read_as_they_are() {
        let plain = "Köln\n".repeat(100);
        let zst = zstd::encode_all(plain.as_bytes(), 3).unwrap();
        let mut bz = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        bz.write_all(plain.as_bytes()).unwrap();
        for bytes in [plain.clone().into_bytes(), gzip(plain.as_bytes()), zst, bz.finish().unwrap()]
        {
            let source = Source::memory("x", bytes);
            assert_eq!(source.text().unwrap().as_str(), plain);
        }
    }

    #[test]
    fn what_is_in_memory_is_not_copied() {
        let content = b"d\t0\t1\n".to_vec();
        let place = content.as_ptr();
        assert_eq!(Source::memory("x", content).bytes(None).unwrap().as_ptr(), place);
    }

    #[test]
    fn a_truncated_archive_says_so() {
        let mut bytes = gzip("some text that is long enough to be cut".repeat(50).as_bytes());
        bytes.truncate(bytes.len() / 2);
        let problem = Source::memory("cut.gz", bytes).text().unwrap_err();
        assert_eq!(problem.kind, Kind::Truncated);
    }

    #[test]
    fn a_bomb_is_not_unpacked() {
        let bytes = gzip(&vec![0; 128 << 20]);
        let problem = Source::memory("bomb.gz", bytes).text().unwrap_err();
        assert_eq!(problem.kind, Kind::Bomb);
    }

    #[test]
    fn a_file_with_holes_is_refused_before_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("holes.json");
        File::create(&path).unwrap().set_len(3 << 30).unwrap();
        let problem = Source::file(&path).bytes_within(None, 1 << 30).unwrap_err();
        assert_eq!(problem.kind, Kind::TooLarge, "{problem}");
        assert!(problem.message.starts_with("has more than 1024 MiB"), "{problem}");
        assert!(problem.hint.is_some());
    }

    #[test]
    fn what_is_kept_whole_has_a_limit_in_bytes() {
        let packed = Source::memory("x.gz", gzip(&vec![b'x'; 1 << 20]));
        assert_eq!(packed.bytes_within(None, 1 << 20).unwrap().len(), 1 << 20);
        let problem = packed.bytes_within(None, (1 << 20) - 1).unwrap_err();
        assert_eq!(problem.kind, Kind::TooLarge, "{problem}");
    }

    #[test]
    fn memory_that_is_not_there_is_a_problem() {
        let error = read_whole(&mut io::empty(), u64::MAX, u64::MAX).unwrap_err();
        let problem = Source::memory("x", []).unreadable(&error);
        assert_eq!(problem.kind, Kind::TooLarge, "{problem}");
    }

    fn bzip2(content: &[u8]) -> Vec<u8> {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn files_that_were_sent_share_a_budget() {
        let bomb = vec![0; 12 << 20];
        for bytes in [gzip(&bomb), zstd::encode_all(&bomb[..], 3).unwrap(), bzip2(&bomb)] {
            assert!(bytes.len() < 50_000);
            assert!(Source::memory("own", bytes.clone()).bytes(None).is_ok(), "on one's own disk");
            let budget = Arc::new(UnpackBudget::of(bytes.len() as u64));
            let problem = Source::memory("sent", bytes).within(&budget).bytes(None).unwrap_err();
            assert_eq!(problem.kind, Kind::Bomb);
            assert!(problem.to_string().contains("1 GiB in all"), "{problem}");
        }
        // Together they are too much, and reading one twice counts once.
        let six = gzip(&vec![b'x'; 6 << 20]);
        let budget = Arc::new(UnpackBudget::of(2 * six.len() as u64));
        let [first, second] =
            ["a", "b"].map(|name| Source::memory(name, six.clone()).within(&budget));
        for _ in 0..3 {
            assert!(first.bytes(None).is_ok());
        }
        let problem = second.bytes(None).unwrap_err();
        assert_eq!((problem.kind, problem.source_name.as_str()), (Kind::Bomb, "b"));
        // What is sent large may become large.
        assert_eq!(UnpackBudget::of(1 << 20).left(), 200 << 20);
        assert_eq!(UnpackBudget::of(u64::MAX).left(), 1 << 30);
    }

    #[test]
    fn a_window_that_is_too_large_is_refused() {
        let text = "Berlin ".repeat(1000);
        let packed = |log: u32| {
            let mut encoder = zstd::stream::Encoder::new(Vec::new(), 3).unwrap();
            encoder.window_log(log).unwrap();
            // Without a size the frame says its window, and a decoder allocates it.
            encoder.include_contentsize(false).unwrap();
            encoder.write_all(text.as_bytes()).unwrap();
            encoder.finish().unwrap()
        };
        assert_eq!(Source::memory("good", packed(27)).text().unwrap().as_str(), text);
        let problem = Source::memory("bad", packed(28)).text().unwrap_err();
        assert_eq!(problem.kind, Kind::Bomb, "{problem}");
        assert!(problem.to_string().contains("128 MiB"), "{problem}");
    }

    #[test]
    fn other_encodings_are_named() {
        let latin = Source::memory("l", b"a\nM\xfcnchen\n".to_vec());
        let problem = latin.text().unwrap_err();
        let place = problem.place.unwrap();
        assert_eq!((problem.kind, place.line, place.column), (Kind::Encoding, 2, 2));
        let utf16 = Source::memory("u", b"\xff\xfea\0".to_vec());
        assert!(utf16.text().unwrap_err().hint.unwrap().to_string().contains("UTF-16"));
        let bom = Source::memory("b", "\u{feff}x");
        assert_eq!(bom.text().unwrap().as_str(), "x");
    }

    #[test]
    fn stems_ignore_compression() {
        assert_eq!(Source::memory("dir/a.b.tsv.gz", "").stem(), "a.b");
        assert_eq!(Source::memory("plain", "").stem(), "plain");
        assert_eq!(Source::memory("a.b.karat.jsonl.zst", "").stem(), "a.b");
        assert_eq!(Source::memory("kore50.benchmark.jsonl", "").stem(), "kore50");
        assert_eq!(Source::memory("kore50.linked_articles.jsonl", "").stem(), "kore50");
    }
}
