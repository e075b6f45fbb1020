//! Gates, thresholds and similarities of `karat eval`.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

fn folder() -> Folder {
    Folder::with(&[
        ("gold.tsv", "d\t0\t3\tA\nd\t5\t8\tB\nd\t10\t13\tC\n"),
        ("a.tsv", "d\t0\t3\tA\t0.9\nd\t5\t8\tX\t0.25\n"),
        ("b.tsv", "d\t0\t3\tA\t0.8\nd\t5\t8\tB\t0.5\nd\t20\t23\tC\t0.1\n"),
        ("c.tsv", "d\t5\t8\tX\t0.6\nx\t5\t8\tX\t0.6\n"),
        ("dev.tsv", "t\t0\t3\tA\n"),
        ("tuned.tsv", "d\t0\t3\tA\t0.9\nd\t5\t8\tX\t0.25\nt\t0\t3\tA\t0.8\nt\t5\t8\tB\t0.3\n"),
    ])
}

/// A gate that names a measure means its headline.
#[test]
fn a_gate_means_the_score_that_a_measure_has() {
    let eval = "karat eval -g gold.tsv -s a.tsv -m link --trials 0 --format tsv";
    let run = |gate: &str| folder().run(&format!("{eval} --fail-under {gate} > out"));
    assert_data_eq!(
        run("disambiguation=0.5"),
        str![[r#"
exit code 0
-- stderr
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@73e15f

"#]]
    );
    assert_data_eq!(
        run("disambiguation=0.6"),
        str![[r#"
exit code 1
-- stderr
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@73e15f
error: `a` has disambiguation.accuracy 0.5000, below 0.6

"#]]
    );
    assert_data_eq!(
        run("mrr=0.9"),
        str![[r#"
exit code 1
-- stderr
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@73e15f
error: `a` has mrr.mrr 0.5000, below 0.9

"#]]
    );
    assert_data_eq!(
        run("link=0.9"),
        str![[r#"
exit code 1
-- stderr
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@73e15f
error: `a` has link.f1 0.4000, below 0.9

"#]]
    );
}

#[test]
fn a_measure_is_described_by_any_of_its_names() {
    let first = |name: &str| folder().run(&format!("karat measures '{name}' | head -1"));
    let link = "exit code 0\n-- stdout\nlink: Right entity on the right span\n";
    for name in ["link", "link.f1", "link(match=overlap).f1@macro", "strong_link_match.precision"] {
        assert_eq!(first(name), link, "{name}");
    }
    assert_data_eq!(
        first("recall@5"),
        str![[r#"
exit code 0
-- stdout
candidate-recall: Gold entities among the candidates

"#]]
    );
    assert_data_eq!(
        folder().run("karat measures link.accuracy"),
        str![[r#"
exit code 2
-- stderr
error: `link` has no score `accuracy`
  = help: it has precision, recall, f1, ptp, fp, rtp, fn

"#]]
    );
    assert_data_eq!(
        folder().run("karat measures sets::span"),
        str![[r#"
exit code 2
-- stderr
error: `sets::span` is written in neleval's notation
  = help: give it to `karat eval -m`

"#]]
    );
}

/// The signature says where thresholds are from.
#[test]
fn a_tuned_threshold_is_named_in_the_signature() {
    assert_data_eq!(
        folder().run("karat eval -g gold.tsv -s tuned.tsv -m link --trials 0 --tune dev.tsv"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1  tuned threshold
──────────────────────────────────────────────────────────────────
tuned   link      1   0   2  1.000  0.333  0.500              0.8

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:tuned|gold:gold@73e15f|tuned:dev@ea6a50

"#]]
    );
}

/// BAT tries 129 thresholds, and shows all of them.
#[test]
fn scores_by_threshold_are_a_table_and_a_plot() {
    let folder = folder();
    let eval = "karat eval -g gold.tsv -s a.tsv -s b.tsv -m link";
    assert_data_eq!(
        folder.run(&format!("{eval} --trials 0 --curve sweep.tsv > out && cat sweep.tsv")),
        str![[r#"
exit code 0
-- stdout
benchmark	system	measure	x	y	at	x value	y value	precision	recall	f1	macro_precision	macro_recall	macro_f1
gold	a	link	threshold	f1	0.25	0.25	0.4	0.5	0.3333333333333333	0.4	0.5	0.33333333333333337	0.4
gold	a	link	threshold	f1	0.9	0.9	0.5	1	0.3333333333333333	0.5	1	0.33333333333333337	0.5
gold	b	link	threshold	f1	0.1	0.1	0.6666666666666666	0.6666666666666666	0.6666666666666666	0.6666666666666666	0.6666666666666666	0.6666666666666666	0.6666666666666666
gold	b	link	threshold	f1	0.5	0.5	0.8	1	0.6666666666666666	0.8	1	0.6666666666666666	0.8
gold	b	link	threshold	f1	0.8	0.8	0.5	1	0.3333333333333333	0.5	1	0.33333333333333337	0.5

"#]]
    );
    assert_data_eq!(
        folder.run(&format!(
            "{eval} --preset bat --curve sweep.tsv > out && wc -l < sweep.tsv && sed -n '34,36p' sweep.tsv | cut -f1-8,14"
        )),
        str![[r#"
exit code 0
-- stdout
259
gold	a	link	threshold	f1	0.25	0.25	0.4	0.4
gold	a	link	threshold	f1	0.2578125	0.2578125	0.5	0.5
gold	a	link	threshold	f1	0.265625	0.265625	0.5	0.5

"#]]
    );
    assert_data_eq!(
        folder.run(&format!(
            "{eval} --trials 0 --curve sweep.svg --format json | grep -c macro_f1 && grep -o '<title>[^<]*' sweep.svg | head -1"
        )),
        str![[r#"
exit code 0
-- stdout
5
<title>link

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval -g gold.tsv -s gold.tsv -m link --trials 0 --curve sweep.tsv"),
        str![[r#"
exit code 2
-- stderr
error: no measure that was asked for has a curve
  = help: ask for --measure link or another measure with precision and recall, average-precision, risk-coverage or calibration-error; their inputs need confidences

"#]]
    );
}

#[test]
fn every_two_systems_side_by_side() {
    let folder = folder();
    let eval = "karat eval -g gold.tsv -s a.tsv -s b.tsv -s c.tsv --preset bat --similarity";
    assert_data_eq!(
        folder.run(&format!("{eval} -m link")),
        str![[r#"
exit code 0
-- stdout
All documents

system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
a       link      1   1   2  0.500  0.333  0.400
b       link      2   1   1  0.667  0.667  0.667
c       link      0   2   3  0.000  0.000  0.000

Similarity of systems

measure     average  system      a      b      c
─────────────────────────────────────────────────
similarity  micro    a           –  0.400  0.667
similarity  micro    b       0.400      –  0.000
similarity  micro    c       0.667  0.000      –
similarity  macro    a           –  0.400  0.667
similarity  macro    b       0.400      –  0.000
similarity  macro    c       0.667  0.000      –

karat:0.1.0|preset:bat|task:end-to-end|match:exact|assign:existential|threshold:none|gold:gold@73e15f
-- stderr
warning: `c` has 1 document that `gold` does not know (`x`); what it says there counts as wrong

"#]]
    );
    assert_data_eq!(
        folder.run(&format!(
            "{eval} -m 'similarity(of=mention)' --format json | sed -n '/^  \"similarity\"/,/^  ]/p'"
        )),
        str![[r#"
exit code 0
-- stdout
  "similarity": [
    {
      "benchmark": "gold",
      "measure": "similarity(of=mention)",
      "first": "a",
      "second": "b",
      "similarity": 0.8,
      "macro": 0.8,
      "first_met": 2,
      "first_alone": 0,
      "second_met": 2,
      "second_alone": 1
    },
    {
      "benchmark": "gold",
      "measure": "similarity(of=mention)",
      "first": "a",
      "second": "c",
      "similarity": 0.6666666666666666,
      "macro": 0.6666666666666666,
      "first_met": 1,
      "first_alone": 1,
      "second_met": 1,
      "second_alone": 0
    },
    {
      "benchmark": "gold",
      "measure": "similarity(of=mention)",
      "first": "b",
      "second": "c",
      "similarity": 0.5,
      "macro": 0.5,
      "first_met": 1,
      "first_alone": 2,
      "second_met": 1,
      "second_alone": 0
    }
  ],
-- stderr
warning: `c` has 1 document that `gold` does not know (`x`); what it says there counts as wrong

"#]]
    );
    assert_data_eq!(
        folder.run(&format!("{eval} --format tsv")),
        str![[r#"
exit code 2
-- stderr
error: this form holds one table, and similarities are another
  = help: choose --format json, or a form with several tables

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval -g gold.tsv -s a.tsv --similarity"),
        str![[r#"
exit code 2
-- stderr
error: similarity is of two systems
  = help: give several --system; --measure similarity compares a system with gold

"#]]
    );
}
