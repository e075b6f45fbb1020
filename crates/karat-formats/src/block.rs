//! Reading a file in blocks, several at a time.
//!
//! A block is a stretch of the file that ends where a record ends. Each is parsed
//! into a corpus of its own; the parts are put together in the order of the file,
//! so the result never depends on the number of threads.

use crate::problem::{Findings, Kind, Problem};
use crate::reading::{ReadOptions, Reading};
use crate::source::{Source, Text};
use karat_model::{Corpus, CorpusBuilder, Repeated};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};

/// Finds where the last complete record of a buffer ends; `None` if there is none.
pub type Cut = fn(&[u8]) -> Option<usize>;

/// Records end at line ends.
pub fn at_line_ends(bytes: &[u8]) -> Option<usize> {
    memchr::memrchr(b'\n', bytes).map(|newline| newline + 1)
}

/// Large enough that putting parts together costs little, small enough that a
/// part per thread costs little memory.
const BLOCK: usize = 2 << 20;

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
        lines += line_count(&buffer);
    }
    Ok(())
}

fn several_at_once(
    source: &Source,
    cut: Cut,
    repeated: Repeated,
    reading: &mut Reading<'_>,
    parse: impl Fn(&Text<'_>, &mut Reading<'_>) -> Result<(), Problem> + Sync,
    threads: usize,
) -> Result<(), Problem> {
    let options = reading.options;
    let queue = Queue::new(Blocks::new(source, cut, options)?, threads);
    let (send, receive) = mpsc::channel::<(usize, Result<Part, Problem>)>();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (send, queue, parse) = (send.clone(), &queue, &parse);
            scope.spawn(move || {
                // Also when this thread panics: nobody may wait for its block then.
                let _stop = StopOnPanic(queue);
                let mut buffer = Vec::new();
                while let Some(next) = queue.next(&mut buffer) {
                    let (number, part) = match next {
                        Ok((number, lines)) => {
                            let corpus = CorpusBuilder::reusing(queue.spare());
                            (number, Ok(parse_part(source, &buffer, lines, corpus, options, parse)))
                        }
                        Err(problem) => (usize::MAX, Err(problem)),
                    };
                    if send.send((number, part)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let result = put_together(source, receive, repeated, reading, &queue);
        queue.stop();
        result
    })
}

/// Hands blocks out to threads, but none far ahead of the part that is absorbed
/// next: parts that wait for a slow one would fill the memory.
struct Queue<'s> {
    state: Mutex<QueueState<'s>>,
    moved_on: Condvar,
    /// How many blocks may be under way.
    ahead: usize,
}

struct QueueState<'s> {
    blocks: Blocks<'s>,
    absorbed: usize,
    /// Parts that were absorbed, whose memory is used again.
    spare: Vec<Corpus>,
    stopped: bool,
}

impl<'s> Queue<'s> {
    fn new(blocks: Blocks<'s>, threads: usize) -> Queue<'s> {
        let spare = Vec::new();
        let state = Mutex::new(QueueState { blocks, absorbed: 0, spare, stopped: false });
        // While a part is absorbed its thread may wait: the work of as many
        // threads as were asked for is being done.
        Queue { state, moved_on: Condvar::new(), ahead: threads }
    }

    /// The next block: its number and how many lines stand before it; `None`
    /// when there is nothing more to do.
    fn next(&self, buffer: &mut Vec<u8>) -> Option<Result<(usize, u64), Problem>> {
        let far_ahead = |state: &mut QueueState<'_>| {
            !state.stopped && state.blocks.number >= state.absorbed + self.ahead
        };
        let mut state = self.moved_on.wait_while(self.lock(), far_ahead).ok()?;
        if state.stopped {
            return None;
        }
        let lines = state.blocks.lines;
        let next = state.blocks.next(buffer).transpose()?;
        state.blocks.lines += line_count(buffer);
        Some(next.map(|number| (number, lines)))
    }

    /// The memory of a part that was absorbed, if there is one.
    fn spare(&self) -> Corpus {
        self.lock().spare.pop().unwrap_or_default()
    }

    fn absorbed(&self, part: Corpus) {
        let mut state = self.lock();
        state.absorbed += 1;
        state.spare.push(part);
        drop(state);
        self.moved_on.notify_all();
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.moved_on.notify_all();
    }

    /// A thread that panicked with the lock left nothing half done that matters:
    /// the panic itself ends the reading.
    fn lock(&self) -> MutexGuard<'_, QueueState<'s>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct StopOnPanic<'q, 's>(&'q Queue<'s>);

impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// What one block gave.
struct Part {
    corpus: Corpus,
    findings: Findings,
    outcome: Result<(), Problem>,
    lines_before: u64,
}

fn parse_part(
    source: &Source,
    buffer: &[u8],
    lines_before: u64,
    corpus: CorpusBuilder,
    options: &ReadOptions,
    parse: impl Fn(&Text<'_>, &mut Reading<'_>) -> Result<(), Problem>,
) -> Part {
    let mut part = Reading { corpus, options, findings: Findings::default() };
    let text = block_text(source, buffer, lines_before);
    let outcome = text.and_then(|text| parse(&text, &mut part));
    Part { corpus: part.corpus.finish(), findings: part.findings, outcome, lines_before }
}

/// Absorbs the parts in the order of the file, whatever order they arrive in.
fn put_together(
    source: &Source,
    receive: mpsc::Receiver<(usize, Result<Part, Problem>)>,
    repeated: Repeated,
    reading: &mut Reading<'_>,
    queue: &Queue<'_>,
) -> Result<(), Problem> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (number, part) in receive {
        waiting.insert(number, part);
        while let Some(part) = waiting.remove(&next) {
            let mut part = part?;
            reading.findings.merge(part.findings, part.lines_before);
            part.outcome.map_err(|problem| problem.below(part.lines_before))?;
            absorb(source, reading, &mut part.corpus, repeated)?;
            next += 1;
            queue.absorbed(part.corpus);
        }
    }
    // An unreadable file ends the blocks early; it is the only part left over.
    waiting.into_values().next().map_or(Ok(()), |part| part.map(|_| ()))
}

/// Adds a part to the corpus and reports the documents that occur again.
pub(crate) fn absorb(
    source: &Source,
    reading: &mut Reading<'_>,
    part: &mut Corpus,
    repeated: Repeated,
) -> Result<(), Problem> {
    for duplicate in reading.corpus.absorb_from(part, repeated) {
        reading.report(duplicate_document(source.name(), &duplicate.name))?;
    }
    Ok(())
}

/// The problem of a document that occurs twice.
pub(crate) fn duplicate_document(source_name: &str, name: &str) -> Problem {
    let message = format!("document `{name}` occurs twice");
    Problem::new(Kind::DuplicateDocument, source_name, message).hint(UNIQUE_DOCUMENTS)
}

/// What to do about a document that occurs twice.
pub(crate) const UNIQUE_DOCUMENTS: &str = "document ids must be unique in one input; \
    give files of different benchmarks apart, or --lenient to keep the first";

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
