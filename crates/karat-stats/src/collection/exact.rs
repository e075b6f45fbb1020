//! The exact distribution of the scores after a change.
//!
//! Which queries change is decided in four steps, each a count with known chances: how many gold
//! links, how many of them answered, how many of these right, and how many of the NIL right. All
//! combinations that are likely enough to matter are gone through.

use super::cells::harmonic;
use super::distribution::Distribution;
use super::model::{Each, Model, scores};
use rayon::prelude::*;

/// More combinations than this are not gone through.
const MOST: f64 = 2e8;
/// The steps of a distribution: values closer than this part of the whole range are one step.
const STEPS: usize = 1 << 14;
/// In how many parts the work is cut, on whatever number of threads.
const PARTS: usize = 32;

pub(super) fn distributions(model: &Model) -> Option<Each<Distribution>> {
    let cells = &model.cells;
    let links: Vec<(u64, f64)> =
        model.chances(cells.queries(), cells.links(), model.size()).iter().collect();
    if combinations(model, &links) > MOST {
        return None;
    }
    let from = scores(cells);
    let range = model.extremes();
    let scales = Each {
        precision: Scale::new(from.precision, range.precision.worst, range.precision.best),
        recall: Scale::new(from.recall, range.recall.worst, range.recall.best),
        f1: Scale::new(from.f1, range.f1.worst, range.f1.best),
    };
    let part = links.len().div_ceil(PARTS).max(1);
    let parts: Vec<Each<Sums>> =
        links.par_chunks(part).map(|links| sums(model, &scales, links)).collect();
    let mut total = scales.map(Sums::new);
    // In the order of the parts, so that no digit depends on the threads.
    for part in &parts {
        total.precision.add(&part.precision);
        total.recall.add(&part.recall);
        total.f1.add(&part.f1);
    }
    Some(total.map(|sums| sums.distribution()))
}

/// About how many combinations there are: as many as at the likeliest number of links, for each.
fn combinations(model: &Model, links: &[(u64, f64)]) -> f64 {
    let cells = &model.cells;
    let answered = cells.right_link + cells.wrong_link;
    let likeliest = links.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |&(link, _)| link);
    let given = model.chances(cells.links(), answered, likeliest);
    let right = model.chances(answered, cells.right_link, given.at(0.5));
    let nil = model.chances(cells.nils(), cells.right_nil, model.size() - likeliest);
    [links.len(), given.width(), right.width(), nil.width()]
        .iter()
        .map(|&width| width as f64)
        .product()
}

/// Goes through all combinations with these numbers of links.
fn sums(model: &Model, scales: &Each<Scale>, links: &[(u64, f64)]) -> Each<Sums> {
    let mut sums = scales.map(Sums::new);
    let cells = &model.cells;
    let removal = matches!(model.change, super::CollectionChange::Remove(_));
    let after = |before: u64, changed: u64| match removal {
        true => (before - changed) as f64,
        false => (before + changed) as f64,
    };
    let answered = cells.right_link + cells.wrong_link;
    let queries = model.queries_after() as f64;
    for &(link, chance) in links {
        let nil = model.size() - link;
        let (links_after, nils_after) = (after(cells.links(), link), after(cells.nils(), nil));
        let right_nils = model.chances(cells.nils(), cells.right_nil, nil);
        let rights_of = |given: u64| model.chances(answered, cells.right_link, given);
        for (given, of_given) in model.chances(cells.links(), answered, link).iter() {
            let chance = chance * of_given;
            let rights = rights_of(given);
            let answered_after = after(answered, given);
            let as_nil_after = after(cells.link_as_nil, link - given);
            for (right_nil, of_nil) in right_nils.iter() {
                let chance = chance * of_nil;
                let right_nil_after = after(cells.right_nil, right_nil);
                let linked = answered_after + after(cells.nil_as_link, nil - right_nil);
                let called_nil = right_nil_after + as_nil_after;
                let of_links = if linked > 0.0 { links_after / linked } else { 0.0 };
                let of_nils =
                    if called_nil > 0.0 { nils_after * right_nil_after / called_nil } else { 0.0 };
                // The innermost loop runs up to 2e8 times. Everything that does not depend on
                // `right` is computed outside of it.
                for (right, of_right) in rights.iter() {
                    let right_after = after(cells.right_link, right);
                    let precision = (right_after * of_links + of_nils) / queries;
                    let recall = (right_after + right_nil_after) / queries;
                    let chance = chance * of_right;
                    sums.precision.note(precision, chance);
                    sums.recall.note(recall, chance);
                    sums.f1.note(harmonic(precision, recall), chance);
                }
            }
        }
    }
    sums
}

/// Where the steps of a distribution are.
#[derive(Debug, Clone, Copy)]
struct Scale {
    /// What sums are relative to, so that no digits cancel.
    from: f64,
    worst: f64,
    steps_per_unit: f64,
}

impl Scale {
    fn new(from: f64, worst: f64, best: f64) -> Scale {
        let width = best - worst;
        let steps_per_unit = if width > 0.0 { STEPS as f64 / width } else { 0.0 };
        Scale { from, worst, steps_per_unit }
    }
}

/// Sums over combinations.
#[derive(Debug, Clone)]
struct Sums {
    scale: Scale,
    chance: f64,
    first: f64,
    second: f64,
    /// For each step the chance, and the sum of values, weighted by it.
    steps: Vec<[f64; 2]>,
}

impl Sums {
    fn new(scale: Scale) -> Sums {
        Sums { scale, chance: 0.0, first: 0.0, second: 0.0, steps: vec![[0.0; 2]; STEPS] }
    }

    #[inline]
    fn note(&mut self, score: f64, chance: f64) {
        let value = score - self.scale.from;
        self.chance += chance;
        self.first += chance * value;
        self.second += chance * value * value;
        // A float becomes 0 below and the largest number above.
        let at = ((score - self.scale.worst) * self.scale.steps_per_unit) as usize;
        let step = &mut self.steps[at.min(STEPS - 1)];
        step[0] += chance;
        step[1] += chance * value;
    }

    fn add(&mut self, other: &Sums) {
        self.chance += other.chance;
        self.first += other.first;
        self.second += other.second;
        for (step, [chance, value]) in self.steps.iter_mut().zip(&other.steps) {
            step[0] += chance;
            step[1] += value;
        }
    }

    fn distribution(&self) -> Distribution {
        let mean = self.first / self.chance;
        let variance = (self.second / self.chance - mean * mean).max(0.0);
        let mut upto = 0.0;
        let steps = self.steps.iter().filter(|[chance, _]| *chance > 0.0).map(|[chance, value]| {
            upto += chance / self.chance;
            (self.scale.from + value / chance, upto)
        });
        Distribution::new(self.scale.from + mean, variance.sqrt(), steps.collect())
    }
}

/// The distribution of values with known chances.
pub(super) fn of_points(points: &mut [(f64, f64)]) -> Distribution {
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = points.iter().map(|&(_, chance)| chance).sum();
    let mean = points.iter().map(|&(value, chance)| value * chance).sum::<f64>() / total;
    let squares = points.iter().map(|&(value, chance)| chance * (value - mean).powi(2));
    let deviation = (squares.sum::<f64>() / total).sqrt();
    let mut upto = 0.0;
    let steps = points.iter().map(|&(value, chance)| {
        upto += chance / total;
        (value, upto)
    });
    Distribution::new(mean, deviation, steps.collect())
}

#[cfg(test)]
mod tests {
    use super::super::{Cells, CollectionChange, observed};
    use super::*;

    fn model(counts: [u64; 5], change: CollectionChange) -> Model {
        Model::new(Cells::from_counts(counts), change).expect("possible")
    }

    /// Mean, standard deviation, and the quantiles at .025, .5 and .975.
    fn expect(found: &Distribution, [mean, deviation, low, median, high]: [f64; 5]) {
        assert!((found.mean - mean).abs() < 1e-13, "{} {mean}", found.mean);
        assert!((found.deviation - deviation).abs() < 1e-12, "{} {deviation}", found.deviation);
        for (share, expected) in [(0.025, low), (0.5, median), (0.975, high)] {
            let quantile = found.quantile(share);
            // Steps join values that lie closer than a part in 2^14 of the range.
            assert!((quantile - expected).abs() < 1e-4, "{share}: {quantile} {expected}");
        }
    }

    // The expected values were added up over all outcomes with the chances of scipy 1.17.1:
    // scipy.stats.multivariate_hypergeom.pmf(removed, cells, X) and, for additions,
    // scipy.stats.multinomial.pmf(added, A, cells / N).

    #[test]
    fn removals_are_a_multivariate_hypergeometric() {
        let found =
            model([30, 5, 8, 40, 6], CollectionChange::Remove(10)).exact().expect("few cases");
        expect(
            &found.precision,
            [
                0.7845909671629664,
                0.016061971980622383,
                0.756468125470186,
                0.7830561760569208,
                0.8209276183959728,
            ],
        );
        expect(
            &found.recall,
            [
                0.7865168539325842,
                0.015541070555504943,
                0.759493670886076,
                0.7848101265822784,
                0.8227848101265823,
            ],
        );
        expect(
            &found.f1,
            [
                0.7855522059890344,
                0.015791282409703393,
                0.7579778789974743,
                0.7839321702594033,
                0.8218551650628094,
            ],
        );
        let empty_kind =
            model([3, 0, 4, 5, 2], CollectionChange::Remove(6)).exact().expect("few cases");
        expect(
            &empty_kind.f1,
            [
                0.5866109064586637,
                0.12850446283170833,
                0.3409090909090909,
                0.614406779661017,
                0.796875,
            ],
        );
    }

    #[test]
    fn additions_are_a_multinomial() {
        let found = model([30, 5, 8, 40, 6], CollectionChange::Add(10)).exact().expect("few cases");
        expect(
            &found.f1,
            [
                0.7854976863414904,
                0.013144158362194881,
                0.7562828702548223,
                0.7867753161870809,
                0.8071890468913437,
            ],
        );
    }

    #[test]
    fn the_deviation_of_recall_is_the_closed_form() {
        let cells = Cells::from_totals([1289, 1058, 1019, 1564, 1477]).expect("possible");
        for removed in [1, 10, 100, 200] {
            let model =
                Model::new(cells, CollectionChange::Remove(removed)).expect("some are left");
            let found = model.exact().expect("few enough cases").recall;
            let expected = super::super::deviation_after_removal(&cells, removed).expect("defined");
            assert!((found.deviation - expected).abs() < 1e-12, "{removed}: {found:?}");
            assert!((found.mean - 2496.0 / 2853.0).abs() < 1e-13);
        }
    }

    #[test]
    fn both_simulations_agree_with_the_exact_distribution() {
        for change in [CollectionChange::Remove(50), CollectionChange::Add(80)] {
            let model = model([357, 14, 81, 518, 30], change);
            let exact = model.exact().expect("few cases");
            for simulated in [model.simulate(4000, 1), model.simulate_one_by_one(4000, 2)] {
                let seen = observed(&simulated).expect("4000 draws");
                let distance = exact.f1.distance(&seen.f1);
                // A sample without end is the distribution itself.
                let p =
                    super::super::kolmogorov_smirnov(distance, 4000, usize::MAX).expect("samples");
                assert!(p > 0.01, "{change:?}: distance {distance}, p {p}");
                // Six standard errors.
                let error = 6.0 * exact.f1.deviation / 4000f64.sqrt();
                assert!((seen.f1.mean - exact.f1.mean).abs() < error);
            }
        }
    }

    #[test]
    fn digits_do_not_depend_on_threads() {
        let model = model([357, 14, 81, 518, 30], CollectionChange::Remove(100));
        let run = |threads| {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| model.exact())
        };
        assert_eq!(run(1), run(3));
    }

    #[test]
    fn too_many_cases_are_not_gone_through() {
        let half = model([2_000_000; 5], CollectionChange::Remove(5_000_000));
        assert_eq!(half.exact(), None);
        assert!(half.simulate(3, 1).iter().all(|each| (each.recall - 0.4).abs() < 0.01));
    }

    #[test]
    fn nothing_removed_changes_nothing() {
        let f1 =
            model([30, 5, 8, 40, 6], CollectionChange::Remove(0)).exact().expect("one case").f1;
        assert_eq!((f1.deviation, f1.lowest(), f1.highest()), (0.0, f1.mean, f1.mean));
    }
}
