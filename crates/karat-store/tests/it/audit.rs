use crate::databases::{Fixture, some};
use karat_store::*;

pub(crate) async fn the_chain_is_whole_and_newest_first(f: Fixture) {
    let empty = AuditHead { entries: 0, digest: String::new() };
    assert_eq!(f.store.check_audit().await.unwrap(), AuditCheck::Whole(empty));
    let edition = f.edition("news").await;
    let ann = By::person("ann", Via::Token);
    f.store.note(&ann, "session.refused", "person x", "{}").await.unwrap();
    f.store.remove(&ann, Removable::Benchmark, &edition.benchmark, 1).await.unwrap();

    let rows = f.store.audit(None, &some(9)).await.unwrap().items;
    let acts: Vec<_> = rows.iter().map(|row| (row.seq, &*row.act)).collect();
    let expected =
        [(4, "benchmark.remove"), (3, "session.refused"), (2, "edition.add"), (1, "benchmark.add")];
    assert_eq!(acts, expected);
    assert_eq!((&*rows[0].who, rows[0].via), ("ann", Via::Token));
    assert!(rows[3].detail.contains("\"slug\":\"news\""), "{}", rows[3].detail);
    let object = format!("benchmark {}", edition.benchmark);
    assert_eq!(f.store.audit(Some(&object), &some(9)).await.unwrap().items.len(), 2);
    let AuditCheck::Whole(head) = f.store.check_audit().await.unwrap() else { panic!() };
    assert_eq!((head.entries, head.digest.len()), (4, 64));
    // Looking changes nothing.
    assert_eq!(f.store.check_audit().await.unwrap(), AuditCheck::Whole(head.clone()));
    f.store.note(&ann, "x", "y", "{}").await.unwrap();
    let last = f.store.audit(None, &some(1)).await.unwrap().items;
    assert_eq!((last[0].seq, &last[0].before), (5, &head.digest));

    // What is refused leaves no entry.
    assert!(f.store.remove(&ann, Removable::Benchmark, &edition.benchmark, 1).await.is_err());
    assert_eq!(f.store.audit(None, &some(9)).await.unwrap().items.len(), 5);
}

pub(crate) async fn tampering_shows(f: Fixture) {
    for n in 0..6 {
        f.store.note(&By::local(), "act", &format!("object {n}"), "{}").await.unwrap();
    }
    let steps = [
        ("UPDATE audit SET detail = '{\"x\":1}' WHERE seq = 3", Some(3)),
        ("UPDATE audit SET detail = '{}' WHERE seq = 3", None),
        // A letter moved from one field to its neighbour.
        ("UPDATE audit SET act = 'ac', object = 'tobject 3' WHERE seq = 4", Some(4)),
        ("UPDATE audit SET act = 'act', object = 'object 3' WHERE seq = 4", None),
        ("UPDATE audit SET at = at - 1 WHERE seq = 6", Some(6)),
        ("UPDATE audit SET at = at + 1 WHERE seq = 6", None),
        ("DELETE FROM audit WHERE seq = 6", Some(5)),
        ("DELETE FROM audit WHERE seq = 2", Some(1)),
    ];
    for (sql, broken) in steps {
        f.tamper(sql).await;
        let found = match f.store.check_audit().await.unwrap() {
            AuditCheck::Whole(_) => None,
            AuditCheck::Broken { seq } => Some(seq),
        };
        assert_eq!(found, broken, "{sql}");
    }
}
