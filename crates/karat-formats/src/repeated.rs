//! Documents that another file had before, and where they are.

use crate::block::refused_document;
use crate::problem::{Kind, Problem};
use crate::reading::{ReadOptions, Reading};
use crate::source::Source;
use karat_model::{Corpus, DuplicateDocument, Repeated};
use std::collections::HashMap;

/// Adds what a file gave to the corpus and reports the documents that were there before; `again` reads the
/// file once more.
pub(crate) fn absorb(
    file: &Source,
    reading: &mut Reading<'_>,
    part: Corpus,
    again: impl Fn(&mut Reading<'_>) -> Result<(), Problem>,
) -> Result<(), Problem> {
    reading.corpus.begin_source(file.name());
    let refused = reading.corpus.absorb(part, Repeated::Refuse);
    report(refused, std::slice::from_ref(file), reading, again)
}

/// Reports documents of these files that were refused, each with its line where that can be
/// found. A corpus does not keep lines, so `again` reads the files once more.
pub(crate) fn report(
    mut refused: Vec<DuplicateDocument>,
    files: &[Source],
    reading: &mut Reading<'_>,
    again: impl Fn(&mut Reading<'_>) -> Result<(), Problem>,
) -> Result<(), Problem> {
    if refused.is_empty() {
        return Ok(());
    }
    // Reading the file again costs as much as reading it did, so only what will be reported is
    // looked for.
    if !reading.options.lenient {
        // The first stops the reading.
        refused.truncate(1);
    }
    let said = said_by_reader(&refused, files, reading.options, again);
    let name = files.first().map_or("", Source::name);
    for duplicate in &refused {
        let said = said.get(&duplicate.to_string()).cloned();
        reading.report(said.unwrap_or_else(|| refused_document(name, duplicate)))?;
    }
    Ok(())
}

/// What the reader itself says of them, when they were there before, by message. It is the first
/// thing it says of each.
fn said_by_reader(
    refused: &[DuplicateDocument],
    files: &[Source],
    options: &ReadOptions,
    again: impl Fn(&mut Reading<'_>) -> Result<(), Problem>,
) -> HashMap<String, Problem> {
    let options = ReadOptions {
        lenient: true,
        list_all: true,
        threads: 1,
        parts: None,
        progress: None,
        ..options.clone()
    };
    let mut reading = Reading::new(&options);
    reading.look_for(refused);
    reading.corpus.begin_source(files.first().map_or("", Source::name));
    // It was read once, so nothing new goes wrong.
    let _ = again(&mut reading);
    let mut said = std::mem::take(&mut reading.search.found);
    for problem in reading.findings.skipped() {
        if problem.kind == Kind::DuplicateDocument && problem.place.is_some() {
            said.entry(problem.message.clone()).or_insert_with(|| problem.clone());
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FORMATS, Input, Registry};

    const NELEVAL: &str = "other\t0\t1\tQ1\nd one\t0\t4\tQ1\nd one\t6\t7\tQ1\n";
    const KARAT: &str = "{\"document\":\"d one\",\"text\":\"In Berlin\",\"annotations\":[]}\n";

    fn nif(name: &str, padding: usize) -> String {
        let about = "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#";
        let context = |name: &str| {
            format!("<{name}#char=0,9>\n  a nif:Context ;\n  nif:isString \"In Berlin\" .\n")
        };
        let others: String =
            (0..padding).map(|number| context(&format!("http://o/{number}"))).collect();
        format!("@prefix nif: <{about}> .\n{others}{}", context(name))
    }

    /// What is wrong, and where, when files are read as one input.
    fn said(files: &[(&str, &str)], lenient: bool) -> String {
        let input: Input =
            files.iter().map(|&(name, content)| Source::memory(name, content)).collect();
        let options = ReadOptions { lenient, ..ReadOptions::default() };
        match Registry::new(FORMATS).read(&input, None, &options) {
            Err(problem) => problem.to_string(),
            Ok(outcome) => {
                let skipped = outcome.findings.skipped().iter();
                skipped.map(ToString::to_string).collect::<Vec<_>>().join("\n")
            }
        }
    }

    #[test]
    fn the_second_of_two_files_is_named_with_its_line() {
        let one = "document `d one` occurs twice, first in a";
        for lenient in [false, true] {
            for second in ["b.tsv", "b"] {
                let other = NELEVAL.replace("other", "another");
                let found = said(&[("a", NELEVAL), (second, &other)], lenient);
                assert_eq!(found, format!("{second}:2:1: {one}"));
            }
            let found = said(&[("a", NELEVAL), ("b", KARAT)], lenient);
            assert_eq!(found, format!("b:1:1: {one}"));
            let other = NELEVAL.replace("other", "another");
            let found = said(&[("a", KARAT), ("b", &other)], lenient);
            assert_eq!(found, format!("b:2:1: {one}"), "neleval after another format");
            let table = "doc,start,end,link\nx,0,1,Q1\nd one,0,1,Q1\n";
            let found = said(&[("a", KARAT), ("b.csv", table)], lenient);
            assert_eq!(found, format!("b.csv:3:1: {one}"));
        }
    }

    #[test]
    fn small_and_large_files_of_nif_say_the_same() {
        for padding in [0, 20_000] {
            let (first, second) = (nif("http://o/x", 0), nif("http://o/x", padding));
            let found = said(&[("a.ttl", &first), ("b.ttl", &second)], false);
            let line = 2 + 3 * padding;
            let said = "document `http://o/x` occurs twice, first in a.ttl";
            assert_eq!(found, format!("b.ttl:{line}:1: {said}"));
        }
    }

    #[test]
    fn the_column_of_the_document_is_meant_and_no_other() {
        let one = |name: &str| KARAT.replace("d one", name);
        let lines = "x\t5\t9\tQ2\nQ2x\t0\t1\tQ1\n5\t0\t4\tQ2\nQ2\t5\t5\tQ1\n";
        let table = "link,start,end,doc\nQ2,5,6,x\n\"Q2\n\",5,6,y\nQ1,0,1,5\n5,0,1,\"Q2\"\n";
        let cne = "x\t5\t6\tQ2\t0.5\n5\t0\t1\tQ2\t0.5\nQ2\t5\t6\t5\t0.5\n";
        let tac = "5\tQ2\t5\tx:5-5\tQ2\tPER\tNAM\t1\nr\tm\ts\t5:0-1\tQ2\tPER\tNAM\t1\n\
            r\tm\tQ2\tQ2:0-1\tNIL\tPER\tNAM\t1\n";
        let json = "{\"doc\":\"x\",\"start\":5,\"end\":6,\"link\":\"Q2\",\"surface\":\"5\"}\n\
            {\"link\":\"Q2\",\"doc\":\"5\",\"start\":0,\"end\":1}\n\
            {\"link\":\"5\",\"doc\":\"Q2\",\"start\":0,\"end\":1}\n";
        for (file, content, five, two) in [
            ("b", lines, "3:1", "4:1"),
            ("b.csv", table, "5:8", "6:7"),
            ("b.cne", cne, "2:1", "3:1"),
            ("b.tab", tac, "2:7", "3:8"),
            ("b.jsonl", json, "2:14", "3:13"),
        ] {
            for (name, place) in [("5", five), ("Q2", two)] {
                let found = said(&[("a", &one(name)), (file, content)], true);
                let said = format!("document `{name}` occurs twice, first in a");
                assert_eq!(found, format!("{file}:{place}: {said}"));
            }
        }
    }

    #[test]
    fn a_document_of_queries_is_found_where_it_is_asked_about() {
        let query = |id: &str, document: &str| {
            format!(
                "<query id=\"{id}\"><name>5</name><docid>{document}</docid><beg>5</beg><end>5</end></query>\n"
            )
        };
        let queries =
            format!("<kbpentlink>\n{}{}</kbpentlink>\n", query("5", "x"), query("y", "5"));
        let answers = "5\tNIL\tPER\t1\ny\tNIL\tPER\t1\n";
        let first = KARAT.replace("d one", "5");
        let found = said(&[("a", &first), ("q.xml", &queries), ("q.tab", answers)], true);
        assert_eq!(found, "q.xml:3:1: document `5` occurs twice, first in a");
    }

    #[test]
    fn a_line_that_was_skipped_does_not_count() {
        let found = said(&[("a", KARAT), ("b", "d one\tx\t4\tQ1\nd one\t0\t4\tQ1\n")], true);
        assert!(found.ends_with("b:2:1: document `d one` occurs twice, first in a"), "{found}");
    }

    #[test]
    fn many_that_occur_again_are_all_named() {
        let lines: String = (0..300).map(|number| format!("d{number}\t0\t1\tQ1\n")).collect();
        let found = said(&[("a", &lines), ("b", &lines)], true);
        assert_eq!(found.lines().count(), 300);
        assert_eq!(found.lines().nth(1), Some("b:2:1: document `d1` occurs twice, first in a"));
        let last = "b:300:1: document `d299` occurs twice, first in a";
        assert_eq!(found.lines().last(), Some(last));
    }
}
