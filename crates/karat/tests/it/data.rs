//! Where the published data is, if it is here.

use std::path::PathBuf;

pub(crate) use crate::published::published as folder;

/// All files below a folder whose name ends like this, sorted.
pub(crate) fn files(folder: &std::path::Path, suffix: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(suffix) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The folder of the sample.
pub(crate) fn sample_folder() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample").to_owned()
}
