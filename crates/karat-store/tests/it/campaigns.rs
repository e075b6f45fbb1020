//! Campaigns: what was planned comes back, people come once, answers are taken once.

use crate::databases::{DAY, Fixture};
use karat_store::*;
use karat_verify::life::*;
use karat_verify::plan::*;
use karat_verify::{CampaignSettings, LinkTarget, VerifyAction};

/// A campaign of texts with so many items each, one task for a text.
pub(crate) fn plan(texts: usize, items: usize) -> CampaignPlan {
    let mut plan = CampaignPlan::default();
    for text in 0..texts {
        let document = format!("d{text}");
        plan.texts.push(CampaignText {
            document,
            dataset: "set".into(),
            begin: 0,
            end: 100,
            words: format!("Text {text}. ").repeat(8),
        });
        let first = plan.items.len();
        for item in 0..items {
            let link =
                if item == 2 { LinkTarget::Nil } else { LinkTarget::Entity(format!("Q{item}")) };
            plan.proposals.push(Proposal {
                item: plan.items.len(),
                source: "system".into(),
                spelled: (item == 1).then(|| "q1".into()),
                confidence: (item == 0).then_some(0.25),
            });
            plan.items.push(VerifyItem {
                text,
                begin: 5 * item as u32,
                end: 5 * item as u32 + 3,
                link,
                kind: ItemKind::Real,
                stratum: "s".into(),
                probability: 1.0,
                weight: 1.0,
            });
        }
        plan.tasks.push(CampaignTask {
            text,
            purpose: TaskPurpose::Main,
            priority: 2,
            shuffle: u64::MAX - (text as u64 * 7919) % 13,
            items: (first..plan.items.len()).collect(),
            source: None,
        });
    }
    plan
}

/// The same with so many control tasks, each with one item of each kind.
fn with_controls(mut plan: CampaignPlan, tasks: usize) -> CampaignPlan {
    for task in 0..tasks {
        let text = plan.texts.len();
        plan.texts.push(CampaignText { document: format!("c{task}"), ..plan.texts[0].clone() });
        let first = plan.items.len();
        for (at, kind) in ControlKind::ALL.into_iter().enumerate() {
            plan.keys.push(ItemKey {
                item: plan.items.len(),
                actions: kind.actions().to_vec(),
                links: vec![LinkTarget::Entity("Q9".into())],
                explanation: "because".into(),
                origin: "expert".into(),
                confirmed: true,
            });
            let begin = 5 * at as u32;
            let (kind, end) = (ItemKind::Control, begin + 3);
            plan.items.push(VerifyItem { text, begin, end, kind, ..plan.items[0].clone() });
        }
        plan.tasks.push(CampaignTask {
            text,
            purpose: TaskPurpose::Control,
            priority: 2,
            shuffle: task as u64,
            items: (first..plan.items.len()).collect(),
            source: None,
        });
    }
    plan
}

pub(crate) fn settings(judgements: usize, tasks: usize) -> CampaignSettings {
    let design = CampaignDesign {
        redundancy: Redundancy::Fixed { judgements },
        assignment: AssignmentDesign { tasks, controls: 0, control_within: 1, repeat_every: 0 },
        layers_apart: false,
        ..CampaignDesign::default()
    };
    CampaignSettings {
        design,
        no_controls: true,
        lease_minutes: Some(1),
        ..CampaignSettings::default()
    }
}

/// Makes a campaign and opens it.
pub(crate) async fn open(
    store: &Store,
    name: &str,
    plan: CampaignPlan,
    settings: CampaignSettings,
) -> CampaignRow {
    let new = NewCampaign {
        name: name.into(),
        title: "A campaign".into(),
        settings,
        plan,
        guidelines: "Look closely.".into(),
        consent: "We keep your answers.".into(),
        ..NewCampaign::default()
    };
    let row = store.add_campaign(&By::local(), &new).await.unwrap();
    let begin = CampaignEvent::Calibrate {
        texts: 1,
        has_texts_for_people: true,
        controls: store.control_pool(row.id).await.unwrap(),
        no_controls: row.settings.no_controls,
    };
    store.step_campaign(&By::local(), row.id, begin, None).await.unwrap();
    let open = CampaignEvent::Open { people: 0, items: 0, skip: true };
    store.step_campaign(&By::local(), row.id, open, None).await.unwrap().0
}

/// Somebody comes and agrees.
pub(crate) async fn enter(store: &Store, campaign: &CampaignRow, name: &str) -> CampaignPerson {
    let external = ExternalId { worker: name.into(), ..ExternalId::default() };
    let arrival =
        CampaignArrival { platform: "link".into(), external, ..CampaignArrival::default() };
    let person = store.enter_campaign(campaign.id, &arrival).await.unwrap();
    if person.assignment.state == AssignmentState::Entered {
        let tasks = person.assignment.plan.tasks;
        let event = AssignmentEvent::Consent { practice: false, tasks };
        let (assignment, _) = store.step_assignment(person.assignment.id, event).await.unwrap();
        return CampaignPerson { assignment, ..person };
    }
    person
}

pub(crate) async fn lease(store: &Store, person: &CampaignPerson) -> Result<LeasedTask, NoLease> {
    match store.lease_task(person.assignment.id, None, false).await.unwrap() {
        LeaseAnswer::Task(task) => Ok(*task),
        LeaseAnswer::Nothing(why) => Err(why),
    }
}

pub(crate) fn answers(task: &LeasedTask, action: VerifyAction) -> TaskAnswers {
    let answers = task.items.iter().map(|item| ItemAnswer::new(item.id, action)).collect();
    TaskAnswers { answers, flags: Vec::new() }
}

pub(crate) async fn a_plan_comes_back(f: Fixture) {
    let plan = with_controls(plan(60, 4), 3);
    let row = open(&f.store, "spring", plan.clone(), settings(3, 10)).await;
    assert_eq!(f.store.campaign_plan(row.id).await.unwrap(), plan);
    assert_eq!(f.store.campaign("spring").await.unwrap(), row);
    assert_eq!((row.state, row.frozen.is_some()), (CampaignState::Open, true));
    let slots = f.store.campaign_slots(row.id).await.unwrap();
    assert_eq!(slots.len(), 60 * 3, "controls have no slots of their own");
    let twin = NewCampaign { name: "spring".into(), ..NewCampaign::default() };
    let error = f.store.add_campaign(&By::local(), &twin).await.unwrap_err();
    assert!(matches!(error, StoreError::Taken { .. }));

    let paid = CampaignSettings { budget: Some(9.0), ..row.settings.clone() };
    let change = |settings| CampaignChange { settings: Some(settings), title: None };
    let after =
        f.store.change_campaign(&By::local(), row.id, row.version, &change(paid)).await.unwrap();
    assert_eq!(after.settings.budget, Some(9.0));
    let stale = f
        .store
        .change_campaign(&By::local(), row.id, row.version, &CampaignChange::default())
        .await;
    assert!(matches!(stale.unwrap_err(), StoreError::Stale { .. }));
    let other = CampaignSettings { model: "majority".into(), ..after.settings.clone() };
    let frozen = f.store.change_campaign(&By::local(), row.id, after.version, &change(other)).await;
    assert!(matches!(frozen.unwrap_err(), StoreError::NotNow { .. }));
    let page = f
        .store
        .write_campaign_page(&By::local(), row.id, "guidelines", "Look twice.")
        .await
        .unwrap();
    assert_eq!((page.version, f.store.campaign_pages(row.id).await.unwrap().len()), (2, 3));
    assert!(matches!(f.store.check_audit().await.unwrap(), AuditCheck::Whole(_)));
}

pub(crate) async fn people_come_once_and_their_ids_are_sealed(f: Fixture) {
    let row = open(&f.store, "spring", plan(3, 2), settings(1, 3)).await;
    let external = ExternalId {
        worker: "5f3a-person".into(),
        assignment: Some("session-1".into()),
        study: Some("study-7".into()),
        ..ExternalId::default()
    };
    let arrival = CampaignArrival {
        platform: "prolific".into(),
        external: external.clone(),
        ..CampaignArrival::default()
    };
    let first = f.store.enter_campaign(row.id, &arrival).await.unwrap();
    assert_eq!(f.store.enter_campaign(row.id, &arrival).await.unwrap(), first);
    let second = CampaignArrival {
        external: ExternalId { assignment: Some("session-2".into()), ..external.clone() },
        ..arrival.clone()
    };
    let other = f.store.enter_campaign(row.id, &second).await.unwrap();
    assert_eq!((&other.worker, other.assignment.n), (&first.worker, first.assignment.n + 1));
    let stolen = CampaignArrival {
        external: ExternalId { worker: "somebody else".into(), ..external.clone() },
        ..arrival
    };
    assert!(f.store.enter_campaign(row.id, &stolen).await.is_err(), "a session has one person");
    assert_eq!(f.store.external_id(first.assignment.id).await.unwrap(), Some(external));
    let found = f.store.assignment_by_external(row.id, "prolific", "session-2").await.unwrap();
    assert_eq!(found.map(|one| one.id), Some(other.assignment.id));
    if let StoreAddress::File(path) = &f.address {
        for file in [path.clone(), path.with_extension("db-wal")] {
            let bytes = std::fs::read(file).unwrap();
            for secret in ["5f3a-person", "session-1", "study-7"] {
                assert!(
                    !bytes.windows(secret.len()).any(|part| part == secret.as_bytes()),
                    "{secret}"
                );
            }
        }
    }
    // Another program with the same key knows them; one with another key does not.
    assert_eq!(
        f.another().await.external_id(first.assignment.id).await.unwrap().unwrap().worker,
        "5f3a-person"
    );
    let stranger = f.store.clone().with_key(StoreKey::new().unwrap());
    assert!(stranger.external_id(first.assignment.id).await.is_err());

    let forgotten =
        f.store.forget_worker(&By::local(), first.worker.id, false, "she asks").await.unwrap();
    assert_ne!(forgotten.pseudonym, first.worker.pseudonym);
    assert_eq!(f.store.external_id(first.assignment.id).await.unwrap(), None);
}

pub(crate) async fn a_submission_is_taken_once(f: Fixture) {
    let row = open(&f.store, "spring", plan(2, 3), settings(2, 2)).await;
    let anna = enter(&f.store, &row, "anna").await;
    let task = lease(&f.store, &anna).await.unwrap();
    assert_eq!(lease(&f.store, &anna).await.unwrap(), task, "asking twice changes nothing");
    let LeaseAnswer::Task(ahead) =
        f.store.lease_task(anna.assignment.id, Some(&task.token), false).await.unwrap()
    else {
        panic!("one can be fetched ahead")
    };
    assert_ne!((ahead.task, &ahead.token), (task.task, &task.token));
    assert_eq!(lease(&f.store, &anna).await.unwrap(), task);

    let mut some = answers(&task, VerifyAction::Verify);
    some.answers.pop();
    let error = f.store.submit_answers(&task.token, 1, &some).await.unwrap_err();
    assert!(matches!(error, StoreError::Step { why: Refused::Incomplete(1), .. }), "{error}");
    let whole = answers(&task, VerifyAction::Verify);
    let done = f.store.submit_answers(&task.token, 1, &whole).await.unwrap();
    assert_eq!((done.taken, done.done, done.of), (true, 1, 2));
    f.pass(DAY);
    assert_eq!(
        f.store.submit_answers(&task.token, 1, &whole).await.unwrap(),
        done,
        "the same answer again"
    );
    let other = answers(&task, VerifyAction::Remove);
    let error = f.store.submit_answers(&task.token, 1, &other).await.unwrap_err();
    assert!(matches!(error, StoreError::OtherAnswers { .. }), "{error}");
    let changed = f.store.submit_answers(&task.token, 2, &other).await.unwrap();
    assert_eq!((changed.taken, changed.done), (true, 1));
    let all = f.store.campaign_judgements(row.id).await.unwrap();
    let counted: Vec<_> =
        all.iter().filter(|one| one.counted).map(|one| (one.revision, one.action)).collect();
    assert_eq!((all.len(), counted), (6, vec![(2, VerifyAction::Remove); 3]));
    assert_eq!(f.store.last_submission(&task.token).await.unwrap(), Some((2, other)));

    // The one that was fetched ahead ended long ago, and nobody else has it.
    let late = answers(&ahead, VerifyAction::Verify);
    let late = f.store.submit_answers(&ahead.token, 1, &late).await.unwrap();
    assert_eq!((late.taken, late.done), (true, 2));
    assert_eq!(lease(&f.store, &anna).await, Err(NoLease::AssignmentFull));
    let (ended, effects) =
        f.store.step_assignment(anna.assignment.id, AssignmentEvent::Finish).await.unwrap();
    assert!(
        ended.code.is_some() && effects.contains(&AssignmentEffect::ShowCode(Ending::Finished))
    );
    assert!(f.store.submit_answers("no such token", 1, &whole).await.is_err());
    let progress = f.store.campaign_progress(row.id).await.unwrap();
    assert_eq!((progress.slots.done, progress.slots.open, progress.paid), (2, 2, 1));
}

pub(crate) async fn a_task_that_went_to_somebody_else_is_surplus(f: Fixture) {
    let row = open(&f.store, "spring", plan(1, 2), settings(1, 1)).await;
    let (anna, ben) = (enter(&f.store, &row, "anna").await, enter(&f.store, &row, "ben").await);
    let hers = lease(&f.store, &anna).await.unwrap();
    assert_eq!(lease(&f.store, &ben).await, Err(NoLease::NothingLeft));
    f.pass(60_001);
    let his = lease(&f.store, &ben).await.unwrap();
    let late = f
        .store
        .submit_answers(&hers.token, 1, &answers(&hers, VerifyAction::Remove))
        .await
        .unwrap();
    assert_eq!((late.taken, late.done), (false, 1), "kept and paid for");
    assert!(f.store.extend_lease(&hers.token, false).await.is_err());
    f.store.extend_lease(&his.token, false).await.unwrap();
    let taken =
        f.store.submit_answers(&his.token, 1, &answers(&his, VerifyAction::Verify)).await.unwrap();
    assert!(taken.taken);

    // He is excluded: the task is free again, but not for her, who has seen it.
    let done = f.store.exclude_worker(&By::local(), ben.worker.id, "guesses").await.unwrap();
    assert_eq!((done.tasks, done.slots), (1, 1));
    let cleo = enter(&f.store, &row, "cleo").await;
    let third = lease(&f.store, &cleo).await.unwrap();
    let back = f.store.restore_worker(&By::local(), ben.worker.id, "a mistake").await.unwrap();
    assert_eq!((back.tasks, back.slots), (1, 1), "nobody judged in his place yet");
    let surplus = f
        .store
        .submit_answers(&third.token, 1, &answers(&third, VerifyAction::Modify))
        .await
        .unwrap();
    assert!(!surplus.taken);
    let counted: Vec<_> =
        f.store.judged_items(row.id).await.unwrap().iter().map(|one| one.action).collect();
    assert_eq!(counted, [VerifyAction::Verify; 2]);
}

pub(crate) async fn controls_come_at_their_places_and_never_twice(f: Fixture) {
    let mut settings = settings(1, 5);
    settings.design.assignment =
        AssignmentDesign { tasks: 5, controls: 2, control_within: 2, repeat_every: 0 };
    settings.no_controls = false;
    let row = open(&f.store, "spring", with_controls(plan(20, 2), 3), settings).await;
    let anna = enter(&f.store, &row, "anna").await;
    let mut seen = std::collections::BTreeSet::new();
    let mut purposes = Vec::new();
    for _ in 0..5 {
        let task = lease(&f.store, &anna).await.unwrap();
        assert!(seen.insert(task.task), "nobody gets a task twice");
        purposes.push(task.purpose.clone());
        f.store
            .submit_answers(&task.token, 1, &answers(&task, VerifyAction::Verify))
            .await
            .unwrap();
    }
    let places: Vec<usize> = (0..5).filter(|&at| purposes[at] == "control").collect();
    assert_eq!(places, anna.assignment.plan.controls);
    f.store.step_assignment(anna.assignment.id, AssignmentEvent::Finish).await.unwrap();
    assert_eq!(
        f.store.passed_assignments(row.id, 50).await.unwrap(),
        [false],
        "who always verifies fails"
    );

    // A control that was taken out is no longer given.
    let keys = f.store.campaign_keys(row.id).await.unwrap();
    let all: Vec<i64> = keys.iter().map(|key| key.item).collect();
    f.store.set_key_states(&By::local(), row.id, &all, KeyState::Withdrawn).await.unwrap();
    let ben = enter(&f.store, &row, "ben").await;
    for _ in 0..5 {
        let task = lease(&f.store, &ben).await.unwrap();
        assert_eq!(task.purpose, "main");
        f.store.submit_answers(&task.token, 1, &answers(&task, VerifyAction::Skip)).await.unwrap();
    }
    // What he could not tell is asked again, of somebody else.
    let plan = f.store.campaign_plan(row.id).await.unwrap();
    let progress = f.store.item_progress(row.id).await.unwrap();
    let judged = f.store.judged_items(row.id).await.unwrap();
    let outcomes = karat_verify::outcome::outcomes(
        &plan,
        &judged,
        &[],
        karat_verify::outcome::OutcomeRule::Consensus,
        "majority",
    );
    let more = plan.follow_ups(&progress, &outcomes, row.settings.design.redundancy, 1);
    assert_eq!(f.store.add_follow_ups(row.id, &more).await.unwrap(), 5);
    assert_eq!(
        f.store.add_follow_ups(row.id, &more).await.unwrap(),
        0,
        "two who do it at once do it once"
    );
    assert_eq!(lease(&f.store, &ben).await, Err(NoLease::AssignmentFull));
}

pub(crate) async fn decisions_have_a_history_and_rules_leave_people_alone(f: Fixture) {
    let row = open(&f.store, "spring", plan(1, 3), settings(1, 1)).await;
    let items: Vec<i64> =
        f.store.campaign_items(row.id).await.unwrap().iter().map(|item| item.id).collect();
    let new = |item, action| NewDecision {
        item,
        action,
        link: None,
        reason: "other".into(),
        note: String::new(),
    };
    let by = By::local();
    let person = [new(items[0], Some(VerifyAction::Remove))];
    assert_eq!(f.store.decide(&by, row.id, "ann", &person).await.unwrap(), 1);
    let rule: Vec<_> = items.iter().map(|&item| new(item, Some(VerifyAction::Verify))).collect();
    assert_eq!(f.store.decide(&by, row.id, "rule:majority", &rule).await.unwrap(), 2);
    let holding = f.store.decisions(row.id).await.unwrap();
    let actions: Vec<_> = holding.iter().map(|one| one.action.unwrap()).collect();
    assert_eq!(actions, [VerifyAction::Remove, VerifyAction::Verify, VerifyAction::Verify]);
    f.store.decide(&by, row.id, "ann", &[new(items[0], None)]).await.unwrap();
    assert_eq!(f.store.decisions(row.id).await.unwrap().len(), 2);
    let history = f.store.decision_history(items[0]).await.unwrap();
    assert_eq!((history.len(), history[1].supersedes), (2, Some(history[0].id)));
    assert!(f.store.decide(&by, row.id, "ann", &[new(1 << 40, None)]).await.is_err());
}

pub(crate) async fn invitations_are_taken_and_end(f: Fixture) {
    let row = open(&f.store, "spring", plan(1, 1), settings(1, 1)).await;
    let new = NewCampaignLink { note: "Ann".into(), single: true, lasts: DAY };
    for bad in [
        NewCampaignLink { lasts: 367 * DAY, ..new.clone() },
        NewCampaignLink { lasts: 0, ..new.clone() },
        NewCampaignLink { note: "a".repeat(201), ..new.clone() },
    ] {
        assert!(f.store.add_campaign_link(&By::local(), row.id, &bad).await.is_err());
    }
    let (link, secret) = f.store.add_campaign_link(&By::local(), row.id, &new).await.unwrap();
    let first = f.store.take_campaign_link(&secret, None).await.unwrap();
    assert_eq!(f.store.take_campaign_link(&secret, Some("other")).await.unwrap().1, first.1);
    let new = NewCampaignLink { single: false, ..new };
    let (open, many) = f.store.add_campaign_link(&By::local(), row.id, &new).await.unwrap();
    let one = f.store.take_campaign_link(&many, None).await.unwrap().1;
    let two = f.store.take_campaign_link(&many, None).await.unwrap().1;
    assert_ne!(one, two);
    assert_eq!(f.store.take_campaign_link(&many, Some(&one)).await.unwrap().1, one);
    f.store.end_campaign_link(&By::local(), row.id, open.id).await.unwrap();
    assert!(f.store.take_campaign_link(&many, Some(&one)).await.is_err());
    f.pass(DAY + 1);
    assert!(f.store.take_campaign_link(&secret, None).await.is_err());
    assert_eq!(f.store.campaign_links(row.id).await.unwrap()[0].id, link.id);
    assert!(f.store.is_new_hook_event("prolific", "e1").await.unwrap());
    assert!(!f.store.is_new_hook_event("prolific", "e1").await.unwrap());
}

pub(crate) async fn what_waits_is_committed_together(f: Fixture) {
    let row = open(&f.store, "spring", plan(40, 1), settings(1, 1)).await;
    let mut people = Vec::new();
    for n in 0..40 {
        people.push(enter(&f.store, &row, &format!("p{n}")).await);
    }
    let mut running = Vec::new();
    for (n, person) in people.into_iter().enumerate() {
        let store = f.store.clone();
        running.push(tokio::spawn(async move {
            let task = lease(&store, &person).await.unwrap();
            let mut sent = answers(&task, VerifyAction::Verify);
            if n % 4 == 0 {
                // What is refused takes nothing else with it.
                sent.answers.clear();
            }
            store.submit_answers(&task.token, 1, &sent).await.is_ok()
        }));
    }
    let mut taken = 0;
    for one in running {
        taken += i64::from(one.await.unwrap());
    }
    let progress = f.store.campaign_progress(row.id).await.unwrap();
    assert_eq!((taken, progress.slots.done, progress.slots.leased), (30, 30, 10));
}

/// A campaign that was taken to another name is the same file, but for what must not travel.
pub(crate) async fn a_campaign_is_taken_elsewhere(f: Fixture) {
    let store = &f.store;
    let mut settings = settings(2, 4);
    settings.platforms.insert(
        "prolific".into(),
        karat_verify::PlatformSettings {
            options: [("hook-secret".to_owned(), "s3cret".to_owned())].into(),
            ..karat_verify::PlatformSettings::default()
        },
    );
    let name = "taken".to_owned();
    let campaign = open(store, &name, with_controls(plan(3, 3), 1), settings).await;
    let person = enter(store, &campaign, "5f1c-the-id").await;
    let task = lease(store, &person).await.unwrap();
    let mut sent = answers(&task, VerifyAction::Modify);
    sent.answers[0].link = Some(LinkTarget::Entity("Q7".into()));
    sent.answers[0].comment = "I live there".into();
    store.submit_answers(&task.token, 1, &sent).await.unwrap();
    sent.answers[0].action = VerifyAction::Remove;
    sent.answers[0].link = None;
    store.submit_answers(&task.token, 2, &sent).await.unwrap();
    let held = lease(store, &person).await.unwrap();
    let decision = NewDecision {
        item: task.items[0].id,
        action: Some(VerifyAction::Verify),
        link: None,
        reason: "worker-error".into(),
        note: "she is wrong".into(),
    };
    store.decide(&By::local(), campaign.id, "local", &[decision]).await.unwrap();

    let file = store.campaign_archive(campaign.id, true).await.unwrap();
    for secret in ["5f1c-the-id", "s3cret", &task.token, &held.token] {
        assert!(!file.contains(secret), "{secret} travels");
    }
    assert!(file.contains("I live there") && file.contains("she is wrong"));
    let other = "elsewhere".to_owned();
    let taken = store.import_campaign(&By::local(), &file, Some(&other)).await.unwrap();
    assert_eq!((taken.state, &taken.name), (CampaignState::Open, &other));
    assert_ne!(taken.id, campaign.id);
    let again = store.campaign_archive(taken.id, true).await.unwrap();
    assert_eq!(again, file.replacen(&name, &other, 1));
    let plain = store.campaign_archive(campaign.id, false).await.unwrap();
    assert!(!plain.contains("I live there") && !plain.contains("she is wrong"));

    // What was judged and planned is the same; what was held is open.
    assert_eq!(
        store.campaign_plan(taken.id).await.unwrap(),
        store.campaign_plan(campaign.id).await.unwrap()
    );
    let said = |rows: Vec<StoredJudgement>| -> Vec<_> {
        rows.iter().map(|row| (row.n, row.pseudonym.clone(), row.action, row.counted)).collect()
    };
    assert_eq!(
        said(store.campaign_judgements(taken.id).await.unwrap()),
        said(store.campaign_judgements(campaign.id).await.unwrap())
    );
    let progress = store.campaign_progress(taken.id).await.unwrap();
    assert_eq!((progress.slots.leased, progress.slots.done), (0, 1));
    assert_eq!(store.decisions(taken.id).await.unwrap().len(), 1);
    // Somebody else goes on with it.
    let next = enter(store, &taken, "somebody").await;
    let task = lease(store, &next).await.unwrap();
    let done = answers(&task, VerifyAction::Verify);
    assert!(store.submit_answers(&task.token, 1, &done).await.unwrap().taken);

    let taken_name = store.import_campaign(&By::local(), &file, None).await;
    assert!(matches!(taken_name, Err(StoreError::Taken { .. })), "{taken_name:?}");
    let count = store.campaigns().await.unwrap().len();
    let other = "broken".to_owned();
    for (from, to, why) in [
        ("\"table\":\"campaign\"", "\"table\":\"tokens\"", "no table `tokens`"),
        ("\"karat-campaign\":1", "\"karat-campaign\":2", "is not 1"),
        ("\"state\":\"open\"", "\"state\":\"opened\"", "line 1: `state`"),
        ("\"action\":\"modify\"", "\"action\":\"nod\"", "`action`"),
        ("\"kind\":\"real\"", "\"kind\":3", "`kind`"),
        ("\"table\":\"item\",\"id\":", "\"table\":\"item\",\"id\":9", "refers to nothing"),
    ] {
        let broken = file.replacen(from, to, 1);
        assert_ne!(broken, file, "{from}");
        let refused = store.import_campaign(&By::local(), &broken, Some(&other)).await;
        let message = refused.map_err(|error| error.to_string()).unwrap_err();
        assert!(message.contains(why), "{message}");
    }
    assert_eq!(store.campaigns().await.unwrap().len(), count, "nothing is left behind");
}
