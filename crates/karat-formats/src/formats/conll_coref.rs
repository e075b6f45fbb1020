//! CoNLL-2011 and CoNLL-2012 coreference: chains of mentions in the last column.

use crate::anchor::Here;
use crate::block::in_blocks;
use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::token_rows::TokenText;
use karat_model::{Features, Link, Repeated, Restriction, Span};
use std::cmp::Reverse;
use std::collections::HashMap;

/// The format.
#[derive(Debug)]
pub(crate) struct ConllCoref;

static INFO: Info = Info {
    name: "conll-coref",
    title: "CoNLL-2011 and CoNLL-2012 coreference",
    about: "`#begin document ...`, one token per row with columns separated by white space, and in the last column \
            the mentions that open and close there: `(12`, `12)`, `(12)`, joined by `|`. Each chain is a NIL cluster of its \
            document, named `12:document` as neleval does; the name of the document is the rest of its first line with `_` for blanks. \
            The fourth column is the word, and the text is the words joined by single spaces. Of mentions \
            with the same place the outermost is kept.",
    reference: "CoNLL-2012 shared task; neleval, `prepare-conll-coref`",
    extensions: &["v4_gold_conll", "v4_auto_conll"],
    offsets: Offsets::TOKENS,
    writes: None,
    needs_text: false,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::TOKENS)
            .union(Features::SENTENCES)
            .union(Features::NIL)
            .union(Features::NIL_CLUSTERS)
            .union(Features::OVERLAPS),
        document_attributes: &[],
        annotation_attributes: &[],
    },
};

const BEGIN: &str = "#begin document";
const END: &str = "#end document";
/// Where the word is in a row.
const WORD: usize = 3;

impl Format for ConllCoref {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        if sample.first_line().starts_with(BEGIN) { 95 } else { 0 }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for file in files {
            in_blocks(file, at_documents, Repeated::Refuse, reading, read_block)?;
        }
        Ok(())
    }
}

fn at_documents(bytes: &[u8]) -> Option<usize> {
    memchr::memmem::rfind(bytes, b"\n#begin document").map(|newline| newline + 1)
}

/// What the rows that come belong to.
enum State<'t> {
    Outside,
    Document(Draft<'t>),
    /// The document cannot be used, and that was reported.
    Refused,
}

fn read_block(text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let mut state = State::Outside;
    for line in text.as_str().lines() {
        if let Some(name) = line.strip_prefix(BEGIN) {
            finish(text, state, reading)?;
            let draft = begin(text, line, name, reading);
            state = reading.accept(draft)?.map_or(State::Refused, State::Document);
            continue;
        }
        if line.starts_with(END) {
            finish(text, std::mem::replace(&mut state, State::Outside), reading)?;
            continue;
        }
        match &mut state {
            State::Document(draft) => draft.line(text, line, reading)?,
            State::Outside if !line.trim().is_empty() && !line.starts_with('#') => {
                state = State::Refused;
                let problem = text.problem_at(Kind::Malformed, line, "a row outside of a document");
                reading.report(problem.hint("a document begins with `#begin document`"))?;
            }
            State::Outside | State::Refused => {}
        }
    }
    finish(text, state, reading)
}

fn begin<'t>(
    text: &Text<'_>,
    line: &str,
    name: &str,
    reading: &mut Reading<'_>,
) -> Result<Draft<'t>, Problem> {
    let name = name.split_whitespace().collect::<Vec<_>>().join("_");
    if name.is_empty() {
        let problem = text.problem_at(Kind::Malformed, line, "a document without a name");
        return Err(problem.hint("expected `#begin document (name); part 000`"));
    }
    Here::of(text, line).begin_document(&name, &mut reading.corpus)?;
    Ok(Draft { name, ..Draft::default() })
}

/// A document while its rows are read.
#[derive(Default)]
struct Draft<'t> {
    name: String,
    tokens: TokenText,
    /// Mentions that were opened and not yet closed, by their chains: where, and the cell. A hostile file opens
    /// a hundred thousand.
    open: HashMap<&'t str, Vec<(u32, &'t str)>>,
    mentions: Vec<(Span, &'t str)>,
}

impl<'t> Draft<'t> {
    fn line(
        &mut self,
        text: &Text<'_>,
        line: &'t str,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let mut columns = line.split_whitespace();
        let Some(word) = columns.by_ref().nth(WORD) else {
            if line.trim().is_empty() {
                self.tokens.end_sentence();
                return Ok(());
            }
            let problem = text.problem_at(Kind::Malformed, line, "expected at least 5 columns");
            return reading
                .report(problem.hint("a row is `document  part  number  word ... coreference`"));
        };
        let token = self.tokens.push(" ", word);
        let chains = columns.last().unwrap_or("-");
        if matches!(chains, "-" | "_" | "*") {
            return Ok(());
        }
        for cell in chains.split('|') {
            let cell = self.cell(text, token, cell);
            reading.accept(cell)?;
        }
        Ok(())
    }

    fn cell(&mut self, text: &Text<'_>, token: Span, cell: &'t str) -> Result<(), Problem> {
        let opens = cell.strip_prefix('(');
        let rest = opens.unwrap_or(cell);
        let closes = rest.strip_suffix(')');
        let chain = closes.unwrap_or(rest);
        if chain.is_empty() || chain.contains(['(', ')']) || (opens.is_none() && closes.is_none()) {
            let message = format!("expected `(id`, `id)` or `(id)`, found `{cell}`");
            let problem = text.problem_at(Kind::Malformed, cell, message);
            return Err(problem.hint("the last column is `-` where no mention begins or ends"));
        }
        let start = if opens.is_some() {
            Some(token.start)
        } else {
            // The innermost mention of the chain is the one that ends.
            let last = self.open.get_mut(chain).and_then(Vec::pop);
            last.map(|(start, _)| start)
        };
        match (start, closes) {
            (Some(start), Some(_)) => self.mentions.push((Span::new(start, token.end), chain)),
            (Some(start), None) => self.open.entry(chain).or_default().push((start, cell)),
            (None, _) => {
                let message = format!("no mention of chain `{chain}` is open here");
                let problem = text.problem_at(Kind::Malformed, cell, message);
                return Err(problem.hint("a mention begins with `(id` and ends with `id)`"));
            }
        }
        Ok(())
    }
}

fn finish(text: &Text<'_>, state: State<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let State::Document(draft) = state else { return Ok(()) };
    let Draft { name, tokens, open, mut mentions } = draft;
    let open = open.into_iter();
    let mut open: Vec<(u32, &str, &str)> = open
        .flat_map(|(chain, cells)| cells.into_iter().map(move |(start, cell)| (start, chain, cell)))
        .collect();
    // In the order of the file: cells of one row lie one behind the other in memory.
    open.sort_unstable_by_key(|&(start, _, cell)| (start, cell.as_ptr()));
    for (_, chain, cell) in open {
        let message = format!("this mention of chain `{chain}` is never closed");
        let problem = text.problem_at(Kind::Malformed, cell, message);
        reading.report(problem.hint("a mention begins with `(id` and ends with `id)`"))?;
    }
    tokens.record(&mut reading.corpus);
    // The outermost mention of a place is closed last.
    mentions.reverse();
    mentions.sort_by_key(|(span, _)| (span.start, Reverse(span.end)));
    mentions.dedup_by_key(|(span, _)| *span);
    for (span, chain) in mentions {
        let cluster = reading.corpus.intern(&format!("{chain}:{name}"));
        reading.corpus.annotate(span, Link::nil_cluster(cluster));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, testing};
    use karat_model::Corpus;

    fn read_with(content: &str, options: &ReadOptions) -> Result<Corpus, Problem> {
        testing::read_as(&ConllCoref, &[("m", content)], options).map(|outcome| outcome.corpus)
    }

    #[test]
    fn chains_are_clusters_of_their_document() {
        let corpus = read_with(
            "#begin document (bc/cctv/00); part 000\nd 0 0 The NN (1|(2\nd 0 1 😀 NN 2)\nd 0 2 cat NN (3)|(5)|1)\n\nd\t0\t0\tIt\t-\t(2)\n#end document\n",
            &ReadOptions::default(),
        )
        .unwrap();
        let document = corpus.document("(bc/cctv/00);_part_000").unwrap();
        assert_eq!(document.text(), Some("The 😀 cat It"));
        let found: Vec<_> = document
            .mentions()
            .map(|mention| (mention.span().to_string(), mention.nil_cluster().unwrap()))
            .map(|(span, cluster)| format!("{span} {}", cluster.split(':').next().unwrap()))
            .collect();
        assert_eq!(found, ["0..9 1", "0..5 2", "6..9 5", "10..12 2"]);
        let cluster = document.mention(0).unwrap().nil_cluster();
        assert_eq!(cluster, Some("1:(bc/cctv/00);_part_000"));
    }

    /// With time that grows with their number, whatever is closed first.
    #[test]
    fn mentions_of_many_chains_stay_open() {
        let many = 30_000;
        let mut file = String::from("#begin document d\n");
        (0..many).for_each(|at| file.push_str(&format!("d 0 0 x ({at}\n")));
        (0..many).for_each(|at| file.push_str(&format!("d 0 0 x {at})\n")));
        let corpus = read_with(&file, &ReadOptions::default()).unwrap();
        assert_eq!(corpus.annotations().len(), many);
        assert!(corpus.annotations().iter().all(|it| it.span.len() as usize == 2 * many + 1));
        let open = file.replace(&format!("x {})", many - 1), "x -").replace("x 0)", "x -");
        let options = testing::lenient();
        let outcome = testing::read_as(&ConllCoref, &[("m", &open)], &options).unwrap();
        let lines =
            outcome.findings.skipped().iter().map(|it| it.place.as_ref().map(|place| place.line));
        assert_eq!(lines.collect::<Vec<_>>(), [Some(2), Some(many as u64 + 1)]);
    }

    #[test]
    fn bad_rows_are_located() {
        let cases = [
            ("d 0 0 x -\n", 1, 1, "a row outside of a document"),
            ("#begin document \n", 1, 1, "a document without a name"),
            ("#begin document d\nx\n", 2, 1, "expected at least 5 columns"),
            ("#begin document d\nd 0 0 x (1\n", 2, 9, "this mention of chain `1` is never closed"),
            ("#begin document d\nd 0 0 x 1)\n", 2, 9, "no mention of chain `1` is open here"),
            ("#begin document d\nd 0 0 x 1\n", 2, 9, "expected `(id`, `id)` or `(id)`, found `1`"),
            ("#begin document d\n#begin document d\n", 2, 1, "document `d` occurs twice"),
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
