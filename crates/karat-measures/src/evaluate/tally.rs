//! Counting documents, and putting counts together.

use super::layout::{Layout, Seat, Stage};
use super::means::Means;
use super::slices::{Rows, labels_of_item, slice};
use super::{Evaluation, MacroScores, Result, Slice, in_parallel};
use crate::measure::{Compute, CorpusMeasure, Gathered, Scores};
use crate::score::Zero;
use karat_facets::Facet;
use karat_match::{Pairing, Scene};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

/// What was counted in some documents.
#[derive(Default)]
pub(super) struct Part {
    pub(super) tally: Tally,
    pub(super) rows: Vec<f64>,
    pub(super) slices: Vec<BTreeMap<String, Tally>>,
}

/// Counts of the whole corpus, or of a slice.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) gold: usize,
    pub(super) counts: Vec<f64>,
    pub(super) means: Vec<Means>,
    pub(super) gathered: Vec<Gathered>,
}

impl Tally {
    pub(super) fn new(layout: &Layout<'_>) -> Tally {
        Tally {
            gold: 0,
            counts: vec![0.0; layout.width],
            means: Vec::new(),
            gathered: (0..layout.gathers).map(|_| Gathered::default()).collect(),
        }
    }

    /// Adds the counts of one document.
    pub(super) fn add_row(&mut self, row: &[f64], layout: &Layout<'_>) {
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

    pub(super) fn append(&mut self, later: Tally) {
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
    pub(super) fn new(layout: &Layout<'_>) -> Part {
        let slices = layout.plan.facets.iter().map(|_| BTreeMap::new()).collect();
        Part { tally: Tally::new(layout), rows: Vec::new(), slices }
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
            let parts = rows.iter_mut().zip(&mut self.slices);
            for (facets, (rows, slices)) in layout.plan.facets.iter().zip(parts) {
                slice(stage, scene, facets, layout, rows, slices);
            }
            if gold.is_empty() {
                gold = layout.plan.facets.iter().map(|facets| gold_labels(scene, facets)).collect();
            }
        }
        for ((slices, rows), gold) in self.slices.iter_mut().zip(rows).zip(gold) {
            for (label, row) in rows {
                slices.entry(label).or_insert_with(|| Tally::new(layout)).add_row(&row, layout);
            }
            for (label, mentions) in gold {
                // What went wrong labels cases: no mention carries such a label by itself.
                if let Some(tally) = slices.get_mut(&label) {
                    tally.gold += mentions;
                }
            }
        }
        self.tally.add_row(&row, layout);
        if layout.plan.keep_documents {
            self.rows.extend(row);
        }
    }

    pub(super) fn append(&mut self, later: Part) {
        self.tally.append(later.tally);
        self.rows.extend(later.rows);
        for (slices, later) in self.slices.iter_mut().zip(later.slices) {
            for (label, tally) in later {
                match slices.entry(label) {
                    Entry::Vacant(entry) => {
                        entry.insert(tally);
                    }
                    Entry::Occupied(mut entry) => {
                        entry.get_mut().append(tally);
                    }
                }
            }
        }
    }

    pub(super) fn finish(self, layout: &Layout<'_>) -> Evaluation {
        let plan = layout.plan;
        let mut results = results(&self.tally, layout, plan.threads);
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
                // There may be very many, and little of each.
                results: self::results(&tally, layout, 1),
            })
        });
        Evaluation { results, slices: slices.collect() }
    }
}

/// How many gold mentions carry each label.
fn gold_labels(scene: &Scene<'_>, facets: &[Arc<dyn Facet>]) -> BTreeMap<String, usize> {
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
    // What several measures need comes first, on all threads; then each has its own.
    tally.gathered.iter().for_each(|gathered| _ = gathered.contingency());
    let measures: Vec<_> = layout.plan.selection.measures.iter().zip(&layout.seats).collect();
    in_parallel(threads, &measures, |(measure, seat)| {
        match (&measure.compute, seat) {
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
