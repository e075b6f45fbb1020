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
 --> e.csv:2:1
  |
2 | many
  | ^^^^
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
  = help: give the columns headings (id, name, aliases, description, types, popularity, title, same_as, mention, count, from, to, parents), or call a table without headings entities, popular, demonyms, word_counts, whitelist_types, same_as, titles, aliases, types or redirects

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
error: no/such/b.kb: cannot write: No such file or directory (os error 2)
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
  = help: it was probably not copied to the end; copy it again, or build it again with `karat kb build`

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
  = help: it was probably not copied to the end; copy it again, or build it again with `karat kb build`

"#]]
    );
    assert_data_eq!(
        folder.run("karat kb search b.kb berlin"),
        str![[r#"
exit code 2
-- stderr
error: b.kb.search: there is no index for search
  = help: make it with `karat kb index FILE`

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
