//! `karat serve` that is killed while it works: what it has acknowledged is there, and its jobs go on.

use crate::client::Client;
use karat_store::{AuditCheck, Clock, Store, StoreAddress};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::time::{Duration, Instant};

/// A server, killed when the test ends.
struct Served {
    process: Child,
    client: Client,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn serve(data: &Path) -> Served {
    let mut process = Command::new(env!("CARGO_BIN_EXE_karat"));
    process.args(["serve", "--trust-machine", "--listen", "127.0.0.1:0", "--data"]);
    started(process.arg(data))
}

fn started(process: &mut Command) -> Served {
    let mut process = process.stdout(Stdio::piped()).spawn().expect("the server starts");
    let mut line = String::new();
    let out = process.stdout.take().expect("its output");
    BufReader::new(out).read_line(&mut line).expect("its address");
    let host = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
    Served { process, client: Client { host } }
}

/// Documents with their gold, of which each is said to link to one entity.
fn corpus(documents: usize, entity: &str) -> String {
    let line = |n: usize| {
        format!(
            "{{\"document\":\"d{n}\",\"text\":\"Berlin and Paris\",\"annotations\":[{{\"span\":[0,6],\"link\":\"{entity}\"}}]}}\n"
        )
    };
    (0..documents).map(line).collect()
}

/// Numbers that look random and are the same in every run.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

#[test]
fn nothing_acknowledged_is_lost() {
    // More in a long run: KARAT_KILLS=50.
    let kills: u64 = std::env::var("KARAT_KILLS").ok().and_then(|it| it.parse().ok()).unwrap_or(10);
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("karat.db");
    let first = serve(&data);
    let gold = [("what", "gold"), ("new_benchmark", "News")];
    let answer = first.client.upload(&gold, &[("gold.jsonl", corpus(200, "Q64").as_bytes())]);
    let job = answer.location.expect("a job for gold");
    let page = first.client.ended_job(&job);
    assert!(page.body.contains("read, checked and kept"), "{}", page.body);
    drop(first);

    let mut acknowledged = Vec::new();
    let mut boards = Vec::new();
    let mut state = 7;
    for round in 0..kills {
        let served = serve(&data);
        let host = served.client.host.clone();
        let sending = std::thread::spawn(move || {
            let client = Client { host };
            let (mut jobs, mut boards) = (Vec::new(), Vec::new());
            for n in 0..20 {
                let system = format!("system-{round}-{n}");
                let run = [("what", "run"), ("benchmark", "news"), ("new_system", &system)];
                let entity = format!("Q{}", round * 100 + n);
                let answer = client.upload(&run, &[("run.jsonl", corpus(200, &entity).as_bytes())]);
                match answer.location {
                    Some(job) => jobs.push(job),
                    // The server is gone.
                    None => break,
                }
                let slug = format!("board-{round}-{n}");
                let new = format!("{{\"slug\": \"{slug}\", \"title\": \"first\"}}");
                if client.json("POST", "/api/v1/boards", "", &new).status != 201 {
                    break;
                }
                let path = format!("/api/v1/boards/{slug}");
                let named = client.json("PATCH", &path, "\"1\"", "{\"title\": \"second\"}");
                boards.push((path, named.status == 200));
            }
            (jobs, boards)
        });
        // In a debug build the digest of the program alone takes a second.
        std::thread::sleep(Duration::from_millis(next(&mut state) % 4000));
        // On Unix this is SIGKILL: the process has no moment to tidy up.
        drop(served);
        let (jobs, made) = sending.join().expect("the sender ends");
        acknowledged.extend(jobs);
        boards.extend(made);
    }
    assert!(!acknowledged.is_empty(), "no round was long enough to send anything");
    let last = serve(&data);
    // A lease lasts thirty seconds, then the job of a dead worker is taken up again.
    let until = Instant::now() + Duration::from_secs(120);
    for job in &acknowledged {
        loop {
            let page = last.client.get(job);
            assert_eq!(page.status, 200, "{job} was acknowledged: {}", page.body);
            if page.body.contains("read, checked and kept") {
                break;
            }
            assert!(!page.body.contains("could not be read"), "{}", page.body);
            assert!(Instant::now() < until, "{job} does not go on: {}", page.body);
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    for (path, is_named) in &boards {
        let board = last.client.get(path);
        assert_eq!(board.status, 200, "{path} was acknowledged: {}", board.body);
        let title = if *is_named { "\"second\"" } else { "\"" };
        assert!(board.body.contains(title), "{path}: {}", board.body);
    }
    let board = last.client.get("/");
    assert_eq!(board.status, 200);
    let runs = last.client.get("/api/v1/runs?limit=500").body;
    let runs: Vec<&str> = runs.split("\"id\":\"").skip(1).map(|rest| &rest[..10]).collect();
    // A killed server may have acknowledged more than its client was told.
    assert!(runs.len() >= acknowledged.len().min(500), "{runs:?}");
    for run in &runs {
        let file = last.client.get(&format!("/api/v1/runs/{run}/file"));
        assert!(file.status == 200 && file.body.contains("Berlin"), "{run}: {}", file.body);
    }
    drop(last);
    swept(&data);
    println!("{kills} kills, {} acknowledged uploads, all there", acknowledged.len());
}

/// After the sweep nothing is there that nothing refers to, and the audit is whole.
fn swept(data: &Path) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let address = StoreAddress::File(data.to_owned());
        let store = Store::open(&address).await.expect("the store opens");
        // Files are left alone for a day.
        let later = Arc::new(AtomicI64::new(store.now() + 2 * 24 * 3600 * 1000));
        let store = store.with_clock(Clock::Set(later));
        let first = store.sweep().await.expect("a sweep");
        let second = store.sweep().await.expect("a sweep");
        assert_eq!((second.files, second.corpora), (0, 0), "the first took {first:?}");
        let check = store.check_audit().await.expect("the audit can be read");
        assert!(matches!(check, AuditCheck::Whole(_)), "{check:?}");
        println!("the sweep took {first:?}");
        store.close().await;
    });
}

/// A disk that fills up: what does not fit is refused with the reason, and what was kept stays.
#[test]
fn a_full_disk_is_said_and_nothing_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk).expect("a folder");
    // A small disk of its own, which only this process and its children see.
    let command = "mount -t tmpfs -o size=16m tmpfs \"$0\" && exec \"$@\"";
    let within = |program: &str| {
        let mut process = Command::new("unshare");
        process.args(["--map-root-user", "--mount", "sh", "-c", command]).arg(&disk).arg(program);
        process
    };
    if !within("true").output().is_ok_and(|output| output.status.success()) {
        println!("skipped: no small disk can be mounted here");
        return;
    }
    let mut process = within(env!("CARGO_BIN_EXE_karat"));
    process.args(["serve", "--trust-machine", "--listen", "127.0.0.1:0", "--data"]);
    let served = started(process.arg(disk.join("karat.db")));
    let gold = [("what", "gold"), ("new_benchmark", "News")];
    let answer = served.client.upload(&gold, &[("gold.jsonl", corpus(50, "Q64").as_bytes())]);
    let page = served.client.ended_job(&answer.location.expect("a job for gold"));
    assert!(page.body.contains("read, checked and kept"), "{}", page.body);
    // The disk as the server sees it, and something else that fills it.
    let seen = format!("/proc/{}/root{}", served.process.id(), disk.display());
    let other = Path::new(&seen).join("other");
    std::fs::write(&other, vec![1; 11 << 20]).expect("room for something else");
    // Noise, so that nothing packs it.
    let mut state = 3;
    let noise: Vec<u8> = (0..8 << 20).map(|_| next(&mut state) as u8).collect();
    let run = [("what", "run"), ("benchmark", "news"), ("new_system", "large")];
    let refused = served.client.upload(&run, &[("noise.bin", &noise)]);
    assert!(refused.body.contains("no room left"), "{} {}", refused.status, refused.body);
    assert!(refused.location.is_none());
    let page = served.client.get("/benchmarks/news");
    assert_eq!(page.status, 200, "{}", page.body);
    assert_eq!(served.client.get("/healthz").body, "fine\n");
}
