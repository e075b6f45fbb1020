//! Sending, renaming, removing and restoring, on every database.

use crate::client::Answered;
use crate::http::Site;
use crate::postgres;
use karat_store::{By, ListFrom, StoreAddress};
use std::io::{BufRead, BufReader};
use std::time::Duration;

const GOLD: &str = "{\"document\":\"d1\",\"text\":\"Berlin and Paris\",\"annotations\":[{\"span\":[0,6],\"link\":\"Q64\"},{\"span\":[11,16],\"link\":\"Q90\"}]}\n{\"document\":\"d2\",\"text\":\"Rome\",\"annotations\":[{\"span\":[0,4],\"link\":\"Q220\"}]}\n";
const RUN: &str = "{\"document\":\"d1\",\"text\":\"Berlin and Paris\",\"annotations\":[{\"span\":[0,6],\"link\":\"Q64\"},{\"span\":[11,16],\"link\":\"Q142\"}]}\n";
const BAD: &str = "{\"document\":\"d1\",\"text\":\"Berlin\",\"annotations\":[{\"span\":[0,6],\"link\":\"Q64\"}]}\n{\"document\":\"d2\",\"annotations\":[{\"span\":\"nowhere\"}]}\n";

#[test]
fn everything_in_memory() {
    everything(&StoreAddress::Memory);
}

#[test]
fn everything_in_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    everything(&StoreAddress::File(folder.path().join("karat.db")));
}

#[test]
fn everything_on_postgresql() {
    let Some(server) = postgres::Server::start() else {
        println!("skipped: no PostgreSQL (its programs initdb and postgres)");
        return;
    };
    everything(&StoreAddress::Server(server.url("postgres")));
}

/// The id in an address of the board, such as `/runs/abcdefghij`.
fn run_id(page: &str) -> String {
    let at = page.find("/runs/").expect("a run on the page") + "/runs/".len();
    page[at..].chars().take_while(char::is_ascii_alphanumeric).collect()
}

fn sent(answer: &Answered) -> String {
    assert_eq!(answer.status, 303, "{}", answer.body);
    answer.location.clone().expect("where to go")
}

fn everything(address: &StoreAddress) {
    let site = Site::start(address, true);
    assert!(site.get("/").body.contains("Try the sample"));
    let gold = [("what", "gold"), ("new_benchmark", "News <b>")];
    let job = sent(&site.upload(&gold, &[("gold.jsonl", GOLD.as_bytes())]));
    let page = site.ended_job(&job);
    assert!(page.body.contains("It was read, checked and kept."), "{}", page.body);
    assert!(page.body.contains("karat-jsonl"), "{}", page.body);

    let run =
        [("what", "run"), ("benchmark", "news-b"), ("new_system", "mine"), ("seconds", "1.5")];
    let job = sent(&site.upload(&run, &[("run.jsonl", RUN.as_bytes())]));
    let page = site.ended_job(&job);
    assert!(page.body.contains("Look at it"), "{}", page.body);
    let board = site.get("/");
    assert!(board.body.contains(">mine<") || board.body.contains("mine"), "{}", board.body);
    let id = run_id(&board.body);
    assert_eq!(id.len(), 10);
    let shown = site.get(&format!("/runs/{id}"));
    assert_eq!(shown.status, 200, "{}", shown.body);
    assert!(shown.body.contains(&format!("/edit/run/{id}")), "{}", shown.body);

    refused(&site);
    renamed_and_removed(&site, &id);
    editions(&site);
    assert!(site.end() < Duration::from_secs(5));
}

/// What is wrong is said with its place, the form keeps what was filled in, and nothing is kept.
fn refused(site: &Site) {
    let run = [
        ("what", "run"),
        ("benchmark", "news-b"),
        ("new_system", "broken"),
        ("label", "try 7"),
        ("note", "a <note>"),
    ];
    let answer = site.upload(&run, &[("bad.jsonl", BAD.as_bytes())]);
    assert_eq!(answer.status, 400, "{}", answer.body);
    for said in
        ["This was not kept.", "bad.jsonl", ":2:", "nowhere", "value=\"try 7\"", "a &lt;note&gt;"]
    {
        assert!(answer.body.contains(said), "{said} in {}", answer.body);
    }
    assert!(!site.get("/").body.contains("broken"));
    let wrong = [
        (vec![("what", "run"), ("benchmark", "news-b"), ("new_system", "x")], "there is no file"),
        (vec![("what", "run"), ("new_system", "x")], "no benchmark is chosen"),
        (vec![("what", "run"), ("benchmark", "news-b")], "no system is named"),
        (vec![("what", "gold")], "no benchmark is named"),
        (vec![("what", "gold"), ("new_benchmark", "News b")], "already"),
    ];
    for (fields, said) in wrong {
        let files: &[(&str, &[u8])] =
            if said == "there is no file" { &[] } else { &[("run.jsonl", RUN.as_bytes())] };
        let answer = site.upload(&fields, files);
        assert!(answer.status == 400 && answer.body.contains(said), "{said} in {}", answer.body);
    }
    // Pasted text, and several files at once.
    let pasted =
        [("what", "run"), ("benchmark", "news-b"), ("new_system", "pasted"), ("text", RUN)];
    let page = site.ended_job(&sent(&site.upload(&pasted, &[])));
    assert!(page.body.contains("Look at it"), "{}", page.body);
}

fn renamed_and_removed(site: &Site, id: &str) {
    let label = site.post(&format!("/edit/run/{id}"), "label=second&about=");
    assert_eq!(sent(&label), format!("/runs/{id}"));
    assert!(site.get(&format!("/runs/{id}")).body.contains("mine, second"));
    // A change by the API names the version that it is about.
    let path = format!("/api/v1/runs/{id}");
    for (version, status) in [("", 428), ("\"1\"", 412)] {
        let answer = site.json("PATCH", &path, version, "{\"note\": \"x\"}");
        assert_eq!(answer.status, status, "{}", answer.body);
    }
    let system = site.post("/edit/system/mine", "title=Ours&slug=ours");
    assert_eq!(sent(&system), "/systems/ours");
    assert!(site.get("/").body.contains("Ours, second"));
    assert_eq!(site.get("/systems/mine").status, 404);

    let kept = site.post(&format!("/edit/run/{id}/remove"), "name=mine");
    assert_eq!(kept.status, 400, "{}", kept.body);
    assert_eq!(site.get(&format!("/runs/{id}")).status, 200);
    let removed = site.post(&format!("/edit/run/{id}/remove"), "name=ours");
    assert_eq!(sent(&removed), "/trash");
    assert_eq!(site.get(&format!("/runs/{id}")).status, 404);
    assert!(site.get("/trash").body.contains(id));
    let back = site.post("/trash/restore", &format!("kind=run&id={id}"));
    assert_eq!(sent(&back), "/trash");
    assert_eq!(site.get(&format!("/runs/{id}")).status, 200);
    assert_eq!(site.post("/edit/planet/x", "").status, 404);
}

/// New gold is a new edition, and the old one keeps its address.
fn editions(site: &Site) {
    let second = GOLD.replace("Q220", "Q1");
    let fields = [("what", "gold"), ("benchmark", "news-b"), ("label", "corrected")];
    site.ended_job(&sent(&site.upload(&fields, &[("gold.jsonl", second.as_bytes())])));
    for (path, status) in [
        ("/benchmarks/news-b", 200),
        ("/benchmarks/news-b@corrected", 200),
        ("/benchmarks/news-b@1", 200),
        ("/benchmarks/news-b@2", 404),
    ] {
        assert_eq!(site.get(path).status, status, "{path}");
    }
}

#[test]
fn a_job_that_waits_is_cancelled_and_nothing_of_it_stays() {
    // Nobody works here, so jobs wait.
    let site = Site::start(&StoreAddress::Memory, false);
    let gold = [("what", "gold"), ("new_benchmark", "News")];
    let job = sent(&site.upload(&gold, &[("gold.jsonl", GOLD.as_bytes())]));
    let page = site.get(&job);
    assert!(
        page.body.contains("It waits for its turn.")
            && page.body.contains("http-equiv=\"refresh\"")
    );
    assert_eq!(sent(&site.post(&format!("{job}/cancel"), "")), job);
    assert!(site.get(&job).body.contains("It was cancelled."));
    // The name can be used again, because nothing is left of the edition.
    sent(&site.upload(&gold, &[("gold.jsonl", GOLD.as_bytes())]));
    let entries = site.workspace.wait(site.workspace.store().jobs(None, &ListFrom::default()));
    assert_eq!(entries.expect("jobs").items.len(), 2);
}

#[test]
fn event_streams_tell_what_changes_and_end_with_the_server() {
    let site = Site::start(&StoreAddress::Memory, false);
    let gold = [("what", "gold"), ("new_benchmark", "News")];
    let job = sent(&site.upload(&gold, &[("gold.jsonl", GOLD.as_bytes())]));
    let open: Vec<_> = (0..5).map(|_| site.listen(&format!("{job}/events"))).collect();
    let mut lines = BufReader::new(site.listen(&format!("{job}/events"))).lines();
    let first = lines.by_ref().map_while(Result::ok).find(|line| line.starts_with("data:"));
    assert!(first.is_some_and(|line| line.contains("\"queued\"")));
    let id = job.trim_start_matches("/jobs/");
    site.workspace.wait(site.workspace.store().cancel_job(&By::local(), id)).expect("cancelled");
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    assert!(rest.iter().any(|line| line == "event: failed"), "{rest:?}");
    // A second job is never worked on: its stream is open when the server ends.
    let job = sent(&site.upload(&gold, &[("gold.jsonl", GOLD.as_bytes())]));
    let still =
        [format!("{job}/events"), "/api/v1/events".to_owned()].map(|path| site.listen(&path));
    std::thread::sleep(Duration::from_millis(300));
    let took = site.end();
    assert!(took < Duration::from_secs(5), "{took:?}");
    drop((open, still));
}

#[test]
fn what_is_too_large_is_refused() {
    let site = Site::start(&StoreAddress::Memory, false);
    let fields = [("what", "gold"), ("new_benchmark", "News"), ("note", &"x".repeat(70_000))];
    let answer = site.upload(&fields, &[("gold.jsonl", GOLD.as_bytes())]);
    assert!(answer.status == 400 && answer.body.contains("64 KiB"), "{}", answer.body);
    let many = site.post("/sample", &"x".repeat(70_000));
    assert_eq!(many.status, 413);
}

/// Whatever it is packed with, what unpacks to far more than was sent is refused, and nothing is kept.
#[test]
fn bombs_are_refused() {
    let site = Site::start(&StoreAddress::Memory, true);
    let gold = [("what", "gold"), ("new_benchmark", "News")];
    site.ended_job(&sent(&site.upload(&gold, &[("gold.jsonl", GOLD.as_bytes())])));
    // A good line, and a long one of blanks behind it.
    let packed = |blanks: usize| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        let text = format!("{RUN}{}\n", " ".repeat(blanks));
        std::io::Write::write_all(&mut encoder, text.as_bytes()).expect("bytes in memory");
        encoder.finish().expect("bytes in memory")
    };
    let (whole, half) = (packed(12 << 20), packed(6 << 20));
    assert!(whole.len() < 50_000);
    let run = [("what", "run"), ("benchmark", "news"), ("new_system", "bomb")];
    let one: [(&str, &[u8]); 1] = [("bomb.jsonl.gz", &whole)];
    // Several that are harmless alone are too much together.
    let two: [(&str, &[u8]); 2] = [("a.jsonl.gz", &half), ("b.jsonl.gz", &half)];
    for files in [&one[..], &two[..]] {
        let answer = site.upload(&run, files);
        assert_eq!(answer.status, 400, "{}", answer.body);
        let said = "1 GiB in all, and 200 times what was sent";
        assert!(answer.body.contains(said), "{}", answer.body);
    }
    assert!(!site.get("/").body.contains("bomb"));
}
