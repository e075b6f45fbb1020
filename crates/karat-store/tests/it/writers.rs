use crate::databases::{Fixture, some};
use karat_store::*;

/// Sixteen tasks in four programs write as fast as they can, and read between.
pub(crate) async fn sixteen_writers_wait_for_each_other(f: Fixture) {
    const EACH: usize = 12;
    let mut programs = Vec::new();
    for _ in 0..4 {
        programs.push(f.another().await);
    }
    let mut writers = Vec::new();
    for n in 0..16 {
        let store = programs[n % 4].clone();
        writers.push(tokio::spawn(async move {
            for m in 0..EACH {
                let new = NewSystem { slug: format!("s{n}-{m}"), ..NewSystem::default() };
                let row = store.add_system(&By::local(), &new).await.unwrap();
                assert_eq!(store.system(&row.id).await.unwrap(), row, "it is there at once");
                // Reads before it writes: on SQLite only the right kind of beginning allows that.
                let change = SystemChange { about: Some("x".into()), ..SystemChange::default() };
                store.change_system(&By::local(), &row.id, 1, &change).await.unwrap();
                store.keep_file(format!("file {m}").as_bytes()).await.unwrap();
                store.enqueue(&NewJob { kind: "x".into(), ..NewJob::default() }).await.unwrap();
            }
        }));
    }
    for writer in writers {
        writer.await.unwrap();
    }
    assert_eq!(f.store.systems(&some(500)).await.unwrap().items.len(), 16 * EACH);
    assert_eq!(f.store.jobs(None, &some(500)).await.unwrap().items.len(), 16 * EACH);
    let AuditCheck::Whole(head) = f.store.check_audit().await.unwrap() else { panic!() };
    assert_eq!(head.entries, 2 * 16 * EACH as i64);
}

/// A board is published with all its entries or not at all, whoever looks.
pub(crate) async fn readers_see_only_what_is_committed(f: Fixture) {
    let edition = f.edition("news").await;
    let run = f.run(&edition, "careful").await;
    let evaluation = crate::databases::evaluation("careful", 0.5);
    f.store.keep_evaluation(&evaluation).await.unwrap();
    let board = NewBoard { slug: "main".into(), ..NewBoard::default() };
    let board = f.store.add_board(&By::local(), &board).await.unwrap();
    let entry = BoardEntry { run: run.id, evaluation: evaluation.key, ..BoardEntry::default() };
    let entries = vec![entry; 200];
    let (reader, id) = (f.another().await, board.id.clone());
    let looking = tokio::spawn(async move {
        loop {
            let seen = reader.board_entries(&id).await.unwrap().len();
            assert!(seen == 0 || seen == 200, "{seen}");
            if seen == 200 {
                break;
            }
        }
    });
    f.store.publish_board(&By::local(), &board.id, 1, &entries, b"{}").await.unwrap();
    looking.await.unwrap();
}
