//! `karat eval --counts-to` and `karat merge`: shards give what the whole gives.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

/// The sample of the demo.
fn sample() -> Folder {
    Folder::with_sample()
}

#[test]
fn three_shards_give_byte_for_byte_what_the_whole_gives() {
    let folder = sample();
    for arguments in [
        "sample/gold.karat.jsonl sample/systems/popular.karat.jsonl",
        "sample/gold.karat.jsonl sample/systems/popular.karat.jsonl --preset neleval -m link,ceafm,b3",
        "sample/gold.karat.jsonl sample/systems/popular.karat.jsonl sample/systems/careful.karat.jsonl -m link,mention,nil --seed 7",
        "sample/gold.karat.jsonl sample/systems/popular.karat.jsonl --shift system=0 --lenient -m link",
    ] {
        let whole = folder.output(&format!("karat eval {arguments} --format json -q"));
        assert!(whole.status.success(), "{arguments}");
        let mut parts = Vec::new();
        for shard in 0..3 {
            let part = format!("{shard}.counts");
            let counted = folder
                .output(&format!("karat eval {arguments} --counts-to {part} --shard {shard}/3 -q"));
            assert!(counted.status.success(), "{}", String::from_utf8_lossy(&counted.stderr));
            assert!(counted.stdout.is_empty(), "scores of a part are no scores");
            parts.push(part);
        }
        // In any order.
        parts.reverse();
        let merged = folder.output(&format!("karat merge {} --format json -q", parts.join(" ")));
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        assert_eq!(text(&merged.stdout), text(&whole.stdout), "{arguments}");
        let table = |line: &str| text(&folder.output(line).stdout);
        assert_eq!(
            table(&format!("karat merge {}", parts.join(" "))),
            table(&format!("karat eval {arguments}")),
            "{arguments}"
        );
    }
}

#[test]
fn what_is_missing_or_there_twice_is_refused() {
    let folder = sample();
    let count = |shard: &str, more: &str| {
        let name = shard.replace('/', "-");
        folder.run(&format!(
            "karat eval sample/gold.karat.jsonl sample/systems/popular.karat.jsonl -m link --trials 0 --counts-to {name}.counts --shard {shard}{more}"
        ))
    };
    assert_data_eq!(
        count("0/2", ""),
        str![[r#"
exit code 0
-- stderr
note: 0-2.counts has the counts of 6 documents; `karat merge` scores them

"#]]
    );
    assert_data_eq!(
        folder.run("karat merge 0-2.counts"),
        str![[r#"
exit code 2
-- stderr
error: shard 1 of 2 is missing
  = help: count it, or score what is there with --partial

"#]]
    );
    assert_data_eq!(
        folder.run("karat merge 0-2.counts --partial"),
        str![[r#"
exit code 0
-- stdout
system   measure  tp  fp  fn      P      R     F1
──────────────────────────────────────────────────
popular  link     24  14  23  0.632  0.511  0.565

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@a1d9d2|shards:1/2

"#]]
    );
    assert_data_eq!(
        folder.run("karat merge 0-2.counts 0-2.counts"),
        str![[r#"
exit code 2
-- stderr
error: the document `sport-derby` is in two parts
  = help: give each part once; parts must have different documents

"#]]
    );
    count("1/2", " --match overlap");
    assert_data_eq!(
        folder.run("karat merge 0-2.counts 1-2.counts"),
        str![[r#"
exit code 2
-- stderr
error: counts of two conventions: `karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none` and `karat:0.1.0|preset:karat|task:end-to-end|match:overlap|assign:one-to-one|threshold:none`
  = help: count all parts with the same settings

"#]]
    );
    assert_data_eq!(
        folder.run("karat merge sample/gold.karat.jsonl"),
        str![[r#"
exit code 2
-- stderr
error: `sample/gold.karat.jsonl` cannot be read as counts: line 1: it does not begin with the plan of counts
  = help: counts are what `karat eval` writes with --counts-to; take them again

"#]]
    );
    assert_data_eq!(
        folder.run("karat merge none.counts"),
        str![[r#"
exit code 2
-- stderr
error: `none.counts` cannot be read as counts: No such file or directory
  = help: counts are what `karat eval` writes with --counts-to; take them again

"#]]
    );
    assert_data_eq!(
        count("2/2", ""),
        str![[r#"
exit code 2
-- stderr
error: invalid value '2/2' for '--shard <I/N>': parts are numbered from 0: of 4 parts, the last is 3/4

For more information, try '--help'.

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval sample/gold.karat.jsonl sample/systems/popular.karat.jsonl --counts-to sample/gold.karat.jsonl"),
        str![[r#"
exit code 2
-- stderr
error: `sample/gold.karat.jsonl` is an input and would be written over
  = help: name another file for the output

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval sample/gold.karat.jsonl sample/systems/popular.karat.jsonl --group-by type --counts-to x.counts"),
        str![[r#"
exit code 2
-- stderr
error: `group-by` needs all documents at once
  = help: leave it out

"#]]
    );
    assert_data_eq!(
        folder.run(
            "karat eval sample/gold.karat.jsonl sample/systems/popular.karat.jsonl --shard 0/2"
        ),
        str![[r#"
exit code 2
-- stderr
error: the following required arguments were not provided:
  --counts-to <FILE>

Usage: karat eval --counts-to <FILE> --shard <I/N> <GOLD> <SYSTEM>...

For more information, try '--help'.

"#]]
    );
}

#[test]
fn gates_are_judged_over_all_parts() {
    let folder = sample();
    for shard in 0..2 {
        folder.output(&format!(
            "karat eval sample/gold.karat.jsonl sample/systems/popular.karat.jsonl -m link --trials 0 --fail-under link.f1=0.99 --counts-to {shard}.counts --shard {shard}/2 -q"
        ));
    }
    assert_data_eq!(
        folder.run("karat merge 0.counts 1.counts --format tsv"),
        str![[r#"
exit code 1
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
popular	link	66	32	58	0.673469387755102	0.532258064516129	0.5945945945945946		
-- stderr
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@27bfe6
error: `popular` has link.f1 0.5946, below 0.99

"#]]
    );
}

#[test]
fn counts_without_a_row_of_the_corpus_or_with_two_are_refused() {
    let folder = sample();
    let counted = "karat eval sample/gold.karat.jsonl sample/systems/popular.karat.jsonl -m link --counts-to all.counts -q";
    assert_eq!(folder.run(counted), "exit code 0\n");
    let counts = String::from_utf8(folder.read("all.counts")).unwrap();
    let is_corpus = |line: &&str| line.starts_with(r#"{"kind":"corpus""#);
    let corpus = counts.lines().find(is_corpus).unwrap();
    let ended = |lines: Vec<&str>| {
        let rows = lines.len() - 2;
        let lines: String = lines[..=rows].iter().map(|line| format!("{line}\n")).collect();
        format!("{lines}{{\"kind\":\"end\",\"rows\":{rows}}}\n")
    };
    let without = ended(counts.lines().filter(|line| !is_corpus(line)).collect());
    folder.write("none.counts", without.as_bytes());
    let mut twice: Vec<&str> = counts.lines().collect();
    twice.insert(1, corpus);
    folder.write("twice.counts", ended(twice).as_bytes());
    assert_data_eq!(
        folder.run("karat merge none.counts"),
        str![[r#"
exit code 2
-- stderr
error: `none.counts` cannot be read as counts: there is no `corpus` row
  = help: counts are what `karat eval` writes with --counts-to; take them again

"#]]
    );
    assert_data_eq!(
        folder.run("karat merge twice.counts"),
        str![[r#"
exit code 2
-- stderr
error: `twice.counts` cannot be read as counts: line 3: a second `corpus` row
  = help: counts are what `karat eval` writes with --counts-to; take them again

"#]]
    );
}
