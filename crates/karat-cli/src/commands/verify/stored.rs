//! What commands about stored campaigns have in common: the workspace, without a server.

use crate::failure::Failure;
use clap::Args;
use karat_store::{Store, StoreError};
use karat_web::workspace::{store_address, with_store};

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
        with_store(&store_address(self.data.as_deref(), self.database.as_deref())?, work)
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
