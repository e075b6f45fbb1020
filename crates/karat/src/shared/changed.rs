//! Which files changed, as version control says it.

use crate::error::Error;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files of a folder that differ from a revision of git, and those that it does not know yet.
pub(super) fn changed_since(folder: &Path, revision: &str) -> Result<BTreeSet<PathBuf>, Error> {
    let changed = git(
        folder,
        &[
            "diff",
            "--name-only",
            "-z",
            "--relative",
            "--no-renames",
            "--end-of-options",
            revision,
            "--",
            ".",
        ],
    )?;
    let new = git(folder, &["ls-files", "--others", "--exclude-standard", "-z", "--", "."])?;
    let names = changed.split('\0').chain(new.split('\0'));
    Ok(names.filter(|name| !name.is_empty()).map(|name| folder.join(name)).collect())
}

fn git(folder: &Path, arguments: &[&str]) -> Result<String, Error> {
    let refused = |message: String| {
        Error::bad_request(
            message,
            "name a revision that git knows, as origin/main, or check everything",
        )
    };
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .output()
        .map_err(|error| refused(format!("git cannot be asked what changed: {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().next().unwrap_or("it says nothing").to_owned();
        return Err(refused(format!("git does not say what changed: {said}")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
