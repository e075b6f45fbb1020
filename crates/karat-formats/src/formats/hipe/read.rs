//! Reading HIPE files.

use super::cells::{Misc, Tag, fold_links, fold_tags};
use super::{
    ATTRIBUTES, COARSE, COLUMNS, DOCUMENT_ID, FINE, LANGUAGE, LINK, METONYMIC_LINK, MISC, NIL,
    NOTHING, TOKEN, is_no_link,
};
use crate::anchor::Here;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Text;
use crate::syntax::token_rows::TokenText;
use karat_model::{CorpusBuilder, Link, Span, attribute};

/// The cells of a row in the order of [`COLUMNS`].
type Cells<'t> = [&'t str; COLUMNS.len()];

/// Reads one file.
pub(super) fn file(text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let mut lines = text.as_str().lines();
    let header = lines.by_ref().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let Some(header) = reading.accept(Header::parse(text, header))? else { return Ok(()) };
    let mut reader = FileReader { text, header, facts: Vec::new(), state: State::BeforeDocuments };
    for line in lines {
        reader.line(line, reading)?;
    }
    // The file may end with comments that announce a document without a single token.
    reader.open(reading)?;
    reader.close(reading);
    Ok(())
}

/// Where in a row each column is.
struct Header {
    positions: [Option<usize>; COLUMNS.len()],
    width: usize,
}

impl Header {
    fn parse(text: &Text<'_>, line: &str) -> Result<Header, Problem> {
        let names: Vec<&str> = line.split('\t').map(str::trim).collect();
        let positions = COLUMNS.map(|column| names.iter().position(|&name| name == column));
        if positions[TOKEN] != Some(0) {
            let message = format!("expected the header `{}`", COLUMNS.join("  "));
            return Err(text
                .problem_at(Kind::Malformed, line, message)
                .hint("the first line names the columns, separated by tabs"));
        }
        Ok(Header { positions, width: names.len() })
    }

    fn cells<'t>(&self, text: &Text<'_>, line: &'t str) -> Result<Cells<'t>, Problem> {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields.len() != self.width || fields[0].is_empty() {
            let message = format!(
                "expected a token and {} columns, found {}",
                self.width.saturating_sub(1),
                fields.len().saturating_sub(1)
            );
            return Err(text
                .problem_at(Kind::Malformed, line, message)
                .hint("every row has the columns of the header; what is not known is `_`"));
        }
        // A data set without a column is read as if every cell of it said "nothing".
        Ok(self.positions.map(|position| position.map_or(NOTHING, |position| fields[position])))
    }
}

/// What the rows that come belong to.
enum State<'t> {
    BeforeDocuments,
    Document(Draft<'t>),
    /// The document cannot be used, and that was reported.
    Refused,
}

struct FileReader<'f, 't> {
    text: &'t Text<'t>,
    header: Header,
    /// What comments said since the last row.
    facts: Vec<(&'f str, &'f str)>,
    state: State<'f>,
}

impl<'f> FileReader<'f, '_> {
    fn line(&mut self, line: &'f str, reading: &mut Reading<'_>) -> Result<(), Problem> {
        if line.trim().is_empty() {
            self.open(reading)?;
            // No mention goes over a blank line, though it does not end the document.
            if let State::Document(draft) = &mut self.state {
                draft.open = false;
            }
            return Ok(());
        }
        if self.is_comment(line) {
            if let Some((key, value)) = line.trim_start_matches('#').split_once('=') {
                let key = key.trim();
                // Two documents in a row without a token between them: the first is opened before
                // its facts are taken for those of the second.
                if is_document_id(key) && self.document_id().is_some() {
                    self.open(reading)?;
                }
                self.facts.push((key, value.trim()));
            }
            return Ok(());
        }
        self.open(reading)?;
        self.row(line, reading)
    }

    fn row(&mut self, line: &'f str, reading: &mut Reading<'_>) -> Result<(), Problem> {
        let text = self.text;
        match &mut self.state {
            State::Document(draft) => {
                let cells = self.header.cells(text, line);
                let Some(cells) = reading.accept(cells)? else { return Ok(()) };
                draft.row(text, cells, reading)
            }
            // Its id was reported; a problem for each of its rows would hide the others.
            State::Refused => Ok(()),
            State::BeforeDocuments => {
                self.state = State::Refused;
                let message = "a token before the first document id";
                let hint = "a document begins with `# hipe2022:document_id = ...`";
                reading.report(text.problem_at(Kind::Malformed, line, message).hint(hint))
            }
        }
    }

    /// A token may begin with `#` too, but then its row has all columns; some
    /// tools separate the words of comments by tabs.
    fn is_comment(&self, line: &str) -> bool {
        if !line.starts_with('#') || line.starts_with("# ") {
            return line.starts_with('#');
        }
        let cells = self.header.cells(self.text, line);
        // Without a coarse or fine tag that parses, a line of the right width is a comment written
        // with tabs and not a token such as `#hashtag`.
        line.contains("\t=\t") || !cells.is_ok_and(|cells| Tag::parse(tag_cell(&cells)).is_some())
    }

    fn document_id(&self) -> Option<&'f str> {
        self.facts.iter().find(|(key, _)| is_document_id(key)).map(|(_, id)| *id)
    }

    /// Starts the document that the comments announced; other comments stand
    /// inside a document and say nothing about it as a whole.
    fn open(&mut self, reading: &mut Reading<'_>) -> Result<(), Problem> {
        let facts = std::mem::take(&mut self.facts);
        let Some(id) = facts.iter().find(|(key, _)| is_document_id(key)).map(|(_, id)| *id) else {
            return Ok(());
        };
        self.close(reading);
        let here = Here::of(self.text, id);
        if let Err(duplicate) = here.begin_document(id, &mut reading.corpus) {
            self.state = State::Refused;
            return reading.report(duplicate);
        }
        for (key, value) in facts.into_iter().filter(|(key, _)| !is_document_id(key)) {
            let key = if LANGUAGE.contains(&key) { attribute::LANGUAGE } else { key };
            // Some tools write tabs between the words of a comment.
            reading.corpus.document_attribute(key, &value.replace('\t', " "));
        }
        self.state = State::Document(Draft::default());
        Ok(())
    }

    fn close(&mut self, reading: &mut Reading<'_>) {
        let state = std::mem::replace(&mut self.state, State::BeforeDocuments);
        if let State::Document(draft) = state {
            draft.finish(&mut reading.corpus);
        }
    }
}

fn is_document_id(key: &str) -> bool {
    key.rsplit(':').next() == Some(DOCUMENT_ID)
}

/// A document while its rows are read.
#[derive(Default)]
struct Draft<'t> {
    tokens: TokenText,
    mentions: Vec<Found<'t>>,
    /// Whether the last row belongs to the last mention.
    open: bool,
    /// The flags of the last token, and the one that its mention used.
    last: Option<(Misc<'t>, Option<&'t str>)>,
}

/// A mention and its rows.
struct Found<'t> {
    span: Span,
    kind: &'t str,
    /// Whether tags mark it, and not only its link.
    tagged: bool,
    rows: Vec<Cells<'t>>,
}

/// What a row does to the mentions.
enum Step<'t> {
    Close,
    Begin { kind: &'t str, tagged: bool },
    Extend,
}

impl<'t> Draft<'t> {
    fn row(
        &mut self,
        text: &Text<'_>,
        cells: Cells<'t>,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let misc = Misc::parse(cells[MISC]);
        // What stands between two tokens is a flag of the *first* one (`NoSpaceAfter`), so that it
        // is known only when the next row comes.
        let before = match self.last.take() {
            Some((misc, used)) => {
                self.tokens.remark(misc.rest(used, false));
                misc.separator()
            }
            None => "",
        };
        let token = self.tokens.push(before, cells[TOKEN]);
        let (step, ends) = match self.step(text, &cells, reading) {
            Ok(step) => step,
            Err(problem) => {
                // A row with a bad tag still gives its token: without it every later offset would
                // be wrong.
                reading.report(problem)?;
                (Step::Close, true)
            }
        };
        let (part, used) = match (&step, misc.partial()) {
            (Step::Begin { .. } | Step::Extend, Some((flag, start, end)))
                if start < end && end <= token.len() =>
            {
                (Span::new(token.start + start, token.start + end), Some(flag))
            }
            (Step::Begin { .. } | Step::Extend, Some((flag, ..))) => {
                let message = format!(
                    "`{flag}` lies outside the token, which has {} characters",
                    token.len()
                );
                reading.repaired(
                    text.problem_at(Kind::Offset, flag, message)
                        .hint("the mention is taken to cover the whole token"),
                );
                (token, None)
            }
            _ => (token, None),
        };
        match step {
            Step::Close => {}
            Step::Begin { kind, tagged } => {
                self.mentions.push(Found { span: part, kind, tagged, rows: vec![cells] });
            }
            Step::Extend => {
                if let Some(found) = self.mentions.last_mut() {
                    found.span.end = part.end;
                    found.rows.push(cells);
                }
            }
        }
        self.open = !ends;
        if misc.ends_sentence() {
            self.tokens.end_sentence();
        }
        self.last = Some((misc, used));
        Ok(())
    }

    /// What a row does, and whether the mention ends with it.
    fn step(
        &self,
        text: &Text<'_>,
        cells: &Cells<'t>,
        reading: &mut Reading<'_>,
    ) -> Result<(Step<'t>, bool), Problem> {
        let cell = tag_cell(cells);
        let open = self.mentions.last().filter(|_| self.open);
        match Tag::parse(cell) {
            Some(Tag::Begin { kind, ends }) => Ok((Step::Begin { kind, tagged: true }, ends)),
            Some(Tag::Inside { kind, ends }) => {
                if let Some(found) = open.filter(|found| found.tagged && found.kind == kind) {
                    // HIPE repeats the link in each row of a mention.
                    let link = found.rows.first().map_or(NOTHING, |row| row[LINK]);
                    if cells[LINK] != link {
                        let message = format!(
                            "the link `{}` differs from `{link}` at the beginning of the mention",
                            cells[LINK]
                        );
                        let problem = text.problem_at(Kind::Malformed, cells[LINK], message);
                        reading.repaired(problem.hint("the link of the first row counts"));
                    }
                    return Ok((Step::Extend, ends));
                }
                let message = format!("`{cell}` continues a mention, but none of its type is open");
                let problem = text.problem_at(Kind::Malformed, cell, message);
                reading.repaired(problem.hint("it was taken as the beginning of a mention"));
                Ok((Step::Begin { kind, tagged: true }, ends))
            }
            Some(Tag::Outside) if is_no_link(cells[LINK]) => Ok((Step::Close, true)),
            // Some systems fill in links without tags. A stretch of rows with the same link is one
            // mention then.
            Some(Tag::Outside) => {
                let same = open.is_some_and(|found| {
                    !found.tagged && found.rows.iter().all(|row| row[LINK] == cells[LINK])
                });
                let begin = Step::Begin { kind: "", tagged: false };
                Ok((if same { Step::Extend } else { begin }, false))
            }
            None => {
                let message = format!("expected an IOB tag such as `B-loc`, found `{cell}`");
                Err(text
                    .problem_at(Kind::Malformed, cell, message)
                    .hint("`O` is a token outside of mentions"))
            }
        }
    }

    fn finish(mut self, corpus: &mut CorpusBuilder) {
        if let Some((misc, used)) = self.last.take() {
            self.tokens.remark(misc.rest(used, true));
        }
        self.tokens.record(corpus);
        for found in &self.mentions {
            found.annotate(corpus);
        }
    }
}

/// The cell that marks mentions: the coarse tag, or the fine one where a data set has no coarse ones.
fn tag_cell<'t>(cells: &Cells<'t>) -> &'t str {
    if cells[COARSE] == NOTHING { cells[FINE] } else { cells[COARSE] }
}

impl Found<'_> {
    fn annotate(&self, corpus: &mut CorpusBuilder) {
        let Some(first) = self.rows.first() else { return };
        let links: Vec<Link> = first[LINK].split('|').map(|id| link(corpus, id.trim())).collect();
        // HIPE separates alternative answers by `|`, the best one first. They have no scores, which
        // NaN stands for.
        let best = links.first().copied().unwrap_or(Link::NONE);
        let mut annotation = corpus.annotate(self.span, best).types([self.kind]);
        if links.len() > 1 {
            for link in links {
                annotation = annotation.candidate(link, f64::NAN);
            }
        }
        for (column, key) in ATTRIBUTES {
            let cells: Vec<&str> = self.rows.iter().map(|row| row[column]).collect();
            let value = match column {
                // The fine tag marked the mention itself and is its type already.
                FINE if first[COARSE] == NOTHING => None,
                METONYMIC_LINK => fold_links(&cells),
                _ => fold_tags(&cells),
            };
            annotation = annotation.attribute(key, &value.unwrap_or_default());
        }
    }
}

fn link(corpus: &mut CorpusBuilder, id: &str) -> Link {
    match id {
        NIL => Link::NIL,
        id if is_no_link(id) => Link::NONE,
        entity => Link::to(corpus.intern(entity)),
    }
}
