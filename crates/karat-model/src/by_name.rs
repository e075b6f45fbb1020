//! Documents by the ids of their names.

use crate::StrId;
use crate::corpus::DocumentRow;

/// Finds the document with a name in constant time.
///
/// Names are interned, so what is hashed is a number. The table is open and at most three
/// quarters full: about eight bytes for each document, in a corpus where a document itself
/// takes sixty-four.
#[derive(Debug, Clone)]
pub(crate) struct DocumentsByName {
    /// A power of two of slots, each with the number of a document, or free. A document is in
    /// the first free slot from the home of its name on.
    slots: Box<[u32]>,
}

/// A slot without a document.
const FREE: u32 = u32::MAX;

impl DocumentsByName {
    pub(crate) fn of(documents: &[DocumentRow]) -> DocumentsByName {
        let size = (documents.len() + documents.len() / 3 + 2).next_power_of_two();
        // Slots outnumber documents, so there is always a free slot and both loops below end.
        let mut slots = vec![FREE; size].into_boxed_slice();
        for (number, row) in documents.iter().enumerate() {
            let mut at = home(row.name, size);
            while slots[at] != FREE {
                at = (at + 1) & (size - 1);
            }
            slots[at] = number as u32;
        }
        DocumentsByName { slots }
    }

    /// The position of the document whose name has this id.
    pub(crate) fn find(&self, name: StrId, documents: &[DocumentRow]) -> Option<usize> {
        let mut at = home(name, self.slots.len());
        while self.slots[at] != FREE {
            let document = self.slots[at] as usize;
            if documents[document].name == name {
                return Some(document);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        None
    }

    /// Bytes of memory in use.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<u32>()
    }
}

/// The slot where the search for a name begins. The upper bits of the product are well mixed
/// also where ids follow each other at even distances, as they do in most corpora.
fn home(name: StrId, slots: usize) -> usize {
    let mixed = u64::from(name.0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (64 - slots.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use crate::{Corpus, CorpusBuilder, Link, Span};

    /// Documents `d0`, `d1`, ... whose mentions link to `d1`, `d2`, ...
    fn corpus(documents: std::ops::Range<usize>) -> CorpusBuilder {
        let mut builder = CorpusBuilder::new();
        for number in documents {
            builder.begin_document(&format!("d{number}")).unwrap();
            let link = Link::to(builder.intern(&format!("d{}", number + 1)));
            builder.annotate(Span::new(0, 1), link);
        }
        builder
    }

    fn assert_all_found(corpus: &Corpus, count: usize) {
        assert_eq!(corpus.len(), count);
        for document in corpus.documents() {
            let found = corpus.document(document.name()).map(|found| found.index());
            assert_eq!(found, Some(document.index()), "{}", document.name());
        }
        // The first is an entity here and no document, the second no string at all.
        assert!(corpus.document(&format!("d{count}")).is_none());
        assert!(corpus.document("nobody").is_none());
    }

    #[test]
    fn every_document_is_found_by_its_name() {
        for count in [0, 1, 2, 3, 7, 100, 3000] {
            assert_all_found(&corpus(0..count).finish(), count);
        }
    }

    #[test]
    fn documents_that_come_or_go_after_a_search_are_found_or_not() {
        let searched = corpus(0..10).finish();
        assert!(searched.document("d9").is_some() && searched.document("d10").is_none());
        let mut builder = CorpusBuilder::reopen(searched.clone());
        assert!(builder.absorb(corpus(10..20).finish(), crate::Repeated::Refuse).is_empty());
        assert_all_found(&builder.finish(), 20);
        let mut builder = CorpusBuilder::reopen(searched);
        let complete = builder.take_complete();
        assert_all_found(&complete, 9);
        assert!(builder.finish().document("d9").is_some());
    }
}
