//! Writes that are committed together.
//!
//! SQLite has one writer, and a commit that reaches the disk takes milliseconds. When a hundred people submit at once, what
//! waits is put into one transaction, each piece behind a savepoint of its own, and everybody is answered after the one
//! commit. PostgreSQL does the same by itself.

use crate::sql::{Access, Connections, args};
use crate::{Result, Store, StoreError};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;

/// So many pieces at most are one transaction.
const MOST: usize = 200;

/// A future that can be sent to another thread.
pub(crate) type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A piece of a transaction. It says whether it worked.
type Piece = Box<dyn for<'a> FnOnce(&'a mut Access) -> Boxed<'a, bool> + Send>;
/// Who waits for a piece.
type Waiting = oneshot::Sender<Result<()>>;

/// What waits for the next transaction.
#[derive(Clone, Default)]
pub(crate) struct Queue(Arc<Mutex<Waiters>>);

#[derive(Default)]
struct Waiters {
    pieces: Vec<(Piece, Waiting)>,
    /// Whether somebody is at work on the queue.
    is_served: bool,
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Queue")
    }
}

impl Store {
    /// Does something in a transaction, maybe with others in one. What fails is as if it had not been; what is answered is
    /// kept. Unlike other writes, one whose caller goes away meanwhile may still be done.
    pub(crate) async fn grouped<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut Access) -> Boxed<'a, Result<T>> + Send + 'static,
    {
        if let Connections::Postgres(_) = self.connections {
            let mut act = self.write().await?;
            return match work(&mut act).await {
                Ok(done) => {
                    act.commit().await?;
                    Ok(done)
                }
                Err(error) => {
                    // Whoever comes next must not find rows locked by what was refused. That it was refused is what counts.
                    let _ = act.roll_back().await;
                    Err(error)
                }
            };
        }
        let result = Arc::new(Mutex::new(None));
        let place = Arc::clone(&result);
        let piece: Piece = Box::new(move |act| {
            let work = work(act);
            Box::pin(async move {
                let done = work.await;
                let worked = done.is_ok();
                *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
                worked
            })
        });
        let (sender, receiver) = oneshot::channel();
        if self.queue.push(piece, sender) {
            let (queue, connections) = (self.queue.clone(), self.connections.clone());
            tokio::spawn(async move { queue.serve(&connections).await });
        }
        receiver.await.map_err(|_| StoreError::NotCommitted("the store was closed".into()))??;
        let done = result.lock().unwrap_or_else(PoisonError::into_inner).take();
        done.unwrap_or(Err(StoreError::Malformed("a transaction without a result")))
    }
}

impl Queue {
    /// Adds a piece; true if somebody has to begin to work on the queue.
    fn push(&self, piece: Piece, waiting: Waiting) -> bool {
        let mut waiters = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiters.pieces.push((piece, waiting));
        !std::mem::replace(&mut waiters.is_served, true)
    }

    fn next(&self) -> Option<Vec<(Piece, Waiting)>> {
        let mut waiters = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let many = waiters.pieces.len().min(MOST);
        if many == 0 {
            waiters.is_served = false;
            return None;
        }
        Some(waiters.pieces.drain(..many).collect())
    }

    async fn serve(&self, connections: &Connections) {
        let _guard = Serving(self);
        while let Some(batch) = self.next() {
            let (pieces, waiting): (Vec<Piece>, Vec<Waiting>) = batch.into_iter().unzip();
            let error = transaction(connections, pieces).await.err();
            for one in waiting {
                // Whoever no longer waits needs no answer.
                let _ = one.send(match &error {
                    None => Ok(()),
                    Some(StoreError::Full) => Err(StoreError::Full),
                    Some(other) => Err(StoreError::NotCommitted(other.to_string())),
                });
            }
        }
    }
}

/// If the work on the queue ends before its time, those who wait are told, and the next one begins it again.
struct Serving<'q>(&'q Queue);

impl Drop for Serving<'_> {
    fn drop(&mut self) {
        let mut waiters = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiters.is_served {
            waiters.is_served = false;
            waiters.pieces.clear();
        }
    }
}

async fn transaction(connections: &Connections, pieces: Vec<Piece>) -> Result<()> {
    let mut act = connections.write().await?;
    for piece in pieces {
        act.run("SAVEPOINT piece", args![]).await?;
        if !piece(&mut act).await {
            act.run("ROLLBACK TO piece", args![]).await?;
        }
        act.run("RELEASE piece", args![]).await?;
    }
    act.commit().await
}
