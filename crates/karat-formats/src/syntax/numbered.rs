//! Documents without a name, which have the number of their record.

use crate::source::Text;
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers the records of an input through all of its files, from 0.
///
/// A record that is skipped has its number all the same: what follows would otherwise be taken for other documents.
/// So files are counted by their records and not by the documents that came of them.
#[derive(Debug, Default)]
pub(crate) struct RecordNumbers {
    /// The number of the first record of this file.
    first: u64,
    /// The number behind the last record so far. Blocks of a file are read by several threads.
    next: AtomicU64,
}

impl RecordNumbers {
    /// Goes on with another file.
    pub(crate) fn begin_file(&mut self) {
        self.first = *self.next.get_mut();
    }

    /// The lines of a block that are not empty, with their numbers. An empty line between others has a number too,
    /// because a block does not know what is in those before it.
    pub(crate) fn lines<'t>(&self, text: &'t Text<'_>) -> impl Iterator<Item = (u64, &'t str)> {
        let lines = (text.lines_before()..).zip(text.as_str().lines());
        let lines = lines.filter(|(_, line)| !line.trim().is_empty());
        lines.map(|(at, line)| (self.of(at), line))
    }

    /// The number of the record that stands at this place of its file.
    pub(crate) fn of(&self, place: u64) -> u64 {
        let number = self.first + place;
        self.next.fetch_max(number + 1, Ordering::Relaxed);
        number
    }
}
