//! Ids, secrets, digests and names.

use crate::{Result, StoreError};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

const BASE32: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A new id: ten random letters and digits (50 bits), fit for an address and for reading aloud.
pub fn new_id() -> Result<String> {
    letters(BASE32, 10)
}

/// A random secret of 256 bits in 43 letters and digits.
pub(crate) fn new_secret() -> Result<String> {
    letters(BASE62, 43)
}

/// The SHA-256 of bytes in 64 hexadecimal digits: how files and secrets are named.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Six letters and digits that show a typing error in a secret.
pub(crate) fn checksum(secret: &str) -> String {
    let mut rest = crc32fast::hash(secret.as_bytes()) as usize;
    let mut text = [b'0'; 6];
    for place in text.iter_mut().rev() {
        *place = BASE62[rest % 62];
        rest /= 62;
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Refuses names that cannot stand in an address.
pub(crate) fn checked_name(name: &str) -> Result<&str> {
    let first = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    let rest = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    if first && rest && name.len() <= 64 && !name.contains("..") {
        Ok(name)
    } else {
        Err(StoreError::Name(name.to_owned()))
    }
}

/// Random bytes.
pub(crate) fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Random(error.to_string()))?;
    Ok(bytes)
}

/// Letters drawn evenly: bytes above the last multiple of the alphabet are drawn again.
fn letters(alphabet: &[u8], count: usize) -> Result<String> {
    let even = 256 - 256 % alphabet.len();
    let mut text = String::with_capacity(count);
    while text.len() < count {
        for byte in random::<64>()? {
            if usize::from(byte) < even && text.len() < count {
                text.push(char::from(alphabet[usize::from(byte) % alphabet.len()]));
            }
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_ten_letters_and_differ() {
        let ids: Vec<_> = (0..100).map(|_| new_id().unwrap()).collect();
        assert!(ids.iter().all(|id| id.len() == 10 && id.bytes().all(|b| BASE32.contains(&b))));
        assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), 100);
    }

    #[test]
    fn a_name_must_fit_an_address() {
        for good in ["aida", "REL-2", "v1.0", "a"] {
            assert_eq!(checked_name(good).unwrap(), good);
        }
        let long = "x".repeat(65);
        for bad in ["", "-a", "a b", "a@b", "a/b", "ä", "a..b", &long] {
            assert!(checked_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_checksum_changes_with_every_letter() {
        assert_eq!(checksum("abc").len(), 6);
        assert_ne!(checksum("abc"), checksum("acd"));
    }

    #[test]
    fn a_digest_is_that_of_sha256sum() {
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), known);
    }
}
