//! spaCy's string store: strings are known by a number.

use std::collections::HashMap;

/// The strings of a file by their number.
pub(super) struct Strings<'f> {
    listed: HashMap<u64, &'f str>,
}

impl<'f> Strings<'f> {
    pub(super) fn new(strings: impl IntoIterator<Item = &'f str>) -> Strings<'f> {
        Strings { listed: strings.into_iter().map(|string| (number_of(string), string)).collect() }
    }

    /// The string behind a number; 0 is the empty string.
    pub(super) fn get(&self, number: u64) -> Option<&'f str> {
        match number {
            0 => Some(""),
            number => self.listed.get(&number).copied(),
        }
    }
}

/// Words that spaCy knows by a small number instead of their hash: the first
/// number and the names from there on. Names with a number of their own
/// (`FLAG19`, `DEPRECATED001`) are not listed.
const SYMBOLS: [(u64, &str); 3] = [
    (
        1,
        "IS_ALPHA IS_ASCII IS_DIGIT IS_LOWER IS_PUNCT IS_SPACE IS_TITLE IS_UPPER LIKE_URL LIKE_NUM LIKE_EMAIL \
         IS_STOP IS_OOV_DEPRECATED IS_BRACKET IS_QUOTE IS_LEFT_PUNCT IS_RIGHT_PUNCT IS_CURRENCY",
    ),
    (
        64,
        "ID ORTH LOWER NORM SHAPE PREFIX SUFFIX LENGTH CLUSTER LEMMA POS TAG DEP ENT_IOB ENT_TYPE HEAD SENT_START \
         SPACY PROB LANG ADJ ADP ADV AUX CONJ CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X EOL SPACE",
    ),
    (
        380,
        "PERSON NORP FACILITY ORG GPE LOC PRODUCT EVENT WORK_OF_ART LANGUAGE LAW DATE TIME PERCENT MONEY QUANTITY \
         ORDINAL CARDINAL acomp advcl advmod agent amod appos attr aux auxpass cc ccomp complm conj cop csubj \
         csubjpass dep det dobj expl hmod hyph infmod intj iobj mark meta neg nmod nn npadvmod nsubj nsubjpass num \
         number oprd obj obl parataxis partmod pcomp pobj poss possessive preconj prep prt punct quantmod relcl rcmod \
         root xcomp acl ENT_KB_ID MORPH ENT_ID IDX _",
    ),
];

fn number_of(string: &str) -> u64 {
    symbol(string).unwrap_or_else(|| hash(string.as_bytes()))
}

fn symbol(string: &str) -> Option<u64> {
    if string.is_empty() {
        return Some(0);
    }
    let counted = |prefix: &str, digits: usize, numbers: std::ops::RangeInclusive<u64>| {
        let number = string.strip_prefix(prefix).filter(|rest| rest.len() == digits)?;
        number.parse().ok().filter(|number| numbers.contains(number))
    };
    if let Some(flag) = counted("FLAG", 2, 19..=63) {
        return Some(flag);
    }
    if let Some(number) = counted("DEPRECATED", 3, 1..=276) {
        return Some(103 + number);
    }
    SYMBOLS.iter().find_map(|(first, names)| {
        let position = names.split_ascii_whitespace().position(|name| name == string)?;
        Some(first + position as u64)
    })
}

/// MurmurHash64A with the seed 1, which spaCy uses.
fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0xc6a4_a793_5bd1_e995;
    const SEED: u64 = 1;
    let mut state = SEED ^ (bytes.len() as u64).wrapping_mul(FACTOR);
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        let mut word = u64::from_le_bytes(*word).wrapping_mul(FACTOR);
        word ^= word >> 47;
        state = (state ^ word.wrapping_mul(FACTOR)).wrapping_mul(FACTOR);
    }
    if !rest.is_empty() {
        let tail = rest.iter().rev().fold(0, |tail, &byte| tail << 8 | u64::from(byte));
        state = (state ^ tail).wrapping_mul(FACTOR);
    }
    state = (state ^ (state >> 47)).wrapping_mul(FACTOR);
    state ^ (state >> 47)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_spacy() {
        for (string, number) in [
            ("Berlin", 14607853860610250682),
            ("Q64", 6937728387323579865),
            ("ä😀", 9160740704183212500),
            ("a longer string than 16 bytes", 4671374744527019748),
            ("12345678", 9871996032675327904),
            ("hello world", 2758594965276909933),
            ("case", 8110129090154140942),
            ("", 0),
            ("IS_ALPHA", 1),
            ("FLAG19", 19),
            ("ID", 64),
            ("SPACE", 103),
            ("DEPRECATED001", 104),
            ("PERSON", 380),
            ("ORG", 383),
            ("ENT_KB_ID", 452),
            ("_", 456),
        ] {
            assert_eq!(number_of(string), number, "{string}");
            assert_eq!(Strings::new([string]).get(number), Some(string));
        }
    }
}
