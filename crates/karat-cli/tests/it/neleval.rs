//! What `--format neleval` prints, against neleval 3.1.1, and what it refuses.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

const GOLD: &str = "d\t0\t1\tA\t1.0\tPER\nd\t3\t4\tA\t1.0\tLOC\ne\t3\t4\tB\t1.0\tLOC\n";
const SYSTEM: &str =
    "d\t0\t1\tA\t1.0\tPER\nd\t3\t4\tA\t1.0\tLOC\ne\t3\t4\tB\t1.0\tPER\ne\t7\t8\tB\t1.0\tXXX\n";

fn folder() -> Folder {
    Folder::with(&[("gold.tsv", GOLD), ("system.tsv", SYSTEM)])
}

const EVAL: &str = "karat eval --preset neleval --format neleval -g gold.tsv";

/// What counts in part is no whole number, whatever it comes out as.
#[test]
fn the_kind_of_a_measure_decides_how_its_counts_are_written() {
    let measures = "all,cs_b_cubed::span,mention_cs_ceaf::span,entity_cs_ceaf::span,\
                    overlap-maxmax::span,pairwise_negative::span";
    assert_data_eq!(
        folder().run(&format!("{EVAL} -s gold.tsv -m {measures}")),
        str![[r#"
exit code 0
-- stdout
ptp	fp	rtp	fn	precis	recall	fscore	measure
3.000	0.000	3.000	0.000	1.000	1.000	1.000	b_cubed
3.000	0.000	3.000	0.000	1.000	1.000	1.000	b_cubed_plus
3.000	0.000	3.000	0.000	1.000	1.000	1.000	cs_b_cubed::span
2.000	0.000	2.000	0.000	1.000	1.000	1.000	entity_ceaf
2.000	0.000	2.000	0.000	1.000	1.000	1.000	entity_cs_ceaf::span
2	0	2	0	1.000	1.000	1.000	entity_match
3	0	3	0	1.000	1.000	1.000	mention_ceaf
3	0	3	0	1.000	1.000	1.000	mention_ceaf_plus
3	0	3	0	1.000	1.000	1.000	mention_cs_ceaf::span
1	0	1	0	1.000	1.000	1.000	muc
3.000	0.000	3.000	0.000	1.000	1.000	1.000	overlap-maxmax::span
1	0	1	0	1.000	1.000	1.000	pairwise
2	0	2	0	1.000	1.000	1.000	pairwise_negative::span
3	0	3	0	1.000	1.000	1.000	strong_all_match
3	0	3	0	1.000	1.000	1.000	strong_link_match
3	0	3	0	1.000	1.000	1.000	strong_linked_mention_match
3	0	3	0	1.000	1.000	1.000	strong_mention_match
0	0	0	0	0.000	0.000	0.000	strong_nil_match
3	0	3	0	1.000	1.000	1.000	strong_typed_all_match
3	0	3	0	1.000	1.000	1.000	strong_typed_link_match
3	0	3	0	1.000	1.000	1.000	strong_typed_mention_match
0	0	0	0	0.000	0.000	0.000	strong_typed_nil_match
3	0	3	0	1.000	1.000	1.000	typed_mention_ceaf
3	0	3	0	1.000	1.000	1.000	typed_mention_ceaf_plus

"#]]
    );
}

#[test]
fn weights_of_types_make_fractions() {
    let folder = folder();
    folder.write("weights.tsv", b"PER\tLOC\t0.5\n");
    assert_data_eq!(
        folder.run(&format!(
            "{EVAL} -s system.tsv -m strong_typed_mention_match,sets:is_nil:span+type \
             --weight types=weights.tsv"
        )),
        str![[r#"
exit code 0
-- stdout
ptp	fp	rtp	fn	precis	recall	fscore	measure
0.000	0.000	0.000	0.000	0.000	0.000	0.000	sets:is_nil:span+type
2.000	2.000	2.000	1.000	0.500	0.667	0.571	strong_typed_mention_match

"#]]
    );
}

/// Groups are all combinations of the values that gold has; each field has its mean over sums.
#[test]
fn groups_of_two_fields() {
    assert_data_eq!(
        folder().run(&format!(
            "{EVAL} -s system.tsv -m strong_mention_match,b_cubed,entity_ceaf,entity_cs_ceaf::span \
             --group-by type+doc"
        )),
        str![[r#"
exit code 0
-- stdout
ptp	fp	rtp	fn	precis	recall	fscore	measure
1.000	0.000	1.000	0.000	1.000	1.000	1.000	b_cubed;type="LOC";docid="d"
0.000	0.000	0.000	1.000	0.000	0.000	0.000	b_cubed;type="LOC";docid="e"
1.000	0.000	1.000	0.000	1.000	1.000	1.000	b_cubed;type="PER";docid="d"
0.000	1.000	0.000	0.000	0.000	0.000	0.000	b_cubed;type="PER";docid="e"
1.000	0.500	1.000	0.500	0.750	0.750	0.667	b_cubed;type=<macro>;docid=<micro>
1.000	0.500	1.000	0.500	0.500	0.500	0.500	b_cubed;type=<micro>;docid=<macro>
2.000	1.000	2.000	1.000	0.667	0.667	0.667	b_cubed;type=<micro>;docid=<micro>
1.000	0.000	1.000	0.000	1.000	1.000	1.000	entity_ceaf;type="LOC";docid="d"
0.000	0.000	0.000	1.000	0.000	0.000	0.000	entity_ceaf;type="LOC";docid="e"
1.000	0.000	1.000	0.000	1.000	1.000	1.000	entity_ceaf;type="PER";docid="d"
0.000	1.000	0.000	0.000	0.000	0.000	0.000	entity_ceaf;type="PER";docid="e"
1.000	0.500	1.000	0.500	0.750	0.750	0.667	entity_ceaf;type=<macro>;docid=<micro>
1.000	0.500	1.000	0.500	0.500	0.500	0.500	entity_ceaf;type=<micro>;docid=<macro>
2.000	1.000	2.000	1.000	0.667	0.667	0.667	entity_ceaf;type=<micro>;docid=<micro>
1.000	0.000	1.000	0.000	1.000	1.000	1.000	entity_cs_ceaf::span;type="LOC";docid="d"
1.000	0.000	1.000	0.000	1.000	1.000	1.000	entity_cs_ceaf::span;type="LOC";docid="e"
1.000	0.000	1.000	0.000	1.000	1.000	1.000	entity_cs_ceaf::span;type="PER";docid="d"
0	0.000	0	0.000	0.000	0.000	0.000	entity_cs_ceaf::span;type="PER";docid="e"
1.500	0.000	1.500	0.000	1.000	1.000	1.000	entity_cs_ceaf::span;type=<macro>;docid=<micro>
1.500	0.000	1.500	0.000	1.000	1.000	1.000	entity_cs_ceaf::span;type=<micro>;docid=<macro>
3.000	0.000	3.000	0.000	1.000	1.000	1.000	entity_cs_ceaf::span;type=<micro>;docid=<micro>
1	0	1	0	1.000	1.000	1.000	strong_mention_match;type="LOC";docid="d"
0	0	0	1	0.000	0.000	0.000	strong_mention_match;type="LOC";docid="e"
1	0	1	0	1.000	1.000	1.000	strong_mention_match;type="PER";docid="d"
0	1	0	0	0.000	0.000	0.000	strong_mention_match;type="PER";docid="e"
1.000	0.500	1.000	0.500	0.750	0.750	0.667	strong_mention_match;type=<macro>;docid=<micro>
1.000	0.500	1.000	0.500	0.500	0.500	0.500	strong_mention_match;type=<micro>;docid=<macro>
2	1	2	1	0.667	0.667	0.667	strong_mention_match;type=<micro>;docid=<micro>

"#]]
    );
}

#[test]
fn what_is_first_is_first_in_its_document() {
    let folder = Folder::with(&[("gold.tsv", "d\t0\t1\tA\t1.0\tPER\nd\t3\t4\tA\t1.0\tLOC\n")]);
    assert_data_eq!(
        folder.run(&format!("{EVAL} -s gold.tsv -m sets:is_first:span --group-by type")),
        str![[r#"
exit code 0
-- stdout
ptp	fp	rtp	fn	precis	recall	fscore	measure
0	0	0	0	0.000	0.000	0.000	sets:is_first:span;type="LOC"
1	0	1	0	1.000	1.000	1.000	sets:is_first:span;type="PER"
0.500	0.000	0.500	0.000	0.500	0.500	0.500	sets:is_first:span;type=<macro>
1	0	1	0	1.000	1.000	1.000	sets:is_first:span;type=<micro>

"#]]
    );
}

#[test]
fn groups_by_an_attribute_have_its_name() {
    let line = |at: u32, facts: &str| format!("d\t{at}\t{at}\tA\t1.0\t{facts}\n");
    let gold = line(0, r#"{"type":"PER","reftype":"NAM"}"#) + &line(3, r#"{"type":"PER"}"#);
    let folder = Folder::with(&[("gold.tsv", &gold)]);
    assert_data_eq!(
        folder
            .run(&format!("{EVAL} -s gold.tsv -m sets::span+reftype --group-by attribute:reftype")),
        str![[r#"
exit code 0
-- stdout
ptp	fp	rtp	fn	precis	recall	fscore	measure
1	0	1	0	1.000	1.000	1.000	sets::span+reftype;reftype="NAM"
1.000	0.000	1.000	0.000	1.000	1.000	1.000	sets::span+reftype;reftype=<macro>
2	0	2	0	1.000	1.000	1.000	sets::span+reftype;reftype=<micro>
1	0	1	0	1.000	1.000	1.000	sets::span+reftype;reftype=null

"#]]
    );
}

#[test]
fn an_attribute_that_nobody_has_was_mistyped() {
    for command in ["eval", "compare"] {
        assert_data_eq!(
            folder().run(&format!(
                "karat {command} -g gold.tsv -s gold.tsv -s system.tsv -m sets::span+kbdi"
            )),
            str![[r#"
exit code 2
-- stderr
error: there is no field `kbdi` in `sets::span+kbdi`
  = help: fields are span, docid, start, end, kbid, eid, type, score, is_linked, is_nil, is_first, link, candidates, or attribute.NAME

"#]]
        );
    }
}

#[test]
fn groups_that_gold_does_not_have_are_refused() {
    for facet in ["error", "type+relation"] {
        let found = folder().run(&format!("{EVAL} -s system.tsv --group-by {facet}"));
        assert!(found.starts_with("exit code 2\n"), "{found}");
        assert!(found.contains("it is no label of mentions"), "{found}");
    }
    assert_data_eq!(
        folder().run(&format!("{EVAL} -s system.tsv -m link --group-by error")),
        str![[r#"
exit code 2
-- stderr
error: neleval has no groups by `error`: it is no label of mentions
  = help: group by what mentions have by themselves, as type, or choose another --format

"#]]
    );
}

/// A part that is a gold standard of its own has no fuzzy precision.
#[test]
fn what_a_part_does_not_have_is_no_number() {
    let grouped = "-g gold.tsv -s system.tsv --preset rosales-2019 -m fuzzy --group-by type";
    assert_data_eq!(
        folder().run(&format!("karat eval {grouped} --format neleval")),
        str![[r#"
exit code 2
-- stderr
error: neleval has no row for `fuzzy`: no precision, recall and F1
  = help: leave them out, or choose another --format

"#]]
    );
    for command in ["eval", "compare -s other=gold.tsv"] {
        for form in ["table", "tsv", "json"] {
            let found = folder().run(&format!("karat {command} {grouped} --format {form}"));
            assert!(found.starts_with("exit code 0\n"), "{found}");
            assert!(!found.contains("NaN"), "{found}");
        }
    }
}

#[test]
fn measures_without_precision_and_recall_are_refused() {
    assert_data_eq!(
        folder().run(&format!("{EVAL} -s system.tsv -m link,mrr,similarity")),
        str![[r#"
exit code 2
-- stderr
error: neleval has no row for `mrr`, `similarity`: no precision, recall and F1
  = help: leave them out, or choose another --format

"#]]
    );
    assert_data_eq!(
        folder().run(&format!(
            "{EVAL} -s system.tsv -m 'blanc,nervaluate(scheme=partial)' --fail-under disambiguation=0.5"
        )),
        str![[r#"
exit code 0
-- stdout
ptp	fp	rtp	fn	precis	recall	fscore	measure
2.000	2.000	3.000	0.000	0.500	1.000	0.667	blanc
3.000	1.000	3.000	0.000	0.750	1.000	0.857	nervaluate(scheme=partial)

"#]]
    );
}

#[test]
fn several_benchmarks_have_names() {
    assert_data_eq!(
        folder().run("karat eval --preset neleval --format neleval -g a=gold.tsv -g b=gold.tsv -s system.tsv -m link"),
        str![[r#"
exit code 0
-- stdout
# a
ptp	fp	rtp	fn	precis	recall	fscore	measure
3	1	3	0	0.750	1.000	0.857	link
# b
ptp	fp	rtp	fn	precis	recall	fscore	measure
3	1	3	0	0.750	1.000	0.857	link

"#]]
    );
    assert_data_eq!(
        folder().run("karat errors --preset neleval --format neleval -g a=gold.tsv -g b=gold.tsv -s system.tsv"),
        str![[r#"
exit code 0
-- stdout
# a
3	correct link
1	extra
# b
3	correct link
1	extra

"#]]
    );
}

/// `neleval analyze -u`: distinct triples of document, gold and prediction.
#[test]
fn errors_that_say_the_same_count_once() {
    let gold = "d\t0\t1\tA\nd\t3\t4\tA\nd\t6\t7\tA\nd\t9\t10\tB\ne\t0\t1\tA\n";
    let system = "d\t0\t1\tX\nd\t3\t4\tX\nd\t6\t7\tY\nd\t12\t13\tZ\nd\t15\t16\tZ\ne\t0\t1\tX\n";
    let folder = Folder::with(&[("gold.tsv", gold), ("system.tsv", system)]);
    let errors = "karat errors -g gold.tsv -s system.tsv --preset neleval --unique";
    assert_data_eq!(
        folder.run(&format!("{errors} --format neleval")),
        str![[r#"
exit code 0
-- stdout
3	wrong-link
1	missing
1	extra

"#]]
    );
    assert_data_eq!(
        folder.run(&format!("{errors} --format neleval --list")),
        str![[r#"
exit code 0
-- stdout
wrong-link	d	g"A"	s"X"
wrong-link	d	g"A"	s"Y"
missing	d	g"B"	
extra	d		s"Z"
wrong-link	e	g"A"	s"X"

"#]]
    );
    assert_data_eq!(
        folder.run(&format!("{errors} --format tsv --list")),
        str![[r#"
exit code 0
-- stdout
system	document	start	end	mention	error	gold	prediction
system	d	0	2		wrong-link	A	X
system	d	6	8		wrong-link	A	Y
system	d	9	11		missing	B	
system	d	12	14		extra		Z
system	e	0	2		wrong-link	A	X
-- stderr
signature: karat:0.1.0|preset:neleval|task:end-to-end|match:exact|assign:sets|threshold:none|gold:gold@7ff233

"#]]
    );
    assert_data_eq!(
        folder.run(&format!("{errors} --by category")),
        str![[r#"
exit code 2
-- stderr
error: `unique` is about kinds of errors
  = help: leave it out, or leave out --by, --where, --diff, --suspects and categories

"#]]
    );
}
