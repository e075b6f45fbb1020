//! The store of a server, as pages and handlers see it.

mod archive;
mod correcting;
mod intake;
mod job_news;
mod memory;
mod opening;
mod reading;
mod spool;
mod things;
mod upload;
mod worker;

use karat_store::{Store, StoreAddress, StoreError};
use std::future::Future;
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use worker::Bell;

use job_news::JobNews;

pub use intake::{IntakeError, TakenIn, new_corpus, store_slug};
pub(crate) use job_news::LivelyJobs;
pub(crate) use opening::{cannot_open, runtime};
pub use opening::{import, store_address, with_store};
pub use reading::{JobProblem, ReadResult};
pub(crate) use spool::{MOST_SENT, Spool};
pub use things::{EditableThing, ThingRights};
pub use upload::UploadForm;
pub(crate) use upload::UploadRefused;
pub use worker::Worker;

/// So many event streams are open at once.
const MOST_STREAMS: usize = 256;

/// A store, and the runtime that it works on.
///
/// The store is asynchronous, and pages are not: they are made on threads of their own, where computing and waiting are no
/// harm. So there is one rule. Handlers of HTTP requests and event streams *await* the store ([`Workspace::store`]);
/// pages, libraries and jobs, which run on threads that may wait, ask for it with [`Workspace::wait`].
#[derive(Debug, Clone)]
pub struct Workspace {
    store: Store,
    runtime: Handle,
    /// Wakes the worker.
    bell: Arc<Bell>,
    /// Whether the server stops.
    stopping: Arc<watch::Sender<bool>>,
    /// Places for those who follow jobs.
    streams: Arc<Semaphore>,
    /// What those who follow jobs are told.
    news: Arc<JobNews>,
}

impl Workspace {
    /// Opens a store on the runtime of the caller, and makes it if it is new.
    pub async fn open(address: &StoreAddress) -> Result<Workspace, StoreError> {
        Ok(Workspace::over(Store::open(address).await?))
    }

    /// A store that is open. To be called on the runtime that the store was opened on.
    pub fn over(store: Store) -> Workspace {
        let stopping = Arc::new(watch::Sender::new(false));
        let streams = Arc::new(Semaphore::new(MOST_STREAMS));
        Workspace {
            store,
            runtime: Handle::current(),
            bell: Arc::default(),
            stopping,
            streams,
            news: Arc::default(),
        }
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

    /// Tells everything that would go on for ever to end: event streams would keep the server from stopping.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Waits until the server stops.
    pub(crate) async fn stopping(&self) {
        // The sender lives as long as this workspace, so there is always an answer.
        let _ = self.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }

    /// A place for somebody who follows jobs, as long as it is held; nothing if all are taken.
    pub(crate) fn place_in_streams(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.streams).try_acquire_owned().ok()
    }

    /// Follows all jobs. One look at the store is for all who follow.
    pub(crate) fn follow_jobs(&self) -> watch::Receiver<LivelyJobs> {
        self.news.follow(&self.store)
    }

    /// Tells the worker that there is something to do.
    pub fn wake_worker(&self) {
        self.bell.ring();
    }

    fn bell(&self) -> &Bell {
        &self.bell
    }

    /// Does something with the store that nobody waits for.
    pub fn later(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(work);
    }
}
