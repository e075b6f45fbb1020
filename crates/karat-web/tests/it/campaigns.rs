//! Campaigns over HTTP: the oracle judges everything, and every number is that of the reference run.

use crate::client::{Answered, Client};
use crate::http::Site;
use crate::oracle::{Oracle, SOURCES, check_plan, check_results, reference, source};
use crate::postgres;
use karat::campaigns::life::{CampaignEvent, CampaignState};
use karat::campaigns::plan::{
    CampaignDesign, CampaignPlan, ControlPool, PossibleControls, Redundancy,
};
use karat::campaigns::{CampaignSettings, LinkTarget, VerifyAction};
use karat::verify::{BuiltCampaign, VerifyReportAnswer};
use karat_store::{By, CampaignRow, KeyState, StoreAddress, StoreKey};
use karat_web::campaigns::{CampaignTexts, make, make_demo};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn read(answer: &Answered) -> Value {
    assert!((200..300).contains(&answer.status), "{}: {}", answer.status, answer.body);
    // A body may come in pieces: what is not JSON at its ends are their lengths.
    let from = answer.body.find(['{', '[']).expect("JSON");
    let to = answer.body.rfind(['}', ']']).expect("JSON");
    let text: String = answer.body[from..=to].to_owned();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// What somebody answers, by the number of the item.
type Answers = BTreeMap<i64, (VerifyAction, Option<LinkTarget>)>;

/// Somebody judges until nothing is left for the assignment. Gives the tasks they did.
fn judge(client: &Client, campaign: &str, secret: &str, answers: &Answers) -> usize {
    let sent = json!({ "platform": "link", "parameters": { "key": secret } }).to_string();
    let entered =
        read(&client.json("POST", &format!("/api/v1/campaigns/{campaign}/enter"), "", &sent));
    let token = entered["token"].as_str().expect("a token").to_owned();
    let assignment = format!("/api/v1/assignments/{}", entered["assignment"]["id"]);
    let ask = |method: &str, path: &str, body: &str| client.with_token(method, path, &token, body);
    assert_eq!(ask("POST", &format!("{assignment}/lease"), "").status, 204, "not before consent");
    read(&ask("POST", &format!("{assignment}/consent"), "{\"agreed\":true}"));
    let mut done = 0;
    loop {
        let leased = ask("POST", &format!("{assignment}/lease"), "");
        if leased.status == 204 {
            break;
        }
        let task = read(&leased);
        assert!(task.get("purpose").is_none(), "nobody learns what is a control");
        let lease = task["token"].as_str().expect("a token").to_owned();
        let items = task["items"].as_array().expect("items");
        let given: Vec<Value> = { items.iter() }
            .map(|item| {
                let id = item["id"].as_i64().expect("a number");
                let (action, link) = &answers[&id];
                match link {
                    Some(link) => json!({ "item": id, "action": action, "link": link }),
                    None => json!({ "item": id, "action": action }),
                }
            })
            .collect();
        let body = json!({ "answers": given }).to_string();
        let path = format!("/api/v1/leases/{lease}/answers/1");
        let taken = read(&ask("PUT", &path, &body));
        assert_eq!(taken["taken"], true);
        if done == 0 {
            assert_eq!(read(&ask("PUT", &path, &body)), taken, "the same again");
        }
        done += 1;
    }
    let ended = read(&ask("POST", &format!("{assignment}/finish"), ""));
    assert_eq!(ended["assignment"]["state"]["state"], "ended", "{ended}");
    assert!(ended["leaving"]["code"].is_string(), "{ended}");
    done
}

/// Makes a campaign and opens it.
fn opened(
    site: &Site,
    name: &str,
    plan: CampaignPlan,
    settings: CampaignSettings,
) -> (CampaignRow, String) {
    let built = BuiltCampaign {
        plan,
        settings,
        base_digest: String::new(),
        kb_digest: String::new(),
        notices: Vec::new(),
    };
    let store = site.workspace.store();
    let texts = CampaignTexts::default();
    let row =
        site.workspace.wait(make(store, &By::local(), (name, ""), built, texts)).expect("made");
    let path = format!("/api/v1/campaigns/{name}");
    let step = |body: Value| site.json("POST", &format!("{path}/state"), "", &body.to_string());
    assert_eq!(step(json!({ "to": "calibrating" })).status, 409, "controls are not confirmed yet");
    let keys = read(&site.get(&format!("{path}/controls")));
    for key in keys["items"].as_array().expect("controls") {
        let confirm = format!("{path}/controls/{}/state", key["item"]);
        let state = json!({ "state": KeyState::Confirmed }).to_string();
        assert_eq!(site.json("POST", &confirm, "", &state).status, 204);
    }
    let state = read(&step(json!({ "to": "calibrating" })));
    assert_eq!(state["state"], "calibrating");
    read(&step(json!({ "to": "open", "skip_calibration": true })));
    let link = read(&site.json("POST", &format!("{path}/links"), "", "{}"));
    (row, link["secret"].as_str().expect("a secret").to_owned())
}

/// Controls for the oracle: three tasks, which it answers rightly.
fn with_controls(mut plan: CampaignPlan, seed: u64) -> CampaignPlan {
    let candidates = |_: &str| (0..4).map(|n| format!("http://wrong.example/{n}")).collect();
    let possible = PossibleControls { gold: "GT", candidates: &candidates, tasks: 3, seed };
    assert_eq!(possible.generate(&mut plan), 3);
    assert_eq!(ControlPool::of(&plan), ControlPool::default());
    plan
}

/// What the oracle says of every item, controls included.
fn oracle_answers(
    site: &Site,
    campaign: &CampaignRow,
    oracle: &Oracle,
    plan: &CampaignPlan,
) -> Answers {
    let items =
        site.workspace.wait(site.workspace.store().campaign_items(campaign.id)).expect("items");
    let keys: BTreeMap<usize, VerifyAction> =
        plan.keys.iter().map(|key| (key.item, key.actions[0])).collect();
    let answer = |(at, row): (usize, &karat_store::ItemRow)| match keys.get(&at) {
        Some(action) => (row.id, (*action, None)),
        None => (row.id, oracle.answer(plan, &plan.items[at])),
    };
    items.iter().enumerate().map(answer).collect()
}

fn report(site: &Site, name: &str, preset: &str) -> VerifyReportAnswer {
    let path = format!("/api/v1/campaigns/{name}/results?preset={preset}&trials=50");
    let answer = site.get(&path);
    assert_eq!(answer.status, 200, "{}", answer.body);
    serde_json::from_value(read(&answer)).expect("an answer")
}

#[test]
fn every_number_of_the_oracle_run_over_http() {
    let (Some(oracle), Some(golden)) = (Oracle::read(), reference()) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let site = Site::start(&StoreAddress::File(folder.path().join("karat.db")), true);
    // A small crowd would starve on the last texts if nobody got two tasks of one text.
    let design = CampaignDesign { layers_apart: false, ..CampaignDesign::ding_2022() };
    let plan = oracle.plan(&design);
    check_plan(&oracle, &design, &plan, &golden);
    let plan = with_controls(plan, design.seed);
    let settings =
        CampaignSettings { design, gold: Some("GT".into()), ..CampaignSettings::default() };
    let (campaign, secret) = opened(&site, "ding", plan.clone(), settings);
    let answers = oracle_answers(&site, &campaign, &oracle, &plan);
    let mut assignments = 0;
    let mut tasks = 0;
    loop {
        let done = judge(&site, "ding", &secret, &answers);
        assignments += 1;
        tasks += done - 1;
        if done < 20 {
            break;
        }
    }
    assert_eq!(Some(assignments), golden["hits_of_19_plus_control"].as_u64());
    assert_eq!(tasks, plan.tasks.len() - 3, "each task once, and one control in each assignment");
    check_results(&golden, |preset| report(&site, "ding", preset));

    let progress = read(&site.get("/api/v1/campaigns/ding/progress"));
    assert_eq!(progress["slots"]["open"], 0);
    for state in ["closing", "adjudicating", "closed"] {
        let body = json!({ "to": state, "accept_rest": true }).to_string();
        let row = read(&site.json("POST", "/api/v1/campaigns/ding/state", "", &body));
        assert_eq!(row["state"], state);
        assert_eq!(row["result_digest"].is_string(), state == "closed");
    }
    site.end();
}

#[test]
fn pooling_over_http_asks_once() {
    let (Some(oracle), Some(golden)) = (Oracle::read(), reference()) else { return };
    let site = Site::start(&StoreAddress::Memory, true);
    let redundancy = Redundancy::Fixed { judgements: 1 };
    let design = CampaignDesign { redundancy, layers_apart: false, ..CampaignDesign::default() };
    let plan = with_controls(oracle.plan(&design), design.seed);
    let mut sources: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for one in &plan.proposals {
        sources.entry(one.item).or_default().insert(&one.source);
    }
    let shared: BTreeSet<usize> =
        sources.iter().filter(|(_, of)| of.len() == 3).map(|(item, _)| *item).collect();
    assert_eq!(Some(shared.len() as u64), golden["shared_annotations_all_models"].as_u64());
    let settings =
        CampaignSettings { design, gold: Some("GT".into()), ..CampaignSettings::default() };
    let (campaign, secret) = opened(&site, "pooled", plan.clone(), settings);
    let answers = oracle_answers(&site, &campaign, &oracle, &plan);
    while judge(&site, "pooled", &secret, &answers) == 10 {}
    let judged =
        site.workspace.wait(site.workspace.store().judged_items(campaign.id)).expect("judged");
    for item in &shared {
        assert_eq!(judged.iter().filter(|one| one.item == *item).count(), 1, "judged once");
    }
    // Every proposal of the three sources has an outcome.
    let found = report(&site, "pooled", "karat").results;
    let expected = oracle.plan(&CampaignDesign::ding_2022());
    for name in SOURCES {
        let proposed = expected.proposals.iter().filter(|one| one.source == name).count();
        let of = source(&found, name);
        let counted = of.outcomes.iter().sum::<f64>() + of.open;
        assert!((counted - proposed as f64).abs() < 1e-6, "{name}: {counted} of {proposed}");
    }
    site.end();
}

#[test]
fn tokens_are_for_their_assignment_and_previews_store_nothing() {
    let site = Site::start(&StoreAddress::Memory, false);
    let store = site.workspace.store();
    let demo = site.workspace.wait(make_demo(store, &By::local(), 1)).expect("the demonstration");
    assert_eq!(demo.campaign.state, CampaignState::Open);
    assert!(demo.judgements > 100, "{}", demo.judgements);
    let enter = |platform: &str, parameters: Value| {
        let body = json!({ "platform": platform, "parameters": parameters }).to_string();
        site.json("POST", "/api/v1/campaigns/demo/enter", "", &body)
    };
    assert_eq!(enter("prolific", json!({})).status, 409, "it was not named");
    assert_eq!(enter("link", json!({ "key": "guessed" })).status, 404);
    let mut settings = demo.campaign.settings.clone();
    let prolific = karat::campaigns::PlatformSettings {
        options: [("hook-secret".to_owned(), "s".to_owned())].into(),
        codes: [("finished".to_owned(), "C0DE".to_owned())].into(),
    };
    settings.platforms.insert("prolific".into(), prolific);
    settings.platforms.insert("mturk".into(), karat::campaigns::PlatformSettings::default());
    let version = format!("\"{}\"", demo.campaign.version);
    let body = json!({ "settings": settings }).to_string();
    let changed = site.json("PATCH", "/api/v1/campaigns/demo", &version, &body);
    assert_eq!(changed.status, 200, "{}", changed.body);

    let before =
        site.workspace.wait(store.campaign_workers(demo.campaign.id)).expect("people").len();
    let preview = read(&enter("mturk", json!({ "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE" })));
    assert_eq!((&preview["preview"], preview.get("token")), (&json!(true), None));
    let after =
        site.workspace.wait(store.campaign_workers(demo.campaign.id)).expect("people").len();
    assert_eq!(after, before, "a preview stores nothing");

    let came =
        |session: &str| json!({ "PROLIFIC_PID": "p1", "STUDY_ID": "s1", "SESSION_ID": session });
    let one = read(&enter("prolific", came("one")));
    let again = read(&enter("prolific", came("one")));
    assert_eq!(one["assignment"]["id"], again["assignment"]["id"], "the same for the same ids");
    let two = read(&enter("prolific", came("two")));
    let token = |entered: &Value| entered["token"].as_str().expect("a token").to_owned();
    let path = |entered: &Value| format!("/api/v1/assignments/{}", entered["assignment"]["id"]);
    let ask = |path: &str, token: &str| site.with_token("GET", path, token, "").status;
    assert_eq!(ask(&path(&one), &token(&one)), 200);
    assert_eq!(ask(&path(&two), &token(&one)), 403);
    assert_eq!(ask(&path(&one), "kw_1_2_3"), 401);
    assert_eq!(ask(&path(&one), ""), 401);
    let forged = token(&one).replace("kw_", "kw_1");
    assert_eq!(ask(&path(&one), &forged), 401);
    // Organising needs more than judging: with accounts a worker's token is none.
    assert_eq!(site.json("POST", "/api/v1/hooks/prolific/demo", "", "{}").status, 401);
    site.end();
}

/// Whoever Prolific says has left holds nothing any more, at once; nobody else can say so, and it is done once.
#[test]
fn a_signed_notice_frees_what_somebody_held() {
    use hmac::{Hmac, KeyInit, Mac};
    let site = Site::start(&StoreAddress::Memory, false);
    let store = site.workspace.store();
    let demo = site.workspace.wait(make_demo(store, &By::local(), 1)).expect("the demonstration");
    let mut settings = demo.campaign.settings.clone();
    let options = [("hook-secret".to_owned(), "s3cret".to_owned())].into();
    let prolific = karat::campaigns::PlatformSettings { options, codes: BTreeMap::new() };
    settings.platforms.insert("prolific".into(), prolific);
    let version = format!("\"{}\"", demo.campaign.version);
    let body = json!({ "settings": settings }).to_string();
    assert_eq!(site.json("PATCH", "/api/v1/campaigns/demo", &version, &body).status, 200);

    let parameters = json!({ "PROLIFIC_PID": "p1", "STUDY_ID": "s1", "SESSION_ID": "session-1" });
    let body = json!({ "platform": "prolific", "parameters": parameters }).to_string();
    let entered = read(&site.json("POST", "/api/v1/campaigns/demo/enter", "", &body));
    let token = entered["token"].as_str().expect("a token").to_owned();
    let assignment = format!("/api/v1/assignments/{}", entered["assignment"]["id"]);
    let ask = |path: &str, body: &str| site.with_token("POST", path, &token, body);
    read(&ask(&format!("{assignment}/consent"), "{\"agreed\":true}"));
    read(&ask(&format!("{assignment}/lease"), ""));
    let leased = || {
        let progress = site.workspace.wait(store.campaign_progress(demo.campaign.id));
        progress.expect("progress").live_leases
    };
    assert_eq!(leased(), 1);

    let notice = |secret: &str, body: &str| {
        let time = (store.now() / 1000).to_string();
        let mut mac = Hmac::<sha2::Sha256>::new_from_slice(secret.as_bytes()).expect("a key");
        mac.update(time.as_bytes());
        mac.update(body.as_bytes());
        let engine = base64::engine::general_purpose::STANDARD;
        let signature = base64::Engine::encode(&engine, mac.finalize().into_bytes());
        let headers = [
            format!("X-Prolific-Request-Timestamp: {time}"),
            format!("X-Prolific-Request-Signature: {signature}"),
        ];
        site.with_headers("/api/v1/hooks/prolific/demo", &headers, body).status
    };
    let left = r#"{"event_id":"e1","resource_id":"session-1","status":"RETURNED"}"#;
    assert_eq!(notice("guessed", left), 401);
    assert_eq!(leased(), 1, "what is not signed changes nothing");
    let approved = r#"{"event_id":"e0","resource_id":"session-1","status":"APPROVED"}"#;
    assert_eq!(notice("s3cret", approved), 204);
    let of_another = r#"{"event_id":"e2","resource_id":"session-2","status":"RETURNED"}"#;
    assert_eq!(notice("s3cret", of_another), 204);
    assert_eq!(leased(), 1);
    assert_eq!(notice("s3cret", left), 204);
    assert_eq!(leased(), 0, "the task is free at once");
    assert_eq!(notice("s3cret", left), 204, "told twice, done once");
    let answer = ask(&format!("{assignment}/lease"), "");
    assert_ne!(answer.status, 200, "who has left gets nothing: {}", answer.body);
    site.end();
}

/// A preview of Mechanical Turk leases nothing, however often it is looked at, and a worker is sent back to its two sites only.
#[test]
fn mechanical_turk_is_served_in_its_frame() {
    let site = Site::start(&StoreAddress::Memory, false);
    let store = site.workspace.store();
    let demo = site.workspace.wait(make_demo(store, &By::local(), 1)).expect("the demonstration");
    let mut settings = demo.campaign.settings.clone();
    settings.platforms.insert("mturk".into(), karat::campaigns::PlatformSettings::default());
    let version = format!("\"{}\"", demo.campaign.version);
    let body = json!({ "settings": settings }).to_string();
    assert_eq!(site.json("PATCH", "/api/v1/campaigns/demo", &version, &body).status, 200);
    let progress = || {
        let found = site.workspace.wait(store.campaign_progress(demo.campaign.id));
        let found = found.expect("progress");
        (found.live_leases, found.people)
    };
    let before = progress();
    let preview = "/judge/demo?platform=mturk&assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=h1";
    for _ in 0..3 {
        assert_eq!(site.get(preview).status, 200);
    }
    assert_eq!(progress(), before, "nobody came and nothing is leased");

    let come = |to: &str| {
        let parameters =
            json!({ "assignmentId": "a1", "hitId": "h1", "workerId": "w1", "turkSubmitTo": to });
        let body = json!({ "platform": "mturk", "parameters": parameters }).to_string();
        let entered = read(&site.json("POST", "/api/v1/campaigns/demo/enter", "", &body));
        let token = entered["token"].as_str().expect("a token").to_owned();
        (token, format!("/api/v1/assignments/{}", entered["assignment"]["id"]))
    };
    // Whoever made up the address is not sent there, whatever becomes of the assignment.
    let (token, assignment) = come("https://evil.example");
    let declined = read(&site.with_token(
        "POST",
        &format!("{assignment}/consent"),
        &token,
        "{\"agreed\":false}",
    ));
    let leaving = declined["leaving"].to_string();
    assert!(!leaving.contains("evil"), "{leaving}");
    assert_eq!(progress().0, before.0);
    site.end();
}

#[test]
fn a_campaign_on_postgresql() {
    let Some(server) = postgres::Server::start() else {
        println!("skipped: no PostgreSQL (its programs initdb and postgres)");
        return;
    };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let address = StoreAddress::Server(server.url("postgres"));
        let store = karat_store::Store::open(&address).await.expect("the store opens");
        let store = store.with_key(StoreKey::new().expect("a key"));
        let demo = make_demo(&store, &By::local(), 7).await.expect("the demonstration");
        let progress = store.campaign_progress(demo.campaign.id).await.expect("progress");
        assert_eq!(progress.slots.open * 3, progress.slots.done, "one judgement of four is left");
        let event = CampaignEvent::Close { all_done: false, said: true };
        store.step_campaign(&By::local(), demo.campaign.id, event, None).await.expect("closing");
        store.close().await;
    });
}
