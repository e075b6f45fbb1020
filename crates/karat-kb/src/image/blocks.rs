//! Bytes that are checked when they are touched for the first time.

use super::header::{Extent, Header, LENGTH, Table};
use super::storage::Bytes;
use crate::canonical::Waypoints;
use crate::error::KbError;
use karat_model::Digest;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// What one checksum covers.
pub(super) const BLOCK: u64 = 16 << 10;

/// A knowledge base as bytes.
#[derive(Debug)]
pub(crate) struct Image {
    bytes: Bytes,
    header: Header,
    name: String,
    /// One bit for each block that was found sound.
    sound: Vec<AtomicU64>,
    /// The first damage that was met.
    damage: OnceLock<KbError>,
    /// Where long ways end.
    waypoints: Waypoints,
}

impl Image {
    pub(crate) fn open(name: String, bytes: Bytes) -> Result<Image, KbError> {
        let header = Header::decode(&name, &bytes)?;
        let image = Image::unchecked(name, bytes, header);
        if crc32fast::hash(image.checksums()) != image.header.root {
            return Err(image.damaged("its checksums were changed"));
        }
        Ok(image)
    }

    /// An image that is still being written, or whose checksums are not of interest.
    pub(super) fn unchecked(name: String, bytes: Bytes, header: Header) -> Image {
        let words = header.blocks().div_ceil(64);
        let sound = (0..words).map(|_| AtomicU64::new(0)).collect();
        Image {
            bytes,
            header,
            name,
            sound,
            damage: OnceLock::new(),
            waypoints: Waypoints::default(),
        }
    }

    /// The digest of the checksums of all blocks.
    pub(crate) fn digest(&self) -> Digest {
        Digest::of_pieces([&self.header.root.to_le_bytes(), self.checksums()])
    }

    /// How many bytes it has.
    pub(crate) fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub(crate) fn waypoints(&self) -> &Waypoints {
        &self.waypoints
    }

    pub(super) fn extent(&self, table: Table) -> Extent {
        self.header.tables[table as usize]
    }

    /// Bytes that are known to be what was written. Damage is noted, and looks like an end.
    pub(crate) fn slice(&self, range: Range<u64>) -> Option<&[u8]> {
        let bytes = usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?;
        let Some(slice) = self.bytes.get(bytes) else {
            self.note("a record lies outside of it");
            return None;
        };
        // An image that is being written has no checksums yet.
        if self.sound.is_empty() || range.is_empty() {
            return Some(slice);
        }
        let block = |byte: u64| byte.saturating_sub(LENGTH as u64) / BLOCK;
        (block(range.start)..=block(range.end - 1))
            .all(|block| self.is_sound(block))
            .then_some(slice)
    }

    /// Checks everything.
    pub(crate) fn verify(&self) -> Result<(), KbError> {
        (0..self.header.blocks()).all(|block| self.is_sound(block));
        self.check()
    }

    /// The first damage that was met.
    pub(crate) fn check(&self) -> Result<(), KbError> {
        self.damage.get().map_or(Ok(()), |damage| Err(damage.clone()))
    }

    /// Notes that something does not fit.
    pub(crate) fn note(&self, what: &str) {
        self.damage.get_or_init(|| self.damaged(what));
    }

    fn damaged(&self, what: &str) -> KbError {
        KbError::Damaged { path: self.name.clone(), what: what.to_owned() }
    }

    fn checksums(&self) -> &[u8] {
        let start = usize::try_from(self.header.checksums).unwrap_or(usize::MAX);
        self.bytes.get(start..).unwrap_or_default()
    }

    fn is_sound(&self, block: u64) -> bool {
        let bit = 1 << (block % 64);
        let Some(word) = self.sound.get((block / 64) as usize) else { return false };
        // Relaxed is enough: a thread that does not see the bit computes the checksum once more.
        word.load(Ordering::Relaxed) & bit != 0 || self.find_sound(block, word, bit)
    }

    #[cold]
    fn find_sound(&self, block: u64, word: &AtomicU64, bit: u64) -> bool {
        let start = LENGTH as u64 + block * BLOCK;
        let end = (start + BLOCK).min(self.header.checksums);
        let content = self.bytes.get(start as usize..end as usize).unwrap_or_default();
        let at = block as usize * 4;
        let expected = self.checksums().get(at..at + 4);
        if expected != Some(&crc32fast::hash(content).to_le_bytes()) {
            self.note(&format!("bytes {start} to {end} were changed"));
            return false;
        }
        word.fetch_or(bit, Ordering::Relaxed);
        true
    }
}
