//! Forms of output: which there are, and what each command does with them.

use crate::folder::Folder;
use karat::report::{Audience, FORMS};
use snapbox::{assert_data_eq, str};

#[test]
fn every_form_is_offered_by_every_command_and_taken() {
    let folder = Folder::with(&[]);
    let names: Vec<&str> = FORMS.iter().map(|form| form.name()).collect();
    let completions = folder.run("karat completions bash");
    assert!(completions.contains(&format!("\"{}\"", names.join(" "))), "{completions}");
    for command in ["eval", "compare", "errors", "curves", "measures", "demo", "validate", "tag"] {
        let help = folder.run(&format!("karat {command} --help"));
        for form in FORMS {
            let offered = help.lines().any(|line| {
                let value = line.trim().strip_prefix("- ").and_then(|line| line.split_once(':'));
                value.is_some_and(|(name, about)| {
                    name == form.name() && about.trim() == form.about()
                })
            });
            assert!(offered, "{command} {}: {help}", form.name());
        }
    }
    for form in FORMS {
        let shown = folder.run(&format!("karat demo --format {}", form.name()));
        assert!(shown.starts_with("exit code 0\n-- stdout\n"), "{}: {shown}", form.name());
        // A tour is for those who sit at a terminal; everybody else gets the scores.
        let is_tour = shown.contains("Try next:");
        assert_eq!(is_tour, form.audience() == Audience::Terminal, "{}: {shown}", form.name());
        assert!(shown.contains("careful"), "{}: {shown}", form.name());
    }
}

#[test]
fn a_form_that_there_is_not() {
    let folder = Folder::with(&[]);
    assert_data_eq!(
        folder.run("karat measures --format markdown"),
        str![[r#"
exit code 2
-- stderr
error: invalid value 'markdown' for '--format <FORMAT>'
  [possible values: table, json, [..]]

  tip: a similar value exists: 'md'

For more information, try '--help'.

"#]]
    );
}

#[test]
fn forms_of_other_tools_are_offered_where_there_are_results_for_them() {
    let folder = Folder::with(&[("gold.tsv", "d1\t0\t5\tQ64\n")]);
    let takes = |command: &str, form: &str| {
        let shown = folder.run(&format!("karat {command} gold.tsv gold.tsv --format {form}"));
        !shown.contains("invalid value")
    };
    assert!(takes("eval", "neleval") && takes("eval", "elevant"));
    assert!(takes("errors", "neleval") && !takes("errors", "elevant"));
    assert!(!takes("compare", "neleval") && !takes("curves", "neleval"));
}

#[test]
fn what_is_described_is_data_too() {
    let folder = Folder::with(&[]);
    assert_data_eq!(
        folder.run("karat formats arrow --format tsv"),
        str![[r#"
exit code 0
-- stdout
what	value
name	arrow
format	Arrow IPC table
about	The columns of the Parquet table in an Apache Arrow IPC file (Feather version 2) or stream, as pyarrow, polars and Hugging Face datasets write them. Buffers may be plain or compressed with zstd; those compressed with LZ4 are not read. Files are written, uncompressed.
access	read and written, one file
extensions	arrow, feather
offsets	code points, end exclusive
keeps	text, empty documents, unlinked, nil, nil clusters, confidence, candidates, candidate scores, candidate types, equivalents, type, types, tags, optional, coreference, descriptive, sides, overlaps, repeats, empty spans, unranked candidates
document attributes	language, topic, title, url
annotation attributes	all
reference	Apache Arrow columnar format; docs/formats/tables.md

"#]]
    );
    assert_data_eq!(
        folder.run("karat measures nil --format json | cut -c 1-60"),
        str![[r#"
exit code 0
-- stdout
[
  {
    "name": "nil",
    "what it is": "NIL mentions recognised as such",
    "also called": "strong_nil_match, ee",
    "groups": "neleval, all-tagging, tac09, tac11, tac14",
    "documentation": "What it is: how well a system knows wh
  }
]

"#]]
    );
    assert_data_eq!(
        folder.run("karat formats arrow --format md"),
        str![[r#"
exit code 0
-- stdout
arrow: Arrow IPC table

The columns of the Parquet table in an Apache Arrow IPC file (Feather version 2) or stream, as
pyarrow, polars and Hugging Face datasets write them. Buffers may be plain or compressed with zstd;
those compressed with LZ4 are not read. Files are written, uncompressed.

| what | value |
| --- | --- |
| access | read and written, one file |
| extensions | arrow, feather |
| offsets | code points, end exclusive |
| keeps | text, empty documents, unlinked, nil, nil clusters, confidence, candidates, candidate scores, candidate types, equivalents, type, types, tags, optional, coreference, descriptive, sides, overlaps, repeats, empty spans, unranked candidates |
| document attributes | language, topic, title, url |
| annotation attributes | all |
| reference | Apache Arrow columnar format; docs/formats/tables.md |

"#]]
    );
}

/// Two systems on one benchmark of two documents.
fn contest() -> Folder {
    Folder::with(&[
        ("gold.tsv", "d1\t0\t5\tQ1\t1.0\tPER\nd2\t0\t5\tQ2\t1.0\tLOC\n"),
        ("a.tsv", "d1\t0\t5\tQ1\t1.0\tPER\nd2\t0\t5\tQ3\t1.0\tLOC\n"),
        ("b.tsv", "d1\t0\t5\tQ2\t1.0\tPER\nd2\t0\t5\tQ2\t1.0\tLOC\n"),
    ])
}

#[test]
fn rows_of_several_benchmarks_say_which_they_are_of() {
    assert_data_eq!(
        contest().run(
            "karat curves -g x=gold.tsv -g y=gold.tsv -s a.tsv --group-by type --format csv 2> /dev/null"
        ),
        str![[r#"
exit code 0
-- stdout
benchmark,system,score,rank,category,own,tp,fp,fn,value
x,a,precision,1,PER,1.000000000000,1,0,0,1.000000000000
x,a,precision,2,LOC,0.000000000000,1,1,1,0.500000000000
x,a,recall,1,PER,1.000000000000,1,0,0,1.000000000000
x,a,recall,2,LOC,0.000000000000,1,1,1,0.500000000000
x,a,f1,1,PER,1.000000000000,1,0,0,1.000000000000
x,a,f1,2,LOC,0.000000000000,1,1,1,0.500000000000
y,a,precision,1,PER,1.000000000000,1,0,0,1.000000000000
y,a,precision,2,LOC,0.000000000000,1,1,1,0.500000000000
y,a,recall,1,PER,1.000000000000,1,0,0,1.000000000000
y,a,recall,2,LOC,0.000000000000,1,1,1,0.500000000000
y,a,f1,1,PER,1.000000000000,1,0,0,1.000000000000
y,a,f1,2,LOC,0.000000000000,1,1,1,0.500000000000

"#]]
    );
}

#[test]
fn a_page_that_can_draw_shows_the_plots() {
    let compare = "karat compare gold.tsv a.tsv b.tsv --trials 100 -q --plot";
    let html = contest().run(&format!("{compare} --format html"));
    assert_eq!(html.matches("<figure>\n<svg").count(), 1, "{html}");
    let latex = contest().run(&format!("{compare} --format latex"));
    assert!(!latex.contains("svg"), "{latex}");
}
