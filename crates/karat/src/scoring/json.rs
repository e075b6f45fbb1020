//! Rows as JSON, with the signatures of their numbers.

use karat_measures::Signature;
use karat_report::Table;
use serde_json::{Value, json};

/// The rows of a table with the signatures of their numbers, one for each benchmark.
pub fn rows(table: &Table, signatures: &[String]) -> Value {
    document("rows", table.json(), signatures)
}

/// Anything with the signatures of its numbers, under a key.
pub fn document(key: &str, content: Value, signatures: &[String]) -> Value {
    let mut object = json!({
        "karat": env!("CARGO_PKG_VERSION"),
        "signature": signature_of(signatures),
    });
    object[key] = content;
    if signatures.len() > 1 {
        object["signatures"] = signatures.into();
    }
    object
}

/// The one signature of numbers that have these.
pub(crate) fn signature_of(signatures: &[String]) -> String {
    let parsed: Result<Vec<Signature>, _> = signatures.iter().map(|one| one.parse()).collect();
    match parsed {
        Ok(all) => Signature::together(&all).to_string(),
        // A signature that is no signature can only come from a record that somebody edited.
        Err(_) => signatures.first().cloned().unwrap_or_default(),
    }
}
