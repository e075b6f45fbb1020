//! Which items met.

use crate::by_span;
use crate::candidates::{Candidates, Class, Fit};
use crate::criteria::{Agreement, Criteria, Given, Keep};
use crate::forgiving::Forgiving;
use crate::keys::{self, Shared, kept, key};
use crate::nearby::FEW_NEARBY;
use crate::one_to_one;
use crate::scene::{Item, Scene, Side};
use crate::settings::{Assignment, Overlaps, Settings, Spans};
use crate::span_index::{SpanEntry, SpanIndex};
use karat_model::{Document, Span, literal};
use std::collections::HashMap;

/// What became of a gold mention, a prediction, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// Position of the gold item in its scene.
    pub gold: Option<u32>,
    /// Position of the prediction in its scene.
    pub system: Option<u32>,
    /// What became of them.
    pub outcome: Outcome,
}

/// What became of a gold mention or a prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// They agree.
    Match,
    /// Gold that nothing agrees with.
    Missed,
    /// A prediction that agrees with nothing.
    Extra,
    /// Neither for nor against: it is optional, a further part of a reading that
    /// was found, or the convention does not count it.
    Ignored,
}

/// How many cases of each kind there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MatchCounts {
    /// Matches: true positives.
    pub hits: u64,
    /// Extra predictions: false positives.
    pub extra: u64,
    /// Missed gold: false negatives.
    pub missed: u64,
}

/// How much two sides of a scene have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Alike {
    /// Items of gold.
    pub gold: u64,
    /// Items of gold with an equal in the system.
    pub gold_met: u64,
    /// Items of the system.
    pub system: u64,
    /// Items of the system with an equal in gold.
    pub system_met: u64,
}

/// Says who met whom in a scene: which gold mention and which prediction are the same, which gold was missed,
/// and which predictions are extra.
///
/// All numbers of karat rest on this. A measure does not compare mentions: it asks a matcher, and counts. So
/// scores, errors, lists and slices cannot disagree about what is right.
///
/// # What decides
///
/// Two things, kept apart on purpose:
///
/// - [`Settings`] are the *convention*: when two spans fit, who gets whom when several fit, what optional gold
///   is worth, whether NIL agrees with NIL. They are the same for all measures of a table, unless a measure
///   has its own in brackets.
/// - [`Criteria`] are the *measure*: which items are looked at (all, those with an entity, those that are NIL),
///   and what must agree (span, entity, type, cluster).
///
/// Whatever can be said by a value of one of these is. Nothing here asks for the name of a convention or of a
/// measure.
///
/// # What comes out
///
/// [`cases`](Matcher::cases) gives every case of a scene in the order of spans. A case names a gold item, a prediction or
/// both, by their positions in the scene, and what became of them ([`Outcome`]):
///
/// - a *match* has both, and they agree in all that is asked;
/// - a *missed* case has gold that nothing agrees with;
/// - an *extra* case has a prediction that agrees with nothing. A wrong link is one of each: its gold is missed,
///   and its prediction is extra;
/// - an *ignored* case counts neither for nor against: optional gold, a prediction that says what optional gold
///   says, or a further part of an alternative that was found.
///
/// [`counts`](Matcher::counts) is how many there are of each, and is quicker where cases need not be made.
///
/// # What holds
///
/// - Gold that is looked at is in one case, unless it is ignored. Under one-to-one, greedy, sets and last-wins a
///   prediction is in one match at most; under existential it may be in several.
/// - The order of the input changes nothing, except where the convention is defined by it (greedy and
///   last-wins go by the file).
/// - Counts are those of the cases, whichever way they were found.
/// - The time is near linear in the number of mentions, also where thousands of them overlap or are nested, and no
///   memory is needed for the pairs among them. Where more than 262,144 pairs compete with each other, one-to-one
///   finds as much gold as can be found and leaves as few predictions to be held against the system, as
///   everywhere; which of them are paired on their very spans is then settled by exchanges of two, and
///   gold with a reading of several parts is found in that reading only by predictions that are left.
///
/// # How it goes
///
/// Items that the criteria do not look at are left out, then predictions outside the mentions that were given,
/// then what the convention takes for the same mention said again. Where items with equal keys are all that
/// can meet (exact spans, no alternatives), sorted keys are walked through once. Everything else is an
/// assignment: greedy in file order, or of the largest weight in each connected group of mentions. Optional gold
/// comes last: it forgives predictions that nothing else took.
///
/// ```
/// use karat_kb::Identity;
/// use karat_match::{Case, Criteria, Matcher, Outcome, Pairing, Scene, Settings};
/// use karat_model::{CorpusBuilder, Link, Span};
///
/// let corpus = |entities: &[(u32, u32, &str)]| {
///     let mut builder = CorpusBuilder::new();
///     builder.continue_document("d1");
///     for &(start, end, entity) in entities {
///         let link = Link::to(builder.intern(entity));
///         builder.annotate(Span::new(start, end), link);
///     }
///     builder.finish()
/// };
/// let gold = corpus(&[(0, 6, "Q64"), (10, 16, "Q90")]);
/// let system = corpus(&[(0, 6, "Q64"), (10, 16, "Q142")]);
/// let pairing = Pairing::new(&gold, &system, &Identity::new());
/// let settings = Settings::default();
/// let mut scene = Scene::default();
/// pairing.stage(0, &settings, &mut scene);
///
/// let cases = Matcher::new(&settings, Criteria::LINK).cases(&scene);
/// let outcomes: Vec<Outcome> = cases.iter().map(|case| case.outcome).collect();
/// // The wrong link on the second mention is missed and extra.
/// assert_eq!(outcomes, [Outcome::Match, Outcome::Missed, Outcome::Extra]);
/// assert_eq!(cases[0], Case { gold: Some(0), system: Some(0), outcome: Outcome::Match });
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Matcher<'s> {
    settings: &'s Settings,
    criteria: Criteria,
}

impl Case {
    pub(crate) fn hit(gold: u32, system: u32) -> Case {
        Case { gold: Some(gold), system: Some(system), outcome: Outcome::Match }
    }

    pub(crate) fn missed(gold: u32) -> Case {
        Case { gold: Some(gold), system: None, outcome: Outcome::Missed }
    }

    pub(crate) fn extra(system: u32) -> Case {
        Case { gold: None, system: Some(system), outcome: Outcome::Extra }
    }

    /// A further part of a reading that was found.
    pub(crate) fn ignored_part(gold: u32, system: u32) -> Case {
        Case::ignored(Some(gold), Some(system))
    }

    fn ignored(gold: Option<u32>, system: Option<u32>) -> Case {
        Case { gold, system, outcome: Outcome::Ignored }
    }
}

/// The positions of the items that are looked at, in the order of their spans.
pub(crate) struct Chosen {
    pub(crate) gold: Vec<u32>,
    pub(crate) optional: Forgiving,
    pub(crate) system: Vec<u32>,
}

/// Whether gold is a quantity or a date.
fn is_literal(scene: &Scene<'_>, gold: &Item) -> bool {
    let mention = scene.gold.mention(gold);
    mention.is_some_and(|mention| mention.types().any(literal::is_literal))
}

impl<'s> Matcher<'s> {
    /// A matcher with these settings and criteria.
    pub fn new(settings: &'s Settings, criteria: Criteria) -> Matcher<'s> {
        Matcher { settings, criteria }
    }

    /// How many matches, extra predictions and missed gold there are.
    pub fn counts(&self, scene: &Scene<'_>) -> MatchCounts {
        let sets = self.settings.assignment == Assignment::Sets && self.given() == Given::Nothing;
        let optional = || scene.gold.items.iter().any(|item| item.optional);
        // Optional gold forgives predictions one by one, which counts of shared keys cannot
        // express.
        if sets && self.keys_decide(scene) && !optional() {
            return self.shared_keys(scene);
        }
        let mut counts = MatchCounts::default();
        for case in self.cases(scene) {
            match case.outcome {
                Outcome::Match => counts.hits += 1,
                Outcome::Missed => counts.missed += 1,
                Outcome::Extra => counts.extra += 1,
                Outcome::Ignored => {}
            }
        }
        counts
    }

    /// The same at each of some thresholds on confidence, which come in order, for a scene that was staged without
    /// one. `None` if they cannot be told in one pass: where more than keys decides, what one prediction leaves may
    /// be taken by any other.
    pub fn counts_at(&self, scene: &Scene<'_>, thresholds: &[f64]) -> Option<Vec<MatchCounts>> {
        let Settings { assignment, overlaps, repeated_tags, .. } = *self.settings;
        let by_key = matches!(assignment, Assignment::OneToOne | Assignment::Greedy)
            && self.keys_decide(scene)
            && overlaps == Overlaps::Keep
            && self.criteria.keep != Keep::First
            && (repeated_tags || self.criteria.agree.contains(Agreement::SPAN));
        if !by_key || scene.gold.items.iter().any(|item| item.optional) {
            return None;
        }
        let document = scene.system.document;
        let annotations = document.as_ref().map(Document::annotations).unwrap_or_default();
        let chosen = self.chosen(scene);
        // How many gold items and predictions have each key.
        let mut met: HashMap<u128, [u64; 2]> = HashMap::with_capacity(chosen.gold.len());
        let key = |item: &Item| key(item, self.criteria.agree);
        for &at in &chosen.gold {
            met.entry(key(&scene.gold.items[at as usize])).or_default()[0] += 1;
        }
        let mut dropping: Vec<(f64, u128)> = Vec::with_capacity(chosen.system.len());
        for &at in &chosen.system {
            let item = &scene.system.items[at as usize];
            met.entry(key(item)).or_default()[1] += 1;
            let annotation = annotations.get(item.index as usize);
            let confidence = annotation.and_then(|it| self.settings.confidence(it));
            dropping.extend(confidence.map(|confidence| (confidence, key(item))));
        }
        dropping.sort_unstable_by(|(a, _), (b, _)| a.total_cmp(b));
        let mut hits: u64 = met.values().map(|[gold, system]| gold.min(system)).sum();
        let (gold, mut system) = (chosen.gold.len() as u64, chosen.system.len() as u64);
        let mut dropping = dropping.into_iter().peekable();
        let at_threshold = |&threshold: &f64| {
            while let Some((_, key)) = dropping.next_if(|&(found, _)| found < threshold) {
                let [gold, left] = met.entry(key).or_default();
                hits -= u64::from(*left <= *gold);
                *left -= 1;
                system -= 1;
            }
            MatchCounts { hits, extra: system - hits, missed: gold - hits }
        };
        Some(thresholds.iter().map(at_threshold).collect())
    }

    /// What the measure asks for, or else what the task says.
    fn given(&self) -> Given {
        self.criteria.given.max(self.settings.given)
    }

    /// Counting sets needs no cases.
    fn shared_keys(&self, scene: &Scene<'_>) -> MatchCounts {
        let shared = keys::shared(scene, &self.criteria, self.settings.answers_only);
        let Shared { left: gold, right: system, both: hits } = shared;
        MatchCounts { hits, extra: system - hits, missed: gold - hits }
    }

    /// The distinct keys of a side with the positions of their items, in the order
    /// of keys; of several items with one key, the one that is [meant](Settings::meant). Optional gold is
    /// left out.
    pub fn keys(&self, side: &Side<'_>) -> Vec<(u128, u32)> {
        let kept = kept(side, &self.criteria, self.settings.answers_only);
        let kept = kept.filter(|(_, item)| !item.optional);
        let mut keys = Vec::with_capacity(side.items.len());
        keys.extend(kept.map(|(at, item)| (key(item, self.criteria.agree), at)));
        // Items are sorted by span, so keys that contain the span are usually in order and
        // distinct.
        if !keys.is_sorted_by(|(key, _), (next, _)| key < next) {
            keys.sort_unstable_by_key(|&(key, at)| (key, self.settings.meant(side, at)));
            keys.dedup_by_key(|(key, _)| *key);
        }
        keys
    }

    /// The distinct keys of optional gold, in order.
    pub fn optional_keys(&self, gold: &Side<'_>) -> Vec<u128> {
        let kept = kept(gold, &self.criteria, self.settings.answers_only);
        let optional = kept.filter(|(_, item)| item.optional);
        let mut keys: Vec<u128> =
            optional.map(|(_, item)| key(item, self.criteria.agree)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Every case of a scene, in the order of their spans.
    pub fn cases(&self, scene: &Scene<'_>) -> Vec<Case> {
        if let Some(cases) = self.told_apart(scene) {
            return cases;
        }
        let chosen = self.chosen(scene);
        let mut cases = match self.settings.assignment {
            // A measure that does not compare spans cannot group by them. It falls through to the
            // next arm.
            Assignment::BySpan if self.criteria.agree.contains(Agreement::SPAN) => {
                by_span::cases(self, scene, &chosen)
            }
            // With equal keys no item takes what another one needs. First come, first served is
            // then optimal, and all these strategies find the same.
            Assignment::OneToOne
            | Assignment::Sets
            | Assignment::LastWins
            | Assignment::Greedy
            | Assignment::BySpan
                if self.keys_decide(scene) =>
            {
                self.by_key(scene, &chosen)
            }
            Assignment::Greedy => self.greedy(scene, &chosen),
            Assignment::Existential => self.existential(scene, &chosen),
            _ => one_to_one::cases(self, scene, &chosen),
        };
        self.forgive_optional(scene, &chosen, &mut cases);
        cases.sort_by_key(|case| self.position(scene, case));
        cases
    }

    /// A mention may be found through a reading of another kind, NIL through an entity. So where
    /// there are readings everything is matched first, and mentions with an entity are told from
    /// those without afterwards: gold by its root, predictions by what they say. No kind is preferred
    /// in this: what is used up for one measure must be used up for all, or they do not add up.
    fn told_apart(&self, scene: &Scene<'_>) -> Option<Vec<Case>> {
        let linked = match self.criteria.keep {
            Keep::Linked => true,
            Keep::Nil => false,
            Keep::All | Keep::First => return None,
        };
        let asked = self.criteria.agree;
        let about_links = !linked || asked.intersects(Agreement::ENTITY | Agreement::CLUSTER);
        // Only then can gold be found through a reading of another kind. Without readings the
        // filter by kind can come first, which is cheaper and gives the same cases.
        let readings = asked.contains(Agreement::SPAN) && scene.gold.has_readings();
        if !about_links || !readings || self.settings.assignment != Assignment::OneToOne {
            return None;
        }
        let criteria =
            Criteria { keep: Keep::All, agree: asked | Agreement::ENTITY, ..self.criteria };
        let mut cases = Matcher::new(self.settings, criteria).cases(scene);
        let of_kind = |item: &Item| item.link.entity().is_some() == linked;
        cases.retain(|case| match (case.outcome, case.gold, case.system) {
            (Outcome::Ignored, _, _) => true,
            (_, Some(gold), _) => of_kind(&scene.gold.items[gold as usize]),
            (_, None, Some(system)) => of_kind(&scene.system.items[system as usize]),
            (_, None, None) => false,
        });
        Some(cases)
    }

    fn position(&self, scene: &Scene<'_>, case: &Case) -> (Span, bool, u32) {
        let gold = case.gold.map(|gold| scene.gold.items[gold as usize].span);
        let system = case.system.map(|system| scene.system.items[system as usize].span);
        let span = gold.or(system).unwrap_or_default();
        (span, case.gold.is_none(), case.gold.or(case.system).unwrap_or_default())
    }

    pub(crate) fn chosen(&self, scene: &Scene<'_>) -> Chosen {
        let given = self.given();
        let positions = |side: &Side<'_>| -> Vec<u32> {
            kept(side, &self.criteria, self.settings.answers_only).map(|(at, _)| at).collect()
        };
        let mut chosen = Chosen {
            gold: positions(&scene.gold),
            optional: Forgiving::default(),
            system: positions(&scene.system),
        };
        if given != Given::Nothing {
            let counts = |item: &Item| match given {
                Given::LinkedMentions => item.link.entity().is_some(),
                _ => !(self.settings.answers_only && item.link.is_none()),
            };
            let given: Vec<Span> =
                scene.gold.items.iter().filter(|item| counts(item)).map(|item| item.span).collect();
            chosen.gold.retain(|&at| counts(&scene.gold.items[at as usize]));
            // Items are sorted by span, and `filter` keeps the order: the binary search is valid.
            let fits =
                |&at: &u32| given.binary_search(&scene.system.items[at as usize].span).is_ok();
            chosen.system.retain(fits);
        }
        let is_optional = |&at: &u32| scene.gold.items[at as usize].optional;
        // A quantity or a date is linked to nothing, and forgives in measures of links all the same.
        let forgives = |at: &u32| {
            chosen.gold.binary_search(at).is_ok()
                || is_literal(scene, &scene.gold.items[*at as usize])
        };
        let optional = (0..scene.gold.items.len() as u32).filter(is_optional);
        let optional: Vec<u32> = optional.filter(forgives).collect();
        if !optional.is_empty() {
            chosen.optional = Forgiving::of(scene, &optional);
            chosen.gold.retain(|at| !is_optional(at));
        }
        self.drop_repeats(&scene.gold, &mut chosen.gold);
        self.drop_repeats(&scene.system, &mut chosen.system);
        chosen
    }

    /// Leaves out what the convention takes for the same item said again.
    fn drop_repeats(&self, side: &Side<'_>, positions: &mut Vec<u32>) {
        let item = |at: u32| &side.items[at as usize];
        let as_sets =
            matches!(self.settings.assignment, Assignment::Sets | Assignment::Existential);
        let tags = !self.criteria.agree.contains(Agreement::SPAN) && !self.settings.repeated_tags;
        if as_sets || tags {
            let key = |at: u32| key(item(at), self.criteria.agree);
            // Items are sorted by span: keys mostly come in order, and then none comes twice.
            if !positions.is_sorted_by(|&at, &next| key(at) < key(next)) {
                let mut seen = std::collections::HashSet::new();
                positions.retain(|&at| seen.insert(key(at)));
            }
        } else if self.settings.assignment == Assignment::LastWins {
            let mut last: HashMap<Span, u32> = HashMap::new();
            for &at in positions.iter() {
                let kept = last.entry(item(at).span).or_insert(at);
                // Items of one span are not in file order here, so the index decides. ELEVANT keeps
                // predictions in a dictionary by span, in which the last of the file stays.
                if item(at).index >= item(*kept).index {
                    *kept = at;
                }
            }
            positions.retain(|&at| last.get(&item(at).span) == Some(&at));
        }
    }

    /// Whether two items agree exactly when their keys are equal.
    fn keys_decide(&self, scene: &Scene<'_>) -> bool {
        let exact = matches!(self.settings.spans, Spans::Exact | Spans::Expanded)
            || !self.criteria.agree.contains(Agreement::SPAN);
        // Keys say that NIL is NIL.
        exact && self.settings.nil_agrees && scene.gold.is_plain() && scene.system.is_plain()
    }

    /// Equal keys meet, as many times as both sides have them.
    fn by_key(&self, scene: &Scene<'_>, chosen: &Chosen) -> Vec<Case> {
        let sorted = |side: &Side<'_>, positions: &[u32]| {
            let pair = |&at: &u32| (key(&side.items[at as usize], self.criteria.agree), at);
            let mut keys: Vec<(u128, u32)> = positions.iter().map(pair).collect();
            keys.sort_unstable();
            keys
        };
        let gold = sorted(&scene.gold, &chosen.gold);
        let system = sorted(&scene.system, &chosen.system);
        let (mut gold, mut system) = (gold.iter().peekable(), system.iter().peekable());
        let mut cases = Vec::with_capacity(gold.len() + system.len());
        loop {
            match (gold.peek(), system.peek()) {
                (Some(&&(left, at)), Some(&&(right, met))) if left == right => {
                    cases.push(Case::hit(at, met));
                    gold.next();
                    system.next();
                }
                (Some(&&(left, at)), right) if right.is_none_or(|(right, _)| left < *right) => {
                    cases.push(Case::missed(at));
                    gold.next();
                }
                (_, Some(&&(_, at))) => {
                    cases.push(Case::extra(at));
                    system.next();
                }
                (_, None) => return cases,
            }
        }
    }

    /// Gold in the order of the file takes the first prediction of the file that is left.
    fn greedy(&self, scene: &Scene<'_>, chosen: &Chosen) -> Vec<Case> {
        let mut left = Candidates::new(self, scene, &chosen.system);
        let mut used = vec![false; scene.system.items.len()];
        let mut gold = chosen.gold.clone();
        // The order of the file is part of this convention; items are in the order of their spans.
        gold.sort_unstable_by_key(|&at| scene.gold.items[at as usize].index);
        let mut cases = Vec::with_capacity(gold.len() + chosen.system.len());
        for at in gold {
            match left.first(&scene.gold.items[at as usize]) {
                Some(met) => {
                    left.remove(met);
                    used[met as usize] = true;
                    cases.push(Case::hit(at, met));
                }
                None => cases.push(Case::missed(at)),
            }
        }
        let left = chosen.system.iter().filter(|&&at| !used[at as usize]);
        cases.extend(left.map(|&at| Case::extra(at)));
        cases
    }

    /// A prediction is right if it is the first that fits some gold, wrong if it fits none.
    fn existential(&self, scene: &Scene<'_>, chosen: &Chosen) -> Vec<Case> {
        let mut all = Candidates::new(self, scene, &chosen.system);
        // Each prediction is taken out by the first gold that it fits, so that it is looked at once.
        let mut unmet = Candidates::new(self, scene, &chosen.system);
        let (mut first, mut fits) =
            (vec![false; scene.system.items.len()], vec![false; scene.system.items.len()]);
        let mut cases = Vec::with_capacity(chosen.gold.len() + chosen.system.len());
        for &at in &chosen.gold {
            let item = &scene.gold.items[at as usize];
            for met in unmet.take_all(item) {
                fits[met as usize] = true;
            }
            match all.first(item) {
                // A prediction counts once, for the first gold that it fits. Further gold that it
                // fits is neither found nor missed.
                Some(met) if !std::mem::replace(&mut first[met as usize], true) => {
                    cases.push(Case::hit(at, met));
                }
                Some(_) => cases.push(Case::ignored(Some(at), None)),
                None => cases.push(Case::missed(at)),
            }
        }
        for &at in chosen.system.iter().filter(|&&at| !first[at as usize]) {
            cases.push(if fits[at as usize] {
                Case::ignored(None, Some(at))
            } else {
                Case::extra(at)
            });
        }
        cases
    }

    /// How many items of gold, and of the system, have an equal on the other side, and
    /// how many items there are: each looks for itself, nothing is used up. Optional gold is no item,
    /// and neither is a prediction that has its equal only there.
    pub fn alike(&self, scene: &Scene<'_>) -> Alike {
        let chosen = self.chosen(scene);
        let mut all = Candidates::new(self, scene, &chosen.system);
        let mut unmet = Candidates::new(self, scene, &chosen.system);
        let mut met = vec![false; scene.system.items.len()];
        let mut alike = Alike { gold: chosen.gold.len() as u64, ..Alike::default() };
        for &at in &chosen.gold {
            let item = &scene.gold.items[at as usize];
            for other in unmet.take_all(item) {
                met[other as usize] = true;
            }
            alike.gold_met += u64::from(all.first(item).is_some());
        }
        alike.system_met = met.iter().filter(|met| **met).count() as u64;
        let counts = |&&at: &&u32| met[at as usize] || self.forgiving(scene, &chosen, at).is_none();
        alike.system = chosen.system.iter().filter(counts).count() as u64;
        alike
    }

    /// A prediction that agrees with optional gold is not held against the system.
    fn forgive_optional(&self, scene: &Scene<'_>, chosen: &Chosen, cases: &mut [Case]) {
        // Last, so that optional gold never takes a prediction that required gold could use.
        for case in cases.iter_mut().filter(|case| case.outcome == Outcome::Extra) {
            let Some(at) = case.system else { continue };
            if let Some(gold) = self.forgiving(scene, chosen, at) {
                *case = Case::ignored(Some(gold), Some(at));
            }
        }
    }

    /// The optional gold that a prediction agrees with. A quantity or a date asks for no entity, so
    /// that its place is enough.
    pub(crate) fn forgiving(&self, scene: &Scene<'_>, chosen: &Chosen, system: u32) -> Option<u32> {
        let prediction = &scene.system.items[system as usize];
        let near = chosen.optional.near(prediction.span, self.spans());
        if near.len() <= FEW_NEARBY {
            let forgiving = near.iter().filter(|(item, _)| {
                self.agree(scene, item, prediction) || self.is_on_literal(scene, item, prediction)
            });
            return forgiving.map(|&(_, gold)| gold).min();
        }
        let index = chosen.optional.index(|items| self.index_of_optional(scene, items));
        let mut classes = vec![Class::Literal { span: self.equal_part(prediction.span) }];
        self.classes(&scene.system, prediction, &mut classes);
        let fit = Fit { spans: self.spans(), asked: prediction.span, by_gold: false };
        let first = classes.into_iter().filter_map(|class| index.first(class, &fit)).min();
        first.map(|(_, gold)| gold)
    }

    /// Optional gold by what it asks for and where it is.
    fn index_of_optional(&self, scene: &Scene<'_>, items: &[(Item, u32)]) -> SpanIndex<Class> {
        let (mut entries, mut classes) = (Vec::new(), Vec::new());
        for (item, gold) in items {
            self.classes_of_gold(scene, item, &mut classes);
            if self.criteria.agree.contains(Agreement::SPAN) && is_literal(scene, item) {
                classes.push(Class::Literal { span: self.equal_part(item.span) });
            }
            let entry = SpanEntry { span: item.span, item: *gold, rank: *gold };
            entries.extend(classes.drain(..).map(|class| (class, entry)));
        }
        SpanIndex::new(entries)
    }

    fn is_on_literal(&self, scene: &Scene<'_>, gold: &Item, prediction: &Item) -> bool {
        self.criteria.agree.contains(Agreement::SPAN)
            && self.settings.spans.fit(gold.span, prediction.span)
            && is_literal(scene, gold)
    }

    /// Whether two spans fit, or need not.
    pub(crate) fn fits(&self, gold: Span, system: Span) -> bool {
        !self.criteria.agree.contains(Agreement::SPAN) || self.settings.spans.fit(gold, system)
    }

    /// Whether two items whose spans fit agree in the rest.
    pub(crate) fn agree(&self, scene: &Scene<'_>, gold: &Item, system: &Item) -> bool {
        let asked = self.criteria.agree;
        // Under this convention NIL gold can only be missed, whatever is predicted on it.
        if self.asks_for_links() && !self.settings.nil_agrees && gold.link.entity().is_none() {
            return false;
        }
        if asked.contains(Agreement::CLUSTER) {
            if gold.link != system.link {
                return false;
            }
        } else if asked.contains(Agreement::ENTITY) && !scene.same_entity(gold, system) {
            return false;
        }
        self.fits(gold.span, system.span)
            && (!asked.contains(Agreement::TYPE) || gold.types == system.types)
    }

    pub(crate) fn settings(&self) -> &Settings {
        self.settings
    }

    pub(crate) fn criteria(&self) -> &Criteria {
        &self.criteria
    }

    /// Whether what mentions are linked to decides whether they agree.
    pub(crate) fn asks_for_links(&self) -> bool {
        self.criteria.agree.intersects(Agreement::ENTITY | Agreement::CLUSTER)
    }

    /// When spans fit.
    pub(crate) fn spans(&self) -> Spans {
        match self.criteria.agree.contains(Agreement::SPAN) {
            true => self.settings.spans,
            false => Spans::Anywhere,
        }
    }
}
