//! A server with a workspace, for tests without a browser.

use crate::client::Client;
use karat_store::StoreAddress;
use karat_web::library::StoredLibrary;
use karat_web::server::{Access, Server, ServerOptions};
use karat_web::workbench::Workbench;
use karat_web::workspace::{Worker, Workspace};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

/// A server that runs until it is dropped.
pub(crate) struct Site {
    client: Client,
    pub(crate) workspace: Workspace,
    pub(crate) worker: Option<Worker>,
    stop: Option<oneshot::Sender<()>>,
    running: Option<tokio::task::JoinHandle<std::io::Result<()>>>,
    runtime: Runtime,
}

impl std::ops::Deref for Site {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Site {
    /// A server over the store of this address, with or without somebody who works on jobs.
    pub(crate) fn start(address: &StoreAddress, works: bool) -> Site {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.expect("a runtime can be made");
        let workspace = runtime.block_on(Workspace::open(address)).expect("the store opens");
        let library = Arc::new(StoredLibrary::new(workspace.clone()));
        let options = ServerOptions {
            address: "127.0.0.1:0".parse().expect("an address"),
            workbench: Arc::new(Workbench::over(library)),
            workspace: Some(workspace.clone()),
            access: Access::Machine,
        };
        let server = runtime.block_on(Server::bind(options)).expect("a free port");
        let host = server.link().trim_start_matches("http://").trim_end_matches('/').to_owned();
        let (stop, stopped) = oneshot::channel::<()>();
        let running = runtime.spawn(server.run(async {
            let _ = stopped.await;
        }));
        let worker = works.then(|| Worker::start(&workspace));
        Site {
            client: Client { host },
            workspace,
            worker,
            stop: Some(stop),
            running: Some(running),
            runtime,
        }
    }

    /// Ends the server, and says how long that took.
    pub(crate) fn end(mut self) -> Duration {
        let begun = Instant::now();
        self.stop.take();
        if let Some(running) = self.running.take() {
            let ended = self
                .runtime
                .block_on(async { tokio::time::timeout(Duration::from_secs(30), running).await });
            assert!(ended.is_ok(), "the server does not end");
        }
        drop(self.worker.take());
        begun.elapsed()
    }
}
