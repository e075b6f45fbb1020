//! Strings stored once, named by a number.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

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
    table: HashTable<u32>,
    hasher: FixedState,
}

impl Default for Interner {
    fn default() -> Self {
        let mut interner = Interner {
            arena: String::new(),
            ends: Vec::new(),
            table: HashTable::new(),
            hasher: FixedState::default(),
        };
        interner.intern("");
        interner
    }
}

impl Interner {
    /// The id of `text`, new if it was not seen before.
    #[inline]
    pub fn intern(&mut self, text: &str) -> StrId {
        let hash = self.hasher.hash_one(text.as_bytes());
        let Interner { arena, ends, table, hasher } = self;
        if let Some(&id) = table.find(hash, |&id| slice(arena, ends, id) == text) {
            return StrId(id);
        }
        // Ids are 31 bits wide because `Link` keeps one bit for NIL. Two thousand
        // million distinct strings do not fit into memory of this age, so the
        // ceiling is an invariant, not an input error.
        let id = u32::try_from(ends.len()).unwrap_or(u32::MAX).min(MAX_ID);
        arena.push_str(text);
        ends.push(arena.len() as u64);
        table.insert_unique(hash, id, |&id| hasher.hash_one(slice(arena, ends, id).as_bytes()));
        StrId(id)
    }

    /// The id of `text` if it was interned before.
    pub fn find(&self, text: &str) -> Option<StrId> {
        let hash = self.hasher.hash_one(text.as_bytes());
        self.table.find(hash, |&id| self.get(StrId(id)) == text).map(|&id| StrId(id))
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

    /// Gives memory that was reserved for growth back.
    pub fn shrink(&mut self) {
        self.arena.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Bytes of memory in use.
    pub fn bytes(&self) -> usize {
        self.arena.capacity() + self.ends.capacity() * 8 + self.table.capacity() * 5
    }
}

/// The largest id; the values above are markers of [`crate::Link`].
pub(crate) const MAX_ID: u32 = 0x7fff_fffd;

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
