//! CleanCoNLL: the tokens of CoNLL-2003 with columns of links and of corrected types.

use crate::anchor::Here;
use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::placing::given_documents::Given;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::nil::NilWords;
use crate::syntax::token_rows::TokenText;
use karat_model::{Features, Link, Restriction, Span};

/// The format.
#[derive(Debug)]
pub(crate) struct CleanConll;

const HINT: &str =
    "a row has five columns: token, part of speech, link, type before the last phase, type";
const START: &str = "-DOCSTART-";
/// What stands for every token in the files as they are distributed.
const MASKED: &str = "[TOKEN]";
/// The part of speech of the row that starts a document.
const START_TAG: &str = "-X-";
const COLUMNS: usize = 5;
const LINK: usize = 2;
const TYPE: usize = 4;

static INFO: Info = Info {
    name: "clean-conll",
    title: "CleanCoNLL",
    about: "One token per line with `token  pos  link  type*  type`, the last three as `B-`, `I-` and `O`; `-DOCSTART-` opens a document, a blank \
            line ends a sentence. A mention is what the last column says; its link is a title of Wikipedia, and without one it is NIL, as \
            in AIDA-CoNLL. The type before the last phase of the correction (`type*`) is not read. Documents have no names: in order they are those of `documents`, or 0, 1, \
            2 and so on. Files as they are distributed have `[TOKEN]` for every token; their documents have no text, and their offsets count tokens.",
    reference: "flairNLP/CleanCoNLL; Rücker and Akbik 2023",
    extensions: &["conll"],
    offsets: Offsets::TOKENS,
    writes: None,
    needs_text: false,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::TOKENS)
            .union(Features::SENTENCES)
            .union(Features::NIL)
            .union(Features::TYPE),
        document_attributes: &[],
        annotation_attributes: &[],
    },
};

impl Format for CleanConll {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn nil_words(&self) -> NilWords {
        // Links are titles.
        NilWords::NoTitles
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let mut rows = sample.lines().filter(|line| !line.trim().is_empty()).take(200).peekable();
        if rows.peek().is_none() {
            return 0;
        }
        let starts = rows.peek().is_some_and(|line| begins_document(line));
        let is_row = |line: &str| {
            let cells: Vec<&str> = line.split('\t').collect();
            cells.len() == COLUMNS && cells[LINK..].iter().all(|cell| Tag::parse(cell).is_some())
        };
        match (rows.all(is_row), starts) {
            (true, true) => 92,
            (true, false) => 60,
            _ => 0,
        }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let given = Given::new(reading.options);
        let mut number = 0;
        for file in files {
            let text = file.text()?;
            let mut draft: Option<Draft<'_>> = None;
            for line in text.as_str().lines() {
                if begins_document(line) {
                    finish(draft.take(), reading);
                    draft = begin(&text, line, &given, &mut number, reading)?;
                    continue;
                }
                if line.trim().is_empty() {
                    draft.iter_mut().for_each(|draft| draft.tokens.end_sentence());
                    continue;
                }
                if draft.is_none() && number == 0 {
                    draft = begin(&text, line, &given, &mut number, reading)?;
                }
                if let Some(draft) = &mut draft {
                    let added = draft.row(&text, line);
                    reading.accept(added)?;
                }
            }
            finish(draft, reading);
        }
        Ok(())
    }
}

/// A row that starts a document. Its token may be masked, its part of speech is not.
fn begins_document(line: &str) -> bool {
    let mut cells = line.split(['\t', ' ']);
    let (token, tag) = (cells.next().unwrap_or_default(), cells.next());
    token == START || (token == MASKED && tag == Some(START_TAG))
}

fn begin<'t>(
    text: &Text<'_>,
    line: &str,
    given: &Given<'_>,
    number: &mut usize,
    reading: &mut Reading<'_>,
) -> Result<Option<Draft<'t>>, Problem> {
    let name = given.name_at(*number);
    *number += 1;
    let begun = Here::of(text, line).begin_document(&name, &mut reading.corpus);
    Ok(reading.accept(begun)?.map(|()| Draft::default()))
}

/// A cell of the columns with `B-`, `I-` and `O`.
enum Tag<'t> {
    Out,
    Begin(&'t str),
    Inside(&'t str),
}

impl<'t> Tag<'t> {
    fn parse(cell: &'t str) -> Option<Tag<'t>> {
        match cell.split_once('-') {
            Some(("B", name)) if !name.is_empty() => Some(Tag::Begin(name)),
            Some(("I", name)) if !name.is_empty() => Some(Tag::Inside(name)),
            _ => (cell == "O").then_some(Tag::Out),
        }
    }
}

/// A document while its rows are read.
#[derive(Default)]
struct Draft<'t> {
    tokens: TokenText,
    /// How many tokens there are.
    count: u32,
    has_words: bool,
    mentions: Vec<Found<'t>>,
    /// Whether the last row belongs to the last mention.
    open: bool,
}

struct Found<'t> {
    /// In the text of the tokens, and in tokens.
    span: Span,
    tokens: Span,
    link: Option<&'t str>,
    kind: Option<&'t str>,
}

impl<'t> Draft<'t> {
    fn row(&mut self, text: &Text<'_>, line: &'t str) -> Result<(), Problem> {
        let cells: Vec<&str> = line.split('\t').collect();
        let was_open = std::mem::take(&mut self.open);
        // What is wrong with the other cells takes no token from the text.
        let token = cells[0];
        let span = self.tokens.push(" ", token);
        let at = self.count;
        self.count = self.count.saturating_add(1);
        self.has_words |= token != MASKED;
        if cells.len() < COLUMNS {
            let message = format!("expected {COLUMNS} columns, found {}", cells.len());
            return Err(text.problem_at(Kind::Malformed, line, message).hint(HINT));
        }
        let tag = |cell: &'t str| {
            Tag::parse(cell).ok_or_else(|| {
                let message = format!("expected `O`, `B-...` or `I-...`, found `{cell}`");
                text.problem_at(Kind::Malformed, cell, message).hint(HINT)
            })
        };
        let (link, kind) = (tag(cells[LINK])?, tag(cells[TYPE])?);
        let name = |tag: &Tag<'t>| match tag {
            Tag::Out => None,
            Tag::Begin(name) | Tag::Inside(name) => Some(*name),
        };
        let (is_in, begins) = (
            name(&link).is_some() || name(&kind).is_some(),
            matches!(link, Tag::Begin(_)) || matches!(kind, Tag::Begin(_)),
        );
        self.open = is_in;
        match self.mentions.last_mut() {
            Some(last) if is_in && was_open && !begins => {
                (last.span.end, last.tokens.end) = (span.end, at + 1);
            }
            _ if is_in => self.mentions.push(Found {
                span,
                tokens: Span::new(at, at.saturating_add(1)),
                link: name(&link),
                kind: name(&kind),
            }),
            _ => {}
        }
        Ok(())
    }
}

fn finish(draft: Option<Draft<'_>>, reading: &mut Reading<'_>) {
    let Some(draft) = draft else { return };
    let Draft { tokens, has_words, mentions, .. } = draft;
    if has_words {
        tokens.record(&mut reading.corpus);
    }
    for found in mentions {
        let link = match found.link {
            Some(title) => Link::to(reading.corpus.intern(title)),
            None => Link::NIL,
        };
        let span = if has_words { found.span } else { found.tokens };
        reading.corpus.annotate(span, link).types(found.kind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, ReadOutcome, testing};

    const SAMPLE: &str = "-DOCSTART-\t-X-\tO\tO\tO\n\n😀\t:\tO\tO\tO\nAl\tNNP\tB-Al_Ain\tB-LOC\tB-LOC\nAin\tNNP\tI-Al_Ain\tI-LOC\tI-LOC\n\nRóka\tNNP\tO\tB-PER\tB-PER\n𝄞\tNNP\tB-G\tB-MISC\tB-ORG\n";

    fn read(content: &str, options: &ReadOptions) -> Result<ReadOutcome, Problem> {
        testing::read(&CleanConll, &[("c.test", content)], options)
    }

    fn facts(outcome: &ReadOutcome) -> Vec<(Span, Option<&str>, bool, Option<&str>)> {
        let mentions = outcome.corpus.documents().flat_map(|d| d.mentions().collect::<Vec<_>>());
        mentions.map(|m| (m.span(), m.entity(), m.link().is_nil(), m.types().next())).collect()
    }

    #[test]
    fn rows_are_mentions_of_a_text() {
        let outcome = read(SAMPLE, &ReadOptions::default()).unwrap();
        assert_eq!(outcome.corpus.document("0").unwrap().text(), Some("😀 Al Ain Róka 𝄞"));
        assert_eq!(
            facts(&outcome),
            [
                (Span::new(2, 8), Some("Al_Ain"), false, Some("LOC")),
                (Span::new(9, 13), None, true, Some("PER")),
                (Span::new(14, 15), Some("G"), false, Some("ORG")),
            ]
        );
    }

    #[test]
    fn masked_files_count_tokens() {
        let masked = SAMPLE.lines().map(|line| match line.split_once('\t') {
            Some((_, rest)) => format!("[TOKEN]\t{rest}\n"),
            None => "\n".to_owned(),
        });
        let outcome = read(&masked.collect::<String>(), &ReadOptions::default()).unwrap();
        assert_eq!(outcome.corpus.document("0").unwrap().text(), None);
        let spans: Vec<Span> = facts(&outcome).iter().map(|fact| fact.0).collect();
        assert_eq!(spans, [Span::new(1, 3), Span::new(3, 4), Span::new(4, 5)]);
        assert_eq!(outcome.unit(), karat_model::OffsetUnit::Tokens);
    }

    #[test]
    fn bad_rows_are_located() {
        for (row, message, column) in [
            ("x\tNN\tO", "expected 5 columns, found 3", 1),
            ("x\tNN\tO\tO\tX-a", "expected `O`, `B-...` or `I-...`, found `X-a`", 10),
            ("x\tNN\tB-\tO\tO", "expected `O`, `B-...` or `I-...`, found `B-`", 6),
        ] {
            let content = format!("{SAMPLE}{row}\n");
            let files = [("c.test", content.as_str())];
            let problem =
                testing::read_as(&CleanConll, &files, &ReadOptions::default()).unwrap_err();
            let place = problem.place.unwrap();
            assert_eq!((problem.message.as_str(), place.line, place.column), (message, 9, column));
            let lenient = testing::read_as(&CleanConll, &files, &testing::lenient()).unwrap();
            assert_eq!(lenient.findings.skipped().len(), 1);
        }
    }
}
