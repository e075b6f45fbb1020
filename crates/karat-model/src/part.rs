//! Putting a corpus together from parts that were filled on several threads.
//!
//! Parts are absorbed in the order of the input, so a string gets its id where it
//! first appears there, whatever thread saw it when. Threads number strings for
//! themselves, each for all of its parts; a part names those that are new to its
//! thread, and those that it only noted. What follows the corpus at once needs no part:
//! it can be added to the corpus itself.
//!
//! A part keeps the order in which annotations came, also where it returns to a document:
//! one document may have several numbers there, and which of its annotations come first is
//! known only when it has one name.

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
    runs: Vec<DocumentRun>,
    news: News,
}

/// Annotations that follow each other, and the number of their document.
pub(crate) type DocumentRun = (u32, Stretch);

/// A corpus that is put together from parts.
#[derive(Debug)]
pub struct Assembly {
    corpus: CorpusBuilder,
    /// What the strings of each thread are called in the corpus.
    names: Vec<Names>,
}

/// When a thread knows more strings than this, it starts over, so that no thread needs the memory of a whole
/// corpus.
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
    /// documents must not come again and does: what is wrong then only its reader can tell. The
    /// strings of the part are known then all the same, because later parts count on them.
    #[must_use]
    pub fn absorb(&mut self, part: &Part, thread: usize, repeated: Repeated) -> bool {
        let names = &mut self.names[thread];
        part.news.intern_in(&mut self.corpus.corpus.strings, names);
        let mut documents = part.rows.documents.iter();
        let is_known = |row: &DocumentRow| self.corpus.by_name.get(names.of(row.name)).is_some();
        // Looked for before anything is appended: a part is added whole or not at all. Its reader
        // then parses it again into the corpus and can say on which line the second document is.
        if repeated == Repeated::Refuse && documents.any(is_known) {
            return false;
        }
        let refused = self.corpus.append(&part.rows, part.runs.iter().copied(), names, repeated);
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
        memory.runs.clear();
        memory.runs.extend(self.document_runs());
        memory.rows.clear_rows();
        let news = self.corpus.strings.take_news(memory.news);
        self.forget_documents();
        std::mem::swap(&mut self.corpus, &mut memory.rows);
        // The rows go, the strings stay.
        std::mem::swap(&mut self.corpus.strings, &mut memory.rows.strings);
        if self.corpus.strings.len() > KNOWN_STRINGS {
            // Clearing is safe only between parts: names that were told stay valid until the next
            // part, which names its strings anew.
            self.corpus.strings.clear();
        }
        Part { rows: memory.rows, runs: memory.runs, news }
    }

    /// Appends rows whose strings have these names here. Gives back the names of documents that
    /// were refused, each with the number of the first that has it.
    pub(crate) fn append(
        &mut self,
        rows: &Corpus,
        runs: impl Iterator<Item = DocumentRun>,
        names: &Names,
        repeated: Repeated,
    ) -> Vec<(StrId, u32)> {
        let bases = Bases::of(&self.corpus);
        self.append_arrays(rows, names, &bases);
        let mut refused = Vec::new();
        // What the documents of the rows are called here, once they have begun.
        let mut documents: Vec<Option<u32>> = vec![None; rows.documents.len()];
        for (document, Stretch { start, len }) in runs {
            let start = bases.annotations + start;
            let row = &rows.documents[document as usize];
            let document = *documents[document as usize].get_or_insert_with(|| {
                let name = names.of(row.name);
                match self.by_name.get(name) {
                    Some(first) if repeated == Repeated::Refuse => {
                        refused.push((name, first));
                        NO_DOCUMENT
                    }
                    Some(document) => document,
                    None => self.push_document(bases.document(row, name)),
                }
            });
            if self.is_last(document) {
                // It was cut in two, and goes on.
                self.shift_parents(start, len);
            } else {
                // Only now is the order of runs known: a document that is not the last one gets
                // annotations behind those of another, and `finish` has to gather them.
                self.scattered |= document as usize != self.corpus.documents.len() - 1;
                self.runs.push(Run { document, start });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Link, Place, Span};

    /// What a thread does with a line: it names the document in one of two ways, and adds a
    /// mention and a part of it.
    fn add(builder: &mut CorpusBuilder, name: &str, start: u32, noted: bool) {
        if noted {
            let key = builder.strings().key(name);
            let id = builder.intern_for_row(key, || name);
            builder.continue_document_id(id);
        } else {
            builder.continue_document(name);
        }
        let entity = format!("Q{}", start % 7);
        let key = builder.strings().key(&entity);
        let link = Link::to(builder.intern_for_row(key, || &entity));
        let root = builder.annotate(Span::new(start, start + 9), link).index();
        builder.annotate(Span::new(start, start + 4), Link::NIL).part_of(root, 1);
    }

    #[test]
    fn parts_make_what_one_builder_makes() {
        let names = ["a", "a much longer name", "a", "b", "", "b", "a", "c", "c"];
        let lines: Vec<(&str, u32, bool)> = (0..300)
            .map(|line| (names[line * line % names.len()], line as u32, line % 3 != 1))
            .collect();
        let mut one = CorpusBuilder::new();
        lines.iter().for_each(|&(name, start, noted)| add(&mut one, name, start, noted));
        let one = one.finish();
        for length in [1, 7, 40, 300] {
            let mut assembly = Assembly::new(CorpusBuilder::new());
            let mut threads = [assembly.join(), assembly.join()];
            // Used memory, of parts with more and with less in them.
            let mut spare = Part::default();
            for (number, lines) in lines.chunks(length).enumerate() {
                if number % 4 == 3 {
                    let corpus = assembly.corpus();
                    lines.iter().for_each(|&(name, start, noted)| add(corpus, name, start, noted));
                    continue;
                }
                let (thread, builder) = &mut threads[number % 2];
                lines.iter().for_each(|&(name, start, noted)| add(builder, name, start, noted));
                spare = builder.take_part(spare);
                assert!(assembly.absorb(&spare, *thread, Repeated::Merge));
            }
            let together = assembly.finish().finish();
            assert_eq!(one.difference(&together), None, "parts of {length}");
            assert!(one.strings().iter().eq(together.strings().iter()), "parts of {length}");
            let starts = |corpus: &Corpus| -> Vec<u32> {
                corpus.annotations().iter().map(|annotation| annotation.span.start).collect()
            };
            assert_eq!(starts(&one), starts(&together), "parts of {length}");
        }
        let parents = one.document("c").unwrap().mentions().filter_map(|mention| mention.place());
        assert!(
            parents
                .enumerate()
                .all(|(pair, place)| { place == Place { parent: 2 * pair as u32, reading: 1 } })
        );
    }

    #[test]
    fn a_document_that_must_not_come_again_is_not_added() {
        let mut assembly = Assembly::new(CorpusBuilder::new());
        let (thread, mut builder) = assembly.join();
        let mut absorb = |names: &[&str]| {
            for name in names {
                builder.begin_document(name).unwrap();
                builder.annotate(Span::new(0, 1), Link::NIL);
            }
            let part = builder.take_part(Part::default());
            assembly.absorb(&part, thread, Repeated::Refuse)
        };
        assert!(absorb(&["a", "b"]) && absorb(&["c"]));
        assert!(!absorb(&["d", "b"]));
        assert_eq!(assembly.finish().finish().len(), 3);
    }
}
