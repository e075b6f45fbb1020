//! ERD 2014, short track: rows of entities in queries, beside a file of the queries.

use crate::anchor::Here;
use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::placing::given_documents::Given;
use crate::placing::moved::Searched;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::nil::NilWords;
use karat_model::{Features, Hint, Link, Restriction, Span, TextIndex};
use std::collections::HashMap;

/// The format.
#[derive(Debug)]
pub(crate) struct Erd;

const HINT: &str =
    "a row is `query id`, number of the interpretation, entity, mention and score, between tabs";
const COLUMNS: usize = 5;

static INFO: Info = Info {
    name: "erd",
    title: "ERD 2014 (queries)",
    about: "Rows `query id`, interpretation, entity, mention, score. There are no offsets: a mention is looked for in its query, which comes from the file next door \
            whose name has `query` for `annotation`, or from `documents`; one that is not there is the whole query, and is counted. The first interpretation of \
            a mention is the link, and the entities of others are equivalents, as any of them was accepted. Queries without annotations are documents too.",
    reference: "Entity Recognition and Disambiguation Challenge, Carmel et al. 2014; marcocor/bat-framework",
    extensions: &["annotation.txt"],
    offsets: Offsets::CODE_POINTS,
    writes: None,
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::CONFIDENCE)
            .union(Features::EQUIVALENTS)
            .union(Features::OVERLAPS),
        document_attributes: &[],
        annotation_attributes: &[],
    },
};

impl Format for Erd {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn nil_words(&self) -> NilWords {
        // Links are titles.
        NilWords::NoTitles
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let text = Text::new(sample.name, sample.text);
        let rows = sample.lines().filter(|line| !line.trim().is_empty()).take(50);
        // An entity that is a number would be the end of a mention of neleval's.
        let is_ours = |line: &str| {
            Row::parse(&text, line).is_ok_and(|row| row.entity.parse::<f64>().is_err())
        };
        let (mut all, mut any) = (true, false);
        rows.for_each(|line| (all, any) = (all && is_ours(line), true));
        if all && any { 70 } else { 0 }
    }

    fn read(
        &self,
        files: &[Source],
        input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let given = Given::new(reading.options);
        for file in files {
            read_queries(file, input, reading)?;
            let text = file.text()?;
            read_rows(&text, &given, reading)?;
        }
        Ok(())
    }
}

/// The documents of the file of queries next door.
fn read_queries(file: &Source, input: &Input, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let name = file.file_name().replace("annotation", "query");
    let found = if name == file.file_name() { None } else { input.companion(file, &name, &[]) };
    let Some(queries) = found else { return Ok(()) };
    reading.findings.note_use(queries.name());
    let text = queries.text()?;
    for line in text.as_str().lines().filter(|line| !line.trim().is_empty()) {
        let here = Here::of(&text, line);
        let Some((id, query)) = line.split_once('\t') else {
            let problem = here.problem(Kind::Malformed, "expected a query id, a tab and the query");
            reading.report(problem.hint("both stand in one row of the file of queries"))?;
            continue;
        };
        reading.begin_document(here, id.trim(), query.trim_end())?;
    }
    Ok(())
}

struct Row<'t> {
    query: &'t str,
    entity: &'t str,
    mention: &'t str,
    score: f64,
}

impl<'t> Row<'t> {
    fn parse(text: &Text<'_>, line: &'t str) -> Result<Row<'t>, Problem> {
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        let &[query, number, entity, mention, score] = cells.as_slice() else {
            let message = format!("expected {COLUMNS} columns, found {}", cells.len());
            return Err(text.problem_at(Kind::Malformed, line, message).hint(HINT));
        };
        let bad = |cell: &str, what: &str| {
            let message = format!("expected {what}, found `{cell}`");
            text.problem_at(Kind::Malformed, cell, message).hint(HINT)
        };
        if number.parse::<u32>().is_err() {
            return Err(bad(number, "the number of an interpretation"));
        }
        if entity.is_empty() || mention.is_empty() {
            return Err(bad(line, "an entity and a mention"));
        }
        let parsed = score.parse::<f64>().ok().filter(|score| score.is_finite());
        let score = parsed.ok_or_else(|| bad(score, "a score"))?;
        Ok(Row { query, entity, mention, score })
    }
}

fn read_rows(text: &Text<'_>, given: &Given<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let mut by_query: Vec<(&str, Vec<(&str, Row<'_>)>)> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for line in text.as_str().lines().filter(|line| !line.trim().is_empty()) {
        let Some(row) = reading.accept(Row::parse(text, line))? else { continue };
        let at = *known.entry(row.query).or_insert(by_query.len());
        if at == by_query.len() {
            by_query.push((row.query, Vec::new()));
        }
        by_query[at].1.push((line, row));
    }
    for (query, rows) in by_query {
        let here = Here::of(text, rows.first().map_or("", |(line, _)| line));
        reading.names(query, |kind, message| here.problem(kind, message));
        let before = reading.corpus.len();
        reading.corpus.continue_document(query);
        if reading.corpus.len() > before
            && let Some(content) = given.text_of(query)
        {
            reading.corpus.set_text(content);
        }
        let Some(content) = reading.corpus.text().map(str::to_owned) else {
            let message = format!("the text of the query `{query}` is not known");
            let problem = here.problem(Kind::UnknownDocument, message);
            reading.report(problem.hint(Hint::template(
                "put the file of queries beside it, called as this file with `query` for `annotation`, or give the queries with {documents}",
            )))?;
            continue;
        };
        add(text, &rows, &TextIndex::new(&content), reading);
    }
    Ok(())
}

/// Adds the rows of one query.
fn add(
    text: &Text<'_>,
    rows: &[(&str, Row<'_>)],
    index: &TextIndex<'_>,
    reading: &mut Reading<'_>,
) {
    let mut searched = Searched::new(index);
    // The entities of a mention, in the order of its interpretations.
    let mut mentions: Vec<(Span, Vec<&str>, f64)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (line, row) in rows {
        if let Some(&at) = places.get(row.mention) {
            if !mentions[at].1.contains(&row.entity) {
                mentions[at].1.push(row.entity);
            }
            continue;
        }
        let span = searched.nearest_spelled(row.mention, 0).unwrap_or_else(|| {
            let message =
                format!("`{}` is not in its query; the whole query is taken", row.mention);
            let whole = Span::new(0, index.len());
            let problem = text.problem_at(Kind::Alignment, line, message);
            reading.repaired(problem.about(Some(row.query), Some(whole)));
            whole
        });
        places.insert(row.mention, mentions.len());
        mentions.push((span, vec![row.entity], row.score));
    }
    for (span, entities, score) in mentions {
        let link = Link::to(reading.corpus.intern(entities[0]));
        let mut annotation = reading.corpus.annotate(span, link).confidence(score);
        for other in &entities[1..] {
            annotation = annotation.equivalent(other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, ReadOutcome, testing};

    const QUERIES: &str =
        "\nT-1\t😀 é𝄞 east ridge in ohio\nT-2\tnothing here\nT-3\tthe ohio state\n";
    const ROWS: &str = "T-1\t0\tEast_Ridge_(Ohio)\teast ridge\t1\nT-1\t1\tEast_Ridge\teast ridge\t1\nT-1\t0\tOhio\tOhio\t0.5\nT-3\t0\tOhio\tstate of ohio\t1\n";

    fn read(rows: &str, options: &ReadOptions) -> Result<ReadOutcome, Problem> {
        let files = [("a/b.annotation.txt", rows), ("a/b.query.txt", QUERIES)];
        testing::read_as(&Erd, &files[..1], options)?;
        testing::read(&Erd, &files, options)
    }

    #[test]
    fn mentions_are_found_in_their_queries() {
        let files = [("a/b.annotation.txt", ROWS), ("a/b.query.txt", QUERIES)];
        let outcome = testing::read(&Erd, &files, &ReadOptions::default()).unwrap();
        assert_eq!((outcome.corpus.len(), outcome.ignored.len()), (3, 0));
        let found: Vec<_> = outcome
            .corpus
            .documents()
            .flat_map(|document| document.mentions().collect::<Vec<_>>())
            .map(|m| {
                let others: Vec<_> = m.equivalents().collect();
                (m.surface().unwrap(), m.entity().unwrap(), others, m.confidence())
            })
            .collect();
        assert_eq!(
            found,
            [
                ("east ridge", "East_Ridge_(Ohio)", vec!["East_Ridge"], Some(1.0)),
                ("ohio", "Ohio", vec![], Some(0.5)),
                ("the ohio state", "Ohio", vec![], Some(1.0)),
            ]
        );
        assert_eq!(outcome.findings.repaired().len(), 1, "a mention that is not there");
    }

    #[test]
    fn queries_may_be_given() {
        let options = testing::given(&[("T-1", "east ridge"), ("T-3", "ohio")]);
        assert_eq!(read(ROWS, &options).unwrap().corpus.len(), 3);
        let problem = read(ROWS, &ReadOptions::default()).unwrap_err();
        assert_eq!(problem.message, "the text of the query `T-1` is not known");
    }

    #[test]
    fn bad_rows_are_located() {
        let options = testing::given(&[("T-1", "east ridge ohio"), ("T-3", "ohio")]);
        for (row, message, column) in [
            ("T-1\t0\tA\ta", "expected 5 columns, found 4", 1),
            ("T-1\tx\tA\ta\t1", "expected the number of an interpretation, found `x`", 5),
            ("T-1\t0\tA\ta\tx", "expected a score, found `x`", 11),
        ] {
            let content = format!("{ROWS}{row}\n");
            let problem = read(&content, &options).unwrap_err();
            let place = problem.place.unwrap();
            assert_eq!((problem.message.as_str(), place.line, place.column), (message, 5, column));
            let lenient = ReadOptions { lenient: true, ..options.clone() };
            let files = [("b.annotation.txt", content.as_str())];
            let outcome = testing::read_as(&Erd, &files, &lenient).unwrap();
            assert_eq!(outcome.findings.skipped().len(), 1);
        }
    }
}
