//! What protects readers and the machine.

use axum::http::{HeaderName, HeaderValue, header};

/// What browsers may do with our pages: load what is ours, and nothing else.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types karat";

/// Headers of every answer.
pub fn headers() -> [(HeaderName, HeaderValue); 6] {
    [
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            HeaderValue::from_static("same-origin"),
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            HeaderValue::from_static("same-origin"),
        ),
        (
            HeaderName::from_static("permissions-policy"),
            HeaderValue::from_static("camera=(), geolocation=(), microphone=()"),
        ),
    ]
}

/// Who may look.
///
/// A page that another site opens in the same browser could reach a server on this machine under a name of its own
/// (DNS rebinding), and so could other users of the machine. Therefore the name that was asked for must be one of
/// ours, and whoever comes first shows a key that only the terminal has printed.
#[derive(Debug, Clone)]
pub struct Door {
    /// The names under which the server may be asked, with ports.
    hosts: Vec<String>,
    /// What has to be shown; `None` if everybody on this machine is trusted.
    key: Option<String>,
}

/// The cookie that holds the key.
pub const COOKIE: &str = "karat";

impl Door {
    /// The door of a server at this port of this machine.
    pub fn new(port: u16, key: Option<String>) -> Door {
        let names = ["localhost", "127.0.0.1", "[::1]"];
        Door { hosts: names.map(|name| format!("{name}:{port}")).to_vec(), key }
    }

    /// A key that nobody guesses.
    pub fn make_key() -> std::io::Result<String> {
        use std::io::Read;
        let mut bytes = [0; 32];
        std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The key, if there is one.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// Whether the server may be asked under this name.
    pub fn knows(&self, host: &str) -> bool {
        self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
    }

    /// Whether this is the key.
    pub fn opens(&self, shown: &str) -> bool {
        match &self.key {
            None => true,
            // The time must not tell how much of the key was right.
            Some(key) => {
                let differ = key.bytes().zip(shown.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
                key.len() == shown.len() && differ == 0
            }
        }
    }

    /// Whether one of these cookies has the key.
    pub fn is_opened_by(&self, cookies: &str) -> bool {
        self.key.is_none()
            || cookies
                .split(';')
                .filter_map(|cookie| cookie.trim().split_once('='))
                .any(|(name, value)| name == COOKIE && self.opens(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_key_opens() -> std::io::Result<()> {
        let key = Door::make_key()?;
        let door = Door::new(8000, Some(key.clone()));
        assert_eq!(key.len(), 64);
        assert!(door.opens(&key) && !door.opens("") && !door.opens(&key[1..]));
        assert!(door.is_opened_by(&format!("a=b; {COOKIE}={key}")));
        assert!(!door.is_opened_by(&format!("other={key}")));
        assert!(!door.is_opened_by(""));
        assert!(Door::new(8000, None).is_opened_by(""));
        Ok(())
    }

    #[test]
    fn only_names_of_this_machine_are_known() {
        let door = Door::new(8000, None);
        assert!(door.knows("localhost:8000") && door.knows("127.0.0.1:8000"));
        for name in ["localhost", "localhost:80", "evil.example:8000", ""] {
            assert!(!door.knows(name), "{name}");
        }
    }
}
