//! The texts of the paper: vectors of each step, and all of AIDA testb to the offset.

use crate::data;
use karat_model::Span;
use karat_verify::chunking::{Chunking, chunk_of};
use serde_json::Value;

const FILE: &str = "posthoc/chunking_reference.json";

fn spans(flat: &Value) -> Vec<Span> {
    let numbers: Vec<u32> =
        flat.as_array().expect("a list").iter().map(|n| n.as_u64().expect("n") as u32).collect();
    numbers.chunks_exact(2).map(|pair| Span::new(pair[0], pair[1])).collect()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

#[test]
fn sentences_are_wrapped_and_merged() {
    let Some(file) = data::json(FILE) else { return };
    for vector in list(&file["wrapping"]["vectors"]) {
        let mut text = String::new();
        for run in list(&vector["text_rle"]) {
            let times = run[1].as_u64().expect("a count") as usize;
            text.push_str(&run[0].as_str().expect("a character").repeat(times));
        }
        let length = text.chars().count() as u32;
        // Each piece is a chunk where one character is enough.
        let alone = Chunking { enough: 1, ..Chunking::DING_2022 };
        let found = alone.chunks(&text, &[Span::new(0, length)]);
        let lengths: Vec<u64> = found.iter().map(|piece| u64::from(piece.len())).collect();
        let expected: Vec<u64> = list(&vector["pieces"]).iter().filter_map(Value::as_u64).collect();
        assert_eq!(lengths, expected);
    }
    for vector in list(&file["merging"]) {
        let found = Chunking::DING_2022.merged(&spans(&vector["pieces"]));
        assert_eq!(found, spans(&vector["chunks"]));
    }
}

#[test]
fn all_of_aida_testb() {
    let Some(file) = data::json(FILE) else { return };
    let (mut chunks, mut used, mut kept) = (0, 0, 0);
    for document in list(&file["documents"]["aida_testb"]) {
        let found = Chunking::DING_2022.merged(&spans(&document[0]));
        assert_eq!(found, spans(&document[2]));
        let mut places: Vec<usize> =
            spans(&document[1]).into_iter().filter_map(|span| chunk_of(&found, span)).collect();
        kept += places.len();
        places.dedup();
        used += places.len();
        chunks += found.len();
    }
    assert_eq!((chunks, used, kept), (681, 636, 4480));
}

/// Texts of words and white space of all kinds, some words longer than a line, with sentences that leave white space between
/// them: what the rules say holds of texts that nobody has looked at.
mod made_up {
    use super::*;
    use proptest::prelude::*;

    const LINE: u32 = 300;

    fn texts() -> impl Strategy<Value = (String, Vec<Span>)> {
        let word = prop_oneof![8 => "[a-zé🎈]{1,12}", 1 => "[a-z]{290,320}"];
        let space = prop_oneof![Just(" "), Just("\n"), Just("\u{a0}"), Just("  "), Just("\t ")];
        let sentence = prop::collection::vec((word, space), 1..60);
        prop::collection::vec((sentence, 0..3_usize), 0..14).prop_map(|sentences| {
            let (mut text, mut spans, mut at) = (String::new(), Vec::new(), 0);
            for (words, gap) in sentences {
                let start = at;
                for (number, (word, space)) in words.iter().enumerate() {
                    let space = if number + 1 < words.len() { *space } else { "" };
                    text += &format!("{word}{space}");
                    at += (word.chars().count() + space.chars().count()) as u32;
                }
                spans.push(Span::new(start, at));
                text += &" ".repeat(gap);
                at += gap as u32;
            }
            (text, spans)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn chunks_keep_the_rules((text, sentences) in texts()) {
            let alone = Chunking { enough: 1, least: 0, ..Chunking::DING_2022 };
            let pieces = alone.chunks(&text, &sentences);
            let characters: Vec<char> = text.chars().collect();
            // Pieces put together are the sentences, and only a word without a place to break is longer than a line.
            let covered = |spans: &[Span]| spans.iter().map(|span| span.len()).sum::<u32>();
            prop_assert_eq!(covered(&pieces), covered(&sentences));
            for piece in &pieces {
                let words = &characters[piece.start as usize..piece.end as usize];
                let breaks = words.iter().any(|c| matches!(c, ' ' | '\t' | '\n'));
                prop_assert!(piece.len() <= LINE || !breaks);
                prop_assert!(sentences.iter().any(|sentence| sentence.contains(*piece)));
            }

            let chunks = Chunking::DING_2022.chunks(&text, &sentences);
            prop_assert!(chunks.windows(2).all(|pair| pair[0].end <= pair[1].start));
            let mut rest = pieces.as_slice();
            for (at, chunk) in chunks.iter().enumerate() {
                let many = rest.iter().take_while(|piece| piece.end <= chunk.end).count();
                let (own, later) = rest.split_at(many);
                rest = later;
                prop_assert_eq!((own[0].start, own[many - 1].end), (chunk.start, chunk.end));
                // The first place where there was enough is its end, but for the last, which may take what was too short.
                let mut length = 0;
                let first = own.iter().position(|piece| { length += piece.len(); length >= LINE });
                let is_last = at + 1 == chunks.len();
                match first {
                    Some(place) if !is_last => prop_assert_eq!(place + 1, many),
                    Some(place) => prop_assert!(covered(&own[place + 1..]) < 100),
                    None => prop_assert!(is_last && covered(own) >= 100),
                }
            }
            prop_assert!(rest.is_empty() || chunks.is_empty() && covered(&pieces) < 100);
            let kept = Chunking::KARAT.chunks(&text, &sentences);
            prop_assert!(kept == chunks || chunks.is_empty() && kept.len() <= 1);
        }
    }
}
