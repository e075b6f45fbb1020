use crate::databases::{Fixture, corpus, digest, some};
use karat_store::*;

async fn staged(f: &Fixture, bytes: &[u8]) -> StagedFile {
    let mut writer = f.store.new_file().await.unwrap();
    writer.push(bytes).await.unwrap();
    writer.finish().await.unwrap()
}

fn read(person: &str) -> Option<NewJob> {
    Some(NewJob { kind: "read".into(), input: "{}".into(), person: Some(person.into()) })
}

async fn of_run(f: &Fixture, edition: &str, system: &str) -> Submission {
    let run = NewRun { edition: edition.into(), visible: true, ..NewRun::default() };
    let system = NewSystem { slug: system.into(), ..NewSystem::default() };
    Submission {
        upload: Some(staged(f, b"as sent").await),
        corpus: None,
        what: SubmissionKind::Run(run, Some(system)),
        job: read("ann"),
        once: None,
        limited: false,
    }
}

pub(crate) async fn an_upload_is_accepted_whole(f: Fixture) {
    let edition = f.edition("news").await;
    let by = By::person("ann", Via::Token);
    let once = OnceKey { who: "ann".into(), key: "k".into() };
    let begun = crate::once::begun(&f, &once, "request").await;
    let mut submission = of_run(&f, &edition.id, "rel").await;
    submission.once = Some(begun);
    let sent = f.store.submit(&by, &submission).await.unwrap();
    let run = f.store.run(sent.run.as_deref().unwrap()).await.unwrap();
    assert_eq!((&run.job, &run.upload, &run.corpus), (&sent.job, &sent.upload, &None));
    assert_eq!((run.sent_by.as_deref(), run.sent), (Some("ann"), f.store.now()));
    assert_eq!(f.store.system("rel").await.unwrap().id, run.system);
    assert_eq!(f.store.file_bytes(run.upload.as_deref().unwrap()).await.unwrap(), b"as sent");
    let Once::Again { status: 202, body } = f.store.begin_once(&once, "request").await.unwrap()
    else {
        panic!()
    };
    assert_eq!(serde_json::from_str::<Submitted>(&body).unwrap(), sent);

    let lease = f.store.claim_job().await.unwrap().unwrap();
    assert_eq!(f.store.submission_of(&lease.job.id).await.unwrap(), sent);
    let AuditCheck::Whole(head) = f.store.check_audit().await.unwrap() else { panic!() };
    assert_eq!(head.entries, 4, "benchmark, edition, system and run");

    // Gold of a new benchmark, read already.
    let gold = Submission {
        upload: Some(staged(&f, b"gold as sent").await),
        corpus: Some(corpus("more", &["a"])),
        what: SubmissionKind::Edition(
            NewEdition { label: "1".into(), ..NewEdition::default() },
            Some(NewBenchmark { slug: "more".into(), ..NewBenchmark::default() }),
        ),
        job: None,
        once: None,
        limited: false,
    };
    let sent = f.store.submit(&by, &gold).await.unwrap();
    let edition = f.store.edition(sent.edition.as_deref().unwrap()).await.unwrap();
    assert_eq!((edition.corpus, sent.job, sent.run), (Some(digest("more")), None, None));
    assert_eq!(f.store.benchmark("more").await.unwrap().id, edition.benchmark);
}

pub(crate) async fn an_upload_is_refused_whole(f: Fixture) {
    let by = By::person("ann", Via::Session);
    let edition = f.edition("news").await;
    // The edition is unknown, which is found out last.
    let mut bad = of_run(&f, "none", "rel").await;
    bad.corpus = Some(corpus("read", &["a"]));
    let error = f.store.submit(&by, &bad).await.unwrap_err();
    assert!(matches!(error, StoreError::NotFound { what: "edition", .. }), "{error}");
    assert!(f.store.system("rel").await.is_err());
    assert!(f.store.corpus(&digest("read")).await.is_err());
    assert!(f.store.file(&sha256(b"as sent")).await.is_err());
    assert_eq!(f.store.claim_job().await.unwrap(), None);
    let AuditCheck::Whole(head) = f.store.check_audit().await.unwrap() else { panic!() };
    assert_eq!(head.entries, 2);
    // An answer whose request is not known any more is refused with what it answers.
    let mut late = of_run(&f, &edition.id, "rel").await;
    late.once = Some(OnceBegun { who: "ann".into(), key: "gone".into(), began: 0 });
    assert!(f.store.submit(&by, &late).await.is_err());
    assert!(f.store.system("rel").await.is_err());

    // The file is still there, and the next try takes it.
    late.once = None;
    f.store.submit(&by, &late).await.unwrap();
    f.store.submit(&by, &of_run(&f, &edition.id, "two").await).await.unwrap();
    let third = of_run(&f, &edition.id, "three").await;
    let error = f.store.submit(&by, &third).await.unwrap_err();
    assert!(matches!(error, StoreError::PersonBusy(2)), "{error}");
    assert_eq!(f.store.runs(&RunFilter::default(), &some(9)).await.unwrap().items.len(), 2);
}

pub(crate) async fn the_same_upload_twice_is_one_file(f: Fixture) {
    let edition = f.edition("news").await;
    let mut tasks = Vec::new();
    for n in 0..4 {
        let mut submission = of_run(&f, &edition.id, &format!("s{n}")).await;
        submission.job = None;
        let store = f.another().await;
        tasks.push(tokio::spawn(async move { store.submit(&By::local(), &submission).await }));
    }
    for task in tasks {
        let sent = task.await.unwrap().unwrap();
        assert_eq!(sent.upload.as_deref(), Some(&*sha256(b"as sent")));
    }
    f.pass(2 * crate::databases::DAY);
    let swept = f.store.sweep().await.unwrap();
    assert_eq!(swept.files, 0, "no copy was left behind");
    assert_eq!(f.store.file_bytes(&sha256(b"as sent")).await.unwrap(), b"as sent");
}

/// While gold is hidden, a person sends so many runs a day and no more; removed ones count.
pub(crate) async fn hidden_gold_has_a_quota(f: Fixture) {
    let by = By::person("ann", Via::Token);
    let edition = f.edition("news").await;
    let send = |system: String, limited| {
        let (f, by, edition) = (&f, &by, edition.id.clone());
        async move {
            let mut submission = of_run(f, &edition, &system).await;
            submission.job = None;
            submission.limited = limited;
            f.store.submit(by, &submission).await
        }
    };
    for n in 0..3 {
        send(format!("open-{n}"), true).await.unwrap();
    }
    f.pass(2 * crate::databases::DAY);
    let change =
        BenchmarkChange { gold_hidden: Some(true), quota: Some(2), ..BenchmarkChange::default() };
    f.store.change_benchmark(&By::local(), "news", 1, &change).await.unwrap();
    let first = f.store.now();
    let sent = send("one".into(), true).await.unwrap();
    f.store.remove(&by, Removable::Run, sent.run.as_deref().unwrap(), 1).await.unwrap();
    f.pass(1000);
    send("two".into(), true).await.unwrap();
    let error = send("three".into(), true).await.unwrap_err();
    let until = first + crate::databases::DAY;
    assert!(
        matches!(error, StoreError::QuotaUsed { quota: 2, until: at } if at == until),
        "{error:?}"
    );
    assert!(f.store.system("three").await.is_err(), "it is refused whole");
    // Neither organisers nor others are kept from anything.
    send("four".into(), false).await.unwrap();
    let mut of_other = of_run(&f, &edition.id, "five").await;
    (of_other.job, of_other.limited) = (None, true);
    f.store.submit(&By::person("bob", Via::Token), &of_other).await.unwrap();
    f.pass(crate::databases::DAY);
    send("six".into(), true).await.unwrap();
}

/// A job whose workers all ended without a word has failed, and its run goes with it.
pub(crate) async fn nothing_stays_of_a_job_that_killed_its_workers(f: Fixture) {
    let edition = f.edition("news").await;
    let by = By::person("ann", Via::Token);
    let sent = f.store.submit(&by, &of_run(&f, &edition.id, "rel").await).await.unwrap();
    for _ in 0..MOST_ATTEMPTS {
        assert!(f.store.claim_job().await.unwrap().is_some());
        f.pass(LEASE + 1);
    }
    assert!(f.store.claim_job().await.unwrap().is_none());
    let job = f.store.job(sent.job.as_deref().unwrap()).await.unwrap();
    assert_eq!(job.state, JobState::Failed);
    assert!(f.store.run(sent.run.as_deref().unwrap()).await.is_err());
    f.pass(2 * crate::databases::DAY);
    assert_eq!(f.store.sweep().await.unwrap().files, 1, "nothing refers to the upload");
}
