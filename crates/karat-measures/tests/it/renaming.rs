//! Calling everything by another name, in gold and in the output alike, changes no score.

use crate::properties::all_measures;
use karat_match::Pairing;
use karat_measures::{Convention, PRESETS, Plan, Preset, Result, Selection, evaluate};
use karat_model::{Corpus, CorpusBuilder, Flags, Link, Span};

/// SplitMix64, so that every failure can be made again.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound as u64) as usize
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

/// What an annotation is linked to, by number.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Id {
    Entity(usize),
    Cluster(usize),
    Nil,
    Unanswered,
}

const IDS: usize = 5;
const TYPES: usize = 3;

#[derive(Debug, Clone)]
struct Annotated {
    span: Span,
    id: Id,
    types: Option<usize>,
    confidence: Option<f64>,
    optional: bool,
    candidates: Vec<Id>,
    equivalent: Option<usize>,
    /// An alternative: where it is, and its entity.
    reading: Option<(Span, usize)>,
}

/// Spans are few, so that many are said twice.
fn span(random: &mut Random) -> Span {
    let start = random.below(4) as u32 * 3;
    Span::new(start, start + 2 + random.below(2) as u32 * 2)
}

fn id(random: &mut Random) -> Id {
    match random.below(8) {
        0..5 => Id::Entity(random.below(IDS)),
        5 => Id::Cluster(random.below(IDS)),
        6 => Id::Nil,
        _ => Id::Unanswered,
    }
}

fn annotated(random: &mut Random, gold: bool) -> Annotated {
    let candidates = if random.once_in(5) { 1 + random.below(3) } else { 0 };
    Annotated {
        span: span(random),
        id: id(random),
        types: random.once_in(2).then(|| random.below(TYPES)),
        confidence: (!gold && random.once_in(2)).then(|| random.below(4) as f64 / 4.0),
        optional: gold && random.once_in(8),
        candidates: (0..candidates).map(|_| Id::Entity(random.below(IDS))).collect(),
        equivalent: random.once_in(8).then(|| random.below(IDS)),
        reading: (gold && random.once_in(6)).then(|| (span(random), random.below(IDS))),
    }
}

/// Gold and output of some documents.
type Documents = Vec<[Vec<Annotated>; 2]>;

fn documents(random: &mut Random) -> Documents {
    let number = 1 + random.below(3);
    let mut annotations = |most: usize, gold: bool| {
        (0..random.below(most)).map(|_| annotated(random, gold)).collect()
    };
    (0..number).map(|_| [annotations(6, true), annotations(8, false)]).collect()
}

/// What everything is called, by number.
#[derive(Debug, Clone)]
struct Names {
    entities: Vec<String>,
    clusters: Vec<String>,
    types: Vec<String>,
}

impl Names {
    fn plain() -> Names {
        let named = |prefix: &str, number: usize| -> Vec<String> {
            (0..number).map(|at| format!("{prefix}{}", ["A", "B", "C", "D", "E"][at])).collect()
        };
        Names {
            entities: named("http://dbpedia.org/resource/", IDS),
            clusters: named("C", IDS),
            types: named("T", TYPES),
        }
    }

    fn shuffled(&self, random: &mut Random) -> Names {
        let mut names = self.clone();
        random.shuffle(&mut names.entities);
        random.shuffle(&mut names.clusters);
        random.shuffle(&mut names.types);
        names
    }

    fn reversed(&self) -> Names {
        let mut names = self.clone();
        names.entities.reverse();
        names.clusters.reverse();
        names.types.reverse();
        names
    }
}

fn link(builder: &mut CorpusBuilder, id: Id, names: &Names) -> Link {
    match id {
        Id::Entity(at) => Link::to(builder.intern(&names.entities[at])),
        Id::Cluster(at) => Link::nil_cluster(builder.intern(&names.clusters[at])),
        Id::Nil => Link::NIL,
        Id::Unanswered => Link::NONE,
    }
}

fn corpus(documents: &Documents, side: usize, names: &Names) -> Corpus {
    let mut builder = CorpusBuilder::new();
    for (at, document) in documents.iter().enumerate() {
        builder.continue_document(&format!("d{at}"));
        for annotated in &document[side] {
            let own = link(&mut builder, annotated.id, names);
            let candidates: Vec<Link> =
                annotated.candidates.iter().map(|&id| link(&mut builder, id, names)).collect();
            let mut annotation = builder.annotate(annotated.span, own);
            if let Some(types) = annotated.types {
                annotation = annotation.types([names.types[types].as_str()]);
            }
            if let Some(confidence) = annotated.confidence {
                annotation = annotation.confidence(confidence);
            }
            if annotated.optional {
                annotation = annotation.flags(Flags::OPTIONAL);
            }
            for candidate in candidates {
                annotation = annotation.candidate(candidate, f64::NAN);
            }
            if let Some(other) = annotated.equivalent {
                annotation = annotation.equivalent(&names.entities[other]);
            }
            let parent = annotation.index();
            if let Some((span, entity)) = annotated.reading {
                let part = link(&mut builder, Id::Entity(entity), names);
                builder.annotate(span, part).part_of(parent, 1);
            }
        }
    }
    builder.finish()
}

/// The results of every measure under a convention, first of the whole, then of what went wrong in each way.
fn results(
    documents: &Documents,
    names: &Names,
    convention: &Convention,
) -> Vec<(String, Vec<Result>)> {
    let (gold, system) = (corpus(documents, 0, names), corpus(documents, 1, names));
    // Some measures need exact spans, and some presets have others.
    let can_be_taken = |name: &&str| Selection::parse([*name], convention).is_ok();
    let measures: Vec<&str> = all_measures().into_iter().filter(can_be_taken).collect();
    assert!(measures.len() > 20, "{measures:?}");
    let selection = Selection::parse(measures, convention).expect("measures");
    let mut plan = Plan::new(convention.clone(), selection);
    let facet = |name: &&str| {
        vec![karat_facets::facet(name, &karat_facets::FacetContext::default()).expect("a facet")]
    };
    if convention.preset.name == "karat" {
        plan.facets = ["error", "relation", "span-error"].iter().map(facet).collect();
    }
    let found = evaluate(&Pairing::new(&gold, &system, &convention.identity()), &plan);
    let slices = found.slices.into_iter();
    let slices = slices.map(|slice| (format!("{}={}", slice.facet, slice.label), slice.results));
    std::iter::once((String::new(), found.results)).chain(slices).collect()
}

/// The measures that say something else of the same documents under other names.
fn changed(documents: &Documents, names: &[Names; 2], convention: &Convention) -> Vec<String> {
    let [before, after] = [0, 1].map(|at| results(documents, &names[at], convention));
    let said = |result: &Result| {
        let numbers = result.counts.iter().map(|count| Some(*count));
        let scores = result.micro.iter().map(|(_, score)| score);
        let means = result.macro_.iter().flat_map(|means| means.scores.iter().map(|(_, it)| it));
        numbers.chain(scores).chain(means).map(|it| it.map(f64::to_bits)).collect::<Vec<_>>()
    };
    let (parts, others) = (before.iter().map(|it| &it.0), after.iter().map(|it| &it.0));
    if !parts.eq(others) {
        return vec![format!("{} parts", convention.preset.name)];
    }
    let mut differ = Vec::new();
    for ((part, before), (_, after)) in before.iter().zip(&after) {
        let both = all_measures().into_iter().zip(before.iter().zip(after));
        let found = both.filter(|(_, (before, after))| said(before) != said(after));
        differ.extend(found.map(|(name, _)| format!("{} {name} {part}", convention.preset.name)));
    }
    differ
}

#[test]
fn no_name_decides_a_score() {
    const CORPORA: u64 = 344;
    let mut wrong: Vec<(u64, Vec<String>)> = Vec::new();
    for seed in 0..CORPORA {
        let mut random = Random(seed);
        let documents = documents(&mut random);
        let names = Names::plain();
        let other = match seed % 2 {
            0 => names.reversed(),
            _ => names.shuffled(&mut random),
        };
        let names = [names, other];
        // Karat's own convention always, and the others in turn.
        let presets = [PRESETS[0], PRESETS[seed as usize % PRESETS.len()]];
        let of_preset = |preset: &Preset| changed(&documents, &names, &(preset.convention)());
        let found: Vec<String> = presets.into_iter().flat_map(of_preset).collect();
        if !found.is_empty() {
            wrong.push((seed, found));
        }
    }
    let measures: std::collections::BTreeSet<&String> =
        wrong.iter().flat_map(|(_, found)| found).collect();
    assert!(wrong.is_empty(), "{} of {CORPORA} corpora: {measures:#?}", wrong.len());
}
