//! What is written: all or nothing.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

const GOLD: &str = "{\"document\":\"d1\",\"text\":\"In Zürich\",\"annotations\":[{\"span\":[3,9],\"mention\":\"Zürich\",\"link\":\"Q72\",\"tags\":[\"new\"]}]}\n";

#[test]
fn overlap_tags_are_true_of_what_is_left() {
    let gold = r#"{"document":"d1","text":"New York","annotations":[{"span":[0,8],"tags":["el:Mnt-Full","el:Olp-Maximal"]},{"span":[4,8],"tags":["el:Olp-Minimal"],"part_of":{"parent":0,"reading":1}}]}"#;
    let folder = Folder::with(&[("gold.karat.jsonl", gold)]);
    assert_data_eq!(
        folder.run("karat convert gold.karat.jsonl - --to csv"),
        str![[r#"
exit code 0
-- stdout
doc,start,end,link,surface,text,tags
d1,0,8,,New York,New York,el:Mnt-Full|el:Olp-None
-- stderr
note: 1 overlap tag set anew, as a mention around or inside is left out
note: `csv` cannot hold everything; left out:
       1  parts of alternatives

"#]]
    );
}

#[test]
fn a_text_is_cut_into_tokens_where_rows_of_tokens_need_them() {
    let gold = r#"{"document":"d1","text":"In Zürich, Ann.","annotations":[{"span":[3,9],"link":"Q72"},{"span":[11,14],"nil":true}]}"#;
    let folder = Folder::with(&[("gold.karat.jsonl", gold)]);
    assert_data_eq!(
        folder.run("karat convert gold.karat.jsonl - --to aida-conll"),
        str![[r#"
exit code 0
-- stdout
-DOCSTART- (d1)
In
Zürich	B	Zürich	Q72
,
Ann	B	Ann	--NME--
.
-- stderr
note: to suit `aida-conll`, the white space of the text was changed in 1 document

"#]]
    );
}

#[test]
fn a_conversion_says_what_it_left_out() {
    let folder = Folder::with(&[("gold.karat.jsonl", GOLD)]);
    assert_data_eq!(
        folder.run(r#"karat convert gold.karat.jsonl out.tsv"#),
        str![[r#"
exit code 0
-- stderr
note: `neleval` cannot hold everything; left out:
       1  tags
       1  texts
note: read 1 document and 1 annotation (karat-jsonl), wrote `out.tsv` (neleval)

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat convert gold.karat.jsonl out.tsv --quiet"#),
        str![[r#"
exit code 0
-- stderr
note: `neleval` cannot hold everything; left out:
       1  tags
       1  texts

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat convert gold.karat.jsonl - --to neleval"#),
        str![[r#"
exit code 0
-- stdout
d1	3	8	Q72
-- stderr
note: `neleval` cannot hold everything; left out:
       1  tags
       1  texts

"#]]
    );
}

#[test]
fn a_directory() {
    let folder = Folder::with(&[("gold.karat.jsonl", GOLD)]);
    assert_data_eq!(
        folder.run(r#"karat convert gold.karat.jsonl out --to brat"#),
        str![[r#"
exit code 0
-- stderr
note: `brat` cannot hold everything; left out:
       1  tags
note: read 1 document and 1 annotation (karat-jsonl), wrote `out` (brat)

"#]]
    );
    assert_data_eq!(
        folder.run(r#"ls out"#),
        str![[r#"
exit code 0
-- stdout
d1.ann
d1.txt

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat convert gold.karat.jsonl out --to brat"#),
        str![[r#"
exit code 2
-- stderr
error: cannot write `out`: the directory exists and is not empty
  = help: choose another name for the output

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat convert out - --to karat-jsonl"#),
        str![[r#"
exit code 0
-- stdout
{"document":"d1","text":"In Zürich","annotations":[{"span":[3,9],"mention":"Zürich","link":"Q72"}]}

"#]]
    );
}

#[test]
fn a_directory_cannot_go_to_standard_output() {
    let folder = Folder::with(&[("gold.karat.jsonl", GOLD)]);
    assert_data_eq!(
        folder.run(r#"karat convert gold.karat.jsonl - --to brat"#),
        str![[r#"
exit code 2
-- stderr
error: cannot write to standard output: this format writes several files and needs a directory
  = help: choose another name for the output

"#]]
    );
}

#[test]
fn a_file_name_that_is_a_directory() {
    let folder = Folder::with(&[("gold.karat.jsonl", GOLD)]);
    assert_data_eq!(
        folder.run(r#"mkdir out && karat convert gold.karat.jsonl out --to nif"#),
        str![[r#"
exit code 2
-- stderr
error: cannot write `out`: it is a directory; name a file in it
  = help: choose another name for the output

"#]]
    );
}

#[test]
fn a_folder_that_is_not_there() {
    let folder = Folder::with(&[("gold.karat.jsonl", GOLD)]);
    assert_data_eq!(
        folder.run(r#"karat convert gold.karat.jsonl missing/out.ttl"#),
        str![[r#"
exit code 2
-- stderr
error: cannot write `missing/out.ttl`: No such file or directory
  = help: the folder must exist; create it first

"#]]
    );
    assert_eq!(folder.names(), ["gold.karat.jsonl"]);
}

#[test]
fn a_device_that_takes_nothing() {
    let folder = Folder::with(&[("gold.karat.jsonl", GOLD)]);
    for line in ["convert gold.karat.jsonl - --to nif", "formats"] {
        assert_data_eq!(
            folder.run(&format!("karat {line} > /dev/full")),
            str![[r#"
exit code 2
-- stderr
error: cannot write to standard output: No space left on device
  = help: free some space, or choose another place

"#]]
        );
    }
}

#[test]
fn a_name_that_tells_no_format() {
    let folder = Folder::with(&[("gold.karat.jsonl", GOLD)]);
    assert_data_eq!(
        folder.run(r#"karat convert gold.karat.jsonl out.txt"#),
        str![[r#"
exit code 2
-- stderr
error: cannot tell the format of `out.txt` from its name
  = help: name it with --to; `karat formats` lists the formats

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat convert gold.karat.jsonl -"#),
        str![[r#"
exit code 2
-- stderr
error: standard output needs the name of a format
  = help: name it with --to; `karat formats` lists the formats

"#]]
    );
}

#[test]
fn an_unknown_format() {
    let folder = Folder::with(&[("gold.karat.jsonl", GOLD)]);
    assert_data_eq!(
        folder.run(r#"karat convert gold.karat.jsonl out --to niff"#),
        str![[r#"
exit code 2
-- stderr
error: no format is called `niff`
  = help: did you mean `nif`? `karat formats` lists all

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat convert gold.karat.jsonl out.ttl --from karat-json"#),
        str![[r#"
exit code 2
-- stderr
error: no format is called `karat-json`
  = help: did you mean `karat-jsonl`? `karat formats` lists all

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat formats aida"#),
        str![[r#"
exit code 2
-- stderr
error: no format is called `aida`
  = help: did you mean `aida-conll`? `karat formats` lists all

"#]]
    );
}

#[test]
fn a_format_that_is_only_read() {
    let folder = Folder::with(&[("gold.karat.jsonl", GOLD)]);
    assert_data_eq!(
        folder.run(r#"karat convert gold.karat.jsonl out --to zelda"#),
        str![[r#"
exit code 2
-- stderr
error: cannot write `out`: karat reads `zelda` but does not write it
  = help: `karat formats` lists the formats that can be written

"#]]
    );
}

#[test]
fn an_existing_file_survives_a_failure() {
    let text = "{\"document\":\"d2\"}\n";
    let folder = Folder::with(&[
        ("half.karat.jsonl", &(GOLD.to_owned() + text)),
        ("bad.karat.jsonl", &(GOLD.to_owned() + "{")),
        (
            "line.karat.jsonl",
            &(GOLD.to_owned() + "{\"document\":\"a\\tb\",\"annotations\":[{\"span\":[0,1]}]}\n"),
        ),
        ("out.ttl", "precious"),
        ("out.tsv", "precious"),
    ]);
    let before = folder.names();
    assert_data_eq!(
        folder.run("karat convert half.karat.jsonl out.ttl"),
        str![[r#"
exit code 2
-- stderr
error: cannot write `out.ttl`: `nif` needs the text of every document; `d2` has none
  = help: give a corpus that has the texts with --documents, or choose a format without text such as neleval

"#]]
    );
    assert_data_eq!(
        folder.run("karat convert bad.karat.jsonl out.ttl"),
        str![[r#"
exit code 2
-- stderr
error: the JSON ends too early, inside an object
 --> bad.karat.jsonl:2:1
  |
2 | {
  | ^
  |
  = help: each line is one document; docs/formats/karat-jsonl.md lists its fields
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_data_eq!(
        folder.run("karat convert line.karat.jsonl out.tsv"),
        str![[r#"
exit code 2
-- stderr
error: cannot write `out.tsv`: document `a�b`: the document id `a/tb` has a tab or line break in it
  = help: choose another format; `karat-jsonl` holds everything

"#]]
    );
    assert_data_eq!(
        folder.run("karat convert line.karat.jsonl - --to neleval"),
        str![[r#"
exit code 2
-- stderr
error: cannot write to standard output: document `a�b`: the document id `a/tb` has a tab or line break in it
  = help: choose another format; `karat-jsonl` holds everything

"#]]
    );
    assert_eq!(folder.read("out.ttl"), b"precious");
    assert_eq!(folder.read("out.tsv"), b"precious");
    assert_eq!(folder.names(), before, "no temporary file is left");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let folder = Folder::with(&[("long.tsv", &"d1\t0\t5\tQ64\n".repeat(100_000))]);
    let output = folder.output("karat convert long.tsv - --to csv | head -c 1");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 1), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    let output = folder.output("karat formats | true");
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{output:?}");
}

/// Before anything is read: none of these inputs is there.
#[test]
fn a_plot_is_not_called_what_it_is_not() {
    let folder = Folder::new();
    for (command, name) in [
        ("eval gold.tsv a.tsv --group-by type --heat-map", "x.png"),
        ("eval gold.tsv a.tsv --fuzzy alpha=0,1 --sweep", "x.PDF"),
        ("eval gold.tsv a.tsv --curve", "x.jpg"),
        ("compare gold.tsv a.tsv b.tsv --forest", "x.jpeg"),
        ("compare gold.tsv a.tsv b.tsv --critical-difference", "x.eps"),
        ("collection size gold.tsv a.tsv b.tsv --growth", "x.gif"),
        ("collection size gold.tsv a.tsv b.tsv --separation", "x.ps"),
        ("collection size gold.tsv a.tsv b.tsv --power", "x.webp"),
        ("collection model -g gold.tsv -s a.tsv --remove 1 --distribution", "x.png"),
    ] {
        let shown = folder.run(&format!("karat {command} {name}"));
        let message = format!("plots are SVG, and `{name}` is the name of another picture");
        assert!(shown.starts_with("exit code 2") && shown.contains(&message), "{command}: {shown}");
        assert!(shown.contains("name it `x.svg`"), "{command}: {shown}");
    }
    assert_data_eq!(
        folder.run("karat compare gold.tsv a.tsv b.tsv --forest plots/f.png"),
        str![[r#"
exit code 2
-- stderr
error: plots are SVG, and `plots/f.png` is the name of another picture
  = help: name it `plots/f.svg`; `rsvg-convert`, for one, makes a PNG of it

"#]]
    );
}

#[test]
fn an_input_is_never_written_over() {
    let folder = Folder::with(&[("gold.tsv", "d1\t0\t5\tQ1\n")]);
    for command in [
        "karat convert gold.tsv gold.tsv --to csv",
        "karat collection sample --by document -n 1 gold.tsv -o gold.tsv",
    ] {
        assert_data_eq!(
            folder.run(&format!("{command}; echo $?; cat gold.tsv")),
            str![[r#"
exit code 0
-- stdout
2
d1	0	5	Q1
-- stderr
error: `gold.tsv` is an input and would be written over
  = help: name another file for the output

"#]]
        );
    }
}

#[test]
fn of_formats_that_share_an_extension_the_input_s_is_written() {
    let folder = Folder::with_sample();
    folder.run("karat convert sample/gold.karat.jsonl gold.ttl --to nif-categorised --quiet");
    assert_data_eq!(
        folder.run("karat convert gold.ttl again.ttl --tags fel"),
        str![[r#"
exit code 0
-- stderr
note: read 14 documents and 173 annotations (nif-categorised), wrote `again.ttl` (nif-categorised)

"#]]
    );
}
