//! Finding mentions in a text that come without offsets.
//!
//! [`Aligner`] finds surface forms in a text, each occurrence once and from left
//! to right. [`Correspondence`] says which place of a text belongs to a place of
//! an edited copy of it, so that words a copyist dropped, added or changed do not
//! shift what comes after. Both take time about linear in the texts; a surface form
//! that does not occur as whole words costs a search through the text, up to a limit.

mod correspondence;
mod fold;
mod words;

pub(crate) use correspondence::Correspondence;

use fold::Folded;
use karat_model::{Span, TextIndex};
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use words::{is_whole, joined, words};

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
    /// Where each word of the text stands.
    starts: OnceCell<HashMap<&'t str, Vec<usize>>>,
    /// How many bytes were searched for forms that are not there as whole words.
    searched: usize,
}

/// Places surface forms that come without offsets, in their order: for each its span in code points and whether the text says
/// exactly the same there; `None` for one that the text does not have.
///
/// ```
/// use karat_formats::place_surfaces;
/// use karat_model::Span;
///
/// let placed = place_surfaces("Bern, not bern", &["Bern", "Bern", "Basel"]);
/// assert_eq!(placed, [Some((Span::new(0, 4), true)), Some((Span::new(10, 14), false)), None]);
/// ```
pub fn place_surfaces(text: &str, surfaces: &[&str]) -> Vec<Option<(Span, bool)>> {
    let index = TextIndex::new(text);
    let mut aligner = Aligner::new(text);
    let placed = surfaces.iter().map(|surface| {
        let found = aligner.next(surface)?;
        let start = index.position_of_byte(found.range.start)?;
        let end = index.position_of_byte(found.range.end)?;
        Some((Span::new(start, end), found.exact))
    });
    placed.collect()
}

/// The occurrences of one surface form that are still free: start to end.
#[derive(Debug, Default)]
struct Occurrences {
    words: BTreeMap<usize, usize>,
    /// Made when needed, as is what follows.
    inside_words: Option<BTreeMap<usize, usize>>,
    /// The same but for case, spaces, quotes and dashes.
    similar: Option<BTreeMap<usize, usize>>,
}

/// More occurrences of one surface form than this are not remembered.
const REMEMBERED: usize = 100_000;
/// After this many bytes only whole words are found: thousands of different
/// forms that are not in a long text are no answer worth the time.
const ENOUGH: usize = 4 << 30;

impl<'t> Aligner<'t> {
    pub(crate) fn new(text: &'t str) -> Aligner<'t> {
        Aligner {
            text,
            folded: OnceCell::new(),
            position: 0,
            occurrences: HashMap::new(),
            taken: HashSet::new(),
            starts: OnceCell::new(),
            searched: 0,
        }
    }

    /// The next free occurrence after the last mention; failing that, the first
    /// free one of the text. Whole words are preferred to parts of words, and
    /// exact occurrences to similar ones.
    pub(crate) fn next(&mut self, surface: &str) -> Option<Found> {
        let found = self.take(surface.trim())?;
        self.position = found.range.end;
        Some(found)
    }

    /// The free occurrence nearest to a byte, at most `within` bytes away. One that
    /// starts right there is taken even inside a word.
    pub(crate) fn near(&mut self, surface: &str, byte: usize, within: usize) -> Option<Found> {
        if surface.trim().is_empty() {
            return None;
        }
        let here = byte..byte.saturating_add(surface.len());
        if self.text.get(here.clone()) == Some(surface) && self.taken.insert(here.clone()) {
            self.position = here.end;
            return Some(Found { range: here, exact: true });
        }
        // A window around the place, so that the cost of one mention does not depend on the length
        // of the text.
        let window = window(self.text, byte, within.saturating_add(surface.len()));
        for (mut ranges, exact) in self.kinds(surface.trim(), window) {
            ranges.retain(|range| range.start.abs_diff(byte) <= within);
            ranges.sort_by_key(|range| range.start.abs_diff(byte));
            if let Some(range) = ranges.into_iter().find(|range| self.taken.insert(range.clone())) {
                self.position = range.end;
                return Some(Found { range, exact });
            }
        }
        None
    }

    /// The occurrences in a part of the text: whole words, parts of words and
    /// similar forms, and whether these are exact.
    fn kinds(&self, surface: &str, window: Range<usize>) -> [(Vec<Range<usize>>, bool); 3] {
        let (text, part) = (self.text, &self.text[window.clone()]);
        let shifted = |(start, end): (usize, usize)| start + window.start..end + window.start;
        let is_whole = |range: &Range<usize>| is_whole(text, range.start, range.end);
        let (whole, inside) = occurrences(surface, part).map(shifted).partition(is_whole);
        let similar = Folded::new(part).occurrences(surface, part).into_iter().map(shifted);
        let similar = similar.filter(|range| is_whole(range) && &text[range.clone()] != surface);
        [(whole, true), (inside, true), (similar.collect(), false)]
    }

    /// Takes the next occurrence of the best kind that has one.
    fn take(&mut self, surface: &str) -> Option<Found> {
        let position = self.position;
        if surface.is_empty() {
            return None;
        }
        if !self.occurrences.contains_key(surface) {
            let occurrences =
                Occurrences { words: self.whole_words(surface), ..Occurrences::default() };
            self.occurrences.insert(surface.to_owned(), occurrences);
        }
        let known = self.occurrences.get_mut(surface)?;
        if let Some(range) = take_free(&mut known.words, &mut self.taken, position) {
            return Some(Found { range, exact: true });
        }
        let text = self.text;
        if known.inside_words.is_none() {
            // Two searches through the whole text, for this one form.
            // Mentions that are no whole words are rare in honest files. A hostile one could ask
            // for millions of searches through a long text.
            self.searched = self.searched.saturating_add(2 * text.len());
            if self.searched > ENOUGH {
                return None;
            }
        }
        let inside = known.inside_words.get_or_insert_with(|| inside_words(surface, text));
        if let Some(range) = take_free(inside, &mut self.taken, position) {
            return Some(Found { range, exact: true });
        }
        let folded = &self.folded;
        let similar = known.similar.get_or_insert_with(|| {
            let mut all = folded.get_or_init(|| Folded::new(text)).occurrences(surface, text);
            all.retain(|&start, &mut end| &text[start..end] != surface);
            all
        });
        let range = take_free(similar, &mut self.taken, position)?;
        Some(Found { range, exact: false })
    }

    /// Where a surface form stands as whole words: begins where its first word does.
    fn whole_words(&self, surface: &str) -> BTreeMap<usize, usize> {
        let text = self.text;
        let starts = self.starts.get_or_init(|| {
            let mut starts: HashMap<&str, Vec<usize>> = HashMap::new();
            for word in words(text) {
                starts.entry(&text[word.clone()]).or_default().push(word.start);
            }
            starts
        });
        let first = words(surface).into_iter().next().and_then(|word| surface.get(word));
        let starts = first.and_then(|word| starts.get(word)).into_iter().flatten().copied();
        let ends = starts.map(|start| (start, start + surface.len()));
        ends.filter(|&(start, end)| text.get(start..end) == Some(surface) && !joined(text, end))
            .take(REMEMBERED)
            .collect()
    }
}

/// Takes the first occurrence from a position on, else the first of all, that was
/// not taken under another spelling.
fn take_free(
    free: &mut BTreeMap<usize, usize>,
    taken: &mut HashSet<Range<usize>>,
    position: usize,
) -> Option<Range<usize>> {
    loop {
        let after = free.range(position..).next();
        let (&start, &end) = after.or_else(|| free.first_key_value())?;
        free.remove(&start);
        if taken.insert(start..end) {
            return Some(start..end);
        }
    }
}

/// Where a surface form begins or ends inside a word.
fn inside_words(surface: &str, text: &str) -> BTreeMap<usize, usize> {
    let inside = occurrences(surface, text).filter(|&(start, end)| !is_whole(text, start, end));
    inside.take(REMEMBERED).collect()
}

/// All occurrences, also those that overlap.
fn occurrences<'a>(surface: &'a str, text: &'a str) -> impl Iterator<Item = (usize, usize)> + 'a {
    let finder = memchr::memmem::Finder::new(surface);
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + finder.find(text.as_bytes().get(from..)?)?;
        // One character further and not one whole occurrence: occurrences may overlap.
        from = start + text[start..].chars().next().map_or(1, char::len_utf8);
        Some((start, start + surface.len()))
    })
}

/// The part of a text around a byte, cut between characters.
fn window(text: &str, byte: usize, around: usize) -> Range<usize> {
    let mut start = byte.saturating_sub(around).min(text.len());
    let mut end = byte.saturating_add(around).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// Whether two strings are the same but for case, white space, quotes and dashes, and say anything at all.
pub(crate) fn folded_alike(a: &str, b: &str) -> bool {
    let (a, b) = (fold::fold(a), fold::fold(b));
    !a.trim().is_empty() && a.trim() == b.trim()
}

/// Where a surface form stands as whole words in a text, but for case, white space, quotes and dashes.
pub(crate) fn folded_occurrences(text: &str, surface: &str) -> BTreeMap<usize, usize> {
    Folded::new(text).occurrences(surface, text)
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
