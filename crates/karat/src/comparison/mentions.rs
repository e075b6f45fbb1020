//! Two systems mention by mention.

use karat_match::{Outcome, Pairing, Scene, Settings};
use karat_measures::{Compute, DocumentMeasure, Evaluation, Measure, Plan, Result as Scored};
use karat_stats::{ClusteredMcNemar, McNemar};
use rayon::prelude::*;

/// For each document of gold whether each of its mentions was found; `None` for mentions that do
/// not count.
pub(crate) type Answers = Vec<Vec<Option<bool>>>;

/// Gold mentions that one system found and the other did not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mentions {
    /// The exact test.
    pub exact: McNemar,
    /// The test that knows that mentions of one document are alike.
    pub clustered: ClusteredMcNemar,
    /// Mentions that both found, or neither.
    pub concordant: u64,
}

/// What a system answered to each gold mention, for each measure that counts mentions.
pub(super) fn answers(
    pairing: &Pairing<'_>,
    plan: &Plan,
    evaluation: &Evaluation,
) -> Vec<Option<Answers>> {
    let places: Vec<usize> = (0..pairing.len()).collect();
    let of_measure = |(measure, result): (&Measure, &Scored)| {
        let mut settings = measure.settings.clone();
        if plan.convention.oracle {
            // The threshold is one that was searched for.
            settings.threshold = plan.convention.search.matching(result).or(settings.threshold);
        }
        found_by(pairing, &places, measure, &settings)
    };
    plan.selection.measures.iter().zip(&evaluation.results).map(of_measure).collect()
}

/// Whether each gold mention in these documents was found, if the measure counts mentions.
pub(crate) fn found_by(
    pairing: &Pairing<'_>,
    places: &[usize],
    measure: &Measure,
    settings: &Settings,
) -> Option<Answers> {
    let Compute::Documents(compute) = &measure.compute else { return None };
    let of_gold = places.par_iter().map_init(Scene::default, |scene, &at| {
        // Only documents of gold: mentions that only a system has are no pairs.
        pairing.places()[at].gold?;
        pairing.stage(at, settings, scene);
        Some(of_document(compute.as_ref(), settings, scene))
    });
    of_gold.flatten().collect()
}

fn of_document(
    measure: &dyn DocumentMeasure,
    settings: &Settings,
    scene: &Scene<'_>,
) -> Option<Vec<Option<bool>>> {
    let mut answers = vec![None; scene.gold.items.len()];
    for case in measure.cases(settings, scene)? {
        let Some(answer) = case.gold.and_then(|gold| answers.get_mut(gold as usize)) else {
            continue;
        };
        match case.outcome {
            Outcome::Match => *answer = Some(true),
            // One match is enough: a mention may have several cases, one for each alternative.
            Outcome::Missed => *answer = answer.or(Some(false)),
            Outcome::Extra | Outcome::Ignored => {}
        }
    }
    Some(answers)
}

impl Mentions {
    pub(super) fn new(first: &Answers, second: &Answers) -> Mentions {
        let mut concordant = 0;
        let documents = first.iter().zip(second).map(|(first, second)| {
            let mut document = McNemar { first_only: 0, second_only: 0 };
            for both in first.iter().zip(second) {
                // A mention may count for one system only, where another stands for it.
                match both {
                    (Some(true), Some(true)) => concordant += 1,
                    (Some(true), _) => document.first_only += 1,
                    (_, Some(true)) => document.second_only += 1,
                    (Some(false), _) | (_, Some(false)) => concordant += 1,
                    (None, None) => {}
                }
            }
            document
        });
        let documents: Vec<McNemar> = documents.collect();
        let sum = |of: fn(&McNemar) -> u64| documents.iter().map(of).sum();
        let (first_only, second_only) = (sum(|one| one.first_only), sum(|one| one.second_only));
        Mentions {
            exact: McNemar { first_only, second_only },
            clustered: ClusteredMcNemar::new(&documents),
            concordant,
        }
    }
}
