//! Reading a file in blocks, several at a time.
//!
//! A block is a stretch of the file that ends where a record ends. Threads parse
//! blocks into parts; the parts are put together in the order of the file, so the
//! result never depends on the number of threads.

use crate::problem::{Findings, Kind, Problem};
use crate::reading::{Progress, ReadOptions, Reading};
use crate::source::{MORE_MEMORY, Source, Text, memory};
use karat_model::{Assembly, CorpusBuilder, DuplicateDocument, Part, Repeated};
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
const BLOCK: usize = 256 << 10;

/// A record is no longer than this: 256 MiB. The longest documents of published corpora have a hundredth of it.
const LONGEST: usize = 256 << 20;

/// So many bytes of a record that is too long are looked at to show its beginning.
const SHOWN: usize = 1 << 10;

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
    // One block needs one thread; starting another takes longer than a small file. What is
    // compressed is several times as long as it is stored.
    let blocks = source.size() / BLOCK as u64 + 1;
    let blocks = if source.is_compressed() { 8 * blocks } else { blocks };
    let threads = threads.min(usize::try_from(blocks).unwrap_or(threads));
    if threads == 1 {
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
    let begins_empty = reading.corpus.is_empty();
    let mut blocks = Blocks::new(source, cut, options)?;
    let mut buffer = Vec::new();
    let mut lines = 0;
    while blocks.next(&mut buffer).map_err(|problem| problem.below(lines))?.is_some() {
        options.check(source.name())?;
        // Findings of a block know lines from the start of the block; they are moved down when they
        // join those of the blocks before.
        let before = std::mem::take(&mut reading.findings);
        let text = block_text(source, &buffer, lines);
        let outcome = text.and_then(|text| parse(&text, reading));
        let findings = std::mem::replace(&mut reading.findings, before);
        reading.findings.merge(findings, lines);
        outcome.map_err(|problem| problem.below(lines))?;
        match &options.parts {
            Some(parts) if reading.corpus.annotation_count() >= PART => {
                reading.recognise_nil();
                // Whoever asked for parts may have seen enough; the rest is read for its errors.
                let _ = parts.send(reading.corpus.take_complete());
            }
            Some(_) => {}
            None if lines == 0 && begins_empty => {
                reading.corpus.reserve(times_to_come(buffer.len(), source));
            }
            None => {}
        }
        lines += line_count(&buffer);
    }
    Ok(())
}

/// Gives the blocks of a source one by one, for what is no corpus. A record that is longer than
/// `longest` bytes comes in pieces, so that memory has a limit whatever the file holds.
pub(crate) fn for_each_block<E: From<Problem>>(
    source: &Source,
    cut: Cut,
    longest: usize,
    progress: Option<&dyn Progress>,
    mut take: impl FnMut(&Text<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut blocks = Blocks { longest, in_pieces: true, ..Blocks::open(source, cut, progress)? };
    let mut buffer = Vec::new();
    let mut lines = 0;
    while blocks.next(&mut buffer)?.is_some() {
        let text = block_text(source, &buffer, lines).map_err(|problem| problem.below(lines))?;
        take(&text)?;
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
    times.saturating_sub(1).min(1 << 12)
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
    let begins_empty = reading.corpus.is_empty();
    let mut assembly = Assembly::new(std::mem::take(&mut reading.corpus));
    let mut seats: Vec<(usize, CorpusBuilder)> = (0..threads).map(|_| assembly.join()).collect();
    let own = seats.pop();
    let crew = Crew {
        source,
        options: reading.options,
        parse,
        threads,
        blocks: Mutex::new(blocks),
        queue: Mutex::new(Queue::default()),
        moved_on: Condvar::new(),
        whole: Mutex::new(Whole { reading, assembly, repeated, begins_empty, outcome: Ok(()) }),
    };
    // On the threads that the caller computes on, and no others. None of them waits for one that has not begun:
    // a block that is waited for is in the hands of a thread that works.
    rayon::in_place_scope(|scope| {
        for (thread, corpus) in seats {
            let crew = &crew;
            scope.spawn(move |_| crew.work(thread, corpus));
        }
        own.into_iter().for_each(|(thread, corpus)| crew.work(thread, corpus));
    });
    let whole = crew.whole.into_inner().unwrap_or_else(PoisonError::into_inner);
    whole.reading.corpus = whole.assembly.finish();
    whole.outcome
}

/// Threads that read one source. One of them, whoever comes first, has the corpus: it parses
/// the blocks that come next in the file straight into it, and absorbs the parts that the
/// others have made of later ones, which are written a second time.
struct Crew<'a, 'o, P> {
    source: &'a Source,
    options: &'o ReadOptions,
    parse: P,
    threads: usize,
    blocks: Mutex<Blocks<'a>>,
    queue: Mutex<Queue>,
    moved_on: Condvar,
    whole: Mutex<Whole<'a, 'o>>,
}

/// What is not in the corpus yet.
#[derive(Default)]
struct Queue {
    /// Blocks and parts of them, by their place in the file.
    waiting: BTreeMap<usize, Waiting>,
    /// How many of those that wait are blocks.
    unparsed: usize,
    /// How many are in the corpus.
    absorbed: usize,
    /// Whether a thread has the corpus.
    taken: bool,
    /// Parts that were absorbed and blocks that were parsed, whose memory is used again.
    spare_parts: Vec<Part>,
    spare_buffers: Vec<Vec<u8>>,
    stopped: bool,
}

/// What waits for its turn.
enum Waiting {
    Block(Block),
    Part(Box<BlockPart>),
    /// In place of a block that could not be read.
    Unreadable(Box<Problem>),
}

/// Some lines of the source.
struct Block {
    bytes: Vec<u8>,
    lines_before: u64,
}

/// What the parts are put together in.
struct Whole<'a, 'o> {
    reading: &'a mut Reading<'o>,
    assembly: Assembly,
    repeated: Repeated,
    /// Whether the corpus has nothing of other sources: how much of it is to come says nothing
    /// of these.
    begins_empty: bool,
    outcome: Result<(), Problem>,
}

/// What one block gave.
struct BlockPart {
    block: Block,
    rows: Part,
    findings: Findings,
    is_good: bool,
    thread: usize,
}

/// So many blocks are left to the thread that has the corpus. Until it is through with them,
/// another thread has parsed the block behind them.
const LEFT: usize = 1;

/// So many more parts may wait than there are threads that make them: without a limit they would
/// fill the memory where putting them together takes longer than making them.
const AHEAD: usize = 3;

impl<P> Crew<'_, '_, P>
where
    P: Fn(&Text<'_>, &mut Reading<'_>) -> Result<(), Problem> + Sync,
{
    /// What each thread does; it fills its own corpus with parts.
    fn work(&self, thread: usize, mut corpus: CorpusBuilder) {
        // Also when this thread panics: nobody may wait for its block then.
        let _stop = StopOnPanic(|| self.stop());
        loop {
            self.put_together();
            self.wait_while_far_ahead();
            // Of what was left for later there may still be something.
            let Some((number, block)) = self.next_block() else { return self.put_together() };
            let part = match block {
                Ok(block) => Waiting::Part(Box::new(self.parse_part(block, thread, &mut corpus))),
                Err(problem) => Waiting::Unreadable(Box::new(problem)),
            };
            lock(&self.queue).waiting.insert(number, part);
        }
    }

    /// Adds everything whose turn it is to the corpus, unless another thread does.
    fn put_together(&self) {
        let mut queue = lock(&self.queue);
        if queue.taken || queue.stopped {
            return;
        }
        while let Some(next) = queue.next() {
            queue.taken = true;
            drop(queue);
            let mut whole = lock(&self.whole);
            let (block, part) = match next {
                Waiting::Block(block) => {
                    whole.parse(self.source, &block, &self.parse);
                    (Some(block), None)
                }
                Waiting::Part(part) => {
                    let BlockPart { block, rows, .. } =
                        whole.absorb(self.source, *part, &self.parse);
                    (Some(block), Some(rows))
                }
                Waiting::Unreadable(problem) => {
                    whole.outcome = Err(*problem);
                    (None, None)
                }
            };
            queue = lock(&self.queue);
            queue.taken = false;
            queue.stopped |= whole.outcome.is_err();
            queue.spare_buffers.extend(block.map(|block| block.bytes));
            queue.spare_parts.extend(part);
            self.moved_on.notify_all();
            if queue.stopped {
                return;
            }
        }
    }

    /// Waits while many parts wait already.
    fn wait_while_far_ahead(&self) {
        let most = LEFT + self.threads - 1 + AHEAD;
        let far_ahead = |queue: &mut Queue| !queue.stopped && queue.waiting.len() > most;
        drop(self.moved_on.wait_while(lock(&self.queue), far_ahead));
    }

    /// A block to make a part of, and its place in the file; those before it are left to the
    /// thread that has the corpus.
    fn next_block(&self) -> Option<(usize, Result<Block, Problem>)> {
        let mut blocks = lock(&self.blocks);
        loop {
            let mut queue = lock(&self.queue);
            if queue.stopped {
                return None;
            }
            let mut bytes = queue.spare_buffers.pop().unwrap_or_default();
            drop(queue);
            let (number, lines) = blocks.next_numbered(&mut bytes)?;
            let block = lines.map(|lines_before| Block { bytes, lines_before });
            let mut queue = lock(&self.queue);
            match block {
                Ok(block) if queue.unparsed < LEFT => {
                    queue.unparsed += 1;
                    queue.waiting.insert(number, Waiting::Block(block));
                }
                block => return Some((number, block)),
            }
        }
    }

    fn parse_part(&self, block: Block, thread: usize, corpus: &mut CorpusBuilder) -> BlockPart {
        let (outcome, findings) = parse_into(
            self.source,
            corpus,
            &block.bytes,
            block.lines_before,
            self.options,
            &self.parse,
        );
        let spare = lock(&self.queue).spare_parts.pop().unwrap_or_default();
        let rows = corpus.take_part(spare);
        BlockPart { block, rows, findings, is_good: outcome.is_ok(), thread }
    }

    fn stop(&self) {
        lock(&self.queue).stopped = true;
        self.moved_on.notify_all();
    }
}

impl Queue {
    /// What comes next in the file, if it is there.
    fn next(&mut self) -> Option<Waiting> {
        let next = self.waiting.remove(&self.absorbed)?;
        self.absorbed += 1;
        self.unparsed -= usize::from(matches!(next, Waiting::Block(_)));
        Some(next)
    }
}

impl Whole<'_, '_> {
    /// Parses a block into the corpus.
    fn parse(
        &mut self,
        source: &Source,
        block: &Block,
        parse: impl Fn(&Text<'_>, &mut Reading<'_>) -> Result<(), Problem>,
    ) {
        let options = self.reading.options;
        let lines = block.lines_before;
        let corpus = self.assembly.corpus();
        let (outcome, findings) = parse_into(source, corpus, &block.bytes, lines, options, parse);
        if lines == 0 && self.begins_empty {
            corpus.reserve(times_to_come(block.bytes.len(), source));
        }
        self.reading.findings.merge(findings, lines);
        self.outcome = outcome.map_err(|problem| problem.below(lines));
    }

    /// Adds a part to the corpus. A block with a problem is parsed once more, as one thread
    /// would do it: what is said about it must not depend on which thread came to it.
    fn absorb(
        &mut self,
        source: &Source,
        mut part: BlockPart,
        parse: impl Fn(&Text<'_>, &mut Reading<'_>) -> Result<(), Problem>,
    ) -> BlockPart {
        // What fails as a part fails in the corpus too, so that no later part of this thread
        // is absorbed, which would miss the strings of this one.
        if part.is_good && self.assembly.absorb(&part.rows, part.thread, self.repeated) {
            let findings = std::mem::take(&mut part.findings);
            self.reading.findings.merge(findings, part.block.lines_before);
        } else {
            self.parse(source, &part.block, parse);
        }
        part
    }
}

/// Parses a block into a corpus.
fn parse_into(
    source: &Source,
    corpus: &mut CorpusBuilder,
    bytes: &[u8],
    lines_before: u64,
    options: &ReadOptions,
    parse: impl Fn(&Text<'_>, &mut Reading<'_>) -> Result<(), Problem>,
) -> (Result<(), Problem>, Findings) {
    let mut reading = Reading { corpus: std::mem::take(corpus), ..Reading::new(options) };
    let text = block_text(source, bytes, lines_before);
    let outcome = text.and_then(|text| parse(&text, &mut reading));
    *corpus = reading.corpus;
    (outcome, reading.findings)
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
    /// A block without the end of a record is no longer than this.
    longest: usize,
    /// Whether a record that is longer comes in pieces; otherwise it is refused.
    in_pieces: bool,
    /// What the last block left over.
    rest: Vec<u8>,
    number: usize,
    /// How many lines the blocks so far have.
    lines: u64,
    ended: bool,
}

impl<'s> Blocks<'s> {
    fn new(source: &'s Source, cut: Cut, options: &'s ReadOptions) -> Result<Self, Problem> {
        Blocks::open(source, cut, options.progress.as_deref().map(|progress| progress as _))
    }

    fn open(
        source: &'s Source,
        cut: Cut,
        progress: Option<&'s dyn Progress>,
    ) -> Result<Self, Problem> {
        let stream = source.open(progress)?;
        let (longest, in_pieces, rest) = (LONGEST, false, Vec::new());
        Ok(Blocks {
            source,
            stream,
            cut,
            longest,
            in_pieces,
            rest,
            number: 0,
            lines: 0,
            ended: false,
        })
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
                Some((self.number - 1, Err(problem.below(before))))
            }
        }
    }

    /// Fills the buffer with the next block and gives its number.
    fn next(&mut self, buffer: &mut Vec<u8>) -> Result<Option<usize>, Problem> {
        buffer.clear();
        buffer.append(&mut self.rest);
        let mut wanted = BLOCK;
        // Twice as much each time: a record longer than a block is read in a number of steps that
        // grows with the logarithm of its length.
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
            // For callers that accept a record in pieces. The piece may end inside a character,
            // which they have to expect.
            if buffer.len() >= self.longest {
                if self.in_pieces {
                    break;
                }
                self.ended = true;
                return Err(self.too_long(buffer));
            }
            wanted = wanted.saturating_mul(2);
        }
        // What was read of other files counts too. Asking the system costs little beside reading a block.
        if memory::is_full() {
            let message = "reading it takes more memory than is allowed";
            return Err(Problem::new(Kind::TooLarge, self.source.name(), message).hint(MORE_MEMORY));
        }
        // A byte order mark can only stand at the start of the file.
        if self.number == 0 && buffer.starts_with(b"\xef\xbb\xbf") {
            buffer.drain(..3);
        }
        if buffer.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(self.number - 1))
    }

    /// The problem of a record that does not end within what may be in memory at once.
    fn too_long(&self, buffer: &[u8]) -> Problem {
        let line = buffer.iter().take_while(|&&byte| byte != b'\n').count();
        let what = if line == buffer.len() { "this line" } else { "the record that begins here" };
        let message = format!("{what} is longer than {} MiB", self.longest >> 20);
        let shown = String::from_utf8_lossy(&buffer[..line.min(SHOWN)]);
        Text::new(self.source.name(), &shown)
            .problem(Kind::TooLarge, 0, 1, message)
            .hint("no corpus has such records: the file is damaged, or of another format")
    }

    fn fill(&mut self, buffer: &mut Vec<u8>, room: u64) -> io::Result<u64> {
        // Into a buffer that grows as it goes, a file is read in ever so many small pieces.
        let stored = usize::try_from(self.source.size()).unwrap_or(usize::MAX);
        buffer.try_reserve(stored.saturating_add(1).clamp(SMALLEST, BLOCK).min(room as usize))?;
        (&mut self.stream).take(room).read_to_end(buffer).map(|read| read as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::{Corpus, Link, Span};

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
        // Numbers without a pattern: what is packed well is too small for several threads.
        let numbers = (0..400_000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let content: String = numbers.map(|number| format!("{number:x}\n")).collect();
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
    fn a_record_that_never_ends_is_refused_where_it_begins() {
        // Packed nearly as tightly as is allowed.
        let content = ["document\n".repeat(100_000), "x".repeat(4 << 20)].concat();
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, content.as_bytes()).unwrap();
        let source = Source::memory("m.gz", packed.finish().unwrap());
        let mut blocks = Blocks::open(&source, at_line_ends, None).unwrap();
        assert_eq!(blocks.longest, 256 << 20);
        blocks.longest = 1 << 20;
        let mut buffer = Vec::new();
        let problem = loop {
            match blocks.next_numbered(&mut buffer).unwrap().1 {
                Ok(_) => assert!(buffer.capacity() < 4 << 20),
                Err(problem) => break problem,
            }
        };
        assert_eq!(problem.kind, Kind::TooLarge);
        assert_eq!(problem.message, "this line is longer than 1 MiB");
        let place = problem.place.unwrap();
        assert_eq!((place.line, place.column), (100_001, 1));
        assert!(place.excerpt.starts_with("xxx"), "{}", place.excerpt);
        // It is the end: what comes after such a record was not looked at.
        buffer.clear();
        assert!(blocks.next(&mut buffer).unwrap().is_none());
    }

    #[test]
    fn nobody_waits_for_a_thread_that_panicked() {
        // In the first block, which goes straight into the corpus, and in one behind many others.
        for (threads, bad_line) in [(2, 0), (3, 0), (2, 1_500_000), (3, 1_500_000)] {
            let reading = std::panic::catch_unwind(|| {
                let source = Source::memory("m", "document\n".repeat(3_000_000));
                let options = ReadOptions { threads, ..ReadOptions::default() };
                let mut reading = Reading::new(&options);
                in_blocks(&source, at_line_ends, Repeated::Merge, &mut reading, |text, _| {
                    assert!(!(bad_line..bad_line + 100_000).contains(&text.lines_before()), "bad");
                    Ok(())
                })
            });
            assert!(reading.is_err(), "{threads} threads, line {bad_line}");
        }
    }

    #[test]
    fn a_document_that_comes_again_is_reported_as_one_thread_does() {
        /// Each line is a document that must not come again.
        fn parse_once(text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
            for line in text.as_str().lines() {
                match reading.corpus.begin_document(line) {
                    Ok(()) => _ = reading.corpus.annotate(Span::new(0, 1), Link::NIL),
                    Err(_) => {
                        reading.report(text.problem_at(Kind::DuplicateDocument, line, "again"))?;
                    }
                }
            }
            Ok(())
        }
        let mut lines: Vec<String> = (0..300_000).map(|i| format!("document {i}")).collect();
        for at in [90_000, 90_001, 200_000, 299_999] {
            lines[at] = format!("document {}", at / 3);
        }
        let content = lines.join("\n");
        let read = |threads: usize, lenient: bool| {
            let options = ReadOptions { threads, lenient, ..ReadOptions::default() };
            let mut reading = Reading::new(&options);
            let source = Source::memory("m", content.as_str());
            let outcome =
                in_blocks(&source, at_line_ends, Repeated::Refuse, &mut reading, parse_once);
            let skipped = reading.findings.skipped().iter();
            let told: Vec<String> = skipped
                .chain(outcome.err().as_ref())
                .map(|problem| format!("{problem:?}"))
                .collect();
            (told, reading.corpus.finish())
        };
        for lenient in [false, true] {
            let (expected, corpus) = read(1, lenient);
            assert_eq!(expected.len(), if lenient { 4 } else { 1 });
            for threads in [2, 3, 2, 3] {
                let (told, same) = read(threads, lenient);
                assert_eq!(told, expected, "{threads} threads");
                assert!(!lenient || same == corpus);
            }
        }
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
