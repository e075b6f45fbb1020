//! Which words of a copy are which words of the original.

use super::fold::fold;
use super::words::words;
use std::collections::HashMap;
use std::ops::Range;

/// The places of an original that belong to places of an edited copy.
#[derive(Debug)]
pub(crate) struct Correspondence {
    copy: Vec<Range<usize>>,
    original: Vec<Range<usize>>,
    /// For each word of the copy, its word of the original; rising.
    partner: Vec<Option<usize>>,
    /// The words of the copy that have one, with it.
    paired: Vec<(usize, usize)>,
    length: usize,
}

/// How far apart two texts may drift before the next common words are looked up
/// in an index of the whole original.
const WINDOW: usize = 24;
/// This many equal words in a row are no accident.
const RUN: usize = 3;

impl Correspondence {
    /// Compares a copy with its original, word by word from left to right.
    pub(crate) fn between(copy: &str, original: &str) -> Correspondence {
        let (copy_words, original_words) = (words(copy), words(original));
        let mut ids = HashMap::new();
        let a = numbered(copy, &copy_words, &mut ids);
        let b = numbered(original, &original_words, &mut ids);
        let partner = pair(&a, &b);
        let paired = partner.iter().enumerate();
        Correspondence {
            paired: paired.filter_map(|(mine, theirs)| Some((mine, (*theirs)?))).collect(),
            partner,
            copy: copy_words,
            original: original_words,
            length: original.len(),
        }
    }

    /// About where in the original a byte of the copy belongs.
    pub(crate) fn position(&self, byte: usize) -> usize {
        let word = self.copy.partition_point(|word| word.end <= byte);
        let next = self.paired.partition_point(|&(mine, _)| mine < word);
        let after = self.paired.get(next).copied();
        let before = next.checked_sub(1).map(|last| self.paired[last]);
        let shift = |(mine, theirs): (usize, usize)| {
            let (mine, theirs) = (self.copy[mine].start, self.original[theirs].start);
            (theirs + byte).saturating_sub(mine).min(self.length)
        };
        match (before, after) {
            (Some(before), Some(after)) if word - before.0 <= after.0 - word => shift(before),
            (_, Some(after)) => shift(after),
            (Some(before), None) => shift(before),
            (None, None) => byte.min(self.length),
        }
    }

    /// The words of the original that a changed stretch of the copy replaces: what
    /// lies between the partners of its neighbours, if it is about as long.
    pub(crate) fn replaced(&self, range: Range<usize>) -> Option<Range<usize>> {
        let first = self.copy.partition_point(|word| word.end <= range.start);
        let after = self.copy.partition_point(|word| word.start < range.end);
        let from = match first.checked_sub(1) {
            Some(before) => self.partner.get(before).copied()?? + 1,
            None => 0,
        };
        let to = match self.partner.get(after) {
            Some(partner) => (*partner)?,
            None => self.original.len(),
        };
        let wanted = after.checked_sub(first)?;
        let count = to.checked_sub(from)?;
        if count == 0 || count > wanted + 1 {
            return None;
        }
        Some(self.original.get(from)?.start..self.original.get(to - 1)?.end)
    }
}

/// The words as numbers, equal for words that differ in case or quotes only.
fn numbered(text: &str, words: &[Range<usize>], ids: &mut HashMap<String, u32>) -> Vec<u32> {
    let mut number = |word: &Range<usize>| {
        let next = ids.len() as u32;
        *ids.entry(fold(&text[word.clone()])).or_insert(next)
    };
    words.iter().map(&mut number).collect()
}

/// Pairs equal words greedily. Where the two differ, the nearest place where
/// they agree again is looked for in a window, then in an index.
fn pair(a: &[u32], b: &[u32]) -> Vec<Option<usize>> {
    let mut partner = vec![None; a.len()];
    let mut runs: Option<HashMap<&[u32], Vec<usize>>> = None;
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            partner[i] = Some(j);
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let next = in_window(&a[i..], &b[j..]).map(|(skip, miss)| (i + skip, j + miss));
        let next = next.or_else(|| {
            // Built only when two texts drift apart by more than the window.
            let runs = runs.get_or_insert_with(|| index(b));
            in_index(a, i, j, runs)
        });
        match next {
            Some(next) => (i, j) = next,
            None => break,
        }
    }
    partner
}

/// The smallest step after which the two agree for a run of words.
fn in_window(a: &[u32], b: &[u32]) -> Option<(usize, usize)> {
    for step in 1..=2 * WINDOW {
        // Small steps first, so that a dropped word does not skip to a later repetition of the same
        // words.
        for skip in step.saturating_sub(WINDOW)..=step.min(WINDOW) {
            let miss = step - skip;
            let (Some(rest_a), Some(rest_b)) = (a.get(skip..), b.get(miss..)) else { continue };
            // At the end of a text fewer words have to do.
            let run = RUN.min(rest_a.len()).min(rest_b.len());
            if run > 0 && rest_a[..run] == rest_b[..run] {
                return Some((skip, miss));
            }
        }
    }
    None
}

fn index(b: &[u32]) -> HashMap<&[u32], Vec<usize>> {
    let mut runs: HashMap<&[u32], Vec<usize>> = HashMap::new();
    for (at, run) in b.windows(RUN).enumerate() {
        runs.entry(run).or_default().push(at);
    }
    runs
}

fn in_index(
    a: &[u32],
    i: usize,
    j: usize,
    runs: &HashMap<&[u32], Vec<usize>>,
) -> Option<(usize, usize)> {
    a[i..].windows(RUN).enumerate().find_map(|(skip, run)| {
        let places = runs.get(run)?;
        let place = places.get(places.partition_point(|&place| place < j))?;
        Some((i + skip, *place))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Where `word` of the copy lies in the original.
    fn place(copy: &str, original: &str, word: &str) -> usize {
        Correspondence::between(copy, original).position(copy.find(word).unwrap())
    }

    #[test]
    fn edits_do_not_shift_what_comes_after() {
        let original = "One two  three, “four” five six seven eight nine ten Berlin.";
        let berlin = original.find("Berlin").unwrap();
        for copy in [
            "One two three, \"four\" five six seven eight nine ten Berlin.",
            "One three, four five six seven eight nine ten Berlin.",
            "Here is the text: One two three, four five VI seven eight nine ten Berlin",
            "nine ten Berlin.",
            "One two three Berlin.",
        ] {
            assert_eq!(place(copy, original, "Berlin"), berlin, "{copy}");
        }
    }

    #[test]
    fn long_gaps_are_bridged() {
        let middle: String = (0..500).map(|i| format!("word{i} ")).collect();
        let original = format!("start here {middle}and then came Berlin again");
        let copy = "start here and then came Berlin again";
        assert_eq!(place(copy, &original, "Berlin"), original.find("Berlin").unwrap());
    }

    #[test]
    fn changed_words_are_known_by_their_neighbours() {
        let (copy, original) = ("he went to Beijing in May now", "he went to Bejing in May now");
        let at = copy.find("Beijing").unwrap();
        let found = Correspondence::between(copy, original).replaced(at..at + 7).unwrap();
        assert_eq!(&original[found], "Bejing");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_two_texts_can_be_compared(a in "[a-c \u{e9}😀]{0,60}", b in any::<String>(), c in "[a-c ]{0,60}") {
            for (copy, original) in [(&a, &b), (&a, &c), (&b, &a)] {
                let pairs = Correspondence::between(copy, original);
                for byte in 0..=copy.len() {
                    prop_assert!(pairs.position(byte) <= original.len());
                    if let Some(range) = pairs.replaced(byte..copy.len()) {
                        prop_assert!(original.get(range).is_some());
                    }
                }
            }
        }

        #[test]
        fn a_copy_is_its_own_original(text in any::<String>()) {
            let pairs = Correspondence::between(&text, &text);
            for byte in 0..=text.len() {
                prop_assert_eq!(pairs.position(byte), byte);
            }
        }
    }
}
