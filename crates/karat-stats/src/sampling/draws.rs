//! Draws, and the sums of what was drawn.

use super::columns::{Columns, Packed};
use crate::packed::Packing;
use crate::{Random, Watching};
use rayon::prelude::*;
use std::ops::Range;

/// What is drawn, how often.
pub(super) struct Draws<'r> {
    pub(super) units: usize,
    pub(super) ranges: &'r [Range<usize>],
    pub(super) trials: usize,
    pub(super) seed: u64,
    pub(super) watching: &'r Watching<'r>,
}

/// What is made of the summed counts of a trial, in the thread that summed them: sums of thousands of
/// trials need not be kept to be looked at once.
pub(super) struct Made<'m> {
    /// How many numbers.
    pub(super) width: usize,
    /// How they are made.
    pub(super) of: &'m Fill<'m>,
}

/// Fills the row of a trial, given its number and its sums.
pub(crate) type Fill<'f> = dyn Fn(usize, &[f64], &mut [f64]) + Sync + 'f;

impl Draws<'_> {
    /// What is made of the sums of each trial, each unit added when it is drawn.
    pub(super) fn packed(&self, columns: &Columns, packed: &Packed, made: &Made<'_>) -> Vec<f64> {
        match packed {
            Packed::One(packing, units) => self.added(columns, *packing, units, made),
            Packed::Two(packing, units) => self.added(columns, *packing, units, made),
            Packed::Three(packing, units) => self.added(columns, *packing, units, made),
            Packed::Four(packing, units) => self.added(columns, *packing, units, made),
        }
    }

    fn added<const WORDS: usize>(
        &self,
        columns: &Columns,
        packing: Packing,
        units: &[[i64; WORDS]],
        made: &Made<'_>,
    ) -> Vec<f64> {
        let mut rows = vec![0.0; self.trials * made.width];
        self.each_trial(
            &mut rows,
            made.width,
            || (vec![0.0; columns.values.len()], vec![0.0; columns.width()]),
            |trial, random, (distinct, sums), row| {
                let mut words = [0; WORDS];
                for range in self.ranges {
                    if let Some(units) = units.get(range.clone()) {
                        words = add_drawn(units, random, words);
                    }
                }
                packing.unpack(&words, distinct);
                columns.fill(sums, |own| distinct[own]);
                (made.of)(trial, sums, row);
            },
        );
        rows
    }

    /// What is made of the sums of each trial: how often each unit was drawn, times what it
    /// counts. Counting first keeps what is touched at random small, whatever the number of columns.
    pub(super) fn counted<C: Sync>(
        &self,
        columns: &Columns,
        distinct: &[Vec<C>],
        dot: impl Fn(&[i16], &[C]) -> f64 + Sync,
        made: &Made<'_>,
    ) -> Vec<f64> {
        let mut rows = vec![0.0; self.trials * made.width];
        self.each_trial(
            &mut rows,
            made.width,
            || (vec![0i16; self.units], vec![0.0; columns.width()]),
            |trial, random, (times, sums), row| {
                self.count(random, times);
                columns.fill(sums, |own| dot(times, &distinct[own]));
                (made.of)(trial, sums, row);
            },
        );
        rows
    }

    /// Gives `work` how often each unit was drawn in a trial, and the row of the trial.
    pub(super) fn each_count(
        &self,
        rows: &mut [f64],
        width: usize,
        work: impl Fn(&[i16], &mut [f64]) + Sync,
    ) {
        self.each_trial(
            rows,
            width,
            || vec![0i16; self.units],
            |_, random, times, row| {
                self.count(random, times);
                work(times, row);
            },
        );
    }

    /// Counts how often each unit is drawn.
    fn count(&self, random: &mut Random, times: &mut [i16]) {
        times.fill(0);
        for range in self.ranges {
            // No unit is drawn 32 768 times: of a million units the most frequent one comes about
            // ten times.
            let times = &mut times[range.clone()];
            random.draw(range.len(), |drawn| {
                drawn.iter().for_each(|&unit| times[unit as usize] += 1);
            });
        }
    }

    /// Gives `work` the number of a trial and its random numbers, what a thread keeps from trial to
    /// trial, and the row of the trial.
    fn each_trial<K>(
        &self,
        rows: &mut [f64],
        width: usize,
        kept: impl Fn() -> K + Sync,
        work: impl Fn(usize, &mut Random, &mut K, &mut [f64]) + Sync,
    ) {
        // A task of some trials costs the scheduler little and leaves work for every core.
        const TRIALS: usize = 32;
        let tasks = rows.par_chunks_mut((TRIALS * width).max(1)).enumerate();
        // One at a time: left to itself, the scheduler gives out quarters, and one core waits for the
        // last.
        tasks.with_max_len(1).for_each(|(task, rows)| {
            if !(self.watching)(rows.len() / width.max(1)) {
                return;
            }
            let mut kept = kept();
            for (within, row) in rows.chunks_exact_mut(width.max(1)).enumerate() {
                let trial = task * TRIALS + within;
                // Keyed by the number of the trial: the digits do not depend on which thread makes
                // it.
                work(trial, &mut Random::new(self.seed, trial as u64), &mut kept, row);
            }
        });
    }
}

/// The sums after as many draws of these units as there are.
#[inline]
fn add_drawn<const WORDS: usize>(
    units: &[[i64; WORDS]],
    random: &mut Random,
    mut words: [i64; WORDS],
) -> [i64; WORDS] {
    random.draw(units.len(), |drawn| words = plus(words, sum(units, drawn)));
    words
}

/// The sum of what was drawn. Sums go in and out by value, so that they stay in registers, and there are two
/// side by side, so that no addition waits for the one before it.
#[inline]
fn sum<const WORDS: usize>(units: &[[i64; WORDS]], drawn: &[u32]) -> [i64; WORDS] {
    let (mut sum, mut other) = ([0; WORDS], [0; WORDS]);
    let (pairs, last) = drawn.as_chunks::<2>();
    for &[first, second] in pairs {
        // What is drawn is below the number of units.
        sum = plus(sum, units[first as usize]);
        other = plus(other, units[second as usize]);
    }
    let last = last.iter().map(|&last| units[last as usize]);
    last.fold(plus(sum, other), plus)
}

#[inline(always)]
fn plus<const WORDS: usize>(sum: [i64; WORDS], words: [i64; WORDS]) -> [i64; WORDS] {
    std::array::from_fn(|at| sum[at] + words[at])
}

pub(super) fn dot_of_integers(times: &[i16], column: &[i16]) -> f64 {
    let products =
        times.iter().zip(column).map(|(&times, &count)| i32::from(times) * i32::from(count));
    f64::from(products.sum::<i32>())
}

pub(super) fn dot(times: &[i16], column: &[f64]) -> f64 {
    times.iter().zip(column).map(|(&times, count)| f64::from(times) * count).sum()
}
