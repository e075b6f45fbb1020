//! How much memory a job may take.
//!
//! Threads of one process share its memory, so a limit of the system would end the server and not the job. What is possible is
//! to look: the job is cancelled when the process has grown by more than a job may take. What it unpacks is counted
//! besides, byte by byte ([`karat::formats::UnpackBudget`]), so that memory cannot fill between two looks.

/// The most that a process may grow by while a job is done: 4 GiB. A gigabyte of text needs about as much to be read, checked, kept
/// and scored.
const MOST: u64 = 4 << 30;

/// How far a process may grow.
#[derive(Debug, Clone, Copy)]
pub(super) struct MemoryLimit {
    most: Option<u64>,
}

impl MemoryLimit {
    /// Half of the memory of the machine more than now, and no more than 4 GiB. Where the system does not tell, there is no limit.
    pub(super) fn from_now() -> MemoryLimit {
        let half = kibibytes("/proc/meminfo", "MemTotal:").map_or(MOST, |all| all * 1024 / 2);
        MemoryLimit { most: resident().map(|now| now.saturating_add(half.min(MOST))) }
    }

    /// Whether the process has grown by more.
    pub(super) fn is_met(self) -> bool {
        self.most.is_some_and(|most| resident().is_some_and(|now| now > most))
    }
}

/// The memory that the process has now, in bytes, where the system tells (Linux).
fn resident() -> Option<u64> {
    kibibytes("/proc/self/status", "VmRSS:").map(|kibibytes| kibibytes * 1024)
}

fn kibibytes(path: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
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
}
