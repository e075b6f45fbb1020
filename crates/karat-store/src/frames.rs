//! Files that are compressed as a whole and read in parts.

use crate::{Result, StoreError};
use std::io::Read as _;

/// A frame is closed at the first end of a part after so many bytes. Small frames are read fast,
/// large ones compress well; 64 KiB is opened in a tenth of a millisecond.
const FRAME: usize = 64 << 10;
const LEVEL: i32 = 3;

/// Writes a file whose parts can be read alone.
///
/// Parts (documents, the cases of a document) are put one after another into zstd frames, and a
/// frame only ends where a part ends. So the file as a whole is a plain `.zst` of all parts, and
/// one part is read by opening one frame.
///
/// ```
/// use karat_store::FrameWriter;
/// let mut writer = FrameWriter::default();
/// writer.push(b"{\"id\":\"a\"}\n")?;
/// writer.push(b"{\"id\":\"b\"}\n")?;
/// let file = writer.finish()?;
/// assert_eq!(zstd::decode_all(&*file.bytes).unwrap(), b"{\"id\":\"a\"}\n{\"id\":\"b\"}\n");
/// # Ok::<(), karat_store::StoreError>(())
/// ```
#[derive(Debug, Default)]
pub struct FrameWriter {
    open: Vec<u8>,
    /// Parts of the open frame, and where it begins among all.
    waiting: usize,
    file: FramedFile,
}

/// A file in frames, and where its parts are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FramedFile {
    /// A plain `.zst`.
    pub bytes: Vec<u8>,
    /// The places of the parts, in the order they were written.
    pub parts: Vec<PartPlace>,
}

/// Where a part of a file is: a frame of the file, and a range of the open frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartPlace {
    /// Where the frame begins in the file.
    pub frame: i64,
    /// The length of the frame in the file.
    pub frame_length: i64,
    /// Where the part begins in the open frame.
    pub skip: i64,
    /// The length of the part.
    pub length: i64,
}

impl FrameWriter {
    /// Adds a part.
    pub fn push(&mut self, part: &[u8]) -> Result<()> {
        let skip = self.open.len() as i64;
        let place = PartPlace { frame: 0, frame_length: 0, skip, length: part.len() as i64 };
        self.file.parts.push(place);
        self.waiting += 1;
        self.open.extend_from_slice(part);
        if self.open.len() >= FRAME { self.close() } else { Ok(()) }
    }

    /// The whole file.
    pub fn finish(mut self) -> Result<FramedFile> {
        if self.waiting > 0 {
            self.close()?;
        }
        Ok(self.file)
    }

    fn close(&mut self) -> Result<()> {
        let frame = zstd::bulk::compress(&self.open, LEVEL).map_err(StoreError::Frame)?;
        let first = self.file.parts.len() - self.waiting;
        for place in &mut self.file.parts[first..] {
            place.frame = self.file.bytes.len() as i64;
            place.frame_length = frame.len() as i64;
        }
        self.file.bytes.extend_from_slice(&frame);
        self.open.clear();
        self.waiting = 0;
        Ok(())
    }
}

impl PartPlace {
    /// Takes the part out of its frame.
    pub(crate) fn open(self, frame: &[u8]) -> Result<Vec<u8>> {
        let end = u64::try_from(self.skip + self.length).unwrap_or(0);
        let mut bytes = Vec::new();
        let frame = zstd::Decoder::new(frame).map_err(StoreError::Frame)?;
        frame.take(end).read_to_end(&mut bytes).map_err(StoreError::Frame)?;
        if bytes.len() as u64 != end {
            return Err(StoreError::Malformed("a frame is shorter than its parts"));
        }
        Ok(bytes.split_off(usize::try_from(self.skip).unwrap_or(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_read_from_one_frame_and_all_of_them_as_a_plain_file() {
        let parts: Vec<Vec<u8>> =
            (0..200usize).map(|n| vec![b'a' + (n % 26) as u8; n * 37 % 9000]).collect();
        let mut writer = FrameWriter::default();
        for part in &parts {
            writer.push(part).unwrap();
        }
        let file = writer.finish().unwrap();
        assert_eq!(zstd::decode_all(&*file.bytes).unwrap(), parts.concat());
        let frames: std::collections::BTreeSet<_> = file.parts.iter().map(|p| p.frame).collect();
        assert!(frames.len() > 5 && frames.len() < parts.len(), "{}", frames.len());
        for (place, part) in file.parts.iter().zip(&parts) {
            let end = (place.frame + place.frame_length) as usize;
            assert_eq!(place.open(&file.bytes[place.frame as usize..end]).unwrap(), *part);
        }
    }

    #[test]
    fn a_damaged_frame_is_an_error() {
        let mut writer = FrameWriter::default();
        writer.push(b"text").unwrap();
        let file = writer.finish().unwrap();
        assert!(file.parts[0].open(&file.bytes[..file.bytes.len() - 2]).is_err());
        assert!(PartPlace { length: 5, ..file.parts[0] }.open(&file.bytes).is_err());
    }

    #[test]
    fn no_parts_are_no_bytes() {
        assert_eq!(FrameWriter::default().finish().unwrap(), FramedFile::default());
    }
}
