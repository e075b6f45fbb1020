//! TAC KBP entity linking, 2009 to 2014: queries in XML, their answers in a table.

use crate::format::{Adapted, Format, Info, Layout, Offsets, Sample, WriteError};
use crate::formats::tac::ranked::{self, Answer, MentionIds};
use crate::input::Input;
use crate::output::Output;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::repeated::absorb;
use crate::source::{Source, Text};
use crate::syntax::columns::is_plain;
use karat_model::{Corpus, Features, Mention, Restriction, attribute};
use queries::Query;
use quick_xml::escape::escape;
use std::collections::{HashMap, HashSet};
use std::io::Write;

mod queries;
#[cfg(test)]
mod tests;

/// The format.
#[derive(Debug)]
pub(crate) struct Tac;

static INFO: Info = Info {
    name: "tac",
    title: "TAC KBP entity linking 2009-2014",
    about: "Two files that go together: queries in XML, `<query id><name/><docid/><beg/><end/></query>`, end offset \
            inclusive (exclusive in 2011), and a table `query_id  kb-or-NIL-id  type  [score]`, separated by tabs. The other file is looked for in \
            the input and beside the one given, under the same name or as `queries.xml` and `links.tab`. Several lines for a query are \
            several candidates, the best by score is the answer; `NA` is no type. A line \
            without a score has the score 1, as in neleval; `nan` is no score. Every query needs a line and every line a query.",
    reference: "TAC KBP 2014 entity linking; neleval, `prepare-tac`",
    extensions: &["tac"],
    offsets: Offsets::INCLUSIVE,
    writes: Some(Layout::Directory),
    needs_text: false,
    keeps: Restriction {
        features: Features::NIL
            .union(Features::NIL_CLUSTERS)
            .union(Features::CONFIDENCE)
            .union(Features::CANDIDATES)
            .union(Features::CANDIDATE_SCORES)
            .union(Features::CANDIDATE_TYPES)
            .union(Features::TYPE)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS),
        document_attributes: &[],
        annotation_attributes: &[attribute::ID, attribute::SURFACE],
    },
};

/// The score of an answer whose line has none.
const CERTAIN: f64 = 1.0;
/// A score that says that there is none.
const NO_SCORE: &str = "nan";
const QUERIES: &str = "queries.xml";
const LINKS: &str = "links.tab";
/// The types of TAC, by which a table without a header is recognised.
const TYPES: [&str; 9] = ["PER", "ORG", "GPE", "LOC", "FAC", "UKN", "UNK", "TTL", "NA"];

impl Format for Tac {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        if sample.text.trim_start().starts_with('<') {
            let is_query = sample.text.contains("<query ") && sample.text.contains("<docid>");
            return match () {
                () if sample.text.contains("<kbpentlink") => 95,
                () if is_query => 80,
                () => 0,
            };
        }
        let mut lines = sample.lines().take(200).peekable();
        if lines.next_if(|line| is_header(line)).is_some() {
            return 85;
        }
        let fits = |line: &str| {
            let fields: Vec<&str> = line.split('\t').collect();
            matches!(fields.as_slice(), [id, link, kind, ..] if !id.is_empty() && !link.is_empty() && TYPES.contains(kind))
                && fields.len() <= 6
        };
        if lines.peek().is_some() && lines.all(fits) { 75 } else { 0 }
    }

    fn read(
        &self,
        files: &[Source],
        input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for (queries, links) in pairs(files, input, reading)? {
            // A part of its own: documents of two pairs may be the same, which `absorb` decides,
            // and a failing pair must leave nothing behind.
            let mut part = Reading::new(reading.options);
            let result = read_pair(&queries, &links, &mut part);
            reading.findings.merge(part.findings, 0);
            result?;
            let again = |reading: &mut Reading<'_>| read_pair(&queries, &links, reading);
            absorb(&queries, reading, part.corpus.finish(), again)?;
        }
        Ok(())
    }

    fn adapted(&self, corpus: &Corpus) -> Option<Adapted> {
        ranked::with_unique_ids(corpus)
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        let mut ids = MentionIds::default();
        let mentions: Vec<(String, Mention<'_>)> = corpus
            .documents()
            .flat_map(|document| document.mentions())
            .map(|mention| {
                let id = ids.next(&mention, mention.attribute(attribute::ID))?;
                Ok((id, mention))
            })
            .collect::<Result<_, WriteError>>()?;
        output.file(QUERIES, |out| {
            writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kbpentlink>")?;
            mentions.iter().try_for_each(|(id, mention)| write_query(out, id, mention))?;
            Ok(writeln!(out, "</kbpentlink>")?)
        })?;
        output.file(LINKS, |out| {
            for (id, mention) in &mentions {
                for answer in ranked::written(mention)? {
                    let score = if answer.score.is_empty() { NO_SCORE } else { &answer.score };
                    writeln!(out, "{id}\t{}\t{}\t{score}", answer.id, answer.kind)?;
                }
            }
            Ok(())
        })
    }
}

fn is_header(line: &str) -> bool {
    line.starts_with("query_id")
}

/// The files that belong together, queries first.
fn pairs(
    files: &[Source],
    input: &Input,
    reading: &mut Reading<'_>,
) -> Result<Vec<(Source, Source)>, Problem> {
    let mut queries = Vec::new();
    let mut links = Vec::new();
    for file in files {
        let head = file.head(256)?;
        let start = head.iter().find(|byte| !byte.is_ascii_whitespace() && byte.is_ascii());
        // By content, as endings differ from year to year.
        if start == Some(&b'<') { queries.push(file) } else { links.push(file) }
    }
    // One of each: they belong together whatever they are called.
    if let ([queries], [links]) = (queries.as_slice(), links.as_slice()) {
        return Ok(vec![((*queries).clone(), (*links).clone())]);
    }
    let mut pairs = Vec::new();
    for file in &queries {
        let names =
            [format!("{}.tab", file.stem()), format!("{}.tsv", file.stem()), LINKS.to_owned()];
        let links = reading.accept(partner(file, &links, input, &names))?;
        pairs.extend(links.map(|links| ((*file).clone(), links)));
    }
    for file in links {
        if !pairs.iter().any(|(_, links)| links.name() == file.name()) {
            let names = [format!("{}.xml", file.stem()), QUERIES.to_owned()];
            let queries = reading.accept(partner(file, &queries, input, &names))?;
            pairs.extend(queries.map(|queries| (queries, file.clone())));
        }
    }
    Ok(pairs)
}

fn partner(
    file: &Source,
    others: &[&Source],
    input: &Input,
    names: &[String],
) -> Result<Source, Problem> {
    let same_stem = others.iter().find(|other| other.stem() == file.stem());
    let beside = || names.iter().find_map(|name| input.companion(file, name, &[]));
    same_stem.map(|&other| other.clone()).or_else(beside).ok_or_else(|| {
        let message =
            format!("the file that belongs to it is missing: expected `{}`", names.join("` or `"));
        Problem::new(Kind::Unreadable, file.name(), message)
            .hint("queries and answers come in two files; give both, joined by a comma")
    })
}

fn read_pair(queries: &Source, links: &Source, reading: &mut Reading<'_>) -> Result<(), Problem> {
    reading.findings.note_use(queries.name());
    reading.findings.note_use(links.name());
    let (queries_text, links_text) = (queries.text()?, links.text()?);
    let all = unique_queries(&queries_text, reading)?;
    for (query, mut answers) in all.iter().zip(answers(&links_text, &all, reading)?) {
        if answers.is_empty() {
            let message = format!("query `{}` has no line in `{}`", query.id, links.file_name());
            let problem = queries_text.problem(Kind::Malformed, query.at, queries::TAG, message);
            reading.report(problem.hint("every query needs an answer, NIL if there is no entity; do the two files belong together?"))?;
            continue;
        }
        // A stable sort, so that of equal scores the first line is the answer.
        answers.sort_by_key(|answer| ranked::best_first(answer.score));
        reading.names(&query.document, |kind, message| {
            queries_text.problem(kind, query.at, queries::TAG, message)
        });
        reading.corpus.continue_document(&query.document);
        // Ids that the writer made up say nothing, and keeping them would make each round trip
        // differ.
        let id = if ranked::is_made_up(&query.id) { "" } else { &query.id };
        ranked::annotate(&mut reading.corpus, query.span, &answers)
            .attribute(attribute::ID, id)
            .attribute(attribute::SURFACE, &query.name);
    }
    Ok(())
}

fn unique_queries(text: &Text<'_>, reading: &mut Reading<'_>) -> Result<Vec<Query>, Problem> {
    let end = reading.end(INFO.offsets).end;
    let mut ids = HashSet::new();
    let mut unique = Vec::new();
    for query in queries::read(text, end, reading)? {
        if ids.insert(query.id.clone()) {
            unique.push(query);
            continue;
        }
        let message = format!("query `{}` occurs twice", query.id);
        let problem = text.problem(Kind::Malformed, query.at, queries::TAG, message);
        reading.report(problem.hint("the ids of queries must be unique"))?;
    }
    Ok(unique)
}

/// The answers to each query, in the order of the file.
fn answers(
    text: &Text<'_>,
    queries: &[Query],
    reading: &mut Reading<'_>,
) -> Result<Vec<Vec<Answer>>, Problem> {
    let positions: HashMap<&str, usize> =
        queries.iter().enumerate().map(|(position, query)| (query.id.as_str(), position)).collect();
    let mut answers: Vec<Vec<Answer>> = vec![Vec::new(); queries.len()];
    for line in text.as_str().lines() {
        if line.trim().is_empty() || is_header(line) {
            continue;
        }
        let answer = answer(text, line, &positions, reading);
        if let Some((position, answer)) = reading.accept(answer)? {
            answers[position].push(answer);
        }
    }
    Ok(answers)
}

/// The answer in a line and the position of its query.
fn answer(
    text: &Text<'_>,
    line: &str,
    queries: &HashMap<&str, usize>,
    reading: &mut Reading<'_>,
) -> Result<(usize, Answer), Problem> {
    let fields: Vec<&str> = if line.contains('\t') {
        line.split('\t').map(str::trim).collect()
    } else {
        line.split_whitespace().collect()
    };
    let malformed = |part: &str, message: String| {
        text.problem_at(Kind::Malformed, part, message)
            .hint("a line is `query_id  kb-or-NIL-id  type  [score]`, separated by tabs")
    };
    let (&[id, link, ref rest @ ..], false) =
        (fields.as_slice(), fields.len() < 2 || fields[1].is_empty())
    else {
        return Err(malformed(
            line,
            format!("expected at least 2 columns, found {}", fields.len()),
        ));
    };
    let position = *queries.get(id).ok_or_else(|| {
        let message = format!("query `{id}` is not among the queries");
        text.problem_at(Kind::Malformed, id, message).hint("do the two files belong together?")
    })?;
    let number = |field: &str| field.parse::<f64>().ok().filter(|score| !score.is_nan());
    let (kind, score) = match *rest {
        [] => ("", CERTAIN),
        // Systems of 2009 to 2013 gave a score and no type.
        [score] if number(score).is_some() => ("", number(score).unwrap_or(f64::NAN)),
        [kind] | [kind, ""] => (kind, CERTAIN),
        [kind, NO_SCORE] => (kind, f64::NAN),
        // Gold of 2010 to 2013 has notes on the query after the type.
        [kind, "Y" | "N" | "YES" | "NO", ..] => (kind, CERTAIN),
        [kind, score, ..] => {
            let message = || malformed(score, format!("expected a score, found `{score}`"));
            (kind, number(score).ok_or_else(message)?)
        }
    };
    let link = ranked::link(&mut reading.corpus, link);
    let kind = ranked::kind(&mut reading.corpus, kind);
    Ok((position, Answer { link, score, kind }))
}

fn write_query(out: &mut dyn Write, id: &str, mention: &Mention<'_>) -> Result<(), WriteError> {
    let document = mention.document().name();
    let surface = mention.attribute(attribute::SURFACE).unwrap_or_default();
    for value in [id, document, surface] {
        if !(is_plain(value) || value.is_empty()) || is_header(value) {
            let message =
                format!("`{}` cannot be written between the tags of a query", value.escape_debug());
            return Err(WriteError::unrepresentable(document, message));
        }
    }
    // Empty spans are left out by the restriction, so the end is at least 1.
    let (start, last) = (mention.span().start, mention.span().end.saturating_sub(1));
    writeln!(out, "  <query id=\"{}\">", escape(id))?;
    writeln!(out, "    <name>{}</name>", escape(surface))?;
    writeln!(out, "    <docid>{}</docid>", escape(document))?;
    Ok(writeln!(out, "    <beg>{start}</beg>\n    <end>{last}</end>\n  </query>")?)
}
