//! Reading a file in blocks, several at a time.
//!
//! A block is a stretch of the file that ends where a record ends. Threads parse
//! blocks into parts; the parts are put together in the order of the file, so the
//! result never depends on the number of threads.

use crate::problem::{Findings, Kind, Problem};
use crate::reading::{ReadOptions, Reading};
use crate::source::{Source, Text};
use karat_model::{Assembly, Corpus, CorpusBuilder, DuplicateDocument, Part, Repeated};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Finds where the last complete record of a buffer ends; `None` if there is none.
pub type Cut = fn(&[u8]) -> Option<usize>;

/// Records end at line ends.
pub fn at_line_ends(bytes: &[u8]) -> Option<usize> {
    memchr::memrchr(b'\n', bytes).map(|newline| newline + 1)
}

/// Large enough that putting parts together costs little, small enough that a
/// part per thread costs little memory.
const BLOCK: usize = 512 << 10;

/// A buffer for the first bytes of a block is no smaller: compressed files are.
const SMALLEST: usize = 32 << 10;

/// Reads a source block by block through `parse`.
///
/// `parse` is given the text of one block and a reading, and must not carry
/// anything from one block to the next. Where a document must not come again
/// ([`Repeated::Refuse`]) it starts each with `begin_document` and reports those
/// that were there before.
pub fn in_blocks(
    source: &Source,
    cut: Cut,
    repeated: Repeated,
    reading: &mut Reading<'_>,
    parse: impl Fn(&Text<'_>, &mut Reading<'_>) -> Result<(), Problem> + Sync,
) -> Result<(), Problem> {
    reading.corpus.begin_source(source.name());
    let threads = reading.options.thread_count();
    if threads == 1 || source.size() <= BLOCK as u64 / 4 {
        one_by_one(source, cut, reading, parse)
    } else {
        several_at_once(source, cut, repeated, reading, parse, threads)
    }
}

/// Straight into the corpus; readers see for themselves when a document comes again.
fn one_by_one(
    source: &Source,
    cut: Cut,
    reading: &mut Reading<'_>,
    parse: impl Fn(&Text<'_>, &mut Reading<'_>) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let options = reading.options;
    let mut blocks = Blocks::new(source, cut, options)?;
    let mut buffer = Vec::new();
    let mut lines = 0;
    while blocks.next(&mut buffer)?.is_some() {
        let text = block_text(source, &buffer, lines).map_err(|problem| problem.below(lines))?;
        let corpus = std::mem::take(&mut reading.corpus);
        let mut part = Reading { corpus, options, findings: Findings::default() };
        let result = parse(&text, &mut part);
        reading.corpus = part.corpus;
        reading.findings.merge(part.findings, lines);
        result.map_err(|problem| problem.below(lines))?;
        match &options.parts {
            Some(parts) if reading.corpus.annotation_count() >= PART => {
                // Whoever asked for parts may have seen enough; the rest is read for its errors.
                let _ = parts.send(reading.corpus.take_complete());
            }
            Some(_) => {}
            None if lines == 0 => reading.corpus.reserve(times_to_come(buffer.len(), source)),
            None => {}
        }
        lines += line_count(&buffer);
    }
    Ok(())
}

/// So many annotations make a part of a stream: a few megabytes.
const PART: usize = 100_000;

/// How many times as much as its first block the rest of a source is. Memory that is not
/// written to costs nothing, so room may be made for too much, but not without limit.
fn times_to_come(read: usize, source: &Source) -> usize {
    let times = usize::try_from(source.size()).unwrap_or(usize::MAX) / read.max(1);
    times.min(1 << 12)
}

fn several_at_once(
    source: &Source,
    cut: Cut,
    repeated: Repeated,
    reading: &mut Reading<'_>,
    parse: impl Fn(&Text<'_>, &mut Reading<'_>) -> Result<(), Problem> + Sync,
    threads: usize,
) -> Result<(), Problem> {
    let blocks = Blocks::new(source, cut, reading.options)?;
    let assembly = Assembly::new(std::mem::take(&mut reading.corpus));
    let crew = Crew {
        source,
        options: reading.options,
        parse,
        ahead: 2 * threads,
        blocks: Mutex::new(blocks),
        progress: Mutex::new(Progress::default()),
        moved_on: Condvar::new(),
        whole: Mutex::new(Whole { reading, assembly, repeated, outcome: Ok(()) }),
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| crew.work());
        }
        crew.work();
    });
    let whole = crew.whole.into_inner().unwrap_or_else(PoisonError::into_inner);
    whole.reading.corpus = whole.assembly.finish();
    whole.outcome
}

/// Threads that read one source. Each parses blocks, and whoever hands in the part
/// that comes next in the file also absorbs it, and those that wait behind it: so
/// all threads always have something to do.
struct Crew<'a, 'o, P> {
    source: &'a Source,
    options: &'o ReadOptions,
    parse: P,
    /// How many blocks may be under way: with as many as threads, all would wait for the one
    /// that absorbs; without a limit, parts that wait for a slow one would fill the memory.
    ahead: usize,
    blocks: Mutex<Blocks<'a>>,
    progress: Mutex<Progress>,
    moved_on: Condvar,
    whole: Mutex<Whole<'a, 'o>>,
}

/// How far the threads are.
#[derive(Default)]
struct Progress {
    handed_out: usize,
    absorbed: usize,
    /// Parts that came before their turn.
    waiting: BTreeMap<usize, BlockPart>,
    /// Whether a thread is absorbing parts.
    absorbing: bool,
    /// Parts that were absorbed, whose memory is used again.
    spare: Vec<Part>,
    stopped: bool,
}

/// What the parts are put together in.
struct Whole<'a, 'o> {
    reading: &'a mut Reading<'o>,
    assembly: Assembly,
    repeated: Repeated,
    outcome: Result<(), Problem>,
}

/// What one block gave.
struct BlockPart {
    rows: Part,
    findings: Findings,
    outcome: Result<(), Problem>,
    lines_before: u64,
    bytes: usize,
    thread: usize,
}

impl<P> Crew<'_, '_, P>
where
    P: Fn(&Text<'_>, &mut Reading<'_>) -> Result<(), Problem> + Sync,
{
    /// What each thread does.
    fn work(&self) {
        // Also when this thread panics: nobody may wait for its block then.
        let _stop = StopOnPanic(|| self.stop());
        let (thread, mut corpus) = lock(&self.whole).assembly.join();
        let mut buffer = Vec::new();
        while self.may_go_on() {
            let Some((number, lines)) = lock(&self.blocks).next_numbered(&mut buffer) else {
                return;
            };
            let part = match lines {
                Ok(lines) => self.parse(&buffer, lines, thread, &mut corpus),
                Err(problem) => BlockPart::failed(problem, thread),
            };
            self.hand_in(number, part);
        }
    }

    /// Waits while too many blocks are under way; false when there is nothing more to do.
    fn may_go_on(&self) -> bool {
        let far_ahead = |progress: &mut Progress| {
            !progress.stopped && progress.handed_out >= progress.absorbed + self.ahead
        };
        let progress = self.moved_on.wait_while(lock(&self.progress), far_ahead);
        let mut progress = progress.unwrap_or_else(PoisonError::into_inner);
        progress.handed_out += 1;
        !progress.stopped
    }

    fn parse(
        &self,
        buffer: &[u8],
        lines_before: u64,
        thread: usize,
        corpus: &mut CorpusBuilder,
    ) -> BlockPart {
        let findings = Findings::default();
        let mut part = Reading { corpus: std::mem::take(corpus), options: self.options, findings };
        let text = block_text(self.source, buffer, lines_before);
        let outcome = text.and_then(|text| (self.parse)(&text, &mut part));
        *corpus = part.corpus;
        let spare = lock(&self.progress).spare.pop().unwrap_or_default();
        let rows = corpus.take_part(spare);
        let findings = part.findings;
        BlockPart { rows, findings, outcome, lines_before, bytes: buffer.len(), thread }
    }

    /// Absorbs a part and those behind it, or leaves it to the thread that does.
    fn hand_in(&self, number: usize, part: BlockPart) {
        let mut progress = lock(&self.progress);
        progress.waiting.insert(number, part);
        if progress.absorbing {
            return;
        }
        while let Some(part) = progress.next_part() {
            progress.absorbing = true;
            drop(progress);
            let absorbed = lock(&self.whole).absorb(self.source, part);
            progress = lock(&self.progress);
            progress.absorbing = false;
            let Some(memory) = absorbed else {
                drop(progress);
                return self.stop();
            };
            progress.absorbed += 1;
            progress.spare.push(memory);
            self.moved_on.notify_all();
        }
    }

    fn stop(&self) {
        lock(&self.progress).stopped = true;
        self.moved_on.notify_all();
    }
}

impl Progress {
    /// The part whose turn it is, if it is there.
    fn next_part(&mut self) -> Option<BlockPart> {
        self.waiting.remove(&self.absorbed)
    }
}

impl Whole<'_, '_> {
    /// Adds a part to the corpus; gives its memory back, or nothing if the reading fails.
    fn absorb(&mut self, source: &Source, part: BlockPart) -> Option<Part> {
        let lines = part.lines_before;
        self.reading.findings.merge(part.findings, lines);
        self.outcome = part.outcome.map_err(|problem| problem.below(lines)).and_then(|()| {
            let refused = self.assembly.absorb(&part.rows, part.thread, self.repeated);
            report_duplicates(source, self.reading, &refused)
        });
        // Not for what stands in place of a block that could not be read.
        if lines == 0 && part.bytes > 0 {
            self.assembly.reserve(times_to_come(part.bytes, source));
        }
        self.outcome.is_ok().then_some(part.rows)
    }
}

impl BlockPart {
    /// In place of a block that could not be read.
    fn failed(problem: Problem, thread: usize) -> BlockPart {
        let (rows, findings) = (Part::default(), Findings::default());
        BlockPart { rows, findings, outcome: Err(problem), lines_before: 0, bytes: 0, thread }
    }
}

/// A thread that panicked with the lock left nothing half done that matters: the
/// panic itself ends the reading.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct StopOnPanic<S: Fn()>(S);

impl<S: Fn()> Drop for StopOnPanic<S> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0();
        }
    }
}

/// Adds a part to the corpus and reports the documents that occur again.
pub(crate) fn absorb(
    source: &Source,
    reading: &mut Reading<'_>,
    part: Corpus,
    repeated: Repeated,
) -> Result<(), Problem> {
    reading.corpus.begin_source(source.name());
    let refused = reading.corpus.absorb(part, repeated);
    report_duplicates(source, reading, &refused)
}

fn report_duplicates(
    source: &Source,
    reading: &mut Reading<'_>,
    refused: &[DuplicateDocument],
) -> Result<(), Problem> {
    for duplicate in refused {
        reading.report(refused_document(source.name(), duplicate))?;
    }
    Ok(())
}

/// The problem of a document that occurs twice in one file.
pub(crate) fn duplicate_document(source_name: &str, name: &str) -> Problem {
    refused_document(source_name, &DuplicateDocument { name: name.to_owned(), first: None })
}

/// The problem of a document that was refused.
pub(crate) fn refused_document(source_name: &str, duplicate: &DuplicateDocument) -> Problem {
    Problem::new(Kind::DuplicateDocument, source_name, duplicate.to_string()).hint(UNIQUE_DOCUMENTS)
}

/// What to do about a document that occurs twice.
pub(crate) const UNIQUE_DOCUMENTS: &str = "document ids must be unique in one input; \
    give files of different benchmarks apart";

fn block_text<'b>(
    source: &'b Source,
    buffer: &'b [u8],
    lines_before: u64,
) -> Result<Text<'b>, Problem> {
    let text = simdutf8::basic::from_utf8(buffer).map_err(|_| source.not_utf8(buffer))?;
    Ok(Text::new(source.name(), text).below(lines_before))
}

fn line_count(buffer: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', buffer).count() as u64
}

/// Cuts a stream into blocks.
struct Blocks<'s> {
    source: &'s Source,
    stream: Box<dyn Read + Send + 's>,
    cut: Cut,
    /// What the last block left over.
    rest: Vec<u8>,
    number: usize,
    /// How many lines the blocks so far have.
    lines: u64,
    ended: bool,
}

impl<'s> Blocks<'s> {
    fn new(source: &'s Source, cut: Cut, options: &'s ReadOptions) -> Result<Self, Problem> {
        let stream = source.open(options.progress.as_deref())?;
        Ok(Blocks { source, stream, cut, rest: Vec::new(), number: 0, lines: 0, ended: false })
    }

    /// Fills the buffer with the next block and gives its number and how many lines
    /// stand before it; a block that cannot be read has a number too.
    fn next_numbered(&mut self, buffer: &mut Vec<u8>) -> Option<(usize, Result<u64, Problem>)> {
        let before = self.lines;
        match self.next(buffer) {
            Ok(None) => None,
            Ok(Some(number)) => {
                self.lines += line_count(buffer);
                Some((number, Ok(before)))
            }
            Err(problem) => {
                self.number += 1;
                Some((self.number - 1, Err(problem)))
            }
        }
    }

    /// Fills the buffer with the next block and gives its number.
    fn next(&mut self, buffer: &mut Vec<u8>) -> Result<Option<usize>, Problem> {
        buffer.clear();
        buffer.append(&mut self.rest);
        let mut wanted = BLOCK;
        while !self.ended {
            let room = wanted.saturating_sub(buffer.len()) as u64;
            let read = self.fill(buffer, room).map_err(|e| {
                self.ended = true;
                self.source.unreadable(&e)
            })?;
            self.ended = read < room;
            if self.ended {
                break;
            }
            if let Some(end) = (self.cut)(buffer) {
                self.rest.extend_from_slice(&buffer[end..]);
                buffer.truncate(end);
                break;
            }
            wanted *= 2;
        }
        if self.number == 0 && buffer.starts_with(b"\xef\xbb\xbf") {
            buffer.drain(..3);
        }
        if buffer.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(self.number - 1))
    }

    fn fill(&mut self, buffer: &mut Vec<u8>, room: u64) -> io::Result<u64> {
        // Into a buffer that grows as it goes, a file is read in ever so many small pieces.
        let stored = usize::try_from(self.source.size()).unwrap_or(usize::MAX);
        buffer.reserve(stored.saturating_add(1).clamp(SMALLEST, BLOCK).min(room as usize));
        (&mut self.stream).take(room).read_to_end(buffer).map(|read| read as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::{Link, Span};

    /// Each line is a document; the line `bad` is malformed.
    fn parse(text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
        for line in text.as_str().lines() {
            if line == "bad" {
                reading.report(text.problem_at(Kind::Malformed, line, "bad"))?;
                continue;
            }
            reading.corpus.continue_document(line);
            let link = Link::to(reading.corpus.intern(line));
            reading.corpus.annotate(Span::new(0, 1), link);
        }
        Ok(())
    }

    fn read(content: &str, threads: usize, lenient: bool) -> Result<(Corpus, u64), Problem> {
        let options = ReadOptions { threads, lenient, ..ReadOptions::default() };
        let mut reading = Reading::new(&options);
        let source = Source::memory("m", content);
        in_blocks(&source, at_line_ends, Repeated::Merge, &mut reading, parse)?;
        let line = reading.findings.skipped().first().map_or(0, |p| p.place.as_ref().unwrap().line);
        Ok((reading.corpus.finish(), line))
    }

    #[test]
    fn threads_do_not_change_the_result() {
        let lines: Vec<String> = (0..900_000).map(|i| format!("document{}", i % 1000)).collect();
        let content = lines.join("\n");
        let (one, _) = read(&content, 1, false).unwrap();
        let (three, _) = read(&content, 3, false).unwrap();
        assert_eq!(one.len(), 1000);
        assert!(one == three);
    }

    #[test]
    fn strings_are_numbered_as_they_appear_whatever_the_threads() {
        // More strings than a thread remembers, and some that come in every block.
        let name = |i: usize| if i.is_multiple_of(3) { i % 700 } else { i * 7919 % 300_000 };
        let lines: Vec<String> =
            (0..600_000).map(|i| format!("a longer name{}", name(i))).collect();
        let content = lines.join("\n");
        let mut expected = vec![""];
        let mut seen = std::collections::HashSet::new();
        expected.extend(lines.iter().map(String::as_str).filter(|line| seen.insert(*line)));
        for threads in [1, 2, 5] {
            let (corpus, _) = read(&content, threads, false).unwrap();
            assert!(corpus.strings().iter().eq(expected.iter().copied()), "{threads} threads");
        }
    }

    #[test]
    fn a_source_that_breaks_off_is_bad_and_needs_no_more_memory() {
        let content = "a document of its own\n".repeat(400_000);
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, content.as_bytes()).unwrap();
        let mut packed = packed.finish().unwrap();
        packed.truncate(packed.len() / 2);
        for threads in [1, 2] {
            let options = ReadOptions { threads, ..ReadOptions::default() };
            let mut reading = Reading::new(&options);
            let source = Source::memory("m.gz", packed.clone());
            let result = in_blocks(&source, at_line_ends, Repeated::Merge, &mut reading, parse);
            assert_eq!(result.unwrap_err().kind, Kind::Truncated, "{threads} threads");
        }
    }

    #[test]
    fn nobody_waits_for_a_thread_that_panicked() {
        let reading = std::panic::catch_unwind(|| {
            let source = Source::memory("m", "document\n".repeat(3_000_000));
            let options = ReadOptions { threads: 2, ..ReadOptions::default() };
            let mut reading = Reading::new(&options);
            in_blocks(&source, at_line_ends, Repeated::Merge, &mut reading, |text, _| {
                assert!(text.lines_before() > 0, "the first block is one too many");
                Ok(())
            })
        });
        assert!(reading.is_err());
    }

    #[test]
    fn problems_are_located_in_the_whole_file() {
        let mut lines = vec!["document"; 1_000_000];
        lines[900_000] = "bad";
        let content = lines.join("\n");
        for threads in [1, 2] {
            let problem = read(&content, threads, false).unwrap_err();
            assert_eq!(problem.place.unwrap().line, 900_001);
            assert_eq!(read(&content, threads, true).unwrap().1, 900_001);
        }
    }
}
