//! What systems answered to the queries of a test collection, one by one.

use karat_kb::Identity;
use karat_match::{Pairing, Scene, Settings};
use karat_measures::{Compute, Convention, QUERY};
use karat_model::{Corpus, Watch};
use karat_stats::collection::{Answers, Cells};
use std::collections::HashMap;

/// The queries of a gold standard, and the answers of several systems.
#[derive(Debug, Clone)]
pub struct Queries {
    /// Where the queries are: documents in the order of gold, mentions in the order of the text.
    pub places: Vec<QueryPlace>,
    /// What became of them, in the same order.
    pub answers: Answers,
}

/// Where a query is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct QueryPlace {
    /// The position of its document in gold.
    pub document: u32,
    /// The position of its mention among the annotations of the document.
    pub annotation: u32,
    /// Whether the gold answer is an entity.
    pub linked: bool,
}

/// The cell of each query that a system met.
type Met = HashMap<(u32, u32), u8>;

impl Queries {
    /// Asks systems the queries of gold: each gold mention is one.
    pub fn new(
        gold: &Corpus,
        systems: &[&Corpus],
        identity: &Identity,
        settings: &Settings,
        watch: &Watch,
    ) -> Queries {
        let nobody = Corpus::default();
        // Asked of nobody first: the queries are the same for all systems, whatever these say.
        let (places, _) = ask(gold, &nobody, identity, settings, watch);
        let met: Vec<Met> =
            systems.iter().map(|system| ask(gold, system, identity, settings, watch).1).collect();
        let mut answers = Answers::new(systems.len());
        for place in &places {
            let cell = |met: &Met| met.get(&(place.document, place.annotation)).copied();
            let cells: Vec<u8> =
                met.iter().map(|met| cell(met).unwrap_or(no_answer(place))).collect();
            answers.push(place.document, &cells);
        }
        Queries { places, answers }
    }

    /// How one system did.
    pub fn cells(&self, system: usize) -> Cells {
        self.answers.cells(system)
    }
}

/// No answer is the answer NIL.
fn no_answer(place: &QueryPlace) -> u8 {
    if place.linked { 2 } else { 3 }
}

fn ask(
    gold: &Corpus,
    system: &Corpus,
    identity: &Identity,
    settings: &Settings,
    watch: &Watch,
) -> (Vec<QueryPlace>, Met) {
    let (mut places, mut met) = (Vec::new(), Met::new());
    // It is a measure of documents, whatever the convention.
    let Compute::Documents(measure) = QUERY.plain(&Convention::default()) else {
        return (places, met);
    };
    let pairing = Pairing::new(gold, system, identity).watched(watch);
    let mut scene = Scene::default();
    for (at, place) in pairing.places().iter().enumerate() {
        // Documents of gold come first.
        let Some(document) = place.gold else { break };
        watch.advance(1);
        pairing.stage(at, settings, &mut scene);
        for case in measure.cases(settings, &scene).unwrap_or_default() {
            let Some(item) = case.gold.and_then(|gold| scene.gold.items.get(gold as usize)) else {
                continue;
            };
            let linked = item.link.entity().is_some();
            places.push(QueryPlace { document, annotation: item.index, linked });
            let mut cells = [0.0; 5];
            measure.add(&scene, &case, &mut cells);
            let cell = cells.iter().position(|&count| count > 0.0).unwrap_or_default();
            met.insert((document, item.index), cell as u8);
        }
    }
    (places, met)
}
