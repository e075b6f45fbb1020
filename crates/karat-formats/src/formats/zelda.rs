//! ZELDA: a benchmark of nine disambiguation corpora, as JSON lines and as columns.

use crate::anchor::Here;
use crate::block::{at_line_ends, in_blocks};
use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::nil::NilWords;
use crate::syntax::token_rows::TokenText;
use karat_model::{Features, Link, Repeated, Restriction, Span, TextIndex};
use serde::Deserialize;
use std::borrow::Cow;

/// The format.
#[derive(Debug)]
pub(crate) struct Zelda;

static INFO: Info = Info {
    name: "zelda",
    title: "ZELDA",
    about: "Either one JSON object per line, `{\"id\", \"text\", \"index\": [[start, end]], \"wikipedia_titles\", \"wikipedia_ids\"}`, or \
            columns: `-DOCSTART-`, a line `# id`, and one token per row with `B-` or `I-` before the Wikipedia id and the title. \
            The title is the link and the id an attribute. The `bracket` of a JSON line, or what follows a tab in `# id`, is the difficulty \
            of the document (cweb and wiki only). In the columns the text is the tokens joined by single spaces, so offsets differ from the JSON lines.",
    reference: "flairNLP/zelda, README; Milich and Akbik 2023",
    extensions: &["zelda.jsonl"],
    offsets: Offsets::CODE_POINTS,
    writes: None,
    needs_text: false,
    keeps: Restriction {
        features: Features::TEXT.union(Features::EMPTY_DOCUMENTS).union(Features::OVERLAPS),
        document_attributes: &[DIFFICULTY],
        annotation_attributes: &[WIKIPEDIA_ID],
    },
};

/// The bracket of difficulty of a document.
const DIFFICULTY: &str = "difficulty";
/// The number of the Wikipedia page of a link.
const WIKIPEDIA_ID: &str = "wikipedia_id";
const START: &str = "-DOCSTART-";

impl Format for Zelda {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn nil_words(&self) -> NilWords {
        // Links are titles.
        NilWords::NoTitles
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let first = sample.first_line();
        if first.starts_with('{') {
            let keys = ["\"text\"", "\"index\"", "\"wikipedia_titles\""];
            return if keys.iter().all(|key| first.contains(key)) { 95 } else { 0 };
        }
        let mut lines = sample.lines().filter(|line| !line.trim().is_empty());
        let starts = lines.next().is_some_and(|line| line.trim() == START)
            && lines.next().is_some_and(|line| line.starts_with("# "));
        if starts { 90 } else { 0 }
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
            let head = file.head(64)?;
            if head.windows(START.len()).any(|window| window == START.as_bytes()) {
                in_blocks(file, at_documents, Repeated::Refuse, reading, read_columns)?;
            } else {
                in_blocks(file, at_line_ends, Repeated::Refuse, reading, read_lines)?;
            }
        }
        Ok(())
    }
}

fn at_documents(bytes: &[u8]) -> Option<usize> {
    memchr::memmem::rfind(bytes, b"\n-DOCSTART-").map(|newline| newline + 1)
}

/// One line of the JSON form.
#[derive(Debug, Deserialize)]
struct DocumentLine<'t> {
    id: Id,
    #[serde(borrow)]
    text: Cow<'t, str>,
    index: Vec<(u64, u64)>,
    wikipedia_titles: Vec<String>,
    #[serde(default)]
    wikipedia_ids: Vec<Id>,
    #[serde(default)]
    bracket: Option<String>,
}

/// A number or a string.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Id {
    Number(i64),
    Name(String),
}

impl Id {
    fn name(&self) -> Cow<'_, str> {
        match self {
            Id::Number(number) => number.to_string().into(),
            Id::Name(name) => name.into(),
        }
    }
}

fn read_lines(text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
    for line in text.as_str().lines().filter(|line| !line.trim().is_empty()) {
        let parsed = serde_json::from_str(line).map_err(|error| {
            text.json_problem(line, &error).hint(
                "each line is a document with `id`, `text`, `index`, `wikipedia_titles` and `wikipedia_ids`",
            )
        });
        let Some(document): Option<DocumentLine<'_>> = reading.accept(parsed)? else { continue };
        read_line(text, line, &document, reading)?;
    }
    Ok(())
}

fn read_line(
    text: &Text<'_>,
    line: &str,
    document: &DocumentLine<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let here = Here { text, at: text.offset_of(line), len: 1 };
    let (spans, titles, ids) =
        (document.index.len(), document.wikipedia_titles.len(), document.wikipedia_ids.len());
    // Three lists by position: with different lengths it is unknown which title belongs to which
    // span.
    if spans != titles || (ids != spans && ids != 0) {
        let message = format!("{spans} spans, but {titles} titles and {ids} ids");
        let problem = here.problem(Kind::Malformed, message);
        return reading.report(problem.hint("the three lists go together, one item per mention"));
    }
    if let Err(problem) = begin(here, &document.id.name(), reading) {
        return reading.report(problem);
    }
    let bracket = document.bracket.as_deref().unwrap_or_default();
    reading.corpus.document_attribute(DIFFICULTY, bracket);
    let offsets = reading.offsets(INFO.offsets);
    let index = TextIndex::new(&document.text);
    reading.corpus.set_text(&document.text);
    for (position, &(start, end)) in document.index.iter().enumerate() {
        let span = here.anchor(&index, offsets, start, end, None);
        let Some(span) = reading.accept(span)? else { continue };
        let id = document.wikipedia_ids.get(position).map(Id::name).unwrap_or_default();
        annotate(reading, span, &document.wikipedia_titles[position], &id);
    }
    Ok(())
}

fn begin(here: Here<'_>, id: &str, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let (name, difficulty) = id.split_once('\t').unwrap_or((id, ""));
    here.begin_document(name, &mut reading.corpus)?;
    reading.corpus.document_attribute(DIFFICULTY, difficulty);
    Ok(())
}

fn annotate(reading: &mut Reading<'_>, span: Span, title: &str, id: &str) {
    let link = match title {
        "" => Link::NIL,
        title => Link::to(reading.corpus.intern(title)),
    };
    reading.corpus.annotate(span, link).attribute(WIKIPEDIA_ID, id);
}

/// A document of the columns while its rows are read.
#[derive(Default)]
struct Draft<'t> {
    tokens: TokenText,
    /// Span, title and id.
    mentions: Vec<(Span, &'t str, &'t str)>,
    open: bool,
}

fn read_columns(text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let mut draft: Option<Draft<'_>> = None;
    // Rows before the first document are passed over, like those of one that was refused.
    let mut named = true;
    for line in text.as_str().lines() {
        if line.trim() == START {
            finish(draft.take(), reading);
            named = false;
        } else if let (false, Some(id)) = (named, line.strip_prefix("# ")) {
            named = true;
            let begun = begin(Here::of(text, id), id, reading);
            draft = reading.accept(begun)?.map(|()| Draft::default());
        } else if line.trim().is_empty() {
            if let Some(draft) = &mut draft {
                draft.tokens.end_sentence();
                draft.open = false;
            }
        } else if !named {
            named = true;
            let message = "expected `# id` after `-DOCSTART-`";
            let hint = "each document begins with a comment that names it";
            reading.report(text.problem_at(Kind::Malformed, line, message).hint(hint))?;
        } else if let Some(draft) = &mut draft {
            let added = draft.row(text, line, reading);
            reading.accept(added)?;
        }
    }
    finish(draft, reading);
    Ok(())
}

fn finish(draft: Option<Draft<'_>>, reading: &mut Reading<'_>) {
    let Some(draft) = draft else { return };
    draft.tokens.record(&mut reading.corpus);
    for (span, title, id) in draft.mentions {
        annotate(reading, span, title, id);
    }
}

impl<'t> Draft<'t> {
    fn row(
        &mut self,
        text: &Text<'_>,
        line: &'t str,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let hint = "a row is `token  B-id  B-title`, separated by tabs; `O` is a token outside of mentions";
        // Closed unless this row opens it again, also where the row is bad.
        let was_open = std::mem::take(&mut self.open);
        let fields: Vec<&str> = line.split('\t').collect();
        let &[token, id, title] = fields.as_slice() else {
            let message = format!("expected 3 columns, found {}", fields.len());
            return Err(text.problem_at(Kind::Malformed, line, message).hint(hint));
        };
        let span = self.tokens.push(" ", token);
        let after = |letter: &str| Some((id.strip_prefix(letter)?, title.strip_prefix(letter)?));
        if id == "O" && title == "O" {
            return Ok(());
        }
        // Published columns have a few of these, where the JSON lines have a mention of more or less than the token.
        if let Some((_, title)) = after("O-") {
            let message = format!("`{title}` stands on a token outside of mentions; read as `O`");
            reading.repaired(text.problem_at(Kind::Malformed, id, message));
            return Ok(());
        }
        if let Some((id, title)) = after("B-") {
            self.mentions.push((span, title, id));
        } else if let (Some(rest), Some(mention)) =
            (after("I-"), self.mentions.last_mut().filter(|_| was_open))
            && rest == (mention.2, mention.1)
        {
            mention.0.end = span.end;
        } else {
            let message =
                format!("`{id}  {title}` neither begins a mention nor continues the last one");
            return Err(text.problem_at(Kind::Malformed, id, message).hint(hint));
        }
        self.open = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, testing};
    use karat_model::Corpus;

    #[test]
    fn an_entity_on_a_token_outside_is_noted() {
        let rows = "-DOCSTART-\n# d\nRDU\tO-266955\tO-Raleigh\nParis\tB-1\tB-Paris\n";
        let outcome = testing::read(&Zelda, &[("m.conll", rows)], &ReadOptions::default()).unwrap();
        assert_eq!(outcome.corpus.annotations().len(), 1);
        assert_eq!(outcome.findings.repaired().len(), 1);
    }

    fn read_with(content: &str, options: &ReadOptions) -> Result<Corpus, Problem> {
        testing::read(&Zelda, &[("m", content)], options).map(|outcome| outcome.corpus)
    }

    fn read(content: &str) -> Result<Corpus, Problem> {
        read_with(content, &ReadOptions::default())
    }

    fn shown(corpus: &Corpus) -> Vec<String> {
        let mentions = corpus.documents().flat_map(|document| document.mentions());
        mentions
            .map(|mention| {
                let id = mention.attribute(WIKIPEDIA_ID).unwrap_or_default();
                let surface = mention.surface().unwrap();
                format!("{} {surface} {} {id}", mention.span(), mention.entity().unwrap())
            })
            .collect()
    }

    #[test]
    fn json_lines() {
        let corpus = read(
            "{\"id\": \"1 SOCCER\", \"text\": \"😀 e\\u0301 JAPAN\", \"index\": [[2, 4], [5, 10]], \"wikipedia_titles\": [\"É\", \"Japan team\"], \"wikipedia_ids\": [7, \"993546\"]}\n\
             {\"id\": 12, \"bracket\": \"0.8-0.9\", \"text\": \"\", \"index\": [], \"wikipedia_titles\": [], \"wikipedia_ids\": []}\n",
        )
        .unwrap();
        assert_eq!(shown(&corpus), ["2..4 e\u{301} É 7", "5..10 JAPAN Japan team 993546"]);
        let empty = corpus.document("12").unwrap();
        assert_eq!((empty.text(), empty.attribute(DIFFICULTY)), (Some(""), Some("0.8-0.9")));
    }

    #[test]
    fn columns() {
        let corpus = read(
            "-DOCSTART-\n\n# 1163testb SOCCER\nSOCCER\tO\tO\nAL\tB-212131\tB-Al Ain\nAIN\tI-212131\tI-Al Ain\n\nX\tB-1\tB-X\n\n-DOCSTART-\n\n# page\t0.3_0.4\n# \tO\tO\n",
        )
        .unwrap();
        assert_eq!(shown(&corpus), ["7..13 AL AIN Al Ain 212131", "14..15 X X 1"]);
        let document = corpus.document("page").unwrap();
        assert_eq!(
            (document.text(), document.attribute(DIFFICULTY)),
            (Some("# "), Some("0.3_0.4"))
        );
    }

    #[test]
    fn bad_records_are_located() {
        let object = |text: &str, index: &str| {
            format!(
                "{{\"id\": 1, \"text\": \"{text}\", \"index\": {index}, \"wikipedia_titles\": [\"A\"], \"wikipedia_ids\": [1]}}\n"
            )
        };
        let cases = [
            (object("ab", "[]"), 1, 1, Kind::Malformed, "0 spans, but 1 titles and 1 ids"),
            (
                object("ab", "[[0, 9]]"),
                1,
                1,
                Kind::Offset,
                "offset 0..9 lies outside the text, which has 2 code points",
            ),
            (
                object("ab", "[[0]]"),
                1,
                37,
                Kind::Malformed,
                "bad JSON: invalid length 1, expected a tuple of size 2",
            ),
            (
                object("ab", "[[0, 1]]").repeat(2),
                2,
                1,
                Kind::DuplicateDocument,
                "document `1` occurs twice",
            ),
            (
                "-DOCSTART-\n\n# a\nx\tO\n".to_owned(),
                4,
                1,
                Kind::Malformed,
                "expected 3 columns, found 2",
            ),
            (
                "-DOCSTART-\n\n# a\nx\tI-1\tI-A\n".to_owned(),
                4,
                3,
                Kind::Malformed,
                "`I-1  I-A` neither begins a mention nor continues the last one",
            ),
            (
                "-DOCSTART-\n\n# a\n\n-DOCSTART-\nx\tO\tO\n".to_owned(),
                6,
                1,
                Kind::Malformed,
                "expected `# id` after `-DOCSTART-`",
            ),
        ];
        for (content, line, column, kind, message) in cases {
            let problem = read(&content).unwrap_err();
            let place = problem.place.as_ref().unwrap();
            assert_eq!((place.line, place.column, problem.kind), (line, column, kind), "{problem}");
            assert_eq!(problem.message, message);
            let lenient = testing::lenient();
            assert!(read_with(&content, &lenient).is_ok());
        }
    }

    #[test]
    fn other_files_are_not_claimed() {
        for content in [
            "{\"id\": 1, \"text\": \"x\"}\n",
            "-DOCSTART- (1 EU)\nx\n",
            "-DOCSTART-\n\nEU\tB-ORG\n",
        ] {
            assert!(read(content).is_err(), "{content}");
        }
    }
}
