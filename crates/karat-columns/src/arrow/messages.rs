//! The messages of an Arrow stream, checked before they are decoded.

use crate::damage::{damaged, truncated};
use arrow_buffer::Buffer;
use arrow_ipc::{Message, RecordBatch};
use karat_formats::{Kind, Problem, Progress, Source};
use std::io::Read;

/// What a file begins and ends with.
const MAGIC: &[u8] = b"ARROW1";
/// The beginning of a file, padded; a stream follows.
pub(crate) const FILE_HEAD: &[u8; 8] = b"ARROW1\0\0";
/// Stands before the length of a message.
const CONTINUATION: [u8; 4] = [0xff; 4];
/// A decompressed buffer may be this many times as large as it is stored.
const MAX_EXPANSION: i64 = 250;
/// Below this size no expansion is dangerous.
const HARMLESS: i64 = 64 << 20;

/// Reads a stream, or the stream within a file: a file is its magic, a stream,
/// and an index of that stream which a reader from front to back does not need.
pub(crate) struct Messages<'s> {
    source: &'s Source,
    stream: Box<dyn Read + Send + 's>,
    is_file: bool,
    /// The first bytes of the next message, where they had to be read ahead.
    ahead: Option<[u8; 8]>,
    /// How many bytes were read.
    at: u64,
}

impl<'s> Messages<'s> {
    pub(crate) fn open(
        source: &'s Source,
        progress: Option<&'s dyn Progress>,
    ) -> Result<Messages<'s>, Problem> {
        let stream = source.open(progress)?;
        let mut messages = Messages { source, stream, is_file: false, ahead: None, at: 0 };
        let mut head = messages.eight()?;
        if head.as_ref() == Some(FILE_HEAD) {
            messages.is_file = true;
            // Some writers pad the magic to a cache line rather than to eight bytes.
            head = messages.eight()?;
            while head == Some([0; 8]) {
                head = messages.eight()?;
            }
        }
        messages.ahead = head;
        Ok(messages)
    }

    /// The next message with its body; `None` at the end of the stream.
    pub(crate) fn next(&mut self) -> Result<Option<Buffer>, Problem> {
        let head = match self.ahead.take() {
            Some(head) => head,
            None => match self.eight()? {
                Some(head) => head,
                // A stream may end without a word, a file ends with its index.
                None if self.is_file => return Err(truncated(self.source)),
                None => return Ok(None),
            },
        };
        let place = self.at - head.len() as u64;
        let (marker, length) = head.split_at(4);
        let mut bytes = Vec::new();
        let length = if marker == CONTINUATION {
            u32::from_le_bytes([length[0], length[1], length[2], length[3]])
        } else {
            let message = format!("expected a message of an Arrow stream at byte {place}");
            return Err(damaged(self.source, message));
        };
        if length == 0 {
            return self.end().map(|()| None);
        }
        bytes.extend_from_slice(&head);
        self.read(&mut bytes, length.into())?;
        let message = arrow_ipc::root_as_message(&bytes[head.len()..]);
        let bad = |what: &str| damaged(self.source, format!("the message at byte {place} {what}"));
        let message = message.map_err(|_| bad("cannot be read"))?;
        let body = u64::try_from(message.bodyLength()).map_err(|_| bad("has a negative length"))?;
        let start = bytes.len();
        self.read(&mut bytes, body)?;
        self.check(&bytes[head.len()..start], &bytes[start..])?;
        Ok(Some(Buffer::from_vec(bytes)))
    }

    /// Eight bytes, or none at the end.
    fn eight(&mut self) -> Result<Option<[u8; 8]>, Problem> {
        let mut bytes = Vec::new();
        let read = (&mut self.stream).take(8).read_to_end(&mut bytes);
        self.at += read.map_err(|error| self.source.unreadable(&error))? as u64;
        match <[u8; 8]>::try_from(bytes) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(bytes) if bytes.is_empty() => Ok(None),
            Err(_) => Err(truncated(self.source)),
        }
    }

    /// Reads so many bytes; the memory grows with what is there, not with what is claimed.
    fn read(&mut self, bytes: &mut Vec<u8>, length: u64) -> Result<(), Problem> {
        let read = (&mut self.stream).take(length).read_to_end(bytes);
        let read = read.map_err(|error| self.source.unreadable(&error))? as u64;
        self.at += read;
        if read == length { Ok(()) } else { Err(truncated(self.source)) }
    }

    /// The decoder makes room for as much as a compressed buffer claims to hold.
    fn check(&self, message: &[u8], body: &[u8]) -> Result<(), Problem> {
        // It was checked before, so a message that cannot be read does not come here.
        let Ok(message) = arrow_ipc::root_as_message(message) else { return Ok(()) };
        let Some(batch) = batch(&message).filter(|batch| batch.compression().is_some()) else {
            return Ok(());
        };
        let mut all = 0_i64;
        for buffer in batch.buffers().into_iter().flatten() {
            let start = usize::try_from(buffer.offset()).unwrap_or(usize::MAX);
            let prefix = body.get(start..).and_then(|rest| rest.first_chunk());
            let claimed = prefix.map_or(0, |prefix| i64::from_le_bytes(*prefix));
            // Each buffer begins with its size after decompression, which the decoder would
            // allocate unchecked.
            if claimed > HARMLESS.max(buffer.length().saturating_mul(MAX_EXPANSION)) {
                return Err(self.bomb(&format!("a buffer claims to expand to {claimed} bytes")));
            }
            all = all.saturating_add(claimed.max(0));
        }
        // Very many buffers that are harmless each are not together.
        let stored = i64::try_from(body.len()).unwrap_or(i64::MAX);
        if all > HARMLESS.max(stored.saturating_mul(MAX_EXPANSION)) {
            return Err(
                self.bomb(&format!("the buffers of a batch claim to expand to {all} bytes"))
            );
        }
        Ok(())
    }

    fn bomb(&self, message: &str) -> Problem {
        Problem::new(Kind::Bomb, self.source.name(), message)
            .hint("if you trust this file, write it again without compression")
    }

    /// Reads what follows the stream; a file must be complete.
    fn end(&mut self) -> Result<(), Problem> {
        let mut tail = Vec::new();
        loop {
            let before = tail.len();
            let read = (&mut self.stream).take(1 << 16).read_to_end(&mut tail);
            read.map_err(|error| self.source.unreadable(&error))?;
            if tail.len() == before {
                break;
            }
            // Only the last bytes matter; the index of a file may be as large as its data.
            tail.drain(..tail.len().saturating_sub(MAGIC.len()));
        }
        if self.is_file && !tail.ends_with(MAGIC) { Err(truncated(self.source)) } else { Ok(()) }
    }
}

/// The batch of a message, be it of rows or of the entries of a dictionary.
fn batch<'m>(message: &Message<'m>) -> Option<RecordBatch<'m>> {
    let dictionary = || message.header_as_dictionary_batch()?.data();
    message.header_as_record_batch().or_else(dictionary)
}
