//! From articles to documents.

use super::add::{Words, add, note, number};
use super::article::{Article, Object, Range};
use super::family::Family;
use super::{INFO, Side};
use crate::anchor::Here;
use crate::format::Offsets;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Text;
use karat_model::{MarkKind, Span, TextIndex, attribute};
use std::cell::{Cell, OnceCell};

/// Reads the articles of a block, one on each line.
pub(super) fn read_block(text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let mut reader = Reader { text, article: Article::default(), words: Words::default() };
    for (number, line) in (text.lines_before()..).zip(lines(text.as_str())) {
        if !line.trim().is_empty() && reader.parse(line, reading)? {
            reader.add(line, number, reading)?;
        }
    }
    Ok(())
}

/// The lines of a text, as the library has them. Lines are long here, and then this is
/// several times as fast.
fn lines(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let end = memchr::memchr(b'\n', text.as_bytes()).map_or(text.len(), |at| at + 1);
        let (line, rest) = text.split_at(end);
        text = rest;
        let ended = line.strip_suffix('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        (!line.is_empty()).then(|| ended.unwrap_or(line))
    })
}

/// The article of a line, and what those before it leave to it.
struct Reader<'t> {
    text: &'t Text<'t>,
    article: Article<'t>,
    words: Words,
}

impl<'t> Reader<'t> {
    /// Whether there is an article to be added.
    fn parse(&mut self, line: &'t str, reading: &mut Reading<'_>) -> Result<bool, Problem> {
        if self.article.read_usual(line).is_some() {
            return Ok(true);
        }
        let parsed = serde_json::from_str(line).map_err(|error| {
            self.text.json_problem(line, &error).hint(
                "each line is one article with `id`, `title`, `text` and `labels` or `entity_mentions`; offsets are whole numbers",
            )
        });
        let Some(article) = reading.accept(parsed)? else { return Ok(false) };
        self.article = article;
        Ok(true)
    }

    fn add(&mut self, line: &str, number: u64, reading: &mut Reading<'_>) -> Result<(), Problem> {
        let article = &self.article;
        let here = Here { text: self.text, at: self.text.offset_of(line), len: 1 };
        let name = article.document_name(number);
        if let Err(duplicate) = reading.corpus.begin_document(&name) {
            let hint = crate::block::UNIQUE_DOCUMENTS;
            let problem = here.problem(Kind::DuplicateDocument, duplicate.to_string()).hint(hint);
            return reading.report(problem);
        }
        let anchor = Anchor::new(here, line, &article.text, reading.offsets(INFO.offsets));
        read_facts(article, &anchor, reading)?;
        read_annotations(article, &name, &anchor, &mut self.words, reading)
    }
}

/// Turns ranges of the file into spans of the text.
pub(super) struct Anchor<'a> {
    here: Here<'a>,
    line: &'a str,
    text: &'a str,
    offsets: Offsets,
    /// Up to where offsets need nothing but to be compared with it; where they are no
    /// code points, or where one is wrong, the index is asked.
    code_points: u32,
    index: OnceCell<TextIndex<'a>>,
    /// The field that was last looked for, and where it is: one may have many bad spans.
    latest: Cell<Option<(&'static str, Here<'a>)>>,
}

impl<'a> Anchor<'a> {
    fn new(here: Here<'a>, line: &'a str, text: &'a str, offsets: Offsets) -> Anchor<'a> {
        let count = if offsets == Offsets::CODE_POINTS { text.chars().count() } else { 0 };
        let code_points = u32::try_from(count).unwrap_or_default();
        let (index, latest) = (OnceCell::new(), Cell::new(None));
        Anchor { here, line, text, offsets, code_points, index, latest }
    }

    /// The span that a field of the article has.
    fn span_in(&self, field: &'static str, range: Range) -> Result<Span, Problem> {
        self.plain(range).map_or_else(|| self.named(field, self.field(field), range), Ok)
    }

    /// The span that a field of a label or mention has, beside the one where it is.
    pub(super) fn span_beside(
        &self,
        object: &Object<'_>,
        field: &str,
        range: Range,
    ) -> Result<Span, Problem> {
        self.plain(range).map_or_else(|| self.named(field, self.at(object), range), Ok)
    }

    #[inline(never)]
    fn named(&self, field: &str, here: Here<'_>, range: Range) -> Result<Span, Problem> {
        self.span_at(here, range).map_err(|problem| Problem {
            message: format!("`{field}`: {}", problem.message),
            ..problem
        })
    }

    /// Where the line has a field of this name; inside a string its quotes would be escaped.
    fn field(&self, name: &'static str) -> Here<'a> {
        if let Some((latest, here)) = self.latest.get()
            && latest == name
        {
            return here;
        }
        let key = format!("\"{name}\"");
        let is_key = |at: &usize| {
            let rest = self.line.get(at + key.len()..).unwrap_or_default();
            rest.trim_start().starts_with(':')
        };
        let found = self.line.match_indices(&key).map(|(at, _)| at).find(is_key);
        let at = |at| Here { at: self.here.at + at, len: key.len(), ..self.here };
        let here = found.map_or(self.here, at);
        self.latest.set(Some((name, here)));
        here
    }

    fn span_of(&self, object: &Object<'_>) -> Result<Span, Problem> {
        self.plain(object.span).map_or_else(|| self.span_at(self.at(object), object.span), Ok)
    }

    #[inline]
    fn plain(&self, (start, end): Range) -> Option<Span> {
        let fits = start <= end && end <= u64::from(self.code_points);
        (fits && self.offsets == Offsets::CODE_POINTS).then(|| Span::new(start as u32, end as u32))
    }

    #[inline(never)]
    fn span_at(&self, here: Here<'_>, (start, end): Range) -> Result<Span, Problem> {
        let index = self.index.get_or_init(|| TextIndex::new(self.text));
        here.anchor(index, self.offsets, start, end, None)
    }

    /// The place of a label or mention, as near as it is known.
    pub(super) fn at(&self, object: &Object<'_>) -> Here<'_> {
        object.slice().map_or(self.here, |slice| Here::of(self.here.text, slice))
    }
}

/// What an article says about itself and about stretches of its text.
fn read_facts(
    article: &Article<'_>,
    anchor: &Anchor<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    reading.corpus.set_text(&article.text);
    for (key, value) in [(attribute::TITLE, &article.title), (attribute::URL, &article.url)] {
        reading.corpus.document_attribute(key, value.as_deref().unwrap_or_default());
    }
    if let Some(range) = article.evaluation_span
        && let Some(span) = reading.accept(anchor.span_in("evaluation_span", range))?
    {
        reading.corpus.set_evaluation_span(span);
    }
    let linked = article.hyperlinks.iter().flatten();
    let linked =
        linked.map(|(range, target)| (MarkKind::Hyperlink, "hyperlinks", *range, &**target));
    let titled = article.title_synonyms.iter().flatten();
    let titled = titled.map(|range| (MarkKind::TitleSynonym, "title_synonyms", *range, ""));
    let parts = article.sections.iter().flatten();
    let parts = parts.map(|(range, title)| (MarkKind::Section, "sections", *range, &**title));
    for (kind, field, range, value) in linked.chain(titled).chain(parts) {
        if let Some(span) = reading.accept(anchor.span_in(field, range))? {
            reading.corpus.mark(kind, span, value);
        }
    }
    Ok(())
}

fn read_annotations(
    article: &Article<'_>,
    document: &str,
    anchor: &Anchor<'_>,
    words: &mut Words,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let Some(sides) = reading.accept(sides(article, anchor.here))? else { return Ok(()) };
    let labels = &*article.labels;
    let family = Family::of(labels);
    let mut positions = 0..labels.len();
    let mut mentions = article.entity_mentions.iter();
    // Where each label came to stand; the parts of a tree are joined at the end.
    let mut indices = vec![None; labels.len()];
    words.begin(&mut reading.corpus);
    let (mut keys_of_labels, mut keys_of_mentions) = words.announce(article, &reading.corpus);
    for side in sides {
        if side == Side::Predicted {
            let Some(mention) = mentions.next() else { continue };
            let keys = keys_of_mentions.next_of(mention);
            if let Some(span) = reading.accept(anchor.span_of(mention))? {
                let corpus = &mut reading.corpus;
                add(corpus, span, side, (&mention.id, mention), words, keys);
                let noted = note(corpus, anchor, mention);
                reading.accept(noted)?;
            }
        } else {
            let Some(position) = positions.next() else { continue };
            let label = &labels[position];
            let keys = keys_of_labels.next_of(label);
            if let Some(span) = reading.accept(anchor.span_of(label))? {
                reading.accept(family.check_children(label, anchor))?;
                let corpus = &mut reading.corpus;
                indices[position] = Some(corpus.next_index());
                add(corpus, span, side, (&label.entity_id, label), words, keys);
                number(corpus, label, position);
                let noted = note(corpus, anchor, label);
                reading.accept(noted)?;
            }
        }
    }
    family.join(labels, &indices, document, reading);
    Ok(())
}

/// What each annotation is, in the order they have in the document.
fn sides(article: &Article<'_>, here: Here<'_>) -> Result<Vec<Side>, Problem> {
    let (labels, mentions) = (article.labels.len(), article.entity_mentions.len());
    let Some(letters) = article.sides.as_deref() else {
        let mut sides = vec![Side::Gold; labels];
        sides.resize(labels + mentions, Side::Predicted);
        return Ok(sides);
    };
    let side = |letter| Side::ALL.iter().find(|side| side.0 == letter).map(|side| side.1);
    let sides: Option<Vec<Side>> = letters.chars().map(side).collect();
    let fits = |sides: &Vec<Side>| {
        let predicted = sides.iter().filter(|&&side| side == Side::Predicted).count();
        predicted == mentions && sides.len() == labels + mentions
    };
    sides.filter(fits).ok_or_else(|| {
        let message = format!("`sides` is `{letters}`, expected one letter of `gpPb-` for each of {labels} labels and {mentions} mentions");
        here.problem(Kind::Malformed, message).hint("`sides` is karat's own key; remove it to read labels as gold and mentions as predicted")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_are_those_of_the_library(text in "[aé\r\n]{0,12}") {
            prop_assert!(lines(&text).eq(text.lines()));
        }
    }
}
