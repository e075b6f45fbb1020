//! `karat verify demo`

use crate::commands::serve::{no_server, no_store, open_in_browser};
use crate::failure::Failure;
use crate::interrupt::interrupted;
use crate::show;
use clap::Args;
use karat_store::{By, StoreAddress};
use karat_web::campaigns::make_demo;
use karat_web::library::StoredLibrary;
use karat_web::server::{Access, Server, ServerOptions};
use karat_web::workbench::Workbench;
use karat_web::workspace::{Worker, Workspace};
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

/// Try a small campaign in a browser, on the built-in sample
///
/// Three co-annotators are simulated: their answers are drawn at random from a seed, two of them err rarely and
/// one verifies too much. You are the fourth. Nothing is kept when it ends.
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// The port to listen on, on this machine; 0 is any that is free
    #[arg(long, value_name = "PORT", default_value_t = 8765)]
    port: u16,
    /// What the random numbers depend on
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Open the campaign in a browser
    #[arg(long)]
    open: bool,
}

impl Demo {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|error| no_server(address, &error))?;
        runtime.block_on(self.serve(address))
    }

    async fn serve(&self, address: SocketAddr) -> Result<(), Failure> {
        let memory = StoreAddress::Memory;
        let opened = Workspace::open(&memory).await;
        let workspace = opened.map_err(|error| no_store(&memory, &error))?;
        let made = make_demo(workspace.store(), &By::local(), self.seed).await;
        let made = made.map_err(|error| {
            Failure::usage(
                format!("the demonstration cannot be made: {error}"),
                "this is a mistake of karat",
            )
        })?;
        show::say(&format!(
            "{} co-annotators are simulated: their {} judgements are drawn at random, with the seed {}",
            made.simulated, made.judgements, self.seed
        ));
        let workbench = Arc::new(Workbench::over(Arc::new(StoredLibrary::new(workspace.clone()))));
        let worker = Worker::start(&workspace);
        let options = ServerOptions {
            address,
            workbench: Arc::clone(&workbench),
            workspace: Some(workspace),
            access: Access::Key,
        };
        let server = Server::bind(options).await.map_err(|error| no_server(address, &error))?;
        let link = server.link();
        writeln!(std::io::stdout(), "{link}")?;
        let origin = link.split("/enter").next().unwrap_or_default();
        let path = karat_web::campaigns::judging_path(&made.campaign.name, &made.invitation);
        let judging = format!("{origin}{path}");
        writeln!(std::io::stdout(), "{judging}")?;
        if self.open {
            open_in_browser(&judging);
        }
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let running = tokio::spawn(server.run(async {
            // It is told by whoever holds the other end letting go.
            let _ = stopped.await;
        }));
        interrupted(|| {}).await;
        workbench.stop();
        drop(stop);
        let served = running.await;
        let _ = tokio::task::spawn_blocking(move || drop(worker)).await;
        match served {
            Ok(Err(error)) => Err(no_server(address, &error)),
            _ => Ok(()),
        }
    }
}
