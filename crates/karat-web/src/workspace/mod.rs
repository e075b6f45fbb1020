//! The store of a server, as pages and handlers see it.

mod intake;

use karat_store::{Store, StoreAddress, StoreError};
use std::future::Future;
use tokio::runtime::Handle;

pub use intake::{IntakeError, TakenIn, new_corpus, store_slug};

/// A store, and the runtime that it works on.
///
/// The store is asynchronous, and pages are not: they are made on threads of their own, where computing and waiting are no
/// harm. So there is one rule. Handlers of HTTP requests and event streams *await* the store ([`Workspace::store`]);
/// pages, libraries and jobs, which run on threads that may wait, ask for it with [`Workspace::wait`].
#[derive(Debug, Clone)]
pub struct Workspace {
    store: Store,
    runtime: Handle,
}

impl Workspace {
    /// Opens a store on the runtime of the caller, and makes it if it is new.
    pub async fn open(address: &StoreAddress) -> Result<Workspace, StoreError> {
        Ok(Workspace::over(Store::open(address).await?))
    }

    /// A store that is open. To be called on the runtime that the store was opened on.
    pub fn over(store: Store) -> Workspace {
        Workspace { store, runtime: Handle::current() }
    }

    /// The store, for asynchronous code.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Waits for something that the store does. Asynchronous code must not call this: it would keep others from
    /// going on, and panics.
    pub fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Does something with the store that nobody waits for.
    pub fn later(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(work);
    }
}
