//! The gold of a document: its mentions, each with its readings.

use super::content::{DEPTH, GoldContent};
use karat_model::{Corpus, Digest, Document, Features, Mention, Restriction, Role, Span};
use std::collections::BTreeMap;

/// A root mention of a document.
#[derive(Debug, Clone)]
pub(super) struct Root {
    /// Its place among the annotations of the document.
    pub(super) index: u32,
    pub(super) content: GoldContent,
}

/// The root mentions of a document that are gold, by span.
///
/// What is a part of itself, directly or through others, has no root and counts nowhere; patches do not touch it.
#[derive(Debug, Clone, Default)]
pub(super) struct DocumentGold {
    pub(super) by_span: BTreeMap<Span, Vec<Root>>,
    /// How many annotations have no root, or too many above them.
    pub(super) rootless: usize,
}

/// The parts of each annotation, by the number of their reading.
pub(super) type Children = BTreeMap<u32, BTreeMap<u32, Vec<u32>>>;

/// The parts of all annotations that are gold.
pub(super) fn children(mentions: &[Mention<'_>]) -> Children {
    let mut children = Children::new();
    for (index, mention) in mentions.iter().enumerate() {
        if let Some(place) = mention.place()
            && Role::Gold.plays(mention.flags())
        {
            let readings = children.entry(place.parent).or_default();
            readings.entry(place.reading).or_default().push(index as u32);
        }
    }
    children
}

impl DocumentGold {
    pub(super) fn of(document: &Document<'_>) -> DocumentGold {
        let mentions: Vec<Mention<'_>> = document.mentions().collect();
        let is_gold = |mention: &Mention<'_>| Role::Gold.plays(mention.flags());
        let children = children(&mentions);
        let mut gold = DocumentGold::default();
        let mut reached = 0;
        for (index, mention) in mentions.iter().enumerate() {
            if mention.place().is_some() || !is_gold(mention) {
                continue;
            }
            let mut size = 0;
            if let Some(content) = unit(&mentions, &children, index as u32, 0, &mut size) {
                reached += size;
                let root = Root { index: index as u32, content };
                gold.by_span.entry(mention.span()).or_default().push(root);
            }
        }
        let all = mentions.iter().filter(|mention| is_gold(mention)).count();
        gold.rootless = all - reached;
        gold
    }

    /// The mentions at a span.
    pub(super) fn at(&self, span: Span) -> &[Root] {
        self.by_span.get(&span).map_or(&[], Vec::as_slice)
    }
}

/// A mention with everything below it. Only what hangs on a root is reached, so there are no circles; a tree that is deeper
/// than a patch can say is left alone.
fn unit(
    mentions: &[Mention<'_>],
    children: &Children,
    index: u32,
    depth: usize,
    size: &mut usize,
) -> Option<GoldContent> {
    if depth > DEPTH {
        return None;
    }
    *size += 1;
    let mut content = GoldContent::of(&mentions[index as usize]);
    for parts in children.get(&index).into_iter().flat_map(BTreeMap::values) {
        let part = |&part: &u32| unit(mentions, children, part, depth + 1, size);
        let mut parts = parts.iter().map(part).collect::<Option<Vec<_>>>()?;
        parts.sort_unstable();
        content.readings.push(parts);
    }
    content.readings.sort_unstable();
    Some(content)
}

/// A mention below a root, with everything below it.
pub(super) fn whole(mentions: &[Mention<'_>], children: &Children, index: u32) -> GoldContent {
    unit(mentions, children, index, 1, &mut 0).unwrap_or_default()
}

/// What a patch is made for: the digest of what gold says of its mentions, and that of its texts.
///
/// Both are the digest that karat has of any corpus ([`Digest`]), of a corpus with nothing else in it, so that they are free of the
/// order of documents and annotations and of everything that a patch cannot change.
pub(super) fn annotations_digest(corpus: &Corpus) -> Digest {
    let keeps = Restriction {
        features: Features::all()
            - Features::TEXT
            - Features::EVALUATION_SPAN
            - Features::TOKENS
            - Features::SENTENCES
            - Features::HYPERLINKS
            - Features::TITLE_SYNONYMS
            - Features::SECTIONS
            - Features::PASSAGES
            - Features::CONFIDENCE
            - Features::CANDIDATES
            - Features::SIDES,
        document_attributes: &[],
        annotation_attributes: &["*", "!id", "!surface"],
    };
    let gold = corpus.filter(|mention| Role::Gold.plays(mention.flags()));
    gold.restrict(&keeps).0.digest()
}

/// The digest of the texts; `None` where no document has one.
pub(super) fn texts_digest(corpus: &Corpus) -> Option<Digest> {
    corpus.documents().any(|document| document.text().is_some()).then(|| {
        let keeps = Restriction {
            features: Features::TEXT | Features::EMPTY_DOCUMENTS,
            document_attributes: &[],
            annotation_attributes: &[],
        };
        corpus.filter(|_| false).restrict(&keeps).0.digest()
    })
}
