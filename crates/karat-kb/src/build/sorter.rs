//! Sorting more than fits into memory: sorted runs in temporary files, then merged.

use super::log::{Scratch, put_record, read_record, record, record_length};
use crate::encoding::Fields;
use crate::error::KbError;
use rayon::slice::ParallelSliceMut;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, Write};

/// Takes records in any order and gives them back in the order of their keys. Records with
/// the same key keep the order in which they came.
pub(crate) struct Sorter {
    scratch: Scratch,
    arena: Vec<u8>,
    index: Vec<Item>,
    runs: Vec<File>,
}

/// So many records are taken or given between two looks at the watch: fewer than a thread sorts in a
/// millisecond, and so many that a look costs nothing.
const RECORDS: usize = 4096;

/// The first bytes of a key, which decide most comparisons, and where the record is.
#[derive(Clone, Copy)]
pub(crate) struct Item {
    prefix: u64,
    at: usize,
}

impl Sorter {
    pub(crate) fn new(scratch: Scratch) -> Sorter {
        Sorter { scratch, arena: Vec::new(), index: Vec::new(), runs: Vec::new() }
    }

    pub(crate) fn push(&mut self, key: &[u8], value: &[u8]) -> Result<(), KbError> {
        if self.index.len().is_multiple_of(RECORDS) {
            self.scratch.check()?;
        }
        let taken = self.arena.len() + self.index.len() * size_of::<Item>();
        let more = record_length(key, value) + size_of::<Item>();
        let full = taken + more > self.scratch.memory && !self.index.is_empty();
        // In memory (without a folder) the limit does not hold: there is nowhere to spill to.
        if full && self.scratch.folder.is_some() {
            self.spill()?;
        }
        self.index.push(Item { prefix: prefix(key), at: self.arena.len() });
        put_record(&mut self.arena, key, value);
        Ok(())
    }

    /// All records, sorted.
    pub(crate) fn sorted(mut self) -> Result<Sorted, KbError> {
        if self.runs.is_empty() {
            self.sort()?;
            let (arena, index, scratch) = (self.arena, self.index, self.scratch);
            return Ok(Sorted::Memory { arena, index, next: 0, scratch });
        }
        self.spill()?;
        // The buffers of all runs together take no more than one run did.
        let buffer = (self.scratch.memory / self.runs.len()).clamp(16 << 10, 1 << 20);
        let mut heads = BinaryHeap::with_capacity(self.runs.len());
        for (run, file) in self.runs.into_iter().enumerate() {
            let reader = BufReader::with_capacity(buffer, file);
            let mut head = Head { key: Vec::new(), value: Vec::new(), run, reader };
            if head.advance().map_err(|error| self.scratch.fail(&error))? {
                heads.push(head);
            }
        }
        Ok(Sorted::Runs { heads, given: 0, scratch: self.scratch })
    }

    /// Sorts what is in memory, which is all that is done without a look at the watch.
    fn sort(&mut self) -> Result<(), KbError> {
        self.scratch.check()?;
        let key_at = |item: &Item| {
            let mut fields = Fields::new(&self.arena[item.at..]);
            record(&mut fields).map_or(&[][..], |(key, _)| key)
        };
        // The place in the arena as the last key makes an unstable sort stable.
        self.index.par_sort_unstable_by(|a, b| {
            let by_key = || key_at(a).cmp(key_at(b));
            a.prefix.cmp(&b.prefix).then_with(by_key).then(a.at.cmp(&b.at))
        });
        self.scratch.check()
    }

    fn spill(&mut self) -> Result<(), KbError> {
        self.sort()?;
        let Some(file) = self.scratch.file()? else { return Ok(()) };
        let run = self.write_run(file).map_err(|error| self.scratch.fail(&error))?;
        self.runs.push(run);
        self.arena.clear();
        self.index.clear();
        Ok(())
    }

    fn write_run(&self, file: File) -> io::Result<File> {
        let mut out = BufWriter::with_capacity(1 << 20, file);
        for item in &self.index {
            let mut fields = Fields::new(&self.arena[item.at..]);
            let before = fields.rest().len();
            if record(&mut fields).is_some() {
                let length = before - fields.rest().len();
                out.write_all(&self.arena[item.at..item.at + length])?;
            }
        }
        let mut file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(file)
    }
}

fn prefix(key: &[u8]) -> u64 {
    let mut first = [0; 8];
    let length = key.len().min(8);
    first[..length].copy_from_slice(&key[..length]);
    u64::from_be_bytes(first)
}

/// Sorted records, one at a time.
pub(crate) enum Sorted {
    Memory { arena: Vec<u8>, index: Vec<Item>, next: usize, scratch: Scratch },
    Runs { heads: BinaryHeap<Head>, given: usize, scratch: Scratch },
}

impl Sorted {
    /// The next record.
    #[allow(clippy::type_complexity)]
    pub(crate) fn next(&mut self) -> Result<Option<(&[u8], &[u8])>, KbError> {
        match self {
            Sorted::Memory { arena, index, next, scratch } => {
                if next.is_multiple_of(RECORDS) {
                    scratch.check()?;
                }
                let Some(item) = index.get(*next) else { return Ok(None) };
                *next += 1;
                Ok(record(&mut Fields::new(&arena[item.at..])))
            }
            Sorted::Runs { heads, given, scratch } => {
                if given.is_multiple_of(RECORDS) {
                    scratch.check()?;
                }
                if *given > 0
                    && let Some(mut head) = heads.peek_mut()
                {
                    let more = head.advance().map_err(|error| scratch.fail(&error))?;
                    if !more {
                        PeekMut::pop(head);
                    }
                }
                *given += 1;
                Ok(heads.peek().map(|head| (&head.key[..], &head.value[..])))
            }
        }
    }
}

/// The first record of a run that was not given yet.
pub(crate) struct Head {
    key: Vec<u8>,
    value: Vec<u8>,
    run: usize,
    reader: BufReader<File>,
}

impl Head {
    fn advance(&mut self) -> io::Result<bool> {
        read_record(&mut self.reader, &mut self.key, &mut self.value)
    }
}

/// The heap gives its greatest, so the smallest key is the greatest head.
impl Ord for Head {
    fn cmp(&self, other: &Head) -> Ordering {
        // Of equal keys the earlier run first: it holds the earlier records.
        other.key.cmp(&self.key).then(other.run.cmp(&self.run))
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Head) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Head) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Head {}

/// Sorted records, all with the same key at a time.
pub(crate) struct Groups {
    sorted: Sorted,
    key: Vec<u8>,
    values: Vec<u8>,
    ends: Vec<usize>,
    /// The record that ended the last group.
    next: Option<(Vec<u8>, Vec<u8>)>,
}

impl Groups {
    pub(crate) fn new(sorter: Sorter) -> Result<Groups, KbError> {
        let mut sorted = sorter.sorted()?;
        let next = sorted.next()?.map(|(key, value)| (key.to_vec(), value.to_vec()));
        Ok(Groups { sorted, key: Vec::new(), values: Vec::new(), ends: Vec::new(), next })
    }

    /// The next key and all values of it.
    #[allow(clippy::type_complexity)]
    pub(crate) fn next(&mut self) -> Result<Option<(&[u8], Vec<&[u8]>)>, KbError> {
        let Some((key, value)) = &mut self.next else { return Ok(None) };
        std::mem::swap(&mut self.key, key);
        self.values.clear();
        self.ends.clear();
        self.values.extend_from_slice(value);
        self.ends.push(self.values.len());
        loop {
            match self.sorted.next()? {
                None => {
                    self.next = None;
                    break;
                }
                Some((key, value)) if key == self.key => {
                    self.values.extend_from_slice(value);
                    self.ends.push(self.values.len());
                }
                Some((key, value)) => {
                    if let Some((next_key, next_value)) = &mut self.next {
                        next_key.clear();
                        next_key.extend_from_slice(key);
                        next_value.clear();
                        next_value.extend_from_slice(value);
                    }
                    break;
                }
            }
        }
        let starts = std::iter::once(&0).chain(&self.ends);
        let values = starts.zip(&self.ends).map(|(&start, &end)| &self.values[start..end]);
        Ok(Some((&self.key, values.collect())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::{Cancel, Watch};
    use std::sync::Arc;

    /// A sorter that can be stopped: in memory, or with files of a few kilobytes.
    fn sorter(folder: Option<&std::path::Path>) -> (Sorter, Cancel) {
        let cancel = Cancel::default();
        let scratch = Scratch {
            folder: folder.map(|folder| Arc::new(folder.to_owned())),
            memory: 1 << 16,
            watch: Watch::new(None, cancel.clone()),
        };
        (Sorter::new(scratch), cancel)
    }

    fn fill(sorter: &mut Sorter, count: u64) -> Result<(), KbError> {
        (0..count).try_for_each(|at| sorter.push(&(at ^ 0x5555).to_be_bytes(), &[]))
    }

    #[test]
    fn sorting_stops_within_a_few_records() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        for folder in [None, Some(folder.path())] {
            let (mut taking, cancel) = sorter(folder);
            assert!(fill(&mut taking, 10_000).is_ok());
            cancel.cancel();
            assert!(matches!(fill(&mut taking, RECORDS as u64 + 1), Err(KbError::Cancelled)));
            assert!(matches!(taking.sorted(), Err(KbError::Cancelled)));

            let (mut giving, cancel) = sorter(folder);
            assert!(fill(&mut giving, 3 * RECORDS as u64).is_ok());
            let Ok(mut sorted) = giving.sorted() else { panic!("nobody cancelled yet") };
            assert!(matches!(sorted.next(), Ok(Some(_))));
            cancel.cancel();
            let mut given = 0;
            let outcome = loop {
                match sorted.next() {
                    Ok(Some(_)) => given += 1,
                    outcome => break outcome.map(drop),
                }
            };
            assert!(matches!(outcome, Err(KbError::Cancelled)));
            assert!(given < RECORDS, "{given}");
        }
        Ok(())
    }
}
