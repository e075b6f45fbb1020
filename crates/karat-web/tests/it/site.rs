//! A server for a test, asked without a browser.

use karat_web::server::{Access, Server, ServerOptions};
use karat_web::workbench::Workbench;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A server on a free port, with threads of its own.
pub(crate) struct Site {
    /// Its address, as `127.0.0.1:4000`.
    pub(crate) host: String,
    runtime: Option<tokio::runtime::Runtime>,
}

/// What a server answered.
pub(crate) struct Answered {
    /// The status.
    pub(crate) status: u16,
    /// The headers, in lower case.
    pub(crate) headers: String,
    /// The bytes as they were sent, without the marks of chunks.
    pub(crate) body: Vec<u8>,
}

impl Answered {
    /// The page as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("pages are UTF-8")
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        // A test that has failed does not wait for pages that are still computed.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Site {
    /// Starts one.
    pub(crate) fn of(workbench: Workbench) -> Site {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.expect("a runtime can be made");
        let address = "127.0.0.1:0".parse().expect("an address");
        let workbench = Arc::new(workbench);
        let options =
            ServerOptions { address, workbench, workspace: None, access: Access::Machine };
        let server = runtime.block_on(Server::bind(options));
        let server = server.expect("a free port");
        let link = server.link();
        let host = link.trim_start_matches("http://").trim_end_matches('/').to_owned();
        runtime.spawn(server.run(std::future::pending()));
        Site { host, runtime: Some(runtime) }
    }

    /// Asks for a path as it is.
    pub(crate) fn get(&self, path: &str) -> Answered {
        self.ask(path, "")
    }

    /// Asks for a path until its page is made: a page of a very large corpus takes longer than the server waits, the more so on a
    /// machine that has much else to do; what was computed by then is kept for the next who asks.
    pub(crate) fn get_at_last(&self, path: &str) -> Answered {
        let until = Instant::now() + Duration::from_secs(180);
        loop {
            let answered = self.get(path);
            if answered.status != 503 {
                return answered;
            }
            assert!(Instant::now() < until, "no page in three minutes: {path}");
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Asks for a path, compressed.
    pub(crate) fn get_compressed(&self, path: &str) -> Answered {
        self.ask(path, "Accept-Encoding: gzip\r\n")
    }

    fn ask(&self, path: &str, more: &str) -> Answered {
        let mut stream = TcpStream::connect(&self.host).expect("the server listens");
        // A test that hangs says nothing.
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a limit");
        let asked = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{more}\r\n",
            self.host
        );
        stream.write_all(asked.as_bytes()).expect("the server reads");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap_or_else(|error| panic!("{path}: {error}"));
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("headers") + 4;
        let headers = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let status = headers.split(' ').nth(1).and_then(|word| word.parse().ok());
        let body = match headers.contains("transfer-encoding: chunked") {
            true => joined(&bytes[end..]),
            false => bytes[end..].to_vec(),
        };
        Answered { status: status.expect("a status"), headers, body }
    }
}

/// A body without the marks of its chunks.
fn joined(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(at) = bytes.windows(2).position(|two| two == b"\r\n") {
        let length = std::str::from_utf8(&bytes[..at]).expect("a length");
        let length = usize::from_str_radix(length.trim(), 16).expect("a length");
        if length == 0 {
            break;
        }
        body.extend_from_slice(&bytes[at + 2..at + 2 + length]);
        bytes = &bytes[at + 4 + length..];
    }
    body
}
