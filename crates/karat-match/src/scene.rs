//! One document, both sides, ready to be matched.

use crate::extras::Extras;
use crate::letters::Words;
use crate::order::Everywhere;
use crate::readings::Trees;
use crate::settings::{Overlaps, Settings, Spans, WindowOf};
use crate::vocabulary::{Names, Vocabulary};
use karat_model::attribute;
use karat_model::literal::is_literal;
use karat_model::{Annotation, Document, Flags, Link, Mention, Role, Span, StrId, TextIndex};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// One document with its gold and its predictions.
#[derive(Debug, Default)]
pub struct Scene<'a> {
    /// The gold side.
    pub gold: Side<'a>,
    /// The side of the system.
    pub system: Side<'a>,
}

impl<'a> Scene<'a> {
    /// A document as if nothing were in it.
    pub(crate) fn empty(gold: Option<Document<'a>>, system: Option<Document<'a>>) -> Scene<'a> {
        let side = |document| Side { document, ..Side::default() };
        Scene { gold: side(gold), system: side(system) }
    }
}

/// The items of one side, sorted by span.
#[derive(Debug, Default)]
pub struct Side<'a> {
    /// The document, if this side has it.
    pub document: Option<Document<'a>>,
    /// Its mentions; of a tree of alternatives only the root.
    pub items: Vec<Item>,
    /// What only some items have, of the whole document: shared by its parts.
    pub(crate) extras: Arc<Extras>,
    names: Option<Arc<Names>>,
    /// Which annotations are the first of their entity, where that was decided before.
    firsts: Option<Arc<HashSet<u32>>>,
}

/// A mention as matching sees it. Its numbers are common to both sides.
#[derive(Debug, Clone, Copy)]
pub struct Item {
    /// Where it is, after what the settings do to spans.
    pub span: Span,
    /// What it is linked to.
    pub link: Link,
    /// Its types, as a list.
    pub types: StrId,
    /// Its index among the annotations of its document.
    pub index: u32,
    /// Finding it is neither asked for nor punished.
    pub optional: bool,
    /// One more than the index of its extra; 0 for none.
    pub(crate) extra: u32,
}

impl<'a> Scene<'a> {
    pub(crate) fn set(
        &mut self,
        gold: Option<Document<'a>>,
        system: Option<Document<'a>>,
        vocabulary: &Vocabulary,
        settings: &Settings,
        first: Role,
        everywhere: &dyn Everywhere,
    ) {
        let text = || text_of(gold.as_ref(), system.as_ref()).map(TextIndex::new);
        let text = needs_text(settings).then(text).flatten();
        let words = text.as_ref().filter(|_| settings.spans == Spans::Expanded);
        let words = words.map(|text| Words::of(text.text()));
        let text = Text { index: text.as_ref(), words: words.as_ref() };
        self.gold.set(gold, &vocabulary.gold, settings, text, first);
        self.system.set(system, &vocabulary.system, settings, text, Role::System);
        // The next two steps rely on the order: overlaps are found between neighbours, and of one
        // span the first is kept.
        self.put_in_order(everywhere);
        if settings.overlaps == Overlaps::KeepLongest {
            keep_longest(&mut self.gold.items);
            keep_longest(&mut self.system.items);
        }
        if let (true, Some(window)) = (settings.evaluation_span, self.window(settings)) {
            self.gold.items.retain(|item| window.contains(item.span));
            self.system.items.retain(|item| window.contains(item.span));
        }
        if settings.linkable {
            self.keep_linkable(settings.spans);
        }
    }

    /// The part of the document that is evaluated, if not all of it is.
    pub(crate) fn window(&self, settings: &Settings) -> Option<Span> {
        let of = |side: &Side<'a>| side.document.as_ref().and_then(Document::evaluation_span);
        let (gold, system) = (of(&self.gold), of(&self.system));
        match settings.window_of {
            WindowOf::Gold => gold,
            WindowOf::System => system.or(gold),
        }
    }

    /// The text of the document.
    pub fn text(&self) -> Option<&'a str> {
        text_of(self.gold.document.as_ref(), self.system.document.as_ref())
    }

    /// Takes mentions whose gold answer is NIL off both sides.
    fn keep_linkable(&mut self, spans: Spans) {
        let unlinkable: Vec<Span> = self
            .gold
            .items
            .iter()
            .filter(|item| item.link.entity().is_none())
            .map(|item| item.span)
            .collect();
        self.gold.items.retain(|item| item.link.entity().is_some());
        let is_unlinkable = |item: &Item| match spans {
            Spans::Near(most) => {
                let start = item.span.start.saturating_sub(most);
                let from = unlinkable.partition_point(|span| span.start < start);
                let near = unlinkable[from..].iter();
                near.take_while(|span| span.start <= item.span.start.saturating_add(most))
                    .any(|&span| spans.fit(span, item.span))
            }
            _ => unlinkable.binary_search(&item.span).is_ok(),
        };
        self.system.items.retain(|item| !is_unlinkable(item));
    }

    /// The part of the scene with the items at these positions.
    pub fn keeping(
        &self,
        gold: impl Fn(usize) -> bool,
        system: impl Fn(usize) -> bool,
    ) -> Scene<'a> {
        Scene { gold: self.gold.keeping(gold), system: self.system.keeping(system) }
    }

    /// The part of the scene with the items at these positions, which come in order.
    pub fn part(&self, gold: &[u32], system: &[u32]) -> Scene<'a> {
        Scene { gold: self.gold.part(gold), system: self.system.part(system) }
    }

    /// Decides which items are the first of their entity, so that no part of the scene decides anew.
    pub fn remember_firsts(&mut self) {
        self.gold.remember_firsts();
        self.system.remember_firsts();
    }

    /// Whether a gold and a system item are linked to the same; NIL is NIL.
    #[inline]
    pub fn same_entity(&self, gold: &Item, system: &Item) -> bool {
        if gold.extra == 0 && system.extra == 0 {
            return same_link(gold.link, system.link);
        }
        let gold_links = self.gold.links(gold);
        // Both sides may have several links. They are few, so no set is built.
        gold_links.clone().any(|left| self.system.links(system).any(|right| same_link(left, right)))
    }
}

/// The text of gold; but where the system has another of the same length, its text: some benchmarks
/// are published with stars for all words that are not annotated.
fn text_of<'a>(gold: Option<&Document<'a>>, system: Option<&Document<'a>>) -> Option<&'a str> {
    let gold = gold.and_then(Document::text);
    let system = system.and_then(Document::text);
    match (gold, system) {
        (Some(gold), Some(system)) if gold != system => {
            // The same length keeps offsets valid; a masked text has no words that could be widened
            // to.
            Some(if gold.chars().count() == system.chars().count() { system } else { gold })
        }
        (gold, system) => gold.or(system),
    }
}

/// Trimming and widening look at the text; nothing else does.
fn needs_text(settings: &Settings) -> bool {
    settings.trim || settings.spans == Spans::Expanded
}

#[inline]
fn same_link(left: Link, right: Link) -> bool {
    match (left.entity(), right.entity()) {
        (Some(left), Some(right)) => left == right,
        (None, None) => true,
        _ => false,
    }
}

impl<'a> Side<'a> {
    fn set(
        &mut self,
        document: Option<Document<'a>>,
        names: &Arc<Names>,
        settings: &Settings,
        text: Text<'_>,
        role: Role,
    ) {
        self.clear();
        self.document = document;
        // The documents of a pairing share their names: mostly they are there already.
        if !self.names.as_ref().is_some_and(|known| Arc::ptr_eq(known, names)) {
            self.names = Some(Arc::clone(names));
        }
        let Some(document) = document else { return };
        let place = |span: Span| placed(span, settings, text);
        // A root may be plain itself: only its parts say that they belong to it.
        let has_trees = role == Role::Gold
            && settings.honour_alternatives
            && document.annotations().iter().any(Annotation::has_more);
        let trees = if has_trees { Trees::of(&document) } else { Trees::default() };
        for (index, annotation) in document.annotations().iter().enumerate() {
            if !role.plays(annotation.flags) {
                continue;
            }
            if role == Role::System && is_below_threshold(annotation, settings) {
                continue;
            }
            let mut item = Item {
                span: place(annotation.span),
                link: names.link(annotation.link),
                types: names.string(annotation.types),
                index: index as u32,
                optional: role == Role::Gold
                    && settings.honour_optional
                    && is_optional(&document, annotation),
                extra: 0,
            };
            if annotation.has_more() || trees.has(index as u32) {
                let Some(mention) = document.mention(index) else { continue };
                if mention.place().is_some() {
                    Arc::make_mut(&mut self.extras).below.push(item);
                    continue;
                }
                let readings = trees.readings(&document, index as u32);
                if settings.same_words
                    && role == Role::System
                    && has_other_words(&mention, settings)
                {
                    // An empty span is on no mention of gold.
                    item.span.end = item.span.start;
                }
                let others = other_links(&mention, &mut item.link, names, settings, role);
                item.extra = self.extra(others, readings, names, &place);
            }
            self.items.push(item);
        }
    }

    fn clear(&mut self) {
        self.items.clear();
        // Parts of a scene share the extras. While one of them is alive, its memory cannot be used
        // again.
        match Arc::get_mut(&mut self.extras) {
            Some(extras) => extras.clear(),
            None => self.extras = Arc::default(),
        }
        self.firsts = None;
    }

    /// Notes the equivalents and readings of a mention, if it has any.
    fn extra(
        &mut self,
        others: Vec<Link>,
        readings: Vec<Vec<(u32, Mention<'a>)>>,
        names: &Names,
        place: &impl Fn(Span) -> Span,
    ) -> u32 {
        let part = |(index, part): (u32, Mention<'a>)| Item {
            span: place(part.span()),
            link: names.link(part.link()),
            types: names.string(part.types_id()),
            index,
            optional: false,
            extra: 0,
        };
        let readings = readings.into_iter();
        let readings: Vec<Vec<Item>> =
            readings.map(|parts| parts.into_iter().map(part).collect()).collect();
        Arc::make_mut(&mut self.extras).add(others, readings.iter().map(Vec::as_slice))
    }

    /// Whether a mention can be read in another way.
    pub(crate) fn has_readings(&self) -> bool {
        self.extras.have_readings()
    }

    /// The mentions that are parts of others, in the order of the file.
    pub fn below(&self) -> &[Item] {
        &self.extras.below
    }

    /// Whether no item is more than a span and a link.
    pub(crate) fn is_plain(&self) -> bool {
        self.extras.is_empty()
    }

    /// Everything that an item may be linked to.
    pub fn links<'s>(&'s self, item: &Item) -> impl Iterator<Item = Link> + Clone + use<'s, 'a> {
        std::iter::once(item.link).chain(self.extras.equivalents(item).iter().copied())
    }

    /// A link of this side in the numbers that are common to both.
    pub fn renamed(&self, link: Link) -> Link {
        self.names.as_deref().map_or(link, |names| names.link(link))
    }

    /// The ranked answers for an item, the best first, each once: its link, then
    /// its other candidates in their order. Without candidates the link is the only one.
    pub fn candidates(&self, item: &Item) -> Vec<Link> {
        let ranked = self.mention(item).into_iter().flat_map(|mention| mention.candidates());
        let answers = std::iter::once(item.link).chain(ranked.map(|view| self.renamed(view.link)));
        let mut seen = std::collections::HashSet::new();
        answers.filter(|link| !link.is_none() && seen.insert(*link)).collect()
    }

    /// Which items are the first of their entity, NIL clusters included; of two
    /// that start together the longer is first.
    pub fn firsts(&self) -> Vec<bool> {
        match &self.firsts {
            Some(firsts) => self.items.iter().map(|item| firsts.contains(&item.index)).collect(),
            None => crate::keys::firsts(&self.items),
        }
    }

    fn remember_firsts(&mut self) {
        let firsts = self.items.iter().zip(self.firsts()).filter(|(_, first)| *first);
        self.firsts = Some(Arc::new(firsts.map(|(item, _)| item.index).collect()));
    }

    /// The alternative readings of an item, each the parts that must all be found.
    pub fn readings<'s>(&'s self, item: &Item) -> impl Iterator<Item = &'s [Item]> + use<'s, 'a> {
        self.extras.readings(item)
    }

    /// What is said of a mention: the item itself, and its readings that are one part on its span.
    pub fn annotations<'s>(
        &'s self,
        item: &'s Item,
    ) -> impl Iterator<Item = &'s Item> + use<'s, 'a> {
        let others = self.readings(item).filter_map(|parts| match parts {
            [only] if only.span == item.span => Some(only),
            _ => None,
        });
        std::iter::once(item).chain(others)
    }

    /// The same side with these annotations of its mentions, which come in the order of their spans. A
    /// mention whose own annotation is left out is what is left of its readings.
    pub fn only_annotations(&self, annotations: &[Item]) -> Side<'a> {
        let indices: HashSet<u32> = annotations.iter().map(|item| item.index).collect();
        let keep = |item: &Item| indices.contains(&item.index);
        let (mut items, mut extras) = (Vec::new(), Extras::default());
        let spans = annotations.chunk_by(|a, b| a.span == b.span).map(|chunk| chunk[0].span);
        for item in spans.flat_map(|span| &self.items[self.places_on(span)]) {
            let mut kept = self.annotations(item).filter(|annotation| keep(annotation));
            let Some(&first) = kept.next() else { continue };
            let own = first.index == item.index;
            let one_part = kept.map(std::slice::from_ref);
            let in_parts = self.readings(item).filter(|parts| {
                let on_span = matches!(parts, [only] if only.span == item.span);
                own && !on_span && parts.iter().all(keep)
            });
            let readings: Vec<&[Item]> = one_part.chain(in_parts).collect();
            let equivalents: Vec<Link> = self.links(item).skip(1).filter(|_| own).collect();
            let extra = extras.add(equivalents, readings.into_iter());
            items.push(Item { extra, optional: item.optional, ..first });
        }
        let all = self.below();
        let below = |item: &Item| all.binary_search_by_key(&item.index, |it| it.index).ok();
        let mut below: Vec<usize> = annotations.iter().filter_map(below).collect();
        below.sort_unstable();
        extras.below = below.into_iter().map(|at| all[at]).collect();
        let (document, names) = (self.document, self.names.clone());
        Side { document, items, extras: Arc::new(extras), names, firsts: None }
    }

    /// The positions of the items on exactly this span.
    pub fn places_on(&self, span: Span) -> Range<usize> {
        let from = self.items.partition_point(|item| item.span < span);
        let to = self.items[from..].partition_point(|item| item.span == span);
        from..from + to
    }

    /// An item on exactly this span.
    pub fn on_span(&self, span: Span) -> Option<&Item> {
        self.items[self.places_on(span)].first()
    }

    /// The mention behind an item.
    pub fn mention(&self, item: &Item) -> Option<Mention<'a>> {
        self.document?.mention(item.index as usize)
    }

    /// The confidence of an item.
    pub fn confidence(&self, item: &Item) -> Option<f64> {
        self.mention(item)?.confidence()
    }

    fn keeping(&self, keep: impl Fn(usize) -> bool) -> Side<'a> {
        let items = self.items.iter().enumerate().filter(|(at, _)| keep(*at));
        self.with(items.map(|(_, item)| *item).collect())
    }

    /// The same side with the items at these positions, which come in order.
    pub fn part(&self, positions: &[u32]) -> Side<'a> {
        self.with(positions.iter().map(|&at| self.items[at as usize]).collect())
    }

    /// The same side with these of its items.
    fn with(&self, items: Vec<Item>) -> Side<'a> {
        Side {
            document: self.document,
            items,
            extras: Arc::clone(&self.extras),
            names: self.names.clone(),
            firsts: self.firsts.clone(),
        }
    }
}

/// What else a mention may be linked to. It is in the knowledge base as soon as one
/// of its names is; names that are not known then say nothing about it.
fn other_links(
    mention: &Mention<'_>,
    link: &mut Link,
    names: &Names,
    settings: &Settings,
    role: Role,
) -> Vec<Link> {
    let mut links: Vec<Link> = mention.equivalent_links().map(|link| names.link(link)).collect();
    if settings.any_candidate {
        links.extend(mention.candidates().map(|candidate| names.link(candidate.link)));
    }
    links.retain(|link| link.entity().is_some());
    if role == Role::System && settings.best_candidates > 1 {
        // NIL is an answer like another here. The first candidate is the link itself.
        let best = mention.candidates().take(settings.best_candidates as usize).skip(1);
        links.extend(best.map(|candidate| names.link(candidate.link)));
        return links;
    }
    if link.entity().is_none() && mention.entity().is_some() && !links.is_empty() {
        *link = links.remove(0);
    }
    links
}

/// Whether a file says that other words stand on the span of a mention than its text has there.
fn has_other_words(mention: &Mention<'_>, settings: &Settings) -> bool {
    settings.spans == Spans::Exact
        && mention.document().text().is_some()
        && mention.attribute(attribute::SURFACE).is_some()
}

/// Whether a prediction is too uncertain to be looked at; one without a confidence never is.
fn is_below_threshold(annotation: &Annotation, settings: &Settings) -> bool {
    let confidence = || settings.confidence(annotation);
    settings.threshold.is_some_and(|least| confidence().is_some_and(|found| found < least))
}

/// Optional by its flag, because it only describes, or because it is a quantity or a date.
fn is_optional(document: &Document<'_>, annotation: &Annotation) -> bool {
    if annotation.flags.intersects(Flags::OPTIONAL | Flags::DESCRIPTIVE) {
        return true;
    }
    annotation.types != StrId::EMPTY && document.list(annotation.types).any(is_literal)
}

/// What is looked at to place spans, where the settings ask for it.
#[derive(Debug, Clone, Copy)]
struct Text<'t> {
    index: Option<&'t TextIndex<'t>>,
    words: Option<&'t Words>,
}

/// A span after what the settings do to it.
fn placed(span: Span, settings: &Settings, text: Text<'_>) -> Span {
    let index = text.index.filter(|_| settings.trim);
    let span = index.map_or(span, |index| trimmed(span, index));
    text.words.map_or(span, |words| words.widened(span))
}

fn trimmed(span: Span, text: &TextIndex<'_>) -> Span {
    let Some(surface) = text.slice(span) else { return span };
    // A mention of nothing but white space stays as it is: trimmed to nothing it could match any
    // other empty span.
    if surface.trim().len() == surface.len() || surface.trim().is_empty() {
        return span;
    }
    let before = surface.chars().take_while(|c| c.is_whitespace()).count() as u32;
    let after = surface.chars().rev().take_while(|c| c.is_whitespace()).count() as u32;
    Span::new(span.start + before, span.end - after)
}

/// Of each run of overlapping mentions, by start, the longest stays.
fn keep_longest(items: &mut Vec<Item>) {
    let mut kept: Vec<Item> = Vec::with_capacity(items.len());
    for item in items.drain(..) {
        // One neighbour is enough: items are sorted by start, and a kept item never overlaps the
        // one before it.
        match kept.last_mut() {
            Some(last) if last.span.overlaps(item.span) => {
                if item.span.len() > last.span.len() {
                    *last = item;
                }
            }
            _ => kept.push(item),
        }
    }
    *items = kept;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::Pairing;
    use karat_kb::Identity;
    use karat_model::CorpusBuilder;

    /// A copy for each label would take memory and time for each pair of mentions.
    #[test]
    fn parts_share_what_the_document_knows_of_its_mentions() {
        let mut builder = CorpusBuilder::new();
        builder.continue_document("d");
        for (start, entity, other) in [(0, "A", "B"), (3, "C", "D")] {
            let link = Link::to(builder.intern(entity));
            builder.annotate(Span::new(start, start + 2), link).equivalent(other);
        }
        let corpus = builder.finish();
        let pairing = Pairing::new(&corpus, &corpus, &Identity::new());
        let mut scene = Scene::default();
        pairing.stage(0, &Settings::default(), &mut scene);
        assert!(!scene.gold.is_plain());
        for part in [scene.part(&[1], &[1]), scene.keeping(|at| at == 1, |at| at == 1)] {
            assert!(Arc::ptr_eq(&part.gold.extras, &scene.gold.extras));
            assert!(Arc::ptr_eq(&part.system.extras, &scene.system.extras));
            assert_eq!(part.gold.links(&part.gold.items[0]).count(), 2);
        }
        // A scene that is set again leaves its parts as they were.
        let part = scene.part(&[1], &[1]);
        pairing.stage(0, &Settings::default(), &mut scene);
        assert!(!Arc::ptr_eq(&part.gold.extras, &scene.gold.extras));
        assert_eq!(part.gold.links(&part.gold.items[0]).count(), 2);
    }
}
