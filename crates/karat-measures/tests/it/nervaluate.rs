//! Counts of nervaluate.
//!
//! The table was made with nervaluate 1.2.1 on forty random documents (`Evaluator` with
//! the dict loader, both sides sorted by start, end and label): gold, predictions, least
//! overlap in per cent, then correct, incorrect, partial, missed and spurious for the
//! schemes strict, exact, partial and type. Spans are given half-open here; nervaluate
//! was given the last position.

use crate::support::{counts, evaluation, score};
use karat_model::{Corpus, CorpusBuilder, Link, Span};

const SCHEMES: [&str; 4] = ["strict", "exact", "partial", "type"];

/// Gold, predictions, least overlap, and five counts for each scheme.
type Row = (&'static str, &'static str, u32, [[u32; 5]; 4]);

#[rustfmt::skip]
const TABLE: &[Row] = &[
    ("", "9-14P 12-17O", 1, [[0, 0, 0, 0, 2], [0, 0, 0, 0, 2], [0, 0, 0, 0, 2], [0, 0, 0, 0, 2]]),
    ("1-4L 5-8P 7-9L", "1-7O 9-15O 12-15L", 25, [[0, 1, 0, 2, 2], [0, 1, 0, 2, 2], [0, 0, 1, 2, 2], [0, 1, 0, 2, 2]]),
    ("1-3L 5-8L 9-13P", "1-6L 5-10O 6-9O 10-16P", 1, [[0, 3, 0, 0, 1], [0, 3, 0, 0, 1], [0, 0, 3, 0, 1], [2, 1, 0, 0, 1]]),
    ("5-10P", "5-7O 11-17P 12-14P", 1, [[0, 1, 0, 0, 2], [0, 1, 0, 0, 2], [0, 0, 1, 0, 2], [0, 1, 0, 0, 2]]),
    ("3-9O 7-9O 11-12P", "", 100, [[0, 0, 0, 3, 0], [0, 0, 0, 3, 0], [0, 0, 0, 3, 0], [0, 0, 0, 3, 0]]),
    ("0-2P 2-3O 3-7P 8-14O 10-11P", "", 100, [[0, 0, 0, 5, 0], [0, 0, 0, 5, 0], [0, 0, 0, 5, 0], [0, 0, 0, 5, 0]]),
    ("", "1-2L 1-2O 9-15P", 75, [[0, 0, 0, 0, 3], [0, 0, 0, 0, 3], [0, 0, 0, 0, 3], [0, 0, 0, 0, 3]]),
    ("2-7O 9-12L 10-15L 10-15O 11-12L", "7-13O 8-14P 13-18L 13-18O", 100, [[0, 2, 0, 3, 2], [0, 2, 0, 3, 2], [0, 0, 2, 3, 2], [0, 2, 0, 3, 2]]),
    ("3-8P 13-18O", "3-4O 6-9L 11-13L 11-16L", 1, [[0, 2, 0, 0, 2], [0, 2, 0, 0, 2], [0, 0, 2, 0, 2], [0, 2, 0, 0, 2]]),
    ("2-8L 11-13L", "0-5L 4-8O 5-7O 11-16O 11-17O", 25, [[0, 2, 0, 0, 3], [0, 2, 0, 0, 3], [0, 0, 2, 0, 3], [1, 1, 0, 0, 3]]),
    ("2-5P 3-6L 7-12P 9-10O", "2-7L 12-18O", 75, [[0, 1, 0, 3, 1], [0, 1, 0, 3, 1], [0, 0, 1, 3, 1], [1, 0, 0, 3, 1]]),
    ("2-8P 9-15L 11-14P", "3-5P 14-16P", 50, [[0, 0, 0, 3, 2], [0, 0, 0, 3, 2], [0, 0, 0, 3, 2], [0, 0, 0, 3, 2]]),
    ("1-7O 5-7O 11-16P 13-14L 13-17O", "13-17O 14-16O", 1, [[1, 1, 0, 3, 0], [1, 1, 0, 3, 0], [1, 0, 1, 3, 0], [1, 1, 0, 3, 0]]),
    ("8-9P 9-11L 10-12P 14-20P", "10-13L 14-15P", 1, [[0, 2, 0, 2, 0], [0, 2, 0, 2, 0], [0, 0, 2, 2, 0], [2, 0, 0, 2, 0]]),
    ("", "1-4O 2-4L 2-7O 5-8L 5-10P", 100, [[0, 0, 0, 0, 5], [0, 0, 0, 0, 5], [0, 0, 0, 0, 5], [0, 0, 0, 0, 5]]),
    ("1-6L 9-13P 12-14O 14-17O", "6-7L 6-11O 10-16L 11-12L 12-13L", 25, [[0, 2, 0, 2, 3], [0, 2, 0, 2, 3], [0, 0, 2, 2, 3], [0, 2, 0, 2, 3]]),
    ("0-5P 13-19L", "", 25, [[0, 0, 0, 2, 0], [0, 0, 0, 2, 0], [0, 0, 0, 2, 0], [0, 0, 0, 2, 0]]),
    ("2-7P 11-15L 14-16L", "8-11P 10-13P", 1, [[0, 1, 0, 2, 1], [0, 1, 0, 2, 1], [0, 0, 1, 2, 1], [0, 1, 0, 2, 1]]),
    ("2-3P 2-7P 11-13L 13-15P 13-19O", "", 50, [[0, 0, 0, 5, 0], [0, 0, 0, 5, 0], [0, 0, 0, 5, 0], [0, 0, 0, 5, 0]]),
    ("1-3O 5-7O 7-12P", "7-12O", 75, [[0, 1, 0, 2, 0], [1, 0, 0, 2, 0], [1, 0, 0, 2, 0], [0, 1, 0, 2, 0]]),
    ("0-6O 1-4O 12-13P 13-16O", "1-2O 7-8P 11-12O", 25, [[0, 1, 0, 3, 2], [0, 1, 0, 3, 2], [0, 0, 1, 3, 2], [1, 0, 0, 3, 2]]),
    ("13-18P", "4-5P 10-15P", 1, [[0, 1, 0, 0, 1], [0, 1, 0, 0, 1], [0, 0, 1, 0, 1], [1, 0, 0, 0, 1]]),
    ("0-5O 1-7O 2-8O 6-7O", "5-7O 13-19P 14-15O 14-20L", 25, [[0, 1, 0, 3, 3], [0, 1, 0, 3, 3], [0, 0, 1, 3, 3], [1, 0, 0, 3, 3]]),
    ("5-9P 13-19P", "0-6L 1-2P 4-5L 4-8O", 1, [[0, 1, 0, 1, 3], [0, 1, 0, 1, 3], [0, 0, 1, 1, 3], [0, 1, 0, 1, 3]]),
    ("1-3L 2-7L 3-5P 9-12P", "12-16O 12-18L", 25, [[0, 0, 0, 4, 2], [0, 0, 0, 4, 2], [0, 0, 0, 4, 2], [0, 0, 0, 4, 2]]),
    ("3-4P 3-5O 6-9O 11-17L", "", 100, [[0, 0, 0, 4, 0], [0, 0, 0, 4, 0], [0, 0, 0, 4, 0], [0, 0, 0, 4, 0]]),
    ("5-9P 6-7O 9-10P 14-19L", "11-17P", 1, [[0, 1, 0, 3, 0], [0, 1, 0, 3, 0], [0, 0, 1, 3, 0], [0, 1, 0, 3, 0]]),
    ("10-12P", "0-4O 1-5L 7-13P 11-16P", 1, [[0, 1, 0, 0, 3], [0, 1, 0, 0, 3], [0, 0, 1, 0, 3], [1, 0, 0, 0, 3]]),
    ("1-5O 4-7P 7-12O 14-17L", "2-8L 3-9L 7-13L", 1, [[0, 3, 0, 1, 0], [0, 3, 0, 1, 0], [0, 0, 3, 1, 0], [0, 3, 0, 1, 0]]),
    ("0-1P 1-2L 5-9O 10-14L 12-14O", "0-3P 7-9O", 75, [[0, 1, 0, 4, 1], [0, 1, 0, 4, 1], [0, 0, 1, 4, 1], [1, 0, 0, 4, 1]]),
    ("0-3L 4-6L", "0-2L 0-3P", 25, [[0, 1, 0, 1, 1], [0, 1, 0, 1, 1], [0, 0, 1, 1, 1], [1, 0, 0, 1, 1]]),
    ("1-6O 9-12P 9-13O 11-12O", "14-17P", 75, [[0, 0, 0, 4, 1], [0, 0, 0, 4, 1], [0, 0, 0, 4, 1], [0, 0, 0, 4, 1]]),
    ("0-3L 7-8L", "1-5O 2-6L 9-10L", 1, [[0, 1, 0, 1, 2], [0, 1, 0, 1, 2], [0, 0, 1, 1, 2], [0, 1, 0, 1, 2]]),
    ("3-4L 7-12P 11-13L 12-16O", "", 50, [[0, 0, 0, 4, 0], [0, 0, 0, 4, 0], [0, 0, 0, 4, 0], [0, 0, 0, 4, 0]]),
    ("1-6L 6-8P", "8-9L", 1, [[0, 0, 0, 2, 1], [0, 0, 0, 2, 1], [0, 0, 0, 2, 1], [0, 0, 0, 2, 1]]),
    ("", "5-7P 5-8L 9-13L 11-15L", 25, [[0, 0, 0, 0, 4], [0, 0, 0, 0, 4], [0, 0, 0, 0, 4], [0, 0, 0, 0, 4]]),
    ("6-9L 7-11O 10-14L 13-14O 14-20O", "1-2O 5-6L 8-14L 12-14L", 1, [[0, 2, 0, 3, 2], [0, 2, 0, 3, 2], [0, 0, 2, 3, 2], [1, 1, 0, 3, 2]]),
    ("0-5P", "8-9O", 1, [[0, 0, 0, 1, 1], [0, 0, 0, 1, 1], [0, 0, 0, 1, 1], [0, 0, 0, 1, 1]]),
    ("0-1L 0-2P 13-18P 14-20P", "0-2O 7-10L 11-12L 11-14L", 50, [[0, 1, 0, 3, 3], [1, 0, 0, 3, 3], [1, 0, 0, 3, 3], [0, 1, 0, 3, 3]]),
    ("", "5-6L 12-13L", 25, [[0, 0, 0, 0, 2], [0, 0, 0, 0, 2], [0, 0, 0, 0, 2], [0, 0, 0, 0, 2]]),
];

/// Mentions such as `3-9P`: start, end, type.
fn document(mentions: &str) -> Corpus {
    let mut builder = CorpusBuilder::new();
    builder.continue_document("d");
    for mention in mentions.split_whitespace() {
        let (span, kind) = mention.split_at(mention.len() - 1);
        let (start, end) = span.split_once('-').unwrap();
        let span = Span::new(start.parse().unwrap(), end.parse().unwrap());
        builder.annotate(span, Link::NONE).types([kind]);
    }
    builder.finish()
}

#[test]
fn counts_are_those_of_nervaluate() {
    for (gold, system, least, expected) in TABLE {
        let (gold, system) = (document(gold), document(system));
        for (scheme, [correct, incorrect, partial, missed, spurious]) in
            SCHEMES.iter().zip(expected)
        {
            let measure = format!("nervaluate(scheme={scheme},min-overlap={least})");
            let possible = correct + incorrect + partial + missed;
            let actual = correct + incorrect + partial + spurious;
            let row = [correct, incorrect, partial, missed, spurious, &possible, &actual];
            let row: Vec<f64> = row.map(|&count| f64::from(count)).to_vec();
            assert_eq!(
                counts(&gold, &system, "karat", &measure),
                row,
                "{gold:?} {system:?} {measure}"
            );
        }
    }
}

#[test]
fn a_partial_match_is_worth_half() {
    let (gold, system) = (document("0-4P 6-9L"), document("0-4P 6-8L 20-22O"));
    let partial = |name| score(&gold, &system, "karat", "nervaluate(scheme=partial)", name);
    assert_eq!(partial("precision"), Some(1.5 / 3.0));
    assert_eq!(partial("recall"), Some(1.5 / 2.0));
    let strict = |name| score(&gold, &system, "karat", "nervaluate", name);
    assert_eq!(strict("precision"), Some(1.0 / 3.0), "strict is the default");
}

#[test]
fn the_order_of_the_file_does_not_matter() {
    let gold = document("0-4P 2-6L 5-9P");
    let one = document("0-5P 3-7L 1-4L");
    let other = document("1-4L 3-7L 0-5P");
    for scheme in SCHEMES {
        let measure = format!("nervaluate(scheme={scheme})");
        let count = |system| counts(&gold, system, "karat", &measure);
        assert_eq!(count(&one), count(&other), "{scheme}");
    }
}

#[test]
fn parameters_are_checked() {
    let document = document("0-4P");
    for wrong in
        ["nervaluate(scheme=loose)", "nervaluate(min-overlap=0)", "nervaluate(min-overlap=x)"]
    {
        assert!(evaluation(&document, &document, "karat", &[wrong]).is_err(), "{wrong}");
    }
}
