//! `karat errors` by category, what two systems do differently, and suspects.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

/// An article with two mentions, and three systems that agree on one of them against gold.
pub(crate) fn articles() -> Folder {
    let folder = Folder::new();
    let article = |labels: &str, mentions: &[(u32, u32, &str)]| {
        let mention = |(start, end, id): &(u32, u32, &str)| {
            format!(
                r#"{{"span": [{start}, {end}], "id": "{id}", "recognized_by": "x", "linked_by": "x", "candidates": ["{id}", "Q1"]}}"#
            )
        };
        let mentions: Vec<String> = mentions.iter().map(mention).collect();
        format!(
            "{{\"id\": 1, \"title\": \"t\", \"text\": \"Reported by the Post of New York, USA.\", \"evaluation_span\": [0, 38], \"labels\": [{labels}], \"entity_mentions\": [{}]}}\n",
            mentions.join(", ")
        )
    };
    let labels = r#"{"id": 0, "span": [16, 20], "entity_id": "Q211374", "name": "New York Post", "type": "Q43229"}, {"id": 1, "span": [24, 32], "entity_id": "Q60", "name": "New York City", "type": "Q27096213"}, {"id": 2, "span": [34, 37], "entity_id": "Q30", "name": "United States", "type": "Q27096213", "optional": true}"#;
    folder.write("small.benchmark.jsonl", article(labels, &[]).as_bytes());
    for (name, mentions) in [
        ("one", vec![(16, 20, "Q166032"), (24, 32, "Q1384"), (34, 37, "Q30")]),
        ("two", vec![(16, 20, "Q211374"), (24, 32, "Q1384"), (34, 37, "Q29")]),
        ("three", vec![(0, 8, "Q1"), (24, 32, "Q60")]),
    ] {
        let file = format!("{name}.small.linked_articles.jsonl");
        folder.write(&file, article(labels, &mentions).as_bytes());
    }
    let facts = [(
        "entities.csv",
        "id,name,types\nQ60,New York City,Q27096213\nQ1384,New York,Q27096213\nQ166032,Washington Post,Q43229\nQ211374,New York Post,Q43229\nQ1,universe,\nQ29,Spain,Q27096213\nQ30,United States,Q27096213\n",
    )];
    for (name, content) in facts {
        folder.write(name, content.as_bytes());
    }
    folder.run("karat kb build entities.csv -o facts.kb");
    folder
}

pub(crate) const SYSTEMS: &str = "-g small.benchmark.jsonl -s one=one.small.linked_articles.jsonl -s two=two.small.linked_articles.jsonl -s three=three.small.linked_articles.jsonl";

pub(crate) fn run(arguments: &str) -> String {
    articles().run(&format!("karat {}", arguments.replace("SYSTEMS", SYSTEMS)))
}

#[test]
fn errors_are_counted_by_category_and_what_is_not_known_is_a_dash() {
    assert_data_eq!(
        run("errors SYSTEMS --system one --by category --kb facts.kb"),
        str![[r#"
exit code 0
-- stdout
system  family                category                         errors  total    rate
─────────────────────────────────────────────────────────────────────────────────────
one     ner_fn                all                                   0      2  0.0000
one     ner_fn                lowercased                            0      0       –
one     ner_fn                partially_included                    0      1  0.0000
one     ner_fn                partial_overlap                       0      2  0.0000
one     ner_fn                other                                 0      2  0.0000
one     ner_fp                all                                   0      –       –
one     ner_fp                lowercased                            0      –       –
one     ner_fp                groundtruth_unknown                   0      0       –
one     ner_fp                other                                 0      –       –
one     ner_fp                wrong_span                            0      2  0.0000
one     wrong_disambiguation  all                                   2      2  1.0000
one     wrong_disambiguation  demonym                               –      –       –
one     wrong_disambiguation  metonymy                              –      –       –
one     wrong_disambiguation  partial_name                          –      –       –
one     wrong_disambiguation  rare                                  0      0       –
one     wrong_disambiguation  other                                 0      0       –
one     wrong_disambiguation  wrong_candidates                      2      2  1.0000
one     wrong_disambiguation  multiple_candidates                   0      2  0.0000
one     other_errors          hyperlink                             0      0       –
one     wrong_coreference     undetected                            0      0       –
one     wrong_coreference     wrong_mention_referenced              0      0       –
one     wrong_coreference     reference_wrongly_disambiguated       0      0       –
one     wrong_coreference     other                                 0      0       –
one     wrong_coreference     false_detection                       0      –       –
one     other_errors          optional_mention                      0      –       –
one     other_errors          alternative_part                      0      –       –
one     ner_fp                wrong_span_other                      0      –       –
one     other_errors          hyperlink_other                       0      –       –
one     linking               missed                                2      2  1.0000
one     linking               extra                                 2      2  1.0000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|kb:facts@d404f6|gold:small@00b8e9

"#]]
    );
}

#[test]
fn cases_are_listed_with_their_context() {
    assert_data_eq!(
        run(
            "errors SYSTEMS --system one --system two --category partial_name,optional_mention --kb facts.kb --format csv"
        ),
        str![[r#"
exit code 0
-- stdout
system,document,start,end,context,gold,prediction,candidates,error,category,also
two,1,34,37,"Reported by the Post of New York, [USA].",Q30 United States,Q29 Spain,Q29 Q1,extra,optional_mention,
-- stderr
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|kb:facts@d404f6|gold:small@00b8e9

"#]]
    );
}

#[test]
fn cases_are_filtered_by_any_facet() {
    assert_data_eq!(
        run("errors SYSTEMS --where type=Q43229 --format jsonl --quiet"),
        str![[r#"
exit code 0
-- stdout
{"system":"one","document":"1","start":16,"end":20,"context":"Reported by the [Post] of New York, USA.","gold":"Q211374 New York Post","prediction":"Q166032","candidates":"Q166032 Q1","error":"wrong-link","category":"wrong_disambiguation","also":"wrong_candidates","span":[16,20],"mention":"Post","before":"Reported by the ","after":" of New York, USA.","gold_entity":"Q211374","gold_name":"New York Post","prediction_entity":"Q166032","prediction_name":null,"candidate_entities":["Q166032","Q1"],"categories":["wrong_candidates"]}
{"system":"three","document":"1","start":16,"end":20,"context":"Reported by the [Post] of New York, USA.","gold":"Q211374 New York Post","prediction":null,"candidates":null,"error":"missing","category":"missed-other","also":null,"span":[16,20],"mention":"Post","before":"Reported by the ","after":" of New York, USA.","gold_entity":"Q211374","gold_name":"New York Post","prediction_entity":null,"prediction_name":null,"candidate_entities":[],"categories":["missed-other"]}
-- stderr
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:small@00b8e9

"#]]
    );
    assert_data_eq!(
        run("errors SYSTEMS --where colour=red"),
        str![[r#"
exit code 2
-- stderr
error: there is no facet `colour`
 --> where:1:1
  |
1 | colour=red
  | ^^^^^^
  |
  = help: facets are doc, type, topic, language, link, entity, tag, base-form, pos, overlap, reference, combination, error, relation, span-error, category, mention-type, attribute:KEY, text, gold, predicted; states are right, wrong, ignored, optional, nil, coreference

"#]]
    );
    assert_data_eq!(
        run("errors SYSTEMS --where type"),
        str![[r#"
exit code 2
-- stderr
error: `type` names no label
 --> where:1:1
  |
1 | type
  | ^^^^
  |
  = help: write --where FACET=LABEL, as --where type=PER

"#]]
    );
}

#[test]
fn two_systems_are_set_side_by_side() {
    assert_data_eq!(
        run("errors SYSTEMS --diff one three --format md"),
        str![[r#"
exit code 0
-- stdout
| group | document | start | end | context | gold | one | one category | three | three category |
| --- | --- | ---: | ---: | --- | --- | --- | --- | --- | --- |
| only three right | 1 | 24 | 32 | Reported by the Post of /[New York/], USA. | Q60 New York City | Q1384 | wrong_disambiguation | Q60 | correct |
| both wrong | 1 | 16 | 20 | Reported by the /[Post/] of New York, USA. | Q211374 New York Post | Q166032 | wrong_disambiguation | – | missed-other |

`karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:small@00b8e9`
-- stderr
note: without a knowledge base some categories are unknown; --kb gives one
note: only one is right about 0, only three about 1, neither about 1

"#]]
    );
    assert_data_eq!(
        run("errors SYSTEMS --diff one four"),
        str![[r#"
exit code 2
-- stderr
error: there is no system `four`
  = help: systems are one, two, three

"#]]
    );
}

#[test]
fn suspects_are_tasks_for_verification() {
    assert_data_eq!(
        run("errors SYSTEMS --suspects --format jsonl"),
        str![[r#"
exit code 0
-- stdout
{"task":"verify","rank":1,"benchmark":"small","document":"1","start":24,"end":32,"mention":"New York","before":"Reported by the Post of ","after":", USA.","gold":{"entity":"Q60","name":"New York City"},"proposed":{"entity":"Q1384","name":null},"systems":["one","two"],"dissenting":["three"],"of":3,"context":"Reported by the Post of [New York], USA."}

"#]]
    );
    assert_data_eq!(
        run("errors SYSTEMS --suspects"),
        str![[r#"
exit code 0
-- stdout
rank  document  start  end  context                                   gold               proposed  systems  dissenting
───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
   1  1            24   32  Reported by the Post of [New York], USA.  Q60 New York City  Q1384     one two  three

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:small@00b8e9

"#]]
    );
}

#[test]
fn relations_and_spans_are_counted_from_both_sides() {
    assert_data_eq!(
        run("errors SYSTEMS --by relation --format tsv --quiet"),
        str![[r#"
exit code 0
-- stdout
benchmark	system	side	relation	mentions
small	one	gold	same span and entity	1
small	one	gold	same span, other entity	2
small	one	prediction	same span and entity	1
small	one	prediction	same span, other entity	2
small	two	gold	same span and entity	1
small	two	gold	same span, other entity	2
small	two	prediction	same span and entity	1
small	two	prediction	same span, other entity	2
small	three	gold	no overlap	2
small	three	gold	same span and entity	1
small	three	prediction	no overlap	1
small	three	prediction	same span and entity	1
-- stderr
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:small@00b8e9

"#]]
    );
    assert_data_eq!(
        run("errors SYSTEMS --by span-error --system one --quiet"),
        str![[r#"
exit code 0
-- stdout
benchmark  system  side        span-error  mentions
────────────────────────────────────────────────────
small      one     gold        exact              3
small      one     prediction  exact              3

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:small@00b8e9

"#]]
    );
}

#[test]
fn results_are_sliced_by_category_and_kind_of_mention() {
    assert_data_eq!(
        run(
            "eval SYSTEMS -m link --group-by category,mention-type --kb facts.kb --trials 0 --format csv"
        ),
        str![[r#"
exit code 0
-- stdout
system,facet,label,measure,tp,fp,fn,P,R,F1,low,high
one,,,link,0,2,2,0,0,0,,
two,,,link,1,2,1,0.3333333333333333,0.5,0.4,,
three,,,link,1,1,1,0.5,0.5,0.5,,
one,category,unknown,link,0,2,2,0,0,0,,
one,mention-type,entity_named,link,0,2,2,0,0,0,,
two,category,correct,link,1,0,0,1,1,1,,
two,category,optional_mention,link,0,1,0,0,,0,,
two,category,unknown,link,0,1,1,0,0,0,,
two,mention-type,entity_named,link,1,2,1,0.3333333333333333,0.5,0.4,,
three,category,correct,link,1,0,0,1,1,1,,
three,category,extra-other,link,0,1,0,0,,0,,
three,category,missed-other,link,0,0,1,,0,0,,
three,mention-type,entity_named,link,1,0,1,1,0.5,0.6666666666666666,,
three,mention-type,entity_non_named,link,0,1,0,0,,0,,
-- stderr
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|kb:facts@d404f6|gold:small@00b8e9

"#]]
    );
}

#[test]
fn results_are_written_for_elevant() {
    let folder = articles();
    let systems = SYSTEMS.replace("one=", "").replace("two=", "").replace("three=", "");
    let shown = folder.run(&format!(
        "karat eval {systems} --preset elevant --format elevant -o results --kb facts.kb"
    ));
    assert_data_eq!(
        shown,
        str![[r#"
exit code 0

"#]]
    );
    let read = |name: &str| String::from_utf8(folder.read(name)).unwrap();
    assert_data_eq!(
        read("results/two.small.eval_cases.jsonl"),
        str![[r#"
[{"span":[16,20],"text":"Post","candidates":[{"entity_id":"Q1","name":"universe"},{"entity_id":"Q211374","name":"New York Post"}],"predicted_by":"x","error_labels":{"IGNORED":["AVOIDED_NER_FN","AVOIDED_NER_FN_OTHER","AVOIDED_NER_FN_PARTIAL_OVERLAP","AVOIDED_NER_FP_WRONG_SPAN","DISAMBIGUATION_CANDIDATES_CORRECT","DISAMBIGUATION_CORRECT","DISAMBIGUATION_MULTI_CANDIDATES_CORRECT"],"REQUIRED":["AVOIDED_NER_FN","AVOIDED_NER_FN_OTHER","AVOIDED_NER_FN_PARTIAL_OVERLAP","AVOIDED_NER_FP_WRONG_SPAN","DISAMBIGUATION_CANDIDATES_CORRECT","DISAMBIGUATION_CORRECT","DISAMBIGUATION_MULTI_CANDIDATES_CORRECT"]},"factor":1,"linking_eval_types":{"IGNORED":["TP"],"REQUIRED":["TP"]},"ner_eval_types":{"IGNORED":["TP"],"REQUIRED":["TP"]},"optional":false,"true_entity":{"id":0,"span":[16,20],"entity_id":"Q211374","name":"New York Post","type":"Q43229"},"predicted_entity":{"entity_id":"Q211374","name":"New York Post","type":"Q43229"},"mention_type":"ENTITY_NAMED"},{"span":[24,32],"text":"New York","candidates":[{"entity_id":"Q1","name":"universe"},{"entity_id":"Q1384","name":"New York"}],"predicted_by":"x","error_labels":{"IGNORED":["AVOIDED_NER_FN","AVOIDED_NER_FN_OTHER","AVOIDED_NER_FN_PARTIALLY_INCLUDED","AVOIDED_NER_FN_PARTIAL_OVERLAP","AVOIDED_NER_FP_WRONG_SPAN","DISAMBIGUATION_CANDIDATES_WRONG","DISAMBIGUATION_WRONG"],"REQUIRED":["AVOIDED_NER_FN","AVOIDED_NER_FN_OTHER","AVOIDED_NER_FN_PARTIALLY_INCLUDED","AVOIDED_NER_FN_PARTIAL_OVERLAP","AVOIDED_NER_FP_WRONG_SPAN","DISAMBIGUATION_CANDIDATES_WRONG","DISAMBIGUATION_WRONG"]},"factor":1,"linking_eval_types":{"IGNORED":["FN","FP"],"REQUIRED":["FN","FP"]},"ner_eval_types":{"IGNORED":["TP"],"REQUIRED":["TP"]},"optional":false,"true_entity":{"id":1,"span":[24,32],"entity_id":"Q60","name":"New York City","type":"Q27096213"},"predicted_entity":{"entity_id":"Q1384","name":"New York","type":"Q27096213"},"mention_type":"ENTITY_NAMED"},{"span":[34,37],"text":"USA","candidates":[{"entity_id":"Q1","name":"universe"},{"entity_id":"Q29","name":"Spain"}],"predicted_by":"x","error_labels":{"IGNORED":[],"REQUIRED":[]},"factor":1,"linking_eval_types":{"IGNORED":["FP"],"REQUIRED":["FP"]},"ner_eval_types":{"IGNORED":[],"REQUIRED":[]},"optional":true,"true_entity":{"id":2,"span":[34,37],"entity_id":"Q30","name":"United States","type":"Q27096213","optional":true},"predicted_entity":{"entity_id":"Q29","name":"Spain","type":"Q27096213"},"mention_type":"ENTITY_NAMED"}]

"#]]
    );
    assert!(
        read("results/three.small.eval_results.json")
            .starts_with("{\"IGNORED\":{\"mention_types\":{\"all\":{")
    );
    let metadata = read("results/two.small.metadata.json");
    let (before, after) = metadata.split_once("\"timestamp\":\"20").unwrap();
    let expected = r#"{"experiment_name":"two","experiment_description":"","linker_name":"two","#;
    assert_eq!(before, expected);
    assert!(after.ends_with("\",\"linking_time\":null}\n"), "{metadata}");
    let named = |first: &str, second: &str| {
        folder.run(&format!(
            "karat eval -g small.benchmark.jsonl -s '{first}=one.small.linked_articles.jsonl' -s \
             '{second}=two.small.linked_articles.jsonl' --preset elevant --format elevant -o named -q"
        ))
    };
    assert!(named("ReFinED (AIDA)", "b").starts_with("exit code 0"));
    assert!(read("named/refined__aida_.small.metadata.json").contains("ReFinED (AIDA)"));
    let clash = "the files of `A b` and `a_b` would both be `a_b.small`";
    assert!(named("A b", "a_b").contains(clash), "{}", named("A b", "a_b"));
    assert_data_eq!(
        folder.run(&format!("karat eval {systems} -o results")),
        str![[r#"
exit code 2
-- stderr
error: only --format elevant writes files
  = help: leave out -o, and send standard output to a file

"#]]
    );
}

#[test]
fn right_links_on_other_spans_are_paired() {
    let folder = Folder::with(&[
        (
            "gold.karat.jsonl",
            r#"{"document":"d","text":"The Oslo accords, the Oslo accords","annotations":[{"span":[0,16],"link":"Q1"},{"span":[22,34],"link":"Q1"}]}"#,
        ),
        (
            "run.karat.jsonl",
            r#"{"document":"d","text":"The Oslo accords, the Oslo accords","annotations":[{"span":[4,16],"link":"Q1"},{"span":[4,8],"link":"Q585"},{"span":[22,34],"link":"Q1"},{"span":[22,26],"link":"Q1"}]}"#,
        ),
    ]);
    let both = "-g gold.karat.jsonl -s run=run.karat.jsonl --quiet";
    assert_data_eq!(
        folder.run(&format!("karat errors {both} --partial-spans")),
        str![[r#"
exit code 0
-- stdout
system  document  start  end  mention           predicted start  predicted end  predicted mention  link
────────────────────────────────────────────────────────────────────────────────────────────────────────
run     d             0   16  The Oslo accords                4             16  Oslo accords       Q1
run     d            22   34  Oslo accords                   22             26  Oslo               Q1

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@d48f54

"#]]
    );
    assert_data_eq!(
        folder.run(&format!("karat errors {both} --where 'relation=overlap, same entity'")),
        str![[r#"
exit code 0
-- stdout
system  document  start  end  context                               gold  prediction  candidates  error    category            also        overlapping prediction
──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
run     d             0   16  [The Oslo accords], the Oslo accords  Q1    –           –           missing  partially_included  –           4..16 Q1
run     d             4   16  The [Oslo accords], the Oslo accords  –     Q1          –           extra    extra-other         wrong_span  –
run     d            22   26  The Oslo accords, the [Oslo] accords  –     Q1          –           extra    extra-other         wrong_span  –

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@d48f54

"#]]
    );
    assert_data_eq!(
        folder.run(&format!("karat errors {both} --partial-spans --list 2>&1 | head -1")),
        str![[r#"
exit code 2
-- stdout
error: the argument '--partial-spans' cannot be used with '--list'

"#]]
    );
}
