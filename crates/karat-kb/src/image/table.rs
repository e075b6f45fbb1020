//! Looking up keys, and walking through records.

use super::blocks::Image;
use super::header::Table;
use crate::encoding::Fields;

/// The longest head of a record: two numbers.
const HEAD: u64 = 20;

/// The bits of a slot that hold where a record is; the others hold a part of its hash.
pub(super) const PLACE: u32 = 48;

/// A hash that is the same on every machine, for keys of any length.
pub(super) fn hash(key: &[u8]) -> u64 {
    let mut state = SEED ^ key.len() as u64;
    let mut chunks = key.chunks_exact(8);
    for chunk in &mut chunks {
        let word = chunk.first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
        state = fold(state ^ word, MULTIPLIER);
    }
    let mut last = [0; 8];
    last[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    fold(fold(state ^ u64::from_le_bytes(last), MULTIPLIER), SEED)
}

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const MULTIPLIER: u64 = 0xd1b5_4a32_d192_ed03;

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

/// The slot where the search for a hash begins. It grows with the hash, so that slots can
/// be written in the order of hashes.
pub(super) fn home(hash: u64, homes: u64) -> u64 {
    ((u128::from(hash) * u128::from(homes)) >> 64) as u64
}

/// What a slot holds of a hash beside the place of its record.
pub(super) fn slot(hash: u64, place: u64) -> u64 {
    // Plus one, so that an empty slot is 0 and a record at place 0 is not.
    hash << PLACE | (place + 1)
}

impl Image {
    /// The record of a key.
    pub(crate) fn get(&self, table: Table, key: &[u8]) -> Option<(&[u8], &[u8])> {
        let extent = self.extent(table);
        if extent.homes == 0 {
            return None;
        }
        let hash = hash(key);
        for at in home(hash, extent.homes)..extent.slots {
            let from = extent.slots_start() + at * 8;
            let bytes = self.slice(from..from + 8)?;
            let found = bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
            if found == 0 {
                return None;
            }
            // Sixteen bits of the hash rule out nearly every other record without reading it.
            if found >> PLACE == hash & 0xffff {
                let place = (found & ((1 << PLACE) - 1)).checked_sub(1)?;
                let (record_key, value, _) = self.record(table, place)?;
                if record_key == key {
                    return Some((record_key, value));
                }
            }
        }
        None
    }

    /// How many records a table has.
    pub(crate) fn count(&self, table: Table) -> u64 {
        self.extent(table).count
    }

    /// All records of a table in the order of their keys.
    pub(crate) fn records(&self, table: Table) -> Records<'_> {
        Records { image: self, table, place: 0 }
    }

    /// Key and value of the record at a place, and the place of the next one.
    fn record(&self, table: Table, place: u64) -> Option<(&[u8], &[u8], u64)> {
        let extent = self.extent(table);
        let end = extent.slots_start();
        let start = extent.records + place;
        let head = self.slice(start..start.saturating_add(HEAD).min(end).max(start))?;
        let mut fields = Fields::new(head);
        let lengths = fields.number().zip(fields.number());
        let body = start + (head.len() - fields.rest().len()) as u64;
        let fits = lengths.and_then(|(key, value)| {
            let middle = body.checked_add(key)?;
            let after = middle.checked_add(value).filter(|&after| after <= end)?;
            Some((middle, after))
        });
        let Some((middle, after)) = fits else {
            self.note("a record does not fit into its table");
            return None;
        };
        Some((self.slice(body..middle)?, self.slice(middle..after)?, after - extent.records))
    }
}

/// Records of a table in the order of their keys.
#[derive(Debug, Clone)]
pub(crate) struct Records<'a> {
    image: &'a Image,
    table: Table,
    place: u64,
}

impl<'a> Iterator for Records<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        if self.place >= self.image.extent(self.table).length {
            return None;
        }
        let (key, value, next) = self.image.record(self.table, self.place)?;
        self.place = next;
        Some((key, value))
    }
}
