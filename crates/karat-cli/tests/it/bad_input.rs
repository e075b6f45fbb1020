//! Each kind of bad input: what is said, that nothing is written, and exit code 2.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};
use std::io::Write;

const BERLIN: &str = "{\"document\":\"d1\",\"text\":\"In Zürich 😀 and Berlin\",\"annotations\":[{\"span\":[3,9],\"mention\":\"Zürich\",\"link\":\"Q72\"}]}\n";

/// Marks in the text, and a list of links after it.
const AMBIGUOUS: &str = r#"{"id":"1","text":"In Berlin","output":"In [Berlin](Q64)\n[{\"mention\": \"Berlin\", \"link\": \"Q64\"}]"}
"#;

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_malformed_line() {
    let folder = Folder::with(&[("run.tsv", "d1\t0\t5\tQ64\nd1\tzero\t5\tQ64\n")]);
    assert_data_eq!(
        folder.run(r#"karat convert run.tsv out.csv"#),
        str![[r#"
exit code 2
-- stderr
error: expected a whole number, found `zero`
 --> run.tsv:2:4
  |
2 | d1→zero→5→Q64
  |    ^^^^
  |
  = help: the second and third column are the offsets of the mention
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_eq!(folder.names(), ["run.tsv"], "nothing is written");
}

#[test]
fn a_line_with_too_few_columns() {
    let folder = Folder::with(&[("run.tsv", "d1\t0\t5\tQ64\nd1 7 9 Q183\n")]);
    assert_data_eq!(
        folder.run(r#"karat convert run.tsv out.csv"#),
        str![[r#"
exit code 2
-- stderr
error: expected `doc  start  end  ...` separated by tabs, found 1 column
 --> run.tsv:2:1
  |
2 | d1 7 9 Q183
  | ^^^^^^^^^^^
  |
  = help: columns are separated by tabs, not spaces
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_eq!(folder.names(), ["run.tsv"], "nothing is written");
}

#[test]
fn a_field_of_the_wrong_type() {
    let folder = Folder::with(&[(
        "run.karat.jsonl",
        "{\"document\":\"d1\",\"annotations\":[{\"span\":\"0-5\"}]}\n",
    )]);
    assert_data_eq!(
        folder.run(r#"karat convert run.karat.jsonl out.csv"#),
        str![[r#"
exit code 2
-- stderr
error: bad JSON: invalid type: string "0-5", expected a tuple of size 2
 --> run.karat.jsonl:1:45
  |
1 | {"document":"d1","annotations":[{"span":"0-5"}]}
  |                                             ^
  |
  = help: each line is one document; docs/formats/karat-jsonl.md lists its fields
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_eq!(folder.names(), ["run.karat.jsonl"], "nothing is written");
}

#[test]
fn broken_turtle() {
    let folder = Folder::with(&[(
        "gold.ttl",
        "@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .\n<http://x/d#char=0,6> a nif:Context ;\n  nif:isString \"Berlin .\n",
    )]);
    assert_data_eq!(
        folder.run(r#"karat convert gold.ttl out.csv"#),
        str![[r#"
exit code 2
-- stderr
error: this string has no end on its line
 --> gold.ttl:3:16
  |
3 |   nif:isString "Berlin .
  |                ^
  |
  = help: a statement is `subject predicate object ; predicate object .`
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_eq!(folder.names(), ["gold.ttl"], "nothing is written");
}

#[test]
fn an_offset_outside_the_text() {
    let folder = Folder::with(&[(
        "run.csv",
        "doc,start,end,link,text\nd1,0,6,Q72,Zürich\nd1,3,60,Q72,Zürich\n",
    )]);
    assert_data_eq!(
        folder.run(r#"karat convert run.csv out.ttl"#),
        str![[r#"
exit code 2
-- stderr
error: offset 3..60 lies outside the text, which has 6 code points
 --> run.csv:3:4
  |
3 | d1,3,60,Q72,Zürich
  |    ^
  |
  = help: offsets were read as code points with exclusive end; say `--unit utf16`, `--unit bytes` or `--end inclusive` if the file counts differently
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_eq!(folder.names(), ["run.csv"], "nothing is written");
}

#[test]
fn an_offset_inside_a_character() {
    let folder = Folder::with(&[("run.csv", "doc,start,end,link,text\nd1,2,5,Q72,Zürich\n")]);
    assert_data_eq!(
        folder.run(r#"karat convert run.csv out.ttl --unit bytes"#),
        str![[r#"
exit code 2
-- stderr
error: offset 2 points into the middle of a character (counting bytes)
 --> run.csv:2:4
  |
2 | d1,2,5,Q72,Zürich
  |    ^
  |
  = help: offsets were read as bytes with exclusive end; say `--unit code-points` or `--end inclusive` if the file counts differently
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_eq!(folder.names(), ["run.csv"], "nothing is written");
}

#[test]
fn an_offset_outside_the_text_of_a_long_line() {
    let folder = Folder::with(&[(
        "gold.karat.jsonl",
        "{\"document\":\"d1\",\"text\":\"In Berlin, the capital of Germany, there are many lakes and rivers and bridges\",\"annotations\":[{\"span\":[3,9],\"link\":\"Q64\"},{\"span\":[26,330],\"link\":\"Q183\"}]}\n",
    )]);
    assert_data_eq!(
        folder.run(r#"karat convert gold.karat.jsonl out.ttl"#),
        str![[r#"
exit code 2
-- stderr
error: offset 26..330 lies outside the text, which has 78 code points
 --> gold.karat.jsonl:1:149
  |
1 | …ers and bridges","annotations":[{"span":[3,9],"link":"Q64"},{"span":[26,330],"link":"Q183"}]}
  |                                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = help: offsets were read as code points with exclusive end; say `--unit utf16`, `--unit bytes` or `--end inclusive` if the file counts differently
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_eq!(folder.names(), ["gold.karat.jsonl"], "nothing is written");
}

#[test]
fn a_surface_form_that_stands_elsewhere() {
    let folder =
        Folder::with(&[("run.txt", "1|t|In Zürich\n1|a|It rains.\n1\t2\t8\tZürich\tCity\tQ72\n")]);
    assert_data_eq!(
        folder.run(r#"karat convert run.txt out.ttl"#),
        str![[r#"
exit code 2
-- stderr
error: the mention is “Zürich” but the text at 2..8 is “ Züric”
 --> run.txt:3:1
  |
3 | 1→2→8→Zürich→City→Q72
  | ^^^^^^^^^^^^^^^^^^^^^
  |
  = help: “Zürich” stands at 3, 1 later; are these the offsets of another text?
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_eq!(folder.names(), ["run.txt"], "nothing is written");
}

#[test]
fn a_surface_form_that_is_not_in_the_text() {
    let folder =
        Folder::with(&[("run.txt", "1|t|In Zürich\n1|a|It rains.\n1\t3\t9\tZurich\tCity\tQ72\n")]);
    assert_data_eq!(
        folder.run(r#"karat convert run.txt out.ttl"#),
        str![[r#"
exit code 2
-- stderr
error: the mention is “Zurich” but the text at 3..9 is “Zürich”
 --> run.txt:3:1
  |
3 | 1→3→9→Zurich→City→Q72
  | ^^^^^^^^^^^^^^^^^^^^^
  |
  = help: the mention does not occur in the text at all; is it the right document?
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_eq!(folder.names(), ["run.txt"], "nothing is written");
}

#[test]
fn an_unknown_document() {
    let folder =
        Folder::with(&[("run.txt", "1|t|In Zürich\n1|a|It rains.\n2\t3\t9\tZürich\tCity\tQ72\n")]);
    assert_data_eq!(
        folder.run(r#"karat convert run.txt out.ttl"#),
        str![[r#"
exit code 2
-- stderr
error: the line belongs to document `2` but stands in document `1`
 --> run.txt:3:1
  |
3 | 2→3→9→Zürich→City→Q72
  | ^
  |
  = help: a document starts with its `id|t|title` line, and its mentions follow it
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_eq!(folder.names(), ["run.txt"], "nothing is written");
}

#[test]
fn a_mention_of_no_context() {
    let folder = Folder::with(&[(
        "gold.ttl",
        "@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .\n<http://x/d#char=0,6> a nif:Phrase ;\n  nif:referenceContext <http://x/missing#char=0,9> ; nif:beginIndex 0 ; nif:endIndex 6 .\n",
    )]);
    assert_data_eq!(
        folder.run(r#"karat convert gold.ttl out.csv"#),
        str![[r#"
exit code 2
-- stderr
error: the context <http://x/missing#char=0,9> is not in the file, or has no nif:isString
 --> gold.ttl:2:1
  |
2 | <http://x/d#char=0,6> a nif:Phrase ;
  | ^
  |
  = help: every mention refers to a nif:Context that holds the text of its document
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_eq!(folder.names(), ["gold.ttl"], "nothing is written");
}

#[test]
fn a_duplicate_document() {
    let folder = Folder::with(&[(
        "gold.karat.jsonl",
        "{\"document\":\"d1\",\"text\":\"a\"}\n{\"document\":\"d2\"}\n{\"document\":\"d1\",\"text\":\"b\"}\n",
    )]);
    assert_data_eq!(
        folder.run(r#"karat convert gold.karat.jsonl out.csv"#),
        str![[r#"
exit code 2
-- stderr
error: document `d1` occurs twice
 --> gold.karat.jsonl:3:1
  |
3 | {"document":"d1","text":"b"}
  | ^
  |
  = help: document ids must be unique in one input; give files of different benchmarks apart
  = help: --lenient keeps the first, counts the others and goes on

"#]]
    );
    assert_eq!(folder.names(), ["gold.karat.jsonl"], "nothing is written");
}

#[test]
fn a_document_that_is_in_two_files() {
    let folder = Folder::with(&[("a.karat.jsonl", BERLIN), ("b.karat.jsonl", BERLIN)]);
    assert_data_eq!(
        folder.run(r#"karat convert a.karat.jsonl,b.karat.jsonl out.csv"#),
        str![[r#"
exit code 2
-- stderr
error: document `d1` occurs twice, first in a.karat.jsonl
 --> b.karat.jsonl:1:1
  |
1 | {"document":"d1","text":"In Zürich 😀 and Berlin","annotations":[{"span":[3,9],"mention":"Zürich","link":"Q72"}]}
  | ^
  |
  = help: document ids must be unique in one input; give files of different benchmarks apart
  = help: --lenient keeps the first, counts the others and goes on

"#]]
    );
    assert_eq!(folder.names(), ["a.karat.jsonl", "b.karat.jsonl"]);
}

#[test]
fn an_overlap_that_the_format_forbids() {
    let folder = Folder::with(&[(
        "doc.xml",
        "<?xml version=\"1.0\"?>\n<collection><source>x</source><date/><key/>\n<document><id>1</id>\n<passage><offset>0</offset><text>Berlin calling</text></passage>\n<passage><offset>5</offset><text>again</text></passage>\n</document></collection>\n",
    )]);
    assert_data_eq!(
        folder.run(r#"karat convert doc.xml out.ttl"#),
        str![[r#"
exit code 2
-- stderr
error: the passage starts at 5, before the end of the one before it at 14
 --> doc.xml:5:1
  |
5 | <passage><offset>5</offset><text>again</text></passage>
  | ^^^^^^^^^
  |
  = help: passages must be in order; offsets were read as code points, say `--unit code-points`, `--unit bytes` or `--unit utf16` if the file counts differently
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_eq!(folder.names(), ["doc.xml"], "nothing is written");
}

#[test]
fn a_truncated_record() {
    let folder = Folder::with(&[(
        "gold.karat.jsonl",
        "{\"document\":\"d1\"}\n{\"document\":\"d2\",\"text\":\"In Zür",
    )]);
    assert_data_eq!(
        folder.run(r#"karat convert gold.karat.jsonl out.csv"#),
        str![[r#"
exit code 2
-- stderr
error: the JSON ends too early, inside a string
 --> gold.karat.jsonl:2:31
  |
2 | {"document":"d2","text":"In Zür
  |                               ^
  |
  = help: each line is one document; docs/formats/karat-jsonl.md lists its fields
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_eq!(folder.names(), ["gold.karat.jsonl"], "nothing is written");
}

#[test]
fn truncated_xml() {
    let folder = Folder::with(&[(
        "doc.xml",
        "<?xml version=\"1.0\"?>\n<collection><source>x</source><date/><key/>\n<document><id>1</id>\n<passage><offset>0</offset><text>Berlin",
    )]);
    assert_data_eq!(
        folder.run(r#"karat convert doc.xml out.ttl"#),
        str![[r#"
exit code 2
-- stderr
error: the file ends inside `<text>`
 --> doc.xml:4:28
  |
4 | <passage><offset>0</offset><text>Berlin
  |                            ^^^^^^
  |
  = help: it was probably not downloaded or copied to the end; get it again
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_eq!(folder.names(), ["doc.xml"], "nothing is written");
}

#[test]
fn a_truncated_archive() {
    let folder = Folder::new();
    let whole = gzip(BERLIN.repeat(50).as_bytes());
    folder.write("gold.karat.jsonl.gz", &whole[..whole.len() - 20]);
    assert_data_eq!(
        folder.run(r#"karat convert gold.karat.jsonl.gz out.csv"#),
        str![[r#"
exit code 2
-- stderr
error: the compressed file is cut off after 29 lines
 --> gold.karat.jsonl.gz
  = help: it was probably not downloaded or copied to the end; get it again

"#]]
    );
    assert_eq!(folder.names(), ["gold.karat.jsonl.gz"], "nothing is written");
}

#[test]
fn an_archive_bomb() {
    let folder = Folder::new();
    folder.write(
        "bomb.jsonl.gz",
        &gzip(
            &b"{\"document\":\"d1\",\"text\":\""
                .iter()
                .copied()
                .chain(vec![b'a'; 128 << 20])
                .collect::<Vec<u8>>(),
        ),
    );
    assert_data_eq!(
        folder.run(r#"karat convert bomb.jsonl.gz out.csv"#),
        str![[r#"
exit code 2
-- stderr
error: expands to more than 64 MiB, over 250 times its size
 --> bomb.jsonl.gz
  = help: if you trust this file, decompress it yourself and give karat the result

"#]]
    );
    assert_eq!(folder.names(), ["bomb.jsonl.gz"], "nothing is written");
}

#[test]
fn a_latin_1_file() {
    let folder = Folder::new();
    folder.write("run.csv", b"doc,start,end,link\nd1,0,7,Q1726\nM\xfcnchen,0,7,Q1726\n");
    assert_data_eq!(
        folder.run(r#"karat convert run.csv out.tsv"#),
        str![[r#"
exit code 2
-- stderr
error: expected UTF-8, found the byte 0xfc, which cannot stand here
 --> run.csv:3:2
  |
3 | M�nchen,0,7,Q1726
  |  ^
  |
  = help: if it is Latin-1 or Windows-1252, convert it with `iconv -f WINDOWS-1252 -t UTF-8`

"#]]
    );
    assert_data_eq!(
        folder.run(r#"karat convert run.csv out.tsv --from csv"#),
        str![[r#"
exit code 2
-- stderr
error: expected UTF-8, found the byte 0xfc, which cannot stand here
 --> run.csv:3:2
  |
3 | M�nchen,0,7,Q1726
  |  ^
  |
  = help: if it is Latin-1 or Windows-1252, convert it with `iconv -f WINDOWS-1252 -t UTF-8`

"#]]
    );
    assert_eq!(folder.names(), ["run.csv"], "nothing is written");
}

#[test]
fn a_utf_16_file_without_a_mark() {
    let folder = Folder::new();
    let units = "doc,start,end,link\nd1,0,7,Q1726\n".encode_utf16();
    folder.write("run.csv", &units.flat_map(u16::to_be_bytes).collect::<Vec<u8>>());
    for line in ["karat convert run.csv out.tsv", "karat convert run.csv out.tsv --from csv"] {
        assert_data_eq!(
            folder.run(line),
            str![[r#"
exit code 2
-- stderr
error: expected UTF-8, found UTF-16
 --> run.csv
  = help: convert it with `iconv -f UTF-16BE -t UTF-8`

"#]]
        );
    }
}

#[test]
fn a_utf_16_file() {
    let folder = Folder::new();
    let units = "\u{feff}doc,start,end,link\nd1,0,7,Q1726\n".encode_utf16();
    folder.write("run.csv", &units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    assert_data_eq!(
        folder.run(r#"karat convert run.csv out.tsv"#),
        str![[r#"
exit code 2
-- stderr
error: expected UTF-8, found UTF-16
 --> run.csv
  = help: convert it with `iconv -f UTF-16 -t UTF-8`

"#]]
    );
    assert_eq!(folder.names(), ["run.csv"], "nothing is written");
}

#[test]
fn a_binary_file() {
    let folder = Folder::new();
    folder.write("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xfe");
    assert_data_eq!(
        folder.run(r#"karat convert picture.png out.tsv"#),
        str![[r#"
exit code 2
-- stderr
error: not a format karat knows, and not text
 --> picture.png
  = help: `karat formats` lists what can be read; name the format with --from to see where this file departs from it

"#]]
    );
}

#[test]
fn a_file_of_no_known_format() {
    let folder = Folder::with(&[("notes.txt", "Nothing to see here\n")]);
    assert_data_eq!(
        folder.run(r#"karat convert notes.txt out.tsv"#),
        str![[r#"
exit code 2
-- stderr
error: not a format karat knows
 --> notes.txt
  = help: `karat formats` lists what can be read; name the format with --from to see where this file departs from it

"#]]
    );
    assert_eq!(folder.names(), ["notes.txt"], "nothing is written");
}

#[test]
fn an_empty_file() {
    let folder = Folder::with(&[("empty.tsv", "")]);
    assert_data_eq!(
        folder.run(r#"karat convert empty.tsv out.csv"#),
        str![[r#"
exit code 2
-- stderr
error: the file is empty
 --> empty.tsv
  = help: name its format with --from if it is meant to be

"#]]
    );
    assert_eq!(folder.names(), ["empty.tsv"], "nothing is written");
}

#[test]
fn a_file_of_another_format_than_named() {
    let folder = Folder::with(&[("gold.karat.jsonl", BERLIN)]);
    assert_data_eq!(
        folder.run(r#"karat convert gold.karat.jsonl out.csv --from nif"#),
        str![[r#"
exit code 2
-- stderr
error: expected the subject of a statement, found “{"document":"d1","text":"In”
 --> gold.karat.jsonl:1:1
  |
1 | {"document":"d1","text":"In Zürich 😀 and Berlin","annotations":[{"span":[3,9],"mention":"Zürich","link":"Q72"}]}
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = help: a statement is `subject predicate object ; predicate object .`
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_eq!(folder.names(), ["gold.karat.jsonl"], "nothing is written");
}

#[test]
fn a_file_that_could_be_several_things() {
    let folder = Folder::with(&[("answers.jsonl", AMBIGUOUS)]);
    assert_data_eq!(
        folder.run(r#"karat convert answers.jsonl out.csv"#),
        str![[r#"
exit code 2
-- stderr
error: this could be `llm-markup` or `llm-json`
 --> answers.jsonl
  = help: say which with --from, for instance `--from llm-markup`; `karat formats NAME` describes one

"#]]
    );
    assert_eq!(folder.names(), ["answers.jsonl"], "nothing is written");
}

#[test]
fn a_file_that_is_not_there() {
    let folder = Folder::new();
    assert_data_eq!(
        folder.run(r#"karat convert gold.ttl out.tsv"#),
        str![[r#"
exit code 2
-- stderr
error: no such file or directory
 --> gold.ttl
  = help: check the spelling, or give a path relative to the current folder

"#]]
    );
}

#[test]
fn a_lenient_reading_counts_and_lists() {
    let folder = Folder::with(&[(
        "run.csv",
        "doc,start,end,link,surface,text\n\
         d1,0,6,Q72,Zürich,Zürich\n\
         d1,one,6,Q72,Zürich,Zürich\n\
         d1,0,60,Q72,Zürich,Zürich\n\
         d1,0,6,Q72,Zurich,Zürich\n\
         d1,1,6,Q72,ürich,Zürich\n",
    )]);
    assert_data_eq!(
        folder.run("karat convert run.csv out.karat.jsonl --lenient"),
        str![[r#"
exit code 0
-- stderr
warning: expected a whole number from 0 up, found “one”
 --> run.csv:3:4
  |
3 | d1,one,6,Q72,Zürich,Zürich
  |    ^^^
  |
  = help: docs/formats/tables.md says what stands in each column
warning: offset 0..60 lies outside the text, which has 6 code points
 --> run.csv:4:4
  |
4 | d1,0,60,Q72,Zürich,Zürich
  |    ^
  |
  = help: offsets were read as code points with exclusive end; say `--unit utf16`, `--unit bytes` or `--end inclusive` if the file counts differently
note: skipped 2 records (1 malformed, 1 offset)
warning: the mention is “Zurich” but the text at 0..6 is “Zürich”; kept as given
 --> run.csv:5:12
  |
5 | d1,0,6,Q72,Zurich,Zürich
  |            ^^^^^^
  |
  = help: the mention does not occur in the text at all; is it the right document?
note: repaired 1 record (1 surface form)
note: read 1 document and 3 annotations (csv), wrote `out.karat.jsonl` (karat-jsonl)

"#]]
    );
    assert_data_eq!(
        folder.run("cat out.karat.jsonl"),
        str![[r#"
exit code 0
-- stdout
{"document":"d1","text":"Zürich","annotations":[{"span":[0,6],"mention":"Zürich","link":"Q72"},{"span":[0,6],"mention":"Zürich","link":"Q72"},{"span":[1,6],"mention":"ürich","link":"Q72"}]}

"#]]
    );
    assert_data_eq!(
        folder.run("karat convert run.csv - --to neleval --lenient --quiet"),
        str![[r#"
exit code 0
-- stdout
d1	0	5	Q72
d1	0	5	Q72
d1	1	5	Q72
-- stderr
note: skipped 2 records (1 malformed, 1 offset)
note: repaired 1 record (1 surface form)
note: `neleval` cannot hold everything; left out:
       1  texts

"#]]
    );
}

#[test]
fn a_long_list_is_cut_unless_asked_for() {
    let folder = Folder::with(&[(
        "run.tsv",
        &("d1\t0\t5\tQ64\n".repeat(20) + &"d1\t0\tfive\tQ64\n".repeat(8)),
    )]);
    let shown = |line: &str| folder.run(line).matches("warning:").count();
    assert_eq!(shown("karat convert run.tsv out.csv --lenient"), 5);
    assert_eq!(shown("karat convert run.tsv out.csv --lenient --verbose"), 8);
    let last = "karat convert run.tsv out.csv --lenient 2>&1 | tail -2";
    assert_data_eq!(
        folder.run(last),
        str![[r#"
exit code 0
-- stdout
note: skipped 8 records (8 malformed); the first 5 are listed, --verbose lists more
note: read 1 document and 20 annotations (neleval), wrote `out.csv` (csv)

"#]]
    );
}

#[test]
fn a_damaged_archive() {
    let folder = Folder::new();
    let lines: String =
        (0..2000).map(|line| format!("d{line}\t0\t5\tQ{}\n", line * 7919)).collect();
    let mut packed = gzip(lines.as_bytes());
    let half = packed.len() / 2;
    packed[half] ^= 0x55;
    folder.write("run.tsv.gz", &packed);
    folder.write("redirects.tsv.gz", &packed);
    for line in [
        "karat convert run.tsv.gz out.csv --threads 1",
        "karat convert run.tsv.gz out.csv --threads 2",
        "karat convert run.tsv.gz out.csv --threads 2 --lenient",
        "karat validate run.tsv.gz",
        "karat kb build redirects.tsv.gz -o out.kb",
    ] {
        let said = folder.run(line);
        let expected = "exit code 2\n-- stderr\nerror: the compressed file is damaged, after ";
        assert!(said.starts_with(expected), "{line}: {said}");
        assert!(said.contains("tsv.gz\n  = help: get it again; `gzip -t`"), "{line}: {said}");
        assert!(!said.contains("--lenient skips"), "{line}: {said}");
    }
    assert_eq!(folder.names(), ["redirects.tsv.gz", "run.tsv.gz"], "nothing is written");
}

#[test]
fn what_comes_through_a_pipe_is_read() {
    let folder = Folder::with(&[("gold.karat.jsonl", BERLIN)]);
    assert_data_eq!(
        folder.run("karat convert <(cat gold.karat.jsonl) - --to neleval -q"),
        str![[r#"
exit code 0
-- stdout
d1	3	8	Q72
-- stderr
note: `neleval` cannot hold everything; left out:
       1  texts

"#]]
    );
}

#[test]
fn files_that_do_not_belong_together() {
    let nothing = "{\"document\":\"d1\",\"text\":\"In Zürich 😀 and Berlin\",\"annotations\":[]}\n";
    let folder = Folder::with(&[
        ("gold.karat.jsonl", BERLIN),
        ("other.karat.jsonl", &BERLIN.replace("d1", "x1")),
        ("bare.karat.jsonl", nothing),
    ]);
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl other.karat.jsonl -m link --trials 0 --format csv"),
        str![[r#"
exit code 0
-- stdout
system,measure,tp,fp,fn,P,R,F1,low,high
other,link,0,1,1,0,0,0,,
-- stderr
warning: no documents of `other` are called as in `gold`, but 1 have the same text, such as `x1` and `d1`
  = help: --documents-by text lines them up
warning: `other` has 1 document that `gold` does not know (`x1`); what it says there counts as wrong
...
"#]]
    );
    assert_data_eq!(
        folder.run("karat eval bare.karat.jsonl gold.karat.jsonl -m link --trials 0 --format csv"),
        str![[r#"
exit code 0
-- stdout
system,measure,tp,fp,fn,P,R,F1,low,high
gold,link,0,1,0,0,,0,,
-- stderr
warning: `bare` has no annotations: there is nothing to find
  = help: is it the gold standard? `karat validate GOLD` says what is in it
...
"#]]
    );
}
