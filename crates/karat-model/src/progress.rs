//! Long work, watched and stopped from outside.

use std::fmt;
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

    /// So much more of the step is done: bytes of the stored input for reading, otherwise documents or rounds.
    fn advance(&self, amount: u64);

    /// Whether nobody waits for the result any more. Work asks as often as it tells how far it is.
    fn is_cancelled(&self) -> bool {
        false
    }
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

/// A watcher and a token in one, for the long loops themselves.
///
/// A request is watched and stopped at its steps, but most of its time passes inside loops over blocks of a
/// file, documents or trials. These get a watch. At the border of a block, or for each document, they tell it how far
/// they are and ask whether to go on, which costs one atomic load. Nothing is asked for a single annotation.
///
/// A loop that may stop with an error does so. One that returns numbers goes on with nothing to do, so that
/// what it returns has its usual shape and no meaning. Whoever gave the token therefore asks it once more before
/// using what comes out. A watch that nobody has a token of, as the default one, is never cancelled.
///
/// ```
/// use karat_model::{Cancel, Watch};
///
/// let cancel = Cancel::default();
/// let watch = Watch::new(None, cancel.clone());
/// let mut documents = 0;
/// for document in 0..1000 {
///     if watch.is_cancelled() {
///         break;
///     }
///     documents += 1;
///     watch.advance(1);
///     if document == 9 {
///         cancel.cancel();
///     }
/// }
/// assert_eq!(documents, 10);
/// ```
#[derive(Clone, Default)]
pub struct Watch {
    progress: Option<Arc<dyn Progress>>,
    cancel: Cancel,
}

impl Watch {
    /// A watch that tells this watcher, and stops work by this token.
    pub fn new(progress: Option<Arc<dyn Progress>>, cancel: Cancel) -> Watch {
        Watch { progress, cancel }
    }

    /// So much more is done. Work that was cancelled does nothing any more, so nothing is told of it.
    pub fn advance(&self, amount: u64) {
        if let Some(progress) = self.progress.as_ref().filter(|_| !self.is_cancelled()) {
            progress.advance(amount);
        }
    }

    /// Whether the work should stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

impl Progress for Watch {
    fn begin(&self, step: &'static str, total: u64) {
        if let Some(progress) = &self.progress {
            progress.begin(step, total);
        }
    }

    fn advance(&self, amount: u64) {
        Watch::advance(self, amount);
    }

    fn is_cancelled(&self) -> bool {
        Watch::is_cancelled(self)
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("cancel", &self.cancel).finish_non_exhaustive()
    }
}
