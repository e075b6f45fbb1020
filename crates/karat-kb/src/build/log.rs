//! Records in the order in which they were said, in memory or in a temporary file.

use crate::encoding::{Fields, number_length, put_number};
use crate::error::KbError;
use karat_model::Watch;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where temporary files go, and how much memory one step may take.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    /// `None` keeps everything in memory.
    pub(crate) folder: Option<Arc<PathBuf>>,
    pub(crate) memory: usize,
    /// Stops the work.
    pub(crate) watch: Watch,
}

impl Scratch {
    /// A file without a name, which vanishes with the process.
    pub(super) fn file(&self) -> Result<Option<File>, KbError> {
        let Some(folder) = &self.folder else { return Ok(None) };
        match tempfile::tempfile_in(&**folder) {
            Ok(file) => Ok(Some(file)),
            Err(error) => Err(KbError::unwritable(folder, &error)),
        }
    }

    /// Stops here if the work was cancelled.
    pub(crate) fn check(&self) -> Result<(), KbError> {
        if self.watch.is_cancelled() { Err(KbError::Cancelled) } else { Ok(()) }
    }

    pub(super) fn fail(&self, error: &io::Error) -> KbError {
        let folder = self.folder.as_ref().map_or(Path::new("memory"), |folder| folder.as_path());
        KbError::unwritable(folder, error)
    }
}

/// Appends records; reads them again from the start.
pub(crate) struct Log {
    scratch: Scratch,
    records: Vec<u8>,
    file: Option<BufWriter<File>>,
}

/// What is kept in memory before it goes to a file.
const BUFFER: usize = 1 << 20;

impl Log {
    pub(crate) fn new(scratch: Scratch) -> Log {
        Log { scratch, records: Vec::new(), file: None }
    }

    pub(crate) fn push(&mut self, key: &[u8], value: &[u8]) -> Result<(), KbError> {
        put_record(&mut self.records, key, value);
        if self.records.len() >= BUFFER {
            self.spill()?;
        }
        Ok(())
    }

    /// Hands every record to `take`.
    pub(crate) fn replay(
        mut self,
        mut take: impl FnMut(&[u8], &[u8]) -> Result<(), KbError>,
    ) -> Result<(), KbError> {
        if self.file.is_some() {
            self.spill()?;
        }
        let Some(file) = self.file.take() else {
            let mut fields = Fields::new(&self.records);
            while let Some((key, value)) = record(&mut fields) {
                take(key, value)?;
            }
            return Ok(());
        };
        let fail = |error: &io::Error| self.scratch.fail(error);
        let mut file = file.into_inner().map_err(|error| fail(error.error()))?;
        file.rewind().map_err(|error| fail(&error))?;
        let mut reader = BufReader::with_capacity(BUFFER, file);
        let (mut key, mut value) = (Vec::new(), Vec::new());
        while read_record(&mut reader, &mut key, &mut value).map_err(|error| fail(&error))? {
            take(&key, &value)?;
        }
        Ok(())
    }

    fn spill(&mut self) -> Result<(), KbError> {
        if self.file.is_none() {
            self.file = self.scratch.file()?.map(|file| BufWriter::with_capacity(64 << 10, file));
        }
        if let Some(file) = &mut self.file {
            file.write_all(&self.records).map_err(|error| self.scratch.fail(&error))?;
            self.records.clear();
        }
        Ok(())
    }
}

pub(super) fn put_record(out: &mut Vec<u8>, key: &[u8], value: &[u8]) {
    put_number(out, key.len() as u64);
    put_number(out, value.len() as u64);
    out.extend_from_slice(key);
    out.extend_from_slice(value);
}

/// How many bytes [`put_record`] takes.
pub(super) fn record_length(key: &[u8], value: &[u8]) -> usize {
    let (key, value) = (key.len(), value.len());
    number_length(key as u64) + number_length(value as u64) + key + value
}

/// The next record of bytes that [`put_record`] wrote.
pub(super) fn record<'a>(fields: &mut Fields<'a>) -> Option<(&'a [u8], &'a [u8])> {
    let key = usize::try_from(fields.number()?).ok()?;
    let value = usize::try_from(fields.number()?).ok()?;
    let (record, rest) = fields.rest().split_at_checked(key.checked_add(value)?)?;
    *fields = Fields::new(rest);
    record.split_at_checked(key)
}

/// Reads the next record of a file that [`put_record`] wrote; false at its end.
pub(super) fn read_record(
    reader: &mut impl Read,
    key: &mut Vec<u8>,
    value: &mut Vec<u8>,
) -> io::Result<bool> {
    let Some(key_length) = read_number(reader)? else { return Ok(false) };
    let value_length = read_number(reader)?.ok_or(io::ErrorKind::UnexpectedEof)?;
    key.resize(key_length, 0);
    reader.read_exact(key)?;
    value.resize(value_length, 0);
    reader.read_exact(value)?;
    Ok(true)
}

fn read_number(reader: &mut impl Read) -> io::Result<Option<usize>> {
    let mut number = 0usize;
    let mut byte = [0];
    // At most ten bytes: a damaged temporary file must not make the loop run on.
    for shift in (0..usize::BITS).step_by(7) {
        if reader.read(&mut byte)? == 0 {
            return if shift == 0 { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        }
        number |= usize::from(byte[0] & 0x7f) << shift;
        if byte[0] < 0x80 {
            break;
        }
    }
    Ok(Some(number))
}
