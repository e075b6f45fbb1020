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
