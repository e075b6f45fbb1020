//! What protects readers and the machine.

use crate::assets::{Asset, SCRIPT, STYLE};
use axum::http::{HeaderName, HeaderValue, header};
use std::net::SocketAddr;

/// What browsers may do with our pages: load what is ours, and nothing else.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types karat";

/// What browsers may do with a report that is one file: use the style sheet and run the script that are in it, which
/// are known by their digests, and load nothing at all.
pub fn policy_of_one_file() -> String {
    let [style, script] = [&*STYLE, &*SCRIPT].map(Asset::integrity);
    format!(
        "default-src 'none'; script-src '{script}'; style-src '{style}'; img-src data:; \
         form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types karat"
    )
}

/// What browsers may do with the pages of a report in a folder: load what lies beside them. Files on a disk have no
/// origin of their own, so that `'self'` alone would forbid it there.
pub fn policy_of_files() -> &'static str {
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src data:; \
     form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types karat"
}

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
pub struct AccessGuard {
    /// The names under which the server may be asked, with ports.
    hosts: Vec<String>,
    /// What has to be shown; `None` if everybody on this machine is trusted.
    key: Option<String>,
}

/// The cookie that holds the key.
pub const COOKIE: &str = "karat";

impl AccessGuard {
    /// The guard of a server at this address of this machine.
    pub fn new(address: SocketAddr, key: Option<String>) -> AccessGuard {
        let port = address.port();
        let own = match address {
            SocketAddr::V4(address) => address.ip().to_string(),
            SocketAddr::V6(address) => format!("[{}]", address.ip()),
        };
        let names = ["localhost", "127.0.0.1", "[::1]", &own];
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        if port == 80 {
            // Browsers leave out the usual port.
            hosts.extend(names.map(str::to_owned));
        }
        AccessGuard { hosts, key }
    }

    /// A key that nobody guesses.
    pub fn make_key() -> std::io::Result<String> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The key, if there is one.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// The same guard of a server that people also reach at another address.
    #[must_use]
    pub fn also_known_as(mut self, origin: &str) -> AccessGuard {
        let host = origin.split_once("://").map_or(origin, |(_, host)| host);
        let host = host.split('/').next().unwrap_or_default();
        self.hosts.push(host.to_owned());
        self
    }

    /// Where the server is, without a slash at the end.
    pub fn origin(&self) -> String {
        // The last name is the address itself.
        format!("http://{}", self.hosts.last().map_or("localhost", String::as_str))
    }

    /// Whether the server may be asked under this name.
    pub fn allows_host(&self, host: &str) -> bool {
        self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
    }

    /// Whether this is the key.
    pub fn accepts_key(&self, shown: &str) -> bool {
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
    pub fn admits_cookies(&self, cookies: &str) -> bool {
        self.key.is_none()
            || cookies
                .split(';')
                .filter_map(|cookie| cookie.trim().split_once('='))
                .any(|(name, value)| name == COOKIE && self.accepts_key(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn at(ip: Ipv4Addr, port: u16) -> SocketAddr {
        SocketAddr::from((ip, port))
    }

    #[test]
    fn only_the_key_opens() -> std::io::Result<()> {
        let key = AccessGuard::make_key()?;
        let guard = AccessGuard::new(at(Ipv4Addr::LOCALHOST, 8000), Some(key.clone()));
        assert_eq!(key.len(), 64);
        assert!(guard.accepts_key(&key) && !guard.accepts_key("") && !guard.accepts_key(&key[1..]));
        assert!(guard.admits_cookies(&format!("a=b; {COOKIE}={key}")));
        assert!(!guard.admits_cookies(&format!("other={key}")));
        assert!(!guard.admits_cookies(""));
        assert!(AccessGuard::new(at(Ipv4Addr::LOCALHOST, 8000), None).admits_cookies(""));
        Ok(())
    }

    #[test]
    fn only_names_of_this_machine_are_known() {
        let guard = AccessGuard::new(at(Ipv4Addr::LOCALHOST, 8000), None);
        assert!(guard.allows_host("localhost:8000") && guard.allows_host("127.0.0.1:8000"));
        for name in ["localhost", "localhost:80", "evil.example:8000", ""] {
            assert!(!guard.allows_host(name), "{name}");
        }
    }

    #[test]
    fn the_address_itself_is_known_and_the_usual_port_may_be_left_out() {
        let guard = AccessGuard::new(at(Ipv4Addr::new(127, 0, 0, 2), 80), None);
        for name in ["127.0.0.2", "127.0.0.2:80", "localhost", "[::1]:80"] {
            assert!(guard.allows_host(name), "{name}");
        }
        assert!(!guard.allows_host("127.0.0.3:80") && !guard.allows_host("127.0.0.2:8000"));
        let guard = AccessGuard::new(SocketAddr::from((std::net::Ipv6Addr::LOCALHOST, 8000)), None);
        assert!(guard.allows_host("[::1]:8000") && !guard.allows_host("[::1]"));
    }
}
