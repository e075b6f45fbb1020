//! What went wrong, mention by mention.

use karat_facets::{Facet, Finding, told};
use karat_kb::Identity;
use karat_match::{
    Agreement, Case, Criteria, Keep, Matcher, Outcome, Pairing, Scene, Settings, SpanAnnotation,
};
use karat_model::{Corpus, Mention, Span};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A gold mention, a prediction, or both, with what became of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Incident {
    /// The document.
    pub document: String,
    /// What became of it.
    pub finding: Finding,
    /// Where it is.
    pub span: Span,
    /// The text of the mention, if there is text.
    pub surface: Option<String>,
    /// What gold says; `None` if gold has nothing here.
    pub gold: Option<Answer>,
    /// What the system says.
    pub system: Option<Answer>,
}

/// An entity, or NIL.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// This entity.
    Entity(String),
    /// None in the knowledge base.
    Nil,
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Answer::Entity(entity) => f.write_str(entity),
            Answer::Nil => f.write_str("NIL"),
        }
    }
}

/// Every gold mention and every prediction, document by document.
pub fn incidents(
    gold: &Corpus,
    system: &Corpus,
    identity: &Identity,
    settings: &Settings,
) -> Vec<Incident> {
    let pairing = Pairing::new(gold, system, identity);
    let mut scene = Scene::default();
    let mut all = Vec::new();
    for index in 0..pairing.len() {
        pairing.stage(index, settings, &mut scene);
        for (case, finding) in told(settings, &scene, identity.base().map(AsRef::as_ref)) {
            let gold = case.gold.and_then(|at| scene.gold.mention(&scene.gold.items[at as usize]));
            let system =
                case.system.and_then(|at| scene.system.mention(&scene.system.items[at as usize]));
            let Some(shown) = gold.or(system) else { continue };
            all.push(Incident {
                document: pairing.name(index).to_owned(),
                finding,
                span: shown.span(),
                surface: shown.surface().map(str::to_owned),
                gold: gold.as_ref().map(answer),
                system: system.as_ref().map(answer),
            });
        }
    }
    all
}

/// Each thing that gold and the system say of a document once, where it comes first.
pub fn unique(mut incidents: Vec<Incident>) -> Vec<Incident> {
    let mut seen = HashSet::new();
    incidents.retain(|Incident { document, gold, system, .. }| {
        seen.insert((document.clone(), gold.clone(), system.clone()))
    });
    incidents
}

fn answer(mention: &Mention<'_>) -> Answer {
    mention.entity().map_or(Answer::Nil, |entity| Answer::Entity(entity.to_owned()))
}

/// How often each label of a facet occurs among gold mentions and among predictions: `gold` or
/// `prediction`, and the label.
pub fn sides(
    gold: &Corpus,
    system: &Corpus,
    identity: &Identity,
    settings: &Settings,
    facet: &dyn Facet,
) -> BTreeMap<(&'static str, String), usize> {
    let pairing = Pairing::new(gold, system, identity);
    let mut scene = Scene::default();
    let mut counts = BTreeMap::new();
    for index in 0..pairing.len() {
        pairing.stage(index, settings, &mut scene);
        let missed = |at: u32| Case { gold: Some(at), system: None, outcome: Outcome::Missed };
        let extra = |at: u32| Case { gold: None, system: Some(at), outcome: Outcome::Extra };
        let gold: Vec<Case> = (0..scene.gold.items.len() as u32).map(missed).collect();
        let predicted: Vec<Case> = (0..scene.system.items.len() as u32).map(extra).collect();
        for (side, cases) in [("gold", gold), ("prediction", predicted)] {
            for label in facet.labels_of_cases(&scene, &cases).into_iter().flatten() {
                *counts.entry((side, label)).or_default() += 1;
            }
        }
    }
    counts
}

/// By which label of a facet links are right: for each label that gold mentions have by one of their
/// annotations, and each by which they were found. They differ where a link is right by an
/// alternative of another category.
pub fn confusion(
    gold: &Corpus,
    system: &Corpus,
    identity: &Identity,
    settings: &Settings,
    facet: &dyn Facet,
) -> BTreeMap<(String, String), usize> {
    let pairing = Pairing::new(gold, system, identity);
    let criteria = Criteria::new(Keep::All, Agreement::SPAN | Agreement::ENTITY);
    let mut scene = Scene::default();
    let mut counts = BTreeMap::new();
    for index in 0..pairing.len() {
        pairing.stage(index, settings, &mut scene);
        let labels = |said: &SpanAnnotation| facet.labels_in(&scene, &scene.gold, &said.item);
        for mention in Matcher::new(settings, criteria).mentions(&scene).gold {
            let said = || mention.annotations.iter();
            let all: BTreeSet<String> = said().flat_map(labels).collect();
            let right = said().filter(|said| said.met.is_some());
            let right: BTreeSet<String> = right.flat_map(labels).collect();
            for label in &all {
                let is_right = right.contains(label);
                for by in right.iter().filter(|by| !is_right || *by == label) {
                    *counts.entry((label.clone(), by.clone())).or_default() += 1;
                }
            }
        }
    }
    counts
}

/// How often each finding occurs.
pub fn counts(incidents: &[Incident]) -> BTreeMap<Finding, usize> {
    let mut counts = BTreeMap::new();
    for incident in incidents {
        *counts.entry(incident.finding).or_default() += 1;
    }
    counts
}

/// What `neleval analyze --summary` prints.
pub fn neleval(counts: &BTreeMap<Finding, usize>) -> String {
    let mut rows: Vec<(Finding, usize)> =
        counts.iter().map(|(&finding, &count)| (finding, count)).collect();
    rows.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    rows.iter().map(|(finding, count)| format!("{count}\t{}\n", finding.name())).collect()
}
