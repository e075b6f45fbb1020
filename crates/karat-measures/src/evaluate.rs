//! Scoring one system against gold: every document once, all measures at once.

use crate::measure::{Compute, CorpusMeasure, DocumentMeasure, Gathered, Scores};
use crate::name::Average;
use crate::preset::{Convention, Grouping};
use crate::score::Zero;
use crate::select::{Measure, Selection, Wanted};
use crate::threshold::evaluate_at_best;
use karat_facets::{Facet, Labels, UNLABELLED};
use karat_match::{Case, Item, Outcome, Pairing, Scene, Settings, Side};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is to be computed, and how.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Everything that decides a number.
    pub convention: Convention,
    /// The measures.
    pub selection: Selection,
    /// What results are sliced by; each entry is one facet or a combination of several.
    pub facets: Vec<Vec<Arc<dyn Facet>>>,
    /// How many threads; 0 for all cores. No score depends on it.
    pub threads: usize,
    /// Whether the counts of each document are kept.
    pub keep_documents: bool,
}

impl Plan {
    /// These measures under this convention, not sliced.
    pub fn new(convention: Convention, selection: Selection) -> Plan {
        Plan { convention, selection, facets: Vec::new(), threads: 0, keep_documents: false }
    }
}

/// How one system did.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// A result for each measure of the plan.
    pub results: Vec<Result>,
    /// The same for the parts of the corpus.
    pub slices: Vec<Slice>,
}

/// A part of the corpus that shares a label.
#[derive(Debug, Clone)]
pub struct Slice {
    /// The facet, or several joined by `+`.
    pub facet: String,
    /// The label.
    pub label: String,
    /// How many gold mentions carry the label.
    pub gold: usize,
    /// A result for each measure of the plan.
    pub results: Vec<Result>,
}

/// What one measure says.
#[derive(Debug, Clone)]
pub struct Result {
    /// The names of the counts.
    pub columns: &'static [&'static str],
    /// The counts of all documents together.
    pub counts: Vec<f64>,
    /// The scores of these counts.
    pub micro: Scores,
    /// The mean over documents, for measures of documents.
    pub macro_: Option<MacroScores>,
    /// The counts of each document, if the plan keeps them: one row after the other.
    pub documents: Option<Vec<f64>>,
    /// The threshold on confidence that was chosen on this very data; `None` if none was, or if
    /// keeping everything was best. Numbers with a threshold are an upper bound: show them as such.
    pub threshold: Option<f64>,
}

impl Result {
    /// What was asked for: a score or a count.
    pub fn wanted(&self, wanted: &Wanted) -> Option<f64> {
        let name = wanted.score.as_deref().unwrap_or("f1");
        let scores = match (wanted.average, &self.macro_) {
            (Average::Macro, Some(means)) => &means.scores,
            _ => &self.micro,
        };
        let column = if name == "tp" { "ptp" } else { name };
        let count = || self.columns.iter().position(|known| *known == column);
        match scores.get(name) {
            Some(score) => score,
            None => self.counts.get(count()?).copied(),
        }
    }
}

/// Scores averaged over documents.
#[derive(Debug, Clone)]
pub struct MacroScores {
    /// The means; a document where a score is undefined is left out of it.
    pub scores: Scores,
    /// How many documents each mean is over.
    pub documents: Vec<usize>,
}

/// Scores a system.
pub fn evaluate(pairing: &Pairing<'_>, plan: &Plan) -> Evaluation {
    if plan.convention.oracle {
        return evaluate_at_best(pairing, plan);
    }
    let layout = Layout::new(plan);
    // The size is fixed so that the parts, and with them every sum, are the same
    // whatever the number of threads.
    const DOCUMENTS: usize = 256;
    let starts: Vec<usize> = (0..pairing.len()).step_by(DOCUMENTS).collect();
    let part = |&start: &usize| {
        let mut part = Part::new(&layout);
        let mut scene = Scene::default();
        for index in start..(start + DOCUMENTS).min(pairing.len()) {
            part.document(pairing, index, &layout, &mut scene);
        }
        part
    };
    let parts: Vec<Part> = in_parallel(plan.threads, &starts, part);
    let mut whole = Part::new(&layout);
    for part in parts {
        whole.append(part);
    }
    whole.finish(&layout)
}

/// Maps every input, on so many threads, in order.
pub(crate) fn in_parallel<I: Sync, O: Send>(
    threads: usize,
    inputs: &[I],
    work: impl Fn(&I) -> O + Sync + Send,
) -> Vec<O> {
    if threads == 1 || inputs.len() == 1 {
        return inputs.iter().map(work).collect();
    }
    let parallel = || inputs.par_iter().map(&work).collect();
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) if threads > 0 => pool.install(parallel),
        // A machine that cannot start the threads asked for uses those it has.
        _ => parallel(),
    }
}

/// Where the counts of each measure are in a row, and which measures share a scene.
struct Layout<'p> {
    plan: &'p Plan,
    stages: Vec<Stage<'p>>,
    /// Where the counts of each measure are, in the order of the plan.
    seats: Vec<Seat>,
    width: usize,
    /// One for each thing that corpus measures gather.
    gathers: usize,
}

/// Measures that see the same scene.
struct Stage<'p> {
    settings: &'p Settings,
    documents: Vec<(&'p dyn DocumentMeasure, std::ops::Range<usize>)>,
    corpus: Vec<(&'p dyn CorpusMeasure, usize)>,
}

/// Where a measure's counts are.
#[derive(Clone)]
enum Seat {
    Row(std::ops::Range<usize>),
    Gathered(usize),
}

impl<'p> Layout<'p> {
    fn new(plan: &'p Plan) -> Layout<'p> {
        let mut layout =
            Layout { plan, stages: Vec::new(), seats: Vec::new(), width: 0, gathers: 0 };
        let mut purposes = Vec::new();
        for measure in &plan.selection.measures {
            let stage = match layout.stages.iter().position(|s| *s.settings == measure.settings) {
                Some(known) => known,
                None => {
                    let (documents, corpus) = (Vec::new(), Vec::new());
                    layout.stages.push(Stage { settings: &measure.settings, documents, corpus });
                    layout.stages.len() - 1
                }
            };
            let seat = layout.seat(measure, stage, &mut purposes);
            layout.seats.push(seat.clone());
            match (seat, &measure.compute) {
                (Seat::Row(range), Compute::Documents(compute)) => {
                    layout.stages[stage].documents.push((compute.as_ref(), range));
                }
                (Seat::Gathered(index), Compute::Corpus(compute)) => {
                    let known =
                        layout.stages[stage].corpus.iter().any(|(_, other)| *other == index);
                    if !known {
                        layout.stages[stage].corpus.push((compute.as_ref(), index));
                    }
                }
                _ => {}
            }
        }
        layout.gathers = purposes.len();
        layout
    }

    /// Gives a measure its place.
    fn seat(
        &mut self,
        measure: &Measure,
        stage: usize,
        purposes: &mut Vec<(usize, String)>,
    ) -> Seat {
        match &measure.compute {
            Compute::Documents(compute) => {
                let start = self.width;
                self.width += compute.columns().len();
                Seat::Row(start..self.width)
            }
            Compute::Corpus(compute) => {
                let purpose = (stage, compute.purpose());
                let known = purposes.iter().position(|known| *known == purpose);
                Seat::Gathered(known.unwrap_or_else(|| {
                    purposes.push(purpose);
                    purposes.len() - 1
                }))
            }
        }
    }
}

/// What was counted in some documents.
#[derive(Default)]
struct Part {
    tally: Tally,
    rows: Vec<f64>,
    slices: Vec<BTreeMap<String, Tally>>,
}

/// Counts of the whole corpus, or of a slice.
#[derive(Default)]
struct Tally {
    gold: usize,
    counts: Vec<f64>,
    means: Vec<Means>,
    gathered: Vec<Gathered>,
}

impl Tally {
    fn new(layout: &Layout<'_>) -> Tally {
        Tally {
            gold: 0,
            counts: vec![0.0; layout.width],
            means: Vec::new(),
            gathered: (0..layout.gathers).map(|_| Gathered::default()).collect(),
        }
    }

    /// Adds the counts of one document.
    fn add_row(&mut self, row: &[f64], layout: &Layout<'_>) {
        for (count, more) in self.counts.iter_mut().zip(row) {
            *count += more;
        }
        let measures = layout.stages.iter().flat_map(|stage| &stage.documents);
        for (index, (measure, range)) in measures.enumerate() {
            let scores = measure.scores(&row[range.clone()], layout.plan.convention.zero);
            if self.means.len() <= index {
                self.means.push(Means::default());
            }
            self.means[index].add(&scores);
        }
    }

    fn append(&mut self, later: Tally) {
        self.gold += later.gold;
        for (count, more) in self.counts.iter_mut().zip(&later.counts) {
            *count += more;
        }
        self.means.resize_with(self.means.len().max(later.means.len()), Means::default);
        for (means, later) in self.means.iter_mut().zip(later.means) {
            means.append(later);
        }
        for (gathered, later) in self.gathered.iter_mut().zip(later.gathered) {
            gathered.append(later);
        }
    }
}

impl Part {
    fn new(layout: &Layout<'_>) -> Part {
        let slices = layout.plan.facets.iter().map(|_| BTreeMap::new()).collect();
        Part { tally: Tally::new(layout), rows: Vec::new(), slices }
    }

    fn document<'a>(
        &mut self,
        pairing: &Pairing<'a>,
        index: usize,
        layout: &Layout<'_>,
        scene: &mut Scene<'a>,
    ) {
        let mut row = vec![0.0; layout.width];
        for stage in &layout.stages {
            pairing.stage(index, stage.settings, scene);
            count(stage, scene, &mut row, &mut self.tally.gathered);
            for (facets, slices) in layout.plan.facets.iter().zip(&mut self.slices) {
                slice(stage, scene, facets, layout, slices);
            }
        }
        for (facets, slices) in layout.plan.facets.iter().zip(&mut self.slices) {
            for item in &scene.gold.items {
                for label in labels_of_item(facets, &scene.gold, item) {
                    if let Some(tally) = slices.get_mut(&label) {
                        tally.gold += 1;
                    }
                }
            }
        }
        self.tally.add_row(&row, layout);
        if layout.plan.keep_documents {
            self.rows.extend(row);
        }
    }

    fn append(&mut self, later: Part) {
        self.tally.append(later.tally);
        self.rows.extend(later.rows);
        for (slices, later) in self.slices.iter_mut().zip(later.slices) {
            for (label, tally) in later {
                match slices.entry(label) {
                    std::collections::btree_map::Entry::Vacant(entry) => {
                        entry.insert(tally);
                    }
                    std::collections::btree_map::Entry::Occupied(mut entry) => {
                        entry.get_mut().append(tally);
                    }
                }
            }
        }
    }

    fn finish(self, layout: &Layout<'_>) -> Evaluation {
        let plan = layout.plan;
        let mut results = results(&self.tally, layout);
        if plan.keep_documents {
            for (result, seat) in results.iter_mut().zip(&layout.seats) {
                if let Seat::Row(range) = seat {
                    let rows = self.rows.chunks_exact(layout.width.max(1));
                    result.documents =
                        Some(rows.flat_map(|row| row[range.clone()].to_vec()).collect());
                }
            }
        }
        let slices = plan.facets.iter().zip(self.slices).flat_map(|(facets, slices)| {
            let names: Vec<&str> = facets.iter().map(|facet| facet.name()).collect();
            let facet = names.join("+");
            slices.into_iter().map(move |(label, tally)| Slice {
                facet: facet.clone(),
                label,
                gold: tally.gold,
                results: self::results(&tally, layout),
            })
        });
        Evaluation { results, slices: slices.collect() }
    }
}

/// Counts a scene for all measures of a stage.
fn count(stage: &Stage<'_>, scene: &Scene<'_>, row: &mut [f64], gathered: &mut [Gathered]) {
    for (measure, range) in &stage.documents {
        measure.tally(stage.settings, scene, &mut row[range.clone()]);
    }
    for (measure, index) in &stage.corpus {
        measure.gather(stage.settings, scene, &mut gathered[*index]);
    }
}

/// Counts a scene once more for each label in it.
fn slice<'a>(
    stage: &Stage<'_>,
    scene: &Scene<'a>,
    facets: &[Arc<dyn Facet>],
    layout: &Layout<'_>,
    slices: &mut BTreeMap<String, Tally>,
) {
    let mut rows: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut divided = Vec::new();
    for (measure, range) in &stage.documents {
        let cases = match layout.plan.convention.grouping {
            Grouping::Cases => measure.cases(stage.settings, scene),
            Grouping::Sides => None,
        };
        match cases {
            Some(cases) => {
                for case in cases.iter().filter(|case| case.outcome != Outcome::Ignored) {
                    for label in labels_of_case(facets, scene, case) {
                        let row = rows.entry(label).or_insert_with(|| vec![0.0; layout.width]);
                        measure.add(case, &mut row[range.clone()]);
                    }
                }
            }
            None => divided.push((*measure, range.clone())),
        }
    }
    let divided =
        Stage { settings: stage.settings, documents: divided, corpus: stage.corpus.clone() };
    if !divided.documents.is_empty() || !divided.corpus.is_empty() {
        for (label, part) in divide(scene, facets) {
            let row = rows.entry(label.clone()).or_insert_with(|| vec![0.0; layout.width]);
            let tally = slices.entry(label).or_insert_with(|| Tally::new(layout));
            count(&divided, &part, row, &mut tally.gathered);
        }
    }
    for (label, row) in rows {
        slices.entry(label).or_insert_with(|| Tally::new(layout)).add_row(&row, layout);
    }
}

/// The labels of a case, for all combinations of the facets.
fn labels_of_case(facets: &[Arc<dyn Facet>], scene: &Scene<'_>, case: &Case) -> Labels {
    combined(facets.iter().map(|facet| {
        let labels = facet.labels_of_case(scene, case);
        match (labels.is_empty(), case.gold, case.system) {
            // A prediction that its system says nothing about may still lie on a gold mention.
            (true, None, Some(system)) => {
                let span = scene.system.items[system as usize].span;
                let gold = scene.gold.items.iter().find(|item| item.span == span);
                gold.map(|gold| facet.labels(&scene.gold, gold)).unwrap_or_default()
            }
            _ => labels,
        }
    }))
}

fn labels_of_item(facets: &[Arc<dyn Facet>], side: &Side<'_>, item: &Item) -> Labels {
    combined(facets.iter().map(|facet| facet.labels(side, item)))
}

/// Every combination of one label of each; what has none is labelled as such.
fn combined(labels: impl Iterator<Item = Labels>) -> Labels {
    let mut all: Labels = vec![String::new()];
    for labels in labels {
        let labels = if labels.is_empty() { vec![UNLABELLED.to_owned()] } else { labels };
        all = all
            .iter()
            .flat_map(|before| {
                labels.iter().map(move |label| match before.as_str() {
                    "" => label.clone(),
                    before => format!("{before}+{label}"),
                })
            })
            .collect();
    }
    all
}

/// A scene for each label, of the items that carry it.
fn divide<'a>(scene: &Scene<'a>, facets: &[Arc<dyn Facet>]) -> BTreeMap<String, Scene<'a>> {
    let label_side = |side: &Side<'a>| -> Vec<Labels> {
        side.items.iter().map(|item| labels_of_item(facets, side, item)).collect()
    };
    let (gold, system) = (label_side(&scene.gold), label_side(&scene.system));
    let mut names: Vec<&String> = gold.iter().chain(&system).flatten().collect();
    names.sort_unstable();
    names.dedup();
    let keeping = |label: &String| {
        scene.keeping(|at| gold[at].contains(label), |at| system[at].contains(label))
    };
    names.into_iter().map(|label| (label.clone(), keeping(label))).collect()
}

/// Scores of everything that was counted.
fn results(tally: &Tally, layout: &Layout<'_>) -> Vec<Result> {
    let zero = layout.plan.convention.zero;
    let means = MeansOf::new(tally, layout);
    let measures = layout.plan.selection.measures.iter().zip(&layout.seats);
    measures
        .map(|(measure, seat)| match (&measure.compute, seat) {
            (Compute::Documents(compute), Seat::Row(range)) => {
                let macro_ = means.of(range);
                let counts = tally.counts[range.clone()].to_vec();
                let micro = compute.scores(&counts, zero);
                Result {
                    columns: compute.columns(),
                    counts,
                    micro,
                    macro_,
                    documents: None,
                    threshold: None,
                }
            }
            (Compute::Corpus(compute), Seat::Gathered(index)) => {
                whole(compute.as_ref(), &tally.gathered[*index], zero)
            }
            // A seat is made from its measure: these two never differ.
            _ => Result {
                columns: &[],
                counts: Vec::new(),
                micro: Scores::default(),
                macro_: None,
                documents: None,
                threshold: None,
            },
        })
        .collect()
}

fn whole(compute: &dyn CorpusMeasure, gathered: &Gathered, zero: Zero) -> Result {
    let counts = compute.total(gathered);
    let micro = compute.scores(&counts, zero);
    Result {
        columns: compute.columns(),
        counts,
        micro,
        macro_: None,
        documents: None,
        threshold: None,
    }
}

/// The means of a tally by where their measures sit.
struct MeansOf<'t> {
    by_start: BTreeMap<usize, &'t Means>,
}

impl<'t> MeansOf<'t> {
    fn new(tally: &'t Tally, layout: &Layout<'_>) -> MeansOf<'t> {
        let measures = layout.stages.iter().flat_map(|stage| &stage.documents);
        let by_start = measures.zip(&tally.means).map(|((_, range), means)| (range.start, means));
        MeansOf { by_start: by_start.collect() }
    }

    fn of(&self, range: &std::ops::Range<usize>) -> Option<MacroScores> {
        self.by_start.get(&range.start).map(|means| means.scores())
    }
}

/// Sums of scores over documents, in fixed point: no order of documents, and no
/// number of threads, changes a digit.
#[derive(Debug, Default, Clone)]
struct Means {
    names: Vec<&'static str>,
    sums: Vec<i128>,
    documents: Vec<usize>,
}

/// As fine as the numbers of documents are: scores lie between 0 and 1.
const UNIT: f64 = (1u64 << 53) as f64;

impl Means {
    fn add(&mut self, scores: &Scores) {
        if self.names.is_empty() {
            self.names = scores.names().collect();
            self.sums = vec![0; self.names.len()];
            self.documents = vec![0; self.names.len()];
        }
        for (index, (_, value)) in scores.iter().enumerate() {
            if let Some(value) = value {
                self.sums[index] += (value * UNIT).round() as i128;
                self.documents[index] += 1;
            }
        }
    }

    fn append(&mut self, later: Means) {
        if self.names.is_empty() {
            *self = later;
            return;
        }
        for (sum, more) in self.sums.iter_mut().zip(later.sums) {
            *sum += more;
        }
        for (count, more) in self.documents.iter_mut().zip(later.documents) {
            *count += more;
        }
    }

    fn scores(&self) -> MacroScores {
        let mean = |index: usize| match self.documents[index] {
            0 => None,
            count => Some(self.sums[index] as f64 / UNIT / count as f64),
        };
        let scores = Scores::new(self.names.iter().enumerate().map(|(at, name)| (*name, mean(at))));
        MacroScores { scores, documents: self.documents.clone() }
    }
}
