//! Strings stored once, named by a number.

mod news;

use crate::room;
use foldhash::fast::RandomState;
use news::Notebook;
use std::hash::{BuildHasher, Hasher};

pub(crate) use news::{Names, News};

/// The number of an interned string. Only meaningful together with the
/// [`Interner`] (or corpus) that gave it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StrId(pub(crate) u32);

impl StrId {
    /// The empty string, which every interner holds from the start.
    pub const EMPTY: StrId = StrId(0);

    /// The position of the string in the order of first appearance, in a corpus.
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
///
/// Looking a string up mostly waits for memory. So the table is open, with
/// everything that a look-up of a short string needs in one slot, and a reader
/// that has several strings at hand makes their [`Key`]s first and announces them
/// ([`Interner::fetch`], [`Interner::expect`]): then the waits overlap.
#[derive(Debug, Clone)]
pub struct Interner {
    arena: String,
    /// `ends[i]` is where string `i` ends in the arena; it starts where its predecessor ends.
    ends: Vec<u64>,
    /// A power of two of slots; a string stands in the first free one from its home on.
    table: Vec<Slot>,
    hasher: RandomState,
    seed: u64,
    /// What is to be told, where somebody wants to know ([`Interner::noting_news`]).
    notebook: Option<Box<Notebook>>,
}

/// What a string is looked up by. Only meaningful to the interner that made it
/// and to its siblings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Key {
    /// All of a string of up to eight bytes, the hash of a longer one.
    word: u64,
    len: u32,
}

impl Key {
    /// The key of a string of up to eight bytes: the bytes from the lowest on, and
    /// zeros after them. All interners agree on it. `None` for a longer string.
    #[inline]
    pub fn short(word: u64, len: usize) -> Option<Key> {
        debug_assert!(len >= SHORT || word >> (8 * len) == 0, "zeros after the string");
        (len <= SHORT).then_some(Key { word, len: len as u32 })
    }

    /// The length of the string in bytes.
    #[inline]
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether it is the key of the empty string.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// Sixteen bytes, so that one never straddles two lines of the cache.
#[derive(Debug, Clone, Copy)]
struct Slot {
    word: u64,
    len: u32,
    id: u32,
}

impl Slot {
    #[inline]
    fn key(&self) -> Key {
        Key { word: self.word, len: self.len }
    }
}

/// The id of a slot that is free.
const FREE: u32 = u32::MAX;

impl Default for Interner {
    fn default() -> Self {
        Interner::with_hasher(RandomState::default())
    }
}

impl Interner {
    fn with_hasher(hasher: RandomState) -> Interner {
        let mut interner = Interner {
            arena: String::new(),
            ends: Vec::new(),
            table: vec![FREE_SLOT; SMALLEST],
            // A random seed: who writes a file cannot know which strings would share a slot. Ids do
            // not depend on it, because they are given out in the order of appearance.
            seed: hasher.hash_one(0u64),
            hasher,
            notebook: None,
        };
        interner.intern("");
        interner
    }

    /// An empty interner that makes the same keys and notes what this one is to be told.
    pub(crate) fn noting_news(&self) -> Interner {
        let notebook = Some(Box::new(Notebook::new()));
        Interner { notebook, ..Interner::with_hasher(self.hasher.clone()) }
    }

    /// What came since the last call, in the memory of news that were told.
    pub(crate) fn take_news(&mut self, memory: News) -> News {
        match &mut self.notebook {
            Some(notebook) => notebook.take(&self.arena, &self.ends, memory),
            None => News::default(),
        }
    }

    /// The id of `text`, new if it was not seen before.
    #[inline]
    pub fn intern(&mut self, text: &str) -> StrId {
        self.intern_key(self.key(text), || text)
    }

    /// As [`Interner::intern`], for a key that was made before.
    #[inline]
    pub fn intern_key<'t>(&mut self, key: Key, text: impl FnOnce() -> &'t str) -> StrId {
        let home = self.home(key);
        // Most strings stand at home or right behind it.
        for at in [home, (home + 1) & (self.table.len() - 1)] {
            let slot = &self.table[at];
            // A short string is its own key, so equal keys are equal strings and no text is
            // compared.
            if slot.key() == key && key.len() <= SHORT {
                return StrId(slot.id);
            }
        }
        self.intern_further_on(key, text())
    }

    /// As [`Interner::intern_key`], for ids that nobody compares: where news are noted, the
    /// string is not looked up, because whoever is told of it does that.
    #[inline]
    pub(crate) fn intern_for_row<'t>(&mut self, key: Key, text: impl FnOnce() -> &'t str) -> StrId {
        match &mut self.notebook {
            Some(notebook) => notebook.note(key, self.seed, text),
            None => self.intern_key(key, text),
        }
    }

    /// As [`Interner::intern_for_row`] for many strings, in their order.
    pub(crate) fn intern_all_for_rows<'t>(
        &mut self,
        keys: &[Key],
        text: impl Fn(usize) -> &'t str,
        ids: &mut Vec<StrId>,
    ) {
        ids.clear();
        let numbered = keys.iter().enumerate();
        match &mut self.notebook {
            Some(notebook) => {
                let seed = self.seed;
                ids.extend(numbered.map(|(at, &key)| notebook.note(key, seed, || text(at))));
            }
            None => {
                self.expect_texts(keys.iter().copied());
                ids.extend(numbered.map(|(at, &key)| self.intern_key(key, || text(at))));
            }
        }
    }

    #[inline(never)]
    fn intern_further_on(&mut self, key: Key, text: &str) -> StrId {
        match self.slot(key, text) {
            (at, FREE) => self.add(key, text, at),
            (_, id) => StrId(id),
        }
    }

    /// The id of `text` if it was interned before.
    pub fn find(&self, text: &str) -> Option<StrId> {
        self.find_key(self.key(text), text)
    }

    /// As [`Interner::find`] for many strings; the waits for memory overlap.
    pub fn find_all<'t>(&self, texts: impl Iterator<Item = &'t str>) -> Vec<Option<StrId>> {
        let keyed: Vec<(Key, &str)> = texts.map(|text| (self.key(text), text)).collect();
        let mut found = Vec::with_capacity(keyed.len());
        for batch in keyed.chunks(BATCH) {
            batch.iter().for_each(|&(key, _)| self.fetch(key));
            found.extend(batch.iter().map(|&(key, text)| self.find_key(key, text)));
        }
        found
    }

    fn find_key(&self, key: Key, text: &str) -> Option<StrId> {
        let (_, id) = self.slot(key, text);
        (id != FREE).then_some(StrId(id))
    }

    /// The key of a string.
    #[inline]
    pub fn key(&self, text: &str) -> Key {
        let len = text.len() as u32;
        let word = if text.len() <= SHORT { word(text.as_bytes()) } else { self.hash(text) };
        Key { word, len }
    }

    /// Says that the string with this key is looked up soon. Its slot comes nearer while
    /// the caller goes on with something else.
    #[inline]
    pub fn fetch(&self, key: Key) {
        room::fetch(self.home_slot(key));
    }

    /// Says that strings with these keys are looked up next, so that the processor waits for
    /// all of them at once.
    pub fn expect(&self, keys: impl Iterator<Item = Key> + Clone) {
        keys.clone().for_each(|key| self.fetch(key));
        self.expect_texts(keys);
    }

    /// As [`Interner::expect`], for strings whose slots were fetched: a long string that seems
    /// to be known is compared with its text, so that is fetched too.
    fn expect_texts(&self, keys: impl Iterator<Item = Key>) {
        for key in keys.filter(|key| key.len() > SHORT) {
            let slot = self.home_slot(key);
            if slot.key() == key {
                let before = (slot.id as usize).wrapping_sub(1);
                let start = self.ends.get(before).copied().unwrap_or(0);
                self.arena.as_bytes().get(start as usize).into_iter().for_each(room::fetch);
            }
        }
    }

    #[inline]
    fn home_slot(&self, key: Key) -> &Slot {
        &self.table[self.home(key)]
    }

    /// Where the search for a key begins: the upper bits of its hash, so that
    /// slots keep their order when the table grows.
    #[inline]
    fn home(&self, key: Key) -> usize {
        home(key, self.seed, self.table.len())
    }

    /// The slot of a string and its id; a free one if the string is not there.
    #[inline]
    fn slot(&self, key: Key, text: &str) -> (usize, u32) {
        let last = self.table.len() - 1;
        let mut at = self.home(key);
        loop {
            let slot = &self.table[at & last];
            // Keys of long strings are hashes. Two strings may share one, so the text decides.
            let same =
                slot.key() == key && (key.len() <= SHORT || self.get(StrId(slot.id)) == text);
            if same || slot.id == FREE {
                return (at & last, slot.id);
            }
            at += 1;
        }
    }

    fn add(&mut self, key: Key, text: &str, free: usize) -> StrId {
        // More than a thousand million distinct strings do not fit into the memory of today's
        // machines, so the limit is an invariant and not an input error. Two strings with one id
        // would be worse than a stop.
        assert!(self.ends.len() <= MAX_ID as usize, "more distinct strings than ids");
        let id = self.ends.len() as u32;
        self.arena.push_str(text);
        self.ends.push(self.arena.len() as u64);
        self.table[free] = Slot { word: key.word, len: key.len, id };
        if let Some(notebook) = &mut self.notebook {
            notebook.add(key);
        }
        if self.ends.len() > self.table.len() / 4 * 3 {
            self.grow();
        }
        StrId(id)
    }

    /// Doubles the table. Slots are in the order of their homes, but for a few at
    /// the end, so both tables are passed through from front to back.
    #[cold]
    fn grow(&mut self) {
        let mut table = Vec::new();
        room::reserve(&mut table, self.table.len() * 2);
        table.resize(self.table.len() * 2, FREE_SLOT);
        let last = table.len() - 1;
        for slot in self.table.iter().filter(|slot| slot.id != FREE) {
            let mut at = home(slot.key(), self.seed, table.len());
            while table[at & last].id != FREE {
                at += 1;
            }
            table[at & last] = *slot;
        }
        self.table = table;
    }

    /// The hash of a string that does not fit into a word.
    #[inline]
    fn hash(&self, text: &str) -> u64 {
        let mut state = self.hasher.build_hasher();
        state.write(text.as_bytes());
        state.finish()
    }

    /// The string with this id.
    ///
    /// # Panics
    /// If the id was given out by another interner that held more strings, or is for rows of a
    /// part only.
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
        self.table.fill(FREE_SLOT);
        // The empty string must have id 0 (`StrId::EMPTY`) again.
        self.intern("");
        if let Some(notebook) = &mut self.notebook {
            notebook.clear();
        }
    }

    /// Makes room for the texts of so many more strings, of so many bytes in all; the table grows as it fills.
    pub(crate) fn reserve(&mut self, strings: usize, bytes: usize) {
        room::reserve(&mut self.ends, strings);
        room::reserve_text(&mut self.arena, bytes);
    }

    /// How many bytes all strings have together.
    pub(crate) fn text_bytes(&self) -> usize {
        self.arena.len()
    }

    /// Gives memory that was reserved for growth back.
    pub fn shrink(&mut self) {
        self.arena.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Bytes of memory in use.
    pub fn bytes(&self) -> usize {
        self.arena.capacity()
            + self.ends.capacity() * size_of::<u64>()
            + self.table.capacity() * size_of::<Slot>()
    }
}

/// How many strings are announced at once: as many as the first cache surely holds.
pub(crate) const BATCH: usize = 64;

/// Two bits stay free: one tells links to NIL, one tells strings that were only noted.
pub(crate) const MAX_ID: u32 = (1 << 30) - 1;

/// Strings of up to so many bytes are their own key.
const SHORT: usize = 8;

/// How many slots an empty interner has.
const SMALLEST: usize = 16;

/// No string has its key.
const FREE_SLOT: Slot = Slot { word: 0, len: u32::MAX, id: FREE };

/// The bytes of a short string as a number.
#[inline]
fn word(bytes: &[u8]) -> u64 {
    let len = bytes.len();
    if let Some(all) = bytes.first_chunk::<8>() {
        return u64::from_le_bytes(*all);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        // What both hold is the same bits at the same place.
        let last = u64::from(u32::from_le_bytes(*last)) << (8 * (len - 4));
        return u64::from(u32::from_le_bytes(*first)) | last;
    }
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// The slot where the search for a key begins, of a power of two of slots.
#[inline]
fn home(key: Key, seed: u64, slots: usize) -> usize {
    // The length goes into the factor because a short string is padded with zeros: "a" and "a\0"
    // have the same word.
    let factor = 0x9e37_79b9_7f4a_7c15 ^ u64::from(key.len);
    let mixed = u128::from(key.word ^ seed) * u128::from(factor);
    let hash = mixed as u64 ^ (mixed >> 64) as u64;
    (hash >> (64 - slots.trailing_zeros())) as usize
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
    fn a_slot_is_small() {
        assert_eq!(size_of::<Slot>(), 16);
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

    #[test]
    fn a_short_string_is_its_own_key() {
        let interner = Interner::default();
        let text = "\0Köln\0é";
        for (len, _) in text.char_indices().skip(1) {
            let mut word = [0; 16];
            word[..len].copy_from_slice(&text.as_bytes()[..len]);
            let key = Key::short(u64::from_le_bytes(*word.first_chunk().unwrap()), len);
            assert_eq!(key, Some(interner.key(&text[..len])).filter(|_| len <= SHORT));
        }
    }

    #[test]
    fn strings_are_found_however_many_there_are() {
        let mut interner = Interner::default();
        let texts: Vec<String> = (0..3000).map(|i| format!("{i:x}").repeat(1 + i % 4)).collect();
        let ids: Vec<StrId> = texts.iter().map(|text| interner.intern(text)).collect();
        let known = interner.find_all(texts.iter().map(String::as_str).chain(["never seen"]));
        assert_eq!(known, ids.iter().copied().map(Some).chain([None]).collect::<Vec<_>>());
        for (text, &id) in texts.iter().zip(&ids) {
            assert_eq!((interner.find(text), interner.get(id)), (Some(id), text.as_str()));
        }
        interner.clear();
        assert_eq!((interner.len(), interner.find(&texts[7])), (1, None));
    }
}
