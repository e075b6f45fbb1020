//! How much files that somebody else sent may unpack to.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How much all files of one input may unpack to together.
///
/// A file on one's own disk may be anything; what strangers send to a server must not fill its memory. The bytes that come
/// out of all decompressors are counted together, however many files there are, and reading ends with a problem
/// that names the file where the limit was met. A file that is read twice counts once.
#[derive(Debug)]
pub struct UnpackBudget {
    allowed: u64,
    taken: AtomicU64,
}

impl UnpackBudget {
    /// The most bytes that anything may unpack to: 1 GiB.
    pub const MOST: u64 = 1 << 30;
    /// So many times its size an input may unpack to, once it is larger than is harmless.
    pub const RATIO: u64 = 200;
    /// As much as this is harmless whatever it was packed as: 10 MiB.
    pub const HARMLESS: u64 = 10 << 20;

    /// The budget of an input of which so many bytes were sent.
    pub fn of(sent: u64) -> UnpackBudget {
        let allowed = sent.saturating_mul(UnpackBudget::RATIO);
        let allowed = allowed.clamp(UnpackBudget::HARMLESS, UnpackBudget::MOST);
        UnpackBudget { allowed, taken: AtomicU64::new(0) }
    }

    /// How much is left.
    pub fn left(&self) -> u64 {
        self.allowed.saturating_sub(self.taken.load(Ordering::Relaxed))
    }

    /// Takes so many bytes; whether there were as many.
    pub fn take(&self, bytes: u64) -> bool {
        let before = self.taken.fetch_add(bytes, Ordering::Relaxed);
        before.saturating_add(bytes) <= self.allowed
    }
}

/// The budget of a source, and how far it was unpacked before.
#[derive(Debug, Clone)]
pub(super) struct Share {
    budget: Arc<UnpackBudget>,
    reached: Arc<AtomicU64>,
}

impl Share {
    pub(super) fn of(budget: &Arc<UnpackBudget>) -> Share {
        Share { budget: Arc::clone(budget), reached: Arc::default() }
    }

    /// Notes that so many bytes of the source were unpacked; whether that is allowed.
    pub(super) fn reaches(&self, given: u64) -> bool {
        let before = self.reached.fetch_max(given, Ordering::Relaxed);
        given <= before || self.budget.take(given - before)
    }
}
