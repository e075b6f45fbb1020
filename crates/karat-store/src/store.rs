use crate::grouped::Queue;
use crate::jobs::QueueLimits;
use crate::keys::KeyRing;
use crate::numbers::Numbers;
use crate::sql::{Access, Connections, args};
use crate::{Result, StoreAddress, address, schema};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::Semaphore;

/// A store: everything that a server of karat keeps.
///
/// Clones share the connections. Every method that changes something is one transaction: when it
/// gives `Ok`, what it did survives the end of the process and of the machine's power; when it
/// gives an error, or is dropped while it waits, nothing was done.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) connections: Connections,
    pub(crate) queue: Queue,
    pub(crate) numbers: Numbers,
    pub(crate) keys: KeyRing,
    clock: Clock,
    limits: QueueLimits,
    pub(crate) hashing: Arc<Semaphore>,
}

/// What a store takes the time from.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    /// The clock of the machine.
    #[default]
    System,
    /// A number of milliseconds since 1970 that a test sets.
    Set(Arc<AtomicI64>),
}

impl Store {
    /// Opens a store, makes it if it is new, and brings its schema up to date.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// use karat_store::{StoreAddress, Store};
    /// let store = Store::open(&StoreAddress::Memory).await?;
    /// let digest = store.keep_file(b"as sent").await?;
    /// assert_eq!(store.file_bytes(&digest).await?, b"as sent");
    /// # Ok::<(), karat_store::StoreError>(()) }).unwrap();
    /// ```
    pub async fn open(address: &StoreAddress) -> Result<Store> {
        let connections = match address {
            StoreAddress::Memory => Connections::memory().await?,
            StoreAddress::File(path) => {
                address::checked_file(path)?;
                Connections::file(path).await?
            }
            StoreAddress::Server(url) => Connections::server(url).await?,
        };
        schema::migrate(&connections).await?;
        Ok(Store {
            connections,
            queue: Queue::default(),
            numbers: Numbers::default(),
            keys: KeyRing::of(address),
            clock: Clock::default(),
            limits: QueueLimits::default(),
            hashing: Arc::new(Semaphore::new(2)),
        })
    }

    /// The same store with another clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Store {
        self.clock = clock;
        self
    }

    /// The same store with other limits of the queue.
    #[must_use]
    pub fn with_limits(mut self, limits: QueueLimits) -> Store {
        self.limits = limits;
        self
    }

    /// Fails if the database does not answer.
    pub async fn ping(&self) -> Result<()> {
        self.read().await?.number("SELECT COUNT(*) FROM counter", args![]).await?;
        Ok(())
    }

    /// Waits until what runs has ended and closes all connections.
    pub async fn close(&self) {
        self.connections.close().await;
    }

    /// Milliseconds since 1970 by the clock of this store.
    pub fn now(&self) -> i64 {
        match &self.clock {
            Clock::System => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .ok()
                .and_then(|passed| i64::try_from(passed.as_millis()).ok())
                .unwrap_or(0),
            Clock::Set(time) => time.load(Ordering::SeqCst),
        }
    }

    pub(crate) fn limits(&self) -> QueueLimits {
        self.limits
    }

    pub(crate) async fn read(&self) -> Result<Access> {
        self.connections.read().await
    }

    pub(crate) async fn write(&self) -> Result<Access> {
        self.connections.write().await
    }
}

/// Makes transactions that take the same lock wait for each other, on both databases.
///
/// Locks are taken in the order `files`, `queue`, `audit`, so that no two wait for each other.
pub(crate) async fn lock(act: &mut Access, name: &'static str) -> Result<()> {
    act.run("UPDATE counter SET value = value + 1 WHERE name = $1", args![name]).await?;
    Ok(())
}
