//! ELEVANT's articles: one JSON object per document, gold labels and the
//! mentions of a system side by side.

mod article;
mod family;
pub(crate) mod reference;
#[cfg(test)]
mod tests;
mod write;

pub use write::labels;

use crate::anchor::Here;
use crate::block::{at_line_ends, in_blocks};
use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::json::{Borrowed, Scalar};
use article::{Article, Object, Range};
use family::Family;
use karat_model::{
    Corpus, CorpusBuilder, Features, Flags, Key, Link, MarkKind, Repeated, Restriction, Span,
    StrId, TextIndex, attribute,
};
use reference::{LITERALS, Reference};

/// The format.
#[derive(Debug)]
pub(crate) struct Elevant;

/// Why a mention is NIL, where the file says; `no mapping` for `<NO_MAPPING>`.
const NIL_REASON: &str = "nil_reason";
const NO_MAPPING: &str = "no mapping";
/// The ids below a label, where the file lists others than its parts.
const CHILDREN: &str = "children";
/// The span of the mention that a coreference refers to, as `start end`.
const REFERENCED_SPAN: &str = "referenced_span";
/// Whether a system found the mention contained in another.
const CONTAINED: &str = "contained";

static INFO: Info = Info {
    name: "elevant",
    title: "ELEVANT article JSONL",
    about: "One JSON object per document: text, gold `labels` with types, alternatives (`parent` and `children`), \
            `optional`, `desc` and `coref`, and the `entity_mentions` of a system with candidates; labels become gold and \
            mentions predicted annotations of one corpus. `<NIL>`, `<NO_MAPPING>`, `Unknown` and a mention without an id \
            are NIL, `Unknown3` is a NIL cluster; `QUANTITY` and `DATETIME` are types of mentions that are linked to nothing. \
            Documents are named by their id; where that is negative by their title, and without a title by their position. \
            The files of 2023 are read too; the current form is written.",
    reference: "github.com/ad-freiburg/elevant, docs and src/elevant/models",
    extensions: &["benchmark.jsonl", "linked_articles.jsonl"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::File),
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::EVALUATION_SPAN)
            .union(Features::HYPERLINKS)
            .union(Features::TITLE_SYNONYMS)
            .union(Features::SECTIONS)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::NIL_CLUSTERS)
            .union(Features::CONFIDENCE)
            .union(Features::CANDIDATES)
            .union(Features::UNRANKED_CANDIDATES)
            .union(Features::TYPE)
            .union(Features::TYPES)
            .union(Features::OPTIONAL)
            .union(Features::COREFERENCE)
            .union(Features::DESCRIPTIVE)
            .union(Features::SIDES)
            .union(Features::PARTS)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS)
            .union(Features::EMPTY_SPANS),
        document_attributes: &[attribute::TITLE, attribute::URL],
        annotation_attributes: &[
            attribute::ID,
            attribute::NAME,
            attribute::RECOGNIZED_BY,
            attribute::LINKED_BY,
            NIL_REASON,
            CHILDREN,
            REFERENCED_SPAN,
            CONTAINED,
        ],
    },
};

/// What one annotation is, in the order of the document. ELEVANT has gold labels
/// and predicted mentions only; for a document with anything else karat adds a
/// key `sides` with one letter per annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    /// `g`: a label.
    Gold,
    /// `p`: a mention.
    Predicted,
    /// `P`: a predicted annotation that stands among the labels, being part of a tree.
    PredictedLabel,
    /// `b`: a label that is both gold and predicted.
    Both,
    /// `-`: a label that is neither.
    Neither,
}

impl Side {
    const ALL: [(char, Side, Flags); 5] = [
        ('g', Side::Gold, Flags::GOLD),
        ('p', Side::Predicted, Flags::PREDICTED),
        ('P', Side::PredictedLabel, Flags::PREDICTED),
        ('b', Side::Both, Flags::GOLD.union(Flags::PREDICTED)),
        ('-', Side::Neither, Flags::empty()),
    ];

    fn flags(self) -> Flags {
        Side::ALL.iter().find(|(_, side, _)| *side == self).map_or(Flags::empty(), |side| side.2)
    }

    fn letter(self) -> char {
        Side::ALL.iter().find(|(_, side, _)| *side == self).map_or('-', |side| side.0)
    }
}

impl Format for Elevant {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let line = sample.first_line().trim_start();
        if !line.starts_with('{') {
            return 0;
        }
        let has = |key: &str| line.contains(key);
        // The first line may be longer than the sample, so not every key need be seen.
        let articles = has("\"text\":") && has("\"title\":") && line.starts_with("{\"id\":");
        let annotated = has("\"evaluation_span\":")
            || (has("\"entity_mentions\":") && has("\"recognized_by\":"))
            || (has("\"labels\":") && has("\"entity_id\":"));
        let named = INFO.extensions.iter().any(|extension| sample.has_extension(extension));
        match (articles, annotated) {
            (true, true) => 90,
            (true, false) => 40 + u8::from(named) * 5,
            (false, true)
                if has("\"text\":") && (has("\"labels\":") || has("\"entity_mentions\":")) =>
            {
                60
            }
            _ => 0,
        }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for file in files {
            in_blocks(file, at_line_ends, Repeated::Refuse, reading, |text, reading| {
                for (number, line) in (text.lines_before()..).zip(text.as_str().lines()) {
                    if !line.trim().is_empty() {
                        read_article(text, line, number, reading)?;
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        output.single(|out| {
            for document in corpus.documents() {
                write::article(out, &document)?;
            }
            Ok(())
        })
    }
}

fn read_article(
    text: &Text<'_>,
    line: &str,
    number: u64,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let parsed = serde_json::from_str(line).map_err(|error| {
        text.json_problem(line, &error).hint(
            "each line is one article with `id`, `title`, `text` and `labels` or `entity_mentions`; offsets are whole numbers",
        )
    });
    let Some(article): Option<Article<'_>> = reading.accept(parsed)? else { return Ok(()) };
    let here = Here { text, at: text.offset_of(line), len: 1 };
    let name = article.document_name(number);
    if let Err(duplicate) = reading.corpus.begin_document(&name) {
        let hint = crate::block::UNIQUE_DOCUMENTS;
        let problem = here.problem(Kind::DuplicateDocument, duplicate.to_string()).hint(hint);
        return reading.report(problem);
    }
    let index = TextIndex::new(&article.text);
    let anchor = Anchor { here, index, offsets: INFO.offsets.or(reading.options) };
    read_facts(&article, &anchor, reading)?;
    read_annotations(&article, &anchor, reading)
}

/// Turns ranges of the file into spans of the text.
struct Anchor<'a> {
    here: Here<'a>,
    index: TextIndex<'a>,
    offsets: Offsets,
}

impl Anchor<'_> {
    fn span(&self, range: Range) -> Result<Span, Problem> {
        self.here.anchor(&self.index, self.offsets, range.0, range.1, None)
    }

    fn span_of(&self, object: &Object<'_>) -> Result<Span, Problem> {
        let (start, end) = object.span;
        self.at(object).anchor(&self.index, self.offsets, start, end, None)
    }

    /// The place of a label or mention, as near as it is known.
    fn at(&self, object: &Object<'_>) -> Here<'_> {
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
        && let Some(span) = reading.accept(anchor.span(range))?
    {
        reading.corpus.set_evaluation_span(span);
    }
    let linked = article.hyperlinks.iter().flatten();
    let linked = linked.map(|(range, target)| (MarkKind::Hyperlink, *range, &**target));
    let titled = article.title_synonyms.iter().flatten();
    let titled = titled.map(|range| (MarkKind::TitleSynonym, *range, ""));
    let parts = article.sections.iter().flatten();
    let parts = parts.map(|(range, title)| (MarkKind::Section, *range, &**title));
    for (kind, range, value) in linked.chain(titled).chain(parts) {
        if let Some(span) = reading.accept(anchor.span(range))? {
            reading.corpus.mark(kind, span, value);
        }
    }
    Ok(())
}

fn read_annotations(
    article: &Article<'_>,
    anchor: &Anchor<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let Some(sides) = reading.accept(sides(article, anchor.here))? else { return Ok(()) };
    let labels = article.labels.as_deref().unwrap_or_default();
    let family = Family::of(labels);
    let mut positions = 0..labels.len();
    let mut mentions = article.entity_mentions.iter().flatten();
    // Where each label came to stand; the parts of a tree are joined at the end.
    let mut indices = vec![None; labels.len()];
    let mut words = Words::new(&mut reading.corpus);
    announce(article, &reading.corpus);
    for side in sides {
        if side == Side::Predicted {
            let Some(mention) = mentions.next() else { continue };
            if let Some(span) = reading.accept(anchor.span_of(mention))? {
                let corpus = &mut reading.corpus;
                add(corpus, span, side, (&mention.id, mention), &mut words);
                let noted = note(corpus, anchor, mention);
                reading.accept(noted)?;
            }
        } else {
            let Some(position) = positions.next() else { continue };
            let label = &labels[position];
            let checked = family.check(label, anchor).and_then(|()| anchor.span_of(label));
            if let Some(span) = reading.accept(checked)? {
                let corpus = &mut reading.corpus;
                indices[position] = Some(corpus.next_index());
                add(corpus, span, side, (&label.entity_id, label), &mut words);
                number(corpus, label, position);
                let noted = note(corpus, anchor, label);
                reading.accept(noted)?;
            }
        }
    }
    family.join(labels, &indices, &mut reading.corpus);
    Ok(())
}

/// Says which entities are looked up next, so that the look-ups overlap.
fn announce(article: &Article<'_>, corpus: &CorpusBuilder) {
    let objects = [&article.labels, &article.entity_mentions].into_iter().flatten().flatten();
    let ids = objects.flat_map(|object| {
        [&object.entity_id, &object.id].into_iter().chain(object.candidates.iter())
    });
    let keys: Vec<Key> = ids
        .filter_map(|id| match id {
            Scalar::Text(id) => Some(corpus.strings().key(id)),
            _ => None,
        })
        .collect();
    corpus.strings().expect(keys.iter().copied());
}

/// What each annotation is, in the order they have in the document.
fn sides(article: &Article<'_>, here: Here<'_>) -> Result<Vec<Side>, Problem> {
    let labels = article.labels.as_ref().map_or(0, Vec::len);
    let mentions = article.entity_mentions.as_ref().map_or(0, Vec::len);
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

/// Adds an annotation with what it is linked to and its types and flags.
fn add<'t>(
    corpus: &mut CorpusBuilder,
    span: Span,
    side: Side,
    (reference, object): (&Scalar<'_>, &'t Object<'_>),
    words: &mut Words<'t>,
) {
    let types = object.types.as_deref().unwrap_or_default();
    let (link, no_mapping) = link(corpus, reference, types);
    for candidate in object.candidates.iter() {
        words.candidates.push(match candidate {
            // In the files of 2023 a candidate that is NIL is null.
            Scalar::Null => Link::NIL,
            candidate => self::link(corpus, candidate, "").0,
        });
    }
    let mut flags = side.flags();
    flags.set(Flags::OPTIONAL, object.optional == Some(true));
    flags.set(Flags::DESCRIPTIVE, object.desc == Some(true));
    flags.set(Flags::COREFERENCE, object.coref == Some(true));
    flags.set(Flags::NOT_COREFERENCE, object.coref == Some(false));
    let types = words.types(corpus, types);
    let recognized_by = Words::same(&mut words.recognized_by, corpus, &object.recognized_by);
    let linked_by = Words::same(&mut words.linked_by, corpus, &object.linked_by);
    let name = object.name.as_deref().map_or(StrId::EMPTY, |name| corpus.intern(name));
    let mut annotation = corpus
        .annotate(span, link)
        .flags(flags)
        .types_id(types)
        .attribute_id(words.keys[0], name)
        .attribute_id(words.keys[1], recognized_by)
        .attribute_id(words.keys[2], linked_by);
    if let Some(score) = object.score {
        annotation = annotation.confidence(score);
    }
    annotation = annotation.candidates(words.candidates.drain(..));
    if no_mapping {
        annotation = annotation.attribute(NIL_REASON, NO_MAPPING);
    }
    if let Some(key) = &object.key {
        annotation.attribute(attribute::ID, key);
    }
}

/// Strings that come again and again in an article, interned once.
struct Words<'t> {
    /// Of the name, the recogniser and the linker.
    keys: [StrId; 3],
    recognized_by: (&'t str, StrId),
    linked_by: (&'t str, StrId),
    types: [(&'t str, StrId); 8],
    next_types: usize,
    /// Room for the candidates of one mention.
    candidates: Vec<Link>,
}

impl<'t> Words<'t> {
    fn new(corpus: &mut CorpusBuilder) -> Words<'t> {
        let nothing = ("", StrId::EMPTY);
        Words {
            keys: [attribute::NAME, attribute::RECOGNIZED_BY, attribute::LINKED_BY]
                .map(|key| corpus.intern(key)),
            recognized_by: nothing,
            linked_by: nothing,
            types: [nothing; 8],
            next_types: 0,
            candidates: Vec::new(),
        }
    }

    fn types(&mut self, corpus: &mut CorpusBuilder, types: &'t str) -> StrId {
        if types.is_empty() {
            return StrId::EMPTY;
        }
        let known = self.types.iter().find(|(known, _)| *known == types);
        if let Some((_, id)) = known {
            return *id;
        }
        let id = corpus.intern_list(types.split('|'));
        // The latest few are remembered, in turn.
        self.types[self.next_types] = (types, id);
        self.next_types = (self.next_types + 1) % self.types.len();
        id
    }

    fn same(
        last: &mut (&'t str, StrId),
        corpus: &mut CorpusBuilder,
        value: &'t Option<Borrowed<'_>>,
    ) -> StrId {
        let value = value.as_deref().unwrap_or_default();
        if value != last.0 {
            *last = (value, corpus.intern(value));
        }
        last.1
    }
}

/// The link, and whether it is NIL for want of a mapping.
#[inline]
fn link(corpus: &mut CorpusBuilder, reference: &Scalar<'_>, types: &str) -> (Link, bool) {
    let id = match reference {
        Scalar::Absent => return (Link::NIL, false),
        Scalar::Null => return (Link::NONE, false),
        Scalar::Number(number) => return (Link::to(corpus.intern(&number.to_string())), false),
        Scalar::Text(id) => id,
    };
    match Reference::parse(id) {
        Reference::Nil => (Link::NIL, false),
        Reference::NoMapping => (Link::NIL, true),
        Reference::Cluster(cluster) => (Link::nil_cluster(corpus.intern(cluster)), false),
        Reference::Entity(id)
            if !types.is_empty()
                && LITERALS.contains(&id)
                && types.split('|').any(|name| name == id) =>
        {
            (Link::NONE, false)
        }
        Reference::Entity(id) => (Link::to(corpus.intern(id)), false),
    }
}

/// Adds to the last annotation what only the mentions of some systems have.
fn note(
    corpus: &mut CorpusBuilder,
    anchor: &Anchor<'_>,
    object: &Object<'_>,
) -> Result<(), Problem> {
    let last = corpus.next_index().saturating_sub(1);
    if let Some(contained) = object.contained
        && let Some(annotation) = corpus.annotation_mut(last)
    {
        annotation.attribute(CONTAINED, if contained { "true" } else { "false" });
    }
    if let Some(range) = object.referenced_span {
        let span = anchor.span(range)?;
        if let Some(annotation) = corpus.annotation_mut(last) {
            annotation.attribute(REFERENCED_SPAN, &format!("{} {}", span.start, span.end));
        }
    }
    Ok(())
}

/// Keeps the number of a label where its position does not tell it.
fn number(corpus: &mut CorpusBuilder, label: &Object<'_>, position: usize) {
    let id = match &label.id {
        Scalar::Number(id) if usize::try_from(*id) != Ok(position) => id.to_string(),
        Scalar::Text(id) => id.to_string(),
        _ => return,
    };
    let last = corpus.next_index().saturating_sub(1);
    if let Some(annotation) = corpus.annotation_mut(last) {
        annotation.attribute(attribute::ID, &id);
    }
}
