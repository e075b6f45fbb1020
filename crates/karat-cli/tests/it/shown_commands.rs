//! The commands that pages show: each runs, and gives the numbers of its page.

use crate::client::Client;
use crate::folder::Folder;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server, stopped when the test ends.
struct Served(Child, Client);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn serve(folder: &Folder, arguments: &[&str]) -> Served {
    let mut process = Command::new(env!("CARGO_BIN_EXE_karat"))
        .current_dir(folder.path("."))
        .args(["serve", "--trust-machine", "--listen", "127.0.0.1:0"])
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let host = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let served = Served(process, Client { host });
    // Files are read after the server has begun to answer.
    let begun = Instant::now();
    while commands(&served.1.get("/").body).is_empty() && begun.elapsed() < Duration::from_secs(60)
    {
        std::thread::sleep(Duration::from_millis(50));
    }
    served
}

fn unescaped(markup: &str) -> String {
    let plain = markup.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    plain.replace("&#39;", "'").replace("&amp;", "&")
}

/// What stands between two pieces of a page, wherever they stand.
fn between<'p>(page: &'p str, from: &'p str, to: &'p str) -> impl Iterator<Item = String> + 'p {
    page.split(from).skip(1).filter_map(move |rest| Some(unescaped(rest.split_once(to)?.0)))
}

fn commands(page: &str) -> Vec<String> {
    let shown = "The same on the command line</summary><pre><code data-copyable>";
    let lines = between(page, shown, "</code>");
    lines.flat_map(|lines| lines.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// A page of each shape: the path without its names and numbers, and the keys of its query with a few values.
fn shape(address: &str) -> String {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let depth = path.matches('/').count();
    let first = path.split('/').nth(1).unwrap_or_default();
    let shows = query.split('&').filter(|it| it.starts_with("show=")).collect::<Vec<_>>();
    let keys: BTreeSet<&str> =
        query.split('&').filter_map(|it| Some(it.split_once('=')?.0)).collect();
    format!("{first}/{depth} {shows:?} {keys:?}")
}

/// Pages by their address, of each shape the first few.
fn crawled(client: &Client) -> BTreeMap<String, String> {
    const OF_SHAPE: usize = 2;
    let mut waiting = VecDeque::from(["/".to_owned()]);
    let mut shapes: BTreeMap<String, usize> = BTreeMap::new();
    let mut pages = BTreeMap::new();
    while let Some(address) = waiting.pop_front() {
        let seen = shapes.entry(shape(&address)).or_default();
        if *seen >= OF_SHAPE || pages.contains_key(&address) || pages.len() >= 150 {
            continue;
        }
        *seen += 1;
        let page = client.get(&address).body;
        let links = between(&page, "href=\"", "\"");
        waiting.extend(links.filter(|link| {
            let is_data = ["format=", "freeze", "/assets", "/api", "/feed"]
                .iter()
                .any(|it| link.contains(it));
            link.starts_with('/') && !is_data && !link.contains('#')
        }));
        pages.insert(address, page);
    }
    pages
}

/// What is about numbers in a record: only what a command prints has digests of outputs.
fn numbers(record: &Value) -> Value {
    fn without_digests(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.remove("digest");
                fields.values_mut().for_each(without_digests);
            }
            Value::Array(items) => items.iter_mut().for_each(without_digests),
            _ => {}
        }
    }
    let of = |key: &str| record.get(key).cloned().unwrap_or_default();
    let mut kept = Value::Array(["signature", "systems", "benchmarks", "rows"].map(of).to_vec());
    without_digests(&mut kept);
    kept
}

#[test]
fn every_command_on_a_page_runs_and_gives_the_numbers_of_the_page() {
    let folder = Folder::with_sample();
    folder.write("it's gold.jsonl", &folder.read("sample/gold.karat.jsonl"));
    let gold = ["-g", "news=it's gold.jsonl"];
    let systems = [
        "-s",
        "my careful=sample/systems/careful.karat.jsonl",
        "-s",
        "sample/systems/popular.karat.jsonl",
    ];
    let served = serve(&folder, &[gold.as_slice(), &systems].concat());
    let mut ran = BTreeSet::new();
    let mut compared = 0;
    for (address, page) in crawled(&served.1) {
        let shown = commands(&page);
        for command in &shown {
            if ran.insert(command.clone()) {
                let output = folder.output(&format!("{command} -q"));
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                let is_listing =
                    !command.contains(" -g ") && !command.starts_with("karat validate ");
                assert!(
                    output.status.success()
                        || output.status.code() == Some(1) && !is_listing
                        || said.contains("unexpected argument '-q'"),
                    "{address}: {command}\n{said}"
                );
            }
        }
        let [command] = shown.as_slice() else { continue };
        let is_whole = ["/runs/", "/compare/"].iter().any(|it| address.starts_with(it));
        if is_whole && !command.starts_with("karat errors") {
            let joint = if address.contains('?') { '&' } else { '?' };
            let page: Value =
                serde_json::from_str(&served.1.get(&format!("{address}{joint}format=json")).body)
                    .unwrap();
            let printed = folder.output(&format!("{command} --format json -q"));
            let printed: Value = serde_json::from_slice(&printed.stdout).unwrap();
            if page.get("systems").is_some() || page.get("benchmarks").is_some() {
                assert_eq!(numbers(&page), numbers(&printed), "{address}: {command}");
                compared += 1;
            }
        }
    }
    assert!(ran.len() > 20 && compared > 3, "{} commands, {compared} compared", ran.len());
}
