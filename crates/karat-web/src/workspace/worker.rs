//! Works on jobs, on threads of its own.

use super::Workspace;
use super::memory::MemoryLimit;
use super::reading::{self, JobProblem};
use super::upload::READ_JOB;
use crate::answers::locked;
use crate::loading::Loading;
use crate::workbench::computing_pool;
use karat::work::Work;
use karat_store::{GoOn, JobLease, JobOutcome, JobProgress, Store, StoreError};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A worker that nobody wakes looks for jobs this often: another server may have taken them in.
const IDLE: Duration = Duration::from_millis(500);
/// A job is looked at this often: memory fills quickly.
const LOOKED: Duration = Duration::from_millis(100);
/// The store is told how far a job is each time it was looked at so often. A lease lasts thirty seconds.
const TOLD: u32 = 5;
/// No job may take longer.
const LONGEST: Duration = Duration::from_secs(30 * 60);
/// Campaigns are looked at this often: leases end, items need more judgements, budgets are spent.
const WATCHED: Duration = Duration::from_secs(5);
/// What nothing refers to is swept away this often.
const SWEPT: Duration = Duration::from_secs(3600);

/// Wakes a worker when there is something to do.
#[derive(Debug, Default)]
pub(super) struct Bell {
    rung: Mutex<bool>,
    changed: Condvar,
}

impl Bell {
    pub(super) fn ring(&self) {
        *locked(&self.rung) = true;
        self.changed.notify_all();
    }

    fn wait(&self) {
        let rung = locked(&self.rung);
        let waited = self.changed.wait_timeout_while(rung, IDLE, |rung| !*rung);
        // A poisoned lock still says whether it was rung.
        match waited {
            Ok((mut rung, _)) => *rung = false,
            Err(poisoned) => *poisoned.into_inner().0 = false,
        }
    }
}

/// A thread that works on the jobs of a workspace until it is stopped.
///
/// The thread has a pool of its own, so that pages never wait for a job. While a job is done, a second thread tells the
/// store that the worker lives and how far it is, and learns from it whether somebody wants the job to stop. A worker
/// that is killed says nothing any more; its lease ends and another takes the job. When the server stops, the job is given
/// back at once.
#[derive(Debug)]
pub struct Worker {
    workspace: Workspace,
    stop: Arc<AtomicBool>,
    current: Arc<Mutex<Option<Arc<Loading>>>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Begins to work.
    pub fn start(workspace: &Workspace) -> Worker {
        let stop = Arc::new(AtomicBool::new(false));
        let current = Arc::default();
        let shift = Shift {
            workspace: workspace.clone(),
            stop: Arc::clone(&stop),
            current: Arc::clone(&current),
            pool: computing_pool(),
        };
        let thread = std::thread::Builder::new().name("jobs".to_owned());
        let thread = thread.spawn(move || shift.work()).ok();
        Worker { workspace: workspace.clone(), stop, current, thread }
    }

    /// Stops: a job that is being done is given back.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(loading) = &*locked(&self.current) {
            loading.cancel.cancel();
        }
        self.workspace.wake_worker();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            // A worker that panicked has nothing to give back.
            let _ = thread.join();
        }
    }
}

struct Shift {
    workspace: Workspace,
    stop: Arc<AtomicBool>,
    current: Arc<Mutex<Option<Arc<Loading>>>>,
    pool: Option<Arc<rayon::ThreadPool>>,
}

impl Shift {
    fn work(&self) {
        let mut swept: Option<Instant> = None;
        let mut watched: Option<Instant> = None;
        while !self.stop.load(Ordering::SeqCst) {
            if swept.is_none_or(|swept| swept.elapsed() > SWEPT) {
                // What is not swept now is swept in an hour.
                let _ = self.workspace.wait(self.workspace.store().sweep());
                swept = Some(Instant::now());
            }
            if watched.is_none_or(|watched| watched.elapsed() > WATCHED) {
                self.workspace.wait(watch_campaigns(self.workspace.store()));
                watched = Some(Instant::now());
            }
            match self.workspace.wait(self.workspace.store().claim_job()) {
                Ok(Some(lease)) => self.work_on(&lease),
                Ok(None) => self.workspace.bell().wait(),
                // The database does not answer; it may in a second.
                Err(_) => std::thread::sleep(Duration::from_secs(1)),
            }
        }
    }

    fn work_on(&self, lease: &JobLease) {
        let loading = Arc::new(Loading::default());
        *locked(&self.current) = Some(Arc::clone(&loading));
        let told = Telling::start(self.workspace.clone(), lease.clone(), Arc::clone(&loading));
        let work = Work {
            pool: self.pool.clone(),
            progress: Some(loading.watcher()),
            cancel: loading.cancel.clone(),
            ..Work::default()
        };
        let done = catch_unwind(AssertUnwindSafe(|| self.outcome(lease, &work)));
        let stopped = told.end();
        *locked(&self.current) = None;
        let outcome = match done {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => return self.give_back(lease),
            Err(_) => {
                let said = "The program failed on this input. That is a mistake of karat: please report it.";
                JobOutcome::of(JobProblem::said(said).end())
            }
        };
        let is_cancelled = outcome.end == karat_store::JobEnd::Cancelled;
        if is_cancelled && self.stop.load(Ordering::SeqCst) {
            return self.give_back(lease);
        }
        let outcome = match stopped {
            Some(limit) if is_cancelled => JobOutcome::of(JobProblem::said(limit.said()).end()),
            _ => outcome,
        };
        let store = self.workspace.store();
        if let Err(error) = self.workspace.wait(store.finish_job(lease, &outcome)) {
            // Whoever has the job now will end it.
            if !matches!(error, StoreError::LeaseLost(_)) {
                self.give_back(lease);
            }
        }
    }

    fn outcome(&self, lease: &JobLease, work: &Work) -> Result<JobOutcome, StoreError> {
        match lease.job.kind.as_str() {
            READ_JOB => reading::read(&self.workspace, &lease.job, work),
            other => {
                let said = format!("This version of karat cannot do jobs of the kind {other}.");
                Ok(JobOutcome::of(JobProblem::said(said).end()))
            }
        }
    }

    fn give_back(&self, lease: &JobLease) {
        // If this does not work either, the lease ends by itself.
        let _ = self.workspace.wait(self.workspace.store().release_job(lease));
    }
}

/// Does what time brings, for all campaigns. What cannot be done now is done the next time.
async fn watch_campaigns(store: &Store) {
    let Ok(campaigns) = store.campaigns().await else { return };
    for campaign in campaigns {
        let _ = crate::campaigns::watch(store, &campaign).await;
    }
}

/// Tells the store how far a job is, until the job ends.
struct Telling {
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<Option<JobLimit>>>,
}

/// A limit of jobs that one has met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JobLimit {
    Time,
    Memory,
}

impl JobLimit {
    fn said(self) -> &'static str {
        match self {
            JobLimit::Time => "It took longer than half an hour.",
            JobLimit::Memory => {
                "It needs more memory than a job may take; send less at once, or look at it with karat serve and files."
            }
        }
    }
}

impl Telling {
    fn start(workspace: Workspace, lease: JobLease, loading: Arc<Loading>) -> Telling {
        let ended = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&ended);
        let begun = Instant::now();
        let memory = MemoryLimit::from_now();
        let tell = move || {
            for time in 0.. {
                if until.load(Ordering::SeqCst) {
                    break;
                }
                let limit = match begun.elapsed() > LONGEST {
                    true => Some(JobLimit::Time),
                    false => memory.is_met().then_some(JobLimit::Memory),
                };
                if limit.is_some() {
                    loading.cancel.cancel();
                    return limit;
                }
                if time % TOLD != 0 {
                    std::thread::park_timeout(LOOKED);
                    continue;
                }
                let state = loading.state();
                let number = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
                let progress = JobProgress {
                    stage: state.step.to_owned(),
                    done: number(state.done.min(state.total.max(state.done))),
                    total: number(state.total),
                };
                let go_on = workspace.wait(workspace.store().renew_job(&lease, &progress));
                if matches!(go_on, Ok(GoOn::Stop) | Err(StoreError::LeaseLost(_))) {
                    loading.cancel.cancel();
                    return None;
                }
                std::thread::park_timeout(LOOKED);
            }
            None
        };
        let thread = std::thread::Builder::new().name("job progress".to_owned()).spawn(tell).ok();
        Telling { ended, thread }
    }

    /// Ends, and says which limit stopped the job, if one did.
    fn end(mut self) -> Option<JobLimit> {
        self.ended.store(true, Ordering::SeqCst);
        match self.thread.take() {
            Some(thread) => {
                thread.thread().unpark();
                thread.join().unwrap_or(None)
            }
            None => None,
        }
    }
}
