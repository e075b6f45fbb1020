//! Connections, with limits of time and number.
//!
//! What answers requests has limits of its own. These are for what comes before: a connection on which headers arrive byte by byte, or
//! never, or on which nobody reads the answer.

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tower::ServiceExt as _;

/// What connections may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct ConnectionLimits {
    /// How long headers may take to arrive, from the first moment or from the end of the answer before.
    pub(super) headers: Duration,
    /// How many connections there are at once; others wait.
    pub(super) most: usize,
    /// How long answers may still be sent after the server was told to stop.
    pub(super) last_words: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> ConnectionLimits {
        ConnectionLimits {
            headers: Duration::from_secs(30),
            most: 2048,
            last_words: Duration::from_secs(4),
        }
    }
}

/// After an error of the listener, such as too many open files, it is tried again so much later.
const AGAIN: Duration = Duration::from_millis(500);

/// Answers until `stop` is done, and then as long as answers are on their way.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    stop: impl Future<Output = ()>,
) {
    let places = Arc::new(Semaphore::new(limits.most));
    let (stopping, stopped) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut stop = pin!(stop);
    loop {
        let (stream, peer, place) = tokio::select! {
            () = &mut stop => break,
            accepted = accepted(&listener, &places) => accepted,
        };
        while connections.try_join_next().is_some() {}
        let (router, stopped) = (router.clone(), stopped.clone());
        connections.spawn(async move {
            let _place = place;
            answer(stream, peer, router, limits, stopped).await;
        });
    }
    drop(listener);
    // Whoever does not read must not keep the server from ending: what is left then is cut off.
    let _ = stopping.send(true);
    let all = async { while connections.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(limits.last_words, all).await;
}

/// The next connection, when there is room for one.
async fn accepted(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (TcpStream, SocketAddr, OwnedSemaphorePermit) {
    loop {
        if let Ok(place) = Arc::clone(places).acquire_owned().await
            && let Ok((stream, peer)) = listener.accept().await
        {
            return (stream, peer, place);
        }
        tokio::time::sleep(AGAIN).await;
    }
}

async fn answer(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    limits: ConnectionLimits,
    mut stopped: watch::Receiver<bool>,
) {
    let service = router.map_request(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        request
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.headers);
    let connection = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    let mut connection = pin!(connection);
    tokio::select! {
        // Whoever breaks off has nobody to be told.
        _ = connection.as_mut() => return,
        _ = stopped.wait_for(|stopped| *stopped) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::{get, post};
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    type Tested = Result<(), Box<dyn std::error::Error>>;

    struct Served {
        address: SocketAddr,
        stop: tokio::sync::oneshot::Sender<()>,
        ended: tokio::task::JoinHandle<()>,
    }

    async fn served(limits: ConnectionLimits) -> std::io::Result<Served> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let peer =
            |ConnectInfo(peer): ConnectInfo<SocketAddr>| async move { peer.ip().to_string() };
        // Far more than a connection holds while nobody reads.
        let large = || async { vec![b'x'; 64 << 20] };
        let router = Router::new()
            .route("/", get(peer))
            .route("/large", get(large))
            .route("/body", post(|body: String| async move { body }));
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let ended = tokio::spawn(serve(listener, router, limits, async {
            let _ = stopped.await;
        }));
        Ok(Served { address, stop, ended })
    }

    const GET: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

    async fn asked(address: SocketAddr) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(GET).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok(answer)
    }

    #[tokio::test]
    async fn headers_that_do_not_arrive_end_the_connection() -> Tested {
        let headers = Duration::from_millis(50);
        let served = served(ConnectionLimits { headers, ..Default::default() }).await?;
        for begun in [&b""[..], b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "] {
            let mut stream = TcpStream::connect(served.address).await?;
            stream.write_all(begun).await?;
            // It ends by itself, with an answer or without.
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer).await;
            assert!(!answer.starts_with(b"HTTP/1.1 200"));
        }
        assert!(asked(served.address).await?.ends_with("127.0.0.1"));
        Ok(())
    }

    #[tokio::test]
    async fn those_beyond_the_limit_wait_for_a_place() -> Tested {
        let headers = Duration::from_millis(50);
        let limits = ConnectionLimits { headers, most: 1, ..Default::default() };
        let served = served(limits).await?;
        let idle = TcpStream::connect(served.address).await?;
        // The place is free again when the one that says nothing is sent away.
        assert!(asked(served.address).await?.starts_with("HTTP/1.1 200"));
        drop(idle);
        Ok(())
    }

    #[tokio::test]
    async fn who_does_not_read_does_not_keep_the_server() -> Tested {
        let last_words = Duration::from_millis(50);
        let served = served(ConnectionLimits { last_words, ..Default::default() }).await?;
        let mut stream = TcpStream::connect(served.address).await?;
        stream.write_all(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n").await?;
        let mut first = [0; 15];
        stream.read_exact(&mut first).await?;
        assert_eq!(&first, b"HTTP/1.1 200 OK");
        let _ = served.stop.send(());
        served.ended.await?;
        Ok(())
    }
}
