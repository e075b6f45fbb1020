//! `karat kb`, and `--kb` of the commands that score.

use crate::folder::Folder;
use crate::pages::folder_of;
use snapbox::{assert_data_eq, str};

/// The files of the page about knowledge bases, and the base built from them.
fn folder() -> Folder {
    let folder = folder_of("knowledge-base");
    let built =
        "karat kb build -q entities.csv titles.tsv redirects.tsv same_as.tsv counts.csv -o b.kb";
    assert_eq!(folder.run(built), "exit code 0\n");
    folder
}

#[test]
fn answers_come_in_every_form() {
    let folder = folder();
    assert_data_eq!(
        folder.run("karat kb get b.kb m.0156q --format tsv"),
        str![[r#"
exit code 0
-- stdout
id	what	value
Q64	name	Berlin
Q64	alias	Berlin Germany
Q64	alias	BER
Q64	description	capital of Germany
Q64	type	Q515 city
Q64	popularity	320
Q64	location	

"#]]
    );
    assert_data_eq!(
        folder.run("karat kb candidates b.kb Berlin --format csv -n 2"),
        str![[r#"
exit code 0
-- stdout
mention,id,name,count,prior,most popular
Berlin,Q64,Berlin,900,0.9000,yes
Berlin,Q156932,Berlin,60,0.0600,

"#]]
    );
    assert_data_eq!(
        folder.run("karat kb normalise b.kb Bobby_Dylan --format json"),
        str![[r#"
exit code 0
-- stdout
[
  {
    "spelling": "Bobby_Dylan",
    "step": "redirect",
    "id": "Bob_Dylan",
    "name": null
  },
  {
    "spelling": "Bobby_Dylan",
    "step": "same as",
    "id": "Q392",
    "name": null
  },
  {
    "spelling": "Bobby_Dylan",
    "step": "is",
    "id": "Q392",
    "name": "Bob Dylan"
  }
]

"#]]
    );
}

#[test]
fn what_is_not_there_is_exit_code_1() {
    let folder = folder();
    assert_data_eq!(
        folder.run("karat kb get b.kb Q1"),
        str![[r#"
exit code 1
-- stdout
id  what  value
────────────────
-- stderr
warning: the knowledge base does not have `Q1`

"#]]
    );
    folder.write("popular.tsv", b"\"Berlin\"\texact\tQ64\n\"x\"\texact\t\n");
    folder.output("karat kb build -q popular.tsv -o p.kb");
    assert_data_eq!(
        folder.run("karat kb candidates p.kb Berlin x y"),
        str![[r#"
exit code 1
-- stdout
mention  id   name  count  prior  most popular
───────────────────────────────────────────────
Berlin   Q64  –         –      –  yes
-- stderr
note: `x` means no entity of the knowledge base
warning: the knowledge base cannot know what `y` may mean

"#]]
    );
}

#[test]
fn bad_inputs_leave_nothing_behind() {
    let folder = Folder::with(&[("e.csv", "id,popularity\nQ1,many\n"), ("x.txt", "nothing\n")]);
    assert_data_eq!(
        folder.run("karat kb build e.csv -o b.kb"),
        str![[r#"
exit code 2
-- stderr
error: expected a whole number that is not negative, found `many`
 --> e.csv:2:4
  |
2 | Q1,many
  |    ^^^^
  |
  = help: columns are found by their headings; those that mean something else need another heading

"#]]
    );
    assert_data_eq!(
        folder.run("karat kb build x.txt -o b.kb"),
        str![[r#"
exit code 2
-- stderr
error: this is nothing that a knowledge base can be built from
 --> x.txt
  = help: give the columns headings (id, name, aliases, description, types, popularity, kind, location, parents, title, same_as, mention, count, prior, from, to, demonym, is_demonym, benchmark, document, words, lowercased), or call a table without headings entities, popular, demonyms, word_counts, whitelist_types, same_as, titles, aliases, types, quantity, datetime or redirects

"#]]
    );
    assert_data_eq!(
        folder.run("karat kb build none.csv -o b.kb"),
        str![[r#"
exit code 2
-- stderr
error: no such file or directory
 --> none.csv
  = help: check the spelling, or give a path relative to the current folder

"#]]
    );
    assert_data_eq!(
        folder.run("karat kb build e.csv -o no/such/b.kb"),
        str![[r#"
exit code 2
-- stderr
error: no/such/b.kb: cannot write: No such file or directory
  = help: check the folder, who may write there, and the space left

"#]]
    );
    assert_eq!(folder.names(), ["e.csv", "x.txt"]);
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let folder = folder();
    let mut bytes = folder.read("b.kb");
    folder.write("cut.kb", &bytes[..5000]);
    bytes[4200] ^= 1;
    folder.write("changed.kb", &bytes);
    assert_data_eq!(
        folder.run("karat kb info cut.kb"),
        str![[r#"
exit code 2
-- stderr
error: cut.kb: the knowledge base is damaged: it ends too early
  = help: it was probably not copied to the end; copy it again, or build it again with `karat kb build`

"#]]
    );
    assert_data_eq!(
        folder.run("karat kb get changed.kb Berlin"),
        str![[r#"
exit code 2
-- stderr
error: changed.kb: the knowledge base is damaged: bytes 4096 to 5272 were changed
  = help: it was changed after it was built; take a copy of it, or build it again with `karat kb build`

"#]]
    );
    assert_data_eq!(
        folder.run("karat kb info entities.csv"),
        str![[r#"
exit code 2
-- stderr
error: entities.csv: this is no knowledge base of karat
  = help: build one with `karat kb build INPUT... -o FILE`

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval -g gold.tsv -s system.tsv --kb changed.kb"),
        str![[r#"
exit code 2
-- stderr
error: changed.kb: the knowledge base is damaged: bytes 4096 to 5272 were changed
  = help: it was changed after it was built; take a copy of it, or build it again with `karat kb build`

"#]]
    );
    assert_data_eq!(
        folder.run("karat kb search b.kb zzzzzz"),
        str![[r#"
exit code 1
-- stdout
id  name  found by  prior  popularity  description
───────────────────────────────────────────────────
-- stderr
note: making the index `b.kb.search`, once
warning: no name in the knowledge base fits `zzzzzz`

"#]]
    );
}

#[test]
fn the_base_is_part_of_the_signature() {
    let folder = folder();
    for command in ["eval -m link.f1 --trials 0", "errors"] {
        let shown =
            folder.run(&format!("karat {command} -g gold.tsv -s mine=system.tsv --kb b.kb"));
        assert!(shown.contains("kb:b@"), "{shown}");
    }
}

#[test]
fn what_inputs_disagree_about_is_said() {
    let folder = Folder::with(&[
        ("titles.tsv", "Berlin\tQ64\nBerlin\tQ821244\n"),
        ("redirects.tsv", "First\tX\nSecond\tX\n"),
        ("same_as.tsv", "Q64\tQ90\nQ84\tQ90\n"),
        ("q1.csv", "mention,id,count\nB,Q1,3\n"),
        ("q2.csv", "mention,id,prior\nB,Q2,0.5\nP,Q2,0.5\nP,Q3,0.25\n"),
        ("gold.tsv", "d\t0\t5\tQ1\n"),
    ]);
    assert_data_eq!(
        folder.run("karat kb build -q titles.tsv redirects.tsv same_as.tsv q1.csv q2.csv -o b.kb"),
        str![[r#"
exit code 0
-- stderr
warning: 1 title with several entities; the first was taken: `Berlin` leads to `Q64`, not `Q821244`
warning: 1 redirect with several targets; the first was taken: `X` leads to `First`, not `Second`
warning: 1 group of equal ids with several items of Wikidata, which are one entity now: `Q84` became `Q64`
warning: 1 text with both counts and priors; only the counts were taken, for instance of `B`

"#]]
    );
    assert_data_eq!(
        folder.run("karat kb candidates b.kb B P"),
        str![[r#"
exit code 0
-- stdout
mention  id  name  count   prior  most popular
───────────────────────────────────────────────
B        Q1  –         3  1.0000  yes
B        Q2  –         –       –
P        Q2  –         –  0.5000  yes
P        Q3  –         –  0.2500

"#]]
    );
}

#[test]
fn columns_that_are_not_used_are_named() {
    let folder = Folder::with(&[("e.csv", "id,name,nomen,type,label\nQ64,Berlin,x,Q515,y\n")]);
    assert_data_eq!(
        folder.run("karat kb build e.csv -o b.kb && karat kb get b.kb Q64 --format csv"),
        str![[r#"
exit code 0
-- stdout
id,what,value
Q64,name,Berlin
Q64,description,
Q64,type,Q515
Q64,popularity,
Q64,location,
-- stderr
note: `e.csv`: a CSV table, 1 record
note: `e.csv`: columns were not used: `label`, `nomen`
note: `b.kb` is built: entities 1, mentions 1, links 0

"#]]
    );
}

#[test]
fn an_input_is_not_written_over() {
    let folder = Folder::with(&[
        ("entities.csv", "id,name\nQ64,Berlin\n"),
        ("facts/titles.tsv", "Berlin\tQ64\n"),
    ]);
    for command in [
        "karat kb build entities.csv -o ./entities.csv",
        "karat kb build facts -o facts/titles.tsv",
    ] {
        let shown = folder.run(command);
        assert!(shown.contains("is an input and would be written over"), "{shown}");
        assert!(shown.starts_with("exit code 2"), "{shown}");
    }
    assert_eq!(folder.read("entities.csv"), b"id,name\nQ64,Berlin\n");
    let shown = folder.run("karat kb build entities.csv -o facts");
    assert!(shown.contains("facts: cannot write: it is a folder; name a file in it"), "{shown}");
}

#[test]
fn inputs_that_would_lose_something_are_refused_where_they_would() {
    let folder = Folder::with(&[
        ("quote.csv", "id,name\nQ1,a\nQ2,\"Berlin\nQ3,c\n"),
        ("share.csv", "mention,id,prior\nBerlin,Q1,1.5\n"),
        ("titles.tsv", "Berlin\tQ64\nParis\n"),
        ("semicolons.csv", "id;name\nQ1;a\n"),
    ]);
    assert_data_eq!(
        folder.run("karat kb build quote.csv -o b.kb"),
        str![[r#"
exit code 2
-- stderr
error: a quote that is not closed before the file ends
 --> quote.csv:3:4
  |
3 | Q2,"Berlin
  |    ^^^^^^^
  |
  = help: close it where the field ends, or double it where it belongs to the field; everything behind it was taken for one field

"#]]
    );
    assert_data_eq!(
        folder.run("karat kb build share.csv -o b.kb"),
        str![[r#"
exit code 2
-- stderr
error: expected a share between 0 and 1, found `1.5`
 --> share.csv:2:11
  |
2 | Berlin,Q1,1.5
  |           ^^^
  |
  = help: columns are found by their headings; those that mean something else need another heading

"#]]
    );
    assert_data_eq!(
        folder.run("karat kb build titles.tsv -o b.kb"),
        str![[r#"
exit code 2
-- stderr
error: a row that says nothing: its column `id` is empty
 --> titles.tsv:2:6
  |
2 | Paris
  |      ^
  |
  = help: `titles` without headings was taken for titles and their entities; give it headings, or another name, if it is something else

"#]]
    );
    assert_data_eq!(
        folder.run("karat kb build semicolons.csv -o b.kb"),
        str![[r#"
exit code 2
-- stderr
error: the columns are separated by semicolons
 --> semicolons.csv
  = help: write them with commas or tabs

"#]]
    );
}

#[test]
fn a_circle_of_redirects_is_told_once() {
    let folder = Folder::with(&[("redirects.csv", "from,to\nC,B\nB,A\nA,B\n")]);
    assert_data_eq!(
        folder.run("karat kb build -q redirects.csv -o b.kb && karat kb normalise b.kb C"),
        str![[r#"
exit code 0
-- stdout
spelling  step      id  name
─────────────────────────────
C         redirect  B   –
C         redirect  A   –
C         redirect  B   –
C         circle    A   –
C         is        A   –

"#]]
    );
}

#[test]
fn every_spelling_of_an_entity_can_be_listed() {
    let folder = folder();
    assert_data_eq!(
        folder.run("karat kb get b.kb Q392 --spellings"),
        str![[r#"
exit code 0
-- stdout
id    what         value
──────────────────────────────────────────
Q392  name         Bob Dylan
Q392  alias        Robert Zimmerman
Q392  alias        Dylan
Q392  description  American songwriter
Q392  type         Q5
Q392  popularity   190
Q392  location     –
Q392  same as      /m/01vrncs
Q392  same as      Bob_Dylan
Q392  redirect     Bobby_Dylan
Q392  redirect     Robert_Allen_Zimmerman

"#]]
    );
}

#[test]
fn search_says_when_nothing_fits_and_never_panics() {
    let folder = folder();
    folder.output("karat kb index -q b.kb");
    assert_data_eq!(
        folder.run("karat kb search b.kb zzzzzz"),
        str![[r#"
exit code 1
-- stdout
id  name  found by  prior  popularity  description
───────────────────────────────────────────────────
-- stderr
warning: no name in the knowledge base fits `zzzzzz`

"#]]
    );
    let all = folder.run("karat kb search b.kb berlin -n 2000000000000 --format tsv");
    assert!(all.starts_with("exit code 0"), "{all}");
    let files = std::fs::read_dir(folder.path("b.kb.search")).unwrap();
    for file in files.map(|file| file.unwrap().path()) {
        let sound = std::fs::read(&file).unwrap();
        if file.extension().is_none_or(|ending| ending == "lock") || sound.len() < 16 {
            continue;
        }
        let mut changed = sound.clone();
        changed[4..12].fill(0xff);
        std::fs::write(&file, changed).unwrap();
        for command in ["search b.kb berlin", "info --verify b.kb"] {
            let shown = folder.run(&format!("karat kb {command}"));
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            assert_eq!(
                shown,
                format!(
                    "exit code 2\n-- stderr\nerror: b.kb.search: the index for search is damaged: `{name}` was changed\n  = help: make it again with `karat kb index FILE`\n"
                )
            );
        }
        std::fs::write(&file, sound).unwrap();
    }
    let shown = folder.run("karat kb info --verify b.kb");
    assert!(shown.contains("every byte is as it was written"), "{shown}");
}

#[test]
fn control_characters_are_seen_in_tables_and_kept_in_data() {
    let folder = Folder::with(&[("e.csv", "id,name\nQ1,a\u{1b}[31mred\n")]);
    folder.output("karat kb build -q e.csv -o b.kb");
    let table = folder.run("karat kb get b.kb Q1");
    assert!(table.contains("a\u{fffd}[31mred"), "{table}");
    for form in ["tsv", "csv"] {
        let data = folder.run(&format!("karat kb get b.kb Q1 --format {form}"));
        assert!(data.contains("a\u{1b}[31mred"), "{data:?}");
    }
}

#[test]
fn the_search_index_of_another_base_is_left_out() {
    let folder = Folder::with(&[("facts/cities.csv", "id,name\nQ64,Berlin\nQ90,Paris\n")]);
    folder.output("karat kb build facts -o facts/first.kb -q");
    folder.output("karat kb index -q facts/first.kb");
    assert_data_eq!(
        folder.run("karat kb build facts -o second.kb"),
        str![[r#"
exit code 0
-- stderr
note: `facts/first.kb.search` was left out: it is the search index of a base
note: `facts/cities.csv`: a CSV table, 2 records
note: `facts/first.kb` was left out: it is nothing that a knowledge base can be built from
note: `second.kb` is built: entities 2, mentions 2, links 0

"#]]
    );
    assert_data_eq!(
        folder.run("karat kb build facts/first.kb.search -o third.kb"),
        str![[r#"
exit code 2
-- stderr
error: `facts/first.kb.search` has nothing but a search index
  = help: give the tables and dumps that the base should be built from

"#]]
    );
}

#[cfg(unix)]
#[test]
fn a_build_that_is_interrupted_leaves_nothing_behind() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let rows: String = (0..500_000).map(|n| format!("Q{n},name {n}\n")).collect();
    let folder = Folder::with(&[("entities.csv", &format!("id,name\n{rows}"))]);
    let build = Command::new(env!("CARGO_BIN_EXE_karat"))
        .current_dir(folder.path("."))
        .args(["kb", "build", "entities.csv", "-o", "b.kb"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while folder.names().len() == 1 && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let begun = folder.names();
    let interrupted = Command::new("kill").args(["-INT", &build.id().to_string()]).status();
    assert!(interrupted.unwrap().success());
    let ended = build.wait_with_output().unwrap();
    assert!(begun.iter().any(|name| name.starts_with(".b.kb.karat-")), "{begun:?}");
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(said, "error: cancelled; nothing was written\n");
    assert_eq!(ended.status.code(), Some(130));
    assert_eq!(folder.names(), ["entities.csv"]);
}
