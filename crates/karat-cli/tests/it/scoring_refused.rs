//! Scoring that cannot be done: what the commands say then.

use crate::scoring::contest;
use snapbox::{assert_data_eq, str};

#[test]
fn what_cannot_be_done_is_said() {
    let folder = contest();
    for (line, expected) in [
        (
            "karat eval -g gold.tsv -s good.tsv --preset kart",
            str![[r#"
exit code 2
-- stderr
error: there is no preset `kart`
  = help: did you mean `karat`? presets are karat, neleval, gerbil, bat, elevant, elevant-2023, mertens-2014, hipe-2022, hipe-2020, biomedical, zelda, rosales-2019, rosales-2019-text

"#]],
        ),
        (
            "karat eval -g gold.tsv -s good.tsv -m lnk",
            str![[r#"
exit code 2
-- stderr
error: there is no measure `lnk`
  = help: did you mean `link`? `karat measures` lists all

"#]],
        ),
        (
            "karat eval -g gold.tsv -s good.tsv -m link.accuracy",
            str![[r#"
exit code 2
-- stderr
error: `link` has no score `accuracy`
  = help: it has precision, recall, f1, ptp, fp, rtp, fn

"#]],
        ),
        (
            "karat eval -g gold.tsv -s good.tsv -m 'link(match=close)'",
            str![[r#"
exit code 2
-- stderr
error: in `link(match=close)`: `close` is no value of `match`: expected exact, overlap, expanded, near, containment, entity, length, or a share of the gold span such as 50%
  = help: `karat measures link` describes the measure

"#]],
        ),
        (
            "karat eval -g gold.tsv -s good.tsv -m sets:is_odd:span",
            str![[r#"
exit code 2
-- stderr
error: there is no field `is_odd` in `sets:is_odd:span`
  = help: fields are span, docid, start, end, kbid, eid, type, score, is_linked, is_nil, is_first, link, candidates, or attribute.NAME

"#]],
        ),
        (
            "karat eval -g gold.tsv -s good.tsv --group-by colour",
            str![[r#"
exit code 2
-- stderr
error: there is no facet `colour`
  = help: facets are doc, type, topic, language, link, entity, tag, base-form, pos, overlap, reference, combination, error, relation, span-error, category, mention-type, attribute:KEY

"#]],
        ),
        (
            "karat eval -g gold.tsv -s good.tsv --set optional=maybe",
            str![[r#"
exit code 2
-- stderr
error: `maybe` is no value of `optional`: expected yes or no
  = help: `karat settings optional` says what its values do

"#]],
        ),
        (
            "karat eval -g gold.tsv -s good.tsv --fail-under link.f1",
            str![[r#"
exit code 2
-- stderr
error: `link.f1` names no value
  = help: write for example --fail-under link.f1=0.8

"#]],
        ),
        (
            "karat eval -g gold.tsv -s good.tsv -s good.tsv",
            str![[r#"
exit code 2
-- stderr
error: two systems are called `good`
  = help: give each a name of its own: NAME=INPUT

"#]],
        ),
        (
            "karat eval -g gold.tsv -s nothing.tsv",
            str![[r#"
exit code 2
-- stderr
error: no such file or directory
 --> nothing.tsv
  = help: check the spelling, or give a path relative to the current folder

"#]],
        ),
        (
            "karat errors -g gold.tsv -s good.tsv --list --category odd",
            str![[r#"
exit code 2
-- stderr
error: there is no kind or category `odd`
  = help: kinds are correct link, correct nil, wrong-link, link-as-nil, nil-as-link, missing, missing NIL, extra, extra NIL; categories are missed, missed-lowercased, partially_included, partial_overlap, missed-other, extra-mention, extra-lowercased, groundtruth_unknown, extra-other, wrong_span, wrong_disambiguation, demonym, metonymy, partial_name, rare, disambiguation-other, wrong_candidates, multiple_candidates, hyperlink, undetected, wrong_mention_referenced, reference_wrongly_disambiguated, coreference-other, false_detection, optional_mention, alternative_part, wrong_span-other, hyperlink-other

"#]],
        ),
        (
            "karat measures lnk",
            str![[r#"
exit code 2
-- stderr
error: there is no measure `lnk`
  = help: did you mean `link`? `karat measures` lists all

"#]],
        ),
        (
            "karat presets kart",
            str![[r#"
exit code 2
-- stderr
error: there is no preset `kart`
  = help: did you mean `karat`? presets are karat, neleval, gerbil, bat, elevant, elevant-2023, mertens-2014, hipe-2022, hipe-2020, biomedical, zelda, rosales-2019, rosales-2019-text

"#]],
        ),
        (
            "karat reproduce hachey-2014 --data nowhere",
            str![[r#"
exit code 2
-- stderr
error: no such file or directory
 --> nowhere/aida-testb/map-testb-fromapi-20140227.tsv
  = help: --data names the folder that holds `aida-testb/`

"#]],
        ),
        (
            "karat reproduce hachey",
            str![[r#"
exit code 2
-- stderr
error: there is no paper `hachey`
  = help: papers are hachey-2014, mertens-2014, rosales-2019, ding-2022, bast-2023, hipe-2022

"#]],
        ),
    ] {
        assert_data_eq!(folder.run(line), expected);
    }
}

#[test]
fn more_that_cannot_be_done() {
    let folder = contest();
    assert_data_eq!(
        folder.run("karat eval -g gold.tsv -s good.tsv --fail-under link.f1=nan"),
        str![[r#"
exit code 2
-- stderr
error: `nan` is no number to reach
  = help: write for example --fail-under link.f1=0.8

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval -g gold.tsv -s good.tsv --fail-under link.f1=80"),
        str![[r#"
exit code 2
-- stderr
error: `link.f1` cannot reach 80
  = help: scores lie between 0 and 1; only counts such as link.tp go beyond

"#]]
    );
    assert_data_eq!(
        folder.run(
            "karat eval -g gold.tsv -s good.tsv -m link.f1 --trials 0 --fail-under hachey=0.87"
        ),
        str![[r#"
exit code 1
-- stdout
system  link.f1
────────────────
good      0.857

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@55298e
-- stderr
error: `good` has strong_linked_mention_match.f1 0.8571, below 0.87
error: `good` has strong_link_match.f1 0.8571, below 0.87
error: `good` has entity_match.f1 0.8571, below 0.87

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval -g gold.tsv -s good.tsv --tune gold.tsv"),
        str![[r#"
exit code 2
-- stderr
error: `gold` and the development set share 2 documents (`d1`): no document can serve both
  = help: give --tune a development set of its own; its documents must have names of their own

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval -g gold.tsv -s good.tsv --tune dev.tsv --threshold 0.5"),
        str![[r#"
exit code 2
-- stderr
error: the argument '--tune <INPUT>' cannot be used with '--threshold <CONFIDENCE>'

Usage: karat eval --gold <[NAME=]INPUT> --system <[NAME=]INPUT> --tune <INPUT> [GOLD] [SYSTEM]...

For more information, try '--help'.

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval -g gold.tsv -s good.tsv -m ,"),
        str![[r#"
exit code 2
-- stderr
error: invalid value ',' for '--measure <NAME,...>': no measure is named; `karat measures` lists them

For more information, try '--help'.

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval -g gold.tsv -s good.tsv -m 'link(match=overlap)xyz'"),
        str![[r#"
exit code 2
-- stderr
error: `xyz` in `link(match=overlap)xyz` is too much
  = help: a score comes after a dot, as in link(match=overlap).f1

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval -g gold.tsv -s good.tsv -m zzz"),
        str![[r#"
exit code 2
-- stderr
error: there is no measure `zzz`
  = help: `karat measures` lists all measures and groups

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval -g gold.tsv -s good.tsv --set foo=1"),
        str![[r#"
exit code 2
-- stderr
error: there is no setting `foo`
  = help: settings are task, match, assign, optional, alternatives, trim, overlaps, window, linkable, threshold, tags, nil-cluster, no-answer, candidates, words, scores, nil-answers, required-parts, nil, window-of, gold-types, predicted-types, no-unknowns, zero, benchmarks, group, sides, taxonomy, ids, spellings, titles, in-kb, membership, over-tags, over-alternatives, hit-earns, weight-decimals

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval -g - -s -"),
        str![[r#"
exit code 2
-- stderr
error: standard input can be read only once
 --> <stdin>
  = help: give `-` for one input and files for the others

"#]]
    );
}

#[test]
fn what_may_have_been_meant_is_said() {
    let folder = contest();
    for (line, meant) in [
        ("karat eval -g gold.tsv -s good.tsv --group-by typ", "did you mean `type`? facets are"),
        ("karat eval -g gold.tsv -s good.tsv --set assin=sets", "did you mean `assign`? settings"),
        ("karat presets nelval", "did you mean `neleval`? presets are"),
        ("karat reproduce mertens-2015", "did you mean `mertens-2014`? papers are"),
    ] {
        let shown = folder.run(line);
        assert!(shown.contains(meant), "{line}: {shown}");
    }
}
