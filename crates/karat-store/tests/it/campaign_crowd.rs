//! Fifty people at once, and a process that is killed: nothing that was acknowledged is lost, and every item is judged exactly
//! as often as it should be.
//!
//! `KARAT_CROWD_TASKS` says how many tasks there are; the whole of the test is 1,200.

use crate::campaigns::{answers, enter, open, plan, settings};
use crate::databases::{START, block_on, server_key};
use crate::postgres::Server;
use karat_stats::Random;
use karat_store::*;
use karat_verify::VerifyAction;
use karat_verify::simulation::SimulatedPeople;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const ADDRESS: &str = "KARAT_STORE_CROWD";
const EPOCH: &str = "KARAT_STORE_CROWD_EPOCH";
const JUDGEMENTS: usize = 3;
const PEOPLE: u64 = 50;
/// The clock of the campaign runs so many times faster: a lease of a minute lasts a second.
const FASTER: i64 = 60;

fn real_now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64
}

async fn store_at(address: &str) -> Store {
    let address: StoreAddress = match address.starts_with("postgres") {
        true => StoreAddress::Server(address.to_owned()),
        false => StoreAddress::File(address.into()),
    };
    Store::open(&address).await.unwrap().with_key(server_key())
}

/// For each right answer, the chances of verify, modify and remove of one of the fifty.
fn rows(person: u64) -> [[f64; 3]; 3] {
    match person {
        0..30 => SimulatedPeople::good(1).rows,
        30..45 => SimulatedPeople::sloppy(1).rows,
        45..49 => [[1.0, 0.0, 0.0]; 3],
        _ => [[1.0 / 3.0; 3]; 3],
    }
}

/// The process that is killed: fifty people judge until everything is judged. Without an address it has nothing to do.
#[test]
fn crowd() {
    let Ok(address) = std::env::var(ADDRESS) else { return };
    let epoch: i64 = std::env::var(EPOCH).unwrap().parse().unwrap();
    block_on(async {
        let time = Arc::new(AtomicI64::new(START));
        let clock = time.clone();
        std::thread::spawn(move || {
            loop {
                clock.store(START + (real_now() - epoch) * FASTER, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let store = store_at(&address).await.with_clock(Clock::Set(time));
        let campaign = store.campaign("crowd").await.unwrap();
        let done = Arc::new(AtomicBool::new(false));
        let people: Vec<_> = (0..PEOPLE)
            .map(|person| {
                let (store, campaign, done) = (store.clone(), campaign.clone(), done.clone());
                tokio::spawn(async move { works(store, campaign, person, done).await })
            })
            .collect();
        while !store.campaign_progress(campaign.id).await.unwrap().slots.all_done() {
            store.expire_leases(campaign.id).await.unwrap();
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        done.store(true, Ordering::SeqCst);
        for person in people {
            person.await.unwrap();
        }
        store.close().await;
        println!("\nfinished");
    });
}

async fn works(store: Store, campaign: CampaignRow, person: u64, done: Arc<AtomicBool>) {
    let came = enter(&store, &campaign, &format!("p{person}")).await;
    let mut random = Random::new(real_now() as u64, person);
    while !done.load(Ordering::SeqCst) {
        let LeaseAnswer::Task(task) =
            store.lease_task(came.assignment.id, None, false).await.unwrap()
        else {
            tokio::time::sleep(Duration::from_millis(30)).await;
            continue;
        };
        match random.below(100) {
            // Vanishes; the lease ends by itself, and the person comes back.
            0..10 => {
                tokio::time::sleep(Duration::from_millis(1100)).await;
                continue;
            }
            // Late: somebody else may have the task.
            10..13 => tokio::time::sleep(Duration::from_millis(1300)).await,
            _ => {}
        }
        let row = rows(person)[task.items[0].id as usize % 3];
        let draw = random.below(1_000_000) as f64 / 1e6;
        let action = match draw {
            draw if draw < row[0] => VerifyAction::Verify,
            draw if draw < row[0] + row[1] => VerifyAction::Modify,
            _ => VerifyAction::Remove,
        };
        let sent = answers(&task, action);
        let twice = random.below(10) == 0;
        let taken = store.submit_answers(&task.token, 1, &sent).await.unwrap();
        println!("\nack {} {} {}", task.token, action.name(), taken.taken);
        if twice {
            assert_eq!(store.submit_answers(&task.token, 1, &sent).await.unwrap(), taken);
        }
    }
}

/// Runs the crowd, kills it five times, lets it end, and looks at what is there.
fn judged_by_a_crowd(address: &str) {
    let wanted = std::env::var("KARAT_CROWD_TASKS").ok().and_then(|text| text.parse().ok());
    let tasks = wanted.unwrap_or(60);
    block_on(async {
        let store = store_at(address).await;
        let clock = Clock::Set(Arc::new(AtomicI64::new(START)));
        open(
            &store.clone().with_clock(clock),
            "crowd",
            plan(tasks, 2),
            settings(JUDGEMENTS, 1 << 20),
        )
        .await;
        store.close().await;
    });
    let epoch = real_now().to_string();
    let mut acknowledged: BTreeMap<String, (String, bool)> = BTreeMap::new();
    let mut random = Random::new(epoch.parse().unwrap(), 0);
    for round in 0..6 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["campaign_crowd::crowd", "--exact", "--nocapture"])
            .env(ADDRESS, address)
            .env(EPOCH, &epoch)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        // A sixth of the work, more or less, before each kill.
        let until = match round {
            5 => usize::MAX,
            _ => 1 + random.below(tasks * JUDGEMENTS / 4),
        };
        let (mut heard, mut finished, mut killed) = (0, false, false);
        for line in lines {
            finished |= line == "finished";
            let words: Vec<&str> = line.split(' ').collect();
            if let ["ack", token, action, taken] = words[..]
                && ["true", "false"].contains(&taken)
            {
                acknowledged.insert(token.to_owned(), (action.to_owned(), taken == "true"));
                heard += 1;
            }
            if heard >= until && !killed {
                // What it said before it ended counts as well: the rest of the lines is read.
                child.kill().unwrap();
                killed = true;
            }
        }
        let ended = child.wait().unwrap();
        assert!(killed || ended.success(), "the crowd failed");
        if finished {
            break;
        }
    }
    block_on(async { look(&store_at(address).await, &acknowledged, tasks).await });
}

async fn look(store: &Store, acknowledged: &BTreeMap<String, (String, bool)>, tasks: usize) {
    let campaign = store.campaign("crowd").await.unwrap();
    let slots = store.campaign_slots(campaign.id).await.unwrap();
    assert!(slots.iter().all(|slot| slot.state == "done"), "no slot is stuck");
    assert_eq!(slots.len(), tasks * JUDGEMENTS);
    let judgements = store.campaign_judgements(campaign.id).await.unwrap();
    let mut counted: BTreeMap<i64, BTreeSet<i64>> = BTreeMap::new();
    for one in judgements.iter().filter(|one| one.counted) {
        assert!(counted.entry(one.item).or_default().insert(one.worker), "nobody counts twice");
    }
    assert_eq!(counted.len(), tasks * 2);
    assert!(counted.values().all(|by| by.len() == JUDGEMENTS), "every item exactly so often");
    assert!(acknowledged.len() > tasks * JUDGEMENTS / 2, "{}", acknowledged.len());
    for (token, (action, taken)) in acknowledged {
        let (revision, kept) = store.last_submission(token).await.unwrap().unwrap();
        assert_eq!(revision, 1);
        assert!(kept.answers.iter().all(|one| one.action.name() == *action));
        let (worker, _) = store.lease_holder(token).await.unwrap();
        let item = kept.answers[0].item;
        let own = judgements.iter().filter(|one| one.item == item && one.worker == worker.id);
        // Somebody may have had the task twice, after their own lease ended; then one of the two counts.
        assert!(!taken || own.clone().any(|one| one.counted), "what was taken counts");
    }
    store.close().await;
}

#[test]
fn a_crowd_and_five_kills() {
    let folder = tempfile::tempdir().unwrap();
    judged_by_a_crowd(&folder.path().join("karat.db").display().to_string());
}

#[test]
fn a_crowd_and_five_kills_on_postgresql() {
    let Some(server) = Server::start() else {
        println!("skipped: no PostgreSQL (its programs initdb and postgres)");
        return;
    };
    judged_by_a_crowd(&server.url("postgres"));
}
