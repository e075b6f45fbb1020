//! Counting documents, and putting counts together.

use super::layout::{Layout, Seat, Stage};
use super::means::Means;
use super::parts::annotations_by_label;
use super::slices::{Rows, joined, labels_of_item, slice, taken_apart};
use super::{Evaluation, MacroScores, Result, Slice, in_parallel};
use crate::measure::{Compute, CorpusMeasure, Gathered, Scores};
use crate::preset::Grouping;
use crate::score::Zero;
use karat_facets::{Facet, order};
use karat_match::{Item, Pairing, Scene};
use karat_model::hash_of;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;
use std::sync::Arc;

/// What was counted in some documents.
#[derive(Default)]
pub(super) struct Part {
    pub(super) tally: Tally,
    /// The documents, by a hash of their names.
    pub(super) documents: Vec<u64>,
    pub(super) slices: Vec<BTreeMap<String, Tally>>,
}

/// Counts of the whole corpus, or of a slice.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) gold: usize,
    pub(super) counts: Vec<f64>,
    pub(super) means: Vec<Means>,
    pub(super) gathered: Vec<Gathered>,
    /// The rows of single documents, if the plan keeps them.
    pub(super) rows: Vec<f64>,
    /// Which documents these are.
    pub(super) documents: Vec<u32>,
}

impl Tally {
    pub(super) fn new(layout: &Layout<'_>) -> Tally {
        Tally {
            gold: 0,
            counts: vec![0.0; layout.width],
            means: Vec::new(),
            gathered: (0..layout.gathers).map(|_| Gathered::default()).collect(),
            rows: Vec::new(),
            documents: Vec::new(),
        }
    }

    /// A part that nothing is in, with means over no documents.
    fn of_nothing(facets: &[Arc<dyn Facet>], layout: &Layout<'_>) -> Tally {
        let mut tally = Tally::new(layout);
        for (measure, range) in layout.stages.iter().flat_map(|stage| &stage.documents) {
            let counts = &mut tally.counts[range.clone()];
            if layout.grouping(facets) == Grouping::Annotations {
                measure.forget_in_part(counts);
            }
            let scores = measure.scores(counts, layout.plan.convention.zero);
            tally.means.push(Means::of_nothing(&scores));
        }
        tally
    }

    /// Adds the counts of the document at this place.
    pub(super) fn add_row(&mut self, document: usize, row: &[f64], layout: &Layout<'_>) {
        if layout.plan.keep_documents {
            self.rows.extend_from_slice(row);
            self.documents.push(document as u32);
        }
        for (count, more) in self.counts.iter_mut().zip(row) {
            *count += more;
        }
        let measures = layout.stages.iter().flat_map(|stage| &stage.documents);
        for (index, (measure, range)) in measures.enumerate() {
            if self.means.len() <= index {
                self.means.push(Means::default());
            }
            let zero = layout.plan.convention.zero;
            self.means[index].add(*measure, &row[range.clone()], zero);
        }
    }

    /// Some columns of the rows of single documents.
    fn columns(&self, columns: &Range<usize>, layout: &Layout<'_>) -> Vec<f64> {
        let rows = self.rows.chunks_exact(layout.width.max(1));
        rows.flat_map(|row| &row[columns.clone()]).copied().collect()
    }

    /// The same with documents that have so many others before them.
    fn after(mut self, others: usize) -> Tally {
        for document in &mut self.documents {
            *document += others as u32;
        }
        self
    }

    pub(super) fn append(&mut self, later: Tally) {
        self.gold += later.gold;
        self.rows.extend(later.rows);
        self.documents.extend(later.documents);
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
    pub(super) fn new(layout: &Layout<'_>) -> Part {
        let slices = layout.plan.facets.iter().map(|_| BTreeMap::new()).collect();
        Part { tally: Tally::new(layout), documents: Vec::new(), slices }
    }

    pub(super) fn document<'a>(
        &mut self,
        pairing: &Pairing<'a>,
        index: usize,
        layout: &Layout<'_>,
        scene: &mut Scene<'a>,
    ) {
        let mut row = vec![0.0; layout.width];
        let mut rows: Vec<Rows> = vec![Rows::new(); layout.plan.facets.len()];
        let mut gold = Vec::new();
        for stage in &layout.stages {
            pairing.stage(index, stage.settings, scene);
            count(stage, scene, &mut row, &mut self.tally.gathered);
            // A slice sees only some mentions of a document. Whether one is the first of its entity
            // must be decided by all of them, before they are divided.
            if !layout.plan.facets.is_empty() {
                scene.remember_firsts();
            }
            let parts = rows.iter_mut().zip(&mut self.slices);
            for (facets, (rows, slices)) in layout.plan.facets.iter().zip(parts) {
                slice(stage, scene, facets, layout, rows, slices);
            }
            // Labels of gold do not depend on the settings of a stage, so the first stage is
            // enough.
            if gold.is_empty() {
                gold = layout
                    .plan
                    .facets
                    .iter()
                    .map(|facets| gold_labels(scene, facets, layout))
                    .collect();
            }
        }
        let document = self.documents.len();
        for ((slices, rows), gold) in self.slices.iter_mut().zip(rows).zip(gold) {
            for (label, row) in rows {
                let tally = slices.entry(label).or_insert_with(|| Tally::new(layout));
                tally.add_row(document, &row, layout);
            }
            for (label, mentions) in gold {
                // What went wrong labels cases: no mention carries such a label by itself.
                if let Some(tally) = slices.get_mut(&label) {
                    tally.gold += mentions;
                }
            }
        }
        self.tally.add_row(document, &row, layout);
        // Names are not kept: documents of several systems are lined up by a hash, eight bytes
        // each.
        if layout.plan.keep_documents {
            self.documents.push(hash_of(pairing.name(index).as_bytes()));
        }
    }

    /// Takes over what measures of a whole corpus took down in later parts, which is most of what there
    /// is to take over: what one of them needs on one thread, what the next needs on another.
    pub(super) fn take_notes(&mut self, later: &mut [Part]) {
        let mut notes: Vec<(&mut Gathered, Vec<Gathered>)> =
            self.tally.gathered.iter_mut().map(|all| (all, Vec::new())).collect();
        for part in later {
            for ((_, later), gathered) in notes.iter_mut().zip(&mut part.tally.gathered) {
                later.push(std::mem::take(gathered));
            }
        }
        notes.into_par_iter().for_each(|(all, later)| {
            later.into_iter().for_each(|gathered| all.append(gathered));
        });
    }

    pub(super) fn append(&mut self, later: Part) {
        let before = self.documents.len();
        self.documents.extend(later.documents);
        self.tally.append(later.tally.after(before));
        for (slices, later) in self.slices.iter_mut().zip(later.slices) {
            for (label, tally) in later {
                match slices.entry(label) {
                    Entry::Vacant(entry) => {
                        entry.insert(tally.after(before));
                    }
                    Entry::Occupied(mut entry) => {
                        entry.get_mut().append(tally.after(before));
                    }
                }
            }
        }
    }

    pub(super) fn finish(self, layout: &Layout<'_>) -> Evaluation {
        let slices = layout.plan.facets.iter().zip(self.slices).flat_map(|(facets, slices)| {
            let names: Vec<&str> = facets.iter().map(|facet| facet.name()).collect();
            let facet = names.join("+");
            let labels =
                |label: String| -> Vec<String> { taken_apart(&label).map(str::to_owned).collect() };
            let slices = completed(slices, facets, layout).into_iter();
            let mut slices: Vec<(Vec<String>, Tally)> =
                slices.map(|(label, tally)| (labels(label), tally)).collect();
            // Category tags are in the order of their table, which is not that of letters.
            slices.sort_by(|(a, _), (b, _)| order(&a.join("+")).cmp(&order(&b.join("+"))));
            slices.into_iter().map(move |(labels, tally)| Slice {
                facet: facet.clone(),
                label: joined(labels.iter().map(String::as_str)),
                labels,
                gold: tally.gold,
                // There may be very many, and little of each.
                results: self::results(&tally, layout, 1),
                documents: tally.documents,
            })
        });
        Evaluation {
            results: results(&self.tally, layout, layout.plan.threads),
            slices: slices.collect(),
            documents: self.documents,
        }
    }
}

/// The slices of a facet, with those that nothing is in where it is known which there are.
fn completed(
    mut slices: BTreeMap<String, Tally>,
    facets: &[Arc<dyn Facet>],
    layout: &Layout<'_>,
) -> Vec<(String, Tally)> {
    let groups = match facets {
        [facet] => facet.vocabulary(),
        _ => Vec::new(),
    };
    for group in groups {
        // Empty categories are shown only where the vocabulary is in use at all: a corpus without
        // tags must not list twenty-two rows of nothing.
        let occurs = |label: &&str| slices.get(*label).is_some_and(|tally| tally.gold > 0);
        if group.iter().any(occurs) {
            for label in group {
                slices.entry(label.to_owned()).or_insert_with(|| Tally::of_nothing(facets, layout));
            }
        }
    }
    slices.into_iter().collect()
}

/// How many gold mentions carry each label.
fn gold_labels(
    scene: &Scene<'_>,
    facets: &[Arc<dyn Facet>],
    layout: &Layout<'_>,
) -> BTreeMap<String, usize> {
    if layout.grouping(facets) == Grouping::Annotations {
        let spans = |annotations: Vec<Item>| annotations.chunk_by(|a, b| a.span == b.span).count();
        let by_label = annotations_by_label(scene, facets).into_iter();
        return by_label.map(|(label, annotations)| (label, spans(annotations))).collect();
    }
    let mut labels = BTreeMap::new();
    for item in &scene.gold.items {
        for label in labels_of_item(facets, scene, &scene.gold, item) {
            *labels.entry(label).or_default() += 1;
        }
    }
    labels
}

/// Counts a scene for all measures of a stage.
pub(super) fn count(
    stage: &Stage<'_>,
    scene: &Scene<'_>,
    row: &mut [f64],
    gathered: &mut [Gathered],
) {
    for (measure, range) in &stage.documents {
        measure.tally(stage.settings, scene, &mut row[range.clone()]);
    }
    for (measure, index) in &stage.corpus {
        measure.gather(stage.settings, scene, &mut gathered[*index]);
    }
}

/// Scores of everything that was counted.
pub(super) fn results(tally: &Tally, layout: &Layout<'_>, threads: usize) -> Vec<Result> {
    let zero = layout.plan.convention.zero;
    let means = MeansOf::new(tally, layout);
    // What several measures need comes first, a table on each thread; then each has its own.
    in_parallel(threads, &tally.gathered, |gathered| _ = gathered.contingency());
    let measures: Vec<_> = layout.plan.selection.measures.iter().zip(&layout.seats).collect();
    in_parallel(threads, &measures, |(measure, seat)| {
        match (&measure.compute, seat) {
            (Compute::Documents(compute), Seat::Row(range)) => {
                let macro_ = means.of(range);
                let counts = tally.counts[range.clone()].to_vec();
                let micro = compute.scores(&counts, zero);
                let documents = layout.plan.keep_documents.then(|| tally.columns(range, layout));
                Result {
                    columns: compute.columns(),
                    counts,
                    micro,
                    macro_,
                    documents,
                    threshold: None,
                    curve: None,
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
                curve: None,
            },
        }
    })
}

pub(super) fn whole(compute: &dyn CorpusMeasure, gathered: &Gathered, zero: Zero) -> Result {
    let counts = compute.total(gathered);
    let micro = compute.scores(&counts, zero);
    Result {
        columns: compute.columns(),
        counts,
        micro,
        macro_: None,
        documents: None,
        threshold: None,
        curve: compute.curve(gathered),
    }
}

/// The means of a tally by where their measures sit.
pub(super) struct MeansOf<'t> {
    by_start: BTreeMap<usize, &'t Means>,
}

impl<'t> MeansOf<'t> {
    pub(super) fn new(tally: &'t Tally, layout: &Layout<'_>) -> MeansOf<'t> {
        let measures = layout.stages.iter().flat_map(|stage| &stage.documents);
        let by_start = measures.zip(&tally.means).map(|((_, range), means)| (range.start, means));
        MeansOf { by_start: by_start.collect() }
    }

    pub(super) fn of(&self, range: &std::ops::Range<usize>) -> Option<MacroScores> {
        self.by_start.get(&range.start).map(|means| means.scores())
    }
}
