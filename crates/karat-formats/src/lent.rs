//! Texts for documents that were read without one: from the documents the user gives.

use crate::anchor::quoted;
use crate::problem::{Flaw, Kind, Problem};
use crate::source::Source;
use karat_model::{
    Change, Corpus, Document, Edit, End, Hint, MarkKind, Mention, OffsetUnit, Span, TextIndex,
    attribute,
};
use std::borrow::Cow;
use std::collections::HashSet;

const RIGHT_DOCUMENTS: &str = "are the documents given with {documents} the right ones?";

/// The texts for the documents of a corpus that have none, by name.
pub(crate) fn texts<'o>(corpus: &Corpus, given: &'o Corpus) -> Vec<(String, &'o str)> {
    let bare = corpus.documents().filter(|document| document.text().is_none());
    let known =
        bare.filter_map(|document| Some((document, given.document(document.name())?.text()?)));
    known.map(|(document, text)| (document.name().to_owned(), text)).collect()
}

/// What of a corpus fits the texts that `given` has for its documents: without the documents
/// that `given` does not know and the mentions that are not in their text; and what is wrong with
/// these.
pub(crate) fn fitting<'c>(
    corpus: &'c Corpus,
    given: &Corpus,
    source_name: &str,
) -> (Cow<'c, Corpus>, Vec<Misfit>) {
    let mut problems = Vec::new();
    let is_known = |document: &Document<'_>| {
        document.text().is_some() || given.document(document.name()).is_some()
    };
    let strangers: HashSet<&str> =
        corpus.documents().filter(|d| !is_known(d)).map(|d| d.name()).collect();
    for document in corpus.documents().filter(|document| !is_known(document)) {
        let message = format!("document `{}` is not among the given documents", document.name());
        let problem = Problem::new(Kind::UnknownDocument, source_name, message);
        let problem = problem.hint(Hint::template(RIGHT_DOCUMENTS));
        let span = document.mentions().next().map(|mention| mention.span());
        problems.push(Misfit { problem, document: document.name().to_owned(), span });
    }
    let mut misfits = HashSet::new();
    for document in corpus.documents().filter(|document| document.text().is_none()) {
        let known = given.document(document.name());
        let Some(text) = known.and_then(|known| known.text()) else { continue };
        let index = TextIndex::new(text);
        for (position, mention) in document.mentions().enumerate() {
            let Some((kind, message)) = misfit(&mention, &index) else { continue };
            let message = format!("document `{}`: {message}", document.name());
            let problem =
                Problem::new(kind, source_name, message).hint(Hint::template(RIGHT_DOCUMENTS));
            let span = Some(mention.span());
            problems.push(Misfit { problem, document: document.name().to_owned(), span });
            misfits.insert((document.index(), position));
        }
    }
    // Nothing is copied where everything fits, which is the usual case.
    if problems.is_empty() {
        return (Cow::Borrowed(corpus), problems);
    }
    let (mut current, mut next) = (None, 0);
    let fitting = corpus.edit(|mention| {
        let document = mention.document().index();
        next = if current == Some(document) { next + 1 } else { 0 };
        current = Some(document);
        if misfits.contains(&(document, next)) { Edit::Remove } else { Edit::Keep }
    });
    let fitting = match strangers.is_empty() {
        true => fitting,
        false => fitting.only_documents(|name| !strangers.contains(name)),
    };
    (Cow::Owned(fitting), problems)
}

/// A document or a mention that does not fit the texts that were given.
pub(crate) struct Misfit {
    pub(crate) problem: Problem,
    document: String,
    /// The mention, or the first one of the document.
    span: Option<Span>,
}

/// How many misfits are looked for in their file.
const LOCATED: usize = 5;

/// The problems, the first few with the line of the file that they are about. A corpus does not
/// know where in a file its mentions are, so that is looked for: the one line that names the
/// document and then the offsets of the mention.
pub(crate) fn located(
    misfits: Vec<Misfit>,
    file: &Source,
    end: End,
) -> Result<Vec<Problem>, Problem> {
    if misfits.is_empty() {
        return Ok(Vec::new());
    }
    let text = file.text()?;
    let located = misfits.into_iter().enumerate().map(|(number, misfit)| {
        let words = misfit.words(end);
        // Each misfit searches the whole file, so only the first few are located.
        let lines = text.as_str().lines().filter(|_| number < LOCATED);
        let mut lines = lines.filter(|line| says(line, &words));
        match (lines.next(), lines.next()) {
            (Some(line), None) => {
                let Problem { kind, message, hint, .. } = misfit.problem;
                Problem { hint, ..text.problem_at(kind, line, message) }
            }
            _ => misfit.problem,
        }
    });
    Ok(located.collect())
}

impl Misfit {
    /// What a line about it says, in this order.
    fn words(&self, end: End) -> Vec<String> {
        let offsets = self.span.map(|span| match end {
            End::Exclusive => [span.start, span.end],
            End::Inclusive => [span.start, span.end.saturating_sub(1)],
        });
        let offsets = offsets.into_iter().flatten().map(|offset| offset.to_string());
        std::iter::once(self.document.clone()).chain(offsets).collect()
    }
}

/// Whether words stand in a line one behind the other, each a column by itself.
fn says(line: &str, words: &[String]) -> bool {
    let mut rest = Some(line);
    for word in words {
        rest = rest.and_then(|rest| behind(rest, word));
    }
    rest.is_some()
}

/// What follows a word in a line, where it is not a part of another.
fn behind<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    // In a table separated by tabs, names may contain every other character.
    let separates = |c: char| match line.contains('\t') {
        true => c == '\t',
        false => c.is_whitespace() || ",;:\"[]{}".contains(c),
    };
    line.match_indices(word).find_map(|(at, _)| {
        let rest = &line[at + word.len()..];
        let sides = [line[..at].chars().next_back(), rest.chars().next()];
        sides.into_iter().flatten().all(separates).then_some(rest)
    })
}

/// Why a mention cannot be of a text.
fn misfit(mention: &Mention<'_>, index: &TextIndex<'_>) -> Option<(Kind, String)> {
    let span = mention.span();
    let Some(found) = index.slice(span) else {
        let length = index.len();
        let message =
            format!("the mention at {span} lies outside its text, which has {length} code points");
        return Some((Kind::Offset, message));
    };
    let (_, surface) = mention.attributes().find(|(key, _)| *key == attribute::SURFACE)?;
    (surface != found).then(|| {
        let (surface, found) = (quoted(surface), quoted(found));
        (Kind::Surface, format!("the mention is {surface} but its text at {span} is {found}"))
    })
}

/// A corpus without texts, whose offsets count `unit`, in code points of the texts that `given`
/// has for its documents; and the mentions that are nowhere in these texts, which are left out.
///
/// A document that has no text in `given` either stays as it is.
pub fn in_code_points(
    corpus: &Corpus,
    unit: OffsetUnit,
    given: &Corpus,
    source_name: &str,
) -> (Corpus, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut current: Option<(String, Option<Ruler<'_>>)> = None;
    let moved = corpus.edit(|mention| {
        let document = mention.document();
        if current.as_ref().is_none_or(|(name, _)| name != document.name()) {
            current = Some((document.name().to_owned(), Ruler::between(&document, given, unit)));
        }
        let Some((_, Some(ruler))) = &current else { return Edit::Keep };
        match ruler.span(mention.span()) {
            Ok(span) => Edit::Change(Change::span(span)),
            Err(message) => {
                let message = format!("document `{}`: {message}", document.name());
                let problem = Problem::new(Kind::Offset, source_name, message);
                problems.push(problem.hint(Hint::template("say with {unit} what the offsets count, or give the right texts with {documents}")));
                Edit::Remove
            }
        }
    });
    (moved, problems)
}

/// Measures a text in the unit of a file.
enum Ruler<'t> {
    Text(TextIndex<'t>, OffsetUnit),
    /// Where the tokens of the text are.
    Tokens(Vec<Span>),
}

impl<'t> Ruler<'t> {
    /// A ruler for a document without text; `None` where nobody has its text.
    fn between(document: &Document<'_>, given: &'t Corpus, unit: OffsetUnit) -> Option<Ruler<'t>> {
        let known = given.document(document.name()).filter(|_| document.text().is_none())?;
        let text = known.text()?;
        Some(match unit {
            OffsetUnit::Tokens => {
                Ruler::Tokens(known.marks_of(MarkKind::Token).map(|(span, _)| span).collect())
            }
            unit => Ruler::Text(TextIndex::new(text), unit),
        })
    }

    fn span(&self, span: Span) -> Result<Span, Flaw> {
        match self {
            Ruler::Tokens(tokens) if tokens.is_empty() => {
                Err("its offsets count tokens, but its text has no tokens".into())
            }
            Ruler::Tokens(tokens) => {
                // An empty span of tokens has no last token, and no place in the text.
                let last = (span.end as usize).checked_sub(1).filter(|_| !span.is_empty());
                let first = tokens.get(span.start as usize);
                match (first, last.and_then(|last| tokens.get(last))) {
                    (Some(first), Some(last)) => Ok(Span::new(first.start, last.end)),
                    _ => Err(format!(
                        "the mention at {span} lies outside its text, which has {} tokens",
                        tokens.len()
                    )
                    .into()),
                }
            }
            Ruler::Text(index, unit) => {
                let position = |offset: u32| index.to_code_points(offset.into(), *unit);
                match (position(span.start), position(span.end)) {
                    (Some(start), Some(end)) => Ok(Span::new(start, end)),
                    _ => Err(format!(
                        "the mention at {span} lies outside its text or begins or ends inside a character (counting {unit})"
                    ).into()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::{CorpusBuilder, Link};

    /// `Der Bär 😀 da`, with the tokens that white space makes, and a document without text.
    fn given() -> Corpus {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("d").unwrap();
        builder.set_text("Der Bär 😀 da");
        for (start, end) in [(0, 3), (4, 7), (8, 9), (10, 12)] {
            builder.mark(MarkKind::Token, Span::new(start, end), "");
        }
        builder.begin_document("plain").unwrap();
        builder.set_text("no tokens");
        builder.begin_document("bare").unwrap();
        builder.finish()
    }

    fn moved(document: &str, span: (u32, u32), unit: OffsetUnit) -> Result<(u32, u32), String> {
        let mut builder = CorpusBuilder::new();
        builder.begin_document(document).unwrap();
        builder.annotate(Span::new(span.0, span.1), Link::NIL);
        let (corpus, problems) = in_code_points(&builder.finish(), unit, &given(), "s.tsv");
        match problems.into_iter().next() {
            Some(problem) => {
                assert!(corpus.annotations().is_empty(), "it is left out");
                Err(problem.message)
            }
            None => Ok((corpus.annotations()[0].span.start, corpus.annotations()[0].span.end)),
        }
    }

    #[test]
    fn offsets_are_translated_by_the_text_and_its_tokens() {
        assert_eq!(moved("d", (1, 3), OffsetUnit::Tokens), Ok((4, 9)));
        assert_eq!(moved("d", (3, 4), OffsetUnit::Tokens), Ok((10, 12)));
        assert_eq!(moved("d", (4, 8), OffsetUnit::Bytes), Ok((4, 7)));
        assert_eq!(moved("d", (8, 10), OffsetUnit::Utf16), Ok((8, 9)));
        assert_eq!(moved("bare", (3, 4), OffsetUnit::Tokens), Ok((3, 4)), "nobody has its text");
        assert_eq!(moved("other", (3, 4), OffsetUnit::Tokens), Ok((3, 4)), "nobody knows it");
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let mut builder = CorpusBuilder::new();
        for (document, span) in
            [("d", (0, 3)), ("d", (4, 99)), ("stranger", (0, 1)), ("bare", (0, 9))]
        {
            builder.continue_document(document);
            builder.annotate(Span::new(span.0, span.1), Link::NIL);
        }
        let corpus = builder.finish();
        let (left, problems) = fitting(&corpus, &given(), "s.tsv");
        // Of lines that name the document and the offsets, that in which they are the columns counts.
        let lines = "d\t0\t4\tNIL\nd\t4\t98\tNIL\nbare\t0\t8\nstranger\t0\t0\tNIL\n";
        assert_eq!(
            messages(problems, lines),
            [
                "s.tsv:4:1: document `stranger` is not among the given documents",
                "s.tsv:2:1: document `d`: the mention at 4..99 lies outside its text, which has 12 code points",
            ]
        );
        let names: Vec<_> = left.documents().map(|d| (d.name(), d.mentions().len())).collect();
        assert_eq!(names, [("d", 1), ("bare", 1)]);
        assert_eq!(texts(&left, &given()), [("d".to_owned(), "Der Bär 😀 da")]);
    }

    fn messages(misfits: Vec<Misfit>, lines: &str) -> Vec<String> {
        let problems = located(misfits, &Source::memory("s.tsv", lines), End::Inclusive).unwrap();
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn where_several_lines_or_none_may_be_meant_there_is_no_line() {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("d").unwrap();
        builder.annotate(Span::new(4, 99), Link::NIL);
        let corpus = builder.finish();
        for lines in ["d\t4\t98\tQ1\nd\t4\t98\tQ2\n", "d\t4\t95\n", "4\t98\td\n", "a d\t4\t98\n"] {
            let (_, misfits) = fitting(&corpus, &given(), "s.tsv");
            let found = messages(misfits, lines);
            assert!(found[0].starts_with("s.tsv: document `d`: the mention at 4..99"), "{found:?}");
        }
    }

    #[test]
    fn what_is_not_in_the_text_is_named() {
        for (document, span, unit, message) in [
            ("d", (3, 5), OffsetUnit::Tokens, "at 3..5 lies outside its text, which has 4 tokens"),
            ("d", (3, 3), OffsetUnit::Tokens, "at 3..3 lies outside"),
            ("plain", (0, 1), OffsetUnit::Tokens, "its text has no tokens"),
            ("d", (4, 6), OffsetUnit::Bytes, "inside a character (counting"),
        ] {
            let found = moved(document, span, unit).unwrap_err();
            assert!(found.contains(message), "{found}");
        }
    }
}
