//! The columns that are summed.

use crate::Counts;
use crate::packed::Packing;

/// The distinct columns of a matrix: most measures have the same hits on both sides, and what is
/// the same need not be summed twice.
pub(super) struct Columns {
    pub(super) values: Vec<Vec<f64>>,
    /// Where the sum of each column of the matrix comes from.
    sources: Vec<Source>,
}

/// Where the sum of a column comes from.
pub(super) enum Source {
    /// It is all nought.
    Nought,
    /// It is the same as that of an earlier column.
    Same(usize),
    /// It is summed, as this one of the distinct columns.
    Own(usize),
}

impl Columns {
    pub(super) fn of(counts: &Counts) -> Columns {
        let mut values: Vec<Vec<f64>> = Vec::new();
        let mut firsts: Vec<usize> = Vec::new();
        let source = |at: usize| {
            let column: Vec<f64> = counts.rows().map(|row| row[at]).collect();
            if column.iter().all(|&value| value == 0.0) {
                return Source::Nought;
            }
            if let Some(known) = values.iter().position(|known| *known == column) {
                return Source::Same(firsts[known]);
            }
            values.push(column);
            firsts.push(at);
            Source::Own(values.len() - 1)
        };
        let sources = (0..counts.width()).map(source).collect();
        Columns { values, sources }
    }

    /// How many columns the matrix has.
    pub(super) fn width(&self) -> usize {
        self.sources.len()
    }

    /// Fills a row from the sums of the distinct columns.
    pub(super) fn fill(&self, row: &mut [f64], sum: impl Fn(usize) -> f64) {
        for (at, source) in self.sources.iter().enumerate() {
            row[at] = match *source {
                Source::Nought => 0.0,
                Source::Same(before) => row[before],
                Source::Own(own) => sum(own),
            };
        }
    }

    /// The columns in a few words, if they are whole numbers and units are so few that all of them
    /// stay in the fastest cache.
    pub(super) fn packed(&self, units: usize) -> Option<Packed> {
        const BYTES: usize = 32 * 1024;
        let largest =
            self.values.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()));
        let numbers = self.values.iter().flatten().copied();
        let packing = Packing::new(self.values.len(), largest * units as f64, numbers)?;
        if units * packing.words() * size_of::<i64>() > BYTES {
            return None;
        }
        Some(match packing.words() {
            1 => Packed::One(packing, self.words(packing, units)),
            2 => Packed::Two(packing, self.words(packing, units)),
            3 => Packed::Three(packing, self.words(packing, units)),
            4 => Packed::Four(packing, self.words(packing, units)),
            _ => return None,
        })
    }

    fn words<const WORDS: usize>(&self, packing: Packing, units: usize) -> Vec<[i64; WORDS]> {
        let row = |at: usize| -> Vec<f64> { self.values.iter().map(|column| column[at]).collect() };
        let packed = |at: usize| {
            let mut words = [0; WORDS];
            words.iter_mut().zip(packing.pack(&row(at))).for_each(|(place, word)| *place = word);
            words
        };
        (0..units).map(packed).collect()
    }

    /// The columns in 16 bits, if they are whole numbers and no sum of `draws` of them can leave
    /// 32 bits.
    pub(super) fn small_integers(&self, draws: usize) -> Option<Vec<Vec<i16>>> {
        // Products of a count and how often it is drawn are added in 32 bits; this bound rules out
        // an overflow.
        let largest = f64::from(i16::MAX).min(f64::from(i32::MAX) / draws.max(1) as f64);
        let is_small = |value: &f64| value.fract() == 0.0 && value.abs() < largest;
        let integers = |column: &Vec<f64>| column.iter().map(|&value| value as i16).collect();
        let all_small = self.values.iter().flatten().all(is_small);
        all_small.then(|| self.values.iter().map(integers).collect())
    }
}

/// Units whose counts are in so many words each. The number is known to the compiler, which keeps the
/// sums in registers.
pub(super) enum Packed {
    One(Packing, Vec<[i64; 1]>),
    Two(Packing, Vec<[i64; 2]>),
    Three(Packing, Vec<[i64; 3]>),
    Four(Packing, Vec<[i64; 4]>),
}
