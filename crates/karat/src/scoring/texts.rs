//! Whether gold and system speak of the same texts.

use karat_model::{Corpus, Document, Span, first_difference};

/// Where a system does not speak of the texts of gold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OtherTexts {
    /// How many documents have texts that are not the same on both sides: equal offsets in
    /// them are different places.
    pub documents: usize,
    /// The first of them, and the code point at which its texts begin to differ.
    pub first: Option<(String, usize)>,
    /// How many mentions of documents that only gold has the text of end behind that text.
    pub outside: usize,
    /// The document and the span of the first of them.
    pub first_outside: Option<(String, Span)>,
}

impl OtherTexts {
    /// Those of two corpora.
    pub fn between(gold: &Corpus, system: &Corpus) -> OtherTexts {
        let mut others = OtherTexts::default();
        // Most corpora without texts have none at all, and then no document need be looked up.
        if gold.documents().all(|document| document.text().is_none()) {
            return others;
        }
        for document in gold.documents() {
            if let (Some(text), Some(other)) = (document.text(), system.document(document.name())) {
                others.extend(OtherTexts::of_document(text, &other));
            }
        }
        others
    }

    fn of_document(text: &str, system: &Document<'_>) -> OtherTexts {
        let name = || system.name().to_owned();
        if let Some(other) = system.text() {
            let first = first_difference(text, other).map(|at| (name(), at));
            return OtherTexts { documents: first.iter().len(), first, ..Default::default() };
        }
        // A code point has at most four bytes, so most texts need not be counted.
        let is_near = |span: Span| span.end as usize <= text.len() / 4;
        if system.mentions().all(|mention| is_near(mention.span())) {
            return OtherTexts::default();
        }
        let length = text.chars().count();
        let spans = system.mentions().map(|mention| mention.span());
        let mut outside = spans.filter(|span| span.end as usize > length);
        let first_outside = outside.next().map(|span| (name(), span));
        let count = first_outside.iter().len() + outside.count();
        OtherTexts { outside: count, first_outside, ..Default::default() }
    }

    /// These and those of other documents.
    pub(super) fn extend(&mut self, more: OtherTexts) {
        self.documents += more.documents;
        self.first = self.first.take().or(more.first);
        self.outside += more.outside;
        self.first_outside = self.first_outside.take().or(more.first_outside);
    }
}
