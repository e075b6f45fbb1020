//! The ways to name an input: a file, a directory, standard input, several, compressed.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

/// Three documents in three formats.
fn corpus() -> Folder {
    Folder::with(&[
        ("in/a.tsv", "d1\t0\t5\tQ64\n"),
        ("in/b.csv", "doc,start,end,link\nd2,0,6,Q72\n"),
        (
            "in/more/c.karat.jsonl",
            "{\"document\":\"d3\",\"annotations\":[{\"span\":[0,6],\"nil\":\"7\"}]}\n",
        ),
        ("in/README", "Nothing to see here\n"),
    ])
}

#[test]
fn a_file() {
    let folder = corpus();
    assert_data_eq!(
        folder.run(r#"karat convert in/a.tsv - --to csv"#),
        str![[r#"
exit code 0
-- stdout
doc,start,end,link
d1,0,6,Q64

"#]]
    );
}

#[test]
fn a_directory() {
    let folder = corpus();
    assert_data_eq!(
        folder.run(r#"karat convert in - --to neleval"#),
        str![[r#"
exit code 0
-- stdout
d1	0	5	Q64
d2	0	5	Q72
d3	0	5	NIL7
-- stderr
note: `in/README` was not read: its content is of no format that karat knows or was told

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat validate in"#),
        str![[r#"
exit code 0
-- stdout
in (neleval, csv, karat-jsonl): 3 documents, 3 annotations: 2 linked, 1 NIL, 0 without answer
  nothing to complain about
-- stderr
note: `in/README` was not read: its content is of no format that karat knows or was told

"#]]
    );
}

#[test]
fn a_directory_with_many_other_files() {
    let mut files = vec![("in/a.tsv", "d1\t0\t5\tQ64\n")];
    files.extend(["in/1.md", "in/2.md", "in/3.md", "in/4.md", "in/5.md"].map(|f| (f, "# notes\n")));
    let folder = Folder::with(&files);
    assert_data_eq!(
        folder.run("karat convert in - --to neleval"),
        str![[r#"
exit code 0
-- stdout
d1	0	5	Q64
-- stderr
note: `in/1.md`, `in/2.md`, `in/3.md` and 2 more were not read: their content is of no format that karat knows or was told

"#]]
    );
    assert_data_eq!(
        folder.run("karat convert in - --to neleval --verbose"),
        str![[r#"
exit code 0
-- stdout
d1	0	5	Q64
-- stderr
note: `in/1.md`, `in/2.md`, `in/3.md`, `in/4.md`, `in/5.md` were not read: their content is of no format that karat knows or was told

"#]]
    );
}

#[test]
fn several_joined_by_commas() {
    let folder = corpus();
    assert_data_eq!(
        folder.run(r#"karat convert in/a.tsv,in/b.csv,in/more - --to neleval"#),
        str![[r#"
exit code 0
-- stdout
d1	0	5	Q64
d2	0	5	Q72
d3	0	5	NIL7

"#]]
    );
}

/// A file that was meant to be read is never left out: one that is named, or one of a
/// directory that is called like the others.
#[test]
fn a_malformed_file_among_others_is_an_error() {
    let folder = corpus();
    folder.write("in/bad.tsv", b"d4 0 5 Q64\n");
    let error = |line: &str, read_as: &str| {
        let said = folder.run(line);
        let message = format!(
            "error: {read_as}expected `doc  start  end  ...` separated by tabs, found 1 column\n --> in/bad.tsv:1:1"
        );
        assert!(said.starts_with("exit code 2\n") && said.contains(&message), "{line}: {said}");
    };
    let unknown = "not a format karat knows; read as `neleval`: ";
    for quiet in ["", " -q"] {
        let list = "in/a.tsv,in/bad.tsv";
        error(&format!("karat convert {list} - --to csv{quiet}"), unknown);
        error(&format!("karat convert {list} - --to csv --from neleval{quiet}"), "");
        error(&format!("karat convert in - --to csv{quiet}"), unknown);
        error(&format!("karat eval in/a.tsv x={list}{quiet}"), unknown);
        error(&format!("karat eval in/a.tsv x={list} --stream{quiet}"), unknown);
    }
    error("karat validate in/a.tsv,in/bad.tsv", unknown);
    let said = folder.run("karat validate in/a.tsv,in/bad.tsv -q");
    assert!(said.starts_with("exit code 2\n"), "{said}");
    let said = folder.run("karat convert in/a.tsv,in/README - --to csv");
    assert!(said.contains("error: not a format karat knows\n --> in/README"), "{said}");
    let said = folder.run("karat convert in - --to csv --lenient");
    assert!(said.starts_with("exit code 0\n") && said.contains("skipped 1 record"), "{said}");
    let said = folder.run("karat convert in/a.tsv,in/bad.tsv - --to csv --from neleval --lenient");
    assert!(said.starts_with("exit code 0\n") && said.contains("skipped 1 record"), "{said}");
}

/// Several formats share these extensions, and one of them is only read.
#[test]
fn a_malformed_file_is_meant_like_those_beside_it() {
    let kilt = r#"{"id":"d:0","input":"a [START_ENT] b [END_ENT]","output":[{"answer":"B"}],"meta":{"left_context":"a","mention":"b","right_context":""}}"#;
    let folder = Folder::with(&[
        ("kilt/a.jsonl", kilt),
        ("kilt/b.jsonl", "{\"id\": 1,\n"),
        ("ttl/bad.ttl", "a broken file <\n"),
    ]);
    let convert = "karat convert demo/gold.karat.jsonl ttl/a.ttl --to nif-categorised";
    let said = folder.run(&format!("karat demo --export demo && {convert}"));
    assert!(said.starts_with("exit code 0\n"), "{said}");
    for (input, read_as, bad) in
        [("kilt", "kilt", "kilt/b.jsonl"), ("ttl", "nif-categorised", "ttl/bad.ttl")]
    {
        let said = folder.run(&format!("karat validate {input}"));
        let named = said.contains(bad) && said.contains(&format!("read as `{read_as}`: "));
        assert!(said.starts_with("exit code 2\n") && named, "{said}");
    }
}

#[test]
fn a_name_before_the_files() {
    let folder = corpus();
    for (line, shown) in [
        ("karat convert me=in/a.tsv - --to csv", "d1,0,6,Q64"),
        ("karat validate me=in/a.tsv", "1 document, 1 annotation"),
        ("karat convert in/a.tsv - --to csv --documents me=in/more", "not among the given"),
    ] {
        let said = folder.run(line);
        assert!(said.contains(shown), "{line}: {said}");
    }
}

/// A mention that is not in the text that was given goes; its document keeps the text.
#[test]
fn what_does_not_fit_the_given_texts_is_skipped() {
    let folder = Folder::with(&[
        ("n.tsv", "d1\t0\t5\tQ64\nd1\t3\t99\tQ5\nd2\t0\t1\tQ1\n"),
        ("texts.karat.jsonl", "{\"document\":\"d1\",\"text\":\"Berlin is large\"}\n"),
    ]);
    let line = "karat convert n.tsv - --to karat-jsonl --documents texts.karat.jsonl --lenient -q";
    assert_data_eq!(
        folder.run(line),
        str![[r#"
exit code 0
-- stdout
{"document":"d1","text":"Berlin is large","annotations":[{"span":[0,6],"mention":"Berlin","link":"Q64"}]}
-- stderr
note: skipped 2 records (1 offset, 1 unknown document)

"#]]
    );
}

#[test]
fn standard_input() {
    let folder = corpus();
    assert_data_eq!(
        folder.run(r#"cat in/a.tsv | karat convert - - --to csv"#),
        str![[r#"
exit code 0
-- stdout
doc,start,end,link
d1,0,6,Q64

"#]]
    );
    assert_data_eq!(
        folder.run(r#"printf 'd1\t0\t5\tQ64\nd1\t0\tfive\tQ64\n' | karat convert - -  --to csv"#),
        str![[r#"
exit code 2
-- stderr
error: expected a whole number, found `five`
 --> <stdin>:2:6
  |
2 | d1→0→five→Q64
  |      ^^^^
  |
  = help: the second and third column are the offsets of the mention
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_data_eq!(
        folder.run(r#"cat in/b.csv | karat validate -"#),
        str![[r#"
exit code 0
-- stdout
- (csv): 1 document, 1 annotation: 1 linked, 0 NIL, 0 without answer
  nothing to complain about

"#]]
    );
}

#[test]
fn compressed_files() {
    let folder = corpus();
    for name in ["a.tsv.gz", "a.tsv.zst", "a.tsv.bz2"] {
        assert!(folder.output(&format!("karat convert in/a.tsv {name}")).status.success());
        assert_ne!(folder.read(name), folder.read("in/a.tsv"), "{name} is compressed");
        let back = folder.output(&format!("karat convert {name} - --to neleval"));
        assert_eq!(back.stdout, folder.read("in/a.tsv"), "{name}");
        let piped = folder.output(&format!("karat convert - - --to neleval < {name}"));
        assert_eq!(piped.stdout, folder.read("in/a.tsv"), "{name}, piped");
    }
}

#[test]
fn columns_and_units() {
    let folder = Folder::with(&[("run.csv", "page,from,to,wd,text\nd1,4,11,Q72,😀Zürich\n")]);
    assert_data_eq!(folder.run(r#"karat convert run.csv - --to neleval --columns doc=page,start=from,end=to,link=wd --unit bytes"#), str![[r#"
exit code 0
-- stdout
d1	1	6	Q72
-- stderr
note: `neleval` cannot hold everything; left out:
       1  texts

"#]]);
    assert_data_eq!(
        folder.run(r#"karat convert run.csv - --to neleval --columns doc=page,start"#),
        str![[r#"
exit code 2
-- stderr
error: invalid value 'doc=page,start' for '--columns <[INPUT:]NAME=COLUMN,...>': expected NAME=COLUMN, found `start`

For more information, try '--help'.

"#]]
    );
    assert_data_eq!(
        folder.run(
            r#"karat convert run.csv - --to neleval --columns doc=pages,start=from,end=to,link=wd"#
        ),
        str![[r#"
exit code 2
-- stderr
error: no column `pages`; the columns are `page`, `from`, `to`, `wd`, `text`
 --> run.csv
  = help: did you mean --columns doc=page?

"#]]
    );
}

#[test]
fn documents_from_another_file() {
    let folder = Folder::with(&[
        ("run.tsv", "d1\t0\t5\tQ72\n"),
        ("texts.karat.jsonl", "{\"document\":\"d1\",\"text\":\"Zürich\"}\n"),
    ]);
    assert_data_eq!(
        folder.run(r#"karat convert run.tsv out.ttl"#),
        str![[r#"
exit code 2
-- stderr
error: cannot write `out.ttl`: `nif` needs the text of every document; `d1` has none
  = help: give a corpus that has the texts with --documents, or choose a format without text such as neleval

"#]]
    );
    assert_data_eq!(
        folder.run("karat convert run.tsv - --to karat-jsonl --documents texts.karat.jsonl"),
        str![[r#"
exit code 0
-- stdout
{"document":"d1","text":"Zürich","annotations":[{"span":[0,6],"mention":"Zürich","link":"Q72"}]}

"#]]
    );
    folder.write("texts.karat.jsonl", "{\"document\":\"d1\",\"text\":\"Züri\"}\n".as_bytes());
    assert_data_eq!(
        folder.run("karat convert run.tsv out.ttl --documents texts.karat.jsonl"),
        str![[r#"
exit code 2
-- stderr
error: document `d1`: the mention at 0..6 lies outside its text, which has 4 code points
 --> run.tsv:1:1
  |
1 | d1→0→5→Q72
  | ^^^^^^^^^^
  |
  = help: are the documents given with --documents the right ones?
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
}

#[test]
fn an_empty_directory() {
    let folder = Folder::new();
    assert_data_eq!(
        folder.run(r#"mkdir empty && karat convert empty out.tsv"#),
        str![[r#"
exit code 2
-- stderr
error: no files here
 --> empty
  = help: give a file, a directory with files, or `-` for standard input

"#]]
    );
}

#[test]
fn a_table_with_other_columns() {
    let folder = Folder::with(&[("run.csv", "page,from,until,target\nd1,0,5,Q64\n")]);
    assert_data_eq!(
        folder.run("karat convert run.csv out.tsv"),
        str![[r#"
exit code 2
-- stderr
error: not a format karat knows; read as `csv`: no column for `doc` and `start` and `end` (or `length`); the columns are `page`, `from`, `until`, `target`
 --> run.csv
  = help: say which column is which, for instance --columns doc=docid,start=begin,end=stop,link=qid; if this is another format, name it with --from; `karat formats` lists them

"#]]
    );
    assert_eq!(folder.names(), ["run.csv"], "nothing is written");
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere() {
    let folder = Folder::with(&[("in/a.tsv", "d1\t0\t5\tQ64\n")]);
    std::os::unix::fs::symlink("nowhere.tsv", folder.path("in/b.tsv")).unwrap();
    assert_data_eq!(
        folder.run("karat validate in"),
        str![[r#"
exit code 2
-- stderr
error: a link to a file that is not there
 --> in/b.tsv
  = help: bring the file, or remove the link

"#]]
    );
}
