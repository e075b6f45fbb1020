//! What changes hands when documents are exchanged at random.

use crate::counts::add;
use crate::packed::Packing;
use crate::{Counts, Random};
use std::cmp::Ordering;
use std::ops::Range;

/// Sums of what changes hands when documents are exchanged at random.
///
/// Documents with the same difference of counts are all one: of a class of n documents a binomial
/// number is exchanged, which is the number of ones among n random bits. Documents in small classes
/// are looked up some at a time in tables of all ways to exchange them.
pub(crate) struct Exchange {
    width: usize,
    classes: Vec<(u32, Vec<f64>)>,
    singles: Singles,
}

/// Tables for the documents of small classes, for one block of columns after the other. Whichever kind
/// is taken, a document is exchanged if its bit of the random stream is one, so both give the same
/// sums.
enum Singles {
    /// Small whole numbers: all ways to exchange eight documents, block by block of packed words.
    Packed(Packing, Vec<Vec<[i64; 256]>>),
    /// Anything else: all sixteen ways to exchange four documents.
    Other(Vec<Vec<[[f64; LANES]; 16]>>),
}

/// So many columns are summed at once.
const LANES: usize = 4;

/// A class of fewer documents is cheaper to look up than to count.
const SMALL: usize = 16;

impl Exchange {
    pub(crate) fn new(first: &Counts, second: &Counts) -> Exchange {
        let width = first.width().min(second.width());
        let difference = |(a, b): (&[f64], &[f64])| -> Vec<f64> {
            a.iter().zip(b).map(|(a, b)| a - b).collect()
        };
        let mut differences: Vec<Vec<f64>> =
            first.rows().zip(second.rows()).map(difference).collect();
        // A document with the same counts on both sides changes nothing when it is exchanged.
        differences.retain(|row| row.iter().any(|&value| value != 0.0));
        // Sorted, no order of the documents shows.
        differences.sort_by(|a, b| {
            let order = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
            order.fold(Ordering::Equal, Ordering::then)
        });
        let mut classes = Vec::new();
        let mut single: Vec<&[f64]> = Vec::new();
        for class in differences.chunk_by(|a, b| a == b) {
            match class.len() < SMALL {
                true => single.extend(class.iter().map(Vec::as_slice)),
                false => classes.push((class.len() as u32, class[0].clone())),
            }
        }
        let singles = Singles::new(&single, width);
        Exchange { width, singles, classes }
    }

    /// How many counts a row has.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// What the first system gives away in each of some trials, one row each.
    pub(crate) fn given(&self, trials: Range<usize>, seed: u64) -> Vec<f64> {
        let mut randoms: Vec<Random> =
            trials.map(|trial| Random::new(seed, trial as u64)).collect();
        let mut given = vec![0.0; randoms.len() * self.width];
        self.singles.give(&mut randoms, self.width, &mut given);
        for (row, random) in given.chunks_exact_mut(self.width.max(1)).zip(&mut randoms) {
            for (size, difference) in &self.classes {
                let exchanged = f64::from(ones(random, *size));
                for (given, difference) in row.iter_mut().zip(difference) {
                    *given += exchanged * difference;
                }
            }
        }
        given
    }
}

impl Singles {
    fn new(documents: &[&[f64]], width: usize) -> Singles {
        let sum = |column: usize| documents.iter().map(|row| row[column].abs()).sum::<f64>();
        let largest = (0..width).map(sum).fold(0.0, f64::max);
        let numbers = documents.iter().copied().flatten().copied();
        match Packing::new(width, largest, numbers) {
            Some(packing) => {
                let words: Vec<Vec<i64>> =
                    documents.iter().map(|row| packing.pack(row).collect()).collect();
                let tables = |block| words.chunks(8).map(|eight| ways(eight, block)).collect();
                Singles::Packed(packing, (0..packing.words()).map(tables).collect())
            }
            None => {
                let tables = |start| documents.chunks(4).map(|four| sums(four, start)).collect();
                Singles::Other((0..width).step_by(LANES).map(tables).collect())
            }
        }
    }

    /// Adds what is given in each trial, from random streams that go on where they are. Every block
    /// of columns sees the same documents exchanged.
    fn give(&self, randoms: &mut Vec<Random>, width: usize, given: &mut [f64]) {
        let streams = randoms.clone();
        match self {
            Singles::Packed(packing, blocks) => {
                let mut words = vec![0; randoms.len() * blocks.len()];
                for (block, tables) in blocks.iter().enumerate() {
                    // Every block of columns starts from the same random numbers, so all columns of
                    // a document move together.
                    randoms.clone_from(&streams);
                    let sums = look_up(tables, randoms, 0, |sum, table, bits| *sum += table[bits]);
                    let places = words.iter_mut().skip(block).step_by(blocks.len());
                    places.zip(sums).for_each(|(place, sum)| *place = sum);
                }
                let words = words.chunks_exact(blocks.len().max(1));
                for (row, words) in given.chunks_exact_mut(width.max(1)).zip(words) {
                    packing.unpack(words, row);
                }
            }
            Singles::Other(blocks) => {
                for (block, tables) in blocks.iter().enumerate() {
                    randoms.clone_from(&streams);
                    let sums = look_up(tables, randoms, [0.0; LANES], |sum, table, bits| {
                        add(sum, &table[bits]);
                    });
                    for (row, sums) in given.chunks_exact_mut(width.max(1)).zip(sums) {
                        add(&mut row[block * LANES..], &sums);
                    }
                }
            }
        }
    }
}

/// What tables of `WAYS` entries add up to in each trial. Some tables serve all trials before the next
/// are touched, so that they stay in the cache.
fn look_up<const WAYS: usize, E, S: Copy>(
    tables: &[[E; WAYS]],
    randoms: &mut [Random],
    nothing: S,
    add: impl Fn(&mut S, &[E; WAYS], usize),
) -> Vec<S> {
    let bits = WAYS.trailing_zeros();
    let in_a_word = 64 / bits as usize;
    // As much of a cache as leaves room for the streams and the sums.
    let together = (16_384 / size_of::<[E; WAYS]>()).next_multiple_of(in_a_word);
    let mut sums = vec![nothing; randoms.len()];
    for tables in tables.chunks(together) {
        for (sum, random) in sums.iter_mut().zip(randoms.iter_mut()) {
            for tables in tables.chunks(in_a_word) {
                let mut word = random.next();
                for table in tables {
                    add(sum, table, word as usize % WAYS);
                    word >>= bits;
                }
            }
        }
    }
    sums
}

/// The sums of one packed word in all ways to exchange eight documents.
fn ways(eight: &[Vec<i64>], block: usize) -> [i64; 256] {
    let mut ways = [0; 256];
    for at in 0..8 {
        let word = eight.get(at).map_or(0, |words| words[block]);
        let half = 1 << at;
        for without in 0..half {
            ways[half + without] = ways[without] + word;
        }
    }
    ways
}

/// The sums of some columns in all ways to exchange four documents.
fn sums(four: &[&[f64]], start: usize) -> [[f64; LANES]; 16] {
    let mut ways = [[0.0; LANES]; 16];
    for (bits, sums) in ways.iter_mut().enumerate() {
        for (at, row) in four.iter().enumerate() {
            if bits >> at & 1 == 1 {
                add(sums, &row[start..row.len().min(start + LANES)]);
            }
        }
    }
    ways
}

/// How many of so many random bits are ones.
fn ones(random: &mut Random, bits: u32) -> u32 {
    let mut ones = 0;
    for _ in 0..bits / 64 {
        ones += random.next().count_ones();
    }
    match bits % 64 {
        0 => ones,
        // The upper bits of the last word; which ones does not matter, as long as it never changes:
        // published p-values depend on it.
        rest => ones + (random.next() >> (64 - rest)).count_ones(),
    }
}
