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
