//! The key behind what must not be read in the database, and what must not be made up outside: ids of platforms are
//! encrypted with it, and tokens are signed with it.
//!
//! It is not in the database: for a file it lies beside it, readable by its owner only; for a server it is in the
//! environment. Whoever has one without the other has nothing.

use crate::ids::{hex, random};
use crate::{Result, Store, StoreAddress, StoreError};
use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac as _};
use sha2::Sha256;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The variable of the environment with the key, in 64 hexadecimal digits.
pub const KEY_VARIABLE: &str = "KARAT_KEY";

/// A key of 256 bits. It is never shown.
#[derive(Clone)]
pub struct StoreKey([u8; 32]);

impl std::fmt::Debug for StoreKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StoreKey")
    }
}

/// Where the key of a store comes from, and the key once it was needed.
#[derive(Clone, Debug)]
pub(crate) struct KeyRing {
    beside: Option<PathBuf>,
    is_memory: bool,
    key: Arc<OnceLock<StoreKey>>,
}

impl KeyRing {
    pub(crate) fn of(address: &StoreAddress) -> KeyRing {
        let beside = match address {
            StoreAddress::File(path) => {
                let mut name = path.as_os_str().to_owned();
                name.push(".key");
                Some(PathBuf::from(name))
            }
            StoreAddress::Memory | StoreAddress::Server(_) => None,
        };
        let is_memory = matches!(address, StoreAddress::Memory);
        KeyRing { beside, is_memory, key: Arc::default() }
    }

    fn key(&self) -> Result<StoreKey> {
        if let Some(key) = self.key.get() {
            return Ok(key.clone());
        }
        let found = match (std::env::var(KEY_VARIABLE), &self.beside) {
            (Ok(text), _) => StoreKey::from_hex(text.trim()).ok_or_else(|| {
                StoreError::Key(format!("{KEY_VARIABLE} has to be 64 hexadecimal digits"))
            })?,
            (Err(_), Some(path)) => StoreKey::in_file(path)?,
            (Err(_), None) if self.is_memory => StoreKey::new()?,
            (Err(_), None) => {
                return Err(StoreError::Key(format!(
                    "ids of people are encrypted, and a database server has no place for the key: \
                     set {KEY_VARIABLE} to 64 hexadecimal digits and keep them"
                )));
            }
        };
        // Two at once read the same file; in memory the first one stays.
        Ok(self.key.get_or_init(|| found).clone())
    }
}

impl StoreKey {
    /// A new key.
    pub fn new() -> Result<StoreKey> {
        Ok(StoreKey(random()?))
    }

    /// A key in 64 hexadecimal digits.
    pub fn from_hex(text: &str) -> Option<StoreKey> {
        let mut key = [0; 32];
        let is_hex = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        for (at, byte) in key.iter_mut().enumerate().filter(|_| is_hex) {
            *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
        }
        is_hex.then_some(StoreKey(key))
    }

    /// The key in a file, which is made if there is none.
    fn in_file(path: &Path) -> Result<StoreKey> {
        let problem = |error: &std::io::Error| {
            StoreError::Key(format!("the key in {} cannot be used: {error}", path.display()))
        };
        let read = || -> std::io::Result<String> {
            let mut text = String::new();
            std::fs::File::open(path)?.take(100).read_to_string(&mut text)?;
            Ok(text)
        };
        let text = match read() {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let key = StoreKey::new()?;
                match key.written(path) {
                    Ok(()) => return Ok(key),
                    // Somebody else was faster.
                    Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                        read().map_err(|error| problem(&error))?
                    }
                    Err(error) => return Err(problem(&error)),
                }
            }
            Err(error) => return Err(problem(&error)),
        };
        StoreKey::from_hex(text.trim()).ok_or_else(|| {
            StoreError::Key(format!("{} does not hold 64 hexadecimal digits", path.display()))
        })
    }

    /// Writes the key beside its place and moves it there, so that nobody reads half of it.
    fn written(&self, path: &Path) -> std::io::Result<()> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(format!(".{}", std::process::id()));
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&beside)?;
        file.write_all(hex(&self.0).as_bytes())?;
        file.sync_all()?;
        // A link fails where a name is taken; a renaming would replace the key of somebody else.
        let linked = std::fs::hard_link(&beside, path);
        std::fs::remove_file(&beside)?;
        linked
    }

    /// A key for one purpose, made of this one.
    fn derived(&self, purpose: &str) -> [u8; 32] {
        self.mac("purpose", purpose.as_bytes())
    }

    fn mac(&self, what: &str, bytes: &[u8]) -> [u8; 32] {
        // Keys of any length are taken: this cannot fail.
        let Ok(mut mac) = <Hmac<Sha256> as hmac::digest::KeyInit>::new_from_slice(&self.0) else {
            return [0; 32];
        };
        mac.update(&(what.len() as u64).to_le_bytes());
        mac.update(what.as_bytes());
        mac.update(bytes);
        mac.finalize().into_bytes().into()
    }

    /// A digest that only the holder of the key can make: to find something encrypted again.
    pub(crate) fn digest(&self, what: &str, text: &str) -> String {
        hex(&self.mac(what, text.as_bytes())[..16])
    }

    /// Encrypts a text. What it belongs to is bound to it: elsewhere it cannot be opened.
    pub(crate) fn seal(&self, belongs_to: &str, text: &str) -> Result<String> {
        let nonce: [u8; 24] = random()?;
        let cipher = XChaCha20Poly1305::new(&self.derived("external ids").into());
        let payload = Payload { msg: text.as_bytes(), aad: belongs_to.as_bytes() };
        let sealed = cipher
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|_| StoreError::Key("a text cannot be encrypted".into()))?;
        Ok(hex(&[&nonce[..], &sealed].concat()))
    }

    /// Decrypts a text.
    pub(crate) fn open(&self, belongs_to: &str, sealed: &str) -> Result<String> {
        let wrong = || StoreError::Key("this was encrypted with another key".into());
        let bytes: Option<Vec<u8>> = (0..sealed.len() / 2)
            .map(|at| sealed.get(2 * at..2 * at + 2))
            .map(|two| u8::from_str_radix(two?, 16).ok())
            .collect();
        let bytes = bytes.ok_or_else(wrong)?;
        let (nonce, rest) = bytes.split_first_chunk::<24>().ok_or_else(wrong)?;
        let cipher = XChaCha20Poly1305::new(&self.derived("external ids").into());
        let payload = Payload { msg: rest, aad: belongs_to.as_bytes() };
        let opened = cipher.decrypt(&XNonce::from(*nonce), payload).map_err(|_| wrong())?;
        String::from_utf8(opened).map_err(|_| wrong())
    }
}

impl Store {
    /// The same store with this key.
    #[must_use]
    pub fn with_key(mut self, key: StoreKey) -> Store {
        self.keys.key = Arc::new(OnceLock::from(key));
        self
    }

    pub(crate) fn key(&self) -> Result<StoreKey> {
        self.keys.key()
    }

    /// Signs a text for a purpose, in 64 hexadecimal digits. Only this store, with its key, can make it.
    pub fn sign(&self, purpose: &str, text: &str) -> Result<String> {
        Ok(hex(&self.key()?.mac(purpose, text.as_bytes())))
    }

    /// Whether a signature is that of a text. Takes the same time for all that are wrong.
    pub fn is_signed(&self, purpose: &str, text: &str, signature: &str) -> Result<bool> {
        let right = self.sign(purpose, text)?;
        let differ = right.bytes().zip(signature.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        Ok(right.len() == signature.len() && differ == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_opens_only_where_it_belongs_and_with_its_key() {
        let (key, other) = (StoreKey::new().unwrap(), StoreKey::new().unwrap());
        let sealed = key.seal("worker 1", "5f3a Ünï").unwrap();
        assert!(!sealed.contains("5f3a"));
        assert_eq!(key.open("worker 1", &sealed).unwrap(), "5f3a Ünï");
        assert!(key.open("worker 2", &sealed).is_err());
        assert!(other.open("worker 1", &sealed).is_err());
        for damaged in ["", "zz", &sealed[2..], &sealed[..40]] {
            assert!(key.open("worker 1", damaged).is_err());
        }
        assert_ne!(key.seal("worker 1", "a").unwrap(), key.seal("worker 1", "a").unwrap());
        assert_eq!(key.digest("a", "b"), key.digest("a", "b"));
        assert_ne!(key.digest("a", "b"), other.digest("a", "b"));
    }

    #[cfg(unix)]
    #[test]
    fn a_key_lies_beside_its_database_for_its_owner_only() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("karat.db.key");
        let key = StoreKey::in_file(&path).unwrap();
        assert_eq!(StoreKey::in_file(&path).unwrap().0, key.0);
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        std::fs::write(&path, "short").unwrap();
        assert!(StoreKey::in_file(&path).is_err());
    }
}
