//! Writing a knowledge base, from its first byte to its last.

use super::blocks::{BLOCK, Image};
use super::header::{Extent, Header, LENGTH, Table};
use super::storage::Bytes;
use super::table::{PLACE, hash, home, slot};
use crate::build::{Scratch, Sorter};
use crate::encoding::put_number;
use crate::error::KbError;
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Takes tables whose records come in the order of their keys.
pub(crate) struct ImageWriter {
    target: Target,
    header: Header,
    position: u64,
    block: crc32fast::Hasher,
    in_block: u64,
    checksums: Vec<u8>,
    scratch: Scratch,
}

enum Target {
    Memory(Vec<u8>),
    File { file: BufWriter<File>, temporary: PathBuf, path: PathBuf },
}

impl ImageWriter {
    /// Writes to memory.
    pub(crate) fn memory() -> Result<ImageWriter, KbError> {
        ImageWriter::new(Target::Memory(Vec::new()), Scratch::default())
    }

    /// Writes to a file, which appears under its name only when it is complete.
    pub(crate) fn file(path: &Path, scratch: Scratch) -> Result<ImageWriter, KbError> {
        let fail = |error: &std::io::Error| KbError::unwritable(path, error);
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let Some(name) = name.filter(|_| !path.is_dir()) else {
            return Err(KbError::Unwritable {
                path: path.display().to_string(),
                reason: match path.is_dir() {
                    true => "it is a folder; name a file in it".to_owned(),
                    false => "this is no name for a file".to_owned(),
                },
            });
        };
        // A link stays a link; what it points to is written.
        let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let temporary = path.with_file_name(format!(".{name}.karat-{}", std::process::id()));
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(true);
        let file = options.open(&temporary).map_err(|error| fail(&error))?;
        let file = BufWriter::with_capacity(1 << 20, file);
        ImageWriter::new(Target::File { file, temporary, path: path.clone() }, scratch)
    }

    fn new(target: Target, scratch: Scratch) -> Result<ImageWriter, KbError> {
        let mut writer = ImageWriter {
            target,
            header: Header::default(),
            position: 0,
            block: crc32fast::Hasher::new(),
            in_block: 0,
            checksums: Vec::new(),
            scratch,
        };
        writer.put(&[0; LENGTH])?;
        writer.position = LENGTH as u64;
        Ok(writer)
    }

    /// Writes a table. `next` gives its records in the order of their keys, each key once.
    pub(crate) fn table(
        &mut self,
        table: Table,
        mut next: impl FnMut(&mut Vec<u8>, &mut Vec<u8>) -> Result<bool, KbError>,
    ) -> Result<(), KbError> {
        let mut extent = Extent { records: self.position, ..Extent::default() };
        let mut hashes = Sorter::new(self.scratch.clone());
        let (mut key, mut value, mut head) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            key.clear();
            value.clear();
            if !next(&mut key, &mut value)? {
                break;
            }
            let place = self.position - extent.records;
            hashes.push(&hash(&key).to_be_bytes(), &place.to_le_bytes())?;
            head.clear();
            put_number(&mut head, key.len() as u64);
            put_number(&mut head, value.len() as u64);
            for part in [&head, &key, &value] {
                self.write(part)?;
            }
            extent.count += 1;
        }
        extent.length = self.position - extent.records;
        // Places have 48 bits in a slot.
        if extent.length >> PLACE != 0 {
            let what = format!("a table has {} bytes, which is too many", extent.length);
            return Err(KbError::TooLarge { what });
        }
        self.slots(&mut extent, hashes)?;
        self.header.tables[table as usize] = extent;
        Ok(())
    }

    /// Hashes come sorted and homes grow with them, so slots are written from left to right.
    fn slots(&mut self, extent: &mut Extent, hashes: Sorter) -> Result<(), KbError> {
        if extent.count == 0 {
            return Ok(());
        }
        // Three quarters full: probes stay short, and the last slots may spill behind the last
        // home.
        extent.homes = extent.count + extent.count / 3 + 1;
        let mut hashes = hashes.sorted()?;
        while let Some((hash, place)) = hashes.next()? {
            let hash = hash.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes));
            let place = place.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
            while extent.slots < home(hash, extent.homes) {
                self.write(&[0; 8])?;
                extent.slots += 1;
            }
            self.write(&slot(hash, place).to_le_bytes())?;
            extent.slots += 1;
        }
        Ok(())
    }

    /// The tables written so far, to look things up in.
    pub(crate) fn view(&mut self) -> Result<Image, KbError> {
        let bytes = match &mut self.target {
            Target::Memory(bytes) => Bytes::Memory(bytes.clone()),
            Target::File { file, temporary, .. } => {
                let mapped = file.flush().and_then(|()| Bytes::map(file.get_ref()));
                mapped.map_err(|error| KbError::unwritable(temporary, &error))?
            }
        };
        Ok(Image::unchecked(self.name(), bytes, self.header.clone()))
    }

    /// Writes checksums and header. Gives the path of the file, or the bytes.
    pub(crate) fn finish(mut self) -> Result<(Option<PathBuf>, Vec<u8>), KbError> {
        self.end_block();
        self.header.checksums = self.position;
        self.header.root = crc32fast::hash(&self.checksums);
        let checksums = std::mem::take(&mut self.checksums);
        self.put(&checksums)?;
        let header = self.header.encode();
        match &mut self.target {
            Target::Memory(bytes) => {
                bytes[..LENGTH].copy_from_slice(&header);
                Ok((None, std::mem::take(bytes)))
            }
            Target::File { file, temporary, path } => {
                let written = file
                    .seek(SeekFrom::Start(0))
                    .and_then(|_| file.write_all(&header))
                    .and_then(|()| file.flush())
                    // Synced before it is renamed: after a power failure there is the old file or
                    // the new one, never half of one.
                    .and_then(|()| file.get_ref().sync_all())
                    .and_then(|()| std::fs::rename(&*temporary, &*path));
                written.map_err(|error| KbError::unwritable(path, &error))?;
                Ok((Some(path.clone()), Vec::new()))
            }
        }
    }

    fn write(&mut self, mut bytes: &[u8]) -> Result<(), KbError> {
        self.put(bytes)?;
        self.position += bytes.len() as u64;
        while !bytes.is_empty() {
            let room = (BLOCK - self.in_block) as usize;
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.block.update(now);
            self.in_block += now.len() as u64;
            if self.in_block == BLOCK {
                self.end_block();
            }
            bytes = later;
        }
        Ok(())
    }

    fn end_block(&mut self) {
        if self.in_block > 0 {
            let block = std::mem::take(&mut self.block);
            self.checksums.extend_from_slice(&block.finalize().to_le_bytes());
            self.in_block = 0;
        }
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), KbError> {
        match &mut self.target {
            Target::Memory(out) => {
                out.extend_from_slice(bytes);
                Ok(())
            }
            Target::File { file, path, .. } => {
                file.write_all(bytes).map_err(|error| KbError::unwritable(path, &error))
            }
        }
    }

    fn name(&self) -> String {
        match &self.target {
            Target::Memory(_) => "memory".to_owned(),
            Target::File { path, .. } => path.display().to_string(),
        }
    }
}

impl Drop for ImageWriter {
    fn drop(&mut self) {
        if let Target::File { temporary, .. } = &self.target {
            // Gone already if it was completed.
            let _ = std::fs::remove_file(temporary);
        }
    }
}
