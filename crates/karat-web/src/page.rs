//! What a page is, and the list of all.

use crate::access::{Act, Visitor};
use crate::address::{Address, Links};
use crate::api::CurlCommand;
use crate::components::name::visible;
use crate::frozen::FrozenState;
use crate::pages;
use crate::refusal::Refusal;
use crate::workbench::{Catalogue, CatalogueBenchmark, CatalogueRun, Workbench};
use karat::convention::ConventionRequest;
use karat::model::{Hint, Notice, closest};
use karat::report::plot::Plot;
use karat::request::AnyAnswer;
use karat_store::EVERYTHING;
use maud::Markup;
use std::sync::Arc;

/// All pages, one line each.
pub static PAGES: &[&dyn Page] = &[
    &pages::board::Board,
    &pages::board::Boards,
    &pages::board::NamedBoard,
    &pages::number::NumberPage,
    &pages::compare::CompareChoice,
    &pages::compare::Compare,
    &pages::conventions::ConventionsChoice,
    &pages::conventions::Conventions,
    &pages::search::Search,
    &pages::benchmark::Benchmarks,
    &pages::benchmark::BenchmarkPage,
    &pages::document::DocumentPage,
    &pages::patches::PatchPage,
    &pages::run::RunPage,
    &pages::system::Systems,
    &pages::system::SystemPage,
    &pages::help::HelpIndex,
    &pages::help::Help,
    &pages::help::HelpList,
    &pages::api::ApiPage,
    &pages::upload::Upload,
    &pages::job::Jobs,
    &pages::job::JobPage,
    &pages::campaign::Campaigns,
    &pages::campaign::CampaignPage,
    &pages::edit::Edit,
    &pages::edit::Trash,
];

/// A page: an address that can be asked, and what is shown there.
///
/// A page names requests of the facade, asks the workbench for the answers and renders them; it computes nothing and
/// keeps nothing. The path names the object and the query the view, so that a link restores what a reader saw. Keys
/// that the page does not list are refused, with the nearest that it has, because a view that silently ignores
/// a part of its address is another view.
///
/// The same page is written by a server and into a report: links are made by [`Asked::links`], and the frame
/// around the content is not the page's business.
pub trait Page: Sync {
    /// Its path, with what differs in braces: `/runs/{id}`.
    fn path(&self) -> &'static str;

    /// The keys of its query, in the order in which they are written.
    fn keys(&self) -> &'static [QueryKey];

    /// Whether it shows what gold says, or as much of it as counts and cases tell. Where gold is hidden, such pages
    /// are for organisers only.
    fn shows_gold(&self) -> bool {
        false
    }

    /// What is shown.
    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal>;

    /// The answer that is shown, for those who want it in another form: `?format=tsv`.
    fn answer(&self, _asked: &Asked<'_>) -> Option<Result<Arc<dyn AnyAnswer>, Refusal>> {
        None
    }

    /// A plot of the page by the kind of plot that it is.
    fn plot(&self, _asked: &Asked<'_>, _kind: &str) -> Option<Result<Box<dyn Plot>, Refusal>> {
        None
    }

    /// A piece of the page by its name, for a script that exchanges it: `?part=rows`.
    fn part(&self, _asked: &Asked<'_>, _name: &str) -> Option<Result<Markup, Refusal>> {
        None
    }
}

/// A key of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryKey {
    /// What it is called.
    pub name: &'static str,
    /// What it says.
    pub about: &'static str,
}

/// A key and what it says.
pub const fn key(name: &'static str, about: &'static str) -> QueryKey {
    QueryKey { name, about }
}

/// The convention under which everything on a page is scored.
pub const AS: QueryKey = key("as", "the convention: a preset and what is changed of it");

/// What was asked of a page.
pub struct Asked<'a> {
    /// What stands in the place of the braces of its path.
    pub parameters: Vec<(String, String)>,
    /// What the query says, with the keys of the page.
    pub query: Vec<(&'static str, String)>,
    /// Answers.
    pub workbench: &'a Workbench,
    /// What there is.
    pub catalogue: Arc<Catalogue>,
    /// How addresses become links.
    pub links: &'a dyn Links,
    /// Who asks.
    pub visitor: Visitor,
}

impl<'a> Asked<'a> {
    /// Takes a query apart for a page.
    pub fn new(
        page: &dyn Page,
        parameters: Vec<(String, String)>,
        pairs: &[(String, String)],
        workbench: &'a Workbench,
        links: &'a dyn Links,
    ) -> Result<Asked<'a>, Refusal> {
        let mut query = Vec::new();
        for key in page.keys() {
            let values: Vec<&str> = pairs
                .iter()
                .filter(|(name, value)| name == key.name && !value.is_empty())
                .map(|(_, value)| value.as_str())
                .collect();
            // Checkboxes of a form give a key several times.
            if !values.is_empty() {
                // A convention is a preset and settings, which a form has in two fields.
                let between = if *key == AS { ";" } else { "," };
                query.push((key.name, values.join(between)));
            }
        }
        let known = || page.keys().iter().map(|key| key.name);
        if let Some((name, _)) = pairs.iter().find(|(name, _)| !known().any(|key| key == name)) {
            let meant = closest(name, known());
            let meant = meant.map(|meant| format!("did you mean {meant}? ")).unwrap_or_default();
            let keys: Vec<&str> = known().collect();
            return Err(Refusal::bad_request(
                format!("this page has no key {name}"),
                Hint::from(format!("{meant}its keys are {}", keys.join(", "))),
            ));
        }
        let (catalogue, visitor) = (workbench.catalogue(), Visitor::local());
        Ok(Asked { parameters, query, workbench, catalogue, links, visitor })
    }

    /// The same for somebody who may not see everything: what they may not see is not in the catalogue, and pages
    /// that would show hidden gold do not exist for them.
    pub(crate) fn seen_by(
        mut self,
        page: &dyn Page,
        visitor: &Visitor,
    ) -> Result<Asked<'a>, Refusal> {
        self = self.scores_seen_by(visitor);
        let hidden = if page.shows_gold() { self.benchmarks() } else { Vec::new() };
        match hidden.into_iter().find(|it| !it.shows_gold_to(visitor)) {
            Some(hidden) => Err(Refusal::Missing {
                what: format!("The gold of {} is hidden.", hidden.name),
                hint: Some("The board has the scores.".to_owned()),
            }),
            None => Ok(self),
        }
    }

    /// The same for somebody who is told scores at most: what they may not see is not in the catalogue.
    pub(crate) fn scores_seen_by(mut self, visitor: &Visitor) -> Asked<'a> {
        if !visitor.is_local() {
            self.visitor = visitor.clone();
            self.catalogue = Arc::new(self.catalogue.seen_by(visitor));
        }
        self
    }

    /// Whether what is asked is about gold that is hidden from who asks.
    pub(crate) fn is_about_hidden_gold(&self) -> bool {
        let is_hidden = |it: &CatalogueBenchmark| !it.shows_gold_to(&self.visitor);
        // A system may have the name of a benchmark, and is about all benchmarks on which it has runs.
        let is_system =
            |value: &String| self.catalogue.runs.iter().any(|run| run.system_slug == *value);
        let names_a_system = self.parameters.iter().any(|(_, value)| is_system(value));
        match self.benchmarks() {
            // A board is about everything.
            named if named.is_empty() || names_a_system => {
                self.catalogue.benchmarks.iter().any(is_hidden)
            }
            named => named.into_iter().any(is_hidden),
        }
    }

    /// The benchmarks that the path is about, directly or by their runs.
    fn benchmarks(&self) -> Vec<&CatalogueBenchmark> {
        let named = self.parameters.iter().filter(|(name, _)| name != "board");
        let values = named.flat_map(|(_, value)| value.split(".."));
        let slug_of = |value: &'_ str| {
            let run = self.catalogue.run(value).ok().map(|run| run.benchmark.clone());
            run.unwrap_or_else(|| value.to_owned())
        };
        values.filter_map(|value| self.catalogue.benchmark(&slug_of(value)).ok()).collect()
    }

    /// What stands in the place of a brace of the path.
    pub fn parameter(&self, name: &str) -> &str {
        let found = self.parameters.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// What the query says of a key.
    pub fn get(&self, key: QueryKey) -> Option<&str> {
        self.query.iter().find(|(name, _)| *name == key.name).map(|(_, value)| value.as_str())
    }

    /// A list that the query gives.
    pub fn list(&self, key: QueryKey) -> Vec<&str> {
        self.get(key).map(|value| value.split(',').collect()).unwrap_or_default()
    }

    /// The value of a key that is one of a few words; the usual one if it is not given.
    pub fn one_of<T: Copy + Default>(
        &self,
        key: QueryKey,
        all: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Result<T, Refusal> {
        let Some(wanted) = self.get(key) else { return Ok(T::default()) };
        let found = all.iter().copied().find(|value| name(*value) == wanted);
        found.ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|value| name(*value)).collect();
            let meant = closest(wanted, names.iter().copied());
            let meant = meant.map(|meant| format!("did you mean {meant}? ")).unwrap_or_default();
            Refusal::bad_request(
                format!("{} cannot be {}", key.name, visible(wanted)),
                Hint::from(format!("{meant}it is one of {}", names.join(", "))),
            )
        })
    }

    /// The value of a key that is a number.
    pub fn number(&self, key: QueryKey) -> Result<Option<usize>, Refusal> {
        let Some(text) = self.get(key) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| {
            Refusal::bad_request(format!("{} is a number, not {}", key.name, visible(text)), "")
        })
    }

    /// The convention, as `preset;setting=value;...`.
    pub fn convention(&self) -> Result<ConventionRequest, Refusal> {
        let convention: ConventionRequest = self.get(AS).unwrap_or_default().parse()?;
        // An address never names a file: the knowledge base is that of the server.
        Ok(ConventionRequest { kb: self.workbench.kb().map(str::to_owned), ..convention })
    }

    /// Where something can be renamed and removed: nowhere without a workspace, or for those who may not.
    pub fn edit(&self, kind: &str, name: &str) -> Option<Address> {
        self.workbench.workspace()?;
        let person = self.visitor.person().map(|person| person.id.as_str());
        let is_own = |run: &CatalogueRun| person.is_some() && run.sent_by.as_deref() == person;
        let organises = |slug: &str| {
            let benchmark = self.catalogue.benchmark(slug).ok();
            benchmark.is_some_and(|it| self.visitor.may(Act::Organise, &it.id))
        };
        let may = match kind {
            "benchmark" => organises(name),
            "run" => {
                self.catalogue.run(name).is_ok_and(|it| is_own(it) || organises(&it.benchmark))
            }
            // A system is its owner's, who sent its runs.
            "system" => {
                let mut runs = self.catalogue.runs.iter().filter(|run| run.system_slug == name);
                self.visitor.may(Act::Organise, EVERYTHING) || runs.all(is_own)
            }
            _ => self.visitor.may(Act::Organise, EVERYTHING),
        };
        may.then(|| Address::path(["edit", kind, name]))
    }

    /// An address with the view that was asked for.
    pub fn here(&self, mut address: Address) -> Address {
        for (key, value) in &self.query {
            address = address.with(key, value.clone());
        }
        address
    }
}

/// A convention as it stands in an address; empty for the default.
pub fn convention_text(convention: &ConventionRequest) -> String {
    let text = convention.to_string();
    if text == ConventionRequest::default().to_string() { String::new() } else { text }
}

/// What is shown of a page, without the frame around it.
#[derive(Default)]
pub struct PageContent {
    /// Its heading.
    pub title: String,
    /// Where it stands: the pages above it, the nearest last.
    pub crumbs: Vec<(String, Address)>,
    /// One sentence in words that says the result.
    pub sentence: Option<String>,
    /// The convention, where one decides what is shown.
    pub convention: Option<ConventionRequest>,
    /// The address of this view, with keys in order and defaults left out.
    pub here: Address,
    /// Links to the parts of the page, where it has several. They stand apart from the rest, because a report shows
    /// all parts under one such list.
    pub tabs: Option<Markup>,
    /// The rest.
    pub body: Markup,
    /// What signs mean, where the page has some. A report says it once.
    pub legend: Option<Markup>,
    /// What reproduces the numbers.
    pub signatures: Vec<String>,
    /// The command that gives the same numbers.
    pub command: Option<String>,
    /// The command that asks the API for the same answer.
    pub curl: Option<String>,
    /// The operation of the API that does the same, where it is not known from the address of the page.
    pub(crate) call: Option<CurlCommand>,
    /// What a reader has to know.
    pub notices: Vec<Notice>,
    /// Whether the answer can be had in other forms (see [`Page::answer`]).
    pub has_forms: bool,
    /// Where what is shown can be renamed and removed, if it can be.
    pub edit: Option<Address>,
    /// After so many seconds the page comes again by itself, for readers without scripts.
    pub again: Option<u32>,
    /// Where the page was asked for by a frozen link: what has changed since it was made.
    pub frozen: Option<FrozenState>,
}
