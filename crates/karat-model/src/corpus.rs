//! The arrays that make a corpus.

use crate::annotation::{Annotation, Candidate, Extra, Stretch};
use crate::by_name::DocumentsByName;
use crate::{Digest, Document, Features, Interner, Span, StrId};
use std::sync::OnceLock;

/// Documents and their annotations.
///
/// Built by a [`crate::CorpusBuilder`] and not changed afterwards. Two corpora
/// are equal when they say the same, whatever their internal numbers.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    pub(crate) strings: Interner,
    pub(crate) texts: String,
    pub(crate) documents: Vec<DocumentRow>,
    pub(crate) annotations: Vec<Annotation>,
    pub(crate) extras: Vec<Extra>,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) attributes: Vec<(StrId, StrId)>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) memo: Memo,
}

/// What follows from the arrays and is computed when somebody first asks. Whoever changes the
/// arrays forgets it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memo {
    by_name: OnceLock<DocumentsByName>,
    pub(crate) digest: OnceLock<Digest>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct DocumentRow {
    pub(crate) name: StrId,
    /// Where its text is in `texts`; `None` for a document without text.
    pub(crate) text: Option<TextRange>,
    pub(crate) annotations: Stretch,
    pub(crate) marks: Stretch,
    pub(crate) attributes: Stretch,
    pub(crate) evaluation_span: Option<Span>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct TextRange {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Something a file says about a stretch of text that is not an annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// What it is.
    pub kind: MarkKind,
    /// Where it is.
    pub span: Span,
    /// What it says: the target of a hyperlink, the title of a section.
    pub value: StrId,
}

/// The kinds of [`Mark`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MarkKind {
    /// A token.
    Token,
    /// A sentence.
    Sentence,
    /// A hyperlink of the source, its target as value.
    Hyperlink,
    /// A place that names the subject of the article.
    TitleSynonym,
    /// A section, its title as value.
    Section,
    /// A part of the document with an offset of its own, its kind as value.
    Passage,
}

impl MarkKind {
    /// All kinds.
    pub const ALL: [MarkKind; 6] = [
        MarkKind::Token,
        MarkKind::Sentence,
        MarkKind::Hyperlink,
        MarkKind::TitleSynonym,
        MarkKind::Section,
        MarkKind::Passage,
    ];

    /// The feature a format needs to carry this kind.
    pub fn feature(self) -> Features {
        match self {
            MarkKind::Token => Features::TOKENS,
            MarkKind::Sentence => Features::SENTENCES,
            MarkKind::Hyperlink => Features::HYPERLINKS,
            MarkKind::TitleSynonym => Features::TITLE_SYNONYMS,
            MarkKind::Section => Features::SECTIONS,
            MarkKind::Passage => Features::PASSAGES,
        }
    }

    /// The name used in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            MarkKind::Token => "token",
            MarkKind::Sentence => "sentence",
            MarkKind::Hyperlink => "hyperlink",
            MarkKind::TitleSynonym => "title synonym",
            MarkKind::Section => "section",
            MarkKind::Passage => "passage",
        }
    }
}

impl Corpus {
    /// The documents, in the order of the file.
    pub fn documents(&self) -> impl ExactSizeIterator<Item = Document<'_>> {
        (0..self.documents.len()).map(|index| Document::new(self, index))
    }

    /// The document with this name, in constant time: the first call looks at all documents once,
    /// and no later one does.
    pub fn document(&self, name: &str) -> Option<Document<'_>> {
        let name = self.strings.find(name)?;
        let by_name = self.memo.by_name.get_or_init(|| DocumentsByName::of(&self.documents));
        let index = by_name.find(name, &self.documents)?;
        Some(Document::new(self, index))
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// All annotations; those of one document lie together.
    pub fn annotations(&self) -> &[Annotation] {
        &self.annotations
    }

    /// What the candidates and equivalents of all annotations link to.
    pub fn candidate_links(&self) -> impl Iterator<Item = crate::Link> {
        self.candidates.iter().map(|candidate| candidate.link)
    }

    /// The document at this position.
    pub fn document_at(&self, index: usize) -> Option<Document<'_>> {
        (index < self.documents.len()).then(|| Document::new(self, index))
    }

    /// The interned strings.
    pub fn strings(&self) -> &Interner {
        &self.strings
    }

    /// Forgets everything but the strings, and keeps the memory.
    pub(crate) fn clear_rows(&mut self) {
        self.texts.clear();
        self.documents.clear();
        self.annotations.clear();
        self.extras.clear();
        self.candidates.clear();
        self.attributes.clear();
        self.marks.clear();
        self.memo = Memo::default();
    }

    /// Bytes of memory in use.
    pub fn bytes(&self) -> usize {
        self.strings.bytes()
            + self.texts.capacity()
            + self.documents.capacity() * size_of::<DocumentRow>()
            + self.annotations.capacity() * size_of::<Annotation>()
            + self.extras.capacity() * size_of::<Extra>()
            + self.candidates.capacity() * size_of::<Candidate>()
            + self.attributes.capacity() * size_of::<(StrId, StrId)>()
            + self.marks.capacity() * size_of::<Mark>()
            + self.memo.by_name.get().map_or(0, DocumentsByName::bytes)
    }

    /// The items of a list made by [`crate::CorpusBuilder::intern_list`].
    pub fn list(&self, id: StrId) -> impl Iterator<Item = &str> + Clone {
        split_list(self.strings.get(id))
    }
}

/// Separates the items of an interned list; no format of the field uses it in a name.
pub(crate) const LIST_SEPARATOR: char = '\u{1f}';

pub(crate) fn split_list(text: &str) -> impl Iterator<Item = &str> + Clone {
    // An empty list is the empty string, which `split` would give back as one empty item.
    text.split(LIST_SEPARATOR).filter(|item| !item.is_empty())
}
