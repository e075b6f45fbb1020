//! Folders of shared evaluations, good and bad.

use super::*;
use crate::request::{Answer, Request};
use crate::work::Work;
use std::path::Path;

type Tested = Result<(), Box<dyn std::error::Error>>;

const GOLD: &str = "d1\t0\t5\tQ64\nd1\t10\t14\tQ90\n";

/// A folder with one benchmark and one system, which is fine.
fn folder() -> Result<tempfile::TempDir, std::io::Error> {
    let folder = tempfile::tempdir()?;
    put(folder.path(), "evaluation.toml", "title = \"Small\"\n")?;
    put(folder.path(), "benchmarks/small/gold.tsv", GOLD)?;
    put(
        folder.path(),
        "benchmarks/small/benchmark.toml",
        &benchmark("gold.tsv", &sha(GOLD), true),
    )?;
    put(folder.path(), "systems/mine/system.toml", "title = \"Mine\"\n")?;
    put(folder.path(), "systems/mine/small.tsv", "d1\t0\t5\tQ64\n")?;
    put(folder.path(), "systems/mine/small.toml", "date = \"2026-11-12\"\nseconds = 4.2\n")?;
    Ok(folder)
}

fn benchmark(file: &str, sha256: &str, here: bool) -> String {
    format!(
        "title = \"Small\"\n[[edition]]\nname = \"1\"\nfile = \"{file}\"\nsha256 = \"{sha256}\"\nhere = {here}\n"
    )
}

fn sha(text: &str) -> String {
    use sha2::{Digest, Sha256};
    editions::hex(&Sha256::digest(text.as_bytes()))
}

fn put(folder: &Path, name: &str, text: &str) -> std::io::Result<()> {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
    std::fs::write(path, text)
}

fn check(folder: &Path) -> Result<CheckAnswer, crate::error::Error> {
    let folder = folder.display().to_string();
    CheckRequest { folder, changed_since: None }.answer(&Work::default())
}

#[test]
fn a_good_folder_passes_and_its_digests_are_noted() -> Tested {
    let folder = folder()?;
    let answer = check(folder.path())?;
    assert!(answer.passes(), "{:?}", answer.notices);
    let paths: Vec<&str> = answer.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["benchmarks/small/gold.tsv", "systems/mine/small.tsv"]);
    assert_eq!(answer.files[0].sha256.as_deref(), Some(sha(GOLD).as_str()));
    assert_eq!(answer.files[1].annotations, Some(1));
    assert_eq!(answer.sentence(), "2 files checked, nothing is wrong.");
    Ok(())
}

#[test]
fn a_bad_submission_is_located_and_the_others_go_on() -> Tested {
    let folder = folder()?;
    put(folder.path(), "systems/bad/system.toml", "title = \"Bad\"\n")?;
    put(folder.path(), "systems/bad/small.tsv", "d1\t0\t5\tQ64\nd1\tten\t14\tQ90\n")?;
    put(folder.path(), "systems/bad/small.toml", "date = \"2026-11-13\"\n")?;
    put(folder.path(), "systems/odd/system.toml", "title = \"Odd\"\nlicense = \"MIT\"\n")?;
    put(folder.path(), "systems/late/system.toml", "title = \"Late\"\n")?;
    put(folder.path(), "systems/late/small.tsv", "d1\t0\t5\tQ64\n")?;
    put(folder.path(), "systems/late/small.toml", "date = \"2026-02-30\"\n")?;
    put(folder.path(), "systems/late/other.tsv", "d1\t0\t5\tQ64\n")?;
    let answer = check(folder.path())?;
    assert!(!answer.passes());
    let places: Vec<String> = answer
        .notices
        .iter()
        .filter_map(|notice| {
            let place = notice.place.as_ref()?;
            let file = Path::new(&place.file).strip_prefix(folder.path()).ok()?;
            Some(format!("{}:{:?}: {}", file.display(), place.line, notice.message))
        })
        .collect();
    let has = |start: &str| places.iter().any(|place| place.starts_with(start));
    assert!(has("systems/bad/small.tsv:Some(2): "), "{places:?}");
    assert!(has("systems/odd/system.toml:Some(2): unknown field `license`"), "{places:?}");
    assert!(has("systems/late/small.toml:Some(1): this is no date"), "{places:?}");
    assert!(
        answer
            .notices
            .iter()
            .any(|it| it.message.contains("there is no benchmark for `other.tsv`")),
        "{places:?}"
    );
    assert!(answer.files.iter().any(|file| file.path == "systems/mine/small.tsv" && file.fine));
    // What can be read is evaluated all the same.
    let shared = SharedFolder::open(folder.path())?;
    let read = shared.experiments(&Work::default())?;
    assert_eq!(read.experiments.len(), 1);
    let runs: Vec<&str> =
        read.experiments[0].experiment.runs.iter().map(|run| run.name.as_str()).collect();
    assert_eq!(runs, ["mine"]);
    assert_eq!(read.problems.len(), 1);
    Ok(())
}

#[test]
fn editions_are_known_by_their_digests() -> Tested {
    let folder = folder()?;
    put(folder.path(), "benchmarks/small/gold.tsv", "d1\t0\t5\tQ65\n")?;
    let answer = check(folder.path())?;
    assert!(!answer.passes() && answer.notices[0].message.contains("its digest is"));
    // One that is not here, and nobody has.
    put(
        folder.path(),
        "benchmarks/small/benchmark.toml",
        &benchmark("no-such-file.tsv", &sha(GOLD), false),
    )?;
    let answer = check(folder.path())?;
    assert!(answer.passes(), "{:?}", answer.notices);
    assert_eq!(answer.notices[0].id, "edition-not-here");
    // One that would leave the folder.
    for file in ["../gold.tsv", "/etc/passwd", "a,b"] {
        put(folder.path(), "benchmarks/small/benchmark.toml", &benchmark(file, &sha(GOLD), true))?;
        let answer = check(folder.path())?;
        assert!(!answer.passes(), "{file}");
    }
    let record = SharedFolder::open(self::folder()?.path())?.benchmarks[0].record.clone();
    let data = tempfile::tempdir()?;
    put(data.path(), "licensed/gold.tsv", GOLD)?;
    let edition = EditionFile {
        file: "licensed/gold.tsv".to_owned(),
        here: false,
        ..record.editions[0].clone()
    };
    let found = edition.find(Path::new("nowhere"), Some(data.path()))?;
    assert_eq!(found, FoundEdition::There(data.path().join("licensed/gold.tsv")));
    Ok(())
}

const PATCH: &str = "{\"goldpatch\":1,\"name\":\"fix\"}\n\
    {\"document\":\"d1\",\"span\":[10,15],\"set\":{\"link\":[\"Q90\",\"Q142\"]}}\n";

#[test]
fn scores_are_on_gold_and_on_gold_with_its_corrections() -> Tested {
    let folder = folder()?;
    put(folder.path(), "benchmarks/small/patches/fix.goldpatch.jsonl", PATCH)?;
    let answer = check(folder.path())?;
    assert!(answer.passes(), "{:?}", answer.notices);
    assert_eq!(answer.files[1].kind, CheckedKind::Patch);
    let names = |folder: &Path| -> Result<Vec<String>, crate::error::Error> {
        let read = SharedFolder::open(folder)?.experiments(&Work::default())?;
        assert!(read.problems.is_empty() && read.not_here.is_empty(), "{read:?}");
        Ok(read.experiments.into_iter().map(|it| it.experiment.benchmark.name).collect())
    };
    let both = names(folder.path())?;
    assert_eq!(both[0], "small");
    let edition: crate::inputs::PatchedEdition = both[1].parse()?;
    assert_eq!((edition.gold.as_str(), edition.patches[0].name.as_str()), ("small", "fix"));
    assert_eq!(edition.patches[0].held, None, "everything applies");
    let only = "title = \"Small\"\neditions = [\"gold + patches\"]\n";
    put(folder.path(), "evaluation.toml", only)?;
    assert_eq!(names(folder.path())?, both[1..]);
    put(folder.path(), "evaluation.toml", "title = \"Small\"\neditions = [\"gold\"]\n")?;
    assert_eq!(names(folder.path())?, both[..1]);
    Ok(())
}

#[test]
fn bad_patches_are_problems_and_those_for_other_gold_wait() -> Tested {
    let folder = folder()?;
    put(folder.path(), "benchmarks/small/patches/1.goldpatch.jsonl", "{}\n")?;
    let answer = check(folder.path())?;
    assert!(!answer.passes());
    let place = answer.notices[0].place.as_ref().map(|place| place.line);
    assert_eq!(place, Some(Some(1)), "{:?}", answer.notices);
    let zeros = "0".repeat(64);
    let elsewhere = PATCH.replace(
        "\"name\":\"fix\"",
        &format!("\"name\":\"fix\",\"base\":{{\"annotations\":\"karat1:{zeros}\"}}"),
    );
    put(folder.path(), "benchmarks/small/patches/1.goldpatch.jsonl", &elsewhere)?;
    let answer = check(folder.path())?;
    assert_eq!(answer.notices[0].id, "patches-wait");
    assert!(answer.passes());
    Ok(())
}

#[test]
fn a_folder_without_a_description_is_no_evaluation() -> Tested {
    let folder = tempfile::tempdir()?;
    assert!(check(folder.path()).is_err());
    for bad in [
        "",
        "title = 1\n",
        "title = \"x\"\nconventions = [\"nelevel\"]\n",
        "title = \"x\"\n[[\n",
        "\u{feff}\0",
    ] {
        put(folder.path(), "evaluation.toml", bad)?;
        assert!(check(folder.path()).is_err(), "{bad:?}");
    }
    Ok(())
}

#[test]
fn only_what_changed_is_checked() -> Tested {
    let folder = folder()?;
    let git = |arguments: &[&str]| {
        let identity = [
            "-c",
            "user.name=tests",
            "-c",
            "user.email=tests@localhost",
            "-c",
            "commit.gpgsign=false",
        ];
        let mut command = std::process::Command::new("git");
        command.arg("-C").arg(folder.path()).args(identity).args(arguments).output()
    };
    git(&["init", "-q"])?;
    git(&["add", "."])?;
    git(&["commit", "-q", "-m", "first"])?;
    put(folder.path(), "systems/mine/small.tsv", "d1\t0\t5\tQ64\n")?;
    put(folder.path(), "systems/other/system.toml", "title = \"Other\"\n")?;
    put(folder.path(), "systems/other/small.tsv", "d1\t0\t5\tQ1\n")?;
    put(folder.path(), "systems/other/small.toml", "date = \"2026-11-13\"\n")?;
    let since = |revision: &str| {
        let changed_since = Some(revision.to_owned());
        CheckRequest { folder: folder.path().display().to_string(), changed_since }
            .answer(&Work::default())
    };
    let answer = since("HEAD")?;
    let systems: Vec<&str> =
        answer.files.iter().filter_map(|file| file.system.as_deref()).collect();
    assert_eq!((systems, answer.unchanged), (vec!["other"], 1));
    for bad in ["no-such-revision", "--output=x"] {
        assert!(since(bad).is_err(), "{bad}");
    }
    Ok(())
}

#[test]
fn differences_name_what_is_new_changed_and_gone() -> Tested {
    use crate::board::{BoardAnswer, BoardCell, BoardColumn, BoardRow, CellState};
    let results = |scores: &[(&str, f64)]| {
        let rows = scores.iter().map(|(system, value)| BoardRow {
            system: (*system).to_owned(),
            cells: vec![BoardCell {
                state: CellState::Scored,
                value: Some(*value),
                ..BoardCell::default()
            }],
            ..BoardRow::default()
        });
        let benchmarks = vec![BoardColumn { name: "small".to_owned(), ..BoardColumn::default() }];
        let board = BoardAnswer {
            measure: "link".to_owned(),
            score: "f1".to_owned(),
            benchmarks,
            rows: rows.collect(),
            ..BoardAnswer::default()
        };
        SharedResults {
            boards: vec![SharedBoard { convention: "karat".to_owned(), board }],
            ..SharedResults::default()
        }
    };
    let old = results(&[("a", 0.5), ("b", 0.6), ("c", 0.7)]);
    let new = results(&[("a", 0.5), ("b", 0.65), ("d", 0.8)]);
    let answer = DifferenceAnswer::between(&old, &new);
    assert_eq!(answer.sentence(), "Scores: 1 new, 1 changed, 1 gone; 1 stay as they are.");
    let changed: Vec<(&str, Option<f64>, Option<f64>)> =
        answer.changes.iter().map(|it| (it.system.as_str(), it.before, it.after)).collect();
    assert_eq!(
        changed,
        [("b", Some(0.6), Some(0.65)), ("d", None, Some(0.8)), ("c", Some(0.7), None)]
    );
    assert_eq!(
        DifferenceAnswer::between(&new, &new).sentence(),
        "No score changes; 3 stay as they are."
    );
    Ok(())
}

#[test]
fn answers_are_kept_under_their_keys() -> Tested {
    let folder = tempfile::tempdir()?;
    let answers = AnswerFolder::open(&folder.path().join("cache"))?;
    assert_eq!(answers.get("abcd"), None);
    answers.put("abcd", b"{}");
    assert_eq!(answers.get("abcd").as_deref(), Some(b"{}".as_slice()));
    assert_eq!(answers.counts(), [1, 1]);
    let again = AnswerFolder::open(&folder.path().join("cache"))?;
    assert_eq!(again.get("abcd").as_deref(), Some(b"{}".as_slice()));
    Ok(())
}
