use crate::databases::{Fixture, corpus, digest, evaluation, some};
use karat_store::*;
use std::collections::BTreeSet;

fn job(input: &str) -> NewJob {
    NewJob { kind: "score".into(), input: input.into(), person: None }
}

fn done() -> JobOutcome {
    JobOutcome::of(JobEnd::Done("{}".into()))
}

pub(crate) async fn the_oldest_job_goes_first(f: Fixture) {
    assert_eq!(f.store.claim_job().await.unwrap(), None);
    for input in ["1", "2", "3"] {
        f.store.enqueue(&job(input)).await.unwrap();
        f.pass(1);
    }
    let lease = f.store.claim_job().await.unwrap().unwrap();
    assert_eq!((&*lease.job.input, lease.job.state), ("1", JobState::Running));
    let progress = JobProgress { stage: "reading".into(), done: 3, total: 14 };
    assert_eq!(f.store.renew_job(&lease, &progress).await.unwrap(), GoOn::Yes);
    let row = f.store.job(&lease.job.id).await.unwrap();
    assert_eq!((&*row.stage, row.done, row.total), ("reading", 3, 14));
    assert!(row.version > lease.job.version, "each event has its number");

    f.store.finish_job(&lease, &done()).await.unwrap();
    let row = f.store.job(&lease.job.id).await.unwrap();
    assert_eq!((row.state, row.result.as_deref()), (JobState::Done, Some("{}")));
    assert_eq!(row.ended, Some(f.store.now()));
    let error = f.store.finish_job(&lease, &done()).await.unwrap_err();
    assert!(matches!(error, StoreError::LeaseLost(_)), "{error}");
    assert_eq!(f.store.claim_job().await.unwrap().unwrap().job.input, "2");
    let all = f.store.jobs(None, &some(9)).await.unwrap().items;
    assert_eq!(all.iter().map(|j| &*j.input).collect::<Vec<_>>(), ["3", "2", "1"]);
}

pub(crate) async fn an_expired_lease_is_claimed_again(f: Fixture) {
    f.store.enqueue(&job("1")).await.unwrap();
    let slow = f.store.claim_job().await.unwrap().unwrap();
    f.pass(LEASE - 1);
    assert_eq!(f.store.claim_job().await.unwrap(), None);
    f.store.renew_job(&slow, &JobProgress::default()).await.unwrap();
    f.pass(LEASE);
    assert_eq!(f.store.claim_job().await.unwrap(), None, "it was renewed");
    f.pass(1);
    let next = f.store.claim_job().await.unwrap().unwrap();
    assert_eq!((&next.job.id, next.job.attempts), (&slow.job.id, 2));

    // The slow one comes back and is told.
    let error = f.store.renew_job(&slow, &JobProgress::default()).await.unwrap_err();
    assert!(matches!(error, StoreError::LeaseLost(_)), "{error}");
    assert!(f.store.finish_job(&slow, &done()).await.is_err());
    assert!(f.store.release_job(&slow).await.is_err());
    f.store.release_job(&next).await.unwrap();
    let again = f.store.claim_job().await.unwrap().unwrap();
    assert_eq!(again.job.attempts, 2, "what was given back is no attempt");
    f.store.finish_job(&again, &done()).await.unwrap();
}

pub(crate) async fn a_job_fails_after_three_attempts(f: Fixture) {
    let id = f.store.enqueue(&job("1")).await.unwrap().id;
    for attempt in 1..=MOST_ATTEMPTS {
        assert_eq!(f.store.claim_job().await.unwrap().unwrap().job.attempts, attempt);
        f.pass(LEASE + 1);
    }
    assert_eq!(f.store.claim_job().await.unwrap(), None);
    let row = f.store.job(&id).await.unwrap();
    assert_eq!(row.state, JobState::Failed);
    assert!(row.problem.is_some() && row.ended.is_some());

    let id = f.store.enqueue(&job("2")).await.unwrap().id;
    let lease = f.store.claim_job().await.unwrap().unwrap();
    let failed = JobOutcome::of(JobEnd::Failed("{\"title\":\"line 3\"}".into()));
    f.store.finish_job(&lease, &failed).await.unwrap();
    let row = f.store.job(&id).await.unwrap();
    assert_eq!(
        (row.state, row.problem.as_deref()),
        (JobState::Failed, Some("{\"title\":\"line 3\"}"))
    );
}

pub(crate) async fn a_job_can_be_cancelled(f: Fixture) {
    let by = By::local();
    let waiting = f.store.enqueue(&job("1")).await.unwrap().id;
    assert_eq!(f.store.cancel_job(&by, &waiting).await.unwrap().state, JobState::Cancelled);
    let error = f.store.cancel_job(&by, &waiting).await.unwrap_err();
    assert!(matches!(error, StoreError::NotNow { .. }), "{error}");

    f.store.enqueue(&job("2")).await.unwrap();
    let lease = f.store.claim_job().await.unwrap().unwrap();
    let asked = f.store.cancel_job(&by, &lease.job.id).await.unwrap();
    assert!(asked.cancel && asked.state == JobState::Running);
    assert_eq!(f.store.renew_job(&lease, &JobProgress::default()).await.unwrap(), GoOn::Stop);
    f.store.finish_job(&lease, &JobOutcome::of(JobEnd::Cancelled)).await.unwrap();
    assert_eq!(f.store.job(&lease.job.id).await.unwrap().state, JobState::Cancelled);

    // One whose worker died is not begun again.
    let id = f.store.enqueue(&job("3")).await.unwrap().id;
    f.store.claim_job().await.unwrap().unwrap();
    f.store.cancel_job(&by, &id).await.unwrap();
    f.pass(LEASE + 1);
    assert_eq!(f.store.claim_job().await.unwrap(), None);
    assert_eq!(f.store.job(&id).await.unwrap().state, JobState::Cancelled);
    assert!(f.store.cancel_job(&by, "none").await.is_err());
}

pub(crate) async fn the_queue_has_limits(f: Fixture) {
    let store = f.store.clone().with_limits(QueueLimits { per_person: 2, waiting: 3 });
    let of = |person: &str| NewJob { person: Some(person.into()), ..job("x") };
    store.enqueue(&of("ann")).await.unwrap();
    store.enqueue(&of("ann")).await.unwrap();
    let error = store.enqueue(&of("ann")).await.unwrap_err();
    assert!(matches!(error, StoreError::PersonBusy(2)), "{error}");
    store.enqueue(&of("bob")).await.unwrap();
    let error = store.enqueue(&of("cy")).await.unwrap_err();
    assert!(matches!(error, StoreError::QueueFull(3)), "{error}");
    // What the server wants itself has no limit, and a job that runs still counts.
    store.enqueue(&job("own")).await.unwrap();
    let lease = store.claim_job().await.unwrap().unwrap();
    assert!(matches!(store.enqueue(&of("ann")).await, Err(StoreError::PersonBusy(_))));
    store.finish_job(&lease, &done()).await.unwrap();
    assert_eq!(store.jobs(Some("bob"), &some(9)).await.unwrap().items.len(), 1);
}

pub(crate) async fn what_a_job_brings_is_kept_with_its_end(f: Fixture) {
    let edition = f.edition("news").await;
    let run = f.run(&edition, "careful").await;
    f.store.enqueue(&job("1")).await.unwrap();
    let lease = f.store.claim_job().await.unwrap().unwrap();
    let mut outcome = done();
    outcome.corpus = Some((corpus("read", &["a"]), CorpusOf::Run(run.id.clone())));
    outcome.next = vec![job("next")];
    // Of a corpus that nobody has: the whole outcome is refused.
    outcome.evaluations = vec![evaluation("unknown", 0.1)];
    assert!(f.store.finish_job(&lease, &outcome).await.is_err());
    assert_eq!(f.store.job(&lease.job.id).await.unwrap().state, JobState::Running);
    assert_eq!(f.store.run(&run.id).await.unwrap(), run);
    assert!(f.store.corpus(&digest("read")).await.is_err());

    outcome.evaluations = vec![evaluation("read", 0.7)];
    let next = f.store.finish_job(&lease, &outcome).await.unwrap();
    assert_eq!(f.store.run(&run.id).await.unwrap().corpus, Some(digest("read")));
    assert!(f.store.evaluation(&digest("key read")).await.unwrap().is_some());
    assert_eq!(f.store.claim_job().await.unwrap().unwrap().job.id, next[0].id);
}

pub(crate) async fn two_workers_never_claim_one_job(f: Fixture) {
    const JOBS: usize = 60;
    for n in 0..JOBS {
        f.store.enqueue(&job(&n.to_string())).await.unwrap();
    }
    let mut workers = Vec::new();
    for n in 0..8 {
        let store = if n % 2 == 0 { f.store.clone() } else { f.another().await };
        workers.push(tokio::spawn(async move {
            let mut mine = Vec::new();
            while let Some(lease) = store.claim_job().await.unwrap() {
                mine.push(lease.job.input.clone());
                store.finish_job(&lease, &done()).await.unwrap();
            }
            mine
        }));
    }
    let mut all = Vec::new();
    for worker in workers {
        all.extend(worker.await.unwrap());
    }
    assert_eq!(all.len(), JOBS);
    assert_eq!(all.into_iter().collect::<BTreeSet<_>>().len(), JOBS);
}
