//! Whatever the bytes are, an input is read or refused.

use crate::built;
use karat_formats::Source;
use karat_harvest::{Options, SOURCES};
use karat_kb::Builder;

/// Real beginnings, so that damage gets past the recognition of formats.
const SEEDS: &[(&str, &str)] = &[
    ("t.tsv", "id\tname\taliases\ttypes\tpopularity\nQ64\tBerlin\tBER|x\tQ515\t3\n"),
    ("t.csv", "id,name,same_as,title\nQ64,\"Ber\"\"lin\",/m/0156q,Berlin\n"),
    ("t.jsonl", "{\"id\":\"Q64\",\"name\":\"Berlin\",\"aliases\":[\"a\",\"b\"]}\n"),
    ("popular.tsv", "\"Berlin\"\tinferred\tQ64,?LOC\n"),
    ("redirects.tsv", "Berlin\tBER\tWest Berlin\n"),
    (
        "page.sql",
        "CREATE TABLE `page` (\n `page_id` int,\nINSERT INTO `page` VALUES (1,0,'a\\'b',NULL),(2,0,'c');\n",
    ),
    (
        "w.json",
        "[\n{\"type\":\"item\",\"id\":\"Q64\",\"labels\":{\"en\":{\"value\":\"Berlin\"}},\"claims\":{\"P31\":[{\"mainsnak\":{\"datavalue\":{\"value\":{\"id\":\"Q5\"}}}}]}},\n]\n",
    ),
];

#[test]
fn cut_and_changed_files_are_read_or_refused() {
    let mut tried = 0;
    for (name, seed) in SEEDS {
        for at in 0..seed.len() {
            let _ = built(&[(name, &seed.as_bytes()[..at])]);
            for byte in [0, b'\n', b'\t', b'"', b'\'', b'\\', b'{', b'[', b'(', 0x80, 0xff] {
                let mut changed = seed.as_bytes().to_vec();
                changed[at] = byte;
                let _ = built(&[(name, &changed)]);
                tried += 1;
            }
        }
    }
    assert!(tried > 3000);
}

#[test]
fn every_source_survives_the_files_of_the_others() {
    for source in SOURCES {
        for (name, seed) in SEEDS {
            for at in (0..=seed.len()).step_by(3) {
                let file = Source::memory(*name, &seed.as_bytes()[..at]);
                let _ = source.read(&file, &mut Builder::in_memory(), &Options::default());
            }
        }
    }
}
