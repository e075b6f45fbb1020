//! Whether gold and system speak of the same texts.

use karat_model::{Corpus, Document, first_difference};
use std::collections::HashMap;

/// Documents whose texts are not the same on both sides: equal offsets in them are different places.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OtherTexts {
    /// How many there are.
    pub documents: usize,
    /// The first of them, and the code point at which its texts begin to differ.
    pub first: Option<(String, usize)>,
}

impl OtherTexts {
    /// Those of two corpora.
    pub fn between(gold: &Corpus, system: &Corpus) -> OtherTexts {
        if gold.documents().all(|document| document.text().is_none()) {
            return OtherTexts::default();
        }
        // A corpus looks for a document from its beginning, and there may be very many.
        let mut texts: HashMap<&str, &str> = HashMap::new();
        for document in system.documents() {
            texts.extend(document.text().map(|text| (document.name(), text)));
        }
        let difference = |document: Document<'_>| {
            let text = texts.get(document.name())?;
            Some((document.name().to_owned(), first_difference(document.text()?, text)?))
        };
        let mut differing = gold.documents().filter_map(difference);
        let first = differing.next();
        OtherTexts { documents: usize::from(first.is_some()) + differing.count(), first }
    }

    /// These and those of other documents.
    pub(super) fn extend(&mut self, more: OtherTexts) {
        self.documents += more.documents;
        self.first = self.first.take().or(more.first);
    }
}
