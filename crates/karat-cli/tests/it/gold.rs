//! `karat gold`, and patches wherever gold is given.

use crate::folder::Folder;
use crate::pages::folder_of;
use snapbox::{assert_data_eq, str};

/// The gold of the documentation, with a patch.
fn folder() -> Folder {
    let folder = folder_of("gold-patches");
    let made = folder
        .run("karat gold diff gold.karat.jsonl corrected.karat.jsonl -o spring.goldpatch.jsonl -q");
    assert_eq!(made, "exit code 0\n");
    folder
}

#[test]
fn the_command_says_what_it_does() {
    assert_data_eq!(
        Folder::new().run("karat gold --help"),
        str![[r#"
exit code 0
-- stdout
Correct gold standards with patches: make, check, apply, merge and undo them

A patch is a file of lines, NAME.goldpatch.jsonl: what it is for, and one change on each line, with
what was there before. So it can be read, kept in version control, checked against any edition,
applied to gold in any format, and undone. Texts are never changed.

Against a gold standard a change applies (the old value is there), is already there (the new value
is), is in conflict (something else is), or is lost (the words are not).

`--patch` takes patches wherever gold is given, as in `karat eval -g GOLD --patch PATCH -s SYSTEM`:
the signature names them.

Exit codes: 0 fine; 1 changes do not apply or contradict each other; 2 bad usage or bad input.

Usage: karat gold <COMMAND>

Commands:
  diff    Make the patch that turns one gold standard into another
  apply   Apply patches to a gold standard: all of them, or nothing
  merge   Put patches for one gold standard together
  revert  Make the patch that undoes another
  log     List who changed what, change by change
  show    Show the changes of patches, document by document; with -g, each in its text
  rebase  Move a patch to another edition of its gold standard
  check   Say what would become of patches, each for itself, and change nothing
  help    Print this message or the help of the given subcommand(s)

Options:
  -h, --help
          Print help (see a summary with '-h')

Examples:
  karat gold diff gold.ttl corrected.ttl -o spring.goldpatch.jsonl
      the patch that turns one into the other
  karat gold apply gold.ttl spring.goldpatch.jsonl -o better.ttl
      all of it, or nothing
  karat gold merge spring.goldpatch.jsonl autumn.goldpatch.jsonl -o both.goldpatch.jsonl
      two patches as one; what contradicts each other is listed
  karat gold revert spring.goldpatch.jsonl -o undo.goldpatch.jsonl
      the patch that undoes it
  karat gold rebase spring.goldpatch.jsonl gold-2027.ttl -o spring-2027.goldpatch.jsonl
      moved to another edition

"#]]
    );
}

#[test]
fn what_does_not_apply_is_listed_and_nothing_is_written() {
    let folder = folder();
    assert_data_eq!(
        folder.run(
            "karat gold apply edition-2.karat.jsonl spring.goldpatch.jsonl -o out.karat.jsonl"
        ),
        str![[r#"
exit code 1
-- stderr
warning: 2308754fb9ff 19..24 of `talks` (Q90 -> Q142), lost: the words are "t. Ge"
warning: 4321f59450ca 63..69 of `talks` (add Q145 as a reading of Q84), lost: the words are "the dr"
warning: 42b913719055 96..102 of `talks` (remove Q49776), lost: the words are "d for "
warning: 3 of 4 changes of `spring` do not apply to `edition-2` (0 in conflict, 3 lost)
note: `spring` was made for `gold@4d20d4`, and `edition-2` says something else of its mentions; `karat gold rebase spring.goldpatch.jsonl GOLD -o NEW` moves it
warning: `out.karat.jsonl` was not written
  = help: --keep-going applies the others and writes these to a file

"#]]
    );
    assert!(!folder.path("out.karat.jsonl").exists());
    assert_data_eq!(
        folder.run("karat gold apply edition-2.karat.jsonl spring.goldpatch.jsonl -o out.karat.jsonl --keep-going"),
        str![[r#"
exit code 1
-- stderr
warning: 2308754fb9ff 19..24 of `talks` (Q90 -> Q142), lost: the words are "t. Ge"
warning: 4321f59450ca 63..69 of `talks` (add Q145 as a reading of Q84), lost: the words are "the dr"
warning: 42b913719055 96..102 of `talks` (remove Q49776), lost: the words are "d for "
warning: 3 of 4 changes of `spring` do not apply to `edition-2` (0 in conflict, 3 lost)
note: `spring` was made for `gold@4d20d4`, and `edition-2` says something else of its mentions; `karat gold rebase spring.goldpatch.jsonl GOLD -o NEW` moves it
note: what does not apply is in `spring.rejected.jsonl`
note: 0 changes applied to `edition-2`, in `out.karat.jsonl`

"#]]
    );
    let rejected = String::from_utf8(folder.read("spring.rejected.jsonl")).unwrap();
    assert_eq!(rejected.lines().count(), 4, "{rejected}");
}

#[test]
fn bad_patches_are_located() {
    let folder = folder();
    folder.write(
        "bad.goldpatch.jsonl",
        b"{\"goldpatch\":1}\n{\"document\":\"talks\",\"span\":[0,6],\"sett\":{\"link\":[\"Q71\",\"Q1\"]}}\n",
    );
    assert_data_eq!(
        folder.run("karat gold log bad.goldpatch.jsonl"),
        str![[r#"
exit code 2
-- stderr
error: a change has no key `sett`; did you mean `set`?
 --> bad.goldpatch.jsonl:2:34
  |
2 | {"document":"talks","span":[0,6],"sett":{"link":["Q71","Q1"]}}
  |                                  ^^^^^^
  |
  = help: a change has `document`, `span` and one of `set`, `add` and `remove`; docs/gold-patches.md lists all keys

"#]]
    );
    let elsewhere =
        folder.run("karat eval -g gold.karat.jsonl --patch bad.goldpatch.jsonl -s system.csv");
    assert!(
        elsewhere.starts_with("exit code 2") && elsewhere.contains("bad.goldpatch.jsonl:2:"),
        "{elsewhere}"
    );
    let none = folder.run(
        "karat gold apply gold.karat.jsonl spring.goldpatch.jsonl -o out.tsv --only why=unknown",
    );
    assert!(none.starts_with("exit code 2"), "{none}");
    let texts = folder.run("karat gold diff gold.karat.jsonl edition-2.karat.jsonl");
    assert!(
        texts.starts_with("exit code 2") && texts.contains("the texts of document `talks` differ"),
        "{texts}"
    );
}

#[test]
fn contradictions_are_refused_or_kept_open() {
    let folder = folder();
    folder.write(
        "other.goldpatch.jsonl",
        b"{\"goldpatch\":1,\"name\":\"other\"}\n{\"document\":\"talks\",\"span\":[19,24],\"set\":{\"link\":[\"Q90\",\"Q1\"]}}\n",
    );
    assert_data_eq!(
        folder.run(
            "karat gold merge spring.goldpatch.jsonl other.goldpatch.jsonl -o both.goldpatch.jsonl"
        ),
        str![[r#"
exit code 1
-- stderr
warning: 2308754fb9ff and 996403b71b55 contradict each other at 19..24 of `talks`: Q90 -> Q142 against Q90 -> Q1
warning: `both.goldpatch.jsonl` was not written
  = help: --open keeps both, for somebody to choose; neither is applied until then

"#]]
    );
    assert!(!folder.path("both.goldpatch.jsonl").exists());
    let open = folder.run("karat gold merge spring.goldpatch.jsonl other.goldpatch.jsonl --open -o both.goldpatch.jsonl -q");
    assert!(open.starts_with("exit code 0\n"), "{open}");
    let checked =
        folder.run("karat gold check gold.karat.jsonl both.goldpatch.jsonl --format json");
    assert!(checked.contains("\"open\": 2"), "{checked}");
}

#[test]
fn patches_are_in_every_signature() {
    let folder = folder();
    for command in ["errors", "compare", "curves", "collection model", "collection stats"] {
        let systems = match command {
            "compare" => "-s system.csv -s other=system.csv",
            "collection stats" => "",
            "curves" => "-s system.csv --group-by doc",
            _ => "-s system.csv",
        };
        let shown = folder.run(&format!(
            "karat {command} -g gold.karat.jsonl --patch spring.goldpatch.jsonl {systems}"
        ));
        assert!(shown.contains("gold:gold@4d20d4+spring@"), "{command}: {shown}");
    }
    let stream = folder.run(
        "karat eval -g gold.karat.jsonl --patch spring.goldpatch.jsonl -s system.csv --stream",
    );
    assert!(
        stream.starts_with("exit code 2") && stream.contains("`patch` needs all documents"),
        "{stream}"
    );
    let converted = folder
        .run("karat convert gold.karat.jsonl out.karat.jsonl --patch spring.goldpatch.jsonl -q");
    assert_eq!(converted, "exit code 0\n");
    let left = folder.run("karat gold diff out.karat.jsonl corrected.karat.jsonl -q");
    assert_eq!(left.lines().filter(|line| line.contains("\"id\"")).count(), 0, "{left}");
}

#[test]
fn what_does_not_apply_stands_in_the_signature() {
    let folder = folder();
    let shown = folder.run(
        "karat eval -g gold=edition-2.karat.jsonl --patch spring.goldpatch.jsonl -s system.csv -m link --trials 0 --format json",
    );
    assert!(shown.contains("(1/4)"), "{shown}");
}

/// Runs git, without anybody's configuration.
fn git(folder: &Folder, arguments: &str) {
    let line = format!(
        "git -c user.name=karat -c user.email=karat@example.org -c init.defaultBranch=main -c commit.gpgsign=false {arguments}"
    );
    let output = folder.output(&line);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn git_merges_branches_as_karat_does() {
    let folder = folder();
    let header = "{\"goldpatch\":1,\"name\":\"all\",\"base\":{\"name\":\"gold\"}}\n";
    folder.write("all.goldpatch.jsonl", header.as_bytes());
    folder.write(".gitattributes", b"*.goldpatch.jsonl merge=union\n");
    git(&folder, "init -q .");
    git(&folder, "add .gitattributes all.goldpatch.jsonl");
    git(&folder, "commit -q -m base");
    for (branch, system) in [("spring", "spring"), ("autumn", "autumn")] {
        git(&folder, &format!("checkout -q -b {branch} main"));
        let merged = folder.run(&format!(
            "karat gold merge all.goldpatch.jsonl {system}.goldpatch.jsonl --name all -o all.goldpatch.jsonl -q"
        ));
        assert_eq!(merged, "exit code 0\n");
        git(&folder, "commit -q -a -m changes");
        folder.write(&format!("{branch}.of-branch"), &folder.read("all.goldpatch.jsonl"));
    }
    git(&folder, "merge -q spring -m both");
    let by_git = folder.run("karat gold merge all.goldpatch.jsonl all.goldpatch.jsonl -q");
    let by_karat = folder.run("karat gold merge spring.of-branch autumn.of-branch -q");
    assert_eq!(by_git, by_karat);
    assert_eq!(by_karat.matches("\"id\"").count(), 5, "{by_karat}");
}
