//! AIDA-CoNLL: one token per line with the columns of the AIDA-YAGO2 dataset.

use crate::anchor::Here;
use crate::block::in_blocks;
use crate::format::{Adapted, Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::nil::NilWords;
use crate::syntax::token_rows::TokenText;
use crate::syntax::tokens;
use karat_model::{
    Corpus, Document, Features, Link, Repeated, Restriction, Span, TextIndex, attribute,
};

#[cfg(test)]
mod tests;
mod write;

/// The format.
#[derive(Debug)]
pub(crate) struct AidaConll;

static INFO: Info = Info {
    name: "aida-conll",
    title: "AIDA-CoNLL",
    about: "A line `-DOCSTART- (1163testb SOCCER)` opens a document, a blank line ends a sentence, every other line \
            is a token, alone or with `B` or `I`, the mention, and either `entity [score]` or the gold columns \
            `yago  url  wikipedia-id  [freebase-mid]`, of which the url is the link; `--NME--` is NIL, as is `--OOE--` of AIDA-EE. The file \
            holds no white space: the text is the tokens joined by single spaces, also between sentences, and offsets are \
            code points of that text. `karat convert` cuts a text whose mentions do not begin and end at spaces into \
            tokens: at white space, before and after punctuation at the edge of a word, and where mentions begin and end. A topic in the document id (`SOCCER`) is also the topic of the document. \
            Where tokens are placeholders (`w12`, `****`) the mention column is kept as the surface form.",
    reference: "AIDA CoNLL-YAGO, Hoffart et al. 2011; conll03_nel_eval",
    extensions: &["aida.tsv", "conll"],
    offsets: Offsets::TOKENS,
    writes: Some(Layout::File),
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::TOKENS)
            .union(Features::SENTENCES)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::CONFIDENCE),
        document_attributes: &[attribute::TOPIC],
        annotation_attributes: &[YAGO, WIKIPEDIA_ID, FREEBASE_MID, attribute::SURFACE],
    },
};

/// The YAGO title of a gold link.
const YAGO: &str = "yago";
/// The number of the Wikipedia page of a gold link.
const WIKIPEDIA_ID: &str = "wikipedia_id";
/// The Freebase id of a gold link.
const FREEBASE_MID: &str = "freebase_mid";

const START: &str = "-DOCSTART-";
const NO_ENTITY: &str = "--NME--";

impl Format for AidaConll {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn nil_words(&self) -> NilWords {
        // Links may be titles.
        NilWords::NoTitles
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let mut lines = sample.lines().filter(|line| !line.trim().is_empty());
        let Some(id) = lines.next().and_then(|line| line.strip_prefix(START)) else { return 0 };
        let id = id.trim();
        let tags = lines.filter_map(|line| line.split('\t').nth(1)).take(200);
        // The official annotations without text have other columns after the first.
        // A vote, because single bad rows occur in real files and should be reported by the reader,
        // not make the format unknown.
        let votes: i32 = tags.map(|tag| if Tag::parse(tag).is_some() { 1 } else { -1 }).sum();
        match id {
            "" => 0,
            // `-DOCSTART- -X-` is CoNLL-2003 itself, which has no ids and no links.
            _ if id.starts_with("-X-") || votes < 0 => 0,
            _ if id.starts_with('(') => 90,
            _ => 60,
        }
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

    fn adapted(&self, corpus: &Corpus) -> Option<Adapted> {
        const GAPS: [&str; 1] = [" "];
        let tokens = |document: &Document<'_>| tokens::needed(document, &GAPS);
        let spaced = corpus.documents().filter(|document| tokens(document).is_some()).count();
        let joined = corpus.documents().filter(goes_over_sentences).count();
        let (documents, what) = match (spaced, joined) {
            (0, 0) => return None,
            (spaced, 0) => (spaced, "the white space of the text"),
            (0, joined) => (joined, "the ends of sentences within mentions"),
            (spaced, joined) => (
                spaced.max(joined),
                "the white space of the text, and the ends of sentences within mentions",
            ),
        };
        let spaced = (spaced > 0).then(|| corpus.respaced(tokens, &GAPS));
        let corpus = spaced.as_ref().unwrap_or(corpus).with_whole_sentences();
        Some(Adapted { corpus, documents, what })
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        output.single(|out| corpus.documents().try_for_each(|d| write::document(out, &d)))
    }
}

/// Whether a mention goes over the end of a sentence, which is a blank line that ends mentions.
fn goes_over_sentences(document: &Document<'_>) -> bool {
    document.cuts_mentions()
}

fn at_documents(bytes: &[u8]) -> Option<usize> {
    // Blocks end before a document, because a document must be read whole: its mentions need the
    // text so far.
    memchr::memmem::rfind(bytes, b"\n-DOCSTART-").map(|newline| newline + 1)
}

/// What the rows that come belong to.
enum State<'t> {
    BeforeDocuments,
    Document(Draft<'t>),
    /// The document cannot be used, and that was reported.
    Refused,
}

/// A document while its rows are read.
#[derive(Default)]
struct Draft<'t> {
    tokens: TokenText,
    mentions: Vec<Found<'t>>,
    /// Whether the last row belongs to the last mention.
    open: bool,
}

/// A mention and the columns that tell about it.
struct Found<'t> {
    span: Span,
    columns: Columns<'t>,
}

fn read_block(text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let mut state = State::BeforeDocuments;
    for line in text.as_str().lines() {
        if let Some(id) = line.strip_prefix(START) {
            finish(text, state, reading)?;
            state = match begin(text, line, id, reading) {
                Ok(()) => State::Document(Draft::default()),
                Err(problem) => {
                    reading.report(problem)?;
                    State::Refused
                }
            };
            continue;
        }
        match &mut state {
            State::Document(draft) => {
                let added = draft.add(text, line);
                reading.accept(added)?;
            }
            State::BeforeDocuments if !line.trim().is_empty() => {
                let message = "a token before the first document";
                let problem = text.problem_at(Kind::Malformed, line, message);
                reading.report(problem.hint("a document begins with `-DOCSTART- (id)`"))?;
                state = State::Refused;
            }
            State::BeforeDocuments | State::Refused => {}
        }
    }
    finish(text, state, reading)
}

fn begin(text: &Text<'_>, line: &str, id: &str, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let (id, topic) = id.split_once('\t').map_or((id, None), |(id, topic)| (id, Some(topic)));
    let id = id.trim();
    let inner = id.strip_prefix('(').and_then(|id| id.strip_suffix(')'));
    let name = inner.unwrap_or(id);
    if name.is_empty() {
        let message = "expected `-DOCSTART- (id)`, found no document id";
        return Err(text
            .problem_at(Kind::Malformed, line, message)
            .hint("the text of CoNLL-2003 alone has no ids; AIDA's own tool joins it with the annotations"));
    }
    Here::of(text, name).begin_document(name, &mut reading.corpus)?;
    if let Some(topic) = topic.or_else(|| topic_of(name)) {
        reading.corpus.document_attribute(attribute::TOPIC, topic);
    }
    Ok(())
}

/// The topic in an id of the shape `1163testb SOCCER`.
fn topic_of(name: &str) -> Option<&str> {
    let (number, topic) = name.split_once(' ')?;
    let split = number.trim_start_matches(|c: char| c.is_ascii_digit());
    let shaped = split.len() < number.len() && split.chars().all(|c| c.is_ascii_lowercase());
    (shaped && !topic.is_empty()).then_some(topic)
}

fn finish(text: &Text<'_>, state: State<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let State::Document(draft) = state else { return Ok(()) };
    let Draft { tokens, mentions, .. } = draft;
    let index = TextIndex::new(tokens.text());
    let mut checked = Vec::with_capacity(mentions.len());
    for found in &mentions {
        if let Some(surface) = reading.accept(found.check(text, &index))? {
            checked.push((found, surface));
        }
    }
    for (found, surface) in checked {
        found.columns.annotate(found.span, surface, reading);
    }
    tokens.record(&mut reading.corpus);
    Ok(())
}

impl<'t> Draft<'t> {
    fn add(&mut self, text: &Text<'_>, line: &'t str) -> Result<(), Problem> {
        // Spaces only: a row of tabs is a row with an empty token and not a blank line.
        if line.trim_matches(' ').is_empty() {
            self.tokens.end_sentence();
            self.open = false;
            return Ok(());
        }
        let (token, rest) = line.split_once('\t').unwrap_or((line, ""));
        // Closed by default: any row that does not say otherwise ends the mention, also one that is
        // bad.
        let was_open = std::mem::take(&mut self.open);
        let span = self.tokens.push(" ", token);
        if rest.is_empty() {
            return Ok(());
        }
        let (tag, columns) = rest.split_once('\t').unwrap_or((rest, ""));
        match Tag::parse(tag) {
            Some(Tag::Outside) => Ok(()),
            Some(Tag::Begin) => {
                let columns = Columns::parse(text, columns)?;
                self.mentions.push(Found { span, columns });
                self.open = true;
                Ok(())
            }
            Some(Tag::Inside) => match self.mentions.last_mut().filter(|_| was_open) {
                // Two mentions in a row differ in their columns or the second begins with `B`; an
                // `I` with other columns is a mistake, and guessing would move a boundary.
                Some(found) if found.columns.whole == columns => {
                    found.span.end = span.end;
                    self.open = true;
                    Ok(())
                }
                Some(_) => Err(text
                    .problem_at(
                        Kind::Malformed,
                        columns,
                        "these columns differ from those of the row where the mention begins",
                    )
                    .hint(
                        "all rows of a mention repeat its columns; a new mention begins with `B`",
                    )),
                None => Err(text
                    .problem_at(Kind::Malformed, tag, "`I` continues a mention, but none is open")
                    .hint("the first row of a mention has `B`; no mention goes over a blank line")),
            },
            None => {
                let message = format!("expected `B`, `I` or `O`, found `{tag}`");
                Err(text
                    .problem_at(Kind::Malformed, tag, message)
                    .hint("the columns are `token  B|I  mention  entity ...`, separated by tabs"))
            }
        }
    }
}

/// Whether this is an id of Freebase: `/m/0345h`.
fn is_mid(id: &str) -> bool {
    id.starts_with("/m/") || id.starts_with("/g/")
}

enum Tag {
    Begin,
    Inside,
    Outside,
}

impl Tag {
    fn parse(tag: &str) -> Option<Tag> {
        match tag {
            "B" => Some(Tag::Begin),
            "I" => Some(Tag::Inside),
            "O" | "" => Some(Tag::Outside),
            _ => None,
        }
    }
}

/// The columns after the tag.
struct Columns<'t> {
    whole: &'t str,
    mention: Option<&'t str>,
    /// `None` for no answer, the empty string included.
    entity: Option<String>,
    score: Option<f64>,
    /// YAGO title, Wikipedia id, Freebase id.
    gold: [String; 3],
}

impl<'t> Columns<'t> {
    fn parse(text: &Text<'_>, whole: &'t str) -> Result<Columns<'t>, Problem> {
        let fields: Vec<&str> = whole.split('\t').collect();
        let mention = fields.first().copied().filter(|mention| !mention.is_empty());
        let mut columns =
            Columns { whole, mention, entity: None, score: None, gold: Default::default() };
        let entity = |title: &str| Some(unescaped(title)).filter(|entity| !entity.is_empty());
        match fields.as_slice() {
            [_] => {}
            [_, title] => columns.entity = entity(title),
            // Three columns are those of a system (entity, score) or those of older gold files
            // (YAGO title, url): a number tells which.
            [_, title, score] => match score.parse::<f64>() {
                Ok(score) if !score.is_nan() => {
                    columns.entity = entity(title);
                    columns.score = Some(score);
                }
                // Older files give the url without the ids.
                _ if score.starts_with("http") => columns.set_gold(title, score, &[]),
                _ => {
                    let message = format!("expected a score or a url, found `{score}`");
                    return Err(text.problem_at(Kind::Malformed, score, message).hint(
                        "the columns are `token  B|I  mention  entity  score` or `token  B|I  mention  yago  url  wikipedia-id  freebase-mid`",
                    ));
                }
            },
            [_, title, url, ids @ ..] if ids.len() <= 2 => columns.set_gold(title, url, ids),
            _ => {
                let message =
                    format!("expected at most 7 columns, found {}", fields.len().saturating_add(2));
                return Err(text.problem_at(Kind::Malformed, whole, message).hint(
                    "the columns are `token  B|I  mention  yago  url  wikipedia-id  freebase-mid`",
                ));
            }
        }
        Ok(columns)
    }

    fn set_gold(&mut self, title: &str, url: &str, ids: &[&str]) {
        // Whatever the columns after it say.
        if title == NO_ENTITY {
            self.entity = Some(NO_ENTITY.to_owned());
            return;
        }
        // Files without the column of pages have the id of Freebase in its place.
        let ids = match ids {
            [mid] if is_mid(mid) => &["", *mid],
            ids => ids,
        };
        let id = |position: usize| ids.get(position).map(|&id| id.to_owned()).unwrap_or_default();
        self.entity = Some(url.to_owned()).filter(|url| !url.is_empty());
        self.gold = [unescaped(title), id(0), id(1)];
    }

    fn annotate(&self, span: Span, surface: Option<&str>, reading: &mut Reading<'_>) {
        let link = match self.entity.as_deref() {
            None => Link::NONE,
            Some(NO_ENTITY) => Link::NIL,
            Some(entity) => Link::to(reading.corpus.intern(entity)),
        };
        let mut annotation = reading.corpus.annotate(span, link);
        if let Some(score) = self.score {
            annotation = annotation.confidence(score);
        }
        for (key, value) in [YAGO, WIKIPEDIA_ID, FREEBASE_MID].into_iter().zip(&self.gold) {
            annotation = annotation.attribute(key, value);
        }
        annotation.attribute(attribute::SURFACE, surface.unwrap_or_default());
    }
}

impl<'t> Found<'t> {
    /// The surface form to keep: that of a mention whose tokens are obscured.
    fn check(&self, text: &Text<'_>, index: &TextIndex<'_>) -> Result<Option<&'t str>, Problem> {
        let Some(mention) = self.columns.mention else { return Ok(None) };
        match index.slice(self.span) {
            // The text of CoNLL-2003 may not be published with the annotations, and so placeholders
            // stand for its words; comparing the mention with them would fail always.
            Some(tokens) if tokens != mention && is_obscured(tokens) => Ok(Some(mention)),
            _ => {
                let (start, end) = (self.span.start.into(), self.span.end.into());
                let here = Here::of(text, mention);
                here.anchor(index, Offsets::CODE_POINTS, start, end, Some(mention)).map(|_| None)
            }
        }
    }
}

/// Whether tokens stand for words that may not be published: `w12` or `****`.
fn is_obscured(tokens: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    tokens.split(' ').all(|token| {
        token.strip_prefix('w').is_some_and(is_number)
            || (!token.is_empty() && token.bytes().all(|byte| byte == b'*'))
    })
}

/// A YAGO title with its `\u00e9` resolved. What is no such escape stays as it is.
fn unescaped(title: &str) -> String {
    let mut plain = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(at) = rest.find("\\u") {
        plain.push_str(&rest[..at]);
        let unit = |from: usize| {
            let digits = rest.get(from..from + 4)?;
            let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            u16::from_str_radix(digits, 16).ok().filter(|_| hex)
        };
        // Titles are escaped in UTF-16, where a character outside of the basic plane takes two
        // escapes.
        let second = rest.get(at + 6..at + 8).filter(|&escape| escape == "\\u").and(unit(at + 8));
        let decoded = unit(at + 2).and_then(|first| match char::from_u32(first.into()) {
            Some(character) => Some((character, 6)),
            None => {
                char::decode_utf16([first, second?]).next()?.ok().map(|character| (character, 12))
            }
        });
        let length = match decoded {
            Some((character, length)) => {
                plain.push(character);
                length
            }
            None => {
                plain.push_str("\\u");
                2
            }
        };
        rest = &rest[at + length..];
    }
    plain.push_str(rest);
    plain
}
