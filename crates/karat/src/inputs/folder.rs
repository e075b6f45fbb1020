//! A folder of benchmarks and outputs of systems, told apart by the names of files.

use super::{InputRequest, Inputs};
use crate::error::Error;
use std::path::{Path, PathBuf};

/// What ELEVANT writes beside outputs: results, and what describes them.
const PASSED_OVER: [&str; 4] =
    [".eval_results.", ".eval_cases.", ".benchmark_statistics.", ".metadata."];

impl Inputs {
    /// The benchmarks and runs of a folder and the folders in it, by ELEVANT's custom: `NAME.benchmark.jsonl` is a gold
    /// standard, and `SYSTEM.NAME.linked_articles.jsonl`, or any file `SYSTEM.NAME.EXTENSION`, the output of a system on it.
    /// One `Inputs` for each benchmark that is there, so that they can be read one after the other.
    pub fn in_folder(folder: &str) -> Result<Vec<Inputs>, Error> {
        let files = files_of(Path::new(folder)).map_err(|error| {
            Error::bad_request(format!("cannot look into `{folder}`: {error}"), "name a folder")
        })?;
        let mut found: Vec<(String, Inputs)> = Vec::new();
        for path in &files {
            let name = file_name(path);
            let Some((benchmark, _)) = name.split_once(".benchmark.") else { continue };
            if found.iter().any(|(known, _)| known == benchmark) {
                let message = format!("`{folder}` has two benchmarks `{benchmark}`");
                return Err(Error::bad_request(message, "give the folder that has one of them"));
            }
            let gold = vec![named(benchmark, path, None)];
            found.push((benchmark.to_owned(), Inputs { gold, ..Inputs::default() }));
        }
        for path in &files {
            let name = file_name(path);
            if name.contains(".benchmark.") || PASSED_OVER.iter().any(|part| name.contains(part)) {
                continue;
            }
            let of = |benchmark: &str| name.split_once(&format!(".{benchmark}.")).map(|it| it.0);
            // The longest name that fits: `news` is also a part of `news-fair`.
            let fits = found.iter_mut().filter_map(|(it, inputs)| {
                let system = of(it)?;
                Some((it.len(), system, it.clone(), inputs))
            });
            if let Some((_, system, benchmark, inputs)) = fits.max_by_key(|(length, ..)| *length) {
                inputs.systems.push(named(system, path, Some(benchmark)));
            }
        }
        match found.is_empty() {
            true => Err(Error::bad_request(
                format!("`{folder}` has no benchmark"),
                "a gold standard is called NAME.benchmark.jsonl there, and an output SYSTEM.NAME.jsonl",
            )),
            false => Ok(found.into_iter().map(|(_, inputs)| inputs).collect()),
        }
    }
}

fn named(name: &str, path: &Path, benchmark: Option<String>) -> InputRequest {
    InputRequest {
        name: Some(name.to_owned()),
        path: path.display().to_string(),
        benchmark,
        ..InputRequest::default()
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The files of a folder and of the folders in it, by name. Deeper ones are left alone: they are other collections.
fn files_of(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { folders.push(path) } else { files.push(path) }
    }
    for folder in folders {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_file() {
                files.push(path);
            }
        }
    }
    files.sort_unstable();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_find_their_benchmark_by_name() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let files = [
            "benchmarks/news.benchmark.jsonl",
            "benchmarks/news-fair.benchmark.jsonl",
            "linked/a.b.news.linked_articles.jsonl",
            "linked/a.news-fair.linked_articles.jsonl",
            "linked/a.news.eval_results.json",
            "linked/a.unknown.linked_articles.jsonl",
            "deep/er/a.news.linked_articles.jsonl",
        ];
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().ok_or("no folder")?)?;
            std::fs::write(path, "")?;
        }
        let found = Inputs::in_folder(&folder.path().display().to_string())?;
        let names: Vec<(Option<&str>, Vec<Option<&str>>)> = found
            .iter()
            .map(|it| {
                let systems = it.systems.iter().map(|system| system.name.as_deref()).collect();
                (it.gold[0].name.as_deref(), systems)
            })
            .collect();
        let expected =
            vec![(Some("news-fair"), vec![Some("a")]), (Some("news"), vec![Some("a.b")])];
        assert_eq!(names, expected);
        let empty = tempfile::tempdir()?;
        assert!(Inputs::in_folder(&empty.path().display().to_string()).is_err());
        Ok(())
    }
}
