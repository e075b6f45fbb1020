//! What fuzzy recall, curves and several benchmarks are asked for on the command line, and what is refused.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

const GOLD: &str = r#"{"document":"d1","text":"Ann Bee and a fox","annotations":[{"span":[0,7],"link":"http://a.org/Ann","tags":["el:Mnt-Full","el:PoS-NounSingular"],"attributes":{"comment":"1"}},{"span":[14,17],"link":"http://a.org/Fox","tags":["el:Mnt-CommonForm","el:PoS-NounSingular"],"attributes":{"comment":"0.25"}}]}"#;
const OTHER: &str =
    r#"{"document":"d2","text":"Bo","annotations":[{"span":[0,2],"link":"http://a.org/Bo"}]}"#;
const SYSTEM: &str = r#"{"document":"d1","text":"Ann Bee and a fox","annotations":[{"span":[0,7],"link":"http://a.org/Ann"}]}
{"document":"d2","text":"Bo","annotations":[{"span":[0,2],"link":"http://a.org/Bob"}]}"#;

fn said(arguments: &str) -> String {
    let folder = Folder::with(&[
        ("gold.karat.jsonl", GOLD),
        ("other.karat.jsonl", OTHER),
        ("system.karat.jsonl", SYSTEM),
        (
            "a.TOML",
            "over-tags = \"min\"\n[weights]\nMnt-Full = 0.5\nPoS-NounSingular = 0.5\nMnt-CommonForm = \"alpha\"\n",
        ),
        ("asked.csv", "tag,ratio,respondents\nMnt-Full,0.75,36\nMnt-CommonForm,0.25,36\n"),
        ("odd.tsv", "tag\tratio\tage\nMnt-Full\t0.75\t36\n"),
    ]);
    folder.run(&format!("karat {arguments}"))
}

const GIVEN: &str =
    "--preset rosales-2019 -g gold.karat.jsonl -s s=system.karat.jsonl --format tsv";

#[test]
fn the_command_line_goes_before_a_file() {
    assert_data_eq!(
        said(&format!("eval {GIVEN} --fuzzy a.TOML --fuzzy alpha=0.1 --set over-tags=product")),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
s	all	1	0	1	1	0.5	0.6666666666666666		
s	fuzzy(alpha=0.1)	1	0	1	1	0.8333333333333334	0.9090909090909091		
-- stderr
warning: `s` has 1 document that `gold` does not know (`d2`); what it says there is left out, as mentions are given
signature: karat:0.1.0|preset:rosales-2019|task:disambiguation|match:exact|assign:by-span|threshold:none|over-tags:product|kb:last-segment|gold:gold@fbee92|fuzzy:file@7c9b9d|alpha:0.1

"#]]
    );
    assert_data_eq!(
        said(&format!("eval {GIVEN} --fuzzy a.TOML")),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
s	all	1	0	1	1	0.5	0.6666666666666666		
s	fuzzy(alpha=0)	1	0	1	1	1	1		
-- stderr
note: no alpha was given: what weighs alpha weighs 0; --fuzzy alpha=0.5 gives another value
warning: `s` has 1 document that `gold` does not know (`d2`); what it says there is left out, as mentions are given
signature: karat:0.1.0|preset:rosales-2019|task:disambiguation|match:exact|assign:by-span|threshold:none|kb:last-segment|gold:gold@fbee92|fuzzy:file@7c9b9d|alpha:0

"#]]
    );
    assert_data_eq!(
        said(&format!("eval {GIVEN} --fuzzy a.TOML --set membership=strict")),
        str![[r#"
exit code 2
-- stderr
error: `membership=strict` and `a.TOML` are two membership functions
  = help: give one of them with --fuzzy, and the values of alpha with another --fuzzy

"#]]
    );
}

#[test]
fn surveys_are_read_as_their_headings_say() {
    assert_data_eq!(
        said(&format!("eval {GIVEN} --fuzzy asked.csv")),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
s	all	1	0	1	1	0.5	0.6666666666666666		
s	fuzzy	1	0	1	1	0.75	0.8571428571428571		
-- stderr
warning: `s` has 1 document that `gold` does not know (`d2`); what it says there is left out, as mentions are given
signature: karat:0.1.0|preset:rosales-2019|task:disambiguation|match:exact|assign:by-span|threshold:none|kb:last-segment|gold:gold@fbee92|fuzzy:file@6e651e

"#]]
    );
    assert_data_eq!(
        said(&format!("eval {GIVEN} --fuzzy odd.tsv")),
        str![[r#"
exit code 2
-- stderr
error: `odd.tsv`: line 1: no column of a survey is called `age`: expected tag, category, ratio, share, proportion, mean, average, membership, weight, yes, for, agree, no, against, disagree, all, total, respondents, answers, people, n
  = help: write a tag and a ratio on each line, or a tag and how many said yes and no, separated by tabs or commas

"#]]
    );
    assert_data_eq!(
        said(&format!("eval {GIVEN} --fuzzy attribute:comment")),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
s	all	1	0	1	1	0.5	0.6666666666666666		
s	fuzzy	1	0	1	1	0.8	0.8888888888888888		
-- stderr
warning: `s` has 1 document that `gold` does not know (`d2`); what it says there is left out, as mentions are given
signature: karat:0.1.0|preset:rosales-2019|task:disambiguation|match:exact|assign:by-span|threshold:none|membership:attribute:comment|kb:last-segment|gold:gold@fbee92

"#]]
    );
    assert_data_eq!(
        said(&format!("eval {GIVEN} --fuzzy attribute:ratio")),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
s	all	1	0	1	1	0.5	0.6666666666666666		
s	fuzzy	1	0	1	1	0.5	0.6666666666666666		
-- stderr
warning: `s` has 1 document that `gold` does not know (`d2`); what it says there is left out, as mentions are given
warning: no mention of `gold` has a number from 0 to 1 in `ratio`: all weigh 1, and fuzzy recall is plain recall
signature: karat:0.1.0|preset:rosales-2019|task:disambiguation|match:exact|assign:by-span|threshold:none|membership:attribute:ratio|kb:last-segment|gold:gold@fbee92

"#]]
    );
}

#[test]
fn benchmarks_apart_and_together() {
    assert_data_eq!(
        said(&format!("eval {GIVEN} -g other.karat.jsonl --unified --fuzzy alpha=1")),
        str![[r#"
exit code 0
-- stdout
benchmark	system	measure	tp	fp	fn	P	R	F1	low	high
gold	s	all	1	0	1	1	0.5	0.6666666666666666		
gold	s	fuzzy(alpha=1)	1	0	1	1	0.5	0.6666666666666666		
other	s	all	0	1	1	0	0	0		
other	s	fuzzy(alpha=1)	0	1	1	0	0	0		
unified	s	all	1	1	2	0.5	0.3333333333333333	0.4		
unified	s	fuzzy(alpha=1)	1	1	2	0.5	0.3333333333333333	0.4		
-- stderr
warning: no mention of `other` has a category tag with a weight: all weigh 1, and fuzzy recall is plain recall
signature: karat:0.1.0|preset:rosales-2019|task:disambiguation|match:exact|assign:by-span|threshold:none|kb:last-segment|gold:gold@fbee92|alpha:1
signature: karat:0.1.0|preset:rosales-2019|task:disambiguation|match:exact|assign:by-span|threshold:none|kb:last-segment|gold:other@09c4b7|alpha:1
signature: karat:0.1.0|preset:rosales-2019|task:disambiguation|match:exact|assign:by-span|threshold:none|kb:last-segment|gold:unified@891420|alpha:1

"#]]
    );
    assert_data_eq!(
        said(&format!("eval {GIVEN} --fuzzy alpha=1")),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
s	all	1	0	1	1	0.5	0.6666666666666666		
s	fuzzy(alpha=1)	1	0	1	1	0.5	0.6666666666666666		
-- stderr
warning: `s` has 1 document that `gold` does not know (`d2`); what it says there is left out, as mentions are given
signature: karat:0.1.0|preset:rosales-2019|task:disambiguation|match:exact|assign:by-span|threshold:none|kb:last-segment|gold:gold@fbee92|alpha:1

"#]]
    );
}

#[test]
fn spans_that_are_not_exact_are_refused() {
    assert_data_eq!(
        said(&format!("curves {GIVEN} --group-by base-form --match overlap")),
        str![[r#"
exit code 2
-- stderr
error: curves take all that stands on one span for one mention
  = help: they need exact spans: leave out --match, or say --match exact

"#]]
    );
    assert_data_eq!(
        said(&format!("eval {GIVEN} --fuzzy alpha=1 --match overlap")),
        str![[r#"
exit code 2
-- stderr
error: `fuzzy(alpha=1)` takes all that stands on one span for one mention
  = help: it needs exact spans: leave out `match`, or say match=exact

"#]]
    );
    assert_data_eq!(
        said(&format!("eval {GIVEN} --fuzzy questionnaire --sweep s.svg")),
        str![[r#"
exit code 2
-- stderr
error: a sweep has several values of alpha
  = help: write for example --fuzzy alpha=0,0.1,...,1

"#]]
    );
}

#[test]
fn links_are_right_by_an_alternative_of_another_category() {
    let folder = Folder::with(&[
        (
            "gold.karat.jsonl",
            r#"{"document":"d","text":"Syrian and Bern","annotations":[{"span":[0,6],"link":"Syria","tags":["el:Mnt-Full"]},{"span":[0,6],"link":"Syrians","tags":["el:Mnt-Alias"],"part_of":{"parent":0,"reading":1}},{"span":[11,15],"link":"Bern","tags":["el:Mnt-Full"]}]}"#,
        ),
        (
            "run.karat.jsonl",
            r#"{"document":"d","text":"Syrian and Bern","annotations":[{"span":[0,6],"link":"Syrians"},{"span":[11,15],"link":"Bern"}]}"#,
        ),
    ]);
    let both = "-g gold.karat.jsonl -s run=run.karat.jsonl --preset rosales-2019 --quiet";
    assert_data_eq!(
        folder.run(&format!("karat errors {both} --confusion base-form")),
        str![[r#"
exit code 0
-- stdout
benchmark  system  base-form  right by   mentions
──────────────────────────────────────────────────
gold       run     Mnt-Full   Mnt-Full          1
gold       run     Mnt-Full   Mnt-Alias         1
gold       run     Mnt-Alias  Mnt-Alias         1

karat:0.1.0|preset:rosales-2019|task:disambiguation|match:exact|assign:by-span|threshold:none|kb:last-segment|gold:gold@84796e

"#]]
    );
    assert_data_eq!(
        folder.run(&format!("karat errors {both} --confusion error")),
        str![[r#"
exit code 2
-- stderr
error: `error` is no label of gold mentions
  = help: name a facet that mentions have by themselves, as base-form or type

"#]]
    );
    assert_data_eq!(
        folder.run(&format!("karat eval {both} --fuzzy alpha=0 --group-by base-form")),
        str![[r#"
exit code 0
-- stdout
All documents

system  measure         tp  fp  fn      P      R     F1
────────────────────────────────────────────────────────
run     all              2   0   0  1.000  1.000  1.000
run     fuzzy(alpha=0)   2   0   0  1.000  1.000  1.000

By part

system  facet      label                measure         tp  fp  fn      P      R     F1
────────────────────────────────────────────────────────────────────────────────────────
run     base-form  Mnt-Full             all              1   1   1  0.500  0.500  0.500
run     base-form  Mnt-Full             fuzzy(alpha=0)   1   –   1      –  0.500      –
run     base-form  Mnt-Short            all              0   0   0      –      –      –
run     base-form  Mnt-Short            fuzzy(alpha=0)   0   –   0      –      –      –
run     base-form  Mnt-Extended         all              0   0   0      –      –      –
run     base-form  Mnt-Extended         fuzzy(alpha=0)   0   –   0      –      –      –
run     base-form  Mnt-Alias            all              1   0   0  1.000  1.000  1.000
run     base-form  Mnt-Alias            fuzzy(alpha=0)   1   –   0      –  1.000      –
run     base-form  Mnt-NumericTemporal  all              0   0   0      –      –      –
run     base-form  Mnt-NumericTemporal  fuzzy(alpha=0)   0   –   0      –      –      –
run     base-form  Mnt-CommonForm       all              0   0   0      –      –      –
run     base-form  Mnt-CommonForm       fuzzy(alpha=0)   0   –   0      –      –      –
run     base-form  Mnt-ProForm          all              0   0   0      –      –      –
run     base-form  Mnt-ProForm          fuzzy(alpha=0)   0   –   0      –      –      –

karat:0.1.0|preset:rosales-2019|task:disambiguation|match:exact|assign:by-span|threshold:none|kb:last-segment|gold:gold@84796e|alpha:0

"#]]
    );
    assert_data_eq!(
        folder.run(&format!("karat eval {both} --group-by error")),
        str![[r#"
exit code 0
-- stdout
All documents

system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
run     all       2   0   0  1.000  1.000  1.000

By part

system  facet  label         measure  tp  fp  fn      P      R     F1
──────────────────────────────────────────────────────────────────────
run     error  correct link  all       2   0   0  1.000  1.000  1.000

karat:0.1.0|preset:rosales-2019|task:disambiguation|match:exact|assign:by-span|threshold:none|kb:last-segment|gold:gold@84796e

"#]]
    );
}
