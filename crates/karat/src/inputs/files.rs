//! Requests about what is held in memory, as the same requests about files.

use super::{InputRequest, Inputs};
use crate::request::Request;
use serde_json::{Map, Value, json};

/// What a request names of what is held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldNames {
    /// Gold standards; there is at least one.
    pub gold: Vec<String>,
    /// The outputs of systems.
    pub systems: Vec<String>,
}

/// The same request about files, as a command line needs it; `files` says for what is held together where it was read
/// from, and how. `None` if the request cannot be written.
pub fn about_files<R: Request>(
    request: &R,
    files: impl Fn(&HeldNames) -> Option<Inputs>,
) -> Option<R> {
    let mut fields = serde_json::to_value(request).ok()?;
    name_files(&mut fields, &files);
    serde_json::from_value(fields).ok()
}

/// Requests differ in where their inputs are, and all of them write inputs in the same way, so that they are found in
/// what they write.
fn name_files(value: &mut Value, files: &impl Fn(&HeldNames) -> Option<Inputs>) {
    match value {
        Value::Object(fields) => match inputs_of(fields, files) {
            Some(inputs) => say(fields, inputs),
            None => fields.values_mut().for_each(|value| name_files(value, files)),
        },
        Value::Array(items) => items.iter_mut().for_each(|item| name_files(item, files)),
        _ => {}
    }
}

fn inputs_of(
    fields: &Map<String, Value>,
    files: &impl Fn(&HeldNames) -> Option<Inputs>,
) -> Option<Inputs> {
    let gold = held_names(fields.get("gold"));
    let names = HeldNames { gold, systems: held_names(fields.get("systems")) };
    if names.gold.is_empty() { None } else { files(&names) }
}

/// Writes inputs into the fields that a request has for them.
fn say(fields: &mut Map<String, Value>, inputs: Inputs) {
    let Inputs { gold, systems, sentences, documents_by, reading, .. } = inputs;
    let is_list = fields.get("gold").is_some_and(Value::is_array);
    let gold = match gold.as_slice() {
        [only] if !is_list => json!(only),
        all => json!(all),
    };
    fields.insert("gold".to_owned(), gold);
    for (key, value) in [
        ("systems", json!(systems)),
        ("reading", json!(reading)),
        ("documents_by", json!(documents_by)),
    ] {
        if let Some(field) = fields.get_mut(key) {
            *field = value;
        }
    }
    if let Some(sentences) = sentences.filter(|_| fields.contains_key("systems")) {
        fields.insert("sentences".to_owned(), json!(sentences));
    }
}

/// The names of what is held among inputs, one or several.
fn held_names(inputs: Option<&Value>) -> Vec<String> {
    let inputs = match inputs.cloned().unwrap_or_default() {
        Value::Array(items) => items,
        one => vec![one],
    };
    let read = inputs.into_iter().filter_map(|it| serde_json::from_value::<InputRequest>(it).ok());
    read.filter_map(|input| input.held_name().map(str::to_owned)).collect()
}
