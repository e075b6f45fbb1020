//! The pages of those who judge, in a real browser: with keys alone, without scripts, on a phone, without a network.

use crate::browser::{Reader, Screen, Walked, walk_through};
use karat::campaigns::life::CampaignEvent;
use karat::campaigns::plan::{
    AssignmentDesign, CampaignPlan, CampaignTask, CampaignText, ItemKey, ItemKind, Proposal,
    TaskPurpose, VerifyItem,
};
use karat::campaigns::{CampaignSettings, LinkTarget, PlatformSettings, VerifyAction};
use karat_store::{By, CampaignRow, NewCampaign, StoreAddress};
use karat_web::library::StoredLibrary;
use karat_web::workbench::Workbench;
use karat_web::workspace::Workspace;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use thirtyfour::{Key, TypingData};

const TEXT: &str =
    "The talks went on for a week. Paris refused to sign the draft treaty with London 🎈.";

fn text(document: &str) -> CampaignText {
    CampaignText {
        document: document.into(),
        dataset: "news".into(),
        begin: 100,
        end: 100 + TEXT.chars().count() as u32,
        words: TEXT.into(),
    }
}

fn item(text: usize, begin: u32, end: u32, link: &str, kind: ItemKind) -> VerifyItem {
    VerifyItem {
        text,
        begin: 100 + begin,
        end: 100 + end,
        link: LinkTarget::from(link.to_owned()),
        kind,
        stratum: String::new(),
        probability: 1.0,
        weight: 1.0,
    }
}

/// Texts with two items each, `Paris` and `London`; with practice, one more text of two items with explanations.
fn plan(tasks: usize, practice: bool) -> CampaignPlan {
    let mut plan = CampaignPlan::default();
    for at in 0..tasks {
        plan.texts.push(text(&format!("d{at}")));
        let first = plan.items.len();
        for (begin, end, link) in [(30, 35, "Q90"), (74, 80, "Q84")] {
            let source = if begin == 30 { "gold" } else { "system" };
            plan.proposals.push(Proposal {
                item: plan.items.len(),
                source: source.into(),
                spelled: None,
                confidence: None,
            });
            plan.items.push(item(at, begin, end, link, ItemKind::Real));
        }
        plan.tasks.push(CampaignTask {
            text: at,
            purpose: TaskPurpose::Main,
            priority: 2,
            shuffle: at as u64,
            items: vec![first, first + 1],
            source: None,
        });
    }
    if practice {
        let own = plan.texts.len();
        plan.texts.push(text("practice"));
        for (begin, end, action) in [(30, 35, VerifyAction::Verify), (4, 9, VerifyAction::Remove)] {
            plan.keys.push(ItemKey {
                item: plan.items.len(),
                actions: vec![action],
                links: Vec::new(),
                explanation: "Because the text says so.".into(),
                origin: "expert".into(),
                confirmed: true,
            });
            plan.items.push(item(own, begin, end, "Q90", ItemKind::Practice));
        }
    }
    plan
}

fn settings(tasks: usize) -> CampaignSettings {
    let mut settings = CampaignSettings { no_controls: true, ..CampaignSettings::default() };
    settings.design.redundancy = karat::campaigns::plan::Redundancy::Fixed { judgements: 1 };
    settings.design.assignment =
        AssignmentDesign { tasks, controls: 0, ..settings.design.assignment };
    settings
}

/// An open campaign called `spring`.
async fn opened(
    workspace: &Workspace,
    settings: CampaignSettings,
    plan: CampaignPlan,
) -> CampaignRow {
    let store = workspace.store();
    let by = By::local();
    let new = NewCampaign {
        name: "spring".into(),
        title: "Spring".into(),
        settings,
        plan,
        guidelines: "A country is not its capital.\n\nAsk what is meant.".into(),
        consent: "Your answers are published.".into(),
        ..NewCampaign::default()
    };
    let row = store.add_campaign(&by, &new).await.expect("a campaign");
    let texts = new.plan.texts.len();
    let begin = CampaignEvent::Calibrate {
        texts,
        has_texts_for_people: true,
        controls: karat::campaigns::plan::ControlPool::default(),
        no_controls: true,
    };
    store.step_campaign(&by, row.id, begin, None).await.expect("calibrating");
    let open = CampaignEvent::Open { people: 0, items: 0, skip: true };
    store.step_campaign(&by, row.id, open, Some("digest")).await.expect("open").0
}

/// A walk through a campaign; it gets the reader, the workspace and the number of the campaign.
fn walk<W>(
    screen: Screen,
    settings: CampaignSettings,
    plan: CampaignPlan,
    walk: impl FnOnce(Arc<Reader>, Workspace, i64) -> W,
) where
    W: Future<Output = Walked>,
{
    let (send, receive) = std::sync::mpsc::channel();
    let make = async move || {
        let workspace = Workspace::open(&StoreAddress::Memory).await.expect("a store in memory");
        let row = opened(&workspace, settings, plan).await;
        let library = Arc::new(StoredLibrary::new(workspace.clone()));
        let _ = send.send((workspace.clone(), row.id));
        (Arc::new(Workbench::over(library)), Some(workspace))
    };
    walk_through(screen, make, move |reader| async move {
        let (workspace, campaign) = receive.recv()?;
        walk(reader, workspace, campaign).await
    });
}

async fn press(reader: &Reader, keys: impl Into<TypingData>) -> Walked {
    reader.driver.active_element().await?.send_keys(keys).await?;
    Ok(())
}

async fn begins(reader: &Reader) -> Walked {
    reader.open("/judge/spring").await?;
    reader.wait_for("Before you begin").await?;
    assert_eq!(reader.barriers().await?, Vec::<String>::new());
    let agree = reader.one("button[value=consent]").await?;
    agree.send_keys(Key::Enter + "").await?;
    Ok(())
}

/// What is stored, as words.
async fn stored(workspace: &Workspace, campaign: i64) -> Vec<String> {
    let rows = workspace.store().campaign_judgements(campaign).await.expect("judgements");
    let link =
        |link: &Option<LinkTarget>| link.as_ref().map(|it| format!(" {it}")).unwrap_or_default();
    rows.iter().map(|row| format!("{}{}", row.action, link(&row.link))).collect()
}

#[test]
fn a_whole_assignment_by_keyboard() {
    walk(
        Screen::default(),
        settings(2),
        plan(2, false),
        |reader, workspace, campaign| async move {
            begins(&reader).await?;
            reader.wait_for("Task 1 of 2").await?;
            assert_eq!(reader.barriers().await?, Vec::<String>::new());
            let marks = reader.all("mark").await?;
            assert!(
                marks[0].text().await?.starts_with("Paris")
                    && marks[1].text().await?.starts_with("London")
            );
            reader.picture("judge-task").await?;
            let body = reader.one("body").await?;
            // Nothing is chosen beforehand, and half a task is not sent.
            assert!(reader.all("input[type=radio]:checked").await?.is_empty());
            body.send_keys("v").await?;
            press(&reader, Key::Control + Key::Enter).await?;
            reader.wait_for("One item has no whole answer yet.").await?;
            press(&reader, "m").await?;
            press(&reader, Key::Escape + "").await?;
            reader.picture("judge-correction").await?;
            // A wrong turn is taken back, and the other answer given.
            press(&reader, "r").await?;
            press(&reader, "u").await?;
            press(&reader, "n").await?;
            press(&reader, Key::Control + Key::Enter).await?;
            reader.wait_for("Task 2 of 2").await?;
            press(&reader, "w").await?;
            press(&reader, "s").await?;
            press(&reader, Key::Control + Key::Enter).await?;
            reader.wait_for("Thank you").await?;
            if let Ok(finish) = reader.one("button[value=finish]").await {
                finish.send_keys(Key::Enter + "").await?;
            }
            reader.wait_for("All your answers are saved.").await?;
            assert_eq!(reader.barriers().await?, Vec::<String>::new());
            assert_eq!(reader.troubles().await?, Vec::<String>::new());
            let said = stored(&workspace, campaign).await;
            assert_eq!(said, ["verify", "modify NIL", "modify", "skip"]);
            Ok(())
        },
    );
}

#[test]
fn a_whole_assignment_without_scripts() {
    let screen = Screen { scripts: false, ..Screen::default() };
    let settings = CampaignSettings { practice: 2, ..settings(1) };
    walk(screen, settings, plan(1, true), |reader, workspace, campaign| async move {
        reader.open("/judge/spring").await?;
        reader.follow("button[value=consent]").await?;
        // Practice: wrong first, then right.
        reader.wait_for("Practice").await?;
        for _ in 0..2 {
            for verify in reader.all("input[value=verify]").await? {
                verify.click().await?;
            }
            if reader.text("main").await?.contains("second and last") {
                reader.all("input[value=remove]").await?[1].click().await?;
            }
            reader.follow("button[value=practice]").await?;
            reader.wait_for("Because the text says so.").await?;
            reader.follow("a.big").await?;
        }
        reader.wait_for("Task 1 of 1").await?;
        // Half a task: what is missing is named, and what was said stays.
        reader.all("input[value=verify]").await?[0].click().await?;
        reader.follow("button.submit").await?;
        reader.wait_for("Item 2: choose one of the four answers.").await?;
        assert_eq!(reader.all("input[type=radio]:checked").await?.len(), 1);
        reader.all("input[value=modify]").await?[1].click().await?;
        reader.all("[data-link]").await?[1].send_keys("https://www.wikidata.org/wiki/Q142").await?;
        reader.follow("button.submit").await?;
        reader.wait_for("All tasks are done").await?;
        reader.follow("button[value=finish]").await?;
        reader.wait_for("Finished").await?;
        assert_eq!(stored(&workspace, campaign).await, ["verify", "modify Q142"]);
        Ok(())
    });
}

#[test]
fn a_phone_of_320_pixels_needs_no_sideways_scrolling() {
    walk(Screen::default(), settings(1), plan(1, false), |reader, _, _| async move {
        let narrow = serde_json::json!({"width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": true});
        reader.driver.cdp().send_raw("Emulation.setDeviceMetricsOverride", narrow).await?;
        begins(&reader).await?;
        reader.wait_for("Task 1 of 1").await?;
        let script = "return [document.documentElement.scrollWidth, \
            ...[...document.querySelectorAll('.item.on .answers label')].map((it) => Math.floor(it.getBoundingClientRect().height))]";
        let sizes: Vec<u32> = reader.driver.execute(script, Vec::new()).await?.convert()?;
        assert!(sizes[0] <= 320, "{sizes:?}");
        assert!(sizes.len() == 5 && sizes[1..].iter().all(|height| *height >= 44), "{sizes:?}");
        let shown = "return [...document.querySelectorAll('fieldset.item')].filter((it) => it.offsetHeight > 0).length";
        let shown: u32 = reader.driver.execute(shown, Vec::new()).await?.convert()?;
        assert_eq!(shown, 1, "one item as a card");
        reader.picture("judge-320").await?;
        assert_eq!(reader.barriers().await?, Vec::<String>::new());
        Ok(())
    });
}

async fn network(reader: &Reader, is_there: bool) -> Walked {
    let how = serde_json::json!({"offline": !is_there, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
    reader.driver.cdp().send_raw("Network.enable", serde_json::json!({})).await?;
    reader.driver.cdp().send_raw("Network.emulateNetworkConditions", how).await?;
    Ok(())
}

#[test]
fn answers_survive_a_network_that_is_gone() {
    walk(
        Screen::default(),
        settings(2),
        plan(2, false),
        |reader, workspace, campaign| async move {
            begins(&reader).await?;
            reader.wait_for("Task 1 of 2").await?;
            // The next task is fetched ahead.
            tokio::time::sleep(Duration::from_millis(1500)).await;
            network(&reader, false).await?;
            let body = reader.one("body").await?;
            body.send_keys("v").await?;
            press(&reader, "v").await?;
            press(&reader, Key::Control + Key::Enter).await?;
            reader.wait_for("Task 2 of 2").await?;
            reader.wait_for("You are offline: 1 task waits").await?;
            press(&reader, "v").await?;
            press(&reader, "v").await?;
            press(&reader, Key::Control + Key::Enter).await?;
            reader.wait_for("2 tasks wait").await?;
            assert!(stored(&workspace, campaign).await.is_empty());
            tokio::time::sleep(Duration::from_secs(5)).await;
            network(&reader, true).await?;
            reader.wait_for("Thank you").await?;
            assert_eq!(stored(&workspace, campaign).await.len(), 4);
            Ok(())
        },
    );
}

#[test]
fn a_second_tab_shows_the_same_task_and_a_lease_lasts_longer_when_asked() {
    let settings = CampaignSettings { lease_minutes: Some(5), ..settings(1) };
    walk(Screen::default(), settings, plan(1, false), |reader, workspace, campaign| async move {
        begins(&reader).await?;
        reader.wait_for("Task 1 of 1").await?;
        let token = "return document.querySelector('.job').dataset.task";
        let first: String = reader.driver.execute(token, Vec::new()).await?.convert()?;
        reader.wait_for("Your time for this task is nearly over.").await?;
        assert_eq!(reader.barriers().await?, Vec::<String>::new());
        // The organiser gives more time; who asks for it gets it.
        let store = workspace.store();
        let row = store.campaign_by_id(campaign).await?;
        let settings = CampaignSettings { lease_minutes: Some(60), ..row.settings.clone() };
        let change = karat_store::CampaignChange { settings: Some(settings), ..Default::default() };
        store.change_campaign(&By::local(), campaign, row.version, &change).await?;
        reader.follow("[data-go=more]").await?;
        for _ in 0..100 {
            if !reader.text("main").await?.contains("nearly over") {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert!(!reader.text("main").await?.contains("nearly over"));
        let tab = reader.driver.new_tab().await?;
        reader.driver.switch_to_window(tab).await?;
        reader.open("/judge/spring").await?;
        reader.wait_for("Task 1 of 1").await?;
        let second: String = reader.driver.execute(token, Vec::new()).await?.convert()?;
        assert_eq!(first, second);
        Ok(())
    });
}

#[test]
fn who_comes_from_prolific_goes_back_with_a_code() {
    let codes = BTreeMap::from([("finished".to_owned(), "C1DONE".to_owned())]);
    let prolific = PlatformSettings { codes, ..PlatformSettings::default() };
    let platforms = BTreeMap::from([("prolific".to_owned(), prolific)]);
    let settings = CampaignSettings { platforms, ..settings(1) };
    walk(Screen::default(), settings, plan(1, false), |reader, _, _| async move {
        // Whoever works at this machine comes in without a platform; others than Prolific's people are somebody else.
        reader.open("/judge/spring?PROLIFIC_PID=p1&STUDY_ID=s1&SESSION_ID=e1").await?;
        reader.follow("button[value=consent]").await?;
        reader.wait_for("Task 1 of 1").await?;
        let body = reader.one("body").await?;
        body.send_keys("r").await?;
        press(&reader, "r").await?;
        press(&reader, Key::Control + Key::Enter).await?;
        reader.wait_for("All tasks are done").await?;
        reader.follow("button[value=finish]").await?;
        reader.wait_for("Back to Prolific").await?;
        let link = reader.one("a.big").await?.attr("href").await?.unwrap_or_default();
        assert_eq!(link, "https://app.prolific.com/submissions/complete?cc=C1DONE");
        Ok(())
    });
}
