//! Documents by counts: all that inference sees of an evaluation.

use crate::Tolerance;

/// The counts of documents, one row each. Rows add up: what is true of a sum of
/// rows is what a measure says of these documents together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counts {
    width: usize,
    rows: Vec<f64>,
    tolerance: Tolerance,
}

impl Counts {
    /// Rows of `width` counts, one after the other. An incomplete last row is left out.
    pub fn new(width: usize, mut rows: Vec<f64>) -> Counts {
        let whole = rows.len().checked_div(width).unwrap_or(0) * width;
        rows.truncate(whole);
        Counts { width, rows, tolerance: Tolerance::default() }
    }

    /// The same counts, of which scores are the same within this tolerance.
    #[must_use]
    pub fn within(self, tolerance: Tolerance) -> Counts {
        Counts { tolerance, ..self }
    }

    /// When two scores of such counts are the same.
    pub fn tolerance(&self) -> Tolerance {
        self.tolerance
    }

    /// How many counts a row has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len().checked_div(self.width).unwrap_or(0)
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows in order.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.rows.chunks_exact(self.width.max(1))
    }

    /// The sum of all rows.
    pub fn sums(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.width];
        for row in self.rows() {
            add(&mut sums, row);
        }
        sums
    }

    /// The rows of several matrices of the same documents, side by side; as many rows as the
    /// shortest has.
    pub fn beside(parts: &[&Counts]) -> Counts {
        let width = parts.iter().map(|part| part.width).sum();
        let length = parts.iter().map(|part| part.len()).min().unwrap_or(0);
        let mut rows = Vec::with_capacity(width * length);
        for at in 0..length {
            for part in parts {
                rows.extend_from_slice(&part.rows[at * part.width..(at + 1) * part.width]);
            }
        }
        let tolerance =
            parts.iter().map(|part| part.tolerance).fold(Tolerance::default(), Tolerance::or);
        Counts { width, rows, tolerance }
    }

    /// The rows at these places among `length` rows, all others nought.
    pub fn spread(&self, places: &[u32], length: usize) -> Counts {
        let mut rows = vec![0.0; length * self.width];
        for (&place, row) in places.iter().zip(self.rows()) {
            let start = place as usize * self.width;
            if let Some(rows) = rows.get_mut(start..start + self.width) {
                rows.copy_from_slice(row);
            }
        }
        Counts { width: self.width, rows, tolerance: self.tolerance }
    }
}

pub(crate) fn add(sums: &mut [f64], row: &[f64]) {
    for (sum, count) in sums.iter_mut().zip(row) {
        *sum += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_side_by_side_and_add_up() {
        let (narrow, wide) =
            (Counts::new(1, vec![1.0, 2.0, 3.0]), Counts::new(2, vec![4.0, 5.0, 6.0, 7.0, 8.0]));
        assert_eq!(wide.len(), 2);
        let both = Counts::beside(&[&narrow, &wide]);
        assert_eq!(both, Counts::new(3, vec![1.0, 4.0, 5.0, 2.0, 6.0, 7.0]));
        assert_eq!(both.sums(), [3.0, 10.0, 12.0]);
        assert_eq!(wide.spread(&[2, 0], 3), Counts::new(2, vec![6.0, 7.0, 0.0, 0.0, 4.0, 5.0]));
    }

    #[test]
    fn nothing_is_no_row() {
        assert_eq!(Counts::new(0, vec![1.0]).len(), 0);
        assert!(Counts::default().rows().next().is_none());
        assert!(Counts::beside(&[]).is_empty());
    }
}
