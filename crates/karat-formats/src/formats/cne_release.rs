//! The release format of conll03_nel_eval: AIDA annotations without their text.

use crate::block::{at_line_ends, in_blocks};
use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::registry::SAMPLE;
use crate::source::{Source, Text};
use crate::syntax::columns::{self, check_column};
use karat_model::{Corpus, End, Features, Hint, Link, Mention, Repeated, Restriction, Span};
use std::io::{self, Write};

/// The format.
#[derive(Debug)]
pub(crate) struct CneRelease;

static INFO: Info = Info {
    name: "cne-release",
    title: "conll03_nel_eval release TSV",
    about: "`doc  start  end  link  [score]`, separated by tabs, one mention per line: what is left of an AIDA-CoNLL file \
            when its licensed text is taken out. Offsets count tokens of the document and the end is exclusive, unlike in \
            neleval's TSV, which looks the same otherwise; an empty link is NIL. Written offsets are those of the corpus: \
            tokens where it was read from such a file, code points where it has text. What could then be taken for neleval's TSV is written only \
            under a name that ends in `.release.tsv` or `.unstitched.tsv`.",
    reference: "wikilinks/conll03_nel_eval, `unstitch`",
    extensions: &["unstitched.tsv", "release.tsv"],
    offsets: Offsets::TOKENS,
    writes: Some(Layout::File),
    needs_text: false,
    keeps: Restriction {
        features: Features::NIL
            .union(Features::CONFIDENCE)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS),
        document_attributes: &[],
        annotation_attributes: &[],
    },
};

impl Format for CneRelease {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let (mut lines, mut single, mut nil, mut nil_scored, mut all_scored) =
            (0, 0, false, false, true);
        for line in sample.lines().filter(|line| !line.is_empty()) {
            let Ok(row) = Row::parse(line, End::Exclusive) else { return 0 };
            // The end is exclusive, so a mention of no tokens shows another format.
            if row.span.is_empty() {
                return 0;
            }
            lines += 1;
            single += usize::from(row.span.len() == 1);
            nil |= row.link.is_empty();
            nil_scored |= row.link.is_empty() && row.score.is_some();
            all_scored &= row.columns == 5;
        }
        // neleval's lines may have empty links, but then no score. Where that does not decide,
        // characters are told from tokens by mentions of one.
        let by_length = (all_scored || nil) && single * 3 >= lines;
        let by_name = INFO.extensions.iter().any(|extension| sample.has_extension(extension));
        if lines > 0 && (nil_scored || by_length || by_name) { 80 } else { 0 }
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
                for line in text.as_str().lines().filter(|line| !line.is_empty()) {
                    let row = Row::parse(line, end).map_err(|fault| fault.problem(text, line));
                    if let Some(row) = reading.accept(row)? {
                        let name = row.document;
                        reading.names(name, |kind, message| text.problem_at(kind, name, message));
                        row.add(reading);
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn files_stand_alone(&self) -> bool {
        true
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        let mut lines = Vec::new();
        let mut mentions = corpus.documents().flat_map(|document| document.mentions());
        mentions.try_for_each(|mention| write_line(&mut lines, &mention))?;
        if let Some(name) = output.file_name() {
            check_is_recognised(name, &lines)?;
        }
        output.single(|out| Ok(out.write_all(&lines)?))
    }
}

/// Read as neleval's TSV, every mention would be longer by one: a file must be told apart from it
/// by what is in it, or by its name.
fn check_is_recognised(name: &str, lines: &[u8]) -> Result<(), WriteError> {
    let bytes = &lines[..lines.len().min(SAMPLE as usize)];
    let text = String::from_utf8_lossy(bytes);
    let sample = Sample { name, bytes, text: &text, complete: bytes.len() == lines.len() };
    if lines.is_empty() || CneRelease.detect(&sample) > 0 {
        return Ok(());
    }
    let message = format!(
        "under this name it would be read as neleval's TSV, whose end offsets are inclusive; a name that ends in `.{}` tells them apart",
        INFO.extensions.join("` or `.")
    );
    Err(io::Error::new(io::ErrorKind::InvalidInput, message).into())
}

/// One line.
struct Row<'t> {
    document: &'t str,
    span: Span,
    link: &'t str,
    score: Option<f64>,
    columns: usize,
}

/// What is wrong with a line, and at which field.
enum Fault<'t> {
    Columns(usize),
    Offset(&'t str),
    Reversed(&'t str, Span),
    Score(&'t str),
}

impl<'t> Row<'t> {
    fn parse(line: &'t str, end: End) -> Result<Row<'t>, Fault<'t>> {
        let mut fields = line.split('\t');
        let columns = line.bytes().filter(|&byte| byte == b'\t').count() + 1;
        let mut next = || fields.next().ok_or(Fault::Columns(columns));
        let (document, start_field, end_field, link) = (next()?, next()?, next()?, next()?);
        let score_field = fields.next().unwrap_or_default();
        if document.is_empty() || columns > 5 {
            return Err(Fault::Columns(columns));
        }
        let start = start_field.parse().map_err(|_| Fault::Offset(start_field))?;
        let stop: u32 = end_field.parse().map_err(|_| Fault::Offset(end_field))?;
        let exclusive = match end {
            End::Exclusive => stop,
            End::Inclusive => stop.checked_add(1).ok_or(Fault::Offset(end_field))?,
        };
        if exclusive < start {
            return Err(Fault::Reversed(end_field, Span::new(start, stop)));
        }
        let score = match score_field.parse::<f64>() {
            Ok(score) if !score.is_nan() => Some(score),
            _ if score_field.is_empty() => None,
            _ => return Err(Fault::Score(score_field)),
        };
        Ok(Row { document, span: Span::new(start, exclusive), link, score, columns })
    }

    fn add(&self, reading: &mut Reading<'_>) {
        let corpus = &mut reading.corpus;
        corpus.continue_document(self.document);
        let link = match self.link {
            "" => Link::NIL,
            entity => Link::to(corpus.intern(entity)),
        };
        corpus.annotate(self.span, link).confidence(self.score.unwrap_or(f64::NAN));
    }
}

impl Fault<'_> {
    fn problem(&self, text: &Text<'_>, line: &str) -> Problem {
        match *self {
            Fault::Columns(columns) => {
                let message = format!(
                    "expected `doc  start  end  link  [score]` separated by tabs, found {columns} column{}",
                    if columns == 1 { "" } else { "s" }
                );
                text.problem_at(Kind::Malformed, line, message)
                    .hint(Hint::template("a NIL mention has an empty link, but its tab is there; {from=neleval} reads neleval's TSV"))
            }
            Fault::Offset(field) => {
                let message = format!("expected a whole number, found `{field}`");
                text.problem_at(Kind::Malformed, field, message).hint(
                    "the second and third column are the first token and the one after the last",
                )
            }
            Fault::Reversed(field, Span { start, end }) => {
                let message = format!("the mention ends at {end}, before it starts at {start}");
                text.problem_at(Kind::Offset, field, message)
                    .hint(Hint::template("the end offset is exclusive; say {end=inclusive} if the file counts differently"))
            }
            Fault::Score(field) => {
                let message = format!("expected a score, found `{field}`");
                text.problem_at(Kind::Malformed, field, message)
                    .hint("the fifth column is a number or empty")
            }
        }
    }
}

fn write_line(out: &mut dyn Write, mention: &Mention<'_>) -> Result<(), WriteError> {
    let document = mention.document().name();
    let link = mention.entity().unwrap_or_default();
    check_column(document, document, "document id")?;
    check_column(document, link, "entity")?;
    let score = columns::score(mention.confidence());
    let Span { start, end } = mention.span();
    Ok(writeln!(out, "{document}\t{start}\t{end}\t{link}\t{score}")?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, testing};

    fn read_with(content: &str, options: &ReadOptions) -> Result<Corpus, Problem> {
        testing::read_as(&CneRelease, &[("m.tsv", content)], options).map(|outcome| outcome.corpus)
    }

    fn score_of(content: &str) -> u8 {
        testing::score(&CneRelease, "m.tsv", content)
    }

    #[test]
    fn the_end_is_exclusive_and_an_empty_link_is_nil() {
        let content = "1 EU\t0\t2\tThe_Cat\t0.5\n1 EU\t3\t4\t\t\n1 EU\t5\t6\tX\n";
        let corpus = read_with(content, &ReadOptions::default()).unwrap();
        let mentions: Vec<_> = corpus.document("1 EU").unwrap().mentions().collect();
        assert_eq!(mentions[0].span(), Span::new(0, 2));
        assert_eq!((mentions[0].entity(), mentions[0].confidence()), (Some("The_Cat"), Some(0.5)));
        assert_eq!((mentions[1].link(), mentions[1].confidence()), (Link::NIL, None));
        assert_eq!(mentions[2].entity(), Some("X"), "the score may be missing");
    }

    #[test]
    fn it_is_told_apart_from_neleval() {
        assert_eq!(score_of("d\t0\t2\t\t\nd\t7\t8\tParis\t\n"), 80, "an empty link");
        assert_eq!(score_of("d\t0\t2\tQ1\t1.0\nd\t7\t8\tParis\t1.0\n"), 80, "ends are exclusive");
        assert_eq!(score_of("d\t0\t2\tQ1\t1.0\nd\t7\t7\tParis\t1.0\n"), 0, "ends are inclusive");
        assert_eq!(score_of("d\t0\t2\tQ1\nd\t7\t8\tParis\n"), 0, "no evidence");
        assert_eq!(score_of("d\t10\t12\tQ1\t1.0\nd\t17\t28\tParis\t1.0\n"), 0, "characters");
        assert_eq!(score_of("d\t2\t7\tQ1\t0.5\nd\t9\t15\t\t\n"), 0, "characters, one without link");
        assert_eq!(score_of("d\t2\t7\tQ1\t0.5\nd\t9\t15\t\t0.5\n"), 80, "no link, but a score");
        let named = |content| testing::score(&CneRelease, "m.release.tsv.gz", content);
        assert_eq!(named("d\t0\t2\tQ1\nd\t7\t8\tParis\n"), 80, "the name breaks the tie");
        assert_eq!(named("d\t0\t2\tQ1\nd\t7\t7\tParis\n"), 0, "but ends are inclusive");
        assert_eq!(score_of("d\t0\t2\tQ1\t1.0\tPER\n"), 0, "six columns");
        assert_eq!(score_of(""), 0);
    }

    #[test]
    fn a_file_that_would_be_read_as_neleval_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let corpus = |links: &str| read_with(links, &ReadOptions::default()).unwrap();
        let write = |name: &str, links: &str| {
            let path = folder.path().join(name).display().to_string();
            crate::Registry::new(&[&CneRelease]).write_to(&corpus(links), &CneRelease, &path)
        };
        let characters = "d\t2\t7\tQ1\t0.5\nd\t9\t15\tQ2\t0.5\n";
        let error = write("a.tsv", characters).unwrap_err().to_string();
        assert!(error.starts_with("under this name it would be read as neleval's TSV"), "{error}");
        assert!(!folder.path().join("a.tsv").exists());
        assert!(write("a.release.tsv", characters).is_ok());
        assert!(write("b.tsv", "d\t0\t2\tQ1\t1.0\nd\t7\t8\tParis\t1.0\n").is_ok(), "tokens");
    }

    #[test]
    fn bad_lines_are_located() {
        let cases = [
            (
                "d\t0\t1\n",
                1,
                1,
                "expected `doc  start  end  link  [score]` separated by tabs, found 3 columns",
            ),
            ("d\t0\t1\tQ\nd\tx\t3\tQ\n", 2, 3, "expected a whole number, found `x`"),
            ("d\t5\t2\tQ1\n", 1, 5, "the mention ends at 2, before it starts at 5"),
            ("d\t0\t1\tQ1\thigh\n", 1, 10, "expected a score, found `high`"),
        ];
        for (content, line, column, message) in cases {
            let problem = read_with(content, &ReadOptions::default()).unwrap_err();
            let place = problem.place.unwrap();
            let found = (place.line, place.column, problem.message.as_str());
            assert_eq!(found, (line, column, message));
            assert!(problem.hint.is_some());
            let lenient = testing::lenient();
            assert!(read_with(content, &lenient).is_ok());
        }
    }
}
