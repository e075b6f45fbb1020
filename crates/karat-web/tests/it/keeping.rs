//! What a workspace keeps beside runs: boards, what was decided about gold, editions; on both databases, and in a browser with
//! and without scripts.

use crate::browser::{Reader, Screen, Walked, walk_in_workspace};
use crate::client::Answered;
use crate::http::Site;
use crate::postgres;
use karat_store::StoreAddress;

const HOSTILE: &str = "<script>document.title='harm'</script>\u{202e}&\"'";

fn sent(answer: &Answered) -> String {
    assert_eq!(answer.status, 303, "{}", answer.body);
    answer.location.clone().expect("where to go")
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[test]
fn boards_and_suspicions_in_memory() {
    boards_and_suspicions(&StoreAddress::Memory);
}

#[test]
fn boards_and_suspicions_on_postgresql() {
    let Some(server) = postgres::Server::start() else {
        println!("skipped: no PostgreSQL (its programs initdb and postgres)");
        return;
    };
    boards_and_suspicions(&StoreAddress::Server(server.url("postgres")));
}

fn boards_and_suspicions(address: &StoreAddress) {
    let site = Site::start(address, true);
    sent(&site.post("/sample", ""));
    boards(&site);
    suspicions(&site);
    corrections(&site);
}

fn boards(site: &Site) {
    let query = encoded("system=~c|p&cols=score,group");
    let saved = format!("title={}&about=what+for&query={query}", encoded(HOSTILE));
    let board = sent(&site.post("/boards", &saved));
    assert!(board.starts_with("/boards/"), "{board}");
    let page = site.get(&board);
    assert!(
        page.body.contains("&lt;script&gt;") && !page.body.contains("<script>d"),
        "{}",
        page.body
    );
    assert!(page.body.contains("careful") && page.body.contains("Publish"), "{}", page.body);
    // The name is taken, a view must be one, and a board needs a name.
    for bad in
        [saved.as_str(), "title=a&query=nothing%3D1", "title=a&query=shape%3Dround", "title="]
    {
        let status = site.post("/boards", bad).status;
        assert!(status == 400 || status == 404, "{status} {bad}");
    }
    assert_eq!(sent(&site.post(&format!("{board}/view"), "query=m%3Dmention")), board);
    assert_eq!(site.post(&format!("{board}/view"), "query=m%3D").status, 303);
    assert_eq!(sent(&site.post(&format!("{board}/publish"), "")), board);
    let page = site.get(&board);
    assert!(
        page.body.contains("frozen to 3 evaluations") && page.body.contains("Nothing has changed"),
        "{}",
        page.body
    );
    assert_eq!(site.post(&format!("{board}/publish"), "").status, 400);
    assert_eq!(site.post(&format!("{board}/view"), "query=").status, 400);
    assert_eq!(site.get(&format!("{board}?m=mention")).status, 400);
    assert_eq!(site.get(&format!("{board}?sort=system&format=tsv")).status, 200);
    let table = site.get(&format!("/api/v1{board}/table"));
    assert!(table.status == 200 && table.body.contains("\"measure\": \"link\""), "{}", table.body);
    assert_eq!(site.get("/api/v1/boards/none/table").status, 404);
    assert_eq!(site.get("/api/v1/boards/all/table").status, 200);
    let entries = site.get(&format!("/api/v1{board}/entries"));
    assert_eq!(entries.body.matches("\"evaluation\":").count(), 3, "{}", entries.body);
    let list = site.get("/boards");
    assert!(list.body.contains(&format!("href=\"{board}\"")), "{}", list.body);
    // Away and back.
    let slug = board.trim_start_matches("/boards/");
    let edit = site.get(&format!("/edit/board/{slug}"));
    let at = edit.body.find("/edit/board/").expect("a form") + "/edit/board/".len();
    let id: String = edit.body[at..].chars().take_while(char::is_ascii_alphanumeric).collect();
    sent(&site.post(&format!("/edit/board/{id}/remove"), &format!("name={slug}")));
    assert_eq!(site.get(&board).status, 404);
    sent(&site.post("/trash/restore", &format!("kind=board&id={id}")));
    assert_eq!(site.get(&board).status, 200);
}

/// The first hidden field of this name on a page, as a form would send it.
fn field(page: &str, name: &str) -> String {
    let mark = format!("name=\"{name}\" value=\"");
    let at = page.find(&mark).unwrap_or_else(|| panic!("no {name} in {page}")) + mark.len();
    let value: String = page[at..].chars().take_while(|c| *c != '"').collect();
    let value = value.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
    value.replace("&amp;", "&")
}

fn suspicions(site: &Site) {
    let page = site.get("/benchmarks/sample?show=suspicions");
    assert!(page.body.contains("confirm") && page.body.contains("refute"), "{}", page.body);
    let place = encoded(&field(&page.body, "place"));
    let decided =
        format!("benchmark=sample&place={place}&state=confirmed&note={}", encoded(HOSTILE));
    assert_eq!(sent(&site.post("/suspicions", &decided)), "/benchmarks/sample?show=suspicions");
    let page = site.get("/benchmarks/sample?show=suspicions&state=confirmed");
    assert!(
        page.body.contains("<b>confirmed</b>") && !page.body.contains("<script>d"),
        "{}",
        page.body
    );
    assert!(page.body.contains("confirmed 1"), "{}", page.body);
    for bad in [
        "benchmark=none&state=confirmed".to_owned(),
        "benchmark=sample&state=confirmed&place=%7B%7D".to_owned(),
        format!("benchmark=sample&place={place}&state=perhaps"),
        format!(
            "benchmark=sample&place={}&state=later",
            encoded(
                "{\"edition\":\"\",\"document\":99,\"start\":0,\"end\":1,\"gold\":\"a\",\"proposed\":\"b\",\"agree\":\"[]\",\"differ\":\"[]\",\"weight\":1}"
            )
        ),
    ] {
        let status = site.post("/suspicions", &bad).status;
        assert!(status == 400 || status == 404, "{status} {bad}");
    }
    // From the text, and from cases.
    let document = site.get("/benchmarks/sample/1?at=1");
    assert!(document.body.contains("Is gold wrong here?"), "{}", document.body);
    let board = site.get("/");
    let at = board.body.find("/runs/").expect("a run") + "/runs/".len();
    let run: String = board.body[at..].chars().take_while(char::is_ascii_alphanumeric).collect();
    let cases = site.get(&format!("/runs/{run}?show=cases&where=error=wrong-link"));
    assert!(cases.body.contains("Gold may be wrong"), "{}", cases.body);
    let pick = encoded(&field(&cases.body, "pick"));
    let to = sent(&site.post(&format!("/runs/{run}/suspicions"), &format!("pick={pick}")));
    assert_eq!(to, "/benchmarks/sample?show=suspicions");
    assert_eq!(site.post(&format!("/runs/{run}/suspicions"), "").status, 400);
    assert_eq!(site.post(&format!("/runs/{run}/suspicions"), "pick=x").status, 400);
    let list = site.get(&{
        let page = site.get("/benchmarks/sample?show=suspicions").body;
        let at = page.find("/api/v1/suspicions?edition=").expect("an export");
        page[at..].chars().take_while(|c| *c != '"').collect::<String>()
    });
    assert!(list.body.contains("\"state\":\"confirmed\""), "{}", list.body);
}

/// What was confirmed becomes a gold patch, and the next edition with the runs of the one before.
fn corrections(site: &Site) {
    let page = site.get("/benchmarks/sample?show=suspicions").body;
    assert!(page.contains("1 confirmed suspicion"), "{page}");
    let there = "/benchmarks/sample/corrections";
    assert_eq!(site.post(there, "do=patch").status, 400, "nothing was chosen");
    assert_eq!(site.post("/benchmarks/none/corrections", "from=suspicions").status, 404);
    let patch = site.post(there, "from=suspicions&do=patch");
    assert_eq!(patch.status, 200);
    assert!(patch.body.contains("\"why\":\"") && patch.body.contains("sample"), "{}", patch.body);
    let api = "/api/v1/benchmarks/sample/corrections";
    assert!(patch.body.ends_with(&site.get(api).body), "{}", site.get(api).body);
    assert_eq!(site.get(&format!("{api}?from=nothing")).status, 400);
    let form = format!("from=suspicions&do=edition&note={}", encoded(HOSTILE));
    assert_eq!(sent(&site.post(there, &form)), "/benchmarks/sample?show=editions");
    let editions = site.get("/benchmarks/sample?show=editions").body;
    for words in ["1 changed", "&lt;script&gt;", "careful", "popular"] {
        assert!(editions.contains(words), "{words}: {editions}");
    }
    // What was corrected is corrected, and what it was is still there.
    assert!(!site.get("/benchmarks/sample?show=suspicions").body.contains("confirmed suspicion"));
    assert!(site.get("/benchmarks/sample@1?show=suspicions").body.contains("confirmed suspicion"));
    assert_eq!(site.get("/").body.matches("/systems/careful").count(), 1);
    // An edition is corrected once: what the newer one changed would be undone.
    assert!(!site.get("/benchmarks/sample@1?show=suspicions").body.contains("value=\"edition\""));
    assert_eq!(site.post("/benchmarks/sample@1/corrections", &form).status, 400);
    let body = "{\"from\":[\"suspicions\"],\"note\":\"once more\"}";
    let undone = site.json("POST", "/api/v1/benchmarks/sample@1/editions", "", body);
    assert!(undone.status == 400 && undone.body.contains("newer edition"), "{}", undone.body);
    // The same for programs, from the newest.
    let page = site.get("/benchmarks/sample?show=suspicions").body;
    let place = encoded(&field(&page, "place"));
    sent(&site.post("/suspicions", &format!("benchmark=sample&place={place}&state=confirmed")));
    let made = site.json("POST", "/api/v1/benchmarks/sample/editions", "", body);
    assert!(made.status == 201 && made.body.contains("once more"), "{}", made.body);
    let nothing = site.json("POST", "/api/v1/benchmarks/sample/editions", "", body);
    assert_eq!(nothing.status, 400, "{}", nothing.body);
    assert!(site.get("/benchmarks/sample@2").body.contains("careful"));
}

/// The whole walk, with scripts or without.
async fn keeping(reader: &Reader, scripts: bool) -> Walked {
    reader.open("/").await?;
    reader.follow("form[action='/sample'] button").await?;
    reader.wait_for("careful").await?;
    reader.open("/?cols=score,interval,group&sort=system").await?;
    reader.follow("details:has(form[action='/boards']) summary").await?;
    reader.fill("input[name=title]", "Spring task").await?;
    reader.picture("board-save").await?;
    reader.follow("form[action='/boards'] button").await?;
    reader.wait_for("Spring task").await?;
    reader.arrive("/boards/spring-task").await?;
    no_barriers(reader, scripts).await?;
    reader.follow("details:has(form[action$=publish]) summary").await?;
    reader.follow("form[action$=publish] button").await?;
    reader.wait_for("Nothing has changed since.").await?;
    reader.picture("board-published").await?;
    no_barriers(reader, scripts).await?;
    reader.open("/boards").await?;
    reader.wait_for("Spring task").await?;
    reader.picture("boards").await?;
    no_barriers(reader, scripts).await?;

    reader.open("/benchmarks/sample?show=suspicions").await?;
    reader.fill("form.judge input[name=note]", HOSTILE).await?;
    reader.follow("form.judge button[value=confirmed]").await?;
    reader.wait_for("confirmed").await?;
    reader.open("/benchmarks/sample?show=suspicions&state=confirmed").await?;
    reader.picture("suspicions").await?;
    no_barriers(reader, scripts).await?;
    reader.follow("td.kw a").await?;
    reader.wait_for("Is gold wrong here?").await?;
    reader.picture("document-suspicion").await?;
    no_barriers(reader, scripts).await?;
    reader.follow("section.note form.judge button[value=later]").await?;
    reader.wait_for("later").await?;
    reader.arrive("/benchmarks/sample/").await?;

    // The chain of a keeper: confirm, correct, and see what that changed.
    reader.open("/benchmarks/sample?show=suspicions").await?;
    reader.follow("form.judge button[value=confirmed]").await?;
    reader.wait_for("1 confirmed suspicion").await?;
    reader.open("/benchmarks/sample?key=now").await?;
    reader.at("key=").await?;
    let frozen = reader.path().await?;
    assert!(reader.text(".frozen").await?.contains("is as it was"));
    reader.open("/benchmarks/sample?show=suspicions").await?;
    reader.fill("section.corrections input[name=note]", "what systems found").await?;
    reader.picture("corrections").await?;
    no_barriers(reader, scripts).await?;
    reader.follow("section.corrections button[value=edition]").await?;
    reader.wait_for("From sample @1 to sample").await?;
    reader.wait_for("what systems found").await?;
    reader.picture("editions").await?;
    no_barriers(reader, scripts).await?;
    // A frozen link shows what it was made for, and says that there is a newer edition.
    reader.open(&frozen).await?;
    let note = reader.text(".frozen").await?;
    assert!(note.contains("newer"), "{note}");
    assert!(reader.text("h1").await?.contains("@1"), "{note}");
    reader.click("What is there now").await?;
    reader.arrive("/benchmarks/sample").await?;
    assert!(!reader.text("h1").await?.contains("@1"));
    assert_ne!(reader.driver.title().await?, "harm");
    Ok(())
}

async fn no_barriers(reader: &Reader, scripts: bool) -> Walked {
    if scripts {
        assert_eq!(reader.violations().await?, Vec::<String>::new(), "{}", reader.path().await?);
        assert_eq!(reader.troubles().await?, Vec::<String>::new(), "{}", reader.path().await?);
    }
    Ok(())
}

#[test]
fn a_board_is_published_and_gold_is_judged() {
    walk_in_workspace(Screen::default(), |reader| async move { keeping(&reader, true).await });
}

#[test]
fn a_board_is_published_and_gold_is_judged_without_scripts() {
    let screen = Screen { scripts: false, ..Screen::default() };
    walk_in_workspace(screen, |reader| async move { keeping(&reader, false).await });
}

const GOLD: &str = "{\"document\":\"d1\",\"text\":\"Berlin and Paris\",\"annotations\":[{\"span\":[0,6],\"link\":\"Q64\"},{\"span\":[11,16],\"link\":\"Q90\"}]}\n{\"document\":\"d2\",\"text\":\"Rome\",\"annotations\":[{\"span\":[0,4],\"link\":\"Q220\"}]}\n";

#[test]
fn editions_are_compared_and_scores_followed_over_time() {
    let site = Site::start(&StoreAddress::Memory, true);
    let upload = |fields: &[(&str, &str)], text: &str| {
        site.ended_job(&sent(&site.upload(fields, &[("a.jsonl", text.as_bytes())])))
    };
    upload(&[("what", "gold"), ("new_benchmark", "News")], GOLD);
    upload(&[("what", "run"), ("benchmark", "news"), ("new_system", "first")], GOLD);
    let second = GOLD.replace("Q220", "Q1");
    upload(&[("what", "run"), ("benchmark", "news"), ("new_system", "second")], &second);
    upload(&[("what", "run"), ("benchmark", "news"), ("system", "first"), ("label", "b")], &second);
    let system = site.get("/systems/first");
    assert!(
        system.body.contains("over time") && system.body.contains("against the run before"),
        "{}",
        system.body
    );
    assert_eq!(site.get("/benchmarks/news?show=editions").status, 404);
    upload(&[("what", "gold"), ("benchmark", "news"), ("label", "corrected")], &second);
    let page = site.get("/benchmarks/news?show=editions");
    for words in ["1 changed", "2 alike", "3 systems change their rank", "Q220", "corrected"] {
        assert!(page.body.contains(words), "{words}: {}", page.body);
    }
    let json = site.get("/api/v1/benchmarks/news/editions/changes");
    assert!(json.body.contains("\"changed\": 1"), "{}", json.body);
    assert_eq!(site.get("/benchmarks/news?show=editions&from=none").status, 404);
    assert_eq!(site.get("/benchmarks/news@1?show=editions").status, 200);
    // What is not edited in place stays: the old edition has its runs, and its numbers.
    assert!(site.get("/benchmarks/news@1").body.contains("second"));
}
