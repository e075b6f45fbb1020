//! A server with accounts: in a browser, and by the commands of the docs.

use crate::browser::{Screen, walk_at};
use karat_store::{
    By, EVERYTHING, NewPerson, PersonRole, RightRow, Store, StoreAddress, TOKEN_LIFE,
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
            Command::new("bash")
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
        ] {
            assert!(said.contains(part), "no {part} in {said}");
        }
    });
}

/// Schemathesis asks every operation for what its description allows and does not allow, for each role: no failure of the server, and
/// nothing that the description does not say. Which statuses are refusals is the description's business (`default`), so its
/// checks with fixed lists of statuses are left out.
#[test]
fn the_api_does_what_its_description_says() {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.venv/bin/schemathesis");
    if !std::path::Path::new(program).exists() {
        println!("skipped: no schemathesis");
        return;
    }
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        for role in [PersonRole::Reader, PersonRole::Submitter, PersonRole::Organiser] {
            let (site, store) = start().await;
            let token = token(&store, role).await;
            let checks = "not_a_server_error,status_code_conformance,content_type_conformance,\
                          response_schema_conformance";
            let folder = tempfile::tempdir().expect("a folder for what it notes");
            let run = tokio::task::spawn_blocking(move || {
                Command::new(program)
                    .current_dir(folder.path())
                    .args(["run", &format!("{site}/openapi.json"), "--checks", checks])
                    .args(["--url", &format!("{site}/api/v1")])
                    .args(["-H", &format!("Authorization: Bearer {token}")])
                    .args(["--max-examples", "3", "--seed", "1", "--no-color"])
                    .args(["--phases", "examples,fuzzing", "--generation-database", "none"])
                    // Tries to log in are counted, and it finds its own token in the list and ends it.
                    .args(["--exclude-operation-id", "logIn"])
                    .args(["--exclude-operation-id", "endToken"])
                    .output()
            });
            let output = run.await.expect("a thread").expect("schemathesis");
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{}: {said}", role.word());
            if std::env::var_os("KARAT_SHOW").is_some() {
                println!("{}: {said}", role.word());
            }
        }
    });
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
            reader.picture(page.trim_start_matches('/')).await?;
        }
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
