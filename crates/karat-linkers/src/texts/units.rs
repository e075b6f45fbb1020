//! Offsets of a text in the unit that a linker counts in.

use crate::info::AnswerUnit;
use karat_model::TextIndex;
use std::cell::OnceCell;
use unicode_segmentation::UnicodeSegmentation;

/// A text whose positions are known in every unit.
pub(crate) struct UnitIndex<'t> {
    index: TextIndex<'t>,
    /// Where grapheme clusters begin, in code points, and where the text ends.
    clusters: OnceCell<Vec<u32>>,
}

impl<'t> UnitIndex<'t> {
    pub(crate) fn new(text: &'t str) -> UnitIndex<'t> {
        UnitIndex { index: TextIndex::new(text), clusters: OnceCell::new() }
    }

    pub(crate) fn code_points(&self) -> &TextIndex<'t> {
        &self.index
    }

    /// An offset in code points; `None` outside the text, inside a character, or without offsets.
    pub(crate) fn position(&self, offset: u64, unit: AnswerUnit) -> Option<u32> {
        match unit {
            AnswerUnit::Graphemes => self.clusters().get(usize::try_from(offset).ok()?).copied(),
            unit => self.index.to_code_points(offset, unit.of_files()?),
        }
    }

    /// A position as the linker counts it; a position inside a grapheme cluster is that of the cluster.
    pub(crate) fn offset(&self, position: u32, unit: AnswerUnit) -> Option<u64> {
        match unit {
            AnswerUnit::Graphemes => {
                let after = self.clusters().partition_point(|&start| start <= position);
                Some(after.saturating_sub(1) as u64)
            }
            unit => self.index.from_code_points(position, unit.of_files()?),
        }
    }

    fn clusters(&self) -> &[u32] {
        self.clusters.get_or_init(|| {
            let mut position = 0;
            let mut starts = vec![0];
            for cluster in self.index.text().graphemes(true) {
                position += cluster.chars().count() as u32;
                starts.push(position);
            }
            starts
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_counts_its_own_way_and_back() {
        let index = UnitIndex::new("e\u{301}😀z");
        for (unit, of_z) in [
            (AnswerUnit::CodePoints, 3),
            (AnswerUnit::Utf16, 4),
            (AnswerUnit::Bytes, 7),
            (AnswerUnit::Graphemes, 2),
        ] {
            assert_eq!(index.offset(3, unit), Some(of_z), "{unit:?}");
            assert_eq!(index.position(of_z, unit), Some(3), "{unit:?}");
            assert_eq!(index.position(99, unit), None, "{unit:?}");
        }
        assert_eq!(index.offset(0, AnswerUnit::None), None);
    }
}
