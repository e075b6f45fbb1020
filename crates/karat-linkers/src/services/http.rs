//! The one client of all services.

use super::network::{CheckedNames, NetworkRules};
use crate::failure::{FailureKind, LinkFailure};
use crate::wire::{WireAnswer, WireTimes};
use reqwest::header::{HeaderMap, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response, Url};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// No answer about one text is longer.
const LONGEST_ANSWER: usize = 32 << 20;
/// How often a request may be sent on to another address.
const REDIRECTS: usize = 3;
/// How long to wait for a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// Headers of answers that are kept; others may hold what is nobody's business.
const KEPT: [&str; 7] = [
    "content-type",
    "date",
    "server",
    "retry-after",
    "x-request-id",
    "ratelimit-remaining",
    "ratelimit-reset",
];

/// A request with its secrets.
#[derive(Clone)]
pub struct HttpRequest {
    /// `POST` or `GET`.
    pub method: String,
    /// Where it goes.
    pub url: String,
    /// Its headers.
    pub headers: Vec<(String, String)>,
    /// What is sent.
    pub body: String,
    /// How long to wait for all of the answer.
    pub time_out: Duration,
}

/// Sends requests. Threads share one.
pub struct HttpClient {
    // Before the runtime, so that connections are closed while it still runs.
    client: Client,
    runtime: Runtime,
    rules: NetworkRules,
}

impl HttpClient {
    /// A client that keeps to these rules. Certificates are always checked, by what the system trusts.
    pub fn new(rules: NetworkRules) -> Result<HttpClient, LinkFailure> {
        let failed = |error: &dyn std::fmt::Display| {
            LinkFailure::new(FailureKind::Connect, format!("no client can be made: {error}"))
        };
        // Fails when there is one already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .user_agent(concat!("karat/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .connect_timeout(CONNECT);
        if !rules.allow_private {
            // A proxy would connect to whatever it is told, unchecked.
            builder = builder.no_proxy().dns_resolver(Arc::new(CheckedNames(rules.clone())));
        }
        let client = builder.build().map_err(|error| failed(&error))?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| failed(&error))?;
        Ok(HttpClient { client, runtime, rules })
    }

    /// Sends a request and waits for its answer, whatever its status.
    pub fn send(&self, request: &HttpRequest) -> Result<WireAnswer, LinkFailure> {
        let exchange = self.exchange(request);
        self.runtime.block_on(async {
            match tokio::time::timeout(request.time_out, exchange).await {
                Ok(reply) => reply,
                Err(_) => {
                    let message = format!("no answer within {:?}", request.time_out);
                    Err(LinkFailure::new(FailureKind::TimeOut, message))
                }
            }
        })
    }

    async fn exchange(&self, request: &HttpRequest) -> Result<WireAnswer, LinkFailure> {
        let bad = |message: String| LinkFailure::new(FailureKind::Refused(0), message);
        let mut url: Url =
            request.url.parse().map_err(|_| bad("the address cannot be read".to_owned()))?;
        let method: Method = request
            .method
            .parse()
            .map_err(|_| bad(format!("there is no method `{}`", request.method)))?;
        let begun = Instant::now();
        for _ in 0..=REDIRECTS {
            self.rules.check(&url)?;
            let mut sending = self.client.request(method.clone(), url.clone());
            for (name, value) in &request.headers {
                sending = sending.header(name, value);
            }
            if !request.body.is_empty() {
                sending = sending.body(request.body.clone());
            }
            let response = sending.send().await.map_err(|error| lost(&error))?;
            match next_address(&url, &response) {
                Some(next) => url = next,
                None => return answered(response, begun).await,
            }
        }
        Err(bad(format!("the service sends on more than {REDIRECTS} times")))
    }
}

/// Where a request is sent on to.
fn next_address(url: &Url, response: &Response) -> Option<Url> {
    if !matches!(response.status().as_u16(), 307 | 308) {
        // The others would make a GET of a POST, without the text.
        return None;
    }
    let next = url.join(response.headers().get(LOCATION)?.to_str().ok()?).ok()?;
    is_same_service(url, &next).then_some(next)
}

/// Whether whoever got the secret at one address may get it at the other: the same host and port, never from https to http, and
/// from the usual port of http to that of https.
fn is_same_service(url: &Url, next: &Url) -> bool {
    let place = |url: &Url| (url.scheme() == "https", url.port_or_known_default());
    let is_same = match (place(url), place(next)) {
        ((false, Some(80)), (true, Some(443))) => true,
        ((was_secure, port), (is_secure, next)) => port == next && (is_secure || !was_secure),
    };
    is_same && next.host_str() == url.host_str()
}

async fn answered(mut response: Response, begun: Instant) -> Result<WireAnswer, LinkFailure> {
    let first = begun.elapsed();
    let status = response.status().as_u16();
    let headers = kept_headers(response.headers());
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| lost(&error))? {
        if body.len() + chunk.len() > LONGEST_ANSWER {
            let message = format!("the answer is longer than {LONGEST_ANSWER} bytes");
            return Err(LinkFailure::new(FailureKind::Malformed, message));
        }
        body.extend_from_slice(&chunk);
    }
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let times = WireTimes { wait: 0.0, first: ms(first), all: ms(begun.elapsed()) };
    let body = String::from_utf8_lossy(&body).into_owned();
    Ok(WireAnswer { status, headers, body, times })
}

/// Why there is no answer. The address may have a secret in it, and is not repeated.
fn lost(error: &reqwest::Error) -> LinkFailure {
    let mut message = "the connection broke".to_owned();
    if error.is_connect() {
        message = "there is no connection".to_owned();
    }
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        message = format!("{message}: {cause}");
        source = cause.source();
    }
    let kind = if error.is_timeout() { FailureKind::TimeOut } else { FailureKind::Connect };
    LinkFailure::new(kind, message)
}

fn kept_headers(headers: &HeaderMap) -> BTreeMap<String, String> {
    let kept = KEPT.iter().filter_map(|name| {
        Some(((*name).to_owned(), headers.get(*name)?.to_str().ok()?.to_owned()))
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_sent_on_within_one_service_only() {
        let goes_on =
            |from: &str, to: &str| is_same_service(&from.parse().unwrap(), &to.parse().unwrap());
        assert!(goes_on("http://example.org/a", "http://example.org:80/b"));
        assert!(goes_on("http://example.org/a", "https://example.org/a"));
        assert!(!goes_on("http://example.org/a", "http://example.org:8080/a"));
        assert!(!goes_on("http://example.org:8080/a", "https://example.org/a"));
        assert!(!goes_on("https://example.org/a", "http://example.org/a"));
        assert!(!goes_on("https://example.org/a", "https://example.net/a"));
    }
}
