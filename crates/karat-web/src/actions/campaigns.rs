//! What organisers do about campaigns.

use crate::access::Act;
use crate::action::{Action, SentForm};
use crate::address::Address;
use crate::campaigns::{CampaignTexts, StepError, StepWanted, apply_merge, make, step};
use crate::judging::entity_id;
use crate::pages::campaign::{ITEM, PERSON, SHOW, rule};
use crate::refusal::Refusal;
use karat::campaigns::plan::Redundancy;
use karat::campaigns::platform::PayAmount;
use karat::campaigns::{CampaignSettings, LinkTarget, VerifyAction};
use karat::verify::CampaignRequest;
use karat::work::Work;
use karat_store::{
    CampaignChange, CampaignRow, EVERYTHING, KeyState, NewDecision, Store, WorkerState,
};

/// Makes a draft of what is in the workspace.
#[derive(Debug)]
pub(crate) struct AddCampaign;

/// Takes the next step in the life of a campaign.
#[derive(Debug)]
pub(crate) struct StepCampaign;

/// Changes pay, places, leases and the title.
#[derive(Debug)]
pub(crate) struct ChangeCampaign;

/// Writes a new version of what people read.
#[derive(Debug)]
pub(crate) struct WriteText;

/// Pauses somebody, excludes them, takes that back, or forgets them.
#[derive(Debug)]
pub(crate) struct ChangePerson;

/// Confirms controls, or takes them out.
#[derive(Debug)]
pub(crate) struct ChangeControls;

/// Decides about one item, or takes its decision back.
#[derive(Debug)]
pub(crate) struct DecideItem;

/// Decides many by a rule.
#[derive(Debug)]
pub(crate) struct DecideByRule;

/// Ends an invitation.
#[derive(Debug)]
pub(crate) struct EndLink;

/// No word of a form is longer, in characters.
const LONGEST: usize = 2000;
/// No text that people read is longer.
const LONGEST_TEXT: usize = 50_000;

impl From<StepError> for Refusal {
    fn from(error: StepError) -> Refusal {
        match error {
            StepError::Store(error) => error.into(),
            StepError::Results(error) => error.into(),
            StepError::Unknown(_) => Refusal::bad_request(error.to_string(), "open the page again"),
        }
    }
}

/// Whoever organises everything. Others do not learn which campaigns there are.
fn organises(form: &SentForm<'_>) -> Result<(), Refusal> {
    match form.visitor.may(Act::Organise, EVERYTHING) {
        true => Ok(()),
        false => Err(Refusal::Missing {
            what: "Campaigns are for those who organise them.".to_owned(),
            hint: None,
        }),
    }
}

/// The campaign of the path, for whoever organises it.
fn organised<'f>(form: &'f SentForm<'_>) -> Result<(&'f Store, CampaignRow), Refusal> {
    organises(form)?;
    let store = form.workspace.store();
    let row = form.workspace.wait(store.campaign(form.parameter("campaign")))?;
    Ok((store, row))
}

/// The tab to which a form leads.
fn tab(row: &CampaignRow, name: &str) -> Address {
    Address::campaign(&row.name).with(SHOW.name, name)
}

/// A field of words that is not longer than anybody writes.
fn words<'f>(form: &'f SentForm<'_>, name: &str, longest: usize) -> Result<&'f str, Refusal> {
    let text = form.field(name).unwrap_or_default();
    match text.chars().count() <= longest {
        true => Ok(text),
        false => Err(Refusal::bad_request(format!("`{name}` is too long"), "write fewer words")),
    }
}

/// A number of a form; nothing where the field is empty.
fn number<T: std::str::FromStr>(form: &SentForm<'_>, name: &str) -> Result<Option<T>, Refusal> {
    let text = form.field(name).unwrap_or_default();
    if text.is_empty() {
        return Ok(None);
    }
    let wrong =
        |_| Refusal::bad_request(format!("`{name}` is not a number"), "go back and change it");
    text.parse().map(Some).map_err(wrong)
}

/// An amount of money.
fn amount(form: &SentForm<'_>, name: &str) -> Result<Option<f64>, Refusal> {
    let found = number::<f64>(form, name)?;
    match found.is_none_or(|amount| amount.is_finite() && amount >= 0.0) {
        true => Ok(found),
        false => {
            Err(Refusal::bad_request(format!("`{name}` is no amount"), "go back and change it"))
        }
    }
}

impl Action for AddCampaign {
    fn path(&self) -> &'static str {
        "/campaigns"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        organises(form)?;
        let catalogue = form.workbench.catalogue();
        let benchmark = catalogue.benchmark(form.field("benchmark").unwrap_or_default())?;
        let wanted = |name: &str| form.fields.iter().any(|(key, it)| key == "system" && it == name);
        let runs = catalogue.runs_on(&benchmark.slug).filter(|run| wanted(&run.system));
        let inputs = catalogue.inputs(benchmark, runs);
        let without_gold = form.field("gold") != Some("yes");
        if without_gold && inputs.systems.is_empty() {
            return Err(Refusal::bad_request(
                "nothing is chosen to be judged",
                "go back and choose gold or a system",
            ));
        }
        let mut settings = CampaignSettings {
            practice: number(form, "practice")?.unwrap_or(0),
            ..CampaignSettings::default()
        };
        if let Some(judgements) = form.field("judgements").filter(|it| *it != "adaptive") {
            let judgements = judgements.parse().ok().filter(|number| (1..=20).contains(number));
            let judgements = judgements.ok_or_else(|| {
                Refusal::bad_request(
                    "`judgements` is a number from 1 to 20",
                    "go back and change it",
                )
            })?;
            settings.design.redundancy = Redundancy::Fixed { judgements };
        }
        if let Some(tasks) = number::<usize>(form, "tasks")? {
            settings.design.assignment.tasks = tasks.clamp(1, 1000);
        }
        let controls = number::<usize>(form, "controls")?.unwrap_or_default().min(1000);
        if controls == 0 {
            settings.no_controls = true;
            settings.design.assignment.controls = 0;
        }
        let request = CampaignRequest {
            inputs,
            settings,
            without_gold,
            kb: form.workbench.kb().map(str::to_owned),
            controls,
            ..CampaignRequest::default()
        };
        let work = Work { shelf: Some(form.workbench.shelf()), ..Work::default() };
        let built = request.build(&work)?;
        let text = |name: &str| -> Result<Option<String>, Refusal> {
            let text = words(form, name, LONGEST_TEXT)?;
            Ok((!text.is_empty()).then(|| text.to_owned()))
        };
        let texts = CampaignTexts { guidelines: text("guidelines")?, consent: text("consent")? };
        let names = (words(form, "name", 64)?, words(form, "title", 200)?);
        let made = make(form.workspace.store(), &form.by, names, built, texts);
        let row = form.workspace.wait(made)?;
        Ok(Address::campaign(&row.name))
    }
}

impl Action for StepCampaign {
    fn path(&self) -> &'static str {
        "/campaigns/{campaign}/state"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        let (store, row) = organised(form)?;
        let said = |name: &str| form.field(name) == Some("yes");
        let wanted = StepWanted {
            to: form.field("to").unwrap_or_default().to_owned(),
            reason: words(form, "reason", LONGEST)?.to_owned(),
            skip_calibration: said("skip_calibration"),
            no_controls: said("no_controls"),
            unfinished: said("unfinished"),
            accept_rest: said("accept_rest"),
        };
        let row = form.workspace.wait(step(store, &form.by, &row, &wanted))?;
        Ok(Address::campaign(&row.name))
    }
}

impl Action for ChangeCampaign {
    fn path(&self) -> &'static str {
        "/campaigns/{campaign}/settings"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        let (store, row) = organised(form)?;
        let version = number(form, "version")?.unwrap_or(row.version);
        let currency = words(form, "currency", 3)?.to_uppercase();
        let pay = amount(form, "pay")?.filter(|pay| *pay > 0.0);
        if pay.is_some()
            && (currency.len() != 3 || !currency.chars().all(|c| c.is_ascii_alphabetic()))
        {
            return Err(Refusal::bad_request("a currency has three letters", "such as EUR or USD"));
        }
        let settings = CampaignSettings {
            pay: pay.map(|amount| PayAmount { amount, currency }),
            budget: amount(form, "budget")?,
            places: number(form, "places")?,
            assignments_each: number(form, "assignments_each")?,
            lease_minutes: number(form, "lease_minutes")?,
            retention_days: number(form, "retention_days")?,
            ..row.settings.clone()
        };
        let title = words(form, "title", 200)?;
        let title = (!title.is_empty()).then(|| title.to_owned());
        let change = CampaignChange { title, settings: Some(settings) };
        form.workspace.wait(store.change_campaign(&form.by, row.id, version, &change))?;
        Ok(tab(&row, "settings"))
    }
}

impl Action for WriteText {
    fn path(&self) -> &'static str {
        "/campaigns/{campaign}/texts"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        let (store, row) = organised(form)?;
        let body = words(form, "body", LONGEST_TEXT)?;
        if body.is_empty() {
            return Err(Refusal::bad_request("the text is empty", "people have to read something"));
        }
        let kind = form.field("kind").unwrap_or_default();
        form.workspace.wait(store.write_campaign_page(&form.by, row.id, kind, body))?;
        Ok(tab(&row, "settings"))
    }
}

impl Action for ChangePerson {
    fn path(&self) -> &'static str {
        "/campaigns/{campaign}/people"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        let (store, row) = organised(form)?;
        let unknown = || Refusal::missing("person", form.field("person").unwrap_or_default(), []);
        let person: i64 = number(form, "person")?.ok_or_else(unknown)?;
        let before = form.workspace.wait(store.worker(person))?;
        if before.campaign != row.id {
            return Err(unknown());
        }
        let reason = words(form, "reason", LONGEST)?;
        let (by, workspace) = (&form.by, form.workspace);
        match (form.field("do").unwrap_or_default(), before.state) {
            (_, _) if reason.is_empty() => {
                return Err(Refusal::bad_request(
                    "no reason is given",
                    "say why: it is kept in the audit",
                ));
            }
            ("forget", _) => {
                let answers = form.field("answers") == Some("yes");
                workspace.wait(store.forget_worker(by, person, answers, reason))?;
            }
            ("exclude", _) => {
                workspace.wait(store.exclude_worker(by, person, reason))?;
            }
            ("resume", WorkerState::Excluded) => {
                workspace.wait(store.restore_worker(by, person, reason))?;
            }
            ("pause", _) => {
                workspace.wait(store.pause_worker(by, person, true, reason))?;
            }
            ("resume", _) => {
                workspace.wait(store.pause_worker(by, person, false, reason))?;
            }
            (other, _) => {
                return Err(Refusal::missing(
                    "act",
                    other,
                    ["pause", "resume", "exclude", "forget"],
                ));
            }
        }
        Ok(tab(&row, "people").with(PERSON.name, person.to_string()))
    }
}

impl Action for ChangeControls {
    fn path(&self) -> &'static str {
        "/campaigns/{campaign}/controls"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        let (store, row) = organised(form)?;
        let state = form.field("state").unwrap_or_default();
        let words = KeyState::ALL.iter().map(|state| state.word());
        let state =
            KeyState::from_word(state).ok_or_else(|| Refusal::missing("state", state, words))?;
        let picked = form.fields.iter().filter(|(name, _)| name == "item");
        let items: Vec<i64> = picked.filter_map(|(_, value)| value.parse().ok()).collect();
        if items.is_empty() {
            return Err(Refusal::bad_request(
                "no control is selected",
                "go back and select rows by their boxes",
            ));
        }
        form.workspace.wait(store.set_key_states(&form.by, row.id, &items, state))?;
        Ok(tab(&row, "controls"))
    }
}

impl Action for DecideItem {
    fn path(&self) -> &'static str {
        "/campaigns/{campaign}/decisions"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        let (store, row) = organised(form)?;
        let unknown = || Refusal::missing("item", form.field("item").unwrap_or_default(), []);
        let item: i64 = number(form, "item")?.ok_or_else(unknown)?;
        let action = match form.field("do") {
            Some("back") => None,
            _ => Some(action(form.field("action").unwrap_or_default())?),
        };
        let decision = NewDecision {
            item,
            action,
            link: if action == Some(VerifyAction::Modify) { Some(link(form)?) } else { None },
            reason: words(form, "reason", 40)?.to_owned(),
            note: words(form, "note", LONGEST)?.to_owned(),
        };
        let who = form.visitor.decider();
        form.workspace.wait(store.decide(&form.by, row.id, &who, &[decision]))?;
        let next = number::<i64>(form, "next")?.filter(|_| action.is_some());
        Ok(match (next, action) {
            (Some(next), _) => tab(&row, "disputes").with(ITEM.name, next.to_string()),
            (None, None) => tab(&row, "disputes").with(ITEM.name, item.to_string()),
            (None, Some(_)) => tab(&row, "disputes"),
        })
    }
}

fn action(word: &str) -> Result<VerifyAction, Refusal> {
    let found = VerifyAction::JUDGEMENTS.into_iter().find(|action| action.name() == word);
    found.ok_or_else(|| {
        Refusal::bad_request(
            "nothing is decided",
            "go back and choose right, wrong link or not an entity",
        )
    })
}

/// The right link of a decision.
fn link(form: &SentForm<'_>) -> Result<LinkTarget, Refusal> {
    let written = words(form, "link", 500)?;
    let which = words(form, "which", LONGEST)?;
    match (which, written) {
        ("" | "other", "") => Err(Refusal::bad_request(
            "no other link is named",
            "go back and choose or write the right link",
        )),
        ("" | "other", written) => Ok(LinkTarget::from(entity_id(written))),
        (_, written) if !written.is_empty() => {
            Err(Refusal::bad_request("two links are named", "go back and choose one"))
        }
        ("NIL", _) => Ok(LinkTarget::Nil),
        (which, _) => serde_json::from_str(which)
            .map_err(|_| Refusal::bad_request("no other link is named", "open the page again")),
    }
}

impl Action for DecideByRule {
    fn path(&self) -> &'static str {
        "/campaigns/{campaign}/rules"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        let (store, row) = organised(form)?;
        let rule =
            rule(form.field("rule").unwrap_or_default(), form.field("least").unwrap_or_default())?;
        form.workspace.wait(apply_merge(store, &form.by, &row, rule))?;
        Ok(tab(&row, "disputes"))
    }
}

impl Action for EndLink {
    fn path(&self) -> &'static str {
        "/campaigns/{campaign}/links/end"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        let (store, row) = organised(form)?;
        let unknown = || Refusal::missing("invitation", form.field("link").unwrap_or_default(), []);
        let link = number(form, "link")?.ok_or_else(unknown)?;
        form.workspace.wait(store.end_campaign_link(&form.by, row.id, link))?;
        Ok(tab(&row, "links"))
    }
}
