//! The order of mentions on one span, in which neither spelling nor file has a say.
//! Some measures take one of several mentions on a span, and every assignment has to break ties. How an id
//! happens to be spelled must not decide them: `A` and `B`, exchanged in gold and in the output, are the same
//! corpus. Nor may the order of the file decide, which karat promises not to look at.
//! So ids are told apart by where they are used. Each gets a number made of the places where it occurs: the
//! side, the span, how sure the system is, and, in a second and third look, what else
//! stands there (Weisfeiler and Leman 1968 do the same to tell the nodes of graphs apart). Ids that are used alike
//! throughout the document are told apart by the rest of the corpus. What is used alike everywhere can be
//! exchanged, and no score changes.

use crate::scene::{Item, Scene, Side};
use crate::settings::{Assignment, Settings};
use karat_model::{Document, Link, Mention, Span, StrId, attribute};
use std::cell::OnceCell;
use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;

/// What tells links apart by all documents of both corpora.
pub(crate) trait Everywhere {
    /// A number that is the same for links that are used alike.
    fn use_of(&self, link: Link) -> u64;
}

impl Scene<'_> {
    /// Puts the items of both sides in the order of their spans, and those of one span in an order that
    /// depends on what they say and not on how they say it.
    pub(crate) fn put_in_order(&mut self, everywhere: &dyn Everywhere) {
        self.gold.sort_by_span();
        self.system.sort_by_span();
        if !self.gold.repeats_spans() && !self.system.repeats_spans() {
            return;
        }
        // Computed only when two items are compared: most documents say one thing of each span.
        let uses = OnceCell::new();
        let uses = || uses.get_or_init(|| Uses::of(&self.gold, &self.system));
        let [gold, system] = [(&self.gold, 0), (&self.system, 1)].map(|(side, number)| {
            let order = Order { side, number, uses: &uses, everywhere };
            order.of_items()
        });
        self.gold.items = gold;
        self.system.items = system;
    }
}

impl Side<'_> {
    fn sort_by_span(&mut self) {
        if !self.items.is_sorted_by(|a, b| a.span <= b.span) {
            self.items.sort_by_key(|item| item.span);
        }
    }

    /// Whether two items are on one span.
    fn repeats_spans(&self) -> bool {
        self.items.windows(2).any(|two| two[0].span == two[1].span)
    }
}

impl Settings {
    /// What to sort items by of which only one can be meant, at these positions of a side: the first is.
    /// In karat's own convention that is the first of a span, in the order of this file; elsewhere
    /// it is the last of the file.
    pub fn meant(&self, side: &Side<'_>, at: u32) -> u32 {
        match self.assignment {
            Assignment::OneToOne => at,
            _ => side.items.get(at as usize).map_or(0, |item| u32::MAX - item.index),
        }
    }
}

/// Compares the items of one side.
struct Order<'o, 'a, U> {
    side: &'o Side<'a>,
    number: u8,
    uses: &'o U,
    everywhere: &'o dyn Everywhere,
}

impl<'o, U: Fn() -> &'o Uses> Order<'o, '_, U> {
    fn of_items(&self) -> Vec<Item> {
        let mut items = self.side.items.clone();
        for on_span in items.chunk_by_mut(|a, b| a.span == b.span) {
            if on_span.len() > 1 {
                on_span.sort_by(|a, b| self.compare(a, b));
            }
        }
        items
    }

    /// Links before NIL, then what the system is surest of. Then where ids and types are used, and last what
    /// says more: where a mention is said twice and one is to stay, that is the one.
    fn compare(&self, a: &Item, b: &Item) -> Ordering {
        let kind = |item: &Item| (item.link.entity().is_none(), item.link.is_none());
        // A mention without a confidence counts as certain: a system that gives none stands by all.
        let sureness = |item: &Item| self.side.confidence(item).unwrap_or(f64::INFINITY);
        kind(a)
            .cmp(&kind(b))
            .then_with(|| sureness(b).total_cmp(&sureness(a)))
            .then_with(|| self.compare_links(a.link, b.link))
            .then_with(|| self.compare_types(a.types, b.types))
            .then_with(|| self.content(a).cmp(&self.content(b)))
            .then_with(|| self.use_of_item(a).cmp(&self.use_of_item(b)))
            // What is left can be exchanged without changing a score. Spelling makes lists reproducible.
            .then_with(|| self.spelling(a).cmp(&self.spelling(b)))
            .then_with(|| a.index.cmp(&b.index))
    }

    fn compare_links(&self, a: Link, b: Link) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        let here = |link: Link| (self.uses)().links.get(&link.code()).copied();
        here(a)
            .cmp(&here(b))
            .then_with(|| self.everywhere.use_of(a).cmp(&self.everywhere.use_of(b)))
    }

    fn compare_types(&self, a: StrId, b: StrId) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        let here = |types: StrId| (self.uses)().types.get(&types).copied();
        here(a).cmp(&here(b))
    }

    /// How much an item says, the most first.
    fn content(&self, item: &Item) -> impl Ord + use<U> {
        let parts: usize = self.side.readings(item).map(<[Item]>::len).sum();
        let readings = self.side.readings(item).count();
        let mention = self.side.mention(item);
        let candidates = mention.map_or(0, |mention| mention.candidates().len());
        let names = self.side.links(item).count();
        (Reverse(readings), Reverse(parts), item.optional, Reverse(candidates), Reverse(names))
    }

    fn use_of_item(&self, item: &Item) -> u64 {
        (self.uses)().items.get(&(self.number, item.index)).copied().unwrap_or_default()
    }

    /// Everything that a mention says, but for the number that a file gives it, which may be its place.
    fn spelling(&self, item: &Item) -> impl Ord + use<'_, 'o, U> {
        let mention = self.side.mention(item);
        let types = |mention: &Mention<'_>| mention.types().map(str::to_owned).collect::<Vec<_>>();
        let name = |name: Option<&str>| name.map(str::to_owned);
        let others = |mention: &Mention<'_>| -> Vec<Option<String>> {
            let candidates = mention.candidates().map(|it| name(it.entity.or(it.nil_cluster)));
            candidates.chain(mention.equivalents().map(|it| name(Some(it)))).collect()
        };
        let facts = |mention: &Mention<'_>| -> Vec<(String, String)> {
            let facts = mention.attributes().filter(|(key, _)| *key != attribute::ID);
            facts.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
        };
        mention.map(|it| {
            let id = name(it.entity().or(it.nil_cluster()));
            (id, types(&it), others(&it), it.flags().bits(), facts(&it))
        })
    }
}

/// What links and types are used for in one document, each as a number.
#[derive(Debug, Default)]
struct Uses {
    links: HashMap<u32, u64>,
    types: HashMap<StrId, u64>,
    /// By side and index among the annotations of its document.
    items: HashMap<(u8, u32), u64>,
}

impl Uses {
    /// How often what is known of links goes into what is known of items, and back.
    const ROUNDS: usize = 3;

    fn of(gold: &Side<'_>, system: &Side<'_>) -> Uses {
        let mut uses = Uses::default();
        for (number, side) in [(0, gold), (1, system)] {
            for (item, is_part) in members(side) {
                let mention = side.mention(item);
                let confidence = side.confidence(item).map_or(0, f64::to_bits);
                let flags = mention.map_or(0, |mention| u64::from(mention.flags().bits()));
                let own =
                    [u64::from(number), u64::from(is_part), place(item.span), confidence, flags];
                uses.items.insert((number, item.index), mixed(own));
            }
        }
        for _ in 0..Uses::ROUNDS {
            uses = uses.refined(gold, system);
        }
        uses
    }

    /// The same, one look further.
    fn refined(&self, gold: &Side<'_>, system: &Side<'_>) -> Uses {
        let (mut links, mut types): (HashMap<u32, u64>, HashMap<StrId, u64>) = Default::default();
        let mut items = HashMap::with_capacity(self.items.len());
        for (number, side) in [(0, gold), (1, system)] {
            for (item, _) in members(side) {
                let known = self.item(number, item.index);
                let all = Slot::all(side, item);
                for (slot, link) in &all {
                    let seen = links.entry(link.code()).or_default();
                    // A sum, because it does not depend on the order in which the items come.
                    *seen = seen.wrapping_add(mixed([known, slot.number()]));
                }
                let seen = types.entry(item.types).or_default();
                *seen = seen.wrapping_add(mixed([known, TYPES]));
                let own_types = self.types.get(&item.types).copied().unwrap_or_default();
                let sum = all.iter().fold(0u64, |sum, (slot, link)| {
                    let of_link = self.links.get(&link.code()).copied().unwrap_or_default();
                    sum.wrapping_add(mixed([of_link, slot.number()]))
                });
                let parent = side.mention(item).and_then(|mention| mention.place());
                let parent = parent.map_or(0, |place| self.item(number, place.parent));
                items.insert((number, item.index), mixed([known, own_types, sum, parent]));
            }
        }
        Uses { links, types, items }
    }

    fn item(&self, side: u8, index: u32) -> u64 {
        self.items.get(&(side, index)).copied().unwrap_or_default()
    }
}

/// The items of a side, and the parts of their readings.
fn members<'s>(side: &'s Side<'_>) -> impl Iterator<Item = (&'s Item, bool)> {
    let roots = side.items.iter().map(|item| (item, false));
    roots.chain(side.below().iter().map(|part| (part, true)))
}

/// What a link is to a mention.
#[derive(Debug, Clone, Copy)]
enum Slot {
    /// Its answer, or another name of it.
    Name { own: bool },
    /// One of its ranked candidates.
    Candidate { rank: usize, score: u64 },
}

impl Slot {
    /// All links of an item.
    fn all(side: &Side<'_>, item: &Item) -> Vec<(Slot, Link)> {
        let names = side.links(item).enumerate();
        let mut all: Vec<(Slot, Link)> =
            names.map(|(at, link)| (Slot::Name { own: at == 0 }, link)).collect();
        let candidates = side.mention(item).into_iter().flat_map(|mention| mention.candidates());
        all.extend(candidates.enumerate().map(|(rank, candidate)| {
            let score = candidate.score.map_or(0, f64::to_bits);
            (Slot::Candidate { rank, score }, side.renamed(candidate.link))
        }));
        all
    }

    fn number(self) -> u64 {
        match self {
            Slot::Name { own } => u64::from(own),
            Slot::Candidate { rank, score } => mixed([2, rank as u64, score]),
        }
    }
}

/// In place of a slot: the types of an item.
const TYPES: u64 = 3;

/// What links are used for in all documents of two corpora.
#[derive(Debug, Default)]
pub(crate) struct UsesOfLinks(HashMap<u32, u64>);

impl UsesOfLinks {
    /// Counts the links of a document, by the numbers that are common to both sides.
    pub(crate) fn add(&mut self, side: u8, document: &Document<'_>, link: impl Fn(Link) -> Link) {
        let name = karat_model::hash_of(document.name().as_bytes());
        for annotation in document.annotations() {
            let Some(code) = named(link(annotation.link)) else { continue };
            let confidence = annotation.confidence.to_bits();
            let flags = u64::from(annotation.flags.bits());
            let here = mixed([name, u64::from(side), place(annotation.span), confidence, flags]);
            let seen = self.0.entry(code).or_default();
            *seen = seen.wrapping_add(here);
        }
    }

    /// What a link is used for.
    pub(crate) fn of(&self, link: Link) -> u64 {
        self.0.get(&link.code()).copied().unwrap_or_default()
    }
}

/// The number of a link that has a name.
fn named(link: Link) -> Option<u32> {
    link.entity().or(link.cluster()).map(|_| link.code())
}

fn place(span: Span) -> u64 {
    u64::from(span.start) << 32 | u64::from(span.end)
}

/// Some numbers in one, as SplitMix64 mixes its states.
fn mixed<const N: usize>(numbers: [u64; N]) -> u64 {
    numbers.into_iter().fold(0x9e37_79b9_7f4a_7c15, |state, number| {
        let mut mixed = (state ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    })
}
