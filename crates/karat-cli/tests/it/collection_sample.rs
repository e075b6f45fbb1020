//! `karat collection sample`.

use crate::collection::each;
use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

#[test]
fn mentions_to_annotate() {
    let folder = Folder::with_sample();
    assert_data_eq!(
        folder.run("karat collection sample --by mention -n 3 --seed 1 sample/gold.karat.jsonl"),
        str![[r#"
exit code 0
-- stdout
{"task":"abstract-europa:241-244","document":"abstract-europa","span":[241,244],"mention":"Sun","before":"of Jupiter that Galileo saw first in 1610. Spectra taken with the Hubble Space Telescope show water vapour above the southern pole. Unlike our own moon, this world may hide an ocean warmed not by the ","after":" but by tides. A NASA orbiter will look for more.","candidates":["Q525"],"stratum":null,"probability":0.018125780351228027,"weight":55.17003850994198}
{"task":"eiga-ghibli:39-45","document":"eiga-ghibli","span":[39,45],"mention":"水無月カナ子","before":"宮崎駿は東京で生まれた日本の映画監督で、スタジオジブリを設立した。若い脚本家の","after":"は京都で彼に会い、三度手紙を書いた。宮崎の返事は短かった。カナ子は今、ジブリで働いている。","candidates":[],"stratum":null,"probability":0.018125780351228027,"weight":55.17003850994198}
{"task":"interview-adams:119-122","document":"interview-adams","span":[119,122],"mention":"BBC","before":"Q: When did you first read Douglas Adams? A: At school, in London. My father had taped the Hitchhiker's Guide from the ","after":" on five cassettes. Q: You later met Adams? A: Once, in Cambridge. He had studied there, at the University of Cambridge, and I was a student at Oxford. My tutor Prudence Hale introduced us; Hale knew ","candidates":["Q9531"],"stratum":null,"probability":0.018125780351228027,"weight":55.17003850994198}

"#]]
    );
    assert_data_eq!(
        folder.run(
            "karat collection sample --by document -n 1 --strata type --sizes PER=2,LOC=0 sample/gold.karat.jsonl \
             -o task.jsonl && cut -d, -f 1 task.jsonl"
        ),
        str![[r#"
exit code 0
-- stdout
{"task":"sport-derby:34-48"
{"task":"interview-adams:91-109"
{"task":"thread-launch:121-127"
{"task":"thread-launch:74-78"
{"task":"sport-derby:263-269"
{"task":"wire-talks:92-106"
-- stderr
note: chose 6 mentions, wrote `task.jsonl`

"#]]
    );
    assert_data_eq!(
        folder.run(
            "karat collection sample --by document -n 2 --seed 4 sample/gold.karat.jsonl --to neleval"
        ),
        str![[r#"
exit code 0
-- stdout
court-search	299	308	Q30	nan	LOC
travel-danube	142	150	NILuntermarn	nan	LOC
-- stderr
note: `neleval` cannot hold everything; left out:
       1  annotation attribute `name`
       2  document attribute `language`
       2  document attribute `title`
       2  document attribute `topic`
       8  tags
       2  texts

"#]]
    );
}

#[test]
fn the_order_of_documents_does_not_change_a_sample() {
    let folder = Folder::with_sample();
    for by in ["document", "mention"] {
        let sample = |corpus: &str| {
            folder.run(&format!("karat collection sample --by {by} -n 20 --seed 5 {corpus}"))
        };
        let forward = sample("sample/gold.karat.jsonl");
        assert!(
            folder.output("tac sample/gold.karat.jsonl > backward.karat.jsonl").status.success()
        );
        assert_eq!(forward, sample("backward.karat.jsonl"));
        assert_ne!(
            forward,
            folder.run(&format!(
                "karat collection sample --by {by} -n 20 --seed 6 sample/gold.karat.jsonl"
            ))
        );
    }
}

#[test]
fn samples_that_cannot_be_drawn() {
    let folder = Folder::with(&[
        ("gold.tsv", "d1\t0\t5\tQ64\nd2\t0\t5\tQ64\nd1\t7\t9\tQ65\n"),
        ("apart.tsv", "d1\t0\t5\tQ64\n"),
        ("none.karat.jsonl", "{\"document\":\"d1\",\"text\":\"nothing\"}\n"),
    ]);
    let refused = [
        "--by mention -n 3 apart.tsv",
        "--by document -n 0 apart.tsv",
        "--by document -n 9 apart.tsv",
        "--by document -n 9 none.karat.jsonl",
        "--by document -n 9 --strata colour apart.tsv",
        "--by document -n 9 --strata type --sizes PER apart.tsv",
        "--by document -n 9 --to nowhere apart.tsv",
        "--by document -n 9 --to tsv - < apart.tsv",
        "--by document -n 9 missing.tsv",
        "--by document -n 9 apart.tsv -o missing/task.jsonl",
    ];
    assert_data_eq!(
        each(&folder, "karat collection sample", &refused),
        str![[r#"
$ --by mention -n 3 apart.tsv
exit code 2
-- stderr
error: the words of the mentions of `d1` are not known, and so no form can be chosen
  = help: give a corpus with the texts with --documents, or choose --by document

$ --by document -n 0 apart.tsv
exit code 2
-- stderr
error: nothing is to be chosen
  = help: give --number a number from 1

$ --by document -n 9 apart.tsv
exit code 0
-- stdout
{"task":"d1:0-6","document":"d1","span":[0,6],"mention":null,"before":"","after":"","candidates":["Q64"],"stratum":null,"probability":1.0,"weight":1.0}
-- stderr
note: there are only 1 form to choose from

$ --by document -n 9 none.karat.jsonl
exit code 0
-- stderr
warning: the corpus has no mentions: nothing was chosen

$ --by document -n 9 --strata colour apart.tsv
exit code 2
-- stderr
error: there is no facet `colour`
  = help: facets are doc, type, topic, language, link, entity, tag, base-form, pos, overlap, reference, combination, error, relation, span-error, category, mention-type, attribute:KEY

$ --by document -n 9 --strata type --sizes PER apart.tsv
exit code 2
-- stderr
error: `PER` names no stratum and number
  = help: write for example --sizes PER=200,ORG=50

$ --by document -n 9 --to nowhere apart.tsv
exit code 2
-- stderr
error: no format is called `nowhere`
  = help: `karat formats` lists all

$ --by document -n 9 --to tsv - < apart.tsv
exit code 2
-- stderr
error: a corpus from standard input cannot be read twice
  = help: give a file, or leave out --to for an annotation task

$ --by document -n 9 missing.tsv
exit code 2
-- stderr
error: no such file or directory
 --> missing.tsv
  = help: check the spelling, or give a path relative to the current folder

$ --by document -n 9 apart.tsv -o missing/task.jsonl
exit code 2
-- stderr
note: there are only 1 form to choose from
error: cannot write `missing/task.jsonl`: No such file or directory
  = help: the folder must exist; create it first


"#]]
    );
}

#[test]
fn what_a_lenient_sample_skips_is_said() {
    let folder = Folder::with(&[("bad.tsv", "d1\t0\t5\tQ64\nd2\tx\t5\tQ90\nd3\t0\t5\tQ1\n")]);
    let lenient = ["", "-q", "--to neleval -q"];
    assert_data_eq!(
        each(
            &folder,
            "karat collection sample --by document -n 2 bad.tsv --lenient -o chosen",
            &lenient
        ),
        str![[r#"
$ 
exit code 0
-- stderr
warning: expected a whole number, found `x`
 --> bad.tsv:2:4
  |
2 | d2→x→5→Q90
  |    ^
  |
  = help: the second and third column are the offsets of the mention
note: skipped 1 record (1 malformed)
note: chose 2 mentions, wrote `chosen`

$ -q
exit code 0
-- stderr
note: skipped 1 record (1 malformed)

$ --to neleval -q
exit code 0
-- stderr
note: skipped 1 record (1 malformed)


"#]]
    );
    let strict = folder.run("karat collection sample --by document -n 2 bad.tsv");
    assert!(strict.starts_with("exit code 2") && strict.contains("--lenient skips"), "{strict}");
}

#[test]
fn what_describes_a_corpus_is_true_of_a_sample() {
    let folder = Folder::with(&[("one.tsv", "d1\t1\t5\tQ64\n")]);
    let shown = folder
        .run("karat collection sample --by document -n 1 one.tsv --shift one=-1 --end exclusive");
    assert!(shown.contains("\"span\":[0,4]"), "{shown}");
    let unknown = folder.run("karat collection sample --by document -n 1 one.tsv --shift other=-1");
    assert!(unknown.starts_with("exit code 2"), "{unknown}");
}
