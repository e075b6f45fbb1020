//! A campaign, for those who organise it: one page with a tab for each thing that one asks.
//!
//! A tab is one file and one line in [`TABS`]. It names what it wants of the store and of the facade and shows the answers;
//! its forms are actions ([`crate::actions`]).

mod audit;
mod card;
mod controls;
mod disputes;
mod exports;
mod items;
mod links;
mod list;
mod overview;
mod patches;
mod pay;
mod people;
mod person;
mod results;
mod settings;

pub(crate) use disputes::rule;
pub(crate) use list::Campaigns;

use super::job::workspace;
use crate::access::Act;
use crate::address::Address;
use crate::campaigns::{JudgedCampaign, report};
use crate::components::name::visible;
use crate::components::tabs::{Tab, tabs};
use crate::page::{Asked, Page, PageContent, QueryKey, key};
use crate::refusal::Refusal;
use crate::workspace::Workspace;
use karat::command::CommandLine;
use karat::model::Notice;
use karat::report::plot::Plot;
use karat::request::AnyAnswer;
use karat::verify::{VerifyReportAnswer, VerifyReportRequest};
use karat_store::{CampaignRow, EVERYTHING, Store, StoreError, sha256};
use maud::Markup;
use std::sync::Arc;

/// One campaign.
#[derive(Debug)]
pub(crate) struct CampaignPage;

/// All tabs, one line each.
static TABS: &[&dyn CampaignTab] = &[
    &overview::Overview,
    &items::Items,
    &controls::Controls,
    &people::People,
    &disputes::Disputes,
    &results::Results,
    &patches::Patches,
    &exports::Exports,
    &links::Links,
    &pay::Pay,
    &audit::Audit,
    &settings::Settings,
];

pub(crate) const SHOW: QueryKey = key("show", "which tab: overview, people, disputes, …");
const AFTER: QueryKey = key("after", "how many rows are passed over");
const KIND: QueryKey = key("kind", "items of one kind: real, control, repeat or practice");
const STATE: QueryKey = key("state", "items in one state: judged, open, disputed or decided");
pub(crate) const ITEM: QueryKey = key("item", "the item that is looked at");
pub(crate) const PERSON: QueryKey = key("person", "the person that is looked at");
const RULE: QueryKey = key("rule", "the rule that is tried: unanimous, majority or chance");
const LEAST: QueryKey = key("least", "from how many judgements, or which chance, the rule decides");
const FIND: QueryKey = key("q", "the name of an entity that is looked for");
const PRESET: QueryKey = key("preset", "how results are made: karat, ding-2022 or ding-2022-code");
const ITEMS: QueryKey = key("items", "how many items a simulated campaign has");
const NAMES: QueryKey = key("names", "1 shows pseudonyms beside votes");

/// Something about a campaign that has a tab of its own.
pub(crate) trait CampaignTab: Sync {
    /// What addresses call it.
    fn name(&self) -> &'static str;

    /// What is shown.
    fn show(&self, view: &CampaignView<'_>) -> Result<TabContent, Refusal>;

    /// The answer behind it, for those who want it in another form.
    fn answer(&self, _view: &CampaignView<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        None
    }

    /// A plot of it.
    fn plot(
        &self,
        _view: &CampaignView<'_>,
        _kind: &str,
    ) -> Option<Result<Box<dyn Plot>, Refusal>> {
        None
    }

    /// A piece of it, for a script that exchanges it.
    fn part(&self, _view: &CampaignView<'_>, _name: &str) -> Option<Result<Markup, Refusal>> {
        None
    }
}

/// What a tab shows.
#[derive(Default)]
pub(crate) struct TabContent {
    /// One sentence in words that says the result.
    pub(crate) sentence: String,
    /// The rest.
    pub(crate) body: Markup,
    /// What a reader has to know.
    pub(crate) notices: Vec<Notice>,
    /// Commands that say the same.
    pub(crate) commands: Vec<CommandLine>,
    /// After so many seconds it comes again by itself, for readers without scripts.
    pub(crate) again: Option<u32>,
    /// Whether the answer can be had in other forms.
    pub(crate) has_forms: bool,
}

/// A campaign that is looked at.
pub(crate) struct CampaignView<'a> {
    pub(crate) asked: &'a Asked<'a>,
    pub(crate) workspace: &'a Workspace,
    pub(crate) row: CampaignRow,
}

impl<'a> CampaignView<'a> {
    fn of(asked: &'a Asked<'a>) -> Result<CampaignView<'a>, Refusal> {
        let workspace = organised(asked)?;
        let row = workspace.wait(workspace.store().campaign(asked.parameter("campaign")))?;
        Ok(CampaignView { asked, workspace, row })
    }

    fn store(&self) -> &Store {
        self.workspace.store()
    }

    fn wait<T>(&self, work: impl Future<Output = Result<T, StoreError>>) -> Result<T, Refusal> {
        Ok(self.workspace.wait(work)?)
    }

    /// The address of a tab.
    fn tab(&self, name: &str) -> Address {
        let usual = TABS.first().is_some_and(|first| first.name() == name);
        Address::campaign(&self.row.name).with(SHOW.name, if usual { "" } else { name })
    }

    /// Where a form of this campaign is sent.
    fn action(&self, what: &str) -> String {
        let parts = ["campaigns", &self.row.name].into_iter().chain(what.split('/'));
        Address::path(parts).to_path()
    }

    /// Everything that was said about the items.
    fn judged(&self) -> Result<JudgedCampaign, Refusal> {
        self.wait(JudgedCampaign::read(self.store(), &self.row))
    }

    /// What the campaign says, computed once for what is stored now.
    fn report(
        &self,
        judged: &JudgedCampaign,
        preset: &str,
    ) -> Result<Arc<VerifyReportAnswer>, Refusal> {
        let request =
            VerifyReportRequest { preset: preset.to_owned(), ..VerifyReportRequest::default() };
        let said = (&self.row, &judged.file.judgements, &judged.decisions, &request);
        let written = serde_json::to_vec(&said)
            .map_err(|error| Refusal::Failed(format!("judgements cannot be written: {error}")))?;
        let key = format!("campaign {} {}", self.row.id, sha256(&written));
        self.asked.workbench.computed(&key, |work| {
            report((&judged.file, &judged.decisions), &self.row, &request, work)
        })
    }
}

/// The workspace, for whoever organises everything. Others do not learn which campaigns there are.
fn organised<'a>(asked: &Asked<'a>) -> Result<&'a Workspace, Refusal> {
    let workspace = workspace(asked)?;
    match asked.visitor.may(Act::Organise, EVERYTHING) {
        true => Ok(workspace),
        false => Err(Refusal::Missing {
            what: "Campaigns are for those who organise them.".to_owned(),
            hint: None,
        }),
    }
}

/// The tab that is asked for.
fn tab(asked: &Asked<'_>) -> Result<&'static dyn CampaignTab, Refusal> {
    let Some(wanted) = asked.get(SHOW) else { return Ok(TABS[0]) };
    let found = TABS.iter().find(|tab| tab.name() == wanted);
    found.copied().ok_or_else(|| Refusal::missing("tab", wanted, TABS.iter().map(|tab| tab.name())))
}

impl Page for CampaignPage {
    fn path(&self) -> &'static str {
        "/campaigns/{campaign}"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[SHOW, KIND, STATE, ITEM, PERSON, FIND, RULE, LEAST, PRESET, ITEMS, NAMES, AFTER]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let view = CampaignView::of(asked)?;
        let here = tab(asked)?;
        let content = here.show(&view)?;
        let link = |tab: &&dyn CampaignTab| Tab {
            words: tab.name(),
            count: None,
            address: view.tab(tab.name()),
            is_here: tab.name() == here.name(),
        };
        let all: Vec<Tab> = TABS.iter().map(link).collect();
        let commands: Vec<String> = content.commands.iter().map(ToString::to_string).collect();
        let place = asked.here(Address::campaign(&view.row.name));
        let usual = here.name() == TABS[0].name();
        Ok(PageContent {
            title: visible(&view.row.title),
            crumbs: vec![("Campaigns".to_owned(), Address::campaigns())],
            sentence: Some(content.sentence),
            here: if usual { place.with(SHOW.name, "") } else { place },
            tabs: Some(tabs(asked.links, "About this campaign", &all)),
            body: content.body,
            notices: content.notices,
            command: (!commands.is_empty()).then(|| commands.join("\n")),
            has_forms: content.has_forms,
            again: content.again,
            ..PageContent::default()
        })
    }

    fn answer(&self, asked: &Asked<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        match (CampaignView::of(asked), tab(asked)) {
            (Ok(view), Ok(tab)) => tab.answer(&view),
            (Err(refusal), _) | (_, Err(refusal)) => Some(Err(refusal)),
        }
    }

    fn plot(&self, asked: &Asked<'_>, kind: &str) -> Option<Result<Box<dyn Plot>, Refusal>> {
        match (CampaignView::of(asked), tab(asked)) {
            (Ok(view), Ok(tab)) => tab.plot(&view, kind),
            (Err(refusal), _) | (_, Err(refusal)) => Some(Err(refusal)),
        }
    }

    fn part(&self, asked: &Asked<'_>, name: &str) -> Option<Result<Markup, Refusal>> {
        match (CampaignView::of(asked), tab(asked)) {
            (Ok(view), Ok(tab)) => tab.part(&view, name),
            (Err(refusal), _) | (_, Err(refusal)) => Some(Err(refusal)),
        }
    }
}
