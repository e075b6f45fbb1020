//! Documents that another file had before, and where they are.

use crate::block::{UNIQUE_DOCUMENTS, refused_document};
use crate::lent::behind;
use crate::problem::{Kind, Problem};
use crate::reading::{ReadOptions, Reading};
use crate::source::Source;
use karat_model::{Corpus, DuplicateDocument, Repeated};

/// So many documents are looked for in the lines of a file; the others are named without a line.
const LOOKED_FOR: usize = 100;

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
    if !reading.options.lenient {
        // The first stops the reading.
        refused.truncate(1);
    }
    let said = said_by_reader(&refused, files, reading.options, again);
    for (number, duplicate) in refused.iter().enumerate() {
        let message = duplicate.to_string();
        let said = said.iter().find(|problem| problem.message == message).cloned();
        let searched = files.iter().filter(|_| number < LOOKED_FOR);
        let problem =
            said.or_else(|| searched.into_iter().find_map(|file| in_lines(file, duplicate)));
        let name = files.first().map_or("", Source::name);
        reading.report(problem.unwrap_or_else(|| refused_document(name, duplicate)))?;
    }
    Ok(())
}

/// What the reader itself says of them, when they were there before.
fn said_by_reader(
    refused: &[DuplicateDocument],
    files: &[Source],
    options: &ReadOptions,
    again: impl Fn(&mut Reading<'_>) -> Result<(), Problem>,
) -> Vec<Problem> {
    let options = ReadOptions {
        lenient: true,
        list_all: true,
        threads: 1,
        parts: None,
        progress: None,
        ..options.clone()
    };
    let mut reading = Reading::new(&options);
    for duplicate in refused {
        reading.corpus.begin_source(duplicate.first.as_deref().unwrap_or_default());
        let _ = reading.corpus.begin_document(&duplicate.name);
    }
    reading.corpus.begin_source(files.first().map_or("", Source::name));
    // It was read once, so nothing new goes wrong.
    let _ = again(&mut reading);
    let is_one =
        |problem: &&Problem| problem.kind == Kind::DuplicateDocument && problem.place.is_some();
    reading.findings.skipped().iter().filter(is_one).cloned().collect()
}

/// Where annotations stand line by line, a document begins in the first line that names it.
fn in_lines(file: &Source, duplicate: &DuplicateDocument) -> Option<Problem> {
    let text = file.text().ok()?;
    let name = duplicate.name.as_str();
    let (line, rest) = text.as_str().lines().find_map(|line| Some((line, behind(line, name)?)))?;
    let end = line.len() - rest.len();
    let named = &line[end - name.len()..end];
    let problem = text.problem_at(Kind::DuplicateDocument, named, duplicate.to_string());
    Some(problem.hint(UNIQUE_DOCUMENTS))
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
    fn many_that_occur_again_are_all_named() {
        let lines: String = (0..300).map(|number| format!("d{number}\t0\t1\tQ1\n")).collect();
        let found = said(&[("a", &lines), ("b", &lines)], true);
        assert_eq!(found.lines().count(), 300);
        assert_eq!(found.lines().nth(1), Some("b:2:1: document `d1` occurs twice, first in a"));
        assert_eq!(found.lines().last(), Some("b: document `d299` occurs twice, first in a"));
    }
}
