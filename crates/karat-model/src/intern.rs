//! Strings stored once, named by a number.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hasher};

/// The number of an interned string. Only meaningful together with the
/// [`Interner`] (or corpus) that gave it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StrId(pub(crate) u32);

impl StrId {
    /// The empty string, which every interner holds from the start.
    pub const EMPTY: StrId = StrId(0);

    /// The position of the string in the order of first appearance.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The id with this position; for numberings that span several corpora.
    pub fn from_index(index: usize) -> StrId {
        StrId(u32::try_from(index).unwrap_or(u32::MAX).min(MAX_ID))
    }
}

/// An append-only set of strings in one arena.
///
/// Ids are given out in the order of first appearance, so they never depend on
/// the hash function.
#[derive(Debug, Clone)]
pub struct Interner {
    arena: String,
    /// `ends[i]` is where string `i` ends in the arena; it starts where its predecessor ends.
    ends: Vec<u64>,
    table: HashTable<Entry>,
    /// The last string seen for each of the lowest bits of the hash. A few popular
    /// entities make up most mentions; for these the large table, whose every
    /// look-up misses the cache, is not touched at all.
    recent: Vec<Entry>,
    hasher: RandomState,
    seed: u64,
}

/// What the table knows of a string. Entity ids and types are mostly no longer
/// than eight bytes; for these a look-up touches the table alone and not the
/// arena.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// The first eight bytes, or all of a shorter string.
    head: u64,
    len: u32,
    id: u32,
}

impl Default for Interner {
    fn default() -> Self {
        let hasher = RandomState::default();
        let mut interner = Interner {
            arena: String::new(),
            ends: Vec::new(),
            table: HashTable::new(),
            recent: Vec::new(),
            seed: hasher.hash_one(0u64),
            hasher,
        };
        interner.intern("");
        interner
    }
}

impl Interner {
    /// The id of `text`, new if it was not seen before.
    #[inline]
    pub fn intern(&mut self, text: &str) -> StrId {
        let (head, len) = (head(text.as_bytes()), text.len() as u32);
        let hash = hash(&self.hasher, self.seed, text, head);
        let slot = hash as usize % RECENT;
        if let Some(entry) = self.recent.get(slot)
            && entry.head == head
            && entry.len == len
            && len as usize <= SHORT
        {
            return StrId(entry.id);
        }
        let id = match self.lookup(text, head, len, hash) {
            Some(id) => id,
            None => self.add(text, head, len, hash),
        };
        if let Some(entry) = self.recent.get_mut(slot) {
            *entry = Entry { head, len, id: id.0 };
        }
        id
    }

    /// All strings, one after the other.
    pub(crate) fn arena(&self) -> &str {
        &self.arena
    }

    /// The id of `text` if it was interned before.
    pub fn find(&self, text: &str) -> Option<StrId> {
        let (head, len) = (head(text.as_bytes()), text.len() as u32);
        self.lookup(text, head, len, hash(&self.hasher, self.seed, text, head))
    }

    #[inline]
    fn lookup(&self, text: &str, head: u64, len: u32, hash: u64) -> Option<StrId> {
        let same = |entry: &Entry| {
            entry.head == head
                && entry.len == len
                && (len as usize <= SHORT || slice(&self.arena, &self.ends, entry.id) == text)
        };
        self.table.find(hash, same).map(|entry| StrId(entry.id))
    }

    #[cold]
    fn add(&mut self, text: &str, head: u64, len: u32, hash: u64) -> StrId {
        if self.ends.len() == WORTH_REMEMBERING {
            self.recent = vec![Entry { head: 0, len: 0, id: 0 }; RECENT];
        }
        let Interner { arena, ends, table, hasher, seed, .. } = self;
        // Ids are 31 bits wide because `Link` keeps one bit for NIL. Two thousand
        // million distinct strings do not fit into memory of this age, so the
        // ceiling is an invariant, not an input error.
        let id = u32::try_from(ends.len()).unwrap_or(u32::MAX).min(MAX_ID);
        arena.push_str(text);
        ends.push(arena.len() as u64);
        table.insert_unique(hash, Entry { head, len, id }, |entry| {
            let text = if entry.len as usize <= SHORT { "" } else { slice(arena, ends, entry.id) };
            self::hash_of(hasher, *seed, text, entry.head, entry.len)
        });
        StrId(id)
    }

    /// The string with this id.
    ///
    /// # Panics
    /// If the id was given out by another interner that held more strings.
    #[inline]
    pub fn get(&self, id: StrId) -> &str {
        slice(&self.arena, &self.ends, id.0)
    }

    /// How many strings there are, the empty one included.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Never true: the empty string is always there.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All strings in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).map(|id| slice(&self.arena, &self.ends, id))
    }

    /// Forgets all strings but the empty one, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.arena.clear();
        self.ends.clear();
        self.table.clear();
        self.recent.clear();
        self.intern("");
    }

    /// Gives memory that was reserved for growth back.
    pub fn shrink(&mut self) {
        self.arena.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Bytes of memory in use.
    pub fn bytes(&self) -> usize {
        self.arena.capacity()
            + self.ends.capacity() * 8
            + self.table.capacity() * 17
            + self.recent.capacity() * size_of::<Entry>()
    }
}

/// The largest id; the values above are markers of [`crate::Link`].
pub(crate) const MAX_ID: u32 = 0x7fff_fffd;

/// How many recent strings are remembered: 128 KiB, which the second cache holds.
const RECENT: usize = 8192;

/// From how many strings on the large table no longer fits the cache itself.
const WORTH_REMEMBERING: usize = 4096;

/// Strings of up to so many bytes are known by their head and length alone.
const SHORT: usize = 8;

/// The first eight bytes as a number; with the length, all of a shorter string.
#[inline]
fn head(bytes: &[u8]) -> u64 {
    if let Some(first) = bytes.first_chunk::<8>() {
        return u64::from_le_bytes(*first);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32;
    }
    bytes.iter().fold(0, |head, &byte| head << 8 | u64::from(byte))
}

#[inline]
fn hash(hasher: &RandomState, seed: u64, text: &str, head: u64) -> u64 {
    hash_of(hasher, seed, text, head, text.len() as u32)
}

/// The hash of a string; a short one is hashed by its head and length.
#[inline]
fn hash_of(hasher: &RandomState, seed: u64, text: &str, head: u64, len: u32) -> u64 {
    if len as usize <= SHORT {
        let mixed = u128::from(head ^ seed) * u128::from(0x9e37_79b9_7f4a_7c15 ^ u64::from(len));
        return mixed as u64 ^ (mixed >> 64) as u64;
    }
    let mut state = hasher.build_hasher();
    state.write(text.as_bytes());
    state.finish()
}

#[inline]
fn slice<'a>(arena: &'a str, ends: &[u64], id: u32) -> &'a str {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] as usize };
    &arena[start..ends[id] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_every_length_are_told_apart() {
        let mut interner = Interner::default();
        let long: String = "abcdefghijklmnopqrstuvwxyz".repeat(2);
        let mut texts: Vec<String> = (0..long.len()).map(|end| long[..end].to_owned()).collect();
        texts.extend((1..12).map(|len| "\0".repeat(len)));
        texts.extend((1..12).map(|len| format!("{}x", "\0".repeat(len))));
        let ids: Vec<StrId> = texts.iter().map(|text| interner.intern(text)).collect();
        for (text, &id) in texts.iter().zip(&ids) {
            assert_eq!(interner.get(id), text);
            assert_eq!(interner.find(text), Some(id));
        }
        assert_eq!(interner.len(), texts.len());
    }

    #[test]
    fn the_same_string_has_the_same_id() {
        let mut interner = Interner::default();
        let (a, b) = (interner.intern("Q64"), interner.intern("Käse"));
        assert_ne!(a, b);
        assert_eq!(interner.intern("Q64"), a);
        assert_eq!(interner.find("Käse"), Some(b));
        assert_eq!(interner.find("nothing"), None);
        assert_eq!(interner.get(a), "Q64");
        assert_eq!(interner.iter().collect::<Vec<_>>(), ["", "Q64", "Käse"]);
        assert_eq!(interner.intern(""), StrId::EMPTY);
    }
}
