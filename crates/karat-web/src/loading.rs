//! How far files are read.

use karat::model::{Cancel, Notice, Progress};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Watches the reading of files, and is asked by pages how far it is.
#[derive(Debug, Default)]
pub struct Loading {
    step: Mutex<&'static str>,
    done: AtomicU64,
    total: AtomicU64,
    failed: Mutex<Option<Notice>>,
    /// Stops the reading.
    pub cancel: Cancel,
}

/// How far the reading is.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadingState {
    /// What is done now, such as `reading`.
    pub step: &'static str,
    /// How much of it is done.
    pub done: u64,
    /// How much there is to do; 0 where nobody knows.
    pub total: u64,
    /// Why it came to an end without a result, if it did.
    pub failed: Option<Notice>,
}

impl Loading {
    /// How far it is.
    pub fn state(&self) -> LoadingState {
        LoadingState {
            step: *self.step.lock().unwrap_or_else(PoisonError::into_inner),
            done: self.done.load(Ordering::Relaxed),
            total: self.total.load(Ordering::Relaxed),
            failed: self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    /// It came to an end without a result.
    pub fn fail(&self, notice: Notice) {
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(notice);
    }

    /// The watcher of a request.
    pub fn watcher(self: &Arc<Loading>) -> Arc<dyn Progress> {
        Arc::clone(self) as Arc<dyn Progress>
    }
}

impl Progress for Loading {
    fn begin(&self, step: &'static str, total: u64) {
        *self.step.lock().unwrap_or_else(PoisonError::into_inner) = step;
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    fn advance(&self, amount: u64) {
        self.done.fetch_add(amount, Ordering::Relaxed);
    }
}

impl LoadingState {
    /// How much of the step is done, in percent, where that is known.
    pub fn percent(&self) -> Option<u64> {
        (self.total > 0).then(|| (self.done.min(self.total) * 100) / self.total)
    }
}
