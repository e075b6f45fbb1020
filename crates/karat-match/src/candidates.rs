//! Who may agree with an item, found by what it says and where it is.

use crate::cases::Matcher;
use crate::criteria::Agreement;
use crate::nearby::{FEW_NEARBY, Nearby, widened};
use crate::scene::{Item, Scene, Side};
use crate::settings::Spans;
use crate::span_index::{Overlapping, SpanEntry, SpanIndex, SpanLimits, WantedSpans};
use karat_model::{Link, Span, StrId};

/// What must be equal in two items that agree: all but how their spans lie, where spans need not be equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Class {
    /// They say the same, on spans that have the same numbers.
    Says { link: u32, types: StrId, span: (u32, u32) },
    /// Gold is a quantity or a date, and asks for its place only.
    Literal { span: (u32, u32) },
}

/// Spans that fit one that is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fit {
    pub(crate) spans: Spans,
    pub(crate) asked: Span,
    /// Whether it is gold that asks; otherwise spans of gold are looked for.
    pub(crate) by_gold: bool,
}

impl WantedSpans for Fit {
    fn has(&self, span: Span) -> bool {
        match self.by_gold {
            true => self.spans.fit(self.asked, span),
            false => self.spans.fit(span, self.asked),
        }
    }

    fn may_have(&self, limits: &SpanLimits) -> bool {
        let Span { start, end } = self.asked;
        match self.spans {
            Spans::Overlap => Overlapping(self.asked).may_have(limits),
            Spans::Containment => {
                let around = limits.start.0 <= start && end <= limits.end.1;
                let within = start <= limits.start.1 && limits.end.0 <= end;
                around || within
            }
            Spans::AtLeast(percent) => {
                let common = limits.most_common(self.asked);
                let gold = if self.by_gold { self.asked.len() } else { limits.len.0 };
                common > 0 && f64::from(common) * 100.0 >= percent * f64::from(gold)
            }
            Spans::Near(most) => {
                let near = |at: u32, (low, high): (u32, u32)| {
                    low <= at.saturating_add(most) && at.saturating_sub(most) <= high
                };
                near(start, limits.start) && near(end, limits.end)
            }
            // Spans of one class fit, or those that ask are not there.
            Spans::Exact | Spans::Expanded | Spans::Anywhere | Spans::Length => true,
        }
    }
}

impl Matcher<'_> {
    /// What a gold item must have in common with predictions, by each of its links; nothing if it can
    /// only be missed.
    pub(crate) fn classes_of_gold(&self, scene: &Scene<'_>, item: &Item, found: &mut Vec<Class>) {
        // Under this convention NIL gold can only be missed, whatever is predicted on it.
        if self.asks_for_links() && !self.settings().nil_agrees && item.link.entity().is_none() {
            return;
        }
        self.classes(&scene.gold, item, found);
    }

    /// What an item says, by each of its links.
    pub(crate) fn classes(&self, side: &Side<'_>, item: &Item, found: &mut Vec<Class>) {
        let asked = self.criteria().agree;
        let types = if asked.contains(Agreement::TYPE) { item.types } else { StrId::EMPTY };
        let span = self.equal_part(item.span);
        let class = |link: u32| Class::Says { link, types, span };
        if asked.contains(Agreement::CLUSTER) {
            found.push(class(item.link.code()));
        } else if asked.contains(Agreement::ENTITY) {
            // All that is not an entity is the same, whichever cluster it is.
            let code = |link: Link| link.entity().map_or(Link::NIL, |_| link).code();
            found.extend(side.links(item).map(|link| class(code(link))));
        } else {
            found.push(class(0));
        }
    }

    /// What of two spans must be equal if they fit.
    pub(crate) fn equal_part(&self, span: Span) -> (u32, u32) {
        match self.spans() {
            Spans::Exact | Spans::Expanded => (span.start, span.end),
            Spans::Length => (span.len(), 0),
            Spans::Overlap
            | Spans::Containment
            | Spans::AtLeast(_)
            | Spans::Near(_)
            | Spans::Anywhere => (0, 0),
        }
    }
}

/// The predictions that a matcher looks at; they may be taken out.
pub(crate) struct Candidates<'n, 'a> {
    matcher: &'n Matcher<'n>,
    scene: &'n Scene<'a>,
    positions: &'n [u32],
    near: Nearby,
    /// By position in the scene.
    gone: Vec<bool>,
    /// Made when there are many near a span for the first time.
    index: Option<SpanIndex<Class>>,
    classes: Vec<Class>,
}

impl<'n, 'a> Candidates<'n, 'a> {
    /// Predictions at these positions, which come in order.
    pub(crate) fn new(
        matcher: &'n Matcher<'n>,
        scene: &'n Scene<'a>,
        positions: &'n [u32],
    ) -> Candidates<'n, 'a> {
        let items = &scene.system.items;
        let near = Nearby::new(positions.iter().map(|&at| &items[at as usize]));
        let gone = vec![false; items.len()];
        Candidates { matcher, scene, positions, near, gone, index: None, classes: Vec::new() }
    }

    /// Of the predictions that agree with gold and are left, the first of the file.
    pub(crate) fn first(&mut self, gold: &Item) -> Option<u32> {
        let near = self.near(gold.span);
        if near.len() <= FEW_NEARBY {
            let agreeing = near.iter().copied().filter(|&at| self.agrees(gold, at));
            return agreeing.min_by_key(|&at| self.scene.system.items[at as usize].index);
        }
        self.ask(gold);
        let fit = self.fit(gold);
        let index = self.index.as_ref()?;
        let first = self.classes.iter().filter_map(|&class| index.first(class, &fit)).min();
        first.map(|(_, at)| at)
    }

    /// All predictions that agree with gold and are left, in the order of their spans.
    pub(crate) fn each(&mut self, gold: &Item) -> Vec<u32> {
        let near = self.near(gold.span);
        if near.len() <= FEW_NEARBY {
            return near.iter().copied().filter(|&at| self.agrees(gold, at)).collect();
        }
        self.ask(gold);
        let (fit, mut found) = (self.fit(gold), Vec::new());
        if let Some(index) = &self.index {
            self.classes.iter().for_each(|&class| index.each(class, &fit, &mut found));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Takes a prediction out.
    pub(crate) fn remove(&mut self, at: u32) {
        self.gone[at as usize] = true;
        if let Some(index) = &mut self.index {
            index.remove(at);
        }
    }

    /// Takes out all that agree with gold.
    pub(crate) fn take_all(&mut self, gold: &Item) -> Vec<u32> {
        let found = self.each(gold);
        found.iter().for_each(|&at| self.remove(at));
        found
    }

    fn agrees(&self, gold: &Item, at: u32) -> bool {
        let item = &self.scene.system.items[at as usize];
        !self.gone[at as usize] && self.matcher.agree(self.scene, gold, item)
    }

    /// The positions of those that may fit a span.
    fn near(&self, span: Span) -> &'n [u32] {
        let range = match self.matcher.spans() {
            Spans::Anywhere | Spans::Length => 0..self.positions.len(),
            Spans::Exact | Spans::Expanded => {
                let of = |at: &u32| self.scene.system.items[*at as usize].span;
                let from = self.positions.partition_point(|at| of(at) < span);
                from..from + self.positions[from..].partition_point(|at| of(at) == span)
            }
            Spans::Overlap | Spans::Containment | Spans::AtLeast(_) => self.near.to(span),
            Spans::Near(most) => self.near.to(widened(span, most)),
        };
        self.positions.get(range).unwrap_or_default()
    }

    fn fit(&self, gold: &Item) -> Fit {
        Fit { spans: self.matcher.spans(), asked: gold.span, by_gold: true }
    }

    /// Makes the index, if it is not there, and notes the classes of a gold item.
    fn ask(&mut self, gold: &Item) {
        if self.index.is_none() {
            let left = self.positions.iter().copied().filter(|&at| !self.gone[at as usize]);
            let in_file = |at: u32| self.scene.system.items[at as usize].index;
            self.index = Some(self.matcher.index_of_predictions(self.scene, left, in_file));
        }
        self.classes.clear();
        self.matcher.classes_of_gold(self.scene, gold, &mut self.classes);
    }
}

impl Matcher<'_> {
    /// Predictions by what they say and where they are.
    pub(crate) fn index_of_predictions(
        &self,
        scene: &Scene<'_>,
        positions: impl Iterator<Item = u32>,
        rank: impl Fn(u32) -> u32,
    ) -> SpanIndex<Class> {
        let (mut entries, mut classes) = (Vec::new(), Vec::new());
        for at in positions {
            let item = &scene.system.items[at as usize];
            self.classes(&scene.system, item, &mut classes);
            let entry = SpanEntry { span: item.span, item: at, rank: rank(at) };
            entries.extend(classes.drain(..).map(|class| (class, entry)));
        }
        SpanIndex::new(entries)
    }
}
