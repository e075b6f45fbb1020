//! A small server on a free port, which answers as it is told.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) target: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

/// What is done about a request.
pub(crate) enum Reply {
    /// An answer with this status, headers and body.
    Answer(u16, Vec<(&'static str, String)>, String),
    /// So much of an answer, and then the connection ends.
    Torn(String),
    /// The connection ends.
    Dropped,
}

pub(crate) fn json(body: impl ToString) -> Reply {
    let headers = vec![("Content-Type", "application/json".to_owned())];
    Reply::Answer(200, headers, body.to_string())
}

/// A server, until it is dropped.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    is_over: Arc<AtomicBool>,
}

impl TestServer {
    pub(crate) fn start(answer: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> TestServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let is_over = Arc::new(AtomicBool::new(false));
        let (over, answer) = (Arc::clone(&is_over), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::SeqCst) {
                    return;
                }
                let answer = Arc::clone(&answer);
                std::thread::spawn(move || serve(stream.ok()?, answer.as_ref()));
            }
        });
        TestServer { address, is_over }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
    }
}

fn serve(stream: TcpStream, answer: &dyn Fn(&Received) -> Reply) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut stream = stream;
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|length| *length > 0)?;
    let mut words = line.split(' ').map(str::to_owned);
    let target = words.nth(1)?;
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim().split_once(':') else { break };
        headers.insert(name.to_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = String::from_utf8(body).ok()?;
    let reply = answer(&Received { target, headers, body });
    match reply {
        Reply::Dropped => {}
        Reply::Torn(body) => {
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len() + 50);
            stream.write_all((head + &body).as_bytes()).ok()?;
        }
        Reply::Answer(status, headers, body) => {
            let headers: String =
                headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status} Said\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            stream.write_all((head + &body).as_bytes()).ok()?;
        }
    }
    Some(())
}

/// The value of a field of a form, or of the query of an address.
pub(crate) fn field(pairs: &str, name: &str) -> Option<String> {
    let pairs = pairs.split_once('?').map_or(pairs, |(_, query)| query);
    let value = pairs.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
    Some(percent_encoding::percent_decode_str(value).decode_utf8().unwrap().into_owned())
}
