//! What every case gets: an empty store, a clock, and ways to make things quickly.

use crate::postgres::Server;
use karat_store::*;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use tempfile::TempDir;

/// When a case begins.
pub(crate) const START: i64 = 1_700_000_000_000;
pub(crate) const DAY: i64 = 24 * 3600 * 1000;

pub(crate) struct Fixture {
    pub(crate) store: Store,
    pub(crate) address: StoreAddress,
    time: Arc<AtomicI64>,
    _folder: Option<TempDir>,
}

impl Fixture {
    pub(crate) async fn memory() -> Fixture {
        Fixture::at(StoreAddress::Memory, None).await
    }

    pub(crate) async fn file() -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let address = StoreAddress::File(folder.path().join("karat.db"));
        Fixture::at(address, Some(folder)).await
    }

    /// A database of its own on a server.
    pub(crate) async fn server(server: &Server) -> Fixture {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("case{}", COUNT.fetch_add(1, Ordering::SeqCst));
        let pool = sqlx::PgPool::connect(&server.url("postgres")).await.unwrap();
        let sql = sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"));
        sqlx::query(sql).execute(&pool).await.unwrap();
        pool.close().await;
        Fixture::at(StoreAddress::Server(server.url(&name)), None).await
    }

    async fn at(address: StoreAddress, folder: Option<TempDir>) -> Fixture {
        let time = Arc::new(AtomicI64::new(START));
        let store = Store::open(&address).await.unwrap().with_clock(Clock::Set(time.clone()));
        let store = if let StoreAddress::Server(_) = address {
            store.with_key(server_key())
        } else {
            store
        };
        Fixture { store, address, time, _folder: folder }
    }

    /// Another program on the same database; in memory there is only this one.
    pub(crate) async fn another(&self) -> Store {
        match self.address {
            StoreAddress::Memory => self.store.clone(),
            _ => {
                let store = Store::open(&self.address).await.unwrap();
                let on_server = matches!(self.address, StoreAddress::Server(_));
                let store = if on_server { store.with_key(server_key()) } else { store };
                store.with_clock(Clock::Set(self.time.clone()))
            }
        }
    }

    pub(crate) fn pass(&self, milliseconds: i64) {
        self.time.fetch_add(milliseconds, Ordering::SeqCst);
    }

    /// Runs a statement past the store, as anyone with access to the database can. A database in
    /// memory has no such access.
    pub(crate) async fn tamper(&self, sql: &'static str) {
        let changed = match &self.address {
            StoreAddress::Memory => panic!("a database in memory has no outside"),
            StoreAddress::File(path) => {
                let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
                let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
                let changed = sqlx::query(sql).execute(&pool).await.unwrap().rows_affected();
                pool.close().await;
                changed
            }
            StoreAddress::Server(url) => {
                let pool = sqlx::PgPool::connect(url).await.unwrap();
                let changed = sqlx::query(sql).execute(&pool).await.unwrap().rows_affected();
                pool.close().await;
                changed
            }
        };
        assert!(changed > 0, "nothing was changed by {sql}");
    }

    /// A benchmark with one edition of the corpus `gold`.
    pub(crate) async fn edition(&self, slug: &str) -> EditionRow {
        let new = NewBenchmark { slug: slug.into(), visible: true, ..NewBenchmark::default() };
        let benchmark = self.store.add_benchmark(&By::local(), &new).await.unwrap();
        self.store.keep_corpus(&corpus("gold", &["a", "b"])).await.unwrap();
        let new = NewEdition {
            benchmark: benchmark.id,
            label: "1".into(),
            corpus: Some(digest("gold")),
            ..NewEdition::default()
        };
        self.store.add_edition(&By::local(), &new).await.unwrap()
    }

    /// A system with a run of the corpus `slug`.
    pub(crate) async fn run(&self, edition: &EditionRow, slug: &str) -> RunRow {
        let new = NewSystem { slug: slug.into(), ..NewSystem::default() };
        let system = self.store.add_system(&By::local(), &new).await.unwrap();
        self.store.keep_corpus(&corpus(slug, &["a", "b"])).await.unwrap();
        let new = NewRun {
            system: system.id,
            edition: edition.id.clone(),
            corpus: Some(digest(slug)),
            visible: true,
            ..NewRun::default()
        };
        self.store.add_run(&By::local(), &new).await.unwrap()
    }

    pub(crate) async fn person(&self, login: &str) -> PersonRow {
        let password = Some("correct horse".to_owned());
        let new = NewPerson { login: login.into(), name: login.into(), password };
        self.store.add_person(&By::local(), &new).await.unwrap()
    }
}

/// The key of stores on servers, which have no file for it.
pub(crate) fn server_key() -> StoreKey {
    StoreKey::from_hex(&"0f".repeat(32)).unwrap()
}

/// A digest that stands for what is called `name`.
pub(crate) fn digest(name: &str) -> String {
    sha256(name.as_bytes())
}

/// A corpus of small documents.
pub(crate) fn corpus(name: &str, documents: &[&str]) -> NewCorpus {
    let mut content = FrameWriter::default();
    let mut rows = Vec::new();
    for document in documents {
        content.push(line(name, document).as_bytes()).unwrap();
        let mentions = document.len() as i64;
        let name = (*document).to_owned();
        rows.push(NewDocument { name, mentions, ..NewDocument::default() });
    }
    NewCorpus {
        digest: digest(name),
        side: CorpusSide::Run,
        upload: None,
        format: "karat-jsonl".into(),
        annotations: 3,
        linked: 2,
        nil: 1,
        findings: "[]".into(),
        documents: rows,
        content: content.finish().unwrap(),
    }
}

pub(crate) fn line(corpus: &str, document: &str) -> String {
    format!("{{\"id\":\"{document}\",\"text\":\"of {corpus}\"}}\n")
}

pub(crate) fn under() -> ScoredUnder {
    ScoredUnder { convention: "karat".into(), kb: String::new(), engine: "1 abc".into() }
}

/// An evaluation of the corpora `gold` and `answers`.
pub(crate) fn evaluation(answers: &str, f1: f64) -> NewEvaluation {
    let score = ScoreRow {
        measure: "link".into(),
        tp: Some(64),
        fp: Some(5),
        fn_: Some(60),
        f1: Some(f1),
        value: Some(f1),
        ..ScoreRow::default()
    };
    let slice = ScoreRow { facet: "type".into(), label: "PER".into(), ..score.clone() };
    let mut cases = FrameWriter::default();
    cases.push(b"{\"case\":0}\n").unwrap();
    cases.push(format!("{{\"of\":\"{answers}\"}}\n").as_bytes()).unwrap();
    NewEvaluation {
        key: digest(&format!("key {answers}")),
        gold: digest("gold"),
        answers: digest(answers),
        under: under(),
        took: 12,
        body: EvaluationBody::Done("{\"f1\":0.663}".into()),
        counts: Some(vec![1, 2, 3]),
        cases: Some(cases.finish().unwrap()),
        scores: vec![score, slice],
        tallies: vec![
            TallyRow { document: 1, label: "wrong".into(), n: 4 },
            TallyRow { document: 0, label: "wrong".into(), n: 2 },
            TallyRow { document: 0, label: "right".into(), n: 7 },
        ],
    }
}

pub(crate) fn some(limit: u32) -> ListFrom {
    ListFrom { limit, after: None }
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().build().unwrap().block_on(future)
}
