//! Where the published data is, if it is here.

use std::path::PathBuf;

/// A file of the published data, or `None` with a line that says so.
pub(crate) fn json(name: &str) -> Option<serde_json::Value> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let root = std::env::var_os("KARAT_DATA").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    let Ok(text) = std::fs::read_to_string(root.join(name)) else {
        println!("skipped: no data (set KARAT_DATA to the folder that holds `{name}`)");
        return None;
    };
    Some(serde_json::from_str(&text).expect("JSON"))
}
