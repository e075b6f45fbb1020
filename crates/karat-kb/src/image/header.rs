//! The first bytes of the file.

use crate::error::KbError;

/// How many bytes the header takes, whatever is in it.
pub(super) const LENGTH: usize = 4096;
/// Changes with every change of the layout.
pub(super) const LAYOUT: u32 = 1;
const MAGIC: &[u8; 8] = b"KARAT KB";

/// The tables of a knowledge base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Table {
    /// What the base says of itself.
    About,
    /// From the id of an entity to its facts.
    Entities,
    /// From a spelling to the next one on the way to the id.
    Links,
    /// From a text to the entities it may mean.
    Mentions,
    /// Texts, and whether they are demonyms.
    Demonyms,
    /// From benchmark and document to numbers of words.
    Words,
    /// The types that results are broken down by.
    Whitelist,
}

/// How many tables there are.
pub(super) const TABLES: usize = Table::Whitelist as usize + 1;

/// Where a table lies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// Where its records start.
    pub(super) records: u64,
    /// How many bytes they take.
    pub(super) length: u64,
    /// How many there are.
    pub(super) count: u64,
    /// How many slots hashes are spread over; displaced records may lie behind the last.
    pub(super) homes: u64,
    /// How many slots there are, directly behind the records.
    pub(super) slots: u64,
}

impl Extent {
    pub(super) fn slots_start(&self) -> u64 {
        self.records + self.length
    }

    fn end(&self) -> Option<u64> {
        let records = self.records.checked_add(self.length)?;
        records.checked_add(self.slots.checked_mul(8)?)
    }
}

/// Where everything lies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) tables: [Extent; TABLES],
    /// Where the checksums start; they are the end of the file.
    pub(super) checksums: u64,
    /// The checksum of the checksums.
    pub(super) root: u32,
}

impl Header {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(LENGTH);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&LAYOUT.to_le_bytes());
        for table in &self.tables {
            let Extent { records, length, count, homes, slots } = *table;
            for number in [records, length, count, homes, slots] {
                out.extend_from_slice(&number.to_le_bytes());
            }
        }
        out.extend_from_slice(&self.checksums.to_le_bytes());
        out.extend_from_slice(&self.root.to_le_bytes());
        let check = crc32fast::hash(&out);
        out.extend_from_slice(&check.to_le_bytes());
        out.resize(LENGTH, 0);
        out
    }

    pub(super) fn decode(path: &str, bytes: &[u8]) -> Result<Header, KbError> {
        let path = || path.to_owned();
        let damaged = |what: &str| KbError::Damaged { path: path(), what: what.to_owned() };
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            return Err(KbError::Foreign { path: path() });
        };
        let cut = || KbError::Cut { path: path() };
        let header = bytes.get(..LENGTH).ok_or_else(cut)?;
        let mut numbers = Numbers { rest };
        let layout = numbers.short().ok_or_else(cut)?;
        if layout != LAYOUT {
            return Err(KbError::Layout { path: path(), found: layout, expected: LAYOUT });
        }
        let mut decoded = Header::default();
        let complete = numbers.fill(&mut decoded);
        let length = bytes.len() - numbers.rest.len();
        let check = numbers.short();
        if complete.is_none() || check != Some(crc32fast::hash(&header[..length])) {
            return Err(damaged("its header was changed"));
        }
        // Behind the content there is nothing, and what is there now was not written by karat.
        let used = bytes.len() - numbers.rest.len();
        if header.get(used..).is_none_or(|rest| rest.iter().any(|&byte| byte != 0)) {
            return Err(damaged("its header was changed"));
        }
        // Told apart from other damage, because the cure differs: a file that was not copied to its
        // end.
        if decoded.end().is_some_and(|end| end > bytes.len() as u64) {
            return Err(cut());
        }
        if !decoded.fits(bytes.len() as u64) {
            return Err(damaged("its length is not that of its content"));
        }
        Ok(decoded)
    }

    /// How many blocks have a checksum.
    pub(super) fn blocks(&self) -> u64 {
        self.checksums.saturating_sub(LENGTH as u64).div_ceil(super::blocks::BLOCK)
    }

    /// How many bytes the file should have.
    fn end(&self) -> Option<u64> {
        self.checksums.checked_add(self.blocks().checked_mul(4)?)
    }

    fn fits(&self, length: u64) -> bool {
        let within = |table: &Extent| {
            let starts = table.records >= LENGTH as u64 || *table == Extent::default();
            starts && table.end().is_some_and(|end| end <= self.checksums.max(LENGTH as u64))
        };
        let is_whole = self.end() == Some(length);
        self.checksums >= LENGTH as u64 && is_whole && self.tables.iter().all(within)
    }
}

struct Numbers<'a> {
    rest: &'a [u8],
}

impl Numbers<'_> {
    fn fill(&mut self, header: &mut Header) -> Option<()> {
        for table in &mut header.tables {
            let Extent { records, length, count, homes, slots } = table;
            for number in [records, length, count, homes, slots] {
                *number = self.long()?;
            }
        }
        header.checksums = self.long()?;
        header.root = self.short()?;
        Some(())
    }

    fn long(&mut self) -> Option<u64> {
        let (first, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(u64::from_le_bytes(*first))
    }

    fn short(&mut self) -> Option<u32> {
        let (first, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(u32::from_le_bytes(*first))
    }
}
