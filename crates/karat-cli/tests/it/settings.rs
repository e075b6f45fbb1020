//! Settings and parameters: what there are, what they take, and what is said of others.

use crate::scoring::contest;
use snapbox::{assert_data_eq, str};

#[test]
fn settings_are_listed_and_described() {
    let folder = contest();
    assert_data_eq!(
        folder.run("karat settings"),
        str![[r#"
exit code 0
-- stdout
name               what it decides                                                                                           values
────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
task               What of the gold standard the system was given.                                                           end-to-end, disambiguation or linked-disambiguation
match              When the spans of a gold mention and a prediction fit.                                                    exact, overlap, expanded, near, containment, entity, length, or a share of the gold span such as 50%
assign             Which prediction a gold mention gets when several fit.                                                    one-to-one, greedy, existential, last-wins, sets or by-span
optional           Whether optional gold mentions may be left out.                                                           yes or no
alternatives       Whether a gold mention is also found through one of its alternatives.                                     yes or no
trim               Whether white space around a mention belongs to it.                                                       yes or no
overlaps           What happens to mentions that overlap with others of their own side.                                      keep or longest
window             Whether mentions outside the evaluated part of a document are left out.                                   yes or no
linkable           Whether mentions whose gold answer is NIL are taken off both sides, as Hoffart et al. (2011) do.          yes or no
threshold          Predictions below this confidence are left out. Those without a confidence stay.                          none, oracle, or a confidence such as 0.5
tags               How often an entity of a document counts in measures of entity sets.                                      once or repeated
nil-cluster        How NIL mentions without a cluster are clustered.                                                         own or one
no-answer          What a mention without any answer is.                                                                     nil or left-out
candidates         Which candidates of a mention may be right.                                                               first, any, or how many candidates of a prediction may be right, the best first such as 3
words              Whether the words that the file of a system gives for a mention must be those of the text.                any or same
scores             Which confidences thresholds see.                                                                         all, untyped or none
nil-answers        Whether a prediction of NIL is an answer, where the last prediction of a span wins.                       yes or no
required-parts     Whether an optional mention can be missed, where the last prediction of a span wins.                      yes or no
nil                Whether a prediction of NIL is right on a gold mention that is NIL.                                       agrees or missed
window-of          Which side says what part of a document is evaluated.                                                     gold or system
gold-types         Gold of which types is scored. Unknown entities and the parts of what stays are kept.                     all, or types separated by commas such as PER,LOC
predicted-types    Predictions of which types are scored: as the system gives them, or else as the knowledge base has them.  all, or types separated by commas such as PER,LOC
no-unknowns        Whether gold leaves entities that the knowledge base does not have unlabelled.                            yes or no
zero               What a score is where it would divide by nothing.                                                         undefined, 0, gerbil, hipe or bat
benchmarks         Whether scores on several benchmarks are averaged.                                                        each or mean
group              How results are divided among the labels of a facet.                                                      cases, sides or annotations
sides              Which differences are as surprising as the observed one when two systems are compared.                    one or two
taxonomy           Which categories of errors there are, and which types count as others.                                    karat, elevant, elevant-2025 or elevant-2023
ids                What of an id is compared.                                                                                as-written, last-segment or local-name
spellings          Whether ids are compared as they are written, or by what they name.                                       as-written, adapt or by-name
titles             Which spellings of a title are known where redirects are followed.                                        every-spelling or plain-addresses
in-kb              Which ids are in the knowledge base; all others are NIL.                                                  every-id or known-addresses
membership         How much gold mentions weigh in fuzzy recall, by their category tags.                                     strict, strict-text, questionnaire, systems, or an attribute with the weight of each mention such as attribute:KEY
over-tags          How the weights of several category tags of an annotation are put together.                               min, mean or product
over-alternatives  How the weights of the alternatives of a mention are put together.                                        max or min
hit-earns          What a hit earns in fuzzy recall.                                                                         alternative or mention
weight-decimals    To how many decimals the weights of fuzzy recall are rounded.                                             a whole number from 0 to 6 such as 3

"#]]
    );
    assert_data_eq!(
        folder.run("karat settings match"),
        str![[r#"
exit code 0
-- stdout
match: When the spans of a gold mention and a prediction fit.

value        what it does
─────────────────────────────────────────────────────────────────────────────────
exact        Spans have the same start and the same end.
overlap      Spans share at least one position.
expanded     Spans are the same once they are widened to whole words.
near         Spans are the same, or one start or one end is off by one position.
containment  One span lies within the other.
entity       Spans always fit: only the entity has to agree.
length       Spans have the same length, wherever they are.
50%          An example of a share of the gold span.

In presets: exact in karat, neleval, gerbil, bat, elevant, elevant-2023, mertens-2014, hipe-2022,
hipe-2020, zelda, rosales-2019, rosales-2019-text; near in biomedical
For one measure: link(match=exact)

"#]]
    );
    assert_data_eq!(
        folder.run("karat settings zero"),
        str![[r#"
exit code 0
-- stdout
zero: What a score is where it would divide by nothing.

value      what it does
────────────────────────────────────────────────────────────────────────────────────────────────
undefined  The score is undefined: shown as a dash, and left out of averages.
0          The score is 0.
gerbil     All scores are 1 if there is neither gold nor prediction, and 0 if nothing is right.
hipe       The score is undefined, and F1 is too unless there are both gold and predictions.
bat        Precision is 1 without predictions, recall is 1 without missed gold.

In presets: undefined in karat, mertens-2014, biomedical, zelda; 0 in neleval, elevant,
elevant-2023, rosales-2019, rosales-2019-text; gerbil in gerbil; bat in bat; hipe in hipe-2022,
hipe-2020

"#]]
    );
    assert_data_eq!(
        folder.run("karat settings weight-decimals --format tsv"),
        str![[r#"
exit code 0
-- stdout
value	what it does
3	An example of a whole number from 0 to 6.

"#]]
    );
    assert_data_eq!(
        folder.run("karat settings mach"),
        str![[r#"
exit code 2
-- stderr
error: there is no setting `mach`
  = help: did you mean `match`? settings are task, match, assign, optional, alternatives, trim, overlaps, window, linkable, threshold, tags, nil-cluster, no-answer, candidates, words, scores, nil-answers, required-parts, nil, window-of, gold-types, predicted-types, no-unknowns, zero, benchmarks, group, sides, taxonomy, ids, spellings, titles, in-kb, membership, over-tags, over-alternatives, hit-earns, weight-decimals

"#]]
    );
}

#[test]
fn parameters_are_described_with_their_measure() {
    let folder = contest();
    assert_data_eq!(
        folder.run("karat measures candidate-recall"),
        str![[r#"
exit code 0
-- stdout
candidate-recall: Gold entities among the candidates

What it is: how often the right entity is among the ranked answers of the system at all, or among
its first k. What candidate generation misses no ranking can find.
Formula: recall = gold entities at rank k or above / linked gold mentions whose span was predicted;
with `over=all`, / all linked gold mentions. Without `k`, any rank.
Example: gold [0,5) Q64, predicted [0,5) with Q1, Q64, Q90: 1; `candidate-recall(k=1)` is 0.
Source: the candidate experiment of Cornolti et al. (2013), over commonly spotted mentions; recall@k
of BLINK (Wu et al. 2020).
Pitfalls: a prediction without candidates has its link as the only one. Lists of different length
are not comparable without `k`. `recall@5` is short for `candidate-recall(k=5)`.

Parameters

k: How many candidates of a mention are looked at, from the first; `recall@5` is short for `k=5`.
Takes all, or a whole number from 1 such as 5. If not given: all.
  all            All candidates.
over: Which linked gold mentions the score is over. Takes found or all. If not given: found.
  found          The linked gold mentions whose span was predicted.
  all            All linked gold mentions.

Also called: recall@k, recall-at-k
In the groups: ranks

"#]]
    );
    let fuzzy = folder.run("karat measures fuzzy");
    let (_, parameters) = fuzzy.split_once("Parameters").expect("it has parameters");
    assert_data_eq!(
        parameters.to_owned(),
        str![[r#"


alpha: The weight of what is not strict. Takes a number from 0 to 1 such as 0.3. If not given: 0.
membership: How much gold mentions weigh, by their category tags. Takes strict, strict-text,
questionnaire, systems, or an attribute with the weight of each mention such as attribute:KEY. If
not given: as the convention has it.
  strict         Names, nouns and direct reference that no other mention contains weigh 1, others alpha, as in the authors' code.
  strict-text    Names, nouns and direct reference that overlap with nothing weigh 1, others alpha, as in the paper.
  questionnaire  A mention weighs the share of people who would annotate such ones, in the authors' survey.
  systems        A mention weighs the mean recall of the authors' six systems on such ones.
over-tags: How the weights of several category tags of an annotation are put together. Takes min,
mean or product. If not given: as the convention has it.
  min            The least weight counts.
  mean           Their mean counts.
  product        Their product counts.
over-alternatives: How the weights of the alternatives of a mention are put together. Takes max or
min. If not given: as the convention has it.
  max            The greatest weight counts.
  min            The least weight counts.
hit-earns: What a hit earns. Takes alternative or mention. If not given: as the convention has it.
  alternative    A hit earns the weight of the alternative that was hit, the greatest of several.
  mention        A hit earns the weight of the mention.
weight-decimals: To how many decimals weights are rounded. Takes a whole number from 0 to 6 such as
3. If not given: as the convention has it.

"#]]
    );
}

#[test]
fn wrong_values_are_told_what_is_near() {
    let folder = contest();
    for (arguments, expected) in [
        (
            "--set optional=ye",
            str![[r#"
exit code 2
-- stderr
error: `ye` is no value of `optional`: expected yes or no
  = help: did you mean --set optional=yes? `karat settings optional` says what its values do

"#]],
        ),
        (
            "--match overlp",
            str![[r#"
exit code 2
-- stderr
error: `overlp` is no value of `match`: expected exact, overlap, expanded, near, containment, entity, length, or a share of the gold span such as 50%
  = help: did you mean --match overlap? `karat settings match` says what its values do

"#]],
        ),
        (
            "--match close",
            str![[r#"
exit code 2
-- stderr
error: `close` is no value of `match`: expected exact, overlap, expanded, near, containment, entity, length, or a share of the gold span such as 50%
  = help: `karat settings match` says what its values do

"#]],
        ),
        (
            "--set threshold=half",
            str![[r#"
exit code 2
-- stderr
error: `half` is no value of `threshold`: expected none, oracle, or a confidence such as 0.5
  = help: `karat settings threshold` says what its values do

"#]],
        ),
        (
            "--set gold-types=,",
            str![[r#"
exit code 2
-- stderr
error: `,` is no value of `gold-types`: expected all, or types separated by commas such as PER,LOC
  = help: `karat settings gold-types` says what its values do

"#]],
        ),
        (
            "-m 'link(mach=exact)'",
            str![[r#"
exit code 2
-- stderr
error: in `link(mach=exact)`: `link` has no parameter `mach`
  = help: did you mean `match`? it takes task, match, assign, optional, alternatives, trim, overlaps, window, linkable, threshold, tags, nil-cluster, no-answer, candidates, words, scores, nil-answers, required-parts, nil, window-of, gold-types, predicted-types, no-unknowns

"#]],
        ),
        (
            "-m 'link(zero=0)'",
            str![[r#"
exit code 2
-- stderr
error: in `link(zero=0)`: `zero` holds for a whole evaluation: no measure has its own
  = help: leave `zero` out of the brackets and set it for all measures

"#]],
        ),
        (
            "-m 'link(threshold=oracle)'",
            str![[r#"
exit code 2
-- stderr
error: in `link(threshold=oracle)`: `oracle` is no value of `threshold`: expected none, or a confidence such as 0.5
  = help: `karat measures link` describes the measure

"#]],
        ),
        (
            "-m 'nervaluate(scheme=strickt)'",
            str![[r#"
exit code 2
-- stderr
error: in `nervaluate(scheme=strickt)`: `strickt` is no value of `scheme`: expected strict, exact, partial or type
  = help: did you mean `scheme=strict`?

"#]],
        ),
        (
            "-m 'nervaluate(min-overlap=0)'",
            str![[r#"
exit code 2
-- stderr
error: in `nervaluate(min-overlap=0)`: `0` is no value of `min-overlap`: expected a number from 1 to 100 (per cent) such as 50
  = help: `karat measures nervaluate` describes the measure

"#]],
        ),
        (
            "-m 'd2kb(items=none)'",
            str![[r#"
exit code 2
-- stderr
error: in `d2kb(items=none)`: `none` is no value of `items`: expected all, linked, nil or linked-gold
  = help: `karat measures d2kb` describes the measure

"#]],
        ),
        (
            "-m recall@0",
            str![[r#"
exit code 2
-- stderr
error: in `candidate-recall(k=0)`: `0` is no value of `k`: expected all, or a whole number from 1 such as 5
  = help: `karat measures candidate-recall` describes the measure

"#]],
        ),
    ] {
        let line = format!("karat eval -g gold.tsv -s good.tsv {arguments}");
        assert_data_eq!(folder.run(&line), expected);
    }
}

#[test]
fn facets_that_cannot_be_made_are_told_what_is_missing() {
    let folder = contest();
    for (facet, expected) in [
        (
            "typ",
            str![[r#"
exit code 2
-- stderr
error: there is no facet `typ`
  = help: did you mean `type`? facets are doc, type, topic, language, link, entity, tag, base-form, pos, overlap, reference, combination, error, relation, span-error, category, mention-type, attribute:KEY

"#]],
        ),
        (
            "attribute",
            str![[r#"
exit code 2
-- stderr
error: `attribute` alone says nothing: it needs a key
  = help: write `attribute:KEY` with the name of what is meant

"#]],
        ),
        (
            "type:PER",
            str![[r#"
exit code 2
-- stderr
error: there is no facet `type:PER`
  = help: facets are doc, type, topic, language, link, entity, tag, base-form, pos, overlap, reference, combination, error, relation, span-error, category, mention-type, attribute:KEY

"#]],
        ),
    ] {
        let line = format!("karat eval -g gold.tsv -s good.tsv --group-by {facet}");
        assert_data_eq!(folder.run(&line), expected);
    }
}

#[test]
fn shells_complete_settings() {
    let folder = contest();
    let script = folder.run("karat completions fish");
    for value in ["optional=yes", "match=overlap", "taxonomy=elevant-2025", "rosales-2019-text"] {
        assert!(script.contains(value), "{value}");
    }
    // An example is no value to be completed.
    assert!(!script.contains("match=50%"));
}
