//! Rows of small whole numbers, several of them in one number of 64 bits, which are added at once.

/// How many numbers share a word, and how many words a row takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Packing {
    width: usize,
    /// How many numbers are in a word.
    lanes: usize,
}

impl Packing {
    /// Packs rows of `width` numbers as closely as the largest sum of any column allows, which
    /// `largest` bounds from above. `None` if not even two fit into a word, or if some number
    /// is not whole.
    pub(crate) fn new(
        width: usize,
        largest: f64,
        mut numbers: impl Iterator<Item = f64>,
    ) -> Option<Packing> {
        let fits = |lanes: &usize| largest < (1u64 << (bits(*lanes) - 1)) as f64;
        let lanes = [4, 3, 2].into_iter().find(fits)?;
        numbers.all(|number| number.fract() == 0.0).then_some(Packing { width, lanes })
    }

    /// How many words a row takes.
    pub(crate) fn words(&self) -> usize {
        self.width.div_ceil(self.lanes)
    }

    /// The words of a row. A number is so many bits above the one before it; negative ones
    /// borrow from the next, which unpacking gives back.
    pub(crate) fn pack(&self, row: &[f64]) -> impl Iterator<Item = i64> {
        let bits = bits(self.lanes);
        row.chunks(self.lanes).map(move |lanes| {
            lanes.iter().rev().fold(0, |packed, &number| (packed << bits) + number as i64)
        })
    }

    /// The numbers in sums of packed rows.
    pub(crate) fn unpack(&self, words: &[i64], row: &mut [f64]) {
        let bits = bits(self.lanes);
        for (numbers, word) in row.chunks_mut(self.lanes).zip(words) {
            let mut rest = *word;
            for number in numbers {
                // Shifting up and down again extends the sign, which a mask would lose.
                let lowest = rest << (64 - bits) >> (64 - bits);
                *number = lowest as f64;
                rest = (rest - lowest) >> bits;
            }
        }
    }
}

/// The bits of a number if so many share a word.
fn bits(lanes: usize) -> usize {
    64 / lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_packed_rows_are_those_of_the_rows() {
        for (largest, words) in [(30_000.0, 2), (1e6, 3), (2e9, 4)] {
            let edge = largest / 100.0;
            let rows: Vec<[f64; 7]> = (0..100)
                .map(|at| std::array::from_fn(|c| f64::from(at * 31 % 7 - 3) * (c as f64 - 3.0)))
                .chain([[edge, -edge, edge, -1.0, 0.0, -edge, edge]])
                .collect();
            let packing = Packing::new(7, largest, rows.iter().flatten().copied()).expect("fits");
            assert_eq!(packing.words(), words);
            let (mut packed, mut expected) = (vec![0; words], [0.0; 7]);
            for row in &rows {
                packed.iter_mut().zip(packing.pack(row)).for_each(|(sum, word)| *sum += word);
                crate::counts::add(&mut expected, row);
            }
            let mut found = [0.0; 7];
            packing.unpack(&packed, &mut found);
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn what_does_not_fit_is_not_packed() {
        assert_eq!(Packing::new(2, 3e9, std::iter::empty()), None);
        assert_eq!(Packing::new(2, f64::NAN, std::iter::empty()), None);
        assert_eq!(Packing::new(2, 10.0, [0.5].into_iter()), None);
    }
}
