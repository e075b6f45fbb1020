//! Answers that were computed before, in memory.

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many answers are kept. Those of pages that somebody looks at are asked for again and again, while old
/// ones are only looked up by the back button.
const KEPT: usize = 256;

/// The place of one answer. Whoever computes it holds the lock, and everybody else who wants it waits there: a page
/// that is loaded again must not start the same work a second time.
pub(crate) type AnswerCell = Arc<Mutex<Option<Arc<dyn Any + Send + Sync>>>>;

/// Answers by their keys, the one asked for last at the end.
#[derive(Default)]
pub(crate) struct Answers {
    cells: HashMap<String, AnswerCell>,
    order: VecDeque<String>,
}

impl Answers {
    /// The place of an answer. The one that nobody has asked for the longest makes room.
    pub(crate) fn cell(&mut self, key: &str) -> AnswerCell {
        self.order.retain(|known| known != key);
        self.order.push_back(key.to_owned());
        let cell = Arc::clone(self.cells.entry(key.to_owned()).or_default());
        while self.order.len() > KEPT {
            if let Some(oldest) = self.order.pop_front() {
                self.cells.remove(&oldest);
            }
        }
        cell
    }

    /// Gives up the place of an answer that there is none of, unless it has another one by now.
    pub(crate) fn forget(&mut self, key: &str, cell: &AnswerCell) {
        if self.cells.get(key).is_some_and(|known| Arc::ptr_eq(known, cell)) {
            self.cells.remove(key);
            self.order.retain(|known| known != key);
        }
    }
}

/// What is behind a lock. Nothing is left half done where a thread panics, so the lock stays good.
pub(crate) fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_lately_is_kept() {
        let mut answers = Answers::default();
        let first = answers.cell("first");
        for number in 0..KEPT - 1 {
            answers.cell(&number.to_string());
        }
        assert!(Arc::ptr_eq(&first, &answers.cell("first")));
        answers.cell("one more");
        assert!(answers.cells.contains_key("first") && !answers.cells.contains_key("0"));
        assert_eq!(answers.cells.len(), KEPT);
    }
}
