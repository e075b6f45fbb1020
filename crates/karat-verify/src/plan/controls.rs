//! Items whose answer is known.

use super::{CampaignPlan, CampaignTask, ItemKey, ItemKind, TaskPurpose, VerifyItem};
use crate::{LinkTarget, VerifyAction};
use karat_model::{Span, TextIndex};
use karat_stats::Random;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What is known of a control. A control task has one of each kind: whoever always verifies has one of three right,
/// a guesser has all three in 2 of 27 cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ControlKind {
    /// The link is right.
    Right,
    /// The link is another candidate of the same words.
    Corrupted,
    /// The words mean no entity.
    NoEntity,
}

impl ControlKind {
    /// All kinds.
    pub const ALL: [ControlKind; 3] =
        [ControlKind::Right, ControlKind::Corrupted, ControlKind::NoEntity];

    /// The actions that are right. A corrupted link may be modified or removed: who cannot name the right entity has
    /// still seen that this is not it.
    pub fn actions(self) -> &'static [VerifyAction] {
        match self {
            ControlKind::Right => &[VerifyAction::Verify],
            ControlKind::Corrupted => &[VerifyAction::Modify, VerifyAction::Remove],
            ControlKind::NoEntity => &[VerifyAction::Remove],
        }
    }

    /// The kind of a key, by what it accepts.
    pub fn of(key: &ItemKey) -> Option<ControlKind> {
        let same = |kind: &ControlKind| {
            key.actions.iter().collect::<BTreeSet<_>>() == kind.actions().iter().collect()
        };
        ControlKind::ALL.into_iter().find(same)
    }
}

/// How many confirmed controls there are of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ControlPool {
    /// Right links.
    pub right: usize,
    /// Corrupted links.
    pub corrupted: usize,
    /// No entities.
    pub no_entity: usize,
}

impl ControlPool {
    /// The confirmed controls of a plan.
    pub fn of(plan: &CampaignPlan) -> ControlPool {
        let mut pool = ControlPool::default();
        let is_control = |key: &&ItemKey| {
            key.confirmed
                && plan.items.get(key.item).is_some_and(|item| item.kind == ItemKind::Control)
        };
        for key in plan.keys.iter().filter(is_control) {
            match ControlKind::of(key) {
                Some(ControlKind::Right) => pool.right += 1,
                Some(ControlKind::Corrupted) => pool.corrupted += 1,
                Some(ControlKind::NoEntity) => pool.no_entity += 1,
                None => {}
            }
        }
        pool
    }

    /// The number of the rarest kind.
    pub fn least(&self) -> usize {
        self.right.min(self.corrupted).min(self.no_entity)
    }
}

/// Where controls are generated from.
pub struct PossibleControls<'c> {
    /// The source that is taken for right where others agree with it.
    pub gold: &'c str,
    /// Other entities that the same words may mean.
    pub candidates: &'c dyn Fn(&str) -> Vec<String>,
    /// How many control tasks are made.
    pub tasks: usize,
    /// What the random numbers depend on.
    pub seed: u64,
}

impl std::fmt::Debug for PossibleControls<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PossibleControls")
            .field("gold", &self.gold)
            .field("tasks", &self.tasks)
            .finish()
    }
}

impl PossibleControls<'_> {
    /// Adds control tasks to a plan: texts with a link that gold and another source agree on, another such link exchanged
    /// for a candidate that nobody proposed there, and a word in small letters that nobody marked. They are not confirmed:
    /// an organiser looks at each before it is used. Gives how many tasks were made.
    pub fn generate(&self, plan: &mut CampaignPlan) -> usize {
        let mut random = Random::new(self.seed ^ CONTROLS, 0);
        let mut texts: Vec<(u64, usize)> =
            (0..plan.texts.len()).map(|text| (random.next(), text)).collect();
        texts.sort_unstable();
        let agreed = by_text(plan, agreed(plan, self.gold));
        // What was proposed, before controls come to it.
        let proposed = by_text(plan, 0..plan.items.len());
        let mut made = 0;
        for (_, text) in texts {
            if made == self.tasks {
                break;
            }
            let here = TextItems { agreed: &agreed[text], proposed: &proposed[text] };
            if let Some(items) = self.of_text(plan, text, &here) {
                let first = plan.items.len();
                for (kind, item, links) in items {
                    plan.keys.push(ItemKey {
                        item: plan.items.len(),
                        actions: kind.actions().to_vec(),
                        links,
                        explanation: String::new(),
                        origin: "generated".to_owned(),
                        confirmed: false,
                    });
                    plan.items.push(item);
                }
                let purpose = TaskPurpose::Control;
                plan.tasks.push(CampaignTask {
                    text,
                    purpose,
                    priority: purpose.priority(),
                    shuffle: random.next(),
                    items: (first..plan.items.len()).collect(),
                    source: None,
                });
                made += 1;
            }
        }
        made
    }

    /// One control of each kind on a text.
    fn of_text(
        &self,
        plan: &CampaignPlan,
        text: usize,
        here: &TextItems<'_>,
    ) -> Option<Vec<(ControlKind, VerifyItem, Vec<LinkTarget>)>> {
        let proposed = |span: Span| -> BTreeSet<&LinkTarget> {
            let all = here.proposed.iter().map(|&at| &plan.items[at]);
            all.filter(|item| item.span() == span).map(|item| &item.link).collect()
        };
        let corrupted = here.agreed.iter().find_map(|&at| {
            let item = &plan.items[at];
            let words = surface(plan, item)?;
            let others = (self.candidates)(&words).into_iter().map(LinkTarget::Entity);
            let other = { others }.find(|other| !proposed(item.span()).contains(other))?;
            Some((at, control(item, other), item.link.clone()))
        })?;
        let right =
            here.agreed.iter().find(|&&at| !plan.items[at].span().overlaps(corrupted.1.span()))?;
        let right = control(&plan.items[*right], plan.items[*right].link.clone());
        let nothing = common_word(plan, text, here.proposed)?;
        let nothing = VerifyItem { begin: nothing.start, end: nothing.end, ..right.clone() };
        let links = vec![right.link.clone()];
        Some(vec![
            (ControlKind::Right, right, links),
            (ControlKind::Corrupted, corrupted.1, vec![corrupted.2]),
            (ControlKind::NoEntity, nothing, Vec::new()),
        ])
    }
}

/// Keeps the draws of controls apart from all others of a seed.
const CONTROLS: u64 = 0x6368_6563_6b21_0001;

/// The items of one text.
struct TextItems<'t> {
    /// Those that gold and another source agree on.
    agreed: &'t [usize],
    /// All that was proposed.
    proposed: &'t [usize],
}

/// Items by their text.
fn by_text(plan: &CampaignPlan, items: impl IntoIterator<Item = usize>) -> Vec<Vec<usize>> {
    let mut texts = vec![Vec::new(); plan.texts.len()];
    for at in items {
        texts[plan.items[at].text].push(at);
    }
    texts
}

fn control(item: &VerifyItem, link: LinkTarget) -> VerifyItem {
    VerifyItem { link, kind: ItemKind::Control, weight: 0.0, ..item.clone() }
}

/// Items that gold and at least one other source propose, alike.
fn agreed(plan: &CampaignPlan, gold: &str) -> BTreeSet<usize> {
    let key = |at: usize| {
        let item = &plan.items[at];
        (item.text, item.span(), item.link.clone())
    };
    let of = |is_gold: bool| -> BTreeSet<_> {
        let wanted = plan.proposals.iter().filter(|one| (one.source == gold) == is_gold);
        wanted.map(|one| key(one.item)).collect()
    };
    let (gold, others) = (of(true), of(false));
    let both: BTreeSet<_> = gold.intersection(&others).cloned().collect();
    let mut seen = BTreeSet::new();
    let is_first = |at: &usize| both.contains(&key(*at)) && seen.insert(key(*at));
    (0..plan.items.len()).filter(is_first).collect()
}

fn surface(plan: &CampaignPlan, item: &VerifyItem) -> Option<String> {
    let text = plan.texts.get(item.text)?;
    let within = Span::new(item.begin.checked_sub(text.begin)?, item.end.checked_sub(text.begin)?);
    TextIndex::new(&text.words).slice(within).map(str::to_owned)
}

/// The longest word in small letters that no source marked.
fn common_word(plan: &CampaignPlan, text: usize, proposed: &[usize]) -> Option<Span> {
    let place = &plan.texts[text];
    let marked: Vec<Span> = proposed.iter().map(|&at| plan.items[at].span()).collect();
    let mut best: Option<Span> = None;
    let mut begin = None;
    for (at, c) in place.words.chars().chain([' ']).enumerate() {
        let at = place.begin + at as u32;
        if c.is_alphabetic() {
            // A word with a capital may be a name.
            begin = if c.is_lowercase() { begin.or(Some(at)) } else { Some(u32::MAX) };
        } else if let Some(from) = begin.take().filter(|&from| from != u32::MAX) {
            let word = Span::new(from, at);
            let is_free = !marked.iter().any(|one| one.overlaps(word));
            if is_free && best.is_none_or(|best| best.len() < word.len()) {
                best = Some(word);
            }
        }
    }
    best
}
