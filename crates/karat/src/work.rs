//! How long work is done: on which threads, watched by whom, until when.

use crate::error::Error;
use crate::inputs::Shelf;
use karat_model::{Cancel, Progress};
use std::sync::Arc;

/// How a request is worked on, apart from what it asks.
///
/// An answer never depends on any of this. A command line takes what it is given by default; a server gives
/// all requests one pool of threads, a watcher for the page that waits, and a token for its cancel button.
#[derive(Clone, Default)]
pub struct Work {
    /// The threads to use; those of the caller if there are none. One pool can serve many requests.
    pub pool: Option<Arc<rayon::ThreadPool>>,
    /// How many of them one request may use; 0 for all.
    pub threads: usize,
    /// Who watches.
    pub progress: Option<Arc<dyn Progress>>,
    /// Stops the work.
    pub cancel: Cancel,
    /// Benchmarks and runs that were read before.
    pub shelf: Option<Arc<Shelf>>,
}

impl Work {
    /// Does something on the threads of the pool.
    pub fn install<O: Send>(&self, work: impl FnOnce() -> O + Send) -> O {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Says what comes next, and stops here if the work was cancelled.
    pub fn begin(&self, step: &'static str, total: u64) -> Result<(), Error> {
        if let Some(progress) = &self.progress {
            progress.begin(step, total);
        }
        self.check()
    }

    /// Stops here if the work was cancelled.
    pub fn check(&self) -> Result<(), Error> {
        if self.cancel.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }
}

impl std::fmt::Debug for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Work")
            .field("threads", &self.threads)
            .field("cancel", &self.cancel)
            .finish_non_exhaustive()
    }
}
