//! How much memory there is, and how much of it one file may take.
//!
//! A file decides how much has to be in memory at once: by its size, by what it unpacks to, by the length of its longest
//! record. Each is held against what there is before memory is asked for, so that a file that is too large, or made to be, is a
//! problem with a name and not the end of the program.

use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the process may have, as somebody said; 0 if nobody did.
static LIMIT: AtomicU64 = AtomicU64::new(0);

/// Sets how much memory the process may have. Reading a file that needs more ends with a problem. It holds for all that the process
/// reads, because memory belongs to a process and not to a file.
pub fn set_limit(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// How much memory the process may have, if somebody said so.
pub fn limit() -> Option<u64> {
    match LIMIT.load(Ordering::Relaxed) {
        0 => None,
        limit => Some(limit),
    }
}

/// The memory that the process has now, in bytes, where the system tells (Linux).
pub fn resident() -> Option<u64> {
    kibibytes("/proc/self/status", "VmRSS:").map(|kibibytes| kibibytes * 1024)
}

/// The memory of the machine in bytes, where the system tells (Linux).
pub fn of_machine() -> Option<u64> {
    kibibytes("/proc/meminfo", "MemTotal:").map(|kibibytes| kibibytes * 1024)
}

/// What the control group of this process may have, or one above it (Linux); nothing if there is no limit. `root` is `/`.
pub fn of_container(root: &Path) -> Option<u64> {
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

/// What one file may have in memory at once: half of what the process may have, or of the machine where nothing is said, because what is
/// read of it takes about as much as its text.
pub(crate) fn of_one_file() -> u64 {
    let said = limit()
        .or_else(|| [of_machine(), of_container(Path::new("/"))].into_iter().flatten().min());
    said.map_or(u64::MAX, |all| all / 2)
}

/// All of a stream, if it is no more than so many bytes; about as many as `stored` are expected.
pub(super) fn read_whole(stream: &mut dyn Read, stored: u64, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more, so that reading to the end needs no second allocation to find it. Where there is not as much memory, this is
    // an error; without it the program would end.
    bytes.try_reserve_exact(usize::try_from(stored).unwrap_or(usize::MAX).saturating_add(1))?;
    stream.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(TooMuch { most }));
    }
    Ok(bytes)
}

/// What to do about a file that takes too much memory.
pub(crate) const MORE_MEMORY: &str =
    "split it into smaller files, or read it on a machine with more memory";

/// A file that is kept in memory as a whole has more than so many bytes.
#[derive(Debug, thiserror::Error)]
#[error("more than {most} bytes")]
pub(super) struct TooMuch {
    pub(super) most: u64,
}

/// Whether the process has more than it may have.
pub(crate) fn is_full() -> bool {
    limit().is_some_and(|limit| resident().is_some_and(|now| now > limit))
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
    fn the_system_tells_what_there_is() {
        let (Some(now), Some(all)) = (resident(), of_machine()) else { return };
        assert!(now > 1 << 20 && now < all, "{now} of {all}");
        assert!(of_one_file() <= all / 2);
    }
}
