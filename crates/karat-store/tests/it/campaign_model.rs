//! Leases against a model in memory: random sequences of what people and organisers do, compared after each step.
//!
//! `KARAT_SEQUENCES` says how many sequences are tried in memory; PostgreSQL gets a tenth of them. The whole of the test is
//! 2,000 of 200 steps.

use crate::campaigns::{answers, enter, open, plan, settings};
use crate::databases::{Fixture, START, block_on};
use crate::postgres::Server;
use karat_store::*;
use karat_verify::VerifyAction;
use karat_verify::life::*;
use karat_verify::plan::*;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

const PEOPLE: usize = 4;
const TEXTS: usize = 4;
const ITEMS: usize = 2;
/// A lease lasts a minute.
const LASTS: i64 = 60_000;

/// Something that happens.
#[derive(Clone, Copy, Debug)]
enum Happening {
    Lease { person: usize, ahead: bool },
    Heartbeat { token: usize },
    Submit { token: usize, how: How, action: VerifyAction },
    Pass { milliseconds: i64 },
    Ban { person: usize },
    Unban { person: usize },
    AddSlot { text: usize },
    Pause,
    Resume,
    Expire,
}

/// How something is submitted.
#[derive(Clone, Copy, Debug)]
enum How {
    /// The next revision.
    Next,
    /// One that leaves a revision out.
    Skipping,
    /// Revision 1 again, with these answers.
    First,
    /// Without the last item.
    Partly,
}

fn happening() -> impl Strategy<Value = Happening> {
    use Happening::*;
    let action = prop::sample::select(vec![
        VerifyAction::Verify,
        VerifyAction::Modify,
        VerifyAction::Remove,
        VerifyAction::Skip,
    ]);
    let how =
        prop::sample::select(vec![How::Next, How::Next, How::Skipping, How::First, How::Partly]);
    prop_oneof![
        8 => (0..PEOPLE, any::<bool>()).prop_map(|(person, ahead)| Lease { person, ahead }),
        2 => (0..64_usize).prop_map(|token| Heartbeat { token }),
        8 => (0..64_usize, how, action).prop_map(|(token, how, action)| Submit { token, how, action }),
        4 => prop::sample::select(vec![1, 20_000, 59_999, 60_000, 60_001, 200_000])
            .prop_map(|milliseconds| Pass { milliseconds }),
        1 => (0..PEOPLE).prop_map(|person| Ban { person }),
        1 => (0..PEOPLE).prop_map(|person| Unban { person }),
        1 => (0..TEXTS).prop_map(|text| AddSlot { text }),
        1 => Just(Pause),
        2 => Just(Resume),
        1 => Just(Expire),
    ]
}

/// A slot of the model: a number for who, and one for the token.
#[derive(Clone, Debug, PartialEq)]
enum State {
    Open(Option<usize>),
    Leased(usize, i64),
    Done(usize),
    Void(Option<usize>),
}

#[derive(Clone, Debug)]
struct ModelSlot {
    items: Vec<usize>,
    text: usize,
    /// Order among open ones: priority, shuffle, number.
    order: (u32, u64, usize),
    place: usize,
    state: State,
}

/// A lease that was given out.
#[derive(Clone, Debug)]
struct ModelToken {
    secret: String,
    slot: usize,
    person: usize,
    /// Which assignment of the person.
    assignment: usize,
    /// What was submitted: revision, action.
    sent: BTreeMap<u32, VerifyAction>,
    /// The items by their numbers in the store.
    task: LeasedTask,
}

#[derive(Default)]
struct ModelPerson {
    banned: bool,
    /// How many assignments ended.
    assignment: usize,
    /// Items that were shown, and in which slot first.
    exposed: BTreeMap<usize, usize>,
}

struct Model {
    slots: Vec<ModelSlot>,
    tokens: Vec<ModelToken>,
    people: Vec<ModelPerson>,
    paused: bool,
    apart: bool,
    /// Judgements that count: item and person, with slot, revision, action.
    counted: BTreeMap<(usize, usize), (usize, u32, VerifyAction)>,
    stored: usize,
}

impl Model {
    fn new(plan: &CampaignPlan, judgements: usize, apart: bool) -> Model {
        let mut slots = Vec::new();
        for task in &plan.tasks {
            for _ in 0..judgements {
                let at = slots.len();
                slots.push(ModelSlot {
                    items: task.items.clone(),
                    text: task.text,
                    order: (task.priority, task.shuffle, at),
                    place: at,
                    state: State::Open(None),
                });
            }
        }
        let people = (0..PEOPLE).map(|_| ModelPerson::default()).collect();
        Model {
            slots,
            tokens: Vec::new(),
            people,
            paused: false,
            apart,
            counted: BTreeMap::new(),
            stored: 0,
        }
    }

    fn expire(&mut self, now: i64) {
        for slot in &mut self.slots {
            if let State::Leased(token, expires) = slot.state
                && expires < now
            {
                slot.state = State::Open(Some(token));
            }
        }
    }

    /// The live lease that a person is given again.
    fn live(&self, person: usize, holding: Option<usize>, now: i64) -> Option<usize> {
        let assignment = self.people[person].assignment;
        (0..self.tokens.len()).find(|&at| {
            let token = &self.tokens[at];
            let is_live = matches!(self.slots[token.slot].state, State::Leased(held, expires)
                if held == at && expires >= now);
            token.person == person
                && token.assignment == assignment
                && Some(at) != holding
                && is_live
        })
    }

    /// The open slot that a person would get.
    fn pick(&self, person: usize) -> Option<usize> {
        let exposed = &self.people[person].exposed;
        let texts: BTreeSet<(usize, usize)> =
            exposed.values().map(|&slot| (self.slots[slot].text, slot)).collect();
        let fits = |&at: &usize| {
            let slot = &self.slots[at];
            matches!(slot.state, State::Open(_))
                && slot.items.iter().all(|item| exposed.get(item).is_none_or(|&from| from == at))
                && (!self.apart
                    || texts.iter().all(|&(text, from)| text != slot.text || from == at))
        };
        (0..self.slots.len()).filter(fits).min_by_key(|&at| self.slots[at].order)
    }

    fn uncount(&mut self, token: usize) {
        let (slot, person) = (self.tokens[token].slot, self.tokens[token].person);
        self.counted.retain(|(_, who), (from, _, _)| !(*from == slot && *who == person));
    }

    fn count(&mut self, token: usize) {
        let ModelToken { slot, person, sent, .. } = &self.tokens[token];
        let (&revision, &action) = sent.last_key_value().unwrap();
        for item in &self.slots[*slot].items {
            self.counted.insert((*item, *person), (*slot, revision, action));
        }
    }

    /// What is stored of a submission: whether it is taken, or the kind of refusal.
    fn submit(
        &mut self,
        at: usize,
        revision: u32,
        action: VerifyAction,
        whole: bool,
    ) -> Result<bool, &'static str> {
        let token = self.tokens[at].clone();
        match token.sent.get(&revision) {
            Some(known) if *known == action && whole => return Ok(true),
            Some(_) => return Err("other answers"),
            None => {}
        }
        if !whole {
            return Err("incomplete");
        }
        let slot = &self.slots[token.slot];
        let holds = matches!(slot.state, State::Open(Some(held)) | State::Leased(held, _) | State::Done(held)
            if held == at);
        let person = &self.people[token.person];
        let is_newest = token.sent.keys().all(|&known| known < revision);
        let was_ended = token.assignment < person.assignment;
        let taken = holds && is_newest && !person.banned && (!was_ended || token.sent.is_empty());
        self.tokens[at].sent.insert(revision, action);
        self.stored += slot.items.len();
        if taken {
            self.slots[token.slot].state = State::Done(at);
            self.uncount(at);
            self.count(at);
        }
        Ok(taken)
    }

    fn ban(&mut self, person: usize) {
        for at in 0..self.slots.len() {
            let of = |token: usize| self.tokens[token].person == person;
            match self.slots[at].state {
                State::Done(token) if of(token) => {
                    self.uncount(token);
                    self.slots[at].state = State::Void(Some(token));
                    let new = self.slots.len();
                    let ModelSlot { items, text, order, place, .. } = self.slots[at].clone();
                    let order = (order.0, order.1, new);
                    self.slots.push(ModelSlot {
                        items,
                        text,
                        order,
                        place,
                        state: State::Open(None),
                    });
                }
                State::Leased(token, _) | State::Open(Some(token)) if of(token) => {
                    self.slots[at].state = State::Open(None);
                }
                _ => {}
            }
        }
        self.people[person].banned = true;
        self.people[person].assignment += 1;
    }

    fn unban(&mut self, person: usize) {
        for at in 0..self.slots.len() {
            let State::Void(Some(token)) = self.slots[at].state else { continue };
            if self.tokens[token].person != person {
                continue;
            }
            let place = self.slots[at].place;
            let others: Vec<usize> = (0..self.slots.len())
                .filter(|&one| one != at && self.slots[one].place == place)
                .collect();
            if others.iter().any(|&one| matches!(self.slots[one].state, State::Done(_))) {
                continue;
            }
            for one in others {
                if !matches!(self.slots[one].state, State::Void(_)) {
                    self.slots[one].state = State::Void(None);
                }
            }
            self.slots[at].state = State::Done(token);
            self.count(token);
        }
        self.people[person].banned = false;
    }
}

/// A campaign in the store, and what the model says of it.
struct Run {
    store: Store,
    campaign: CampaignRow,
    time: Arc<AtomicI64>,
    people: Vec<CampaignPerson>,
    plan: CampaignPlan,
    model: Model,
}

impl Run {
    async fn new(store: Store, time: Arc<AtomicI64>, judgements: usize, apart: bool) -> Run {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("c{}", COUNT.fetch_add(1, Ordering::SeqCst));
        let plan = plan(TEXTS, ITEMS);
        let mut settings = settings(judgements, 10_000);
        settings.design.layers_apart = apart;
        let campaign = open(&store, &name, plan.clone(), settings).await;
        let mut people = Vec::new();
        for person in 0..PEOPLE {
            people.push(enter(&store, &campaign, &format!("p{person}")).await);
        }
        let model = Model::new(&plan, judgements, apart);
        Run { store, campaign, time, people, plan, model }
    }

    fn now(&self) -> i64 {
        self.time.load(Ordering::SeqCst)
    }

    async fn step(&mut self, happening: Happening) {
        match happening {
            Happening::Lease { person, ahead } => self.lease(person, ahead).await,
            Happening::Heartbeat { token } => self.heartbeat(token).await,
            Happening::Submit { token, how, action } => self.submit(token, how, action).await,
            Happening::Pass { milliseconds } => {
                self.time.fetch_add(milliseconds, Ordering::SeqCst);
            }
            Happening::Ban { person } => {
                let worker = self.people[person].worker.id;
                self.store.exclude_worker(&By::local(), worker, "test").await.unwrap();
                if !self.model.people[person].banned {
                    self.model.ban(person);
                }
            }
            Happening::Unban { person } => {
                let worker = self.people[person].worker.id;
                self.store.restore_worker(&By::local(), worker, "test").await.unwrap();
                if self.model.people[person].banned {
                    self.model.unban(person);
                    let name = format!("p{person}");
                    self.people[person] = enter(&self.store, &self.campaign, &name).await;
                }
            }
            Happening::AddSlot { text } => self.add_slot(text).await,
            Happening::Pause => {
                let event = CampaignEvent::Pause(PauseReason::Organiser("test".into()));
                let done =
                    self.store.step_campaign(&By::local(), self.campaign.id, event, None).await;
                assert_eq!(done.is_ok(), !self.model.paused);
                self.model.paused = true;
            }
            Happening::Resume => {
                let event = CampaignEvent::Resume { paused_in: CampaignState::Open };
                let done =
                    self.store.step_campaign(&By::local(), self.campaign.id, event, None).await;
                assert_eq!(done.is_ok(), self.model.paused);
                self.model.paused = false;
            }
            Happening::Expire => {
                self.store.expire_leases(self.campaign.id).await.unwrap();
                self.model.expire(self.now());
            }
        }
    }

    async fn lease(&mut self, person: usize, ahead: bool) {
        let now = self.now();
        let holding = self.model.live(person, None, now).filter(|_| ahead);
        let held = holding.map(|at| self.model.tokens[at].secret.clone());
        let assignment = self.people[person].assignment.id;
        let answer = self.store.lease_task(assignment, held.as_deref(), false).await.unwrap();
        let expected = if self.model.people[person].banned {
            Err(NoLease::NotWorking)
        } else if let Some(live) = self.model.live(person, holding, now) {
            Ok(Some(live))
        } else if self.model.paused {
            Err(NoLease::NotOpen)
        } else {
            self.model.expire(now);
            match self.model.pick(person) {
                Some(_) => Ok(None),
                None => Err(NoLease::NothingLeft),
            }
        };
        match (answer, expected) {
            (LeaseAnswer::Nothing(why), Err(expected)) => assert_eq!(why, expected),
            (LeaseAnswer::Task(task), Ok(Some(live))) => {
                assert_eq!(task.token, self.model.tokens[live].secret, "the same again");
            }
            (LeaseAnswer::Task(task), Ok(None)) => {
                let slot = self.model.pick(person).unwrap();
                let at = self.model.tokens.len();
                assert_eq!(task.items.len(), self.model.slots[slot].items.len());
                for item in self.model.slots[slot].items.clone() {
                    self.model.people[person].exposed.entry(item).or_insert(slot);
                }
                self.model.slots[slot].state = State::Leased(at, now + LASTS);
                self.model.tokens.push(ModelToken {
                    secret: task.token.clone(),
                    slot,
                    person,
                    assignment: self.model.people[person].assignment,
                    sent: BTreeMap::new(),
                    task: *task,
                });
            }
            (found, expected) => panic!("{found:?} instead of {expected:?}"),
        }
    }

    async fn heartbeat(&mut self, token: usize) {
        if self.model.tokens.is_empty() {
            return;
        }
        let at = token % self.model.tokens.len();
        let slot = self.model.tokens[at].slot;
        let state = &self.model.slots[slot].state;
        let holds =
            matches!(state, State::Open(Some(held)) | State::Leased(held, _) if *held == at);
        let found = self.store.extend_lease(&self.model.tokens[at].secret, false).await;
        assert_eq!(found.is_ok(), holds, "{found:?}");
        if holds {
            self.model.slots[slot].state = State::Leased(at, self.now() + LASTS);
        }
    }

    async fn submit(&mut self, token: usize, how: How, action: VerifyAction) {
        if self.model.tokens.is_empty() {
            return;
        }
        let at = token % self.model.tokens.len();
        let known = &self.model.tokens[at];
        let last = known.sent.last_key_value().map_or(0, |(revision, _)| *revision);
        let revision = match how {
            How::Next | How::Partly => last + 1,
            How::Skipping => last + 2,
            How::First => 1,
        };
        let mut sent = answers(&known.task, action);
        let whole = !matches!(how, How::Partly);
        if !whole {
            sent.answers.pop();
        }
        let secret = known.secret.clone();
        let before = known.sent.contains_key(&revision);
        let found = self.store.submit_answers(&secret, revision, &sent).await;
        match (found, self.model.submit(at, revision, action, whole)) {
            (Ok(answered), Ok(taken)) => {
                assert_eq!(answered.revision, i64::from(revision));
                assert!(before || answered.taken == taken, "{answered:?}, expected {taken}");
            }
            (Err(StoreError::OtherAnswers { .. }), Err("other answers")) => {}
            (Err(StoreError::Step { why: Refused::Incomplete(1), .. }), Err("incomplete")) => {}
            (found, expected) => panic!("{found:?} instead of {expected:?}"),
        }
    }

    /// A follow-up for the first item of a text, if nothing is coming for it.
    async fn add_slot(&mut self, text: usize) {
        let item = text * ITEMS;
        let coming = self.model.slots.iter().any(|slot| {
            slot.items.contains(&item) && matches!(slot.state, State::Open(_) | State::Leased(..))
        });
        let task = CampaignTask {
            text,
            purpose: TaskPurpose::More,
            priority: 1,
            shuffle: 5,
            items: vec![item],
            source: None,
        };
        let made = self.store.add_follow_ups(self.campaign.id, &[task]).await.unwrap();
        assert_eq!(made, usize::from(!coming));
        if !coming {
            let at = self.model.slots.len();
            let (items, state) = (vec![item], State::Open(None));
            self.model.slots.push(ModelSlot { items, text, order: (1, 5, at), place: at, state });
        }
    }

    /// Compares everything, and checks what must always hold.
    async fn compare(&self) {
        let slots = self.store.campaign_slots(self.campaign.id).await.unwrap();
        assert_eq!(slots.len(), self.model.slots.len());
        let place_of: BTreeMap<i64, usize> =
            slots.iter().enumerate().map(|(at, slot)| (slot.id, at)).collect();
        let who: BTreeMap<i64, usize> =
            self.people.iter().enumerate().map(|(at, one)| (one.worker.id, at)).collect();
        let mut live = BTreeMap::new();
        for (found, expected) in slots.iter().zip(&self.model.slots) {
            let (name, token, expires) = match expected.state {
                State::Open(last) => ("open", last, None),
                State::Leased(token, expires) => ("leased", Some(token), Some(expires)),
                State::Done(token) => ("done", Some(token), None),
                State::Void(judged) => ("void", judged, None),
            };
            let person = token.map(|token| self.model.tokens[token].person);
            assert_eq!((&*found.state, found.expires), (name, expires));
            assert_eq!(found.worker.map(|id| who[&id]), person);
            assert_eq!(place_of[&found.place], expected.place);
            if name != "void" {
                assert!(live.insert(found.place, found.id).is_none(), "one slot for a place");
            }
        }
        let judgements = self.store.campaign_judgements(self.campaign.id).await.unwrap();
        assert_eq!(judgements.len(), self.model.stored, "no answer is lost");
        let mut counted = BTreeMap::new();
        for one in judgements.iter().filter(|one| one.counted) {
            let key = (one.n as usize, who[&one.worker]);
            let value = (place_of[&one.slot], one.revision as u32, one.action);
            assert!(counted.insert(key, value).is_none(), "nobody counts twice on an item");
        }
        assert_eq!(counted, self.model.counted);
        self.check_counts(&counted);
    }

    fn check_counts(&self, counted: &BTreeMap<(usize, usize), (usize, u32, VerifyAction)>) {
        for item in 0..self.plan.items.len() {
            let judged = counted.keys().filter(|(one, _)| *one == item).count();
            let places: BTreeSet<usize> = { self.model.slots.iter() }
                .filter(|slot| slot.items.contains(&item))
                .map(|slot| slot.place)
                .collect();
            assert!(judged <= places.len(), "at most k judgements of an item");
        }
        for (at, slot) in self.model.slots.iter().enumerate() {
            if let State::Done(token) = slot.state {
                let person = self.model.tokens[token].person;
                let whole = slot.items.iter().all(|item| {
                    counted.get(&(*item, person)).is_some_and(|(from, _, _)| *from == at)
                });
                assert!(whole, "a slot is done with all of its items");
            }
        }
    }
}

async fn sequence(store: Store, time: Arc<AtomicI64>, case: &(usize, bool, Vec<Happening>)) {
    let (judgements, apart, happenings) = case;
    let mut run = Run::new(store, time, *judgements, *apart).await;
    for &happening in happenings {
        run.step(happening).await;
        run.compare().await;
    }
}

fn sequences(usual: u32) -> u32 {
    std::env::var("KARAT_SEQUENCES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn cases() -> impl Strategy<Value = (usize, bool, Vec<Happening>)> {
    (1..4_usize, any::<bool>(), prop::collection::vec(happening(), 200))
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 400,
        ..Config::default()
    })
}

#[test]
fn leases_are_as_the_model_says() {
    let tried = runner(sequences(40)).run(&cases(), |case| {
        block_on(async {
            let time = Arc::new(AtomicI64::new(START));
            let store = Store::open(&StoreAddress::Memory).await.unwrap();
            sequence(store.with_clock(Clock::Set(time.clone())), time, &case).await;
        });
        Ok(())
    });
    tried.unwrap();
}

#[test]
fn leases_are_as_the_model_says_on_postgresql() {
    let Some(server) = Server::start() else {
        println!("skipped: no PostgreSQL (its programs initdb and postgres)");
        return;
    };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let fixture = runtime.block_on(Fixture::server(&server));
    let tried = runner((sequences(40) / 10).max(1)).run(&cases(), |case| {
        let time = Arc::new(AtomicI64::new(START));
        let store = fixture.store.clone().with_clock(Clock::Set(time.clone()));
        runtime.block_on(sequence(store, time, &case));
        Ok(())
    });
    tried.unwrap();
    runtime.block_on(fixture.store.close());
}
