//! What changes a digest, and what does not.

use super::*;
use crate::{Corpus, CorpusBuilder, Flags, Link, MarkKind, Span};
use proptest::prelude::*;
use serde_json::json;

/// A document as a tree of what it says.
#[derive(Debug, Clone, Default)]
struct Doc {
    name: String,
    text: Option<String>,
    evaluation: Option<Span>,
    attributes: Vec<(String, String)>,
    marks: Vec<(MarkKind, Span, String)>,
    roots: Vec<Node>,
}

/// An annotation, and the alternative readings below it.
#[derive(Debug, Clone, Default)]
struct Node {
    span: Span,
    link: Answer,
    types: Vec<String>,
    confidence: Option<f64>,
    flags: u32,
    candidates: Vec<(Answer, Option<f64>, Vec<String>)>,
    equivalents: Vec<String>,
    tags: Vec<String>,
    attributes: Vec<(String, String)>,
    readings: Vec<Vec<Node>>,
}

#[derive(Debug, Clone, Default)]
enum Answer {
    Entity(String),
    Cluster(String),
    Nil,
    #[default]
    None,
}

/// A random order, made of these numbers as long as they last.
#[derive(Default)]
struct Shuffle(Vec<usize>);

impl Shuffle {
    fn next(&mut self, below: usize) -> usize {
        self.0.pop().unwrap_or_default() % below
    }

    fn apply<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.next(at + 1));
        }
    }
}

fn build(documents: &[Doc], shuffle: &mut Shuffle) -> Corpus {
    let mut documents: Vec<&Doc> = documents.iter().collect();
    shuffle.apply(&mut documents);
    let mut builder = CorpusBuilder::new();
    // Other strings get other numbers.
    builder.intern(&"x".repeat(shuffle.next(3)));
    for document in documents {
        add(&mut builder, document, shuffle);
    }
    builder.finish()
}

fn add(builder: &mut CorpusBuilder, document: &Doc, shuffle: &mut Shuffle) {
    builder.begin_document(&document.name).unwrap();
    if let Some(text) = &document.text {
        builder.set_text(text);
    }
    if let Some(span) = document.evaluation {
        builder.set_evaluation_span(span);
    }
    for (key, value) in &document.attributes {
        builder.document_attribute(key, value);
    }
    let mut marks: Vec<_> = document.marks.iter().collect();
    shuffle.apply(&mut marks);
    for (kind, span, value) in marks {
        builder.mark(*kind, *span, value);
    }
    // Each node with its parent and reading, in an order that has nothing to do with the tree.
    let mut nodes: Vec<(&Node, Option<(usize, u32)>)> = Vec::new();
    for root in &document.roots {
        flatten(root, None, shuffle, &mut nodes);
    }
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    shuffle.apply(&mut order);
    let place_of = |node: usize| order.iter().position(|&at| at == node).unwrap() as u32;
    for &at in &order {
        let (node, below) = nodes[at];
        annotate(builder, node, below.map(|(parent, reading)| (place_of(parent), reading)));
    }
}

fn flatten<'n>(
    node: &'n Node,
    below: Option<(usize, u32)>,
    shuffle: &mut Shuffle,
    nodes: &mut Vec<(&'n Node, Option<(usize, u32)>)>,
) {
    let at = nodes.len();
    nodes.push((node, below));
    let mut numbers: Vec<u32> = (1..=node.readings.len() as u32).collect();
    shuffle.apply(&mut numbers);
    for (reading, number) in node.readings.iter().zip(numbers) {
        for part in reading {
            flatten(part, Some((at, number)), shuffle, nodes);
        }
    }
}

fn annotate(builder: &mut CorpusBuilder, node: &Node, place: Option<(u32, u32)>) {
    let of_builder = |builder: &mut CorpusBuilder, answer: &Answer| match answer {
        Answer::Entity(id) => Link::to(builder.intern(id)),
        Answer::Cluster(id) => Link::nil_cluster(builder.intern(id)),
        Answer::Nil => Link::NIL,
        Answer::None => Link::NONE,
    };
    let strings = |texts: &[String]| -> Vec<String> { texts.to_vec() };
    let candidates: Vec<_> = node
        .candidates
        .iter()
        .map(|(answer, score, types)| {
            let types = builder.intern_list(types.iter().map(String::as_str));
            (of_builder(builder, answer), score.unwrap_or(f64::NAN), types)
        })
        .collect();
    let link = of_builder(builder, &node.link);
    let mut annotation = builder
        .annotate(node.span, link)
        .types(strings(&node.types).iter().map(String::as_str))
        .confidence(node.confidence.unwrap_or(f64::NAN))
        .flags(Flags::from_bits_truncate(node.flags))
        .tags(strings(&node.tags).iter().map(String::as_str));
    for (link, score, types) in candidates {
        annotation = annotation.candidate_with_types(link, score, types);
    }
    for equivalent in &node.equivalents {
        annotation = annotation.equivalent(equivalent);
    }
    for (key, value) in &node.attributes {
        annotation = annotation.attribute(key, value);
    }
    if let Some((parent, reading)) = place {
        annotation.part_of(parent, reading);
    }
}

fn digest(documents: &[Doc]) -> Digest {
    build(documents, &mut Shuffle::default()).digest()
}

fn text() -> impl Strategy<Value = String> {
    // Few letters, so that much is equal.
    "[ab]{1,2}"
}

fn span() -> impl Strategy<Value = Span> {
    (0..200u32, 0..3u32).prop_map(|(start, length)| Span::new(start, start + length))
}

fn answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        text().prop_map(Answer::Entity),
        text().prop_map(Answer::Cluster),
        Just(Answer::Nil),
        Just(Answer::None)
    ]
}

fn attributes() -> impl Strategy<Value = Vec<(String, String)>> {
    prop::collection::vec((text(), text()), 0..2)
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(text(), 0..3)
}

fn node() -> impl Strategy<Value = Node> {
    let score = || prop::option::of(prop_oneof![Just(0.0), Just(-0.0), Just(0.5)]);
    let candidates = prop::collection::vec((answer(), score(), texts()), 0..2);
    let first = (span(), answer(), texts(), score(), 0..64u32);
    let more = (candidates, texts(), texts(), attributes());
    let leaf = (first, more).prop_map(|(first, more)| Node {
        span: first.0,
        link: first.1,
        types: first.2,
        confidence: first.3,
        flags: first.4,
        candidates: more.0,
        equivalents: more.1,
        tags: more.2,
        attributes: more.3,
        readings: Vec::new(),
    });
    let leaf = leaf.boxed();
    leaf.clone().prop_recursive(3, 8, 2, move |below| {
        let readings = prop::collection::vec(prop::collection::vec(below, 1..3), 0..3);
        (leaf.clone(), readings).prop_map(|(node, readings)| Node { readings, ..node })
    })
}

fn documents() -> impl Strategy<Value = Vec<Doc>> {
    let mark = (prop::sample::select(MarkKind::ALL.to_vec()), span(), text());
    let document = (
        prop::option::of(text()),
        prop::option::of(span()),
        attributes(),
        prop::collection::vec(mark, 0..3),
        prop::collection::vec(node(), 0..5),
    );
    prop::collection::vec(document, 0..5).prop_map(|documents| {
        let named = documents.into_iter().enumerate();
        named
            .map(|(number, (text, evaluation, attributes, marks, roots))| Doc {
                name: format!("d{number}"),
                text,
                evaluation,
                attributes,
                marks,
                roots,
            })
            .collect()
    })
}

fn shuffles() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(any::<usize>(), 200)
}

/// A change with its name.
type NamedChange = (&'static str, fn(&mut Node));

/// Every way to change one thing of an annotation.
const CHANGES: &[NamedChange] = &[
    ("start", |node| node.span.start ^= 1),
    ("end", |node| node.span.end += 1),
    ("link", |node| {
        node.link = match &node.link {
            Answer::Entity(id) => Answer::Cluster(id.clone()),
            Answer::Cluster(id) => Answer::Entity(id.clone()),
            Answer::Nil => Answer::None,
            Answer::None => Answer::Nil,
        }
    }),
    ("entity", |node| {
        node.link = match &node.link {
            Answer::Entity(id) => Answer::Entity(format!("{id}c")),
            Answer::Cluster(id) => Answer::Cluster(format!("{id}c")),
            Answer::Nil | Answer::None => Answer::Entity("c".to_owned()),
        }
    }),
    ("a type", |node| node.types.push("c".to_owned())),
    ("the first type", |node| node.types.insert(0, "c".to_owned())),
    ("confidence", |node| {
        node.confidence = match node.confidence {
            None => Some(0.0),
            Some(0.5) => None,
            Some(_) => Some(0.5),
        }
    }),
    ("flags", |node| node.flags ^= Flags::OPTIONAL.bits()),
    ("the last flag", |node| node.flags ^= Flags::PREDICTED.bits()),
    ("a candidate", |node| node.candidates.push((Answer::Nil, None, Vec::new()))),
    ("an equivalent", |node| node.equivalents.push("c".to_owned())),
    ("a tag", |node| node.tags.push("c".to_owned())),
    ("an attribute", |node| node.attributes.push(("c".to_owned(), "d".to_owned()))),
    ("a further reading", |node| node.readings.push(vec![Node::default()])),
    ("a further part", |node| match node.readings.first_mut() {
        Some(reading) => reading.push(Node::default()),
        None => node.readings.push(vec![Node::default()]),
    }),
];

proptest! {
    #[test]
    fn order_and_numbers_do_not_matter(documents in documents(), order in shuffles()) {
        let shuffled = build(&documents, &mut Shuffle(order));
        prop_assert_eq!(shuffled.digest(), digest(&documents));
    }

    #[test]
    fn parts_merge_to_the_whole(
        documents in documents(),
        order in shuffles(),
        cut in any::<prop::sample::Index>(),
    ) {
        let (first, second) = documents.split_at(cut.index(documents.len() + 1));
        let mut shuffle = Shuffle(order);
        let mut merged = DocumentDigests::default();
        for part in [second, first] {
            merged.merge(DocumentDigests::of(&build(part, &mut shuffle)));
        }
        prop_assert_eq!(merged.finish(), digest(&documents));
    }

    #[test]
    fn whatever_changes_of_an_annotation_changes_the_digest(
        documents in documents(),
        document in any::<prop::sample::Index>(),
        root in any::<prop::sample::Index>(),
        below in any::<bool>(),
    ) {
        prop_assume!(!documents.is_empty());
        let document = document.index(documents.len());
        prop_assume!(!documents[document].roots.is_empty());
        let root = root.index(documents[document].roots.len());
        let before = digest(&documents);
        for (what, change) in CHANGES {
            let mut changed = documents.clone();
            let mut node = &mut changed[document].roots[root];
            if below && !node.readings.is_empty() {
                node = &mut node.readings[0][0];
            }
            change(node);
            prop_assert_ne!(digest(&changed), before, "{}", what);
        }
        let mut fewer = documents.clone();
        fewer[document].roots.remove(root);
        prop_assert_ne!(digest(&fewer), before);
        let mut twice = documents.clone();
        let again = twice[document].roots[root].clone();
        twice[document].roots.push(again);
        prop_assert_ne!(digest(&twice), before);
    }
}

#[test]
fn whatever_changes_of_a_document_changes_the_digest() {
    let plain = Doc { name: "a".to_owned(), ..Doc::default() };
    let a = || "a".to_owned();
    let others = [
        Doc { name: "b".to_owned(), ..plain.clone() },
        Doc { text: Some(String::new()), ..plain.clone() },
        Doc { text: Some(a()), ..plain.clone() },
        Doc { evaluation: Some(Span::new(0, 0)), ..plain.clone() },
        Doc { evaluation: Some(Span::new(0, 1)), ..plain.clone() },
        Doc { attributes: vec![(a(), a())], ..plain.clone() },
        Doc { attributes: vec![(a(), "b".to_owned())], ..plain.clone() },
        Doc { marks: vec![(MarkKind::Token, Span::new(0, 1), a())], ..plain.clone() },
        Doc { marks: vec![(MarkKind::Sentence, Span::new(0, 1), a())], ..plain.clone() },
        Doc { marks: vec![(MarkKind::Sentence, Span::new(0, 1), String::new())], ..plain.clone() },
        Doc { roots: vec![Node::default()], ..plain.clone() },
    ];
    let mut digests = vec![digest(&[]), digest(&[plain])];
    digests.extend(others.map(|document| digest(&[document])));
    let count = digests.len();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), count);
}

/// A document with one of everything, and an annotation with three readings in two ways.
fn one_of_everything() -> Doc {
    let text = |text: &str| text.to_owned();
    let part = |start| Node { span: Span::new(start, 300), ..Node::default() };
    let full = Node {
        span: Span::new(1, 3),
        link: Answer::Entity(text("Q64")),
        types: vec![text("LOC"), text("GPE")],
        confidence: Some(0.5),
        flags: Flags::OPTIONAL.bits(),
        candidates: vec![
            (Answer::Entity(text("Q64")), Some(0.25), vec![text("LOC")]),
            (Answer::Nil, None, Vec::new()),
        ],
        equivalents: vec![text("Berlin")],
        tags: vec![text("t"), text("u")],
        attributes: vec![(text("name"), text("B")), (text("id"), text("7"))],
        readings: vec![vec![part(2)], vec![part(2), part(1)]],
    };
    let cluster =
        Node { span: Span::new(0, 9), link: Answer::Cluster(text("c")), ..Node::default() };
    Doc {
        name: text("d1"),
        text: Some(text("In Köln")),
        evaluation: Some(Span::new(0, 7)),
        attributes: vec![(text("topic"), text("x"))],
        marks: vec![(MarkKind::Sentence, Span::new(0, 7), String::new())],
        roots: vec![full, cluster],
    }
}

#[test]
fn the_canonical_form_is_as_defined() {
    let half = 0.5f64.to_le_bytes();
    let quarter = 0.25f64.to_le_bytes();
    let part = |start: u8| {
        // 300 is 44 + 2 * 128. No answer, no types, nothing else.
        let bytes = [&b"karat annotation 1\n"[..], &[start, 0xac, 2, 3, 0, 0]].concat();
        *Digest::of_bytes(&bytes).as_bytes()
    };
    let mut two = [part(1), part(2)];
    two.sort_unstable();
    let one_reading = [&[1][..], &part(2)].concat();
    let other_reading = [&[2][..], &two[0], &two[1]].concat();
    let bytes = [
        &b"karat document 1\n\x02d1\x01\x08In K\xc3\xb6ln\x01\x00\x07"[..],
        b"\x01\x05topic\x01x\x01\x01\x00\x07\x00",
        // Two roots, the first of them NIL with a cluster.
        b"\x02\x00\x09\x05c\x00\x00",
        b"\x01\x03\x0cQ64\x07LOC\x1fGPE\x0f",
        &half,
        b"\x02\x0cQ64\x01",
        &quarter,
        b"\x03LOC\x02\x00\x00\x01\x18Berlin\x03t\x1fu\x02\x02id\x017\x04name\x01B",
        &[2],
        &one_reading,
        &other_reading,
        // Nothing without a parent, no circles.
        &[0, 0],
    ]
    .concat();
    let document = Digest::of_bytes(&bytes);
    let corpus = build(&[one_of_everything()], &mut Shuffle::default());
    assert_eq!(corpus.documents().next().unwrap().digest(), document);
    let count = [1, 0, 0, 0, 0, 0, 0, 0];
    let whole = [&b"karat corpus 1\n"[..], &count, document.as_bytes()].concat();
    assert_eq!(corpus.digest(), Digest::of_bytes(&whole));
}

#[test]
fn digests_stay_what_they_are() {
    // Whoever changes these changes every signature that was ever published.
    let plain = Doc {
        name: "d1".to_owned(),
        roots: vec![Node {
            span: Span::new(0, 6),
            link: Answer::Entity("Q64".to_owned()),
            ..Node::default()
        }],
        ..Doc::default()
    };
    let circle = placed(&[(1, Some((1, 1))), (2, Some((0, 1))), (3, Some((9, 1)))]);
    assert_eq!(
        digest(&[]).to_string(),
        "c2009aa57ffe02b41e4b737cf287f1b5d2bc927239e34ec2c80a2ef038bff040"
    );
    assert_eq!(
        digest(&[plain]).to_string(),
        "07cc3a1559b9e15643cc1f03c0e712be9e79d221293564963b3ee26bad2ebc87"
    );
    assert_eq!(
        digest(&[one_of_everything()]).to_string(),
        "87053de56fdef24d4463eea45206bc19910edf66b8871ea58f41f4d5dc2149fc"
    );
    assert_eq!(
        circle.digest().to_string(),
        "e0d5e8b15c84dfcdfc986c4d514f6cc3dcde63c6c645ee42164d972bd1398631"
    );
    assert_eq!(
        circle.digest_in_order().to_string(),
        "ecc5e2e8608f771d258dcb6e6cf6f5b359601fcec20cac53922ca84f137101cc"
    );
}

/// Annotations of one document: the start of each, and the parent and reading that it has.
fn placed(places: &[(u32, Option<(u32, u32)>)]) -> Corpus {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("d").unwrap();
    for &(start, place) in places {
        let annotation = builder.annotate(Span::new(start, start + 1), Link::NIL);
        if let Some((parent, reading)) = place {
            annotation.part_of(parent, reading);
        }
    }
    builder.finish()
}

#[test]
fn circles_have_no_beginning() {
    // 1 is a part of 2, 2 of 3, 3 of 1, and 4 is a part of 2 in two ways.
    let circle = |reading| {
        placed(&[(1, Some((1, 1))), (2, Some((2, 1))), (3, Some((0, 1))), (4, Some((1, reading)))])
    };
    let other =
        placed(&[(4, Some((3, 7))), (3, Some((2, 5))), (1, Some((3, 7))), (2, Some((1, 5)))]);
    assert_eq!(circle(1).digest(), other.digest());
    assert_ne!(circle(2).digest(), circle(1).digest(), "two readings are not one");
    let turned =
        placed(&[(1, Some((2, 1))), (2, Some((0, 1))), (3, Some((1, 1))), (4, Some((1, 1)))]);
    assert_ne!(circle(1).digest(), turned.digest(), "the other way round");
    let itself = placed(&[(1, Some((0, 1)))]);
    let orphan = placed(&[(1, Some((9, 1)))]);
    let root = placed(&[(1, None)]);
    assert_ne!(itself.digest(), orphan.digest());
    assert_ne!(itself.digest(), root.digest());
    assert_ne!(orphan.digest(), root.digest());
    assert_eq!(orphan.digest(), placed(&[(1, Some((77, 3)))]).digest());
}

#[test]
fn the_smallest_rotation_is_found() {
    for length in 0..7u32 {
        for code in 0..3usize.pow(length) {
            let items: Vec<usize> = (0..length).map(|at| code / 3usize.pow(at) % 3).collect();
            let rotated = |by: usize| [&items[by..], &items[..by]].concat();
            let smallest = (0..items.len()).map(rotated).min().unwrap_or_default();
            let found = super::canonical::smallest_rotation(&items);
            assert_eq!(rotated(found.min(items.len())), smallest, "{items:?}");
        }
    }
}

#[test]
fn trees_as_deep_as_there_are_annotations_have_a_digest() {
    let places: Vec<_> =
        (0..200_000u32).map(|at| (at, at.checked_sub(1).map(|up| (up, 1)))).collect();
    let circle: Vec<_> = (0..200_000).map(|at| (7, Some(((at + 1) % 200_000, 1)))).collect();
    assert_ne!(placed(&places).digest(), placed(&circle).digest());
}

#[test]
fn only_one_digest_knows_the_order_of_annotations() {
    let one = placed(&[(1, None), (1, Some((0, 1))), (2, None)]);
    let other = placed(&[(2, None), (1, None), (1, Some((1, 1)))]);
    assert_eq!(one.digest(), other.digest());
    assert_ne!(one.digest_in_order(), other.digest_in_order());
    assert_ne!(one.digest_in_order(), one.digest());
    assert_eq!(one.digest_in_order(), one.clone().digest_in_order());
}

#[test]
fn attributes_are_in_the_order_of_their_keys() {
    let of = |facts: &[(&str, &str)]| {
        let facts = facts.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        digest(&[Doc { attributes: facts.collect(), ..Doc::default() }])
    };
    assert_eq!(of(&[("a", "1"), ("b", "2")]), of(&[("b", "2"), ("a", "1")]));
    assert_ne!(of(&[("a", "1"), ("b", "2")]), of(&[("a", "2"), ("b", "1")]));
    // Whoever asks for a key gets its first value.
    assert_ne!(of(&[("a", "1"), ("a", "2")]), of(&[("a", "2"), ("a", "1")]));
}

#[test]
fn a_corpus_that_goes_on_has_another_digest() {
    let corpus = placed(&[(1, None)]);
    let before = corpus.digest();
    let mut builder = CorpusBuilder::reopen(corpus);
    builder.begin_document("more").unwrap();
    assert_ne!(builder.finish().digest(), before);
}

#[test]
fn a_digest_is_written_and_read() {
    let digest = Digest::of_bytes(b"");
    let text = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
    assert_eq!((digest.to_string().as_str(), digest.short().as_str()), (text, "af1349"));
    assert_eq!(text.parse(), Ok(digest));
    assert_eq!(text.to_uppercase().parse(), Ok(digest));
    assert_eq!(Digest::of_pieces([&b"a"[..], b"bc"]), Digest::of_bytes(b"abc"));
    for wrong in ["", "af1349", &text[1..], &format!("{text}00"), &text.replace('a', "+")] {
        let error = wrong.parse::<Digest>().unwrap_err().to_string();
        assert_eq!(error, format!("`{wrong}` is no digest: expected 64 hexadecimal digits"));
    }
}

#[test]
fn digests_are_strings_in_json() {
    let corpus = placed(&[(1, None)]);
    let digest = corpus.digest();
    let json = serde_json::to_string(&digest).unwrap();
    assert_eq!(json, format!("\"{digest}\""));
    assert_eq!(serde_json::from_str::<Digest>(&json).unwrap(), digest);
    assert_eq!(serde_json::from_value::<Digest>(json!(digest)).unwrap(), digest);
    assert!(serde_json::from_str::<Digest>("\"af1349\"").is_err());
    let parts = serde_json::to_value(DocumentDigests::of(&corpus)).unwrap();
    assert_eq!(parts, json!([corpus.documents().next().unwrap().digest()]));
    let parts: DocumentDigests = serde_json::from_value(parts).unwrap();
    assert_eq!(parts.finish(), digest);
}
