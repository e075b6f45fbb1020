//! From the records of a file to documents.

use super::records::{
    DocumentRecord, Ident, MentionRecord, Records, SEPARATOR, SentenceRecord, Slip,
};
use crate::anchor::Here;
use crate::format::Offsets;
use crate::formats::nif::answer::Answer;
use crate::formats::nif::fragment::Located;
use crate::formats::nif::slips::{check_length, measure, skip_units};
use crate::formats::nif::stretches::Claims;
use crate::formats::nif::tags::{mixture, tag_of};
use crate::placing::repair::Placed;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Text;
use crate::syntax::turtle::{Iri, Namespace};
use karat_model::{
    CorpusBuilder, Hint, Interner, Link, MarkKind, Span, StrId, TextIndex, attribute,
};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// More blank space than this between two sentences is a mistake.
const WIDEST_GAP: u64 = 1 << 20;

/// Puts the records of a file together and adds its documents to the corpus.
pub(super) fn assemble(
    text: &Text<'_>,
    parts: Vec<Records<'_>>,
    offsets: Offsets,
    claims: &mut Claims,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let mut parts = parts;
    // Faults in the order of the file, although its parts were read in parallel.
    for fault in parts.iter_mut().flat_map(|part| part.faults.drain(..)) {
        reading.report(fault.problem(text))?;
    }
    let mut slips = Slips::default();
    for slip in parts.iter_mut().flat_map(|part| part.slips.drain(..)) {
        slips.by_record.entry(slip.at).or_default().push(slip);
    }
    let lists = parts.iter().map(|part| Lists::of(&part.lists, &mut reading.corpus)).collect();
    let mut file = File { text, offsets, lists, types: Vec::new() };
    file.learn_types(&parts, &mut reading.corpus);
    let mut contexts = Contexts::default();
    // Three passes, as Turtle has no order: a mention may stand before its sentence, and a sentence
    // before its document.
    for document in parts.iter().flat_map(|part| &part.documents) {
        contexts.add_document(text, document, reading)?;
    }
    for sentence in parts.iter().flat_map(|part| &part.sentences) {
        contexts.add_sentence(text, sentence, reading)?;
    }
    for (part, records) in parts.iter().enumerate() {
        for mention in &records.mentions {
            contexts.add_mention(text, part, mention, reading)?;
        }
    }
    // Where two stretches of a large file claim the same, it is read again as a whole.
    contexts.claim(claims);
    for document in &contexts.documents {
        file.add(document, &mut slips, reading)?;
    }
    slips.report_rest(text, reading);
    Ok(())
}

/// What was wrong with records, by where they start, until it is known what they are about.
#[derive(Default)]
struct Slips {
    by_record: BTreeMap<usize, Vec<Slip>>,
}

impl Slips {
    /// Reports those of a record that is about this.
    fn report(
        &mut self,
        text: &Text<'_>,
        at: usize,
        about: (&str, Option<Span>),
        reading: &mut Reading<'_>,
    ) {
        if self.by_record.is_empty() {
            return;
        }
        for slip in self.by_record.remove(&at).unwrap_or_default() {
            reading.repaired(problem(text, slip).about(Some(about.0), about.1));
        }
    }

    /// Reports those of records that led to nothing.
    fn report_rest(self, text: &Text<'_>, reading: &mut Reading<'_>) {
        for slip in self.by_record.into_values().flatten() {
            reading.repaired(problem(text, slip));
        }
    }
}

fn problem(text: &Text<'_>, slip: Slip) -> Problem {
    text.problem(slip.kind, slip.at, 1, slip.message).hint(slip.hint)
}

/// A document with its sentences and mentions, in the order of the file.
struct DocumentParts<'p, 't> {
    record: &'p DocumentRecord<'t>,
    name: &'p str,
    sentences: Vec<&'p SentenceRecord<'t>>,
    mentions: Vec<MentionPart<'p, 't>>,
}

/// A mention, the part of the file it comes from, and its sentence among those
/// of the document; none if it counts from the start of the document.
struct MentionPart<'p, 't> {
    record: &'p MentionRecord<'t>,
    part: usize,
    sentence: Option<u32>,
}

/// What mentions can refer to, by subject.
#[derive(Default)]
struct Contexts<'p, 't> {
    documents: Vec<DocumentParts<'p, 't>>,
    subjects: Interner,
    /// By the number of the subject: the document and the sentence in it.
    places: Vec<Option<(u32, Option<u32>)>>,
    names: HashMap<&'p str, u32>,
    /// Contexts that are no subject, found by the name of their document.
    by_name: Vec<&'p str>,
    /// The last context looked up; mentions of a sentence stand together.
    last: Option<(&'p str, (u32, Option<u32>))>,
}

impl<'p, 't> Contexts<'p, 't> {
    fn add_document(
        &mut self,
        text: &Text<'_>,
        record: &'p DocumentRecord<'t>,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let name = Located::of(record.source.as_deref().unwrap_or(&record.subject)).document;
        let number = self.documents.len() as u32;
        if self.names.contains_key(name) {
            let message = format!("document `{name}` occurs twice");
            let problem = text.problem(Kind::DuplicateDocument, record.at, 1, message);
            return reading.report(problem.hint("document IRIs must be unique in one input"));
        }
        self.names.insert(name, number);
        self.documents.push(DocumentParts {
            record,
            name,
            sentences: Vec::new(),
            mentions: Vec::new(),
        });
        self.set_place(&record.subject, (number, None));
        Ok(())
    }

    fn add_sentence(
        &mut self,
        text: &Text<'_>,
        record: &'p SentenceRecord<'t>,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let Some((document, _)) = self.place(&record.document) else {
            let problem = unknown(text, record.at, "document", &record.document);
            return reading.report(problem);
        };
        let Some(parts) = self.documents.get_mut(document as usize) else { return Ok(()) };
        let number = parts.sentences.len() as u32;
        parts.sentences.push(record);
        self.set_place(&record.subject, (document, Some(number)));
        Ok(())
    }

    fn add_mention(
        &mut self,
        text: &Text<'_>,
        part: usize,
        record: &'p MentionRecord<'t>,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let place = match self.last {
            Some((subject, place)) if subject == record.context => Some(place),
            _ => self.place(&record.context),
        };
        let Some(place @ (document, sentence)) = place else {
            let problem = unknown(text, record.at, "sentence", &record.context);
            return reading.report(problem);
        };
        self.last = Some((&record.context, place));
        // Checked by the subject first: nearly always the same string, and no lookup is needed.
        if let Some(named) = &record.document
            && self.document_subject(document) != Some(named)
            && self.place(named).map(|(named, _)| named) != Some(document)
        {
            let message =
                format!("nif:context names <{named}>, but the sentence is of another document");
            let problem = text.problem(Kind::UnknownDocument, record.at, 1, message);
            reading.repaired(problem.hint("the sentence of nif:referenceContext counts"));
        }
        if let Some(parts) = self.documents.get_mut(document as usize) {
            parts.mentions.push(MentionPart { record, part, sentence });
        }
        Ok(())
    }

    fn document_subject(&self, document: u32) -> Option<&str> {
        self.documents.get(document as usize).map(|parts| &*parts.record.subject)
    }

    fn set_place(&mut self, subject: &str, place: (u32, Option<u32>)) {
        let id = self.subjects.intern(subject).index();
        if self.places.len() <= id {
            self.places.resize(id + 1, None);
        }
        // The first of two with the same subject stays, as it does for documents.
        self.places[id].get_or_insert(place);
    }

    fn place(&mut self, subject: &'p str) -> Option<(u32, Option<u32>)> {
        let by_subject = self.subjects.find(subject).and_then(|id| *self.places.get(id.index())?);
        by_subject.or_else(|| {
            // Some files leave out the context of a document and name it only in the IRIs of its
            // mentions.
            let document = self.names.get(Located::of(subject).document)?;
            self.by_name.push(subject);
            Some((*document, None))
        })
    }

    /// Claims all that can be referred to, and what was found by its name only.
    fn claim(&self, claims: &mut Claims) {
        let subjects = self.subjects.iter().zip(&self.places).filter(|(_, place)| place.is_some());
        let subjects = subjects.map(|(subject, _)| subject);
        let names = self.names.keys().chain(&self.by_name).copied();
        subjects.chain(names).for_each(|name| claims.add(name));
    }
}

fn unknown(text: &Text<'_>, at: usize, what: &str, subject: &str) -> Problem {
    let message = format!("the {what} <{subject}> is not in the file");
    text.problem(Kind::UnknownDocument, at, 1, message)
        .hint("give the files of one dataset together")
}

/// What holds for a whole file.
struct File<'f> {
    text: &'f Text<'f>,
    offsets: Offsets,
    /// The lists of each part of the file.
    lists: Vec<Lists>,
    /// The types of links, by the number of the link in the corpus.
    types: Vec<StrId>,
}

/// The lists of tags and types of one part, by their number in it.
struct Lists {
    tags: Vec<StrId>,
    types: Vec<StrId>,
    /// The vocabularies of a list that mixes them.
    mixtures: HashMap<usize, String>,
}

impl Lists {
    fn of(written: &Interner, corpus: &mut CorpusBuilder) -> Lists {
        // Lists of tags and types repeat a lot, so each different list is split and interned once,
        // and a mention costs an index.
        let mut lists = Lists { tags: Vec::new(), types: Vec::new(), mixtures: HashMap::new() };
        for (number, list) in written.iter().enumerate() {
            let items = || list.split(SEPARATOR).filter(|item| !item.is_empty());
            let tags: Vec<String> = items().map(tag).collect();
            lists.tags.push(corpus.intern_list(tags.iter().map(String::as_str)));
            lists.types.push(corpus.intern_list(items().map(type_name)));
            lists.mixtures.extend(mixture(items().map(iri)).map(|names| (number, names)));
        }
        lists
    }
}

/// The IRI behind a tag as it was written.
fn iri(written: &str) -> Iri<'_> {
    match written.strip_prefix('<') {
        Some(whole) => Iri::whole(whole),
        None => {
            let (prefix, local) = written.split_once(':').unwrap_or_default();
            Iri { namespace: Namespace::WHOLE, prefix, local: Cow::Borrowed(local) }
        }
    }
}

/// A tag as the model has it, from how it was written.
pub(super) fn tag(written: &str) -> String {
    let iri = iri(written);
    tag_of(&iri).unwrap_or_else(|| iri.local.into_owned())
}

/// `mnt:Person` is the type `Person`; any other IRI is a type as it stands.
pub(super) fn type_name(written: &str) -> &str {
    match written.strip_prefix('<') {
        Some(whole) => whole,
        None => written.split_once(':').map_or(written, |(_, local)| local),
    }
}

impl File<'_> {
    /// The first statement about a link decides.
    fn learn_types(&mut self, parts: &[Records<'_>], corpus: &mut CorpusBuilder) {
        for (records, lists) in parts.iter().zip(&self.lists) {
            for (link, types) in &records.entity_types {
                let link = corpus.intern(link).index();
                if self.types.len() <= link {
                    self.types.resize(link + 1, StrId::EMPTY);
                }
                if self.types[link] == StrId::EMPTY {
                    self.types[link] = lists.types[types.index()];
                }
            }
        }
    }

    fn add(
        &self,
        document: &DocumentParts<'_, '_>,
        slips: &mut Slips,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let content = match &document.record.text {
            Some(text) => Cow::Borrowed(&**text),
            None => Cow::Owned(self.join_sentences(document, reading)?),
        };
        let here = self.here(document.record.at);
        if let Err(problem) = here.begin_document(document.name, &mut reading.corpus) {
            return reading.report(problem);
        }
        reading.corpus.set_text(&content);
        slips.report(self.text, document.record.at, (document.name, None), reading);
        if let (Some(text), Some(end)) = (&document.record.text, document.record.end) {
            check_length(here, (document.name, text), end, self.offsets, reading);
        }
        let index = TextIndex::new(&content);
        let mut starts = Vec::with_capacity(document.sentences.len());
        for sentence in &document.sentences {
            let here = self.here(sentence.at);
            let (begin, end) = (sentence.begin, sentence.end);
            // Mentions count from a sentence, so that its words must be where it says.
            let offsets = Offsets { decide: false, ..self.offsets };
            let span =
                here.anchor_of("sentence", &index, offsets, begin, end, Some(&sentence.text));
            let span = span.map_err(|problem| problem.in_document(document.name));
            let span = reading.accept(span)?;
            slips.report(self.text, sentence.at, (document.name, span), reading);
            if let Some(span) = span {
                reading.corpus.mark(MarkKind::Sentence, span, "");
            }
            // Pushed for a bad sentence too: mentions find their sentence by its number.
            starts.push(span.map(|span| span.start));
        }
        self.add_mentions(document, &index, &starts, slips, reading)
    }

    fn add_mentions(
        &self,
        document: &DocumentParts<'_, '_>,
        index: &TextIndex<'_>,
        starts: &[Option<u32>],
        slips: &mut Slips,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let mut roots = HashMap::with_capacity(document.mentions.len());
        let mut current: (Option<u32>, Option<TextIndex<'_>>) = (None, None);
        for mention in &document.mentions {
            let record = mention.record;
            let here = self.here(record.at);
            let (begin, end) = (record.begin.into(), record.end.into());
            let anchor = |index: &TextIndex<'_>| {
                here.place(index, self.offsets, begin, end, record.anchor.as_deref())
            };
            let span = match mention.sentence {
                None => anchor(index),
                Some(sentence) => {
                    // The mentions of a sentence stand together as a rule, so that its index is
                    // built once.
                    if current.0 != Some(sentence) || current.1.is_none() {
                        let text = &document.sentences[sentence as usize].text;
                        current = (Some(sentence), Some(TextIndex::new(text)));
                    }
                    match (starts[sentence as usize], &current.1) {
                        (Some(start), Some(index)) => moved(anchor(index), start),
                        _ => Err(here
                            .problem(Kind::Offset, "the sentence of this mention is not where it should be in the text")
                            .hint("mend the sentence, and the mention has a place again")),
                    }
                }
            };
            let span = span.and_then(|placed| reading.placed_in(placed, Some(document.name)));
            let span = span.map_err(|problem| problem.in_document(document.name));
            if let Some(span) = reading.accept(span)? {
                slips.report(self.text, record.at, (document.name, Some(span)), reading);
                self.note_mixture(mention, (document.name, span), reading);
                self.annotate(mention, span, &mut roots, &mut reading.corpus);
            }
        }
        Ok(())
    }

    /// Tags are read under one name, so that nobody later can tell that they were mixed.
    fn note_mixture(
        &self,
        mention: &MentionPart<'_, '_>,
        (document, span): (&str, Span),
        reading: &mut Reading<'_>,
    ) {
        let lists = &self.lists[mention.part];
        let Some(names) = lists.mixtures.get(&mention.record.tags.index()) else { return };
        let message = format!("tags of several vocabularies: {names}");
        let problem = self.here(mention.record.at).problem(Kind::Malformed, message);
        let problem = problem.hint(Hint::template(
            "they are read as one; converting with {tags} writes them in one",
        ));
        reading.repaired(problem.about(Some(document), Some(span)));
    }

    fn annotate(
        &self,
        mention: &MentionPart<'_, '_>,
        span: Span,
        roots: &mut HashMap<Span, Root>,
        corpus: &mut CorpusBuilder,
    ) {
        let record = mention.record;
        let link = match &record.answer {
            Ident::None => Link::NONE,
            Ident::Unnamed => Link::NIL,
            Ident::Iri(iri) => Answer::of(iri).link(corpus),
        };
        let lists = &self.lists[mention.part];
        let types = match (record.types, link.entity()) {
            // The type of a mention itself comes before that of its entity.
            (StrId::EMPTY, Some(entity)) => {
                self.types.get(entity.index()).copied().unwrap_or_default()
            }
            (own, _) => lists.types[own.index()],
        };
        let mut annotation = corpus
            .annotate(span, link)
            .types_id(types)
            .tags_id(lists.tags[record.tags.index()])
            .confidence(record.confidence);
        if let Some(comment) = &record.comment {
            annotation = annotation.attribute(attribute::COMMENT, comment);
        }
        if let Some(derived) = &record.derived {
            annotation = annotation.attribute(attribute::DERIVED, derived);
        }
        let index = annotation.index();
        // Two mentions on the same span are alternatives of each other here; the first one is the
        // root.
        match roots.entry(span) {
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(Root { index, readings: Vec::new() });
            }
            std::collections::hash_map::Entry::Occupied(mut root) => {
                let root = root.get_mut();
                let reading = root.reading(record.alternative);
                annotation.part_of(root.index, reading);
            }
        }
    }

    /// The text of a document of which only the sentences are given.
    fn join_sentences(
        &self,
        document: &DocumentParts<'_, '_>,
        reading: &mut Reading<'_>,
    ) -> Result<String, Problem> {
        let mut joined = String::new();
        let mut length = 0;
        let mut sentences = document.sentences.clone();
        // By where they start, not by where they stand in the file: each is padded to its offset,
        // so that offsets of the file stay true.
        sentences.sort_by_key(|sentence| sentence.begin);
        for sentence in sentences {
            // The gap is filled with spaces; without the limit a single wrong offset could ask for
            // gigabytes.
            match sentence.begin.checked_sub(length) {
                Some(gap) if gap <= WIDEST_GAP => {
                    pad(&mut joined, gap);
                    joined.push_str(&sentence.text);
                    length += gap + measure(&sentence.text, self.offsets.unit);
                }
                Some(_) => {
                    let message =
                        format!("the sentence starts at {}, far behind the others", sentence.begin);
                    let problem = self.here(sentence.at).problem(Kind::Offset, message);
                    reading.report(
                        problem.hint("is nif:beginIndex counted from the start of the document?"),
                    )?;
                }
                // Overlapping sentences: what they share must agree, which is
                // checked when their text is looked up.
                None => {
                    let known = length - sentence.begin;
                    let new = skip_units(&sentence.text, known, self.offsets.unit);
                    length += measure(new, self.offsets.unit);
                    joined.push_str(new);
                }
            }
        }
        // White space at the end of the text is in no sentence, but the length of the document
        // tells about it.
        let rest = document.record.end.and_then(|end| end.checked_sub(length));
        pad(&mut joined, rest.filter(|&rest| rest <= WIDEST_GAP).unwrap_or_default());
        Ok(joined)
    }

    fn here(&self, at: usize) -> Here<'_> {
        Here { text: self.text, at, len: 1 }
    }
}

/// A place in a sentence as one in the document, where the sentence starts here.
fn moved(placed: Result<Placed, Problem>, start: u32) -> Result<Placed, Problem> {
    placed.map(|placed| placed.below(start))
}

/// The first annotation on a span, of which the others are readings.
struct Root {
    index: u32,
    readings: Vec<u32>,
}

impl Root {
    /// The reading of alternative `;k`, or the next free one.
    fn reading(&mut self, alternative: u32) -> u32 {
        let wanted = alternative.saturating_sub(1);
        let taken = wanted == 0 || self.readings.contains(&wanted);
        let highest = self.readings.iter().copied().max().unwrap_or_default();
        let reading = if taken { highest.saturating_add(1) } else { wanted };
        self.readings.push(reading);
        reading
    }
}

fn pad(text: &mut String, spaces: u64) {
    text.extend(std::iter::repeat_n(' ', usize::try_from(spaces).unwrap_or_default()));
}
