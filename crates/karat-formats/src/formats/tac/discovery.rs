//! TAC KBP entity discovery and linking, 2015 and later: one table.

use crate::format::{Adapted, Format, Info, Layout, Offsets, Sample, WriteError};
use crate::formats::tac::ranked::{self, Answer, MentionIds};
use crate::input::Input;
use crate::output::Output;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::repeated::absorb;
use crate::source::{Source, Text};
use crate::syntax::columns::{check_column, is_plain};
use karat_model::{Corpus, End, Features, Hint, Mention, Restriction, Span, attribute};
use std::collections::HashMap;
use std::io::Write;

/// The format.
#[derive(Debug)]
pub(crate) struct Tac15;

static INFO: Info = Info {
    name: "tac15",
    title: "TAC KBP entity discovery and linking 2015-2017",
    about: "`run  mention-id  text  doc:start-end  kb-or-NIL-id  entity-type  mention-type  confidence`, separated by tabs, \
            end offset inclusive; further columns are left out. Lines with the same place are candidates for one mention, \
            however the place is spelled (`D: 1 - 2` is `D:1-2`), and the most confident is the answer. \
            The mention type (NAM, NOM) is kept as an attribute; `NA` is no type.",
    reference: "TAC KBP 2015 EDL; neleval, `prepare-tac15`",
    extensions: &["tac15.tab"],
    offsets: Offsets::INCLUSIVE,
    writes: Some(Layout::File),
    needs_text: false,
    keeps: Restriction {
        features: Features::NIL
            .union(Features::NIL_CLUSTERS)
            .union(Features::CONFIDENCE)
            .union(Features::CANDIDATES)
            .union(Features::CANDIDATE_SCORES)
            .union(Features::CANDIDATE_TYPES)
            .union(Features::TYPE)
            .union(Features::OVERLAPS),
        document_attributes: &[],
        annotation_attributes: &[RUN, attribute::ID, attribute::SURFACE, MENTION_TYPE],
    },
};

/// The run of a system that an annotation comes from.
const RUN: &str = "run";
/// Whether a mention is a name (NAM) or a nominal (NOM).
const MENTION_TYPE: &str = "mention_type";
/// What stands in columns that must not be empty for other tools.
const NO_RUN: &str = "karat";
const NO_MENTION_TYPE: &str = "NA";

impl Format for Tac15 {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let mut lines = sample.lines().filter(|line| !line.trim().is_empty()).take(50).peekable();
        let fits = |line: &str| {
            line.split('\t').count() >= COLUMNS
                && line.split('\t').nth(3).is_some_and(|place| parse_place(place).is_some())
        };
        if lines.peek().is_some() && lines.all(fits) { 90 } else { 0 }
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
        for file in files {
            let mut part = Reading::new(reading.options);
            let result = file.text().and_then(|text| read_file(&text, &mut part));
            reading.findings.merge(part.findings, 0);
            result?;
            let again = |reading: &mut Reading<'_>| read_file(&file.text()?, reading);
            absorb(file, reading, part.corpus.finish(), again)?;
        }
        Ok(())
    }

    fn adapted(&self, corpus: &Corpus) -> Option<Adapted> {
        ranked::with_unique_ids(corpus)
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        output.single(|out| {
            let mut ids = MentionIds::default();
            for mention in corpus.documents().flat_map(|document| document.mentions()) {
                let id = ids.next(&mention, mention.attribute(attribute::ID))?;
                write_mention(out, &id, &mention)?;
            }
            Ok(())
        })
    }
}

const COLUMNS: usize = 8;

/// One line.
struct Row<'t> {
    run: &'t str,
    id: &'t str,
    surface: &'t str,
    document: &'t str,
    span: Span,
    mention_type: &'t str,
    answer: Answer,
}

fn read_file(text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let end = reading.end(INFO.offsets).end;
    let mut mentions: Vec<Vec<Row<'_>>> = Vec::new();
    let mut by_place: HashMap<(&str, Span), usize> = HashMap::new();
    for line in text.as_str().lines().filter(|line| !line.trim().is_empty()) {
        let row = parse(text, line, end, reading);
        let Some(row) = reading.accept(row)? else { continue };
        let position = *by_place.entry((row.document, row.span)).or_insert_with(|| {
            mentions.push(Vec::new());
            mentions.len() - 1
        });
        mentions[position].push(row);
    }
    for mut rows in mentions {
        if let Some(Row { document, .. }) = rows.first() {
            reading.names(document, |kind, message| text.problem_at(kind, document, message));
        }
        rows.sort_by_key(|row| ranked::best_first(row.answer.score));
        let answers: Vec<Answer> = rows.iter().map(|row| row.answer).collect();
        let Some(best) = rows.first() else { continue };
        reading.corpus.continue_document(best.document);
        let given = |value: &'static str, column| if column == value { "" } else { column };
        ranked::annotate(&mut reading.corpus, best.span, &answers)
            .attribute(RUN, given(NO_RUN, best.run))
            .attribute(attribute::ID, if ranked::is_made_up(best.id) { "" } else { best.id })
            .attribute(attribute::SURFACE, best.surface)
            .attribute(MENTION_TYPE, given(NO_MENTION_TYPE, best.mention_type));
    }
    Ok(())
}

fn parse<'t>(
    text: &Text<'_>,
    line: &'t str,
    end: End,
    reading: &mut Reading<'_>,
) -> Result<Row<'t>, Problem> {
    let hint = "a line is `run  mention-id  text  doc:start-end  id  entity-type  mention-type  confidence`, separated by tabs";
    let fields: Vec<&str> = line.split('\t').collect();
    let &[run, id, surface, place, link, kind, mention_type, confidence, ..] = fields.as_slice()
    else {
        let message = format!("expected {COLUMNS} columns, found {}", fields.len());
        return Err(text.problem_at(Kind::Malformed, line, message).hint(hint));
    };
    let malformed = |field: &str, what: &str| {
        let message = format!("expected {what}, found `{field}`");
        text.problem_at(Kind::Malformed, field, message).hint(hint)
    };
    let (document, start, stop) =
        parse_place(place).ok_or_else(|| malformed(place, "`doc:start-end`"))?;
    let exclusive = if end == End::Inclusive { stop.saturating_add(1) } else { stop };
    if exclusive < start {
        let message = format!("the mention ends at {stop}, before it starts at {start}");
        return Err(text.problem_at(Kind::Offset, place, message).hint(Hint::template(
            "the end offset is inclusive; say {end=exclusive} if the file counts differently",
        )));
    }
    if link.is_empty() {
        return Err(malformed(link, "an id or NIL"));
    }
    let score = match confidence.trim().parse::<f64>() {
        Ok(score) if !score.is_nan() => score,
        _ if confidence.is_empty() => f64::NAN,
        _ => return Err(malformed(confidence, "a confidence")),
    };
    let link = ranked::link(&mut reading.corpus, link);
    let kind = ranked::kind(&mut reading.corpus, kind);
    let span = Span::new(start, exclusive);
    Ok(Row { run, id, surface, document, span, mention_type, answer: Answer { link, score, kind } })
}

/// `doc:start-end`, with blanks and a dash instead of the hyphen where people wrote them.
fn parse_place(place: &str) -> Option<(&str, u32, u32)> {
    let (document, offsets) = place.rsplit_once(':')?;
    let (start, end) = offsets.split_once(['-', '–'])?;
    let number = |field: &str| field.trim_matches(' ').parse().ok();
    (!document.is_empty()).then_some((document, number(start)?, number(end)?))
}

fn write_mention(out: &mut dyn Write, id: &str, mention: &Mention<'_>) -> Result<(), WriteError> {
    let document = mention.document().name();
    check_column(document, document, "document id")?;
    let surface = mention.attribute(attribute::SURFACE).unwrap_or_default();
    check_column(document, surface, "mention")?;
    let column = |key, none: &'static str| match mention.attribute(key) {
        None => Ok(none),
        Some(value) if is_plain(value) && value != none => Ok(value),
        Some(value) => Err(WriteError::unrepresentable(
            document,
            format!("the {key} `{}` cannot be written", value.escape_debug()),
        )),
    };
    let (run, mention_type) = (column(RUN, NO_RUN)?, column(MENTION_TYPE, NO_MENTION_TYPE)?);
    // Empty spans are left out by the restriction, so the end is at least 1.
    let (start, last) = (mention.span().start, mention.span().end.saturating_sub(1));
    for answer in ranked::written(mention)? {
        let ranked::Written { id: link, kind, score } = answer;
        writeln!(
            out,
            "{run}\t{id}\t{surface}\t{document}:{start}-{last}\t{link}\t{kind}\t{mention_type}\t{score}"
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, testing};

    fn read_with(content: &str, options: &ReadOptions) -> Result<Corpus, Problem> {
        testing::read_as(&Tac15, &[("m.tab", content)], options).map(|outcome| outcome.corpus)
    }

    #[test]
    fn lines_of_one_place_are_candidates() {
        let content = "run1\tM1\tJürgen 😀\tD:1: 10 - 17\tm.1\tPER\tNAM\t0.25\textra\n\
                       run1\tM3\tChina\tD:1:0-4\tNIL007\tGPE\tNOM\t1.0\n\
                       run1\tM2\tJürgen 😀\tD:1:10–17\tm.2\tORG\tNAM\t0.75\n";
        let corpus = read_with(content, &ReadOptions::default()).unwrap();
        let mentions: Vec<_> = corpus.document("D:1").unwrap().mentions().collect();
        assert_eq!(mentions.len(), 2);
        assert_eq!(mentions[0].span(), Span::new(10, 18), "the end is inclusive");
        assert_eq!((mentions[0].entity(), mentions[0].confidence()), (Some("m.2"), Some(0.75)));
        assert_eq!(mentions[0].types().collect::<Vec<_>>(), ["ORG"]);
        assert_eq!(mentions[0].candidates().len(), 2);
        assert_eq!(mentions[0].surface(), Some("Jürgen 😀"));
        assert_eq!(mentions[0].attribute("id"), Some("M2"));
        assert_eq!(mentions[0].attribute("run"), Some("run1"));
        assert_eq!(mentions[1].nil_cluster(), Some("007"));
        assert_eq!(mentions[1].attribute("mention_type"), Some("NOM"));
    }

    #[test]
    fn ids_that_are_counted_anew_in_each_document_are_made_unique() {
        let mut builder = karat_model::CorpusBuilder::new();
        for name in ["a", "b"] {
            builder.begin_document(name).unwrap();
            builder.annotate(Span::new(0, 1), karat_model::Link::NIL).attribute(attribute::ID, "7");
        }
        let corpus = builder.finish();
        assert!(testing::write(&Tac15, &corpus).is_err(), "a writer changes nothing by itself");
        let adapted = Tac15.adapted(&corpus).unwrap();
        assert_eq!(adapted.documents, 1);
        let written = testing::write(&Tac15, &adapted.corpus).unwrap();
        let ids: Vec<_> = written[0].lines().filter_map(|line| line.split('\t').nth(1)).collect();
        assert_eq!(ids, ["7", "karat_000001"]);
        assert!(Tac15.adapted(&adapted.corpus).is_none());
    }

    #[test]
    fn a_document_of_two_files_is_refused() {
        let line = "r\tM1\tx\tD:0-4\tm.1\tPER\tNAM\t0.5\n";
        let files = [("a.tab", line), ("b.tab", line)];
        let problem = testing::read_as(&Tac15, &files, &ReadOptions::default()).unwrap_err();
        assert_eq!(problem.message, "document `D` occurs twice, first in a.tab");
        let options = ReadOptions { lenient: true, ..ReadOptions::default() };
        let corpus = testing::read_as(&Tac15, &files, &options).unwrap().corpus;
        assert_eq!(corpus.annotations().len(), 1, "the first is kept");
    }

    #[test]
    fn what_was_read_is_written_again() {
        let content =
            "r\tM1\tx\tD:0-4\tm.1\tPER\tNAM\t0.5\nkarat\tkarat_000001\t\tD:6-8\tNIL\tNA\tNA\t\n";
        let corpus = read_with(content, &ReadOptions::default()).unwrap();
        assert_eq!(corpus.document("D").unwrap().mention(1).unwrap().attributes().count(), 0);
        assert_eq!(testing::write(&Tac15, &corpus).unwrap(), [content]);
    }

    #[test]
    fn bad_lines_are_located() {
        let cases = [
            ("a\tb\n", 1, "expected 8 columns, found 2"),
            ("r\ti\tx\tD 0 4\tm\tPER\tNAM\t1\n", 7, "expected `doc:start-end`, found `D 0 4`"),
            ("r\ti\tx\tD:5-2\tm\tPER\tNAM\t1\n", 7, "the mention ends at 2, before it starts at 5"),
            ("r\ti\tx\tD:0-2\t\tPER\tNAM\t1\n", 13, "expected an id or NIL, found ``"),
            ("r\ti\tx\tD:0-2\tm\tPER\tNAM\thigh\n", 23, "expected a confidence, found `high`"),
        ];
        for (content, column, message) in cases {
            let problem = read_with(content, &ReadOptions::default()).unwrap_err();
            let place = problem.place.unwrap();
            let found = (place.line, place.column, problem.message.as_str());
            assert_eq!(found, (1, column, message));
            assert!(problem.hint.is_some());
            let lenient = testing::lenient();
            assert_eq!(read_with(content, &lenient).unwrap().len(), 0);
        }
    }
}
