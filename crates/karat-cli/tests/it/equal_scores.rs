//! Equal scores are equal, no spelling decides one, and none is shown that is over nothing.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

/// Ten documents of four mentions each: one system finds three and invents two, the other finds two. F1 is two
/// thirds for both, in every document.
fn tied() -> Folder {
    let rows = |found: u32, extra: u32| -> String {
        let of_document = |document: u32| {
            let places = (0..found).chain(10..10 + extra);
            let row = move |at: u32| format!("d{document}\t{}\t{}\tQ{at}\n", at * 10, at * 10 + 5);
            places.map(row).collect::<String>()
        };
        (0..10).map(of_document).collect()
    };
    Folder::with(&[("gold.tsv", &rows(4, 0)), ("bold.tsv", &rows(3, 2)), ("shy.tsv", &rows(2, 0))])
}

#[test]
fn b8_systems_with_equal_scores_are_tied() {
    assert_data_eq!(
        tied().run("karat compare gold.tsv bold.tsv shy.tsv -m link,link@macro --trials 2000"),
        str![[r#"
exit code 0
-- stdout
Systems

score             system  value  95%          rank  first  better than  group
──────────────────────────────────────────────────────────────────────────────
link.f1        a  bold    0.667  0.667–0.667  1      1.00  –            1
link.f1        b  shy     0.667  0.667–0.667  1      1.00  –            1
link.f1@macro  a  bold    0.667  0.667–0.667  1      1.00  –            1
link.f1@macro  b  shy     0.667  0.667–0.667  1      1.00  –            1

Pairs

score          first  second  difference  95%                  p  p (holm)  detectable     h  documents  mentions  McNemar p
─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
link.f1        bold   shy          0.000  [0.000, 0.000]  1.0000    1.0000           –  0.00  0+ 10= 0-  10+ 0-       0.0020
link.f1@macro  bold   shy          0.000  [0.000, 0.000]  1.0000    1.0000           –  0.00  0+ 10= 0-  10+ 0-       0.0020

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@a22cbe|boot:doc,2000,seed=1,level=95|test:exchange(doc),2000,seed=1,holm,alpha=0.05

"#]]
    );
}

#[test]
fn b8_ranks_over_documents_are_shared() {
    let line = "karat compare gold.tsv bold.tsv shy.tsv --trials 2000 --format json \
                | grep '\"rank\"\\|\"chi_squared\"\\|\"f_p\"'";
    assert_data_eq!(
        tied().run(line),
        str![[r#"
exit code 0
-- stdout
              "rank": 1,
              "rank": 1,
          "rank": 1.5
          "rank": 1.5
      "chi_squared": 0.0,
      "f_p": 1.0,

"#]]
    );
}

/// Two mentions of one entity; of the first the system also says something else. With `A` and `B` exchanged the
/// files say the same.
fn renamed() -> Folder {
    let gold = |one: &str| format!("d\t0\t5\t{one}\t1\tPER\nd\t10\t15\t{one}\t1\tPER\n");
    let system = |one: &str, other: &str| {
        format!("d\t0\t5\t{one}\t1\tPER\nd\t0\t5\t{other}\t1\tLOC\nd\t10\t15\t{one}\t1\tPER\n")
    };
    Folder::with(&[
        ("gold.tsv", &gold("A")),
        ("system.tsv", &system("A", "B")),
        ("renamed/gold.tsv", &gold("B")),
        ("renamed/system.tsv", &system("B", "A")),
    ])
}

#[test]
fn b9_no_spelling_decides_a_score() {
    let folder = renamed();
    let line = "karat eval gold.tsv system.tsv -m muc,b-cubed,nervaluate,mention --trials 0";
    let whole = folder.run(line);
    let without_signature = |output: String| -> Vec<String> {
        output.lines().filter(|line| !line.contains("karat:")).map(str::to_owned).collect()
    };
    let renamed = folder.run(&format!("cd renamed; {line}"));
    assert_eq!(without_signature(whole.clone()), without_signature(renamed));
    assert_data_eq!(
        whole,
        str![[r#"
exit code 0
-- stdout
system  measure     tp  fp  fn      P      R     F1  counts
───────────────────────────────────────────────────────────────────────────────────────────────────────
system  muc          1   0   0  1.000  1.000  1.000  –
system  b-cubed      2   0   0  1.000  1.000  1.000  –
system  nervaluate   –   –   –  0.667  1.000  0.800  cor=2 inc=0 par=0 mis=0 spu=1 possible=2 actual=3
system  mention      2   1   0  0.667  1.000  0.800  –

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@2fd0f2
-- stderr
note: `system` links 1 span in several ways: muc takes one of them, the one with the highest confidence, if they have any

"#]]
    );
}

/// Three documents; the second system says nothing of the last.
fn silent() -> Folder {
    Folder::with(&[
        ("gold.tsv", "d1\t0\t5\tQ1\nd1\t10\t15\tQ2\nd2\t0\t5\tQ3\nd3\t0\t5\tQ4\n"),
        ("all.tsv", "d1\t0\t5\tQ1\nd2\t0\t5\tQ3\nd3\t0\t5\tQ9\n"),
        ("some.tsv", "d1\t0\t5\tQ1\nd1\t10\t15\tQ9\nd2\t0\t5\tQ3\n"),
    ])
}

#[test]
fn b10_means_have_no_counts_and_say_which_documents_they_are_over() {
    let line = "karat eval gold.tsv all.tsv some.tsv -m link,link@macro,disambiguation@macro";
    assert_data_eq!(
        silent().run(line),
        str![[r#"
exit code 0
-- stdout
All documents

system  measure            tp  fp  fn      P      R     F1  95%          documents
───────────────────────────────────────────────────────────────────────────────────
all     link                2   1   2  0.667  0.500  0.571  0.000–1.000          –
all     link@macro          –   –   –  0.667  0.500  0.556  0.000–1.000          3
all     link@macro@common   –   –   –  1.000  0.500  0.556  –                    3
some    link                2   1   2  0.667  0.500  0.571  0.000–1.000          –
some    link@macro          –   –   –  0.750  0.500  0.500  0.000–1.000          3
some    link@macro@common   –   –   –  0.750  0.500  0.500  –                    3

Other measures

system  measure                      score     value  95%          documents
─────────────────────────────────────────────────────────────────────────────
all     disambiguation@macro         accuracy  0.667  0.000–1.000          3
all     disambiguation@macro@common  accuracy  1.000  –                    2
some    disambiguation@macro         accuracy  0.750  –                    2
some    disambiguation@macro@common  accuracy  0.750  –                    2

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@de787e|boot:doc,1000,seed=1,level=95
-- stderr
warning: `some` says nothing about 1 of 3 documents; they count as empty
note: link.precision@macro on `gold` is a mean over different documents: 3 for `all`, 2 for `some`; link@macro@common is over the 2 where all have it
note: disambiguation.accuracy@macro on `gold` is a mean over different documents: 3 for `all`, 2 for `some`; disambiguation@macro@common is over the 2 where all have it

"#]]
    );
}

#[test]
fn b10_common_means_are_in_json_and_in_rows() {
    let folder = silent();
    let json = "karat eval gold.tsv all.tsv some.tsv -m link@macro --format json \
                | sed -n '/\"macro\"/,/^        }/p'";
    assert_data_eq!(
        folder.run(json),
        str![[r#"
exit code 0
-- stdout
          "macro": {
            "precision": 0.6666666666666666,
            "recall": 0.5,
            "f1": 0.5555555555555555,
            "documents": {
              "precision": 3,
              "recall": 3,
              "f1": 3
            },
            "ci": {
              "f1": [
                0.0,
                1.0
              ],
              "precision": [
                0.0,
                1.0
              ],
              "recall": [
                0.0,
                1.0
              ]
            },
            "common": {
              "precision": 1.0,
              "recall": 0.5,
              "f1": 0.5555555555555555,
              "documents": {
                "precision": 2,
                "recall": 3,
                "f1": 3
              }
            }
          },
          "ci": {
            "f1": [
              0.0,
              1.0
            ],
            "precision": [
              0.0,
              1.0
            ],
            "recall": [
              0.0,
              1.0
            ]
          },
          "columns": [
            "ptp",
            "fp",
            "rtp",
            "fn"
          ]
        }
          "macro": {
            "precision": 0.75,
            "recall": 0.5,
            "f1": 0.5,
            "documents": {
              "precision": 2,
              "recall": 3,
              "f1": 3
            },
            "ci": {
              "f1": [
                0.0,
                1.0
              ],
              "recall": [
                0.0,
                1.0
              ]
            },
            "common": {
              "precision": 0.75,
              "recall": 0.5,
              "f1": 0.5,
              "documents": {
                "precision": 2,
                "recall": 3,
                "f1": 3
              }
            }
          },
          "ci": {
            "f1": [
              0.0,
              1.0
            ],
            "recall": [
              0.0,
              1.0
            ]
          },
          "columns": [
            "ptp",
            "fp",
            "rtp",
            "fn"
          ]
        }
      "macro": true
    }
  ],
  "level": 95.0,
  "gates": [],
  "notices": [
    {
      "id": "silent-documents",
      "severity": "warning",
      "message": "`some` says nothing about 1 of 3 documents; they count as empty",
      "subject": "some"
    },
    {
      "id": "other-documents",
      "severity": "note",
      "message": "link.precision@macro on `gold` is a mean over different documents: 3 for `all`, 2 for `some`; link@macro@common is over the 2 where all have it",
      "subject": "gold"
    }
  ]
}
-- stderr
warning: `some` says nothing about 1 of 3 documents; they count as empty
note: link.precision@macro on `gold` is a mean over different documents: 3 for `all`, 2 for `some`; link@macro@common is over the 2 where all have it

"#]]
    );
    let rows = "karat eval gold.tsv all.tsv some.tsv -m link@macro --format csv";
    assert_data_eq!(
        folder.run(rows),
        str![[r#"
exit code 0
-- stdout
system,measure,tp,fp,fn,P,R,F1,low,high,documents
all,link@macro,,,,0.6666666666666666,0.5,0.5555555555555555,0,1,3
all,link@macro@common,,,,1,0.5,0.5555555555555555,,,3
some,link@macro,,,,0.75,0.5,0.5,0,1,3
some,link@macro@common,,,,0.75,0.5,0.5,,,3
-- stderr
warning: `some` says nothing about 1 of 3 documents; they count as empty
note: link.precision@macro on `gold` is a mean over different documents: 3 for `all`, 2 for `some`; link@macro@common is over the 2 where all have it
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@de787e|boot:doc,1000,seed=1,level=95

"#]]
    );
}

/// Ids that GERBIL takes for no entities: it looks at nothing.
fn unknown_ids() -> Folder {
    let rows = "d1\t0\t5\tQ1\nd2\t0\t5\tQ2\n";
    Folder::with(&[("gold.tsv", rows), ("system.tsv", rows)])
}

#[test]
fn b6_a_score_over_nothing_is_a_dash() {
    let folder = unknown_ids();
    let line = "karat eval gold.tsv system.tsv --preset gerbil -m inkb,inkb@macro,erec";
    assert_data_eq!(
        folder.run(line),
        str![[r#"
exit code 0
-- stdout
system  measure     tp  fp  fn      P      R     F1  documents  oracle threshold
─────────────────────────────────────────────────────────────────────────────────
system  inkb         0   0   0      –      –      –          –                 0
system  inkb@macro   –   –   –      –      –      –          2                 0
system  erec         2   0   0  1.000  1.000  1.000          –                 0

karat:0.1.0|preset:gerbil|task:end-to-end|match:exact|assign:greedy|threshold:oracle|kb:prefixes|gold:gold@d69137
-- stderr
warning: the preset takes every id of `gold` for NIL: none has the address of a knowledge base it knows, as http://www.wikidata.org/entity/Q64 has; `Q1` has not
  = help: --set in-kb=every-id takes them for what they are

"#]]
    );
    assert_data_eq!(
        folder.run(&format!("{line} --format md")),
        str![[r#"
exit code 0
-- stdout
| system | measure | tp | fp | fn | P | R | F1 | documents | oracle threshold |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| system | inkb | 0 | 0 | 0 | – | – | – | – | 0 |
| system | inkb@macro | – | – | – | – | – | – | 2 | 0 |
| system | erec | 2 | 0 | 0 | 1.000 | 1.000 | 1.000 | – | 0 |

`karat:0.1.0|preset:gerbil|task:end-to-end|match:exact|assign:greedy|threshold:oracle|kb:prefixes|gold:gold@d69137`
-- stderr
warning: the preset takes every id of `gold` for NIL: none has the address of a knowledge base it knows, as http://www.wikidata.org/entity/Q64 has; `Q1` has not
  = help: --set in-kb=every-id takes them for what they are

"#]]
    );
    assert_data_eq!(
        folder.run(&format!("{line} --format csv 2> /dev/null")),
        str![[r#"
exit code 0
-- stdout
system,measure,tp,fp,fn,P,R,F1,low,high,documents,oracle threshold
system,inkb,0,0,0,,,,,,,0
system,inkb@macro,,,,,,,,,2,0
system,erec,2,0,0,1,1,1,,,,0

"#]]
    );
}

#[test]
fn b6_the_convention_says_what_nothing_is_worth_in_json() {
    let line = "karat eval gold.tsv system.tsv --preset gerbil -m inkb --format json 2> /dev/null \
                | sed -n '/\"measures\"/,/^      ]/p'";
    assert_data_eq!(
        unknown_ids().run(line),
        str![[r#"
exit code 0
-- stdout
      "measures": [
        {
          "name": "inkb",
          "measure": "link",
          "tp": 0,
          "ptp": 0,
          "fp": 0,
          "rtp": 0,
          "fn": 0,
          "precision": 1.0,
          "recall": 1.0,
          "f1": 1.0,
          "macro": {
            "precision": 1.0,
            "recall": 1.0,
            "f1": 1.0,
            "documents": {
              "precision": 2,
              "recall": 2,
              "f1": 2
            }
          },
          "oracle_threshold": 0.0,
          "over_nothing": true,
          "columns": [
            "ptp",
            "fp",
            "rtp",
            "fn"
          ]
        }
      ],

"#]]
    );
}

#[test]
fn b6_a_gate_is_not_passed_over_nothing() {
    let line = "karat eval gold.tsv system.tsv --preset gerbil -m inkb --fail-under inkb.f1=0.8";
    assert_data_eq!(
        unknown_ids().run(line),
        str![[r#"
exit code 1
-- stdout
system  measure  tp  fp  fn  P  R  F1  oracle threshold
────────────────────────────────────────────────────────
system  inkb      0   0   0  –  –   –                 0

karat:0.1.0|preset:gerbil|task:end-to-end|match:exact|assign:greedy|threshold:oracle|kb:prefixes|gold:gold@d69137
-- stderr
warning: the preset takes every id of `gold` for NIL: none has the address of a knowledge base it knows, as http://www.wikidata.org/entity/Q64 has; `Q1` has not
  = help: --set in-kb=every-id takes them for what they are
error: `system` has inkb.f1 undefined, below 0.8

"#]]
    );
}
