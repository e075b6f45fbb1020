//! Comparing systems.

use crate::folder::Folder;
use crate::scoring::contest;
use snapbox::{assert_data_eq, str};

/// Thirty documents of two mentions; `strong` misses little, `weak` much.
fn clear() -> Folder {
    let rows = |wrong: fn(u32) -> bool| -> String {
        (0..30)
            .map(|at| {
                let second = if wrong(at) { "Q9" } else { "Q2" };
                format!("d{at}\t0\t5\tQ1\nd{at}\t10\t15\t{second}\n")
            })
            .collect()
    };
    Folder::with(&[
        ("gold.tsv", &rows(|_| false)),
        ("strong.tsv", &rows(|at| at % 10 == 0)),
        ("weak.tsv", &rows(|at| at % 10 != 0)),
        ("near.tsv", &rows(|at| at % 10 == 1 || at == 2)),
    ])
}

#[test]
fn a_difference_that_is_real_and_one_that_is_not() {
    assert_data_eq!(
        clear().run("karat compare gold.tsv strong.tsv weak.tsv near.tsv --trials 2000"),
        str![[r#"
exit code 0
-- stdout
Systems

score       system  value  95%          rank     first  better than  group
───────────────────────────────────────────────────────────────────────────
link.f1  a  strong  0.950  0.883–1.000  1 (1–2)   0.71  b            1
link.f1  c  near    0.933  0.867–0.983  2 (1–2)   0.43  b            1
link.f1  b  weak    0.550  0.500–0.617  3         0.00  –            2

Pairs

score    first   second  difference  95%                    p  p (holm)  detectable      h  documents  mentions  McNemar p
───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
link.f1  strong  weak         0.400  [0.267, 0.500]    0.0005    0.0015       0.182   1.02  27+ 0= 3-  27+ 3-      <0.0001
link.f1  strong  near         0.017  [-0.067, 0.100]   1.0000    1.0000       0.144   0.07  4+ 23= 3-  4+ 3-        1.0000
link.f1  weak    near        -0.383  [-0.450, -0.300]  0.0005    0.0015       0.123  -0.95  0+ 7= 23-  0+ 23-      <0.0001

link.f1: a difference must be 14.4 points or more to be found with probability 0.8 at level 0.05 on
the 30 documents of gold after correction, median of all pairs.
link.f1: strong and near differ by 1.7 points, less than the 14.4 points that can be resolved
between them; gold does not decide which of them is better.

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@ad46a8|boot:doc,2000,seed=1,level=95|test:exchange(doc),2000,seed=1,holm,alpha=0.05

"#]]
    );
}

#[test]
fn the_table_of_a_paper() {
    let folder = clear();
    for form in ["latex", "html", "tsv", "csv --pairs"] {
        let line =
            format!("karat compare gold.tsv strong.tsv weak.tsv --trials 2000 --format {form}");
        folder.write(&format!("{}.txt", &form[..3]), folder.run(&line).as_bytes());
    }
    let read = |name: &str| String::from_utf8(folder.read(name)).unwrap();
    assert_data_eq!(
        read("lat.txt"),
        str![[r#"
exit code 0
-- stdout
% needs /usepackage{booktabs}
/begin{tabular}{llrll}
  /toprule
   & system & link.f1 & 95/% & rank //
  /midrule
  a & strong & 0.950/textsuperscript{b} & 0.883–1.000 & 1 //
  b & weak & 0.550 & 0.500–0.617 & 2 //
  /bottomrule
/end{tabular}
/par/noindent{/footnotesize link.f1: a difference must be 15.8 points or more to be found with probability 0.8 at level 0.05 on the 30 documents of gold./par}
% karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@ad46a8|boot:doc,2000,seed=1,level=95|test:exchange(doc),2000,seed=1,holm,alpha=0.05

"#]]
    );
    assert_data_eq!(
        read("htm.txt"),
        str![[r#"
exit code 0
-- stdout
<table>
<thead><tr><th></th><th>system</th><th class="number">link.f1</th><th>95%</th><th>rank</th></tr></thead>
<tbody>
<tr><td>a</td><td>strong</td><td class="number">0.950<sup>b</sup></td><td>0.883–1.000</td><td>1</td></tr>
<tr><td>b</td><td>weak</td><td class="number">0.550</td><td>0.500–0.617</td><td>2</td></tr>
</tbody>
</table>
<p class="remark">link.f1: a difference must be 15.8 points or more to be found with probability 0.8 at level 0.05 on the 30 documents of gold.</p>
<p class="signature">karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@ad46a8|boot:doc,2000,seed=1,level=95|test:exchange(doc),2000,seed=1,holm,alpha=0.05</p>

"#]]
    );
    assert_data_eq!(
        read("tsv.txt"),
        str![[r#"
exit code 0
-- stdout
benchmark	score	letter	system	value	low	high	rank	rank_low	rank_high	first	better_than	group	facet	label
gold	link.f1	a	strong	0.95	0.8833333333333333	1	1	1	1	1	b	1		
gold	link.f1	b	weak	0.55	0.5	0.6166666666666667	2	2	2	0		2		
-- stderr
note: link.f1: a difference must be 15.8 points or more to be found with probability 0.8 at level 0.05 on the 30 documents of gold.
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@ad46a8|boot:doc,2000,seed=1,level=95|test:exchange(doc),2000,seed=1,holm,alpha=0.05

"#]]
    );
    assert_data_eq!(
        read("csv.txt"),
        str![[r#"
exit code 0
-- stdout
benchmark,score,first,second,difference,low,high,p,p_adjusted,significant,detectable,h,wins,ties,losses,first_only,second_only,mcnemar_p,facet,label
gold,link.f1,strong,weak,0.3999999999999999,0.2666666666666666,0.5,0.0004997501249375312,0.0004997501249375312,yes,0.15772772957096295,1.0196020938370738,27,0,3,27,3,0.000008430331945419296,,
-- stderr
note: link.f1: a difference must be 15.8 points or more to be found with probability 0.8 at level 0.05 on the 30 documents of gold.
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@ad46a8|boot:doc,2000,seed=1,level=95|test:exchange(doc),2000,seed=1,holm,alpha=0.05

"#]]
    );
}

/// Thirty documents with a person and a place; one system knows persons, the other places.
fn typed() -> Folder {
    let rows = |person: &str, place: &str| -> String {
        let line = |at: u32| {
            format!("d{at}\t0\t5\t{person}\t1.0\tPER\nd{at}\t10\t15\t{place}\t1.0\tLOC\n")
        };
        (0..30).map(line).collect()
    };
    Folder::with(&[
        ("gold.tsv", &rows("Q1", "Q2")),
        ("persons.tsv", &rows("Q1", "Q9")),
        ("places.tsv", &rows("Q9", "Q2")),
    ])
}

#[test]
fn parts_of_the_corpus_follow_the_whole() {
    assert_data_eq!(
        typed().run(
            "karat compare gold.tsv persons.tsv places.tsv --group-by type --trials 500 --format md"
        ),
        str![[r#"
exit code 0
-- stdout
| part |  | system | link.f1 | 95% | rank |
| --- | --- | --- | ---: | --- | --- |
| all | a | persons | 0.500 | 0.500–0.500 | 1 |
| all | b | places | 0.500 | 0.500–0.500 | 1 |
| type=LOC | a | persons | 0.000 | 0.000–0.000 | 2 |
| type=LOC | b | places | 1.000<sup>a</sup> | 1.000–1.000 | 1 |
| type=PER | a | persons | 1.000<sup>b</sup> | 1.000–1.000 | 1 |
| type=PER | b | places | 0.000 | 0.000–0.000 | 2 |

`karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@dfe6eb|boot:doc,500,seed=1,level=95|test:exchange(doc),500,seed=1,holm,alpha=0.05`

"#]]
    );
    assert_data_eq!(
        typed().run("karat compare gold.tsv persons.tsv places.tsv --group-by type --trials 500 --format tsv -q"),
        str![[r#"
exit code 0
-- stdout
benchmark	score	letter	system	value	low	high	rank	rank_low	rank_high	first	better_than	group	facet	label
gold	link.f1	a	persons	0.5	0.5	0.5	1	1	1	1		1		
gold	link.f1	b	places	0.5	0.5	0.5	1	1	1	1		1		
gold	link.f1	b	places	1	1	1	1	1	1	1	a	1	type	LOC
gold	link.f1	a	persons	0	0	0	2	2	2	0		2	type	LOC
gold	link.f1	a	persons	1	1	1	1	1	1	1	b	1	type	PER
gold	link.f1	b	places	0	0	0	2	2	2	0		2	type	PER
-- stderr
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@dfe6eb|boot:doc,500,seed=1,level=95|test:exchange(doc),500,seed=1,holm,alpha=0.05

"#]]
    );
    assert_data_eq!(
        typed().run("karat compare gold.tsv persons.tsv places.tsv --group-by colour"),
        str![[r#"
exit code 2
-- stderr
error: there is no facet `colour`
  = help: facets are doc, type, topic, language, link, entity, tag, base-form, pos, overlap, reference, combination, error, relation, span-error, category, mention-type, attribute:KEY

"#]]
    );
}

#[test]
fn plots_are_files_of_their_own() {
    let folder = clear();
    let shown = folder.run(
        "karat compare gold.tsv strong.tsv weak.tsv near.tsv -m link,mention --trials 100 \
         --forest forest.svg --critical-difference ranks.svg --format json",
    );
    assert!(shown.starts_with("exit code 0"), "{shown}");
    for name in ["forest.svg", "ranks-link.f1.svg", "ranks-mention.f1.svg"] {
        let svg = String::from_utf8(folder.read(name)).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("strong"), "{name}");
    }
}

/// The diagram and the table answer two questions, and it says so.
#[test]
fn a_diagram_of_ranks_says_what_it_tests() {
    let folder = clear();
    let systems = "karat compare gold.tsv strong.tsv weak.tsv near.tsv --trials 100";
    folder.run(&format!("{systems} --critical-difference ranks.svg"));
    let svg = String::from_utf8(folder.read("ranks.svg")).unwrap();
    assert!(svg.contains("Tested are average ranks over documents (Friedman, Nemenyi)."), "{svg}");
    assert!(svg.contains("another question"), "{svg}");
}

#[test]
fn tables_of_several_benchmarks_are_named_in_latex() {
    assert_data_eq!(
        clear().run(
            "karat compare -g a_1=gold.tsv -g b=gold.tsv -s strong.tsv -s weak.tsv --trials 500 \
             --format latex"
        ),
        str![[r#"
exit code 0
-- stdout
% needs /usepackage{booktabs}
/begin{tabular}{llrll}
  /toprule
  /multicolumn{5}{l}{/textbf{a/_1}} //
  /midrule
   & system & link.f1 & 95/% & rank //
  /midrule
  a & strong & 0.950/textsuperscript{b} & 0.883–1.000 & 1 //
  b & weak & 0.550 & 0.500–0.617 & 2 //
  /bottomrule
/end{tabular}

/begin{tabular}{llrll}
  /toprule
  /multicolumn{5}{l}{/textbf{b}} //
  /midrule
   & system & link.f1 & 95/% & rank //
  /midrule
  a & strong & 0.950/textsuperscript{b} & 0.883–1.000 & 1 //
  b & weak & 0.550 & 0.500–0.617 & 2 //
  /bottomrule
/end{tabular}

/begin{tabular}{lllrlrr}
  /toprule
  /multicolumn{7}{l}{/textbf{Ranks over all benchmarks}} //
  /midrule
  score & over & system & average rank & group & critical difference & Friedman p //
  /midrule
  link.f1 & 2 benchmarks & strong & 1.00 & 1 & 1.39 & 0.1573 //
  link.f1 & 2 benchmarks & weak & 2.00 & 1 & 1.39 & 0.1573 //
  /bottomrule
/end{tabular}
/par/noindent{/footnotesize link.f1: a difference must be 15.9 points or more to be found with probability 0.8 at level 0.05 on the 30 documents of a/_1./par}
/par/noindent{/footnotesize link.f1: a difference must be 15.9 points or more to be found with probability 0.8 at level 0.05 on the 30 documents of b./par}
% karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:a_1@ad46a8|boot:doc,500,seed=1,level=95|test:exchange(doc),500,seed=1,holm,alpha=0.05
% karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:b@ad46a8|boot:doc,500,seed=1,level=95|test:exchange(doc),500,seed=1,holm,alpha=0.05

"#]]
    );
}

#[test]
fn several_benchmarks_and_runs() {
    assert_data_eq!(
        clear().run(
            "karat compare -g a=gold.tsv -g b=gold.tsv -s runs=strong.tsv -s runs=near.tsv \
             -s weak=weak.tsv --trials 500"
        ),
        str![[r#"
exit code 0
-- stdout
Systems

benchmark  score       system  value  95%          rank  first  better than  group
───────────────────────────────────────────────────────────────────────────────────
a          link.f1  a  runs    0.942  0.842–1.000  1      0.99  b            1
a          link.f1  b  weak    0.550  0.500–0.617  2      0.01  –            2
b          link.f1  a  runs    0.942  0.842–1.000  1      0.99  b            1
b          link.f1  b  weak    0.550  0.500–0.617  2      0.01  –            2

Pairs

benchmark  score    first  second  difference  95%                  p  p (holm)  detectable     h  documents  mentions  McNemar p
──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
a          link.f1  runs   weak         0.392  [0.267, 0.530]  0.0200    0.0200       0.188  0.98  27+ 0= 3-  –                 –
b          link.f1  runs   weak         0.392  [0.267, 0.530]  0.0200    0.0200       0.188  0.98  27+ 0= 3-  –                 –

Ranks over all benchmarks

score    over          system  average rank  group  critical difference  Friedman p
────────────────────────────────────────────────────────────────────────────────────
link.f1  2 benchmarks  runs            1.00  1                     1.39      0.1573
link.f1  2 benchmarks  weak            2.00  1                     1.39      0.1573

link.f1: a difference must be 18.8 points or more to be found with probability 0.8 at level 0.05 on
the 30 documents of a.
Systems with several runs score the mean of their runs. That these runs might have been others
widens their intervals by Student's distribution, much if they are few, and their p-values come from
the same draws.
link.f1: a difference must be 18.8 points or more to be found with probability 0.8 at level 0.05 on
the 30 documents of b.

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:a@ad46a8|boot:doc,500,seed=1,level=95|test:boot(doc,runs),500,seed=1,holm,alpha=0.05

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:b@ad46a8|boot:doc,500,seed=1,level=95|test:boot(doc,runs),500,seed=1,holm,alpha=0.05

"#]]
    );
}

#[test]
fn what_does_not_meet_is_said_loudly() {
    assert_data_eq!(
        contest()
            .run("karat compare -g gold.tsv -s good=good.tsv -s poor.tsv --trials 100 -m link"),
        str![[r#"
exit code 0
-- stdout
Systems

score       system  value  95%          rank     first  better than  group
───────────────────────────────────────────────────────────────────────────
link.f1  a  good    0.857  0.667–1.000  1         1.00  –            1
link.f1  b  poor    0.250  0.000–0.400  2 (1–2)   0.03  –            1

Pairs

score    first  second  difference  95%                  p  p (holm)  detectable     h  documents  mentions  McNemar p
───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
link.f1  good   poor         0.607  [0.576, 0.714]  0.2574    0.2574           –  1.32  2+ 0= 0-   2+ 0-        0.5000

link.f1: good has none in 3 of 100 trials; they are left out.
Exchanging 3 documents gives no p below 0.25: too few for any difference to be significant at level
0.05.

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e|boot:doc,100,seed=1,level=95|test:exchange(doc),100,seed=1,holm,alpha=0.05
-- stderr
warning: `poor` has 1 document that `gold` does not know (`d3`); what it says there counts as wrong
warning: `poor` says nothing about 1 of 2 documents; they count as empty

"#]]
    );
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = contest();
    let refused = |arguments: &str| folder.run(&format!("karat compare {arguments}"));
    assert_data_eq!(
        refused("gold.tsv"),
        str![[r#"
exit code 2
-- stderr
error: 2 values required by '[GOLD] [SYSTEM]...'; only 1 was provided

Usage: karat compare [OPTIONS] [GOLD] [SYSTEM]...

For more information, try '--help'.

"#]]
    );
    assert_data_eq!(
        refused("gold.tsv good.tsv"),
        str![[r#"
exit code 2
-- stderr
error: there is only one system on `gold`
  = help: give a second with --system, as NAME=INPUT; `karat eval` scores one system, with an interval

"#]]
    );
    assert_data_eq!(
        refused("gold.tsv good.tsv good.tsv"),
        str![[r#"
exit code 2
-- stderr
error: two systems are called `good`
  = help: give each a name of its own: NAME=INPUT

"#]]
    );
    assert_data_eq!(
        refused("gold.tsv good.tsv poor.tsv -m b-cubed"),
        str![[r#"
exit code 2
-- stderr
error: b-cubed cannot be compared: drawing documents again says nothing about it
  = help: ask for measures that add up over documents, as link, mention or tag

"#]]
    );
    assert_data_eq!(
        refused("gold.tsv good.tsv poor.tsv --trials 0"),
        str![[r#"
exit code 2
-- stderr
error: nothing can be said about differences without trials
  = help: leave out --trials, or ask for 1000 or more

"#]]
    );
    assert_data_eq!(
        refused("gold.tsv good.tsv poor.tsv --alpha 5"),
        str![[r#"
exit code 2
-- stderr
error: `5` is no probability for `alpha`
  = help: write a number between 0 and 1

"#]]
    );
    assert_data_eq!(
        refused("gold.tsv good.tsv poor.tsv --level 100"),
        str![[r#"
exit code 2
-- stderr
error: `100` percent is no level of an interval
  = help: write a number between 0 and 100, as --level 95

"#]]
    );
    assert_data_eq!(
        refused("gold.tsv good.tsv poor.tsv --strata type"),
        str![[r#"
exit code 2
-- stderr
error: no document has a `type` to be drawn by
  = help: facets of documents are topic, language and attribute:KEY, where the gold standard has them

"#]]
    );
    assert_data_eq!(
        refused("gold.tsv good.tsv poor.tsv --interval mean"),
        str![[r#"
exit code 2
-- stderr
error: there is no interval `mean`
  = help: intervals are percentile, basic, bca

"#]]
    );
    assert_data_eq!(
        refused("gold.tsv good.tsv poor.tsv --correction some"),
        str![[r#"
exit code 2
-- stderr
error: there is no correction `some`
  = help: corrections are holm, bh, bonferroni, none

"#]]
    );
    assert_data_eq!(
        refused("gold.tsv good.tsv poor.tsv --forest none/plot.svg"),
        str![[r#"
exit code 2
-- stderr
warning: `poor` has 1 document that `gold` does not know (`d3`); what it says there counts as wrong
warning: `poor` says nothing about 1 of 2 documents; they count as empty
error: cannot write `none/plot.svg`: No such file or directory
  = help: the folder must exist; create it first

"#]]
    );
}

#[test]
fn other_intervals_have_their_own_signature() {
    let shown = contest()
        .run("karat eval gold.tsv good.tsv -m link --interval bca --level 90 --clusters doc");
    assert_data_eq!(
        shown,
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1  90%
──────────────────────────────────────────────────────────────
good    link      3   0   1  1.000  0.750  0.857  0.667–1.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e|boot:clusters(doc),1000,seed=1,level=90,bca

"#]]
    );
}

#[test]
fn a_system_that_is_missing_somewhere_is_not_ranked_in_silence() {
    assert_data_eq!(
        clear().run(
            "karat compare -g x=gold.tsv -g y=near.tsv -s a@x=strong.tsv -s a@y=strong.tsv -s b=weak.tsv -s c@x=near.tsv \
             --trials 200 --format md | grep -A 3 Ranks"
        ),
        str![[r#"
exit code 1
-- stderr
warning: no ranks over all benchmarks: `c` has no link.f1 on `y`

"#]]
    );
}

#[test]
fn one_document_has_no_interval() {
    let folder = Folder::with(&[
        ("gold.tsv", "d\t0\t5\tQ1\nd\t10\t15\tQ2\n"),
        ("a.tsv", "d\t0\t5\tQ1\nd\t10\t15\tQ2\n"),
        ("b.tsv", "d\t0\t5\tQ1\n"),
    ]);
    assert_data_eq!(
        folder.run("karat eval gold.tsv a.tsv b.tsv"),
        str![[r#"
exit code 0
-- stdout
All documents

system  measure     tp  fp  fn      P      R     F1  documents
───────────────────────────────────────────────────────────────
a       mention      2   0   0  1.000  1.000  1.000          –
a       link         2   0   0  1.000  1.000  1.000          –
a       link@macro   –   –   –  1.000  1.000  1.000          1
a       nil          0   0   0      –      –      –          –
a       all          2   0   0  1.000  1.000  1.000          –
a       tag          2   0   0  1.000  1.000  1.000          –
b       mention      1   0   1  1.000  0.500  0.667          –
b       link         1   0   1  1.000  0.500  0.667          –
b       link@macro   –   –   –  1.000  0.500  0.667          1
b       nil          0   0   0      –      –      –          –
b       all          1   0   1  1.000  0.500  0.667          –
b       tag          1   0   1  1.000  0.500  0.667          –

Other measures

system  measure                score     value  counts
─────────────────────────────────────────────────────────────────
a       disambiguation         accuracy  1.000  right 2, found 2
a       disambiguation@common  accuracy  1.000  right 1, found 1
b       disambiguation         accuracy  1.000  right 1, found 1
b       disambiguation@common  accuracy  1.000  right 1, found 1

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@b2bbc5|boot:doc,1000,seed=1,level=95

"#]]
    );
    assert_data_eq!(
        folder.run("karat compare gold.tsv a.tsv b.tsv --format tsv | cut -f 1-6"),
        str![[r#"
exit code 0
-- stdout
benchmark	score	letter	system	value	low
gold	link.f1	a	a	1	
gold	link.f1	b	b	0.6666666666666666	
-- stderr
note: Exchanging 1 document gives no p below 1.00: too few for any difference to be significant at level 0.05.
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@b2bbc5|boot:doc,10000,seed=1,level=95|test:exchange(doc),10000,seed=1,holm,alpha=0.05

"#]]
    );
}
