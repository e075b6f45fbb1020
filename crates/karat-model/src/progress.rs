//! Long work, watched and stopped from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Watches long work.
///
/// Whoever asks for something long gives a watcher along: a terminal draws a bar, a server sends events to
/// a page. The work calls it from any thread, often enough for a bar to move and seldom enough to cost nothing:
/// once for each block of a file, document or round of trials. All methods have an empty body, so that a
/// watcher implements what it is interested in.
pub trait Progress: Send + Sync {
    /// A step begins, such as `reading`, with so much to do; 0 where nobody knows.
    fn begin(&self, _step: &'static str, _total: u64) {}

    /// So much more of the step is done: bytes of the stored input for reading, otherwise rounds.
    fn advance(&self, amount: u64);
}

/// Tells long work to stop, from any thread.
///
/// Clones are one token. Work that has been told to stop returns as soon as it looks, with an error that says
/// so and nothing half-written.
///
/// ```
/// let cancel = karat_model::Cancel::default();
/// let same = cancel.clone();
/// same.cancel();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Tells all work that has this token to stop.
    pub fn cancel(&self) {
        // Nothing else is handed over with the flag, so no order is needed.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work should stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
