//! Finding mentions in a text that come without offsets.
//!
//! [`Aligner`] finds surface forms in a text, each occurrence once and from left
//! to right. [`Correspondence`] says which place of a text belongs to a place of
//! an edited copy of it, so that words a copyist dropped, added or changed do not
//! shift what comes after. Both cost time linear in the texts but for logarithms,
//! times the number of different surface forms for the first.

mod correspondence;
mod fold;

pub(crate) use correspondence::Correspondence;

use fold::Folded;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

/// Where a surface form was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// The bytes of the text.
    pub(crate) range: Range<usize>,
    /// Whether the text says exactly the same there.
    pub(crate) exact: bool,
}

/// Finds surface forms in one text.
#[derive(Debug)]
pub(crate) struct Aligner<'t> {
    text: &'t str,
    folded: OnceCell<Folded>,
    /// Where the last mention that was found ended.
    position: usize,
    occurrences: HashMap<String, Occurrences>,
    taken: HashSet<Range<usize>>,
}

/// The occurrences of one surface form that are still free: start to end.
#[derive(Debug, Default)]
struct Occurrences {
    words: BTreeMap<usize, usize>,
    inside_words: BTreeMap<usize, usize>,
    /// The same but for case, spaces, quotes and dashes; made when needed.
    similar: Option<BTreeMap<usize, usize>>,
}

/// More occurrences of one surface form than this are not remembered.
const REMEMBERED: usize = 100_000;

impl<'t> Aligner<'t> {
    pub(crate) fn new(text: &'t str) -> Aligner<'t> {
        Aligner {
            text,
            folded: OnceCell::new(),
            position: 0,
            occurrences: HashMap::new(),
            taken: HashSet::new(),
        }
    }

    /// The next free occurrence after the last mention; failing that, the first
    /// free one of the text. Whole words are preferred to parts of words, and
    /// exact occurrences to similar ones.
    pub(crate) fn next(&mut self, surface: &str) -> Option<Found> {
        let position = self.position;
        let found = self.take(surface, |free| {
            let after = free.range(position..).next();
            after.or_else(|| free.first_key_value()).map(|(&start, _)| start)
        })?;
        self.position = found.range.end;
        Some(found)
    }

    /// The free occurrence nearest to a byte, at most `within` bytes away. One that
    /// starts right there is taken even inside a word.
    pub(crate) fn near(&mut self, surface: &str, byte: usize, within: usize) -> Option<Found> {
        let here = byte..byte.saturating_add(surface.len());
        if !surface.is_empty()
            && self.text.get(here.clone()) == Some(surface)
            && self.taken.insert(here.clone())
        {
            self.position = here.end;
            return Some(Found { range: here, exact: true });
        }
        let found = self.take(surface, |free| {
            let before = free.range(..byte).next_back();
            let after = free.range(byte..).next();
            let distance = |start: usize| start.abs_diff(byte);
            let nearest = before.into_iter().chain(after).map(|(&start, _)| start);
            nearest.min_by_key(|&start| distance(start)).filter(|&start| distance(start) <= within)
        })?;
        self.position = found.range.end;
        Some(found)
    }

    /// Takes an occurrence that `choose` picks, from the best kind that has one.
    fn take(
        &mut self,
        surface: &str,
        choose: impl Fn(&BTreeMap<usize, usize>) -> Option<usize>,
    ) -> Option<Found> {
        let surface = surface.trim();
        if surface.is_empty() {
            return None;
        }
        if !self.occurrences.contains_key(surface) {
            self.occurrences.insert(surface.to_owned(), Occurrences::of(surface, self.text));
        }
        let known = self.occurrences.get_mut(surface)?;
        for free in [&mut known.words, &mut known.inside_words] {
            if let Some(range) = take_free(free, &mut self.taken, &choose) {
                return Some(Found { range, exact: true });
            }
        }
        let (text, folded) = (self.text, &self.folded);
        let similar = known.similar.get_or_insert_with(|| {
            let mut all = folded.get_or_init(|| Folded::new(text)).occurrences(surface, text);
            all.retain(|&start, &mut end| &text[start..end] != surface);
            all
        });
        let range = take_free(similar, &mut self.taken, &choose)?;
        Some(Found { range, exact: false })
    }
}

/// Takes the chosen occurrence, unless it was taken under another spelling.
fn take_free(
    free: &mut BTreeMap<usize, usize>,
    taken: &mut HashSet<Range<usize>>,
    choose: impl Fn(&BTreeMap<usize, usize>) -> Option<usize>,
) -> Option<Range<usize>> {
    loop {
        let start = choose(free)?;
        let end = free.remove(&start)?;
        if taken.insert(start..end) {
            return Some(start..end);
        }
    }
}

impl Occurrences {
    fn of(surface: &str, text: &str) -> Occurrences {
        let mut found = Occurrences::default();
        let finder = memchr::memmem::Finder::new(surface);
        // Occurrences may overlap, so the search goes on one character later.
        let mut from = 0;
        while let Some(at) = finder.find(&text.as_bytes()[from..]) {
            let start = from + at;
            let end = start + surface.len();
            let kind = match is_whole(text, start, end) {
                true => &mut found.words,
                false => &mut found.inside_words,
            };
            kind.insert(start, end);
            if found.words.len() + found.inside_words.len() >= REMEMBERED {
                break;
            }
            from = start + text[start..].chars().next().map_or(1, char::len_utf8);
        }
        found
    }
}

/// Whether two names are spelled alike: at least half of their pairs of letters
/// are the same, whatever their case.
pub(crate) fn are_alike(a: &str, b: &str) -> bool {
    let pairs = |text: &str| {
        let letters: Vec<char> = fold::fold(text).chars().take(LONGEST_NAME).collect();
        let mut counts: HashMap<(char, char), usize> = HashMap::new();
        for pair in letters.windows(2) {
            *counts.entry((pair[0], pair[1])).or_default() += 1;
        }
        counts
    };
    let (a, b) = (pairs(a), pairs(b));
    let total = a.values().sum::<usize>() + b.values().sum::<usize>();
    let shared = a.iter().map(|(pair, &count)| count.min(b.get(pair).copied().unwrap_or(0)));
    total > 0 && 4 * shared.sum::<usize>() >= total
}

/// Names longer than this are compared by their beginnings.
const LONGEST_NAME: usize = 1000;

/// Whether a stretch of a text neither begins nor ends inside a word.
fn is_whole(text: &str, start: usize, end: usize) -> bool {
    !joined(text, start) && !joined(text, end)
}

fn joined(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at..].chars().next();
    matches!((before, after), (Some(before), Some(after)) if
        before.is_alphanumeric() && after.is_alphanumeric() && !(is_unspaced(before) || is_unspaced(after)))
}

/// Whether a character belongs to a script that is written without spaces
/// between words, or with particles joined to them.
fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character),
        0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x3400..=0x9fff
        | 0xac00..=0xd7af | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn next_of(text: &str, surfaces: &[&str]) -> Vec<Option<(usize, bool)>> {
        let mut aligner = Aligner::new(text);
        let found = surfaces.iter().map(|surface| aligner.next(surface));
        found.map(|found| found.map(|f| (f.range.start, f.exact))).collect()
    }

    #[test]
    fn repeated_forms_are_assigned_from_left_to_right() {
        let text = "Berlin, Paris, Berlin and Paris";
        let found = next_of(text, &["Berlin", "Paris", "Berlin", "Paris", "Berlin"]);
        assert_eq!(
            found,
            [Some((0, true)), Some((8, true)), Some((15, true)), Some((26, true)), None]
        );
    }

    #[test]
    fn a_list_out_of_order_is_found_from_the_start() {
        let found = next_of("Ann met Bob", &["Bob", "Ann"]);
        assert_eq!(found, [Some((8, true)), Some((0, true))]);
    }

    #[test]
    fn whole_words_come_first() {
        assert_eq!(next_of("USA and US", &["US", "US"]), [Some((8, true)), Some((0, true))]);
        assert_eq!(next_of("東京都と東京", &["東京"]), [Some((0, true))]);
        assert_eq!(next_of("New York, York", &["New York", "York"])[1], Some((10, true)));
    }

    #[test]
    fn similar_forms_come_last() {
        let text = "The O’Neill–Smith\n  GROUP of berlin";
        let found = next_of(text, &["O'Neill-Smith Group", "Berlin", "Hamburg", " "]);
        assert_eq!(found, [Some((4, false)), Some((33, false)), None, None]);
        assert_eq!(next_of("Bonn", &["Bonn", "BONN"])[1], None, "a place is taken only once");
        assert_eq!(next_of("house", &["US"]), [None], "similar forms must be whole words");
    }

    #[test]
    fn spellings_are_compared() {
        for (a, b, alike) in [
            ("Beijing", "Bejing", true),
            ("UNITED Nations", "united nation", true),
            ("Berlin", "the", false),
            ("Q", "Q", false),
            ("", "", false),
        ] {
            assert_eq!(are_alike(a, b), alike, "{a} {b}");
        }
    }

    #[test]
    fn the_nearest_is_chosen() {
        let mut aligner = Aligner::new("Berlinreise, Berlin");
        assert_eq!(aligner.near("Berlin", 0, 99).map(|f| f.range), Some(0..6));
        let mut aligner = Aligner::new("a b a b a");
        assert_eq!(aligner.near("a", 5, 9).map(|f| f.range), Some(4..5));
        assert_eq!(aligner.near("a", 5, 9).map(|f| f.range), Some(8..9));
        assert_eq!(aligner.near("a", 5, 2).map(|f| f.range), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn words_of_a_text_are_found_in_their_order(
            words in prop::collection::vec("[ab\u{e9}😀\u{301}]{1,3}", 1..20),
            wanted in prop::collection::vec(any::<bool>(), 20),
        ) {
            let text = words.join(" ");
            let mut aligner = Aligner::new(&text);
            let mut start = 0;
            for (word, wanted) in words.iter().zip(wanted) {
                if wanted && word.chars().any(|c| !c.is_whitespace()) {
                    let found = aligner.next(word).unwrap();
                    prop_assert!(found.exact && found.range.start <= start);
                    prop_assert_eq!(&text[found.range], word.as_str());
                }
                start += word.len() + 1;
            }
        }

        #[test]
        fn any_part_of_a_text_is_found(text in "\\PC{1,40}", from in 0usize..40, len in 1usize..10) {
            let part: String = text.chars().skip(from).take(len).collect();
            let part = part.trim();
            prop_assume!(!part.is_empty());
            let found = Aligner::new(&text).next(part).unwrap();
            prop_assert_eq!(&text[found.range], part);
        }

        #[test]
        fn nothing_panics(text in any::<String>(), surfaces in prop::collection::vec(any::<String>(), 0..5), at in 0usize..99) {
            let mut aligner = Aligner::new(&text);
            for surface in &surfaces {
                for found in [aligner.next(surface), aligner.near(surface, at, 9)].into_iter().flatten() {
                    prop_assert!(text.get(found.range).is_some());
                }
            }
        }
    }
}
