//! A server with accounts: in a browser, and by the commands of the docs.

use crate::browser::{Screen, walk_at};
use karat_store::{
    By, EVERYTHING, NewJob, NewPerson, PersonRole, RightRow, Store, StoreAddress, TOKEN_LIFE,
};
use karat_web::accounts::invite_owner;
use karat_web::library::StoredLibrary;
use karat_web::server::{Access, Server, ServerOptions};
use karat_web::workbench::Workbench;
use karat_web::workspace::Workspace;
use std::process::Command;
use std::sync::{Arc, Mutex};

/// Starts a server with the sample and accounts, and gives its address and its store.
async fn start() -> (String, Store) {
    let workspace = Workspace::open(&StoreAddress::Memory).await.expect("a store in memory");
    let store = workspace.store().clone();
    let sample = karat::sample::experiment().expect("the sample can be read");
    let taking = workspace.clone();
    let taken = tokio::task::spawn_blocking(move || taking.take_in(&By::local(), &sample, &[]));
    taken.await.expect("a thread").expect("the sample can be kept");
    // The address of the server is part of its settings, so the port is chosen before.
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = free.local_addr().expect("an address");
    drop(free);
    let public_url = format!("http://{address}");
    let library = Arc::new(StoredLibrary::new(workspace.clone()));
    let options = ServerOptions {
        address,
        workbench: Arc::new(Workbench::over(library)),
        workspace: Some(workspace),
        access: Access::Accounts { public_url: public_url.clone(), may_read: false },
    };
    let server = Server::bind(options).await.expect("a free port");
    tokio::spawn(server.run(std::future::pending()));
    (public_url, store)
}

/// A person in a role, with a token that has all scopes.
async fn token(store: &Store, role: PersonRole) -> String {
    let login = role.word().to_owned();
    let new =
        NewPerson { login, password: Some("correct horse".to_owned()), ..NewPerson::default() };
    let person = store.add_person(&By::local(), &new).await.expect("a person");
    let right = RightRow { person: person.id.clone(), object: EVERYTHING.to_owned(), role };
    store.grant(&By::local(), &right).await.expect("a right");
    let scopes = "read submit organise judge";
    let made = store.add_token(&By::local(), &person.id, "test", scopes, TOKEN_LIFE).await;
    made.expect("a token").0
}

#[test]
fn the_commands_of_the_docs_work() {
    let page = include_str!("../../../../docs/api.md");
    let blocks = page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let commands: String = blocks.collect();
    assert!(commands.lines().count() > 8, "{commands}");
    if Command::new("curl").arg("--version").output().is_err() {
        println!("skipped: no curl");
        return;
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let (site, store) = start().await;
        let token = token(&store, PersonRole::Organiser).await;
        let list = karat_store::ListFrom::default();
        let runs = store.runs(&karat_store::RunFilter::default(), &list).await.expect("runs");
        let run = runs.items[0].id.clone();
        let output = tokio::task::spawn_blocking(move || {
            let folder = tempfile::tempdir().expect("a folder");
            Command::new("bash")
                .current_dir(folder.path())
                .args(["-euxo", "pipefail", "-c", &commands])
                .env("KARAT", site)
                .env("TOKEN", token)
                .env("RUN", run)
                .output()
        });
        let output = output.await.expect("a thread").expect("bash");
        let (said, told) = (&output.stdout, &output.stderr);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(told));
        let said = String::from_utf8_lossy(said);
        for part in [
            "\"items\":",
            "| careful |",
            "\"signature\":",
            "\"The news\"",
            "\"kind\":\"benchmark\"",
            "\"state\":\"queued\"",
            "\"part\":",
        ] {
            assert!(said.contains(part), "no {part} in {said}");
        }
    });
}

/// Every page that can be done by the API says how, and every line that it shows does it.
#[test]
fn every_command_that_a_page_shows_works() {
    if Command::new("curl").arg("--version").output().is_err() {
        println!("skipped: no curl");
        return;
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let (site, store) = start().await;
        let token = token(&store, PersonRole::Organiser).await;
        let list = karat_store::ListFrom::default();
        let runs = store.runs(&karat_store::RunFilter::default(), &list).await.expect("runs").items;
        let (run, other) = (&runs[0].id, &runs[1].id);
        let job = NewJob { kind: "read".to_owned(), input: "{}".to_owned(), person: None };
        let job = store.enqueue(&job).await.expect("a job").id;
        let pages = [
            "/".to_owned(),
            "/?m=mention&sort=sample".to_owned(),
            "/benchmarks".to_owned(),
            "/benchmarks/sample".to_owned(),
            "/benchmarks/sample?show=statistics".to_owned(),
            "/benchmarks/sample?show=mentions".to_owned(),
            "/benchmarks/sample?show=checks".to_owned(),
            "/benchmarks/sample?show=suspicions".to_owned(),
            "/benchmarks/sample?show=resolution".to_owned(),
            "/benchmarks/sample/3?runs=careful".to_owned(),
            "/systems".to_owned(),
            "/systems/careful".to_owned(),
            "/compare".to_owned(),
            format!("/compare/{run}..{other}"),
            "/conventions".to_owned(),
            format!("/conventions/{run}"),
            "/search?q=Paris%20%26%20co".to_owned(),
            format!("/runs/{run}"),
            format!("/runs/{run}?show=slices&by=type"),
            format!("/runs/{run}?show=errors"),
            format!("/runs/{run}?show=cases&where=error%3Dmissing"),
            format!("/runs/{run}?show=curves"),
            "/upload".to_owned(),
            "/jobs".to_owned(),
            format!("/jobs/{job}"),
            "/trash".to_owned(),
            format!("/edit/run/{run}"),
            "/edit/benchmark/sample".to_owned(),
            "/edit/system/careful".to_owned(),
        ];
        let ran = tokio::task::spawn_blocking(move || {
            let folder = tempfile::tempdir().expect("a folder");
            let run = "{\"document\":\"wire-talks\",\"annotations\":[]}\n";
            std::fs::write(folder.path().join("run.jsonl"), run).expect("a file");
            let bash = |line: &str| {
                let mut command = Command::new("bash");
                command.args(["-c", line]).current_dir(folder.path()).env("TOKEN", &token);
                command.output().expect("bash")
            };
            let secret = format!("-fsS -H \"Authorization: Bearer {token}\"");
            for path in &pages {
                let page = bash(&format!("curl {secret} '{site}{path}'"));
                let page = String::from_utf8_lossy(&page.stdout).into_owned();
                let line = page.split("<code data-copyable>curl").nth(1);
                let line = line.and_then(|rest| rest.split("</code>").next());
                let line = line.unwrap_or_else(|| panic!("{path} shows no command: {page}"));
                let line = line.replace("&quot;", "\"").replace("&amp;", "&").replace("&#39;", "'");
                let ran = bash(&format!("curl -fsS{line}"));
                let told = String::from_utf8_lossy(&ran.stderr);
                assert!(ran.status.success(), "{path}: curl{line}\n{told}");
            }
        });
        ran.await.expect("all lines run");
    });
}

/// Schemathesis asks every operation for what its description allows and does not allow, for each role: no failure of the server, and
/// nothing that the description does not say. Which statuses are refusals is the description's business (`default`), so its
/// checks with fixed lists of statuses are left out. Roles are tried at the same time, because most of it is waiting.
#[test]
fn the_api_does_what_its_description_says() {
    if !std::path::Path::new(SCHEMATHESIS).exists() {
        println!("skipped: no schemathesis");
        return;
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let tried = PersonRole::ALL.iter().map(|role| tokio::spawn(tried_as(*role)));
        for tried in tried.collect::<Vec<_>>() {
            tried.await.expect("a role that holds");
        }
    });
}

const SCHEMATHESIS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.venv/bin/schemathesis");

/// Operations that would end the trial: tries to log in are counted, and what ends its own token, session or rights makes
/// all that follows be refused. Streams of events do not end by themselves.
const LEFT_OUT: [&str; 8] =
    ["logIn", "logOut", "endToken", "grant", "revoke", "changePerson", "followJobs", "followJob"];

async fn tried_as(role: PersonRole) {
    let (site, store) = start().await;
    let secret = token(&store, role).await;
    let header = match role {
        // What owners do needs a session.
        PersonRole::Owner => {
            let person = store.person_by_login(role.word()).await.expect("a person");
            let session = store.open_session(&person.id, "test").await.expect("a session");
            format!("Cookie: karat={session}")
        }
        _ => format!("Authorization: Bearer {secret}"),
    };
    let checks = "not_a_server_error,status_code_conformance,content_type_conformance,\
                  response_schema_conformance";
    let folder = tempfile::tempdir().expect("a folder for what it notes");
    let run = tokio::task::spawn_blocking(move || {
        let mut command = Command::new(SCHEMATHESIS);
        command
            .current_dir(folder.path())
            .args(["run", &format!("{site}/openapi.json"), "--checks", checks])
            .args(["--url", &format!("{site}/api/v1"), "-H", &header])
            .args(["--max-examples", "3", "--seed", "1", "--no-color"])
            .args(["--phases", "examples,fuzzing", "--generation-database", "none"]);
        for id in LEFT_OUT {
            command.args(["--exclude-operation-id", id]);
        }
        command.output()
    });
    let output = run.await.expect("a thread").expect("schemathesis");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}: {said}", role.word());
    if std::env::var_os("KARAT_SHOW").is_some() {
        println!("{}: {said}", role.word());
    }
}

#[test]
fn people_come_in_by_invitation_and_see_what_they_may() {
    let kept: Arc<Mutex<Option<Store>>> = Arc::default();
    let serving = Arc::clone(&kept);
    let serve = async move {
        let (site, store) = start().await;
        *serving.lock().expect("a lock") = Some(store);
        site
    };
    walk_at(serve, Screen::default(), |reader| async move {
        let store = kept.lock().expect("a lock").clone().expect("the server was started");
        let link = invite_owner(&store, &reader.site).await?;
        reader.open("/runs").await?;
        assert!(reader.path().await?.starts_with("/login?to="), "{}", reader.path().await?);
        assert_eq!(reader.barriers().await?, Vec::<String>::new());
        reader.picture("login").await?;
        reader.driver.goto(&link).await?;
        assert_eq!(reader.barriers().await?, Vec::<String>::new());
        reader.write("main input[name=login]", "ada").await?;
        reader.write("main input[name=password]", "correct horse").await?;
        reader.follow("main form button").await?;
        reader.arrive("/login").await?;
        reader.write("main input[name=login]", "ada").await?;
        reader.write("main input[name=password]", "wrong").await?;
        reader.follow("main form button").await?;
        let told = reader.appeared("[role=alert]").await?.text().await?;
        assert!(told.contains("do not belong together"), "{told}");
        reader.write("main input[name=password]", "correct horse").await?;
        reader.follow("main form button").await?;
        reader.appeared("tbody tr").await?;
        assert_eq!(reader.all("tbody tr").await?.len(), 3, "the board");
        for page in ["/account", "/people", "/audit"] {
            reader.open(page).await?;
            assert_eq!(reader.barriers().await?, Vec::<String>::new(), "{page}");
            assert_eq!(reader.all("h1").await?.len(), 1, "{page}");
            assert_eq!(reader.troubles().await?, Vec::<String>::new(), "{page}");
            assert_eq!(reader.hard_to_use().await?, "", "{page}");
            reader.picture(page.trim_start_matches('/')).await?;
            reader.look("dark").await?;
            reader.open(page).await?;
            assert_eq!(reader.barriers().await?, Vec::<String>::new(), "{page} in the dark");
            reader.picture(&format!("{}-dark", page.trim_start_matches('/'))).await?;
            reader.look("light").await?;
            reader.resize(320, 800, 1).await?;
            assert_eq!(reader.overflow().await?, "0", "{page} at 320 pixels");
            reader.resize(1440, 900, 1).await?;
        }
        // The audit names people as they log in.
        assert!(reader.text("main table").await?.contains("ada"));
        reader.open("/account").await?;
        reader.click("People and their rights").await?;
        reader.arrive("/people").await?;
        reader.open("/account").await?;
        reader.write("input[name=name]", "ci").await?;
        reader.follow("form[action='/account/tokens'] button").await?;
        let token = reader.appeared(".secret code").await?.text().await?;
        let known = store.token(&token).await?.map(|(token, person)| (token.scopes, person.login));
        assert_eq!(known, Some(("read".to_owned(), "ada".to_owned())));
        reader.open("/account").await?;
        assert!(reader.all(".secret").await?.is_empty(), "it is shown once");
        // A reader does not see what is for owners.
        self::token(&store, PersonRole::Reader).await;
        reader.follow("form[action='/logout'] button").await?;
        reader.arrive("/login").await?;
        reader.write("main input[name=login]", "reader").await?;
        reader.write("main input[name=password]", "correct horse").await?;
        reader.follow("main form button").await?;
        reader.appeared("tbody tr").await?;
        reader.open("/people").await?;
        assert!(reader.driver.source().await?.contains("not for you"));
        Ok(())
    });
}
