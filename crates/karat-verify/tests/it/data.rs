//! Where the published data is, if it is here.

#[path = "../../../karat/tests/it/published.rs"]
mod published;

use published::published;

/// A file of the published data, or `None` with a line that says so.
pub(crate) fn json(name: &str) -> Option<serde_json::Value> {
    let text = std::fs::read_to_string(published(name)?).expect("a file");
    Some(serde_json::from_str(&text).expect("JSON"))
}
