//! Putting a corpus together from parts that were filled on several threads.
//!
//! Parts are absorbed in the order of the input, so a string gets its id where it
//! first appears there, whatever thread saw it when. Threads number strings for
//! themselves, each for all of its parts, and a part names those that are new to its
//! thread. What follows the corpus at once needs no part: it can be added to the
//! corpus itself.

use crate::StrId;
use crate::annotation::{Annotation, Candidate, Extra, Stretch};
use crate::builder::{CorpusBuilder, NO_DOCUMENT, Repeated, Run};
use crate::corpus::{Corpus, DocumentRow, Mark, TextRange};
use crate::intern::{Names, News};

/// What a builder was given since its last part. Made by
/// [`CorpusBuilder::take_part`], added by [`Assembly::absorb`].
#[derive(Debug, Default)]
pub struct Part {
    rows: Corpus,
    news: News,
}

/// A corpus that is put together from parts.
#[derive(Debug)]
pub struct Assembly {
    corpus: CorpusBuilder,
    /// What the strings of each thread are called in the corpus.
    names: Vec<Names>,
}

/// When a thread knows more strings than this, it starts over: no thread may need the
/// memory of a whole corpus.
const KNOWN_STRINGS: usize = 192 << 10;

impl Assembly {
    /// Goes on with a corpus, part by part.
    pub fn new(corpus: CorpusBuilder) -> Assembly {
        Assembly { corpus, names: Vec::new() }
    }

    /// The corpus so far, for what follows it at once.
    pub fn corpus(&mut self) -> &mut CorpusBuilder {
        &mut self.corpus
    }

    /// The number of a further thread, and what it fills with parts.
    pub fn join(&mut self) -> (usize, CorpusBuilder) {
        let mut builder = CorpusBuilder::new();
        builder.corpus.strings = self.corpus.strings().noting_news();
        builder.corpus.strings.reserve(KNOWN_STRINGS, 16 * KNOWN_STRINGS);
        self.names.push(Names::new());
        (self.names.len() - 1, builder)
    }

    /// Adds a part that this thread filled. False, and no row is added, where one of its
    /// documents must not come again and does: what is wrong then only its reader can tell.
    #[must_use]
    pub fn absorb(&mut self, part: &Part, thread: usize, repeated: Repeated) -> bool {
        let names = &mut self.names[thread];
        part.news.intern_in(&mut self.corpus.corpus.strings, names);
        let mut documents = part.rows.documents.iter();
        let is_known = |row: &DocumentRow| self.corpus.by_name.get(names.of(row.name)).is_some();
        if repeated == Repeated::Refuse && documents.any(is_known) {
            return false;
        }
        let refused = self.corpus.append(&part.rows, names, repeated);
        debug_assert!(refused.is_empty(), "whatever is known was looked for");
        true
    }

    /// The corpus, once no thread fills parts any more.
    pub fn finish(self) -> CorpusBuilder {
        self.corpus
    }
}

impl CorpusBuilder {
    /// Takes what was added since the last part. The memory of a part that was
    /// absorbed is used for the next.
    #[must_use]
    pub fn take_part(&mut self, mut memory: Part) -> Part {
        self.assign_runs();
        memory.rows.clear_rows();
        let news = self.corpus.strings.take_news(memory.news);
        self.forget_documents();
        std::mem::swap(&mut self.corpus, &mut memory.rows);
        // The rows go, the strings stay.
        std::mem::swap(&mut self.corpus.strings, &mut memory.rows.strings);
        if self.corpus.strings.len() > KNOWN_STRINGS {
            self.corpus.strings.clear();
        }
        Part { rows: memory.rows, news }
    }

    /// Appends rows whose strings have these names here. Gives back the names of documents that
    /// were refused, each with the number of the first that has it.
    pub(crate) fn append(
        &mut self,
        rows: &Corpus,
        names: &Names,
        repeated: Repeated,
    ) -> Vec<(StrId, u32)> {
        let bases = Bases::of(&self.corpus);
        self.append_arrays(rows, names, &bases);
        let mut refused = Vec::new();
        for row in &rows.documents {
            let name = names.of(row.name);
            let start = bases.annotations + row.annotations.start;
            match self.by_name.get(name) {
                Some(first) if repeated == Repeated::Refuse => {
                    refused.push((name, first));
                    self.scattered = true;
                    self.runs.push(Run { document: NO_DOCUMENT, start });
                }
                // A document that was cut in two, by the end of the last part or by a name that
                // was noted twice, goes on.
                Some(document) if self.is_last(document) => {
                    self.shift_parents(start, row.annotations.len);
                }
                Some(document) => {
                    self.scattered = true;
                    self.runs.push(Run { document, start });
                }
                None => {
                    let document = self.corpus.documents.len() as u32;
                    self.by_name.insert(name, document);
                    self.runs.push(Run { document, start });
                    self.corpus.documents.push(bases.document(row, name));
                }
            }
        }
        refused
    }

    fn append_arrays(&mut self, rows: &Corpus, names: &Names, bases: &Bases) {
        let rename = |id: StrId| names.of(id);
        let into = &mut self.corpus;
        into.texts.push_str(&rows.texts);
        let facts = rows.attributes.iter();
        into.attributes.extend(facts.map(|&(key, value)| (rename(key), rename(value))));
        let marks = rows.marks.iter();
        into.marks.extend(marks.map(|mark| Mark { value: rename(mark.value), ..*mark }));
        into.candidates.extend(rows.candidates.iter().map(|candidate| Candidate {
            link: candidate.link.map(rename),
            types: rename(candidate.types),
            score: candidate.score,
        }));
        into.extras.extend(rows.extras.iter().map(|extra| Extra {
            candidates: extra.candidates.shifted(bases.candidates),
            equivalents: extra.equivalents.shifted(bases.candidates),
            tags: rename(extra.tags),
            attributes: extra.attributes.shifted(bases.attributes),
            place: extra.place,
        }));
        into.annotations.extend(rows.annotations.iter().map(|annotation| Annotation {
            link: annotation.link.map(rename),
            types: rename(annotation.types),
            extra: if annotation.extra == 0 { 0 } else { annotation.extra + bases.extras },
            ..*annotation
        }));
    }

    /// Whether the annotations so far end with those of this document.
    fn is_last(&self, document: u32) -> bool {
        self.runs.last().is_some_and(|run| run.document == document)
    }

    /// Places annotations that were counted from `start` in the run they now belong to.
    fn shift_parents(&mut self, start: u32, len: u32) {
        let before = start - self.runs.last().map_or(start, |run| run.start);
        for annotation in &self.corpus.annotations[start as usize..(start + len) as usize] {
            if let Some(index) = annotation.extra.checked_sub(1)
                && let Some(place) = &mut self.corpus.extras[index as usize].place
            {
                place.shift_parent(before);
            }
        }
    }
}

/// Where the rows of a part begin in the arrays of the whole.
struct Bases {
    texts: usize,
    annotations: u32,
    extras: u32,
    candidates: u32,
    attributes: u32,
    marks: u32,
}

impl Bases {
    fn of(corpus: &Corpus) -> Bases {
        Bases {
            texts: corpus.texts.len(),
            annotations: corpus.annotations.len() as u32,
            extras: corpus.extras.len() as u32,
            candidates: corpus.candidates.len() as u32,
            attributes: corpus.attributes.len() as u32,
            marks: corpus.marks.len() as u32,
        }
    }

    /// A document of the part, without its annotations.
    fn document(&self, row: &DocumentRow, name: StrId) -> DocumentRow {
        DocumentRow {
            name,
            text: row.text.map(|range| TextRange {
                start: range.start + self.texts,
                end: range.end + self.texts,
            }),
            annotations: Stretch::default(),
            marks: row.marks.shifted(self.marks),
            attributes: row.attributes.shifted(self.attributes),
            evaluation_span: row.evaluation_span,
        }
    }
}

impl Stretch {
    fn shifted(self, by: u32) -> Stretch {
        Stretch { start: self.start + by, len: self.len }
    }
}
