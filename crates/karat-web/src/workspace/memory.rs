//! How much memory a job may take.
//!
//! Threads of one process share its memory, so a limit of the system would end the server and not the job. What is possible is
//! to look: the job is cancelled when the process has grown by more than a job may take. What it unpacks is counted
//! besides, byte by byte ([`karat::formats::UnpackBudget`]), so that memory cannot fill between two looks.

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
    /// Half of the memory that there is more than now, and no more than 4 GiB; and where a container has less, nine tenths of
    /// what it may have, because beyond that the system ends the server. Where the system does not tell, there is no limit.
    pub(super) fn from_now() -> MemoryLimit {
        let machine = kibibytes("/proc/meminfo", "MemTotal:").map(|all| all * 1024);
        let most = resident().map(|now| allowed(now, machine, of_container(Path::new("/"))));
        MemoryLimit { most }
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

/// What the control group of this process may have, or one above it (Linux); nothing if there is no limit. `root` is `/`.
fn of_container(root: &Path) -> Option<u64> {
    let groups = std::fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    let limits = groups.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        // The second version has one tree for everything, the first a tree for memory.
        let (tree, file) = match controllers {
            "" => ("sys/fs/cgroup", "memory.max"),
            _ if controllers.split(',').any(|it| it == "memory") => {
                ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => return None,
        };
        let (tree, path) = (root.join(tree), path.trim_start_matches('/'));
        // Within a container the path may be that of the machine, where only the top of the tree is there.
        let groups = Path::new(path).ancestors().map(|group| tree.join(group).join(file));
        groups.filter_map(|file| std::fs::read_to_string(file).ok()?.trim().parse().ok()).min()
    });
    limits.min()
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

    #[test]
    fn a_container_has_less_than_its_machine() -> std::io::Result<()> {
        let root = tempfile::tempdir()?;
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap_or(Path::new("/")))?;
            std::fs::write(path, text)
        };
        assert_eq!(of_container(root.path()), None);
        write("proc/self/cgroup", "0::/system.slice/karat.service\n")?;
        assert_eq!(of_container(root.path()), None);
        // The least on the way up counts; `max` is no limit.
        write("sys/fs/cgroup/system.slice/karat.service/memory.max", "max\n")?;
        assert_eq!(of_container(root.path()), None);
        write("sys/fs/cgroup/system.slice/memory.max", "1073741824\n")?;
        assert_eq!(of_container(root.path()), Some(1 << 30));
        // A container that sees only the top of its tree.
        write("sys/fs/cgroup/memory.max", "536870912\n")?;
        assert_eq!(of_container(root.path()), Some(1 << 29));
        // The first version of control groups.
        write("proc/self/cgroup", "3:cpu:/a\n2:memory:/a\n")?;
        write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "268435456\n")?;
        assert_eq!(of_container(root.path()), Some(1 << 28));
        Ok(())
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
