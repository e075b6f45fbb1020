//! The pages of the docs show what the command really prints.

use crate::folder::Folder;
use std::path::Path;

#[test]
fn readme() {
    check("README.md");
}

#[test]
fn guide() {
    check("docs/guide.md");
}

#[test]
fn scoring() {
    check("docs/scoring.md");
}

#[test]
fn jobs() {
    check("docs/jobs.md");
}

#[test]
fn errors() {
    check("docs/errors.md");
}

#[test]
fn comparing() {
    check("docs/comparing.md");
}

#[test]
fn collections() {
    check("docs/collections.md");
}

#[test]
fn five_conventions() {
    check_in(&folder_of("five-conventions"), "docs/five-conventions.md");
}

#[test]
fn finegrained() {
    let folder = Folder::with_sample();
    add_files_of("finegrained", &folder);
    check_in(&folder, "docs/finegrained.md");
}

#[test]
fn knowledge_base() {
    check_in(&folder_of("knowledge-base"), "docs/knowledge-base.md");
}

#[test]
fn tagging() {
    check_in(&folder_of("tagging"), "docs/tagging.md");
}

#[test]
fn gold_patches() {
    check_in(&folder_of("gold-patches"), "docs/gold-patches.md");
}

#[test]
fn verification() {
    check_in(&folder_of("verification"), "docs/verification.md");
}

#[test]
fn report() {
    check("docs/report.md");
}

#[test]
fn shared_evaluations() {
    let folder = Folder::new();
    for name in ["shared-evaluation", "broken", "without-popular"] {
        folder.copy("docs/shared-evaluation", name);
    }
    folder.write("broken/systems/new/system.toml", b"title = \"New\"\n");
    folder.write("broken/systems/new/sample.toml", b"date = \"yesterday\"\n");
    folder.write("broken/systems/new/sample.csv", b"doc,start,end,link\n");
    folder.write("broken/systems/popular/sample.karat.jsonl", b"{\"document\":\"wire-talks\",\n");
    std::fs::remove_dir_all(folder.path("without-popular/systems/popular")).unwrap();
    check_in(&folder, "docs/shared-evaluations.md");
}

/// A folder with the files that a page has of its own.
pub(crate) fn folder_of(page: &str) -> Folder {
    let folder = Folder::new();
    add_files_of(page, &folder);
    folder
}

fn add_files_of(page: &str, folder: &Folder) {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
    for file in std::fs::read_dir(files).unwrap() {
        let path = file.unwrap().path();
        folder.write(path.file_name().unwrap().to_str().unwrap(), &std::fs::read(&path).unwrap());
    }
}

#[test]
fn the_example_of_karat_jsonl_can_be_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/karat-jsonl.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (_, example) = page.split_once("```json\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let folder = Folder::new();
    folder.write("example.karat.jsonl", example.replace('\n', "").as_bytes());
    let shown = folder.run("karat validate example.karat.jsonl --check alternatives");
    assert!(shown.contains("1 document, 4 annotations: 3 linked, 0 NIL, 1 without"), "{shown}");
    assert!(shown.starts_with("exit code 0"), "{shown}");
}

/// The small files that the pages show.
const FILES: [(&str, &str); 4] = [
    ("run.csv", "doc,start,end,link\nd1,0,6,Q64\nd1,ten,17,Q183\n"),
    ("units.csv", "doc,start,end,link,surface,text\nd1,3,9,Q72,Zürich,😀 Zürich\n"),
    ("table.csv", "page,from,to,wd\nd1,0,6,Q64\n"),
    (
        "spaces.karat.jsonl",
        "{\"document\":\"d1\",\"text\":\"In Berlin today\",\"annotations\":[{\"span\":[3,10],\"link\":\"Q64\"}]}\n",
    ),
];

/// Runs the commands of a page and compares what they print with what the page shows.
///
/// In a block of ` ```console `, a line `$ karat ...` is a command and the lines below it
/// are its output. A line `...` stands for any number of lines. The commands of
/// a page run in one folder, which has the sample in `sample/` and some
/// small files.
fn check(page: &str) {
    let folder = Folder::with_sample();
    for (name, content) in FILES {
        folder.write(name, content.as_bytes());
    }
    check_in(&folder, page);
}

fn check_in(folder: &Folder, page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let shown = std::fs::read_to_string(&path).unwrap();
    let real = rewritten(&shown, |command| {
        let output = folder.output(&format!("{command} 2>&1"));
        String::from_utf8(output.stdout).unwrap()
    });
    if std::env::var_os("KARAT_UPDATE_DOCS").is_some() {
        std::fs::write(&path, &real).unwrap();
    } else {
        assert!(
            shown == real,
            "{page} shows other output than the commands print\n{}",
            difference(&shown, &real)
        );
    }
}

/// The page with the output of its commands as it is now.
fn rewritten(page: &str, run: impl Fn(&str) -> String) -> String {
    let mut lines = page.lines().peekable();
    let mut result = String::new();
    let mut in_block = false;
    while let Some(line) = lines.next() {
        result += &format!("{line}\n");
        if line.starts_with("```") {
            in_block = !in_block && line == "```console";
        }
        let Some(command) = line.strip_prefix("$ ").filter(|_| in_block) else { continue };
        let mut shown = Vec::new();
        while let Some(line) =
            lines.next_if(|line| !line.starts_with("$ ") && !line.starts_with("```"))
        {
            shown.push(line);
        }
        // A blank line before the next command is for the eye.
        let gap =
            shown.last() == Some(&"") && lines.peek().is_some_and(|line| line.starts_with("$ "));
        let shown = if gap { &shown[..shown.len() - 1] } else { &shown[..] };
        let real = run(command);
        let real: Vec<&str> = real.lines().collect();
        let kept = if fits(shown, &real) { shown } else { &real[..] };
        for line in kept {
            result += &format!("{line}\n");
        }
        if gap {
            result.push('\n');
        }
    }
    result
}

/// Whether output is as shown, where `...` is any number of lines.
fn fits(shown: &[&str], real: &[&str]) -> bool {
    match shown {
        [] => real.is_empty(),
        ["...", rest @ ..] => (0..=real.len()).any(|skipped| fits(rest, &real[skipped..])),
        [line, rest @ ..] => real.first() == Some(line) && fits(rest, &real[1..]),
    }
}

fn difference(shown: &str, real: &str) -> String {
    let first = shown.lines().zip(real.lines()).position(|(shown, real)| shown != real);
    let at = first.unwrap_or_else(|| shown.lines().count().min(real.lines().count()));
    let from = |text: &str| text.lines().skip(at).take(8).collect::<Vec<_>>().join("\n");
    format!("line {}, the page:\n{}\nthe command:\n{}", at + 1, from(shown), from(real))
}

#[test]
fn a_page_that_is_out_of_date_is_noticed() {
    let page =
        |output: &str| format!("text\n```console\n$ karat x\n{output}```\n$ not a command\n");
    let run = |_: &str| "one\ntwo\nthree\n".to_owned();
    for fine in ["one\ntwo\nthree\n", "one\n...\n", "...\nthree\n", "one\n...\nthree\n"] {
        assert_eq!(rewritten(&page(fine), run), page(fine));
    }
    for stale in ["", "one\n", "one\ntwo\n", "one\n...\ntwo\n", "one\ntwo\nthree\nfour\n"] {
        assert_eq!(rewritten(&page(stale), run), page("one\ntwo\nthree\n"));
    }
}
