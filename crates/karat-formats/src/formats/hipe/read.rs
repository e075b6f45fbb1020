//! Reading HIPE files.

use super::cells::{Misc, Tag, fold_links, fold_tags};
use super::header::{Cells, Header};
use super::{
    ATTRIBUTES, COARSE, DOCUMENT_ID, FINE, LANGUAGE, LINK, METONYMIC_LINK, MISC, NIL, NOTHING,
    TOKEN, is_no_link,
};
use crate::anchor::Here;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Text;
use crate::syntax::token_rows::TokenText;
use karat_model::{CorpusBuilder, Link, Span, attribute};

/// Reads one file.
pub(super) fn file(text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let header = Header::of(text, reading);
    let Some((header, rows)) = reading.accept(header)? else { return Ok(()) };
    let mut reader = FileReader { text, header, facts: Vec::new(), draft: None };
    for line in rows.lines() {
        reader.line(line, reading)?;
    }
    // The file may end with comments that announce a document without a single token.
    reader.open(reading)?;
    reader.close(reading)
}

struct FileReader<'f, 't> {
    text: &'t Text<'t>,
    header: Header,
    /// What comments said since the last row.
    facts: Vec<(&'f str, &'f str)>,
    draft: Option<Draft<'f>>,
}

impl<'f> FileReader<'f, '_> {
    fn line(&mut self, line: &'f str, reading: &mut Reading<'_>) -> Result<(), Problem> {
        if line.trim().is_empty() {
            return self.open(reading);
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
        let cells = self.header.cells(self.text, line, reading);
        let Some(cells) = reading.accept(cells)? else { return Ok(()) };
        if self.draft.is_none() {
            self.draft = Some(self.unnamed(line, reading));
        }
        match &mut self.draft {
            Some(draft) => draft.row(self.text, cells, reading),
            None => Ok(()),
        }
    }

    /// A document that no line names: many runs have tokens alone. Where gold is at hand, its rows say which documents
    /// they are.
    fn unnamed(&mut self, line: &'f str, reading: &mut Reading<'_>) -> Draft<'f> {
        let name = crate::source::stem(self.text.name()).to_owned();
        let message = format!("no line names the document that begins here; it is called `{name}`");
        let problem = self.text.problem_at(Kind::Malformed, line, message);
        reading.repaired(problem.hint(
            "a document begins with `# hipe2022:document_id = ...`; a run without such lines is cut as the rows of gold are",
        ));
        Draft::new(name, line)
    }

    /// A token may begin with `#` too, but then its row has all columns; some
    /// tools separate the words of comments by tabs.
    fn is_comment(&self, line: &str) -> bool {
        if !line.starts_with('#') || line.starts_with("# ") {
            return line.starts_with('#');
        }
        // Without a coarse or fine tag that parses, a line of the right width is a comment written
        // with tabs and not a token such as `#hashtag`.
        let tagged = self.header.whole(line).and_then(|cells| Tag::parse(tag_cell(&cells)));
        line.contains("\t=\t") || tagged.is_none()
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
        self.close(reading)?;
        let mut draft = Draft::new(id.to_owned(), id);
        draft.facts = facts.into_iter().filter(|(key, _)| !is_document_id(key)).collect();
        self.draft = Some(draft);
        Ok(())
    }

    fn close(&mut self, reading: &mut Reading<'_>) -> Result<(), Problem> {
        match self.draft.take() {
            Some(draft) => draft.finish(self.text, reading),
            None => Ok(()),
        }
    }
}

fn is_document_id(key: &str) -> bool {
    key.rsplit(':').next() == Some(DOCUMENT_ID)
}

/// A document while its rows are read.
struct Draft<'t> {
    name: String,
    /// What names it.
    at: &'t str,
    facts: Vec<(&'t str, &'t str)>,
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
    fn new(name: String, at: &'t str) -> Draft<'t> {
        let (facts, mentions) = (Vec::new(), Vec::new());
        Draft { name, at, facts, tokens: TokenText::default(), mentions, open: false, last: None }
    }

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

    fn finish(mut self, text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
        if let Some((misc, used)) = self.last.take() {
            self.tokens.remark(misc.rest(used, true));
        }
        let here = Here::of(text, self.at);
        let documents = reading.corpus.len();
        if !reading.begin_document(here, &self.name, self.tokens.text())? {
            return Ok(());
        }
        // A document that came before with this text has its tokens and facts already.
        if reading.corpus.len() > documents {
            for (key, value) in &self.facts {
                let key = if LANGUAGE.contains(key) { attribute::LANGUAGE } else { key };
                // Some tools write tabs between the words of a comment.
                reading.corpus.document_attribute(key, &value.replace('\t', " "));
            }
            self.tokens.record(&mut reading.corpus);
        }
        for found in &self.mentions {
            found.annotate(&mut reading.corpus);
        }
        Ok(())
    }
}

/// The cell that marks mentions: the coarse tag, or the fine one where a data set has no coarse ones.
fn tag_cell<'t>(cells: &Cells<'t>) -> &'t str {
    if is_no_link(cells[COARSE]) { cells[FINE] } else { cells[COARSE] }
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
                FINE if is_no_link(first[COARSE]) => None,
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
