//! What commands about stored campaigns have in common: the workspace, without a server.

use crate::commands::serve::{no_store, store_address};
use crate::failure::Failure;
use clap::Args;
use karat_store::{Store, StoreError};

/// Where campaigns are.
#[derive(Debug, Clone, Args)]
pub(crate) struct StoreArguments {
    /// The file of the workspace [default: karat.db in this folder]
    #[arg(long, value_name = "FILE")]
    data: Option<String>,
    /// The workspace is in a PostgreSQL database, as postgres://USER@HOST/NAME
    #[arg(long, value_name = "ADDRESS", conflicts_with = "data")]
    database: Option<String>,
}

impl StoreArguments {
    /// Opens the store, does something with it, and closes it.
    pub(crate) fn with<T>(
        &self,
        work: impl AsyncFnOnce(Store) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let address = store_address(self.data.as_deref(), self.database.as_deref())?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|error| Failure::usage(format!("cannot start: {error}"), "try again"))?;
        runtime.block_on(async {
            let opened = Store::open(&address).await;
            let store = opened.map_err(|error| no_store(&address, &error))?;
            let done = work(store.clone()).await;
            store.close().await;
            done
        })
    }
}

/// What the store refuses.
pub(crate) fn refused(error: StoreError) -> Failure {
    let hint = match &error {
        StoreError::NotFound { what: "campaign", .. } => {
            "`karat verify status` lists all campaigns"
        }
        StoreError::Taken { .. } => "choose another name",
        _ => "`karat verify status NAME` says how far it is",
    };
    Failure::usage(error.to_string(), hint)
}

/// The text of a file.
pub(crate) fn text_of(path: &str) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| {
        Failure::usage(format!("cannot read {path}: {error}"), "name another file")
    })
}
