//! MHERCL: sentences of historical periodicals, one token per row.

use crate::anchor::Here;
use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use karat_model::{Features, Link, MarkKind, Restriction, Span};

/// The format.
#[derive(Debug)]
pub(crate) struct Mhercl;

const HINT: &str = "a sentence is `#document_id:...`, `#document_date:...`, `#sent_text:...` and rows of `token  tag  link  lemma  pos`, separated by tabs";
const ID: &str = "#document_id:";
const DATE: &str = "#document_date:";
const TEXT: &str = "#sent_text:";

static INFO: Info = Info {
    name: "mhercl",
    title: "MHERCL TSV",
    about: "Sentences, each a document: `#document_id:`, `#document_date:` and `#sent_text:`, then one token per row with `token  tag  link  lemma  pos`. Tags are `B-type`, `I-type` and \
            `O`; links are ids of Wikidata, `NIL` or `_`. Links of tokens without a tag (systems disambiguate common words too) are left out. The tokens are found in the text of the \
            sentence; where they are not, their text is taken instead and this is said.",
    reference: "arianna-graciotti/historical-entity-linking; Graciotti et al. 2025",
    extensions: &["tsv"],
    offsets: Offsets::TOKENS,
    writes: None,
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::TOKENS)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::TYPE),
        document_attributes: &["date"],
        annotation_attributes: &[],
    },
};

impl Format for Mhercl {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let begins = sample.lines().find(|line| !line.trim().is_empty());
        if begins.is_some_and(|line| line.starts_with(ID)) { 95 } else { 0 }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for file in files {
            let text = file.text()?;
            let mut draft: Option<Draft<'_>> = None;
            for line in text.as_str().lines() {
                if let Some(id) = line.strip_prefix(ID) {
                    finish(draft.take(), reading)?;
                    draft = Some(Draft::new(Here::of(&text, line), id.trim()));
                } else if !line.trim().is_empty() {
                    let read = read_line(&text, line, draft.as_mut(), reading);
                    reading.accept(read)?;
                }
            }
            finish(draft, reading)?;
        }
        Ok(())
    }
}

fn read_line<'t>(
    text: &Text<'_>,
    line: &'t str,
    draft: Option<&mut Draft<'t>>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let Some(draft) = draft else {
        let message = "expected `#document_id:` before the first row";
        return Err(text.problem_at(Kind::Malformed, line, message).hint(HINT));
    };
    // A token may be `#`.
    if !line.contains('\t') {
        if let Some(date) = line.strip_prefix(DATE) {
            draft.date = date.trim();
        } else if let Some(sentence) = line.strip_prefix(TEXT) {
            draft.text = Some(sentence);
        } else if !line.starts_with('#') {
            let message = "expected columns that are separated by tabs, found 1";
            return Err(text.problem_at(Kind::Malformed, line, message).hint(HINT));
        }
        return Ok(());
    }
    let mut cells = line.split('\t');
    let token = cells.next().unwrap_or_default().trim();
    let (tag, link) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
    let parsed = Tag::parse(tag);
    if parsed.is_none() {
        let message = format!("`{tag}` is no tag; it is read as `O`");
        reading.repaired(text.problem_at(Kind::Malformed, line, message));
    }
    draft.push(token, parsed.unwrap_or(Tag::Out), link);
    Ok(())
}

/// What the second column says.
enum Tag<'t> {
    Out,
    Begin(&'t str),
    Inside(&'t str),
}

impl<'t> Tag<'t> {
    /// The files are typed by hand: `0` for `O`, `i-` and `I.` for `I-`.
    fn parse(cell: &'t str) -> Option<Tag<'t>> {
        if matches!(cell, "O" | "o" | "0" | "_" | "") {
            return Some(Tag::Out);
        }
        let (letter, kind) = cell.split_once(['-', '.']).filter(|(_, kind)| !kind.is_empty())?;
        match letter {
            "B" | "b" => Some(Tag::Begin(kind)),
            "I" | "i" => Some(Tag::Inside(kind)),
            _ => None,
        }
    }
}

/// A sentence while its rows are read.
struct Draft<'t> {
    here: Here<'t>,
    name: &'t str,
    date: &'t str,
    text: Option<&'t str>,
    tokens: Vec<&'t str>,
    mentions: Vec<Found<'t>>,
    /// Whether the last token belongs to the last mention.
    open: bool,
}

struct Found<'t> {
    first: usize,
    last: usize,
    link: &'t str,
    kind: &'t str,
}

impl<'t> Draft<'t> {
    fn new(here: Here<'t>, name: &'t str) -> Draft<'t> {
        let (tokens, mentions) = (Vec::new(), Vec::new());
        Draft { here, name, date: "", text: None, tokens, mentions, open: false }
    }

    fn push(&mut self, token: &'t str, tag: Tag<'t>, link: &'t str) {
        let at = self.tokens.len();
        self.tokens.push(token);
        let was_open = std::mem::replace(&mut self.open, !matches!(tag, Tag::Out));
        match (tag, self.mentions.last_mut()) {
            (Tag::Out, _) => {}
            (Tag::Inside(_), Some(last)) if was_open => last.last = at,
            (Tag::Begin(kind) | Tag::Inside(kind), _) => {
                self.mentions.push(Found { first: at, last: at, link, kind });
            }
        }
    }

    /// Where the tokens are in a text, in bytes.
    fn places(&self, text: &str) -> Option<Vec<std::ops::Range<usize>>> {
        let mut end = 0;
        let place = |token: &&str| {
            let rest = text.get(end..)?;
            let start = end + rest.len() - rest.trim_start().len();
            end = start + text.get(start..)?.starts_with(token).then_some(token.len())?;
            Some(start..end)
        };
        self.tokens.iter().map(place).collect()
    }
}

fn finish(draft: Option<Draft<'_>>, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let Some(draft) = draft else { return Ok(()) };
    if draft.name.is_empty() {
        let problem = draft.here.problem(Kind::Malformed, "expected an id behind `#document_id:`");
        return reading.report(problem.hint(HINT));
    }
    let joined: String;
    let given = draft.text.and_then(|text| Some((text, draft.places(text)?)));
    let (content, places) = match given {
        Some(given) => given,
        None => {
            if draft.text.is_some() {
                let message =
                    "the tokens are not those of `#sent_text:`; the text is made of the tokens";
                reading.repaired(draft.here.problem(Kind::Surface, message));
            }
            joined = draft.tokens.join(" ");
            let places = draft.places(&joined).unwrap_or_default();
            (joined.as_str(), places)
        }
    };
    let known = reading.corpus.len();
    if !reading.begin_document(draft.here, draft.name, content)? {
        return Ok(());
    }
    let index = karat_model::TextIndex::new(content);
    let position = |byte: usize| index.position_of_byte(byte).unwrap_or_default();
    // A sentence that comes again has its tokens.
    if reading.corpus.len() > known {
        reading.corpus.document_attribute("date", draft.date);
        for place in &places {
            let span = Span::new(position(place.start), position(place.end));
            reading.corpus.mark(MarkKind::Token, span, "");
        }
    }
    for found in &draft.mentions {
        let (Some(first), Some(last)) = (places.get(found.first), places.get(found.last)) else {
            continue;
        };
        let link = match found.link {
            "_" | "" => Link::NONE,
            "NIL" => Link::NIL,
            id => Link::to(reading.corpus.intern(id)),
        };
        let span = Span::new(position(first.start), position(last.end));
        reading.corpus.annotate(span, link).types(Some(found.kind));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, ReadOutcome, testing};

    const SAMPLE: &str = "#document_id:TheHarmonicon__1832-012.txt_996\n#document_date:1832\n#sent_text:😀 the Lord  Chamberlain, é𝄞\n😀\tO\t_\t😀\tSYM\nthe\tO\tbn:0001v\tthe\tDET\nLord\tB-person\tQ541755\tLord\tPROPN\nChamberlain\tI-person\tQ541755\tChamberlain\tPROPN\n,\tO\t_\t,\tPUNCT\né𝄞\tB-person\tNIL\té𝄞\tPROPN\n\n#document_id:x_1\n#document_date:NaN\n#sent_text:No. 3\nNo\t0\t_\tno\tNOUN\n.\tO\t_\t.\tPUNCT\n3\tI.music\tQ1\t3\tNUM\n";

    fn read(content: &str) -> Result<ReadOutcome, Problem> {
        testing::read(&Mhercl, &[("m.tsv", content)], &ReadOptions::default())
    }

    #[test]
    fn sentences_are_documents() {
        let outcome = read(SAMPLE).unwrap();
        let document = outcome.corpus.document("TheHarmonicon__1832-012.txt_996").unwrap();
        assert_eq!(document.attribute("date"), Some("1832"));
        assert_eq!(document.marks_of(MarkKind::Token).count(), 6);
        let found: Vec<_> =
            document.mentions().map(|m| (m.span(), m.surface().unwrap(), m.entity())).collect();
        assert_eq!(
            found,
            [
                (Span::new(6, 23), "Lord  Chamberlain", Some("Q541755")),
                (Span::new(25, 27), "é𝄞", None),
            ]
        );
        assert!(document.mentions().nth(1).unwrap().link().is_nil());
        // Typed by hand.
        let other = outcome.corpus.document("x_1").unwrap();
        let mention = other.mentions().next().unwrap();
        assert_eq!((mention.surface(), mention.types().next()), (Some("3"), Some("music")));
        assert!(outcome.findings.repaired().is_empty());
    }

    #[test]
    fn tokens_that_are_not_those_of_the_text_are_the_text() {
        let outcome = read(&SAMPLE.replace("#sent_text:No. 3", "#sent_text:Number 3")).unwrap();
        assert_eq!(outcome.corpus.document("x_1").unwrap().text(), Some("No . 3"));
        assert_eq!(outcome.findings.repaired().len(), 1);
        assert_eq!(outcome.corpus.annotations().len(), 3);
        let outcome = read(&SAMPLE.replace("\tI.music", "\tmusic")).unwrap();
        let [repaired] = outcome.findings.repaired() else { panic!("one row is bad") };
        assert_eq!(repaired.message, "`music` is no tag; it is read as `O`");
        assert_eq!(repaired.place.as_ref().unwrap().line, 16);
    }

    #[test]
    fn a_sentence_that_comes_again_is_put_together() {
        let outcome = read(&[SAMPLE, SAMPLE].concat()).unwrap();
        assert_eq!((outcome.corpus.len(), outcome.corpus.annotations().len()), (2, 6));
        let document = outcome.corpus.document("x_1").unwrap();
        assert_eq!(document.marks_of(MarkKind::Token).count(), 3);
    }

    #[test]
    fn bad_rows_are_located() {
        for (content, message, line) in [
            (SAMPLE.replacen("#document_id:The", "#doc:The", 1), "", 0),
            (
                SAMPLE.replace(".\tO\t_\t.\tPUNCT", "word"),
                "expected columns that are separated by tabs, found 1",
                15,
            ),
            (
                SAMPLE.replace("#document_id:x_1", "#document_id:"),
                "expected an id behind `#document_id:`",
                11,
            ),
        ] {
            let files = [("m.tsv", content.as_str())];
            let problem = testing::read_as(&Mhercl, &files, &ReadOptions::default()).unwrap_err();
            let place = problem.place.unwrap();
            if line == 0 {
                assert_eq!(problem.message, "expected `#document_id:` before the first row");
                continue;
            }
            assert_eq!((problem.message.as_str(), place.line), (message, line));
            let lenient = testing::read_as(&Mhercl, &files, &testing::lenient()).unwrap();
            assert_eq!(lenient.findings.skipped().len(), 1);
        }
    }
}
