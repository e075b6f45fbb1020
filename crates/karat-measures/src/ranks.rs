//! Ranked candidates against gold.

use crate::asked::counted;
use crate::measure::{Compute, DocumentMeasure, Scores};
use crate::parameter::{MeasureContext, Otherwise, ParameterOf};
use crate::score::{Zero, quantised, share};
use crate::values::{Values, named};
use karat_match::{Item, Scene, Settings, Side};
use karat_model::Link;
use std::sync::Arc;

/// What gold asks on one span, and how the system answers.
#[derive(Debug, Default)]
pub(crate) struct Question {
    /// How many entities gold has there; mostly one.
    pub(crate) asked: usize,
    /// For each prediction on the span the ranks, from 1, of these entities; `None` where absent. Of
    /// several predictions for several entities, also the ranks in all of them together.
    pub(crate) answers: Vec<Vec<Option<usize>>>,
}

impl Question {
    /// The best rank that any prediction on the span gives each entity.
    pub(crate) fn best(&self) -> impl Iterator<Item = Option<usize>> {
        let ranks = |entity: usize| self.answers.iter().filter_map(move |ranks| ranks[entity]);
        (0..self.asked).map(move |entity| ranks(entity).min())
    }

    /// Whether the span was predicted.
    pub(crate) fn is_found(&self) -> bool {
        !self.answers.is_empty()
    }
}

/// The questions of a document: the spans of linked gold that is not optional.
pub(crate) fn questions(scene: &Scene<'_>) -> Vec<Question> {
    let part = counted(scene);
    let scene = part.as_ref().unwrap_or(scene);
    let asked = |item: &&Item| item.link.entity().is_some() && !item.optional;
    let gold: Vec<&Item> = scene.gold.items.iter().filter(asked).collect();
    gold.chunk_by(|a, b| a.span == b.span)
        .map(|items| {
            let mut items = items.to_vec();
            // Codes of links follow the order of appearance in the file. Here they only bring equal
            // links together; no rank depends on their order.
            items.sort_by_key(|item| item.link.code());
            items.dedup_by_key(|item| item.link);
            let places = scene.system.places_on(items[0].span);
            let predictions = scene.system.items[places].iter();
            let lists: Vec<Vec<Link>> =
                predictions.map(|prediction| scene.system.candidates(prediction)).collect();
            let together = (items.len() > 1 && lists.len() > 1).then(|| in_turn(&lists));
            let ranks = |candidates: &Vec<Link>| -> Vec<Option<usize>> {
                items.iter().map(|item| rank(&scene.gold, item, candidates)).collect()
            };
            let answers = lists.iter().chain(&together).map(ranks).collect();
            Question { asked: items.len(), answers }
        })
        .collect()
}

/// One list of several: the first of each, then the second of each, and so on, each answer once. Where
/// gold has several entities on a span, a system may give them as several predictions.
fn in_turn(lists: &[Vec<Link>]) -> Vec<Link> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let ranked = (0..longest).flat_map(|rank| lists.iter().filter_map(move |list| list.get(rank)));
    let mut seen = std::collections::HashSet::new();
    ranked.filter(|link| seen.insert(**link)).copied().collect()
}

fn rank(gold: &Side<'_>, item: &Item, candidates: &[Link]) -> Option<usize> {
    let right = |candidate: &Link| {
        candidate.entity().is_some()
            && gold.links(item).any(|link| link.entity() == candidate.entity())
    };
    candidates.iter().position(right).map(|position| position + 1)
}

/// Which gold a score is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Over {
    /// Gold whose span was predicted.
    Found,
    /// All linked gold.
    All,
}

/// The parameter that says which gold a score is over.
pub(crate) static OVER: ParameterOf<Over> = ParameterOf {
    name: "over",
    about: "Which linked gold mentions the score is over.",
    values: &Values::only(&[
        named("found", Over::Found, "The linked gold mentions whose span was predicted."),
        named("all", Over::All, "All linked gold mentions."),
    ]),
    otherwise: Otherwise::Is(Over::Found),
};

/// A mean of credits for ranks.
#[derive(Debug)]
pub(crate) struct MeanCredit {
    /// The name of its score.
    pub(crate) name: &'static str,
    /// What it is over.
    pub(crate) over: Over,
    /// The credit for a question.
    pub(crate) credit: Credit,
}

/// What a rank is worth.
#[derive(Debug)]
pub(crate) enum Credit {
    /// One for each gold entity at this rank or above.
    Within(usize),
    /// One over the rank of the first gold entity.
    Reciprocal,
    /// The mean of the precisions at the ranks of the gold entities.
    AveragePrecision,
    /// The precision among as many answers as there are gold entities.
    RPrecision,
}

/// A measure of the mean credit.
pub(crate) fn mean_credit(
    name: &'static str,
    context: &MeasureContext<'_>,
    credit: Credit,
) -> Compute {
    Compute::Documents(Arc::new(MeanCredit { name, over: context.value(&OVER), credit }))
}

impl DocumentMeasure for MeanCredit {
    fn columns(&self) -> &'static [&'static str] {
        &["credit", "found", "gold"]
    }

    fn tally(&self, _settings: &Settings, scene: &Scene<'_>, counts: &mut [f64]) {
        for question in questions(scene) {
            let weight = self.credit.weight(&question);
            counts[0] += quantised(self.credit.of(&question));
            counts[1] += if question.is_found() { weight } else { 0.0 };
            counts[2] += weight;
        }
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        let whole = match self.over {
            Over::Found => counts[1],
            Over::All => counts[2],
        };
        Scores::new([(self.name, share(counts[0], whole, zero))])
    }
}

impl Credit {
    /// What a question is worth at most.
    fn weight(&self, question: &Question) -> f64 {
        match self {
            Credit::Within(_) => question.asked as f64,
            _ => 1.0,
        }
    }

    fn of(&self, question: &Question) -> f64 {
        match self {
            Credit::Within(most) => {
                question.best().flatten().filter(|rank| rank <= most).count() as f64
            }
            Credit::Reciprocal => {
                question.best().flatten().min().map_or(0.0, |rank| 1.0 / rank as f64)
            }
            Credit::AveragePrecision => best_answer(question, average_precision),
            Credit::RPrecision => best_answer(question, r_precision),
        }
    }
}

/// The credit of the best prediction on the span.
fn best_answer(question: &Question, credit: fn(&[usize], usize) -> f64) -> f64 {
    let credits = question.answers.iter().map(|ranks| {
        let mut ranks: Vec<usize> = ranks.iter().copied().flatten().collect();
        ranks.sort_unstable();
        credit(&ranks, question.asked)
    });
    credits.fold(0.0, f64::max)
}

fn average_precision(ranks: &[usize], asked: usize) -> f64 {
    let precisions = ranks.iter().enumerate().map(|(at, &rank)| (at + 1) as f64 / rank as f64);
    precisions.sum::<f64>() / asked as f64
}

fn r_precision(ranks: &[usize], asked: usize) -> f64 {
    ranks.iter().filter(|&&rank| rank <= asked).count() as f64 / asked as f64
}
