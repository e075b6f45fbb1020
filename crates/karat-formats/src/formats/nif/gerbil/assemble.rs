//! From nodes to documents.

use super::described::{Described, DescribedAnswer};
use super::node::{Kinds, Node, Nodes, Rare};
use super::spelling::{self, NO_ANSWER};
use crate::anchor::Here;
use crate::format::Offsets;
use crate::formats::nif::answer::Answer;
use crate::formats::nif::fragment::Located;
use crate::formats::nif::slips::{PROPERTIES_COUNT, check_length, offsets_differ};
use crate::formats::nif::stretches::Claims;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Text;
use karat_model::{CorpusBuilder, Link, MarkKind, Span, TextIndex, attribute};
use std::borrow::Cow;
use std::collections::HashMap;

/// Puts the nodes of a file together and adds its documents to the corpus.
pub(super) fn assemble<'t>(
    text: &'t Text<'t>,
    mut parts: Vec<Nodes<'t>>,
    offsets: Offsets,
    claims: &mut Claims,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    for fault in parts.iter_mut().flat_map(|part| part.faults.drain(..)) {
        reading.report(fault.problem(text))?;
    }
    let mut parts = parts.into_iter().map(|part| part.nodes);
    let mut nodes = parts.next().unwrap_or_default();
    parts.for_each(|part| nodes.extend(part));
    // Statements about one subject may stand anywhere in the file; only then it is known what each
    // is.
    merge_subjects(&mut nodes);
    merge_units(&mut nodes, claims);
    let file = File { text, offsets };
    let documents = file.documents(&nodes);
    documents.claim(&nodes, claims);
    let described = Described::new(&nodes);
    let mentions = file.members(&nodes, &documents, reading)?;
    let mut rest = mentions.as_slice();
    for (number, document) in documents.found.iter().enumerate() {
        // Members are sorted by document, so that those of each are a stretch of the list.
        let count = rest.partition_point(|member| member.document as usize <= number);
        let (members, others) = rest.split_at(count);
        rest = others;
        let members = Members { nodes: &nodes, members, described: &described };
        file.add(document, &members, claims, reading)?;
    }
    Ok(())
}

/// Brings what several statements say about one subject together, at the first.
fn merge_subjects(nodes: &mut Vec<Node<'_>>) {
    let mut seen: HashMap<&str, u32> = HashMap::with_capacity(nodes.len());
    let first: Vec<u32> = nodes
        .iter()
        .enumerate()
        .map(|(number, node)| *seen.entry(&node.subject).or_insert(number as u32))
        .collect();
    drop(seen);
    // Most files say everything about a subject in one statement, and nothing has to move.
    if first.iter().enumerate().all(|(number, &first)| number as u32 == first) {
        return;
    }
    // Nothing moves before all is merged, so that the numbers stay right.
    for (number, &first) in first.iter().enumerate() {
        if number as u32 != first {
            let node = std::mem::replace(&mut nodes[number], Node::empty());
            nodes[first as usize].merge(node);
        }
    }
    let mut numbers = first.iter().enumerate();
    nodes.retain(|_| numbers.next().is_some_and(|(number, &first)| number as u32 == first));
}

/// Gives mentions what their annotation units say.
fn merge_units(nodes: &mut [Node<'_>], claims: &mut Claims) {
    let units = |node: &Node<'_>| node.rare.as_ref().is_some_and(|rare| !rare.units.is_empty());
    if !nodes.iter().any(units) {
        return;
    }
    let by_subject: HashMap<String, usize> = nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| node.context.is_none())
        .map(|(number, node)| (node.subject.to_string(), number))
        .collect();
    for number in 0..nodes.len() {
        let rare = nodes[number].rare.as_mut();
        let names = rare.map(|rare| std::mem::take(&mut rare.units)).unwrap_or_default();
        for name in names {
            let Some(&unit) = by_subject.get(&*name).filter(|&&unit| unit != number) else {
                // In a stretch of a large file the unit may be in another one; then the file is
                // read as a whole.
                claims.look_elsewhere();
                continue;
            };
            let mut said = std::mem::replace(&mut nodes[unit], Node::empty());
            said.kinds = Kinds::empty();
            nodes[number].kinds |= Kinds::PHRASE;
            nodes[number].merge(said);
        }
    }
}

/// The documents of a file, and where to find them.
struct Documents<'n> {
    found: Vec<Document<'n>>,
    by_subject: HashMap<&'n str, u32>,
    by_name: HashMap<&'n str, u32>,
}

struct Document<'n> {
    name: Cow<'n, str>,
    text: &'n str,
    /// Where the file says that the text ends.
    end: Option<u32>,
    at: usize,
}

impl Documents<'_> {
    /// The document of a node: by its context, or by its own IRI.
    fn of(&self, node: &Node<'_>) -> Option<u32> {
        let context = node.context.as_deref().unwrap_or(&node.subject);
        let by_name = |iri: &str| self.by_name.get(Located::of(iri).document).copied();
        let exact = self.by_subject.get(context).copied();
        // By the exact context, else by its address without offsets, else by that of the mention
        // itself.
        exact.or_else(|| by_name(context)).or_else(|| by_name(&node.subject))
    }

    /// Claims the documents, and whatever nodes name that is not part of one.
    fn claim(&self, nodes: &[Node<'_>], claims: &mut Claims) {
        self.by_name.keys().for_each(|name| claims.add(name));
        let mut last = "";
        let names = nodes.iter().flat_map(|node| [Some(&node.subject), node.context.as_ref()]);
        for name in names.flatten() {
            let base = Located::of(name).document;
            // Brackets are nodes of their own, wherever they stand.
            if base == last || base.starts_with("_:") && !base.starts_with("_:Labelled") {
                continue;
            }
            last = base;
            if !self.by_name.contains_key(base) {
                claims.add(base);
            }
        }
    }
}

/// A mention or sentence of a document.
struct Member {
    document: u32,
    node: u32,
}

/// What is added to a document.
struct Members<'n, 't> {
    nodes: &'n [Node<'t>],
    members: &'n [Member],
    described: &'n Described<'n>,
}

struct File<'f> {
    text: &'f Text<'f>,
    offsets: Offsets,
}

impl File<'_> {
    fn here(&self, node: &Node<'_>) -> Here<'_> {
        Here { text: self.text, at: node.mention_at, len: 1 }
    }

    fn documents<'n>(&self, nodes: &'n [Node<'_>]) -> Documents<'n> {
        let mut documents =
            Documents { found: Vec::new(), by_subject: HashMap::new(), by_name: HashMap::new() };
        for node in nodes {
            let Some(text) = node.document_text() else { continue };
            let base = Located::of(&node.subject).document;
            let number = documents.found.len() as u32;
            // Sections of a text may be contexts of one address; mentions name theirs in full.
            documents.by_name.entry(base).or_insert(number);
            documents.by_subject.insert(&node.subject, number);
            let Node { end, at, .. } = *node;
            documents.found.push(Document { name: spelling::name(base), text, end, at });
        }
        documents
    }

    /// The mentions and sentences, by document and in the order of the file.
    fn members(
        &self,
        nodes: &[Node<'_>],
        documents: &Documents<'_>,
        reading: &mut Reading<'_>,
    ) -> Result<Vec<Member>, Problem> {
        let mut members = Vec::with_capacity(nodes.len());
        for (number, node) in nodes.iter().enumerate() {
            let is_sentence = node.kinds.contains(Kinds::SENTENCE);
            if !is_sentence && !node.is_mention() {
                continue;
            }
            match documents.of(node) {
                Some(document) => members.push(Member { document, node: number as u32 }),
                None => reading.report(self.unknown(node))?,
            }
        }
        // Parts were read in parallel and merged; the order of the file is restored here.
        members.sort_by_key(|member| (member.document, nodes[member.node as usize].mention_at));
        Ok(members)
    }

    fn unknown(&self, node: &Node<'_>) -> Problem {
        let message = match &node.context {
            Some(context) => {
                format!("the context <{context}> is not in the file, or has no nif:isString")
            }
            None => "this mention has no nif:referenceContext".to_owned(),
        };
        self.here(node)
            .problem(Kind::UnknownDocument, message)
            .hint("every mention refers to a nif:Context that holds the text of its document")
    }

    fn add(
        &self,
        document: &Document<'_>,
        Members { nodes, members, described }: &Members<'_, '_>,
        claims: &mut Claims,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let here = Here { text: self.text, at: document.at, len: 1 };
        if !reading.begin_document(here, &document.name, document.text)? {
            return Ok(());
        }
        let index = TextIndex::new(document.text);
        if let Some(end) = document.end {
            let said = (&*document.name, document.text);
            check_length(here, said, end.into(), self.offsets, reading);
        }
        for member in *members {
            let node = &nodes[member.node as usize];
            let span = self.offsets(node).and_then(|(begin, end)| {
                let anchor = node.anchor.as_deref();
                self.here(node).place(&index, self.offsets, begin, end, anchor)
            });
            let span = span.and_then(|placed| reading.placed_in(placed, Some(&document.name)));
            let span = span.map_err(|problem| problem.in_document(&document.name));
            let span = reading.accept(span)?;
            self.check_offsets(node, (&document.name, span), reading);
            let Some(span) = span else { continue };
            if node.kinds.contains(Kinds::SENTENCE) {
                reading.corpus.mark(MarkKind::Sentence, span, "");
            }
            if node.is_mention() {
                if described.may_be_elsewhere(node, &document.name) {
                    claims.look_elsewhere();
                }
                annotate(&mut reading.corpus, node, span, described, &document.name);
            }
        }
        Ok(())
    }

    /// The properties count; an IRI that says something else is worth a remark.
    fn check_offsets(
        &self,
        node: &Node<'_>,
        (document, span): (&str, Option<Span>),
        reading: &mut Reading<'_>,
    ) {
        if let (Some(begin), Some(end)) = (node.begin, node.end)
            && let Some(message) = offsets_differ(&node.subject, (begin.into(), end.into()))
        {
            let problem = self.here(node).problem(Kind::Offset, message).hint(PROPERTIES_COUNT);
            reading.repaired(problem.about(Some(document), span));
        }
    }

    /// The offsets of a node, which may stand in its IRI only.
    fn offsets(&self, node: &Node<'_>) -> Result<(u64, u64), Problem> {
        // The properties count where they differ from the IRI; a note tells of the difference.
        if let (Some(begin), Some(end)) = (node.begin, node.end) {
            return Ok((begin.into(), end.into()));
        }
        Located::of(&node.subject).offsets.ok_or_else(|| {
            let message = "expected nif:beginIndex and nif:endIndex, or offsets in the IRI";
            self.here(node)
                .problem(Kind::Malformed, message)
                .hint("an IRI with offsets ends in `#char=0,6` or `#offset_0_6`")
        })
    }
}

fn annotate(
    corpus: &mut CorpusBuilder,
    node: &Node<'_>,
    span: Span,
    described: &Described<'_>,
    document: &str,
) {
    let answer = node.link.as_deref().map(|iri| described.answer(iri, document));
    let (link, same) = match answer {
        None => (Link::NONE, &[][..]),
        Some(DescribedAnswer::Nil(cluster)) => (Link::nil_cluster(corpus.intern(cluster)), &[][..]),
        Some(DescribedAnswer::Same(iri, others)) => (link(corpus, iri), others),
    };
    let mut annotation = corpus.annotate(span, link).confidence(node.confidence);
    if node.classes.is_some() {
        let (types, tags) = node.types_and_tags();
        let types: Vec<Cow<'_, str>> = types.into_iter().map(spelling::name).collect();
        annotation = annotation.types(types.iter().map(|name| &**name)).tags(tags);
    }
    for other in same {
        annotation = annotation.equivalent(&spelling::name(other));
    }
    let Some(rare) = &node.rare else { return };
    let Rare { links, comment, derived, .. } = &**rare;
    for other in links {
        annotation = annotation.equivalent(&spelling::name(other));
    }
    if let Some(comment) = comment {
        annotation = annotation.attribute(attribute::COMMENT, comment);
    }
    if let Some(derived) = derived {
        annotation.attribute(attribute::DERIVED, derived);
    }
}

fn link(corpus: &mut CorpusBuilder, iri: &str) -> Link {
    match spelling::name(iri) {
        Cow::Owned(id) => Link::to(corpus.intern(&id)),
        Cow::Borrowed(id) if id.len() < iri.len() => Link::to(corpus.intern(id)),
        Cow::Borrowed(NO_ANSWER) => Link::NONE,
        Cow::Borrowed(iri) => Answer::of(iri).link(corpus),
    }
}
