//! Front ends compute nothing: they make requests and show answers. What they may name of the facade is checked in their
//! sources, and the command is kept small, so that what decides or words something is where other front ends reach it.

use std::path::{Path, PathBuf};

/// What the facade has of crates that compute, by the names it gives them. A front end may list what there is, and no more.
const COMPUTING: [&str; 7] =
    ["measures", "matching", "facets", "stats", "checks", "tagger", "search"];

/// What it has of crates that hold, read or show something, which front ends may use.
const PLAIN: [&str; 8] =
    ["model", "formats", "columns", "harvest", "kb", "report", "campaigns", "linkers"];

/// Lists, and what describes their entries.
const LISTS: [&str; 6] = ["MEASURES", "FACETS", "FacetNeeds", "PRESETS", "SETTINGS", "Preset"];

/// So many lines the command may have without its tests, comments and all. The aim is 5500: what `verify exchange`, `merge`
/// and `patch` put together still has to move into libraries.
const MOST_LINES: usize = 6000;

fn crates() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in folder.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() && !entry.ends_with("tests") {
            found.extend(sources(&entry));
        } else if entry.extension().is_some_and(|it| it == "rs") && !entry.ends_with("tests.rs") {
            found.push(entry);
        }
    }
    found
}

/// A source file without what is compiled for tests only.
fn without_tests(text: &str) -> String {
    let mut kept = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept += &format!("{line}\n");
            continue;
        }
        // The item ends with its only line, or with a brace that stands as far to the left as the attribute.
        let end = line.replace("#[cfg(test)]", "}");
        let is_last = |line: &&str| *line == end || line.ends_with(';') && !line.starts_with("  ");
        let _ = lines.by_ref().find(is_last);
    }
    kept
}

/// The crates that get everything from the facade, by their folders.
fn front_ends() -> Vec<PathBuf> {
    let root = crates().parent().unwrap();
    let folders = [crates().to_owned(), root.to_owned()];
    let members = folders.iter().flat_map(|folder| folder.read_dir().unwrap());
    let members = members.map(|entry| entry.unwrap().path());
    let is_front_end = |folder: &PathBuf| {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        let mut lines = manifest.lines().skip_while(|line| *line != "[dependencies]");
        // Fuzz targets are a workspace of their own, and try everything.
        let is_member = !manifest.contains("[workspace]") && folder.join("src").is_dir();
        is_member && lines.any(|line| line.starts_with("karat.") || line.starts_with("karat ="))
    };
    members.filter(is_front_end).collect()
}

/// What a source file names of a crate that computes, but for lists.
fn computing_in(text: &str) -> Vec<String> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let text: String = text.lines().filter(is_code).collect();
    let mut found = Vec::new();
    for name in COMPUTING {
        for path in [format!("karat::{name}::"), format!("karat_{name}::")] {
            for after in text.split(&path).skip(1) {
                let end = |c: char| !c.is_alphanumeric() && c != '_';
                let named = match after.strip_prefix('{') {
                    Some(several) => several.split('}').next().unwrap_or_default(),
                    None => after.split(end).next().unwrap_or_default(),
                };
                let named = named.split(',').map(str::trim).filter(|it| !it.is_empty());
                let others = named.filter(|it| !LISTS.contains(it));
                found.extend(others.map(|it| format!("{path}{it}")));
            }
        }
    }
    found
}

#[test]
fn front_ends_compute_nothing() {
    let front_ends = front_ends();
    assert!(front_ends.len() >= 2, "{front_ends:?}");
    for folder in front_ends {
        let files = sources(&folder.join("src"));
        for file in files {
            let text = without_tests(&std::fs::read_to_string(&file).unwrap());
            let computing = computing_in(&text);
            assert!(computing.is_empty(), "{} uses {computing:?}", file.display());
        }
    }
}

#[test]
fn the_command_lists_nothing_by_itself() {
    for file in sources(&crates().join("karat-cli/src")) {
        let text = without_tests(&std::fs::read_to_string(&file).unwrap());
        for name in COMPUTING {
            let path = format!("karat::{name}");
            assert!(!text.contains(&path), "{} names {path}", file.display());
        }
    }
}

/// A crate that is new in the facade has to be sorted into one of the two lists above.
#[test]
fn every_crate_of_the_facade_computes_or_does_not() {
    let facade = std::fs::read_to_string(crates().join("karat/src/lib.rs")).unwrap();
    let names = facade.lines().filter_map(|line| {
        let used = line.strip_prefix("pub use karat_")?.strip_suffix(';')?;
        Some(used.rsplit(" as ").next().unwrap_or(used))
    });
    let names: Vec<&str> = names.collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        assert!(COMPUTING.contains(&name) != PLAIN.contains(&name), "`karat::{name}`");
    }
}

#[test]
fn the_command_is_small() {
    let files = sources(&crates().join("karat-cli/src"));
    let lines =
        |file: &PathBuf| without_tests(&std::fs::read_to_string(file).unwrap()).lines().count();
    let lines: usize = files.iter().map(lines).sum();
    assert!(lines > 1000, "{lines} lines were found");
    assert!(
        lines < MOST_LINES,
        "{lines} lines: what decides, words or puts together belongs into a library"
    );
}

#[test]
fn tests_are_left_out_and_nothing_else() {
    let text = "a\n#[cfg(test)]\nuse b;\nc\n#[cfg(test)]\nmod tests {\n    fn d() {\n    }\n}\ne\n";
    assert_eq!(without_tests(text), "a\nc\ne\n");
    assert!(computing_in("use karat::facets::{\n    FACETS,\n    FacetNeeds,\n};").is_empty());
    assert_eq!(computing_in("karat::stats::mean(x)"), ["karat::stats::mean"]);
}
