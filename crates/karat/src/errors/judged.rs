//! Everything of one document: what became of its mentions, and what does not count.

use super::Inspection;
use super::case::{Around, ErrorCase, MentionAnswer, answer};
use super::filter::Filter;
use karat_facets::taxonomy::{Labelled, label};
use karat_facets::{Finding, told};
use karat_match::{CaseStanding, Item, Overlaps, Scene, Settings, Side, Unknowns, WindowOf};
use karat_model::{Document, Flags, Mention, Role, Span, literal};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// What became of a gold mention, a prediction, or both, in one document of one run.
///
/// Those with a finding are exactly what `karat errors` counts. The rest is what no measure of links counts, with
/// the reason, so that a reader sees every annotation of both sides.
#[derive(Debug, Clone)]
pub(crate) struct JudgedCase {
    /// The gold mention, as a place among the annotations of its document.
    pub(crate) gold: Option<u32>,
    /// The prediction, likewise.
    pub(crate) prediction: Option<u32>,
    /// What became of it, or why it does not count.
    pub(crate) became: Result<Finding, NotCounted>,
    /// What is said of it besides, where it has categories.
    pub(crate) error: Option<ErrorCase>,
    /// The rank of the right entity among the answers of the system, from 1.
    pub(crate) right_rank: Option<usize>,
    /// Whether it passes the filters.
    pub(crate) passes: bool,
}

/// Why a mention counts for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NotCounted {
    /// Gold says that it need not be found.
    Optional,
    /// Gold describes an entity here and does not name it.
    Descriptive,
    /// A quantity or a date.
    Literal,
    /// Outside the part of the document that is evaluated.
    Outside,
    /// Gold says NIL, and only links are asked for.
    Nil,
    /// Inside a longer mention, of which only the longest counts.
    Shorter,
    /// Of a type that is not asked for.
    Type,
    /// The system is less sure of it than the convention asks.
    Unsure,
    /// A prediction on a mention that does not count.
    OnIgnored,
    /// A part of a mention that was found by its parts, or one that another reading made needless.
    Part,
    /// What a convention takes for the same mention said again.
    Repeated,
    /// The convention leaves it out.
    Convention,
}

impl NotCounted {
    /// The reason, in words that follow "not counted:".
    pub fn reason(self) -> &'static str {
        match self {
            NotCounted::Optional => "gold says it is optional",
            NotCounted::Descriptive => "gold describes an entity here and does not name it",
            NotCounted::Literal => "it is a quantity or a date",
            NotCounted::Outside => "it is outside the evaluated part of the document",
            NotCounted::Nil => "gold says NIL, and only links are asked for",
            NotCounted::Shorter => "it overlaps a longer mention, and only the longest counts",
            NotCounted::Type => "it is of a type that is not asked for",
            NotCounted::Unsure => "its confidence is below the threshold",
            NotCounted::OnIgnored => "what gold has here does not count",
            NotCounted::Part => "it is part of a mention that counts as a whole",
            NotCounted::Repeated => "it repeats what is said on this span",
            NotCounted::Convention => "the convention leaves it out",
        }
    }
}

impl Inspection<'_> {
    /// Everything of one document of a run: first what counts, in the order of spans, then what does not.
    pub(crate) fn judged(
        &self,
        name: &str,
        scene: &Scene<'_>,
        unknowns: Unknowns,
        filters: &[Filter],
    ) -> Vec<JudgedCase> {
        let labelled = label(self.settings, self.taxonomy, scene, self.base);
        let passes = self.passing(scene, &labelled, unknowns, filters);
        let about = About::new(&labelled);
        let around = Around::new(name, scene.text());
        let mut all = Vec::new();
        for (case, finding) in told(self.settings, scene, self.base) {
            let item = |side: &Side<'_>, at: Option<u32>| side.items.get(at? as usize).copied();
            let gold = item(&scene.gold, case.gold);
            let prediction = item(&scene.system, case.system);
            if gold.or(prediction).is_none() {
                continue;
            }
            let at = about.of(gold, prediction);
            let error =
                at.map(|at| ErrorCase::new(self, &around, &labelled[at], Some(finding), unknowns));
            all.push(JudgedCase {
                gold: gold.map(|item| item.index),
                prediction: prediction.map(|item| item.index),
                became: Ok(finding),
                error,
                right_rank: gold.zip(prediction).and_then(|(gold, it)| rank(scene, &gold, &it)),
                // A finding without categories has no labels to be filtered by, and passes only
                // where nothing is filtered.
                passes: at.map_or(filters.is_empty(), |at| passes[at]),
            });
        }
        self.add_ignored(scene, filters.is_empty(), &mut all);
        all
    }

    /// Adds what is in no finding.
    fn add_ignored(&self, scene: &Scene<'_>, passes: bool, all: &mut Vec<JudgedCase>) {
        let seen = |of: fn(&JudgedCase) -> Option<u32>| all.iter().filter_map(of).collect();
        let seen: [HashSet<u32>; 2] = [seen(|case| case.gold), seen(|case| case.prediction)];
        let left = LeftOver::new(self.settings, scene);
        let mut by_span: HashMap<Span, usize> = HashMap::new();
        for (index, mention, reason) in left.gold() {
            if seen[0].contains(&index) {
                continue;
            }
            // Of several on one span the first, which the prediction is put beside.
            by_span.entry(mention.span()).or_insert(all.len());
            all.push(JudgedCase::ignored((Some(index), None), reason, passes));
        }
        for (index, mention, reason) in left.predictions() {
            if seen[1].contains(&index) {
                continue;
            }
            // What is predicted on a mention that does not count stands beside it.
            let beside = by_span.get(&mention.span()).and_then(|at| all.get_mut(*at));
            match beside.filter(|case| case.prediction.is_none()) {
                Some(case) => case.prediction = Some(index),
                None => all.push(JudgedCase::ignored((None, Some(index)), reason, passes)),
            }
        }
    }

    /// What a mention says, with the name of the entity where it is known.
    pub(crate) fn answer(&self, mention: &Mention<'_>) -> MentionAnswer {
        answer(self, mention)
    }
}

impl JudgedCase {
    fn ignored(
        (gold, prediction): (Option<u32>, Option<u32>),
        reason: NotCounted,
        passes: bool,
    ) -> JudgedCase {
        let became = Err(reason);
        JudgedCase { gold, prediction, became, error: None, right_rank: None, passes }
    }
}

/// Where the right entity is among the answers of a system.
fn rank(scene: &Scene<'_>, gold: &Item, prediction: &Item) -> Option<usize> {
    let right: Vec<_> = scene.gold.links(gold).filter_map(karat_model::Link::entity).collect();
    let answers = scene.system.candidates(prediction);
    let is_right = |entity| right.contains(&entity);
    Some(answers.iter().position(|link| link.entity().is_some_and(is_right))? + 1)
}

/// Which labelled case speaks of a finding.
struct About {
    gold: HashMap<u32, usize>,
    system: HashMap<u32, usize>,
}

impl About {
    fn new(labelled: &[Labelled<'_>]) -> About {
        let mut about = About { gold: HashMap::new(), system: HashMap::new() };
        for (at, case) in labelled.iter().enumerate() {
            let judgement = &case.judgement;
            let is_part = judgement.standing == CaseStanding::Part;
            if let Some(gold) = judgement.gold.filter(|_| !is_part) {
                about.gold.entry(gold.index).or_insert(at);
            }
            // What is wrong by itself is told first where a prediction serves several mentions.
            if let Some(system) = judgement.system {
                let stray = judgement.gold.is_none() || is_part || judgement.is_optional();
                match stray {
                    true => _ = about.system.insert(system.index, at),
                    false => _ = about.system.entry(system.index).or_insert(at),
                }
            }
        }
        about
    }

    fn of(&self, gold: Option<Item>, system: Option<Item>) -> Option<usize> {
        match gold {
            Some(gold) => self.gold.get(&gold.index).copied(),
            None => self.system.get(&system?.index).copied(),
        }
    }
}

/// Annotations of a document that may be in no finding, each with the reason it would have.
struct LeftOver<'s, 'a> {
    settings: &'s Settings,
    scene: &'s Scene<'a>,
    window: Option<Span>,
}

impl<'s, 'a> LeftOver<'s, 'a> {
    fn new(settings: &'s Settings, scene: &'s Scene<'a>) -> LeftOver<'s, 'a> {
        let of = |side: &Side<'a>| side.document.as_ref().and_then(Document::evaluation_span);
        let gold = of(&scene.gold);
        let window = match settings.window_of {
            WindowOf::Gold => gold,
            WindowOf::System => of(&scene.system).or(gold),
        };
        LeftOver { settings, scene, window: window.filter(|_| settings.evaluation_span) }
    }

    /// The gold mentions that are part of no other.
    fn gold(&self) -> Vec<(u32, Mention<'a>, NotCounted)> {
        let items: HashMap<u32, Item> =
            self.scene.gold.items.iter().map(|item| (item.index, *item)).collect();
        let parts: HashSet<u32> = self.scene.gold.below().iter().map(|item| item.index).collect();
        let mentions = mentions(&self.scene.gold, Role::Gold);
        let is_root = |(index, _): &(u32, Mention<'a>)| !parts.contains(index);
        let reasoned = mentions.into_iter().filter(is_root).map(|(index, mention)| {
            let reason = match items.get(&index) {
                None => self.off_stage(&mention, true),
                Some(item) => self.of_gold(item, &mention),
            };
            (index, mention, reason)
        });
        reasoned.collect()
    }

    fn predictions(&self) -> Vec<(u32, Mention<'a>, NotCounted)> {
        let items: HashMap<u32, Item> =
            self.scene.system.items.iter().map(|item| (item.index, *item)).collect();
        let parts: HashSet<Span> = self.scene.gold.below().iter().map(|item| item.span).collect();
        let reasoned = mentions(&self.scene.system, Role::System).into_iter();
        let reasoned = reasoned.map(|(index, mention)| {
            let reason = match items.get(&index) {
                None => self.off_stage(&mention, false),
                Some(item) if parts.contains(&item.span) => NotCounted::Part,
                Some(item) => self.of_prediction(item),
            };
            (index, mention, reason)
        });
        reasoned.collect()
    }

    fn of_gold(&self, item: &Item, mention: &Mention<'_>) -> NotCounted {
        match item.optional {
            // A description is optional for being one.
            true if mention.flags().contains(Flags::DESCRIPTIVE) => NotCounted::Descriptive,
            true if mention.flags().contains(Flags::OPTIONAL) => NotCounted::Optional,
            true => NotCounted::Literal,
            false if mention.types().any(literal::is_literal) => NotCounted::Literal,
            false if item.link.entity().is_none() => NotCounted::Nil,
            false => self.said_again(&self.scene.gold, item),
        }
    }

    fn of_prediction(&self, item: &Item) -> NotCounted {
        let gold = &self.scene.gold;
        let on_span = &gold.items[gold.places_on(item.span)];
        let counts = |item: &&Item| !item.optional;
        match on_span.iter().find(counts) {
            None if !on_span.is_empty() => NotCounted::OnIgnored,
            _ => self.said_again(&self.scene.system, item),
        }
    }

    fn said_again(&self, side: &Side<'_>, item: &Item) -> NotCounted {
        match side.places_on(item.span).len() > 1 {
            true => NotCounted::Repeated,
            false => NotCounted::Convention,
        }
    }

    /// Why a mention is not matched at all.
    fn off_stage(&self, mention: &Mention<'_>, is_gold: bool) -> NotCounted {
        let settings = self.settings;
        let types = if is_gold { &settings.gold_types } else { &settings.predicted_types };
        let is_unsure = || {
            let least = settings.threshold?;
            mention.confidence().filter(|found| *found < least)
        };
        if self.window.is_some_and(|window| !window.contains(mention.span())) {
            NotCounted::Outside
        } else if !is_gold && is_unsure().is_some() {
            NotCounted::Unsure
        // From the most to the least certain: the last reasons are concluded from the settings, because
        // nothing else is left.
        } else if settings.linkable && (mention.entity().is_none() || !is_gold) {
            NotCounted::Nil
        } else if settings.overlaps == Overlaps::KeepLongest {
            NotCounted::Shorter
        } else if !types.are_all() {
            NotCounted::Type
        } else {
            NotCounted::Convention
        }
    }
}

/// The annotations of a side that play its part.
fn mentions<'a>(side: &Side<'a>, role: Role) -> Vec<(u32, Mention<'a>)> {
    let all = side.document.into_iter().flat_map(|document| document.mentions());
    let numbered = (0..).zip(all);
    numbered.filter(|(_, mention)| role.plays(mention.flags())).collect()
}
