//! Filling a corpus.

mod annotation_mut;

use crate::annotation::{Annotation, Stretch};
use crate::corpus::{Corpus, DocumentRow, LIST_SEPARATOR, Mark, MarkKind, Memo, TextRange};
use crate::intern::Names;
use crate::part::DocumentRun;
use crate::{Interner, Key, Link, Span, StrId, room};

pub use annotation_mut::AnnotationMut;
/// Two documents of one corpus have the same name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateDocument {
    /// The name they share.
    pub name: String,
    /// The source of the first, where it is known and not the source of the second.
    pub first: Option<String>,
}

impl std::fmt::Display for DuplicateDocument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "document `{}` occurs twice", self.name)?;
        match &self.first {
            Some(source) => write!(f, ", first in {source}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for DuplicateDocument {}

/// What to do when a document occurs again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeated {
    /// It is an error: the format gives each document once.
    Refuse,
    /// Its annotations are added: the format gives annotations line by line.
    Merge,
}

/// Builds a [`Corpus`] document by document.
#[derive(Debug, Default)]
pub struct CorpusBuilder {
    pub(crate) corpus: Corpus,
    pub(crate) by_name: ByName,
    /// Which document the annotations from here on belong to.
    pub(crate) runs: Vec<Run>,
    /// Whether some document has more than one run.
    pub(crate) scattered: bool,
    /// The sources, each with the number of its first document.
    sources: Vec<(u32, String)>,
}

/// Documents by the ids of their names. Ids are small and dense, so a plain list indexed by them is smaller
/// than a hash table even where most strings are not names, and faster. Names that were only noted (see
/// `intern/news.rs`) are not in it: such a document is found again when its part joins the whole and its name
/// gets an id.
#[derive(Debug, Default)]
pub(crate) struct ByName(Vec<u32>);

impl ByName {
    #[inline]
    pub(crate) fn get(&self, name: StrId) -> Option<u32> {
        self.0.get(name.index()).copied().filter(|&document| document != NO_DOCUMENT)
    }

    pub(crate) fn insert(&mut self, name: StrId, document: u32) {
        if name.is_noted() {
            return;
        }
        if self.0.len() <= name.index() {
            self.0.resize(name.index() + 1, NO_DOCUMENT);
        }
        self.0[name.index()] = document;
    }

    /// Forgets these names, which must be all there are.
    fn clear(&mut self, names: impl Iterator<Item = StrId>) {
        // Clearing name by name costs as much as there were documents. Filling the whole list would
        // cost as much as there are strings, once for every part of a file.
        for name in names.filter(|name| !name.is_noted()) {
            self.0[name.index()] = NO_DOCUMENT;
        }
    }
}

/// No document at all; also the run of one that was refused.
pub(crate) const NO_DOCUMENT: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) document: u32,
    pub(crate) start: u32,
}

impl CorpusBuilder {
    /// An empty corpus to fill.
    pub fn new() -> CorpusBuilder {
        CorpusBuilder::default()
    }

    /// The id of a string in this corpus.
    #[inline]
    pub fn intern(&mut self, text: &str) -> StrId {
        self.corpus.strings.intern(text)
    }

    /// The id of a string by its key, for an id that is put into rows and compared with nothing
    /// but [`StrId::EMPTY`]. In a builder of parts ([`crate::Assembly::join`]) a string may get
    /// several such ids; they become one when the part is added to the whole. A document that
    /// must not come again is not named by one, and no string is asked for by one.
    #[inline]
    pub fn intern_for_row<'t>(&mut self, key: Key, text: impl FnOnce() -> &'t str) -> StrId {
        self.corpus.strings.intern_for_row(key, text)
    }

    /// As [`CorpusBuilder::intern_for_row`] for many strings, in their order. Quick where they
    /// were announced as their keys were made ([`Interner::fetch`]).
    pub fn intern_all_for_rows<'t>(
        &mut self,
        keys: &[Key],
        text: impl Fn(usize) -> &'t str,
        ids: &mut Vec<StrId>,
    ) {
        self.corpus.strings.intern_all_for_rows(keys, text, ids);
    }

    /// The strings so far.
    #[inline]
    pub fn strings(&self) -> &Interner {
        &self.corpus.strings
    }

    /// The id of a list of strings; order is kept, empty items are left out.
    pub fn intern_list<'s>(&mut self, items: impl IntoIterator<Item = &'s str>) -> StrId {
        let mut items = items.into_iter().filter(|item| !item.is_empty());
        let Some(first) = items.next() else { return StrId::EMPTY };
        // An item must not contain the separator, or reading the list back would give two items.
        let clean = |item: &str| item.replace(LIST_SEPARATOR, " ");
        let Some(second) = items.next() else {
            // Nearly all lists have one item. Interning it as it is avoids a copy for each
            // annotation.
            let plain = !first.contains(LIST_SEPARATOR);
            return if plain { self.intern(first) } else { self.intern(&clean(first)) };
        };
        let mut joined = clean(first);
        for item in std::iter::once(second).chain(items) {
            joined.push(LIST_SEPARATOR);
            joined.push_str(&clean(item));
        }
        self.intern(&joined)
    }

    /// Makes room for `times` as much as there is already. Readers that know how much
    /// of their input is still to come call it once; growing step by step would copy
    /// everything several times and hold two copies while doing so.
    pub fn reserve(&mut self, times: usize) {
        // One eighth more, because the rest of the input may be a little denser than its beginning.
        let to_come = |so_far: usize| (so_far.saturating_mul(times) / 8).saturating_mul(9);
        fn more<T>(array: &mut Vec<T>, to_come: impl Fn(usize) -> usize) {
            room::reserve(array, to_come(array.len()));
        }
        let corpus = &mut self.corpus;
        let texts = to_come(corpus.texts.len());
        room::reserve_text(&mut corpus.texts, texts);
        // The share of new strings falls as a file goes on, so this is enough.
        let strings = &mut corpus.strings;
        strings.reserve(to_come(strings.len()), to_come(strings.text_bytes()));
        more(&mut self.by_name.0, to_come);
        more(&mut self.runs, to_come);
        more(&mut corpus.documents, to_come);
        more(&mut corpus.annotations, to_come);
        more(&mut corpus.extras, to_come);
        more(&mut corpus.candidates, to_come);
        more(&mut corpus.attributes, to_come);
        more(&mut corpus.marks, to_come);
    }

    /// How many documents have no text so far.
    pub fn bare_count(&self) -> usize {
        self.corpus.documents.iter().filter(|row| row.text.is_none()).count()
    }

    /// How many documents there are so far.
    pub fn len(&self) -> usize {
        self.corpus.documents.len()
    }

    /// Whether there is no document yet.
    pub fn is_empty(&self) -> bool {
        self.corpus.documents.is_empty()
    }

    /// Whether no document has an annotation yet.
    pub fn has_no_annotations(&self) -> bool {
        self.corpus.annotations.is_empty()
    }

    /// Says where the documents from here on come from; an empty name for "not known".
    pub fn begin_source(&mut self, name: &str) {
        if self.sources.last().is_none_or(|(_, last)| last != name) {
            self.sources.push((self.corpus.documents.len() as u32, name.to_owned()));
        }
    }

    /// The documents of another builder, which are absorbed next, come from its sources.
    pub fn begin_sources_of(&mut self, part: &CorpusBuilder) {
        let before = self.corpus.documents.len() as u32;
        let sources = part.sources.iter();
        self.sources.extend(sources.map(|(first, name)| (before + first, name.clone())));
    }

    /// What is wrong with second documents that were refused.
    pub(crate) fn duplicates(&self, refused: &[(StrId, u32)]) -> Vec<DuplicateDocument> {
        let name = |id| self.corpus.strings.get(id);
        refused.iter().map(|&(id, first)| self.duplicate(name(id), first)).collect()
    }

    /// What is wrong with a second document of this name.
    fn duplicate(&self, name: &str, first: u32) -> DuplicateDocument {
        let next = self.sources.partition_point(|&(start, _)| start <= first);
        // The last source is the one of the second document.
        let earlier = self.sources[..next].last().filter(|_| next < self.sources.len());
        let first = earlier.map(|(_, name)| name.clone()).filter(|name| !name.is_empty());
        DuplicateDocument { name: name.to_owned(), first }
    }

    /// Starts a document. What follows belongs to it.
    pub fn begin_document(&mut self, name: &str) -> Result<(), DuplicateDocument> {
        let id = self.intern(name);
        if let Some(first) = self.by_name.get(id) {
            return Err(self.duplicate(name, first));
        }
        self.new_document(id);
        Ok(())
    }

    /// Starts a document, or goes on with one that was started before.
    pub fn continue_document(&mut self, name: &str) {
        let id = self.intern(name);
        self.continue_document_id(id);
    }

    /// As [`CorpusBuilder::continue_document`], for a name interned before.
    #[inline]
    pub fn continue_document_id(&mut self, id: StrId) {
        // Line formats name the document on every line, so the common case must not touch the
        // table.
        if self.current_row().is_some_and(|row| row.name == id) {
            return;
        }
        match self.by_name.get(id) {
            None => self.new_document(id),
            Some(document) => {
                self.runs.push(Run { document, start: self.corpus.annotations.len() as u32 });
                self.scattered = true;
            }
        }
    }

    fn new_document(&mut self, name: StrId) {
        let start = self.corpus.annotations.len() as u32;
        let document = self.push_document(DocumentRow {
            name,
            text: None,
            annotations: Stretch::default(),
            marks: Stretch::default(),
            attributes: Stretch::default(),
            evaluation_span: None,
        });
        self.runs.push(Run { document, start });
    }

    /// Adds a document whose name is new, and gives its number.
    pub(crate) fn push_document(&mut self, row: DocumentRow) -> u32 {
        let document = self.corpus.documents.len() as u32;
        self.by_name.insert(row.name, document);
        self.corpus.documents.push(row);
        document
    }

    fn current_row(&self) -> Option<&DocumentRow> {
        self.corpus.documents.get(self.runs.last()?.document as usize)
    }

    fn current_row_mut(&mut self) -> Option<&mut DocumentRow> {
        self.corpus.documents.get_mut(self.runs.last()?.document as usize)
    }

    /// Gives the current document its text.
    pub fn set_text(&mut self, text: &str) {
        // A second text of the same document leaves the first one unused in the array. That is
        // rare, and moving every later text to close the gap would not be.
        let start = self.corpus.texts.len();
        self.corpus.texts.push_str(text);
        let end = self.corpus.texts.len();
        if let Some(row) = self.current_row_mut() {
            row.text = Some(TextRange { start, end });
        }
    }

    /// The text of the current document.
    pub fn text(&self) -> Option<&str> {
        self.current_row()?.text.map(|range| &self.corpus.texts[range.start..range.end])
    }

    /// Says which part of the current document is annotated.
    pub fn set_evaluation_span(&mut self, span: Span) {
        if let Some(row) = self.current_row_mut() {
            row.evaluation_span = Some(span);
        }
    }

    /// States a fact about the current document. An empty value says nothing and is left out.
    pub fn document_attribute(&mut self, key: &str, value: &str) {
        if value.is_empty() {
            return;
        }
        let fact = (self.intern(key), self.intern(value));
        let Some(run) = self.runs.last() else { return };
        let row = self.corpus.documents.get_mut(run.document as usize);
        let Some(row) = row else { return };
        append(&mut self.corpus.attributes, &mut row.attributes, fact);
    }

    /// Marks a stretch of the current document.
    pub fn mark(&mut self, kind: MarkKind, span: Span, value: &str) {
        let value = self.intern(value);
        let Some(run) = self.runs.last() else { return };
        let row = self.corpus.documents.get_mut(run.document as usize);
        let Some(row) = row else { return };
        append(&mut self.corpus.marks, &mut row.marks, Mark { kind, span, value });
    }

    /// Adds an annotation to the current document; what it gives back takes the rest.
    #[inline]
    pub fn annotate(&mut self, span: Span, link: Link) -> AnnotationMut<'_> {
        let index = self.corpus.annotations.len();
        self.corpus.annotations.push(Annotation::plain(span, link));
        AnnotationMut { builder: self, index }
    }

    /// Adds an annotation without anything unusual, in one step; NaN for no confidence.
    #[inline]
    pub fn annotate_plainly(&mut self, span: Span, link: Link, types: StrId, confidence: f64) {
        let plain = Annotation::plain(span, link);
        self.corpus.annotations.push(Annotation { types, confidence, ..plain });
    }

    /// How many annotations the current document has in its present run; the
    /// index the next one gets, for [`AnnotationMut::part_of`].
    pub fn next_index(&self) -> u32 {
        let start = self.runs.last().map_or(0, |run| run.start);
        self.corpus.annotations.len() as u32 - start
    }

    /// An annotation of the current document that was added before, by its index.
    pub fn annotation_mut(&mut self, index: u32) -> Option<AnnotationMut<'_>> {
        let start = self.runs.last().map_or(0, |run| run.start);
        let index = (start + index) as usize;
        (index < self.corpus.annotations.len()).then_some(AnnotationMut { builder: self, index })
    }

    /// Gives annotations without types those that `types` knows for their entity.
    pub fn default_types(&mut self, types: impl Fn(StrId) -> StrId) {
        // Types of a format's legend fill gaps only: what an annotation says of itself is kept.
        for annotation in &mut self.corpus.annotations {
            if annotation.types == StrId::EMPTY
                && let Some(entity) = annotation.link.entity()
            {
                annotation.types = types(entity);
            }
        }
    }

    /// Takes entities for NIL: mentions and candidates that are linked to one are NIL afterwards,
    /// and it is nobody's equivalent. `is_nil` is asked once for each such link.
    pub fn take_for_nil(&mut self, mut is_nil: impl FnMut(StrId) -> bool) {
        let Corpus { annotations, extras, candidates, .. } = &mut self.corpus;
        let mut is_nil = |link: Link| link.entity().is_some_and(&mut is_nil);
        for annotation in annotations.iter_mut().filter(|annotation| is_nil(annotation.link)) {
            annotation.link = Link::NIL;
        }
        for extra in extras {
            let answers = &mut candidates[extra.candidates.range()];
            for answer in answers.iter_mut().filter(|answer| is_nil(answer.link)) {
                answer.link = Link::NIL;
            }
            // What stays moves to the front of their stretch.
            let equivalents = &mut candidates[extra.equivalents.range()];
            let mut kept = 0;
            for at in 0..equivalents.len() {
                if !is_nil(equivalents[at].link) {
                    equivalents.swap(kept, at);
                    kept += 1;
                }
            }
            extra.equivalents.len = kept as u32;
        }
    }

    /// Goes on with a corpus that was finished.
    pub fn reopen(corpus: Corpus) -> CorpusBuilder {
        let mut builder = CorpusBuilder::new();
        builder.adopt(corpus);
        builder
    }

    /// Appends another corpus.
    ///
    /// Gives back the documents that were refused; the first of each name stays.
    #[must_use]
    pub fn absorb(&mut self, part: Corpus, repeated: Repeated) -> Vec<DuplicateDocument> {
        if self.is_new() {
            self.adopt(part);
            return Vec::new();
        }
        let names = Names::of_all(part.strings.iter().map(|text| self.intern(text)).collect());
        let runs = part.documents.iter().enumerate();
        let runs = runs.map(|(document, row)| (document as u32, row.annotations));
        let refused = self.append(&part, runs, &names, repeated);
        self.duplicates(&refused)
    }

    /// Takes a whole corpus as the beginning of this empty one.
    fn adopt(&mut self, mut part: Corpus) {
        for (index, row) in part.documents.iter_mut().enumerate() {
            self.by_name.insert(row.name, index as u32);
            self.runs.push(Run { document: index as u32, start: row.annotations.start });
            row.annotations = Stretch::default();
        }
        // The memo describes the corpus as it was; whoever appends to the arrays must start without
        // it.
        part.memo = Memo::default();
        self.corpus = part;
    }

    /// As [`CorpusBuilder::absorb`], for a corpus that is not finished.
    #[must_use]
    pub fn absorb_unfinished(
        &mut self,
        part: CorpusBuilder,
        repeated: Repeated,
    ) -> Vec<DuplicateDocument> {
        if self.is_new() {
            let sources = std::mem::take(&mut self.sources);
            *self = CorpusBuilder { sources, ..part };
            return Vec::new();
        }
        self.absorb(part.finish(), repeated)
    }

    /// Whether nothing was added yet, not even a string.
    fn is_new(&self) -> bool {
        // Every interner holds the empty string, so a new one has exactly one.
        self.is_empty() && self.corpus.strings.len() == 1
    }

    /// The finished corpus.
    pub fn finish(mut self) -> Corpus {
        self.assign_runs();
        self.corpus
    }

    /// How many annotations there are so far.
    pub fn annotation_count(&self) -> usize {
        self.corpus.annotations.len()
    }

    /// Takes out all documents but the last, which may go on.
    pub fn take_complete(&mut self) -> Corpus {
        // The last document may continue in the next block of the input, so it stays behind.
        let corpus = std::mem::take(self).finish();
        let Some(last) = corpus.len().checked_sub(1) else { return corpus };
        let (complete, begun) = corpus.split_at(last);
        *self = begun;
        complete
    }

    /// Gives each document its annotations.
    fn assign_runs(&mut self) {
        if self.scattered {
            return self.gather_runs();
        }
        let runs: &[Run] = &self.runs;
        for (document, annotations) in document_runs(runs, self.corpus.annotations.len()) {
            self.corpus.documents[document as usize].annotations = annotations;
        }
    }

    /// Which annotations follow each other in one document.
    pub(crate) fn document_runs(&self) -> impl Iterator<Item = DocumentRun> {
        document_runs(&self.runs, self.corpus.annotations.len())
    }

    /// Forgets which documents there are, as their rows are taken away.
    pub(crate) fn forget_documents(&mut self) {
        self.by_name.clear(self.corpus.documents.iter().map(|row| row.name));
        self.runs.clear();
        self.scattered = false;
    }

    /// Brings the annotations of each document together, in the order they came.
    fn gather_runs(&mut self) {
        let mut runs: Vec<DocumentRun> = self.document_runs().collect();
        // The sort is stable, which keeps the annotations of a document in the order of the file.
        // Several conventions depend on that order (the last annotation of a span wins, for
        // example).
        runs.sort_by_key(|(document, _)| *document);
        let mut gathered: Vec<Annotation> = Vec::with_capacity(self.corpus.annotations.len());
        for (document, run) in runs {
            let Some(row) = self.corpus.documents.get_mut(document as usize) else {
                // Runs of refused documents carry `NO_DOCUMENT`: their annotations are dropped
                // here.
                continue;
            };
            if row.annotations.len == 0 {
                row.annotations.start = gathered.len() as u32;
            }
            let before = row.annotations.len;
            row.annotations.len += run.len;
            for annotation in &self.corpus.annotations[run.range()] {
                if let Some(index) = annotation.extra.checked_sub(1)
                    && let Some(place) = &mut self.corpus.extras[index as usize].place
                {
                    // Parents were counted from the start of the run. Now the annotations of
                    // earlier runs come first.
                    place.shift_parent(before);
                }
                gathered.push(*annotation);
            }
        }
        self.corpus.annotations = gathered;
    }
}

/// The runs, of so many annotations in all.
fn document_runs(runs: &[Run], annotations: usize) -> impl Iterator<Item = DocumentRun> {
    let ends = runs.iter().skip(1).map(|run| run.start).chain([annotations as u32]);
    runs.iter()
        .zip(ends)
        .map(|(&Run { document, start }, end)| (document, Stretch { start, len: end - start }))
}

/// Appends to a stretch, moving it to the end of the array first if need be.
// A stretch is contiguous. If something else was appended in between, the stretch moves to the end
// once; what is appended next then finds it there. Adding to two stretches in turn would copy
// quadratically, but readers finish one annotation before they begin the next.
fn append<T: Copy>(array: &mut Vec<T>, stretch: &mut Stretch, item: T) {
    if stretch.range().end != array.len() {
        let range = stretch.range();
        stretch.start = array.len() as u32;
        array.extend_from_within(range);
    }
    array.push(item);
    stretch.len += 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;

    fn three_parts(repeated: Repeated) -> (Corpus, Vec<DuplicateDocument>) {
        let part = |name: &str, entity: &str| {
            let mut builder = CorpusBuilder::new();
            builder.begin_document(name).unwrap();
            let link = Link::to(builder.intern(entity));
            builder.annotate(Span::new(0, 1), link).candidate(link, 0.5).attribute("k", entity);
            builder.finish()
        };
        let mut builder = CorpusBuilder::new();
        let parts = [part("a", "Q1"), part("b", "Q2"), part("a", "Q3")];
        let refused = parts.into_iter().flat_map(|p| builder.absorb(p, repeated)).collect();
        (builder.finish(), refused)
    }

    fn facts(corpus: &Corpus, name: &str) -> Vec<String> {
        let document = corpus.document(name).unwrap();
        document.mentions().filter_map(|m| m.attribute("k").map(str::to_owned)).collect()
    }

    #[test]
    fn parts_come_together_in_order() {
        let (corpus, refused) = three_parts(Repeated::Merge);
        assert_eq!(facts(&corpus, "a"), ["Q1", "Q3"]);
        assert_eq!(facts(&corpus, "b"), ["Q2"]);
        assert!(refused.is_empty());
    }

    #[test]
    fn a_repeated_document_can_be_refused() {
        let (corpus, refused) = three_parts(Repeated::Refuse);
        assert_eq!(facts(&corpus, "a"), ["Q1"]);
        assert_eq!(corpus.len(), 2);
        assert_eq!(refused[0].to_string(), "document `a` occurs twice");
    }

    #[test]
    fn what_is_not_finished_is_absorbed_as_if_it_were() {
        let part = |names: &[&str]| {
            let mut builder = CorpusBuilder::new();
            for (at, name) in names.iter().enumerate() {
                builder.continue_document(name);
                let root = builder.annotate(Span::new(at as u32, 9), Link::NIL).index();
                builder.annotate(Span::new(at as u32, 4), Link::NIL).part_of(root, 1);
            }
            builder
        };
        let parts: [&[&str]; 4] = [&[], &["a", "b", "a"], &["c"], &["d", "b", "d"]];
        let mut whole = CorpusBuilder::new();
        let mut finished = CorpusBuilder::new();
        for (number, names) in parts.into_iter().enumerate() {
            whole.begin_source(&format!("file {number}"));
            finished.begin_source(&format!("file {number}"));
            let refused = whole.absorb_unfinished(part(names), Repeated::Refuse);
            assert_eq!(refused, finished.absorb(part(names).finish(), Repeated::Refuse));
            let said: Vec<String> = refused.iter().map(ToString::to_string).collect();
            let expected = ["document `b` occurs twice, first in file 1"];
            assert_eq!(said, expected[..usize::from(number == 3)]);
        }
        let (whole, finished) = (whole.finish(), finished.finish());
        assert_eq!(finished.difference(&whole), None);
        let spans = |name: &str| -> Vec<u32> {
            whole.document(name).unwrap().mentions().map(|m| m.span().start).collect()
        };
        assert_eq!((spans("a"), spans("b")), (vec![0, 0, 2, 2], vec![1, 1]));
    }

    #[test]
    fn a_duplicate_says_where_the_first_is() {
        let mut builder = CorpusBuilder::new();
        let mut begin = |source: &str, name: &str| {
            builder.begin_source(source);
            builder.begin_document(name).map_err(|duplicate| duplicate.to_string())
        };
        assert_eq!(
            (begin("a.tsv", "x"), begin("a.tsv", "y"), begin("", "z")),
            (Ok(()), Ok(()), Ok(()))
        );
        assert_eq!(begin("b.tsv", "y").unwrap_err(), "document `y` occurs twice, first in a.tsv");
        assert_eq!(begin("b.tsv", "z").unwrap_err(), "document `z` occurs twice");
        assert_eq!(begin("b.tsv", "u"), Ok(()));
        assert_eq!(begin("b.tsv", "u").unwrap_err(), "document `u` occurs twice");
    }

    #[test]
    fn scattered_lines_keep_their_trees() {
        let mut builder = CorpusBuilder::new();
        for name in ["a", "b", "a"] {
            builder.continue_document(name);
            let root = builder.annotate(Span::new(0, 9), Link::NIL).index();
            builder.annotate(Span::new(0, 4), Link::NIL).part_of(root, 1);
        }
        let corpus = builder.finish();
        let places: Vec<_> = corpus.document("a").unwrap().mentions().map(|m| m.place()).collect();
        let part_of = |parent| Some(Place { parent, reading: 1 });
        assert_eq!(places, [None, part_of(0), None, part_of(2)]);
    }

    #[test]
    fn a_document_cut_in_two_goes_on() {
        let half = || {
            let mut builder = CorpusBuilder::new();
            builder.begin_document("a").unwrap();
            let root = builder.annotate(Span::new(0, 9), Link::NIL).index();
            builder.annotate(Span::new(0, 4), Link::NIL).part_of(root, 1);
            builder.finish()
        };
        let mut builder = CorpusBuilder::new();
        for _ in 0..3 {
            assert!(builder.absorb(half(), Repeated::Merge).is_empty());
        }
        assert!(!builder.scattered, "no copy is needed");
        let corpus = builder.finish();
        let document = corpus.documents().next().unwrap();
        let parents: Vec<_> = document.mentions().map(|m| m.place().map(|p| p.parent)).collect();
        assert_eq!(parents, [None, Some(0), None, Some(2), None, Some(4)]);
    }

    #[test]
    fn lists_keep_order_and_drop_the_empty() {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("a").unwrap();
        builder.annotate(Span::new(0, 1), Link::NONE).types(["PER", "", "ORG"]).tags([]);
        let corpus = builder.finish();
        let mention = corpus.documents().next().unwrap().mentions().next().unwrap();
        assert_eq!(mention.types().collect::<Vec<_>>(), ["PER", "ORG"]);
        assert_eq!(mention.tags().count(), 0);
    }
}
