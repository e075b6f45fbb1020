//! Files that have gold and system annotations, or those of the other side.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

/// An article of ELEVANT with a label and a mention.
const LINKED: &str = r#"{"id":0,"title":"t","text":"Bonn and Rome","evaluation_span":[0,13],"entity_mentions":[{"span":[9,13],"id":"Q220","recognized_by":"x","linked_by":"x"}],"labels":[{"id":0,"span":[0,4],"entity_id":"Q586","name":"Bonn","parent":null,"children":[],"optional":false,"type":"Q27096213"}]}
"#;

#[test]
fn gold_never_becomes_the_output_of_a_system() {
    let folder = Folder::with(&[("both.linked_articles.jsonl", LINKED)]);
    assert_data_eq!(
        folder.run("karat convert both.linked_articles.jsonl out.tsv"),
        str![[r#"
exit code 2
-- stderr
error: `both.linked_articles.jsonl` has annotations of gold and of a system, and `neleval` cannot tell them apart
  = help: say which are meant with --side gold or --side system; `karat-jsonl`, `elevant`, `label-studio`, `csv`, `tsv`, `jsonl`, `parquet`, `arrow` hold both

"#]]
    );
    assert_eq!(folder.names(), ["both.linked_articles.jsonl"], "nothing is written");
    let side = |side: &str| {
        let convert = "karat convert both.linked_articles.jsonl - --to neleval --side";
        folder.run(&format!("{convert} {side}"))
    };
    assert_data_eq!(
        side("gold"),
        str![[r#"
exit code 0
-- stdout
0	0	3	Q586	nan	Q27096213
-- stderr
note: `neleval` cannot hold everything; left out:
       1  annotation attribute `name`
       1  document attribute `title`
       1  evaluation spans
       1  gold and system told apart
       1  texts

"#]]
    );
    assert_data_eq!(
        side("system"),
        str![[r#"
exit code 0
-- stdout
0	9	12	Q220
-- stderr
note: `neleval` cannot hold everything; left out:
       1  annotation attribute `linked_by`
       1  annotation attribute `recognized_by`
       1  document attribute `title`
       1  evaluation spans
       1  gold and system told apart
       1  texts

"#]]
    );
    let both = folder.run("karat convert both.linked_articles.jsonl - --to jsonl -q");
    assert!(both.contains("Q220") && both.contains("Q586"), "{both}");
}

#[test]
fn a_gold_standard_that_is_given_as_a_system_is_told() {
    let start = LINKED.find("[{\"span\":[9").unwrap();
    let end = LINKED.find(",\"labels\"").unwrap();
    let gold = format!("{}[]{}", &LINKED[..start], &LINKED[end..]);
    let folder = Folder::with(&[("gold.benchmark.jsonl", &gold)]);
    for line in ["eval --trials 0", "compare --trials 10 -s y=gold.benchmark.jsonl", "errors"] {
        let line = format!("karat {line} -g gold.benchmark.jsonl -s x=gold.benchmark.jsonl");
        let said = folder.run(&line);
        assert_eq!(said.matches("all annotations of `x` are marked as gold").count(), 1, "{said}");
    }
}
