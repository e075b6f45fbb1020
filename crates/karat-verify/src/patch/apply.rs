//! Applying a patch.

use super::GoldPatch;
use super::content::{GoldContent, is_of_the_file};
use super::states::{ChangeState, DocumentPlan, JudgedChange, StateCounts};
use super::view::{self, Children};
use karat_model::{
    Corpus, CorpusBuilder, Digest, Document, Flags, Mention, Rewriting, Span, StrId, attribute,
};
use std::collections::{BTreeMap, BTreeSet};

/// What a patch made of a corpus.
#[derive(Debug, Clone)]
pub struct Patched {
    /// The corpus with everything that applies.
    pub corpus: Corpus,
    /// What became of each change, in the order of the changes.
    pub judged: Vec<JudgedChange>,
}

impl Patched {
    /// How many changes are in which state.
    pub fn counts(&self) -> StateCounts {
        StateCounts::of(&self.judged)
    }

    /// The digest of what gold says now.
    pub fn annotations(&self) -> Digest {
        view::annotations_digest(&self.corpus)
    }
}

impl GoldPatch {
    /// The corpus with everything that applies, and what became of each change. Whoever wants all or nothing looks at the states
    /// first.
    pub fn applied_to(&self, corpus: &Corpus) -> Patched {
        let plan = self.plan(corpus);
        if !plan.judged.iter().any(|judged| judged.state == ChangeState::Applies) {
            return Patched { corpus: corpus.clone(), judged: plan.judged };
        }
        let marks = Flags::GOLD | Flags::PREDICTED;
        let has_sides = corpus.annotations().iter().any(|it| it.flags.intersects(marks));
        let words = self.words();
        let patched =
            corpus.rewritten(|document, annotations| match plan.documents.get(document.name()) {
                Some(plan) if !plan.edits.is_empty() || !plan.additions.is_empty() => {
                    let words = words.get(document.name()).filter(|_| document.text().is_none());
                    let mark = if has_sides { Flags::GOLD } else { Flags::empty() };
                    Writer { document, annotations, mark, words, places: BTreeMap::new() }
                        .write(plan);
                    true
                }
                _ => false,
            });
        Patched { corpus: patched, judged: plan.judged }
    }

    /// The words at the spans of changes, for documents that have no text to look them up.
    fn words(&self) -> BTreeMap<&str, Words<'_>> {
        let mut words: BTreeMap<&str, Words<'_>> = BTreeMap::new();
        for change in self.active() {
            if let Some(known) = &change.words {
                words.entry(&change.document).or_default().insert(change.hull(), known);
            }
        }
        words
    }
}

type Words<'p> = BTreeMap<Span, &'p str>;

/// Writes the annotations of a document anew.
struct Writer<'w, 'c> {
    document: &'w Document<'w>,
    annotations: &'w mut Rewriting<'c>,
    /// What new gold is marked with: nothing, or as gold, in a corpus that has annotations of systems as well.
    mark: Flags,
    words: Option<&'w Words<'w>>,
    /// The new places of annotations.
    places: BTreeMap<u32, u32>,
}

impl Writer<'_, '_> {
    fn write(mut self, plan: &DocumentPlan) {
        let mentions: Vec<Mention<'_>> = self.document.mentions().collect();
        let trees = Trees::of(&mentions);
        let gone = gone(plan, &trees, &mentions);
        let mut waiting = additions(plan, &mentions);
        for (index, mention) in mentions.iter().enumerate() {
            let index = index as u32;
            while waiting.first().is_some_and(|(before, _)| *before == index) {
                let (_, content) = waiting.remove(0);
                self.new_mention(content, None);
            }
            let is_shared = mention.flags().contains(Flags::GOLD | Flags::PREDICTED);
            let content = plan.edits.get(&index).and_then(|edit| edit.content.as_ref());
            if is_shared && (gone.contains(&index) || content.is_some()) {
                // The system goes on saying what it said.
                let said = GoldContent::of(mention);
                put(self.annotations.builder(), &said, Flags::PREDICTED, Some(mention), None);
            }
            if gone.contains(&index) {
                continue;
            }
            let place = match content {
                Some(content) => {
                    let flags = mention.flags() & (Flags::GOLD | Flags::PREDICTED);
                    let flags = if is_shared { Flags::GOLD } else { flags };
                    put(self.annotations.builder(), content, flags, Some(mention), None)
                }
                None => self.annotations.copy(mention),
            };
            self.places.insert(index, place);
        }
        for (_, content) in waiting {
            self.new_mention(content, None);
        }
        self.connect(&mentions);
        self.new_readings(plan, &trees);
    }

    /// Puts annotations that stay back into their trees.
    fn connect(&mut self, mentions: &[Mention<'_>]) {
        for (index, mention) in mentions.iter().enumerate() {
            let Some(place) = mention.place() else { continue };
            let (part, parent) = (self.places.get(&(index as u32)), self.places.get(&place.parent));
            if let (Some(&part), Some(&parent)) = (part, parent)
                && let Some(part) = self.annotations.builder().annotation_mut(part)
            {
                part.part_of(parent, place.reading);
            }
        }
    }

    fn new_readings(&mut self, plan: &DocumentPlan, trees: &Trees) {
        for (&root, edit) in &plan.edits {
            let Some(&place) = self.places.get(&root) else { continue };
            let taken = trees.readings(root).last().map_or(0, |(number, _)| *number);
            for (number, parts) in (taken.saturating_add(1)..).zip(&edit.added) {
                for part in parts {
                    self.new_mention(part, Some((place, number)));
                }
            }
        }
    }

    fn new_mention(&mut self, content: &GoldContent, part_of: Option<(u32, u32)>) {
        let (builder, words) = (self.annotations.builder(), self.words);
        let place = put(builder, content, self.mark, None, words);
        if let (Some((parent, reading)), Some(part)) = (part_of, builder.annotation_mut(place)) {
            part.part_of(parent, reading);
        }
        for (number, parts) in (1..).zip(&content.readings) {
            for part in parts {
                self.new_mention(part, Some((place, number)));
            }
        }
    }
}

/// Adds an annotation without its readings, with what only its file or a system knew of the mention that it replaces.
fn put(
    builder: &mut CorpusBuilder,
    content: &GoldContent,
    marks: Flags,
    original: Option<&Mention<'_>>,
    words: Option<&Words<'_>>,
) -> u32 {
    let link = content.answer.link(|text| builder.intern(text));
    let mut candidates: Vec<(karat_model::Link, f64, StrId)> = Vec::new();
    for candidate in original.into_iter().flat_map(Mention::candidates) {
        let name = candidate.entity.or(candidate.nil_cluster).unwrap_or_default();
        let link = candidate.link.map(|_| builder.intern(name));
        let types = builder.intern_list(candidate.types());
        candidates.push((link, candidate.score.unwrap_or(f64::NAN), types));
    }
    let place = builder.next_index();
    let mut annotation = builder
        .annotate(content.span, link)
        .flags(content.model_flags() | marks)
        .types(content.types.iter().map(String::as_str))
        .tags(content.tags.iter().map(String::as_str));
    if let Some(confidence) = original.and_then(Mention::confidence) {
        annotation = annotation.confidence(confidence);
    }
    for (link, score, types) in candidates {
        annotation = annotation.candidate_with_types(link, score, types);
    }
    for equivalent in &content.equivalents {
        annotation = annotation.equivalent(equivalent);
    }
    for (key, value) in &content.attributes {
        annotation = annotation.attribute(key, value);
    }
    let facts = original.into_iter().flat_map(Mention::attributes);
    for (key, value) in facts.filter(|(key, _)| is_of_the_file(key)) {
        annotation = annotation.attribute(key, value);
    }
    if let Some(words) = words.and_then(|words| words.get(&content.span)) {
        annotation.attribute(attribute::SURFACE, words);
    }
    place
}

/// What is below each annotation, by reading.
struct Trees {
    children: Children,
}

impl Trees {
    fn of(mentions: &[Mention<'_>]) -> Trees {
        Trees { children: view::children(mentions) }
    }

    fn readings(&self, index: u32) -> impl DoubleEndedIterator<Item = (&u32, &Vec<u32>)> {
        self.children.get(&index).into_iter().flatten()
    }

    /// An annotation and all that is below it.
    fn below(&self, index: u32, found: &mut BTreeSet<u32>) {
        let mut waiting = vec![index];
        while let Some(index) = waiting.pop() {
            if found.insert(index) {
                waiting.extend(self.readings(index).flat_map(|(_, parts)| parts));
            }
        }
    }
}

/// The annotations that go: removed mentions with all below them, and readings that are dropped.
fn gone(plan: &DocumentPlan, trees: &Trees, mentions: &[Mention<'_>]) -> BTreeSet<u32> {
    let mut gone = BTreeSet::new();
    for (&root, edit) in &plan.edits {
        if edit.removed {
            trees.below(root, &mut gone);
        }
        for dropped in &edit.dropped {
            let reading = trees.readings(root).find(|(_, parts)| {
                let mut said: Vec<GoldContent> = parts
                    .iter()
                    .map(|&part| view::whole(mentions, &trees.children, part))
                    .collect();
                said.sort_unstable();
                said == *dropped
            });
            for &part in reading.into_iter().flat_map(|(_, parts)| parts) {
                trees.below(part, &mut gone);
            }
        }
    }
    gone
}

/// Mentions that come, each with the place of the annotation that it stands before: where mentions are in the order of the text they
/// come to their place in it, elsewhere to the end.
fn additions<'p>(plan: &'p DocumentPlan, mentions: &[Mention<'_>]) -> Vec<(u32, &'p GoldContent)> {
    let roots: Vec<(Span, u32)> = mentions
        .iter()
        .enumerate()
        .filter(|(_, mention)| mention.place().is_none())
        .map(|(index, mention)| (mention.span(), index as u32))
        .collect();
    let end = mentions.len() as u32;
    let is_sorted = roots.is_sorted_by_key(|(span, _)| span.start);
    let mut additions: Vec<(u32, &GoldContent)> = plan
        .additions
        .iter()
        .map(|content| {
            let next = roots.partition_point(|(span, _)| span.start <= content.span.start);
            (roots.get(next).filter(|_| is_sorted).map_or(end, |(_, index)| *index), content)
        })
        .collect();
    additions.sort();
    additions
}
