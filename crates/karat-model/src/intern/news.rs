//! What an interner has to tell another one, which then says what each string is called.

use super::{BATCH, FREE_SLOT, Interner, Key, MAX_ID, SHORT, Slot, StrId, home};

/// What an interner keeps in mind that has to tell another one.
#[derive(Debug, Clone)]
pub(super) struct Notebook {
    news: News,
    /// Short strings that were noted lately, each in the one place that its key allows: few
    /// enough to stay near, and enough for what comes all the time, like types.
    recent: [Slot; RECENT],
}

/// What was given to an interner since it last told: strings that were added to its table,
/// and strings that were only noted.
#[derive(Debug, Clone, Default)]
pub(crate) struct News {
    /// The id of the first string that was added.
    first: usize,
    /// Those that were added, and how many had been noted before each.
    added: Vec<(Key, usize)>,
    added_texts: String,
    /// Those that were noted. Their ids count them, so that one string may have several.
    noted: Vec<Key>,
    /// The texts of those that do not fit into their keys.
    noted_texts: String,
}

/// What the strings of a sibling are called here.
#[derive(Debug)]
pub(crate) struct Names {
    /// Of those in its table, for as long as it knows them.
    added: Vec<StrId>,
    /// Of those that it noted last.
    noted: Vec<StrId>,
}

/// Ids from here on were only noted. They are in rows of parts, never in those of a corpus.
const NOTED: u32 = MAX_ID + 1;

/// How many short strings a thread remembers while noting: a power of two, 4 KiB in all, so that it
/// stays in the first cache.
const RECENT: usize = 1 << 8;

impl StrId {
    /// Whether the string was only noted.
    #[inline]
    pub(crate) fn is_noted(self) -> bool {
        self.0 & NOTED != 0
    }
}

impl Notebook {
    pub(super) fn new() -> Notebook {
        Notebook { news: News::default(), recent: [FREE_SLOT; RECENT] }
    }

    /// A string was added to the table.
    #[inline]
    pub(super) fn add(&mut self, key: Key) {
        self.news.added.push((key, self.news.noted.len()));
    }

    /// Notes a string without looking it up, and gives its id.
    #[inline]
    pub(super) fn note<'t>(
        &mut self,
        key: Key,
        seed: u64,
        text: impl FnOnce() -> &'t str,
    ) -> StrId {
        let next = NOTED | self.news.noted.len() as u32;
        match key.len() {
            0 => return StrId::EMPTY,
            1..=SHORT => {
                let slot = &mut self.recent[home(key, seed, RECENT)];
                if slot.key() == key {
                    return StrId(slot.id);
                }
                *slot = Slot { word: key.word, len: key.len, id: next };
            }
            _ => self.news.noted_texts.push_str(text()),
        }
        self.news.noted.push(key);
        StrId(next)
    }

    /// Takes the news out, of an interner that has these texts. The memory of news that were
    /// told is used for the next.
    pub(super) fn take(&mut self, arena: &str, ends: &[u64], mut memory: News) -> News {
        memory.clear();
        std::mem::swap(&mut self.news, &mut memory);
        // What was noted has an id in these news alone.
        self.recent.fill(FREE_SLOT);
        memory.first = ends.len() - memory.added.len();
        let start = ends.get(memory.first.wrapping_sub(1)).map_or(0, |&end| end as usize);
        memory.added_texts.push_str(&arena[start..]);
        memory
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.news.clear();
        self.recent.fill(FREE_SLOT);
    }
}

impl News {
    /// Interns all of them in a sibling, in the order in which they came, and sets what they
    /// are called there.
    pub(crate) fn intern_in(&self, interner: &mut Interner, names: &mut Names) {
        debug_assert!(names.added.len() >= self.first, "all news before these were told");
        names.added.truncate(self.first);
        names.noted.clear();
        let mut texts = self.added_texts.as_str();
        let mut noted_texts = self.noted_texts.as_str();
        let mut told = 0;
        for added in self.added.chunks(BATCH) {
            interner.expect(added.iter().map(|&(key, _)| key));
            for &(key, noted_before) in added {
                // Strings that were noted before this one was added came earlier in the file, so
                // they get their ids first. This keeps ids in the order of first appearance.
                let noted = &self.noted[told..noted_before];
                told = noted_before;
                intern_noted(noted, &mut noted_texts, interner, &mut names.noted);
                let text = cut(&mut texts, key.len());
                names.added.push(interner.intern_key(key, || text));
            }
        }
        intern_noted(&self.noted[told..], &mut noted_texts, interner, &mut names.noted);
    }

    fn clear(&mut self) {
        self.added.clear();
        self.added_texts.clear();
        self.noted.clear();
        self.noted_texts.clear();
    }
}

fn intern_noted(keys: &[Key], texts: &mut &str, interner: &mut Interner, ids: &mut Vec<StrId>) {
    let mut batches = keys.chunks(BATCH);
    let mut next = batches.next();
    next.into_iter().flatten().for_each(|&key| interner.fetch(key));
    while let Some(keys) = next {
        // The slots of the next batch come nearer while this one is looked up.
        next = batches.next();
        next.into_iter().flatten().for_each(|&key| interner.fetch(key));
        interner.expect_texts(keys.iter().copied());
        ids.extend(keys.iter().map(|&key| {
            if key.len() > SHORT {
                let text = cut(texts, key.len());
                return interner.intern_key(key, || text);
            }
            let word = key.word.to_le_bytes();
            // The bytes of a short string are all in its key.
            let text = || std::str::from_utf8(&word[..key.len()]).unwrap_or_default();
            interner.intern_key(key, text)
        }));
    }
}

/// Takes so many bytes off the beginning of a text.
fn cut<'t>(text: &mut &'t str, len: usize) -> &'t str {
    let (first, rest) = text.split_at(len);
    *text = rest;
    first
}

impl Names {
    /// Of a sibling that has told nothing: both know the empty string.
    pub(crate) fn new() -> Names {
        Names::of_all(vec![StrId::EMPTY])
    }

    /// Of all strings that there are, in the order of their ids.
    pub(crate) fn of_all(added: Vec<StrId>) -> Names {
        Names { added, noted: Vec::new() }
    }

    /// What a string is called here.
    #[inline]
    pub(crate) fn of(&self, id: StrId) -> StrId {
        match id.is_noted() {
            true => self.noted[(id.0 & !NOTED) as usize],
            false => self.added[id.index()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What strings are called in `whole` that were added to a part, and its news told.
    fn tell(part: &mut Interner, whole: &mut Interner, names: &mut Names, added: &[&str]) {
        for text in added {
            part.intern(text);
        }
        part.take_news(News::default()).intern_in(whole, names);
    }

    #[test]
    fn news_are_told_once_and_start_over_with_the_interner() {
        let mut whole = Interner::default();
        whole.intern("known");
        let mut part = whole.noting_news();
        let mut names = Names::new();
        let mut told = |part: &mut Interner, texts: &[&str]| {
            tell(part, &mut whole, &mut names, texts);
            names.added.iter().map(|&id| whole.get(id).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(
            told(&mut part, &["a", "known", "a long string"]),
            ["", "a", "known", "a long string"]
        );
        assert_eq!(told(&mut part, &["known", "b"]).last().unwrap(), "b");
        part.clear();
        assert_eq!(told(&mut part, &["b", "a"]), ["", "b", "a"]);
        assert_eq!(whole.iter().collect::<Vec<_>>(), ["", "known", "a", "a long string", "b"]);
    }

    #[test]
    fn strings_that_were_noted_are_numbered_where_they_first_came() {
        let mut whole = Interner::default();
        let mut part = whole.noting_news();
        let mut names = Names::new();
        let (mut ids, mut news) = (Vec::new(), News::default());
        let batches = [
            vec!["x".to_owned(), String::new(), "a string that is long".to_owned()],
            (0..3 * BATCH).map(|i| format!("{}{i}", ["", "a long one: "][i % 2])).collect(),
            vec!["a string that is long".to_owned(), "x".to_owned(), "y".to_owned()],
        ];
        let mut expected = vec![String::new()];
        for (number, texts) in batches.iter().enumerate() {
            let mut named = Vec::new();
            for (half, texts) in texts.chunks(texts.len().div_ceil(2)).enumerate() {
                // The second is noted later in the same news.
                for added in [format!("{number}, before half {half}"), texts[0].clone()] {
                    part.intern(&added);
                    expected.push(added);
                }
                let keys: Vec<Key> = texts.iter().map(|text| part.key(text)).collect();
                part.intern_all_for_rows(&keys, |at| &texts[at], &mut ids);
                named.append(&mut ids);
                expected.extend(texts.iter().filter(|text| !text.is_empty()).cloned());
            }
            news = part.take_news(news);
            news.intern_in(&mut whole, &mut names);
            let named: Vec<&str> = named.iter().map(|&id| whole.get(names.of(id))).collect();
            assert_eq!(named, *texts);
        }
        let mut seen = std::collections::HashSet::new();
        expected.retain(|text| seen.insert(text.clone()));
        assert!(whole.iter().eq(expected.iter().map(String::as_str)));
    }
}
