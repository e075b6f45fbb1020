//! Two systems mention by mention.

use karat_match::{Outcome, Pairing, Scene};
use karat_measures::{Compute, DocumentMeasure, Selection};
use karat_stats::{ClusteredMcNemar, McNemar};

/// For each document of gold whether each of its mentions was found; `None` for mentions that do
/// not count.
pub(super) type Answers = Vec<Vec<Option<bool>>>;

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
pub(super) fn answers(pairing: &Pairing<'_>, selection: &Selection) -> Vec<Option<Answers>> {
    let of_measure = |measure: &karat_measures::Measure| {
        let Compute::Documents(compute) = &measure.compute else { return None };
        let mut scene = Scene::default();
        let gold = pairing.places().iter().enumerate().filter(|(_, place)| place.gold.is_some());
        gold.map(|(at, _)| {
            pairing.stage(at, &measure.settings, &mut scene);
            of_document(compute.as_ref(), &measure.settings, &scene)
        })
        .collect()
    };
    selection.measures.iter().map(of_measure).collect()
}

fn of_document(
    measure: &dyn DocumentMeasure,
    settings: &karat_match::Settings,
    scene: &Scene<'_>,
) -> Option<Vec<Option<bool>>> {
    let mut answers = vec![None; scene.gold.items.len()];
    for case in measure.cases(settings, scene)? {
        let Some(gold) = case.gold else { continue };
        if let Some(answer) = answers.get_mut(gold as usize) {
            *answer = match case.outcome {
                Outcome::Match => Some(true),
                Outcome::Missed => Some(false),
                Outcome::Extra | Outcome::Ignored => None,
            };
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
                match both {
                    (Some(true), Some(false)) => document.first_only += 1,
                    (Some(false), Some(true)) => document.second_only += 1,
                    (Some(_), Some(_)) => concordant += 1,
                    _ => {}
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
