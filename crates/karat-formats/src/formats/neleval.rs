//! neleval / TAC TSV: one annotation per line, the interchange format of TAC KBP.

mod read;
mod write;

use crate::block::{at_line_ends, in_blocks};
use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::problem::Problem;
use crate::reading::Reading;
use crate::source::Source;
use karat_model::{Corpus, Features, Repeated, Restriction};

/// The format.
#[derive(Debug)]
pub(crate) struct Neleval;

static INFO: Info = Info {
    name: "neleval",
    title: "neleval / TAC TSV",
    about: "`doc  start  end  [id  [score  [type  [id  score  type] ...]]]`, separated by tabs, one mention per line, \
            end offset inclusive, in whatever unit the files agree on. An id that begins with NIL is NIL and the rest \
            of it names the cluster; no id at all is a mention without an answer. Several candidates are ranked by \
            score and the best is the answer. A type that begins with { is a JSON object of attributes.",
    reference: "neleval 3.1, neleval/doc/formats.rst",
    extensions: &["tsv", "tab"],
    offsets: Offsets::INCLUSIVE,
    writes: Some(Layout::File),
    needs_text: false,
    keeps: Restriction {
        // A mention without an answer has no room for a type or score, so one that has any is
        // written as NIL, which is how most conventions count it.
        features: Features::NIL
            .union(Features::BARE_UNLINKED)
            .union(Features::NIL_CLUSTERS)
            .union(Features::CONFIDENCE)
            .union(Features::CANDIDATES)
            .union(Features::CANDIDATE_SCORES)
            .union(Features::CANDIDATE_TYPES)
            .union(Features::TYPE)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS),
        document_attributes: &[],
        // Names and ids of other formats would make each type column different.
        annotation_attributes: &[
            "*",
            "!id",
            "!name",
            "!surface",
            "!comment",
            "!recognized_by",
            "!linked_by",
        ],
    },
};

impl Format for Neleval {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let fits = |line: &&str| {
            let mut fields = line.split('\t');
            let name = fields.next().is_some_and(|name| !name.is_empty());
            let mut number = || fields.next()?.parse::<u32>().ok();
            let span = (number(), number());
            // A fraction is no id: tables of scores have the same shape.
            let fraction =
                fields.next().is_some_and(|id| id.contains('.') && id.parse::<f64>().is_ok());
            name && !fraction && matches!(span, (Some(start), Some(end)) if start <= end)
        };
        let lines: Vec<&str> = sample.lines().take(20).collect();
        let heading = |line: &&str| !line.contains(|c: char| c.is_ascii_digit());
        if lines.first().is_some_and(heading) && lines.len() > 1 {
            return 0;
        }
        match lines.iter().copied().filter(|line| fits(line)).count() {
            0 => 0,
            all if all == lines.len() => 60,
            // A few bad lines deserve to be named, not the whole file.
            most if most * 2 >= lines.len() => 30,
            _ => 0,
        }
    }

    fn lines_are_records(&self) -> bool {
        true
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let end = reading.end(INFO.offsets).end;
        for file in files {
            in_blocks(file, at_line_ends, Repeated::Merge, reading, |text, reading| {
                read::read_block(text, end, reading)
            })?;
        }
        Ok(())
    }

    fn files_stand_alone(&self) -> bool {
        true
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        output.single(|out| {
            for document in corpus.documents() {
                write::check_name(document.name(), document.name(), "document id")?;
                for mention in document.mentions() {
                    write::write_line(out, &mention)?;
                }
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, ReadOptions, Registry};
    use karat_model::{Link, Span};

    fn read(content: &str) -> Result<Corpus, Problem> {
        read_with(content, &ReadOptions::default())
    }

    fn read_with(content: &str, options: &ReadOptions) -> Result<Corpus, Problem> {
        let registry = Registry::new(&[&Neleval]);
        let input = Input::from(Source::memory("m.tsv", content));
        registry.read(&input, Some("neleval"), options).map(|outcome| outcome.corpus)
    }

    #[test]
    fn the_best_candidate_is_the_answer() {
        let corpus = read("d x\t3\t5\tQ1\t0.25\tPER\tQ2\t0.5\tLOC\tNIL7\t\tORG\n").unwrap();
        let mention = corpus.document("d x").unwrap().mentions().next().unwrap();
        assert_eq!(mention.span(), Span::new(3, 6), "the end is inclusive");
        assert_eq!(mention.entity(), Some("Q2"));
        assert_eq!(mention.confidence(), Some(0.5));
        assert_eq!(mention.types().collect::<Vec<_>>(), ["LOC"]);
        let order: Vec<_> = mention.candidates().map(|c| c.entity.or(c.nil_cluster)).collect();
        assert_eq!(order, [Some("Q2"), Some("Q1"), Some("7")]);
    }

    #[test]
    fn nil_and_no_answer_are_told_apart() {
        let corpus = read("d\t0\t1\nd\t2\t3\tNIL\nd\t4\t5\tNIL0042\t1.0\n").unwrap();
        let links: Vec<_> = corpus.annotations().iter().map(|a| a.link).collect();
        assert!(links[0].is_none() && links[1] == Link::NIL);
        let clusters: Vec<_> =
            corpus.documents().next().unwrap().mentions().map(|m| m.nil_cluster()).collect();
        assert_eq!(clusters, [None, None, Some("0042")]);
    }

    #[test]
    fn no_answer_is_written_as_it_was_read() {
        let registry = Registry::new(&[&Neleval]);
        let lines = "d\t0\t1\nd\t2\t3\tNIL\nd\t4\t5\tNIL0042\t1.0\n";
        let mut output = Output::memory(Layout::File);
        let loss = registry.write(&read(lines).unwrap(), &Neleval, &mut output).unwrap();
        let sources = output.into_sources();
        assert_eq!(sources[0].text().unwrap().as_str(), lines);
        assert!(loss.is_empty());
    }

    #[test]
    fn attributes_come_as_json() {
        let corpus = read("d\t0\t1\tQ1\t1.0\t{\"type\":\"PER\",\"reftype\":\"NOM\"}\n").unwrap();
        let mention = corpus.documents().next().unwrap().mentions().next().unwrap();
        assert_eq!(mention.types().next(), Some("PER"));
        assert_eq!(mention.attribute("reftype"), Some("NOM"));
        assert_eq!(mention.candidates().len(), 0, "a single candidate is the answer");
    }

    #[test]
    fn bad_lines_are_located() {
        const CANDIDATES: &str = "expected `id  score  type`, repeated for each candidate";
        let cases = [
            ("d\t0\t1\nd\tx\t3\n", 2, 3, "expected a whole number, found `x`"),
            ("d\t0\t99999999999\n", 1, 5, "the offset 99999999999 is beyond any text"),
            ("d 0 1\n", 1, 1, "expected `doc  start  end  ...` separated by tabs, found 1 column"),
            ("d\t5\t2\tQ1\n", 1, 5, "the mention ends at 2, before it starts at 5"),
            ("d\t0\t1\tQ1\thigh\n", 1, 10, "expected a finite number, found `high`"),
            (
                "d\t0\t1\tQ1\t1\tPER\tQ2\t-inf\tPER\n",
                1,
                19,
                "expected a finite number, found `-inf`",
            ),
            ("d\t0\t1\tQ1\t1\t{\"a\":b}\n", 1, 12, "expected a JSON object of attributes"),
            ("d\t7\t9\tQ1\t0.1\tA\tQ2\n", 1, 7, CANDIDATES),
            ("d\t7\t9\tQ1\t0.1\tA\tQ2\t0.2\n", 1, 7, CANDIDATES),
            ("d\t7\t9\tQ1\t0.1\t{}\tQ2\t0.2\n", 1, 7, CANDIDATES),
            ("d\t0\t1\n\nd\t2\t3\n", 2, 1, "a blank line"),
        ];
        for (content, line, column, message) in cases {
            let problem = read(content).unwrap_err();
            let place = problem.place.unwrap();
            assert_eq!(
                (place.line, place.column, problem.message.as_str()),
                (line, column, message)
            );
            assert!(problem.hint.is_some());
        }
    }

    #[test]
    fn usual_and_unusual_lines_are_read_alike() {
        // The same in words that are taken apart at once and in words that are not.
        let lines = [
            ("d\t0\t1\tQ1\t0.5\tPER", "d\t0000000000\t1\tQ1\t5e-1\tPER"),
            (
                "d\t0\t1\tNIL7\t1\tPER\tQ1\t2\tLOC",
                "d\t0\t1\tNIL7\t1\tPER\tQ1\t2\t{\"type\":\"LOC\"}",
            ),
            ("d\t0\t1\tNIL\t\t\tQ1\t2\t", "d\t0\t1\tNIL\t\t\tQ1\t2\t\t\t\t\t"),
            ("d\t0\t1", "d\t0\t1\t\t\t"),
            ("d\t0\t1\tNIL0042\t0.25\tPERSONALITY", "d\t0\t1\tNIL0042\t0.25\tPERSONALITY\r"),
            ("d\t0\t1\thttp://example.org/Q1", "d\t0\t1\thttp://example.org/Q1\t\t\t"),
        ];
        let repeated = |line: &str| format!("{line}\n").repeat(200);
        let usual: String = lines.iter().map(|(usual, _)| repeated(usual)).collect();
        let unusual: String = lines.iter().map(|(_, unusual)| repeated(unusual)).collect();
        let (usual, unusual) = (read(&usual).unwrap(), read(&unusual).unwrap());
        assert_eq!(usual.difference(&unusual), None);
        assert!(usual.strings().iter().eq(unusual.strings().iter()), "the order of strings");
        assert_eq!(usual.annotations().len(), 1200);
    }

    #[test]
    fn threads_do_not_change_the_order_of_anything() {
        // Usual and unusual lines of documents with short and long names, which come again.
        let line = |number: usize| {
            let step = number * 7919 % 1009;
            let name = ["d", "e", "a document with a long name "][step % 3];
            let kind = ["PER", "", "{\"type\":\"LOC\",\"k\":\"v\"}"][step % 7 % 3];
            let id = ["Q", "NIL", "http://example.org/a/long/id/"][step % 5 % 3];
            let end = ["", "\r", "\t"][(step % 11).saturating_sub(8)];
            format!(
                "{name}{}\t{number}\t{number}\t{id}{}\t0.5\t{kind}{end}\n",
                number / 40 % 50,
                step * step
            )
        };
        let content: String = (0..40_000).map(line).collect();
        let read = |threads: usize| {
            let options = ReadOptions { threads, lenient: true, ..ReadOptions::default() };
            read_with(&content, &options).unwrap()
        };
        let one = read(1);
        assert!(content.len() > 6 << 18, "several blocks");
        assert!(one.annotations().len() > 30_000);
        for threads in [2, 3, 5, 2, 3, 5] {
            let several = read(threads);
            assert_eq!(one.difference(&several), None, "{threads} threads");
            assert!(one.strings().iter().eq(several.strings().iter()), "{threads} threads");
            let order = |corpus: &Corpus| -> Vec<Span> {
                corpus.annotations().iter().map(|annotation| annotation.span).collect()
            };
            assert!(order(&one) == order(&several), "{threads} threads");
        }
    }

    #[test]
    fn documents_that_come_again_go_on() {
        let corpus = read("a\t0\t1\tQ1\nb\t0\t1\tQ2\na\t2\t3\tQ3\nab\t0\t1\tQ4").unwrap();
        let names: Vec<_> = corpus.documents().map(|d| (d.name(), d.mentions().len())).collect();
        assert_eq!(names, [("a", 2), ("b", 1), ("ab", 1)]);
    }

    #[test]
    fn a_lenient_reading_goes_on_after_lines_that_are_not_utf8() {
        let content: &[u8] = b"d\t0\t5\tQ1\xe9\nd\t6\t8\tQ2\nd\tx\t3\n\xff\nd\t9\t9\tQ3\n";
        let input = Input::from(Source::memory("m.tsv", content));
        let registry = Registry::new(&[&Neleval]);
        let options = ReadOptions { lenient: true, ..ReadOptions::default() };
        let outcome = registry.read(&input, None, &options).unwrap();
        assert_eq!(outcome.corpus.annotations().len(), 2);
        let skipped = outcome.findings.skipped().iter();
        let mut lines: Vec<_> = skipped.map(|p| (p.place.as_ref().unwrap().line, p.kind)).collect();
        lines.sort();
        assert_eq!(lines, [(1, Kind::Encoding), (3, Kind::Malformed), (4, Kind::Encoding)]);
        assert_eq!(
            registry.read(&input, None, &ReadOptions::default()).unwrap_err().kind,
            Kind::Encoding
        );
    }

    #[test]
    fn a_lenient_reading_goes_on() {
        let options = ReadOptions { lenient: true, ..ReadOptions::default() };
        let corpus = read_with("d\tx\t3\nd\t0\t1\tQ1\nshort\n", &options).unwrap();
        assert_eq!(corpus.annotations().len(), 1);
    }
}
