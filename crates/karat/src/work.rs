//! How long work is done: on which threads, watched by whom, until when.

use crate::comparison::PairKeeper;
use crate::counts::CountsKeeper;
use crate::error::Error;
use crate::inputs::Shelf;
use karat_model::{Cancel, Progress, Watch};
use std::sync::Arc;

/// How a request is worked on, apart from what it asks.
///
/// An answer never depends on any of this. A command line takes what it is given by default; a server gives
/// all requests one pool of threads, a watcher for the page that waits, and a token for its cancel button.
#[derive(Clone, Default)]
pub struct Work {
    /// The threads to use; those of the caller if there are none. One pool can serve many requests, and a
    /// request that has one computes nowhere else.
    pub pool: Option<Arc<rayon::ThreadPool>>,
    /// How many threads a request without a pool may use, and how many of a pool read one file; 0 for all.
    pub threads: usize,
    /// Who watches.
    pub progress: Option<Arc<dyn Progress>>,
    /// Stops the work.
    pub cancel: Cancel,
    /// Benchmarks and runs that were read before.
    pub shelf: Option<Arc<Shelf>>,
    /// Keeps the counts of runs on the shelf, so that each is counted once.
    pub counts: Option<Arc<dyn CountsKeeper>>,
    /// Keeps the tests of pairs of systems, so that each is made once.
    pub pairs: Option<Arc<dyn PairKeeper>>,
    /// What linkers may be asked: those of this process only, unless the front end says more.
    pub linkers: LinkersAllowed,
}

/// What linkers a request may ask. A request that comes from elsewhere must not run programs here, nor reach machines that
/// only this one can reach.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum LinkersAllowed {
    /// Linkers of this process.
    #[default]
    Own,
    /// Known services too, at addresses on the public internet.
    Public,
    /// Any address, declarations of the user's own, and programs: the user owns the machine.
    All,
}

impl Work {
    /// Does something on the threads of the pool.
    pub fn install<O: Send>(&self, work: impl FnOnce() -> O + Send) -> O {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// How many threads may work on one thing.
    pub(crate) fn thread_count(&self) -> usize {
        match (self.threads, &self.pool) {
            (0, Some(pool)) => pool.current_num_threads(),
            (0, None) => rayon::current_num_threads(),
            (threads, _) => threads,
        }
    }

    /// How many threads computing may start: none beside a pool, which is used as it is.
    pub(crate) fn own_threads(&self) -> usize {
        if self.pool.is_some() { 0 } else { self.threads }
    }

    /// Who watches and who stops the work, for loops that last long. What comes out of a loop that was
    /// stopped means nothing: ask [`Work::check`] before using it.
    pub fn watch(&self) -> Watch {
        Watch::new(self.progress.clone(), self.cancel.clone())
    }

    /// Does something long on the threads of the pool, and stops here if the work was cancelled meanwhile.
    pub fn run<O: Send>(&self, work: impl FnOnce() -> O + Send) -> Result<O, Error> {
        let done = self.install(work);
        self.check()?;
        Ok(done)
    }

    /// Does something on the threads of the pool that nobody waits for.
    pub(crate) fn later(&self, work: impl FnOnce() + Send + 'static) {
        match &self.pool {
            Some(pool) => pool.spawn(work),
            None => rayon::spawn(work),
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

/// A watch as trials are watched.
pub(crate) fn watching(watch: &Watch) -> impl Fn(usize) -> bool + Sync {
    |trials| {
        watch.advance(trials as u64);
        !watch.is_cancelled()
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
