use crate::databases::{DAY, Fixture, corpus, digest, evaluation};
use karat_store::*;

pub(crate) async fn what_nothing_refers_to_goes(f: Fixture) {
    let edition = f.edition("news").await;
    f.run(&edition, "careful").await;
    f.store.keep_evaluation(&evaluation("careful", 0.6)).await.unwrap();
    f.store.keep_corpus(&corpus("nobody's", &["x"])).await.unwrap();
    let orphan = f.store.keep_file(b"orphan").await.unwrap();
    let mut half = f.store.new_file().await.unwrap();
    half.push(&vec![7; PIECE + 1]).await.unwrap();

    // What is new may still be on its way.
    assert_eq!(f.store.sweep().await.unwrap(), Swept::default());
    f.pass(DAY + 1);
    // What is brought again counts as new.
    let fresh = f.store.keep_file(b"fresh").await.unwrap();
    let swept = f.store.sweep().await.unwrap();
    // The orphan, the upload that never ended, and the content of the corpus.
    assert_eq!((swept.corpora, swept.files, swept.evaluations), (1, 3, 0));
    assert!(f.store.file(&orphan).await.is_err());
    assert!(f.store.file(&fresh).await.is_ok());
    assert!(f.store.corpus(&digest("nobody's")).await.is_err());
    assert!(half.finish().await.is_err(), "its pieces have no file any more");
    for name in ["gold", "careful"] {
        assert!(f.store.document_line(&digest(name), 1).await.is_ok(), "{name}");
    }
    assert!(f.store.cases_of(&digest("key careful"), 1).await.is_ok());
}

pub(crate) async fn the_trash_is_emptied_after_thirty_days(f: Fixture) {
    let by = By::local();
    let edition = f.edition("news").await;
    let run = f.run(&edition, "careful").await;
    f.store.keep_evaluation(&evaluation("careful", 0.6)).await.unwrap();
    f.store.remove(&by, Removable::Benchmark, &edition.benchmark, 1).await.unwrap();
    f.pass(TRASH);
    assert_eq!(f.store.sweep().await.unwrap().removed, 0);
    f.pass(1);
    let swept = f.store.sweep().await.unwrap();
    assert_eq!((swept.removed, swept.evaluations, swept.corpora), (1, 1, 2));
    assert!(f.store.restore(&by, Removable::Benchmark, &edition.benchmark).await.is_err());
    assert!(f.store.run(&run.id).await.is_err(), "a run goes with its edition");
    // Now the name is free.
    f.edition("news").await;
    assert!(f.store.system("careful").await.is_ok());
}
