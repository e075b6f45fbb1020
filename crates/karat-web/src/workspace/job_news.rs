//! What becomes of jobs, looked up once for all who follow some.

use crate::answers::locked;
use karat_store::{JobMark, Store, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;

/// Jobs are looked at this often while somebody follows one.
const LOOKED: Duration = Duration::from_millis(200);
/// A job that has ended is told of for so long, in milliseconds: who follows may be slow.
const TOLD: i64 = 60_000;

/// One look at the jobs that are of interest now: those that have not ended, and those that did a moment ago.
pub(crate) type LivelyJobs = Arc<BTreeMap<String, JobMark>>;

/// Looks at jobs as long as somebody follows them, however many do.
#[derive(Debug)]
pub(super) struct JobNews {
    latest: watch::Sender<LivelyJobs>,
    /// Whether somebody looks. Held while that is decided, so that there is always one and never two.
    is_looking: Mutex<bool>,
    /// How often somebody began to look.
    #[cfg(test)]
    begun: std::sync::atomic::AtomicUsize,
}

impl Default for JobNews {
    fn default() -> JobNews {
        JobNews {
            latest: watch::Sender::new(LivelyJobs::default()),
            is_looking: Mutex::default(),
            #[cfg(test)]
            begun: std::sync::atomic::AtomicUsize::default(),
        }
    }
}

impl JobNews {
    /// Follows all jobs from now on. The first look comes soon.
    pub(super) fn follow(self: &Arc<JobNews>, store: &Store) -> watch::Receiver<LivelyJobs> {
        let mut is_looking = locked(&self.is_looking);
        let receiver = self.latest.subscribe();
        if !*is_looking {
            *is_looking = true;
            #[cfg(test)]
            self.begun.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            tokio::spawn(Arc::clone(self).look(store.clone()));
        }
        receiver
    }

    async fn look(self: Arc<JobNews>, store: Store) {
        let mut known = BTreeMap::new();
        loop {
            // A database that does not answer now may answer next time.
            if let Ok(found) = looked(&store, &known).await {
                if found != known {
                    self.latest.send_replace(Arc::new(found.clone()));
                }
                known = found;
            }
            tokio::time::sleep(LOOKED).await;
            let mut is_looking = locked(&self.is_looking);
            if self.latest.receiver_count() == 0 {
                *is_looking = false;
                return;
            }
        }
    }
}

/// The jobs that are of interest now. One that is not among those that have not ended any more is looked at once more.
async fn looked(
    store: &Store,
    known: &BTreeMap<String, JobMark>,
) -> Result<BTreeMap<String, JobMark>, StoreError> {
    let since = store.now() - TOLD;
    let mut found: BTreeMap<String, JobMark> = BTreeMap::new();
    for mark in store.lively_jobs(since).await? {
        found.insert(mark.id.clone(), mark);
    }
    let gone: BTreeSet<&String> = known.keys().filter(|id| !found.contains_key(*id)).collect();
    for id in gone {
        let before = &known[id];
        match before.has_ended() {
            // Told in the look before.
            true => {}
            false => {
                if let Some(mark) = store.job_mark(id).await? {
                    found.insert(id.clone(), mark);
                }
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_store::{By, NewJob, StoreAddress};
    use std::sync::atomic::Ordering;

    type Tested = Result<(), Box<dyn std::error::Error>>;

    async fn told(
        receiver: &mut watch::Receiver<LivelyJobs>,
        id: &str,
        ended: bool,
    ) -> Result<(), watch::error::RecvError> {
        let is_told = |jobs: &LivelyJobs| jobs.get(id).is_some_and(|it| it.has_ended() == ended);
        receiver.wait_for(is_told).await.map(|_| ())
    }

    #[tokio::test]
    async fn one_looks_for_all() -> Tested {
        let store = Store::open(&StoreAddress::Memory).await?;
        let news = Arc::new(JobNews::default());
        let mut followers: Vec<_> = (0..50).map(|_| news.follow(&store)).collect();
        let new = NewJob { kind: "read".to_owned(), ..NewJob::default() };
        let job = store.enqueue(&new).await?;
        for follower in &mut followers {
            told(follower, &job.id, false).await?;
        }
        store.cancel_job(&By::local(), &job.id).await?;
        for follower in &mut followers {
            told(follower, &job.id, true).await?;
        }
        assert_eq!(news.begun.load(Ordering::SeqCst), 1, "one looks, and not fifty");
        // Nobody looks for nobody, and somebody does again when one comes.
        drop(followers);
        while *locked(&news.is_looking) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        told(&mut news.follow(&store), &job.id, true).await?;
        assert_eq!(news.begun.load(Ordering::SeqCst), 2);
        Ok(())
    }
}
