//! `karat link`: a linker is asked, its answers are kept, and the same comes out again.

use crate::folder::Folder;
use std::process::{Command, Stdio};
use std::time::Duration;

fn folder() -> Folder {
    let folder = Folder::with_sample();
    folder.copy("crates/karat-linkers/tests/sample-base", "base");
    folder.output("karat kb build -q base -o b.kb");
    folder
}

const PRIOR: &str = "karat link prior --kb b.kb -g sample/gold.karat.jsonl";

#[test]
fn a_baseline_is_asked_scored_kept_and_replayed_to_the_same_bytes() {
    let folder = folder();
    let first = folder.run(&format!("{PRIOR} -o run --eval -m link --format json -q"));
    assert!(first.starts_with("exit code 0"), "{first}");
    assert!(first.contains("\"answered\": 14"), "{first}");
    assert!(first.contains("\"f1\""), "{first}");
    let mut files: Vec<String> = std::fs::read_dir(folder.path("run"))
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, ["answers.jsonl", "lock", "output.karat.jsonl", "report.json"]);
    let output = folder.read("run/output.karat.jsonl");
    let again = folder.run(&format!("{PRIOR} --replay run --write again.karat.jsonl -q"));
    assert!(again.starts_with("exit code 0"), "{again}");
    assert_eq!(folder.read("again.karat.jsonl"), output);
    let other = folder.run("karat link nil -g sample/gold.karat.jsonl --mentions gold -o run");
    assert!(other.starts_with("exit code 2"), "{other}");
    assert!(other.contains("is the recording of another run: linker: `prior"), "{other}");
    let evaluated =
        folder.run("karat eval -g sample/gold.karat.jsonl -s run/output.karat.jsonl -m link");
    assert!(evaluated.starts_with("exit code 0"), "{evaluated}");
}

#[test]
fn given_mentions_are_linked_and_written_in_any_format() {
    let folder = folder();
    for (file, format) in [("a.ttl", "nif"), ("a.csv", "csv"), ("a.karat.jsonl", "karat-jsonl")] {
        let shown = folder.run(&format!("{PRIOR} --mentions gold --write {file}"));
        assert!(shown.contains(&format!("wrote `{file}` ({format}")), "{shown}");
    }
    let oracle =
        folder.run("karat link oracle -g sample/gold.karat.jsonl --eval -m link --format tsv -q");
    assert!(oracle.starts_with("exit code 0"), "{oracle}");
}

#[test]
fn what_cannot_be_asked_is_refused_with_a_hint() {
    let folder = folder();
    folder.write("bare.tsv", b"d1\t0\t5\tQ64\n");
    folder.write("file", b"x");
    for (line, message) in [
        ("karat link priors -g sample/gold.karat.jsonl", "did you mean `prior`?"),
        ("karat link prior -g sample/gold.karat.jsonl", "`prior` needs a knowledge base"),
        ("karat link none -g bare.tsv", "has no text to ask about"),
        ("karat link nil -g sample/gold.karat.jsonl --set x=1", "has no setting `x`"),
        ("karat link none -g sample/gold.karat.jsonl -o file", "is no folder of a run"),
        ("karat link none -g sample/gold.karat.jsonl --rate fast", "`fast` is no rate"),
        ("karat link none -g sample/gold.karat.jsonl --replay sample", "answers.jsonl"),
        ("karat linkers priors", "did you mean `prior`?"),
    ] {
        let shown = folder.run(line);
        assert!(shown.starts_with("exit code 2") && shown.contains(message), "{line}: {shown}");
    }
    let listed = folder.run("karat linkers");
    assert!(listed.contains("prior") && listed.contains("needed"), "{listed}");
    let described = folder.run("karat linkers popular");
    assert!(described.contains("Settings"), "{described}");
}

#[test]
fn a_run_that_was_killed_goes_on_and_comes_to_the_same() {
    let folder = folder();
    let mut gold = String::new();
    for number in 0..3000 {
        gold += &format!(
            "{{\"document\":\"d{number}\",\"text\":\"Adams met Paris, number {number}.\"}}\n"
        );
    }
    folder.write("many.jsonl", gold.as_bytes());
    let line = "link prior --kb b.kb -g many.jsonl -q -o";
    let whole = folder.run(&format!("karat {line} whole"));
    assert!(whole.starts_with("exit code 0"), "{whole}");
    for pause in [20, 60, 100, 180] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_karat"))
            .args(line.split(' ').chain(["killed"]))
            .current_dir(folder.path(""))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        // SIGKILL, which nobody can listen to.
        let _ = child.kill();
        child.wait().unwrap();
    }
    let last = folder.run(&format!("karat {line} killed"));
    assert!(last.starts_with("exit code 0"), "{last}");
    assert_eq!(folder.read("killed/output.karat.jsonl"), folder.read("whole/output.karat.jsonl"));
    let answers = |run: &str| {
        let lines = String::from_utf8(folder.read(&format!("{run}/answers.jsonl"))).unwrap();
        let key = |line: &str| line.split("\"key\":\"").nth(1).map(|rest| rest[..64].to_owned());
        let mut keys: Vec<String> = lines.lines().filter_map(key).collect();
        keys.sort();
        keys
    };
    assert_eq!(answers("killed"), answers("whole"), "nothing is lost, and nothing asked twice");
}
