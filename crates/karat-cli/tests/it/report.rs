//! Reports and sites as the command writes them.

use crate::folder::Folder;
use std::collections::BTreeMap;
use std::path::Path;

const SAMPLE: &str = "-g sample/gold.karat.jsonl -s careful=sample/systems/careful.karat.jsonl -s popular=sample/systems/popular.karat.jsonl";

/// All files of a folder by their names.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().display().to_string();
                    found.insert(name, std::fs::read(&path).unwrap());
                }
            }
        }
    }
    found
}

#[test]
fn one_file_is_written_and_its_size_is_said() {
    let folder = Folder::with_sample();
    let shown = folder.run(&format!("karat report {SAMPLE} -o report.html --title 'Two systems'"));
    assert!(shown.starts_with("exit code 0"), "{shown}");
    let size = folder.read("report.html").len();
    assert!(
        shown.contains(&format!("{} kB in report.html", size / 1000))
            || shown.contains("MB in report.html"),
        "{shown}"
    );
    let page = String::from_utf8(folder.read("report.html")).unwrap();
    assert!(page.contains("<h1>Two systems</h1>") && page.contains("Content-Security-Policy"));
    let again = folder
        .run(&format!("karat report {SAMPLE} -o again.html --title 'Two systems' --threads 1"));
    assert!(again.starts_with("exit code 0"), "{again}");
    assert_eq!(folder.read("report.html"), folder.read("again.html"));
}

#[test]
fn a_folder_of_our_own_is_replaced_and_any_other_is_not() {
    let folder = Folder::with_sample();
    let site = format!("karat report {SAMPLE} -o site/ --show-documents 2 --quiet");
    assert!(folder.run(&site).starts_with("exit code 0"));
    let first = files(&folder.path("site"));
    folder.write("site/left-over.html", b"old");
    assert!(folder.run(&site).starts_with("exit code 0"));
    assert_eq!(
        files(&folder.path("site")),
        first,
        "the same bytes, and nothing that was there before"
    );
    let refused = folder.run(&format!("karat report {SAMPLE} -o sample"));
    assert!(refused.starts_with("exit code 2") && refused.contains("not empty"), "{refused}");
    let names = folder.names();
    assert!(
        !names.iter().any(|name| name.starts_with(".site") || name.starts_with(".sample")),
        "{names:?}"
    );
}

#[test]
fn what_cannot_be_is_refused_before_anything_is_written() {
    let folder = Folder::with_sample();
    for (arguments, said) in [
        (format!("{SAMPLE} -o r.html --compare careful,nobody"), "nobody"),
        (format!("{SAMPLE} -o r.html --show-documents some"), "errors, all, or a number"),
        (format!("{SAMPLE} -o sample/gold.karat.jsonl/x.html -m lnik"), "lnik"),
        (format!("{SAMPLE} -o r.html --preset nelevel"), "nelevel"),
        ("-g sample/gold.karat.jsonl -o r.html".to_owned(), "--system"),
        (SAMPLE.to_owned(), "--output"),
        ("no-such-folder -o site/".to_owned(), "evaluation.toml"),
    ] {
        let shown = folder.run(&format!("karat report {arguments}"));
        assert!(shown.starts_with("exit code 2") && shown.contains(said), "{arguments}: {shown}");
    }
    assert_eq!(folder.names(), ["sample"]);
}

#[test]
fn the_second_time_nothing_is_evaluated() {
    let folder = Folder::new();
    folder.copy("docs/shared-evaluation", "shared");
    let first = folder.run("karat report shared -o site/");
    assert!(first.starts_with("exit code 0") && first.contains(", 0 taken from"), "{first}");
    let site = files(&folder.path("site"));
    for name in [
        "index.html",
        "results.json",
        "feed.xml",
        "data/sample.json",
        "boards/link-as-neleval.html",
    ] {
        assert!(site.contains_key(name), "{name} is missing: {:?}", site.keys());
    }
    let second = folder.run("karat report shared -o site/");
    assert!(second.contains("; 0 answers computed, "), "{second}");
    assert_eq!(files(&folder.path("site")), site);
    // One more output: the others' own answers are still there.
    folder.copy("docs/shared-evaluation/systems/careful", "shared/systems/copied");
    let third = folder.run("karat report shared -o site/");
    let taken = third
        .split("computed, ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next())
        .and_then(|number| number.parse::<usize>().ok());
    assert!(taken.is_some_and(|taken| taken > 20), "{third}");
    let changed = folder.run("karat report shared -o other/ --cache elsewhere");
    assert!(changed.contains(", 0 taken from elsewhere"), "{changed}");
    assert_eq!(
        files(&folder.path("other")),
        files(&folder.path("site")),
        "a cache changes no byte"
    );
}

#[test]
fn a_bad_submission_is_left_out_and_the_site_is_there() {
    let folder = Folder::new();
    folder.copy("docs/shared-evaluation", "shared");
    folder.write("shared/systems/popular/sample.karat.jsonl", b"{\"document\":\n");
    let shown = folder.run("karat report shared -o site/");
    assert!(
        shown.starts_with("exit code 1") && shown.contains("popular/sample.karat.jsonl"),
        "{shown}"
    );
    let index = String::from_utf8(folder.read("site/index.html")).unwrap();
    assert!(index.contains("careful") && index.contains("class=\"error\""));
}

#[test]
fn numbers_of_a_site_are_those_of_eval() {
    let folder = Folder::with_sample();
    folder.run(&format!("karat report {SAMPLE} -o site/ --show-documents 1"));
    let printed = folder.output(&format!("karat eval {SAMPLE} --format json --quiet")).stdout;
    let mut printed: serde_json::Value = serde_json::from_slice(&printed).unwrap();
    let mut written: serde_json::Value =
        serde_json::from_slice(&folder.read("site/data/gold.json")).unwrap();
    // Where files were read from is the business of each command.
    for record in [&mut printed, &mut written] {
        for system in record["systems"].as_array_mut().unwrap() {
            system.as_object_mut().unwrap().remove("source");
        }
    }
    assert_eq!(written["systems"], printed["systems"]);
    assert_eq!(written["signature"], printed["signature"]);
}
