//! The canonical form of a document, of which its digest is made. [`Digest`] defines it.

use super::Digest;
use crate::corpus::{LIST_SEPARATOR, split_list};
use crate::{Corpus, Document, Link, MarkKind, Mention, Place, Span};
use std::cmp::Ordering;

/// What the order of annotations is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Nothing.
    Free,
    /// It is that of the file, and belongs to what is said.
    OfFile,
}

/// Writes documents in their canonical form, in memory that is used again.
#[derive(Default)]
pub(super) struct Canonical {
    bytes: Vec<u8>,
    entries: Entries,
}

const DOCUMENT: &[u8] = b"karat document 1\n";
const DOCUMENT_IN_ORDER: &[u8] = b"karat document in order 1\n";
const ANNOTATION: &[u8] = b"karat annotation 1\n";

impl Canonical {
    pub(super) fn digest(&mut self, document: &Document<'_>, order: Order) -> Digest {
        self.bytes.clear();
        self.entries.clear();
        match order {
            Order::Free => {
                self.bytes.extend_from_slice(DOCUMENT);
                heading(&mut self.bytes, document);
                self.annotations(document);
            }
            Order::OfFile => {
                self.bytes.extend_from_slice(DOCUMENT_IN_ORDER);
                heading(&mut self.bytes, document);
                in_order(&mut self.bytes, document);
            }
        }
        Digest::of_bytes(&self.bytes)
    }

    fn annotations(&mut self, document: &Document<'_>) {
        let is_flat = document.corpus().extras.is_empty()
            || document.mentions().all(|mention| mention.place().is_none());
        if is_flat {
            self.flat(document);
            // No annotations without a parent and no circles: the two counts that follow the roots.
            self.bytes.extend_from_slice(&[0, 0]);
            return;
        }
        let mut forest = Forest::of(document);
        let mut orphans = Entries::default();
        while let Some(at) = forest.ready.pop() {
            let Some(mention) = document.mention(at) else { continue };
            let parts = std::mem::take(&mut forest.parts[at]);
            let write = |bytes: &mut Vec<u8>| annotation(bytes, &mention, &parts);
            match forest.parents[at] {
                None => self.entries.add(mention.span(), write),
                Some(place) if forest.is_below_another(place) => {
                    forest.add_part(place, digest_of_part(write));
                }
                Some(_) => orphans.add(mention.span(), write),
            }
        }
        self.entries.write(&mut self.bytes);
        orphans.write(&mut self.bytes);
        self.circles(document, forest);
    }

    /// Annotations without parts. Most files have them in order, and then they are written straight to their place.
    fn flat(&mut self, document: &Document<'_>) {
        let mentions = || document.mentions();
        // Two annotations of one span are in no order yet: their bytes decide.
        if mentions().is_sorted_by(|one, next| one.span() < next.span()) {
            number(&mut self.bytes, mentions().len() as u64);
            return mentions().for_each(|mention| annotation(&mut self.bytes, &mention, &[]));
        }
        for mention in mentions() {
            self.entries.add(mention.span(), |bytes| annotation(bytes, &mention, &[]));
        }
        self.entries.write(&mut self.bytes);
    }

    /// What is left is parts of itself, directly or through others.
    fn circles(&mut self, document: &Document<'_>, mut forest: Forest) {
        let mut circles: Vec<Vec<Digest>> = Vec::new();
        while let Some(circle) = forest.next_circle() {
            for &at in &circle {
                if let Some(place) = forest.parents[at] {
                    // The part that closes the circle has no digest yet, and cannot have one: it
                    // would depend on itself. Zeros stand for it, as the definition of the digest
                    // says.
                    forest.parts[place.parent as usize].push((place.reading, Digest([0; 32])));
                }
            }
            let digest = |&at: &usize| {
                let mention = document.mention(at)?;
                Some(digest_of_part(|bytes| annotation(bytes, &mention, &forest.parts[at])))
            };
            let mut digests: Vec<Digest> = circle.iter().filter_map(digest).collect();
            // A circle has no first member. Starting at the smallest rotation makes the bytes
            // independent of where the search happened to enter it.
            let first = smallest_rotation(&digests);
            digests.rotate_left(first);
            circles.push(digests);
        }
        let mut written: Vec<Vec<u8>> = circles.iter().map(|digests| several(digests)).collect();
        written.sort_unstable();
        number(&mut self.bytes, written.len() as u64);
        written.iter().for_each(|circle| self.bytes.extend_from_slice(circle));
    }
}

/// Everything about a document but its annotations.
fn heading(bytes: &mut Vec<u8>, document: &Document<'_>) {
    string(bytes, document.name());
    number(bytes, u64::from(document.text().is_some()));
    if let Some(text) = document.text() {
        string(bytes, text);
    }
    number(bytes, u64::from(document.evaluation_span().is_some()));
    if let Some(span) = document.evaluation_span() {
        positions(bytes, span);
    }
    attributes(bytes, document.attributes());
    let strings = document.corpus().strings();
    let marks = document.marks().iter();
    let mut marks: Vec<(u64, Span, &str)> =
        marks.map(|mark| (code(mark.kind), mark.span, strings.get(mark.value))).collect();
    // An unstable sort is enough: marks that compare equal are written as the same bytes.
    marks.sort_unstable();
    number(bytes, marks.len() as u64);
    for (kind, span, value) in marks {
        number(bytes, kind);
        positions(bytes, span);
        string(bytes, value);
    }
}

/// The number of a kind, which is the same for ever.
fn code(kind: MarkKind) -> u64 {
    match kind {
        MarkKind::Token => 0,
        MarkKind::Sentence => 1,
        MarkKind::Hyperlink => 2,
        MarkKind::TitleSynonym => 3,
        MarkKind::Section => 4,
        MarkKind::Passage => 5,
    }
}

/// The annotations as the file has them, each with its place: one more than the number of
/// its parent, and its reading.
fn in_order(bytes: &mut Vec<u8>, document: &Document<'_>) {
    number(bytes, document.mentions().len() as u64);
    for mention in document.mentions() {
        annotation(bytes, &mention, &[]);
        let place = mention.place();
        number(bytes, place.map_or(0, |place| u64::from(place.parent) + 1));
        number(bytes, place.map_or(0, |place| u64::from(place.reading)));
    }
}

/// An annotation, with the readings and digests of its parts.
fn annotation(bytes: &mut Vec<u8>, mention: &Mention<'_>, parts: &[(u32, Digest)]) {
    let corpus = mention.document().corpus();
    let Span { start, end } = mention.span();
    let (code, id) = link_code(corpus, mention.link());
    numbers(bytes, [u64::from(start), u64::from(end), code]);
    bytes.extend_from_slice(id.as_bytes());
    list(bytes, corpus.strings().get(mention.types_id()));
    let confidence = mention.confidence();
    let has_details = mention.has_details();
    let shape = u64::from(mention.flags().bits()) << 3
        | u64::from(confidence.is_some())
        | u64::from(has_details) << 1
        | u64::from(!parts.is_empty()) << 2;
    number(bytes, shape);
    if let Some(confidence) = confidence {
        float(bytes, confidence);
    }
    if has_details {
        details(bytes, corpus, mention);
    }
    if !parts.is_empty() {
        readings(bytes, parts.to_vec());
    }
}

/// What only some annotations have.
fn details(bytes: &mut Vec<u8>, corpus: &Corpus, mention: &Mention<'_>) {
    let candidates = mention.candidates();
    number(bytes, candidates.len() as u64);
    for candidate in candidates {
        link(bytes, corpus, candidate.link);
        number(bytes, u64::from(candidate.score.is_some()));
        if let Some(score) = candidate.score {
            float(bytes, score);
        }
        list(bytes, candidate.types_text());
    }
    let equivalents = mention.equivalent_links();
    number(bytes, equivalents.len() as u64);
    equivalents.for_each(|equivalent| link(bytes, corpus, equivalent));
    list(bytes, mention.tags_text());
    attributes(bytes, mention.attributes());
}

/// The readings of an annotation: each the digests of its parts, without its number.
fn readings(bytes: &mut Vec<u8>, mut parts: Vec<(u32, Digest)>) {
    // Sorting by reading and then by digest orders the parts; the readings are sorted again below
    // as bytes, because their numbers are not part of what a corpus says.
    parts.sort_unstable();
    let readings = parts.chunk_by(|(one, _), (other, _)| one == other);
    let digests = |parts: &[(u32, Digest)]| {
        several(&parts.iter().map(|(_, digest)| *digest).collect::<Vec<_>>())
    };
    let mut readings: Vec<Vec<u8>> = readings.map(digests).collect();
    readings.sort_unstable();
    number(bytes, readings.len() as u64);
    readings.iter().for_each(|reading| bytes.extend_from_slice(reading));
}

fn digest_of_part(write: impl FnOnce(&mut Vec<u8>)) -> Digest {
    let mut bytes = ANNOTATION.to_vec();
    write(&mut bytes);
    Digest::of_bytes(&bytes)
}

fn several(digests: &[Digest]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(4 + 32 * digests.len());
    number(&mut bytes, digests.len() as u64);
    digests.iter().for_each(|digest| bytes.extend_from_slice(digest.as_bytes()));
    bytes
}

fn attributes<'a>(bytes: &mut Vec<u8>, attributes: impl Iterator<Item = (&'a str, &'a str)>) {
    let mut attributes: Vec<(&str, &str)> = attributes.collect();
    // The sort is stable: of several values of a key the first is the one that is asked for.
    attributes.sort_by_key(|(key, _)| *key);
    number(bytes, attributes.len() as u64);
    for (key, value) in attributes {
        string(bytes, key);
        string(bytes, value);
    }
}

fn link(bytes: &mut Vec<u8>, corpus: &Corpus, link: Link) {
    let (code, id) = link_code(corpus, link);
    number(bytes, code);
    bytes.extend_from_slice(id.as_bytes());
}

/// The number of a link, and its string.
fn link_code(corpus: &Corpus, link: Link) -> (u64, &str) {
    let (kind, id) = match (link.entity(), link.cluster()) {
        (Some(entity), _) => (0, Some(entity)),
        (_, Some(cluster)) => (1, Some(cluster)),
        _ if link.is_nil() => (2, None),
        _ => (3, None),
    };
    let text = id.map_or("", |id| corpus.strings().get(id));
    ((text.len() as u64) << 2 | kind, text)
}

/// A list of strings, as it is interned.
fn list(bytes: &mut Vec<u8>, text: &str) {
    if text.bytes().all(|byte| char::from(byte) != LIST_SEPARATOR) {
        return string(bytes, text);
    }
    // Empty items are none.
    let items: Vec<&str> = split_list(text).collect();
    string(bytes, &items.join(LIST_SEPARATOR.encode_utf8(&mut [0; 4])));
}

fn string(bytes: &mut Vec<u8>, text: &str) {
    number(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

fn positions(bytes: &mut Vec<u8>, span: Span) {
    number(bytes, u64::from(span.start));
    number(bytes, u64::from(span.end));
}

fn float(bytes: &mut Vec<u8>, value: f64) {
    // Both zeros are equal, so they are one.
    let value = if value == 0.0 { 0.0 } else { value };
    bytes.extend_from_slice(&value.to_bits().to_le_bytes());
}

#[inline]
fn number(bytes: &mut Vec<u8>, number: u64) {
    numbers(bytes, [number]);
}

/// Several numbers. They are put together outside of the array, whose length is then checked once.
#[inline]
fn numbers<const N: usize>(bytes: &mut Vec<u8>, numbers: [u64; N]) {
    const { assert!(N <= 3, "a number has up to ten bytes") };
    let mut written = [0; 32];
    let mut length = 0;
    for mut number in numbers {
        while number >= 0x80 {
            written[length] = number as u8 | 0x80;
            number >>= 7;
            length += 1;
        }
        written[length] = number as u8;
        length += 1;
    }
    let before = bytes.len();
    // Copying a fixed number of bytes is a move or two.
    bytes.extend_from_slice(&written);
    bytes.truncate(before + length);
}

/// Annotations that are written in the order of their spans.
#[derive(Default)]
struct Entries {
    bytes: Vec<u8>,
    /// The span of each, and where its bytes end.
    index: Vec<(Span, usize)>,
    in_disorder: bool,
}

impl Entries {
    fn clear(&mut self) {
        self.bytes.clear();
        self.index.clear();
        self.in_disorder = false;
    }

    fn add(&mut self, span: Span, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        // `>=`: two annotations of one span are also "in disorder", because their bytes decide.
        self.in_disorder |= self.index.last().is_some_and(|(before, _)| *before >= span);
        self.index.push((span, self.bytes.len()));
    }

    /// Writes their number and then all of them.
    fn write(&self, into: &mut Vec<u8>) {
        number(into, self.index.len() as u64);
        if !self.in_disorder {
            return into.extend_from_slice(&self.bytes);
        }
        let starts = std::iter::once(0).chain(self.index.iter().map(|(_, end)| *end));
        let entries = starts.zip(&self.index);
        let mut entries: Vec<(Span, &[u8])> =
            entries.map(|(start, (span, end))| (*span, &self.bytes[start..*end])).collect();
        entries.sort_unstable();
        entries.iter().for_each(|(_, bytes)| into.extend_from_slice(bytes));
    }
}

/// The annotations of a document by their places, on the way from the leaves to the roots: deep
/// trees need no deep calls.
struct Forest {
    parents: Vec<Option<Place>>,
    /// How many parts of each annotation have no digest yet.
    waiting: Vec<u32>,
    /// The parts that have one, with their readings.
    parts: Vec<Vec<(u32, Digest)>>,
    /// Annotations that wait for no part.
    ready: Vec<usize>,
    /// Where the search for circles goes on.
    next: usize,
}

impl Forest {
    fn of(document: &Document<'_>) -> Forest {
        let parents: Vec<Option<Place>> = document.mentions().map(|m| m.place()).collect();
        let mut waiting = vec![0; parents.len()];
        for place in parents.iter().flatten() {
            if let Some(count) = waiting.get_mut(place.parent as usize) {
                *count += 1;
            }
        }
        let ready = (0..parents.len()).filter(|&at| waiting[at] == 0).collect();
        let parts = vec![Vec::new(); parents.len()];
        Forest { parents, waiting, parts, ready, next: 0 }
    }

    /// Whether there is an annotation that this is a place below.
    fn is_below_another(&self, place: Place) -> bool {
        (place.parent as usize) < self.parents.len()
    }

    fn add_part(&mut self, Place { parent, reading }: Place, part: Digest) {
        let parent = parent as usize;
        self.parts[parent].push((reading, part));
        self.waiting[parent] -= 1;
        if self.waiting[parent] == 0 {
            self.ready.push(parent);
        }
    }

    /// Annotations each of which is a part of the next, and the last of the first. Whatever still
    /// waits, when nothing is ready, is in one: its parts that had digests are done, so that it
    /// waits for just one.
    fn next_circle(&mut self) -> Option<Vec<usize>> {
        let first = (self.next..self.waiting.len()).find(|&at| self.waiting[at] > 0);
        self.next = first.map_or(self.waiting.len(), |at| at + 1);
        let mut circle = Vec::new();
        let mut at = first?;
        while self.waiting[at] > 0 {
            self.waiting[at] = 0;
            circle.push(at);
            at = self.parents[at].map_or(at, |place| place.parent as usize);
        }
        Some(circle)
    }
}

/// Where the smallest of all rotations begins, in one pass: two candidates are compared, and the
/// worse moves past all that was compared.
pub(super) fn smallest_rotation<T: Ord>(items: &[T]) -> usize {
    let (mut one, mut other, mut same) = (0, 1, 0);
    while one < items.len() && other < items.len() && same < items.len() {
        let item = |start: usize| &items[(start + same) % items.len()];
        match item(one).cmp(item(other)) {
            Ordering::Equal => {
                same += 1;
                continue;
            }
            Ordering::Less => other += same + 1,
            Ordering::Greater => one += same + 1,
        }
        other += usize::from(one == other);
        same = 0;
    }
    one.min(other)
}
