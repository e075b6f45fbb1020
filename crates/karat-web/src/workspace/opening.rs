//! Where a workspace is, and what is said where it cannot be opened.

use super::{IntakeError, TakenIn, Workspace};
use karat::error::Error;
use karat::inputs::{Inputs, Repeats};
use karat::model::{Hint, Notice};
use karat::work::Work;
use karat_store::{By, Store, StoreAddress, StoreError};
use tokio::runtime::Runtime;

/// The file of a workspace that nobody named, in the folder where karat was started.
const FILE: &str = "karat.db";

/// Where a workspace is, by the settings `data` (a file) and `database` (the address of a server).
///
/// ```
/// use karat_web::workspace::store_address;
///
/// assert_eq!(store_address(None, None)?.to_string(), "karat.db");
/// assert_eq!(store_address(Some("other.db"), None)?.to_string(), "other.db");
/// assert!(store_address(None, Some("other.db")).is_err());
/// # Ok::<(), karat::error::Error>(())
/// ```
pub fn store_address(data: Option<&str>, database: Option<&str>) -> Result<StoreAddress, Error> {
    let Some(address) = database else {
        return Ok(StoreAddress::File(data.unwrap_or(FILE).into()));
    };
    match address.parse() {
        Ok(address @ StoreAddress::Server(_)) => Ok(address),
        _ => Err(Error::bad_request(
            format!("`{address}` is no address of a PostgreSQL database"),
            Hint::template("write postgres://USER@HOST/NAME; a file is named by {data}"),
        )),
    }
}

/// A runtime for a front end that has none.
pub(crate) fn runtime() -> Result<Runtime, Error> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let built = builder.worker_threads(2).enable_all().build();
    built.map_err(|error| Error::bad_request(format!("cannot start: {error}"), "try again"))
}

/// Opens a store, does something with it, and closes it. For front ends that have no runtime.
pub fn with_store<T, E: From<Error>>(
    address: &StoreAddress,
    work: impl AsyncFnOnce(Store) -> Result<T, E>,
) -> Result<T, E> {
    runtime()?.block_on(async {
        let opened = Store::open(address).await;
        let store = opened.map_err(|error| cannot_open(address, &error))?;
        let done = work(store.clone()).await;
        store.close().await;
        done
    })
}

/// Takes benchmarks and runs into a workspace, one benchmark after the other, so that memory holds one only. What has to be
/// known of the files is told.
pub fn import(
    address: &StoreAddress,
    inputs: &[Inputs],
    work: &Work,
) -> Result<(TakenIn, Vec<Notice>), Error> {
    let runtime = runtime()?;
    let failed = |error: &StoreError| cannot_open(address, error);
    let workspace = runtime.block_on(Workspace::open(address)).map_err(|error| failed(&error))?;
    let (mut taken, mut told) = (TakenIn::default(), Vec::new());
    for inputs in inputs {
        for experiment in inputs.read_with_or_without_runs(Repeats::Refused, work, &mut told)? {
            let now = workspace.take_in(&By::local(), &experiment, &told);
            let now = now.map_err(|error| match error {
                IntakeError::Corpus(error) => error,
                IntakeError::Store(error) => failed(&error),
            })?;
            taken.editions += now.editions;
            taken.runs += now.runs;
            taken.known += now.known;
        }
    }
    runtime.block_on(workspace.store().close());
    Ok((taken, told))
}

/// A workspace that cannot be opened.
pub(crate) fn cannot_open(address: &StoreAddress, error: &StoreError) -> Error {
    let hint = match address {
        StoreAddress::Server(_) => "check that the server runs, and the address with psql".into(),
        _ => Hint::template("name another file with {data}"),
    };
    Error::bad_request(format!("cannot open the workspace {address}: {error}"), hint)
}
