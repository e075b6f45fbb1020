//! Where the published data is, if it is here.

use std::path::PathBuf;

/// A file of the published data, or `None` with a line that says so.
pub(crate) fn file(name: &str) -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let root = std::env::var_os("KARAT_DATA").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    let file = root.join(name);
    if file.is_file() {
        return Some(file);
    }
    println!("skipped: no data (set KARAT_DATA to the folder that holds `{name}`)");
    None
}
