//! No digit depends on the number of threads.

use crate::folder::Folder;
use std::fmt::Write;

/// Gold and a system of enough documents for several blocks of a file and several parts of a
/// scoring. Some mentions share a span, some lines are unusual, some lines of a document come later,
/// some documents are missing on either side.
fn contest() -> Folder {
    let mut chance = 1u64;
    let mut below = |limit: u64| {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (chance >> 33) % limit
    };
    let (mut gold, mut system) = (String::new(), String::new());
    for document in 0..1200 {
        let late = below(100) == 0;
        for mention in 0..20 {
            let name = if late && mention > 15 { document / 2 } else { document };
            let (start, length) = (mention * 12 + below(6), below(7));
            let entity = below(900) * below(900) / 700;
            let id = if below(5) == 0 { format!("NIL{entity}") } else { format!("Q{entity}") };
            let kind = ["PER", "ORG", "LOC", "{\"type\":\"MISC\"}"][below(4) as usize];
            let end = start + length;
            if document % 97 != 0 {
                writeln!(gold, "doc{name:05}\t{start}\t{end}\t{id}\t1.0\t{kind}").unwrap();
            }
            let (id, end) = match below(10) {
                0 => continue,
                1 => (format!("Q{}", below(900)), end),
                2 => (id, end + 1),
                _ => (id, end),
            };
            let score = below(1000) as f64 / 1000.0;
            if document % 89 != 0 {
                writeln!(system, "doc{name:05}\t{start}\t{end}\t{id}\t{score}\t{kind}").unwrap();
            }
            // On one span; under some conventions the last of them is the answer.
            if below(30) == 0 {
                writeln!(system, "doc{name:05}\t{start}\t{end}\tQ7\t{score}\t{kind}").unwrap();
            }
        }
    }
    assert!(gold.len() > 1 << 19, "more than one block");
    Folder::with(&[("gold.tsv", &gold), ("system.tsv", &system)])
}

#[test]
fn scores_are_the_same_on_any_number_of_threads() {
    let folder = contest();
    let questions = [
        "--preset neleval -m all-tagging,all-coref",
        "--preset neleval -m all-tagging --group-by type",
        "--preset karat --trials 50",
        "--preset gerbil",
        "--preset elevant",
    ];
    for question in questions {
        let on = |threads: usize| {
            let command = "karat eval -g gold.tsv -s system.tsv --format json --quiet";
            let output = folder.output(&format!("{command} {question} --threads {threads}"));
            assert!(output.status.success(), "{question}");
            String::from_utf8(output.stdout).unwrap()
        };
        let one = on(1);
        assert!(one.contains("\"f1\": 0."), "{question}: {one}");
        // Both files are read at the same time, so that one of them gets half of the threads.
        for threads in [2, 4, 7] {
            assert!(on(threads) == one, "{question} on {threads} threads");
        }
    }
}
