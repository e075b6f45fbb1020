//! Where the published data is, if it is here. The tests of several crates use this file.

use std::path::PathBuf;

/// A file or folder of the published data, or `None` with a line that says so.
pub(crate) fn published(name: &str) -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let root = std::env::var_os("KARAT_DATA").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    let path = root.join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: no data (set KARAT_DATA to the folder that holds `{name}`)");
    None
}
