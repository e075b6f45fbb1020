//! `karat serve` that is killed while it works: what it has acknowledged is there, and its jobs go on.

use crate::client::Client;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
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
    let mut process = Command::new(env!("CARGO_BIN_EXE_karat"))
        .args(["serve", "--trust-machine", "--listen", "127.0.0.1:0", "--data"])
        .arg(data)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
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
    let mut state = 7;
    for round in 0..kills {
        let served = serve(&data);
        let host = served.client.host.clone();
        let sending = std::thread::spawn(move || {
            let client = Client { host };
            let mut jobs = Vec::new();
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
            }
            jobs
        });
        std::thread::sleep(Duration::from_millis(next(&mut state) % 1500));
        // On Unix this is SIGKILL: the process has no moment to tidy up.
        drop(served);
        acknowledged.extend(sending.join().expect("the sender ends"));
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
    let board = last.client.get("/");
    assert_eq!(board.status, 200);
    println!("{kills} kills, {} acknowledged uploads, all there", acknowledged.len());
}
