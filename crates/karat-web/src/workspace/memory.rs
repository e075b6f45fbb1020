//! How much memory a job may take.
//!
//! Threads of one process share its memory, so a limit of the system would end the server and not the job. What is possible is
//! to look: the job is cancelled when the process has grown by more than a job may take. What it unpacks is counted
//! besides, byte by byte ([`karat::formats::UnpackBudget`]), so that memory cannot fill between two looks.

use karat::formats::memory::{limit, of_container, of_machine, resident};
use std::path::Path;

/// The most that a process may grow by while a job is done: 4 GiB. A gigabyte of text needs about as much to be read, checked, kept
/// and scored.
const MOST: u64 = 4 << 30;

/// How far a process may grow.
#[derive(Debug, Clone, Copy)]
pub(super) struct MemoryLimit {
    most: Option<u64>,
}

impl MemoryLimit {
    /// What the process may have (`karat serve --max-memory`). Where nothing was said: half of the memory that there is more than
    /// now, and no more than 4 GiB; and where a container has less, nine tenths of what it may have, because beyond that the
    /// system ends the server. Where the system does not tell, there is no limit.
    pub(super) fn from_now() -> MemoryLimit {
        let most = || Some(allowed(resident()?, of_machine(), of_container(Path::new("/"))));
        MemoryLimit { most: limit().or_else(most) }
    }

    /// Whether the process has grown by more.
    pub(super) fn is_met(self) -> bool {
        self.most.is_some_and(|most| resident().is_some_and(|now| now > most))
    }
}

/// How far a process may grow that has so much now, by what the machine has and what a container may have.
fn allowed(now: u64, machine: Option<u64>, container: Option<u64>) -> u64 {
    let least = [machine, container].into_iter().flatten().min();
    let grown = now.saturating_add(least.map_or(MOST, |all| all / 2).min(MOST));
    container.map_or(grown, |all| grown.min(all / 10 * 9))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_grows_meets_its_limit() {
        let Some(now) = resident() else { return };
        assert!(now > 1 << 20, "{now}");
        assert!(!MemoryLimit::from_now().is_met());
        let limit = MemoryLimit { most: Some(now + (16 << 20)) };
        let grown = vec![1u8; 64 << 20];
        assert!(limit.is_met(), "{} bytes more", grown.len());
        assert!(!MemoryLimit { most: None }.is_met());
    }

    #[test]
    fn a_job_stops_before_the_system_ends_the_server() {
        const GIB: u64 = 1 << 30;
        assert_eq!(allowed(GIB, Some(32 * GIB), None), 5 * GIB);
        assert_eq!(allowed(GIB, Some(4 * GIB), None), 3 * GIB);
        assert_eq!(allowed(0, Some(32 * GIB), Some(GIB)), GIB / 2);
        // What is there already counts too.
        assert_eq!(allowed(GIB / 10 * 8, Some(32 * GIB), Some(GIB)), GIB / 10 * 9);
        assert_eq!(allowed(GIB, None, None), 5 * GIB);
    }
}
