//! Scoring: eval, errors, measures, presets, reproduce.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

/// A gold standard of two documents and two systems.
pub(crate) fn contest() -> Folder {
    Folder::with(&[
        (
            "gold.tsv",
            "d1\t0\t5\tQ64\t1.0\tLOC\nd1\t10\t14\tQ90\t1.0\tLOC\nd1\t20\t24\tNIL1\t1.0\tPER\n\
             d2\t0\t5\tQ64\t1.0\tLOC\nd2\t8\t12\tQ76\t1.0\tPER\n",
        ),
        (
            "good.tsv",
            "d1\t0\t5\tQ64\t0.9\tLOC\nd1\t10\t14\tQ90\t0.8\tLOC\nd1\t20\t24\tNIL\t0.2\tPER\n\
             d2\t0\t5\tQ64\t0.9\tLOC\n",
        ),
        (
            "poor.tsv",
            "d1\t0\t5\tQ64\t0.9\tLOC\nd1\t10\t14\tQ84\t0.8\tORG\nd1\t30\t34\tQ1\t0.2\tPER\n\
             d3\t0\t5\tQ64\t0.9\tLOC\n",
        ),
    ])
}

#[test]
fn a_board_in_karats_own_convention() {
    assert_data_eq!(
        contest().run("karat eval -g gold.tsv -s good=good.tsv -s poor.tsv"),
        str![[r#"
exit code 0
-- stdout
All documents

system  measure            tp  fp  fn      P      R     F1  95%          documents
───────────────────────────────────────────────────────────────────────────────────
good    mention             4   0   1  1.000  0.800  0.889  0.667–1.000          –
good    link                3   0   1  1.000  0.750  0.857  0.667–1.000          –
good    link@macro          –   –   –  1.000  0.750  0.833  0.667–1.000          2
good    link@macro@common   –   –   –  1.000  0.750  0.833  –                    2
good    nil                 1   0   0  1.000  1.000  1.000  –                    –
good    all                 4   0   1  1.000  0.800  0.889  0.667–1.000          –
good    tag                 3   0   1  1.000  0.750  0.857  0.667–1.000          –
good    nil-clusters        1   0   0  1.000  1.000  1.000  –                    –
poor    mention             2   2   3  0.500  0.400  0.444  0.000–0.667          –
poor    link                1   3   3  0.250  0.250  0.250  0.000–0.400          –
poor    link@macro          –   –   –  0.167  0.250  0.133  0.000–0.400          3
poor    link@macro@common   –   –   –  0.333  0.250  0.200  –                    2
poor    nil                 0   0   1      –  0.000  0.000  –                    –
poor    all                 1   3   4  0.250  0.200  0.222  0.000–0.333          –
poor    tag                 1   3   3  0.250  0.250  0.250  0.000–0.400          –
poor    nil-clusters        0   0   1      –  0.000  0.000  –                    –

Other measures

system  measure                score     value  95%          counts
──────────────────────────────────────────────────────────────────────────────
good    disambiguation         accuracy  1.000  1.000–1.000  right 3, found 3
good    disambiguation@common  accuracy  1.000  –            right 2, found 2
poor    disambiguation         accuracy  0.500  –            right 1, found 2
poor    disambiguation@common  accuracy  0.500  –            right 1, found 2

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e|boot:doc,1000,seed=1,level=95
-- stderr
warning: `poor` has 1 document that `gold` does not know (`d3`); what it says there counts as wrong
warning: `poor` says nothing about 1 of 2 documents; they count as empty
note: link.f1@macro on `gold` is a mean over different documents: 2 for `good`, 3 for `poor`; link@macro@common is over the 2 where all have it

"#]]
    );
}

#[test]
fn single_scores_and_slices() {
    assert_data_eq!(
        contest().run(
            "karat eval -g gold.tsv -s good.tsv -m link.f1,mention.r,link.f1@macro --group-by type"
        ),
        str![[r#"
exit code 0
-- stdout
All documents

system  link.f1  link.f1 95%  mention.r  mention.r 95%  link.f1@macro  link.f1@macro 95%
─────────────────────────────────────────────────────────────────────────────────────────
good      0.857  0.667–1.000      0.800  0.500–1.000            0.833  0.667–1.000

By part

system  facet  label  measure     tp  fp  fn      P      R     F1  95%          documents
──────────────────────────────────────────────────────────────────────────────────────────
good    type   LOC    link         3   0   0  1.000  1.000  1.000  1.000–1.000          –
good    type   LOC    mention      3   0   0  1.000  1.000  1.000  1.000–1.000          –
good    type   LOC    link@macro   –   –   –  1.000  1.000  1.000  1.000–1.000          2
good    type   PER    link         0   0   1      –  0.000  0.000  –                    –
good    type   PER    mention      1   0   1  1.000  0.500  0.667  0.000–1.000          –
good    type   PER    link@macro   –   –   –      –  0.000  0.000  –                    1

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e|boot:doc,1000,seed=1,level=95

"#]]
    );
}

#[test]
fn slices_by_error_and_by_two_facets() {
    assert_data_eq!(
        contest().run(
            "karat eval -g gold.tsv -s poor.tsv -m link --group-by error,doc+type --trials 0 --format tsv"
        ),
        str![[r#"
exit code 0
-- stdout
system	facet	label	measure	tp	fp	fn	P	R	F1	low	high
poor			link	1	3	3	0.25	0.25	0.25		
poor	error	correct link	link	1	0	0	1	1	1		
poor	error	extra	link	0	2	0	0		0		
poor	error	missing	link	0	0	2		0	0		
poor	error	wrong-link	link	0	1	1	0	0	0		
poor	doc+type	d1+LOC	link	1	0	1	1	0.5	0.6666666666666666		
poor	doc+type	d1+ORG	link	0	1	0	0		0		
poor	doc+type	d1+PER	link	0	1	0	0		0		
poor	doc+type	d2+LOC	link	0	0	1		0	0		
poor	doc+type	d2+PER	link	0	0	1		0	0		
poor	doc+type	d3+LOC	link	0	1	0	0		0		
-- stderr
warning: `poor` has 1 document that `gold` does not know (`d3`); what it says there counts as wrong
warning: `poor` says nothing about 1 of 2 documents; they count as empty
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e

"#]]
    );
}

#[test]
fn json_keeps_the_contract() {
    assert_data_eq!(
        contest().run(
            "karat eval -g gold.tsv -s A=good.tsv -m link --group-by type --trials 0 --format json"
        ),
        str![[r#"
exit code 0
-- stdout
{
  "karat": "0.1.0",
  "signature": "karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e",
  "gold": {
    "name": "gold",
    "signature": "karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e",
    "documents": 2,
    "annotations": 5,
    "linked": 4,
    "nil": 1,
    "entities": 3,
    "optional": 0,
    "digest": "55298e91546196e254fbdf57e91bd16eb55a3d3939b59646e2bfc05dc46de1d6"
  },
  "systems": [
    {
      "name": "A",
      "source": "good.tsv",
      "benchmark": "gold",
      "silent_documents": 0,
      "unknown_documents": 0,
      "tuned_threshold": null,
      "measures": [
        {
          "name": "link",
          "measure": "link",
          "tp": 3,
          "ptp": 3,
          "fp": 0,
          "rtp": 3,
          "fn": 1,
          "precision": 1.0,
          "recall": 0.75,
          "f1": 0.8571428571428571,
          "macro": {
            "precision": 1.0,
            "recall": 0.75,
            "f1": 0.8333333333333333,
            "documents": {
              "precision": 2,
              "recall": 2,
              "f1": 2
            }
          },
          "columns": [
            "ptp",
            "fp",
            "rtp",
            "fn"
          ]
        }
      ],
      "slices": [
        {
          "facet": "type",
          "label": "LOC",
          "gold": 3,
          "measures": [
            {
              "name": "link",
              "measure": "link",
              "tp": 3,
              "ptp": 3,
              "fp": 0,
              "rtp": 3,
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
              "columns": [
                "ptp",
                "fp",
                "rtp",
                "fn"
              ]
            }
          ]
        },
        {
          "facet": "type",
          "label": "PER",
          "gold": 1,
          "measures": [
            {
              "name": "link",
              "measure": "link",
              "tp": 0,
              "ptp": 0,
              "fp": 0,
              "rtp": 0,
              "fn": 1,
              "precision": null,
              "recall": 0.0,
              "f1": 0.0,
              "macro": {
                "precision": null,
                "recall": 0.0,
                "f1": 0.0,
                "documents": {
                  "precision": 0,
                  "recall": 1,
                  "f1": 1
                }
              },
              "columns": [
                "ptp",
                "fp",
                "rtp",
                "fn"
              ]
            }
          ]
        }
      ],
      "digest": "42d1774e1ecf417d0cca9da084fbadb594d4be2ca0d689ec35f539068d8299f9"
    }
  ],
  "shown": [
    {
      "measure": 0
    }
  ],
  "gates": [],
  "notices": []
}

"#]]
    );
}

#[test]
fn what_neleval_prints() {
    assert_data_eq!(
        contest().run(
            "karat eval -g gold.tsv -s good.tsv --preset neleval -m hachey,muc --format neleval"
        ),
        str![[r#"
exit code 0
-- stdout
ptp	fp	rtp	fn	precis	recall	fscore	measure
3	0	3	1	1.000	0.750	0.857	entity_match
1	0	1	0	1.000	1.000	1.000	muc
3	0	3	1	1.000	0.750	0.857	strong_link_match
3	0	3	1	1.000	0.750	0.857	strong_linked_mention_match
4	0	4	1	1.000	0.800	0.889	strong_mention_match

"#]]
    );
    assert_data_eq!(
        contest().run("karat eval -g gold.tsv -s good.tsv --preset neleval -m link --group-by doc --format neleval"),
        str![[r#"
exit code 0
-- stdout
ptp	fp	rtp	fn	precis	recall	fscore	measure
2	0	2	0	1.000	1.000	1.000	link;docid="d1"
1	0	1	1	1.000	0.500	0.667	link;docid="d2"
1.500	0.000	1.500	0.500	1.000	0.750	0.833	link;docid=<macro>
3	0	3	1	1.000	0.750	0.857	link;docid=<micro>

"#]]
    );
    assert_data_eq!(
        contest().run("karat errors -g gold.tsv -s good.tsv --preset neleval --format neleval"),
        str![[r#"
exit code 0
-- stdout
3	correct link
1	correct nil
1	missing

"#]]
    );
}

#[test]
fn gates_of_continuous_integration() {
    assert_data_eq!(
        contest().run(
            "karat eval -g gold.tsv -s good.tsv -m link.f1 --trials 0 --fail-under link.f1=0.5"
        ),
        str![[r#"
exit code 0
-- stdout
system  link.f1
────────────────
good      0.857

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e

"#]]
    );
    assert_data_eq!(
        contest().run("karat eval -g gold.tsv -s good.tsv -m link.f1 --trials 0 --fail-under mention.r=0.95 --fail-under link.f1=0.99"),
        str![[r#"
exit code 1
-- stdout
system  link.f1
────────────────
good      0.857

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e
-- stderr
error: `good` has mention.r 0.8000, below 0.95
error: `good` has link.f1 0.8571, below 0.99

"#]]
    );
}

#[test]
fn several_benchmarks() {
    let folder = contest();
    folder.write("gold2.tsv", b"d3\t0\t5\tQ64\n");
    assert_data_eq!(
        folder.run("karat eval -g one=gold.tsv -g two=gold2.tsv -s poor.tsv -s good@one=good.tsv -m link.f1 --trials 0"),
        str![[r#"
exit code 0
-- stdout
benchmark  system  link.f1
───────────────────────────
one        poor      0.286
one        good      0.857
two        poor      1.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:one@55298e

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:two@f6e162
-- stderr
warning: `poor` says nothing about 1 of 2 documents; they count as empty

"#]]
    );
}

#[test]
fn errors_are_counted_and_listed() {
    assert_data_eq!(
        contest().run("karat errors -g gold.tsv -s good.tsv -s poor.tsv"),
        str![[r#"
exit code 0
-- stdout
system  correct link  correct nil  wrong-link  link-as-nil  nil-as-link  missing  missing NIL  extra  extra NIL
────────────────────────────────────────────────────────────────────────────────────────────────────────────────
good               3            1           0            0            0        1            0      0          0
poor               1            0           1            0            0        3            1      2          0

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e
-- stderr
warning: `poor` has 1 document that `gold` does not know (`d3`); what it says there counts as wrong
warning: `poor` says nothing about 1 of 2 documents; they count as empty

"#]]
    );
    assert_data_eq!(
        contest().run(
            "karat errors -g gold.tsv -s poor.tsv --list --category missing,wrong-link --format csv"
        ),
        str![[r#"
exit code 0
-- stdout
system,document,start,end,mention,error,gold,prediction
poor,d1,10,15,,wrong-link,Q90,Q84
poor,d1,20,25,,missing,NIL,
poor,d2,0,6,,missing,Q64,
poor,d2,8,13,,missing,Q76,
-- stderr
warning: `poor` has 1 document that `gold` does not know (`d3`); what it says there counts as wrong
warning: `poor` says nothing about 1 of 2 documents; they count as empty
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e

"#]]
    );
}

#[test]
fn lists() {
    let folder = Folder::new();
    assert_data_eq!(
        folder.run("karat measures link"),
        str![[r#"
exit code 0
-- stdout
link: Right entity on the right span

What it is: the headline of entity linking. Gold and predictions without a link are left out; a
wrong link is one false positive and one false negative.
Formula: P = right links / predicted links, R = right links / gold links.
Example: gold [0,6) Q64 and [10,15) Q90, predicted [0,6) Q64 and [10,15) Q84: tp 1, fp 1, fn 1, F1
0.5.
Source: strong link match of Hachey, Nothman and Radford (2014); strong annotation match of Cornolti
et al. (2013); GERBIL's InKB micro F1.
Pitfalls: the convention decides what an optional mention, a duplicate and a redirect are worth:
compare signatures before scores.

Also called: strong_link_match, f_L, inkb, sam
In the groups: neleval, all-tagging, cornolti, hachey, tac09, tac11, tac14

"#]]
    );
    assert_data_eq!(
        folder.run("karat measures hachey --format tsv"),
        str![[r#"
exit code 0
-- stdout
name	what it is	also called	groups
mention	Mentions found, whatever they are linked to	strong_mention_match, f_M, erec	neleval, all-tagging, hachey, tac14
linked-mention	Linked mentions found, right link or not	strong_linked_mention_match, f_M_KB	neleval, all-tagging, cornolti, hachey
link	Right entity on the right span	strong_link_match, f_L, inkb, sam	neleval, all-tagging, cornolti, hachey, tac09, tac11, tac14
tag	Entities of a document, wherever they are	entity_match, f_T, cam, stm	neleval, all-tagging, cornolti, hachey

"#]]
    );
    assert_data_eq!(
        folder.run("karat presets"),
        str![[r#"
exit code 0
-- stdout
name               what it is                                                                                                                          measures
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
karat              Our own convention: what a careful reader of a results table would assume                                                           mention, link, link@macro, nil, all, tag, disambiguation
neleval            neleval 3.1 and the paper it grew from, Hachey, Nothman and Radford (2014)                                                          neleval
gerbil             GERBIL 1.2.9                                                                                                                        a2kb, a2kb@macro, inkb, inkb@macro, ee, ee@macro, erec, erec@macro, d2kb, d2kb@macro, d2kb(items=linked), d2kb(items=nil), d2kb(items=linked-gold), c2kb, c2kb@macro
bat                The BAT framework 1.3.6 (Cornolti, Ferragina and Ciaramita, 2013)                                                                   link, link@macro, link(match=overlap,overlaps=longest), link(match=overlap,overlaps=longest)@macro, mention(match=overlap,overlaps=longest), mention(match=overlap,overlaps=longest)@macro, mention, mention@macro, mention(match=overlap), mention(match=overlap)@macro, tag, tag@macro
elevant            ELEVANT (Bast, Hertel and Prange, 2022), as its published results are computed                                                      linking, linking(unknowns=required), recognition, recognition(unknowns=required)
elevant-2023       ELEVANT as it was for Bast, Hertel and Prange (2023), A Fair and In-Depth Evaluation of Existing End-to-End Entity Linking Systems  linking, linking(unknowns=required), recognition, recognition(unknowns=required)
mertens-2014       Mertens et al. (2014), on the test collections of entity linking                                                                    query-link, query-nil, query
hipe-2022          HIPE-2022, named entities in historical documents (Ehrmann et al., 2022), as its official scorer counts                             all, all(match=overlap), all@macro, all(match=overlap)@macro, typed-mention, typed-mention(match=overlap), typed-mention@macro, typed-mention(match=overlap)@macro
hipe-2020          CLEF-HIPE-2020 (Ehrmann et al., 2020), which counts as `hipe-2022` does                                                             all, all(match=overlap), all@macro, all(match=overlap)@macro, typed-mention, typed-mention(match=overlap), typed-mention@macro, typed-mention(match=overlap)@macro
biomedical         Normalisation of biomedical names, as HunFlair2 and the BioCreative tasks count it                                                  link, tag, link@macro, tag@macro
zelda              ZELDA (Milich and Akbik, 2023): nine corpora for disambiguation, by the mean of their accuracies                                    accuracy(over=all)
rosales-2019       Fine-grained evaluation of Rosales-Méndez, Hogan and Poblete (2019), as their code counts                                           all
rosales-2019-text  Fine-grained evaluation of Rosales-Méndez, Hogan and Poblete (2019), as the paper has it                                            all

"#]]
    );
    assert_data_eq!(
        folder.run("karat presets neleval"),
        str![[r#"
exit code 0
-- stdout
neleval: neleval 3.1 and the paper it grew from, Hachey, Nothman and Radford (2014).

Annotations are sets of keys: equal ones collapse, and what both sides have is right. Nothing is
optional, and only the first candidate counts. What would divide by nothing is 0. Results are
grouped by dividing each side by its own labels. NIL without a cluster id is one cluster. `all` is
neleval's group of that name; its measure of links and NIL is `strong_all_match`. Where redirects
are followed, titles are known behind plain addresses of Wikipedia only, as in the scripts that made
the files of the paper.

karat differs from neleval where that is plainly in error: a mention without any candidate is NIL;
groups that only the system has are counted (not with `--format neleval`, which prints what neleval
prints); filters apply to denominators of overlap measures; nested mentions are not lost; CEAF never
gives up.

setting            value            what that means
──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
preset             neleval          –
task               end-to-end       The system was given the texts alone: finding mentions is part of the task.
match              exact            Spans have the same start and the same end.
assign             sets             Both sides are sets: equal mentions are one, and what both sides have is right.
optional           no               Optional gold mentions are gold like any other.
alternatives       no               Alternatives of gold mentions are passed over.
trim               no               White space around mentions belongs to them.
overlaps           keep             Mentions that overlap stay.
window             no               The whole document is evaluated.
linkable           no               All mentions are scored.
threshold          none             All predictions are kept.
tags               once             An entity of a document counts once, however often it is mentioned.
nil-cluster        one              All NIL mentions without a cluster are one cluster.
no-answer          nil              A mention without any answer is NIL.
candidates         first            Only the first candidate of a mention can be right.
words              any              A mention is where its offsets or rows say, whatever words the file gives for it.
scores             all              Thresholds see all confidences.
nil-answers        yes              A prediction of NIL is an answer, and the right one for a mention that is NIL.
required-parts     yes              An optional mention can be missed if some of its parts are not optional.
nil                agrees           A prediction of NIL is right on gold that is NIL.
window-of          gold             Gold says what part of a document is evaluated. Where it says nothing, that is all of it.
gold-types         all              Mentions of every type are scored.
predicted-types    all              Mentions of every type are scored.
no-unknowns        no               Gold labels unknown entities like any other.
zero               0                The score is 0.
benchmarks         each             Every benchmark has its own scores.
group              sides            Each side is divided by its own labels, then each part is scored.
sides              one              Differences in the observed direction count.
taxonomy           karat            Categories go by gold alone, so that denominators are the same for every system, and types are as they are given.
ids                as-written       All of an id is compared.
spellings          as-written       Ids are compared as they are written.
titles             plain-addresses  Titles are known behind plain addresses of Wikipedia only.
in-kb              every-id         Every id is in the knowledge base.
membership         strict-text      Names, nouns and direct reference that overlap with nothing weigh 1, others alpha, as in the paper.
over-tags          min              The least weight counts.
over-alternatives  max              The greatest weight counts.
hit-earns          alternative      A hit earns the weight of the alternative that was hit, the greatest of several.
weight-decimals    6                To how many decimals the weights of fuzzy recall are rounded.

Measures when none are asked for: neleval

"#]]
    );
}

#[test]
fn errors_for_programs() {
    let folder = contest();
    assert_data_eq!(
        folder.run("karat errors -g gold.tsv -s poor.tsv --format json --category missing"),
        str![[r#"
exit code 0
-- stdout
{
  "karat": "0.1.0",
  "signature": "karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e",
  "rows": [
    {
      "system": "poor",
      "document": "d1",
      "start": 20,
      "end": 25,
      "mention": null,
      "error": "missing",
      "gold": "NIL",
      "prediction": null,
      "span": [
        20,
        25
      ],
      "gold_entity": null,
      "prediction_entity": null
    },
    {
      "system": "poor",
      "document": "d2",
      "start": 0,
      "end": 6,
      "mention": null,
      "error": "missing",
      "gold": "Q64",
      "prediction": null,
      "span": [
        0,
        6
      ],
      "gold_entity": "Q64",
      "prediction_entity": null
    },
    {
      "system": "poor",
      "document": "d2",
      "start": 8,
      "end": 13,
      "mention": null,
      "error": "missing",
      "gold": "Q76",
      "prediction": null,
      "span": [
        8,
        13
      ],
      "gold_entity": "Q76",
      "prediction_entity": null
    }
  ],
  "columns": [
    {
      "name": "system",
      "align": "left",
      "decimals": 0
    },
    {
      "name": "document",
      "align": "left",
      "decimals": 0
    },
    {
      "name": "start",
      "align": "right",
      "decimals": 0
    },
    {
      "name": "end",
      "align": "right",
      "decimals": 0
    },
    {
      "name": "mention",
      "align": "left",
      "decimals": 0
    },
    {
      "name": "error",
      "align": "left",
      "decimals": 0
    },
    {
      "name": "gold",
      "align": "left",
      "decimals": 0
    },
    {
      "name": "prediction",
      "align": "left",
      "decimals": 0
    }
  ],
  "digests": [
    {
      "benchmark": "gold",
      "gold": "55298e91546196e254fbdf57e91bd16eb55a3d3939b59646e2bfc05dc46de1d6",
      "systems": [
        {
          "name": "poor",
          "source": "poor.tsv",
          "digest": "eacf562b8a30d7d518a684fafe35611c3c0b78493715074e8681ed5de06fa626"
        }
      ]
    }
  ],
  "notices": [
    {
      "id": "unknown-documents",
      "severity": "warning",
      "message": "`poor` has 1 document that `gold` does not know (`d3`); what it says there counts as wrong",
      "subject": "poor"
    },
    {
      "id": "silent-documents",
      "severity": "warning",
      "message": "`poor` says nothing about 1 of 2 documents; they count as empty",
      "subject": "poor"
    }
  ]
}
-- stderr
warning: `poor` has 1 document that `gold` does not know (`d3`); what it says there counts as wrong
warning: `poor` says nothing about 1 of 2 documents; they count as empty

"#]]
    );
    assert_data_eq!(
        folder.run("karat errors -g gold.tsv -s poor.tsv --list --format neleval"),
        str![[r#"
exit code 0
-- stdout
correct link	d1	g"Q64"	s"Q64"
wrong-link	d1	g"Q90"	s"Q84"
missing	d1	gNIL	
extra	d1		s"Q1"
missing	d2	g"Q64"	
missing	d2	g"Q76"	
extra	d3		s"Q64"
-- stderr
warning: `poor` has 1 document that `gold` does not know (`d3`); what it says there counts as wrong
warning: `poor` says nothing about 1 of 2 documents; they count as empty

"#]]
    );
}
