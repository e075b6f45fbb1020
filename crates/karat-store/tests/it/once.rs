use crate::databases::{DAY, Fixture};
use karat_store::*;

pub(crate) async fn begun(f: &Fixture, once: &OnceKey, request: &str) -> OnceBegun {
    match f.store.begin_once(once, request).await.unwrap() {
        Once::Do(begun) => begun,
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn a_request_is_done_once(f: Fixture) {
    let once = OnceKey { who: "ann".into(), key: "k1".into() };
    let first = begun(&f, &once, "request").await;
    let error = f.store.begin_once(&once, "request").await.unwrap_err();
    assert!(matches!(error, StoreError::StillRunning(_)), "{error}");
    let error = f.store.begin_once(&once, "another").await.unwrap_err();
    assert!(matches!(error, StoreError::KeyReused(_)), "{error}");
    let bob = OnceKey { who: "bob".into(), ..once.clone() };
    begun(&f, &bob, "another").await;

    f.store.end_once(&first, 422, "{\"title\":\"no\"}").await.unwrap();
    let again = Once::Again { status: 422, body: "{\"title\":\"no\"}".into() };
    assert_eq!(f.store.begin_once(&once, "request").await.unwrap(), again);
    let error = f.store.begin_once(&once, "another").await.unwrap_err();
    assert!(matches!(error, StoreError::KeyReused(_)), "{error}");
    assert!(f.store.end_once(&first, 200, "").await.is_err(), "it has its answer");
    f.pass(DAY + 1);
    let second = begun(&f, &once, "another").await;

    f.store.forget_once(&second).await.unwrap();
    let late = begun(&f, &once, "third").await;
    // Its server died.
    f.pass(121 * 1000);
    let next = begun(&f, &once, "third").await;
    // It was only slow: the row is its successor's.
    assert!(f.store.end_once(&late, 500, "late").await.is_err());
    f.store.forget_once(&late).await.unwrap();
    f.store.end_once(&next, 201, "").await.unwrap();
    f.pass(121 * 1000);
    let again = Once::Again { status: 201, body: String::new() };
    assert_eq!(f.store.begin_once(&once, "third").await.unwrap(), again);
}
