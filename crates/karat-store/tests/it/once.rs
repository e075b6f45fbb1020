use crate::databases::{DAY, Fixture};
use karat_store::*;

pub(crate) async fn a_request_is_done_once(f: Fixture) {
    let once = OnceKey { who: "ann".into(), key: "k1".into() };
    assert_eq!(f.store.begin_once(&once, "request").await.unwrap(), Once::Do);
    let error = f.store.begin_once(&once, "request").await.unwrap_err();
    assert!(matches!(error, StoreError::StillRunning(_)), "{error}");
    let error = f.store.begin_once(&once, "another").await.unwrap_err();
    assert!(matches!(error, StoreError::KeyReused(_)), "{error}");
    let bob = OnceKey { who: "bob".into(), ..once.clone() };
    assert_eq!(f.store.begin_once(&bob, "another").await.unwrap(), Once::Do);

    f.store.end_once(&once, 422, "{\"title\":\"no\"}").await.unwrap();
    let again = Once::Again { status: 422, body: "{\"title\":\"no\"}".into() };
    assert_eq!(f.store.begin_once(&once, "request").await.unwrap(), again);
    let error = f.store.begin_once(&once, "another").await.unwrap_err();
    assert!(matches!(error, StoreError::KeyReused(_)), "{error}");
    assert!(f.store.end_once(&once, 200, "").await.is_err(), "it has its answer");
    f.pass(DAY + 1);
    assert_eq!(f.store.begin_once(&once, "another").await.unwrap(), Once::Do);

    f.store.forget_once(&once).await.unwrap();
    assert_eq!(f.store.begin_once(&once, "third").await.unwrap(), Once::Do);
    // Its server died.
    f.pass(121 * 1000);
    assert_eq!(f.store.begin_once(&once, "third").await.unwrap(), Once::Do);
    f.store.end_once(&once, 201, "").await.unwrap();
    f.pass(121 * 1000);
    let again = Once::Again { status: 201, body: String::new() };
    assert_eq!(f.store.begin_once(&once, "third").await.unwrap(), again);
}
