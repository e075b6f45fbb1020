//! A small HTTP client for tests: one connection for each request.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Asks a server.
pub(crate) struct Client {
    /// Its address and port.
    pub(crate) host: String,
}

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Answered {
    /// 0 where there was no answer.
    pub(crate) status: u16,
    pub(crate) location: Option<String>,
    pub(crate) body: String,
}

impl Client {
    pub(crate) fn get(&self, path: &str) -> Answered {
        self.send(
            &format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.host),
            &[],
        )
    }

    /// Sends a form as a browser does that has no files.
    pub(crate) fn post(&self, path: &str, fields: &str) -> Answered {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n",
            self.host,
            fields.len()
        );
        self.send(&head, fields.as_bytes())
    }

    /// Sends JSON.
    pub(crate) fn json(&self, method: &str, path: &str, version: &str, body: &str) -> Answered {
        let matched =
            if version.is_empty() { String::new() } else { format!("If-Match: {version}\r\n") };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n{matched}Content-Length: {}\r\n\r\n",
            self.host,
            body.len()
        );
        self.send(&head, body.as_bytes())
    }

    /// Sends JSON with other headers, each `Name: value`.
    pub(crate) fn with_headers(&self, path: &str, headers: &[String], body: &str) -> Answered {
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n{headers}Content-Length: {}\r\n\r\n",
            self.host,
            body.len()
        );
        self.send(&head, body.as_bytes())
    }

    /// Asks or sends JSON with a token.
    pub(crate) fn with_token(&self, method: &str, path: &str, token: &str, body: &str) -> Answered {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.host,
            body.len()
        );
        self.send(&head, body.as_bytes())
    }

    /// Sends a form with files, each a name and its bytes.
    pub(crate) fn upload(&self, fields: &[(&str, &str)], files: &[(&str, &[u8])]) -> Answered {
        let mut body = Vec::new();
        for (name, value) in fields {
            body.extend(
                format!(
                    "--zzz\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
                )
                .bytes(),
            );
        }
        for (name, bytes) in files {
            let head = format!(
                "--zzz\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{name}\"\r\nContent-Type: application/octet-stream\r\n\r\n"
            );
            body.extend(head.bytes());
            body.extend(*bytes);
            body.extend(b"\r\n");
        }
        body.extend(b"--zzz--\r\n");
        let head = format!(
            "POST /upload HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=zzz\r\nContent-Length: {}\r\n\r\n",
            self.host,
            body.len()
        );
        self.send(&head, &body)
    }

    fn send(&self, head: &str, body: &[u8]) -> Answered {
        let mut answer = Vec::new();
        if let Ok(mut stream) = TcpStream::connect(&self.host) {
            stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout can be set");
            // A server that refuses early closes before everything is sent; its answer is what counts.
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
            let _ = stream.read_to_end(&mut answer);
        }
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let location = head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("location").then(|| value.to_owned())
        });
        Answered { status, location, body: body.to_owned() }
    }

    /// An event stream that is left open.
    pub(crate) fn listen(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).expect("the server listens");
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n",
            self.host
        );
        stream.write_all(head.as_bytes()).expect("a request can be sent");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout can be set");
        stream
    }

    /// Waits until a job has ended, and gives its page.
    pub(crate) fn ended_job(&self, path: &str) -> Answered {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let page = self.get(path);
            assert_eq!(page.status, 200, "{}", page.body);
            if !page.body.contains("/cancel\"") {
                return page;
            }
            assert!(Instant::now() < until, "the job does not end: {}", page.body);
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}
