//! Which program computes: part of the key of every answer that is kept.

use sha2::{Digest as _, Sha256};
use std::io::Read as _;
use std::sync::LazyLock;

/// The version of karat and the digest of the program that runs.
///
/// The version alone is not enough: while a version is made, its programs differ, and an answer must never be taken
/// for that of another program. The program is read once, which takes some milliseconds. Where it cannot
/// be read, the moment of the start stands for it: then answers live as long as the process.
pub fn engine() -> &'static str {
    static ENGINE: LazyLock<String> = LazyLock::new(|| {
        let build =
            digest_of_program().unwrap_or_else(|_| format!("{:?}", std::time::SystemTime::now()));
        format!("{} {build}", env!("CARGO_PKG_VERSION"))
    });
    &ENGINE
}

fn digest_of_program() -> std::io::Result<String> {
    let mut program = std::fs::File::open(std::env::current_exe()?)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match program.read(&mut buffer)? {
            0 => break,
            length => hasher.update(&buffer[..length]),
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_program_has_a_digest() {
        let (version, build) = super::engine().split_once(' ').unwrap_or_default();
        assert_eq!(version, env!("CARGO_PKG_VERSION"));
        assert!(build.len() == 64 && build.chars().all(|c| c.is_ascii_hexdigit()), "{build}");
    }
}
