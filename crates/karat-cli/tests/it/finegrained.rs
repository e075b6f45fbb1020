//! Scores by category, fuzzy recall and cumulative curves on the command line.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

/// Two mentions that are names and two that are not; the second has an alternative that is an alias.
const GOLD: &str = r#"{"document":"d1","text":"Ann Bee saw Bo and it was a fox","annotations":[{"span":[0,7],"link":"http://a.org/Ann","tags":["el:Mnt-Full","el:PoS-NounSingular","el:Olp-None","el:Ref-Direct"]},{"span":[12,14],"link":"http://a.org/Bo","tags":["fel:ShortProperForm","fel:SingularNounPhrasePoS","fel:NoOverlap","fel:DirectReference"]},{"span":[12,14],"link":"http://a.org/Boris","tags":["el:Mnt-Alias","el:PoS-NounSingular","el:Olp-None","el:Ref-Direct"],"part_of":{"parent":1,"reading":1}},{"span":[19,21],"link":"http://a.org/Ann","tags":["mnt:Pro-formPN","el:PoS-NounSingular","el:Olp-None","el:Ref-Anaphoric"]},{"span":[28,31],"nil":true,"tags":["el:Mnt-CommonForm","el:PoS-NounSingular","el:Olp-None","el:Ref-Direct"]}]}"#;
const SYSTEM: &str = r#"{"document":"d1","text":"Ann Bee saw Bo and it was a fox","annotations":[{"span":[0,7],"link":"https://b.org/Ann"},{"span":[12,14],"link":"https://b.org/Boris"},{"span":[22,25],"link":"https://b.org/Was"},{"span":[28,31],"link":"https://b.org/Fox"}]}"#;

fn folder() -> Folder {
    Folder::with(&[
        ("gold.karat.jsonl", GOLD),
        ("system.karat.jsonl", SYSTEM),
        ("bad.toml", "[weights]\nMnt-Full = 1\nMnt-Empty = 2\n"),
        ("bad.tsv", "tag\tratio\nMnt-Full\t50%\n"),
        ("untagged.tsv", "d1\t0\t7\tAnn\n"),
    ])
}

#[test]
fn parts_are_gold_standards_of_their_own() {
    let folder = folder();
    let said = folder.run(
        "karat eval --preset rosales-2019 -g gold.karat.jsonl -s system.karat.jsonl --group-by base-form,tag --format tsv",
    );
    assert_data_eq!(
        said,
        str![[r#"
exit code 0
-- stdout
system	facet	label	measure	tp	fp	fn	P	R	F1	low	high
system			all	2	1	2	0.6666666666666666	0.5	0.5714285714285714		
system	base-form	Mnt-Full	all	1	0	0	1	1	1		
system	base-form	Mnt-Short	all	0	1	1	0	0	0		
system	base-form	Mnt-Extended	all	0	0	0					
system	base-form	Mnt-Alias	all	1	0	0	1	1	1		
system	base-form	Mnt-NumericTemporal	all	0	0	0					
system	base-form	Mnt-CommonForm	all	0	1	1	0	0	0		
system	base-form	Mnt-ProForm	all	0	0	1	0	0	0		
system	tag	Mnt-Full	all	1	0	0	1	1	1		
system	tag	Mnt-Short	all	0	1	1	0	0	0		
system	tag	Mnt-Extended	all	0	0	0					
system	tag	Mnt-Alias	all	1	0	0	1	1	1		
system	tag	Mnt-NumericTemporal	all	0	0	0					
system	tag	Mnt-CommonForm	all	0	1	1	0	0	0		
system	tag	Mnt-ProForm	all	0	0	1	0	0	0		
system	tag	PoS-NounSingular	all	2	1	2	0.6666666666666666	0.5	0.5714285714285714		
system	tag	PoS-NounPlural	all	0	0	0					
system	tag	PoS-Adjective	all	0	0	0					
system	tag	PoS-Verb	all	0	0	0					
system	tag	PoS-Adverb	all	0	0	0					
system	tag	Olp-None	all	2	1	2	0.6666666666666666	0.5	0.5714285714285714		
system	tag	Olp-Maximal	all	0	0	0					
system	tag	Olp-Intermediate	all	0	0	0					
system	tag	Olp-Minimal	all	0	0	0					
system	tag	Ref-Direct	all	2	1	1	0.6666666666666666	0.6666666666666666	0.6666666666666666		
system	tag	Ref-Anaphoric	all	0	0	1	0	0	0		
system	tag	Ref-Metaphoric	all	0	0	0					
system	tag	Ref-Metonymic	all	0	0	0					
system	tag	Ref-Related	all	0	0	0					
system	tag	Ref-Descriptive	all	0	0	0					
-- stderr
signature: karat:0.1.0|preset:rosales-2019|task:disambiguation|match:exact|assign:by-span|threshold:none|kb:last-segment|gold:gold@b8fb7c

"#]]
    );
}

#[test]
fn fuzzy_recall_by_alpha_by_name_and_in_both_semantics() {
    let folder = folder();
    for (line, expected) in [
        (
            "karat eval --preset rosales-2019 -g gold.karat.jsonl -s system.karat.jsonl --fuzzy alpha=0,0.25,...,1 --fuzzy strict-text --sweep sweep.svg && head -c 4 sweep.svg",
            str![[r#"
exit code 0
-- stdout
system  measure            tp  fp  fn      P      R     F1
───────────────────────────────────────────────────────────
system  all                 2   1   2  0.667  0.500  0.571
system  fuzzy(alpha=0)      2   2   2  0.500  1.000  0.667
system  fuzzy(alpha=0.25)   2   2   2  0.500  0.800  0.615
system  fuzzy(alpha=0.5)    2   2   2  0.500  0.667  0.571
system  fuzzy(alpha=0.75)   2   2   2  0.500  0.571  0.533
system  fuzzy(alpha=1)      2   2   2  0.500  0.500  0.500

karat:0.1.0|preset:rosales-2019|task:disambiguation|match:exact|assign:by-span|threshold:none|membership:strict-text|kb:last-segment|gold:gold@b8fb7c|alpha:0,0.25,0.5,0.75,1
<svg
"#]],
        ),
        (
            "karat eval --preset rosales-2019-text -g gold.karat.jsonl -s system.karat.jsonl -m 'fuzzy(alpha=0.5),fuzzy(membership=questionnaire,over-tags=product).r'",
            str![[r#"
exit code 0
-- stdout
system  measure                                            tp  fp  fn      P      R     F1
───────────────────────────────────────────────────────────────────────────────────────────
system  fuzzy(alpha=0.5)                                    2   2   2  0.500  0.667  0.571
system  fuzzy(membership=questionnaire,over-tags=product)   2   2   2  0.500  0.632  0.558

karat:0.1.0|preset:rosales-2019-text|task:disambiguation|match:exact|assign:by-span|threshold:none|kb:last-segment|gold:gold@b8fb7c|alpha:0.5,0

"#]],
        ),
    ] {
        assert_data_eq!(folder.run(line), expected);
    }
}

#[test]
fn curves_are_tables_and_plots() {
    let folder = folder();
    for (line, expected) in [
        (
            "karat curves --preset rosales-2019 -g gold.karat.jsonl -s system.karat.jsonl -o plots && ls plots",
            str![[r#"
exit code 0
-- stdout
system  score      rank  category                                               own  tp  fp  fn  value
───────────────────────────────────────────────────────────────────────────────────────────────────────
system  precision     1  Mnt-Full+PoS-NounSingular+Olp-None+Ref-Direct        1.000   1   0   0  1.000
system  precision     2  Mnt-Alias+PoS-NounSingular+Olp-None+Ref-Direct       1.000   2   0   0  1.000
system  precision     3  Mnt-Short+PoS-NounSingular+Olp-None+Ref-Direct       0.000   2   0   0  1.000
system  precision     4  Mnt-CommonForm+PoS-NounSingular+Olp-None+Ref-Direct  0.000   2   1   1  0.667
system  precision     5  Mnt-ProForm+PoS-NounSingular+Olp-None+Ref-Anaphoric  0.000   2   1   2  0.667
system  recall        1  Mnt-Full+PoS-NounSingular+Olp-None+Ref-Direct        1.000   1   0   0  1.000
system  recall        2  Mnt-Alias+PoS-NounSingular+Olp-None+Ref-Direct       1.000   2   0   0  1.000
system  recall        3  Mnt-Short+PoS-NounSingular+Olp-None+Ref-Direct       0.000   2   0   0  1.000
system  recall        4  Mnt-CommonForm+PoS-NounSingular+Olp-None+Ref-Direct  0.000   2   1   1  0.667
system  recall        5  Mnt-ProForm+PoS-NounSingular+Olp-None+Ref-Anaphoric  0.000   2   1   2  0.500
system  f1            1  Mnt-Full+PoS-NounSingular+Olp-None+Ref-Direct        1.000   1   0   0  1.000
system  f1            2  Mnt-Alias+PoS-NounSingular+Olp-None+Ref-Direct       1.000   2   0   0  1.000
system  f1            3  Mnt-Short+PoS-NounSingular+Olp-None+Ref-Direct       0.000   2   0   0  1.000
system  f1            4  Mnt-CommonForm+PoS-NounSingular+Olp-None+Ref-Direct  0.000   2   1   1  0.667
system  f1            5  Mnt-ProForm+PoS-NounSingular+Olp-None+Ref-Anaphoric  0.000   2   1   2  0.571

Predictions on other spans than those of the gold annotations are left out.

karat:0.1.0|preset:rosales-2019|task:disambiguation|match:exact|assign:by-span|threshold:none|kb:last-segment|gold:gold@b8fb7c|curve:gold-spans
f1.svg
precision.svg
recall.svg

"#]],
        ),
        (
            "karat curves --preset rosales-2019 -g gold.karat.jsonl -s system.karat.jsonl --group-by reference --format json",
            str![[r#"
exit code 0
-- stdout
{
  "karat": "0.1.0",
  "signature": "karat:0.1.0|preset:rosales-2019|task:disambiguation|match:exact|assign:by-span|threshold:none|kb:last-segment|gold:gold@b8fb7c|curve:gold-spans",
  "benchmarks": [
    {
      "benchmark": "gold",
      "signature": "karat:0.1.0|preset:rosales-2019|task:disambiguation|match:exact|assign:by-span|threshold:none|kb:last-segment|gold:gold@b8fb7c|curve:gold-spans",
      "facet": "reference",
      "left_out": 0,
      "systems": [
        {
          "name": "system",
          "curves": [
            {
              "score": "precision",
              "categories": [
                "Ref-Direct",
                "Ref-Anaphoric"
              ],
              "own": [
                0.6666666666666666,
                0.0
              ],
              "counts": [
                [
                  2,
                  1,
                  1
                ],
                [
                  2,
                  1,
                  2
                ]
              ],
              "values": [
                0.6666666666666666,
                0.6666666666666666
              ]
            },
            {
              "score": "recall",
              "categories": [
                "Ref-Direct",
                "Ref-Anaphoric"
              ],
              "own": [
                0.6666666666666666,
                0.0
              ],
              "counts": [
                [
                  2,
                  1,
                  1
                ],
                [
                  2,
                  1,
                  2
                ]
              ],
              "values": [
                0.6666666666666666,
                0.5
              ]
            },
            {
              "score": "f1",
              "categories": [
                "Ref-Direct",
                "Ref-Anaphoric"
              ],
              "own": [
                0.6666666666666666,
                0.0
              ],
              "counts": [
                [
                  2,
                  1,
                  1
                ],
                [
                  2,
                  1,
                  2
                ]
              ],
              "values": [
                0.6666666666666666,
                0.5714285714285714
              ]
            }
          ]
        }
      ]
    }
  ],
  "notices": []
}

"#]],
        ),
    ] {
        assert_data_eq!(folder.run(line), expected);
    }
}

#[test]
fn a_heat_map_of_parts_by_systems_is_drawn() {
    let folder = folder();
    let said = folder.run(
        "karat eval --preset rosales-2019 -g gold.karat.jsonl -s a=system.karat.jsonl -s b=system.karat.jsonl --group-by tag --heat-map map.svg",
    );
    assert!(said.starts_with("exit code 0"), "{said}");
    let map = String::from_utf8(folder.read("map.svg")).unwrap();
    assert!(map.starts_with("<svg") && map.contains("Mnt-ProForm"));
}

#[test]
fn what_is_wrong_is_said() {
    const EVAL: &str = "karat eval -g gold.karat.jsonl -s system.karat.jsonl -m link.f1 --trials 0";
    let folder = folder();
    for (arguments, expected) in [
        (
            "--fuzzy nothing",
            str![[r#"
exit code 2
-- stderr
error: `nothing` is neither a membership function nor a file
  = help: write alpha=0.3, one of strict, strict-text, questionnaire, systems, attribute:KEY, or the name of a file

"#]],
        ),
        (
            "--fuzzy alpha=2",
            str![[r#"
exit code 2
-- stderr
error: `2` in `alpha=2` is no weight from 0 to 1
  = help: write for example alpha=0,0.1,...,1

"#]],
        ),
        (
            "--fuzzy alpha=0,...,1",
            str![[r#"
exit code 2
-- stderr
error: `...` in `alpha=0,...,1` stands between no numbers
  = help: write for example alpha=0,0.1,...,1

"#]],
        ),
        (
            "--fuzzy alpha=0,0.3,...,1",
            str![[r#"
exit code 2
-- stderr
error: the steps of `alpha=0,0.3,...,1` do not lead to its end
  = help: write for example alpha=0,0.1,...,1

"#]],
        ),
        (
            "--fuzzy bad.toml",
            str![[r#"
exit code 2
-- stderr
error: `bad.toml`: line 3: `Mnt-Empty` is no category tag
  = help: write for example: [weights], then Mnt-Full = 1 and Mnt-CommonForm = "alpha"

"#]],
        ),
        (
            "--fuzzy bad.tsv",
            str![[r#"
exit code 2
-- stderr
error: `bad.tsv`: line 2: `50%` is no ratio from 0 to 1
  = help: write a tag and a ratio on each line, or a tag and how many said yes and no, separated by tabs or commas

"#]],
        ),
        (
            "--fuzzy alpha=1 --sweep one.svg",
            str![[r#"
exit code 2
-- stderr
error: a sweep has several values of alpha
  = help: write for example --fuzzy alpha=0,0.1,...,1

"#]],
        ),
        (
            "--set over-tags=max",
            str![[r#"
exit code 2
-- stderr
error: `max` is no value of `over-tags`: expected min, mean or product
  = help: `karat settings over-tags` says what its values do

"#]],
        ),
        (
            "--set group=spans",
            str![[r#"
exit code 2
-- stderr
error: `spans` is no value of `group`: expected cases, sides or annotations
  = help: `karat settings group` says what its values do

"#]],
        ),
        (
            "-m 'fuzzy(alpha=x)'",
            str![[r#"
exit code 2
-- stderr
error: in `fuzzy(alpha=x)`: `x` is no value of `alpha`: expected a number from 0 to 1 such as 0.3
  = help: `karat measures fuzzy` describes the measure

"#]],
        ),
        (
            "-m 'fuzzy(membership=mine)'",
            str![[r#"
exit code 2
-- stderr
error: in `fuzzy(membership=mine)`: `mine` is no value of `membership`: expected strict, strict-text, questionnaire, systems, or an attribute with the weight of each mention such as attribute:KEY
  = help: `karat measures fuzzy` describes the measure

"#]],
        ),
    ] {
        assert_data_eq!(folder.run(&format!("{EVAL} {arguments}")), expected);
    }
    assert_data_eq!(
        folder.run("karat curves -g untagged.tsv -s untagged.tsv"),
        str![[r#"
exit code 2
-- stderr
error: no annotation of `untagged` has exactly one `combination`
  = help: --group-by names the facet that makes the categories, as base-form, combination or type

"#]]
    );
}

#[test]
fn what_cannot_both_be_meant_is_refused() {
    let folder = folder();
    for command in [
        "karat eval gold.karat.jsonl system.karat.jsonl --fuzzy strict --fuzzy questionnaire",
        "karat eval gold.karat.jsonl system.karat.jsonl --fuzzy alpha=0.5 --sweep sweep.svg",
        "karat validate gold.karat.jsonl --check link-target",
        "karat tag --accuracy gold.karat.jsonl --dimensions type",
    ] {
        let said = folder.run(command);
        assert!(said.starts_with("exit code 2"), "{command}: {said}");
    }
    assert_data_eq!(
        folder.run("karat convert gold.karat.jsonl a.ttl --to nif-categorised --tags fel && grep -c el:ShortProperForm a.ttl"),
        str![[r#"
exit code 0
-- stdout
1
-- stderr
note: read 1 document and 5 annotations (karat-jsonl), wrote `a.ttl` (nif-categorised)

"#]]
    );
    assert_data_eq!(
        folder.run("karat tag gold.karat.jsonl -o tagged.karat.jsonl --overwrite -q && karat tag --accuracy tagged.karat.jsonl"),
        str![[r#"
exit code 0
-- stdout
Dimensions

dimension  compared  derived  agree  agreement  coverage  not compared
───────────────────────────────────────────────────────────────────────
base-form         3        0      0          –    0.0000             2
pos               4        0      0          –    0.0000             1
overlap           0        0      0          –         –             5
reference         4        0      0          –    0.0000             1

Tags

dimension  tag                     given  derived  agree  precision  recall
────────────────────────────────────────────────────────────────────────────
base-form  el:Mnt-Full                 1        0      0          –  0.0000
base-form  el:Mnt-Short                1        0      0          –  0.0000
base-form  el:Mnt-Extended             0        0      0          –       –
base-form  el:Mnt-Alias                1        0      0          –  0.0000
base-form  el:Mnt-NumericTemporal      0        0      0          –       –
base-form  el:Mnt-CommonForm           0        0      0          –       –
base-form  el:Mnt-ProForm              0        0      0          –       –
pos        el:PoS-NounSingular         4        0      0          –  0.0000
pos        el:PoS-NounPlural           0        0      0          –       –
pos        el:PoS-Adjective            0        0      0          –       –
pos        el:PoS-Verb                 0        0      0          –       –
pos        el:PoS-Adverb               0        0      0          –       –
overlap    el:Olp-None                 0        0      0          –       –
overlap    el:Olp-Maximal              0        0      0          –       –
overlap    el:Olp-Intermediate         0        0      0          –       –
overlap    el:Olp-Minimal              0        0      0          –       –
reference  el:Ref-Direct               4        0      0          –  0.0000
reference  el:Ref-Anaphoric            0        0      0          –       –
reference  el:Ref-Metaphoric           0        0      0          –       –
reference  el:Ref-Metonymic            0        0      0          –       –
reference  el:Ref-Related              0        0      0          –       –
reference  el:Ref-Descriptive          0        0      0          –       –

Derived base form for each that was given

given                Mnt-Full  Mnt-Short  Mnt-Extended  Mnt-Alias  Mnt-NumericTemporal  Mnt-CommonForm  Mnt-ProForm  unknown
─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
Mnt-Full                    0          0             0          0                    0               0            0        1
Mnt-Short                   0          0             0          0                    0               0            0        1
Mnt-Extended                0          0             0          0                    0               0            0        0
Mnt-Alias                   0          0             0          0                    0               0            0        1
Mnt-NumericTemporal         0          0             0          0                    0               0            0        0
Mnt-CommonForm              0          0             0          0                    0               0            0        0
Mnt-ProForm                 0          0             0          0                    0               0            0        0

Derived part of speech for each that was given

given             PoS-NounSingular  PoS-NounPlural  PoS-Adjective  PoS-Verb  PoS-Adverb  unknown
─────────────────────────────────────────────────────────────────────────────────────────────────
PoS-NounSingular                 0               0              0         0           0        4
PoS-NounPlural                   0               0              0         0           0        0
PoS-Adjective                    0               0              0         0           0        0
PoS-Verb                         0               0              0         0           0        0
PoS-Adverb                       0               0              0         0           0        0

Derived overlap for each that was given

given             Olp-None  Olp-Maximal  Olp-Intermediate  Olp-Minimal  unknown
────────────────────────────────────────────────────────────────────────────────
Olp-None                 0            0                 0            0        0
Olp-Maximal              0            0                 0            0        0
Olp-Intermediate         0            0                 0            0        0
Olp-Minimal              0            0                 0            0        0

Derived reference for each that was given

given            Ref-Direct  Ref-Anaphoric  Ref-Metaphoric  Ref-Metonymic  Ref-Related  Ref-Descriptive  unknown
─────────────────────────────────────────────────────────────────────────────────────────────────────────────────
Ref-Direct                0              0               0              0            0                0        4
Ref-Anaphoric             0              0               0              0            0                0        0
Ref-Metaphoric            0              0               0              0            0                0        0
Ref-Metonymic             0              0               0              0            0                0        0
Ref-Related               0              0               0              0            0                0        0
Ref-Descriptive           0              0               0              0            0                0        0

"#]]
    );
}
