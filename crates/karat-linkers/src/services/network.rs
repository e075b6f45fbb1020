//! Where requests may go, for addresses that somebody else chose.

use crate::failure::{FailureKind, LinkFailure};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Where requests may go.
///
/// A server that asks whatever address it is given can be made to ask machines that only it can reach. So private addresses
/// are refused unless they are allowed: what a name resolves to is checked, and exactly that is connected to. Whoever types a
/// command on their own machine is trusted ([`NetworkRules::trusted`]).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NetworkRules {
    /// Whether machines may be asked that are not on the public internet.
    pub allow_private: bool,
    /// The hosts that may be asked; all if there are none.
    pub hosts: Vec<String>,
}

impl NetworkRules {
    /// Any address may be asked.
    pub fn trusted() -> NetworkRules {
        NetworkRules { allow_private: true, hosts: Vec::new() }
    }

    /// Whether this address may be connected to.
    pub fn allows(&self, address: IpAddr) -> bool {
        self.allow_private || is_public(address)
    }

    /// Refuses an address that may not be asked, as far as that can be seen from how it is written.
    pub fn check(&self, url: &reqwest::Url) -> Result<(), LinkFailure> {
        let refused = |message: String| Err(LinkFailure::new(FailureKind::Refused(0), message));
        let host = url.host_str().unwrap_or_default();
        if !matches!(url.scheme(), "http" | "https") {
            return refused(format!("`{}` is no address of a service", url.scheme()));
        }
        if !self.hosts.is_empty() && !self.hosts.iter().any(|allowed| allowed == host) {
            return refused(format!("`{host}` is not among the hosts that may be asked"));
        }
        // An address in digits is not resolved, so it is checked here.
        let digits = host.trim_start_matches('[').trim_end_matches(']');
        match digits.parse::<IpAddr>() {
            Ok(address) if !self.allows(address) => {
                refused(format!("`{host}` is a private address, which may not be asked"))
            }
            _ => Ok(()),
        }
    }
}

/// Resolves names, and gives only what may be connected to.
pub(super) struct CheckedNames(pub(super) NetworkRules);

impl Resolve for CheckedNames {
    fn resolve(&self, name: Name) -> Resolving {
        let rules = self.0.clone();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> =
                found.filter(|address| rules.allows(address.ip())).collect();
            match allowed.is_empty() {
                true => Err(format!("`{}` has no address that may be asked", name.as_str()).into()),
                false => Ok(Box::new(allowed.into_iter()) as Addrs),
            }
        })
    }
}

/// Whether an address is on the public internet.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !(a == 0
        || a >= 240
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && (18..20).contains(&b)))
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    // Addresses of IPv4 in disguise: mapped, compatible, translated, tunnelled.
    let embedded = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match segments {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] => is_public_v4(embedded(high, low)),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => is_public_v4(embedded(high, low)),
        [0x64, 0xff9b, ..] => false,
        [0x2002, high, low, ..] => is_public_v4(embedded(high, low)),
        // Only this eighth of all addresses is given out, and parts of it are for documentation and tunnels.
        [0x2001, 0..0x200, ..] | [0x2001, 0xdb8, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_public_internet_is_public() {
        let private = "127.0.0.1 127.9.9.9 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 0.0.0.0 100.64.0.1 198.18.0.1 \
                       192.0.0.8 224.0.0.1 255.255.255.255 203.0.113.9 ::1 :: fe80::1 fc00::1 fd12::1 ff02::1 ::ffff:127.0.0.1 \
                       ::ffff:10.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1::1 2001:db8::1 2001::1";
        for address in private.split_whitespace() {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "8.8.8.8",
            "1.1.1.1",
            "172.32.0.1",
            "2606:4700::1111",
            "::ffff:8.8.8.8",
            "2002:808:808::1",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn addresses_are_refused_however_they_are_written() {
        let rules = NetworkRules::default();
        let refused = |url: &str| rules.check(&url.parse().unwrap()).is_err();
        // The parser of addresses knows that these are all one.
        for url in [
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://[::1]:80/",
            "file:///etc/passwd",
        ] {
            assert!(refused(url), "{url}");
        }
        assert!(!refused("https://example.org/"));
        let hosts = vec!["example.org".to_owned()];
        let listed = NetworkRules { hosts, ..NetworkRules::default() };
        assert!(listed.check(&"https://example.com/".parse().unwrap()).is_err());
        assert!(listed.check(&"https://example.org/".parse().unwrap()).is_ok());
        assert!(NetworkRules::trusted().check(&"http://127.0.0.1:9/".parse().unwrap()).is_ok());
    }
}
