use crate::databases::{Fixture, digest, evaluation, line, some};
use karat_store::*;

pub(crate) async fn what_was_acknowledged_is_there_after_reopening(f: Fixture) {
    let edition = f.edition("news").await;
    let run = f.run(&edition, "careful").await;
    f.store.keep_evaluation(&evaluation("careful", 0.6)).await.unwrap();
    let job = f.store.enqueue(&NewJob { kind: "x".into(), ..NewJob::default() }).await.unwrap();
    if f.address == StoreAddress::Memory {
        // What is in memory is not anywhere else.
        let other = Store::open(&f.address).await.unwrap();
        assert!(other.run(&run.id).await.is_err());
        return;
    }
    f.store.close().await;
    let store = f.another().await;
    assert_eq!(store.run(&run.id).await.unwrap(), run);
    assert_eq!(store.job(&job.id).await.unwrap(), job);
    assert_eq!(
        store.document_line(&digest("gold"), 1).await.unwrap(),
        line("gold", "b").as_bytes()
    );
    assert!(store.evaluation(&digest("key careful")).await.unwrap().is_some());
    assert_eq!(store.audit(None, &some(9)).await.unwrap().items.len(), 4);
    assert!(matches!(store.check_audit().await.unwrap(), AuditCheck::Whole(_)));
    store.ping().await.unwrap();
}

pub(crate) async fn an_edited_migration_is_refused(f: Fixture) {
    let edited = "UPDATE _sqlx_migrations SET checksum = substr(checksum, 2) WHERE version = 1";
    f.tamper(edited).await;
    let error = Store::open(&f.address).await.unwrap_err();
    assert!(matches!(error, StoreError::Schema(_)), "{error}");
}
