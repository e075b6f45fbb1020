use crate::databases::{Fixture, corpus, digest, line, some};
use karat_store::*;

pub(crate) async fn a_document_is_read_by_one_frame(f: Fixture) {
    let names: Vec<String> = (0..5000).map(|n| format!("doc{n:04}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let new = corpus("c", &names);
    let frames: std::collections::BTreeSet<_> = new.content.parts.iter().map(|p| p.frame).collect();
    assert!(frames.len() > 2, "the documents fill more than one frame");
    f.store.keep_corpus(&new).await.unwrap();

    let row = f.store.corpus(&digest("c")).await.unwrap();
    assert_eq!((row.documents, row.annotations, row.linked, row.nil), (5000, 3, 2, 1));
    assert_eq!(row.side, CorpusSide::Run);
    for n in [0, 1, 2500, 4999] {
        let read = f.store.document_line(&digest("c"), n).await.unwrap();
        assert_eq!(String::from_utf8(read).unwrap(), line("c", names[n as usize]));
    }
    assert!(f.store.document_line(&digest("c"), 5000).await.is_err());
    let all: String = names.iter().map(|name| line("c", name)).collect();
    assert_eq!(f.store.corpus_lines(&digest("c")).await.unwrap(), all.as_bytes());
    let zst = f.store.file_bytes(&row.content).await.unwrap();
    assert_eq!(zstd::decode_all(&*zst).unwrap(), all.as_bytes());

    assert_eq!(f.store.document_named(&digest("c"), "doc0042").await.unwrap().n, 42);
    assert_eq!(f.store.document(&digest("c"), 42).await.unwrap().mentions, 7);
    let page = f.store.documents(&digest("c"), &some(300)).await.unwrap();
    assert_eq!((page.items.len(), page.items[299].n), (300, 299));
    let next = ListFrom { limit: 300, after: page.next };
    assert_eq!(f.store.documents(&digest("c"), &next).await.unwrap().items[0].n, 300);
}

pub(crate) async fn the_same_corpus_is_kept_once(f: Fixture) {
    f.store.keep_corpus(&corpus("c", &["a", "b"])).await.unwrap();
    f.store.keep_corpus(&corpus("c", &["a", "b"])).await.unwrap();
    let page = f.store.documents(&digest("c"), &some(10)).await.unwrap();
    assert_eq!(page.items.len(), 2);
    // Another corpus whose documents happen to have the same bytes shares the file.
    let twin = NewCorpus { digest: digest("twin"), ..corpus("c", &["a", "b"]) };
    f.store.keep_corpus(&twin).await.unwrap();
    let files = (f.store.corpus(&digest("c")).await, f.store.corpus(&digest("twin")).await);
    assert_eq!(files.0.unwrap().content, files.1.unwrap().content);
    assert_eq!(f.store.document_line(&digest("twin"), 1).await.unwrap(), line("c", "b").as_bytes());

    let mut short = corpus("d", &["a", "b"]);
    short.documents.pop();
    let error = f.store.keep_corpus(&short).await.unwrap_err();
    assert!(matches!(error, StoreError::Refused(_)), "{error}");
    assert!(f.store.corpus(&digest("d")).await.is_err());
}

/// As many as the largest published benchmarks have.
pub(crate) async fn a_corpus_of_twenty_thousand_documents(f: Fixture) {
    let names: Vec<String> = (0..20_000).map(|n| format!("tweet {n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    f.store.keep_corpus(&corpus("c", &names)).await.unwrap();
    assert_eq!(f.store.document_named(&digest("c"), "tweet 19999").await.unwrap().n, 19_999);
    let last = f.store.document_line(&digest("c"), 19_999).await.unwrap();
    assert_eq!(last, line("c", "tweet 19999").as_bytes());
}
