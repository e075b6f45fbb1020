//! Broken files are problems, never panics.

use karat::formats::{Input, ReadOptions, Source};
use proptest::prelude::*;

/// What the line formats are made of.
const FRAGMENTS: &[&str] = &[
    "-DOCSTART-",
    " (d)",
    "\t",
    "\t",
    "\n",
    "\n",
    "\r\n",
    "B",
    "I",
    "O",
    "B-1",
    "I-1",
    "# ",
    "# document_id = x\n",
    "_",
    "TOKEN\tNE-COARSE-LIT\tNEL-LIT\tMISC\n",
    "x\tB-a\tQ1|Q2\tPartial-0:1\n",
    "Partial-1:4294967295",
    "EndOfSentence|NoSpaceAfter",
    "<kbpentlink>",
    "<query id=\"a\">",
    "<docid>d</docid>",
    "<beg>0</beg>",
    "<end>4294967295</end>",
    "</query>",
    "&amp;",
    "&bad;",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\u",
    "é",
    "😀",
    "D:1-2",
    "D:0-4294967295",
    "{\"id\": 1, \"text\": \"é\", \"index\": [[0, 1]], \"wikipedia_titles\": [\"t\"]}\n",
    "4294967295",
    "0",
    "1.5",
    "NIL",
    "--NME--",
    "http://x",
    "#begin document (d); part 000\n",
    "d 0 0 x (1|(2)\n",
    "#end document\n",
    "\u{feff}",
    "\u{0}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_reader_panics(choice in prop::collection::vec(0..FRAGMENTS.len(), 0..60)) {
        let content: String = choice.into_iter().map(|fragment| FRAGMENTS[fragment]).collect();
        let registry = karat::registry();
        for format in registry.formats() {
            for lenient in [false, true] {
                let options = ReadOptions { lenient, ..ReadOptions::default() };
                let input = Input::from(Source::memory("m", content.as_str()));
                let _ = registry.read(&input, Some(format.info().name), &options);
            }
        }
    }
}
