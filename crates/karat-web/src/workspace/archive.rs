//! Zip archives: several files as one, in and out.
//!
//! An upload of several files is kept as one zip, and a zip that somebody sends is opened. Reading goes by the directory at
//! the end and never writes to a disk: names of entries are labels and no paths. What a hostile archive could do
//! is bounded: the number of entries, the bytes they unpack to, and how much larger they are than what was
//! sent. An archive inside an archive is refused.

use flate2::read::DeflateDecoder;
use karat::formats::UnpackBudget;
use std::io::Read;

/// The most files that an archive may have.
pub(crate) const MOST_ENTRIES: usize = 10_000;

/// A file: its name, which is only a label, and its bytes.
pub(crate) type NamedFile = (String, Vec<u8>);

/// Why an archive is refused.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum ArchiveError {
    #[error("the zip archive is damaged: {0}")]
    Damaged(&'static str),
    #[error("the zip archive has more than {MOST_ENTRIES} files")]
    TooMany,
    #[error("`{0}` unpacks to more than is allowed: 1 GiB in all, and 200 times what was sent")]
    TooLarge(String),
    #[error("`{0}` is encrypted, or packed in a way that is not read here; use plain zip")]
    Unreadable(String),
    #[error("`{0}` is an archive inside an archive; send what is in it")]
    Nested(String),
}

/// Whether bytes are a zip archive.
pub(crate) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// The files of an archive, without folders. What they unpack to is taken from the budget of what was sent.
pub(crate) fn unzip(bytes: &[u8], budget: &UnpackBudget) -> Result<Vec<NamedFile>, ArchiveError> {
    let mut files = Vec::new();
    for entry in directory(bytes)? {
        if entry.name.ends_with('/') {
            continue;
        }
        let content = entry.content(bytes, budget.left())?;
        if is_archive(&content) {
            return Err(ArchiveError::Nested(entry.name));
        }
        budget.take(content.len() as u64);
        files.push((entry.name, content));
    }
    Ok(files)
}

/// Zip, tar, 7-Zip and rar by how they begin.
fn is_archive(bytes: &[u8]) -> bool {
    let is_tar = bytes.get(257..262).is_some_and(|magic| magic == b"ustar");
    is_zip(bytes)
        || is_tar
        || bytes.starts_with(b"7z\xbc\xaf\x27\x1c")
        || bytes.starts_with(b"Rar!\x1a\x07")
}

/// An entry of the directory.
struct Entry {
    name: String,
    flags: u16,
    method: u16,
    packed: u64,
    /// Where its own head begins.
    at: usize,
}

fn directory(bytes: &[u8]) -> Result<Vec<Entry>, ArchiveError> {
    const END: &[u8] = b"PK\x05\x06";
    // A comment of up to 64 KiB may follow the end.
    let from = bytes.len().saturating_sub(22 + 65_535);
    let end = bytes[from..].windows(4).rposition(|window| window == END);
    let end = from + end.ok_or(ArchiveError::Damaged("it has no directory"))?;
    let count = usize::from(u16_at(bytes, end + 10)?);
    if count > MOST_ENTRIES {
        return Err(ArchiveError::TooMany);
    }
    let mut at = u32_at(bytes, end + 16)? as usize;
    let mut entries = Vec::new();
    for _ in 0..count {
        if bytes.get(at..at + 4) != Some(b"PK\x01\x02") {
            return Err(ArchiveError::Damaged(
                "an entry of its directory is not where it should be",
            ));
        }
        let (name, extra, comment) =
            (u16_at(bytes, at + 28)?, u16_at(bytes, at + 30)?, u16_at(bytes, at + 32)?);
        let name_at = at + 46;
        let name_bytes = bytes.get(name_at..name_at + usize::from(name));
        let name_bytes = name_bytes.ok_or(ArchiveError::Damaged("it ends in its directory"))?;
        entries.push(Entry {
            name: String::from_utf8_lossy(name_bytes).into_owned(),
            flags: u16_at(bytes, at + 8)?,
            method: u16_at(bytes, at + 10)?,
            packed: u64::from(u32_at(bytes, at + 20)?),
            at: u32_at(bytes, at + 42)? as usize,
        });
        at = name_at + usize::from(name) + usize::from(extra) + usize::from(comment);
    }
    Ok(entries)
}

impl Entry {
    /// What it holds, if that is no more than `most` bytes.
    fn content(&self, bytes: &[u8], most: u64) -> Result<Vec<u8>, ArchiveError> {
        if self.flags & 1 != 0 || !matches!(self.method, 0 | 8) {
            return Err(ArchiveError::Unreadable(self.name.clone()));
        }
        let skip =
            usize::from(u16_at(bytes, self.at + 26)?) + usize::from(u16_at(bytes, self.at + 28)?);
        let start = self.at + 30 + skip;
        let packed = usize::try_from(self.packed).unwrap_or(usize::MAX);
        let end = start.checked_add(packed);
        let packed = end.and_then(|end| bytes.get(start..end));
        let packed = packed.ok_or(ArchiveError::Damaged("a file in it is cut off"))?;
        let mut content = Vec::new();
        // One byte more than allowed tells that there is more.
        let read = match self.method {
            0 => packed.take(most + 1).read_to_end(&mut content),
            _ => DeflateDecoder::new(packed).take(most + 1).read_to_end(&mut content),
        };
        read.map_err(|_| ArchiveError::Damaged("a file in it cannot be unpacked"))?;
        match content.len() as u64 > most {
            true => Err(ArchiveError::TooLarge(self.name.clone())),
            false => Ok(content),
        }
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Result<u16, ArchiveError> {
    let found = bytes.get(at..at.saturating_add(2)).and_then(|two| two.try_into().ok());
    found.map(u16::from_le_bytes).ok_or(ArchiveError::Damaged("it is cut off"))
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32, ArchiveError> {
    let found = bytes.get(at..at.saturating_add(4)).and_then(|four| four.try_into().ok());
    found.map(u32::from_le_bytes).ok_or(ArchiveError::Damaged("it is cut off"))
}

/// Writes files one after another into an archive, unpacked: what is sent is mostly compressed already or is so by the
/// store.
#[derive(Debug, Default)]
pub(crate) struct ZipWriter {
    directory: Vec<u8>,
    count: u16,
    written: u32,
}

impl ZipWriter {
    /// The head of a file of this length and checksum, which its bytes follow.
    pub(crate) fn head(&mut self, name: &str, length: u32, crc: u32) -> Vec<u8> {
        // Version 2.0, UTF-8 names, stored, the first day that zip knows.
        let mut fields = Vec::new();
        for value in [20u16, 0x0800, 0, 0, 0x0021] {
            fields.extend(value.to_le_bytes());
        }
        for value in [crc, length, length] {
            fields.extend(value.to_le_bytes());
        }
        let name: &[u8] = &name.as_bytes()[..name.len().min(usize::from(u16::MAX))];
        fields.extend((name.len() as u16).to_le_bytes());
        fields.extend(0u16.to_le_bytes());
        let mut head = b"PK\x03\x04".to_vec();
        head.extend(&fields);
        head.extend(name);
        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(20u16.to_le_bytes());
        self.directory.extend(&fields);
        // No comment, first disk, no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend(self.written.to_le_bytes());
        self.directory.extend(name);
        self.count += 1;
        self.written += head.len() as u32 + length;
        head
    }

    /// What stands at the end of the archive.
    pub(crate) fn end(self) -> Vec<u8> {
        let mut end = self.directory;
        let length = end.len() as u32;
        end.extend(b"PK\x05\x06\0\0\0\0");
        end.extend(self.count.to_le_bytes());
        end.extend(self.count.to_le_bytes());
        end.extend(length.to_le_bytes());
        end.extend(self.written.to_le_bytes());
        end.extend([0; 2]);
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Crc;
    use std::io::Write;

    fn unzip(bytes: &[u8]) -> Result<Vec<NamedFile>, ArchiveError> {
        super::unzip(bytes, &UnpackBudget::of(bytes.len() as u64))
    }

    fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
        let (mut writer, mut bytes) = (ZipWriter::default(), Vec::new());
        for (name, content) in files {
            let mut crc = Crc::new();
            crc.update(content);
            bytes.extend(writer.head(name, content.len() as u32, crc.sum()));
            bytes.extend(*content);
        }
        bytes.extend(writer.end());
        bytes
    }

    /// An archive with one deflated file, as other programs write it.
    fn deflated(name: &str, content: &[u8]) -> Vec<u8> {
        let mut encoder =
            flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        let packed = encoder.write_all(content).and_then(|()| encoder.finish()).unwrap_or_default();
        let mut bytes = zip(&[(name, &packed)]);
        let (local, directory) =
            (8, bytes.windows(4).position(|at| at == b"PK\x01\x02").unwrap_or(0));
        for at in [local, directory + 10] {
            bytes[at..at + 2].copy_from_slice(&8u16.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn what_is_zipped_comes_out_again() {
        let files: [(&str, &[u8]); 3] = [("a.txt", b"Berlin"), ("b/ä.ann", b""), ("c", b"x\ny")];
        let bytes = zip(&files);
        assert!(is_zip(&bytes));
        let found = unzip(&bytes);
        let found = found.as_ref().map(|all| {
            all.iter()
                .map(|(name, content)| (name.as_str(), content.as_slice()))
                .collect::<Vec<_>>()
        });
        assert_eq!(found, Ok(files.to_vec()));
        let text = b"many words, many words, many words".repeat(50);
        assert_eq!(unzip(&deflated("t", &text)), Ok(vec![("t".to_owned(), text)]));
    }

    #[test]
    fn hostile_archives_are_refused() {
        let bomb = deflated("bomb", &vec![0; 12 << 20]);
        assert!(bomb.len() < 100_000);
        assert_eq!(unzip(&bomb), Err(ArchiveError::TooLarge("bomb".to_owned())));
        let nested = zip(&[("inner.zip", &zip(&[("a", b"b")]))]);
        assert_eq!(unzip(&nested), Err(ArchiveError::Nested("inner.zip".to_owned())));
        let good = zip(&[("a", b"b")]);
        // The last two bytes are the length of a comment that is not read.
        for cut in 0..good.len() - 2 {
            // Whatever is cut off, there is an error and no panic.
            assert!(unzip(&good[..cut]).is_err(), "{cut}");
        }
        for at in 0..good.len() {
            let mut damaged = good.clone();
            damaged[at] ^= 0xff;
            let _ = unzip(&damaged);
        }
        let many: Vec<(String, Vec<u8>)> = (0..3).map(|n| (format!("{n}"), Vec::new())).collect();
        let many: Vec<(&str, &[u8])> =
            many.iter().map(|(name, content)| (name.as_str(), content.as_slice())).collect();
        let mut claims = zip(&many);
        let end = claims.len() - 22;
        claims[end + 10..end + 12].copy_from_slice(&10_001u16.to_le_bytes());
        assert_eq!(unzip(&claims), Err(ArchiveError::TooMany));
    }
}
