//! Runs whose rows are those of gold: documents, texts and spacing come from there.
//!
//! What has one token per row may name no document, space tokens in another way, or write some of them differently. Shared tasks
//! score such runs row by row, because every participant got the same rows.

use super::reading::counted;
use crate::notices;
use karat_model::{Change, Corpus, Document, Edit, MarkKind, Mention, Notice, Span, attribute};
use std::collections::HashMap;
use std::sync::Arc;

/// A run in the texts of gold, with what was done.
pub(super) struct Aligned {
    pub(super) corpus: Corpus,
    pub(super) told: Vec<Notice>,
}

/// A token of gold.
struct Row<'g> {
    document: usize,
    span: Span,
    token: &'g str,
}

/// Where a mention of a run is in gold.
struct Placed<'r> {
    mention: Mention<'r>,
    span: Span,
    /// The words that the run has in place of those of gold.
    words: Option<String>,
}

/// So many of the tokens of a run must be those of gold, in percent: shared tasks take runs with a few that were cleaned or quoted.
const SAME: usize = 90;

/// The run in the texts of gold, if both have one token per row, the rows are the same and something else is not.
pub(super) fn aligned(gold: &Corpus, run: &Corpus, called: [&str; 2]) -> Option<Aligned> {
    let has_tokens = |corpus: &Corpus| {
        let mut some = corpus.documents().filter(|document| !document.marks().is_empty());
        some.next().is_some_and(|document| document.marks_of(MarkKind::Token).next().is_some())
    };
    if !has_tokens(gold) || !has_tokens(run) || same_texts(gold, run) {
        return None;
    }
    let names_meet = run.documents().all(|document| gold.document(document.name()).is_some());
    let placed = gold.documents().map(|_| Vec::new()).collect();
    let mut work = Work { placed, unlike: 0, left_out: 0 };
    if names_meet {
        for document in run.documents() {
            let of_gold = gold.document(document.name())?;
            work.place(&rows([of_gold]), &rows([document]), &[document])?;
        }
    } else {
        let documents: Vec<Document<'_>> = run.documents().collect();
        work.place(&rows(gold.documents()), &rows(documents.iter().copied()), &documents)?;
    }
    Some(work.finish(gold, run, called, names_meet))
}

fn same_texts(gold: &Corpus, run: &Corpus) -> bool {
    run.documents().all(|document| {
        gold.document(document.name()).is_some_and(|own| own.text() == document.text())
    })
}

fn rows<'g>(documents: impl IntoIterator<Item = Document<'g>>) -> Vec<Row<'g>> {
    let mut rows = Vec::new();
    for document in documents {
        let Some(text) = document.text_index() else { continue };
        let first = rows.len();
        for (span, _) in document.marks_of(MarkKind::Token) {
            rows.push(Row {
                document: document.index(),
                span,
                token: text.slice(span).unwrap_or_default(),
            });
        }
        rows[first..].sort_by_key(|row| row.span);
    }
    rows
}

struct Work<'r> {
    /// The mentions of each document of gold.
    placed: Vec<Vec<Placed<'r>>>,
    unlike: usize,
    left_out: usize,
}

impl<'r> Work<'r> {
    /// Places the mentions of documents whose rows are these rows of gold; `None` if they are not.
    fn place(
        &mut self,
        gold: &[Row<'_>],
        run: &[Row<'_>],
        documents: &[Document<'r>],
    ) -> Option<()> {
        // Runs of HIPE lack the rows whose token begins with a `#`, which look like comments, or has one.
        let without = |left_out: &dyn Fn(&str) -> bool| -> Vec<usize> {
            (0..gold.len()).filter(|&at| !left_out(gold[at].token)).collect()
        };
        let ways = [
            without(&|_| false),
            without(&|token| token.starts_with('#')),
            without(&|token| token.contains('#')),
        ];
        let at = ways.into_iter().find(|at| at.len() == run.len())?;
        let unlike = at.iter().zip(run).filter(|(at, row)| gold[**at].token != row.token).count();
        if unlike * 100 > (100 - SAME) * run.len() {
            return None;
        }
        self.unlike += unlike;
        self.left_out += gold.len() - run.len();
        let mut first = 0;
        for document in documents {
            let own =
                run[first..].iter().take_while(|row| row.document == document.index()).count();
            let (own, at) = (&run[first..first + own], &at[first..first + own]);
            first += own.len();
            self.place_mentions(gold, own, at, document);
        }
        Some(())
    }

    fn place_mentions(
        &mut self,
        gold: &[Row<'_>],
        own: &[Row<'_>],
        at: &[usize],
        document: &Document<'r>,
    ) {
        for mention in document.mentions() {
            let span = mention.span();
            let from = own.partition_point(|row| row.span.end <= span.start);
            let to = own.partition_point(|row| row.span.start < span.end);
            if from >= to {
                continue;
            }
            let (start, end) = (&gold[at[from]], &gold[at[to - 1]]);
            // A run without names may let a mention go on into the next document; it ends with its own.
            let last = (from..to).rev().find(|&row| gold[at[row]].document == start.document);
            let end = last.map_or(end, |row| &gold[at[row]]);
            let differ = (from..to).any(|row| own[row].token != gold[at[row]].token);
            let words = differ
                .then(|| own[from..to].iter().map(|row| row.token).collect::<Vec<_>>().join(" "));
            let span = Span::new(start.span.start, end.span.end);
            self.placed[start.document].push(Placed { mention, span, words });
        }
    }

    fn finish(
        mut self,
        gold: &Corpus,
        run: &Corpus,
        [benchmark, system]: [&str; 2],
        names_meet: bool,
    ) -> Aligned {
        let of_run: HashMap<&str, ()> =
            run.documents().map(|document| (document.name(), ())).collect();
        let placed = &mut self.placed;
        let corpus = gold.rewritten(|document, annotations| {
            let rows = rows([*document]);
            let own = Own::of(document, &rows);
            for Placed { mention, span, words } in placed[document.index()].drain(..) {
                let span = own.span_on_rows(span, &rows);
                let words = words.map(|words| (attribute::SURFACE.to_owned(), Some(words)));
                annotations.copy_as(
                    &mention,
                    Edit::Change(Change {
                        attributes: words.into_iter().collect(),
                        ..Change::span(span)
                    }),
                );
            }
            true
        });
        let corpus = match names_meet {
            true => corpus.only_documents(|name| of_run.contains_key(name)),
            false => corpus,
        };
        let mut differences = Vec::new();
        if !names_meet {
            differences.push("names no documents".to_owned());
        }
        if self.unlike > 0 {
            differences.push(format!("writes {} differently", counted(self.unlike, "token")));
        }
        if self.left_out > 0 {
            differences.push(format!("leaves {} out", counted(self.left_out, "row")));
        }
        if differences.is_empty() {
            differences.push("spaces its tokens differently".to_owned());
        }
        let message = format!(
            "the rows of `{system}` are those of `{benchmark}`, whose documents and texts it gets; it {}",
            differences.join(", ")
        );
        Aligned { corpus, told: vec![notices::ROWS_OF_GOLD.notice(message).about(system)] }
    }
}

/// The mentions of a document of gold by the rows they are on.
struct Own(HashMap<(usize, usize), Span>);

impl Own {
    fn of(document: &Document<'_>, rows: &[Row<'_>]) -> Own {
        let on = document.mentions().map(|mention| (on_rows(mention.span(), rows), mention.span()));
        Own(on.collect())
    }

    /// A mention on the same rows as one of gold has its span: gold says which part of a token is meant, and a run may have
    /// no row for a token at the edge.
    fn span_on_rows(&self, span: Span, rows: &[Row<'_>]) -> Span {
        self.0.get(&on_rows(span, rows)).copied().unwrap_or(span)
    }
}

/// The first and the last row of a span that have no `#`: others may be missing in a run.
fn on_rows(span: Span, rows: &[Row<'_>]) -> (usize, usize) {
    let from = rows.partition_point(|row| row.span.end <= span.start);
    let to = rows.partition_point(|row| row.span.start < span.end);
    let mut kept = (from..to).filter(|&row| !rows[row].token.contains('#'));
    let first = kept.next();
    (first.unwrap_or(from), kept.next_back().or(first).unwrap_or(to))
}

/// The run in the texts of gold, where its rows are the same, and what has to be known of that.
pub(super) fn with_rows_of(
    gold: &Corpus,
    name: &str,
    run: super::Run,
    told: &mut Vec<Notice>,
) -> super::Run {
    match aligned(gold, &run.corpus, [name, &run.name]) {
        Some(aligned) => {
            told.extend(aligned.told);
            super::Run { corpus: Arc::new(aligned.corpus), ..run }
        }
        None => run,
    }
}
