//! Where a store is.

use crate::{Result, StoreError};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Where a store is.
///
/// Read from text: `memory`, an address that begins with `postgres://` or `postgresql://`, or the
/// path of a file.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreAddress {
    /// In this process; nothing is kept.
    Memory,
    /// A SQLite file, made if there is none. Its folder must be there.
    File(PathBuf),
    /// A PostgreSQL server.
    Server(String),
}

impl FromStr for StoreAddress {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> std::result::Result<StoreAddress, Self::Err> {
        Ok(if text == "memory" {
            StoreAddress::Memory
        } else if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            StoreAddress::Server(text.to_owned())
        } else {
            StoreAddress::File(PathBuf::from(text))
        })
    }
}

/// Without the password.
impl fmt::Display for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreAddress::Memory => f.write_str("memory"),
            StoreAddress::File(path) => path.display().fmt(f),
            StoreAddress::Server(url) => f.write_str(&without_password(url)),
        }
    }
}

/// Without the password as well: addresses end up in logs.
impl fmt::Debug for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    // A password may hold `/`, `?` and `@` unescaped: all up to the last `@` is the user's.
    let (user, place) = match rest.rsplit_once('@') {
        // Or this `@` is part of a parameter, which may be a password: neither side is safe to show.
        Some((user, _)) if user.contains('?') => (user.split([':', '/', '?', '@']).next(), "..."),
        Some((user, place)) => (user.split([':', '/']).next(), place),
        None => (None, rest),
    };
    // Parameters may hold a password as well.
    let place = place.split('?').next().unwrap_or_default();
    match user {
        Some(user) => format!("{scheme}://{user}@{place}"),
        None => format!("{scheme}://{place}"),
    }
}

/// Refuses a file that SQLite cannot lock.
///
/// The write-ahead log is memory that the processes share, and a network has no shared memory;
/// many network file systems do not even lock. What comes of it is a broken file.
pub(crate) fn checked_file(path: &Path) -> Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let folder = folder.canonicalize().map_err(|error| {
        StoreError::Refused(format!("`{}` cannot be opened: {error}", path.display()))
    })?;
    // Where the system does not tell (only Linux has this file), SQLite has to find out itself.
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    match network_file_system(&mounts, &folder) {
        Some(kind) => Err(StoreError::Refused(format!(
            "`{}` is on a network file system ({kind}), where SQLite cannot lock a file: \
             use a local folder, or a PostgreSQL server",
            path.display()
        ))),
        None => Ok(()),
    }
}

/// File systems whose files live on another machine.
const NETWORK: [&str; 22] = [
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "ncpfs",
    "afs",
    "coda",
    "ceph",
    "lustre",
    "gfs",
    "gfs2",
    "glusterfs",
    "gpfs",
    "beegfs",
    "orangefs",
    "pvfs2",
    "davfs",
    "9p",
    "acfs",
    "webdav",
    "vboxsf",
];

/// The kind of network file system that a folder is on, by the kernel's table of mounts.
fn network_file_system<'m>(mounts: &'m str, folder: &Path) -> Option<&'m str> {
    let mut deepest: Option<(usize, &str)> = None;
    for line in mounts.lines() {
        let Some((left, right)) = line.split_once(" - ") else { continue };
        let Some(point) = left.split(' ').nth(4) else { continue };
        let Some(kind) = right.split(' ').next() else { continue };
        // The kernel writes a blank as \040; these are the only ones that folders have.
        let point = point.replace("\\040", " ");
        // A later mount on the same point hides the earlier one.
        if folder.starts_with(&point) && deepest.is_none_or(|(length, _)| point.len() >= length) {
            deepest = Some((point.len(), kind));
        }
    }
    let kind = deepest?.1;
    let plain = kind.strip_prefix("fuse.").unwrap_or(kind);
    let remote = NETWORK.contains(&plain) || ["sshfs", "s3fs", "rclone"].contains(&plain);
    remote.then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
40 27 0:40 / /home rw shared:1 - nfs4 server:/home rw
41 40 0:41 / /home/me/my\\040disk rw - xfs /dev/vdb rw
42 27 0:42 / /mnt/far rw - fuse.sshfs me@there: rw
43 27 0:43 / /mnt/twice rw - nfs server:/a rw
44 27 0:44 / /mnt/twice rw - tmpfs tmpfs rw
";

    #[test]
    fn network_file_systems_are_known_by_the_deepest_mount() {
        let kind = |path: &str| network_file_system(MOUNTS, Path::new(path));
        assert_eq!(kind("/var/lib"), None);
        assert_eq!(kind("/homestead"), None);
        assert_eq!(kind("/home/me"), Some("nfs4"));
        assert_eq!(kind("/home/me/my disk/x"), None);
        assert_eq!(kind("/mnt/far"), Some("fuse.sshfs"));
        assert_eq!(kind("/mnt/twice"), None);
    }

    #[test]
    fn an_address_is_read_and_shown_without_its_password() {
        let shown = |text: &str| text.parse::<StoreAddress>().unwrap().to_string();
        assert_eq!("memory".parse(), Ok(StoreAddress::Memory));
        assert_eq!("karat.db".parse(), Ok(StoreAddress::File("karat.db".into())));
        assert_eq!(shown("postgres://me:se@cret@host:5/db?password=x"), "postgres://me@host:5/db");
        assert_eq!(shown("postgres://me:a/b@c@host/db"), "postgres://me@host/db");
        assert_eq!(shown("postgres://me:a/b?c@host/db"), "postgres://me@...");
        assert_eq!(shown("postgres://host/db?password=a@b"), "postgres://host@...");
        let debug = format!("{:?}", StoreAddress::Server("postgres://me:secret@host/db".into()));
        assert_eq!(debug, "postgres://me@host/db");
        assert_eq!(shown("postgresql:///db?host=/run"), "postgresql:///db");
    }

    #[test]
    fn a_missing_folder_is_named() {
        let error = checked_file(Path::new("/no/such/folder/karat.db")).unwrap_err();
        assert!(error.to_string().contains("/no/such/folder/karat.db"), "{error}");
    }
}
