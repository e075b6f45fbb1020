//! A small campaign on the built-in sample, with simulated co-annotators.

use super::making::{CampaignTexts, make};
use crate::workspace::{IntakeError, Workspace};
use karat::campaigns::life::{AssignmentEvent, CampaignEvent};
use karat::campaigns::plan::{
    AssignmentDesign, CampaignDesign, CampaignPlan, ItemKind, Redundancy, VerifyItem,
};
use karat::campaigns::simulation::SimulatedPeople;
use karat::campaigns::{CampaignSettings, LinkTarget, VerifyAction};
use karat::error::Error;
use karat::verify::{CampaignRequest, GOLD_SOURCE, SimulatedPerson, answers_of_gold};
use karat_store::{
    By, CampaignArrival, CampaignRow, ExternalId, ItemAnswer, KeyState, LeaseAnswer,
    NewCampaignLink, Store, StoreError, TaskAnswers,
};

/// The name of the campaign.
pub const DEMO_NAME: &str = "demo";

/// What was made.
#[derive(Clone, Debug)]
pub struct DemoCampaign {
    /// The campaign, open.
    pub campaign: CampaignRow,
    /// The secret of the invitation for whoever tries it.
    pub invitation: String,
    /// How many co-annotators were simulated.
    pub simulated: usize,
    /// Their judgements.
    pub judgements: i64,
    /// In how many places they take gold to be wrong.
    pub doubted: usize,
}

/// Why it was not made.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The sample could not be built.
    #[error(transparent)]
    Sample(#[from] Error),
    /// The sample could not be taken into the workspace.
    #[error(transparent)]
    Intake(#[from] IntakeError),
    /// The store did not do it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The platform of those who are simulated: nobody comes from there.
const SIMULATED: &str = "simulated";
/// Two careful people and one who verifies too much.
const CREW: [fn(usize) -> SimulatedPeople; 3] =
    [SimulatedPeople::good, SimulatedPeople::good, SimulatedPeople::sloppy];
const DAY: i64 = 24 * 3600 * 1000;

/// The same in a workspace that has the sample too, so that results can be applied to it and scores be seen to change. To be
/// called on a thread that may wait.
pub fn prepare_demo(workspace: &Workspace, by: &By, seed: u64) -> Result<DemoCampaign, DemoError> {
    workspace.take_in(by, &karat::sample::experiment()?, &[])?;
    workspace.wait(make_demo(workspace.store(), by, seed))
}

/// Makes the campaign and lets the simulated people judge: each item is left with one judgement to come. Their answers depend
/// on the seed alone.
pub async fn make_demo(store: &Store, by: &By, seed: u64) -> Result<DemoCampaign, DemoError> {
    let redundancy = Redundancy::Fixed { judgements: CREW.len() + 1 };
    let design = CampaignDesign {
        redundancy,
        seed,
        layers_apart: false,
        // Some ten items: nobody wants to judge for an hour who only tries it.
        max_items: Some(4),
        assignment: AssignmentDesign { tasks: 4, controls: 1, control_within: 4, repeat_every: 0 },
        ..CampaignDesign::default()
    };
    let settings = CampaignSettings { design, ..CampaignSettings::default() };
    let request = CampaignRequest { settings, controls: 6, ..CampaignRequest::default() };
    let built = request.build_of(&[karat::sample::experiment()?], Vec::new())?;
    let title = "The sample, with simulated co-annotators";
    let campaign = make(store, by, (DEMO_NAME, title), built, CampaignTexts::default()).await?;
    let keys = store.campaign_keys(campaign.id).await?;
    let items: Vec<i64> = keys.iter().map(|key| key.item).collect();
    store.set_key_states(by, campaign.id, &items, KeyState::Confirmed).await?;
    let begin = CampaignEvent::Calibrate {
        texts: store.campaign_texts(campaign.id).await?.len(),
        has_texts_for_people: true,
        controls: store.control_pool(campaign.id).await?,
        no_controls: false,
    };
    // The sample is small: where it has no three controls of each kind, that is said aloud.
    let begin = match begin {
        CampaignEvent::Calibrate { texts, has_texts_for_people, controls, .. } => {
            let no_controls = controls.least() < 3;
            CampaignEvent::Calibrate { texts, has_texts_for_people, controls, no_controls }
        }
        other => other,
    };
    store.step_campaign(by, campaign.id, begin, None).await?;
    let open = CampaignEvent::Open { people: 0, items: 0, skip: true };
    let (campaign, _) = store.step_campaign(by, campaign.id, open, None).await?;
    let mut judgements = 0;
    for (number, people) in CREW.iter().enumerate() {
        judgements += simulate(store, &campaign, &people(1), seed, number as u64).await?;
    }
    let new = NewCampaignLink { note: "demo".to_owned(), single: false, lasts: 30 * DAY };
    let (_, invitation) = store.add_campaign_link(by, campaign.id, &new).await?;
    let doubted = doubted(&store.campaign_plan(campaign.id).await?).len();
    Ok(DemoCampaign { campaign, invitation, simulated: CREW.len(), judgements, doubted })
}

/// Where simulated people take gold to be wrong and a system to be right, so that there is something to correct: items of gold, and
/// those of the same words that a system has instead.
fn doubted(plan: &CampaignPlan) -> Vec<(usize, usize)> {
    let is_gold = |item: usize| {
        plan.proposals.iter().any(|one| one.item == item && one.source == GOLD_SOURCE)
    };
    let is_real = |item: &VerifyItem| item.kind == ItemKind::Real && item.link != LinkTarget::Nil;
    let mut found = Vec::new();
    for (gold, item) in plan.items.iter().enumerate() {
        if found.len() == DOUBTED {
            break;
        }
        if !is_real(item) || !is_gold(gold) {
            continue;
        }
        let other = plan.items.iter().enumerate().position(|(at, other)| {
            let is_same = (other.text, other.span()) == (item.text, item.span());
            at != gold && is_same && is_real(other) && !is_gold(at)
        });
        found.extend(other.map(|other| (gold, other)));
    }
    found
}

/// In so many places gold is taken to be wrong.
const DOUBTED: usize = 4;

/// One simulated person judges everything that they are given.
async fn simulate(
    store: &Store,
    campaign: &CampaignRow,
    people: &SimulatedPeople,
    seed: u64,
    number: u64,
) -> Result<i64, DemoError> {
    let plan = store.campaign_plan(campaign.id).await?;
    let mut right = answers_of_gold(&plan);
    for (gold, other) in doubted(&plan) {
        right[gold] = (VerifyAction::Modify, Some(plan.items[other].link.clone()));
        right[other] = (VerifyAction::Verify, None);
    }
    for key in &plan.keys {
        right[key.item] = (key.actions.first().copied().unwrap_or(VerifyAction::Verify), None);
    }
    let items = store.campaign_items(campaign.id).await?;
    let mut person = SimulatedPerson::of(people, seed, number);
    let mut judgements = 0;
    loop {
        let worker = format!("simulated {number}");
        let external = ExternalId { worker, ..ExternalId::default() };
        let arrival = CampaignArrival {
            platform: SIMULATED.to_owned(),
            external,
            ..CampaignArrival::default()
        };
        let came = store.enter_campaign(campaign.id, &arrival).await?;
        let consent =
            AssignmentEvent::Consent { practice: false, tasks: came.assignment.plan.tasks };
        store.step_assignment(came.assignment.id, consent).await?;
        let mut done = 0;
        while let LeaseAnswer::Task(task) =
            store.lease_task(came.assignment.id, None, false).await?
        {
            let mut answers = Vec::new();
            for item in &task.items {
                let n = items.binary_search_by_key(&item.id, |row| row.id).unwrap_or(0);
                let (action, link) = person.answer(&right[n]);
                let active_ms = Some(person.takes());
                answers.push(ItemAnswer { link, active_ms, ..ItemAnswer::new(item.id, action) });
            }
            judgements += answers.len() as i64;
            done += 1;
            store
                .submit_answers(&task.token, 1, &TaskAnswers { answers, flags: Vec::new() })
                .await?;
        }
        store.step_assignment(came.assignment.id, AssignmentEvent::Finish).await?;
        if done < came.assignment.plan.tasks {
            return Ok(judgements);
        }
    }
}
